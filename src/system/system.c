#include <roberval/system.h>

#include <math.h>
#include <roberval/linalg.h>
#include <string.h>

#include "system/pump.h"

/* a group with what made it */
typedef struct {
  rbv_group public;
  double *R;
} group;

struct rbv_system {
  const rbv_model *m;
  rbv_row_filter filter;
  int ncolumn;
  int *column;    // of the model
  int *position;  // column of the model -> position in the list, -1
  int *pattern;   // nrow x ncolumn: positions that a row uses
  int *npattern;  // nrow
  int *entry;     // nrow x ncolumn: entry of the regressor behind each of them
  int ngroup, nmotion;
  group *group;
};

static void layout(rbv_system *s, const rbv_model *m, int ncolumn, rbv_arena *a) {
  s->column = RBV_TAKE(a, ncolumn, int);
  s->position = RBV_TAKE(a, m->ncolumn, int);
  s->pattern = RBV_TAKE(a, m->nrow * ncolumn, int);
  s->entry = RBV_TAKE(a, m->nrow * ncolumn, int);
  s->npattern = RBV_TAKE(a, m->nrow, int);
}

rbv_status rbv_system_new(rbv_system **out, const rbv_model *m, const int *columns, int ncolumn,
                          const rbv_row_filter *filter) {
  *out = NULL;
  if (!m || !columns || ncolumn < 1) return rbv_fail(RBV_EARG, "a system needs columns");
  for (int c = 0; c < ncolumn; c++)
    if (columns[c] < 0 || columns[c] >= m->ncolumn)
      return rbv_fail(RBV_EARG, "column %d is not one of the robot's %d", columns[c], m->ncolumn);
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
  for (int c = 0; c < m->ncolumn; c++) s->position[c] = -1;
  for (int c = 0; c < ncolumn; c++) {
    if (s->position[columns[c]] >= 0) {
      rbv_system_free(s);
      return rbv_fail(RBV_EARG, "column %d is listed twice", columns[c]);
    }
    s->column[c] = columns[c];
    s->position[columns[c]] = c;
  }
  for (int r = 0; r < m->nrow; r++)
    for (int k = 0; k < m->row[r].count; k++) {
      const int at = s->position[m->row[r].columns[k]];
      if (at < 0) continue;
      s->entry[r * ncolumn + s->npattern[r]] = m->row[r].first + k;
      s->pattern[r * ncolumn + s->npattern[r]++] = at;
    }
  *out = s;
  return RBV_OK;
}

void rbv_system_free(rbv_system *s) {
  if (!s) return;
  for (int g = 0; g < s->ngroup; g++) rbv_free(s->group[g].R);
  rbv_free(s->group);
  rbv_free(s);
}

int rbv_system_column_count(const rbv_system *s) { return s->ncolumn; }
int rbv_system_group_count(const rbv_system *s) { return s->ngroup; }
const rbv_group *rbv_system_group(const rbv_system *s, int g) { return &s->group[g].public; }

/* ---- compression ---- */

typedef struct {
  rbv_system *s;
  rbv_dynamics *d;
  double *W;     // regressor entries of a chunk
  rbv_qr **qr;   // per row
  group *fresh;  // per row
} compressor;

static int compress_width(void *self, int row) {
  return ((compressor *)self)->s->npattern[row] + 1;
}

static void compress_chunk(void *self, const rbv_states *states, bool loaded) {
  compressor *c = self;
  rbv_regressor_batch(c->W, PUMP_CHUNK, c->d, states, loaded);
}

static void compress_fill(void *self, int row, double *X, ptrdiff_t ld, ptrdiff_t count,
                          const double *torque) {
  const compressor *c = self;
  const rbv_system *s = c->s;
  const size_t bytes = (size_t)count * sizeof *X;
  const int n = s->npattern[row];
  for (int k = 0; k < n; k++)
    memcpy(X + k * ld, c->W + (ptrdiff_t)s->entry[row * s->ncolumn + k] * PUMP_CHUNK, bytes);
  memcpy(X + n * ld, torque, bytes);
}

static rbv_status compress_emit(void *self, int row, const double *A, ptrdiff_t ld, ptrdiff_t count,
                                ptrdiff_t masked) {
  compressor *c = self;
  c->fresh[row].public.rows += count;
  c->fresh[row].public.masked += masked;
  return count > 0 ? rbv_qr_add(c->qr[row], A, count, ld) : RBV_OK;
}

static rbv_status keep_triangles(compressor *c) {
  rbv_system *s = c->s;
  const int nrow = s->m->nrow;
  group *all = rbv_realloc(s->group, (size_t)s->ngroup * sizeof *all,
                           (size_t)(s->ngroup + nrow) * sizeof *all);
  if (!all) return RBV_EMEM;
  s->group = all;
  for (int r = 0; r < nrow; r++) {
    const int n = s->npattern[r];
    group *g = &c->fresh[r];
    g->R = rbv_alloc((size_t)(n + 1) * (size_t)(n + 1) * sizeof *g->R);
    if (!g->R) return RBV_EMEM;
    rbv_qr_get(g->R, c->qr[r]);
    g->public.row = r;
    g->public.motion = s->nmotion;
    g->public.ncolumn = n;
    g->public.column = s->pattern + r * s->ncolumn;
    g->public.R = g->R;
    s->group[s->ngroup++] = *g;
  }
  s->nmotion++;
  return RBV_OK;
}

