#include <roberval/system.h>

#include <math.h>
#include <roberval/linalg.h>
#include <string.h>

#include "system/pump.h"

/* a group with what made it */
typedef struct {
  rbv_group public;
  double *R, *RZ;
} group;

struct rbv_system {
  const rbv_model *m;
  rbv_row_filter filter;
  int ncolumn;
  int *column;    // of the model
  int *pattern;   // nrow x ncolumn: positions that a row uses
  int *npattern;  // nrow
  int *entry;     // nrow x ncolumn: entry of the regressor behind each of them
  bool clips;
  double *clip_chi;    // of the model's columns
  double *clip_limit;  // nrow
  int ngroup, nmotion;
  group *group;
};

static void layout(rbv_system *s, const rbv_model *m, int ncolumn, rbv_arena *a) {
  s->column = RBV_TAKE(a, ncolumn, int);
  s->pattern = RBV_TAKE(a, m->nrow * ncolumn, int);
  s->entry = RBV_TAKE(a, m->nrow * ncolumn, int);
  s->npattern = RBV_TAKE(a, m->nrow, int);
  s->clip_chi = RBV_TAKE(a, m->ncolumn, double);
  s->clip_limit = RBV_TAKE(a, m->nrow, double);
}

/* position of a model column in the list, -1 when it takes no part */
static int position(const rbv_system *s, int column) {
  for (int c = 0; c < s->ncolumn; c++)
    if (s->column[c] == column) return c;
  return -1;
}

rbv_status rbv_system_new(rbv_system **out, const rbv_model *m, const int *columns, int ncolumn,
                          const rbv_row_filter *filter) {
  *out = NULL;
  if (!m || !columns || ncolumn < 1) return rbv_fail(RBV_EARG, "a system needs columns");
  for (int c = 0; c < ncolumn; c++) {
    if (columns[c] < 0 || columns[c] >= m->ncolumn)
      return rbv_fail(RBV_EARG, "column %d is not one of the robot's %d", columns[c], m->ncolumn);
    for (int k = 0; k < c; k++)
      if (columns[k] == columns[c])
        return rbv_fail(RBV_EARG, "column %d is listed twice", columns[c]);
  }
  rbv_system sizes;
  rbv_arena measure = {0};
  (void)RBV_TAKE(&measure, 1, rbv_system);
  layout(&sizes, m, ncolumn, &measure);
  char *memory = rbv_alloc(measure.used);
  if (!memory) return RBV_EMEM;
  rbv_arena carve = {.base = memory};
  rbv_system *s = RBV_TAKE(&carve, 1, rbv_system);
  layout(s, m, ncolumn, &carve);
  s->m = m;
  s->filter = *filter;
  s->ncolumn = ncolumn;
  memcpy(s->column, columns, (size_t)ncolumn * sizeof *columns);
  for (int r = 0; r < m->nrow; r++)
    for (int k = 0; k < m->row[r].count; k++) {
      const int at = position(s, m->row[r].columns[k]);
      if (at < 0) continue;
      s->entry[r * ncolumn + s->npattern[r]] = m->row[r].first + k;
      s->pattern[r * ncolumn + s->npattern[r]++] = at;
    }
  *out = s;
  return RBV_OK;
}

/* forget the groups from this one on */
static void drop_groups(rbv_system *s, int first) {
  for (int g = first; g < s->ngroup; g++) {
    rbv_free(s->group[g].R);
    rbv_free(s->group[g].RZ);
  }
  s->ngroup = first;
}

void rbv_system_clear(rbv_system *s) {
  drop_groups(s, 0);
  s->nmotion = 0;
}

void rbv_system_set_filter(rbv_system *s, const rbv_row_filter *filter) {
  rbv_system_clear(s);
  s->filter = *filter;
}

void rbv_system_free(rbv_system *s) {
  if (!s) return;
  drop_groups(s, 0);
  rbv_free(s->group);
  rbv_free(s);
}

