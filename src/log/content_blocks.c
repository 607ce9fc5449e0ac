/*
 * The columns of a recording as blocks that may be one quantity of all joints: their values and
 * derivatives at some samples, and what follows from another block.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "log/guess_content.h"
#include "log/log_thresholds.h"

RBV_THRESHOLDS(LOG_BLOCKS);

/* ---- time ---- */

/* Median step of a column that increases evenly; NaN: it does not. */
static double even_step(const table *t, int column) {
  const double *x = t->values + column * t->ld;
  double steps[1024];
  const ptrdiff_t stride = t->rows / RBV_COUNT(steps) + 1;
  int n = 0, even = 0;
  for (ptrdiff_t k = 1; k < t->rows; k++)
    if (!(x[k] >= x[k - 1])) return NAN;
  for (ptrdiff_t k = 1; k < t->rows; k += stride) steps[n++] = x[k] - x[k - 1];
  if (n < 2) return NAN;
  const double median = rbv_select(steps, n, (n - 1) / 2);
  for (int i = 0; i < n; i++) even += fabs(steps[i] - median) <= 0.5 * median;
  return median > 0 && even >= EVEN_STEPS * n ? median : NAN;
}

/* Does a column count the rows? Milliseconds at 1 kHz look the same. */
static bool counts_rows(const table *t, int column) {
  const double *x = t->values + column * t->ld;
  for (ptrdiff_t k = 1; k < t->rows; k++)
    if (x[k] - x[k - 1] != 1) return false;
  return true;
}

static double seconds_of(double step) {
  const char *unit = rbv_log_time_unit(step);
  if (!unit) return 1;
  return strcmp(unit, "ms") == 0   ? 1e-3
         : strcmp(unit, "us") == 0 ? 1e-6
         : strcmp(unit, "ns") == 0 ? 1e-9
                                   : NAN;
}

rbv_status content_find_clock(content *x) {
  const table *t = x->s->t;
  clock_guess *c = x->clock;
  double used = NAN;
  for (int i = 0; i < t->ncol; i++) {
    const double step = guess_is_text(t, i) ? NAN : even_step(t, i), factor = seconds_of(step);
    if (!isfinite(step) || !isfinite(factor)) continue;
    const bool counter = counts_rows(t, i);
    x->timed[i] = true;
    if (c->column >= 0 && counter) continue;
    if (c->column < 0 || x->counter) {
      x->counter = counter;
      c->column = i;
      c->unit = rbv_log_time_unit(step);
      used = step * factor;
      snprintf(c->reason, sizeof c->reason, "it increases evenly, in steps of %.3g", step);
    } else if (fabs(step * factor - used) > 0.01 * used) {
      return guess_say(&x->s->out->ambiguous, &x->s->out->nambiguous,
                       "columns %d and %d both increase evenly: which one is the time?",
                       c->column + 1, i + 1);
    }
  }
  return RBV_OK;
}

/* Times of all rows in seconds. */
void content_fill_times(content *x) {
  const table *t = x->s->t;
  const clock_guess *c = x->clock;
  const double factor = c->unit ? (strcmp(c->unit, "ms") == 0   ? 1e-3
                                   : strcmp(c->unit, "us") == 0 ? 1e-6
                                   : strcmp(c->unit, "ns") == 0 ? 1e-9
                                                                : 1)
                                : 1;
  for (ptrdiff_t k = 0; k < t->rows; k++) {
    const double *v = t->values + k;
    x->t[k] = c->column >= 0 ? factor * (v[c->column * t->ld] - t->values[c->column * t->ld])
                             : (double)k / x->rate_hz;
    if (c->second >= 0) x->t[k] += 1e-9 * (v[c->second * t->ld] - t->values[c->second * t->ld]);
  }
}

/* ---- blocks ---- */

/* Is a column of numbers that are known in most rows? */
static bool has_numbers(const table *t, int column) {
  if (guess_is_text(t, column)) return false;
  const double *v = t->values + column * t->ld;
  ptrdiff_t lost = 0;
  for (ptrdiff_t k = 0; k < t->rows; k++) lost += !isfinite(v[k]);
  return 10 * lost < t->rows;
}

