/* Pieces of curves: evaluation, sampling, extrema. */
#include "trajectory/curve.h"

#include <math.h>

#include "trajectory/classes.h"

#define TWO_PI (2 * RBV_PI)
#define RENEW 32  // a rotating wave is computed again after so many samples

/* ---- one piece ---- */

double rbv_waves_eval(const curve *c, int order, double time) {
  double sum = order == 0 ? c->offset : 0;
  const double s = time - c->origin;
  for (int k = 0; k < c->nwave; k++) {
    const double w = c->frequency[k], sn = sin(w * s), cs = cos(w * s);
    switch (order) {
      case 0: sum += c->sine[k] * sn + c->cosine[k] * cs; break;
      case 1: sum += w * (c->sine[k] * cs - c->cosine[k] * sn); break;
      case 2: sum -= w * w * (c->sine[k] * sn + c->cosine[k] * cs); break;
      default: sum -= w * w * w * (c->sine[k] * cs - c->cosine[k] * sn); break;
    }
  }
  return sum;
}

/* i! / (i - order)!, the factor of a derivative */
double rbv_falling(int i, int order) {
  double f = 1;
  for (int k = 0; k < order; k++) f *= i - k;
  return f;
}

double rbv_power_eval(const double *c, int order, double h) {
  double sum = 0;
  for (int i = DEGREE; i >= order; i--) sum = sum * h + rbv_falling(i, order) * c[i];
  return sum;
}

double rbv_piece_eval(const curve *c, const piece *p, int order, double time) {
  return p->waves ? rbv_waves_eval(c, order, time) : rbv_power_eval(p->c, order, time - p->start);
}

int rbv_find_piece(const curve *c, double time) {
  int low = 0, high = c->npiece - 1;
  while (low < high) {
    const int middle = (low + high + 1) / 2;
    if (c->piece[middle].start <= time)
      low = middle;
    else
      high = middle - 1;
  }
  return low;
}

/* ---- evaluation ---- */

double rbv_trajectory_duration(const rbv_trajectory *t) { return t->end / t->speed; }

double rbv_clamp(double x, double low, double high) { return x < low ? low : x > high ? high : x; }

void rbv_trajectory_eval(double *q, double *dq, double *ddq, double *dddq, const rbv_trajectory *t,
                         double time_s) {
  const double time = rbv_clamp(time_s * t->speed, 0, t->end);
  double *const out[ORDERS] = {q, dq, ddq, dddq};
  for (int j = 0; j < t->shape.njoint; j++) {
    const curve *c = &t->curve[j];
    const piece *p = &c->piece[rbv_find_piece(c, time)];
    double factor = 1;
    for (int i = 0; i < ORDERS; i++, factor *= t->speed)
      if (out[i]) out[i][j] = factor * rbv_piece_eval(c, p, i, time);
  }
}

/* waves at count regular times: each is rotated from sample to sample, and computed again after
 * RENEW samples */
static void sample_waves(double *q, double *dq, double *ddq, const curve *c, double time,
                         double step, ptrdiff_t count) {
  for (ptrdiff_t k = 0; k < count; k++) {
    q[k] = c->offset;
    dq[k] = ddq[k] = 0;
  }
  for (int i = 0; i < c->nwave; i++) {
    const double w = c->frequency[i], turn_c = cos(w * step), turn_s = sin(w * step);
    double s = 0, v = 0;  // the wave, and its derivative divided by w
    for (ptrdiff_t k = 0; k < count; k++) {
      if (k % RENEW == 0) {
        const double angle = w * (time + (double)k * step - c->origin);
        const double sn = sin(angle), cs = cos(angle);
        s = c->sine[i] * sn + c->cosine[i] * cs;
        v = c->sine[i] * cs - c->cosine[i] * sn;
      }
      q[k] += s;
      dq[k] += w * v;
      ddq[k] -= w * w * s;
      const double next = s * turn_c + v * turn_s;
      v = v * turn_c - s * turn_s;
      s = next;
    }
  }
}

#define BLOCK 256

void rbv_trajectory_sample(const rbv_samples *out, const rbv_trajectory *t, double start_s,
                           double step_s, ptrdiff_t count) {
  double block[3][BLOCK];
  const double start = start_s * t->speed, step = step_s * t->speed;
  double *const to[3] = {out->q, out->dq, out->ddq};
  for (int j = 0; j < t->shape.njoint; j++) {
    const curve *c = &t->curve[j];
    for (ptrdiff_t k = 0; k < count;) {
      const double raw = start + (double)k * step, time = rbv_clamp(raw, 0, t->end);
      const int index = rbv_find_piece(c, time);
      const piece *p = &c->piece[index];
      const double until = index + 1 < c->npiece ? c->piece[index + 1].start : t->end;
      // all following samples that lie in this piece
      ptrdiff_t run = 1;
      if (raw >= 0 && step > 0)
        while (run < BLOCK && k + run < count && start + (double)(k + run) * step < until) run++;
      if (p->waves)
        sample_waves(block[0], block[1], block[2], c, time, step, run);
      else
        for (ptrdiff_t i = 0; i < run; i++)
          for (int d = 0; d < 3; d++)
            block[d][i] =
                rbv_power_eval(p->c, d, rbv_clamp(raw + (double)i * step, 0, t->end) - p->start);
      double factor = 1;
      for (int d = 0; d < 3; d++, factor *= t->speed)
        for (ptrdiff_t i = 0; to[d] && i < run; i++)
          to[d][k + i + j * out->ld] = factor * block[d][i];
      k += run;
    }
  }
}

