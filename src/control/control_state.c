/* A running controller: its state, and one tick. */
#include <string.h>

#include "control/control_internal.h"

// values per lane of a pid or cascade: integral, derivative, last input of the derivative
#define MEMORY 3

/* constants of a joint, computed once */
typedef struct {
  double pole, difference;  // of D: d = pole d + difference (x - previous x)
  double step;              // k_i T
  double pull;              // T / tracking_s
  int memory;               // offset of its values in `memory`
  int late;                 // offset of its delay line in `late`
  int order;                // of a transfer function
} tick;

struct rbv_control_state {
  const rbv_control *control;
  int lanes;
  ptrdiff_t at;  // ticks so far: gives the position in the delay lines
  size_t nmemory, nlate;
  tick *tick;      // njoint
  double *scale;   // njoint x lanes
  double *gain;    // RBV_GAIN_COUNT x njoint x lanes: factors on the gains of the law
  double *memory;  // per joint MEMORY x lanes, or 2 x order x lanes for a transfer function
  double *late;    // per joint delay x lanes
};

static int order_of(const rbv_control_joint *j) {
  const int a = j->transfer.nnum, b = j->transfer.nden;
  return (a > b ? a : b) - 1;
}

static size_t memory_of(const rbv_control_joint *j) {
  return j->kind == RBV_CONTROL_TRANSFER ? (size_t)(2 * order_of(j)) : MEMORY;
}

static void layout(rbv_control_state *s, const rbv_control *c, int lanes, rbv_arena *a) {
  s->nmemory = s->nlate = 0;
  for (int j = 0; j < c->njoint; j++) {
    s->nmemory += memory_of(&c->joint[j]) * (size_t)lanes;
    s->nlate += (size_t)(c->joint[j].delay * lanes);
  }
  s->tick = RBV_TAKE(a, c->njoint, tick);
  s->scale = RBV_TAKE(a, c->njoint * lanes, double);
  s->gain = RBV_TAKE(a, RBV_GAIN_COUNT * c->njoint * lanes, double);
  s->memory = RBV_TAKE(a, s->nmemory, double);
  s->late = RBV_TAKE(a, s->nlate, double);
}

rbv_status rbv_control_state_new(rbv_control_state **out, const rbv_control *c, int lanes) {
  *out = NULL;
  if (!c || lanes < 1) return rbv_fail(RBV_EARG, "a state needs a controller and lanes");
  rbv_control_state sizes = {0}, *s;
  RBV_CARVE_OBJECT(s, a, layout(&sizes, c, lanes, a));
  if (!s) return RBV_EMEM;
  *s = sizes;
  s->control = c;
  s->lanes = lanes;
  int used = 0, late = 0;
  for (int i = 0; i < RBV_GAIN_COUNT * c->njoint * lanes; i++) s->gain[i] = 1;
  for (int j = 0; j < c->njoint; j++) {
    const rbv_control_joint *g = &c->joint[j];
    tick *t = &s->tick[j];
    t->pole = rbv_control_pole(c, g);
    t->difference = (1 - t->pole) * c->rate_hz;
    t->step = g->k_i / c->rate_hz;
    t->pull = g->tracking_s > 0 ? 1 / (c->rate_hz * g->tracking_s) : 0;
    t->order = order_of(g);
    t->memory = used;
    t->late = late;
    used += (int)memory_of(g) * lanes;
    late += g->delay * lanes;
    for (int k = 0; k < lanes; k++) s->scale[j * lanes + k] = 1;
  }
  *out = s;
  return RBV_OK;
}

void rbv_control_state_free(rbv_control_state *s) { rbv_free(s); }

void rbv_control_reset(rbv_control_state *s) {
  memset(s->memory, 0, s->nmemory * sizeof *s->memory);
  memset(s->late, 0, s->nlate * sizeof *s->late);
  s->at = 0;
}

void rbv_control_set_scale(rbv_control_state *s, int lane, int joint, double scale) {
  s->scale[joint * s->lanes + lane] = scale;
}

