/* A running controller with its derivatives: the same tick as in control_state.c, differentiated.
 */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "control/control_internal.h"

/* ---- gains ---- */

#define AT(field) offsetof(rbv_control_joint, field)

/* which kinds of law have a gain: bit per rbv_control_kind */
#define PID (1u << RBV_CONTROL_PID)
#define CASCADE (1u << RBV_CONTROL_CASCADE)
#define TRANSFER (1u << RBV_CONTROL_TRANSFER)

static const struct {
  const char *name;
  size_t offset;
  unsigned kinds;
} gains[RBV_GAIN_COUNT] = {
    [RBV_GAIN_KP] = {"k_p", AT(k_p), PID | CASCADE},
    [RBV_GAIN_KI] = {"k_i", AT(k_i), PID | CASCADE},
    [RBV_GAIN_KD] = {"k_d", AT(k_d), PID},
    [RBV_GAIN_KX] = {"k_x", AT(k_x), CASCADE},
    [RBV_GAIN_VELOCITY] = {"velocity_gain", AT(velocity_gain), PID | CASCADE | TRANSFER},
    [RBV_GAIN_ACCELERATION] = {"acceleration_gain", AT(acceleration_gain),
                               PID | CASCADE | TRANSFER},
    [RBV_GAIN_UPPER] = {"upper_limit", AT(upper), PID | CASCADE | TRANSFER},
    [RBV_GAIN_LOWER] = {"lower_limit", AT(lower), PID | CASCADE | TRANSFER},
};

const char *rbv_gain_name(int i) { return i >= 0 && i < RBV_GAIN_COUNT ? gains[i].name : NULL; }

bool rbv_gain_parse(rbv_gain *out, const char *name) {
  const int i = RBV_FIND(gains, RBV_GAIN_COUNT, name, name);
  if (i >= 0) *out = (rbv_gain)i;
  return i >= 0;
}

double *rbv_gain_of(rbv_control_joint *j, rbv_gain gain) {
  if (!(gains[gain].kinds >> j->kind & 1)) return NULL;
  double *value = (double *)(void *)((char *)j + gains[gain].offset);
  return isfinite(*value) ? value : NULL;
}

bool rbv_control_same(const rbv_control *a, const rbv_control *b) {
  if (rbv_control_joint_count(a) != rbv_control_joint_count(b) || a->ticks != b->ticks ||
      a->command_delay_s != b->command_delay_s)
    return false;
  for (int j = 0; j < rbv_control_joint_count(a); j++) {
    rbv_control_joint x = *rbv_control_get_joint(a, j), y = *rbv_control_get_joint(b, j);
    if (x.kind != y.kind || x.filter_s != y.filter_s || x.delay != y.delay) return false;
    for (int g = 0; g < RBV_GAIN_COUNT; g++) {
      const double *p = rbv_gain_of(&x, (rbv_gain)g), *q = rbv_gain_of(&y, (rbv_gain)g);
      if (p && q && *p != *q) return false;
    }
  }
  return true;
}

/* ---- the object ---- */

/*
 * Memory of a joint is one block of 1 + lanes columns: column 0 the loop itself, then the
 * derivatives. Rows: integral, slope, last input of the difference (pid, cascade); past errors,
 * then past outputs (transfer); then the delay line.
 */
typedef struct {
  double pole, difference, period, pull;
  int order;     // of a transfer function
  int rows;      // of its memory, without the delay line
  ptrdiff_t at;  // its block in `memory`
} joint_tick;

struct rbv_control_tangent {
  const rbv_control *control;
  int lanes;
  ptrdiff_t ticks;
  size_t nmemory;
  joint_tick *joint;  // njoint
  double *memory;
  double *rate;  // gain g of joint j in lane k at [(g * njoint + j) * lanes + k]
  bool *varies;  // gain g of joint j at [g * njoint + j]: a lane changes it
  double *input, *slope, *rest, *step, *wanted;  // lanes
};

static int order_of(const rbv_control_joint *j) {
  const int a = j->transfer.nnum, b = j->transfer.nden;
  return (a > b ? a : b) - 1;
}

static int rows_of(const rbv_control_joint *j) {
  return j->kind == RBV_CONTROL_TRANSFER ? 2 * order_of(j) : 3;
}

