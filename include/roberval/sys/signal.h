/*
 * signal: from raw recordings to what identification can use. Filters, decimation, derivatives,
 * smoothing, periodic signals, noise models, spectra.
 *
 * Samples of one signal are contiguous; several signals are columns of a column-major block with a
 * leading dimension. Functions that take a work object, and all that say so, allocate nothing. Work
 * objects belong to one thread at a time; everything else may be shared.
 */
#ifndef ROBERVAL_SYS_SIGNAL_H
#define ROBERVAL_SYS_SIGNAL_H

#include <stdbool.h>

#include <roberval/sys/base.h>

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
 * (Gautier 2011 section on parallel decimation). Since outputs are wanted at every factor-th sample
 * only, the filter is run in modal form: F(z) F(1/z) has the taps sum_j gamma_j p_j^|m|, so a block
 * of samples between two outputs enters through one sum per pole in either direction and is then
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

/*
 * The same with memory that does not grow with nsample: outputs are handed to visit while rows are
 * added (and by rbv_decimator_finish, whose Y is NULL), count of them from output `first` on, in
 * order, column-major; visit may change Y. A recording of up to some 700 outputs gives what the
 * whole decimator gives, a longer one differs by less than 1e-12 of the largest value.
 */
typedef rbv_status rbv_decimator_visit(void *self, double *Y, ptrdiff_t ldy, ptrdiff_t first,
                                       ptrdiff_t count);
RBV_API RBV_MUST_CHECK rbv_status rbv_decimator_stream(rbv_decimator **out, ptrdiff_t nsample,
                                                       int ncol,
                                                       const rbv_decimate_options *options,
                                                       rbv_decimator_visit *visit, void *self);

/* Outputs next to a cut that do not know what lies beyond it, to 1e-13; 0: an option is bad. */
RBV_API ptrdiff_t rbv_decimate_halo(const rbv_decimate_options *options);

/* ---- integrated random walk smoother (Brunot 2018 section 4.2) ---- */

/*
 * The signal is the level of a random walk whose slope is driven by white noise, observed in white
 * noise; a Kalman filter and a fixed-interval smoother give level and slope, with O(n) work and one
 * parameter: the noise variance ratio (NVR) of slope noise to observation noise, per sample. It is
 * found by maximum likelihood (prediction error decomposition), on a logarithmic grid first since
 * the likelihood of quantised data has several maxima, then refined in the best cell.
 * Conventions: unit step, P0 = 1e6, first sample subtracted, first two innovations skipped.
 */
typedef struct {
  double nvr;            /* used */
  double criterion;      /* log(noise variance) + mean log(innovation variance ratio), minimised */
  double noise_variance; /* of the observation, as seen in the innovations */
  bool at_limit;         /* the likelihood wants an NVR beyond the grid 1e-12 ... 1e6 */
} rbv_irw_info;

typedef struct rbv_irw_work rbv_irw_work;

RBV_API RBV_MUST_CHECK rbv_status rbv_irw_work_new(rbv_irw_work **out, ptrdiff_t nsample);
RBV_API void rbv_irw_work_free(rbv_irw_work *w);

/* The likelihood criterion of one NVR > 0. Allocates nothing. */
RBV_API RBV_MUST_CHECK rbv_status rbv_irw_criterion(double *value, const double *x,
                                                    ptrdiff_t nsample, double nvr);

/*
 * Smooth one signal.
 *
 *   level  out  nsample; may be x        slope  out  nsample, per second; may be NULL
 *   info   out  may be NULL              nvr    in   0: by maximum likelihood
 *
 * Needs 4 samples. Allocates nothing.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_irw_smooth(double *level, double *slope, rbv_irw_info *info,
                                                 rbv_irw_work *w, const double *x,
                                                 ptrdiff_t nsample, double rate_hz, double nvr);

/*
 * Applied twice: q and dq from x, ddq as the slope of dq. The second NVR usually runs to its limit,
 * which is plain differencing of a velocity that is smooth already. info: 2 entries or NULL.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_irw_derivatives(double *q, double *dq, double *ddq,
                                                      rbv_irw_info *info, rbv_irw_work *w,
                                                      const double *x, ptrdiff_t nsample,
                                                      double rate_hz);

/* ---- smoothing spline (Villagrossi 2014) ---- */