/* factors on a gain of a joint, for all lanes */
static double *gain_of(const rbv_control_state *s, rbv_gain gain, int joint) {
  return s->gain + ((ptrdiff_t)gain * s->control->njoint + joint) * s->lanes;
}

void rbv_control_set_gain(rbv_control_state *s, int lane, int joint, rbv_gain gain, double factor) {
  gain_of(s, gain, joint)[lane] = factor;
}

void rbv_control_set_integral(rbv_control_state *s, int lane, int joint, double integral) {
  if (s->control->joint[joint].kind != RBV_CONTROL_TRANSFER)
    s->memory[s->tick[joint].memory + lane] = integral;
}

/* ---- feedback laws: out = torque after the limit, for every lane of a joint ---- */

/* terms outside the feedback law, one value per lane */
typedef struct {
  const double *scale, *extra, *model;  // extra: k_v dq_r + k_a ddq_r, inside the scale
  const double *lower, *upper;          // factors on the limits
} outer_terms;

static inline double torque_before_limit(const outer_terms *a, int lane, double u) {
  return a->scale[lane] * (u + a->extra[lane]) + (a->model ? a->model[lane] : 0);
}

static inline double clip(const rbv_control_joint *g, const outer_terms *a, int lane, double x) {
  const double lower = g->lower * a->lower[lane], upper = g->upper * a->upper[lane];
  return x < lower ? lower : x > upper ? upper : x;
}

/* Advance the integral by `step`, limit the torque, apply anti-windup. rest: the feedback without
 * its integral. Returns the limited torque. */
static inline double limit_torque(const rbv_control_joint *g, const tick *t, const outer_terms *a,
                                  int lane, double rest, double *integral, double step) {
  const double before = *integral;
  *integral += step;
  const double wanted = torque_before_limit(a, lane, rest + *integral);
  const double given = clip(g, a, lane, wanted);
  if (given == wanted || g->antiwindup == RBV_ANTIWINDUP_NONE) return given;
  const double scale = a->scale[lane];
  if (g->antiwindup == RBV_ANTIWINDUP_TRACKING) {
    if (scale != 0) *integral += t->pull * (given - wanted) / scale;
  } else if (scale * step * (wanted - given) > 0) {
    // the step would increase the integral beyond the limit: undo it
    *integral = before;
    return clip(g, a, lane, torque_before_limit(a, lane, rest + before));
  }
  return given;
}

/*
 * The filtered difference of x = b q_r - q_m in lane k. Before the first tick the robot stood at
 * its present position without error.
 */
static inline double filtered_difference(const rbv_control_state *s, int j, int k, double qr,
                                         double qm) {
  const tick *t = &s->tick[j];
  const double b = s->control->joint[j].reference_velocity, x = b * qr - qm;
  double *slope = s->memory + t->memory + s->lanes, *last = slope + s->lanes;
  if (s->at == 0) last[k] = (b - 1) * qm;
  slope[k] = t->pole * slope[k] + t->difference * (x - last[k]);
  last[k] = x;
  return slope[k];
}

static void step_pid(double *out, const rbv_control_state *s, int j, const outer_terms *a,
                     const double *qr, const double *qm) {
  const rbv_control_joint *g = &s->control->joint[j];
  const tick *t = &s->tick[j];
  const int lanes = s->lanes;
  double *integral = s->memory + t->memory;
  const double *k_p = gain_of(s, RBV_GAIN_KP, j), *k_i = gain_of(s, RBV_GAIN_KI, j);
  const double *k_d = gain_of(s, RBV_GAIN_KD, j);
  for (int k = 0; k < lanes; k++) {
    const double e = qr[k] - qm[k];
    const double slope = filtered_difference(s, j, k, qr[k], qm[k]);
    const double rest = g->k_p * k_p[k] * e + g->k_d * k_d[k] * slope;
    out[k] = limit_torque(g, t, a, k, rest, &integral[k], t->step * k_i[k] * e);
  }
}

