#include <math.h>
#include <string.h>

#include "signal/signal.h"

#include "base/support.h"

#define GAP_PERIODS 1.5

static rbv_status check_stamps(const double *t, ptrdiff_t n, ptrdiff_t need) {
  if (!t) return rbv_fail(RBV_EARG, "t is NULL");
  if (n < need) return rbv_fail(RBV_EDIM, "%td time stamps are too few: %td are needed", n, need);
  for (ptrdiff_t k = 0; k < n; k++)
    if (!isfinite(t[k]) || (k > 0 && !(t[k] > t[k - 1])))
      return rbv_fail(RBV_EINPUT, "time stamp %td (%.9g s) must be later than %.9g s", k, t[k],
                      k > 0 ? t[k - 1] : 0);
  return RBV_OK;
}

rbv_status rbv_stamps_check(rbv_stamp_info *info, const double *t, ptrdiff_t nsample) {
  if (!info) return rbv_fail(RBV_EARG, "info is NULL");
  RBV_TRY(check_stamps(t, nsample, 2));
  const ptrdiff_t n = nsample - 1;
  RBV_NEW(double, dt, n);
  for (ptrdiff_t k = 0; k < n; k++) dt[k] = t[k + 1] - t[k];
  *info = (rbv_stamp_info){.period = rbv_select(dt, n, n / 2)};
  rbv_free(dt);
  for (ptrdiff_t k = 0; k < n; k++) {
    const double interval = t[k + 1] - t[k], off = fabs(interval / info->period - 1);
    if (interval > info->longest) info->longest = interval, info->longest_at = k;
    if (interval > GAP_PERIODS * info->period) {
      info->ngap++;
      info->missing += (ptrdiff_t)round(interval / info->period) - 1;
    } else if (off > info->jitter) {
      info->jitter = off;
    }
  }
  info->regular = info->ngap == 0 && info->jitter < 0.01;
  return RBV_OK;
}

/* ---- resampling to a regular grid ---- */

struct rbv_resampler {
  ptrdiff_t nsample, count;
  double rate_hz;
  double *t;      // stamps
  double *slope;  // derivative of the interpolant at the stamps, one column at a time
  double *pivot;  // of the tridiagonal elimination
};

static void layout(rbv_resampler *r, rbv_arena *a) {
  RBV_TAKE_ALL(a, r->nsample, double, &r->t, &r->slope, &r->pivot);
}

rbv_status rbv_resampler_new(rbv_resampler **out, const double *t, ptrdiff_t nsample,
                             double rate_hz) {
  if (!out) return rbv_fail(RBV_EARG, "out is NULL");
  *out = NULL;
  RBV_TRY(check_stamps(t, nsample, 4));
  const double steps = (t[nsample - 1] - t[0]) * rate_hz;
  if (!(rate_hz > 0) || !(steps < 1e12))
    return rbv_fail(RBV_EARG, "cannot resample to %g Hz over %g s", rate_hz, t[nsample - 1] - t[0]);
  // a last stamp that is on the grid except for rounding belongs to it
  rbv_resampler r = {.nsample = nsample,
                     .rate_hz = rate_hz,
                     .count = (ptrdiff_t)floor(steps * (1 + 1e-12) + 1e-6) + 1};
  rbv_resampler *fresh;
  RBV_CARVE_OBJECT(fresh, a, layout(&r, a));
  if (!fresh) return RBV_EMEM;
  *fresh = r;
  memcpy(fresh->t, t, (size_t)nsample * sizeof *t);
  *out = fresh;
  return RBV_OK;
}

void rbv_resampler_free(rbv_resampler *r) { rbv_free(r); }

ptrdiff_t rbv_resampler_count(const rbv_resampler *r) { return r ? r->count : 0; }

/* slope at point 0 of the cubic through points 0, s, 2s, 3s */
static double end_slope(const double *t, const double *x, ptrdiff_t s) {
  double sum = 0;
  for (ptrdiff_t i = 1; i < 4; i++) {
    // derivative of the Lagrange polynomial of point i, which vanishes at the other points
    double value = 1 / (t[i * s] - t[0]);
    for (ptrdiff_t k = 1; k < 4; k++)
      if (k != i) value *= (t[0] - t[k * s]) / (t[i * s] - t[k * s]);
    sum += value * (x[i * s] - x[0]);
  }
  return sum;
}

/* twice continuously differentiable; end slopes from four points, so that cubics are exact */
static void spline_slopes(rbv_resampler *r, const double *x) {
  const ptrdiff_t n = r->nsample;
  const double *t = r->t;
  double *m = r->slope;
  m[0] = end_slope(t, x, 1);
  m[n - 1] = end_slope(t + n - 1, x + n - 1, -1);
  // h[i] m[i-1] + 2 (h[i-1] + h[i]) m[i] + h[i-1] m[i+1] = 3 (h[i] s[i-1] + h[i-1] s[i])
  r->pivot[0] = 0;
  for (ptrdiff_t i = 1; i < n - 1; i++) {
    const double a = t[i] - t[i - 1], b = t[i + 1] - t[i];
    const double rhs = 3 * (b * (x[i] - x[i - 1]) / a + a * (x[i + 1] - x[i]) / b);
    const double diag = 2 * (a + b) - b * r->pivot[i - 1];
    r->pivot[i] = a / diag;
    m[i] = (rhs - b * m[i - 1]) / diag;
  }
  for (ptrdiff_t i = n - 2; i >= 1; i--) m[i] -= r->pivot[i] * m[i + 1];
}

