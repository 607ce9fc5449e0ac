/*
 * Rows of a recording that must not be used: cells without a number, corrupt values (bad_values.c),
 * time stamps out of order, rows that a recorder repeated.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/support.h"
#include "log/bad_rows.h"

/* one row per kind */
static const struct {
  const char *name, *words;
} kinds[] = {
#define X(enumerator, name, text) [enumerator] = {name, text},
    RBV_BAD_LIST(X)
#undef X
};

const char *rbv_bad_name(rbv_bad_kind kind) {
  return (int)kind >= 0 && (int)kind < RBV_COUNT(kinds) ? kinds[kind].name : "?";
}

/* ---- the list ---- */

void rbv_bad_add(bad_search *s, rbv_bad_value item) {
  if (!s->list.row[item.sample]) s->list.rows++;
  s->list.row[item.sample] = true;
  if (s->failed) return;
  rbv_bad_value *items = rbv_grow(s->list.items, s->list.count, &s->room, sizeof *items);
  s->failed = !items;
  if (s->failed) return;
  s->list.items = items;
  items[s->list.count++] = item;
}

static int by_place(const void *a, const void *b) {
  const rbv_bad_value *x = a, *y = b;
  if (x->sample != y->sample) return x->sample < y->sample ? -1 : 1;
  return x->column - y->column;
}

/* ---- cells without a number ---- */

static bool is_unreadable(const rbv_log *log, ptrdiff_t k) {
  for (int i = 0; i < log->ncolumn; i++)
    if (!isnan(log->columns[i].values[k])) return false;
  return true;
}

static void find_missing(bad_search *s) {
  const rbv_log *log = s->log;
  for (int i = 0; i < log->ncolumn; i++) {
    const rbv_log_column *c = &log->columns[i];
    if (c->channel == RBV_CHANNEL_OTHER) continue;
    ptrdiff_t missing = 0;
    for (ptrdiff_t k = 0; k < log->samples; k++) missing += !isfinite(c->values[k]);
    if (missing == 0 || (double)missing > MISSING_SHARE * (double)log->samples) continue;
    for (ptrdiff_t k = 0; k < log->samples; k++) {
      if (isfinite(c->values[k])) continue;
      // one entry for a row that could not be read
      const bool unreadable = is_unreadable(log, k);
      if (unreadable && s->list.row[k]) continue;
      rbv_bad_add(s, (rbv_bad_value){unreadable            ? RBV_BAD_UNREADABLE
                                     : isnan(c->values[k]) ? RBV_BAD_MISSING
                                                           : RBV_BAD_INFINITE,
                                     unreadable ? -1 : i, k, c->values[k], NAN});
    }
  }
}

/* ---- time stamps ---- */

/* the next row that is not bad; log->samples: none */
static ptrdiff_t next_good(const bad_search *s, ptrdiff_t k) {
  for (k++; k < s->log->samples && s->list.row[k]; k++) continue;
  return k;
}

/*
 * Of two stamps in the wrong order one is wrong: the later row if time goes on from the earlier one
 * after it, otherwise the earlier row. Returns the number of wrong stamps; mark: add them.
 */
static ptrdiff_t walk_stamps(bad_search *s, int column, bool mark) {
  const double *t = s->log->columns[column].values;
  const ptrdiff_t n = s->log->samples;
  ptrdiff_t wrong = 0, before = -1, last = next_good(s, -1);
  for (ptrdiff_t k = next_good(s, last), next; k < n; k = next) {
    next = next_good(s, k);
    if (t[k] >= t[last]) {
      before = last;
      last = k;
      continue;
    }
    const bool earlier = next < n && t[next] < t[last] && (before < 0 || t[k] >= t[before]);
    const ptrdiff_t bad = earlier ? last : k;
    wrong++;
    if (mark)
      rbv_bad_add(
          s, (rbv_bad_value){RBV_BAD_STAMP, column, bad, t[bad], before >= 0 ? t[before] : NAN});
    if (earlier) last = k;
  }
  return wrong;
}

static void find_stamps(bad_search *s) {
  for (int i = 0; i < s->log->ncolumn; i++)
    if (s->log->columns[i].channel == RBV_CHANNEL_TIME && s->log->samples >= LEAST_SAMPLES) {
      const ptrdiff_t wrong = walk_stamps(s, i, false);
      // a clock that was set back is no accident of single rows
      if (wrong > 0 && (double)wrong <= fmax(1, RARE * (double)s->log->samples))
        walk_stamps(s, i, true);
    }
}

/* ---- repeated rows ---- */

/* do all positions and torques of rows k - 1 and k agree? */
static bool repeats(const rbv_log *log, const rbv_bad_options *o, ptrdiff_t k) {
  int used = 0;
  bool position;
  for (int i = 0; i < log->ncolumn; i++) {
    if (!rbv_bad_column_is_used(&log->columns[i], o, &position)) continue;
    const double *x = log->columns[i].values;
    if (x[k] != x[k - 1]) return false;
    used++;
  }
  return used > 1;
}

/* does a position advance over the run k .. e - 1 as if it had moved at the speed beside it? */
static bool catches_up(const rbv_log *log, const rbv_bad_options *o, ptrdiff_t k, ptrdiff_t e) {
  const ptrdiff_t side = CATCH_SIDE;
  bool position;
  if (k - 1 - side < 0 || e + side >= log->samples) return false;
  for (int i = 0; i < log->ncolumn; i++) {
    if (!rbv_bad_column_is_used(&log->columns[i], o, &position) || !position) continue;
    const double *x = log->columns[i].values;
    const double before = (x[k - 1] - x[k - 1 - side]) / (double)side;
    const double after = (x[e + side] - x[e]) / (double)side;
    const double jump = x[e] - x[k - 1], expected = (double)(e - k + 1) * (before + after) / 2;
    // steps of which none is zero on either side
    bool moves = before * after > 0;
    for (ptrdiff_t j = 1; j <= side && moves; j++)
      moves = x[k - j] != x[k - 1 - j] && x[e + j] != x[e + j - 1];
    if (moves && fabs(jump - expected) < CATCHES_UP * fabs(expected)) return true;
  }
  return false;
}

