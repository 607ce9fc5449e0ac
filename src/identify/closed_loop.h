/* The closed loop inside an identification: simulate, hand the motions over, guard the model. */
#ifndef IDENTIFY_CLOSED_LOOP_H
#define IDENTIFY_CLOSED_LOOP_H

#include "identify/identify_internal.h"

/* Simulated motions of the run, one per recorded motion; made new by each rbv_loop_simulate. */
struct identify_loop {
  rbv_sim *sim[2];          // without and with the payload, as far as motions need them
  rbv_sim_trace *trace;     // nmotion: where simulated motions are
  rbv_motion **simulated;   // nmotion: states of the simulated robot, no torques
  rbv_motion **joined;      // nmotion: with the measured torques, without the transient (didim)
  rbv_motion **measured;    // nmotion: the recorded motion without the transient (iv)
  double *chi;              // that was simulated
  double *regular;          // rotor inertias that make any model regular
  double *scale, *inertia;  // njoint
  bool lost;                // the last simulation did not go through
};

RBV_MUST_CHECK rbv_status rbv_loop_new(identify_loop **out, const identify_run *r);
void rbv_loop_free(identify_loop *loop, const identify_run *r);

/* Parameters to start from: those given, or rotor inertias alone. */
void rbv_loop_start(double *chi, const identify_loop *loop, const identify_run *r);

/*
 * Simulate all references with chi at iteration step (from 0). A model whose mass matrix is not
 * positive definite gets rotor inertia added, in the simulation alone, until it is.
 */
RBV_MUST_CHECK rbv_status rbv_loop_simulate(identify_loop *loop, const identify_run *r,
                                            const double *chi, int step);

#endif
