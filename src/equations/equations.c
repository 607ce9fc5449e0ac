#include <roberval/sys/equations.h>

#include <math.h>
#include <roberval/sys/linalg.h>
#include <string.h>

#include "dynamics/dynamics.h"
#include "equations/equations_internal.h"
#include "equations/kept_rows.h"
#include "equations/state_track.h"

static void layout(rbv_equations *s, const rbv_model *m, int ncolumn, rbv_arena *a) {
  s->column = RBV_TAKE(a, ncolumn, int);
  s->pattern = RBV_TAKE(a, m->nrow * ncolumn, int);
  s->entry = RBV_TAKE(a, m->nrow * ncolumn, int);
  s->npattern = RBV_TAKE(a, m->nrow, int);
  s->spread = m->ncontact > 0 ? RBV_TAKE(a, m->nentry, int) : NULL;
  s->stored = RBV_TAKE(a, m->nrow, int);
  s->load_chi = RBV_TAKE(a, m->ncolumn, double);
  s->clip_chi = RBV_TAKE(a, m->ncolumn, double);
  s->clip_limit = RBV_TAKE(a, m->nrow, double);
}

/* position of a model column in the list, -1 if it is not used */
static int position(const rbv_equations *s, int column) {
  for (int c = 0; c < s->nmodel; c++)
    if (s->column[c] == column) return c;
  return -1;
}

rbv_status rbv_equations_new(rbv_equations **out, const rbv_model *m, const int *columns,
                             int ncolumn, const rbv_row_filter *filter) {
  return rbv_equations_new_extended(out, m, columns, ncolumn, filter, NULL);
}

/* column i of a row: where it is in the system, and its values */
static void add_pattern(rbv_equations *s, int row, int column, int entry) {
  const int at = row * s->ncolumn + s->npattern[row]++;
  s->pattern[at] = column;
  s->entry[at] = entry;
}

rbv_status rbv_equations_new_extended(rbv_equations **out, const rbv_model *m, const int *columns,
                                      int ncolumn, const rbv_row_filter *filter,
                                      const extra_columns *extra) {
  *out = NULL;
  if (!m || !columns || ncolumn < 1)
    return rbv_fail(RBV_EARG, "a system of equations needs a model and columns");
  for (int c = 0; c < ncolumn; c++) {
    if (columns[c] < 0 || columns[c] >= m->ncolumn)
      return rbv_fail(RBV_EARG, "column %d does not exist: the robot has %d columns", columns[c],
                      m->ncolumn);
    for (int k = 0; k < c; k++)
      if (columns[k] == columns[c])
        return rbv_fail(RBV_EARG, "column %d is listed twice", columns[c]);
  }
  const int total = ncolumn + (extra ? extra->count : 0);
  rbv_equations sizes = {0};
  rbv_equations *s;
  RBV_CARVE_OBJECT(s, a, layout(&sizes, m, total, a));
  if (!s) return RBV_EMEM;
  *s = sizes;
  s->m = m;
  s->filter = filter ? *filter : (rbv_row_filter){.decimate = 1};
  s->ncolumn = total;
  s->nmodel = ncolumn;
  s->extra = extra;
  for (int c = 0; c < total; c++) s->column[c] = c < ncolumn ? columns[c] : -1;
  for (int r = 0; r < m->nrow; r++) {
    for (int k = 0; k < m->row[r].count; k++) {
      const int at = position(s, m->row[r].columns[k]);
      if (s->spread) s->spread[m->row[r].first + k] = at < 0 ? -1 : r + at * m->nrow;
      if (at >= 0 && !s->spread) add_pattern(s, r, at, m->row[r].first + k);
    }
    for (int c = 0; c < total && s->spread; c++) add_pattern(s, r, c, r + c * m->nrow);
    for (int i = 0; i < total - ncolumn && !s->spread; i++)
      if (extra->row[i] == r) add_pattern(s, r, ncolumn + i, -1 - i);
    s->stored[r] = s->npattern[r] + 1;
  }
  *out = s;
  return RBV_OK;
}

