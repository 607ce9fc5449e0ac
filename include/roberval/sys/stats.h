/*
 * stats: what residuals, a triangle and two estimates tell. Distributions, residual statistics,
 * covariance and intervals, sample quantiles, tests.
 *
 * Matrices are n x n, column-major, without padding unless a leading dimension is given; counts of
 * samples are ptrdiff_t. A NaN among the arguments is refused with RBV_ENUM and its place, and so
 * is an infinity unless the function says what it means. Outputs are not touched when a call fails,
 * apart from work and arrays that are filled in order. An output marked "may be NULL" is left out.
 *
 * Only rbv_stats_hausman allocates, scratch for the call. All functions may run on many threads at
 * once.
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
 * A distribution function gives both tails, each computed for itself, so that a p-value of 1e-30 is
 * as exact as one of 0.3: lower = P(X <= x), upper = P(X > x); each may be NULL. Relative accuracy
 * is about 1e-13, falling to 1e-11 for degrees of freedom in the millions or probabilities near
 * 1e-300. Infinite x gives 0 and 1.
 *
 * A quantile is the x whose lower (or upper) tail holds p, 0 < p < 1, to about 1e-12 relative. Give
 * the small tail when p is close to 1. RBV_ENUM when x is too large for a double.
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

/* Student's t, dof > 0, not necessarily whole; infinite dof is the normal distribution. |t| above
 * 1e150 counts as infinite. */
RBV_API RBV_MUST_CHECK rbv_status rbv_stats_student_cdf(double *lower, double *upper, double t,
                                                        double dof);
RBV_API RBV_MUST_CHECK rbv_status rbv_stats_student_quantile(double *t, double p, rbv_tail tail,
                                                             double dof);

/* Chi-square, dof > 0 and finite. */
RBV_API RBV_MUST_CHECK rbv_status rbv_stats_chi2_cdf(double *lower, double *upper, double x,
                                                     double dof);
RBV_API RBV_MUST_CHECK rbv_status rbv_stats_chi2_quantile(double *x, double p, rbv_tail tail,
                                                          double dof);

/* Fisher's F with dof1 > 0 (numerator, finite) and dof2 > 0; infinite dof2 is chi-square over
 * dof1. */
RBV_API RBV_MUST_CHECK rbv_status rbv_stats_fisher_cdf(double *lower, double *upper, double f,
                                                       double dof1, double dof2);
RBV_API RBV_MUST_CHECK rbv_status rbv_stats_fisher_quantile(double *f, double p, rbv_tail tail,
                                                            double dof1, double dof2);

/*
 * Kolmogorov's D of n samples from a distribution that is fully known, two-sided. Exact for
 * n <= 100 (Durbin's matrix as in Marsaglia, Tsang, Wang 2003); above, the series of Pelz and Good
 * (1976), to 5e-6 absolute and falling with n^-2; an upper tail below about 2e-3 is twice Smirnov's
 * exact one-sided one, to 1e-8 relative (above 20000 samples by its asymptotic form, to 1e-3 at
 * p = 1e-3 and some percent at 1e-17).
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_stats_kolmogorov_cdf(double *lower, double *upper, double d,
                                                           ptrdiff_t n);
RBV_API RBV_MUST_CHECK rbv_status rbv_stats_kolmogorov_quantile(double *d, double p, rbv_tail tail,
                                                                ptrdiff_t n);

/*
 * p-value of D when mean and variance came from the same n >= 4 samples (Lilliefors): Dallal and
 * Wilkinson (1986) up to p = 0.1, Stephens' (1974) modified D above it. Two formulas fitted to
 * simulations: good to about 0.01 in the bulk (at p = 0.1 they meet with a step up to that) and to
 * 10 % of p at p = 0.01; D so large that p is far
 * below 1e-3 gives the right verdict, not the right exponent.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_stats_lilliefors(double *p, double d, ptrdiff_t n);

/*
 * ---- residual statistics of one series ----
 *
 * One joint, in order of time: Durbin-Watson or autocorrelation across the seam of two joints means
 * nothing. White noise that went through the decimation filter has Durbin-Watson near 1.6.
 */

