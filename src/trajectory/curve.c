#include "trajectory/curve.h"

#include <math.h>
#include <string.h>

#define TWO_PI 6.28318530717958647693
#define RENEW 32  // samples that a rotating wave is turned before it is computed afresh

/* ---- one piece ---- */

static double waves_eval(const curve *c, int order, double time) {
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
static double falling(int i, int order) {
  double f = 1;
  for (int k = 0; k < order; k++) f *= i - k;
  return f;
}

static double power_eval(const double *c, int order, double h) {
  double sum = 0;
  for (int i = DEGREE; i >= order; i--) sum = sum * h + falling(i, order) * c[i];
  return sum;
}

double rbv_piece_eval(const curve *c, const piece *p, int order, double time) {
  return p->waves ? waves_eval(c, order, time) : power_eval(p->c, order, time - p->start);
}

static int find_piece(const curve *c, double time) {
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

/* ---- from coefficients to pieces ---- */

static void put_waves(curve *c, const rbv_trajectory_shape *s, const double *x, int count) {
  const double w = TWO_PI / s->duration_s;
  c->offset = x[0];
  c->nwave = count;
  for (int k = 0; k < count; k++) {
    if (s->kind == RBV_TRAJECTORY_FOURIER) {
      c->frequency[k] = (k + 1) * w;
      c->sine[k] = x[1 + k] / c->frequency[k];
      c->cosine[k] = -x[1 + count + k] / c->frequency[k];
    } else {
      const double phase = s->phases ? x[1 + 2 * count + k] : 0;
      c->frequency[k] = x[1 + count + k];
      c->sine[k] = x[1 + k] * cos(phase);
      c->cosine[k] = x[1 + k] * sin(phase);
    }
  }
}

/*
 * From rest to velocity v and acceleration a in time T the velocity is a cubic without acceleration
 * at its start; it covers T v / 2 - T^2 a / 12.
 */
static void lead_in(double c[DEGREE + 1], double q, double v, double a, double T) {
  c[0] = q - T * v / 2 + T * T * a / 12;
  c[1] = c[2] = 0;
  c[3] = (3 * v - T * a) / (3 * T * T);
  c[4] = (T * a - 2 * v) / (4 * T * T * T);
}

/* the way out is the way in, backwards in time */
static void lead_out(double c[DEGREE + 1], double q, double v, double a, double T) {
  double r[DEGREE + 1];
  lead_in(r, q, -v, a, T);
  // r is a polynomial of T - h; expand it in h
  for (int i = 0; i <= DEGREE; i++) {
    double value = 0;
    for (int k = DEGREE; k >= i; k--) value = value * T + falling(k, i) * r[k];
    c[i] = (i % 2 ? -value : value) / falling(i, i);
  }
}

static double body_length(const rbv_trajectory *t) {
  return t->shape.duration_s * (t->shape.kind == RBV_TRAJECTORY_FOURIER ? t->shape.periods : 1);
}

static void set_waves(rbv_trajectory *t) {
  const double T = t->shape.blend_s, body = body_length(t);
  for (int j = 0; j < t->shape.njoint; j++) {
    curve *c = &t->curve[j];
    put_waves(c, &t->shape, t->x + c->first, t->counts[j]);
    c->origin = T;
    c->npiece = 0;
    double at[3];
    if (T > 0) {
      for (int i = 0; i < 3; i++) at[i] = waves_eval(c, i, T);
      lead_in(c->piece[c->npiece++].c, at[0], at[1], at[2], T);
    }
    c->piece[c->npiece++] = (piece){.start = T, .waves = true};
    if (T > 0) {
      for (int i = 0; i < 3; i++) at[i] = waves_eval(c, i, T + body);
      piece *p = &c->piece[c->npiece++];
      p->start = T + body;
      lead_out(p->c, at[0], at[1], at[2], T);
    }
  }
  t->end = body + 2 * T;
}

/* uniform cubic B-spline whose first and last control point count three times: rest at both ends */
static double control(const double *x, int count, int i) {
  return x[i < 2 ? 0 : i - 2 < count ? i - 2 : count - 1];
}

static void set_spline(rbv_trajectory *t) {
  for (int j = 0; j < t->shape.njoint; j++) {
    curve *c = &t->curve[j];
    const double *x = t->x + c->first;
    const int n = t->counts[j];
    const double h = t->shape.duration_s / (n + 1);
    c->npiece = n + 1;
    for (int i = 0; i <= n; i++) {
      const double a = control(x, n, i), b = control(x, n, i + 1), d = control(x, n, i + 2),
                   e = control(x, n, i + 3);
      c->piece[i] =
          (piece){.start = i * h,
                  .c = {(a + 4 * b + d) / 6, (d - a) / (2 * h), (a - 2 * b + d) / (2 * h * h),
                        (e - 3 * d + 3 * b - a) / (6 * h * h * h)}};
    }
  }
  t->end = t->shape.duration_s;
}

rbv_status rbv_trajectory_set(rbv_trajectory *t, const double *x) {
  for (int i = 0; i < t->ncoefficient; i++)
    if (!isfinite(x[i])) return rbv_fail(RBV_ENUM, "coefficient %d is not a finite number", i);
  if (t->shape.kind == RBV_TRAJECTORY_VIA)
    for (int j = 0; j < t->shape.njoint; j++) {
      const double speed = x[t->curve[j].first + t->shape.count];
      if (!(speed > 0 && speed <= 1))
        return rbv_fail(RBV_EARG, "joint %d has speed %g: it must be above 0 and at most 1", j + 1,
                        speed);
    }
  if (x != t->x) memcpy(t->x, x, (size_t)t->ncoefficient * sizeof *x);
  switch (t->shape.kind) {
    case RBV_TRAJECTORY_VIA: rbv_plan(t); break;
    case RBV_TRAJECTORY_BSPLINE: set_spline(t); break;
    default: set_waves(t); break;
  }
  return RBV_OK;
}

/* ---- evaluation ---- */

double rbv_trajectory_duration(const rbv_trajectory *t) { return t->end / t->speed; }

static double clamp(double x, double low, double high) {
  return x < low ? low : x > high ? high : x;
}

void rbv_trajectory_eval(double *q, double *dq, double *ddq, double *dddq, const rbv_trajectory *t,
                         double time_s) {
  const double time = clamp(time_s * t->speed, 0, t->end);
  double *const out[ORDERS] = {q, dq, ddq, dddq};
  for (int j = 0; j < t->shape.njoint; j++) {
    const curve *c = &t->curve[j];
    const piece *p = &c->piece[find_piece(c, time)];
    double factor = 1;
    for (int i = 0; i < ORDERS; i++, factor *= t->speed)
      if (out[i]) out[i][j] = factor * rbv_piece_eval(c, p, i, time);
  }
}

/* waves at count regular times: each is turned from sample to sample, and renewed now and then */
static void sample_waves(double *q, double *dq, double *ddq, const curve *c, double time,
                         double step, ptrdiff_t count) {
  for (ptrdiff_t k = 0; k < count; k++) {
    q[k] = c->offset;
    dq[k] = ddq[k] = 0;
  }
  for (int i = 0; i < c->nwave; i++) {
    const double w = c->frequency[i], turn_c = cos(w * step), turn_s = sin(w * step);
    double s = 0, v = 0;  // the wave, and its derivative over w
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
      const double raw = start + (double)k * step, time = clamp(raw, 0, t->end);
      const int index = find_piece(c, time);
      const piece *p = &c->piece[index];
      const double until = index + 1 < c->npiece ? c->piece[index + 1].start : t->end;
      // as many samples as lie in this piece
      ptrdiff_t run = 1;
      if (raw >= 0 && step > 0)
        while (run < BLOCK && k + run < count && start + (double)(k + run) * step < until) run++;
      if (p->waves)
        sample_waves(block[0], block[1], block[2], c, time, step, run);
      else
        for (ptrdiff_t i = 0; i < run; i++)
          for (int d = 0; d < 3; d++)
            block[d][i] = power_eval(p->c, d, clamp(raw + (double)i * step, 0, t->end) - p->start);
      double factor = 1;
      for (int d = 0; d < 3; d++, factor *= t->speed)
        for (ptrdiff_t i = 0; to[d] && i < run; i++)
          to[d][k + i + j * out->ld] = factor * block[d][i];
      k += run;
    }
  }
}

/* ---- derivatives with respect to the coefficients ---- */

/* of the body alone, at time s since its start */
static void wave_gradient(double *g, const rbv_trajectory *t, int joint, int order, double s) {
  const curve *c = &t->curve[joint];
  const int n = t->counts[joint];
  const double *x = t->x + c->first;
  g[0] = order == 0;
  for (int k = 0; k < n; k++) {
    const double w = c->frequency[k];
    const double phase =
        t->shape.kind == RBV_TRAJECTORY_SINES && t->shape.phases ? x[1 + 2 * n + k] : 0;
    // derivative i of sin(w s + phase) is w^i sin(... + i pi/2)
    const double sn = sin(w * s + phase), cs = cos(w * s + phase);
    const double wave[4] = {sn, cs, -sn, -cs};
    const double f = wave[order % 4], df = wave[(order + 1) % 4], wi = pow(w, order);
    if (t->shape.kind == RBV_TRAJECTORY_FOURIER) {
      g[1 + k] = wi * f / w;
      g[1 + n + k] = -wi * df / w;
    } else {
      const double a = x[1 + k];
      g[1 + k] = wi * f;
      g[1 + n + k] = a * ((order > 0 ? order * pow(w, order - 1) * f : 0) + wi * s * df);
      if (t->shape.phases) g[1 + 2 * n + k] = a * wi * df;
    }
  }
}

/* a blend is linear in the state that it meets */
static void blend_gradient(double *g, const rbv_trajectory *t, int joint, int order, double h,
                           bool out) {
  const int n = t->curve[joint].count;
  const double T = t->shape.blend_s, body = out ? body_length(t) : 0;
  for (int p = 0; p < n; p++) g[p] = 0;
  for (int i = 0; i < 3; i++) {
    double c[DEGREE + 1];
    (out ? lead_out : lead_in)(c, i == 0, i == 1, i == 2, T);
    const double weight = power_eval(c, order, h);
    // one column of the state's gradient at a time, behind what is asked for
    double *row = g + n;
    wave_gradient(row, t, joint, i, body);
    for (int p = 0; p < n; p++) g[p] += weight * row[p];
  }
}

static void spline_gradient(double *g, const rbv_trajectory *t, int joint, int order, double time) {
  const curve *c = &t->curve[joint];
  const int n = t->counts[joint], i = find_piece(c, time);
  const double h = t->shape.duration_s / (n + 1);
  const double u = time - c->piece[i].start;
  for (int p = 0; p < n; p++) g[p] = 0;
  for (int k = 0; k < 4; k++) {
    const double e[4] = {k == 0, k == 1, k == 2, k == 3};
    const double basis[DEGREE + 1] = {(e[0] + 4 * e[1] + e[2]) / 6, (e[2] - e[0]) / (2 * h),
                                      (e[0] - 2 * e[1] + e[2]) / (2 * h * h),
                                      (e[3] - 3 * e[2] + 3 * e[1] - e[0]) / (6 * h * h * h)};
    const int at = i + k < 2 ? 0 : i + k - 2 < n ? i + k - 2 : n - 1;
    g[at] += power_eval(basis, order, u);
  }
}

#define JOINT_COEFFICIENTS 512  // at most, so that a gradient needs no memory of its own

rbv_status rbv_trajectory_gradient(double *g, const rbv_trajectory *t, int joint, int order,
                                   double time_s) {
  if (joint < 0 || joint >= t->shape.njoint || order < 0 || order >= ORDERS)
    return rbv_fail(RBV_EARG, "joint %d, derivative %d: there is no such thing", joint + 1, order);
  if (t->shape.kind == RBV_TRAJECTORY_VIA)
    return rbv_fail(RBV_EUNSUPPORTED,
                    "a motion planner's curve is no smooth function of its points");
  const curve *c = &t->curve[joint];
  const double time = clamp(time_s * t->speed, 0, t->end);
  double room[2 * JOINT_COEFFICIENTS];
  if (t->shape.kind == RBV_TRAJECTORY_BSPLINE) {
    spline_gradient(room, t, joint, order, time);
  } else {
    const int i = find_piece(c, time);
    const piece *p = &c->piece[i];
    if (p->waves)
      wave_gradient(room, t, joint, order, time - c->origin);
    else
      blend_gradient(room, t, joint, order, time - p->start, i > 0);
  }
  const double factor = pow(t->speed, order);
  for (int p = 0; p < c->count; p++) g[p] = factor * room[p];
  return RBV_OK;
}

/* ---- extrema ---- */

/* how large a derivative can be anywhere in a piece of this length */
static double size_of(const curve *c, const piece *p, int order, double length) {
  double sum = 0;
  if (p->waves) {
    for (int k = 0; k < c->nwave; k++)
      sum += pow(fabs(c->frequency[k]), order) * hypot(c->sine[k], c->cosine[k]);
    return sum;
  }
  for (int i = DEGREE; i >= order; i--) sum = sum * length + falling(i, order) * fabs(p->c[i]);
  return sum;
}

#define DEPTH 64

typedef struct {
  double a, b, fa, fb;
} cell;

/*
 * Largest value of sign * derivative in a piece, beyond what is known already. Over a cell of width
 * h no curve rises above the larger of its ends by more than h^2/8 of its largest curvature; cells
 * that cannot beat the best are dropped, the others halved.
 */
static void climb(double *best, double *when, const curve *c, const piece *p, int order,
                  double sign, double a, double b) {
  const double bend = size_of(c, p, order + 2, b - a);
  const double tol = 1e-13 * size_of(c, p, order, b - a);
  double fastest = 0;
  for (int k = 0; p->waves && k < c->nwave; k++) fastest = fmax(fastest, fabs(c->frequency[k]));
  const double wish = ceil(8 * fastest * (b - a) / TWO_PI);
  const int cells = wish < 1 ? 1 : wish > 100000 ? 100000 : (int)wish;
  double left = a, fleft = sign * rbv_piece_eval(c, p, order, a);
  if (!(fleft <= *best)) *best = fleft, *when = a;
  for (int i = 1; i <= cells; i++) {
    const double right = i == cells ? b : a + (b - a) * i / cells;
    const double fright = sign * rbv_piece_eval(c, p, order, right);
    if (fright > *best) *best = fright, *when = right;
    cell stack[DEPTH];
    int top = 0;
    stack[top++] = (cell){left, right, fleft, fright};
    while (top > 0) {
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
  double low = -INFINITY, high = -INFINITY, low_time = 0, high_time = 0;
  for (int i = 0; i < c->npiece; i++) {
    const piece *p = &c->piece[i];
    double b = i + 1 < c->npiece ? c->piece[i + 1].start : t->end;
    // a period of a Fourier series says it all
    if (p->waves && t->shape.kind == RBV_TRAJECTORY_FOURIER) b = p->start + t->shape.duration_s;
    climb(&high, &high_time, c, p, order, 1, p->start, b);
    climb(&low, &low_time, c, p, order, -1, p->start, b);
  }
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
    // with a mean, only waves alone can be told from it
    if (order == 0 && !p->waves) return INFINITY;
    bound = fmax(bound, size_of(c, p, order, until - p->start));
  }
  if (order == 0) *mean = c->offset;
  return bound * pow(t->speed, order);
}

/* ---- making one ---- */

static const char *const class_names[] = {"fourier", "sines", "via", "bspline"};

const char *rbv_trajectory_class_name(rbv_trajectory_class kind) {
  return (int)kind >= 0 && (int)kind < RBV_COUNT(class_names) ? class_names[kind] : "?";
}

bool rbv_trajectory_class_parse(rbv_trajectory_class *out, const char *name) {
  for (int i = 0; i < RBV_COUNT(class_names); i++)
    if (strcmp(name, class_names[i]) == 0) {
      *out = (rbv_trajectory_class)i;
      return true;
    }
  return false;
}

rbv_trajectory_shape rbv_trajectory_defaults(void) {
  return (rbv_trajectory_shape){
      .count = 5, .duration_s = 10, .periods = 1, .closed = true, .synchronised = true};
}

static int count_of(const rbv_trajectory_shape *s, int j) {
  return s->counts ? s->counts[j] : s->count;
}

static int coefficients_of(const rbv_trajectory_shape *s, int j) {
  const int n = count_of(s, j);
  switch (s->kind) {
    case RBV_TRAJECTORY_FOURIER: return 2 * n + 1;
    case RBV_TRAJECTORY_SINES: return (s->phases ? 3 : 2) * n + 1;
    case RBV_TRAJECTORY_VIA: return n + 1;
    default: return n;
  }
}

static bool positive(const double *x, int n) {
  for (int j = 0; j < n; j++)
    if (!(x[j] > 0 && isfinite(x[j]))) return false;
  return true;
}

static rbv_status check_planner(const rbv_trajectory_shape *s) {
  if (s->counts) return rbv_fail(RBV_EARG, "all joints have the same number of via points");
  if (!s->velocity || !s->acceleration || (s->smooth && !s->jerk))
    return rbv_fail(RBV_EARG, "the planner needs maxima of velocity and acceleration%s",
                    s->smooth ? ", and of jerk" : "");
  if (!positive(s->velocity, s->njoint) || !positive(s->acceleration, s->njoint) ||
      (s->smooth && !positive(s->jerk, s->njoint)))
    return rbv_fail(RBV_EARG, "a maximum of the planner is not a positive number");
  if (!(s->fly_by >= 0 && s->fly_by <= 1))
    return rbv_fail(RBV_EARG, "fly-by %g is not between 0 and 1", s->fly_by);
  return RBV_OK;
}

static rbv_status check(const rbv_trajectory_shape *s) {
  const bool via = s->kind == RBV_TRAJECTORY_VIA;
  if (s->njoint < 1) return rbv_fail(RBV_EARG, "a trajectory needs at least one joint");
  if (!(s->duration_s > 0 || (via && s->duration_s == 0)) || !isfinite(s->duration_s))
    return rbv_fail(RBV_EARG, "a trajectory of %g s", s->duration_s);
  if (!(s->blend_s >= 0) || !isfinite(s->blend_s))
    return rbv_fail(RBV_EARG, "a blend of %g s", s->blend_s);
  if (s->kind == RBV_TRAJECTORY_FOURIER && s->periods < 1)
    return rbv_fail(RBV_EARG, "a series of %d periods", s->periods);
  const int least = via ? 2 : 1;
  for (int j = 0; j < s->njoint; j++)
    if (count_of(s, j) < least || coefficients_of(s, j) > JOINT_COEFFICIENTS)
      return rbv_fail(RBV_EARG, "joint %d cannot have %d %s", j + 1, count_of(s, j),
                      via ? "via points" : "terms");
  return via ? check_planner(s) : RBV_OK;
}

/* t->shape, counts through it, must be there when this measures */
static void layout(rbv_trajectory *t, const rbv_trajectory_shape *s, rbv_arena *a) {
  const int n = s->njoint;
  const bool via = s->kind == RBV_TRAJECTORY_VIA;
  t->ncoefficient = 0;
  t->nmove = via ? s->count - !s->closed : 0;
  // a move has eight steps at most; behind them stand the starts of the moves
  t->nevent = 9 * t->nmove;
  t->counts = RBV_TAKE(a, n, int);
  t->maxima = RBV_TAKE(a, 3 * n, double);
  t->curve = RBV_TAKE(a, n, curve);
  t->move = RBV_TAKE(a, t->nmove * n, move);
  t->event = RBV_TAKE(a, t->nevent, event);
  for (int j = 0; j < n; j++) {
    const int count = count_of(s, j);
    const int room = via ? 8 * t->nmove + 1 : s->kind == RBV_TRAJECTORY_BSPLINE ? count + 1 : 3;
    curve c = {.first = t->ncoefficient, .count = coefficients_of(s, j), .room = room};
    c.piece = RBV_TAKE(a, room, piece);
    c.frequency = RBV_TAKE(a, count, double);
    c.sine = RBV_TAKE(a, count, double);
    c.cosine = RBV_TAKE(a, count, double);
    t->ncoefficient += c.count;
    if (!a->base) continue;
    t->curve[j] = c;
    t->counts[j] = count;
  }
  t->x = RBV_TAKE(a, t->ncoefficient, double);
}

static void copy_maxima(rbv_trajectory *t, const rbv_trajectory_shape *s) {
  const double *from[3] = {s->velocity, s->acceleration, s->jerk};
  const double **to[3] = {&t->shape.velocity, &t->shape.acceleration, &t->shape.jerk};
  for (int i = 0; i < 3; i++) {
    double *room = t->maxima + i * s->njoint;
    if (from[i]) memcpy(room, from[i], (size_t)s->njoint * sizeof *room);
    *to[i] = from[i] ? room : NULL;
  }
}

rbv_status rbv_trajectory_new(rbv_trajectory **out, const rbv_trajectory_shape *s,
                              const double *x) {
  *out = NULL;
  RBV_TRY(check(s));
  rbv_trajectory sizes;
  rbv_arena measure = {0};
  (void)RBV_TAKE(&measure, 1, rbv_trajectory);
  layout(&sizes, s, &measure);
  char *memory = rbv_alloc(measure.used);
  if (!memory) return RBV_EMEM;
  rbv_arena carve = {.base = memory};
  rbv_trajectory *t = RBV_TAKE(&carve, 1, rbv_trajectory);
  layout(t, s, &carve);
  t->shape = *s;
  t->shape.counts = t->counts;
  copy_maxima(t, s);
  t->speed = 1;
  if (!x && s->kind == RBV_TRAJECTORY_VIA)
    for (int j = 0; j < s->njoint; j++) t->x[t->curve[j].first + s->count] = 1;
  const rbv_status status = rbv_trajectory_set(t, x ? x : t->x);
  if (status != RBV_OK) {
    rbv_free(t);
    return status;
  }
  *out = t;
  return RBV_OK;
}

rbv_status rbv_trajectory_clone(rbv_trajectory **out, const rbv_trajectory *t) {
  rbv_trajectory_shape shape = t->shape;
  if (shape.kind == RBV_TRAJECTORY_VIA) shape.counts = NULL;
  RBV_TRY(rbv_trajectory_new(out, &shape, t->x));
  (*out)->speed = t->speed;
  return RBV_OK;
}

void rbv_trajectory_free(rbv_trajectory *t) { rbv_free(t); }

const rbv_trajectory_shape *rbv_trajectory_get_shape(const rbv_trajectory *t) { return &t->shape; }
int rbv_trajectory_coefficient_count(const rbv_trajectory *t) { return t->ncoefficient; }
const double *rbv_trajectory_get(const rbv_trajectory *t) { return t->x; }
double rbv_trajectory_speed(const rbv_trajectory *t) { return t->speed; }

int rbv_trajectory_first(const rbv_trajectory *t, int joint, int *count) {
  if (count) *count = t->curve[joint].count;
  return t->curve[joint].first;
}

rbv_status rbv_trajectory_set_speed(rbv_trajectory *t, double fraction) {
  if (!(fraction > 0) || !isfinite(fraction))
    return rbv_fail(RBV_EARG, "a trajectory cannot run at %g of its speed", fraction);
  t->speed = fraction;
  return RBV_OK;
}
