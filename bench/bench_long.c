/*
 * An hour of a seven-axis arm at 1 kHz: does time grow with the recording and memory not? A tenth
 * of it gives the time per sample to compare with, and the yardstick gets as much as it can hold.
 *
 * Runs take tens of seconds, so there are few of them; two threads need two cores, which is why
 * bench/run does not pin this program to one.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <roberval/log.h>

#include "arm.h"
#include "program.h"
#include "stopwatch.h"

#define RATE_HZ 1000
#define SAMPLES (3600 * RATE_HZ)
#define TENTH (SAMPLES / 10)
#define HELD 100000  // that NumPy holds: a gigabyte and a half
#define JOINTS 7
#define COLUMNS (1 + 2 * JOINTS)
#define BLOCK 3600
#define DECIMATE "20"
#define CUTOFF "50"
#define MOST_ROUNDS 3
#define ROBOT BENCH_SOURCE "/bench/robots/seven.yaml"

static void check(rbv_status status) {
  if (status != RBV_OK) give_up(rbv_message());
}

/* ---- the recording ---- */

typedef struct {
  rbv_dynamics *dynamics;
  double *q, *dq, *ddq, *tau, *A;
} recorder;

/* harmonics without a common period; joint j at sample k */
static void follow(recorder *r, int k, int j, double t) {
  const int at = k + j * BLOCK;
  r->q[at] = r->dq[at] = r->ddq[at] = 0;
  for (int h = 1; h <= 5; h++) {
    const double w = 2 * M_PI * 0.13 * h * (1 + 0.07 * j), a = 0.5 / h, p = w * t + j + h;
    r->q[at] += a * sin(p);
    r->dq[at] += a * w * cos(p);
    r->ddq[at] -= a * w * w * sin(p);
  }
}

/* what a recorder writes: a microradian and a tenth of a millinewtonmetre */
static void record(recorder *r, ptrdiff_t first) {
  for (int k = 0; k < BLOCK; k++)
    for (int j = 0; j < JOINTS; j++) follow(r, k, j, (double)(first + k) / RATE_HZ);
  for (int k = 0; k < BLOCK; k++) {
    double q[JOINTS], dq[JOINTS], ddq[JOINTS], tau[JOINTS];
    for (int j = 0; j < JOINTS; j++) {
      q[j] = r->q[k + j * BLOCK];
      dq[j] = r->dq[k + j * BLOCK];
      ddq[j] = r->ddq[k + j * BLOCK];
    }
    rbv_dynamics_inverse(tau, r->dynamics, q, dq, ddq);
    r->A[k] = (double)(first + k) / RATE_HZ;
    for (int j = 0; j < JOINTS; j++) {
      const double noise = 0.3 * rbv_random_normal(1, (uint64_t)j, (uint64_t)(first + k));
      r->A[k + (1 + j) * BLOCK] = rint(1e6 * q[j]) / 1e6;
      r->A[k + (1 + JOINTS + j) * BLOCK] = rint(1e4 * (tau[j] + noise)) / 1e4;
    }
  }
}

