/* Trajectory classes made of waves: Fourier series, and sines with free frequencies. */
#include <math.h>

#include "trajectory/classes.h"

#define TWO_PI (2 * RBV_PI)

/* ---- from coefficients to pieces ---- */

typedef void put_waves(curve *c, const rbv_trajectory_shape *s, const double *x, int count);

static void put_fourier(curve *c, const rbv_trajectory_shape *s, const double *x, int count) {
  const double w = TWO_PI / s->duration_s;
  c->harmonic = true;
  for (int k = 0; k < count; k++) {
    c->frequency[k] = (k + 1) * w;
    c->sine[k] = x[1 + k] / c->frequency[k];
    c->cosine[k] = -x[1 + count + k] / c->frequency[k];
  }
}

static void put_sines(curve *c, const rbv_trajectory_shape *s, const double *x, int count) {
  for (int k = 0; k < count; k++) {
    const double phase = s->phases ? x[1 + 2 * count + k] : 0;
    c->frequency[k] = x[1 + count + k];
    c->sine[k] = x[1 + k] * cos(phase);
    c->cosine[k] = x[1 + k] * sin(phase);
  }
}

/*
 * From rest to velocity v and acceleration a in time T. The velocity is a cubic with zero
 * acceleration at its start; the joint moves by T v / 2 - T^2 a / 12.
 */
static void lead_in(double c[DEGREE + 1], double q, double v, double a, double T) {
  c[0] = q - T * v / 2 + T * T * a / 12;
  c[1] = c[2] = 0;
  c[3] = (3 * v - T * a) / (3 * T * T);
  c[4] = (T * a - 2 * v) / (4 * T * T * T);
}

/* the same, backwards in time */
static void lead_out(double c[DEGREE + 1], double q, double v, double a, double T) {
  double r[DEGREE + 1];
  lead_in(r, q, -v, a, T);
  // r is a polynomial of T - h; expand it in h
  for (int i = 0; i <= DEGREE; i++) {
    double value = 0;
    for (int k = DEGREE; k >= i; k--) value = value * T + rbv_falling(k, i) * r[k];
    c[i] = (i % 2 ? -value : value) / rbv_falling(i, i);
  }
}

/* time of the curve without its blends */
static double body_length(const rbv_trajectory *t) {
  return t->shape.duration_s * (rbv_class_of(t->shape.kind)->periodic ? t->shape.periods : 1);
}

/* blend in, waves, blend out */
static void build_waves(rbv_trajectory *t, put_waves *put) {
  const double T = t->shape.blend_s, body = body_length(t);
  for (int j = 0; j < t->shape.njoint; j++) {
    curve *c = &t->curve[j];
    c->offset = t->x[c->first];
    c->nwave = t->counts[j];
    put(c, &t->shape, t->x + c->first, t->counts[j]);
    c->origin = T;
    c->npiece = 0;
    double at[3];
    if (T > 0) {
      for (int i = 0; i < 3; i++) at[i] = rbv_waves_eval(c, i, T);
      lead_in(c->piece[c->npiece++].c, at[0], at[1], at[2], T);
    }
    c->piece[c->npiece++] = (piece){.start = T, .waves = true};
    if (T > 0) {
      for (int i = 0; i < 3; i++) at[i] = rbv_waves_eval(c, i, T + body);
      piece *p = &c->piece[c->npiece++];
      p->start = T + body;
      lead_out(p->c, at[0], at[1], at[2], T);
    }
  }
  t->end = body + 2 * T;
}

/* ---- derivatives with respect to the coefficients ---- */

/* of the waves alone, at time s since their start */
typedef void wave_gradient(double *g, const rbv_trajectory *t, int joint, int order, double s);

/* derivative i of sin(w s + phase) is w^i sin(... + i pi/2): it without w^i, and the next one */
static void turn(double *f, double *df, double angle, int order) {
  const double sn = sin(angle), cs = cos(angle);
  const double wave[4] = {sn, cs, -sn, -cs};
  *f = wave[order % 4];
  *df = wave[(order + 1) % 4];
}

static void fourier_waves(double *g, const rbv_trajectory *t, int joint, int order, double s) {
  const curve *c = &t->curve[joint];
  const int n = t->counts[joint];
  g[0] = order == 0;
  for (int k = 0; k < n; k++) {
    const double w = c->frequency[k], wi = pow(w, order);
    double f, df;
    turn(&f, &df, w * s, order);
    g[1 + k] = wi * f / w;
    g[1 + n + k] = -wi * df / w;
  }
}

