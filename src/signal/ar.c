#include <float.h>
#include <math.h>
#include <string.h>

#include "linalg/linalg.h"
#include "signal/signal.h"

#include "base/support.h"

struct rbv_ar_work {
  ptrdiff_t capacity;
  double *f, *b;  // forward and backward prediction errors
};

static void layout(rbv_ar_work *w, rbv_arena *a) {
  w->f = RBV_TAKE(a, w->capacity, double);
  w->b = RBV_TAKE(a, w->capacity, double);
}

rbv_status rbv_ar_work_new(rbv_ar_work **out, ptrdiff_t nsample) {
  if (!out) return rbv_fail(RBV_EARG, "out is NULL");
  *out = NULL;
  if (nsample < 1) return rbv_fail(RBV_EARG, "%td samples: at least 1 is needed", nsample);
  rbv_ar_work w = {.capacity = nsample};
  rbv_ar_work *fresh;
  RBV_CARVE_OBJECT(fresh, a, layout(&w, a));
  if (!fresh) return RBV_EMEM;
  *fresh = w;
  *out = fresh;
  return RBV_OK;
}

void rbv_ar_work_free(rbv_ar_work *w) { rbv_free(w); }

static rbv_status check_orders(ptrdiff_t n, int min_order, int max_order) {
  if (min_order < 0 || max_order < min_order || max_order > RBV_AR_MAX)
    return rbv_fail(RBV_EARG, "AR orders %d to %d: they must lie in 0 to %d, in ascending order",
                    min_order, max_order, RBV_AR_MAX);
  if (n <= 2 * max_order)
    return rbv_fail(RBV_EDIM, "%td samples are too few for AR order %d: at least %d are needed", n,
                    max_order, 2 * max_order + 1);
  return RBV_OK;
}

rbv_status rbv_ar_burg(rbv_ar *ar, rbv_ar_work *w, const double *e, ptrdiff_t nsample,
                       int min_order, int max_order) {
  const ptrdiff_t n = nsample;
  if (!ar || !w || !e) return rbv_fail(RBV_EARG, "ar, w or e is NULL");
  RBV_TRY(check_orders(n, min_order, max_order));
  if (n > w->capacity)
    return rbv_fail(RBV_EDIM, "%td samples: the work object has room for %td", n, w->capacity);

  double mean = 0;
  for (ptrdiff_t k = 0; k < n; k++) {
    if (!isfinite(e[k])) return rbv_fail(RBV_EARG, "sample %td is not finite", k);
    mean += e[k] / (double)n;
  }
  rbv_ar model = {.a = {1}};
  for (ptrdiff_t k = 0; k < n; k++) {
    w->f[k] = w->b[k] = e[k] - mean;
    model.variance += w->f[k] * w->f[k] / (double)n;
  }
  *ar = model;
  ar->aic = INFINITY;
  for (int p = 0;; p++) {
    model.order = p;
    model.aic = (double)n * log(model.variance + DBL_MIN) + 2 * p;
    if (p >= min_order && model.aic < ar->aic) *ar = model;
    if (p == max_order) break;

    // reflection coefficient that minimises the sum of forward and backward errors of order p + 1
    const ptrdiff_t count = n - p - 1;
    const double *forward = w->f + p + 1, *backward = w->b + p;
    const double cross = rbv_dot(forward, backward, count);
    const double power = rbv_dot(forward, forward, count) + rbv_dot(backward, backward, count);
    const double reflection = power > 0 ? -2 * cross / power : 0;

    // Levinson's step, in pairs from the outside to the middle
    model.a[p + 1] = 0;
    for (int i = 0; i <= (p + 1) / 2; i++) {
      const double low = model.a[i], high = model.a[p + 1 - i];
      model.a[i] = low + reflection * high;
      model.a[p + 1 - i] = high + reflection * low;
    }
    model.variance *= 1 - reflection * reflection;
    for (ptrdiff_t k = n - 1; k > p; k--) {
      const double f = w->f[k], b = w->b[k - 1];
      w->f[k] = f + reflection * b;
      w->b[k] = b + reflection * f;
    }
  }
  return RBV_OK;
}

