/*
 * stats: statistics of residuals and estimates. Distributions, residual statistics, covariance and
 * confidence intervals, sample quantiles, tests.
 *
 * Matrices are n x n, column-major, with leading dimension n unless another one is given. Counts of
 * samples are ptrdiff_t. A NaN in the arguments is refused with RBV_ENUM, and the message gives its
 * position. An infinity is refused too, unless the function gives it a meaning. If a call fails,
 * outputs are unchanged, except work arrays and arrays that are filled in order. An output marked
 * "may be NULL" can be omitted.
 *
 * Only rbv_stats_hausman allocates memory, for the duration of the call. All functions may be
 * called from several threads at once.
 */
#ifndef ROBERVAL_SYS_STATS_H
#define ROBERVAL_SYS_STATS_H

#include <stdbool.h>

#include <roberval/sys/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * ---- distributions ----
 *
 * A distribution function computes both tails separately, so that a p-value of 1e-30 is as accurate
 * as one of 0.3: lower = P(X <= x), upper = P(X > x); each may be NULL. The relative accuracy is
 * about 1e-13; it decreases to 1e-11 for degrees of freedom in the millions or probabilities near
 * 1e-300. Infinite x gives 0 and 1.
 *
 * A quantile is the x for which the lower (or upper) tail is p, 0 < p < 1, with a relative accuracy
 * of about 1e-12. For p close to 1, pass the other tail with the small probability. RBV_ENUM if x
 * is too large for a double.
 */

typedef enum { RBV_TAIL_LOWER, RBV_TAIL_UPPER } rbv_tail;

/* Regularised incomplete gamma function: lower P(a, x), upper Q(a, x); a > 0, x >= 0. */
RBV_API RBV_MUST_CHECK rbv_status rbv_stats_gamma_inc(double *lower, double *upper, double a,
                                                      double x);

/* Regularised incomplete beta function: lower I_x(a, b), upper 1 - I_x(a, b); a, b > 0, x in
 * [0, 1]. */
RBV_API RBV_MUST_CHECK rbv_status rbv_stats_beta_inc(double *lower, double *upper, double a,
                                                     double b, double x);

/* Standard normal. */
RBV_API RBV_MUST_CHECK rbv_status rbv_stats_normal_cdf(double *lower, double *upper, double x);
RBV_API RBV_MUST_CHECK rbv_status rbv_stats_normal_quantile(double *x, double p, rbv_tail tail);

/* Student's t with dof > 0, not necessarily an integer; infinite dof gives the normal distribution.
 * |t| above 1e150 is treated as infinite. */
RBV_API RBV_MUST_CHECK rbv_status rbv_stats_student_cdf(double *lower, double *upper, double t,
                                                        double dof);
RBV_API RBV_MUST_CHECK rbv_status rbv_stats_student_quantile(double *t, double p, rbv_tail tail,
                                                             double dof);

/* Chi-square, dof > 0 and finite. */
RBV_API RBV_MUST_CHECK rbv_status rbv_stats_chi2_cdf(double *lower, double *upper, double x,
                                                     double dof);
RBV_API RBV_MUST_CHECK rbv_status rbv_stats_chi2_quantile(double *x, double p, rbv_tail tail,
                                                          double dof);

/* Fisher's F with dof1 > 0 (numerator, finite) and dof2 > 0; infinite dof2 gives chi-square /
 * dof1. */
RBV_API RBV_MUST_CHECK rbv_status rbv_stats_fisher_cdf(double *lower, double *upper, double f,
                                                       double dof1, double dof2);
RBV_API RBV_MUST_CHECK rbv_status rbv_stats_fisher_quantile(double *f, double p, rbv_tail tail,
                                                            double dof1, double dof2);

