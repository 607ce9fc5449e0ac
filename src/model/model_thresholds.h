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

#define BY_LOOPS "five reference mechanisms: conditions up to 30, residuals up to 1e-15 m"

// clang-format off
#define MODEL_CLOSURE_THRESHOLDS(X) \
  X(real, CLOSURE_TOLERANCE, 1e-12, "of the size", BY_LOOPS, "a pose with a larger gap is not closed") \
  X(real, NEAR_SINGULAR, 1e-3, "of the largest singular value", BY_LOOPS, "closer to a singular pose a sample is left out") \
  X(real, INDEPENDENT, 1e-7, "share", "reason: rounding gives 1e-15, a pose next to a singular one more", "a joint whose movement is that of the others up to this share does not add to the rank") \
  X(real, PATH_STEP, 0.3, "rad, or of the size", "reason: a sixth of the way between the two assemblies of a four-bar", "longest step of a joint along a path") \
  X(real, PATH_CORRECTION, 0.5, "of the longest step", "judgement", "a step that Newton's method corrects by more is halved") \
  X(real, PATH_SHRINK, 1e-4, "of the longest step", "judgement", "a path ends where steps become shorter") \
  X(real, NEWTON_STEP, 0.5, "rad or m", "judgement", "a longer step of Newton's method is cut off") \
  X(count, NEWTON_ROUNDS, 40, "steps", "judgement: five are usual", "limit of Newton's method") \
  X(count, PATH_STEPS, 1000, "steps", "judgement", "limit of a path") \
  X(real, LINEAR_GAP, 1e-11, "of the size", "palletiser: 1e-15; the other mechanisms: 0.01", "a closure whose map by the rates of the reference pose leaves a smaller gap is linear") \
  X(real, LINEAR_ROUNDING, 1e-12, "", "rounding: 1e-15", "a rate that differs from a whole number by less is that number") \
  X(count, LINEAR_TRIALS, 16, "poses", "judgement", "poses at which the map is tried") \
  X(count, INVERSE_ROUNDS, 4, "steps", "the estimate is then within 1 % for the reference mechanisms", "of the smallest singular value")
// clang-format on

#endif
