/* Tests that compare two models, two estimates or several estimates. */
#include <math.h>

#include <roberval/sys/linalg.h>

#include "stats/stats_internal.h"

typedef struct {
  double *d;       // difference / sigma_iv            n
  double *D;       // scaled C_iv - C_ls           n x n
  double *values;  // its eigenvalues              n
  double *V;       // its eigenvectors             n x n
} hausman_space;

static void layout(hausman_space *s, int n, rbv_arena *a) {
  const size_t square = (size_t)n * (size_t)n;
  s->d = RBV_TAKE(a, n, double);
  s->D = RBV_TAKE(a, square, double);
  s->values = RBV_TAKE(a, n, double);
  s->V = RBV_TAKE(a, square, double);
}

/* compute statistic, degrees of freedom and number of negative directions from the scaled
 * difference */
static rbv_status hausman_statistic(rbv_hausman *h, const hausman_space *s, int n, double tol) {
  RBV_TRY(rbv_eigen_symmetric(s->values, s->V, s->D, n, n));
  const double largest = fmax(fabs(s->values[0]), fabs(s->values[n - 1]));
  for (ptrdiff_t k = 0; k < n; k++) {
    const double value = s->values[k];
    h->negative += value < -tol * largest;
    if (!(value > tol * largest)) continue;
    double along = 0;
    for (ptrdiff_t i = 0; i < n; i++) along += s->V[i + k * n] * s->d[i];
    h->statistic += along * along / value;
    h->dof++;
  }
  h->p = NAN;
  if (h->dof > 0) RBV_TRY(rbv_stats_chi2_cdf(NULL, &h->p, h->statistic, h->dof));
  return RBV_OK;
}

rbv_status rbv_stats_hausman(rbv_hausman *out, const double *x_iv, const double *C_iv,
                             const double *x_ls, const double *C_ls, int n, double tol) {
  if (!out) return rbv_fail(RBV_EARG, "out is NULL");
  RBV_TRY(rbv_stats_check_number("tol", tol));
  if (!(tol >= 0 && tol < 1)) return rbv_fail(RBV_EARG, "tol = %g is not in [0, 1)", tol);
  RBV_TRY(rbv_stats_check("x_iv", x_iv, n, 1));
  RBV_TRY(rbv_stats_check("x_ls", x_ls, n, 1));
  RBV_TRY(rbv_stats_check("C_iv", C_iv, (ptrdiff_t)n * n, 1));
  RBV_TRY(rbv_stats_check("C_ls", C_ls, (ptrdiff_t)n * n, 1));
  for (ptrdiff_t i = 0; i < n; i++)
    if (!(C_iv[i + i * n] > 0))
      return rbv_fail(RBV_ENUM, "variance of parameter %td is %g in C_iv", i, C_iv[i + i * n]);

  hausman_space s;
  rbv_arena carve = {0};
  RBV_CARVE(&carve, layout(&s, n, &carve));
  if (!carve.base) return RBV_EMEM;

  // scale by sigma_iv, so that the result does not depend on the units of the parameters
  rbv_hausman h = {0};
  bool sizable = false;
  for (ptrdiff_t j = 0; j < n; j++) {
    const double sigma = sqrt(C_iv[j + j * n]), difference = x_iv[j] - x_ls[j];
    s.d[j] = difference / sigma;
    if (fabs(s.d[j]) > h.shift) {
      h.shift = fabs(s.d[j]);
      h.worst = (int)j;
    }
    sizable = sizable || fabs(difference) > fmax(3 * sigma, 0.05 * fabs(x_iv[j]));
    for (ptrdiff_t i = 0; i < n; i++)
      s.D[i + j * n] = (C_iv[i + j * n] - C_ls[i + j * n]) / sigma / sqrt(C_iv[i + i * n]);
  }
  const rbv_status status = hausman_statistic(&h, &s, n, tol > 0 ? tol : 1e-8);
  rbv_free(carve.base);
  if (status != RBV_OK) return status;
  h.biased = h.p < 0.01 && sizable;
  *out = h;
  return RBV_OK;
}