/* free the groups from `first` on */
static void drop_groups(rbv_equations *s, int first) {
  for (int g = first; g < s->ngroup; g++) {
    RBV_FREE_ALL(s->group[g].R, s->group[g].RZ, s->group[g].rows);
  }
  s->ngroup = first;
}

static void drop_stores(rbv_equations *s) {
  for (int i = 0; i < s->nstore; i++) rbv_row_store_free(s->store[i].columns);
  rbv_free(s->store);
  s->store = NULL;
  s->nstore = 0;
}

void rbv_equations_keep_columns(rbv_equations *s, size_t bytes) { s->column_room = bytes; }

void rbv_equations_set_filter(rbv_equations *s, const rbv_row_filter *filter) {
  const rbv_row_filter before = s->filter;
  drop_groups(s, 0);
  s->nmotion = 0;
  s->filter = filter ? *filter : (rbv_row_filter){.decimate = 1};
  if (!rbv_row_store_fits(&before, &s->filter)) drop_stores(s);
}

void rbv_equations_set_folds(rbv_equations *s, int folds) { s->filter.folds = folds; }

void rbv_equations_set_deal(rbv_equations *s, rbv_deal deal) { s->filter.deal = deal; }

void rbv_equations_free(rbv_equations *s) {
  if (!s) return;
  drop_groups(s, 0);
  drop_stores(s);
  rbv_free(s->group);
  rbv_free(s);
}

rbv_status rbv_equations_clip(rbv_equations *s, const double *chi, const double *limit) {
  s->clips = chi && limit;
  if (!s->clips) return RBV_OK;
  for (int r = 0; r < s->m->nrow; r++)
    if (!(limit[r] > 0))
      return rbv_fail(RBV_EARG, "the clipping limit of torque row %d must be positive", r + 1);
  memcpy(s->clip_chi, chi, (size_t)s->m->ncolumn * sizeof *chi);
  memcpy(s->clip_limit, limit, (size_t)s->m->nrow * sizeof *limit);
  return RBV_OK;
}

rbv_status rbv_equations_set_load(rbv_equations *s, const double *chi) {
  if (!chi) return rbv_fail(RBV_EARG, "the load of the gears needs parameters");
  s->has_load = true;
  drop_stores(s);
  memcpy(s->load_chi, chi, (size_t)s->m->ncolumn * sizeof *chi);
  return RBV_OK;
}

int rbv_equations_group_count(const rbv_equations *s) { return s->ngroup; }
const rbv_group *rbv_equations_group(const rbv_equations *s, int g) { return &s->group[g].public; }

/* ---- compression ---- */

/* one pass over a motion: the results of its blocks */
typedef struct {
  rbv_equations *s;
  rbv_motion *motion, *instruments;  // instruments NULL: none
  rbv_motion *velocities;            // whose velocities decide where joints stand still, NULL: none
  const state_track *track;          // states of laws along the instruments, NULL: none
  const char *name;                  // of the motion
  bool loaded;
  int nfold;
  bool keeps;    // the rows of W are stored
  bool known;    // W and the torques are stored: only the instruments are computed
  group *fresh;  // nrow x nfold: R factors so far
} compressor;

/* The fold of a torque row that is being compressed: rows come in order of time, so that one R
 * factor per torque row is enough. */
typedef struct {
  rbv_qr *qr;  // of [W | Y], or with instruments of [Z | W | Y]
  int fold;
  ptrdiff_t rows, masked;
  rbv_text kept;  // rows that are stored
} open_fold;

/* working memory of a thread */
typedef struct {
  const compressor *c;
  rbv_dynamics *d;
  double *W;                    // regressor entries of a chunk
  double *all;                  // with contact points: nrow x ncolumn, forces at them eliminated
  double *predicted;            // nrow x chunk, for clipping
  open_fold *open;              // nrow
  double *Z, *state;            // instruments: regressor and states of a chunk; otherwise NULL
  const double *velocity;       // of the instruments, in a chunk
  state_cursor cursor;          // states of laws along the instruments
  rbv_dynamics *load_dynamics;  // with the parameters of the load
  double *load;                 // njoint x chunk
  void *extra_worker;
  double *extra;      // additional columns of a chunk
  double *R;          // room for the largest R factor
  rbv_text finished;  // result of the block so far: headers, each followed by its R factor
} worker;

