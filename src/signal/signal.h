/* What other modules of the library use of signal, beside its public header. */
#ifndef SIGNAL_SIGNAL_H
#define SIGNAL_SIGNAL_H

#include <roberval/sys/signal.h>

/* ---- filters as second-order sections ---- */

/* See <roberval/sys/signal.h>. */
RBV_MUST_CHECK rbv_status rbv_sos_chebyshev1(rbv_sos *sos, int order, double ripple_db,
                                             double cutoff_hz, double rate_hz);

/* ---- zero-phase filtering ---- */

typedef struct rbv_filter_work rbv_filter_work;

/* Work object for signals of up to nsample samples and up to padding samples of padding at each
 * end. */
RBV_MUST_CHECK rbv_status rbv_filter_work_new(rbv_filter_work **out, ptrdiff_t nsample,
                                              ptrdiff_t padding);
void rbv_filter_work_free(rbv_filter_work *w);

/* Padding for a Butterworth filter: 3 / (f_c T_s) samples, rounded down. */
ptrdiff_t rbv_filter_padding(double cutoff_hz, double rate_hz);

/*
 * Filter each column forwards and then backwards. First the signal is extended at both ends by its
 * point reflection about the end sample (odd padding). Each pass starts in the steady state for its
 * first value. Columns are processed in parallel in the lanes of vector registers: many columns in
 * one call take little more time than one.
 *
 *   Y        out  nsample x ncol, leading dimension ldy; may be X
 *   X        in   nsample x ncol, leading dimension ldx
 *   padding  in   samples at each end, less than nsample
 *
 * Allocates nothing.
 */
RBV_MUST_CHECK rbv_status rbv_filter_zero_phase(double *Y, ptrdiff_t ldy, rbv_filter_work *w,
                                                const rbv_sos *sos, const double *X, ptrdiff_t ldx,
                                                ptrdiff_t nsample, int ncol, ptrdiff_t padding);

/* ---- derivatives and edges ---- */

/*
 * Central differences of each column; one-sided first differences at the two ends.
 *
 *   D  out  nsample x ncol, leading dimension ldd; must not be X      nsample >= 2
 *
 * Allocates nothing.
 */
RBV_MUST_CHECK rbv_status rbv_differentiate(double *D, ptrdiff_t ldd, const double *X,
                                            ptrdiff_t ldx, ptrdiff_t nsample, int ncol,
                                            double rate_hz);

/* ---- parallel decimation ---- */

rbv_decimate_options rbv_decimate_defaults(int factor);

/* Number of outputs for nsample samples; 0 if there are too few samples or an option is invalid. */
ptrdiff_t rbv_decimate_count(ptrdiff_t nsample, const rbv_decimate_options *options);

/* Index of the sample at which output k lies. */
ptrdiff_t rbv_decimate_index(ptrdiff_t k, const rbv_decimate_options *options);

typedef struct rbv_decimator rbv_decimator;

/*
 * Create a decimator for recordings of exactly nsample samples in ncol columns. It needs about 8
 * (order + 1) / factor bytes per sample and column, and 16 padding bytes per column.
 */
RBV_MUST_CHECK rbv_status rbv_decimator_new(rbv_decimator **out, ptrdiff_t nsample, int ncol,
                                            const rbv_decimate_options *options);
void rbv_decimator_free(rbv_decimator *d);

/*
 * Decimate a whole block.
 *
 *   Y  out  count x ncol, leading dimension ldy >= count
 *   X  in   nsample x ncol, leading dimension ldx
 *
 * Allocates nothing.
 */
RBV_MUST_CHECK rbv_status rbv_decimate(double *Y, ptrdiff_t ldy, rbv_decimator *d, const double *X,
                                       ptrdiff_t ldx);

/*
 * The same in pieces: add nrow rows of all columns at a time, then finish. A piece that ends right
 * after an output (rbv_decimate_index + 1) avoids a copy. rbv_decimator_finish requires exactly
 * nsample rows and leaves the decimator ready for the next recording. Allocates nothing.
 */
RBV_MUST_CHECK rbv_status rbv_decimator_add(rbv_decimator *d, const double *X, ptrdiff_t ldx,
                                            ptrdiff_t nrow);
RBV_MUST_CHECK rbv_status rbv_decimator_finish(double *Y, ptrdiff_t ldy, rbv_decimator *d);

/*
 * The same with memory that does not grow with nsample. visit receives the outputs while rows are
 * added, and the last ones from rbv_decimator_finish, whose Y is then NULL: count outputs from
 * number `first` on, in order, column-major. visit may overwrite Y. Recordings of up to about 700
 * outputs give the same numbers as rbv_decimator_new; longer ones differ by less than 1e-12 of the
 * largest value.
 */
