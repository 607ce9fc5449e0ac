/* Pieces of curves: evaluation, sampling, extrema. */
#include "trajectory/curve.h"

#include <math.h>

#include "trajectory/classes.h"

#define TWO_PI (2 * RBV_PI)
#define RENEW 8  // a rotating wave is computed again after so many samples

/* ---- one piece ---- */

/* derivative `order` of a wave, divided by w^order, from its sine and cosine */
static double wave_of(double sine, double cosine, int order, double sn, double cs) {
  switch (order) {
    case 0: return sine * sn + cosine * cs;
    case 1: return sine * cs - cosine * sn;
    case 2: return -(sine * sn + cosine * cs);
    default: return cosine * sn - sine * cs;
  }
}

static double power_of(double w, int order) {
  double p = 1;
  for (int i = 0; i < order; i++) p *= w;
  return p;
}

double rbv_waves_eval(const curve *c, int order, double time) {
  double sum = order == 0 ? c->offset : 0, sn1 = 0, cs1 = 0, sn = 0, cs = 1;
  const double s = time - c->origin;
  for (int k = 0; k < c->nwave; k++) {
    const double w = c->frequency[k];
    if (k == 0 || !c->harmonic) {
      sn = sn1 = sin(w * s);
      cs = cs1 = cos(w * s);
    } else {
      // the next harmonic
      const double next = sn * cs1 + cs * sn1;
      cs = cs * cs1 - sn * sn1;
      sn = next;
    }
    sum += power_of(w, order) * wave_of(c->sine[k], c->cosine[k], order, sn, cs);
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

#define BLOCK 64  // samples that are computed together

/* sine and cosine of w s at regular times: rotated from sample to sample, and computed again after
 * RENEW samples */
static void put_angles(double *sn, double *cs, double w, double s, double step, int count) {
  const double turn_c = cos(w * step), turn_s = sin(w * step);
  for (int i = 0; i < count; i++) {
    if (i % RENEW == 0) {
      const double angle = w * (s + i * step);
      sn[i] = sin(angle);
      cs[i] = cos(angle);
    } else {
      sn[i] = sn[i - 1] * turn_c + cs[i - 1] * turn_s;
      cs[i] = cs[i - 1] * turn_c - sn[i - 1] * turn_s;
    }
  }
}

/* from one harmonic to the next */
static void next_harmonic(double *restrict sn, double *restrict cs, const double *restrict sn1,
                          const double *restrict cs1, int count) {
  for (int i = 0; i < count; i++) {
    const double next = sn[i] * cs1[i] + cs[i] * sn1[i];
    cs[i] = cs[i] * cs1[i] - sn[i] * sn1[i];
    sn[i] = next;
  }
}

/* out += a sin + b cos */
static void add_wave(double *restrict out, double a, double b, const double *restrict sn,
                     const double *restrict cs, int count) {
  for (int i = 0; i < count; i++) out[i] += a * sn[i] + b * cs[i];
}

/* derivative `order` of wave k of a joint, added */
static void add_derivative(double *out, const curve *c, int k, int order, double factor,
                           const double *sn, const double *cs, int count) {
  const double f = factor * power_of(c->frequency[k], order);
  const double a = f * c->sine[k], b = f * c->cosine[k];
  switch (order) {
    case 0: add_wave(out, a, b, sn, cs, count); break;
    case 1: add_wave(out, -b, a, sn, cs, count); break;
    case 2: add_wave(out, -a, -b, sn, cs, count); break;
    default: add_wave(out, b, -a, sn, cs, count); break;
  }
}

/* Sines and cosines of the waves of a curve at several times, one wave after the other. */
typedef struct {
  double sn[BLOCK], cs[BLOCK];    // of this wave
  double sn1[BLOCK], cs1[BLOCK];  // of the first one
} wave_block;

/* the angles of wave k at regular times s + i step since the origin of the waves */
static void put_wave(wave_block *b, const curve *c, int k, double s, double step, int count) {
  if (k > 0 && c->harmonic) {
    next_harmonic(b->sn, b->cs, b->sn1, b->cs1, count);
    return;
  }
  put_angles(b->sn, b->cs, c->frequency[k], s, step, count);
  for (int i = 0; i < count && c->harmonic; i++) {
    b->sn1[i] = b->sn[i];
    b->cs1[i] = b->cs[i];
  }
}

/* one derivative of a joint's waves at up to BLOCK regular times */
static void waves_row(double *out, const curve *c, int order, double time, double step, int count) {
  wave_block b;
  for (int i = 0; i < count; i++) out[i] = order == 0 ? c->offset : 0;
  for (int k = 0; k < c->nwave; k++) {
    put_wave(&b, c, k, time - c->origin, step, count);
    add_derivative(out, c, k, order, 1, b.sn, b.cs, count);
  }
}

/* waves of joints first .. last - 1, which have the same frequencies, at up to BLOCK regular times
 */
static void sample_waves(double *const to[3], ptrdiff_t ld, const rbv_trajectory *t, int first,
                         int last, double time, double step, int count) {
  wave_block b;
  int most = 0;
  for (int j = first; j < last; j++) {
    if (t->curve[j].nwave > most) most = t->curve[j].nwave;
    for (int d = 0; d < 3; d++)
      for (int i = 0; to[d] && i < count; i++) to[d][i + j * ld] = d == 0 ? t->curve[j].offset : 0;
  }
  for (int k = 0; k < most; k++) {
    bool put = false;
    for (int j = first; j < last; j++) {
      const curve *c = &t->curve[j];
      if (k >= c->nwave) continue;
      if (!put) put_wave(&b, c, k, time - c->origin, step, count);
      put = true;
      double factor = 1;
      for (int d = 0; d < 3; d++, factor *= t->speed)
        if (to[d]) add_derivative(to[d] + j * ld, c, k, d, factor, b.sn, b.cs, count);
    }
  }
}

static void sample_powers(double *const to[3], ptrdiff_t ld, const rbv_trajectory *t, int first,
                          int last, double raw, double step, int count) {
  for (int j = first; j < last; j++) {
    const curve *c = &t->curve[j];
    const piece *p = &c->piece[rbv_find_piece(c, rbv_clamp(raw, 0, t->end))];
    double factor = 1;
    for (int d = 0; d < 3; d++, factor *= t->speed)
      for (int i = 0; to[d] && i < count; i++)
        to[d][i + j * ld] =
            factor * rbv_power_eval(p->c, d, rbv_clamp(raw + i * step, 0, t->end) - p->start);
  }
}

void rbv_trajectory_sample(const rbv_samples *out, const rbv_trajectory *t, double start_s,
                           double step_s, ptrdiff_t count) {
  const double start = start_s * t->speed, step = step_s * t->speed;
  // joints with the same frequencies have the same pieces: they are sampled together
  const int n = t->shape.njoint, each = t->curve[0].harmonic ? n : 1;
  for (int j = 0; j < n; j += each) {
    const curve *c = &t->curve[j];
    for (ptrdiff_t k = 0; k < count;) {
      const double raw = start + (double)k * step, time = rbv_clamp(raw, 0, t->end);
      const int index = rbv_find_piece(c, time);
      const piece *p = &c->piece[index];
      const double until = index + 1 < c->npiece ? c->piece[index + 1].start : t->end;
      // all following samples that lie in this piece
      int run = 1;
      if (raw >= 0 && step > 0)
        while (run < BLOCK && k + run < count && start + (double)(k + run) * step < until) run++;
      double *const to[3] = {out->q ? out->q + k : NULL, out->dq ? out->dq + k : NULL,
                             out->ddq ? out->ddq + k : NULL};
      if (p->waves)
        sample_waves(to, out->ld, t, j, j + each, time, step, run);
      else
        sample_powers(to, out->ld, t, j, j + each, raw, step, run);
      k += run;
    }
  }
}

/*
 * Sums over samples of the gradient by the amplitudes of one wave: q = a sin + b cos has the
 * derivatives w (a cos - b sin) and -w^2 q.
 */
static void pull_wave(double *a, double *b, double w, const double *restrict q,
                      const double *restrict dq, const double *restrict ddq,
                      const double *restrict sn, const double *restrict cs, int count) {
  double sum_a = 0, sum_b = 0;
  for (int i = 0; i < count; i++) {
    const double u = q[i] - w * w * ddq[i], v = w * dq[i];
    sum_a += u * sn[i] + v * cs[i];
    sum_b += u * cs[i] - v * sn[i];
  }
  *a += sum_a;
  *b += sum_b;
}

/* up to BLOCK samples in the waves of a Fourier series at speed 1 */
static void pull_harmonics(double *g, const rbv_trajectory *t, double *const by[3], ptrdiff_t ld,
                           double time, double step, int count) {
  wave_block block;
  int most = 0;
  for (int j = 0; j < t->shape.njoint; j++) {
    const curve *c = &t->curve[j];
    if (c->nwave > most) most = c->nwave;
    for (int i = 0; i < count; i++) g[c->first] += by[0][i + j * ld];
  }
  for (int k = 0; k < most; k++) {
    bool put = false;
    for (int j = 0; j < t->shape.njoint; j++) {
      const curve *c = &t->curve[j];
      if (k >= c->nwave) continue;
      if (!put) put_wave(&block, c, k, time - c->origin, step, count);
      put = true;
      const double w = c->frequency[k];
      double a = 0, b = 0;
      pull_wave(&a, &b, w, by[0] + j * ld, by[1] + j * ld, by[2] + j * ld, block.sn, block.cs,
                count);
      // sine = a / w, cosine = -b / w: see rbv_class_fourier
      g[c->first + 1 + k] += a / w;
      g[c->first + 1 + c->nwave + k] -= b / w;
    }
  }
}

static rbv_status pull_one(double *g, const rbv_trajectory *t, double *const by[3], ptrdiff_t ld,
                           double time_s) {
  double basis[CURVE_COEFFICIENTS];
  for (int j = 0; j < t->shape.njoint; j++)
    for (int order = 0; order < 3; order++) {
      RBV_TRY(rbv_trajectory_gradient(basis, t, j, order, time_s));
      const curve *c = &t->curve[j];
      for (int p = 0; p < c->count; p++) g[c->first + p] += by[order][j * ld] * basis[p];
    }
  return RBV_OK;
}

rbv_status rbv_trajectory_pull(double *g, const rbv_trajectory *t, double *const by[3],
                               ptrdiff_t ld, double start_s, double step_s, ptrdiff_t count) {
  const curve *c = &t->curve[0];
  const bool series = c->harmonic && t->speed == 1;
  for (ptrdiff_t k = 0; k < count;) {
    const double time = start_s + (double)k * step_s;
    const int index = rbv_find_piece(c, rbv_clamp(time, 0, t->end));
    const double until = index + 1 < c->npiece ? c->piece[index + 1].start : t->end;
    double *const from[3] = {by[0] + k, by[1] + k, by[2] + k};
    int run = 1;
    if (series && c->piece[index].waves && time >= 0 && time <= until && step_s > 0) {
      while (run < BLOCK && k + run < count && start_s + (double)(k + run) * step_s < until) run++;
      pull_harmonics(g, t, from, ld, time, step_s, run);
    } else {
      RBV_TRY(pull_one(g, t, from, ld, time));
    }
    k += run;
  }
  return RBV_OK;
}

/* positions of the waves of all joints, which are harmonics, at any times */
static void harmonic_positions(double *q, ptrdiff_t ld, const rbv_trajectory *t, const double *time,
                               int count) {
  const curve *first = &t->curve[0];
  wave_block b;
  int most = 0;
  for (int j = 0; j < t->shape.njoint; j++) {
    if (t->curve[j].nwave > most) most = t->curve[j].nwave;
    for (int i = 0; i < count; i++) q[i + j * ld] = t->curve[j].offset;
  }
  for (int i = 0; i < count; i++) {
    const double angle = first->frequency[0] * (time[i] * t->speed - first->origin);
    b.sn[i] = b.sn1[i] = sin(angle);
    b.cs[i] = b.cs1[i] = cos(angle);
  }
  for (int k = 0; k < most; k++) {
    if (k > 0) next_harmonic(b.sn, b.cs, b.sn1, b.cs1, count);
    for (int j = 0; j < t->shape.njoint; j++)
      if (k < t->curve[j].nwave)
        add_derivative(q + j * ld, &t->curve[j], k, 0, 1, b.sn, b.cs, count);
  }
}

void rbv_trajectory_positions(double *q, ptrdiff_t ld, const rbv_trajectory *t, const double *time,
                              int count) {
  const curve *first = &t->curve[0];
  bool waves = first->harmonic && count <= BLOCK;
  for (int i = 0; i < count && waves; i++)
    waves = first->piece[rbv_find_piece(first, rbv_clamp(time[i] * t->speed, 0, t->end))].waves;
  if (waves) {
    harmonic_positions(q, ld, t, time, count);
    return;
  }
  for (int i = 0; i < count; i++) {
    const double at = rbv_clamp(time[i] * t->speed, 0, t->end);
    for (int j = 0; j < t->shape.njoint; j++) {
      const curve *c = &t->curve[j];
      q[i + j * ld] = rbv_piece_eval(c, &c->piece[rbv_find_piece(c, at)], 0, at);
    }
  }
}

/* ---- extrema ---- */

/* upper bound of a derivative in a piece of this length */
static double size_of(const curve *c, const piece *p, int order, double length) {
  double sum = 0;
  if (p->waves) {
    for (int k = 0; k < c->nwave; k++)
      sum += power_of(fabs(c->frequency[k]), order) *
             sqrt(c->sine[k] * c->sine[k] + c->cosine[k] * c->cosine[k]);
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

/* Largest values of a derivative and of its negative, and when. */
typedef struct {
  double value[2], time[2];
  long budget;  // cells that may be looked at
} summit;

static void note(summit *s, int side, double value, double time) {
  if (value <= s->value[side]) return;
  s->value[side] = value;
  s->time[side] = time;
}

/* a piece, cut into cells that are short compared to its waves */
typedef struct {
  const curve *curve;
  const piece *piece;
  int order, cells;
  double a, b;
  double bend, tol;  // bound of the curvature; what may be missed
} stretch;

static stretch stretch_of(const curve *c, const piece *p, int order, double a, double b,
                          double part) {
  double fastest = 0;
  for (int k = 0; p->waves && k < c->nwave; k++) fastest = fmax(fastest, fabs(c->frequency[k]));
  const double wish = ceil(8 * fastest * (b - a) / TWO_PI);
  return (stretch){.curve = c,
                   .piece = p,
                   .order = order,
                   .cells = wish < 1        ? 1
                            : wish > 100000 ? 100000
                                            : (int)wish,
                   .a = a,
                   .b = b,
                   .bend = size_of(c, p, order + 2, b - a),
                   .tol = part * size_of(c, p, order, b - a)};
}

/* values at the ends of cells first .. first + count - 1, count < BLOCK; value i is at the start of
 * cell first + i */
static void cell_ends(double *f, double *time, const stretch *s, int first, int count) {
  const double step = (s->b - s->a) / s->cells;
  for (int i = 0; i <= count; i++)
    time[i] = first + i == s->cells ? s->b : s->a + (s->b - s->a) * (first + i) / s->cells;
  if (s->piece->waves)
    waves_row(f, s->curve, s->order, time[0], step, count + 1);
  else
    for (int i = 0; i <= count; i++) f[i] = rbv_piece_eval(s->curve, s->piece, s->order, time[i]);
}

static void note_ends(summit *to, const stretch *s) {
  double f[BLOCK], time[BLOCK];
  for (int first = 0; first < s->cells; first += BLOCK - 1) {
    const int count = s->cells - first < BLOCK - 1 ? s->cells - first : BLOCK - 1;
    cell_ends(f, time, s, first, count);
    for (int i = 0; i <= count; i++) {
      // numbers that are not finite have no extrema
      if (!isfinite(f[i])) to->budget = 0;
      note(to, 0, f[i], time[i]);
      note(to, 1, -f[i], time[i]);
    }
  }
}

/*
 * In a cell of width h a curve exceeds the larger of its end values by at most h^2/8 times its
 * largest curvature. Cells that cannot exceed the largest value are dropped, the others are halved.
 */
static void climb_cell(summit *to, const stretch *s, int side, cell start) {
  const double sign = side ? -1 : 1;
  cell stack[DEPTH];
  int top = 0;
  stack[top++] = start;
  while (top > 0 && to->budget-- > 0) {
    const cell now = stack[--top];
    const double h = now.b - now.a, m = now.a + h / 2;
    if (fmax(now.fa, now.fb) + h * h / 8 * s->bend <= to->value[side] + s->tol) continue;
    if (top + 2 > DEPTH || m <= now.a || m >= now.b) continue;
    const double fm = sign * rbv_piece_eval(s->curve, s->piece, s->order, m);
    note(to, side, fm, m);
    stack[top++] = (cell){now.a, m, now.fa, fm};
    stack[top++] = (cell){m, now.b, fm, now.fb};
  }
}

static void climb(summit *to, const stretch *s) {
  double f[BLOCK], time[BLOCK];
  for (int first = 0; first < s->cells; first += BLOCK - 1) {
    const int count = s->cells - first < BLOCK - 1 ? s->cells - first : BLOCK - 1;
    cell_ends(f, time, s, first, count);
    for (int i = 0; i < count; i++) {
      climb_cell(to, s, 0, (cell){time[i], time[i + 1], f[i], f[i + 1]});
      climb_cell(to, s, 1, (cell){time[i], time[i + 1], -f[i], -f[i + 1]});
    }
  }
}

#define EXTREME_PART 1e-13

static rbv_extreme extrema(const rbv_trajectory *t, int joint, int order, double part,
                           bool outside) {
  const curve *c = &t->curve[joint];
  const bool periodic = rbv_class_of(t->shape.kind)->periodic;
  summit top = {.value = {-INFINITY, -INFINITY}, .budget = CELLS_MAX};
  double tol = 0;
  // first the ends of all cells, so that few cells are halved
  for (int pass = 0; pass < 2; pass++)
    for (int i = 0; i < c->npiece && top.budget > 0; i++) {
      const piece *p = &c->piece[i];
      double b = i + 1 < c->npiece ? c->piece[i + 1].start : t->end;
      // one period of a periodic curve is enough
      if (p->waves && periodic) b = p->start + t->shape.duration_s;
      const stretch s = stretch_of(c, p, order, p->start, b, part);
      tol = fmax(tol, s.tol);
      if (!isfinite(s.bend) || !isfinite(s.tol)) top.budget = 0;
      (pass == 0 ? note_ends : climb)(&top, &s);
    }
  // too many waves, or numbers that are not finite: a bound in place of the extrema
  if (top.budget <= 0)
    top.value[0] = top.value[1] = bound_of(t, joint, order);
  else if (outside)
    for (int i = 0; i < 2; i++) top.value[i] += tol;
  const double factor = pow(t->speed, order);
  return (rbv_extreme){-top.value[1] * factor, top.value[0] * factor, top.time[1] / t->speed,
                       top.time[0] / t->speed};
}

rbv_extreme rbv_trajectory_extreme(const rbv_trajectory *t, int joint, int order) {
  return extrema(t, joint, order, EXTREME_PART, false);
}

rbv_extreme rbv_curve_range(const rbv_trajectory *t, int joint, int order, double part) {
  return extrema(t, joint, order, part, true);
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
