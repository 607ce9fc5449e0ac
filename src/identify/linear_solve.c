#include "identify/linear_solve.h"

#include <math.h>
#include <string.h>
#include "linalg/linalg.h"
#include "stats/stats.h"

/* R factor of the selected columns and Y: (count + 1) square */
static rbv_status select_columns(double *out, const double *R, const selection *s) {
  const int ld = s->n + 1, width = s->count + 1;
  if (s->count == s->n) {  // nothing to do
    memcpy(out, R, (size_t)ld * (size_t)ld * sizeof *out);
    return RBV_OK;
  }
  rbv_qr *qr = NULL;
  RBV_NEW(double, columns, (size_t)ld *(size_t)width);
  for (int c = 0; c < width; c++) {
    const int from = c < s->count ? s->active[c] : s->n;
    memcpy(columns + (ptrdiff_t)c * ld, R + (ptrdiff_t)from * ld, (size_t)ld * sizeof *columns);
  }
  rbv_status status = rbv_qr_new(&qr, width);
  if (status == RBV_OK) status = rbv_qr_add(qr, columns, ld, ld);
  if (status == RBV_OK) rbv_qr_get(out, qr);
  rbv_qr_free(qr);
  rbv_free(columns);
  return status;
}

static rbv_status check_rows(ptrdiff_t rows, int count) {
  if (rows > count) return RBV_OK;
  return rbv_fail(
      RBV_EINPUT,
      "%td equations are too few for %d parameters: record longer, or decimate or mask less", rows,
      count);
}

/* cov = sigma2 * inv(T) inv(T)' written to all unknowns; T has leading dimension ld */
static rbv_status spread_covariance(solution *out, const double *T, const selection *s, int ld) {
  const int k = s->count;
  RBV_NEW(double, inverse, (size_t)k *(size_t)k);
  const rbv_status status = rbv_invert_upper(inverse, T, k, ld);
  for (int i = 0; i < k && status == RBV_OK; i++)
    for (int j = 0; j <= i; j++) {
      double sum = 0;
      for (int c = i; c < k; c++) sum += inverse[i + c * k] * inverse[j + c * k];
      const ptrdiff_t a = s->active[i], b = s->active[j];
      out->cov[a + b * s->n] = out->cov[b + a * s->n] = out->sigma2 * sum;
    }
  rbv_free(inverse);
  return status;
}

static void clear(solution *out, int n) {
  memset(out->x, 0, (size_t)n * sizeof *out->x);
  memset(out->cov, 0, (size_t)n * (size_t)n * sizeof *out->cov);
}

rbv_status rbv_linear_solve(solution *out, const double *R, ptrdiff_t rows, const selection *s) {
  const int k = s->count, ld = k + 1;
  RBV_TRY(check_rows(rows, k));
  clear(out, s->n);
  RBV_NEW(double, T, (size_t)ld *(size_t)ld);
  rbv_status status = select_columns(T, R, s);
  double *y = T + (ptrdiff_t)k * ld;
  if (status == RBV_OK) {
    out->rss = y[k] * y[k];
    out->dof = rows - k;
    out->sigma2 = out->rss / (double)out->dof;
    status = spread_covariance(out, T, s, ld);
  }
  if (status == RBV_OK) status = rbv_solve_upper(y, 1, ld, T, k, ld);
  for (int i = 0; i < k && status == RBV_OK; i++) out->x[s->active[i]] = y[i];
  rbv_free(T);
  return status;
}

/* ---- total least squares ---- */

rbv_status rbv_linear_total(solution *out, const double *R, ptrdiff_t rows, const selection *s) {
  const int k = s->count, ld = k + 1;
  RBV_TRY(check_rows(rows, k));
  clear(out, s->n);
  double *T = rbv_alloc((size_t)ld * (size_t)ld * sizeof *T);
  double *Vt = rbv_alloc((size_t)ld * (size_t)ld * sizeof *Vt);
  double *norm = rbv_alloc(2 * (size_t)ld * sizeof *norm), *sv = norm ? norm + ld : NULL;
  rbv_status status = T && Vt && norm ? select_columns(T, R, s) : RBV_EMEM;
  if (status == RBV_OK) {
    for (int c = 0; c < ld; c++) {
      for (int r = 0; r <= c; r++) norm[c] += T[r + (ptrdiff_t)c * ld] * T[r + (ptrdiff_t)c * ld];
      norm[c] = sqrt(norm[c]);
      for (int r = 0; r <= c && norm[c] > 0; r++) T[r + (ptrdiff_t)c * ld] /= norm[c];
    }
    status = rbv_svd(sv, NULL, Vt, T, ld, ld, ld);
  }
  if (status == RBV_OK) {
    // [W | Y] v is nearly zero: x = -v_W / v_Y, then undo the scaling
    const double vy = Vt[(ld - 1) + (ptrdiff_t)(ld - 1) * ld];
    if (!(fabs(vy) > 1e-12))
      status =
          rbv_fail(RBV_ENUM,
                   "total least squares has no solution: the torque does not contribute to the "
                   "smallest singular vector");
    double length = 1;
    for (int i = 0; i < k && status == RBV_OK; i++) {
      const double x = -Vt[(ld - 1) + (ptrdiff_t)i * ld] / vy;
      length += x * x;
      out->x[s->active[i]] = x * norm[k] / norm[i];
    }
    // first-order covariance: the residual is shared by all columns
    out->rss = sv[ld - 1] * sv[ld - 1] * length * norm[k] * norm[k];
    out->dof = rows - k;
    out->sigma2 = out->rss / (double)out->dof;
    for (int c = 0; c < k && status == RBV_OK; c++)
      for (int r = 0; r <= c; r++) T[r + (ptrdiff_t)c * ld] *= norm[c];
    if (status == RBV_OK) status = spread_covariance(out, T, s, ld);
  }
  RBV_FREE_ALL(T, Vt, norm);
  return status;
}

