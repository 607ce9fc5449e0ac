/* Thresholds of the log module; base/threshold.h explains the rows. */
#ifndef LOG_LOG_THRESHOLDS_H
#define LOG_LOG_THRESHOLDS_H

#include "base/threshold.h"

/* 200 simulated logs without and with corrupt rows, and the recordings, in which no row is corrupt
 */
#define ON_GLITCHES "tests/check/slow_glitch.c and the recordings, which have no corrupt row"
#define ON_SAW_TOOTH "a recording with a coarse encoder in its control loop (not in the data)"
#define ON_HELD "60 held and 200 other logs (tests/log/test_held.c)"
#define JUDGED "judgement; no run that set it is known"

// clang-format off
#define LOG_BAD_ROWS_THRESHOLDS(X) \
  X(count, SAMPLED, 8192, "samples", JUDGED ", for speed", "a column's quantiles are computed from at most so many samples") \
  X(real, USUAL, 0.98, "quantile", "follows from RARE: 2 % of a column may be corrupt", "quantile of the residuals and steps that counts as usual; the span lies between it and its complement") \
  X(real, FAR_BEYOND, 8.0, "usual residuals", "about 12 sigma of white noise; " ON_GLITCHES, "a sample with a smaller residual is not corrupt") \
  X(real, HALF_A_STEP, 0.5, "fast steps", "reason: no joint stops and returns within one sample", "a position with a smaller residual is not corrupt") \
  X(real, SPAN_SHARE, 0.4, "span of the torque", ON_GLITCHES, "a torque with a smaller residual is not corrupt") \
  X(real, OVERSHOOT, 0.5, "change of the torque", JUDGED, "a change that stays, with a smaller overshoot, is a step and not corrupt") \
  X(count, REST_AROUND, 10, "samples", ON_GLITCHES, "neighbours on each side that the torque of another joint is compared with") \
  X(real, REST_TIMES, 4.0, "mean deviations of the neighbours", ON_GLITCHES, "above it the torque of another joint deviates, too, so that the sample is an event") \
  X(real, REST_MARGIN, 0.25, "span of the torque", ON_GLITCHES, "only torques within the span and this margin can be torques at rest") \
  X(real, REST_SPEED, 0.02, "fast steps", "reason: a joint that turns is slower only for a sample or two", "a slower joint rests") \
  X(real, BRIEF_REST, 0.05, "s", "long rests at high rates (recording not known)", "a joint that rests before and after a sample for this time does not move there") \
  X(count, PULSES, 2, "pulses", "recordings of moves (not known which)", "so many longer pulses of the same height make a pulse of one sample usual") \
  X(count, PULSE_REACH, 12, "samples", JUDGED, "longest pulse that is counted") \
  X(count, CHATTER, 4, "samples", "reason: corrupt samples are rarely so close together", "so many large residuals nearby are chatter of friction or drive") \
  X(count, CHATTER_REACH, 25, "samples", JUDGED, "distance in which chatter is counted") \
  X(real, SAW_TOOTH, 0.25, "share of the steps nearby", ON_SAW_TOOTH, "above it the torque is a saw tooth, not corrupt") \
  X(count, START_REACH, 8, "samples", JUDGED, "time in which a joint that stood still begins to move") \
  X(count, STILL_REACH, 40, "samples", JUDGED, "time that a joint stood still before it starts") \
  X(real, START_SPEED, 0.05, "fast steps", JUDGED, "a slower joint has not started") \
  X(real, STILL_SHARE, 0.05, "distance after the start", JUDGED, "a joint that moved more before did not stand still") \
  X(real, COUNTS, 4.0, "encoder counts", "reason: an encoder toggles one count, or two", "a smaller residual is quantisation") \
  X(real, MOST_COUNTS, 0.01, "rad or m", "reason: no encoder has coarser counts", "upper bound of the limit that follows from COUNTS") \
  X(real, LEAST_POSITION, 1e-5, "rad or m", JUDGED, "a position with a smaller residual is not corrupt") \
  X(count, LONGEST_RUN, 20, "samples", "tests/check/slow_glitch.c has runs of up to 20 samples", "longest run of corrupt samples that is found") \
  X(real, RUN_STEPS, 8.0, "fast steps per sample", ON_GLITCHES, "a position that jumps further begins a corrupt run") \
  X(real, RUN_SPANS, 10.0, "spans of the torque", ON_GLITCHES, "a torque that jumps further begins a corrupt run") \
  X(real, RETURNS, 0.3, "jump", JUDGED, "a run ends where the signal returns this close to its start") \
  X(count, PASSES, 5, "passes", JUDGED ", the search ends earlier if nothing more is found", "passes over a column") \
  X(count, LEAST_SAMPLES, 32, "samples", "reason: fewer samples do not show what is usual", "shorter recordings are not searched for corrupt values") \
  X(real, RARE, 0.02, "share of the rows", "reason: a more frequent defect is not an accident of single rows", "above it wrong stamps and zeros are not bad rows") \
  X(count, STUCK_ROWS, 5, "rows", "reason: fewer repeated rows are lost packets, which do no harm", "shortest run of repeated rows that is bad") \
  X(count, SINGLE_ROWS, 5, "rows", JUDGED, "so many corrupt samples are left out without asking") \
  X(real, SINGLE_SHARE, 0.005, "share of the rows", JUDGED, "the same in long recordings") \
  X(count, SINGLE_RUN, 3, "rows", JUDGED, "longest run of them") \
  X(real, MISSING_SHARE, 0.1, "share of the rows", JUDGED, "above it missing values are not dropped") \
  X(count, REACH, 64, "samples", JUDGED, "distance in which good neighbours are searched") \
  X(real, CLOSEST_STAMPS, 0.25, "median step", JUDGED, "two stamps are taken to be at least this far apart") \
  X(real, DIGITS, 1e-9, "span of the column", "reason: digits of printed numbers", "smaller steps are rounding, not the resolution of an encoder") \
  X(real, CATCHES_UP, 0.5, "expected advance", JUDGED, "a position that advances closer to the speed around a run of repeated rows was moving") \
  X(count, CATCH_SIDE, 10, "samples", JUDGED, "samples on each side that give the speed around repeated rows") \
  X(real, RESTING_COUNTS, 10.0, "encoder counts", JUDGED, "a joint's speed is measured over a time in which its fast steps are this many counts") \
  X(size, MOVERS, 64, "joints", "memory", "joints whose rests are known") \
  X(size, PULSES_MOST, 64, "pulses", "memory", "longer pulses whose heights are remembered")