rbv_status rbv_system_clip(rbv_system *s, const double *chi, const double *limit) {
  s->clips = chi && limit;
  if (!s->clips) return RBV_OK;
  for (int r = 0; r < s->m->nrow; r++)
    if (!(limit[r] > 0))
      return rbv_fail(RBV_EARG, "the limit of torque row %d is not positive", r + 1);
  memcpy(s->clip_chi, chi, (size_t)s->m->ncolumn * sizeof *chi);
  memcpy(s->clip_limit, limit, (size_t)s->m->nrow * sizeof *limit);
  return RBV_OK;
}

int rbv_system_column_count(const rbv_system *s) { return s->ncolumn; }
int rbv_system_group_count(const rbv_system *s) { return s->ngroup; }
const rbv_group *rbv_system_group(const rbv_system *s, int g) { return &s->group[g].public; }

/* ---- compression ---- */

typedef struct {
  rbv_system *s;
  rbv_dynamics *d;
  double *W;          // regressor entries of a chunk
  double *predicted;  // nrow x chunk, for clipping
  int nfold;
  rbv_qr **qr;              // nrow x nfold, of [W | Y] or [Z | W | Y]
  group *fresh;             // nrow x nfold
  rbv_motion *instruments;  // NULL: none; then what follows is NULL too
  double *Z, *state;        // regressor and states of a chunk of theirs
  const char *name;         // of the motion
  ptrdiff_t samples;        // before the chunk
  rbv_status status;        // of the columns that the robot file defines
} compressor;

static int compress_width(void *self, int row) {
  const compressor *c = self;
  return (c->instruments ? 2 : 1) * c->s->npattern[row] + 1;
}

/* the instruments' regressor for the same samples */
static rbv_status read_instruments(compressor *c, ptrdiff_t count) {
  const int n = c->s->m->njoint;
  double *q = c->state, *dq = q + n * PUMP_CHUNK, *ddq = dq + n * PUMP_CHUNK;
  const rbv_samples samples = {.ld = PUMP_CHUNK, .q = q, .dq = dq, .ddq = ddq};
  RBV_TRY(rbv_motion_read(c->instruments, &samples, c->samples, count));
  const rbv_states states = {count, PUMP_CHUNK, q, dq, ddq};
  rbv_regressor_batch(c->Z, PUMP_CHUNK, c->d, &states, rbv_motion_get_info(c->instruments)->loaded);
  return RBV_OK;
}

static const double *compress_velocity(void *self) {
  const compressor *c = self;
  return c->state + c->s->m->njoint * PUMP_CHUNK;
}

/* a formula without a value would spoil every row that a filter makes of this one */
static void check_formulas(compressor *c, ptrdiff_t count) {
  const rbv_system *s = c->s;
  for (int r = 0; r < s->m->nrow && c->status == RBV_OK; r++)
    for (int i = 0; i < s->npattern[r]; i++) {
      const int at = r * s->ncolumn + i;
      const rbv_column *column = &s->m->column[s->column[s->pattern[at]]];
      if (column->basis != RBV_BASIS_EXPRESSION) continue;
      const double *x = c->W + (ptrdiff_t)s->entry[at] * PUMP_CHUNK;
      for (ptrdiff_t k = 0; k < count && c->status == RBV_OK; k++)
        if (!isfinite(x[k]))
          c->status = rbv_fail(RBV_ENUM, "'%s': column '%s' has no finite value at sample %td",
                               c->name, column->name, c->samples + k + 1);
    }
  c->samples += count;
}

static void compress_chunk(void *self, const rbv_states *states, bool loaded) {
  compressor *c = self;
  rbv_regressor_batch(c->W, PUMP_CHUNK, c->d, states, loaded);
  if (c->instruments && c->status == RBV_OK) c->status = read_instruments(c, states->count);
  check_formulas(c, states->count);
  if (c->s->clips) rbv_dynamics_rows_batch(c->predicted, PUMP_CHUNK, c->d, states);
}

