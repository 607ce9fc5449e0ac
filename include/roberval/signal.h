/*
 * signal: from raw recordings to what identification can use. Filters, decimation, derivatives,
 * smoothing, periodic signals, noise models, spectra.
 *
 * Samples of one signal are contiguous; several signals are columns of a column-major block with a
 * leading dimension. Functions that take a work object, and all that say so, allocate nothing. Work
 * objects belong to one thread at a time; everything else may be shared.
 */
#ifndef ROBERVAL_SIGNAL_H
#define ROBERVAL_SIGNAL_H

#include <stdbool.h>

#include <roberval/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- filters as second-order sections ---- */

#define RBV_SOS_MAX 8

/* Sections in the order of use; each row is b0 b1 b2 1 a1 a2, H = (b0 + b1 z^-1 + ...) / (1 + ...)
 */
typedef struct {
  int nsection;
  double section[RBV_SOS_MAX][6];
} rbv_sos;

/*
 * Low-pass designs by the bilinear transform, with the cut-off prewarped. Any order from 1 to
 * 2 RBV_SOS_MAX; the poles nearest to the unit circle come last, the gain is in the first section.
 *
 *   cutoff_hz  in  Butterworth: gain 1/sqrt(2); Chebyshev: where the gain leaves the ripple; below
 *                  the Nyquist frequency rate_hz / 2
 *   ripple_db  in  Chebyshev: depth of the ripple in the pass band, (0, 20]
 *
 * Allocates nothing.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_sos_butterworth(rbv_sos *sos, int order, double cutoff_hz,
                                                      double rate_hz);
RBV_API RBV_MUST_CHECK rbv_status rbv_sos_chebyshev1(rbv_sos *sos, int order, double ripple_db,
                                                     double cutoff_hz, double rate_hz);

/* |H| of one pass at a frequency; the zero-phase filter has its square. */
RBV_API double rbv_sos_gain(const rbv_sos *sos, double frequency_hz, double rate_hz);

/* ---- zero-phase filtering ---- */

typedef struct rbv_filter_work rbv_filter_work;

/* Room for signals of up to nsample samples, padded by up to padding at each end. */
RBV_API RBV_MUST_CHECK rbv_status rbv_filter_work_new(rbv_filter_work **out, ptrdiff_t nsample,
                                                      ptrdiff_t padding);
RBV_API void rbv_filter_work_free(rbv_filter_work *w);

/* The padding used with a Butterworth filter: 3 / (f_c T_s) samples, rounded down. */
RBV_API ptrdiff_t rbv_filter_padding(double cutoff_hz, double rate_hz);

/*
 * Filter each column forwards, then backwards. The signal is first continued at both ends by its
 * own point reflection (odd padding); each pass starts in the steady state of the value it starts
 * with. Columns are filtered side by side in the lanes of vector registers: many columns in one
 * call cost little more than one.
 *
 *   Y        out  nsample x ncol, leading dimension ldy; may be X
 *   X        in   nsample x ncol, leading dimension ldx
 *   padding  in   samples at each end, below nsample
 *
 * Allocates nothing.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_filter_zero_phase(double *Y, ptrdiff_t ldy,
                                                        rbv_filter_work *w, const rbv_sos *sos,
                                                        const double *X, ptrdiff_t ldx,
                                                        ptrdiff_t nsample, int ncol,
                                                        ptrdiff_t padding);

/* ---- derivatives and edges ---- */

/*
 * Central differences of each column, one-sided first differences at the two ends.
 *
 *   D  out  nsample x ncol, leading dimension ldd; not X       nsample >= 2
 *
 * Allocates nothing.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_differentiate(double *D, ptrdiff_t ldd, const double *X,
                                                    ptrdiff_t ldx, ptrdiff_t nsample, int ncol,
                                                    double rate_hz);

/*
 * Drop the same number of samples at each end: Y gets nsample - 2 edge rows, packed; Y may be X
 * (then with ldy <= ldx). Allocates nothing.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_trim(double *Y, ptrdiff_t ldy, const double *X, ptrdiff_t ldx,
                                           ptrdiff_t nsample, int ncol, ptrdiff_t edge);

/* ---- parallel decimation ---- */

/*
 * A zero-phase Chebyshev I low-pass and every factor-th sample, as for Y and all columns of W and Z
 * (000 section on parallel decimation). Since outputs are wanted at every factor-th sample only,
 * the filter is run in modal form: F(z) F(1/z) has the taps sum_j gamma_j p_j^|m|, so a block of
 * samples between two outputs enters through one sum per pole in either direction and is then
 * forgotten. That costs half of the forward-backward recursion, depends on no neighbouring sample,
 * and lets a recording come in pieces without overlap: the result is the same to rounding.
 */
typedef struct {
  int factor;          /* n_d >= 1 */
  int order;           /* 8 */
  double ripple_db;    /* 0.05 */
  double cutoff_ratio; /* 0.8: cut-off over the new Nyquist frequency f / (2 n_d) */
  ptrdiff_t padding;   /* odd padding at each end; -1: min(24 n_d, nsample - 2) */
  ptrdiff_t first;     /* index of the first output, below n_d; -1: n_d / 2 */
  ptrdiff_t drop;      /* 3: outputs dropped at each end, after filtering */
} rbv_decimate_options;

RBV_API rbv_decimate_options rbv_decimate_defaults(int factor);

/* Outputs that a recording of nsample samples gives; 0 when it is too short or an option is bad. */
RBV_API ptrdiff_t rbv_decimate_count(ptrdiff_t nsample, const rbv_decimate_options *options);

/* Index of the sample that output k stands at. */
RBV_API ptrdiff_t rbv_decimate_index(ptrdiff_t k, const rbv_decimate_options *options);

typedef struct rbv_decimator rbv_decimator;

/*
 * A decimator for recordings of exactly nsample samples in ncol columns. Its memory is about
 * 8 (order + 1) / factor bytes per sample and column, and 16 padding bytes per column.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_decimator_new(rbv_decimator **out, ptrdiff_t nsample,
                                                    int ncol, const rbv_decimate_options *options);
RBV_API void rbv_decimator_free(rbv_decimator *d);

/*
 * Decimate a whole block.
 *
 *   Y  out  count x ncol, leading dimension ldy >= count
 *   X  in   nsample x ncol, leading dimension ldx
 *
 * Allocates nothing.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_decimate(double *Y, ptrdiff_t ldy, rbv_decimator *d,
                                               const double *X, ptrdiff_t ldx);

/*
 * The same in pieces: add nrow rows of all columns, as often as needed, then finish. Pieces whose
 * ends lie right after an output (rbv_decimate_index + 1) avoid a copy. rbv_decimator_finish needs
 * exactly nsample rows and leaves the decimator ready for the next recording, as does reset.
 * Allocates nothing.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_decimator_add(rbv_decimator *d, const double *X,
                                                    ptrdiff_t ldx, ptrdiff_t nrow);
RBV_API RBV_MUST_CHECK rbv_status rbv_decimator_finish(double *Y, ptrdiff_t ldy, rbv_decimator *d);
RBV_API void rbv_decimator_reset(rbv_decimator *d);

#ifdef __cplusplus
}
#endif
#endif
