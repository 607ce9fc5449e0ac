#include "check/lagged_rows.h"

#include <math.h>
#include <roberval/sys/stats.h>
#include <string.h>
#include "motion/motion.h"
#include "signal/signal.h"

#include "equations/row_stream.h"

RBV_THRESHOLDS(CHECK_LAGGED_ROWS);

/* ---- one pass over the recording ---- */

typedef struct {
  lagged_rows *out;
  const rbv_model *m;
  const view *v;
  rbv_dynamics *d;
  double *W;              // regressor of a chunk
  ptrdiff_t first;        // first sample of the chunk
  ptrdiff_t thin, *seen;  // keep every thin-th row; rows seen so far, nrow
} collector;

static rbv_status open_collector(void **worker, void *self) {
  *worker = self;
  return RBV_OK;
}

static void close_collector(void *worker) { (void)worker; }
static void begin_block(void *worker) { (void)worker; }

static void end_block(rbv_bytes *out, void *worker) {
  (void)out;
  (void)worker;
}

static rbv_status take_block(void *self, const void *data, size_t size) {
  (void)self;
  (void)data;
  (void)size;
  return RBV_OK;
}

static int row_width(const void *self, int row) {
  const collector *c = self;
  return c->out->row[row].ncolumn + c->out->nlag;
}

static rbv_status read_chunk(void *worker, const rbv_states *states, ptrdiff_t first) {
  collector *c = worker;
  c->first = first;
  rbv_regressor_batch(c->W, ROW_CHUNK, c->d, states, c->v->loaded);
  return RBV_OK;
}

/* torques beyond the ends repeat the end; the rows that use them are trimmed */
static void fill_row(void *worker, int row, double *X, ptrdiff_t ld, ptrdiff_t count,
                     const double *torque) {
  const collector *c = worker;
  const lagged_rows *o = c->out;
  const int n = o->row[row].ncolumn, first = rbv_model_row(c->m, row)->first;
  const double *tau = c->v->torque + row * c->v->count;
  (void)torque;
  for (int i = 0; i < n; i++)
    memcpy(X + i * ld, c->W + (ptrdiff_t)(first + i) * ROW_CHUNK, (size_t)count * sizeof *X);
  for (int i = 0; i < o->nlag; i++) {
    const ptrdiff_t from = c->first + (i - (o->nlag - 1) / 2) * o->step;
    for (ptrdiff_t k = 0; k < count; k++) {
      const ptrdiff_t at = from + k < 0 ? 0 : from + k;
      X[k + (n + i) * ld] = tau[at < c->v->count ? at : c->v->count - 1];
    }
  }
}

static rbv_status keep_rows(void *worker, int row, int fold, const double *A, ptrdiff_t ld,
                            ptrdiff_t count, ptrdiff_t masked) {
  collector *c = worker;
  lagged_row *r = &c->out->row[row];
  const int width = row_width(c, row);
  (void)masked;
  for (ptrdiff_t k = 0; k < count; k++) {
    if (c->seen[row]++ % c->thin != 0 || r->count == c->out->ld) continue;
    for (int i = 0; i < width; i++) r->A[r->count + i * c->out->ld] = A[k + i * ld];
    r->fold[r->count++] = (unsigned char)fold;
  }
  return RBV_OK;
}

/* ---- the recording as a motion ---- */

static rbv_status read_view(void *self, const rbv_samples *out, ptrdiff_t first, ptrdiff_t count) {
  const view *v = self;
  const struct {
    double *to;
    const double *from;
    int n;
  } part[] = {{out->q, v->q, v->njoint},
              {out->dq, v->dq, v->njoint},
              {out->ddq, v->ddq, v->njoint},
              {out->torque, v->torque, v->nrow}};
  for (int i = 0; i < RBV_COUNT(part); i++)
    for (int j = 0; j < part[i].n && part[i].to; j++)
      memcpy(part[i].to + j * out->ld, part[i].from + first + j * v->count,
             (size_t)count * sizeof(double));
  // a delay does not depend on the temperature, which a view does not keep
  for (int j = 0; j < v->njoint && out->temperature; j++)
    for (ptrdiff_t k = 0; k < count; k++) out->temperature[k + j * out->ld] = 25;
  if (out->valid) memcpy(out->valid, v->keep + first, (size_t)count * sizeof(bool));
  return RBV_OK;
}

static void free_nothing(void *self) { (void)self; }

static rbv_status as_motion(rbv_motion **out, view *v) {
  static const rbv_motion_source source = {read_view, free_nothing};
  const rbv_motion_info info = {.name = rbv_log_name(v->log),
                                .njoint = v->njoint,
                                .ntorque = v->nrow,
                                .count = v->count,
                                .rate_hz = v->rate_hz,
                                .temperature = true,
                                .loaded = v->loaded};
  return rbv_motion_new(out, &info, &source, v);
}

/* ---- preparation ---- */

