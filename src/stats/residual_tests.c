/* Statistics of one residual series in order of time: size, whiteness, normality. */
#include <math.h>
#include <string.h>

#include "stats/stats_internal.h"

static double average(const double *e, ptrdiff_t n) {
  // the second pass removes the rounding error of the first
  double sum = 0, correction = 0;
  for (ptrdiff_t i = 0; i < n; i++) sum += e[i];
  const double mean = sum / (double)n;
  for (ptrdiff_t i = 0; i < n; i++) correction += e[i] - mean;
  return mean + correction / (double)n;
}

rbv_status rbv_stats_moments(rbv_moments *out, const double *e, ptrdiff_t n) {
  if (!out) return rbv_fail(RBV_EARG, "out is NULL");
  RBV_TRY(rbv_stats_check("e", e, n, 1));
  const double N = (double)n, mean = average(e, n);

  // central moments
  double m2 = 0, m3 = 0, m4 = 0, square = 0, smallest = e[0], largest = e[0];
  for (ptrdiff_t i = 0; i < n; i++) {
    const double d = e[i] - mean, d2 = d * d;
    m2 += d2 / N;
    m3 += d2 * d / N;
    m4 += d2 * d2 / N;
    square += e[i] * e[i] / N;
    smallest = fmin(smallest, e[i]);
    largest = fmax(largest, e[i]);
  }
  if (!isfinite(m4) || !isfinite(square))
    return rbv_fail(RBV_ENUM, "moments overflow: the values of e range from %g to %g", smallest,
                    largest);
  const bool flat = largest == smallest;
  *out = (rbv_moments){
      .count = n,
      .mean = mean,
      .variance = n > 1 ? (flat ? 0 : m2 * N / (N - 1)) : NAN,
      .rms = sqrt(square),
      .smallest = smallest,
      .largest = largest,
      .skewness = flat ? NAN : m3 / pow(m2, 1.5),
      .kurtosis = flat ? NAN : m4 / (m2 * m2) - 3,
  };
  return RBV_OK;
}

/* all values are the same, to the last bit */
static bool constant(const double *e, ptrdiff_t n) {
  for (ptrdiff_t i = 1; i < n; i++)
    if (e[i] != e[0]) return false;
  return true;
}

rbv_status rbv_stats_autocorrelation(double *r, double *bound, const double *e, ptrdiff_t n,
                                     int lags) {
  if (!r) return rbv_fail(RBV_EARG, "r is NULL");
  if (lags < 0) return rbv_fail(RBV_EARG, "lags = %d is negative", lags);
  RBV_TRY(rbv_stats_check("e", e, n, (ptrdiff_t)lags + 1));
  if (constant(e, n))
    return rbv_fail(RBV_ENUM, "e is constant: the autocorrelation is not defined");
  const double mean = average(e, n);
  for (int k = lags; k >= 0; k--) {
    r[k] = 0;
    for (ptrdiff_t i = 0; i + k < n; i++) r[k] += (e[i] - mean) * (e[i + k] - mean);
  }
  const double all = r[0];
  for (int k = 0; k <= lags; k++) {
    r[k] /= all;
    if (!isfinite(r[k])) return rbv_fail(RBV_ENUM, "autocorrelation overflows at lag %d", k);
  }
  if (bound) *bound = 2 / sqrt((double)n);
  return RBV_OK;
}

/* c0 + c1 x + ... + c4 x^4 */
static double quartic(const double c[5], double x) {
  return c[0] + x * (c[1] + x * (c[2] + x * (c[3] + x * c[4])));
}