static void compress_fill(void *self, int row, double *X, ptrdiff_t ld, ptrdiff_t count,
                          const double *torque) {
  const compressor *c = self;
  const rbv_system *s = c->s;
  const size_t bytes = (size_t)count * sizeof *X;
  const int n = s->npattern[row];
  for (int k = 0; k < n && c->instruments; k++, X += ld)
    memcpy(X, c->Z + (ptrdiff_t)s->entry[row * s->ncolumn + k] * PUMP_CHUNK, bytes);
  for (int k = 0; k < n; k++)
    memcpy(X + k * ld, c->W + (ptrdiff_t)s->entry[row * s->ncolumn + k] * PUMP_CHUNK, bytes);
  memcpy(X + n * ld, torque, bytes);
  if (!s->clips) return;
  const double limit = s->clip_limit[row], *fit = c->predicted + row * PUMP_CHUNK;
  for (ptrdiff_t k = 0; k < count; k++)
    X[k + n * ld] = fit[k] + fmax(-limit, fmin(limit, torque[k] - fit[k]));
}

static rbv_status compress_emit(void *self, int row, int fold, const double *A, ptrdiff_t ld,
                                ptrdiff_t count, ptrdiff_t masked) {
  compressor *c = self;
  const int at = row * c->nfold + fold;
  if (c->status != RBV_OK) return c->status;
  c->fresh[at].public.rows += count;
  c->fresh[at].public.masked += masked;
  if (count == 0) return RBV_OK;
  return rbv_qr_add(c->qr[at], A, count, ld);
}

/* the triangle of [W | Y], out of that of [Z | W | Y] where there are instruments */
static rbv_status get_triangle(double *R, const compressor *c, const group *g, int at, int n) {
  if (!g->RZ) {
    rbv_qr_get(R, c->qr[at]);
    return RBV_OK;
  }
  rbv_qr *qr;
  RBV_TRY(rbv_qr_new(&qr, n + 1));
  const rbv_status status =
      rbv_qr_add(qr, g->RZ + (ptrdiff_t)n * (2 * n + 1), 2 * n + 1, 2 * n + 1);
  if (status == RBV_OK) rbv_qr_get(R, qr);
  rbv_qr_free(qr);
  return status;
}

static rbv_status new_triangles(compressor *c, group *g, int at, int n) {
  const size_t width = 2 * (size_t)n + 1;
  g->R = rbv_alloc((size_t)(n + 1) * (size_t)(n + 1) * sizeof *g->R);
  g->RZ = c->instruments ? rbv_alloc(width * width * sizeof *g->RZ) : NULL;
  rbv_status status = g->R && (g->RZ || !c->instruments) ? RBV_OK : RBV_EMEM;
  if (status == RBV_OK && g->RZ) rbv_qr_get(g->RZ, c->qr[at]);
  if (status == RBV_OK) status = get_triangle(g->R, c, g, at, n);
  if (status == RBV_OK) return RBV_OK;
  rbv_free(g->R);
  rbv_free(g->RZ);
  return status;
}

static rbv_status keep_triangles(compressor *c) {
  rbv_system *s = c->s;
  const int count = s->m->nrow * c->nfold;
  group *all = rbv_realloc(s->group, (size_t)s->ngroup * sizeof *all,
                           (size_t)(s->ngroup + count) * sizeof *all);
  if (!all) return RBV_EMEM;
  s->group = all;
  for (int at = 0; at < count; at++) {
    const int row = at / c->nfold, n = s->npattern[row];
    group *g = &c->fresh[at];
    RBV_TRY(new_triangles(c, g, at, n));
    g->public.RZ = g->RZ;
    g->public.row = row;
    g->public.motion = s->nmotion;
    g->public.fold = at % c->nfold;
    g->public.ncolumn = n;
    g->public.column = s->pattern + row * s->ncolumn;
    g->public.R = g->R;
    s->group[s->ngroup++] = *g;
  }
  s->nmotion++;
  return RBV_OK;
}

