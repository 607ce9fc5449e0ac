/* A closed loop as the flat records of a device (src/device/device_types.h). */
#ifndef SIM_FLAT_LOOP_H
#define SIM_FLAT_LOOP_H

#include <roberval/sys/sim.h>

#include "device/device_types.h"
#include "dynamics/axis_chain.h"

/* What the records need to take the parameters of a plant. */
typedef struct {
  const rbv_model *model;
  rbv_sim_options options;
  device_loop loop;  // without ticks, plants and every
  axis_chain chain;  // its joints are in the array below: do not copy the struct
  axis_joint joint[DEVICE_JOINTS];
} flat_loop;

/*
 * Records of a robot under a controller, without plants. RBV_EUNSUPPORTED, with a sentence: a
 * device cannot simulate this one (transfer functions, laws with a state or with the load of the
 * gear, formulas of the robot file, defects that are not in the records, the integrator rk4).
 */
RBV_MUST_CHECK rbv_status rbv_flat_loop(flat_loop *out, const rbv_model *model,
                                        const rbv_control *control, const rbv_sim_options *options);

/*
 * Put a plant into the population: values points at its first parameter, the next one is `stride`
 * further. Call it for all plants before the loop runs: it also sets the masks of the records.
 */
RBV_MUST_CHECK rbv_status rbv_flat_plant(double *values, int64_t stride, flat_loop *flat,
                                         const rbv_sim_lane *plant);

#endif