/* all of it, its first tenth, and what the yardstick can hold */
static void write_recordings(char path[3][64]) {
  static const char *const names[COLUMNS] = {"t",    "q1",   "q2",   "q3",   "q4",
                                             "q5",   "q6",   "q7",   "tau1", "tau2",
                                             "tau3", "tau4", "tau5", "tau6", "tau7"};
  static const ptrdiff_t length[3] = {SAMPLES, TENTH, HELD};
  FILE *file[3];
  rbv_csv_writer *writer[3];
  rbv_model *m;
  recorder r;
  check(rbv_model_load(&m, ROBOT, NULL));
  check(rbv_dynamics_new(&r.dynamics, m));
  check(rbv_dynamics_set(r.dynamics, rbv_model_parameters(m), false));
  r.q = need((size_t)BLOCK * JOINTS, sizeof *r.q);
  r.dq = need((size_t)BLOCK * JOINTS, sizeof *r.dq);
  r.ddq = need((size_t)BLOCK * JOINTS, sizeof *r.ddq);
  r.A = need((size_t)BLOCK * COLUMNS, sizeof *r.A);
  for (int i = 0; i < 3; i++) {
    snprintf(path[i], sizeof path[i], "/tmp/roberval_bench_%d_%d.csv", (int)getpid(), i);
    file[i] = fopen(path[i], "w");
    if (!file[i]) give_up("no room for the recording in /tmp");
    check(rbv_csv_stream(&writer[i], file[i], names, COLUMNS));
  }
  for (ptrdiff_t first = 0; first < SAMPLES; first += BLOCK) {
    record(&r, first);
    for (int i = 0; i < 3 && first < SAMPLES; i++) {
      const ptrdiff_t left = length[i] - first;
      if (left > 0) check(rbv_csv_rows(writer[i], r.A, left < BLOCK ? left : BLOCK, BLOCK));
    }
  }
  for (int i = 0; i < 3; i++) {
    check(rbv_csv_finish(writer[i]));
    rbv_csv_free(writer[i]);
    if (fclose(file[i]) != 0) give_up("no room for the recording in /tmp");
  }
  free(r.q);
  free(r.dq);
  free(r.ddq);
  free(r.A);
  rbv_dynamics_free(r.dynamics);
  rbv_model_free(m);
}

/* ---- the race ---- */

static program identify(const char *path, const char *threads, const char *result) {
  return (program){.argv = {BENCH_ROBERVAL, "identify", ROBOT, path, "--method", "wls",
                            "--decimate", DECIMATE, "--cutoff", CUTOFF, "--mask", "0", "--threads",
                            threads, "-o", result}};
}

static void race(const stopwatch *w, char path[3][64], const char *result) {
  static program ours[5], yardstick;
  ours[0] = identify(path[2], "1", result);
  ours[1] = identify(path[1], "1", result);
  ours[2] = identify(path[1], "2", result);
  ours[3] = identify(path[0], "1", result);
  ours[4] = identify(path[0], "2", result);
  yardstick = (program){.argv = {"/usr/bin/python3", BENCH_SOURCE "/bench/yardstick/pipeline.py",
                                 BENCH_SOURCE "/bench/yardstick/seven.json", path[2], "--decimate",
                                 DECIMATE, "--cutoff", CUTOFF}};
  compare_answers(&ours[0], &yardstick, result);
  static contestant c[] = {{.name = "six minutes, one thread", .calls = TENTH},
                           {.name = "six minutes, two threads", .calls = TENTH},
                           {.name = "an hour, one thread", .calls = SAMPLES},
                           {.name = "an hour, two threads", .calls = SAMPLES},
                           {.name = "NumPy and SciPy, 100 s of it", .calls = HELD}};
  for (int i = 0; i < 4; i++) {
    c[i].run = run_program;
    c[i].self = &ours[i + 1];
  }
  c[4].run = run_yardstick;
  c[4].self = &yardstick;
  c[4].seconds = &yardstick.seconds;
  stopwatch_run(w, c, 5);
  print_times(w, "identify --method wls, file to result, per sample", c, 5);
  printf("  memory: %.0f MB for six minutes, %.0f MB for an hour, %.0f MB with two threads\n",
         ours[1].memory_mb, ours[3].memory_mb, ours[4].memory_mb);
  print_ratio_head();
  print_ratio(w, "an hour : six minutes, per sample, one thread", &c[2], &c[0], 1.1);
  print_ratio(w, "an hour, one thread : NumPy and SciPy", &c[2], &c[4], 1.0 / 12);
  print_ratio(w, "an hour, two threads : NumPy and SciPy", &c[3], &c[4], 1.0 / 20);
  print_ratio(w, "an hour, two threads : one thread", &c[3], &c[2], 0);
}

int main(int argc, char **argv) {
  stopwatch w = stopwatch_new(argc, argv);
  w.wall = true;
  if (w.rounds > MOST_ROUNDS) w.rounds = MOST_ROUNDS;
  char path[3][64], result[64];
  snprintf(result, sizeof result, "/tmp/roberval_bench_%d.json", (int)getpid());
  write_recordings(path);
  race(&w, path, result);
  for (int i = 0; i < 3; i++) unlink(path[i]);
  unlink(result);
  stopwatch_close(&w);
  return 0;
}
