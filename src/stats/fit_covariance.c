/* Accuracy of an estimate: sums of squares, covariance, standard errors and confidence intervals
 * from a triangle. */
#include <math.h>

#include <roberval/sys/linalg.h>

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

rbv_status rbv_stats_fit(rbv_fit_norms *out, double rss, double yy, ptrdiff_t rows, int rank) {
  if (!out) return rbv_fail(RBV_EARG, "out is NULL");
  RBV_TRY(rbv_stats_check_number("rss", rss));
  RBV_TRY(rbv_stats_check_number("yy", yy));
  if (!(rss >= 0 && yy >= 0))
    return rbv_fail(RBV_EARG, "sums of squares are negative: rss = %g, yy = %g", rss, yy);
  if (rank < 0 || rows <= rank)
    return rbv_fail(RBV_EDIM, "%td rows, rank %d: need more rows than parameters", rows, rank);
  const ptrdiff_t dof = rows - rank;
  *out = (rbv_fit_norms){
      .relative = yy > 0 ? sqrt(rss / yy) : NAN,
      .rms = sqrt(rss / (double)rows),
      .variance = rss / (double)dof,
      .sigma = sqrt(rss / (double)dof),
      .dof = dof,
  };
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

/* standard errors are finite and not negative */
static rbv_status check_errors(const char *name, const double *se, int n) {
  RBV_TRY(rbv_stats_check(name, se, n, 1));
  for (int i = 0; i < n; i++)
    if (!(se[i] >= 0)) return rbv_fail(RBV_EARG, "%s is negative at %d", name, i);
  return RBV_OK;
}

rbv_status rbv_stats_relative(double *percent, const double *se, const double *x, int n) {
  if (!percent) return rbv_fail(RBV_EARG, "percent is NULL");
  RBV_TRY(check_errors("se", se, n));
  RBV_TRY(rbv_stats_check("x", x, n, 1));
  for (int i = 0; i < n; i++) percent[i] = se[i] == 0 ? 0 : 100 * se[i] / fabs(x[i]);
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

rbv_status rbv_stats_interval(double *low, double *high, const double *x, const double *se, int n,
                              double dof, double level) {
  RBV_TRY(rbv_stats_check("x", x, n, 1));
  RBV_TRY(check_errors("se", se, n));
  if (isnan(level)) return rbv_fail(RBV_ENUM, "level is not a number");
  if (!(level > 0 && level < 1)) return rbv_fail(RBV_EARG, "level = %g is not in (0, 1)", level);
  double t;
  RBV_TRY(rbv_stats_student_quantile(&t, (1 - level) / 2, RBV_TAIL_UPPER, dof));
  for (int i = 0; i < n; i++) {
    const double half = t * se[i], middle = x[i];
    if (low) low[i] = middle - half;
    if (high) high[i] = middle + half;
  }
  return RBV_OK;
}

rbv_status rbv_stats_inflation(double *variance, double *effective, double rho, double rho_x,
                               ptrdiff_t n) {
  RBV_TRY(rbv_stats_check_number("rho", rho));
  RBV_TRY(rbv_stats_check_number("rho_x", rho_x));
  if (!(fabs(rho) < 1)) return rbv_fail(RBV_EARG, "rho = %g is not in (-1, 1)", rho);
  if (!(fabs(rho_x) <= 1)) return rbv_fail(RBV_EARG, "rho_x = %g is not in [-1, 1]", rho_x);
  if (n < 1) return rbv_fail(RBV_EDIM, "n = %td: no samples", n);
  // the sum itself, not its closed form, which has cancellation for r near 1
  const double r = rho * rho_x;
  double v = 1, power = r;
  for (ptrdiff_t k = 1; k < n && fabs(power) > 1e-18; k++, power *= r)
    v += 2 * (1 - (double)k / (double)n) * power;
  if (variance) *variance = v;
  if (effective) *effective = (double)n / v;
  return RBV_OK;
}