static rbv_status new_compressor(compressor *c, bool loaded) {
  const rbv_system *s = c->s;
  const int count = s->m->nrow * c->nfold;
  c->W = rbv_alloc((size_t)s->m->nentry * PUMP_CHUNK * sizeof *c->W);
  c->predicted = rbv_alloc((size_t)s->m->nrow * PUMP_CHUNK * sizeof *c->predicted);
  c->qr = rbv_alloc((size_t)count * sizeof(rbv_qr *));
  c->fresh = rbv_alloc((size_t)count * sizeof *c->fresh);
  if (!c->W || !c->predicted || !c->qr || !c->fresh) return RBV_EMEM;
  RBV_TRY(rbv_dynamics_new(&c->d, s->m));
  if (s->clips) RBV_TRY(rbv_dynamics_set(c->d, s->clip_chi, loaded));
  for (int at = 0; at < count; at++)
    RBV_TRY(rbv_qr_new(&c->qr[at], compress_width(c, at / c->nfold)));
  if (!c->instruments) return RBV_OK;
  c->Z = rbv_alloc((size_t)s->m->nentry * PUMP_CHUNK * sizeof *c->Z);
  c->state = rbv_alloc(3 * (size_t)s->m->njoint * PUMP_CHUNK * sizeof *c->state);
  return c->Z && c->state ? RBV_OK : RBV_EMEM;
}

static void free_compressor(compressor *c) {
  for (int at = 0; at < c->s->m->nrow * c->nfold && c->qr; at++) rbv_qr_free(c->qr[at]);
  rbv_free(c->qr);
  rbv_free(c->Z);
  rbv_free(c->state);
  rbv_free(c->fresh);
  rbv_dynamics_free(c->d);
  rbv_free(c->W);
  rbv_free(c->predicted);
}

rbv_status rbv_system_add(rbv_system *s, rbv_motion *motion) {
  return rbv_system_add_with(s, motion, NULL);
}

rbv_status rbv_system_add_with(rbv_system *s, rbv_motion *motion, rbv_motion *instruments) {
  if (instruments && rbv_motion_get_info(instruments)->count != rbv_motion_get_info(motion)->count)
    return rbv_fail(RBV_EDIM, "'%s' has %td samples, its instruments have %td",
                    rbv_motion_get_info(motion)->name, rbv_motion_get_info(motion)->count,
                    rbv_motion_get_info(instruments)->count);
  const int before = s->ngroup;
  compressor c = {.s = s,
                  .instruments = instruments,
                  .nfold = s->filter.folds > 1 ? s->filter.folds : 1,
                  .name = rbv_motion_get_info(motion)->name};
  rbv_status status = new_compressor(&c, rbv_motion_get_info(motion)->loaded);
  const pump_client client = {.self = &c,
                              .width = compress_width,
                              .chunk = compress_chunk,
                              .velocity = instruments ? compress_velocity : NULL,
                              .fill = compress_fill,
                              .emit = compress_emit};
  if (status == RBV_OK) status = rbv_pump_run(s->m, &s->filter, motion, &client);
  if (status == RBV_OK) status = keep_triangles(&c);
  if (status != RBV_OK) drop_groups(s, before);  // nothing half added
  free_compressor(&c);
  return status;
}

/* ---- stacking ---- */

/* rows of a group's triangle, scaled and spread over width columns; Y goes to column y */
static rbv_status add_group(rbv_qr *qr, double *wide, const rbv_group *g, int width, int y,
                            double scale) {
  const int n = g->ncolumn + 1;
  memset(wide, 0, (size_t)n * (size_t)width * sizeof *wide);
  for (int c = 0; c < n; c++) {
    const int to = c < g->ncolumn ? g->column[c] : y;
    for (int r = 0; r <= c; r++) wide[r + (ptrdiff_t)to * n] = scale * g->R[r + (ptrdiff_t)c * n];
  }
  return rbv_qr_add(qr, wide, n, n);
}

