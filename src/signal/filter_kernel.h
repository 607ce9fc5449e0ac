/*
 * Inner loops of the filters, compiled from one source for several vector widths; each lane is a
 * column. The dispatcher selects the width by processor. Results are equal up to rounding.
 */
#ifndef SIGNAL_FILTER_KERNEL_H
#define SIGNAL_FILTER_KERNEL_H

#include <stdbool.h>

#include "signal/signal.h"

#define SIGNAL_MAX_WIDTH 8
#define SIGNAL_WALKS 16  // models that are filtered together, whatever the width
#define SIGNAL_MAX_WEIGHT (2 * RBV_SOS_MAX)  // real and imaginary part of each stored pole

/*
 * A zero-phase filter in modal form, evaluated at every factor-th sample (see decimate.c). Weights
 * are real and imaginary parts of powers of the poles, interleaved, and padded with zeros to a
 * multiple of eight.
 */
typedef struct {
  int nweight;
  ptrdiff_t factor;
  ptrdiff_t half;       // (factor + 1) / 2: a block is folded at its middle
  const double *power;  // factor x nweight: p^k
  const double *even;   // half x nweight: (p^k + p^(factor-1-k)) / 2, the middle counted once
  const double *odd;    // half x nweight: (p^k - p^(factor-1-k)) / 2
  double step[SIGNAL_MAX_WEIGHT];  // p^factor
  double out[SIGNAL_MAX_WEIGHT];   // weights of the causal states in the output
  double back[SIGNAL_MAX_WEIGHT];  // weights of the anticausal states
  double middle;                   // weight of the sample at the output itself
} rbv_modes;

typedef struct {
  int width;

  /*
   * Apply the sections to n interleaved samples in place, from first to last or (reverse) from last
   * to first. Starts in the steady state for the sample at which it begins.
   */
  void (*pass)(double *lanes, ptrdiff_t n, const rbv_sos *sos, bool reverse);

  /*
   * Interleaved samples: y[k] = sum of b[i] x[k - i], i = 0 ... nb, less sum of a[i] y[k - i],
   * i = 1 ... na. x has nb samples before the first one, y has na.
   */
  void (*transfer)(double *y, const double *b, int nb, const double *a, int na, const double *x,
                   ptrdiff_t n);

  /* copy columns to lanes, lanes[k][l] = x[l][k], and back */
  void (*gather)(double *lanes, const double *const *x, ptrdiff_t n);
  void (*scatter)(double *const *y, const double *lanes, ptrdiff_t n);

  /*
   * Sums over n samples (any n for plain, n = factor for folded) of each lane:
   *   anti    sum p^k x[k]          causal  sum p^(n-1-k) x[k]       nweight x width each
   */
  void (*plain)(double *causal, double *anti, const rbv_modes *m, const double *const *x,
                ptrdiff_t n);
  void (*folded)(double *causal, double *anti, const rbv_modes *m, const double *const *x,
                 double *scratch);

  /*
   * Process complete blocks: advances the states, and stores for each block its anticausal sums and
   * the causal part of the output at its last sample. scratch: 2 * half x width.
   */
  void (*blocks)(double *state, double *anti, double *out, const rbv_modes *m,
                 const double *const *x, ptrdiff_t nblock, double *scratch);

  /*
   * Backward pass: adds to out[b] the contributions of the anticausal state and of the causal state
   * before the first sample, from the last output to the first. ahead: anticausal state after the
   * last output; fading: causal state at the first output that stems from before the first sample.
   */
  void (*backward)(double *out, const double *anti, const rbv_modes *m, double *ahead,
                   double *fading, ptrdiff_t nout);

  /*
   * Kalman filters of integrated random walks with different ratios of the noise variances, on one
   * column x of n samples (see irw.c). From sample `skipped` on:
   *   squares  sum of squared innovations over their variances    SIGNAL_WALKS each
   *   logs     sum of logarithms of these variances
   */
  void (*walks)(double *squares, double *logs, const double *nvr, const double *x, ptrdiff_t n,
                ptrdiff_t skipped, double start_variance);
} rbv_signal_kernel;

extern const rbv_signal_kernel rbv_signal_kernel_w2, rbv_signal_kernel_w4, rbv_signal_kernel_w8;

/* The widest kernel that this processor supports, at most max_width (2, 4 or 8). */
const rbv_signal_kernel *rbv_signal_kernel_best(int max_width);

/* Tests only: limit the width of objects created from now on; 0 removes the limit. */
void rbv_signal_limit_width(int max_width);

#endif