static int factor_count(const compressor *c) { return c->s->m->nrow * c->nfold; }

static int compress_width(const void *self, int row) {
  const compressor *c = self;
  return (c->instruments ? 2 : 1) * c->s->npattern[row] + 1;
}

/* order of the R factor of a group */
static int factor_order(const compressor *c, int at) { return compress_width(c, at / c->nfold); }

static void close_worker(void *self) {
  worker *w = self;
  for (int r = 0; r < w->c->s->m->nrow && w->open; r++) {
    rbv_qr_free(w->open[r].qr);
    rbv_text_free(&w->open[r].kept);
  }
  RBV_FREE_ALL(w->open, w->Z, w->state, w->R);
  rbv_text_free(&w->finished);
  if (w->extra_worker) w->c->s->extra->close(w->extra_worker);
  rbv_state_cursor_close(&w->cursor);
  rbv_dynamics_free(w->load_dynamics);
  rbv_free(w->load);
  rbv_free(w->extra);
  rbv_dynamics_free(w->d);
  RBV_FREE_ALL(w->W, w->all, w->predicted, w);
}

static rbv_status fill_load(worker *w) {
  const rbv_equations *s = w->c->s;
  if (!s->has_load) return RBV_OK;
  w->load = rbv_alloc((size_t)s->m->njoint * ROW_CHUNK * sizeof *w->load);
  if (!w->load) return RBV_EMEM;
  RBV_TRY(rbv_dynamics_new(&w->load_dynamics, s->m));
  return rbv_dynamics_set(w->load_dynamics, s->load_chi, w->c->loaded);
}

static rbv_status fill_extra(worker *w) {
  const extra_columns *extra = w->c->s->extra;
  if (!extra) return RBV_OK;
  w->extra = rbv_alloc((size_t)extra->count * ROW_CHUNK * sizeof *w->extra);
  return w->extra ? extra->open(&w->extra_worker, extra->self, w->c->motion) : RBV_EMEM;
}

static rbv_status fill_worker(worker *w) {
  const compressor *c = w->c;
  const rbv_model *m = c->s->m;
  int largest = 0;
  for (int r = 0; r < m->nrow; r++)
    if (compress_width(c, r) > largest) largest = compress_width(c, r);
  w->W = rbv_alloc((size_t)m->nentry * ROW_CHUNK * sizeof *w->W);
  w->predicted = rbv_alloc((size_t)m->nrow * ROW_CHUNK * sizeof *w->predicted);
  w->R = rbv_alloc(square(largest) * sizeof *w->R);
  w->open = rbv_alloc((size_t)m->nrow * sizeof *w->open);
  if (!w->W || !w->predicted || !w->R || !w->open) return RBV_EMEM;
  if (c->s->spread) {
    w->all = rbv_alloc((size_t)(m->nrow * c->s->ncolumn) * ROW_CHUNK * sizeof *w->all);
    if (!w->all) return RBV_EMEM;
  }
  RBV_TRY(rbv_dynamics_new(&w->d, m));
  rbv_regressor_select(w->d, c->s->column, c->s->nmodel);
  if (c->s->clips) RBV_TRY(rbv_dynamics_set(w->d, c->s->clip_chi, c->loaded));
  for (int r = 0; r < m->nrow; r++) RBV_TRY(rbv_qr_new(&w->open[r].qr, compress_width(c, r)));
  RBV_TRY(fill_load(w));
  RBV_TRY(fill_extra(w));
  if (!c->velocities) return RBV_OK;
  w->state = rbv_alloc((3 * (size_t)m->njoint + (size_t)m->nstate) * ROW_CHUNK * sizeof *w->state);
  if (!w->state) return RBV_EMEM;
  w->velocity = w->state + m->njoint * ROW_CHUNK;
  if (!c->instruments) return RBV_OK;
  RBV_TRY(rbv_state_cursor_open(&w->cursor, c->track));
  w->Z = rbv_alloc((size_t)m->nentry * ROW_CHUNK * sizeof *w->Z);
  return w->Z ? RBV_OK : RBV_EMEM;
}