static void layout(rbv_control_tangent *t, const rbv_control *c, int lanes, rbv_arena *a) {
  const size_t cells = (size_t)(RBV_GAIN_COUNT * c->njoint);
  t->nmemory = 0;
  for (int j = 0; j < c->njoint; j++)
    t->nmemory += (size_t)(rows_of(&c->joint[j]) + c->joint[j].delay) * (size_t)(1 + lanes);
  t->joint = RBV_TAKE(a, c->njoint, joint_tick);
  t->memory = RBV_TAKE(a, t->nmemory, double);
  t->rate = RBV_TAKE(a, cells * (size_t)lanes, double);
  t->varies = RBV_TAKE(a, cells, bool);
  double **const rows[] = {&t->input, &t->slope, &t->rest, &t->step, &t->wanted};
  for (int i = 0; i < RBV_COUNT(rows); i++) *rows[i] = RBV_TAKE(a, lanes, double);
}

rbv_status rbv_control_tangent_new(rbv_control_tangent **out, const rbv_control *c, int lanes) {
  *out = NULL;
  if (!c || lanes < 1) return rbv_fail(RBV_EARG, "derivatives need a controller and lanes");
  rbv_control_tangent sizes = {0}, *t;
  RBV_CARVE_OBJECT(t, a, layout(&sizes, c, lanes, a));
  if (!t) return RBV_EMEM;
  *t = sizes;
  t->control = c;
  t->lanes = lanes;
  ptrdiff_t used = 0;
  for (int j = 0; j < c->njoint; j++) {
    const rbv_control_joint *g = &c->joint[j];
    const double pole = rbv_control_pole(c, g);
    t->joint[j] = (joint_tick){.pole = pole,
                               .difference = (1 - pole) * c->rate_hz,
                               .period = 1 / c->rate_hz,
                               .pull = g->tracking_s > 0 ? 1 / (c->rate_hz * g->tracking_s) : 0,
                               .order = order_of(g),
                               .rows = rows_of(g),
                               .at = used};
    used += (ptrdiff_t)(rows_of(g) + g->delay) * (1 + lanes);
  }
  *out = t;
  return RBV_OK;
}

void rbv_control_tangent_free(rbv_control_tangent *t) { rbv_free(t); }

rbv_status rbv_control_tangent_set_gain(rbv_control_tangent *t, int lane, int joint, rbv_gain gain,
                                        double rate) {
  const rbv_control *c = t->control;
  if (lane < 0 || lane >= t->lanes || joint < 0 || joint >= c->njoint)
    return rbv_fail(RBV_EARG, "there is no lane %d of joint %d", lane, joint + 1);
  if (!rbv_gain_of(&t->control->joint[joint], gain))
    return rbv_fail(RBV_EINPUT, "the law of joint %d (%s) has no gain %s", joint + 1,
                    rbv_control_kind_name(c->joint[joint].kind), rbv_gain_name((int)gain));
  const int cell = (int)gain * c->njoint + joint;
  t->rate[(ptrdiff_t)cell * t->lanes + lane] = rate;
  t->varies[cell] = t->varies[cell] || rate != 0;
  return RBV_OK;
}

void rbv_control_tangent_reset(rbv_control_tangent *t) {
  memset(t->memory, 0, t->nmemory * sizeof *t->memory);
  t->ticks = 0;
}

void rbv_control_tangent_set_integral(rbv_control_tangent *t, int lane, int joint,
                                      double integral) {
  if (t->control->joint[joint].kind != RBV_CONTROL_TRANSFER)
    t->memory[t->joint[joint].at + 1 + lane] = integral;
}

/* ---- one tick of a joint ---- */

static inline double clip(double x, double lower, double upper) {
  return x < lower ? lower : x > upper ? upper : x;
}

/* to += factor * (rate of a gain) */
static void add_rate(double *to, const rbv_control_tangent *t, int j, rbv_gain gain,
                     double factor) {
  const int cell = (int)gain * t->control->njoint + j;
  const double *rate = t->rate + (ptrdiff_t)cell * t->lanes;
  for (int k = 0; k < t->lanes && t->varies[cell]; k++) to[k] += factor * rate[k];
}

/* derivative of a torque that is at its limit */
static void limit_rate(double *dtau, const rbv_control_tangent *t, int j, double limit) {
  memset(dtau, 0, (size_t)t->lanes * sizeof *dtau);
  add_rate(dtau, t, j, limit == t->control->joint[j].upper ? RBV_GAIN_UPPER : RBV_GAIN_LOWER, 1);
}

/* values of the loop, and t->rest, t->step: their derivatives */
typedef struct {
  double rest, step;    // feedback without its integral; step of the integral
  double extra, model;  // feed-forward of the reference; torque of a model
} law_values;

