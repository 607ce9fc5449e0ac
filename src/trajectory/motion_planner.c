/*
 * Trajectory class via: points joined by a motion planner. The move of a joint is the shortest one
 * within its maxima. Moves follow one another, or overlap with fly-by; their steps of acceleration
 * or jerk are added and integrated into pieces.
 */
#include <math.h>
#include <string.h>

#include "trajectory/classes.h"

/* shortest move within limits of velocity and acceleration */
static void trapezoid(move *m, double distance, double v, double a) {
  const double d = fabs(distance);
  *m = (move){.distance = distance, .acceleration = a};
  m->ramp = d * a >= v * v ? v / a : sqrt(d / a);
  m->cruise = d * a >= v * v ? d / v - m->ramp : 0;
}

/* the same with a limit of jerk: the acceleration rises, is constant, falls */
static void s_curve(move *m, double distance, double v, double a, double j) {
  const double d = fabs(distance);
  *m = (move){.distance = distance};
  m->jerk_time = v * j >= a * a ? a / j : sqrt(v / j);
  m->acceleration = j * m->jerk_time;
  m->ramp = m->jerk_time + v / m->acceleration;
  if (d >= v * m->ramp) {
    m->cruise = d / v - m->ramp;
    return;
  }
  // full speed is not reached; full acceleration may be
  m->ramp = (m->jerk_time + sqrt(m->jerk_time * m->jerk_time + 4 * d / m->acceleration)) / 2;
  if (m->ramp < 2 * m->jerk_time) {
    m->jerk_time = cbrt(d / (2 * j));
    m->ramp = 2 * m->jerk_time;
    m->acceleration = j * m->jerk_time;
  }
}

static double length_of(const move *m) { return 2 * m->ramp + m->cruise; }

/* slow a move down by a factor */
static void stretch(move *m, double factor) {
  m->ramp *= factor;
  m->jerk_time *= factor;
  m->cruise *= factor;
  m->acceleration /= factor * factor;
}

/* plan move i of all joints; returns its time, and the longest ramp */
static double plan_move(double *ramp, rbv_trajectory *t, int i) {
  const int n = t->shape.njoint, K = t->shape.count;
  const double *v = t->maxima, *a = v + n, *jerk = a + n;
  double longest = 0;
  for (int j = 0; j < n; j++) {
    const double *x = t->x + t->curve[j].first, speed = x[K];
    const double distance = x[(i + 1) % K] - x[i];
    move *m = &t->move[i * n + j];
    *m = (move){0};
    if (distance == 0) continue;
    if (t->shape.smooth)
      s_curve(m, distance, v[j] * speed, a[j], jerk[j]);
    else
      trapezoid(m, distance, v[j] * speed, a[j]);
    longest = fmax(longest, length_of(m));
  }
  *ramp = 0;
  for (int j = 0; j < n; j++) {
    move *m = &t->move[i * n + j];
    if (t->shape.synchronised && m->distance != 0) stretch(m, longest / length_of(m));
    *ramp = fmax(*ramp, m->ramp);
  }
  return longest;
}

/* steps of one move that begins at start; all its times are multiplied by factor */
static int add_events(event *e, const move *m, double start, double factor) {
  if (m->distance == 0) return 0;
  const double sign = m->distance > 0 ? 1 : -1;
  const double T = length_of(m), r = m->ramp, s = m->jerk_time;
  const double a = sign * m->acceleration / (factor * factor);
  if (s == 0) {
    const double time[4] = {0, r, T - r, T}, step[4] = {a, -a, -a, a};
    for (int k = 0; k < 4; k++) e[k] = (event){(start + time[k]) * factor, step[k], 0};
    return 4;
  }
  const double jerk = a / (s * factor);
  const double time[8] = {0, s, r - s, r, T - r, T - r + s, T - s, T};
  const double step[8] = {jerk, -jerk, -jerk, jerk, -jerk, jerk, jerk, -jerk};
  for (int k = 0; k < 8; k++) e[k] = (event){(start + time[k]) * factor, 0, step[k]};
  return 8;
}

/* in order of time; neighbours are almost in order already */
static void sort_events(event *e, int count) {
  for (int i = 1; i < count; i++) {
    const event x = e[i];
    int k = i;
    for (; k > 0 && e[k - 1].time > x.time; k--) e[k] = e[k - 1];
    e[k] = x;
  }
}

/* integrate the steps from rest at q */
static void integrate(curve *c, const event *e, int count, double q) {
  double time = 0, v = 0, a = 0, jerk = 0;
  c->npiece = 0;
  c->piece[c->npiece++] = (piece){.start = 0, .c = {q}};
  for (int i = 0; i < count; i++) {
    const double h = e[i].time - time;
    q += h * (v + h * (a / 2 + h * jerk / 6));
    v += h * (a + h * jerk / 2);
    a += h * jerk + e[i].acceleration;
    jerk += e[i].jerk;
    time = e[i].time;
    piece *p = &c->piece[c->npiece - 1];
    // steps that differ in time by rounding only are one step
    if (h > 1e-12 * (1 + time)) p = &c->piece[c->npiece++];
    *p = (piece){.start = time, .c = {q, v, a / 2, jerk / 6}};
  }
  // the sum of the steps is rest, apart from rounding
  if (count > 0) memset(&c->piece[c->npiece - 1].c[1], 0, DEGREE * sizeof(double));
}

static void build(rbv_trajectory *t) {
  const int n = t->shape.njoint;

  // start of every move: with fly-by it begins while the move before brakes
  double end = 0, last_ramp = 0;
  for (int i = 0; i < t->nmove; i++) {
    double ramp;
    const double time = plan_move(&ramp, t, i);
    const double start = fmax(0, end - t->shape.fly_by * fmin(ramp, last_ramp));
    t->event[t->nevent - 1 - i].time = start;  // stored at the end of the array until it is used
    end = start + time;
    last_ramp = ramp;
  }

  // stretch everything to the requested duration
  const double factor = t->shape.duration_s > 0 && end > 0 ? t->shape.duration_s / end : 1;
  for (int j = 0; j < n; j++) {
    int count = 0;
    for (int i = 0; i < t->nmove; i++)
      count += add_events(t->event + count, &t->move[i * n + j], t->event[t->nevent - 1 - i].time,
                          factor);
    sort_events(t->event, count);
    integrate(&t->curve[j], t->event, count, t->x[t->curve[j].first]);
  }
  t->end = end > 0 ? end * factor : t->shape.duration_s;
}

static int pieces(const rbv_trajectory_shape *s, int count) { return 8 * (count - !s->closed) + 1; }

static const coefficient_group groups[] = {
    {"points", ROLE_POINT, true, false}, {"speed", ROLE_SPEED, false, false}, {0}};

const trajectory_class rbv_class_via = {.terms = "via points",
                                        .usual = 6,
                                        .least = 2,
                                        .planned = true,
                                        .group = groups,
                                        .pieces = pieces,
                                        .build = build,
                                        .samples_per_term = 60,
                                        .widen = 1};
