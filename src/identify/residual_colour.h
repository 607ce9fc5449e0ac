/* Test whether a residual is white, and the effect on the standard deviations if it is not. */
#ifndef IDENTIFY_RESIDUAL_COLOUR_H
#define IDENTIFY_RESIDUAL_COLOUR_H

#include <roberval/sys/signal.h>

#include "base/support.h"

#define COLOUR_LAGS 128  // lags up to which the decimation filter itself correlates the rows

/* Autocorrelation of white noise after a decimation (a factor of 1: none), the same for all rows.
 */
typedef struct {
  bool filtered;
  double rho[COLOUR_LAGS + 1];
} colour_white;

RBV_MUST_CHECK rbv_status rbv_colour_white(colour_white *out,
                                           const rbv_decimate_options *decimation);

/* The same if only every second row is kept. */
colour_white rbv_colour_every_second(const colour_white *white);

/* A residual in pieces of equal length, the last may be shorter; inside a piece no sample is
 * missing. */
typedef struct {
  const double *residual, *predicted;
  ptrdiff_t count;
  ptrdiff_t piece;
  const colour_white *white;  // of the decimation of both signals
  double unknowns;            // estimated parameters, divided among the rows
} colour_series;

typedef struct {
  bool coloured;  // p < 1 %, and a correlation differs by more than 0.1
  double p;       // probability that white noise after the same decimation is at least as coloured
  double inflation;  // realistic sigma / sigma for white noise; NaN: too short, or zero
} colour_result;

/*
 * A least-squares estimate assumes that the errors of the rows are independent. If they have the
 * autocorrelation r(k) at lag k and a column has rx(k), the variance of its parameter is
 *
 *   v = 1 + 2 sum r(k) rx(k)
 *
 * times that of the theory. The predicted torque represents the columns. r(k) is the
 * autocorrelation of white noise after the decimation filter (which alone makes v = 1.17 for slow
 * columns, because the filter removes a sixth of the band) plus the observed deviation from it, up
 * to the lag after which there is none (rule of Politis and White, flat-top window).
 */
RBV_MUST_CHECK rbv_status rbv_colour_test(colour_result *out, const colour_series *s);

#endif