static rbv_status open_worker(void **out, void *self) {
  RBV_NEW(worker, w, 1);
  w->c = self;
  RBV_GIVE(out, w, fill_worker(w), close_worker(w));
}

static void start_fold(open_fold *o, int fold) {
  o->fold = fold;
  o->rows = o->masked = 0;
  o->kept.size = 0;
  rbv_qr_reset(o->qr);
}

static void begin_block(void *self) {
  worker *w = self;
  w->finished.size = 0;
  for (int r = 0; r < w->c->s->m->nrow; r++) start_fold(&w->open[r], 0);
}

/* the states with the load of the gears */
static rbv_states add_load(worker *w, rbv_states states) {
  if (!w->load) return states;
  rbv_dynamics_load_batch(w->load, ROW_CHUNK, w->load_dynamics, &states);
  states.load = w->load;
  return states;
}

/* regressor of the instruments for the same samples */
static rbv_status read_instruments(worker *w, ptrdiff_t first, ptrdiff_t count) {
  const int n = w->c->s->m->njoint;
  double *q = w->state, *dq = q + n * ROW_CHUNK, *ddq = dq + n * ROW_CHUNK;
  double *law_state = ddq + n * ROW_CHUNK;
  const rbv_samples samples = {.ld = ROW_CHUNK, .q = q, .dq = dq, .ddq = ddq};
  RBV_TRY(rbv_motion_read(w->c->instruments, &samples, first, count));
  RBV_TRY(rbv_state_cursor_read(law_state, ROW_CHUNK, &w->cursor, first, count, dq));
  const rbv_states states = add_load(w, (rbv_states){.count = count,
                                                     .ld = ROW_CHUNK,
                                                     .q = q,
                                                     .dq = dq,
                                                     .ddq = ddq,
                                                     .state = w->c->track ? law_state : NULL});
  rbv_regressor_batch(w->Z, ROW_CHUNK, w->d, &states,
                      rbv_motion_get_info(w->c->instruments)->loaded);
  return RBV_OK;
}

/* the same without their regressor: only velocities */
static rbv_status read_velocities(worker *w, ptrdiff_t first, ptrdiff_t count) {
  const rbv_samples samples = {.ld = ROW_CHUNK, .dq = w->state + w->c->s->m->njoint * ROW_CHUNK};
  return rbv_motion_read(w->c->velocities, &samples, first, count);
}

static const double *compress_velocity(void *self) { return ((const worker *)self)->velocity; }

/* a NaN from a formula would make all rows NaN that a filter computes from this sample */
static rbv_status check_formulas(const worker *w, ptrdiff_t first, ptrdiff_t count) {
  const rbv_equations *s = w->c->s;
  for (int r = 0; r < s->m->nrow; r++)
    for (int i = 0; i < s->npattern[r]; i++) {
      const int at = r * s->ncolumn + i;
      const int used = s->column[s->pattern[at]];
      if (used < 0) continue;
      const rbv_column *column = &s->m->column[used];
      if (column->basis != RBV_BASIS_EXPRESSION) continue;
      const double *x = (w->all ? w->all : w->W) + (ptrdiff_t)s->entry[at] * ROW_CHUNK;
      for (ptrdiff_t k = 0; k < count; k++)
        if (!isfinite(x[k]))
          return rbv_fail(RBV_EINPUT, "'%s': column '%s' has no finite value at sample %td",
                          w->c->name, column->name, first + k + 1);
    }
  return RBV_OK;
}

