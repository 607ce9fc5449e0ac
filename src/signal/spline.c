/*
 * Smoothing spline after Reinsch (1967). With second derivatives c at the inner knots,
 *
 *   (R + lambda Q'Q) c = Q'x,   g = x - lambda Q c
 *
 * R is tridiagonal, Q'Q has bandwidth two: one LDL' factorisation per lambda. The unit of time is
 * the mean interval, so that the numbers do not depend on the sample rate.
 */
#include <float.h>
#include <math.h>

#include "signal/signal.h"

#include "base/support.h"

#define MAX_ITERATIONS 200

struct rbv_spline_work {
  ptrdiff_t capacity;
  double *h;            // intervals, in units of their mean
  double *rhs;          // Q'x at the inner knots
  double *d, *l1, *l2;  // the factors: diagonal, first and second subdiagonal
  double *c;            // second derivatives, at all knots
  double *residual;     // Q c
};

static void layout(rbv_spline_work *w, rbv_arena *a) {
  RBV_TAKE_ALL(a, w->capacity, double, &w->h, &w->rhs, &w->d, &w->l1, &w->l2, &w->c, &w->residual);
}

rbv_status rbv_spline_work_new(rbv_spline_work **out, ptrdiff_t nsample) {
  if (!out) return rbv_fail(RBV_EARG, "out is NULL");
  *out = NULL;
  if (nsample < 1) return rbv_fail(RBV_EARG, "%td samples cannot be smoothed", nsample);
  rbv_spline_work w = {.capacity = nsample};
  rbv_spline_work *fresh;
  RBV_CARVE_OBJECT(fresh, a, layout(&w, a));
  if (!fresh) return RBV_EMEM;
  *fresh = w;
  *out = fresh;
  return RBV_OK;
}

void rbv_spline_work_free(rbv_spline_work *w) { rbv_free(w); }

/* the result; dq and ddq may be NULL */
typedef struct {
  double *q, *dq, *ddq;
} curve;

/* compute c for one lambda; returns sum (Q c)^2. The residual is lambda Q c. */
static double solve(rbv_spline_work *w, ptrdiff_t n, double lambda) {
  const double *h = w->h;
  double *d = w->d, *l1 = w->l1, *l2 = w->l2, *c = w->c;
  // inner knots 1 .. n-2; column i of Q holds 1/h[i-1], -1/h[i-1]-1/h[i], 1/h[i] in rows i-1, i,
  // i+1
  for (ptrdiff_t i = 1; i < n - 1; i++) {
    const double a = 1 / h[i - 1], b = 1 / h[i], q = -a - b;
    double diag = (h[i - 1] + h[i]) / 3 + lambda * (a * a + q * q + b * b);
    double sub1 = 0, sub2 = 0;
    if (i > 1) {
      const double before = -1 / h[i - 2] - a;  // middle of column i-1
      sub1 = h[i - 1] / 6 + lambda * a * (before + q);
    }
    if (i > 2) sub2 = lambda / (h[i - 2] * h[i - 1]);
    // row i of L:  sub2 = l2 d[i-2],  sub1 = l1 d[i-1] + l2 d[i-2] l1[i-1]
    l2[i] = i > 2 ? sub2 / d[i - 2] : 0;
    if (i > 2) sub1 -= l2[i] * d[i - 2] * l1[i - 1];
    l1[i] = i > 1 ? sub1 / d[i - 1] : 0;
    if (i > 1) diag -= l1[i] * l1[i] * d[i - 1];
    if (i > 2) diag -= l2[i] * l2[i] * d[i - 2];
    d[i] = diag;
    c[i] = w->rhs[i] - (i > 1 ? l1[i] * c[i - 1] : 0) - (i > 2 ? l2[i] * c[i - 2] : 0);
  }
  c[0] = c[n - 1] = 0;
  for (ptrdiff_t i = n - 2; i >= 1; i--) {
    c[i] /= d[i];
    if (i + 1 < n - 1) c[i] -= l1[i + 1] * c[i + 1];
    if (i + 2 < n - 1) c[i] -= l2[i + 2] * c[i + 2];
  }
  double sum = 0;
  for (ptrdiff_t i = 0; i < n; i++) {
    const double left = i > 0 ? (c[i] - c[i - 1]) / h[i - 1] : 0;
    const double right = i + 1 < n ? (c[i + 1] - c[i]) / h[i] : 0;
    w->residual[i] = right - left;
    sum += w->residual[i] * w->residual[i];
  }
  return sum;
}

