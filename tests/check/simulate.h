/*
 * Simulated recordings, and twelve defects. The true parameters differ from the prior: every
 * inertial parameter is wrong by up to 20 %; friction and (in URDFs) rotor inertia are not in the
 * prior. Positions are quantised, torques are noisy.
 */
#ifndef TEST_CHECK_SIMULATE_H
#define TEST_CHECK_SIMULATE_H

#include "support.h"

#include <math.h>
#include <roberval/sys/check.h>
#include <roberval/sys/dynamics.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define JOINTS 6
#define TERMS 6
#define WRIST 3  // first joint of it

/* ---- random numbers: one stream per purpose ---- */

typedef struct {
  uint64_t seed, stream, index;
} dice;

static inline double uniform(dice *d, double low, double high) {
  return low + (high - low) * rbv_random_uniform(d->seed, d->stream, d->index++);
}

static inline int pick(dice *d, int n) {
  return (int)(rbv_random_uniform(d->seed, d->stream, d->index++) * n) % n;
}

static inline double normal(dice *d) { return rbv_random_normal(d->seed, d->stream, d->index++); }

/* ---- robots ---- */

typedef struct {
  double xyz[3], rpy[3], axis[3], range, speed, effort, mass, com[3], inertia[3];
} body;

/* a cobot with parallel shoulder, elbow and wrist axes, and a smaller industrial arm with a
 * spherical wrist: two different structures */
static const body cobot[JOINTS] = {
    {{0, 0, 0.18}, {0, 0, 0}, {0, 0, 1}, 6.28, 2.1, 330, 7.4, {0, 0.02, -0.02}, {0.04, 0.04, 0.03}},
    {{0, 0.17, 0},
     {0, M_PI / 2, 0},
     {0, 1, 0},
     6.28,
     2.1,
     330,
     12.9,
     {0, 0, 0.30},
     {0.42, 0.42, 0.04}},
    {{0, -0.13, 0.61},
     {0, 0, 0},
     {0, 1, 0},
     3.14,
     3.1,
     150,
     4.0,
     {0, 0, 0.28},
     {0.11, 0.11, 0.011}},
    {{0, 0, 0.57},
     {0, M_PI / 2, 0},
     {0, 1, 0},
     6.28,
     3.1,
     56,
     2.0,
     {0, 0.03, 0.04},
     {0.005, 0.005, 0.004}},
    {{0, 0.13, 0},
     {0, 0, 0},
     {0, 0, 1},
     6.28,
     3.1,
     56,
     2.0,
     {0, 0.02, 0.05},
     {0.005, 0.005, 0.004}},
    {{0, 0, 0.12},
     {0, 0, 0},
     {0, 1, 0},
     6.28,
     3.1,
     56,
     1.2,
     {0.03, 0.05, 0.02},
     {0.003, 0.003, 0.003}}};

static const body elbow[JOINTS] = {
    {{0, 0, 0.3}, {0, 0, 0}, {0, 0, 1}, 2.9, 4.5, 200, 18, {0.03, 0, 0.1}, {0.3, 0.3, 0.2}},
    {{0.1, 0, 0.15},
     {0, 0, 0},
     {0, 1, 0},
     2.0,
     4.2,
     200,
     11,
     {0.01, 0.05, 0.16},
     {0.25, 0.26, 0.05}},
    {{0, 0, 0.35}, {0, 0, 0}, {0, 1, 0}, 2.6, 5.2, 110, 7, {0.06, 0.01, 0.05}, {0.04, 0.06, 0.05}},
    {{0.12, 0, 0.05},
     {0, 0, 0},
     {1, 0, 0},
     3.3,
     6.5,
     45,
     4,
     {0.16, 0.01, 0.01},
     {0.01, 0.03, 0.03}},
    {{0.25, 0, 0}, {0, 0, 0}, {0, 1, 0}, 2.1, 6.5, 40, 2.2, {0.04, 0, 0.01}, {0.004, 0.005, 0.004}},
    {{0.08, 0, 0},
     {0, 0, 0},
     {1, 0, 0},
     6.2,
     9.0,
     25,
     1.4,
     {0.05, 0.03, 0.02},
     {0.002, 0.003, 0.003}}};