typedef rbv_status rbv_decimator_visit(void *self, double *Y, ptrdiff_t ldy, ptrdiff_t first,
                                       ptrdiff_t count);
RBV_MUST_CHECK rbv_status rbv_decimator_stream(rbv_decimator **out, ptrdiff_t nsample, int ncol,
                                               const rbv_decimate_options *options,
                                               rbv_decimator_visit *visit, void *self);

/* Number of outputs next to a cut that depend on samples beyond the cut by more than 1e-13; 0 if an
 * option is invalid. */
ptrdiff_t rbv_decimate_halo(const rbv_decimate_options *options);

/* ---- integrated random walk smoother (Brunot 2018 section 4.2) ---- */

/*
 * Model: the slope of the signal is a random walk driven by white noise, and the level is observed
 * in white noise. A Kalman filter and a fixed-interval smoother estimate level and slope in O(n).
 * The only parameter is the noise variance ratio (NVR): variance of the slope noise per sample /
 * variance of the observation noise. It is chosen by maximum likelihood (prediction error
 * decomposition): first on a logarithmic grid, because the likelihood of quantised data has several
 * maxima, then refined in the best cell. Conventions: unit step, P0 = 1e6, the first sample is
 * subtracted, the first two innovations are skipped.
 */
typedef struct {
  double nvr;            /* value that was used */
  double criterion;      /* log(noise variance) + mean log(innovation variance ratio), minimised */
  double noise_variance; /* variance of the observation noise, from the innovations */
  bool at_limit;         /* the maximum of the likelihood lies outside the grid 1e-12 ... 1e6 */
} rbv_irw_info;

typedef struct rbv_irw_work rbv_irw_work;

RBV_MUST_CHECK rbv_status rbv_irw_work_new(rbv_irw_work **out, ptrdiff_t nsample);
void rbv_irw_work_free(rbv_irw_work *w);

/*
 * Smooth one signal.
 *
 *   level  out  nsample; may be x        slope  out  nsample, per second; may be NULL
 *   info   out  may be NULL              nvr    in   0: choose by maximum likelihood
 *
 * Needs 4 samples. Allocates nothing.
 */
RBV_MUST_CHECK rbv_status rbv_irw_smooth(double *level, double *slope, rbv_irw_info *info,
                                         rbv_irw_work *w, const double *x, ptrdiff_t nsample,
                                         double rate_hz, double nvr);

/* ---- smoothing spline (Villagrossi 2014) ---- */

/*
 * Natural cubic spline g with the least integral of g''^2 among those whose residual has the
 * variance of the noise: sum (x - g)^2 = nsample * variance (Reinsch). Variance 0 interpolates. If
 * the variance is larger than the residual of the least-squares line, the result is that line.
 */
typedef struct {
  double lambda;   /* weight of the integral [s^3]; 0: interpolation, inf: straight line */
  double variance; /* mean of (x - g)^2 that was reached */
  bool straight;
  int iterations;
} rbv_spline_info;

typedef struct rbv_spline_work rbv_spline_work;

RBV_MUST_CHECK rbv_status rbv_spline_work_new(rbv_spline_work **out, ptrdiff_t nsample);
void rbv_spline_work_free(rbv_spline_work *w);

/*
 * Smooth one signal.
 *
 *   q, dq, ddq  out  nsample: g and its analytic derivatives at the samples; dq, ddq may be NULL,
 *                    q may be x. ddq is 0 at both ends by construction: remove the ends.
 *   t           in   nsample, strictly increasing, may be irregular [s]
 *
 * Needs 3 samples. O(n), allocates nothing.
 */
RBV_MUST_CHECK rbv_status rbv_spline_smooth(double *q, double *dq, double *ddq,
                                            rbv_spline_info *info, rbv_spline_work *w,
                                            const double *t, const double *x, ptrdiff_t nsample,
                                            double variance);

/*
 * The same with a given corner frequency [Hz] instead of the variance: a frequency f of regular
 * samples is passed with the gain 1 / (1 + (f / corner_hz)^4). For noise that is not white, whose
 * variance above the band of the signal says little about that within it.
 */
RBV_MUST_CHECK rbv_status rbv_spline_low_pass(double *q, double *dq, double *ddq,
                                              rbv_spline_info *info, rbv_spline_work *w,
                                              const double *t, const double *x, ptrdiff_t nsample,
                                              double corner_hz);

/*
 * Variance of white noise on a slow signal, from fourth differences, which are zero for cubics:
 * mean (d4 x)^2 / 70. Needs equidistant samples, at least 5. Quantisation acts as noise if the
 * signal crosses several steps per sample. Allocates nothing.
 */