/* t->wanted holds the derivative of the feed-forward and receives that of the torque */
static double limit_torque(double *dtau, rbv_control_tangent *t, int j, const law_values *v) {
  const rbv_control_joint *g = &t->control->joint[j];
  const int lanes = t->lanes;
  double *integral = t->memory + t->joint[j].at, *dintegral = integral + 1;
  const double wanted = v->rest + *integral + v->step + v->extra + v->model;
  const double given = clip(wanted, g->lower, g->upper);
  const bool limited = given != wanted;
  if (limited && g->antiwindup == RBV_ANTIWINDUP_CLAMP && v->step * (wanted - given) > 0) {
    // the step is undone; without it the torque may be inside the limits again
    const double before = wanted - v->step, held = clip(before, g->lower, g->upper);
    if (held != before) limit_rate(dtau, t, j, held);
    for (int k = 0; k < lanes && held == before; k++)
      dtau[k] = t->rest[k] + dintegral[k] + t->wanted[k];
    return held;
  }
  *integral += v->step;
  for (int k = 0; k < lanes; k++) {
    dintegral[k] += t->step[k];
    t->wanted[k] += t->rest[k] + dintegral[k];
    dtau[k] = t->wanted[k];
  }
  if (limited) limit_rate(dtau, t, j, given);
  if (limited && g->antiwindup == RBV_ANTIWINDUP_TRACKING) {
    const double pull = t->joint[j].pull;
    *integral += pull * (given - wanted);
    for (int k = 0; k < lanes; k++) dintegral[k] += pull * (dtau[k] - t->wanted[k]);
  }
  return given;
}

/* derivative of the reference in lane k */
static inline double reference_rate(const double *dqr, int k) { return dqr ? dqr[k] : 0; }

/* filtered difference of b q_r - q_m; t->slope: of its derivatives. t->input: that of the error */
static double difference(rbv_control_tangent *t, int j, double qr, double qm, const double *dqm,
                         const double *dqr) {
  const joint_tick *c = &t->joint[j];
  const int lanes = t->lanes;
  const double b = t->control->joint[j].reference_velocity, x = b * qr - qm;
  double *slope = t->memory + c->at + (1 + lanes), *last = slope + (1 + lanes);
  // before the first tick the robot stood at its present position without error
  if (t->ticks == 0) {
    last[0] = (b - 1) * qm;
    for (int k = 0; k < lanes; k++) last[1 + k] = (b - 1) * dqm[k];
  }
  slope[0] = c->pole * slope[0] + c->difference * (x - last[0]);
  last[0] = x;
  for (int k = 0; k < lanes; k++) {
    const double input = b * reference_rate(dqr, k) - dqm[k];
    slope[1 + k] = c->pole * slope[1 + k] + c->difference * (input - last[1 + k]);
    last[1 + k] = input;
    t->slope[k] = slope[1 + k];
    t->input[k] = reference_rate(dqr, k) - dqm[k];
  }
  return slope[0];
}

static double step_pid(double *dtau, rbv_control_tangent *t, int j, law_values *v, double qr,
                       double qm, const double *dqm, const double *dqr) {
  const rbv_control_joint *g = &t->control->joint[j];
  const double T = t->joint[j].period, e = qr - qm;
  const double slope = difference(t, j, qr, qm, dqm, dqr);
  v->rest = g->k_p * e + g->k_d * slope;
  v->step = g->k_i * T * e;
  for (int k = 0; k < t->lanes; k++) {
    t->rest[k] = g->k_p * t->input[k] + g->k_d * t->slope[k];
    t->step[k] = g->k_i * T * t->input[k];
  }
  add_rate(t->rest, t, j, RBV_GAIN_KP, e);
  add_rate(t->rest, t, j, RBV_GAIN_KD, slope);
  add_rate(t->step, t, j, RBV_GAIN_KI, T * e);
  return limit_torque(dtau, t, j, v);
}