static inline rbv_model *build_urdf(const char *name, const body *b, const rbv_model_options *o) {
  char *text = malloc(20000);
  size_t used = (size_t)sprintf(text, "<robot name=\"%s\"><link name=\"l0\"/>\n", name);
  for (int j = 0; j < JOINTS; j++)
    used += (size_t)sprintf(
        text + used,
        "<joint name=\"%s_%d\" type=\"revolute\"><parent link=\"l%d\"/><child link=\"l%d\"/>\n"
        "<origin xyz=\"%g %g %g\" rpy=\"%.17g %.17g %.17g\"/><axis xyz=\"%g %g %g\"/>\n"
        "<limit lower=\"%g\" upper=\"%g\" velocity=\"%g\" effort=\"%g\"/></joint>\n"
        "<link name=\"l%d\"><inertial><mass value=\"%g\"/><origin xyz=\"%g %g %g\" rpy=\"0 0 "
        "0\"/>\n"
        "<inertia ixx=\"%g\" ixy=\"0\" ixz=\"0\" iyy=\"%g\" iyz=\"0\" "
        "izz=\"%g\"/></inertial></link>\n",
        name, j + 1, j, j + 1, b[j].xyz[0], b[j].xyz[1], b[j].xyz[2], b[j].rpy[0], b[j].rpy[1],
        b[j].rpy[2], b[j].axis[0], b[j].axis[1], b[j].axis[2], -b[j].range, b[j].range, b[j].speed,
        b[j].effort, j + 1, b[j].mass, b[j].com[0], b[j].com[1], b[j].com[2], b[j].inertia[0],
        b[j].inertia[1], b[j].inertia[2]);
  used += (size_t)sprintf(text + used, "</robot>\n");
  rbv_model *m = NULL;
  assert_ok(rbv_model_parse(&m, name, text, used, o));
  free(text);
  return m;
}

#define ROBOTS 3

static inline rbv_model *load_robot_with(int i, const rbv_model_options *o) {
  rbv_model *m = NULL;
  if (i == 1) return build_urdf("cobot", cobot, o);
  if (i == 2) return build_urdf("elbow", elbow, o);
  assert_ok(rbv_model_load(&m, "tx40", o));
  return m;
}

static inline rbv_model *load_robot(int i) { return load_robot_with(i, NULL); }

/* ---- trajectories ---- */

typedef struct {
  bool moves;  // trapezoidal moves; otherwise a sum of sines
  double centre[JOINTS];
  double frequency[TERMS], sine[JOINTS][TERMS], phase[JOINTS][TERMS];
  int nmove[JOINTS];
  double start[JOINTS][64], from[JOINTS][64], to[JOINTS][64], speed[JOINTS][64], ramp[JOINTS][64];
  double stop;  // from here on the robot brakes and then stands still [s]
} path;

static double half_range(const rbv_model *m, int j) {
  const rbv_limits *l = &rbv_model_joint(m, j)->limits;
  return fmin((l->upper - l->lower) / 2, 2.5);
}

/* a sum of sines, as in an exciting trajectory; lowest and highest frequency in Hz */
static inline void plan_sines(path *p, const rbv_model *m, dice *d, double lowest, double highest) {
  p->moves = false;
  for (int h = 0; h < TERMS; h++)
    p->frequency[h] = lowest + (highest - lowest) * (h + uniform(d, 0, 0.5)) / (TERMS - 0.5);
  for (int j = 0; j < JOINTS; j++) {
    const rbv_limits *l = &rbv_model_joint(m, j)->limits;
    double speed = 0, reach = 0;
    for (int h = 0; h < TERMS; h++) {
      // roughly equal contributions to the velocity
      p->sine[j][h] = uniform(d, 0.3, 1) / p->frequency[h];
      p->phase[j][h] = uniform(d, 0, 2 * M_PI);
      speed += p->sine[j][h] * 2 * M_PI * p->frequency[h];
      reach += p->sine[j][h];
    }
    // the sums are upper bounds; the largest values are about 0.7 of them
    const double scale = fmin(uniform(d, 0.6, 1.1) * l->velocity / (0.7 * speed),
                              uniform(d, 0.6, 0.9) * half_range(m, j) / (0.7 * reach));
    for (int h = 0; h < TERMS; h++) p->sine[j][h] *= scale;
    p->centre[j] = (l->upper + l->lower) / 2 + uniform(d, -0.1, 0.1) * half_range(m, j);
  }
}