/* weighted harmonic mean of Fritsch and Butland: zero at a turning point, no overshoot */
static void monotone_slopes(rbv_resampler *r, const double *x) {
  const ptrdiff_t n = r->nsample;
  const double *t = r->t;
  for (ptrdiff_t i = 1; i < n - 1; i++) {
    const double a = t[i] - t[i - 1], b = t[i + 1] - t[i];
    const double s = (x[i] - x[i - 1]) / a, u = (x[i + 1] - x[i]) / b;
    r->slope[i] = s * u > 0 ? 3 * (a + b) / ((2 * b + a) / s + (b + 2 * a) / u) : 0;
  }
  r->slope[0] = (x[1] - x[0]) / (t[1] - t[0]);
  r->slope[n - 1] = (x[n - 1] - x[n - 2]) / (t[n - 1] - t[n - 2]);
}

rbv_status rbv_resample(double *Y, ptrdiff_t ldy, bool *keep, rbv_resampler *r, const double *X,
                        ptrdiff_t ldx, int ncol, rbv_resample_kind kind, double max_gap) {
  if (!r || !X || !Y) return rbv_fail(RBV_EARG, "Y, r or X is NULL");
  if (ldx < r->nsample || ldy < r->count)
    return rbv_fail(RBV_EDIM,
                    "leading dimensions %td, %td are too small for %td samples and %td results",
                    ldx, ldy, r->nsample, r->count);
  if (kind != RBV_RESAMPLE_CUBIC && kind != RBV_RESAMPLE_MONOTONE)
    return rbv_fail(RBV_EARG, "unknown resampling method %d", (int)kind);
  const ptrdiff_t last = r->nsample - 2;
  for (int j = 0; j < ncol; j++) {
    const double *x = X + j * ldx;
    if (kind == RBV_RESAMPLE_CUBIC)
      spline_slopes(r, x);
    else
      monotone_slopes(r, x);
    ptrdiff_t i = 0;
    for (ptrdiff_t k = 0; k < r->count; k++) {
      const double at = r->t[0] + (double)k / r->rate_hz;
      while (i < last && r->t[i + 1] <= at) i++;
      // cubic Hermite interpolation on the interval
      const double h = r->t[i + 1] - r->t[i], u = fmin((at - r->t[i]) / h, 1), v = 1 - u;
      Y[k + j * ldy] = v * v * (1 + 2 * u) * x[i] + u * u * (1 + 2 * v) * x[i + 1] +
                       u * v * h * (v * r->slope[i] - u * r->slope[i + 1]);
      // a grid point that equals a stamp except for rounding is not interpolated
      const double near = 1e-6 / r->rate_hz;
      if (keep && j == 0)
        keep[k] = !(h > max_gap && at - r->t[i] > near && r->t[i + 1] - at > near);
    }
  }
  return RBV_OK;
}

/* ---- masks and delays ---- */

/* correlation of a[k] with b[k + lag] over the overlap, about the given means */
static double correlation(const double *a, const double *b, ptrdiff_t n, ptrdiff_t lag,
                          double mean_a, double mean_b) {
  const ptrdiff_t from = lag < 0 ? -lag : 0, to = lag > 0 ? n - lag : n;
  double ab = 0, aa = 0, bb = 0;
  for (ptrdiff_t k = from; k < to; k++) {
    const double u = a[k] - mean_a, v = b[k + lag] - mean_b;
    ab += u * v;
    aa += u * u;
    bb += v * v;
  }
  return aa > 0 && bb > 0 ? ab / sqrt(aa * bb) : 0;
}

rbv_status rbv_delay_estimate(rbv_delay_info *info, const double *a, const double *b,
                              ptrdiff_t nsample, ptrdiff_t max_lag, double rate_hz) {
  if (!info || !a || !b) return rbv_fail(RBV_EARG, "info, a or b is NULL");
  if (!(rate_hz > 0)) return rbv_fail(RBV_EARG, "sampling rate %g Hz must be positive", rate_hz);
  if (max_lag < 1) return rbv_fail(RBV_EARG, "lags up to %td: at least 1 is needed", max_lag);
  if (nsample < 2 * max_lag + 2)
    return rbv_fail(RBV_EDIM, "%td samples are too few for lags up to %td: at least %td are needed",
                    nsample, max_lag, 2 * max_lag + 2);
  double mean_a = 0, mean_b = 0;
  for (ptrdiff_t k = 0; k < nsample; k++) {
    mean_a += a[k] / (double)nsample;
    mean_b += b[k] / (double)nsample;
  }
  if (!isfinite(mean_a + mean_b))
    return rbv_fail(RBV_EARG, "a sample is not finite: the correlation is not defined");
  ptrdiff_t at = 0;
  double peak = -INFINITY;
  for (ptrdiff_t lag = -max_lag; lag <= max_lag; lag++) {
    const double c = correlation(a, b, nsample, lag, mean_a, mean_b);
    if (c > peak) peak = c, at = lag;
  }
  *info = (rbv_delay_info){.correlation = peak, .at_limit = at == -max_lag || at == max_lag};
  double part = 0;
  if (!info->at_limit) {
    const double before = correlation(a, b, nsample, at - 1, mean_a, mean_b);
    const double after = correlation(a, b, nsample, at + 1, mean_a, mean_b);
    const double bend = before - 2 * peak + after;
    if (bend < 0) part = (before - after) / (2 * bend);
  }
  info->delay = ((double)at + part) / rate_hz;
  return RBV_OK;
}