/* triangle of the rows [e_{k-1} ... e_{k-p} e_k], k = p ... n - 1, in pieces */
static rbv_status lagged_triangle(double *R, int order, const double *e, ptrdiff_t n, double mean) {
  enum { PIECE = 256 };
  rbv_qr *qr = NULL;
  double *A = rbv_alloc((size_t)(order + 1) * PIECE * sizeof *A);
  rbv_status status = A ? rbv_qr_new(&qr, order + 1) : RBV_EMEM;
  for (ptrdiff_t first = order; first < n && status == RBV_OK; first += PIECE) {
    const ptrdiff_t left = n - first, count = left < PIECE ? left : PIECE;
    for (int c = 0; c <= order; c++) {
      const double *from = e + first - (c < order ? c + 1 : 0);
      for (ptrdiff_t k = 0; k < count; k++) A[k + c * PIECE] = from[k] - mean;
    }
    status = rbv_qr_add(qr, A, count, PIECE);
  }
  if (status == RBV_OK) rbv_qr_get(R, qr);
  rbv_qr_free(qr);
  rbv_free(A);
  return status;
}

/* choose the order with the least AIC: the last column of R from row p on is the residual of order
 * p */
static void choose_forward(rbv_ar *ar, double *R, int max_order, ptrdiff_t rows, int min_order) {
  const int width = max_order + 1;
  double *y = R + (ptrdiff_t)max_order * width, rss = 0;
  rbv_ar best = {.a = {1}, .aic = INFINITY};
  for (int p = max_order; p >= min_order; p--) {
    rss += y[p] * y[p];
    const double variance = rss / (double)rows, aic = (double)rows * log(variance) + 2 * p;
    if (!(variance > 0) || !(aic <= best.aic)) continue;
    best.order = p;
    best.variance = variance;
    best.aic = aic;
  }
  if (!isfinite(best.aic) || rbv_solve_upper(y, 1, width, R, best.order, width) != RBV_OK) return;
  for (int i = 1; i <= best.order; i++) best.a[i] = -y[i - 1];
  *ar = best;
}

rbv_status rbv_ar_forward(rbv_ar *ar, const double *e, ptrdiff_t n, int min_order, int max_order) {
  RBV_TRY(check_orders(n, min_order, max_order));
  const size_t width = (size_t)max_order + 1;
  double *R = rbv_alloc(width * width * sizeof *R), mean = 0;
  if (!R) return RBV_EMEM;
  for (ptrdiff_t k = 0; k < n; k++) mean += e[k] / (double)n;
  const rbv_status status = lagged_triangle(R, max_order, e, n, mean);
  if (status == RBV_OK) choose_forward(ar, R, max_order, n - max_order, min_order);
  rbv_free(R);
  return status;
}

rbv_status rbv_ar_whiten(double *Y, ptrdiff_t ldy, const rbv_ar *ar, const double *X, ptrdiff_t ldx,
                         ptrdiff_t nsample, int ncol) {
  if (!Y || !X || !ar) return rbv_fail(RBV_EARG, "Y, ar or X is NULL");
  if (nsample < 0 || ldx < nsample || ldy < nsample)
    return rbv_fail(RBV_EDIM, "leading dimensions %td, %td are too small for %td samples", ldx, ldy,
                    nsample);
  if (ar->order < 0 || ar->order > RBV_AR_MAX)
    return rbv_fail(RBV_EARG, "AR order %d is outside 0 to %d", ar->order, RBV_AR_MAX);
  if (!(ar->variance > 0))
    return rbv_fail(RBV_EARG, "noise variance %g must be positive", ar->variance);

  double c[RBV_AR_MAX + 1];
  for (int i = 0; i <= ar->order; i++) c[i] = ar->a[i] / sqrt(ar->variance);

  // process the tiles from last to first, so that Y may be X
  enum { TILE = 512 };
  for (int j = 0; j < ncol; j++) {
    const double *x = X + j * ldx;
    for (ptrdiff_t end = nsample; end > 0;) {
      const ptrdiff_t begin = end > TILE ? end - TILE : 0;
      double sum[TILE] = {0};
      for (int i = 0; i <= ar->order; i++)
        for (ptrdiff_t k = begin > i ? begin : i; k < end; k++) sum[k - begin] += c[i] * x[k - i];
      memcpy(Y + j * ldy + begin, sum, (size_t)(end - begin) * sizeof *Y);
      end = begin;
    }
  }
  return RBV_OK;
}