/* each joint has its own positions and times */
static inline void plan_moves(path *p, const rbv_model *m, dice *d, double duration) {
  p->moves = true;
  for (int j = 0; j < JOINTS; j++) {
    const rbv_limits *l = &rbv_model_joint(m, j)->limits;
    const double middle = (l->upper + l->lower) / 2, half = half_range(m, j);
    double at = middle + uniform(d, -0.5, 0.5) * half, t = -uniform(d, 0, 0.3);
    int n = 0, side = pick(d, 2) ? 1 : -1;
    while (t < duration && n < 64) {
      const double to = middle + side * uniform(d, 0.15, 0.9) * half;
      p->from[j][n] = at;
      p->to[j][n] = to;
      p->start[j][n] = t;
      p->ramp[j][n] = uniform(d, 0.12, 0.3);
      // short moves do not reach full speed
      p->speed[j][n] =
          fmin(uniform(d, 0.3, 0.9) * l->velocity, 0.9 * fabs(to - at) / p->ramp[j][n]);
      t += fabs(to - at) / p->speed[j][n] + p->ramp[j][n] + uniform(d, 0, 0.04);
      at = to;
      side = -side;
      n++;
    }
    p->nmove[j] = n;
  }
}

static inline void eval_move(double *q, double *dq, double *ddq, const path *p, int j, double t) {
  int i = 0;
  while (i + 1 < p->nmove[j] && p->start[j][i + 1] <= t) i++;
  const double way = p->to[j][i] - p->from[j][i], s = way < 0 ? -1 : 1, v = p->speed[j][i];
  const double ramp = p->ramp[j][i], end = fabs(way) / v + ramp, u = t - p->start[j][i],
               a = v / ramp;
  double x = fabs(way), dx = 0, ddx = 0;
  if (u < 0) {
    x = 0;
  } else if (u < ramp) {
    x = a * u * u / 2, dx = a * u, ddx = a;
  } else if (u < end - ramp) {
    x = v * (u - ramp / 2), dx = v;
  } else if (u < end) {
    x = fabs(way) - a * (end - u) * (end - u) / 2, dx = a * (end - u), ddx = -a;
  }
  *q = p->from[j][i] + s * x;
  *dq = s * dx;
  *ddq = s * ddx;
}

/* the motion at time t; from `stop` on it brakes within 0.3 s */
static inline void eval_path(double *q, double *dq, double *ddq, const path *p, double t) {
  double clock = t, rate = 1, slope = 0;
  if (t > p->stop) {
    const double u = fmin((t - p->stop) / 0.3, 1);
    clock = p->stop + 0.3 * (u - u * u * u + u * u * u * u / 2);
    rate = 1 - 3 * u * u + 2 * u * u * u;
    slope = u < 1 ? (-6 * u + 6 * u * u) / 0.3 : 0;
  }
  for (int j = 0; j < JOINTS; j++) {
    double x = p->centre[j], v = 0, a = 0;
    if (p->moves) {
      eval_move(&x, &v, &a, p, j, clock);
    } else {
      for (int h = 0; h < TERMS; h++) {
        const double w = 2 * M_PI * p->frequency[h], phi = w * clock + p->phase[j][h];
        x += p->sine[j][h] * sin(phi);
        v += p->sine[j][h] * w * cos(phi);
        a -= p->sine[j][h] * w * w * sin(phi);
      }
    }
    q[j] = x;
    dq[j] = v * rate;
    ddq[j] = a * rate * rate + v * slope;
  }
}

/* ---- a recording ---- */

typedef struct {
  ptrdiff_t count;
  double *t;
  double *q, *tau;  // count x JOINTS
} record;

static inline void free_record(record *r) {
  free(r->t);
  free(r->q);
  free(r->tau);
}