static void layout(lagged_rows *o, collector *c, const rbv_model *m, rbv_arena *a) {
  o->row = RBV_TAKE(a, o->nrow, lagged_row);
  c->seen = RBV_TAKE(a, o->nrow, ptrdiff_t);
  c->W = RBV_TAKE(a, (size_t)rbv_model_entry_count(m) * ROW_CHUNK, double);
  for (int r = 0; r < o->nrow; r++) {
    const size_t width = (size_t)(rbv_model_row(m, r)->count + o->nlag);
    double *A = RBV_TAKE(a, (size_t)o->ld * width, double);
    unsigned char *fold = RBV_TAKE(a, o->ld, unsigned char);
    if (!a->base) continue;
    o->row[r] = (lagged_row){.ncolumn = rbv_model_row(m, r)->count,
                             .column = rbv_model_row(m, r)->columns,
                             .A = A,
                             .fold = fold};
  }
}

/* speed below which equations are left out: that of the typical joint, as in the identification */
static rbv_status choose_mask(double *out, const view *v) {
  double *work = rbv_alloc((size_t)v->njoint * sizeof *work);
  const double half = 0.5;
  const rbv_status status =
      work ? rbv_stats_quantiles(out, work, v->still, v->njoint, &half, 1) : RBV_EMEM;
  rbv_free(work);
  return status;
}

rbv_status rbv_lagged_rows_new(lagged_rows *out, const rbv_model *m, const view *v, double band_hz,
                               double reach_s, int nfold) {
  const int factor = (int)fmax(1, floor(PASS_BAND / 2 * v->rate_hz / band_hz + 1e-9));
  const rbv_decimate_options decimate = rbv_decimate_defaults(factor);
  const double step = fmax(1, floor(v->rate_hz / (LAGS_PER_PERIOD * band_hz)));
  const int half = (int)ceil(reach_s * v->rate_hz / step) + LAG_STENCIL / 2;
  *out = (lagged_rows){.band_hz = band_hz, .step = (ptrdiff_t)step, .nlag = 2 * half + 1};
  out->lag_s = step / v->rate_hz;
  out->nrow = v->nrow;
  ptrdiff_t count = factor > 1 ? rbv_decimate_count(v->count, &decimate) : v->count;
  rbv_row_filter filter = {.decimate = factor, .trim = (half + 1) * out->step, .folds = nfold};
  RBV_TRY(choose_mask(&filter.mask, v));
  if ((v->count - 1) / 2 <= filter.trim) count = 0;
  if (count < 1) return RBV_OK;
  collector c = {.out = out, .m = m, .v = v, .thin = 1 + (count - 1) / MOST_ROWS};
  out->ld = count < MOST_ROWS ? count : MOST_ROWS;
  rbv_arena carve = {0};
  RBV_CARVE(&carve, layout(out, &c, m, &carve));
  if (!carve.base) return RBV_EMEM;
  out->memory = carve.base;
  const row_client client = {.self = &c,
                             .open = open_collector,
                             .close = close_collector,
                             .width = row_width,
                             .begin = begin_block,
                             .chunk = read_chunk,
                             .fill = fill_row,
                             .emit = keep_rows,
                             .end = end_block,
                             .take = take_block};
  rbv_motion *motion = NULL;
  union {
    const view *in;
    view *out;
  } source = {v};
  rbv_status status = rbv_dynamics_new(&c.d, m);
  if (status == RBV_OK) status = as_motion(&motion, source.out);
  if (status == RBV_OK) status = rbv_row_stream_run(m, &filter, motion, &client);
  rbv_motion_free(motion);
  rbv_dynamics_free(c.d);
  if (status != RBV_OK) rbv_lagged_rows_free(out);
  return status;
}

void rbv_lagged_rows_free(lagged_rows *rows) {
  rbv_free(rows->memory);
  *rows = (lagged_rows){0};
}

/* cubic through four lags, the shift between the second and the third */
void rbv_lag_weights(int *first, double weight[LAG_STENCIL], double slope[LAG_STENCIL],
                     const lagged_rows *rows, double shift_s) {
  const double at = shift_s / rows->lag_s + (rows->nlag - 1) / 2;
  int low = (int)floor(at) - 1;
  if (low > rows->nlag - LAG_STENCIL) low = rows->nlag - LAG_STENCIL;
  if (low < 0) low = 0;
  *first = low;
  const double x = at - low - 1;
  weight[0] = -x * (x - 1) * (x - 2) / 6;
  weight[1] = (x + 1) * (x - 1) * (x - 2) / 2;
  weight[2] = -(x + 1) * x * (x - 2) / 2;
  weight[3] = (x + 1) * x * (x - 1) / 6;
  slope[0] = -(3 * x * x - 6 * x + 2) / 6;
  slope[1] = (3 * x * x - 4 * x - 1) / 2;
  slope[2] = -(3 * x * x - 2 * x - 2) / 2;
  slope[3] = (3 * x * x - 1) / 6;
  for (int i = 0; i < LAG_STENCIL; i++) slope[i] /= rows->lag_s;
}