/* least-squares line, the limit for large lambda; returns its residual sum of squares */
static double line(double *at_start, double *per_interval, const rbv_spline_work *w,
                   const double *x, ptrdiff_t n) {
  double u = 0, su = 0, sx = 0;
  for (ptrdiff_t i = 0; i < n; i++) {
    su += u;
    sx += x[i] - x[0];
    u += i + 1 < n ? w->h[i] : 0;
  }
  const double mu = su / (double)n, mx = x[0] + sx / (double)n;
  double suu = 0, sux = 0;
  u = 0;
  for (ptrdiff_t i = 0; i < n; i++) {
    suu += (u - mu) * (u - mu);
    sux += (u - mu) * (x[i] - mx);
    u += i + 1 < n ? w->h[i] : 0;
  }
  *per_interval = sux / suu;
  *at_start = mx - *per_interval * mu;
  double sum = 0;
  u = 0;
  for (ptrdiff_t i = 0; i < n; i++) {
    const double e = x[i] - *at_start - *per_interval * u;
    sum += e * e;
    u += i + 1 < n ? w->h[i] : 0;
  }
  return sum;
}

/*
 * Find lambda with lambda^2 sum (Q c)^2 = target. As a function of log lambda the residual grows
 * from 0 to that of the straight line. Method: false position on its logarithm, with bisection
 * steps.
 */
static double search(int *iterations, rbv_spline_work *w, ptrdiff_t n, double target) {
  double low = log(1e-12), high = log(1e18);
  double flow = 0, fhigh = 0;
  bool have_low = false, have_high = false;
  double at = 0;
  for (*iterations = 0; *iterations < MAX_ITERATIONS;) {
    const double lambda = exp(at), rss = lambda * lambda * solve(w, n, lambda);
    ++*iterations;
    const double f = log((rss + DBL_MIN) / target);
    if (fabs(f) < 1e-12) break;
    if (f < 0)
      low = at, flow = f, have_low = true;
    else
      high = at, fhigh = f, have_high = true;
    if (high - low < 1e-13 * (1 + fabs(high))) break;
    if (have_low && have_high) {
      // every third step is a bisection, so that the bracket always shrinks
      at = *iterations % 3 ? low - flow * (high - low) / (fhigh - flow) : (low + high) / 2;
      if (!(at > low && at < high)) at = (low + high) / 2;
    } else {
      // move by fixed steps until the root is bracketed
      const double jump = have_low ? 3 : -3;
      at = at + jump < log(1e-12) ? low : at + jump > log(1e18) ? high : at + jump;
      if (at == low || at == high) break;
    }
  }
  return exp(at);
}

/* check the samples; intervals and right-hand side of the work object */
static rbv_status prepare(rbv_spline_work *w, const double *t, const double *x, ptrdiff_t n,
                          double unit) {
  for (ptrdiff_t i = 0; i < n; i++) {
    if (!isfinite(x[i])) return rbv_fail(RBV_EARG, "sample %td is not finite", i);
    if (i + 1 < n && !(t[i + 1] > t[i]))
      return rbv_fail(RBV_EARG, "time stamp %td (%.9g s) must be later than %.9g s", i + 1,
                      t[i + 1], t[i]);
    if (i + 1 < n) w->h[i] = (t[i + 1] - t[i]) / unit;
  }
  for (ptrdiff_t i = 1; i < n - 1; i++)
    w->rhs[i] = (x[i + 1] - x[i]) / w->h[i] - (x[i] - x[i - 1]) / w->h[i - 1];
  return RBV_OK;
}

/* the line and its derivatives */
static void draw_line(const curve *c, const rbv_spline_work *w, ptrdiff_t n, double unit,
                      double start, double rise) {
  double u = 0;
  for (ptrdiff_t i = 0; i < n; i++) {
    c->q[i] = start + rise * u;
    if (c->dq) c->dq[i] = rise / unit;
    if (c->ddq) c->ddq[i] = 0;
    u += i + 1 < n ? w->h[i] : 0;
  }
}