/* true parameters of the robot */
static inline void true_parameters(double *chi, const rbv_model *m, dice *d, const double *rms) {
  const double *prior = rbv_model_parameters(m);
  for (int c = 0; c < rbv_model_column_count(m); c++) {
    const rbv_column *column = rbv_model_column(m, c);
    const double size = column->joint < JOINTS ? rms[column->joint] : 0;
    chi[c] = prior[c] * uniform(d, 0.8, 1.2);
    if (chi[c] != 0) continue;
    const double speed = rbv_model_joint(m, column->joint)->limits.velocity;
    // the size of friction and rotors relative to the rigid torque, as in geared arms
    if (rbv_column_has_law(column, "Fc")) chi[c] = uniform(d, 0.1, 0.4) * size;
    if (rbv_column_has_law(column, "Fv")) chi[c] = uniform(d, 0.1, 0.4) * size / speed;
    if (rbv_column_has_law(column, "Ia")) chi[c] = uniform(d, 0.02, 0.2) * size / speed;
    if (rbv_column_has_law(column, "off")) chi[c] = uniform(d, -0.05, 0.05) * size;
  }
}

static inline void rigid_rms(double *rms, const rbv_model *m, rbv_dynamics *d,
                             const rbv_states *s) {
  const double *prior = rbv_model_parameters(m);
  const int nc = rbv_model_column_count(m);
  double *chi = calloc((size_t)nc, sizeof *chi),
         *tau = malloc((size_t)s->count * JOINTS * sizeof *tau);
  for (int c = 0; c < nc; c++)
    if (rbv_model_column(m, c)->basis == RBV_BASIS_INERTIAL) chi[c] = prior[c];
  assert_ok(rbv_dynamics_set(d, chi, false));
  rbv_dynamics_inverse_batch(tau, s->count, d, s);
  for (int j = 0; j < JOINTS; j++) {
    double sum = 0;
    for (ptrdiff_t k = 0; k < s->count; k++) sum += tau[k + j * s->count] * tau[k + j * s->count];
    rms[j] = sqrt(sum / (double)s->count);
  }
  free(chi);
  free(tau);
}

/* torques at the given times, with sensor noise */
static inline void run_robot(record *r, const rbv_model *m, const path *p, dice *d) {
  const ptrdiff_t n = r->count;
  const size_t block = (size_t)n * JOINTS * sizeof(double);
  double *dq = malloc(block), *ddq = malloc(block), q[JOINTS], v[JOINTS], a[JOINTS];
  r->q = malloc(block);
  r->tau = malloc(block);
  for (ptrdiff_t k = 0; k < n; k++) {
    eval_path(q, v, a, p, r->t[k]);
    for (int j = 0; j < JOINTS; j++) {
      r->q[k + j * n] = q[j];
      dq[k + j * n] = v[j];
      ddq[k + j * n] = a[j];
    }
  }
  const rbv_states states = {.count = n, .ld = n, .q = r->q, .dq = dq, .ddq = ddq};
  const int nc = rbv_model_column_count(m);
  double rms[JOINTS], *chi = malloc((size_t)nc * sizeof *chi);
  rbv_dynamics *dynamics;
  assert_ok(rbv_dynamics_new(&dynamics, m));
  rigid_rms(rms, m, dynamics, &states);
  true_parameters(chi, m, d, rms);
  assert_ok(rbv_dynamics_set(dynamics, chi, false));
  rbv_dynamics_inverse_batch(r->tau, n, dynamics, &states);
  for (int j = 0; j < JOINTS; j++) {
    // white noise and a slow disturbance of 1 to 2 % each; static friction at standstill
    double *tau = r->tau + j * n, sum = 0, slow = 0;
    for (ptrdiff_t k = 0; k < n; k++) sum += tau[k] * tau[k];
    const double size = sqrt(sum / (double)n), white = uniform(d, 0.01, 0.02) * size,
                 drift = uniform(d, 0.01, 0.02) * size, counts = pow(2, 13 + pick(d, 5)),
                 stuck = uniform(d, -0.1, 0.1) * size;
    const double step = 2 * M_PI / counts;
    for (ptrdiff_t k = 0; k < n; k++) {
      slow = 0.95 * slow + sqrt(1 - 0.95 * 0.95) * normal(d);
      tau[k] += white * normal(d) + drift * slow + (dq[k + j * n] == 0 ? stuck : 0);
      r->q[k + j * n] = step * rint(r->q[k + j * n] / step);
    }
  }
  rbv_dynamics_free(dynamics);
  free(chi);
  free(dq);
  free(ddq);
}