/* ---- instrumental variables ---- */

/* R factor of the selected columns of Z and of W, and Y: (2 count + 1) square */
static rbv_status select_instruments(double *out, const double *R, const selection *s) {
  const int ld = 2 * s->n + 1, k = s->count, width = 2 * k + 1;
  rbv_qr *qr = NULL;
  RBV_NEW(double, columns, (size_t)ld *(size_t)width);
  for (int c = 0; c < width; c++) {
    const int from = c < k ? s->active[c] : c < 2 * k ? s->n + s->active[c - k] : 2 * s->n;
    memcpy(columns + (ptrdiff_t)c * ld, R + (ptrdiff_t)from * ld, (size_t)ld * sizeof *columns);
  }
  rbv_status status = rbv_qr_new(&qr, width);
  if (status == RBV_OK) status = rbv_qr_add(qr, columns, ld, ld);
  if (status == RBV_OK) rbv_qr_get(out, qr);
  rbv_qr_free(qr);
  rbv_free(columns);
  return status;
}

static double column_norm(const double *T, int ld, int column, int rows) {
  double sum = 0;
  for (int r = 0; r < rows; r++)
    sum += T[r + (ptrdiff_t)column * ld] * T[r + (ptrdiff_t)column * ld];
  return sqrt(sum);
}

static rbv_status rate_instruments(instrument_quality *q, const double *T, int k) {
  const int ld = 2 * k + 1;
  RBV_NEW(double, product, (size_t)k *(size_t)k);
  q->strength = 1;
  for (int j = 0; j < k; j++) {
    const double explained = column_norm(T, ld, k + j, k), all = column_norm(T, ld, k + j, 2 * k);
    q->strength = fmin(q->strength, explained * explained / (all * all));
    for (int i = 0; i < k; i++) {
      double sum = 0;
      for (int r = 0; r <= i; r++) sum += T[r + (ptrdiff_t)i * ld] * T[r + (ptrdiff_t)(k + j) * ld];
      product[i + j * k] = sum / (column_norm(T, ld, i, k) * all);
    }
  }
  RBV_FINISH(rbv_condition(&q->condition, NULL, product, k, k, k), rbv_free(product));
}

/*
 * F of a column is how much longer the part of it is that only its own instrument explains than
 * noise of the size that all instruments leave would be. Row j of inv(R_zw) has the inverse of that
 * length: (W'P_z W)^-1 = inv(R_zw) inv(R_zw)'.
 */
static double weakest_column(const double *T, const double *inverse, int k, ptrdiff_t rows) {
  const int ld = 2 * k + 1;
  double smallest = INFINITY;
  for (int j = 0; j < k; j++) {
    const double explained = column_norm(T, ld, k + j, k), all = column_norm(T, ld, k + j, 2 * k);
    const double rest = fmax(all * all - explained * explained, 0) / (double)(rows - k);
    double sum = 0;
    for (int c = 0; c < k; c++) sum += inverse[j + c * k] * inverse[j + c * k];
    smallest = fmin(smallest, 1 / (sum * rest));
  }
  return smallest;
}