/* all columns of all rows, without what forces at contact points can make */
static void eliminate_contacts(worker *w, const rbv_states *states) {
  const rbv_equations *s = w->c->s;
  const int nrow = s->m->nrow;
  const size_t bytes = (size_t)states->count * sizeof *w->all;
  if (s->clips) rbv_contacts_eliminate(w->predicted, ROW_CHUNK, 1, w->d, states);
  if (!w->all) return;
  memset(w->all, 0, (size_t)(nrow * s->ncolumn) * ROW_CHUNK * sizeof *w->all);
  for (int e = 0; e < s->m->nentry; e++)
    if (s->spread[e] >= 0)
      memcpy(w->all + (ptrdiff_t)s->spread[e] * ROW_CHUNK, w->W + (ptrdiff_t)e * ROW_CHUNK, bytes);
  for (int i = 0; i < s->ncolumn - s->nmodel; i++)
    memcpy(w->all + (ptrdiff_t)(s->extra->row[i] + (s->nmodel + i) * nrow) * ROW_CHUNK,
           w->extra + (ptrdiff_t)i * ROW_CHUNK, bytes);
  rbv_contacts_eliminate(w->all, ROW_CHUNK, s->ncolumn, w->d, states);
}

static rbv_status compress_chunk(void *self, const rbv_states *given, ptrdiff_t first) {
  worker *w = self;
  if (w->c->known) return read_instruments(w, first, given->count);
  const rbv_states with_load = add_load(w, *given), *const states = &with_load;
  rbv_regressor_batch(w->W, ROW_CHUNK, w->d, states, w->c->loaded);
  if (w->c->s->clips) rbv_dynamics_rows_batch(w->predicted, ROW_CHUNK, w->d, states);
  if (w->extra) RBV_TRY(w->c->s->extra->eval(w->extra, ROW_CHUNK, w->extra_worker, states, first));
  eliminate_contacts(w, states);
  if (w->c->instruments)
    RBV_TRY(read_instruments(w, first, states->count));
  else if (w->c->velocities)
    RBV_TRY(read_velocities(w, first, states->count));
  return check_formulas(w, first, states->count);
}

static void compress_fill(void *self, int row, double *X, ptrdiff_t ld, ptrdiff_t count,
                          const double *torque) {
  const worker *w = self;
  const rbv_equations *s = w->c->s;
  const size_t bytes = (size_t)count * sizeof *X;
  const int n = s->npattern[row];
  for (int k = 0; k < n && w->Z; k++, X += ld)
    memcpy(X, w->Z + (ptrdiff_t)s->entry[row * s->ncolumn + k] * ROW_CHUNK, bytes);
  if (w->c->known) return;
  for (int k = 0; k < n; k++) {
    const int entry = s->entry[row * s->ncolumn + k];
    const double *from = w->all       ? w->all + (ptrdiff_t)entry * ROW_CHUNK
                         : entry >= 0 ? w->W + (ptrdiff_t)entry * ROW_CHUNK
                                      : w->extra + (ptrdiff_t)(-1 - entry) * ROW_CHUNK;
    memcpy(X + k * ld, from, bytes);
  }
  memcpy(X + n * ld, torque, bytes);
  if (!s->clips) return;
  const double limit = s->clip_limit[row], *fit = w->predicted + row * ROW_CHUNK;
  for (ptrdiff_t k = 0; k < count; k++)
    X[k + n * ld] = fit[k] + fmax(-limit, fmin(limit, torque[k] - fit[k]));
}

/* header and R factor (in w->R) of the open fold of a torque row; false: it has no rows */
static bool close_fold(result_header *p, worker *w, int row) {
  const open_fold *o = &w->open[row];
  if (o->rows + o->masked == 0) return false;
  memset(p, 0, sizeof *p);  // padding bytes are copied too
  p->at = row * w->c->nfold + o->fold;
  p->rows = o->rows;
  p->masked = o->masked;
  rbv_qr_get(w->R, o->qr);
  return true;
}

static size_t factor_bytes(const worker *w, int row) {
  return square(compress_width(w->c, row)) * sizeof *w->R;
}

/* the columns of W, row by row */
static void keep_rows(open_fold *o, const double *A, ptrdiff_t ld, ptrdiff_t count, int n) {
  for (ptrdiff_t k = 0; k < count; k++)
    for (int c = 0; c < n; c++) rbv_text_add(&o->kept, (const char *)(A + k + c * ld), sizeof *A);
}