static void step_cascade(double *out, const rbv_control_state *s, int j, const outer_terms *a,
                         const double *qr, const double *qm) {
  const rbv_control_joint *g = &s->control->joint[j];
  const tick *t = &s->tick[j];
  const int lanes = s->lanes;
  double *integral = s->memory + t->memory;
  const double *k_p = gain_of(s, RBV_GAIN_KP, j), *k_i = gain_of(s, RBV_GAIN_KI, j);
  const double *k_x = gain_of(s, RBV_GAIN_KX, j);
  for (int k = 0; k < lanes; k++) {
    const double slope = filtered_difference(s, j, k, qr[k], qm[k]);
    const double v = g->k_x * k_x[k] * (qr[k] - qm[k]) + slope;
    out[k] = limit_torque(g, t, a, k, g->k_p * k_p[k] * v, &integral[k], t->step * k_i[k] * v);
  }
}

/* direct form I: the memory holds past errors, then past outputs, newest first */
static void step_transfer(double *out, const rbv_control_state *s, int j, const outer_terms *a,
                          const double *qr, const double *qm) {
  const rbv_control_joint *g = &s->control->joint[j];
  const rbv_transfer *H = &g->transfer;
  const tick *t = &s->tick[j];
  const int lanes = s->lanes, n = t->order;
  double *past_e = s->memory + t->memory, *past_u = past_e + n * lanes;
  for (int k = 0; k < lanes; k++) {
    const double e = qr[k] - qm[k];
    double u = H->num[0] * e;
    for (int i = 1; i < H->nnum; i++) u += H->num[i] * past_e[(i - 1) * lanes + k];
    for (int i = 1; i < H->nden; i++) u -= H->den[i] * past_u[(i - 1) * lanes + k];
    const double wanted = torque_before_limit(a, k, u);
    out[k] = clip(g, a, k, wanted);
    if (out[k] != wanted && g->antiwindup != RBV_ANTIWINDUP_NONE && a->scale[k] != 0)
      u += (out[k] - wanted) / a->scale[k];
    for (int i = n - 1; i > 0; i--) {
      past_e[i * lanes + k] = past_e[(i - 1) * lanes + k];
      past_u[i * lanes + k] = past_u[(i - 1) * lanes + k];
    }
    if (n > 0) {
      past_e[k] = e;
      past_u[k] = u;
    }
  }
}

/* ---- one tick ---- */

/* delay the torque of a joint with a ring buffer */
static void delay_torque(double *tau, const rbv_control_state *s, int j) {
  const int length = s->control->joint[j].delay, lanes = s->lanes;
  if (length == 0) return;
  double *slot = s->late + s->tick[j].late + s->at % length * lanes;
  for (int k = 0; k < lanes; k++) {
    const double now = slot[k];
    slot[k] = tau[k];
    tau[k] = now;
  }
}

void rbv_control_step(double *tau, rbv_control_state *s, const rbv_control_input *in) {
  static void (*const laws[])(double *, const rbv_control_state *, int, const outer_terms *,
                              const double *,
                              const double *) = {step_pid, step_cascade, step_transfer};
  const rbv_control *c = s->control;
  const int lanes = s->lanes;
  for (int j = 0; j < c->njoint; j++) {
    const rbv_control_joint *g = &c->joint[j];
    const int at = j * lanes;
    // tau holds the feed-forward until the law has read it
    const double *k_v = gain_of(s, RBV_GAIN_VELOCITY, j);
    const double *k_a = gain_of(s, RBV_GAIN_ACCELERATION, j);
    for (int k = 0; k < lanes; k++)
      tau[at + k] = (in->dqr ? g->velocity_gain * k_v[k] * in->dqr[at + k] : 0) +
                    (in->ddqr ? g->acceleration_gain * k_a[k] * in->ddqr[at + k] : 0);
    const outer_terms a = {.scale = s->scale + at,
                           .extra = tau + at,
                           .model = in->model ? in->model + at : NULL,
                           .lower = gain_of(s, RBV_GAIN_LOWER, j),
                           .upper = gain_of(s, RBV_GAIN_UPPER, j)};
    laws[g->kind](tau + at, s, j, &a, in->qr + at, in->qm + at);
    delay_torque(tau + at, s, j);
  }
  s->at++;
}