static void find_stuck(bad_search *f, const rbv_bad_options *o) {
  const rbv_log *log = f->log;
  ptrdiff_t repeated = 0;
  for (ptrdiff_t k = 1; k < log->samples; k++) {
    if (!repeats(log, o, k)) continue;
    ptrdiff_t e = k + 1;
    while (e < log->samples && repeats(log, o, e)) e++;
    repeated += e - k;
    k = e;
  }
  if (repeated < STUCK_ROWS || (double)repeated > 5 * RARE * (double)log->samples) return;
  for (ptrdiff_t k = 1; k < log->samples; k++) {
    if (!repeats(log, o, k)) continue;
    ptrdiff_t e = k + 1;
    while (e < log->samples && repeats(log, o, e)) e++;
    if (e - k >= STUCK_ROWS && catches_up(log, o, k, e))
      for (ptrdiff_t i = k; i < e; i++)
        if (!f->list.row[i]) rbv_bad_add(f, (rbv_bad_value){RBV_BAD_STUCK, -1, i, NAN, NAN});
    k = e;
  }
}

/* ---- the search ---- */

void rbv_bad_rows_free(rbv_bad_rows *list) {
  if (!list) return;
  rbv_free(list->items);
  rbv_free(list->row);
  *list = (rbv_bad_rows){0};
}

rbv_bad_extent rbv_bad_rows_extent(const rbv_bad_rows *bad, ptrdiff_t samples) {
  if (bad->count == 0) return RBV_BAD_NONE;
  for (int i = 0; i < bad->count; i++)
    if (bad->items[i].kind != RBV_BAD_SPIKE && bad->items[i].kind != RBV_BAD_ZERO)
      return RBV_BAD_MANY;
  ptrdiff_t run = 0;
  for (ptrdiff_t k = 0; k < samples; k++) {
    run = bad->row[k] ? run + 1 : 0;
    if (run > SINGLE_RUN) return RBV_BAD_MANY;
  }
  const double few = fmax(SINGLE_ROWS, SINGLE_SHARE * (double)samples);
  return (double)bad->rows <= few ? RBV_BAD_SINGLE : RBV_BAD_SEVERAL;
}

rbv_status rbv_log_find_bad_rows(rbv_bad_rows *out, const rbv_log *log,
                                 const rbv_bad_options *options) {
  if (!out) return rbv_fail(RBV_EARG, "no place for the bad rows");
  *out = (rbv_bad_rows){0};
  if (!log) return rbv_fail(RBV_EARG, "no log");
  const rbv_bad_options none = {0}, *o = options ? options : &none;
  const size_t n = (size_t)log->samples;
  bad_search f = {.log = log};
  f.list.row = rbv_alloc(n);
  bool *row = rbv_alloc(n), *bad = rbv_alloc(n);
  double *work = rbv_alloc(SAMPLED * sizeof *work);
  f.failed = !f.list.row || !row || !bad || !work;
  if (!f.failed) {
    find_missing(&f);
    find_stamps(&f);
    memcpy(row, f.list.row, n);
    if (log->samples >= LEAST_SAMPLES) {
      // a row with a corrupt position says nothing about torques
      rbv_bad_find_corrupt(&f, o, row, bad, work, true);
      memcpy(row, f.list.row, n);
      rbv_bad_find_corrupt(&f, o, row, bad, work, false);
      find_stuck(&f, o);
    }
  }
  RBV_FREE_ALL(row, bad, work);
  if (f.failed) {
    rbv_bad_rows_free(&f.list);
    return RBV_EMEM;
  }
  if (f.list.count > 1) qsort(f.list.items, (size_t)f.list.count, sizeof *f.list.items, by_place);
  *out = f.list;
  return RBV_OK;
}

/* ---- messages ---- */

void rbv_bad_value_describe(char *out, size_t size, const rbv_log *log, const rbv_bad_value *b) {
  if (!out || size == 0) return;
  *out = 0;
  if (!log || !b || b->column >= log->ncolumn) return;
  char where[64];
  const ptrdiff_t line = rbv_log_line(log, b->sample);
  if (line > 0)
    snprintf(where, sizeof where, "line %td", line);
  else
    snprintf(where, sizeof where, "sample %td", log->first + b->sample + 1);
  const char *column = b->column >= 0 ? log->columns[b->column].name : "";
  switch (b->kind) {
    case RBV_BAD_UNREADABLE:
    case RBV_BAD_STUCK: snprintf(out, size, "%s: %s", where, kinds[b->kind].words); return;
    case RBV_BAD_MISSING:
    case RBV_BAD_INFINITE:
      snprintf(out, size, "%s: %s %s", where, column, kinds[b->kind].words);
      return;
    case RBV_BAD_STAMP:
      snprintf(out, size, "%s: %s = %.9g %s", where, column, b->value, kinds[b->kind].words);
      return;
    case RBV_BAD_SPIKE:
    case RBV_BAD_ZERO:
      snprintf(out, size, "%s: %s = %.6g %s %.6g", where, column, b->value, kinds[b->kind].words,
               b->expected);
      return;
  }
}