static rbv_status compress_emit(void *self, int row, int fold, const double *A, ptrdiff_t ld,
                                ptrdiff_t count, ptrdiff_t masked) {
  worker *w = self;
  open_fold *o = &w->open[row];
  if (fold != o->fold) {
    result_header p;
    if (close_fold(&p, w, row)) {
      rbv_text_add(&w->finished, (const char *)&p, sizeof p);
      rbv_text_add(&w->finished, (const char *)w->R, factor_bytes(w, row));
      if (o->kept.size > 0) rbv_text_add(&w->finished, o->kept.data, o->kept.size);
    }
    if (w->finished.failed) return RBV_EMEM;
    start_fold(o, fold);
  }
  o->rows += count;
  o->masked += masked;
  if (count == 0) return RBV_OK;
  if (w->c->keeps) keep_rows(o, A, ld, count, w->c->s->npattern[row]);
  return o->kept.failed ? RBV_EMEM : rbv_qr_add(o->qr, A, count, ld);
}

static void end_block(rbv_bytes *out, void *self) {
  worker *w = self;
  if (w->finished.size > 0) rbv_bytes_add(out, w->finished.data, w->finished.size);
  for (int r = 0; r < w->c->s->m->nrow; r++) {
    result_header p;
    if (!close_fold(&p, w, r)) continue;
    rbv_bytes_add(out, &p, sizeof p);
    rbv_bytes_add(out, w->R, factor_bytes(w, r));
    if (w->open[r].kept.size > 0) rbv_bytes_add(out, w->open[r].kept.data, w->open[r].kept.size);
  }
}

/* R = R factor of [R; more], both n square; *R NULL: a copy of `more` */
static rbv_status merge_factor(double **R, const char *more, int n) {
  const size_t bytes = square(n) * sizeof **R;
  if (!*R) {
    *R = rbv_alloc(bytes);
    if (*R) memcpy(*R, more, bytes);
    return *R ? RBV_OK : RBV_EMEM;
  }
  double *rows = rbv_alloc(bytes);
  rbv_qr *qr = NULL;
  rbv_status status = rows ? rbv_qr_new(&qr, n) : RBV_EMEM;
  if (status == RBV_OK) status = rbv_qr_add(qr, *R, n, n);
  if (status == RBV_OK) memcpy(rows, more, bytes);
  if (status == RBV_OK) status = rbv_qr_add(qr, rows, n, n);
  if (status == RBV_OK) rbv_qr_get(*R, qr);
  rbv_qr_free(qr);
  rbv_free(rows);
  return status;
}

/* append `count` rows to those of a group, which has the last of them already in its number */
static rbv_status append_rows(group *g, const char *more, ptrdiff_t count, int n) {
  const size_t row = (size_t)n * sizeof *g->rows, all = (size_t)g->public.rows * row;
  const size_t before = all - (size_t)count * row;
  if (count == 0) return RBV_OK;
  double *rows = rbv_realloc(g->rows, before, all);
  if (!rows) return RBV_EMEM;
  g->rows = rows;
  memcpy((char *)rows + before, more, all - before);
  return RBV_OK;
}

static rbv_status take_factors(void *self, const void *data, size_t size) {
  compressor *c = self;
  const char *from = data, *const end = from + size;
  while (from < end) {
    result_header p;
    memcpy(&p, from, sizeof p);
    from += sizeof p;
    group *g = &c->fresh[p.at];
    g->public.rows += p.rows;
    g->public.masked += p.masked;
    RBV_TRY(merge_factor(c->instruments ? &g->RZ : &g->R, from, factor_order(c, p.at)));
    from += square(factor_order(c, p.at)) * sizeof(double);
    if (!c->keeps) continue;
    const int n = c->s->npattern[p.at / c->nfold];
    RBV_TRY(append_rows(g, from, p.rows, n));
    from += (size_t)p.rows * (size_t)n * sizeof(double);
  }
  return RBV_OK;
}

