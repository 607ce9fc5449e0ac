/* Positions of joints that turn without end: some drivers let them jump by a full turn. */
#include <math.h>
#include <string.h>

#include "base/support.h"
#include "log/log_internal.h"

#define TURN 6.283185307179586
#define LARGEST_REST \
  (TURN / 8)  // beside a jump: poses that were recorded one by one differ by more
#define NEIGHBOURS 3
#define FASTER 5            // than the neighbours: the step that a jump hides
#define SMALLEST_STEP 0.01  // rad: a joint that starts to move

/* The values of a column; the log owns them. */
static double *values_of(rbv_log *log, const rbv_log_column *c) {
  const double *first = log->source.values;
  const ptrdiff_t size = log->source.ld * log->source.ncol;
  if (first && c->values >= first && c->values < first + size)
    return log->source.values + (c->values - first);
  return log->extra ? log->extra + (c->values - log->extra) : NULL;
}

/* The same of a column that will change: that of a view becomes a copy. NULL: out of memory. */
static double *changeable(rbv_log *log, rbv_log_column *c) {
  double *mine = values_of(log, c);
  if (mine) return mine;
  double **longer = rbv_realloc(log->own, (size_t)log->nown * sizeof *longer,
                                (size_t)(log->nown + 1) * sizeof *longer);
  if (longer) log->own = longer;
  const size_t size = (size_t)log->samples * sizeof *mine;
  mine = longer ? rbv_alloc(size) : NULL;
  if (!mine) return NULL;
  memcpy(mine, c->values, size);
  log->own[log->nown++] = mine;
  c->values = mine;
  return mine;
}

static bool is_jump(double step) { return fabs(step) > TURN / 2; }

static double rest_of(double step) { return step - TURN * round(step / TURN); }

/* Is the step at sample k a full turn, and else like its neighbours, which are small? */
static bool is_full_turn(const double *x, ptrdiff_t n, ptrdiff_t k) {
  double largest = SMALLEST_STEP;
  for (ptrdiff_t i = k - NEIGHBOURS; i <= k + NEIGHBOURS; i++) {
    if (i < 1 || i >= n || i == k) continue;
    const double step = x[i] - x[i - 1];
    if (fabs(step) > LARGEST_REST) return false;
    largest = fmax(largest, FASTER * fabs(step));
  }
  const double step = x[k] - x[k - 1];
  return fabs(step) < 1.5 * TURN && fabs(rest_of(step)) <= fmin(largest, LARGEST_REST);
}

bool log_has_full_turn(const double *x, ptrdiff_t n) {
  for (ptrdiff_t k = 1; k < n; k++)
    if (is_jump(x[k] - x[k - 1]) && is_full_turn(x, n, k)) return true;
  return false;
}

/* Number of jumps; 0 if one of them is no full turn, which is an error of another kind. */
static ptrdiff_t count_jumps(const double *x, ptrdiff_t n) {
  ptrdiff_t count = 0;
  for (ptrdiff_t k = 1; k < n; k++) {
    if (!is_jump(x[k] - x[k - 1])) continue;
    if (!is_full_turn(x, n, k)) return 0;
    count++;
  }
  return count;
}

static void remove_jumps(double *x, ptrdiff_t n, double turns) {
  double before = x[0];
  for (ptrdiff_t k = 0; k < n; k++) {
    const double raw = x[k];
    if (k > 0 && is_jump(raw - before)) turns -= round((raw - before) / TURN);
    before = raw;
    x[k] = raw + TURN * turns;
  }
}

static rbv_log_column *find_column(rbv_log *log, rbv_channel channel, int joint) {
  for (int i = 0; i < log->ncolumn; i++)
    if (log->columns[i].channel == channel && log->columns[i].joint == joint)
      return &log->columns[i];
  return NULL;
}

ptrdiff_t rbv_log_unwrap(rbv_log *log, int joint) {
  static const rbv_channel channels[] = {RBV_CHANNEL_POSITION, RBV_CHANNEL_REFERENCE_POSITION};
  ptrdiff_t jumps = 0;
  double start = NAN;
  for (int i = 0; log && i < RBV_COUNT(channels); i++) {
    rbv_log_column *c = find_column(log, channels[i], joint);
    const double *x = c ? c->values : NULL;
    if (!x || log->samples < 2) continue;
    const ptrdiff_t count = count_jumps(x, log->samples);
    // the reference begins within half a turn of the position
    const double turns = jumps > 0 && isfinite(start - x[0]) ? round((start - x[0]) / TURN) : 0;
    if (i == 0) start = x[0];
    double *changed = count > 0 || turns != 0 ? changeable(log, c) : NULL;
    if (changed) remove_jumps(changed, log->samples, turns);
    if (i == 0) jumps = count;
  }
  return jumps;
}