typedef struct {
  ptrdiff_t count;
  double mean;
  double variance; /* about the mean, over count - 1; NaN for one sample */
  double rms;      /* sqrt(sum e^2 / count): the mean is not removed */
  double smallest, largest;
  double skewness; /* m3 / m2^1.5, m_k = central moments over count; NaN when m2 is 0 */
  double kurtosis; /* m4 / m2^2 - 3, 0 for a normal distribution; NaN when m2 is 0 */
} rbv_moments;

/* e in n >= 1 */
RBV_API RBV_MUST_CHECK rbv_status rbv_stats_moments(rbv_moments *out, const double *e, ptrdiff_t n);

/* sum (e_i - e_(i-1))^2 / sum e_i^2 (Jubien 2014 eq. 17), the mean is not removed; n >= 2. RBV_ENUM
 * when e is zero everywhere. */
RBV_API RBV_MUST_CHECK rbv_status rbv_stats_durbin_watson(double *dw, const double *e, ptrdiff_t n);

/*
 * Autocorrelation r_k = c_k / c_0, c_k = sum (e_i - mean)(e_(i+k) - mean) / n.
 *
 *   r      out  lags + 1, r[0] = 1
 *   bound  out  2 / sqrt(n): about 95 % of the |r_k| of white noise are below; may be NULL
 *   e      in   n, more than lags
 *
 * RBV_ENUM when e is constant.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_stats_autocorrelation(double *r, double *bound,
                                                            const double *e, ptrdiff_t n, int lags);

/*
 * Ljung-Box: Q = n (n + 2) sum_(k=1)^lags r_k^2 / (n - k), chi-square with lags - fitted degrees of
 * freedom when e is white.
 *
 *   Q, p    out  statistic and P(chi2 > Q), each may be NULL
 *   r       in   lags + 1, from rbv_stats_autocorrelation
 *   fitted  in   parameters of a noise model fitted to e (order of an AR model), else 0; < lags
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_stats_ljung_box(double *Q, double *p, const double *r,
                                                      int lags, ptrdiff_t n, int fitted);

typedef struct {
  double d;            /* largest distance of the two distribution functions */
  double p_known;      /* P(D > d) as if mean and sigma had been known: too large, as printed by
                          most programs and papers */
  double p_lilliefors; /* mean and sigma taken from the sample, which is the case here: use this */
} rbv_normality;

/*
 * Kolmogorov-Smirnov distance of e from the normal distribution with e's own mean and variance
 * (over n - 1).
 *
 *   work  out  n, e sorted; may be e itself
 *   e     in   n >= 4, RBV_ENUM when constant
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_stats_normality(rbv_normality *out, double *work,
                                                      const double *e, ptrdiff_t n);

typedef struct {
  rbv_moments moments;
  double durbin_watson;
  double bound;       /* 2 sigma bound of r */
  double ljung_box;   /* Q */
  double ljung_box_p; /* its p-value */
  rbv_normality normality;
} rbv_residual_stats;

/*
 * All of the above in one call. What is not defined because the series is constant (a perfect fit)
 * is NaN, with RBV_OK.
 *
 *   r     out  lags + 1, autocorrelation
 *   work  out  n, e sorted; not e itself
 *   e     in   n > lags, n >= 4
 *   lags  in   >= 1, > fitted
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_stats_residual(rbv_residual_stats *out, double *r,
                                                     double *work, const double *e, ptrdiff_t n,
                                                     int lags, int fitted);

/*
 * Counts on given edges: bin k holds edge[k] <= x < edge[k + 1], the last one its right edge too.
 *
 *   count  out  bins                       outside  out  how many fell outside, may be NULL
 *   edge   in   bins + 1, increasing       x        in   n >= 0
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_stats_histogram(ptrdiff_t *count, ptrdiff_t *outside,
                                                      const double *x, ptrdiff_t n,
                                                      const double *edge, int bins);

/* ---- from a triangle: how sure the estimate is ---- */

