/* Copies of logs without their bad rows. */
#include <math.h>

#include "base/support.h"
#include "log/log_internal.h"

#define FILLED_RUN 5         // bad rows in a row that are interpolated
#define GRID_TOLERANCE 0.01  // of a step; within this distance of the grid, stamps are regular

/* what becomes of a row */
typedef enum { KEEP, FILL, REMOVE } fate;

/* the good rows around a run of bad ones: two before, two after; -1: none */
typedef struct {
  ptrdiff_t at[4];
} frame;

static frame frame_of(const bool *bad, ptrdiff_t n, ptrdiff_t first, ptrdiff_t end) {
  frame f = {{-1, first - 1, end < n ? end : -1, -1}};
  if (first >= 2 && !bad[first - 2]) f.at[0] = first - 2;
  if (end + 1 < n && !bad[end + 1]) f.at[3] = end + 1;
  return f;
}

/* the step of the grid that the good stamps are on; 0: they are not on one */
static double grid_step(const double *t, const bool *bad, ptrdiff_t n) {
  ptrdiff_t first = 0, last = n - 1;
  while (first < n && bad[first]) first++;
  while (last > first && bad[last]) last--;
  if (!t || last <= first) return 0;
  const double step = (t[last] - t[first]) / (double)(last - first);
  for (ptrdiff_t k = first; k <= last; k++)
    if (!bad[k] && !(fabs(t[k] - t[first] - (double)(k - first) * step) <= GRID_TOLERANCE * step))
      return 0;
  return step;
}

/* are the stamps of rows first to end - 1 between those of their neighbours, and in order? */
static bool has_stamps(const double *t, ptrdiff_t first, ptrdiff_t end) {
  for (ptrdiff_t k = first; k <= end && t; k++)
    if (!(t[k] > t[k - 1])) return false;
  return t != NULL;
}

/* Short runs of bad rows inside the recording are filled if their stamps are known: from the grid
 * of the others, or their own. */
static void decide(fate *out, rbv_drop_info *info, const bool *bad, const double *t, ptrdiff_t n,
                   bool regular) {
  for (ptrdiff_t k = 0, end; k < n; k = end) {
    for (end = k + 1; end < n && bad[end] == bad[k]; end++) continue;
    const bool fills =
        bad[k] && k > 0 && end < n && end - k <= FILLED_RUN && (regular || has_stamps(t, k, end));
    const fate f = !bad[k] ? KEEP : fills ? FILL : REMOVE;
    for (ptrdiff_t i = k; i < end; i++) out[i] = f;
    if (f == FILL) info->filled += end - k;
    if (f == REMOVE) info->removed += end - k;
  }
}

/* Value at row k: the cubic through the rows of the frame, or the line where one is missing; over
 * the time t, or over the number of the row (NULL). */
static double interpolate(const double *x, const double *t, const frame *f, ptrdiff_t k,
                          bool smooth) {
  const bool cubic = smooth && f->at[0] >= 0 && f->at[3] >= 0;
  double sum = 0;
  for (int i = cubic ? 0 : 1; i < (cubic ? 4 : 3); i++) {
    const ptrdiff_t a = f->at[i];
    double weight = 1;
    for (int j = cubic ? 0 : 1; j < (cubic ? 4 : 3); j++) {
      const ptrdiff_t b = f->at[j];
      if (j != i) weight *= t ? (t[k] - t[b]) / (t[a] - t[b]) : (double)(k - b) / (double)(a - b);
    }
    sum += weight * x[a];
  }
  return sum;
}

/* the column of the only bad value of each row; -1: none, several, or the whole row */
static void find_single(int *single, const rbv_bad_rows *bad, ptrdiff_t n) {
  for (ptrdiff_t k = 0; k < n; k++) single[k] = -1;
  for (int i = 0; i < bad->count; i++) {
    const rbv_bad_value *b = &bad->items[i];
    const bool alone = (i == 0 || bad->items[i - 1].sample != b->sample) &&
                       (i + 1 == bad->count || bad->items[i + 1].sample != b->sample);
    if (alone && b->kind != RBV_BAD_STAMP) single[b->sample] = b->column;
  }
}