/*
 * The smoothest natural cubic spline g, least integral of g''^2, whose residual has the variance of
 * the noise: sum (x - g)^2 = nsample * variance (Reinsch). Variance 0 interpolates; a variance that
 * even a straight line does not reach gives that line.
 */
typedef struct {
  double lambda;   /* weight of the integral [s^3]; 0 interpolated, inf straight line */
  double variance; /* reached: mean of (x - g)^2 */
  bool straight;
  int iterations;
} rbv_spline_info;

typedef struct rbv_spline_work rbv_spline_work;

RBV_API RBV_MUST_CHECK rbv_status rbv_spline_work_new(rbv_spline_work **out, ptrdiff_t nsample);
RBV_API void rbv_spline_work_free(rbv_spline_work *w);

/*
 *   q, dq, ddq  out  nsample: g and its analytic derivatives at the samples; dq, ddq may be NULL,
 *                    q may be x. ddq is 0 at both ends by construction: trim.
 *   t           in   nsample, strictly increasing, may be irregular [s]
 *
 * Needs 3 samples. O(n), allocates nothing.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_spline_smooth(double *q, double *dq, double *ddq,
                                                    rbv_spline_info *info, rbv_spline_work *w,
                                                    const double *t, const double *x,
                                                    ptrdiff_t nsample, double variance);

/*
 * Variance of white noise on a slow signal, from fourth differences, which annihilate cubics:
 * mean (d4 x)^2 / 70. Regular samples, at least 5. Quantisation counts as noise once the signal
 * crosses several steps per sample. Allocates nothing.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_noise_variance(double *variance, const double *x,
                                                     ptrdiff_t nsample);

/* ---- periodic signals (Radkhah 2007) ---- */

/*
 * Mean over whole periods, and the variance of the noise seen between them.
 *
 *   mean      out  period x ncol, packed; NULL when not wanted
 *   variance  out  ncol, of one sample (divide by the number of periods for the mean); NULL when
 *                  not wanted; needs 2 periods
 *   period    in   samples; what follows the last whole period is not used
 *
 * Allocates nothing.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_periodic_average(double *mean, double *variance,
                                                       const double *X, ptrdiff_t ldx,
                                                       ptrdiff_t nsample, int ncol,
                                                       ptrdiff_t period);

/*
 * The same variance when the period is no whole number of samples: each sample is compared with the
 * cubic through four samples one period earlier. Needs period + 4 samples. Allocates nothing.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_periodic_noise(double *variance, const double *X,
                                                     ptrdiff_t ldx, ptrdiff_t nsample, int ncol,
                                                     double period_samples);

/*
 * Least squares on harmonics: x(t) = c0 + sum_l a_l cos(l w t) + b_l sin(l w t), w = 2 pi / period.
 * Coefficients of a column: c0, a_1, b_1, a_2, b_2, ...: 2 nharmonic + 1 numbers.
 */
typedef struct rbv_harmonic_work rbv_harmonic_work;

RBV_API RBV_MUST_CHECK rbv_status rbv_harmonic_work_new(rbv_harmonic_work **out, int nharmonic,
                                                        int ncol);
RBV_API void rbv_harmonic_work_free(rbv_harmonic_work *w);

