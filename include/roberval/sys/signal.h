/*
 * signal: preparation of raw recordings for identification. Filters, decimation, derivatives,
 * smoothing, periodic signals, noise models, spectra.
 *
 * The samples of one signal are contiguous; several signals are the columns of a column-major block
 * with a leading dimension. Functions that take a work object allocate nothing; others that
 * allocate nothing say so. A work object may be used by one thread at a time; everything else may
 * be shared between threads.
 */
#ifndef ROBERVAL_SYS_SIGNAL_H
#define ROBERVAL_SYS_SIGNAL_H

#include <stdbool.h>

#include <roberval/sys/base.h>

RBV_BEGIN_C

/* ---- filters as second-order sections ---- */

#define RBV_SOS_MAX 8

/* Sections in the order in which they are applied. A row is b0 b1 b2 1 a1 a2: H = (b0 + b1 z^-1 +
 * b2 z^-2) / (1 + a1 z^-1 + a2 z^-2) */
typedef struct {
  int nsection;
  double section[RBV_SOS_MAX][6];
} rbv_sos;

/*
 * Low-pass design by the bilinear transform with prewarped cut-off, order 1 to 2 RBV_SOS_MAX. The
 * sections with the poles nearest to the unit circle come last; the gain is in the first section.
 *
 *   cutoff_hz  in  Butterworth: gain 1/sqrt(2); Chebyshev: end of the pass band, where the gain
 *                  leaves the ripple; below the Nyquist frequency rate_hz / 2
 *   ripple_db  in  Chebyshev: ripple in the pass band, (0, 20]
 *
 * Allocates nothing.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_sos_butterworth(rbv_sos *sos, int order, double cutoff_hz,
                                                      double rate_hz);

/* |H| of one pass at a frequency. The zero-phase filter has the square of it. */
RBV_API double rbv_sos_gain(const rbv_sos *sos, double frequency_hz, double rate_hz);

/* ---- parallel decimation ---- */

/*
 * Zero-phase Chebyshev I low-pass, of which every factor-th output is kept. The same decimation is
 * applied to Y and to all columns of W and Z (Gautier 2011, parallel decimation). Because only
 * every factor-th output is needed, the filter is evaluated in modal form: F(z) F(1/z) has the
 * impulse response sum_j gamma_j p_j^|m|. The block of samples between two outputs is reduced to
 * one sum per pole and direction; after that the samples are not needed any more. This takes half
 * the time of the forward-backward recursion, and a recording can be processed in pieces without
 * overlap. The result is equal up to rounding.
 */
typedef struct {
  int factor;          /* n_d >= 1 */
  int order;           /* of the filter; default 8 */
  double ripple_db;    /* default 0.05 */
  double cutoff_ratio; /* cut-off / new Nyquist frequency f / (2 n_d); default 0.8 */
  ptrdiff_t padding;   /* odd padding at each end; -1: min(24 n_d, nsample - 2) */
  ptrdiff_t first;     /* index of the first output, less than n_d; -1: n_d / 2 */
  ptrdiff_t drop;      /* outputs dropped at each end after filtering; default 3 */
} rbv_decimate_options;

/* ---- autoregressive noise ---- */

#define RBV_AR_MAX 64

/* e[k] + a[1] e[k-1] + ... + a[order] e[k-order] = white noise of this variance; a[0] = 1 */
typedef struct {
  int order;
  double a[RBV_AR_MAX + 1];
  double variance;
  double aic; /* nsample log(variance) + 2 order */
} rbv_ar;

typedef struct rbv_ar_work rbv_ar_work;

RBV_API RBV_MUST_CHECK rbv_status rbv_ar_work_new(rbv_ar_work **out, ptrdiff_t nsample);
RBV_API void rbv_ar_work_free(rbv_ar_work *w);

/*
 * AR model by Burg's recursion, after removal of the mean. The order is the one with the least AIC
 * in min_order ... max_order. Needs more than 2 max_order samples. Allocates nothing.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_ar_burg(rbv_ar *ar, rbv_ar_work *w, const double *e,
                                              ptrdiff_t nsample, int min_order, int max_order);

/*
 * Inverse of the noise model on every column: Y = A(z) X / sqrt(variance). Samples before the first
 * are taken as zero, so the first `order` rows are a transient that the caller should remove. Y may
 * be X. Allocates nothing.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_ar_whiten(double *Y, ptrdiff_t ldy, const rbv_ar *ar,
                                                const double *X, ptrdiff_t ldx, ptrdiff_t nsample,
                                                int ncol);

RBV_END_C
#endif