/* x from R_zw x = R_zy, and inv(R_zw) for the covariance: right-hand sides [R_zy, I] */
static rbv_status solve_instruments(solution *out, instrument_quality *quality, const double *T,
                                    const selection *s, ptrdiff_t rows) {
  const int k = s->count, ld = 2 * k + 1;
  RBV_NEW(double, right, (size_t)k *(size_t)(k + 1));
  double *inverse = right + k;
  memcpy(right, T + (ptrdiff_t)(2 * k) * ld, (size_t)k * sizeof *right);
  for (int i = 0; i < k; i++) inverse[i + i * k] = 1;
  rbv_status status = rbv_solve_general(right, k + 1, k, T + (ptrdiff_t)k * ld, k, ld);
  if (status == RBV_OK) {
    // residual Y - W x: the last columns of T times [x; -1]
    double rss = 0;
    for (int r = 0; r < ld; r++) {
      double e = T[r + (ptrdiff_t)(2 * k) * ld];
      for (int j = 0; j < k; j++) e -= T[r + (ptrdiff_t)(k + j) * ld] * right[j];
      rss += e * e;
    }
    out->rss = rss;
    out->dof = rows - k;
    out->sigma2 = rss / (double)out->dof;
    if (quality) quality->first_stage = weakest_column(T, inverse, k, rows);
    for (int i = 0; i < k; i++) {
      out->x[s->active[i]] = right[i];
      for (int j = 0; j < k; j++) {
        double sum = 0;
        for (int c = 0; c < k; c++) sum += inverse[i + c * k] * inverse[j + c * k];
        out->cov[s->active[i] + (ptrdiff_t)s->active[j] * s->n] = out->sigma2 * sum;
      }
    }
  }
  rbv_free(right);
  return status;
}

rbv_status rbv_linear_instruments(solution *out, instrument_quality *quality, const double *R,
                                  ptrdiff_t rows, const selection *s) {
  const int ld = 2 * s->count + 1;
  RBV_TRY(check_rows(rows, s->count));
  clear(out, s->n);
  RBV_NEW(double, T, (size_t)ld *(size_t)ld);
  rbv_status status = select_instruments(T, R, s);
  if (status == RBV_OK && quality) status = rate_instruments(quality, T, s->count);
  if (status == RBV_OK) status = solve_instruments(out, quality, T, s, rows);
  rbv_free(T);
  return status;
}

/* ---- prior ---- */

rbv_status rbv_linear_add_prior(double *out, const double *R, int n, const double *value,
                                const double *weight) {
  const int ld = n + 1;
  rbv_qr *qr = NULL;
  double *rows = rbv_alloc((size_t)n * (size_t)ld * sizeof *rows);
  rbv_status status = rows ? rbv_qr_new(&qr, ld) : RBV_EMEM;
  if (status == RBV_OK) status = rbv_qr_add(qr, R, ld, ld);
  int count = 0;
  for (int i = 0; i < n && status == RBV_OK; i++) {
    if (!(weight[i] > 0)) continue;
    rows[count + (ptrdiff_t)i * n] = weight[i];
    rows[count + (ptrdiff_t)n * n] = weight[i] * value[i];
    count++;
  }
  if (status == RBV_OK && count > 0) status = rbv_qr_add(qr, rows, count, n);
  if (status == RBV_OK) rbv_qr_get(out, qr);
  rbv_qr_free(qr);
  rbv_free(rows);
  return status;
}

/* ---- essential parameters ---- */

/* index in the selection of the unknown with the largest relative sigma */
static int worst(const solution *a, const selection *s, const double *inflation) {
  int at = 0;
  double largest = -1;
  for (int i = 0; i < s->count; i++) {
    const ptrdiff_t k = s->active[i];
    const double sigma = sqrt(a->cov[k + k * s->n]) * (inflation ? inflation[k] : 1);
    const double relative = sigma / fabs(a->x[k]);
    if (!(relative <= largest)) {
      largest = relative;
      at = i;
    }
  }
  return at;
}

rbv_status rbv_linear_reduce(solution *out, selection *s, const double *R, ptrdiff_t rows,
                             const double *inflation) {
  RBV_TRY(rbv_linear_solve(out, R, rows, s));
  while (s->count > 1) {
    const double rss = out->rss;
    const ptrdiff_t dof = out->dof;
    const int at = worst(out, s, inflation), removed = s->active[at];
    memmove(s->active + at, s->active + at + 1, (size_t)(s->count - at - 1) * sizeof *s->active);
    s->count--;
    RBV_TRY(rbv_linear_solve(out, R, rows, s));
    double quantile;
    RBV_TRY(rbv_stats_fisher_quantile(&quantile, 0.05, RBV_TAIL_UPPER, 1, (double)dof));
    const double factor = inflation ? inflation[removed] * inflation[removed] : 1;
    if ((out->rss - rss) / (rss / (double)dof) <= factor * quantile) continue;
    // it is significant: restore it and stop
    memmove(s->active + at + 1, s->active + at, (size_t)(s->count - at) * sizeof *s->active);
    s->active[at] = removed;
    s->count++;
    return rbv_linear_solve(out, R, rows, s);
  }
  return RBV_OK;
}

rbv_status rbv_linear_condition(double *raw, double *scaled, const double *R, const selection *s) {
  const int ld = s->count + 1;
  RBV_NEW(double, T, (size_t)ld *(size_t)ld);
  rbv_status status = select_columns(T, R, s);
  if (status == RBV_OK) status = rbv_condition(raw, scaled, T, s->count, s->count, ld);
  rbv_free(T);
  return status;
}