/* t: stamps, if the rows to fill have their own; single: of find_single, NULL: none */
static void copy_column(double *to, const rbv_log *log, int column, const fate *row,
                        const bool *bad, const int *single, const double *t) {
  const rbv_log_column *c = &log->columns[column];
  const ptrdiff_t n = log->samples;
  const bool smooth = !channel_is_torque(c->channel);
  frame f = {{0}};
  for (ptrdiff_t k = 0, at = 0; k < n; k++) {
    if (row[k] == FILL && row[k - 1] != FILL) {
      ptrdiff_t end = k;
      while (row[end] == FILL) end++;
      f = frame_of(bad, n, k, end);
    }
    if (row[k] == REMOVE) continue;
    const bool fills = row[k] == FILL && (single[k] < 0 || single[k] == column);
    to[at++] = fills ? interpolate(c->values, t, &f, k, smooth) : c->values[k];
  }
}

/* lines of the rows that are left */
static rbv_status copy_marks(table *to, const rbv_log *log, const fate *row) {
  if (log->source.nmark == 0) return RBV_OK;
  ptrdiff_t runs = log->source.nmark;
  for (ptrdiff_t k = 1; k < log->samples; k++) runs += row[k] != REMOVE && row[k - 1] == REMOVE;
  to->marks = rbv_alloc(sizeof *to->marks * (size_t)runs);
  if (!to->marks) return RBV_EMEM;
  for (ptrdiff_t k = 0, at = 0; k < log->samples; k++) {
    if (row[k] == REMOVE) continue;
    const ptrdiff_t line = rbv_log_line(log, k);
    const line_mark *last = to->nmark ? &to->marks[to->nmark - 1] : NULL;
    if (!last || line - last->line != at - last->row)
      to->marks[to->nmark++] = (line_mark){at, line};
    at++;
  }
  return RBV_OK;
}

static rbv_status copy_names(rbv_log *to, const rbv_log *log) {
  to->name = rbv_strdup(log->name);
  to->columns = rbv_alloc(sizeof *to->columns * (size_t)log->ncolumn);
  if (!to->name || !to->columns) return RBV_EMEM;
  for (int i = 0; i < log->ncolumn; i++) {
    rbv_log_column *c = &to->columns[to->ncolumn++];
    *c = log->columns[i];
    c->conversion = NULL;
    c->name = rbv_strdup(log->columns[i].name);
    if (log->columns[i].conversion) c->conversion = rbv_strdup(log->columns[i].conversion);
    if (!c->name || (log->columns[i].conversion && !c->conversion)) return RBV_EMEM;
  }
  if (!log->joint_names) return RBV_OK;
  to->joint_names = rbv_alloc(sizeof *to->joint_names * (size_t)log->njoint);
  to->njoint = log->njoint;
  for (int j = 0; to->joint_names && j < log->njoint; j++)
    if (log->joint_names[j] && !(to->joint_names[j] = rbv_strdup(log->joint_names[j])))
      return RBV_EMEM;
  return to->joint_names ? RBV_OK : RBV_EMEM;
}

static rbv_status copy_rows(rbv_log *to, const rbv_log *log, const fate *row, const bool *bad,
                            const int *single, const double *stamps) {
  table *t = &to->source;
  *t = (table){.rows = to->samples,
               .ld = table_stride(to->samples),
               .ncol = log->ncolumn,
               .format = log->format};
  t->values = rbv_alloc(sizeof(double) * (size_t)t->ld * (size_t)t->ncol);
  if (!t->values) return RBV_EMEM;
  for (int i = 0; i < log->ncolumn; i++) {
    double *x = t->values + i * t->ld;
    copy_column(x, log, i, row, bad, single, stamps);
    to->columns[i].values = x;
  }
  return copy_marks(t, log, row);
}

/* a copy with the rows that are kept or filled */
static rbv_status copy(rbv_log **out, const rbv_log *log, ptrdiff_t samples, const fate *row,
                       const bool *bad, const int *single, const double *stamps) {
  RBV_NEW(rbv_log, fresh, 1);
  fresh->samples = samples;
  fresh->format = log->format;
  fresh->first = log->first;
  fresh->sensing = log->sensing;
  fresh->njoint = log->njoint;
  fresh->held = log->held;
  rbv_status status = copy_names(fresh, log);
  fresh->origin = rbv_alloc(sizeof *fresh->origin * (size_t)samples);
  fresh->filled = rbv_alloc(sizeof *fresh->filled * (size_t)samples);
  if (!fresh->origin || !fresh->filled) status = RBV_EMEM;
  for (ptrdiff_t k = 0, at = 0; k < log->samples && status == RBV_OK; k++) {
    if (row[k] == REMOVE) continue;
    fresh->filled[at] = row[k] == FILL || rbv_log_is_filled(log, k);
    fresh->origin[at++] = rbv_log_origin(log, k);
  }
  if (status == RBV_OK) status = copy_rows(fresh, log, row, bad, single, stamps);
  if (status == RBV_OK) status = log_judge_time(fresh);
  RBV_GIVE(out, fresh, status, rbv_log_free(fresh));
}

