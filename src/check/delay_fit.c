#include "check/delay_fit.h"

#include <math.h>
#include <string.h>
#include "linalg/linalg.h"
#include "result/result.h"

#include "check/lagged_rows.h"

RBV_THRESHOLDS(CHECK_DELAY_FIT);

/*
 * One band. The columns of the stacked system are: the columns of the model that act, then minus
 * the derivative of the torque of each row, then the torque at the delay, then the torque as
 * recorded. Equations of a row are divided by the rms of its residual.
 */
typedef struct {
  lagged_rows rows;
  int nc, nrow, n;      // columns of the model; rows; all columns
  int *place;           // column of the model -> column of the system, -1: zero column
  double *weight;       // nrow
  double *norm;         // nc: norms of the columns
  double *T;            // rows of one torque row, ld x n
  double *common;       // n x n: rows of the regularisation
  double *all;          // n x n
  double *block;        // BLOCKS x n x n
  double *without;      // BLOCKS x n x n
  double *x;            // n
  double shared;        // the delay that fits all joints [s]
  double *own;          // nrow: delay of each row [s]
  double *sigma;        // nrow: its standard deviation
  double *own_deleted;  // BLOCKS x nrow: corrections of the shared delay without each block [s]
  rbv_qr *qr;
  void *memory;
} band;

static void layout(band *b, const rbv_model *m, rbv_arena *a) {
  const size_t n = (size_t)b->n, rows = (size_t)b->nrow;
  b->place = RBV_TAKE(a, rbv_model_column_count(m), int);
  b->weight = RBV_TAKE(a, rows, double);
  b->norm = RBV_TAKE(a, rbv_model_column_count(m), double);
  b->T = RBV_TAKE(a, (size_t)b->rows.ld * n, double);
  b->common = RBV_TAKE(a, n * n, double);
  b->all = RBV_TAKE(a, n * n, double);
  b->block = RBV_TAKE(a, BLOCKS * n * n, double);
  b->without = RBV_TAKE(a, BLOCKS * n * n, double);
  b->x = RBV_TAKE(a, n, double);
  b->own = RBV_TAKE(a, rows, double);
  b->own_deleted = RBV_TAKE(a, BLOCKS * rows, double);
  b->sigma = RBV_TAKE(a, rows, double);
}

static void close_band(band *b) {
  rbv_lagged_rows_free(&b->rows);
  rbv_qr_free(b->qr);
  rbv_free(b->memory);
}

/* columns that are not zero, and the first weights: the rms of each torque about its mean */
static void find_columns(band *b, int ncolumn) {
  for (int c = 0; c < ncolumn; c++) b->norm[c] = 0;
  for (int r = 0; r < b->nrow; r++) {
    const lagged_row *row = &b->rows.row[r];
    const double *tau = row->A + (ptrdiff_t)(row->ncolumn + (b->rows.nlag - 1) / 2) * b->rows.ld;
    double mean = 0, sum = 0;
    for (ptrdiff_t k = 0; k < row->count; k++) mean += tau[k] / (double)row->count;
    for (ptrdiff_t k = 0; k < row->count; k++) sum += (tau[k] - mean) * (tau[k] - mean);
    b->weight[r] = sum > 0 ? sqrt((double)row->count / sum) : 0;
    for (int i = 0; i < row->ncolumn; i++) {
      double s = 0;
      for (ptrdiff_t k = 0; k < row->count; k++) {
        const double w = row->A[k + i * b->rows.ld] * b->weight[r];
        s += w * w;
      }
      b->norm[row->column[i]] += s;
    }
  }
  double largest = 0;
  for (int c = 0; c < ncolumn; c++) largest = fmax(largest, b->norm[c]);
  b->nc = 0;
  for (int c = 0; c < ncolumn; c++) b->place[c] = b->norm[c] > 1e-18 * largest ? b->nc++ : -1;
  b->n = b->nc + b->nrow + 2;
}

static rbv_status open_band(band *b, const rbv_model *m, const view *v, double hz) {
  *b = (band){.nrow = v->nrow};
  RBV_TRY(rbv_lagged_rows_new(&b->rows, m, v, hz, DELAY_REACH, BLOCKS));
  if (!b->rows.memory) return RBV_OK;
  const int ncolumn = rbv_model_column_count(m);
  b->n = ncolumn + v->nrow + 2;
  rbv_arena carve = {0};
  RBV_CARVE(&carve, layout(b, m, &carve));
  if (!carve.base) return RBV_EMEM;
  b->memory = carve.base;
  find_columns(b, ncolumn);
  return rbv_qr_new(&b->qr, b->n);
}