/*
 * Sums of squares hidden in the triangle of [W | Y], (n + 1) x (n + 1), leading dimension ld:
 * rss = |Y - W x|^2 of the least-squares solution, yy = |Y|^2. Each may be NULL.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_stats_sums(double *rss, double *yy, const double *R, int n,
                                                 int ld);

typedef struct {
  double relative; /* |Y - W x| / |Y|, a fraction, mean not removed; NaN when Y is zero */
  double rms;      /* |Y - W x| / sqrt(rows) */
  double variance; /* sigma^2 = rss / dof */
  double sigma;
  ptrdiff_t dof; /* rows - rank */
} rbv_fit_norms;

/* rss = |Y - W x|^2, yy = |Y|^2, of rows rows with W of this rank; rows > rank >= 0. */
RBV_API RBV_MUST_CHECK rbv_status rbv_stats_fit(rbv_fit_norms *out, double rss, double yy,
                                                ptrdiff_t rows, int rank);

/*
 * C = sigma2 inv(R'R), R the triangle of W (Gautier 2011 eq. 14; sigma2 = 1 when rows were whitened
 * with a known sigma). RBV_ENUM when R is singular.
 *
 *   C       out  n x n, symmetric
 *   R       in   n x n upper triangle, leading dimension ld; not C
 *   sigma2  in   >= 0
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_stats_covariance(double *C, const double *R, int n, int ld,
                                                       double sigma2);

/* se_i = sqrt(C_ii). A negative variance is refused with RBV_ENUM. */
RBV_API RBV_MUST_CHECK rbv_status rbv_stats_stderr(double *se, const double *C, int n);

/* 100 se_i / |x_i| (Gautier 2011 eq. 16, Jubien 2014 eq. 16), in percent; infinite when x_i is 0
 * and se_i is not, 0 when both are 0. */
RBV_API RBV_MUST_CHECK rbv_status rbv_stats_relative(double *percent, const double *se,
                                                     const double *x, int n);

/* P_ij = C_ij / sqrt(C_ii C_jj); P may be C. RBV_ENUM when a variance is not positive. */
RBV_API RBV_MUST_CHECK rbv_status rbv_stats_correlation(double *P, const double *C, int n);

/*
 * x -+ t se with Student's t so that level of the probability is inside.
 *
 *   low, high  out  n, each may be NULL
 *   dof        in   degrees of freedom of the sigma in se; infinite when sigma was known
 *   level      in   in (0, 1), such as 0.95
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_stats_interval(double *low, double *high, const double *x,
                                                     const double *se, int n, double dof,
                                                     double level);

/*
 * How much too small a variance of white-noise theory is when the residual is AR(1) with lag-one
 * correlation rho and the regressor's column has lag-one correlation rho_x (1: a constant column,
 * so a mean; 0: a white column, no inflation):
 *
 *   v = 1 + 2 sum_(k=1)^(n-1) (1 - k / n) (rho rho_x)^k,   (1 + r) / (1 - r) for long series
 *
 *   variance   out  v; the honest standard error is sqrt(v) times the reported one; may be NULL
 *   effective  out  n / v, the number of independent samples; may be NULL
 *   rho        in   in (-1, 1), for instance r[1], or 1 - DW / 2
 *   rho_x      in   in [-1, 1]
 *   n          in   >= 1
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_stats_inflation(double *variance, double *effective,
                                                      double rho, double rho_x, ptrdiff_t n);

/* ---- samples ---- */

/* Median absolute deviation times this estimates the sigma of a normal distribution. */
#define RBV_STATS_MAD_TO_SIGMA 1.4826022185056018

/* Huber's k with 95 % efficiency at the normal distribution. */
#define RBV_STATS_HUBER 1.345

/*
 * Quantiles of a sample by linear interpolation of the order statistics (type 7 of Hyndman and
 * Fan).
 *
 *   q     out  count
 *   work  out  n, x sorted; may be x itself
 *   x     in   n >= 1
 *   p     in   count, each in [0, 1]
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_stats_quantiles(double *q, double *work, const double *x,
                                                      ptrdiff_t n, const double *p, int count);

typedef struct {
  double smallest, lower_quartile, median, upper_quartile, largest;
  double mad; /* median of |x - median| */
} rbv_summary;

/* work out n, left in no particular order; may be x itself */
RBV_API RBV_MUST_CHECK rbv_status rbv_stats_summary(rbv_summary *out, double *work, const double *x,
                                                    ptrdiff_t n);

