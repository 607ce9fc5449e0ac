/* Finds values that are held, and leaves out the rows that repeat them. */
#include "log/held.h"

#include <math.h>
#include <string.h>

#include "base/support.h"
#include "log/log_thresholds.h"

RBV_THRESHOLDS(LOG_HELD);

enum {
  SIZES = 96,     // powers of two of a change,
  SMALLEST = -64  // from this one on
};

/* one channel of positions */
typedef struct {
  int column;
  double value, change;       // the last value that is a number, and how it came about
  ptrdiff_t row;              // of that change; -1: there was none
  double largest;             // magnitude of a value
  double least[SIZES];        // smallest change of each size; 0: none
  unsigned gap[SIZES][GAPS];  // gaps between two changes, by the size of the smaller one
} channel;

struct held_search {
  ptrdiff_t rows;
  int count;
  channel *channels;
  unsigned phase[GAPS][GAPS];  // rows with a change, by their number modulo 1, 2, ...
  unsigned gap[GAPS];          // gaps between such rows
  ptrdiff_t changed, last;     // their number, and the last one
};

/* ---- search ---- */

static int size_of(double change) {
  int power;
  (void)frexp(change, &power);
  power -= SMALLEST;
  return power < 0 ? 0 : power < SIZES ? power : SIZES - 1;
}

/* true if the value of this row is a new one */
static bool see_value(channel *c, double x, ptrdiff_t row) {
  if (!isfinite(x)) return false;
  const double change = fabs(x - c->value);
  const bool first = c->largest < 0;
  c->largest = fmax(c->largest, fabs(x));
  c->value = x;
  if (first || !(change > 0)) return false;
  double *least = &c->least[size_of(change)];
  if (*least == 0 || change < *least) *least = change;
  if (c->row >= 0) {
    const ptrdiff_t gap = row - c->row;
    c->gap[size_of(fmin(change, c->change))][gap < GAPS ? gap : GAPS - 1]++;
  }
  c->change = change;
  c->row = row;
  return true;
}

static rbv_status begin(held_search **out, const rbv_log *log) {
  *out = rbv_alloc(sizeof **out);
  if (!*out) return RBV_EMEM;
  held_search *s = *out;
  const bool motor = !rbv_log_channel(log, RBV_CHANNEL_POSITION, 0);
  const rbv_channel wanted = motor ? RBV_CHANNEL_MOTOR_POSITION : RBV_CHANNEL_POSITION;
  for (int i = 0; i < log->ncolumn; i++) s->count += log->columns[i].channel == wanted;
  s->channels = rbv_alloc((size_t)(s->count + 1) * sizeof *s->channels);
  if (!s->channels) {
    s->count = 0;
    return RBV_EMEM;
  }
  for (int i = 0, at = 0; i < log->ncolumn; i++)
    if (log->columns[i].channel == wanted)
      s->channels[at++] = (channel){.column = i, .row = -1, .largest = -1};
  return RBV_OK;
}

rbv_status held_add(held_search **search, const rbv_log *log) {
  if (!*search) RBV_TRY(begin(search, log));
  held_search *s = *search;
  for (ptrdiff_t k = 0; k < log->samples && s->rows < READ; k++, s->rows++) {
    bool changed = false;
    for (int j = 0; j < s->count; j++)
      changed |= see_value(&s->channels[j], log->columns[s->channels[j].column].values[k], s->rows);
    if (!changed) continue;
    const ptrdiff_t gap = s->changed > 0 ? s->rows - s->last : GAPS;
    // a change in the row before is not one of values that are held for whole numbers of rows
    for (int m = 2; m < GAPS && gap > 1; m++) s->phase[m][s->rows % m]++;
    if (gap < GAPS) s->gap[gap]++;
    s->last = s->rows;
    s->changed++;
  }
  return RBV_OK;
}

bool held_has_read_all(const held_search *s) { return s && s->rows >= READ; }

void held_free(held_search *s) {
  if (!s) return;
  rbv_free(s->channels);
  rbv_free(s);
}

/* ---- judgement ---- */

/* step of the encoder: the smallest change that is no rounding */
static double quantum(const channel *c) {
  for (int i = 0; i < SIZES; i++)
    if (c->least[i] > ROUNDING * c->largest) return c->least[i];
  return INFINITY;
}