/* ---- the stacked system ---- */

/* equations of a torque row from first to last - 1 at a delay, over all columns; returns their
 * number */
static ptrdiff_t fill_rows(band *b, int r, ptrdiff_t first, ptrdiff_t last, double delay) {
  const lagged_row *row = &b->rows.row[r];
  const ptrdiff_t ld = b->rows.ld, count = last - first;
  const double *A = row->A + first, *lag = A + row->ncolumn * ld, w = b->weight[r];
  double weight[LAG_STENCIL], slope[LAG_STENCIL];
  int at;
  rbv_lag_weights(&at, weight, slope, &b->rows, delay);
  for (int c = 0; c < b->n; c++) memset(b->T + c * ld, 0, (size_t)count * sizeof *b->T);
  for (int i = 0; i < row->ncolumn; i++) {
    const int c = b->place[row->column[i]];
    for (ptrdiff_t k = 0; k < count && c >= 0; k++) b->T[k + c * ld] = w * A[k + i * ld];
  }
  double *slow = b->T + (b->nc + r) * ld, *y = b->T + (b->n - 2) * ld, *y0 = y + ld;
  for (ptrdiff_t k = 0; k < count; k++) {
    for (int i = 0; i < LAG_STENCIL; i++) {
      const double tau = lag[k + (at + i) * ld];
      slow[k] -= w * slope[i] * tau;
      y[k] += w * weight[i] * tau;
    }
    y0[k] = w * lag[k + (b->rows.nlag - 1) / 2 * ld];
  }
  return count;
}

/* rows of the regularisation, for all columns but the two torques */
static rbv_status regularise(band *b) {
  const int n = b->n;
  memset(b->common, 0, (size_t)n * (size_t)n * sizeof *b->common);
  for (int c = 0; c < n - 2; c++) {
    double norm = 0;
    for (int r = 0; r < n; r++) norm = hypot(norm, b->all[r + (ptrdiff_t)c * n]);
    b->common[c + (ptrdiff_t)c * n] = fmax(REGULARISATION * norm, 1e-12);
  }
  return rbv_qr_add(b->qr, b->common, n, n);
}

/* the triangle of all equations and of the regularisation */
static rbv_status stack_all(band *b, double delay) {
  rbv_qr_reset(b->qr);
  for (int r = 0; r < b->nrow; r++) {
    const ptrdiff_t count = fill_rows(b, r, 0, b->rows.row[r].count, delay);
    RBV_TRY(rbv_qr_add(b->qr, b->T, count, b->rows.ld));
  }
  rbv_qr_get(b->all, b->qr);
  RBV_TRY(regularise(b));
  rbv_qr_get(b->all, b->qr);
  return RBV_OK;
}

/* the triangle of each block, and of all others; stack_all comes before */
static rbv_status stack_blocks(band *b, double delay) {
  const ptrdiff_t size = (ptrdiff_t)b->n * b->n;
  for (int k = 0; k < BLOCKS; k++) {
    rbv_qr_reset(b->qr);
    for (int r = 0; r < b->nrow; r++) {
      const lagged_row *row = &b->rows.row[r];
      ptrdiff_t first = 0, last;
      while (first < row->count && row->fold[first] < k) first++;
      for (last = first; last < row->count && row->fold[last] == k;) last++;
      RBV_TRY(rbv_qr_add(b->qr, b->T, fill_rows(b, r, first, last, delay), b->rows.ld));
    }
    rbv_qr_get(b->block + k * size, b->qr);
  }
  return rbv_qr_without_blocks(b->without, b->block, BLOCKS, b->n, b->common);
}

/* ---- estimates ---- */

/* correction of the one delay of all rows: the parameters are eliminated by the triangle */
static double shared_correction(const band *b, const double *R) {
  double uu = 0, uy = 0;
  for (int i = b->nc; i < b->nc + b->nrow; i++) {
    double u = 0;
    for (int r = 0; r < b->nrow; r++) u += R[i + (ptrdiff_t)(b->nc + r) * b->n];
    uu += u * u;
    uy += u * R[i + (ptrdiff_t)(b->n - 2) * b->n];
  }
  return uu > 0 ? uy / uu : 0;
}

