/* The watcher of a thread: progress and cancellation of long calls. */
#include <roberval/watch.h>
#include <time.h>

#include "base/support.h"
#include "base/watch_ignore.h"

#define LEAST_PAUSE 0.05  // seconds between two calls of the watcher

static _Thread_local struct {
  rbv_watcher *watcher;
  void *self;
  double last;  // time of the last call
  double end;   // limit of rbv_used_time; 0: none
  bool stopped, held;
} watch;

static double seconds(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double now(void) { return seconds(CLOCK_MONOTONIC); }

void rbv_watch(rbv_watcher *watcher, void *self) {
  watch.watcher = watcher;
  watch.self = self;
  watch.last = 0;
  watch.stopped = false;
}

void rbv_watch_hold(bool on) { watch.held = on; }

rbv_status rbv_go_on(const char *stage, double done) {
  if ((!watch.watcher && !(watch.end > 0)) || watch.held) return RBV_OK;
  const double time = now();
  if (watch.end > 0 && rbv_used_time() > watch.end)
    return rbv_fail(RBV_ECANCELLED, "the time limit was reached before the first result");
  if (watch.watcher && !watch.stopped && time - watch.last >= LEAST_PAUSE) {
    watch.stopped = !watch.watcher(watch.self, stage, done);
    watch.last = now();  // the watcher may be slow
  }
  return watch.stopped ? rbv_fail(RBV_ECANCELLED, "the computation was cancelled") : RBV_OK;
}

void rbv_ignore_watcher(void) {
  watch.watcher = NULL;
  watch.end = 0;
}

double rbv_used_time(void) { return seconds(CLOCK_THREAD_CPUTIME_ID); }

void rbv_limit_time(double end) { watch.end = end; }