/* gaps within one of the median: their number and their mean */
static ptrdiff_t near_median(double *mean, const unsigned *gaps, ptrdiff_t median) {
  ptrdiff_t count = 0;
  double sum = 0;
  for (ptrdiff_t g = median - 1; g <= median + 1; g++)
    if (g > 0 && g < GAPS) {
      count += gaps[g];
      sum += (double)g * gaps[g];
    }
  *mean = sum / (double)count;
  return count;
}

/* the median gap of a channel if its values are held; 0: they are not, -1: too few large changes */
static int median_gap(const channel *c) {
  unsigned gaps[GAPS] = {0}, count = 0, below = 0;
  const double least = STEPS * quantum(c);
  for (int i = 0; i < SIZES; i++)
    for (int g = 1; g < GAPS && ldexp(1, i + SMALLEST - 1) >= least; g++) {
      gaps[g] += c->gap[i][g];
      count += c->gap[i][g];
    }
  if ((int)count < CHANGES) return -1;
  int median = 0;
  while (2 * below < count) below += gaps[++median];
  double mean;
  const ptrdiff_t near = near_median(&mean, gaps, median);
  return (double)near >= REGULAR * count && mean >= LEAST_FACTOR ? median : 0;
}

/* a whole number of rows per value, if nearly all changes have the same phase */
static void find_stride(held_values *v, const held_search *s) {
  const ptrdiff_t stride = lround(v->factor);
  if (stride < 2 || stride >= GAPS) return;
  ptrdiff_t best = 0;
  for (ptrdiff_t k = 1; k < stride; k++)
    if (s->phase[stride][k] > s->phase[stride][best]) best = k;
  if ((double)s->phase[stride][best] < SAME_PHASE * (double)s->changed) return;
  *v = (held_values){(double)stride, stride, best};
}

/* All channels together have a change at each new value, also where one of them is slow. */
held_values held_judge(const held_search *s) {
  held_values found = {0};
  int decided = 0, held = 0;
  double median[MOST_CHANNELS];
  for (int j = 0; s && j < s->count && held < MOST_CHANNELS; j++) {
    const int gap = median_gap(&s->channels[j]);
    decided += gap >= 0;
    if (gap > 0) median[held++] = gap;
  }
  if (held == 0 || 2 * held <= decided) return found;
  double factor;
  (void)near_median(&factor, s->gap, (ptrdiff_t)rbv_select(median, held, held / 2));
  if (!(factor >= LEAST_FACTOR)) return found;
  found.factor = factor;
  find_stride(&found, s);
  return found;
}

/* ---- rows that are left ---- */

/*
 * With a stride every stride-th row. Otherwise the rows with a new value, which keep their stamps,
 * and where all joints rest so many rows later that a new value would have come.
 */
static void choose_rows(bool *keep, const rbv_log *log, const held_search *s, held_values v) {
  const ptrdiff_t wait = (ptrdiff_t)ceil(v.factor) + 1;
  ptrdiff_t last = -1;
  for (ptrdiff_t k = 0; k < log->samples; k++) {
    bool changed = k == 0;
    for (int j = 0; j < s->count && k > 0; j++) {
      const double *x = log->columns[s->channels[j].column].values;
      changed |= x[k] != x[k - 1];
    }
    keep[k] = v.stride > 0 ? k % v.stride == v.first : changed || k - last >= wait;
    if (keep[k]) last = k;
  }
}

static rbv_status thin(rbv_log **log, const held_search *s) {
  const held_values v = held_judge(s);
  if (!(v.factor > 0)) return RBV_OK;
  bool *keep = rbv_alloc((size_t)(*log)->samples * sizeof *keep);
  if (!keep) return RBV_EMEM;
  choose_rows(keep, *log, s, v);
  rbv_log *fewer;
  const rbv_status status = log_pick(&fewer, *log, keep);
  rbv_free(keep);
  if (status != RBV_OK) return status;
  fewer->held = v.factor;
  rbv_log_free(*log);
  *log = fewer;
  return RBV_OK;
}

rbv_status held_thin(rbv_log **log) {
  held_search *s = NULL;
  rbv_status status = held_add(&s, *log);
  if (status == RBV_OK) status = thin(log, s);
  held_free(s);
  return status;
}