/* R factors of [W | Y] of a torque row from those of [Z | W | Y] */
static rbv_status without_instruments(compressor *c, int row) {
  const int n = c->s->npattern[row], width = 2 * n + 1;
  rbv_qr *qr;
  RBV_TRY(rbv_qr_new(&qr, n + 1));
  rbv_status status = RBV_OK;
  for (int fold = 0; fold < c->nfold && status == RBV_OK; fold++) {
    const group *g = &c->fresh[row * c->nfold + fold];
    rbv_qr_reset(qr);
    status = rbv_qr_add(qr, g->RZ + (ptrdiff_t)n * width, width, width);
    if (status == RBV_OK) rbv_qr_get(g->R, qr);
  }
  rbv_qr_free(qr);
  return status;
}

/* allocate the R factors of groups without rows, with zeros; compute those without instruments */
static rbv_status complete_factors(compressor *c) {
  for (int at = 0; at < factor_count(c); at++) {
    group *g = &c->fresh[at];
    const int n = c->s->npattern[at / c->nfold];
    if (!g->R) g->R = rbv_alloc(square(n + 1) * sizeof *g->R);
    if (!g->R) return RBV_EMEM;
    if (!c->instruments) continue;
    if (!g->RZ) g->RZ = rbv_alloc(square(2 * n + 1) * sizeof *g->RZ);
    if (!g->RZ) return RBV_EMEM;
  }
  for (int row = 0; row < c->s->m->nrow && c->instruments; row++)
    RBV_TRY(without_instruments(c, row));
  return RBV_OK;
}

static rbv_status store_factors(compressor *c) {
  rbv_equations *s = c->s;
  const int count = factor_count(c);
  RBV_TRY(complete_factors(c));
  group *all = rbv_realloc(s->group, (size_t)s->ngroup * sizeof *all,
                           (size_t)(s->ngroup + count) * sizeof *all);
  if (!all) return RBV_EMEM;
  s->group = all;
  for (int at = 0; at < count; at++) {
    const int row = at / c->nfold;
    group *g = &c->fresh[at];
    g->public.row = row;
    g->public.motion = s->nmotion;
    g->public.fold = at % c->nfold;
    g->public.ncolumn = s->npattern[row];
    g->public.column = s->pattern + row * s->ncolumn;
    g->public.R = g->R;
    g->public.RZ = g->RZ;
    s->group[s->ngroup++] = *g;
  }
  s->nmotion++;
  return RBV_OK;
}

/* at most, with the plain filter */
static size_t bytes_of_rows(const rbv_equations *s, ptrdiff_t samples) {
  size_t entries = 0;
  for (int r = 0; r < s->m->nrow; r++) entries += (size_t)s->npattern[r];
  const int n = s->filter.decimate > 1 ? s->filter.decimate : 1;
  return ((size_t)samples / (size_t)n + 1) * entries * sizeof(double);
}

void rbv_equations_keep_rows(rbv_equations *s, size_t bytes) {
  s->room = bytes;
  s->has_rows = bytes > 0;
}

bool rbv_equations_has_rows(const rbv_equations *s) { return s->has_rows && s->ngroup > 0; }

static size_t bytes_of_columns(const rbv_equations *s, ptrdiff_t samples) {
  int columns = 0;
  for (int r = 0; r < s->m->nrow; r++) columns += s->stored[r];
  return rbv_row_store_bytes(&s->filter, samples, columns);
}

/* The stored columns of a motion, which are new if there is room for them; NULL: none. */
static rbv_status columns_of(row_store **out, rbv_equations *s, const rbv_motion *motion) {
  *out = NULL;
  if (!rbv_row_store_possible(&s->filter) || s->extra || s->clips) return RBV_OK;
  size_t used = 0;
  for (int i = 0; i < s->nstore; i++) {
    if (s->store[i].motion == motion) *out = s->store[i].columns;
    used += bytes_of_columns(s, rbv_motion_get_info(s->store[i].motion)->count);
  }
  const ptrdiff_t samples = rbv_motion_get_info(motion)->count;
  if (*out || used + bytes_of_columns(s, samples) > s->column_room) return RBV_OK;
  const size_t n = (size_t)s->nstore;
  motion_store *all = rbv_realloc(s->store, n * sizeof *all, (n + 1) * sizeof *all);
  if (!all) return RBV_EMEM;
  s->store = all;
  RBV_TRY(rbv_row_store_new(out, &s->filter, samples, s->stored, s->m->nrow));
  s->store[s->nstore++] = (motion_store){motion, *out};
  return RBV_OK;
}