/* ---- defects ---- */

#define DEFECT_LIST(X)                              \
  X(CLEAN, RBV_FINDING_CHANNEL, "clean")            \
  X(DEGREES, RBV_FINDING_DEGREES, "degrees")        \
  X(SWAPPED, RBV_FINDING_ORDER, "swapped")          \
  X(TURNED, RBV_FINDING_SIGN, "sign")               \
  X(GEAR, RBV_FINDING_GEAR, "gear ratio")           \
  X(DELAYED, RBV_FINDING_DELAY, "delay")            \
  X(JITTER, RBV_FINDING_JITTER, "jitter")           \
  X(GAP, RBV_FINDING_GAP, "gap")                    \
  X(SATURATED, RBV_FINDING_SATURATED, "saturation") \
  X(HOLES, RBV_FINDING_MISSING, "nan")              \
  X(RESTING, RBV_FINDING_REST, "rest")              \
  X(ALIASED, RBV_FINDING_ALIASING, "aliasing")      \
  X(FOREIGN, RBV_FINDING_FOREIGN, "foreign")

typedef enum {
#define X(name, code, text) name,
  DEFECT_LIST(X)
#undef X
      DEFECTS
} defect;

static const rbv_finding_code defect_code[] = {
#define X(name, code, text) code,
    DEFECT_LIST(X)
#undef X
};

static const char *const defect_name[] = {
#define X(name, code, text) text,
    DEFECT_LIST(X)
#undef X
};

static inline void swap_columns(double *x, ptrdiff_t n, int i, int j) {
  for (ptrdiff_t k = 0; k < n; k++) {
    const double c = x[k + i * n];
    x[k + i * n] = x[k + j * n];
    x[k + j * n] = c;
  }
}

static inline void scale_column(double *x, ptrdiff_t n, int j, double factor) {
  for (ptrdiff_t k = 0; k < n; k++) x[k + j * n] *= factor;
}

/* remove rows first to last - 1 */
static inline void cut(record *r, ptrdiff_t first, ptrdiff_t last) {
  const ptrdiff_t n = r->count, m = n - (last - first);
  double *const blocks[] = {r->t, r->q, r->tau};
  const int columns[] = {1, JOINTS, JOINTS};
  for (int b = 0; b < 3; b++)
    for (int j = 0; j < columns[b]; j++)
      for (ptrdiff_t k = 0; k < m; k++)
        blocks[b][k + j * m] = blocks[b][(k < first ? k : k + last - first) + j * n];
  r->count = m;
}

static inline void delay_torque(record *r, ptrdiff_t lag) {
  const ptrdiff_t n = r->count, reach = lag < 0 ? -lag : lag;
  double *shifted = malloc((size_t)n * JOINTS * sizeof *shifted);
  for (int j = 0; j < JOINTS; j++)
    for (ptrdiff_t k = 0; k < n; k++) {
      const ptrdiff_t from = k - lag < 0 ? 0 : k - lag >= n ? n - 1 : k - lag;
      shifted[k + j * n] = r->tau[from + j * n];
    }
  free(r->tau);
  r->tau = shifted;
  cut(r, 0, reach);
  cut(r, r->count - reach, r->count);
}

static inline void clip(record *r, int j, double share) {
  double most = 0, *tau = r->tau + j * r->count;
  for (ptrdiff_t k = 0; k < r->count; k++) most = fmax(most, fabs(tau[k]));
  for (ptrdiff_t k = 0; k < r->count; k++) tau[k] = fmin(fmax(tau[k], -share * most), share * most);
}

/* details of a defect, for messages */
typedef struct {
  int robot, joint, other, mode;
  double factor;
} defect_info;

