/* Thresholds of the module model; base/threshold.h explains the rows. */
#ifndef MODEL_MODEL_THRESHOLDS_H
#define MODEL_MODEL_THRESHOLDS_H

#include "base/threshold.h"

#define ON_FILES "20 robot files, of which 10 are sound: their links lie between 56 and 9400 kg/m^3"

// clang-format off
#define MODEL_LINT_THRESHOLDS(X) \
  X(real, LIGHT, 30.0, "kg/m^3", ON_FILES, "a link with a smaller density is too light for its inertia") \
  X(real, DENSE, 30000.0, "kg/m^3", ON_FILES "; the densest metal has 22600", "a link with a larger density is too heavy for its inertia") \
  X(real, NO_MASS, 1e-5, "kg", "reason: placeholders are 1e-6, the lightest finger has 3e-4", "a mass up to it is a placeholder") \
  X(real, SAME_LENGTH, 0.1, "share", "judgement", "two links with the same body may differ in length by this share") \
  X(count, SAME_BODIES, 3, "links", "reason: robots have two equal modules", "so many links of one chain with the same body are copies") \
  X(real, MIRROR_MASS, 0.01, "share", "judgement", "difference of the masses of mirrored links that counts as none") \
  X(real, MIRROR_SHAPE, 0.05, "share", "judgement", "the same for distances of their centres and principal moments") \
  X(real, MIRROR_CENTRE, 0.001, "m", "judgement", "and in metres") \
  X(real, MIRROR_LIMITS, 0.01, "share", "judgement", "and for limits of mirrored joints")
// clang-format on

#endif
