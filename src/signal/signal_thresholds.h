/* Thresholds of the signal module; base/threshold.h explains the rows. */
#ifndef SIGNAL_SIGNAL_THRESHOLDS_H
#define SIGNAL_SIGNAL_THRESHOLDS_H

#include "base/threshold.h"

#define ON_PARTS "parts of recordings and simulations with vibration (docs/theory/cut-off.md)"
#define JUDGED "judgement; no run that set it is known"

// clang-format off
/* cutoff_suggest.c */
#define SIGNAL_CUTOFF_THRESHOLDS(X) \
  X(size, MIN_SAMPLES, 256, "samples", JUDGED, "shorter recordings have no suggestion") \
  X(size, MAX_SEGMENT, 65536, "samples", "memory", "longest segment of a spectrum") \
  X(real, SEGMENT_S, 4.0, "s", "reason: a time, not a share of the recording, so that parts of it give the same answer", "longest segment of a spectrum") \
  X(real, ABOVE_FLOOR, 10.0, "noise floor", JUDGED, "a bin above it belongs to the motion") \
  X(count, QUIET_BINS, 3, "bins", JUDGED, "the motion ends where so many bins in a row are below that") \
  X(real, HARDLY_MOVES, 1e-4, "energy of the fastest joint", JUDGED, "a joint with less energy of the velocity is not asked") \
  X(real, MOST_ENERGY, 0.90, "share of the velocity's energy", ON_PARTS, "the valley is searched above the frequency that has it below") \
  X(real, TOP_ENERGY, 0.95, "share of the velocity's energy", ON_PARTS, "the motion reaches the frequency that has it below") \
  X(real, GROUP_OCTAVES, 1.0 / 3, "octaves", "reason: wider than the lines of a periodic motion of 3 s, narrower than a resonance", "bins of which the median is taken") \
  X(count, GROUP_BINS, 3, "bins", "reason: a median needs three", "fewest bins of which the median is taken") \
  X(real, RISE, 5.0, "lowest density", ON_PARTS, "an acceleration whose density rises by more ends the search") \
  X(real, OVER_VALLEY, 1.5, "frequency of the valley", ON_PARTS, "the cut-off is so far above the valley") \
  X(real, OVER_MOTION, 6.0, "frequency of TOP_ENERGY", "reason: products of two velocities have twice their frequency, and the row filter keeps 0.4 of the cut-off", "the cut-off is at least so far above the motion") \
  X(real, LOWEST_HZ, 12.0, "Hz", ON_PARTS "; below it friction at reversals is lost", "lowest cut-off") \
  X(real, HIGHEST_HZ, 40.0, "Hz", "reason: the links of an arm resonate at 10 to 20 Hz", "highest cut-off, unless the motion is faster") \
  X(real, RATE_SHARE, 0.4, "sample rate", "reason: a low-pass needs room below half the rate", "highest cut-off of a slow recording")
// clang-format on

#endif