rbv_status rbv_system_stack(double *R, ptrdiff_t *rows, const rbv_system *s, const double *sigma,
                            const int *count, bool per_joint) {
  const int width = s->ncolumn + (per_joint ? s->m->njoint : 1);
  rbv_qr *qr = NULL;
  double *wide = rbv_alloc((size_t)(s->ncolumn + 1) * (size_t)width * sizeof *wide);
  rbv_status status = wide ? rbv_qr_new(&qr, width) : RBV_EMEM;
  if (rows) *rows = 0;
  for (int i = 0; i < s->ngroup && status == RBV_OK; i++) {
    const rbv_group *g = &s->group[i].public;
    const int times = count ? count[i] : 1;
    if (times == 0) continue;
    // a group that takes part k times is one with sqrt(k) times the weight
    const double scale = (sigma ? 1 / sigma[g->row] : 1) * sqrt(times);
    const int y = s->ncolumn + (per_joint ? s->m->row[g->row].joint : 0);
    status = add_group(qr, wide, g, width, y, scale);
    if (rows) *rows += times * g->rows;
  }
  if (status == RBV_OK) rbv_qr_get(R, qr);
  rbv_qr_free(qr);
  rbv_free(wide);
  return status;
}

/* rows of a group's triangle of [Z | W | Y], spread over (2 ncolumn + 1) columns */
static rbv_status add_instruments(rbv_qr *qr, double *wide, const rbv_group *g, int ncolumn,
                                  double scale) {
  const int k = g->ncolumn, n = 2 * k + 1;
  memset(wide, 0, (size_t)n * (size_t)(2 * ncolumn + 1) * sizeof *wide);
  for (int c = 0; c < n; c++) {
    const int to = c < k ? g->column[c] : c < 2 * k ? ncolumn + g->column[c - k] : 2 * ncolumn;
    for (int r = 0; r <= c; r++) wide[r + (ptrdiff_t)to * n] = scale * g->RZ[r + (ptrdiff_t)c * n];
  }
  return rbv_qr_add(qr, wide, n, n);
}

rbv_status rbv_system_stack_instruments(double *R, ptrdiff_t *rows, const rbv_system *s,
                                        const double *sigma, const int *count) {
  const int width = 2 * s->ncolumn + 1;
  rbv_qr *qr = NULL;
  double *wide = rbv_alloc((size_t)width * (size_t)width * sizeof *wide);
  rbv_status status = wide ? rbv_qr_new(&qr, width) : RBV_EMEM;
  if (rows) *rows = 0;
  for (int i = 0; i < s->ngroup && status == RBV_OK; i++) {
    const rbv_group *g = &s->group[i].public;
    const int times = count ? count[i] : 1;
    if (times == 0) continue;
    if (!g->RZ) {
      status = rbv_fail(RBV_EARG, "a group has no instruments");
      break;
    }
    const double scale = (sigma ? 1 / sigma[g->row] : 1) * sqrt(times);
    status = add_instruments(qr, wide, g, s->ncolumn, scale);
    if (rows) *rows += times * g->rows;
  }
  if (status == RBV_OK) rbv_qr_get(R, qr);
  rbv_qr_free(qr);
  rbv_free(wide);
  return status;
}

void rbv_system_residual(double *rss, double *yy, const rbv_system *s, int i, const double *x) {
  const rbv_group *g = &s->group[i].public;
  const int n = g->ncolumn + 1;
  *rss = *yy = 0;
  for (int r = 0; r < n; r++) {
    const double y = g->R[r + (ptrdiff_t)g->ncolumn * n];
    double e = y;
    for (int c = r; c < g->ncolumn; c++) e -= g->R[r + (ptrdiff_t)c * n] * x[g->column[c]];
    *rss += e * e;
    *yy += y * y;
  }
}

