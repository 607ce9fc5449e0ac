/* Closed loops of the TX40 along the bench's reference, recorded with everything around them. */
#ifndef TEST_LOOPS_H
#define TEST_LOOPS_H

#include <roberval/sys/control.h>
#include <roberval/sys/sim.h>

#include "bench.h"

typedef struct {
  ptrdiff_t count;
  double record_counts, loop_counts;  // encoder of the recorder; one that the controller sees too
  double disturbance, torque_noise;   // share of the deviation of each joint's torque
  double noise_hz;                    // corner of the torque noise; 0: white
  uint64_t seed;
} loop_options;

/* PIDs of the bench for the largest inertias along its reference. */
void loop_tune(rbv_control_joint joint[BENCH_JOINTS], const rbv_model *m, double bandwidth,
               double integral, double roll_off);

/* The loop's record: reference (shifted by less than half a count when there is an encoder),
 * position, torque. rbv_sim_trace_free it. */
void loop_run(rbv_sim_trace *out, const rbv_model *m, const rbv_control *c, const loop_options *o);

/* What the recorder has of it. */
rbv_control_record loop_record(const rbv_sim_trace *t, ptrdiff_t count);

#endif