/*
 * Kolmogorov's D of n samples from a fully known distribution, two-sided. Exact for n <= 100
 * (Durbin's matrix as in Marsaglia, Tsang, Wang 2003). For larger n the series of Pelz and Good
 * (1976) with an absolute error below 5e-6, which decreases with n^-2. An upper tail below about
 * 2e-3 is twice Smirnov's exact one-sided tail, with a relative error of 1e-8; above 20000 samples
 * its asymptotic form is used, with a relative error of 1e-3 at p = 1e-3 and some percent at p =
 * 1e-17.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_stats_kolmogorov_cdf(double *lower, double *upper, double d,
                                                           ptrdiff_t n);
RBV_API RBV_MUST_CHECK rbv_status rbv_stats_kolmogorov_quantile(double *d, double p, rbv_tail tail,
                                                                ptrdiff_t n);

/*
 * p-value of D if mean and variance were estimated from the same n >= 4 samples (Lilliefors):
 * Dallal and Wilkinson (1986) up to p = 0.1, Stephens' (1974) modified D above. Both formulas were
 * fitted to simulations. The error is about 0.01 for large p, with a step of up to that size at p =
 * 0.1 where the formulas meet, and 10 % of p at p = 0.01. Far below p = 1e-3 only the order of
 * smallness is meaningful, not the exponent.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_stats_lilliefors(double *p, double d, ptrdiff_t n);

/*
 * ---- residual statistics of one series ----
 *
 * The series is one joint in order of time. Durbin-Watson and autocorrelation are meaningless
 * across the boundary between two joints. White noise after the decimation filter has a
 * Durbin-Watson value near 1.6.
 */

typedef struct {
  ptrdiff_t count;
  double mean;
  double variance; /* about the mean, divided by count - 1; NaN for one sample */
  double rms;      /* sqrt(sum e^2 / count): the mean is not removed */
  double smallest, largest;
  double skewness; /* m3 / m2^1.5, m_k = central moments divided by count; NaN if m2 is 0 */
  double kurtosis; /* m4 / m2^2 - 3, 0 for a normal distribution; NaN if m2 is 0 */
} rbv_moments;

/* e in n >= 1 */
RBV_API RBV_MUST_CHECK rbv_status rbv_stats_moments(rbv_moments *out, const double *e, ptrdiff_t n);

/* sum (e_i - e_(i-1))^2 / sum e_i^2 (Jubien 2014 eq. 17); the mean is not removed; n >= 2. RBV_ENUM
 * if all e are zero. */
RBV_API RBV_MUST_CHECK rbv_status rbv_stats_durbin_watson(double *dw, const double *e, ptrdiff_t n);

/*
 * Autocorrelation r_k = c_k / c_0, c_k = sum (e_i - mean)(e_(i+k) - mean) / n.
 *
 *   r      out  lags + 1, r[0] = 1
 *   bound  out  2 / sqrt(n): for white noise about 95 % of the |r_k| are below it; may be NULL
 *   e      in   n, n > lags
 *
 * RBV_ENUM if e is constant.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_stats_autocorrelation(double *r, double *bound,
                                                            const double *e, ptrdiff_t n, int lags);

/*
 * Ljung-Box: Q = n (n + 2) sum_(k=1)^lags r_k^2 / (n - k). If e is white, Q is chi-square
 * distributed with lags - fitted degrees of freedom.
 *
 *   Q, p    out  statistic and P(chi2 > Q), each may be NULL
 *   r       in   lags + 1, from rbv_stats_autocorrelation
 *   fitted  in   number of parameters of a noise model that was fitted to e (order of an AR model),
 *                0 without such a model; < lags
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_stats_ljung_box(double *Q, double *p, const double *r,
                                                      int lags, ptrdiff_t n, int fitted);

typedef struct {
  double d;            /* largest distance between the two distribution functions */
  double p_known;      /* P(D > d) if mean and sigma were known, as most papers report: too large */
  double p_lilliefors; /* for mean and sigma estimated from the sample, as here: use this one */
} rbv_normality;

/*
 * Kolmogorov-Smirnov distance between e and the normal distribution with the mean and variance
 * (over n - 1) of e.
 *
 *   work  out  n, e sorted; may be e itself
 *   e     in   n >= 4; RBV_ENUM if constant
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_stats_normality(rbv_normality *out, double *work,
                                                      const double *e, ptrdiff_t n);

typedef struct {
  rbv_moments moments;
  double durbin_watson;
  double bound;       /* 2 sigma bound of |r| */
  double ljung_box;   /* Q */
  double ljung_box_p; /* its p-value */
  rbv_normality normality;
} rbv_residual_stats;

/*
 * All statistics above in one call. Values that are not defined because the series is constant (a
 * perfect fit) are NaN, with RBV_OK.
 *
 *   r     out  lags + 1, autocorrelation
 *   work  out  n, e sorted; must not be e itself
 *   e     in   n > lags, n >= 4
 *   lags  in   >= 1, > fitted
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_stats_residual(rbv_residual_stats *out, double *r,
                                                     double *work, const double *e, ptrdiff_t n,
                                                     int lags, int fitted);

/*
 * Histogram: bin k counts edge[k] <= x < edge[k + 1]; the last bin includes its right edge.
 *
 *   count  out  bins                       outside  out  number of values outside, may be NULL
 *   edge   in   bins + 1, increasing       x        in   n >= 0
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_stats_histogram(ptrdiff_t *count, ptrdiff_t *outside,
                                                      const double *x, ptrdiff_t n,
                                                      const double *edge, int bins);

/* ---- accuracy of an estimate, from a triangle ---- */