/* ---- extrema ---- */

/* upper bound of a derivative in a piece of this length */
static double size_of(const curve *c, const piece *p, int order, double length) {
  double sum = 0;
  if (p->waves) {
    for (int k = 0; k < c->nwave; k++)
      sum += pow(fabs(c->frequency[k]), order) * hypot(c->sine[k], c->cosine[k]);
    return sum;
  }
  for (int i = DEGREE; i >= order; i--) sum = sum * length + rbv_falling(i, order) * fabs(p->c[i]);
  return sum;
}

/* upper bound of a derivative in all pieces; infinite if it is not a finite number */
static double bound_of(const rbv_trajectory *t, int joint, int order) {
  const curve *c = &t->curve[joint];
  double bound = 0;
  for (int i = 0; i < c->npiece; i++) {
    const double until = i + 1 < c->npiece ? c->piece[i + 1].start : t->end;
    bound = fmax(bound, size_of(c, &c->piece[i], order, until - c->piece[i].start));
    if (isnan(size_of(c, &c->piece[i], order, until - c->piece[i].start))) return INFINITY;
  }
  bound += order == 0 ? fabs(c->offset) : 0;
  return isfinite(bound) ? bound : INFINITY;
}

#define DEPTH 64
#define CELLS_MAX 400000  // of one joint and order

typedef struct {
  double a, b, fa, fb;
} cell;

/*
 * Largest value of sign * derivative in a piece, if it is larger than *best. In a cell of width h a
 * curve exceeds the larger of its end values by at most h^2/8 times its largest curvature. Cells
 * that cannot exceed the best value are dropped, the others are halved.
 */
static void climb(double *best, long *budget, double *when, const curve *c, const piece *p,
                  int order, double sign, double a, double b) {
  const double bend = size_of(c, p, order + 2, b - a);
  const double tol = 1e-13 * size_of(c, p, order, b - a);
  if (!isfinite(bend) || !isfinite(size_of(c, p, order, b - a))) *budget = 0;
  double fastest = 0;
  for (int k = 0; p->waves && k < c->nwave; k++) fastest = fmax(fastest, fabs(c->frequency[k]));
  const double wish = ceil(8 * fastest * (b - a) / TWO_PI);
  const int cells = wish < 1 ? 1 : wish > 100000 ? 100000 : (int)wish;
  double left = a, fleft = sign * rbv_piece_eval(c, p, order, a);
  if (!(fleft <= *best)) *best = fleft, *when = a;
  for (int i = 1; i <= cells && *budget > 0; i++) {
    const double right = i == cells ? b : a + (b - a) * i / cells;
    const double fright = sign * rbv_piece_eval(c, p, order, right);
    if (fright > *best) *best = fright, *when = right;
    cell stack[DEPTH];
    int top = 0;
    stack[top++] = (cell){left, right, fleft, fright};
    while (top > 0 && (*budget)-- > 0) {
      const cell now = stack[--top];
      const double h = now.b - now.a, m = now.a + h / 2;
      if (fmax(now.fa, now.fb) + h * h / 8 * bend <= *best + tol) continue;
      if (top + 2 > DEPTH || m <= now.a || m >= now.b) continue;
      const double fm = sign * rbv_piece_eval(c, p, order, m);
      if (fm > *best) *best = fm, *when = m;
      stack[top++] = (cell){now.a, m, now.fa, fm};
      stack[top++] = (cell){m, now.b, fm, now.fb};
    }
    left = right;
    fleft = fright;
  }
}

rbv_extreme rbv_trajectory_extreme(const rbv_trajectory *t, int joint, int order) {
  const curve *c = &t->curve[joint];
  const bool periodic = rbv_class_of(t->shape.kind)->periodic;
  double low = -INFINITY, high = -INFINITY, low_time = 0, high_time = 0;
  long budget = CELLS_MAX;
  for (int i = 0; i < c->npiece; i++) {
    const piece *p = &c->piece[i];
    double b = i + 1 < c->npiece ? c->piece[i + 1].start : t->end;
    // one period of a periodic curve is enough
    if (p->waves && periodic) b = p->start + t->shape.duration_s;
    climb(&high, &budget, &high_time, c, p, order, 1, p->start, b);
    climb(&low, &budget, &low_time, c, p, order, -1, p->start, b);
  }
  // too many waves, or numbers that are not finite: a bound in place of the extrema
  if (budget <= 0) low = high = bound_of(t, joint, order);
  const double factor = pow(t->speed, order);
  return (rbv_extreme){-low * factor, high * factor, low_time / t->speed, high_time / t->speed};
}

double rbv_curve_bound(double *mean, const rbv_trajectory *t, int joint, int order) {
  const curve *c = &t->curve[joint];
  double bound = 0;
  *mean = 0;
  for (int i = 0; i < c->npiece; i++) {
    const piece *p = &c->piece[i];
    const double until = i + 1 < c->npiece ? c->piece[i + 1].start : t->end;
    // a bound about the mean exists for waves only
    if (order == 0 && !p->waves) return INFINITY;
    bound = fmax(bound, size_of(c, p, order, until - p->start));
  }
  if (order == 0) *mean = c->offset;
  return bound * pow(t->speed, order);
}
