/*
 * Speed-up by a second thread: WLS on a recording, a Monte Carlo study and a genetic search as the
 * tool runs them, from start to end, compared with a loop of multiply-adds without shared data. The
 * speed-up of the loop is what the machine allows.
 */
#include <unistd.h>

#include <roberval/sys/base.h>

#include "program.h"
#include "recording.h"
#include "stopwatch.h"

#define MOST_ROUNDS 7
#define LOOPS 64                // jobs
#define MULTIPLY_ADDS 20000000  // each
#define SPEED_UP 0.9            // required share of the loop's speed-up

/* ---- the reference loop ---- */

typedef struct {
  int threads;
  double sum;
} loop;

/* eight independent sums, so that no addition waits for the previous one */
static rbv_status multiply_add(rbv_bytes *out, void *worker, void *self, ptrdiff_t index) {
  (void)worker;
  (void)self;
  double x[8], sum = 0;
  for (int i = 0; i < 8; i++) x[i] = 1e-9 * (double)(8 * index + i);
  for (long k = 0; k < MULTIPLY_ADDS / 8; k++)
    for (int i = 0; i < 8; i++) x[i] = x[i] * 0.999 + 1e-3;
  for (int i = 0; i < 8; i++) sum += x[i];
  rbv_bytes_add(out, &sum, sizeof sum);
  return RBV_OK;
}

static rbv_status take(void *self, ptrdiff_t index, const void *data, size_t size) {
  (void)index;
  (void)size;
  ((loop *)self)->sum += *(const double *)data;
  return RBV_OK;
}

static void run_loop(void *self) {
  const rbv_jobs jobs = {
      .name = "loop", .count = LOOPS, .self = self, .run = multiply_add, .take = take};
  const rbv_jobs_options o = {.threads = ((loop *)self)->threads};
  if (rbv_jobs_run(NULL, &jobs, &o) != RBV_OK) give_up(rbv_message());
}

/* ---- timing ---- */

typedef struct {
  const char *name;
  contestant c[2];  // one thread, two
} pair;

/* speed-up by two threads per round, divided by that of the loop in the same round */
static void print_speed_up(stopwatch *w, pair *p, pair *free_loop) {
  contestant ours = {.name = p->name}, theirs = {.name = free_loop->name};
  for (int r = 0; r < w->rounds; r++) {
    ours.ns[r] = p->c[1].ns[r] / p->c[0].ns[r];
    theirs.ns[r] = free_loop->c[1].ns[r] / free_loop->c[0].ns[r];
  }
  char what[128];
  snprintf(what, sizeof what, "%s, %.2f times as fast (%s: %.2f)", p->name,
           1 / time_of(w, &ours).middle, free_loop->name, 1 / time_of(w, &theirs).middle);
  print_ratio(w, what, &ours, &theirs, 1 / SPEED_UP);
}

int main(int argc, char **argv) {
  stopwatch w = stopwatch_new(argc, argv);
  w.wall = true;
  if (w.rounds > MOST_ROUNDS) w.rounds = MOST_ROUNDS;
  recording r = {.samples = 1200 * RECORDING_HZ};
  char result[64];
  snprintf(result, sizeof result, "/tmp/roberval_bench_%d.json", (int)getpid());
  write_recordings(&r, 1);
  static const char *const threads[2] = {"1", "2"};
  static loop spin[2];
  static program wls[2], plain[2], study[2], search[2];
  static pair all[] = {{.name = "multiply-adds"},
                       {.name = "identify --method wls"},
                       {.name = "identify, all from the data"},
                       {.name = "montecarlo"},
                       {.name = "excite --search ga"}};
  const int count = (int)(sizeof all / sizeof all[0]);
  static contestant c[10];
  for (int i = 0; i < 2; i++) {
    spin[i].threads = i + 1;
    wls[i] = (program){.argv = {BENCH_ROBERVAL, "identify", RECORDING_ROBOT, r.path, "--method",
                                "wls", "--decimate", "20", "--cutoff", "50", "--mask", "0",
                                "--threads", threads[i], "-o", result}};
    plain[i] = (program){.argv = {BENCH_ROBERVAL, "identify", RECORDING_ROBOT, r.path, "--threads",
                                  threads[i], "-o", result}};
    study[i] =
        (program){.argv = {BENCH_ROBERVAL, "montecarlo", "tx40", "--mode", "inloop", "--methods",
                           "wls,didim,iv", "--runs", "32", "--threads", threads[i]}};
    search[i] = (program){.argv = {BENCH_ROBERVAL, "excite", "ns16", "--class", "sines", "--period",
                                   "20", "--search", "ga", "--criterion", "coupling", "--no-polish",
                                   "--budget", "0", "--threads", threads[i]}};
    void *const self[] = {&spin[i], &wls[i], &plain[i], &study[i], &search[i]};
    for (int k = 0; k < count; k++)
      c[2 * k + i] = (contestant){
          .name = all[k].name, .run = k == 0 ? run_loop : run_program, .self = self[k], .calls = 1};
  }
  stopwatch_run(&w, c, 2 * count);
  print_times(&w, "one thread, then two, whole run", c, 2 * count);
  print_ratio_head();
  for (int k = 0; k < count; k++)
    for (int i = 0; i < 2; i++) all[k].c[i] = c[2 * k + i];
  for (int k = 1; k < count; k++) print_speed_up(&w, &all[k], &all[0]);
  remove_recordings(&r, 1);
  unlink(result);
  stopwatch_close(&w);
  return 0;
}