/* corrections of the delays of the rows */
static rbv_status own_corrections(double *out, const band *b, const double *R) {
  const double *corner = R + b->nc + (ptrdiff_t)b->nc * b->n;
  memcpy(out, R + b->nc + (ptrdiff_t)(b->n - 2) * b->n, (size_t)b->nrow * sizeof *out);
  return rbv_solve_upper(out, 1, b->nrow, corner, b->nrow, b->n);
}

/* parameters for the torque at `shift` after the delay of the stack; base: the torque as recorded
 */
static rbv_status solve(double *x, const band *b, const double *R, double shift, bool base) {
  for (int i = 0; i < b->nc; i++) {
    x[i] = R[i + (ptrdiff_t)(b->n - (base ? 1 : 2)) * b->n];
    for (int r = 0; r < b->nrow && !base; r++) x[i] -= shift * R[i + (ptrdiff_t)(b->nc + r) * b->n];
  }
  return rbv_solve_upper(x, 1, b->nc, R, b->nc, b->n);
}

/* sum of squared residuals of the equations of a triangle */
static double residual(const band *b, const double *R, const double *x, double shift, bool base) {
  double sum = 0;
  for (int i = 0; i < b->n; i++) {
    double e = R[i + (ptrdiff_t)(b->n - (base ? 1 : 2)) * b->n];
    for (int r = 0; r < b->nrow && !base; r++) e -= shift * R[i + (ptrdiff_t)(b->nc + r) * b->n];
    for (int c = i; c < b->nc; c++) e -= R[i + (ptrdiff_t)c * b->n] * x[c];
    sum += e * e;
  }
  return sum;
}

/*
 * Divide the equations of each row by the rms of its residual. The residual is that of a fit in
 * which each row has a delay of its own, so that a delay of the recording does not change the
 * weights.
 */
static rbv_status update_weights(band *b, double delay) {
  const int n = b->nc + b->nrow;
  const ptrdiff_t ld = b->rows.ld;
  memcpy(b->x, b->all + (ptrdiff_t)n * b->n, (size_t)n * sizeof *b->x);
  RBV_TRY(rbv_solve_upper(b->x, 1, n, b->all, n, b->n));
  for (int r = 0; r < b->nrow; r++) {
    const ptrdiff_t count = fill_rows(b, r, 0, b->rows.row[r].count, delay);
    double sum = 0, size = 0;
    for (ptrdiff_t k = 0; k < count; k++) {
      const double y = b->T[k + n * ld];
      double e = y;
      for (int c = 0; c < n; c++) e -= b->T[k + c * ld] * b->x[c];
      sum += e * e;
      size += y * y;
    }
    // a row that is fitted exactly does not outweigh all others
    if (sum > 0) b->weight[r] *= sqrt((double)count / fmax(sum, 1e-6 * size));
  }
  return RBV_OK;
}

static rbv_status estimate(band *b, double start) {
  b->shared = start;
  for (int i = 0; i < ITERATIONS; i++) {
    RBV_TRY(stack_all(b, b->shared));
    double step = shared_correction(b, b->all);
    // a quarter of a period of the band is beyond the linear range
    step = fmin(fmax(step, -0.125 / b->rows.band_hz), 0.125 / b->rows.band_hz);
    RBV_TRY(update_weights(b, b->shared));
    const double next = fmin(fmax(b->shared + step, -DELAY_REACH), DELAY_REACH);
    const bool done = fabs(next - b->shared) < CONVERGED;
    b->shared = next;
    if (done) break;
  }
  RBV_TRY(stack_all(b, b->shared));
  RBV_TRY(own_corrections(b->own, b, b->all));
  RBV_TRY(stack_blocks(b, b->shared));
  for (int k = 0; k < BLOCKS; k++) {
    const double *R = b->without + (ptrdiff_t)k * b->n * b->n;
    RBV_TRY(own_corrections(b->own_deleted + k * b->nrow, b, R));
  }
  for (int r = 0; r < b->nrow; r++) {
    double without[BLOCKS];
    for (int k = 0; k < BLOCKS; k++) without[k] = b->own_deleted[k * b->nrow + r];
    b->sigma[r] = rbv_jackknife_spread(without, BLOCKS, 1);
    b->own[r] += b->shared;
  }
  return RBV_OK;
}

/* ---- uncertainty ---- */

/* true if the torque of a row changes and its delay has an influence */
static bool takes_part(const band *b, int r) {
  return b->rows.row[r].count > BLOCKS && b->weight[r] > 0 && b->sigma[r] > 0;
}

