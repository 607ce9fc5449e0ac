#include <math.h>
#include <stdio.h>

#include "base/support.h"
#include "log/log_internal.h"

#define SATURATED_RUN 5  // samples at an extreme value: fewer are not saturation

/* ---- search ---- */

typedef struct {
  const rbv_log *log;
  rbv_defect_list list;
  int room;
  bool failed;
} scan;

static void add(scan *s, rbv_defect defect) {
  if (s->failed) return;
  rbv_defect *items = rbv_grow(s->list.items, s->list.count, &s->room, sizeof *items);
  s->failed = !items;
  if (s->failed) return;
  s->list.items = items;
  items[s->list.count++] = defect;
}

/* Consecutive samples of one kind are one defect. */
static void add_runs(scan *s, rbv_defect_kind kind, int column, bool (*is)(double, double),
                     double reference, ptrdiff_t least) {
  const double *x = s->log->columns[column].values;
  const ptrdiff_t n = s->log->samples;
  for (ptrdiff_t k = 0; k < n; k++) {
    if (!is(x[k], reference)) continue;
    ptrdiff_t end = k + 1;
    while (end < n && is(x[end], reference)) end++;
    if (end - k >= least) add(s, (rbv_defect){kind, column, k, end - k, x[k]});
    k = end;
  }
}

static bool is_missing(double x, double unused) {
  (void)unused;
  return isnan(x);
}

static bool is_infinite(double x, double unused) {
  (void)unused;
  return isinf(x);
}

static bool is_equal(double x, double value) { return x == value; }

/* True if all samples are finite and equal. */
static bool is_constant(const rbv_log *log, int column) {
  const double *x = log->columns[column].values;
  if (!isfinite(x[0])) return false;
  for (ptrdiff_t k = 1; k < log->samples; k++)
    if (x[k] != x[0]) return false;
  return log->samples > 1;
}

/* Smallest change from one sample to the next: the resolution of a quantised signal. Changes that
 * rounding explains do not count. */
static double find_resolution(const double *x, ptrdiff_t n, double range) {
  double least = range;
  for (ptrdiff_t k = 1; k < n; k++) {
    const double step = fabs(x[k] - x[k - 1]);
    if (step > 1e-9 * range && step < least) least = step;
  }
  return least;
}

/* samples with the value of x[k], from k on in one direction */
static ptrdiff_t count_equal(const double *x, ptrdiff_t n, ptrdiff_t k, int direction) {
  ptrdiff_t count = 0;
  for (ptrdiff_t i = k; i >= 0 && i < n && x[i] == x[k]; i += direction) count++;
  return count;
}

/*
 * True if samples k to end - 1 are the rounded peak of a quantised signal. A smooth peak is at its
 * highest level 2.4 times as long as at the next one, on both sides together; a clipped signal
 * passes the next level quickly.
 */
static bool is_rounded_peak(const double *x, ptrdiff_t n, ptrdiff_t k, ptrdiff_t end, double step) {
  ptrdiff_t beside = 0;
  if (k > 0 && fabs(x[k] - x[k - 1]) < 1.5 * step) beside += count_equal(x, n, k - 1, -1);
  if (end < n && fabs(x[k] - x[end]) < 1.5 * step) beside += count_equal(x, n, end, 1);
  return end - k <= 4 * beside;
}

/* keep the runs at a value that are longer than a rounded peak */
static void add_clipped_runs(scan *s, int column, double value, double step) {
  const double *x = s->log->columns[column].values;
  const ptrdiff_t n = s->log->samples;
  const int first = s->list.count;
  add_runs(s, RBV_DEFECT_SATURATED, column, is_equal, value, SATURATED_RUN);
  int kept = first;
  for (int i = first; i < s->list.count; i++) {
    const rbv_defect *d = &s->list.items[i];
    if (!is_rounded_peak(x, n, d->sample, d->sample + d->count, step)) s->list.items[kept++] = *d;
  }
  s->list.count = kept;
}

/* A torque that stays at its largest or smallest value is saturated; one at zero is not. */
static void find_saturation(scan *s, int column) {
  const double *x = s->log->columns[column].values;
  if (is_constant(s->log, column)) return;
  double low = INFINITY, high = -INFINITY;
  for (ptrdiff_t k = 0; k < s->log->samples; k++) {
    if (!isfinite(x[k])) continue;
    if (x[k] < low) low = x[k];
    if (x[k] > high) high = x[k];
  }
  const double step = find_resolution(x, s->log->samples, high - low);
  if (low < 0) add_clipped_runs(s, column, low, step);
  if (high > 0) add_clipped_runs(s, column, high, step);
}

static void find(scan *s, rbv_defect_kind kind, int column) {
  const rbv_log *log = s->log;
  const rbv_log_column *c = &log->columns[column];
  const bool is_time = c->channel == RBV_CHANNEL_TIME, torque = channel_is_torque(c->channel);
  switch (kind) {
    case RBV_DEFECT_MISSING: add_runs(s, kind, column, is_missing, 0, 1); break;
    case RBV_DEFECT_INFINITE: add_runs(s, kind, column, is_infinite, 0, 1); break;
    case RBV_DEFECT_SATURATED:
      if (torque) find_saturation(s, column);
      break;
    case RBV_DEFECT_CONSTANT:
    case RBV_DEFECT_ZERO_TORQUE:
      if (!is_time && is_constant(log, column) &&
          (torque && c->values[0] == 0) == (kind == RBV_DEFECT_ZERO_TORQUE))
        add(s, (rbv_defect){kind, column, 0, log->samples, c->values[0]});
      break;
  }
}