/*
 *   coef      out  (2 nharmonic + 1) x ncol, packed
 *   variance  out  ncol, residual sum of squares over degrees of freedom; may be NULL
 *   t         in   nsample, may be irregular; they must span a period, all but one mean interval
 * [s] X         in   nsample x ncol, ncol as in the work object
 *
 * Needs more samples than coefficients. Allocates nothing.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_harmonic_fit(double *coef, double *variance,
                                                   rbv_harmonic_work *w, const double *t,
                                                   const double *X, ptrdiff_t ldx,
                                                   ptrdiff_t nsample, double period);

/* The series and its analytic derivatives at one column's times; dx, ddx may be NULL. */
RBV_API void rbv_harmonic_eval(double *x, double *dx, double *ddx, const double *coef,
                               int nharmonic, double period, const double *t, ptrdiff_t nsample);

/* ---- time stamps ---- */

typedef struct {
  double period;        /* median interval [s] */
  double jitter;        /* largest |interval - period| / period outside gaps */
  ptrdiff_t ngap;       /* intervals longer than 1.5 periods */
  ptrdiff_t missing;    /* samples that would have filled them */
  double longest;       /* longest interval [s] */
  ptrdiff_t longest_at; /* index of the sample before it */
  bool regular;         /* no gap, jitter below 1 % */
} rbv_stamp_info;

/* Look at time stamps; refuses stamps that do not increase. Needs 2. Allocates while it runs. */
RBV_API RBV_MUST_CHECK rbv_status rbv_stamps_check(rbv_stamp_info *info, const double *t,
                                                   ptrdiff_t nsample);

typedef enum {
  RBV_RESAMPLE_CUBIC,    /* cubic spline, twice differentiable, exact on cubics: positions */
  RBV_RESAMPLE_MONOTONE, /* monotone cubic (Fritsch and Carlson), no overshoot: torques, steps */
} rbv_resample_kind;

typedef struct rbv_resampler rbv_resampler;

/*
 * From stamps to a regular grid t[0], t[0] + 1/rate, ... up to the last stamp. Stamps are copied.
 * At least 4 samples.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_resampler_new(rbv_resampler **out, const double *t,
                                                    ptrdiff_t nsample, double rate_hz);
RBV_API void rbv_resampler_free(rbv_resampler *r);
RBV_API ptrdiff_t rbv_resampler_count(const rbv_resampler *r);

/*
 *   Y     out  count x ncol, leading dimension ldy
 *   keep  out  count: false where the grid point lies inside a gap of more than max_gap seconds and
 *              the value is invented; may be NULL
 *
 * Allocates nothing.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_resample(double *Y, ptrdiff_t ldy, bool *keep,
                                               rbv_resampler *r, const double *X, ptrdiff_t ldx,
                                               int ncol, rbv_resample_kind kind, double max_gap);

/* ---- masks and delays ---- */

/*
 * keep[k] = |dq[k]| >= threshold: at rest the sign of a velocity is noise. Returns how many were
 * masked; NaN is masked.
 */
RBV_API ptrdiff_t rbv_mask_slow(bool *keep, const double *dq, ptrdiff_t nsample, double threshold);

typedef struct {
  double delay;       /* [s], positive when b lags behind a */
  double correlation; /* at the peak, -1 ... 1 */
  bool at_limit;      /* the peak lies at the end of the lags searched: not to be trusted */
} rbv_delay_info;

/*
 * Delay between two signals: lag of the largest normalised cross-correlation (means removed, over
 * the samples that overlap), refined by a parabola through the peak and its neighbours. Allocates
 * nothing; work is nsample * (2 max_lag + 1).
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_delay_estimate(rbv_delay_info *info, const double *a,
                                                     const double *b, ptrdiff_t nsample,
                                                     ptrdiff_t max_lag, double rate_hz);

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
 * AR model by Burg's recursion, the order with the least AIC among min_order ... max_order (equal:
 * that order), after the mean is removed. Needs more than 2 max_order samples. Allocates nothing.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_ar_burg(rbv_ar *ar, rbv_ar_work *w, const double *e,
                                              ptrdiff_t nsample, int min_order, int max_order);

/*
 * The same by least squares on what comes next: Burg's coefficients look both ways, which noise
 * that comes in bursts does not, and what they leave of it is not white. Poles may lie anywhere, so
 * this is for whitening. ar is one of Burg's on entry, and stays it where samples are predicted
 * exactly or do not determine the coefficients.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_ar_forward(rbv_ar *ar, const double *e, ptrdiff_t nsample,
                                                 int min_order, int max_order);

/*
 * The inverse of the noise model on every column: Y = A(z) X / sqrt(variance), samples before the
 * first taken as zero, so the first `order` rows are a transient to be dropped. Y may be X.
 * Allocates nothing.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_ar_whiten(double *Y, ptrdiff_t ldy, const rbv_ar *ar,
                                                const double *X, ptrdiff_t ldx, ptrdiff_t nsample,
                                                int ncol);

/* ---- spectra, and what they suggest ---- */