/* the spline of this lambda and its derivatives; returns its residual sum of squares */
static double draw_spline(const curve *out, rbv_spline_work *w, const double *x, ptrdiff_t n,
                          double unit, double lambda) {
  solve(w, n, lambda);
  double *q = out->q, sum = 0;
  for (ptrdiff_t i = 0; i < n; i++) {
    const double e = lambda * w->residual[i];
    q[i] = x[i] - e;
    sum += e * e;
  }
  for (ptrdiff_t i = 0; i < n; i++) {
    const double *h = w->h, *c = w->c;
    if (out->dq)
      out->dq[i] =
          (i + 1 < n ? (q[i + 1] - q[i]) / h[i] - h[i] / 6 * (2 * c[i] + c[i + 1])
                     : (q[i] - q[i - 1]) / h[i - 1] + h[i - 1] / 6 * (c[i - 1] + 2 * c[i])) /
          unit;
    if (out->ddq) out->ddq[i] = c[i] / (unit * unit);
  }
  return sum;
}

static rbv_status check(const double *q, const rbv_spline_work *w, const double *t, const double *x,
                        ptrdiff_t n) {
  if (!q || !w || !t || !x) return rbv_fail(RBV_EARG, "q, w, t or x is NULL");
  if (n < 3) return rbv_fail(RBV_EDIM, "%td samples are too few for a spline: 3 are needed", n);
  if (n > w->capacity)
    return rbv_fail(RBV_EDIM, "%td samples: the work object has room for %td", n, w->capacity);
  return RBV_OK;
}

rbv_status rbv_spline_smooth(double *q, double *dq, double *ddq, rbv_spline_info *info,
                             rbv_spline_work *w, const double *t, const double *x,
                             ptrdiff_t nsample, double variance) {
  const ptrdiff_t n = nsample;
  RBV_TRY(check(q, w, t, x, n));
  if (!(variance >= 0) || isinf(variance))
    return rbv_fail(RBV_EARG, "noise variance %g must not be negative", variance);
  const double unit = (t[n - 1] - t[0]) / (double)(n - 1);
  RBV_TRY(prepare(w, t, x, n, unit));
  const curve out = {q, dq, ddq};
  rbv_spline_info found = {0};
  const double target = variance * (double)n;
  double start, rise;
  const double line_rss = line(&start, &rise, w, x, n);
  found.straight = target >= line_rss;
  if (found.straight) {
    found.lambda = INFINITY;
    found.variance = line_rss / (double)n;
    draw_line(&out, w, n, unit, start, rise);
  } else {
    const double lambda = target > 0 ? search(&found.iterations, w, n, target) : 0;
    found.variance = draw_spline(&out, w, x, n, unit, lambda) / (double)n;
    found.lambda = lambda * unit * unit * unit;
  }
  if (info) *info = found;
  return RBV_OK;
}

rbv_status rbv_spline_low_pass(double *q, double *dq, double *ddq, rbv_spline_info *info,
                               rbv_spline_work *w, const double *t, const double *x,
                               ptrdiff_t nsample, double corner_hz) {
  const ptrdiff_t n = nsample;
  RBV_TRY(check(q, w, t, x, n));
  if (!(corner_hz > 0) || isinf(corner_hz))
    return rbv_fail(RBV_EARG, "corner frequency %g Hz must be positive", corner_hz);
  const double unit = (t[n - 1] - t[0]) / (double)(n - 1);
  RBV_TRY(prepare(w, t, x, n, unit));
  // the spline of regular samples passes a frequency w with the gain 1 / (1 + lambda w^4)
  const double lambda = pow(2 * RBV_PI * corner_hz * unit, -4);
  rbv_spline_info found = {.lambda = lambda * unit * unit * unit};
  found.variance = draw_spline(&(curve){q, dq, ddq}, w, x, n, unit, lambda) / (double)n;
  if (info) *info = found;
  return RBV_OK;
}

rbv_status rbv_noise_variance(double *variance, const double *x, ptrdiff_t nsample) {
  if (!variance || !x) return rbv_fail(RBV_EARG, "variance or x is NULL");
  if (nsample < 5)
    return rbv_fail(RBV_EDIM, "%td samples are too few for fourth differences: 5 are needed",
                    nsample);
  // 1 + 16 + 36 + 16 + 1 = 70
  double sum = 0;
  for (ptrdiff_t k = 0; k + 4 < nsample; k++) {
    const double d = x[k] - 4 * x[k + 1] + 6 * x[k + 2] - 4 * x[k + 3] + x[k + 4];
    sum += d * d;
  }
  *variance = sum / (70 * (double)(nsample - 4));
  return RBV_OK;
}
