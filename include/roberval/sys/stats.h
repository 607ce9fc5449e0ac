/*
 * stats: statistics of residuals and estimates. Distributions, residual statistics, covariance and
 * sample quantiles, tests.
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

RBV_BEGIN_C

/*
 * ---- residual statistics of one series ----
 *
 * The series is one joint in order of time. Autocorrelation is meaningless
 * across the boundary between two joints.
 */

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

/* ---- samples ---- */

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

/* ---- tests and comparisons ---- */

typedef struct {
  double statistic; /* d' pinv(C_iv - C_ls) d, d = x_iv - x_ls */
  double p;         /* P(chi2 > statistic); NaN if no direction could be tested (dof = 0) */
  int dof;          /* number of directions in which C_iv exceeds C_ls: the rank that was used */
  int negative;     /* number of directions in which C_ls exceeds C_iv: 0 in theory */
  double shift;     /* largest |d_i| / sigma_iv,i */
  int worst;        /* its index i */
  bool biased;      /* p < 1 % and some |d_i| > max(3 sigma_iv,i, 5 % of |x_iv,i|) */
} rbv_hausman;

RBV_END_C
#endif