/*
 * Sums of squares from the triangle of [W | Y], (n + 1) x (n + 1), leading dimension ld: rss = |Y -
 * W x|^2 of the least-squares solution, yy = |Y|^2. Each may be NULL.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_stats_sums(double *rss, double *yy, const double *R, int n,
                                                 int ld);

typedef struct {
  double relative; /* |Y - W x| / |Y|, a fraction, mean not removed; NaN if Y is zero */
  double rms;      /* |Y - W x| / sqrt(rows) */
  double variance; /* sigma^2 = rss / dof */
  double sigma;
  ptrdiff_t dof; /* rows - rank */
} rbv_fit_norms;

/* From rss = |Y - W x|^2 and yy = |Y|^2, for `rows` rows and a W of this rank; rows > rank >= 0. */
RBV_API RBV_MUST_CHECK rbv_status rbv_stats_fit(rbv_fit_norms *out, double rss, double yy,
                                                ptrdiff_t rows, int rank);

/*
 * C = sigma2 inv(R'R), R the triangle of W (Gautier 2011 eq. 14). Use sigma2 = 1 if the rows were
 * divided by a known sigma. RBV_ENUM if R is singular.
 *
 *   C       out  n x n, symmetric
 *   R       in   n x n upper triangle, leading dimension ld; must not be C
 *   sigma2  in   >= 0
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_stats_covariance(double *C, const double *R, int n, int ld,
                                                       double sigma2);

/* se_i = sqrt(C_ii). A negative variance is refused with RBV_ENUM. */
RBV_API RBV_MUST_CHECK rbv_status rbv_stats_stderr(double *se, const double *C, int n);

/* 100 se_i / |x_i| in percent (Gautier 2011 eq. 16, Jubien 2014 eq. 16). Infinite if x_i is 0 and
 * se_i is not; 0 if both are 0. */
RBV_API RBV_MUST_CHECK rbv_status rbv_stats_relative(double *percent, const double *se,
                                                     const double *x, int n);

/* P_ij = C_ij / sqrt(C_ii C_jj); P may be C. RBV_ENUM if a variance is not positive. */
RBV_API RBV_MUST_CHECK rbv_status rbv_stats_correlation(double *P, const double *C, int n);

/*
 * Confidence interval x -+ t se, with Student's t for the probability `level`.
 *
 *   low, high  out  n, each may be NULL
 *   dof        in   degrees of freedom of the sigma in se; infinite if sigma is known
 *   level      in   in (0, 1), such as 0.95
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_stats_interval(double *low, double *high, const double *x,
                                                     const double *se, int n, double dof,
                                                     double level);

/*
 * Correction of variances for correlated residuals. The white-noise formula gives a variance that
 * is too small by the factor v if the residual is AR(1) with lag-one correlation rho and the
 * regressor column has lag-one correlation rho_x (1: a constant column, i.e. a mean; 0: a white
 * column, v = 1):
 *
 *   v = 1 + 2 sum_(k=1)^(n-1) (1 - k / n) (rho rho_x)^k,   (1 + r) / (1 - r) for long series
 *
 *   variance   out  v: multiply the standard error by sqrt(v); may be NULL
 *   effective  out  n / v, the number of independent samples; may be NULL
 *   rho        in   in (-1, 1), for instance r[1], or 1 - DW / 2
 *   rho_x      in   in [-1, 1]
 *   n          in   >= 1
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_stats_inflation(double *variance, double *effective,
                                                      double rho, double rho_x, ptrdiff_t n);

/* ---- samples ---- */

/* sigma of a normal distribution = median absolute deviation times this factor. */
#define RBV_STATS_MAD_TO_SIGMA 1.4826022185056018

/* Huber's k for 95 % efficiency at the normal distribution. */
#define RBV_STATS_HUBER 1.345

/*
 * Quantiles of a sample by linear interpolation of the order statistics (type 7 of Hyndman and
 * Fan).
 *
 *   q     out  count
 *   work  out  n, x in another order; may be x itself
 *   x     in   n >= 1
 *   p     in   count, each in [0, 1]
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_stats_quantiles(double *q, double *work, const double *x,
                                                      ptrdiff_t n, const double *p, int count);

typedef struct {
  double smallest, lower_quartile, median, upper_quartile, largest;
  double mad; /* median of |x - median| */
} rbv_summary;