static rbv_status add_block(content *x, const int *column, const family *f, bool sorted) {
  const int n = x->s->n;
  for (int j = 0; j < n; j++)
    if (!has_numbers(x->s->t, column[j])) return RBV_OK;
  for (int i = 0; i < x->nblock; i++)
    if (memcmp(x->blocks[i].column, column, sizeof *column * (size_t)n) == 0) return RBV_OK;
  content_block *more = rbv_grow(x->blocks, x->nblock, &x->room, sizeof *more);
  if (!more) return RBV_EMEM;
  x->blocks = more;
  content_block *b = &more[x->nblock];
  *b = (content_block){.f = f, .sorted = sorted, .channel = f ? f->channel : RBV_CHANNEL_OTHER};
  b->column = rbv_alloc(sizeof *column * (size_t)n);
  if (!b->column) return RBV_EMEM;
  memcpy(b->column, column, sizeof *column * (size_t)n);
  b->open = !f || (!f->means.foreign && f->means.of == QUANTITY_NONE);
  x->nblock++;
  return RBV_OK;
}

/* The place of each joint among the joints in alphabetical order. */
static bool sort_joints(int *place, const search *s) {
  bool differs = false;
  for (int j = 0; j < s->n; j++) {
    place[j] = 0;
    for (int k = 0; k < s->n; k++) place[j] += strcmp(s->joints[k], s->joints[j]) < 0;
    differs |= place[j] != j;
  }
  return differs;
}

/* Neighbours: all columns are blocks one after the other, or the quantities of one joint after the
 * other. Also in the alphabetical order of the joints, as ROS drivers publish them. */
static rbv_status add_neighbours(content *x, const int *list, int count) {
  const int n = x->s->n, blocks = count / n;
  const bool whole = count % n == 0;
  int *column = rbv_alloc(sizeof *column * 2 * (size_t)n), *place = column ? column + n : NULL;
  if (!column) return RBV_EMEM;
  const bool differs = sort_joints(place, x->s);
  rbv_status status = RBV_OK;
  for (int sorted = 0; sorted <= differs && status == RBV_OK; sorted++) {
    for (int b = 0; b + n <= count && b < 12 * n && status == RBV_OK; b += whole ? n : 1) {
      for (int j = 0; j < n; j++) column[j] = list[b + (sorted ? place[j] : j)];
      status = add_block(x, column, NULL, sorted);
    }
    for (int b = 0; whole && n > 1 && blocks > 1 && b < blocks && status == RBV_OK; b++) {
      for (int j = 0; j < n; j++) column[j] = list[(sorted ? place[j] : j) * blocks + b];
      status = add_block(x, column, NULL, sorted);
    }
  }
  rbv_free(column);
  return status;
}

static bool is_constant(const table *t, int column) {
  const double *v = t->values + column * t->ld;
  for (ptrdiff_t k = 1; k < t->rows; k++)
    if (v[k] != v[0]) return false;
  return true;
}

/* Columns that may be quantities of joints; returns their number. */
static int list_columns(int *list, const content *x, bool constant) {
  const table *t = x->s->t;
  int count = 0;
  for (int i = 0; i < t->ncol; i++)
    if (i != x->clock->column && i != x->clock->second && !x->timed[i] && has_numbers(t, i) &&
        (constant || !is_constant(t, i)))
      list[count++] = i;
  return count;
}

rbv_status content_list_blocks(content *x) {
  const search *s = x->s;
  int open = 0;
  for (int i = 0; i < s->nfamily; i++) {
    const family *f = &s->families[i];
    if (f->found < s->n) continue;
    RBV_TRY(add_block(x, f->column, f, false));
    open += f->means.of == QUANTITY_NONE && !f->means.foreign;
  }
  // names that have nothing in common say nothing
  const bool named = s->chosen[RBV_CHANNEL_POSITION] || s->chosen[RBV_CHANNEL_TORQUE] || open > 0;
  if (named) return RBV_OK;
  int *list = rbv_alloc(sizeof *list * (size_t)s->t->ncol);
  if (!list) return RBV_EMEM;
  // a state or a mode of the controller never changes, and breaks the pattern of the joints
  int count = list_columns(list, x, false);
  if (count % s->n != 0) count = list_columns(list, x, true);
  const rbv_status status = count >= s->n ? add_neighbours(x, list, count) : RBV_OK;
  rbv_free(list);
  return status;
}