static rbv_status add_motion(rbv_equations *s, rbv_motion *motion, rbv_motion *instruments,
                             rbv_motion *velocities);

rbv_status rbv_equations_add(rbv_equations *s, rbv_motion *motion) {
  return rbv_equations_add_with(s, motion, NULL);
}

rbv_status rbv_equations_add_with(rbv_equations *s, rbv_motion *motion, rbv_motion *instruments) {
  return add_motion(s, motion, instruments, instruments);
}

rbv_status rbv_equations_add_like(rbv_equations *s, rbv_motion *motion, rbv_motion *velocities) {
  return add_motion(s, motion, NULL, velocities);
}

static rbv_status add_motion(rbv_equations *s, rbv_motion *motion, rbv_motion *instruments,
                             rbv_motion *velocities) {
  const rbv_motion_info *info = rbv_motion_get_info(motion);
  if (velocities && rbv_motion_get_info(velocities)->count != info->count)
    return rbv_fail(RBV_EDIM, "'%s' has %td samples, its instruments have %td", info->name,
                    info->count, rbv_motion_get_info(velocities)->count);
  if (s->m->uses_torque && !s->has_load)
    return rbv_fail(RBV_EARG,
                    "a friction law depends on the load of the gears, which is not given");
  const int blocks = s->filter.folds > 1 ? s->filter.folds : 1;
  compressor c = {.s = s,
                  .motion = motion,
                  .instruments = instruments,
                  .velocities = velocities,
                  .name = info->name,
                  .loaded = info->loaded,
                  .nfold = s->filter.deal.folds > 0 ? s->filter.deal.folds + 1 : blocks};
  const size_t stored = bytes_of_rows(s, info->count);
  c.keeps = s->has_rows && !velocities && !s->extra && !s->filter.deal.of && stored <= s->room;
  if (c.keeps) s->room -= stored;
  s->has_rows = c.keeps;
  row_store *store = NULL;
  if (instruments) RBV_TRY(columns_of(&store, s, motion));
  c.known = store && rbv_row_store_is_filled(store);
  c.fresh = rbv_alloc((size_t)factor_count(&c) * sizeof *c.fresh);
  if (!c.fresh) return RBV_EMEM;
  const row_client client = {.self = &c,
                             .store = store,
                             .open = open_worker,
                             .close = close_worker,
                             .width = compress_width,
                             .begin = begin_block,
                             .chunk = compress_chunk,
                             .velocity = velocities ? compress_velocity : NULL,
                             .fill = compress_fill,
                             .emit = compress_emit,
                             .end = end_block,
                             .take = take_factors};
  rbv_status status = RBV_OK;
  state_law *laws = NULL;
  state_track *track = NULL;
  if (instruments && s->m->nstate > 0) {
    laws = rbv_alloc((size_t)s->m->nstate * sizeof *laws);
    if (laws) rbv_state_laws(laws, s->m);
    status = laws ? rbv_state_track_new(&track, instruments, laws, s->m->nstate) : RBV_EMEM;
    c.track = track;
  }
  if (status == RBV_OK) status = rbv_row_stream_run(s->m, &s->filter, motion, &client);
  rbv_state_track_free(track);
  rbv_free(laws);
  if (status == RBV_OK) status = store_factors(&c);
  // on failure nothing is added
  for (int at = 0; at < factor_count(&c) && status != RBV_OK; at++) {
    RBV_FREE_ALL(c.fresh[at].R, c.fresh[at].RZ, c.fresh[at].rows);
  }
  rbv_free(c.fresh);
  return status;
}
