/* Tests that compare two models, two estimates or several estimates. */
#include <math.h>

#include <roberval/sys/linalg.h>

#include "stats/stats_internal.h"

rbv_status rbv_stats_f_test(rbv_f_test *out, double rss_full, double rss_reduced, ptrdiff_t rows,
                            int full, int reduced) {
  if (!out) return rbv_fail(RBV_EARG, "out is NULL");
  RBV_TRY(rbv_stats_check_number("rss_full", rss_full));
  RBV_TRY(rbv_stats_check_number("rss_reduced", rss_reduced));
  if (!(rss_full >= 0 && rss_reduced >= 0))
    return rbv_fail(RBV_EARG, "sums of squares are negative: %g, %g", rss_full, rss_reduced);
  if (reduced < 0 || full <= reduced || rows <= full)
    return rbv_fail(RBV_EDIM,
                    "%td rows, %d parameters, %d after removal: the numbers must decrease", rows,
                    full, reduced);
  if (rss_full == 0 && rss_reduced == 0)
    return rbv_fail(RBV_ENUM, "both models fit perfectly: F is not defined");
  if (rss_reduced < rss_full * (1 - 1e-10))
    return rbv_fail(RBV_EINPUT, "the reduced model fits better: rss %.17g, full model %.17g",
                    rss_reduced, rss_full);

  const int removed = full - reduced;
  const ptrdiff_t dof = rows - full;
  const double F = fmax(0, rss_reduced - rss_full) / removed / (rss_full / (double)dof);
  double p;
  RBV_TRY(rbv_stats_fisher_cdf(NULL, &p, F, removed, (double)dof));
  *out = (rbv_f_test){.F = F, .p = p, .removed = removed, .dof = dof};
  return RBV_OK;
}

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
  rbv_arena measure = {0};
  layout(&s, n, &measure);
  rbv_arena carve = {.base = rbv_alloc(measure.used)};
  if (!carve.base) return RBV_EMEM;
  layout(&s, n, &carve);

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

rbv_status rbv_stats_compare(double *z, const double *a, const double *se_a, const double *b,
                             const double *se_b, int n) {
  if (!z) return rbv_fail(RBV_EARG, "z is NULL");
  RBV_TRY(rbv_stats_check("a", a, n, 1));
  RBV_TRY(rbv_stats_check("b", b, n, 1));
  RBV_TRY(rbv_stats_check("se_a", se_a, n, 1));
  if (se_b) RBV_TRY(rbv_stats_check("se_b", se_b, n, 1));
  for (int i = 0; i < n; i++) {
    const double ea = se_a[i], eb = se_b ? se_b[i] : 0, difference = a[i] - b[i];
    if (ea < 0 || eb < 0) return rbv_fail(RBV_EARG, "standard error %d is negative", i);
    const double both = hypot(ea, eb);
    if (both == 0 && difference != 0)
      return rbv_fail(RBV_ENUM, "values %d differ by %g although both standard errors are zero", i,
                      difference);
    z[i] = both > 0 ? difference / both : 0;
  }
  return RBV_OK;
}

rbv_status rbv_stats_mean(rbv_weighted_mean *out, const double *x, const double *se, int n) {
  if (!out) return rbv_fail(RBV_EARG, "out is NULL");
  RBV_TRY(rbv_stats_check("x", x, n, 1));
  RBV_TRY(rbv_stats_check("se", se, n, 1));
  double smallest = INFINITY;
  for (int i = 0; i < n; i++) {
    if (!(se[i] > 0)) return rbv_fail(RBV_EARG, "se[%d] = %g is not positive", i, se[i]);
    smallest = fmin(smallest, se[i]);
  }

  // weights relative to the largest one, to avoid overflow and underflow
  double weight = 0, sum = 0, chi2 = 0;
  for (int i = 0; i < n; i++) {
    const double w = (smallest / se[i]) * (smallest / se[i]);
    weight += w;
    sum += w * (x[i] - x[0]);
  }
  const double mean = x[0] + sum / weight, error = smallest / sqrt(weight);
  for (int i = 0; i < n; i++) chi2 += (x[i] - mean) / se[i] * ((x[i] - mean) / se[i]);
  if (!isfinite(chi2)) return rbv_fail(RBV_ENUM, "chi-square of the values overflows");

  rbv_weighted_mean m = {.mean = mean, .se = error, .chi2 = chi2, .dof = n - 1};
  m.scatter = n > 1 ? error * sqrt(chi2 / m.dof) : NAN;
  m.p = NAN;
  if (n > 1) RBV_TRY(rbv_stats_chi2_cdf(NULL, &m.p, chi2, m.dof));
  *out = m;
  return RBV_OK;
}