/* ---- values at the knots ---- */

/* Weights of the samples around a knot: value, slope and second derivative of the parabola. */
static bool parabola(double *w, const double *t, ptrdiff_t at, ptrdiff_t half) {
  const ptrdiff_t size = 2 * half + 1;
  double m[5] = {0};
  const double span = t[at + half] - t[at - half];
  if (!(span > 0)) return false;
  for (ptrdiff_t i = 0; i < size; i++) {
    const double u = (t[at - half + i] - t[at]) / span;
    for (int k = 0; k < 5; k++) m[k] += pow(u, k);
  }
  // inverse of the symmetric matrix m0 m1 m2, m1 m2 m3, m2 m3 m4
  const double a = m[2] * m[4] - m[3] * m[3], b = m[2] * m[3] - m[1] * m[4];
  const double c = m[1] * m[3] - m[2] * m[2], d = m[0] * m[4] - m[2] * m[2];
  const double e = m[1] * m[2] - m[0] * m[3], f = m[0] * m[2] - m[1] * m[1];
  const double det = m[0] * a + m[1] * b + m[2] * c;
  if (!(fabs(det) > 1e-12)) return false;
  for (ptrdiff_t i = 0; i < size; i++) {
    const double u = (t[at - half + i] - t[at]) / span;
    w[i] = (a + b * u + c * u * u) / det;
    w[i + size] = (b + d * u + e * u * u) / det / span;
    w[i + 2 * size] = 2 * (c + e * u + f * u * u) / det / span / span;
  }
  return true;
}

/* Value and derivatives of all blocks at evenly spread samples without gaps. false: too few. */
rbv_status content_fill_knots(bool *enough, content *x) {
  const table *t = x->s->t;
  const double step = (x->t[t->rows - 1] - x->t[0]) / (double)t->rows;
  const ptrdiff_t half = step > 0 ? (ptrdiff_t)fmax(2, round(CONTENT_WINDOW / step)) : t->rows;
  const ptrdiff_t room = (t->rows - 2 * half) / (half / 2 + 1), size = 2 * half + 1;
  const int most = (int)fmin(CONTENT_KNOTS, (double)room), n = x->s->n;
  *enough = most >= LEAST_KNOTS;
  if (!*enough) return RBV_OK;
  double *w = rbv_alloc(sizeof *w * 3 * (size_t)size);
  bool good = w != NULL;
  for (int b = 0; b < x->nblock && good; b++)
    good = (x->blocks[b].x = rbv_alloc(sizeof *w * 3 * (size_t)(n * most))) != NULL;
  x->nknot = most;
  int k = 0;
  for (int i = 0; i < most && good; i++) {
    const ptrdiff_t at = half + (t->rows - 2 * half - 1) * i / (most - 1);
    bool use = parabola(w, x->t, at, half);
    for (int b = 0; b < x->nblock && use; b++)
      for (int j = 0; j < n && use; j++) {
        const double *v = t->values + x->blocks[b].column[j] * t->ld + at - half;
        for (int d = 0; d < 3; d++) {
          double sum = 0;
          for (ptrdiff_t r = 0; r < size; r++) sum += w[r + d * size] * v[r];
          x->blocks[b].x[k + j * most + d * n * most] = sum;
          use &= isfinite(sum);
        }
      }
    k += use;
  }
  rbv_free(w);
  if (!good) return RBV_EMEM;
  x->used = k;
  *enough = k >= LEAST_KNOTS;
  return RBV_OK;
}

/* ---- relations ---- */

const double *content_at(const content *x, const content_block *b, int joint, int derivative) {
  return b->x + (ptrdiff_t)x->nknot * (joint + derivative * x->s->n);
}

double content_range(const double *v, int n) {
  double low = INFINITY, high = -INFINITY;
  for (int i = 0; i < n; i++) {
    low = fmin(low, v[i]);
    high = fmax(high, v[i]);
  }
  return high - low;
}