RBV_MUST_CHECK rbv_status rbv_noise_variance(double *variance, const double *x, ptrdiff_t nsample);

/* ---- periodic signals (Radkhah 2007) ---- */

/*
 * Mean over complete periods, and the variance of the noise, estimated from the differences between
 * periods.
 *
 *   mean      out  period x ncol, leading dimension period; may be NULL
 *   variance  out  ncol, of one sample (divide by the number of periods for the mean); may be NULL;
 *                  needs 2 periods
 *   period    in   samples; samples after the last complete period are not used
 *
 * Allocates nothing.
 */
RBV_MUST_CHECK rbv_status rbv_periodic_average(double *mean, double *variance, const double *X,
                                               ptrdiff_t ldx, ptrdiff_t nsample, int ncol,
                                               ptrdiff_t period);

/*
 * Least-squares fit of harmonics: x(t) = c0 + sum_l a_l cos(l w t) + b_l sin(l w t), w = 2 pi /
 * period. The 2 nharmonic + 1 coefficients of a column are c0, a_1, b_1, a_2, b_2, ...
 */
typedef struct rbv_harmonic_work rbv_harmonic_work;

RBV_MUST_CHECK rbv_status rbv_harmonic_work_new(rbv_harmonic_work **out, int nharmonic, int ncol);
void rbv_harmonic_work_free(rbv_harmonic_work *w);

/*
 * Fit all columns.
 *
 *   coef      out  (2 nharmonic + 1) x ncol, leading dimension 2 nharmonic + 1
 *   variance  out  ncol, residual sum of squares / degrees of freedom; may be NULL
 *   t         in   nsample, may be irregular [s]; must span one period less one mean interval
 *   X         in   nsample x ncol, ncol as in the work object
 *
 * Needs more samples than coefficients. Allocates nothing.
 */
RBV_MUST_CHECK rbv_status rbv_harmonic_fit(double *coef, double *variance, rbv_harmonic_work *w,
                                           const double *t, const double *X, ptrdiff_t ldx,
                                           ptrdiff_t nsample, double period);

/* The series of one column and its analytic derivatives at the times t; dx, ddx may be NULL. */
void rbv_harmonic_eval(double *x, double *dx, double *ddx, const double *coef, int nharmonic,
                       double period, const double *t, ptrdiff_t nsample);

/* ---- time stamps ---- */

typedef struct {
  double period;        /* median interval [s] */
  double jitter;        /* largest |interval - period| / period outside gaps */
  ptrdiff_t ngap;       /* intervals longer than 1.5 periods */
  ptrdiff_t missing;    /* samples that are missing in these gaps */
  double longest;       /* longest interval [s] */
  ptrdiff_t longest_at; /* index of the sample before it */
  bool regular;         /* no gap, jitter below 1 % */
} rbv_stamp_info;

/* Examine time stamps. Refuses stamps that do not increase. Needs 2 stamps. Allocates while it
 * runs. */
RBV_MUST_CHECK rbv_status rbv_stamps_check(rbv_stamp_info *info, const double *t,
                                           ptrdiff_t nsample);

typedef enum {
  RBV_RESAMPLE_CUBIC,    /* for positions: cubic spline, twice differentiable, exact for cubics */
  RBV_RESAMPLE_MONOTONE, /* for torques: monotone cubic (Fritsch and Carlson), no overshoot */
} rbv_resample_kind;

typedef struct rbv_resampler rbv_resampler;

/*
 * Resampling from irregular stamps to the grid t[0], t[0] + 1/rate, ... up to the last stamp.
 * Stamps are copied. Needs 4 samples.
 */
RBV_MUST_CHECK rbv_status rbv_resampler_new(rbv_resampler **out, const double *t, ptrdiff_t nsample,
                                            double rate_hz);
void rbv_resampler_free(rbv_resampler *r);
ptrdiff_t rbv_resampler_count(const rbv_resampler *r);

/*
 * Resample all columns.
 *
 *   Y     out  count x ncol, leading dimension ldy
 *   keep  out  count, may be NULL: false where the grid point lies inside a gap longer than max_gap
 *              seconds, so that the value is only interpolated
 *
 * Allocates nothing.
 */
RBV_MUST_CHECK rbv_status rbv_resample(double *Y, ptrdiff_t ldy, bool *keep, rbv_resampler *r,
                                       const double *X, ptrdiff_t ldx, int ncol,
                                       rbv_resample_kind kind, double max_gap);

/* ---- masks and delays ---- */