rbv_status rbv_stats_lilliefors(double *p, double d, ptrdiff_t n) {
  if (!p) return rbv_fail(RBV_EARG, "p is NULL");
  if (isnan(d)) return rbv_fail(RBV_ENUM, "d is not a number");
  if (!(d >= 0 && d <= 1)) return rbv_fail(RBV_EARG, "d = %g is not in [0, 1]", d);
  if (n < 4) return rbv_fail(RBV_EDIM, "n = %td: Lilliefors' p needs at least 4 samples", n);

  // Dallal and Wilkinson (1986), eq. for the upper tail; above 100 samples D is rescaled
  const double N = (double)n;
  const double M = n > 100 ? 100 : N, D = n > 100 ? d * pow(N / 100, 0.49) : d;
  const double value = exp(-7.01256 * D * D * (M + 2.78019) + 2.99587 * D * sqrt(M + 2.78019) -
                           0.122119 + 0.974598 / sqrt(M) + 1.67997 / M);
  if (value <= 0.1) {
    *p = value;
    return RBV_OK;
  }

  // Stephens' modified D and polynomials fitted to his table (as in R's package nortest)
  static const double curve[3][5] = {
      {2.76773, -19.828315, 80.709644, -138.55152, 81.218052},
      {-4.901232, 40.662806, -97.490286, 94.029866, -32.355711},
      {6.198765, -19.558097, 23.186922, -12.234627, 2.423045},
  };
  const double K = (sqrt(N) - 0.01 + 0.85 / sqrt(N)) * d;
  if (K <= 0.302)
    *p = 1;
  else
    *p = fmin(1, fmax(0, quartic(curve[K <= 0.5 ? 0 : K <= 0.9 ? 1 : 2], K)));
  return RBV_OK;
}

rbv_status rbv_stats_normality(rbv_normality *out, double *work, const double *e, ptrdiff_t n) {
  if (!out || !work) return rbv_fail(RBV_EARG, "%s is NULL", out ? "work" : "out");
  RBV_TRY(rbv_stats_check("e", e, n, 4));
  rbv_moments m;
  RBV_TRY(rbv_stats_moments(&m, e, n));
  const double sigma = sqrt(m.variance);
  if (!(sigma > 0)) return rbv_fail(RBV_ENUM, "e is constant: normality is not defined");
  if (work != e) memcpy(work, e, (size_t)n * sizeof *e);
  rbv_stats_sort(work, n);

  // the empirical distribution has a step at each value: compare both ends of the step
  rbv_normality s = {0};
  for (ptrdiff_t i = 0; i < n; i++) {
    double F;
    RBV_TRY(rbv_stats_normal_cdf(&F, NULL, (work[i] - m.mean) / sigma));
    s.d = fmax(s.d, fmax((double)(i + 1) / (double)n - F, F - (double)i / (double)n));
  }
  RBV_TRY(rbv_stats_lilliefors(&s.p_lilliefors, s.d, n));
  *out = s;
  return RBV_OK;
}

rbv_status rbv_stats_histogram(ptrdiff_t *count, ptrdiff_t *outside, const double *x, ptrdiff_t n,
                               const double *edge, int bins) {
  if (!count) return rbv_fail(RBV_EARG, "count is NULL");
  if (bins < 1) return rbv_fail(RBV_EDIM, "a histogram of %d bins: at least 1 is needed", bins);
  RBV_TRY(rbv_stats_check("edge", edge, (ptrdiff_t)bins + 1, 2));
  RBV_TRY(rbv_stats_check("x", x, n, 0));
  for (int k = 0; k < bins; k++)
    if (!(edge[k] < edge[k + 1]))
      return rbv_fail(RBV_EARG, "edges %d and %d do not increase: %g, %g", k, k + 1, edge[k],
                      edge[k + 1]);
  memset(count, 0, (size_t)bins * sizeof *count);
  ptrdiff_t beyond = 0;
  for (ptrdiff_t i = 0; i < n; i++) {
    if (x[i] < edge[0] || x[i] > edge[bins]) {
      beyond++;
      continue;
    }
    // find the last edge that is not above x
    int low = 0, high = bins;
    while (high - low > 1) {
      const int middle = low + (high - low) / 2;
      if (edge[middle] <= x[i]) low = middle;
      if (edge[middle] > x[i]) high = middle;
    }
    count[low]++;
  }
  if (outside) *outside = beyond;
  return RBV_OK;
}
