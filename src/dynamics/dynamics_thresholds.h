/* Thresholds of the module dynamics; base/threshold.h explains the rows. */
#ifndef DYNAMICS_DYNAMICS_THRESHOLDS_H
#define DYNAMICS_DYNAMICS_THRESHOLDS_H

#include "base/threshold.h"

// clang-format off
#define PROJECTION_THRESHOLDS(X) \
  X(size, PROJECTION_SAMPLES, 64, "poses", "reason: a piece of a batch, whose columns of friction need the poses again", "closed poses that are stored") \
  X(size, PROJECTION_NODES, 16, "poses", "judgement", "points of the lattice that are stored") \
  X(step, LATTICE_CELL, 0.25, "rad, or of the size of the mechanism", "reason: one to two steps of a path", "edge of the lattice") \
  X(step, PATH_REGULAR, 1e-7, "of the largest singular value", "reason: rounding gives 1e-16", "a path does not pass poses that are closer to a singular one") \
  X(step, FAR_FROM_SINGULAR, 1e-2, "of the largest singular value", "five reference mechanisms: 0.03 to 1 within their working range", "random poses keep this distance") \
  X(step, POSITION_STEP, 1e-3, "rad, or of the size of the mechanism", "error and rounding of differences of fourth order are then 1e-12", "step of the derivative by position")
// clang-format on

#endif
