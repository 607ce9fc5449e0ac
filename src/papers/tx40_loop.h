/* The TX40 in a closed loop, simulated once: the experiment of Gautier 2011 and Brunot 2018. */
#ifndef PAPERS_TX40_LOOP_H
#define PAPERS_TX40_LOOP_H

#include <roberval/sys/equations.h>
#include <roberval/sys/prepare.h>
#include <roberval/sys/sim.h>

#include "papers/papers_internal.h"

#define TX40_JOINTS 6
#define TX40_COLUMNS 86

/* A parameter as a table prints it, with its relative standard deviation [%]; 0: not printed. */
typedef struct {
  const char *name, *value;
  double percent;
} tx40_printed;

/* Gautier 2011 Table 2, and Brunot 2018 Table 1 by column. */
#define GAUTIER_ROWS 24
#define BRUNOT_ROWS 28
enum { BRUNOT_LS, BRUNOT_IV, BRUNOT_PIV, BRUNOT_PIV_FOUND, BRUNOT_COLUMNS };
extern const tx40_printed rbv_printed_gautier[GAUTIER_ROWS];
tx40_printed rbv_printed_brunot(int row, int column);

typedef struct {
  double bandwidth, integral, roll_off;  // factor of the base bandwidth; see rbv_control_tune
  double counts;                         // of the encoder per turn; 0: exact
  bool in_loop;                          // also for the controller; else for the recording only
  double loop_noise;                     // noise of the position in the controller [rad]
  double disturbance;                    // unrecorded torque over sigma of the joint's torque
  uint64_t seed;
} tx40_mode;

typedef struct {
  rbv_model *model;  // with arctan friction
  double truth[TX40_COLUMNS], inertia[TX40_JOINTS];
  double *q;  // reference
  rbv_sim_reference reference;
  rbv_control *control;
  rbv_sim_trace trace;  // recorded
  rbv_log *log;
} tx40_setup;

/*
 * Simulate a robot with the printed values; other parameters are zero, except Ia6, which a
 * simulation needs: it has the built-in value if it is not printed. Free it also after a failure.
 */
RBV_MUST_CHECK rbv_status rbv_tx40_setup_new(tx40_setup *out, const tx40_printed *printed,
                                             int count, const tx40_mode *mode);
void rbv_tx40_setup_free(tx40_setup *setup);

/* The recording with derivatives; cutoff_hz belongs to the band-pass. */
RBV_MUST_CHECK rbv_status rbv_tx40_setup_motion(rbv_motion **out, const tx40_setup *setup,
                                                rbv_differentiation method, double cutoff_hz);

#endif