rbv_status rbv_system_add(rbv_system *s, rbv_motion *motion) {
  const int nrow = s->m->nrow, before = s->ngroup;
  compressor c = {.s = s};
  c.W = rbv_alloc((size_t)s->m->nentry * PUMP_CHUNK * sizeof *c.W);
  c.qr = rbv_alloc((size_t)nrow * sizeof(rbv_qr *));
  c.fresh = rbv_alloc((size_t)nrow * sizeof *c.fresh);
  rbv_status status = c.W && c.qr && c.fresh ? rbv_dynamics_new(&c.d, s->m) : RBV_EMEM;
  for (int r = 0; r < nrow && status == RBV_OK; r++)
    status = rbv_qr_new(&c.qr[r], s->npattern[r] + 1);
  const pump_client client = {&c, compress_width, compress_chunk, compress_fill, compress_emit};
  if (status == RBV_OK) status = rbv_pump_run(s->m, &s->filter, motion, &client);
  if (status == RBV_OK) status = keep_triangles(&c);
  if (status != RBV_OK) {
    // nothing half added
    for (int g = before; g < s->ngroup; g++) rbv_free(s->group[g].R);
    s->ngroup = before;
  }
  for (int r = 0; r < nrow && c.qr; r++) rbv_qr_free(c.qr[r]);
  rbv_free(c.qr);
  rbv_free(c.fresh);
  rbv_dynamics_free(c.d);
  rbv_free(c.W);
  return status;
}

/* ---- stacking ---- */

/* rows of a group's triangle, scaled and spread over the system's columns */
static rbv_status add_group(rbv_qr *qr, double *wide, const rbv_group *g, int ncolumn,
                            double scale) {
  const int n = g->ncolumn + 1;
  memset(wide, 0, (size_t)n * (size_t)(ncolumn + 1) * sizeof *wide);
  for (int c = 0; c < n; c++) {
    const int to = c < g->ncolumn ? g->column[c] : ncolumn;
    for (int r = 0; r <= c; r++) wide[r + (ptrdiff_t)to * n] = scale * g->R[r + (ptrdiff_t)c * n];
  }
  return rbv_qr_add(qr, wide, n, n);
}

rbv_status rbv_system_stack(double *R, ptrdiff_t *rows, const rbv_system *s, const double *sigma) {
  const int n = s->ncolumn + 1;
  rbv_qr *qr = NULL;
  double *wide = rbv_alloc((size_t)n * (size_t)n * sizeof *wide);
  rbv_status status = wide ? rbv_qr_new(&qr, n) : RBV_EMEM;
  *rows = 0;
  for (int g = 0; g < s->ngroup && status == RBV_OK; g++) {
    const rbv_group *group_ = &s->group[g].public;
    const double scale = sigma ? 1 / sigma[group_->row] : 1;
    status = add_group(qr, wide, group_, s->ncolumn, scale);
    *rows += group_->rows;
  }
  if (status == RBV_OK) rbv_qr_get(R, qr);
  rbv_qr_free(qr);
  rbv_free(wide);
  return status;
}

/* norms of the system's columns over the groups of one row, or of all rows (-1) */
static void column_norms(double *norm, const rbv_system *s, int row) {
  memset(norm, 0, (size_t)s->ncolumn * sizeof *norm);
  for (int g = 0; g < s->ngroup; g++) {
    const rbv_group *one = &s->group[g].public;
    if (row >= 0 && one->row != row) continue;
    for (int c = 0; c < one->ncolumn; c++)
      for (int r = 0; r <= c; r++) {
        const double x = one->R[r + (ptrdiff_t)c * (one->ncolumn + 1)];
        norm[one->column[c]] += x * x;
      }
  }
  for (int c = 0; c < s->ncolumn; c++) norm[c] = sqrt(norm[c]);
}

/* triangle of a row over all motions, its columns of unit length so that units do not matter; a
 * column that is mere rounding beside what it is in other rows becomes zero */
static rbv_status row_triangle(double *R, ptrdiff_t *rows, const rbv_system *s, int row,
                               double *norm) {
  const int n = s->npattern[row] + 1;
  const double *mine = norm, *all = norm + s->ncolumn;
  rbv_qr *qr;
  RBV_TRY(rbv_qr_new(&qr, n));
  rbv_status status = RBV_OK;
  *rows = 0;
  for (int g = 0; g < s->ngroup && status == RBV_OK; g++) {
    if (s->group[g].public.row != row) continue;
    *rows += s->group[g].public.rows;
    status = rbv_qr_add(qr, s->group[g].R, n, n);
  }
  if (status == RBV_OK) rbv_qr_get(R, qr);
  rbv_qr_free(qr);
  column_norms(norm, s, row);
  column_norms(norm + s->ncolumn, s, -1);
  for (int c = 0; c < n - 1; c++) {
    const int at = s->pattern[row * s->ncolumn + c];
    const double scale = mine[at] > 1e-10 * all[at] ? 1 / mine[at] : 0;
    for (int r = 0; r <= c; r++) R[r + (ptrdiff_t)c * n] *= scale;
  }
  return status;
}

rbv_status rbv_system_row_sigma(double *sigma, const rbv_system *s, int row) {
  const int n = s->npattern[row] + 1;
  double *R = rbv_alloc((size_t)n * (size_t)n * sizeof *R), *x = rbv_alloc((size_t)n * sizeof *x);
  double *norm = rbv_alloc(2 * (size_t)s->ncolumn * sizeof *norm);
  const double *y = R + (ptrdiff_t)(n - 1) * n;
  ptrdiff_t rows = 0;
  int rank = 0;
  rbv_status status = R && x && norm ? row_triangle(R, &rows, s, row, norm) : RBV_EMEM;
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
