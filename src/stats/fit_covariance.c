/* Accuracy of an estimate: sums of squares, covariance, standard errors and confidence intervals
 * from a triangle. */
#include <math.h>

#include "linalg/linalg.h"

#include "stats/stats_internal.h"

rbv_status rbv_stats_sums(double *rss, double *yy, const double *R, int n, int ld) {
  if (!R) return rbv_fail(RBV_EARG, "R is NULL");
  if (n < 1 || ld < n + 1)
    return rbv_fail(RBV_EDIM, "triangle of [W | Y] with %d + 1 columns and leading dimension %d", n,
                    ld);
  const double *y = R + (ptrdiff_t)n * ld;
  RBV_TRY(rbv_stats_check("the last column of R", y, (ptrdiff_t)n + 1, 2));
  double sum = 0;
  for (int i = 0; i <= n; i++) sum += y[i] * y[i];
  if (rss) *rss = y[n] * y[n];
  if (yy) *yy = sum;
  return RBV_OK;
}

rbv_status rbv_stats_covariance(double *C, const double *R, int n, int ld, double sigma2) {
  if (!C) return rbv_fail(RBV_EARG, "C is NULL");
  RBV_TRY(rbv_stats_check_number("sigma2", sigma2));
  if (!(sigma2 >= 0)) return rbv_fail(RBV_EARG, "sigma2 = %g is negative", sigma2);
  RBV_TRY(rbv_invert_upper(C, R, n, ld));

  // U U' with U = inv(R), in place. Element (i, j), j >= i, needs columns j ... n - 1 of rows i and
  // j. These still hold U if i and j increase.
  for (ptrdiff_t i = 0; i < n; i++)
    for (ptrdiff_t j = i; j < n; j++) {
      double sum = 0;
      for (ptrdiff_t k = j; k < n; k++) sum += C[i + k * n] * C[j + k * n];
      C[i + j * n] = sigma2 * sum;
    }

  // copy the upper half to the lower one and check the result
  for (ptrdiff_t j = 0; j < n; j++)
    for (ptrdiff_t i = 0; i <= j; i++) {
      if (!isfinite(C[i + j * n]))
        return rbv_fail(RBV_ENUM, "covariance of parameters %td and %td is not finite", i, j);
      C[j + i * n] = C[i + j * n];
    }
  return RBV_OK;
}

static rbv_status check_matrix(const char *name, const double *C, int n) {
  if (n < 1) return rbv_fail(RBV_EDIM, "%s is %d x %d", name, n, n);
  return rbv_stats_check(name, C, (ptrdiff_t)n * n, 1);
}

rbv_status rbv_stats_stderr(double *se, const double *C, int n) {
  if (!se) return rbv_fail(RBV_EARG, "se is NULL");
  RBV_TRY(check_matrix("C", C, n));
  for (ptrdiff_t i = 0; i < n; i++) {
    const double variance = C[i + i * n];
    if (!(variance >= 0)) return rbv_fail(RBV_ENUM, "variance of parameter %td is %g", i, variance);
    se[i] = sqrt(variance);
  }
  return RBV_OK;
}

rbv_status rbv_stats_correlation(double *P, const double *C, int n) {
  if (!P) return rbv_fail(RBV_EARG, "P is NULL");
  RBV_TRY(check_matrix("C", C, n));
  for (ptrdiff_t i = 0; i < n; i++)
    if (!(C[i + i * n] > 0))
      return rbv_fail(RBV_ENUM, "variance of parameter %td is %g: the correlation is not defined",
                      i, C[i + i * n]);

  // off-diagonal elements first: P may be C, and the diagonal of C is the divisor
  for (ptrdiff_t j = 0; j < n; j++)
    for (ptrdiff_t i = 0; i < n; i++)
      if (i != j) P[i + j * n] = C[i + j * n] / sqrt(C[i + i * n]) / sqrt(C[j + j * n]);
  for (ptrdiff_t j = 0; j < n; j++) P[j + j * n] = 1;
  return RBV_OK;
}
