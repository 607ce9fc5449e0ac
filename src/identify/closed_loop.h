/* The closed loop in an identification: simulate, provide the motions, keep the model regular. */
#ifndef IDENTIFY_CLOSED_LOOP_H
#define IDENTIFY_CLOSED_LOOP_H

#include "identify/identify_internal.h"

/* Simulated motions, one per recorded motion; rbv_loop_simulate creates new ones. */
struct identify_loop {
  rbv_sim *sim[2];          // without and with payload, if a motion needs it
  int substeps;             // of the first simulation, per tick
  int refine;               // the present ones, relative to these
  rbv_sim_trace *trace;     // nmotion: memory of the simulated motions
  rbv_motion **simulated;   // nmotion: states of the simulated robot, no torques
  rbv_motion **joined;      // nmotion: with the measured torques, without the transient (didim)
  rbv_motion **measured;    // nmotion: the recorded motion without the transient (iv)
  double *chi;              // parameters that were simulated
  double *regular;          // rotor inertias with a regular mass matrix
  double *scale, *inertia;  // njoint
  bool failed;              // the last simulation failed
  double *good;             // parameters and iteration of the last simulation that succeeded
  int good_step;            // -1: none yet
  bool frozen;              // its motions are kept from now on
};

RBV_MUST_CHECK rbv_status rbv_loop_new(identify_loop **out, const identify_run *r);
void rbv_loop_free(identify_loop *loop, const identify_run *r);

/* Start values: those given, or rotor inertias only. */
void rbv_loop_start(double *chi, const identify_loop *loop, const identify_run *r);

/*
 * Simulate all references with chi at iteration step (from 0). If the mass matrix is not positive
 * definite, rotor inertia is added until it is, for the simulation only.
 */
RBV_MUST_CHECK rbv_status rbv_loop_simulate(identify_loop *loop, const identify_run *r,
                                            const double *chi, int step);

/*
 * After a failed simulation: simulate the last good parameters again, and keep these motions for
 * all later iterations. For instruments this costs efficiency, it adds no bias.
 */
RBV_MUST_CHECK rbv_status rbv_loop_freeze(identify_loop *loop, const identify_run *r);

/*
 * Use twice as many steps per tick in all later simulations, up to 16 times those of the first one.
 *
 * If friction takes away more than its smoothing speed within one step, the speed jumps to and fro
 * about zero, and the simulated motion is no smooth function of the parameters: the instruments
 * change from iteration to iteration, although the parameters almost do not.
 */
RBV_MUST_CHECK rbv_status rbv_loop_refine(identify_loop *loop, const identify_run *r);

#endif
