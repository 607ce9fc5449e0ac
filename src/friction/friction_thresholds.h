/* Thresholds of the friction module; base/threshold.h explains the rows. */
#ifndef FRICTION_FRICTION_THRESHOLDS_H
#define FRICTION_FRICTION_THRESHOLDS_H

#include "base/threshold.h"

/* 39 splits of the recordings in halves, thirds and files */
#define ON_SPLITS "39 splits of the recordings (tests/cli/slow_friction.c)"
#define ON_WINDOWS "119 tests on 71 windows of nine robots"
#define ON_TRAINED "45 splits of the recordings (scripts/pipeline-study)"
#define JUDGED "judgement; no run that set it is known"

// clang-format off
/* used in several files of the module */
#define FRICTION_SHARED_THRESHOLDS(X) \
  X(real, DEAD_BAND, 0.05, "share of the top speed", JUDGED, "a slower joint stands still") \
  X(real, FINEST, 1.12, "ratio", JUDGED, "neighbouring values of a shape parameter closer than this are fine enough") \
  X(real, ROUGH, 1.5, "ratio", JUDGED, "a joint whose last shape parameter is known less well gets no further term") \
  X(count, NEAR, 3, "values", JUDGED, "values that are tried on each side of a chosen one, within one step") \
  X(size, CHOSEN_MOST, 300, "terms", "memory", "most terms of a robot")

#define FRICTION_CHOOSE_THRESHOLDS(X) \
  X(real, ERRORS, 2.015, "standard errors", "Student's distribution, 5 % one-sided, 5 degrees of freedom", "a term must predict better by this") \
  X(real, ERRORS_STRICT, 3.365, "standard errors", "Student's distribution, 1 % one-sided, 5 degrees of freedom", "the same if a fold does not show the term") \
  X(count, WORSE_FOLDS, 1, "folds", ON_SPLITS, "folds in which a family of terms may have a larger error") \
  X(count, WORSE_FOLDS_LONE, 0, "folds", ON_SPLITS, "folds in which a term of one joint may have a larger error") \
  X(real, LEAST_SHARE, 0.1, "equal share", ON_SPLITS, "a fold with less of the term's column does not show the term") \
  X(real, LEAST_FALL, 0.02, "share of the squared error", ON_SPLITS, "a term must lower the pooled squared error by this") \
  X(real, LEAST_ROWS, 0.1, "equal share", JUDGED, "a joint with fewer rows in a fold does not move there") \
  X(real, INDEPENDENCE, 0.0005, "1 - R^2", "reason: the root of the speed beside v and sign v has 0.0044 if all speeds are equally frequent, 0.0011 without the slowest tenth", "a term's column that other columns explain better is not added") \
  X(count, TERMS_PER_JOINT, 3, "terms", JUDGED, "most further terms of a joint") \
  X(real, BLOCK_SHORTEST_S, 0.5, "s", "reason: six folds need 3 s of motion", "with shorter blocks nothing is chosen") \
  X(count, PASSES, 8, "passes", JUDGED ", the search ends earlier if nothing changes", "passes over the recordings") \
  X(count, REFINING_PASSES, 2, "passes", JUDGED, "so many of the last passes add no terms") \
  X(real, NEIGHBOUR, 1.05, "ratio", JUDGED, "step of a shape parameter for its derivative") \
  X(real, EXTRAPOLATES, 2, "held-out error / error of the fit", "reason: three quarters of the squared error are due to poorly determined parameters", "above it nothing is chosen")

#define FRICTION_PIPELINES_THRESHOLDS(X) \
  X(real, TIE, 0.02, "share of the error", ON_WINDOWS, "a candidate that predicts better than the plain one by less is not taken") \
  X(real, COST, 0.001, "share of the error", JUDGED, "consistent bodies that predict worse by less cost nothing, and are taken where the robot file has all masses") \
  X(real, WORSE_PART, 0.2, "share of the error", ON_TRAINED, "a candidate that predicts one part worse by more is not taken") \
  X(real, USELESS, 0.3, "error", ON_WINDOWS, "with a larger median error of the parts left out the plain candidate is kept") \
  X(real, USELESS_PART, 0.6, "error", ON_WINDOWS, "the same for the error of one part") \
  X(real, IDLE, 0.15, "median top speed of the joints of its type", ON_WINDOWS, "a slower joint gets none of the three terms") \
  X(real, LEFT_OUT, 1 / 3.0, "share of a recording", ON_WINDOWS, "length of the start and of the end that are left out in turn") \
  X(count, GROUPS_MOST, 6, "groups", JUDGED, "several recordings are left out in at most so many groups")

#define FRICTION_FOLDS_THRESHOLDS(X) \
  X(real, DEPENDENT, 1e-9, "squared, scaled pivot", "rounding of normal equations", "columns with a smaller pivot are dependent")

#define FRICTION_BLOCKS_THRESHOLDS(X) \
  X(count, PIECES, 8, "pieces", JUDGED, "pieces of a block, at least") \
  X(count, PIECES_MOST, 5000, "pieces", "memory", "pieces of one motion; longer motions have longer pieces") \
  X(count, BLOCKS_MOST, 600, "blocks", "memory", "blocks of one motion")

#define FRICTION_CANDIDATES_THRESHOLDS(X) \
  X(count, REVERSALS, 4, "reversals", JUDGED, "a joint with fewer gets no terms") \
  X(real, TWIN, 30, "ratio", "reason: states over lengths that differ by less have nearly the same values in motion", "a joint whose presliding is shorter, relative to that of Fch, gets no Fch") \
  X(real, SLOWEST, 0.1, "median top speed of the joints of its type", JUDGED, "a slower joint gets no terms")
// clang-format on

#endif
