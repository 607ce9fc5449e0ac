/* The TX40 in its closed loop, recorded once: what the Gautier 2011 and Brunot 2018 had on the
 * table. */
#ifndef PAPERS_TX40_LOOP_H
#define PAPERS_TX40_LOOP_H

#include <roberval/sys/equations.h>
#include <roberval/sys/prepare.h>
#include <roberval/sys/sim.h>

#include "papers/papers_internal.h"

#define TX40_JOINTS 6
#define TX40_COLUMNS 86

/* A parameter as a table prints it. */
typedef struct {
  const char *name, *value;
} tx40_printed;

typedef struct {
  double bandwidth, integral, roll_off;  // as in METHODS' modes: times the base bandwidth, k_i, N_f
  double counts;                         // of the encoder per turn; 0: exact
  bool in_loop;                          // the controller sees it too; else the recorder alone
  double loop_noise;                     // on the position that the controller sees [rad]
  double disturbance;                    // unrecorded torque over the deviation of the joint's own
  uint64_t seed;
} tx40_mode;

typedef struct {
  rbv_model *model;  // arctan friction in all that is computed
  double truth[TX40_COLUMNS], inertia[TX40_JOINTS];
  double *q;  // reference
  rbv_sim_reference reference;
  rbv_control *control;
  rbv_sim_trace trace;  // recorded
  rbv_log *log;
} tx40_bench;

/*
 * Simulate a robot that has the printed values, every other parameter zero (but for Ia6, which a
 * robot must have: the built-in's where it is not printed). Free it also after a failure.
 */
RBV_MUST_CHECK rbv_status rbv_tx40_bench_new(tx40_bench *out, const tx40_printed *printed,
                                             int count, const tx40_mode *mode);
void rbv_tx40_bench_free(tx40_bench *bench);

/* The recording with derivatives; cutoff_hz of a band-pass. */
RBV_MUST_CHECK rbv_status rbv_tx40_bench_motion(rbv_motion **out, const tx40_bench *bench,
                                                rbv_differentiation method, double cutoff_hz);

#endif
