#include <float.h>
#include <math.h>

#include <roberval/sys/signal.h>

#include "base/support.h"
#include "signal/filter_kernel.h"

#define START_VARIANCE 1e6
#define SKIPPED 2  // innovations that depend on the start values
#define GRID_LOW (-12.0)
#define GRID_HIGH 6.0
#define GRID_STEP 0.25

struct rbv_irw_work {
  ptrdiff_t capacity;
  double *level, *slope;    // filtered state
  double *c11, *c21, *c22;  // smoother gain; c12 = -c22
};

static void layout(rbv_irw_work *w, rbv_arena *a) {
  RBV_TAKE_ALL(a, w->capacity, double, &w->level, &w->slope, &w->c11, &w->c21, &w->c22);
}

rbv_status rbv_irw_work_new(rbv_irw_work **out, ptrdiff_t nsample) {
  if (!out) return rbv_fail(RBV_EARG, "out is NULL");
  *out = NULL;
  if (nsample < 1) return rbv_fail(RBV_EARG, "%td samples cannot be smoothed", nsample);
  rbv_irw_work w = {.capacity = nsample};
  rbv_irw_work *fresh;
  RBV_CARVE_OBJECT(fresh, a, layout(&w, a));
  if (!fresh) return RBV_EMEM;
  *fresh = w;
  *out = fresh;
  return RBV_OK;
}

void rbv_irw_work_free(rbv_irw_work *w) { rbv_free(w); }

/*
 * Kalman filter with observation noise 1 and slope noise nvr. The covariance P = [p11 p12; p12 p22]
 * does not depend on the data. Its determinant is updated directly instead of being computed as a
 * difference:
 *
 *   update   F = p11 + 1,    det /= F
 *   predict  det += nvr p11  (p11 of the prediction)
 *
 * With it the smoother gain C = P A' inv(A P A' + Q) has no cancellation:
 *
 *   C = [det + nvr (p11 + p12), -det; nvr (p12 + p22), det] / det of the prediction
 *
 * P is not computed any more once it is constant.
 */
typedef struct {
  double f;              // innovation variance over observation variance
  double k1, k2;         // Kalman gain
  double c11, c21, c22;  // smoother gain
} gains;

typedef struct {
  double p11, p12, p22, det;  // predicted
  bool steady;
} covariance;

static void step_gains(gains *g, covariance *p, double nvr) {
  // update
  const double f = p->p11 + 1, k1 = p->p11 / f, k2 = p->p12 / f;
  const double u11 = k1, u12 = p->p12 / f, u22 = p->p22 - k2 * p->p12, det = p->det / f;
  // predict
  const double p11 = u11 + 2 * u12 + u22, p12 = u12 + u22, p22 = u22 + nvr;
  const double next = det + nvr * p11;
  g->f = f;
  g->k1 = k1;
  g->k2 = k2;
  g->c11 = (det + nvr * (u11 + u12)) / next;
  g->c21 = nvr * p12 / next;
  g->c22 = det / next;
  const double same = 2 * DBL_EPSILON;
  p->steady = fabs(p11 - p->p11) <= same * p11 && fabs(p12 - p->p12) <= same * p12 &&
              fabs(p22 - p->p22) <= same * p22;
  p->p11 = p11;
  p->p12 = p12;
  p->p22 = p22;
  p->det = next;
}

static covariance start(void) {
  return (covariance){
      .p11 = START_VARIANCE, .p22 = START_VARIANCE, .det = START_VARIANCE * START_VARIANCE};
}

/* prediction error decomposition for SIGNAL_WALKS ratios, with the observation variance
 * concentrated out */
static void likelihoods(rbv_irw_info *info, const double *nvr, const double *x, ptrdiff_t n) {
  double squares[SIGNAL_WALKS], logs[SIGNAL_WALKS];
  rbv_signal_kernel_best(SIGNAL_MAX_WIDTH)
      ->walks(squares, logs, nvr, x, n, SKIPPED, START_VARIANCE);
  const double m = (double)(n - SKIPPED);
  for (int i = 0; i < SIGNAL_WALKS; i++) {
    info[i].nvr = nvr[i];
    info[i].noise_variance = squares[i] / m;
    // avoid minus infinity for a signal without any innovation
    info[i].criterion = log(squares[i] / m + DBL_MIN) + logs[i] / m;
  }
}

static void likelihood(rbv_irw_info *info, const double *x, ptrdiff_t n, double nvr) {
  double same[SIGNAL_WALKS];
  rbv_irw_info all[SIGNAL_WALKS] = {0};
  for (int i = 0; i < SIGNAL_WALKS; i++) same[i] = nvr;
  likelihoods(all, same, x, n);
  *info = all[0];
}

