/* What other modules of the library use of stats, beside its public header. */
#ifndef STATS_STATS_H
#define STATS_STATS_H

#include <roberval/sys/stats.h>

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

/* Standard normal. */
RBV_MUST_CHECK rbv_status rbv_stats_normal_cdf(double *lower, double *upper, double x);
RBV_MUST_CHECK rbv_status rbv_stats_normal_quantile(double *x, double p, rbv_tail tail);

/* Student's t with dof > 0, not necessarily an integer; infinite dof gives the normal distribution.
 * |t| above 1e150 is treated as infinite. */
RBV_MUST_CHECK rbv_status rbv_stats_student_cdf(double *lower, double *upper, double t, double dof);
RBV_MUST_CHECK rbv_status rbv_stats_student_quantile(double *t, double p, rbv_tail tail,
                                                     double dof);

/* Chi-square, dof > 0 and finite. */
RBV_MUST_CHECK rbv_status rbv_stats_chi2_cdf(double *lower, double *upper, double x, double dof);
RBV_MUST_CHECK rbv_status rbv_stats_chi2_quantile(double *x, double p, rbv_tail tail, double dof);

/* Fisher's F with dof1 > 0 (numerator, finite) and dof2 > 0; infinite dof2 gives chi-square /
 * dof1. */
RBV_MUST_CHECK rbv_status rbv_stats_fisher_cdf(double *lower, double *upper, double f, double dof1,
                                               double dof2);
RBV_MUST_CHECK rbv_status rbv_stats_fisher_quantile(double *f, double p, rbv_tail tail, double dof1,
                                                    double dof2);

/*
 * p-value of D if mean and variance were estimated from the same n >= 4 samples (Lilliefors):
 * Dallal and Wilkinson (1986) up to p = 0.1, Stephens' (1974) modified D above. Both formulas were
 * fitted to simulations. The error is about 0.01 for large p, with a step of up to that size at p =
 * 0.1 where the formulas meet, and 10 % of p at p = 0.01. Far below p = 1e-3 only the order of
 * smallness is meaningful, not the exponent.
 */
RBV_MUST_CHECK rbv_status rbv_stats_lilliefors(double *p, double d, ptrdiff_t n);

/* ---- residual statistics of one series ---- */

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
RBV_MUST_CHECK rbv_status rbv_stats_moments(rbv_moments *out, const double *e, ptrdiff_t n);

typedef struct {
  double d;            /* largest distance between the two distribution functions */
  double p_lilliefors; /* P(D > d) for mean and sigma estimated from the sample, as here */
} rbv_normality;

/*
 * Kolmogorov-Smirnov distance between e and the normal distribution with the mean and variance
 * (over n - 1) of e.
 *
 *   work  out  n, e sorted; may be e itself
 *   e     in   n >= 4; RBV_ENUM if constant
 */
RBV_MUST_CHECK rbv_status rbv_stats_normality(rbv_normality *out, double *work, const double *e,
                                              ptrdiff_t n);

/*
 * Histogram: bin k counts edge[k] <= x < edge[k + 1]; the last bin includes its right edge.
 *
 *   count  out  bins                       outside  out  number of values outside, may be NULL
 *   edge   in   bins + 1, increasing       x        in   n >= 0
 */
RBV_MUST_CHECK rbv_status rbv_stats_histogram(ptrdiff_t *count, ptrdiff_t *outside, const double *x,
                                              ptrdiff_t n, const double *edge, int bins);

/* ---- accuracy of an estimate, from a triangle ---- */

/*
 * Sums of squares from the triangle of [W | Y], (n + 1) x (n + 1), leading dimension ld: rss = |Y -
 * W x|^2 of the least-squares solution, yy = |Y|^2. Each may be NULL.
 */
RBV_MUST_CHECK rbv_status rbv_stats_sums(double *rss, double *yy, const double *R, int n, int ld);

/*
 * C = sigma2 inv(R'R), R the triangle of W (Gautier 2011 eq. 14). Use sigma2 = 1 if the rows were
 * divided by a known sigma. RBV_ENUM if R is singular.
 *
 *   C       out  n x n, symmetric
 *   R       in   n x n upper triangle, leading dimension ld; must not be C
 *   sigma2  in   >= 0
 */
RBV_MUST_CHECK rbv_status rbv_stats_covariance(double *C, const double *R, int n, int ld,
                                               double sigma2);

/* se_i = sqrt(C_ii). A negative variance is refused with RBV_ENUM. */
RBV_MUST_CHECK rbv_status rbv_stats_stderr(double *se, const double *C, int n);

/* P_ij = C_ij / sqrt(C_ii C_jj); P may be C. RBV_ENUM if a variance is not positive. */
RBV_MUST_CHECK rbv_status rbv_stats_correlation(double *P, const double *C, int n);

/* ---- samples ---- */

/* sigma of a normal distribution = median absolute deviation times this factor. */
#define RBV_STATS_MAD_TO_SIGMA 1.4826022185056018

/* Huber's k for 95 % efficiency at the normal distribution. */
#define RBV_STATS_HUBER 1.345

/* ---- tests and comparisons ---- */

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
RBV_MUST_CHECK rbv_status rbv_stats_hausman(rbv_hausman *out, const double *x_iv,
                                            const double *C_iv, const double *x_ls,
                                            const double *C_ls, int n, double tol);

#endif
