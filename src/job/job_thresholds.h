/* Thresholds of the module job; base/threshold.h explains the rows. */
#ifndef JOB_JOB_THRESHOLDS_H
#define JOB_JOB_THRESHOLDS_H

#include "base/threshold.h"

#define CAREFUL "judgement: a person can step aside and stop the robot"

// clang-format off
#define DESIGN_LIMITS_THRESHOLDS(X) \
  X(real, TURN_SPEED, 1.0, "rad/s", CAREFUL, "limit of the velocity of a revolute joint that has none") \
  X(real, TURN_ACCELERATION, 3.0, "rad/s^2", CAREFUL, "limit of its acceleration") \
  X(real, SLIDE_SPEED, 0.25, "m/s", "ISO 10218-1: reduced speed", "limit of the velocity of a prismatic joint that has none") \
  X(real, SLIDE_ACCELERATION, 0.25, "m/s^2", CAREFUL, "limit of its acceleration") \
  X(real, TOOL_SPEED, 1.0, "m/s", CAREFUL, "limit of the speed of the tool where none is given")
// clang-format on

#endif
