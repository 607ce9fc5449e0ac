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

rbv_status rbv_stats_durbin_watson(double *dw, const double *e, ptrdiff_t n) {
  if (!dw) return rbv_fail(RBV_EARG, "dw is NULL");
  RBV_TRY(rbv_stats_check("e", e, n, 2));
  double steps = 0, square = e[0] * e[0];
  for (ptrdiff_t i = 1; i < n; i++) {
    steps += (e[i] - e[i - 1]) * (e[i] - e[i - 1]);
    square += e[i] * e[i];
  }
  const double value = steps / square;
  if (square == 0) return rbv_fail(RBV_ENUM, "e is zero everywhere: Durbin-Watson is not defined");
  if (!isfinite(value)) return rbv_fail(RBV_ENUM, "Durbin-Watson overflows");
  *dw = value;
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

rbv_status rbv_stats_ljung_box(double *Q, double *p, const double *r, int lags, ptrdiff_t n,
                               int fitted) {
  if (lags < 1 || lags >= n)
    return rbv_fail(RBV_EDIM, "Ljung-Box over %d lags of %td samples: need 1 <= lags < samples",
                    lags, n);
  if (fitted < 0 || fitted >= lags)
    return rbv_fail(
        RBV_EDIM, "Ljung-Box over %d lags with %d fitted parameters: no degree of freedom is left",
        lags, fitted);
  RBV_TRY(rbv_stats_check("r", r, (ptrdiff_t)lags + 1, 2));
  const double N = (double)n;
  double sum = 0, tail;
  for (int k = 1; k <= lags; k++) sum += r[k] * r[k] / (N - k);
  const double value = N * (N + 2) * sum;
  RBV_TRY(rbv_stats_chi2_cdf(NULL, &tail, value, lags - fitted));
  if (Q) *Q = value;
  if (p) *p = tail;
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
  RBV_TRY(rbv_stats_kolmogorov_cdf(NULL, &s.p_known, s.d, n));
  RBV_TRY(rbv_stats_lilliefors(&s.p_lilliefors, s.d, n));
  *out = s;
  return RBV_OK;
}

rbv_status rbv_stats_residual(rbv_residual_stats *out, double *r, double *work, const double *e,
                              ptrdiff_t n, int lags, int fitted) {
  if (!out) return rbv_fail(RBV_EARG, "out is NULL");
  if (!r || !work) return rbv_fail(RBV_EARG, "%s is NULL", r ? "work" : "r");
  if (work == e)
    return rbv_fail(RBV_EARG, "work is e itself: sorting would destroy the order of time");
  if (lags < 1 || fitted < 0 || fitted >= lags)
    return rbv_fail(RBV_EDIM, "%d lags with %d fitted parameters: no degree of freedom is left",
                    lags, fitted);
  RBV_TRY(rbv_stats_check("e", e, n, lags + 1 > 4 ? lags + 1 : 4));

  rbv_residual_stats s = {.durbin_watson = NAN, .ljung_box = NAN, .ljung_box_p = NAN};
  s.normality = (rbv_normality){NAN, NAN, NAN};
  s.bound = 2 / sqrt((double)n);
  RBV_TRY(rbv_stats_moments(&s.moments, e, n));
  if (s.moments.rms > 0) RBV_TRY(rbv_stats_durbin_watson(&s.durbin_watson, e, n));
  if (s.moments.variance > 0) {
    RBV_TRY(rbv_stats_autocorrelation(r, NULL, e, n, lags));
    RBV_TRY(rbv_stats_ljung_box(&s.ljung_box, &s.ljung_box_p, r, lags, n, fitted));
    RBV_TRY(rbv_stats_normality(&s.normality, work, e, n));
  } else {
    // constant series: only statistics that do not need a variance are defined
    for (int k = 0; k <= lags; k++) r[k] = NAN;
    memcpy(work, e, (size_t)n * sizeof *e);
  }
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