rbv_status log_view(rbv_log **out, const rbv_log *log) {
  *out = NULL;
  RBV_NEW(rbv_log, view, 1);
  view->samples = log->samples;
  view->format = log->format;
  view->first = log->first;
  view->sensing = log->sensing;
  view->njoint = log->njoint;
  view->rate = log->rate;
  view->held = log->held;
  RBV_GIVE(out, view, copy_names(view, log), rbv_log_free(view));
}

rbv_status rbv_log_without(rbv_log **out, rbv_drop_info *info, const rbv_log *log,
                           const rbv_bad_rows *bad) {
  if (!out) return rbv_fail(RBV_EARG, "no place for the log");
  *out = NULL;
  if (!log || !bad || !bad->row) return rbv_fail(RBV_EARG, "no log or no list of bad rows");
  const ptrdiff_t n = log->samples;
  rbv_drop_info unused, *found = info ? info : &unused;
  *found = (rbv_drop_info){0};
  fate *row = rbv_alloc(sizeof *row * (size_t)n);
  int *single = rbv_alloc(sizeof *single * (size_t)n);
  if (!row || !single) {
    rbv_free(row);
    rbv_free(single);
    return RBV_EMEM;
  }
  find_single(single, bad, n);
  const double *t = rbv_log_channel(log, RBV_CHANNEL_TIME, -1);
  const bool regular = grid_step(t, bad->row, n) > 0;
  decide(row, found, bad->row, t, n, regular);
  const rbv_status status =
      found->removed < n
          ? copy(out, log, n - found->removed, row, bad->row, single, regular ? NULL : t)
          : rbv_fail(RBV_EINPUT, "%s: no row is left without the bad ones", log->name);
  rbv_free(row);
  rbv_free(single);
  return status;
}

ptrdiff_t rbv_log_origin(const rbv_log *log, ptrdiff_t sample) {
  return log->origin && sample >= 0 && sample < log->samples ? log->origin[sample] : sample;
}

bool rbv_log_is_filled(const rbv_log *log, ptrdiff_t sample) {
  return log->filled && sample >= 0 && sample < log->samples && log->filled[sample];
}

/* a copy with the rows to keep */
static rbv_status pick(rbv_log **out, const rbv_log *log, bool (*keep)(const void *, ptrdiff_t),
                       const void *which) {
  fate *row = rbv_alloc(sizeof *row * (size_t)log->samples);
  if (!row) return RBV_EMEM;
  ptrdiff_t count = 0;
  for (ptrdiff_t k = 0; k < log->samples; k++) {
    row[k] = keep(which, k) ? KEEP : REMOVE;
    count += row[k] == KEEP;
  }
  const rbv_status status = copy(out, log, count, row, NULL, NULL, NULL);
  rbv_free(row);
  return status;
}

static bool is_in_part(const void *part, ptrdiff_t k) {
  const ptrdiff_t *p = part;
  return k >= p[0] && k - p[0] < p[1];
}

rbv_status rbv_log_part(rbv_log **out, const rbv_log *log, ptrdiff_t first, ptrdiff_t count) {
  if (!out) return rbv_fail(RBV_EARG, "no place for the log");
  *out = NULL;
  if (!log || first < 0 || count < 1 || count > log->samples - first)
    return rbv_fail(RBV_EARG, "no log, or not %td samples from %td on", count, first);
  return pick(out, log, is_in_part, (ptrdiff_t[]){first, count});
}

static bool is_in_stride(const void *stride, ptrdiff_t k) {
  return k % *(const ptrdiff_t *)stride == 0;
}

rbv_status rbv_log_every(rbv_log **out, const rbv_log *log, ptrdiff_t stride) {
  if (!out) return rbv_fail(RBV_EARG, "no place for the log");
  *out = NULL;
  if (!log || stride < 1) return rbv_fail(RBV_EARG, "no log, or a stride of %td", stride);
  return pick(out, log, is_in_stride, &stride);
}

static bool is_marked(const void *marks, ptrdiff_t k) { return ((const bool *)marks)[k]; }

rbv_status log_pick(rbv_log **out, const rbv_log *log, const bool *keep) {
  *out = NULL;
  rbv_log *picked;
  RBV_TRY(pick(&picked, log, is_marked, keep));
  rbv_free(picked->origin);
  rbv_free(picked->filled);
  picked->origin = NULL;
  picked->filled = NULL;
  *out = picked;
  return RBV_OK;
}