typedef struct {
  double delay;       /* [s], positive if b is later than a */
  double correlation; /* at the peak, -1 ... 1 */
  bool at_limit;      /* the peak lies at the largest lag searched: the delay is not reliable */
} rbv_delay_info;

/*
 * Delay between two signals: lag of the largest normalised cross-correlation (means removed, over
 * the overlapping samples), refined by a parabola through the peak and its neighbours. Allocates
 * nothing. Takes nsample * (2 max_lag + 1) operations.
 */
RBV_MUST_CHECK rbv_status rbv_delay_estimate(rbv_delay_info *info, const double *a, const double *b,
                                             ptrdiff_t nsample, ptrdiff_t max_lag, double rate_hz);

/* ---- autoregressive noise ---- */

/*
 * The same by forward least squares: each sample is predicted from earlier samples only. Burg's
 * method also fits the prediction backwards in time; noise that occurs in bursts is not symmetric
 * in time, and Burg's model then leaves a residual that is not white. The poles may lie outside the
 * unit circle: use the model for whitening only.
 *
 *   ar  in/out  a model of rbv_ar_burg; unchanged if the samples are predicted exactly or do not
 *               determine the coefficients
 *
 * Allocates while it runs.
 */
RBV_MUST_CHECK rbv_status rbv_ar_forward(rbv_ar *ar, const double *e, ptrdiff_t nsample,
                                         int min_order, int max_order);

/* ---- spectra and suggested filter settings ---- */

typedef struct rbv_spectrum rbv_spectrum;

/* The segment length is a power of two, 8 to 2^24. */
RBV_MUST_CHECK rbv_status rbv_spectrum_new(rbv_spectrum **out, ptrdiff_t segment);
void rbv_spectrum_free(rbv_spectrum *s);

/*
 * One-sided power spectral density by Welch's method: segments that overlap by half, mean removed,
 * Hann window. psd[k] belongs to the frequency k rate / segment.
 *
 *   psd  out  segment / 2 + 1  [unit^2 / Hz]
 *
 * Needs `segment` samples. Allocates nothing.
 */
RBV_MUST_CHECK rbv_status rbv_spectrum_welch(double *psd, rbv_spectrum *s, const double *x,
                                             ptrdiff_t nsample, double rate_hz);

/* Reaction of a torque to the steps of a position encoder. */
typedef struct {
  double step;         /* of the encoder [rad or m]; 0: positions are not quantised */
  double share;        /* of the fast part of the torque that the steps explain; 0: not computed */
  bool coarse_in_loop; /* the encoder is coarse, and the controller reacts to its steps */
} rbv_feedback;

/*
 * Find out whether a controller reacts to a coarse encoder. The torque then depends on the position
 * error that the velocity of the model also has, and near standstill the robot moves in steps:
 * friction that is estimated from such positions is several sigma off. An encoder is coarse if one
 * count per period of the cut-off is more than 0.5 % of the top speed.
 *
 *   q, torque  in  nsample, as recorded; samples that are not finite: nothing is found
 */
RBV_MUST_CHECK rbv_status rbv_signal_feedback(rbv_feedback *out, const double *q,
                                              const double *torque, ptrdiff_t nsample,
                                              double rate_hz, double cutoff_hz);

typedef struct {
  double cutoff_hz; /* for the band-pass */
  double noise_hz;  /* from here on noise or vibration dominates the acceleration; 0: not found */
} rbv_suggestion;

/*
 * Suggest a cut-off from measured positions: 1.5 times the frequency at which the density of the
 * acceleration has its valley, between 12 and 40 Hz, at least 6 times the frequency that the motion
 * reaches, and at most 0.4 of the rate. The median of the columns that move decides. Parts of a
 * recording give nearly the same answer as all of it. src/signal/signal_thresholds.h has the
 * numbers, docs/theory/cut-off.md what it was compared with.
 *
 * Needs 256 samples. Allocates while it runs.
 */
RBV_MUST_CHECK rbv_status rbv_signal_suggest(rbv_suggestion *out, const double *Q, ptrdiff_t ldq,
                                             ptrdiff_t nsample, int ncol, double rate_hz);

/*
 * The same from samples that are read on demand: read writes samples first to first + count - 1 of
 * all columns, column j at X + j ldx, count at most 98305. `threads` threads may call it at the
 * same time (0: one thread); the result does not depend on their number.
 */
typedef rbv_status rbv_signal_read(void *self, double *X, ptrdiff_t ldx, ptrdiff_t first,
                                   ptrdiff_t count);
RBV_MUST_CHECK rbv_status rbv_signal_suggest_from(rbv_suggestion *out, rbv_signal_read *read,
                                                  void *self, ptrdiff_t nsample, int ncol,
                                                  double rate_hz, int threads);

#endif
