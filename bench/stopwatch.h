/*
 * Interleaved timing: every round runs each contestant once, so that disturbances of the machine
 * affect all of them. Ratios are computed per round. The time is the processor time of this thread:
 * on a shared machine a long run is interrupted more often than a short one, and wall-clock time
 * would count that against it.
 */
#ifndef BENCH_STOPWATCH_H
#define BENCH_STOPWATCH_H

#include <stdbool.h>
#include <stdio.h>

#define ROUNDS_MAX 1000

typedef struct {
  const char *name;
  void (*run)(void *self);
  void *self;
  double calls;           // per run
  const double *seconds;  // time of the last run, measured by itself; NULL: measured here
  double ns[ROUNDS_MAX];  // per call
} contestant;

typedef struct {
  double low, middle, high;  // quartiles
} spread;

typedef struct {
  int rounds;
  FILE *json;  // NULL: no JSON output
  bool wall;   // use wall-clock time, for contestants with several threads or processes
} stopwatch;

/* --rounds N, --json FILE (appended to); exits on any other argument */
stopwatch stopwatch_new(int argc, char **argv);
void stopwatch_close(stopwatch *w);

/* one round to warm up, then the measured rounds */
void stopwatch_run(const stopwatch *w, contestant *c, int count);

spread time_of(const stopwatch *w, const contestant *c);
spread ratio_of(const stopwatch *w, const contestant *ours, const contestant *theirs);

void print_times(const stopwatch *w, const char *title, const contestant *c, int count);

void print_ratio_head(void);

/* target <= 0: no target */
void print_ratio(const stopwatch *w, const char *what, const contestant *ours,
                 const contestant *theirs, double target);

/* flops of one call, relative to what `peak` (1000 flops per call) computes in the same time */
void print_peak_share(const stopwatch *w, const char *what, double flops, const contestant *ours,
                      const contestant *peak);

#endif