static double step_cascade(double *dtau, rbv_control_tangent *t, int j, law_values *v, double qr,
                           double qm, const double *dqm, const double *dqr) {
  const rbv_control_joint *g = &t->control->joint[j];
  const int lanes = t->lanes;
  const double T = t->joint[j].period, e = qr - qm;
  const double velocity = g->k_x * e + difference(t, j, qr, qm, dqm, dqr);
  v->rest = g->k_p * velocity;
  v->step = g->k_i * T * velocity;
  // t->slope: derivative of the velocity error
  for (int k = 0; k < lanes; k++) t->slope[k] += g->k_x * t->input[k];
  add_rate(t->slope, t, j, RBV_GAIN_KX, e);
  for (int k = 0; k < lanes; k++) {
    t->rest[k] = g->k_p * t->slope[k];
    t->step[k] = g->k_i * T * t->slope[k];
  }
  add_rate(t->rest, t, j, RBV_GAIN_KP, velocity);
  add_rate(t->step, t, j, RBV_GAIN_KI, T * velocity);
  return limit_torque(dtau, t, j, v);
}

static double step_transfer(double *dtau, rbv_control_tangent *t, int j, law_values *v, double qr,
                            double qm, const double *dqm, const double *dqr) {
  const rbv_control_joint *g = &t->control->joint[j];
  const rbv_transfer *H = &g->transfer;
  const int n = t->joint[j].order, width = 1 + t->lanes;
  double *past_e = t->memory + t->joint[j].at, *past_u = past_e + (ptrdiff_t)n * width;
  const double outer = v->extra + v->model;
  bool limited = false, winds = false;
  double tau = 0;
  // column 0 is the loop, which decides whether the torque is limited
  for (int k = 0; k < width; k++) {
    const double e = k == 0 ? qr - qm : reference_rate(dqr, k - 1) - dqm[k - 1];
    double u = H->num[0] * e;
    for (int i = 1; i < H->nnum; i++) u += H->num[i] * past_e[(i - 1) * width + k];
    for (int i = 1; i < H->nden; i++) u -= H->den[i] * past_u[(i - 1) * width + k];
    double wanted = u + (k == 0 ? outer : t->wanted[k - 1]);
    double given = k > 0 && limited ? dtau[k - 1] : wanted;
    if (k == 0) {
      tau = given = clip(wanted, g->lower, g->upper);
      limited = given != wanted;
      if (limited) limit_rate(dtau, t, j, given);
      winds = limited && g->antiwindup == RBV_ANTIWINDUP_NONE;
    } else {
      dtau[k - 1] = given;
    }
    if (limited && !winds) u += given - wanted;
    for (int i = n - 1; i > 0; i--) {
      past_e[i * width + k] = past_e[(i - 1) * width + k];
      past_u[i * width + k] = past_u[(i - 1) * width + k];
    }
    if (n > 0) {
      past_e[k] = e;
      past_u[k] = u;
    }
  }
  return tau;
}

/* pass torque and derivatives through the delay line of the joint */
static void delay_torque(double *tau, double *dtau, rbv_control_tangent *t, int j) {
  const int length = t->control->joint[j].delay, width = 1 + t->lanes;
  if (length == 0) return;
  double *slot =
      t->memory + t->joint[j].at + (t->joint[j].rows + t->ticks % length) * (ptrdiff_t)width;
  const double now = slot[0];
  slot[0] = *tau;
  *tau = now;
  for (int k = 0; k < t->lanes; k++) {
    const double old = slot[1 + k];
    slot[1 + k] = dtau[k];
    dtau[k] = old;
  }
}

void rbv_control_tangent_step(double *tau, double *dtau, rbv_control_tangent *t,
                              const rbv_control_input *in, const double *dqm, const double *dqr) {
  static double (*const laws[])(double *, rbv_control_tangent *, int, law_values *, double, double,
                                const double *,
                                const double *) = {step_pid, step_cascade, step_transfer};
  const rbv_control *c = t->control;
  for (int j = 0; j < c->njoint; j++) {
    const rbv_control_joint *g = &c->joint[j];
    const double speed = in->dqr ? in->dqr[j] : 0, ddqr = in->ddqr ? in->ddqr[j] : 0;
    law_values v = {.extra = g->velocity_gain * speed + g->acceleration_gain * ddqr,
                    .model = in->model ? in->model[j] : 0};
    memset(t->wanted, 0, (size_t)t->lanes * sizeof *t->wanted);
    add_rate(t->wanted, t, j, RBV_GAIN_VELOCITY, speed);
    add_rate(t->wanted, t, j, RBV_GAIN_ACCELERATION, ddqr);
    const ptrdiff_t at = (ptrdiff_t)j * t->lanes;
    double *own = dtau + at;
    tau[j] = laws[g->kind](own, t, j, &v, in->qr[j], in->qm[j], dqm + at, dqr ? dqr + at : NULL);
    delay_torque(&tau[j], own, t, j);
  }
  t->ticks++;
}