static void sines_waves(double *g, const rbv_trajectory *t, int joint, int order, double s) {
  const curve *c = &t->curve[joint];
  const int n = t->counts[joint];
  const double *x = t->x + c->first;
  g[0] = order == 0;
  for (int k = 0; k < n; k++) {
    const double w = c->frequency[k], wi = pow(w, order), a = x[1 + k];
    const double phase = t->shape.phases ? x[1 + 2 * n + k] : 0;
    double f, df;
    turn(&f, &df, w * s + phase, order);
    g[1 + k] = wi * f;
    g[1 + n + k] = a * ((order > 0 ? order * pow(w, order - 1) * f : 0) + wi * s * df);
    if (t->shape.phases) g[1 + 2 * n + k] = a * wi * df;
  }
}

/* a blend is linear in the state at its inner end */
static void blend_gradient(double *g, const rbv_trajectory *t, int joint, int order, double h,
                           bool out, wave_gradient *waves) {
  const int n = t->curve[joint].count;
  const double T = t->shape.blend_s, body = out ? body_length(t) : 0;
  for (int p = 0; p < n; p++) g[p] = 0;
  for (int i = 0; i < 3; i++) {
    double c[DEGREE + 1];
    (out ? lead_out : lead_in)(c, i == 0, i == 1, i == 2, T);
    const double weight = rbv_power_eval(c, order, h);
    // the second half of g holds the gradient of one component of that state
    double *row = g + n;
    waves(row, t, joint, i, body);
    for (int p = 0; p < n; p++) g[p] += weight * row[p];
  }
}

static void gradient(double *g, const rbv_trajectory *t, int joint, int order, double time,
                     wave_gradient *waves) {
  const curve *c = &t->curve[joint];
  const int i = rbv_find_piece(c, time);
  const piece *p = &c->piece[i];
  if (p->waves)
    waves(g, t, joint, order, time - c->origin);
  else
    blend_gradient(g, t, joint, order, time - p->start, i > 0, waves);
}

/* ---- the rows ---- */

static int pieces(const rbv_trajectory_shape *s, int count) {
  (void)s, (void)count;
  return 3;
}

static void build_fourier(rbv_trajectory *t) { build_waves(t, put_fourier); }
static void build_sines(rbv_trajectory *t) { build_waves(t, put_sines); }

static void fourier_gradient(double *g, const rbv_trajectory *t, int joint, int order,
                             double time) {
  gradient(g, t, joint, order, time, fourier_waves);
}

static void sines_gradient(double *g, const rbv_trajectory *t, int joint, int order, double time) {
  gradient(g, t, joint, order, time, sines_waves);
}

/*
 * Radkhah 2007 eq. 7-8: coefficients of a Fourier series fitted to random velocities at regular
 * times. The basis cos(l w t), sin(l w t) is orthogonal there, so that the fit is a projection.
 */
static void draw_fourier(double *x, int joint, int N, double velocity, uint64_t seed,
                         uint64_t stream) {
  const int M = 100 > 4 * N ? 100 : 4 * N;
  for (int i = 1; i <= 2 * N; i++) x[i] = 0;
  for (int k = 0; k < M; k++) {
    const uint64_t index = (uint64_t)(joint * M + k);
    const double v = velocity * (2 * rbv_random_uniform(seed, stream, index) - 1);
    for (int l = 1; l <= N; l++) {
      x[l] += 2 * v * cos(TWO_PI * l * k / M) / M;
      x[N + l] += 2 * v * sin(TWO_PI * l * k / M) / M;
    }
  }
}

static const coefficient_group fourier_groups[] = {{"q0", ROLE_MEAN, false, false},
                                                   {"a", ROLE_RATE, true, false},
                                                   {"b", ROLE_RATE, true, false},
                                                   {0}};

const trajectory_class rbv_class_fourier = {.terms = "harmonics",
                                            .usual = 5,
                                            .least = 1,
                                            .periodic = true,
                                            .blends = true,
                                            .group = fourier_groups,
                                            .pieces = pieces,
                                            .build = build_fourier,
                                            .gradient = fourier_gradient,
                                            .samples_per_term = 40,
                                            .waves_per_term = 1,
                                            .widen = 4,
                                            .draw = draw_fourier};

static const coefficient_group sines_groups[] = {{"q0", ROLE_MEAN, false, false},
                                                 {"a", ROLE_AMPLITUDE, true, false},
                                                 {"w", ROLE_FREQUENCY, true, false},
                                                 {"phi", ROLE_PHASE, true, true},
                                                 {0}};

const trajectory_class rbv_class_sines = {.terms = "sines",
                                          .usual = 3,
                                          .least = 1,
                                          .blends = true,
                                          .group = sines_groups,
                                          .pieces = pieces,
                                          .build = build_sines,
                                          .gradient = sines_gradient,
                                          .widen = 1};
