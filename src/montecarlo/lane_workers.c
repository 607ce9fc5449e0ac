#include "montecarlo/lane_workers.h"

#include <pthread.h>
#include <stdio.h>

/* a status with its message, to be passed from one thread to another */
typedef struct {
  rbv_status status;
  char message[1024];
} outcome;

struct rbv_lane_workers {
  pthread_mutex_t mutex;  // held by the thread that works; protects all fields
  pthread_cond_t changed;
  pthread_t *thread;  // without the thread of the caller
  int nthread;
  bool over;  // threads must end

  const rbv_lane_task *task;
  int count, next;    // lanes; the first that was not started
  int busy;           // lanes that were started and have not ended
  int nwaiting;       // lanes that wait
  bool *waiting;      // lanes
  long simulations;   // number so far
  outcome simulated;  // of the last simulation
  outcome failure;    // of the first lane that failed
  int failed;         // that lane; count: none
};

static void store(outcome *o, rbv_status status) {
  o->status = status;
  if (status != RBV_OK) snprintf(o->message, sizeof o->message, "%s", rbv_message());
}

/* return the status in this thread */
static rbv_status repeat(const outcome *o) {
  return o->status == RBV_OK ? RBV_OK : rbv_fail(o->status, "%s", o->message);
}

/* ---- simulation ---- */

/* true if all started lanes wait, and no free thread will start another one */
static bool all_wait(const rbv_lane_workers *w) {
  const bool free_thread = w->busy < w->nthread + 1;
  return w->nwaiting > 0 && w->nwaiting == w->busy && !(free_thread && w->next < w->count);
}

static void simulate(rbv_lane_workers *w) {
  store(&w->simulated, w->task->simulate(w->task->self, w->waiting));
  for (int k = 0; k < w->count; k++) w->waiting[k] = false;
  w->nwaiting = 0;
  w->simulations++;
  pthread_cond_broadcast(&w->changed);
}

rbv_status rbv_lane_workers_wait(rbv_lane_workers *w, int lane) {
  const long before = w->simulations;
  w->waiting[lane] = true;
  w->nwaiting++;
  if (all_wait(w)) simulate(w);
  while (w->simulations == before) pthread_cond_wait(&w->changed, &w->mutex);
  // the next simulation cannot start before this lane waits again, so this is still its status
  return repeat(&w->simulated);
}

/* ---- threads ---- */

static void run_lanes(rbv_lane_workers *w) {
  while (w->next < w->count) {
    const int lane = w->next++;
    w->busy++;
    const rbv_status status = w->task->work(w->task->self, lane);
    if (status != RBV_OK && lane < w->failed) {
      store(&w->failure, status);
      w->failed = lane;
    }
    w->busy--;
    if (all_wait(w)) simulate(w);
  }
  pthread_cond_broadcast(&w->changed);
}

static void *run_thread(void *argument) {
  rbv_lane_workers *w = argument;
  pthread_mutex_lock(&w->mutex);
  while (!w->over) {
    run_lanes(w);
    while (!w->over && w->next >= w->count) pthread_cond_wait(&w->changed, &w->mutex);
  }
  pthread_mutex_unlock(&w->mutex);
  return NULL;
}

rbv_status rbv_lane_workers_run(rbv_lane_workers *w, int count, const rbv_lane_task *task) {
  pthread_mutex_lock(&w->mutex);
  w->task = task;
  w->count = w->failed = count;
  w->next = 0;
  w->failure.status = RBV_OK;
  pthread_cond_broadcast(&w->changed);
  run_lanes(w);
  while (w->busy > 0) pthread_cond_wait(&w->changed, &w->mutex);
  pthread_mutex_unlock(&w->mutex);
  return repeat(&w->failure);
}

/* ---- the object ---- */

void rbv_lane_workers_free(rbv_lane_workers *w) {
  if (!w) return;
  pthread_mutex_lock(&w->mutex);
  w->over = true;
  pthread_cond_broadcast(&w->changed);
  pthread_mutex_unlock(&w->mutex);
  for (int i = 0; i < w->nthread; i++) pthread_join(w->thread[i], NULL);
  pthread_cond_destroy(&w->changed);
  pthread_mutex_destroy(&w->mutex);
  rbv_free(w);
}

static void layout(rbv_lane_workers *w, int lanes, int threads, rbv_arena *a) {
  w->waiting = RBV_TAKE(a, lanes, bool);
  w->thread = RBV_TAKE(a, threads, pthread_t);
}

rbv_status rbv_lane_workers_new(rbv_lane_workers **out, int lanes, int threads) {
  *out = NULL;
  rbv_lane_workers sizes = {0}, *w;
  RBV_CARVE_OBJECT(w, a, layout(&sizes, lanes, threads, a));
  if (!w) return RBV_EMEM;
  *w = sizes;
  pthread_mutex_init(&w->mutex, NULL);
  pthread_cond_init(&w->changed, NULL);
  pthread_mutex_lock(&w->mutex);
  while (w->nthread < threads - 1 && rbv_thread_start(&w->thread[w->nthread], run_thread, w) == 0)
    w->nthread++;
  pthread_mutex_unlock(&w->mutex);
  *out = w;
  return RBV_OK;
}