/* filter forwards, smooth backwards: s[k] = u[k] + C (s[k+1] - A u[k]) */
static void smooth(double *level, double *slope, rbv_irw_work *w, const double *x, ptrdiff_t n,
                   double rate_hz, double nvr) {
  covariance p = start();
  gains g = {0};
  const double origin = x[0];
  double a = 0, b = 0;
  for (ptrdiff_t k = 0; k < n; k++) {
    if (k > 0) a += b;
    if (!p.steady) step_gains(&g, &p, nvr);
    const double v = x[k] - origin - a;
    w->level[k] = a += g.k1 * v;
    w->slope[k] = b += g.k2 * v;
    w->c11[k] = g.c11;
    w->c21[k] = g.c21;
    w->c22[k] = g.c22;
  }
  for (ptrdiff_t k = n - 1; k >= 0; k--) {
    if (k < n - 1) {
      const double da = a - w->level[k] - w->slope[k], db = b - w->slope[k];
      a = w->level[k] + w->c11[k] * da - w->c22[k] * db;
      b = w->slope[k] + w->c21[k] * da + w->c22[k] * db;
    }
    level[k] = a + origin;
    if (slope) slope[k] = b * rate_hz;
  }
}

/* criteria at log10(nvr) = first + i step, i = 0 ... count - 1; returns the index of the least */
static int scan(rbv_irw_info *out, double first, double step, int count, const double *x,
                ptrdiff_t n) {
  int at = 0;
  for (int done = 0; done < count; done += SIGNAL_WALKS) {
    double nvr[SIGNAL_WALKS];
    rbv_irw_info info[SIGNAL_WALKS] = {0};
    for (int i = 0; i < SIGNAL_WALKS; i++) {
      const int last = done + i < count ? done + i : count - 1;
      nvr[i] = pow(10, first + last * step);
    }
    likelihoods(info, nvr, x, n);
    for (int i = 0; i < SIGNAL_WALKS && done + i < count; i++) {
      out[done + i] = info[i];
      if (info[i].criterion < out[at].criterion) at = done + i;
    }
  }
  return at;
}

/*
 * Find the best cell of the grid and divide it twice, on log10(nvr). Then the minimum of the
 * parabola through the best three points, whose distance is 1/290 of two cells: it is exact to
 * about 1e-5, where the criterion is flat.
 */
static void search(rbv_irw_info *best, const double *x, ptrdiff_t n) {
  enum { CELLS = (int)((GRID_HIGH - GRID_LOW) / GRID_STEP), PARTS = SIGNAL_WALKS + 1 };
  rbv_irw_info grid[CELLS + 1] = {0}, part[SIGNAL_WALKS] = {0}, ends[2];
  int at = scan(grid, GRID_LOW, GRID_STEP, CELLS + 1, x, n);
  *best = grid[at];
  if (at == 0 || at == CELLS) {
    best->at_limit = true;
    return;
  }
  double low = GRID_LOW + (at - 1) * GRID_STEP, step = 2 * GRID_STEP / PARTS;
  ends[0] = grid[at - 1], ends[1] = grid[at + 1];
  for (int round = 0; round < 2; round++) {
    if (round > 0) step *= 2.0 / PARTS;
    at = scan(part, low + step, step, SIGNAL_WALKS, x, n);
    low += at * step;
    if (at > 0) ends[0] = part[at - 1];
    if (at < SIGNAL_WALKS - 1) ends[1] = part[at + 1];
    if (part[at].criterion < best->criterion) *best = part[at];
  }
  const double left = ends[0].criterion - part[at].criterion;
  const double right = ends[1].criterion - part[at].criterion;
  if (!(left + right > 0)) return;
  rbv_irw_info vertex = {0};
  likelihood(&vertex, x, n, pow(10, low + step + 0.5 * step * (left - right) / (left + right)));
  if (vertex.criterion < best->criterion) *best = vertex;
}

static rbv_status check(const double *x, ptrdiff_t n) {
  if (!x) return rbv_fail(RBV_EARG, "x is NULL");
  if (n < SKIPPED + 2)
    return rbv_fail(RBV_EDIM, "%td samples are too few to smooth: %d are needed", n, SKIPPED + 2);
  for (ptrdiff_t k = 0; k < n; k++)
    if (!isfinite(x[k])) return rbv_fail(RBV_EARG, "sample %td is not finite", k);
  return RBV_OK;
}

rbv_status rbv_irw_smooth(double *level, double *slope, rbv_irw_info *info, rbv_irw_work *w,
                          const double *x, ptrdiff_t nsample, double rate_hz, double nvr) {
  if (!level || !w) return rbv_fail(RBV_EARG, "level or w is NULL");
  RBV_TRY(check(x, nsample));
  if (nsample > w->capacity)
    return rbv_fail(RBV_EDIM, "%td samples: the work object has room for %td", nsample,
                    w->capacity);
  if (!(rate_hz > 0)) return rbv_fail(RBV_EARG, "sampling rate %g Hz must be positive", rate_hz);
  if (!(nvr >= 0) || isinf(nvr))
    return rbv_fail(RBV_EARG,
                    "noise variance ratio %g must be positive, or 0 for maximum likelihood", nvr);
  rbv_irw_info found = {0};
  if (nvr > 0)
    likelihood(&found, x, nsample, nvr);
  else
    search(&found, x, nsample);
  smooth(level, slope, w, x, nsample, rate_hz, found.nvr);
  if (info) *info = found;
  return RBV_OK;
}
