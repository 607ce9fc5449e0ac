#include <math.h>
#include <roberval/sys/linalg.h>
#include "signal/signal.h"

#include "base/support.h"

#define LAGS 5      // a torque is compared with this many positions: the present and earlier ones
#define LEAST 256   // smallest number of samples
#define CHUNK 1024  // samples that are processed at a time
#define MULTIPLE 0.02   // accepted distance of a step from a multiple of the smallest one
#define QUANTISED 0.95  // share of such steps
#define REACTS 0.5      // share of the fast torque that the positions explain
#define COARSE 0.005    // speed of one count per period of the cut-off, relative to the top speed
#define TOP_QUANTILE 0.99

/* smallest step of the positions; 0 if the steps are not multiples of it */
static double find_step(const double *q, ptrdiff_t n) {
  double step = INFINITY;
  for (ptrdiff_t k = 1; k < n; k++) {
    const double d = fabs(q[k] - q[k - 1]);
    if (d > 1e-12 && d < step) step = d;
  }
  if (!isfinite(step)) return 0;
  ptrdiff_t steps = 0, multiples = 0;
  for (ptrdiff_t k = 1; k < n; k++) {
    const double d = fabs(q[k] - q[k - 1]) / step;
    if (!(d > 0.5)) continue;
    steps++;
    multiples += fabs(d - rint(d)) < MULTIPLE;
  }
  return (double)multiples >= QUANTISED * (double)steps ? step : 0;
}

/* speed that is exceeded one per cent of the time; over `span` samples, so that steps do not count
 */
static rbv_status top_speed(double *out, const double *q, ptrdiff_t n, double rate_hz) {
  const ptrdiff_t span = n / 64 < 50 ? n / 64 : 50, count = n - span;
  RBV_NEW(double, v, count);
  for (ptrdiff_t k = 0; k < count; k++) v[k] = fabs(q[k + span] - q[k]) * rate_hz / (double)span;
  *out = rbv_select(v, count, (ptrdiff_t)(TOP_QUANTILE * (double)(count - 1)));
  rbv_free(v);
  return RBV_OK;
}

static double second_difference(const double *x, ptrdiff_t k) {
  return x[k + 1] - 2 * x[k] + x[k - 1];
}

/*
 * Share of the second differences of the torque that those of the present and earlier positions
 * explain. Second differences contain the fast part only, where the motion itself has nothing.
 */
static rbv_status explained_share(double *share, const double *q, const double *torque,
                                  ptrdiff_t n) {
  rbv_qr *qr = NULL;
  double *X = rbv_alloc((size_t)CHUNK * (LAGS + 1) * sizeof *X), R[(LAGS + 1) * (LAGS + 1)];
  rbv_status status = X ? rbv_qr_new(&qr, LAGS + 1) : RBV_EMEM;
  for (ptrdiff_t first = LAGS; first < n - 1 && status == RBV_OK; first += CHUNK) {
    const ptrdiff_t left = n - 1 - first, count = left < CHUNK ? left : CHUNK;
    for (ptrdiff_t k = 0; k < count; k++) {
      for (int lag = 0; lag < LAGS; lag++)
        X[k + lag * CHUNK] = second_difference(q, first + k - lag);
      X[k + LAGS * CHUNK] = second_difference(torque, first + k);
    }
    status = rbv_qr_add(qr, X, count, CHUNK);
  }
  if (status == RBV_OK) {
    rbv_qr_get(R, qr);
    double all = 0;
    const double *y = R + (ptrdiff_t)LAGS * (LAGS + 1);
    for (int i = 0; i <= LAGS; i++) all += y[i] * y[i];
    *share = all > 0 ? 1 - y[LAGS] * y[LAGS] / all : 0;
  }
  rbv_qr_free(qr);
  rbv_free(X);
  return status;
}

rbv_status rbv_signal_feedback(rbv_feedback *out, const double *q, const double *torque,
                               ptrdiff_t n, double rate_hz, double cutoff_hz) {
  if (!out || !q || !torque) return rbv_fail(RBV_EARG, "positions and torques are needed");
  *out = (rbv_feedback){0};
  if (n < LEAST || !(rate_hz > 0)) return RBV_OK;
  for (ptrdiff_t k = 0; k < n; k++)
    if (!isfinite(q[k]) || !isfinite(torque[k])) return RBV_OK;
  out->step = find_step(q, n);
  if (!(out->step > 0) || !(cutoff_hz > 0)) return RBV_OK;
  double top;
  RBV_TRY(top_speed(&top, q, n, rate_hz));
  if (!(out->step * cutoff_hz > COARSE * top && top > 0)) return RBV_OK;
  RBV_TRY(explained_share(&out->share, q, torque, n));
  out->coarse_in_loop = out->share > REACTS;
  return RBV_OK;
}