/* mean of values of the rows, weighted by their information */
static double mean_of_joints(const band *b, const double *values) {
  double sum = 0, weights = 0;
  for (int r = 0; r < b->nrow; r++) {
    if (!takes_part(b, r)) continue;
    const double w = 1 / (b->sigma[r] * b->sigma[r]);
    sum += w * values[r];
    weights += w;
  }
  return sum / weights;
}

/*
 * Standard deviation of the mean: from the scatter of the joints, each of which is one observation,
 * or from their own standard deviations, whichever is larger. The factor corrects for few
 * observations.
 */
static double sigma_of_mean(const band *b, double mean) {
  double sum = 0, squares = 0, scatter = 0;
  for (int r = 0; r < b->nrow; r++) {
    if (!takes_part(b, r)) continue;
    const double w = 1 / (b->sigma[r] * b->sigma[r]), e = w * (b->own[r] - mean);
    sum += w;
    squares += w * w;
    scatter += e * e;
  }
  const double effective = sum * sum / squares;
  return fmax(sqrt(scatter * effective / fmax(effective - 1, 0.5)) / sum, 1 / sqrt(sum));
}

/* held-out error of each block without and with a delay that was estimated without the block */
static rbv_status cross_validate(delay_fit *out, band *wide, const band *narrow) {
  RBV_TRY(stack_all(wide, out->delay_s));
  RBV_TRY(stack_blocks(wide, out->delay_s));
  const ptrdiff_t size = (ptrdiff_t)wide->n * wide->n;
  double gain[BLOCKS], before = 0, after = 0, mean = 0, scatter = 0;
  int used = 0;
  for (int k = 0; k < BLOCKS; k++) {
    const double *rest = wide->without + k * size, *held = wide->block + k * size;
    const double without = mean_of_joints(narrow, narrow->own_deleted + k * narrow->nrow);
    const double shift = narrow->shared + without - out->delay_s;
    RBV_TRY(solve(wide->x, wide, rest, 0, true));
    const double plain = residual(wide, held, wide->x, 0, true);
    RBV_TRY(solve(wide->x, wide, rest, shift, false));
    const double shifted = residual(wide, held, wide->x, shift, false);
    if (!(plain > 0 && shifted > 0)) continue;  // a block without motion
    before += plain;
    after += shifted;
    gain[used++] = log(plain / shifted);
  }
  for (int k = 0; k < used; k++) mean += gain[k] / used;
  for (int k = 0; k < used; k++) scatter += (gain[k] - mean) * (gain[k] - mean);
  out->gain = before > 0 ? 1 - sqrt(after / before) : 0;
  out->t = scatter > 0 ? mean / sqrt(scatter / (used * (used - 1.0))) : 0;
  return RBV_OK;
}

static rbv_status combine(delay_fit *out, band *narrow, band *wide) {
  for (int r = 0; r < narrow->nrow; r++) out->joints += takes_part(narrow, r);
  if (out->joints == 0) return RBV_OK;
  const double low = mean_of_joints(narrow, narrow->own), high = mean_of_joints(wide, wide->own);
  out->delay_s = fmin(fmax(low, -DELAY_REACH), DELAY_REACH);
  out->at_limit = fabs(low) >= DELAY_REACH;
  // the joints of either band may disagree
  const double scatter = fmax(sigma_of_mean(narrow, low), sigma_of_mean(wide, high));
  out->sigma_s = hypot(scatter, low - high);
  RBV_TRY(cross_validate(out, wide, narrow));
  out->known = isfinite(out->sigma_s);
  return RBV_OK;
}

/* enough equations for the parameters */
static bool enough(const band *b) {
  if (!b->memory) return false;
  ptrdiff_t count = 0;
  for (int r = 0; r < b->nrow; r++) count += b->rows.row[r].count;
  return 2 * count > 3 * b->n;
}

rbv_status rbv_fit_delay(delay_fit *out, const rbv_model *m, const view *v) {
  const double pass = PASS_BAND * fmin(v->cutoff_hz, v->rate_hz) / 2;
  *out = (delay_fit){.band_hz = fmin(pass, HIGHEST_HZ)};
  band narrow, wide = {0};
  rbv_status status = open_band(&narrow, m, v, out->band_hz / 2);
  if (status == RBV_OK) status = open_band(&wide, m, v, out->band_hz);
  if (status == RBV_OK && enough(&narrow) && enough(&wide)) {
    status = estimate(&narrow, 0);
    if (status == RBV_OK) status = estimate(&wide, narrow.shared);
    if (status == RBV_OK) status = combine(out, &narrow, &wide);
  }
  close_band(&narrow);
  close_band(&wide);
  return status;
}