/* Correlation of a - c with b; slope: of b over a - c. c may be NULL. */
static double correlate(double *slope, const double *a, const double *c, const double *b, int n) {
  double ma = 0, mb = 0, aa = 0, ab = 0, bb = 0;
  for (int i = 0; i < n; i++) {
    ma += (a[i] - (c ? c[i] : 0)) / n;
    mb += b[i] / n;
  }
  for (int i = 0; i < n; i++) {
    const double u = a[i] - (c ? c[i] : 0) - ma, v = b[i] - mb;
    aa += u * u;
    ab += u * v;
    bb += v * v;
  }
  *slope = aa > 0 ? ab / aa : 0;
  return aa > 0 && bb > 0 ? ab / sqrt(aa * bb) : 0;
}

likeness content_compare(const content *x, const content_block *a, int derivative,
                         const content_block *c, const content_block *b) {
  const int n = x->s->n;
  double all[GUESS_MOST_JOINTS], widest = 0;
  likeness r = {.least = 1, .low = INFINITY, .high = -INFINITY};
  for (int j = 0; j < n; j++)
    widest = fmax(widest, content_range(content_at(x, a, j, derivative), x->used));
  for (int j = 0; j < n; j++) {
    const double *u = content_at(x, a, j, derivative);
    if (!(content_range(u, x->used) >= MOVES * widest)) continue;
    double slope;
    const double one = fabs(
        correlate(&slope, u, c ? content_at(x, c, j, 0) : NULL, content_at(x, b, j, 0), x->used));
    all[r.joints++] = one;
    r.least = fmin(r.least, one);
    r.low = fmin(r.low, slope);
    r.high = fmax(r.high, slope);
  }
  if (r.joints == 0) return (likeness){0};
  r.middle = rbv_select(all, r.joints, (r.joints - 1) / 2);
  return r;
}

bool content_overlap(const content *x, const content_block *a, const content_block *b) {
  for (int i = 0; i < x->s->n; i++)
    for (int j = 0; j < x->s->n; j++)
      if (a->column[i] == b->column[j]) return true;
  return false;
}

bool content_is_same(const content *x, const content_block *a, const content_block *b) {
  const likeness r = content_compare(x, a, 0, NULL, b);
  return r.least >= SAME_SIGNAL;
}

/* Speed, acceleration, reference or following error of these positions, or what looks like it. */
bool content_is_derived(const content *x, const content_block *q, const content_block *b) {
  for (int d = 0; d < 3; d++)
    if (content_compare(x, q, d, NULL, b).middle >= DERIVED) return true;
  for (int i = 0; i < x->nblock; i++) {
    const content_block *r = &x->blocks[i];
    if (r == q || r == b || content_overlap(x, q, r) || !content_is_same(x, q, r)) continue;
    if (content_compare(x, q, 0, r, b).middle >= DERIVED ||
        content_compare(x, r, 1, NULL, b).middle >= DERIVED)
      return true;
  }
  return false;
}

/* Does block b lead block a (1), or lag behind it (-1)? 0: not certain: most joints must say so,
 * and none may say the opposite. */
int content_lead(const content *x, const content_block *a, const content_block *b) {
  int leading = 0, lagging = 0;
  const double step = (x->t[x->s->t->rows - 1] - x->t[0]) / (double)x->s->t->rows;
  for (int j = 0; j < x->s->n; j++) {
    double slope, scale;
    const double *u = content_at(x, a, j, 0), *v = content_at(x, b, j, 0),
                 *du = content_at(x, a, j, 1);
    (void)correlate(&scale, u, NULL, v, x->used);
    if (!(fabs(scale) > 0)) return 0;
    // the difference in the units of a over its speed
    double ma = 0, mb = 0, top = 0, bottom = 0;
    for (int k = 0; k < x->used; k++) {
      ma += u[k] / x->used;
      mb += v[k] / scale / x->used;
    }
    for (int k = 0; k < x->used; k++) {
      top += (v[k] / scale - mb - (u[k] - ma)) * du[k];
      bottom += du[k] * du[k];
    }
    slope = bottom > 0 ? top / bottom : 0;
    leading += slope > 0.5 * step;
    lagging += slope < -0.5 * step;
  }
  if (lagging == 0 && 2 * leading >= x->s->n) return 1;
  return leading == 0 && 2 * lagging >= x->s->n ? -1 : 0;
}

bool content_is_speed(likeness *out, const content *x, const content_block *q,
                      const content_block *b) {
  *out = content_compare(x, q, 1, NULL, b);
  return out->least >= DERIVED;
}
