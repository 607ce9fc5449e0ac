/* Closed-loop simulations of the TX40 along the reference of bench.h, with all recorded signals. */
#ifndef TEST_LOOPS_H
#define TEST_LOOPS_H

#include <roberval/sys/control.h>
#include <roberval/sys/sim.h>

#include "bench.h"

typedef struct {
  ptrdiff_t count;
  double record_counts, loop_counts;  // encoder in the recording only; encoder in the loop
  double disturbance, torque_noise;   // relative to the deviation of each joint's torque
  double noise_hz;                    // corner frequency of the torque noise; 0: white
  uint64_t seed;
} loop_options;

/* PID controllers for the largest inertias along the reference of bench.h. */
void loop_tune(rbv_control_joint joint[BENCH_JOINTS], const rbv_model *m, double bandwidth,
               double integral, double roll_off);

/* Simulate: reference (shifted by less than half a count if there is an encoder), position, torque.
 * The caller frees *out with rbv_sim_trace_free. */
void loop_run(rbv_sim_trace *out, const rbv_model *m, const rbv_control *c, const loop_options *o);

/* The recorded part of a simulation. */
rbv_control_record loop_record(const rbv_sim_trace *t, ptrdiff_t count);

#endif