typedef struct rbv_spectrum rbv_spectrum;

/* Segments of a power of two, 8 to 2^24. */
RBV_API RBV_MUST_CHECK rbv_status rbv_spectrum_new(rbv_spectrum **out, ptrdiff_t segment);
RBV_API void rbv_spectrum_free(rbv_spectrum *s);

/*
 * One-sided power spectral density by Welch: segments overlapping by half, mean removed, Hann
 * window. psd[k] belongs to the frequency k rate / segment.
 *
 *   psd  out  segment / 2 + 1  [unit^2 / Hz]
 *
 * Needs `segment` samples. Allocates nothing.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_spectrum_welch(double *psd, rbv_spectrum *s, const double *x,
                                                     ptrdiff_t nsample, double rate_hz);

/*
 * Fast Fourier transform in place, n a power of two: sum_k (re + i im)[k] exp(-2 pi i j k / n).
 * Allocates nothing.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_fft(double *re, double *im, ptrdiff_t n);

typedef struct {
  double cutoff_hz;   /* for the band-pass: 5 dynamics_hz, at most 0.4 rate */
  int decimation;     /* n_d with 0.8 rate / (2 n_d) >= 2 dynamics_hz; at least 1 */
  double dynamics_hz; /* twice where 99.9 % of the velocity's energy is reached, fastest column */
  double signal_hz;   /* above it no column rises over its noise floor */
  double floor;       /* largest noise floor of a column [unit^2 / Hz] */
  double velocity_noise; /* worst column: noise below the cut-off over signal, in velocity, rms */
  int column;            /* the fastest */
} rbv_suggestion;

/*
 * Cut-off and decimation from measured positions. The noise floor is the median of the spectrum's
 * upper half band; the signal ends at the first frequency after which three neighbours in a row
 * stay below ten times the floor; what lies above the floor up to there, times (2 pi f)^2, is the
 * velocity's energy. A column that does not move is left out. The rules (5 and 2 times the
 * dynamics' frequency) are those of Gautier 2011: 10 Hz at 5 kHz give 50 Hz and n_d = 100; the
 * recording of a TX40 gets 43 Hz and 117. Accelerations would be the better measure if noise did
 * not drown them.
 *
 * Needs 256 samples. Allocates while it runs.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_signal_suggest(rbv_suggestion *out, const double *Q,
                                                     ptrdiff_t ldq, ptrdiff_t nsample, int ncol,
                                                     double rate_hz);

/*
 * The same from samples that are read when they are needed: read writes count samples of all
 * columns from first on, column j at X + j ldx, count at most 98304. Several threads may call it at
 * once (0: one does); what is suggested does not depend on their number.
 */
typedef rbv_status rbv_signal_read(void *self, double *X, ptrdiff_t ldx, ptrdiff_t first,
                                   ptrdiff_t count);
RBV_API RBV_MUST_CHECK rbv_status rbv_signal_suggest_from(rbv_suggestion *out,
                                                          rbv_signal_read *read, void *self,
                                                          ptrdiff_t nsample, int ncol,
                                                          double rate_hz, int threads);

#ifdef __cplusplus
}
#endif
#endif