/*
 * Huber's weights: 1 up to k scale, k scale / |e_i| beyond.
 *
 *   w      out  n; may be e itself
 *   light  out  how many are below 1, may be NULL
 *   scale  in   > 0, sigma of the good residuals, such as RBV_STATS_MAD_TO_SIGMA * mad
 *   k      in   > 0, such as RBV_STATS_HUBER
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_stats_huber(double *w, ptrdiff_t *light, const double *e,
                                                  ptrdiff_t n, double scale, double k);

/* ---- tests and comparisons ---- */

typedef struct {
  double F;
  double p;      /* P(F' > F) when the removed parameters are zero */
  int removed;   /* dof1 = full - reduced */
  ptrdiff_t dof; /* dof2 = rows - full */
} rbv_f_test;

/*
 * Does the reduced model fit worse than chance allows (Jubien 2014 eq. 18)?
 *
 *   F = ((rss_reduced - rss_full) / (full - reduced)) / (rss_full / (rows - full))
 *
 * on the whitened system, of rows rows, with full and reduced parameters, full > reduced >= 0. A
 * rss_reduced that rounding made smaller, by up to 1e-10 of rss_full, counts as equal; a smaller
 * one is refused. With rss_full = 0 < rss_reduced, F is infinite and p is 0; with both 0, RBV_ENUM.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_stats_f_test(rbv_f_test *out, double rss_full,
                                                   double rss_reduced, ptrdiff_t rows, int full,
                                                   int reduced);

typedef struct {
  double statistic; /* d' pinv(C_iv - C_ls) d, d = x_iv - x_ls */
  double p;         /* P(chi2 > statistic); NaN when nothing could be tested (dof = 0) */
  int dof;          /* directions in which C_iv exceeds C_ls: the rank that was used */
  int negative;     /* directions in which it is the other way round: theory says 0 */
  double shift;     /* largest |d_i| / sigma_iv,i, and */
  int worst;        /* the i where it is */
  bool biased;      /* p < 1 % and some |d_i| > max(3 sigma_iv,i, 5 % of |x_iv,i|) */
} rbv_hausman;

/*
 * Durbin-Wu-Hausman: is least squares biased? ls is efficient when the regressor is free of the
 * noise, iv is consistent anyway; then C_iv - C_ls is the covariance of the difference. In finite
 * samples that matrix need not be positive definite. It is scaled by sigma_iv on both sides, its
 * eigenvalues above tol (0: 1e-8) times the largest one in size are used, and the others left out:
 * a pseudo-inverse on the part where the theory holds, with as many degrees of freedom. Directions
 * left out as negative are counted. Use the same sigma^2 in both covariances.
 *
 *   x_iv, x_ls  in  n        C_iv, C_ls  in  n x n, symmetric, C_iv with positive diagonal
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_stats_hausman(rbv_hausman *out, const double *x_iv,
                                                    const double *C_iv, const double *x_ls,
                                                    const double *C_ls, int n, double tol);

/*
 * z_i = (a_i - b_i) / sqrt(se_a,i^2 + se_b,i^2) of two independent estimates; 0 when a_i = b_i and
 * both errors are 0, RBV_ENUM when only the errors are. se_b may be NULL: b is known, a truth.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_stats_compare(double *z, const double *a, const double *se_a,
                                                    const double *b, const double *se_b, int n);

typedef struct {
  double mean;    /* weighted by 1 / se^2 */
  double se;      /* 1 / sqrt(sum 1 / se^2): what the given errors promise */
  double scatter; /* se * sqrt(chi2 / dof): what the values themselves show; NaN for one value */
  double chi2;    /* sum ((x - mean) / se)^2 */
  double p;       /* P(chi2' > chi2) when the errors are right; NaN for one value */
  int dof;        /* n - 1 */
} rbv_weighted_mean;

/* x in n >= 1 estimates of one number, se in n, each > 0 */
RBV_API RBV_MUST_CHECK rbv_status rbv_stats_mean(rbv_weighted_mean *out, const double *x,
                                                 const double *se, int n);

#ifdef __cplusplus
}
#endif
#endif