/* norms of the system's columns over the groups of one row, or of all rows (-1) */
static void column_norms(double *norm, const rbv_system *s, int row, const int *count) {
  memset(norm, 0, (size_t)s->ncolumn * sizeof *norm);
  for (int i = 0; i < s->ngroup; i++) {
    const rbv_group *g = &s->group[i].public;
    if ((row >= 0 && g->row != row) || (count && count[i] == 0)) continue;
    for (int c = 0; c < g->ncolumn; c++)
      for (int r = 0; r <= c; r++) {
        const double x = g->R[r + (ptrdiff_t)c * (g->ncolumn + 1)];
        norm[g->column[c]] += x * x;
      }
  }
  for (int c = 0; c < s->ncolumn; c++) norm[c] = sqrt(norm[c]);
}

/* triangle of a row over all motions, its columns of unit length so that units do not matter; a
 * column that is mere rounding beside what it is in other rows becomes zero */
static rbv_status row_triangle(double *R, ptrdiff_t *rows, const rbv_system *s, int row,
                               const int *count, double *norm) {
  const int n = s->npattern[row] + 1;
  const double *mine = norm, *all = norm + s->ncolumn;
  rbv_qr *qr;
  RBV_TRY(rbv_qr_new(&qr, n));
  rbv_status status = RBV_OK;
  *rows = 0;
  for (int g = 0; g < s->ngroup && status == RBV_OK; g++) {
    if (s->group[g].public.row != row || (count && count[g] == 0)) continue;
    *rows += s->group[g].public.rows;
    status = rbv_qr_add(qr, s->group[g].R, n, n);
  }
  if (status == RBV_OK) rbv_qr_get(R, qr);
  rbv_qr_free(qr);
  column_norms(norm, s, row, count);
  column_norms(norm + s->ncolumn, s, -1, count);
  for (int c = 0; c < n - 1; c++) {
    const int at = s->pattern[row * s->ncolumn + c];
    const double scale = mine[at] > 1e-10 * all[at] ? 1 / mine[at] : 0;
    for (int r = 0; r <= c; r++) R[r + (ptrdiff_t)c * n] *= scale;
  }
  return status;
}

rbv_status rbv_system_row_sigma(double *sigma, const rbv_system *s, int row, const int *count) {
  const int n = s->npattern[row] + 1;
  double *R = rbv_alloc((size_t)n * (size_t)n * sizeof *R), *x = rbv_alloc((size_t)n * sizeof *x);
  double *norm = rbv_alloc(2 * (size_t)s->ncolumn * sizeof *norm);
  const double *y = R + (ptrdiff_t)(n - 1) * n;
  ptrdiff_t rows = 0;
  int rank = 0;
  rbv_status status = R && x && norm ? row_triangle(R, &rows, s, row, count, norm) : RBV_EMEM;
  if (status == RBV_OK && n > 1)
    status = rbv_least_squares(x, &rank, NULL, R, n, n - 1, n, y, 1e-10);
  if (status == RBV_OK && rows <= rank)
    status = rbv_fail(RBV_EINPUT,
                      "torque row %d has %td equations for %d unknowns: record longer, decimate or "
                      "mask less",
                      row + 1, rows, rank);
  double rss = 0;
  for (int r = 0; r < n && status == RBV_OK; r++) {
    double e = y[r];
    for (int c = r; c < n - 1; c++) e -= R[r + (ptrdiff_t)c * n] * x[c];
    rss += e * e;
  }
  if (status == RBV_OK) *sigma = sqrt(rss / (double)(rows - rank));
  rbv_free(R);
  rbv_free(x);
  rbv_free(norm);
  return status;
}
