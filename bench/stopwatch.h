/*
 * Interleaved timing: every round runs each contestant once, in turn, so that what disturbs the
 * machine disturbs all of them. A ratio is taken round by round. What counts is the time of this
 * thread on its processor: on a shared machine a long run is sent to wait more often than a short
 * one, and by the clock on the wall that would be to the longer one's disadvantage.
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
  const double *seconds;  // of the last run, by its own clock; NULL: by ours
  double ns[ROUNDS_MAX];  // per call
} contestant;

typedef struct {
  double low, middle, high;  // quartiles
} spread;

typedef struct {
  int rounds;
  FILE *json;  // NULL: none
  bool wall;   // time that passes, for what runs on several threads or waits for others
} stopwatch;

/* --rounds N, --json FILE (appended to); exits on anything else */
stopwatch stopwatch_new(int argc, char **argv);
void stopwatch_close(stopwatch *w);

/* one round to warm up, then the rounds that count */
void stopwatch_run(const stopwatch *w, contestant *c, int count);

spread time_of(const stopwatch *w, const contestant *c);
spread ratio_of(const stopwatch *w, const contestant *ours, const contestant *theirs);

void print_times(const stopwatch *w, const char *title, const contestant *c, int count);

void print_ratio_head(void);

/* target <= 0: none is set */
void print_ratio(const stopwatch *w, const char *what, const contestant *ours,
                 const contestant *theirs, double target);

/* flops of one call of ours as a share of what peak, 1000 flops a call, does in the same time */
void print_peak_share(const stopwatch *w, const char *what, double flops, const contestant *ours,
                      const contestant *peak);

#endif