static inline void spoil(record *r, defect_info *info, defect what, dice *d) {
  const ptrdiff_t n = r->count;
  int i = pick(d, JOINTS);
  const int j = (i + 1 + pick(d, JOINTS - 1)) % JOINTS, mode = pick(d, 2);
  info->joint = i;
  info->other = j;
  info->mode = mode;
  switch (what) {
    case DEGREES:
      for (int k = 0; k < JOINTS; k++) scale_column(r->q, n, k, 180 / M_PI);
      return;
    case SWAPPED:
      swap_columns(r->tau, n, i, j);
      if (mode) swap_columns(r->q, n, i, j);
      return;
    case TURNED: scale_column(mode ? r->q : r->tau, n, i, -1); return;
    case GEAR:
      // gear ratio missing, or wrong by a factor of two or more; in the torque or in both. Not in
      // the wrist, where a file that is wrong by 30 % gives any factor
      info->joint = i = pick(d, WRIST);
      info->factor = mode ? uniform(d, 2, 4) : exp(uniform(d, log(2), log(100)));
      if (pick(d, 2)) info->factor = 1 / info->factor;
      scale_column(r->tau, n, i, info->factor);
      if (mode) scale_column(r->q, n, i, 1 / info->factor);
      return;
    case DELAYED: delay_torque(r, mode ? 3 : -3); return;
    case GAP: {
      const ptrdiff_t first = (ptrdiff_t)(uniform(d, 0.1, 0.8) * (double)n);
      cut(r, first, first + 5 + pick(d, (int)(n / 20)));
      return;
    }
    case SATURATED: clip(r, i, uniform(d, 0.5, 0.8)); return;
    case HOLES:
      for (int k = 1 + pick(d, 20); k > 0; k--)
        (mode ? r->q : r->tau)[pick(d, (int)n) + i * n] = NAN;
      return;
    default: return;
  }
}

/* ---- a log ---- */

static inline void choose_times(record *r, double rate, double duration, double jitter, dice *d) {
  r->count = (ptrdiff_t)(rate * duration);
  r->t = malloc((size_t)r->count * sizeof *r->t);
  // resolution of one microsecond
  for (ptrdiff_t k = 0; k < r->count; k++)
    r->t[k] = rint(1e6 * ((double)k + jitter * uniform(d, -1, 1)) / rate) / 1e6;
}

static inline rbv_log *to_log(const record *r) {
  const char *names[1 + 2 * JOINTS] = {"t",    "q1",   "q2",   "q3",   "q4",   "q5",  "q6",
                                       "tau1", "tau2", "tau3", "tau4", "tau5", "tau6"};
  const ptrdiff_t n = r->count;
  double *A = malloc((size_t)n * (1 + 2 * JOINTS) * sizeof *A);
  memcpy(A, r->t, (size_t)n * sizeof *A);
  memcpy(A + n, r->q, (size_t)n * JOINTS * sizeof *A);
  memcpy(A + n + n * JOINTS, r->tau, (size_t)n * JOINTS * sizeof *A);
  rbv_log *log = NULL;
  assert_ok(rbv_log_new(&log, "log", names, 1 + 2 * JOINTS, A, n, n));
  free(A);
  return log;
}

/* a log of a robot with one defect; the seed determines everything */
static inline rbv_log *make_log(defect_info *info, rbv_model *const robots[ROBOTS], int robot,
                                bool moves, defect what, uint64_t seed) {
  static const double rates[] = {200, 250, 400, 500};
  dice d = {seed, (uint64_t)what * 16 + (uint64_t)robot * 2 + moves, 0};
  *info = (defect_info){.robot = robot};
  // another robot with the same number of joints
  const int mover = what == FOREIGN ? (robot + 1 + pick(&d, ROBOTS - 1)) % ROBOTS : robot;
  info->other = mover;
  record r;
  path p = {.stop = INFINITY};
  double rate = rates[pick(&d, 4)], duration = uniform(&d, 7, 9);
  if (what == ALIASED) {
    rate = uniform(&d, 20, 40);
    duration = 500 / rate;
    plan_sines(&p, robots[mover], &d, 0.5, rate / 2 * uniform(&d, 0.7, 1.4));
  } else if (moves) {
    plan_moves(&p, robots[mover], &d, duration);
  } else {
    plan_sines(&p, robots[mover], &d, 0.15, uniform(&d, 0.8, 2));
  }
  if (what == RESTING) p.stop = duration * uniform(&d, 0.6, 0.85);
  choose_times(&r, rate, duration, what == JITTER ? uniform(&d, 0.1, 0.4) : 0.002, &d);
  run_robot(&r, robots[mover], &p, &d);
  spoil(&r, info, what, &d);
  rbv_log *log = to_log(&r);
  free_record(&r);
  return log;
}

#endif