rbv_status rbv_log_scan(rbv_defect_list *out, const rbv_log *log, rbv_defect_kind kind) {
  if (!out) return rbv_fail(RBV_EARG, "no place for the defects");
  *out = (rbv_defect_list){0};
  if (!log) return rbv_fail(RBV_EARG, "no log");
  scan s = {.log = log};
  for (int i = 0; i < log->ncolumn; i++) find(&s, kind, i);
  if (s.failed) {
    rbv_free(s.list.items);
    return RBV_EMEM;
  }
  *out = s.list;
  return RBV_OK;
}

void rbv_defect_list_free(rbv_defect_list *list) {
  if (!list) return;
  rbv_free(list->items);
  *list = (rbv_defect_list){0};
}

/* ---- requirements ---- */

/* "x.csv:12", or "x.mat: sample 11" for a format without lines. */
static void place(char *out, size_t size, const rbv_log *log, ptrdiff_t sample) {
  const ptrdiff_t line = rbv_log_line(log, sample);
  if (line > 0)
    snprintf(out, size, "%s:%td", log->name, line);
  else
    snprintf(out, size, "%s: sample %td", log->name, log->first + sample + 1);
}

#define LARGEST 1e100  // no measurement is larger, and its square is still a number

/* Every value of a known channel must be finite, and a possible measurement. */
static rbv_status review_numbers(log_review *r, const rbv_log *log) {
  char where[600];
  for (int i = 0; i < log->ncolumn; i++) {
    const rbv_log_column *c = &log->columns[i];
    if (c->channel == RBV_CHANNEL_OTHER || channel_is_condition(c->channel)) continue;
    const bool torque = channel_is_torque(c->channel);
    bool turns = false, finite = true;
    for (ptrdiff_t k = 0; k < log->samples; k++) {
      finite &= fabs(c->values[k]) <= LARGEST;
      turns |= c->values[k] != 0;
    }
    r->torque |= torque;
    r->turns |= torque && turns;
    r->wraps |= c->channel == RBV_CHANNEL_POSITION && log_has_full_turn(c->values, log->samples);
    for (ptrdiff_t k = 0; k < log->samples && !finite; k++) {
      if (fabs(c->values[k]) <= LARGEST) continue;
      place(where, sizeof where, log, k);
      if (isfinite(c->values[k]))
        return rbv_fail(RBV_EINPUT, "%s: %s is %g, which is too large for a measurement", where,
                        c->name, c->values[k]);
      return rbv_fail(RBV_EINPUT, "%s: %s is %s", where, c->name,
                      isnan(c->values[k]) ? "missing (nan)" : "infinite");
    }
  }
  return RBV_OK;
}

rbv_status log_review_piece(log_review *r, const rbv_log *log) {
  const double *t = rbv_log_channel(log, RBV_CHANNEL_TIME, -1);
  if (!t)
    return rbv_fail_option(
        RBV_EINPUT, "log-rate",
        "%s: no time column (t): name it in a column map, or give the sample rate", log->name);
  RBV_TRY(review_numbers(r, log));

  // time must not decrease; repeated stamps are allowed
  if (r->samples == 0) r->first = r->last = t[0];
  char where[600];
  for (ptrdiff_t k = 0; k < log->samples; k++) {
    if (t[k] < r->last) {
      place(where, sizeof where, log, k);
      return rbv_fail(RBV_EINPUT, "%s: column t: time runs backwards: %.9g s after %.9g s", where,
                      t[k], r->last);
    }
    r->last = t[k];
  }
  r->samples += log->samples;
  return RBV_OK;
}

bool log_review_join(log_review *r, const log_review *next) {
  if (next->samples == 0) return true;
  if (r->samples == 0)
    r->first = next->first;
  else if (next->first < r->last)
    return false;
  r->last = next->last;
  r->samples += next->samples;
  r->torque |= next->torque;
  r->turns |= next->turns;
  r->wraps |= next->wraps;
  return true;
}

rbv_status log_review_finish(const log_review *r, const char *name, ptrdiff_t least) {
  if (r->samples < least)
    return rbv_fail(RBV_EINPUT, "%s: %td sample%s too few; at least %td are needed", name,
                    r->samples, r->samples == 1 ? " is" : "s are", least);
  if (!(r->last > r->first))
    return rbv_fail(RBV_EINPUT, "%s: column t: time does not advance, all stamps are %.9g s", name,
                    r->first);
  if (!r->torque)
    return rbv_fail(RBV_EINPUT,
                    "%s: no torque column (tau, taum, tauj); positions alone are enough for the "
                    "method cloe, which needs the control law",
                    name);
  if (!r->turns) return rbv_fail(RBV_EINPUT, "%s: all torques are zero", name);
  return RBV_OK;
}

rbv_status rbv_log_require(const rbv_log *log, ptrdiff_t least) {
  if (!log) return rbv_fail(RBV_EARG, "no log");
  log_review r = {0};
  if (rbv_log_channel(log, RBV_CHANNEL_TIME, -1) && log->samples < least)
    return log_review_finish(&(log_review){.samples = log->samples}, log->name, least);
  RBV_TRY(log_review_piece(&r, log));
  return log_review_finish(&r, log->name, least);
}
