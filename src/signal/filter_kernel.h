/*
 * The inner loops of filtering, one source at several vector widths: each lane is a column. The
 * dispatcher asks the processor once; every width gives the same numbers to rounding.
 */
#ifndef SIGNAL_FILTER_KERNEL_H
#define SIGNAL_FILTER_KERNEL_H

#include <stdbool.h>

#include <roberval/sys/signal.h>

#define SIGNAL_MAX_WIDTH 8
#define SIGNAL_MAX_WEIGHT (2 * RBV_SOS_MAX)  // real and imaginary part of each pole kept

/*
 * A zero-phase filter in modal form, for output at every factor-th sample (see decimate.c). Weights
 * are real and imaginary parts of powers of the poles, interleaved, and filled up with zeros to a
 * multiple of eight.
 */
typedef struct {
  int nweight;
  ptrdiff_t factor;
  ptrdiff_t half;       // (factor + 1) / 2: a block is folded about its middle
  const double *power;  // factor x nweight: p^k
  const double *even;   // half x nweight: (p^k + p^(factor-1-k)) / 2, the middle counted once
  const double *odd;    // half x nweight: (p^k - p^(factor-1-k)) / 2
  double step[SIGNAL_MAX_WEIGHT];  // p^factor
  double out[SIGNAL_MAX_WEIGHT];   // weights of the causal states in the output
  double back[SIGNAL_MAX_WEIGHT];  // weights of the anticausal states
  double middle;                   // weight of the sample itself
} rbv_modes;

typedef struct {
  int width;

  /*
   * Run the sections over n interleaved samples in place, from the first to the last or (reverse)
   * from the last to the first, from the steady state that belongs to the sample where it begins.
   */
  void (*pass)(double *lanes, ptrdiff_t n, const rbv_sos *sos, bool reverse);

  /* columns into lanes: lanes[k][l] = x[l][k], and back */
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
   * A run of whole blocks: states advance, each block leaves its anticausal sums and the causal
   * part of the output at its last sample. scratch: 2 * half x width.
   */
  void (*blocks)(double *state, double *anti, double *out, const rbv_modes *m,
                 const double *const *x, ptrdiff_t nblock, double *scratch);

  /*
   * The way back: out[b] += what the anticausal state, and the causal state before the first
   * sample, add; from the last output to the first. ahead is the anticausal state after the last
   * output, fading the causal one at the first output.
   */
  void (*backward)(double *out, const double *anti, const rbv_modes *m, double *ahead,
                   double *fading, ptrdiff_t nout);
} rbv_signal_kernel;

extern const rbv_signal_kernel rbv_signal_kernel_w2, rbv_signal_kernel_w4, rbv_signal_kernel_w8;

/* The widest that this processor runs, at most max_width (2, 4 or 8). */
const rbv_signal_kernel *rbv_signal_kernel_best(int max_width);

/* Tests only: limit the width of what is created from now on; 0 lifts the limit. */
void rbv_signal_limit_width(int max_width);

#endif