/* held.c */
#define LOG_HELD_THRESHOLDS(X) \
  X(size, GAPS, 32, "rows", "reason: recorders write up to ten rows per value", "longest gap that is told from longer ones") \
  X(size, MOST_CHANNELS, 64, "joints", "memory", "joints that are asked") \
  X(size, READ, 1 << 19, "rows", JUDGED ", for speed", "rows from the start of a recording that are searched") \
  X(real, ROUNDING, 1e-12, "largest value", "reason: digits of printed numbers", "a smaller change is not the step of an encoder") \
  X(real, STEPS, 4.0, "encoder steps", "reason: a slow joint with a coarse encoder changes by one step; " ON_HELD, "gaps between smaller changes are not judged") \
  X(count, CHANGES, 50, "changes", ON_HELD, "with fewer large changes a channel is not judged") \
  X(real, REGULAR, 0.9, "share of the gaps", ON_HELD, "so many gaps are within a row of their median if values are held") \
  X(real, LEAST_FACTOR, 1.5, "rows", ON_HELD, "values that come more often are not held") \
  X(real, SAME_PHASE, 0.98, "share of the rows with a change", ON_HELD, "above it every so many-th row is taken, otherwise the rows with a change")

/* apart from those that test it */
#define ON_READINGS "seven forms of one recording of the LWR4+; other recordings test it"

#define LOG_BLOCKS_THRESHOLDS(X) \
  X(count, CONTENT_KNOTS, 300, "samples", JUDGED ", for speed", "evenly spread samples at which columns are compared") \
  X(count, LEAST_KNOTS, 60, "samples", JUDGED, "fewer samples do not show what a column is") \
  X(real, CONTENT_WINDOW, 0.05, "s", "reason: arms move at a few Hz", "half of the window in which a parabola is fitted at each of these samples") \
  X(real, EVEN_STEPS, 0.9, "share of the steps", "reason: a clock has few gaps; no joint moves so evenly", "a column is a time if so many of its steps are within half of the median") \
  X(real, DERIVED, 0.9, "correlation", ON_READINGS, "a block whose typical column correlates more with speed, acceleration or following error of the positions is no torque") \
  X(real, SAME_SIGNAL, 0.99, "correlation", ON_READINGS, "all columns of two blocks of positions correlate more if one is the reference of the other") \
  X(real, MOVES, 0.1, "largest range of the block", JUDGED, "a column with a smaller range does not take part in correlations")

#define LOG_READINGS_THRESHOLDS(X) \
  X(size, MOST_READINGS, 400, "readings", "time: 4 s", "pairs of positions and torques that are compared") \
  X(real, EXPLAINED, 0.4, "norm of the held-out torque", ON_READINGS, "a block is the torque if the model explains it with a smaller error in parts that were not fitted") \
  X(real, CERTAIN, 1.5, "times the error", ON_READINGS, "a reading is certain if every other one has an error larger by this factor") \
  X(real, UNIT_FACTOR, 3.0, "times", "reason: robot files are wrong by less, ampere and gear ratios by more", "torques are in N m if the robot file predicts them up to this factor") \
  X(real, MOST_TURNS, 12.6, "rad", "reason: two turns; cables and joint limits", "positions of most joints beyond it are no radians") \
  X(real, MOST_TRAVEL, 10.0, "m", JUDGED, "positions of slides beyond it are no metres") \
  X(real, MOST_DEGREES, 1080.0, "deg", JUDGED, "positions beyond it are counts or another unit, not degrees")

/* guess_channels.c */
#define LOG_CHANNELS_THRESHOLDS(X) \
  X(real, FOLLOWS, 0.05, "sum of squares of the positions", "reason: a loop with an error above a fifth of its positions does not follow; torques and duty cycles are further away", "columns named reference, command or target without a quantity are references of the positions if they differ from them by less")
// clang-format on

#endif
