/* Is a residual white, and what does it mean for the standard deviations when it is not? */
#ifndef IDENTIFY_RESIDUAL_COLOUR_H
#define IDENTIFY_RESIDUAL_COLOUR_H

#include "base/support.h"

#define COLOUR_LAGS 128  // after which the decimation's own correlation is forgotten

/* Correlation of white noise after a decimation by factor (1: none), the same for all its rows. */
typedef struct {
  bool filtered;
  double rho[COLOUR_LAGS + 1];
} colour_white;

RBV_MUST_CHECK rbv_status rbv_colour_white(colour_white *out, int factor);

/* A residual in pieces of equal length, the last may be shorter; within a piece no sample is
 * missing. */
typedef struct {
  const double *residual, *predicted;
  ptrdiff_t count;
  ptrdiff_t piece;
  const colour_white *white;  // of the decimation that both went through
  double unknowns;            // parameters that this row paid for
} colour_series;

typedef struct {
  bool coloured;     // p < 1 %, and some lag correlation is off by more than 0.1
  double p;          // that a residual of white noise through the same decimation is as coloured
  double inflation;  // honest sigma over that of white-noise theory; NaN: too short, or zero
} colour_verdict;

/*
 * A least-squares estimate assumes that rows err independently. Where the errors have the
 * correlation r(k) at lag k and a column has rx(k), its parameter's variance is
 *
 *   v = 1 + 2 sum r(k) rx(k)
 *
 * times that of the theory. The predicted torque stands for the columns. Correlations are those of
 * white noise through the decimation filter (which alone make v = 1.17 for slow columns: the filter
 * takes a sixth of the band) plus what is seen beyond them, up to the lag after which nothing is
 * (Politis and White's rule, a flat-top window).
 */
RBV_MUST_CHECK rbv_status rbv_colour_judge(colour_verdict *out, const colour_series *s);

#endif
