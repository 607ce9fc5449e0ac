/* Constraints on a grid as the flat record of a device (device_repair of device_types.h). */
#ifndef EXCITE_FLAT_CONSTRAINTS_H
#define EXCITE_FLAT_CONSTRAINTS_H

#include "device/device_types.h"
#include "excite/excite_internal.h"

typedef struct {
  device_repair repair;  // without the number of individuals
  double *basis;         // see device_repair_arrays
  double *values;        // the same; NULL: torques are not limited
} flat_constraints;

/*
 * Record of the constraints that a keeper with a centre checks, for trajectories like t.
 *
 * RBV_EUNSUPPORTED, with a sentence: a device cannot repair these motions. They are not linear in
 * their coefficients, there are boxes or more bodies than it has room for, or the torque depends on
 * a load or a state.
 *
 *   step_s  in  largest distance of two samples [s]
 *   waves   in  waves in one period of the fastest motion; samples are closer where they need it
 */
RBV_MUST_CHECK rbv_status rbv_flat_constraints(flat_constraints *out, const keeper *k,
                                               const rbv_trajectory *t, double step_s,
                                               double waves);
void rbv_flat_constraints_free(flat_constraints *f);

#endif