/* work out n, undefined order on return; may be x itself */
RBV_API RBV_MUST_CHECK rbv_status rbv_stats_summary(rbv_summary *out, double *work, const double *x,
                                                    ptrdiff_t n);

/*
 * Huber's weights: 1 up to k scale, k scale / |e_i| above.
 *
 *   w      out  n; may be e itself
 *   light  out  number of weights below 1, may be NULL
 *   scale  in   > 0, sigma of the residuals without outliers, e.g. RBV_STATS_MAD_TO_SIGMA * mad
 *   k      in   > 0, such as RBV_STATS_HUBER
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_stats_huber(double *w, ptrdiff_t *light, const double *e,
                                                  ptrdiff_t n, double scale, double k);

/* ---- tests and comparisons ---- */

typedef struct {
  double F;
  double p;      /* P(F' > F) if the removed parameters are zero */
  int removed;   /* dof1 = full - reduced */
  ptrdiff_t dof; /* dof2 = rows - full */
} rbv_f_test;

/*
 * F test: does the reduced model fit significantly worse (Jubien 2014 eq. 18)?
 *
 *   F = ((rss_reduced - rss_full) / (full - reduced)) / (rss_full / (rows - full))
 *
 * on the whitened system, with `rows` rows and with full and reduced parameters, full > reduced >=
 * 0. A rss_reduced that is smaller than rss_full by at most 1e-10 of it (rounding) counts as equal;
 * a smaller one is refused. If rss_full = 0 < rss_reduced, F is infinite and p is 0. RBV_ENUM if
 * both are 0.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_stats_f_test(rbv_f_test *out, double rss_full,
                                                   double rss_reduced, ptrdiff_t rows, int full,
                                                   int reduced);

typedef struct {
  double statistic; /* d' pinv(C_iv - C_ls) d, d = x_iv - x_ls */
  double p;         /* P(chi2 > statistic); NaN if no direction could be tested (dof = 0) */
  int dof;          /* number of directions in which C_iv exceeds C_ls: the rank that was used */
  int negative;     /* number of directions in which C_ls exceeds C_iv: 0 in theory */
  double shift;     /* largest |d_i| / sigma_iv,i */
  int worst;        /* its index i */
  bool biased;      /* p < 1 % and some |d_i| > max(3 sigma_iv,i, 5 % of |x_iv,i|) */
} rbv_hausman;

/*
 * Durbin-Wu-Hausman test: is the least-squares estimate biased? ls is efficient if the regressor is
 * independent of the noise; iv is consistent in any case. Then C_iv - C_ls is the covariance of the
 * difference. With a finite number of samples this matrix may be indefinite. So it is scaled by
 * sigma_iv on both sides, and only eigenvalues above tol (0: 1e-8) times the largest absolute
 * eigenvalue are used: a pseudo-inverse with as many degrees of freedom. Negative directions are
 * counted. Both covariances must be computed with the same sigma^2.
 *
 *   x_iv, x_ls  in  n        C_iv, C_ls  in  n x n, symmetric, C_iv with positive diagonal
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_stats_hausman(rbv_hausman *out, const double *x_iv,
                                                    const double *C_iv, const double *x_ls,
                                                    const double *C_ls, int n, double tol);

/*
 * z_i = (a_i - b_i) / sqrt(se_a,i^2 + se_b,i^2) of two independent estimates. 0 if a_i = b_i and
 * both errors are 0; RBV_ENUM if the values differ and both errors are 0. se_b may be NULL: b is
 * known exactly.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_stats_compare(double *z, const double *a, const double *se_a,
                                                    const double *b, const double *se_b, int n);

typedef struct {
  double mean; /* weighted by 1 / se^2 */
  double se;   /* 1 / sqrt(sum 1 / se^2): error that follows from the given errors */
  double
      scatter; /* se * sqrt(chi2 / dof): error that follows from the scatter; NaN for one value */
  double chi2; /* sum ((x - mean) / se)^2 */
  double p;    /* P(chi2' > chi2) if the given errors are correct; NaN for one value */
  int dof;     /* n - 1 */
} rbv_weighted_mean;

/* x in n >= 1 estimates of one number, se in n, each > 0 */
RBV_API RBV_MUST_CHECK rbv_status rbv_stats_mean(rbv_weighted_mean *out, const double *x,
                                                 const double *se, int n);

#ifdef __cplusplus
}
#endif
#endif
