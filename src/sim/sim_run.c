/* A run: reference, controller, drives, plant, recorder and the verdict, tick by tick. */
#include <math.h>
#include <string.h>

#include "control/control.h"
#include "sim/sim_each.h"
#include "sim/sim_internal.h"

/* ---- start ---- */

/* links and springs of lane k of the vector */
static rbv_status begin_elastic(rbv_sim *s, int k, ptrdiff_t lane) {
  const int n = rbv_model_joint_count(s->model), c = rbv_model_column_count(s->model), w = s->width;
  double *theta = s->rest, *q = theta + n, *torque = q + n;
  const double *k_j = s->stiffness + lane * n, *cubic = s->cubic + lane * n;
  rbv_elastic_split(s->motor_chi, s->link_chi, s->model, s->chi + lane * c, k_j);
  RBV_TRY(rbv_lanes_set(s->lanes, k, s->motor_chi, s->options.loaded));
  RBV_TRY(rbv_lanes_set(s->link_lanes, k, s->link_chi, s->options.loaded));
  RBV_TRY(rbv_dynamics_set(s->link_dynamics, s->link_chi, s->options.loaded));
  for (int j = 0; j < n; j++) {
    s->springs.stiffness[j * w + k] = k_j[j];
    s->springs.cubic[j * w + k] = cubic[j];
    s->springs.damping[j * w + k] = s->damping[lane * n + j];
    theta[j] = s->plant.q[j * w + k];
  }
  rbv_elastic_rest(q, torque, s->link_dynamics, theta, k_j, cubic, torque + n, n);
  s->link.regular[k] = true;
  for (int j = 0; j < n; j++) {
    s->link.q[j * w + k] = q[j];
    s->link.dq[j * w + k] = s->plant.dq[j * w + k];
  }
  return RBV_OK;
}

/* streams of random numbers, 65536 joints each */
enum { NOISE_POSITION = 1, NOISE_TORQUE, NOISE_STAMP, NOISE_DROP };

static uint64_t stream(int kind, int joint) { return (uint64_t)kind << 16 | (uint64_t)joint; }

static uint64_t disturbance_stream(int joint) { return 10 + (uint64_t)joint; }

/* the lanes that run now; unused lanes repeat the last one and are not recorded */
typedef struct {
  rbv_sim *sim;
  const rbv_sim_reference *reference;  // of all lanes, or of the first one
  bool each;                           // each lane has its own reference
  const rbv_sim_trace *trace;          // of the first lane
  rbv_sim_outcome *outcome;
  int first, count;
  double rate_hz;
} group;

static int lane_of(const group *g, int k) { return g->first + (k < g->count ? k : g->count - 1); }

static const rbv_sim_reference *reference_of(const group *g, int k) {
  return g->reference + (g->each ? lane_of(g, k) - g->first : 0);
}

static rbv_status begin(const group *g) {
  rbv_sim *s = g->sim;
  const int n = rbv_model_joint_count(s->model), c = rbv_model_column_count(s->model), w = s->width;
  plant *p = &s->plant;
  rbv_control_reset(s->state);
  rbv_lanes_set_friction(s->lanes, 1);
  rbv_lanes_reset(s->lanes);
  if (s->link_lanes) {
    rbv_lanes_set_friction(s->link_lanes, 1);
    rbv_lanes_reset(s->link_lanes);
  }
  memset(s->colour, 0, (size_t)(n * w) * sizeof *s->colour);
  memset(s->disturbance, 0, (size_t)(n * w) * sizeof *s->disturbance);
  memset(s->torque_colour, 0, (size_t)(n * w) * sizeof *s->torque_colour);
  for (int k = 0; k < w; k++) {
    const ptrdiff_t lane = lane_of(g, k);
    const rbv_sim_reference *r = reference_of(g, k);
    RBV_TRY(rbv_lanes_set(s->lanes, k, s->chi + lane * c, s->options.loaded));
    if (s->dynamics[k])
      RBV_TRY(rbv_dynamics_set(s->dynamics[k], s->known + lane * c, s->options.loaded));
    p->regular[k] = true;
    for (int j = 0; j < n; j++) {
      rbv_control_set_scale(s->state, k, j, s->scale[lane * n + j]);
      for (int i = 0; i < RBV_GAIN_COUNT; i++)
        rbv_control_set_gain(s->state, k, j, (rbv_gain)i,
                             s->gain[(lane * RBV_GAIN_COUNT + i) * n + j]);
      rbv_control_set_integral(s->state, k, j, s->integral[lane * n + j]);
      const double q =
          r->q0 ? r->q0[j] : r->q[j * r->ld] + s->shift[lane * n + j] - s->bias[lane * n + j];
      p->q[j * w + k] = s->start[j * w + k] = q;
      p->dq[j * w + k] = r->dq0 ? r->dq0[j] : 0;
    }
    if (s->link_lanes) RBV_TRY(begin_elastic(s, k, lane));
    if (k < g->count) g->outcome[k] = (rbv_sim_outcome){.joint = -1, .samples = r->count};
  }
  return RBV_OK;
}

/* first and second central difference, one-sided at the ends */
static double slope(const double *x, ptrdiff_t k, ptrdiff_t count, double rate_hz) {
  if (count < 2) return 0;
  if (k == 0) return (x[1] - x[0]) * rate_hz;
  if (k == count - 1) return (x[k] - x[k - 1]) * rate_hz;
  return (x[k + 1] - x[k - 1]) * rate_hz / 2;
}

static double bend(const double *x, ptrdiff_t k, ptrdiff_t count, double rate_hz) {
  if (count < 3) return 0;
  if (k == 0) k = 1;
  if (k == count - 1) k = count - 2;
  return (x[k + 1] - 2 * x[k] + x[k - 1]) * rate_hz * rate_hz;
}

void rbv_reference_rates(double *dq, double *ddq, const rbv_sim_reference *r, int joint,
                         ptrdiff_t k, double rate_hz) {
  const double *q = r->q + joint * r->ld;
  *dq = r->dq ? r->dq[k + joint * r->ld] : slope(q, k, r->count, rate_hz);
  *ddq = r->ddq ? r->ddq[k + joint * r->ld] : bend(q, k, r->count, rate_hz);
}

static void read_reference(const group *g, ptrdiff_t k) {
  rbv_sim *s = g->sim;
  const int n = rbv_model_joint_count(s->model), w = s->width;
  const bool wanted =
      rbv_control_needs_velocity(s->control) || rbv_control_needs_acceleration(s->control);
  for (int j = 0; j < n; j++) {
    double dq = 0, ddq = 0;
    for (int i = 0; i < w; i++) {
      const rbv_sim_reference *r = reference_of(g, i);
      if (wanted && (i == 0 || g->each)) rbv_reference_rates(&dq, &ddq, r, j, k, g->rate_hz);
      s->qr[j * w + i] = r->q[k + j * r->ld] + s->shift[(ptrdiff_t)lane_of(g, i) * n + j];
      s->dqr[j * w + i] = dq;
      s->ddqr[j * w + i] = ddq;
    }
  }
}

static double quantised(double x, double step) { return step > 0 ? step * nearbyint(x / step) : x; }

/* exchange x with the value that was put into the ring `delay` ticks ago */
static void pass_ring(double *x, double *ring, int length, ptrdiff_t k, int n) {
  if (length == 0) return;
  double *slot = ring + k % length * n;
  for (int i = 0; i < n; i++) {
    // before the first delayed value, use the first value
    if (k == 0)
      for (int l = 0; l < length; l++) ring[(ptrdiff_t)l * n + i] = x[i];
    const double old = slot[i];
    slot[i] = x[i];
    x[i] = old;
  }
}

static void measure(const group *g, ptrdiff_t k) {
  rbv_sim *s = g->sim;
  const rbv_sim_defects *d = &s->options.defects;
  const int n = rbv_model_joint_count(s->model), w = s->width;
  for (int j = 0; j < n; j++)
    for (int i = 0; i < w; i++)
      s->seen[j * w + i] = s->plant.q[j * w + i] + s->bias[(ptrdiff_t)lane_of(g, i) * n + j];
  for (int j = 0; j < n && (d->loop_noise > 0 || s->step[j] > 0); j++)
    for (int i = 0; i < w; i++) {
      double *x = &s->seen[j * w + i];
      if (d->loop_noise > 0)
        *x += d->loop_noise *
              rbv_random_normal(s->seed[lane_of(g, i)], stream(NOISE_POSITION, j), (uint64_t)k);
      *x = quantised(*x, s->step[j]);
    }
  memcpy(s->read, s->seen, (size_t)(n * w) * sizeof *s->read);
  pass_ring(s->read, s->ring_q, d->loop_delay, k, n * w);
}

/* torque of the controller's own model, at the reference */
static void feed_forward(rbv_sim *s) {
  const int n = rbv_model_joint_count(s->model), w = s->width;
  const bool whole = rbv_control_get_feedforward(s->control) == RBV_FEEDFORWARD_MODEL;
  double *x = s->plant.stage_q;  // scratch of njoint numbers
  double *y = s->plant.stage_dq, *z = s->plant.rate, *tau = s->plant.gather;
  for (int i = 0; i < w; i++) {
    for (int j = 0; j < n; j++) {
      x[j] = s->qr[j * w + i];
      y[j] = whole ? s->dqr[j * w + i] : 0;
      z[j] = whole ? s->ddqr[j * w + i] : 0;
    }
    rbv_dynamics_inverse(tau, s->dynamics[i], x, y, z);
    for (int j = 0; j < n; j++) s->model_torque[j * w + i] = tau[j];
  }
}

/* AR(1) of unit variance with its corner at hertz, white for 0: one step of a state */
static double coloured(double *state, double pole, uint64_t seed, uint64_t number, ptrdiff_t k) {
  const double white = rbv_random_normal(seed, number, (uint64_t)k);
  *state = k == 0 ? white : pole * *state + sqrt(1 - pole * pole) * white;
  return *state;
}

static double pole_of(double hertz, double rate_hz) {
  return hertz > 0 ? exp(-2 * RBV_PI * hertz / rate_hz) : 0;
}

/* torque of step i of a tick: the earlier torque acts for a share of the tick, then the next one */
static void apply_late(rbv_sim *s, int step) {
  const int size = rbv_model_joint_count(s->model) * s->width;
  for (int i = 0; i < size; i++) {
    const double share = rbv_late_share(s->late_share[i], step, s->substeps);
    s->plant.applied[i] =
        (1 - share) * s->late_now[i] + share * s->late_before[i] + s->disturbance[i];
  }
}

/* the torque that the plant gets: that of the controller, late by the delay of the lane */
static void delay_torque(const group *g, ptrdiff_t k) {
  rbv_sim *s = g->sim;
  plant *p = &s->plant;
  const int n = rbv_model_joint_count(s->model), w = s->width, size = n * w, length = s->nlate;
  for (int i = 0; i < size; i++) p->applied[i] = p->tau[i] + s->disturbance[i];
  if (length == 0) return;
  for (ptrdiff_t slot = k == 0 ? 0 : k % length; slot < (k == 0 ? length : k % length + 1); slot++)
    memcpy(s->ring_lane + slot * size, p->tau, (size_t)size * sizeof *p->tau);
  for (int j = 0; j < n; j++)
    for (int i = 0; i < w; i++) {
      const double delay = s->delay[(ptrdiff_t)lane_of(g, i) * n + j], whole = floor(delay);
      const ptrdiff_t late = (ptrdiff_t)whole, at = (k + 2 * length - late) % length;
      const ptrdiff_t before = (at + length - 1) % length;
      const double *ring = s->ring_lane + j * w + i;
      s->late_now[j * w + i] = ring[at * size];
      s->late_before[j * w + i] = ring[before * size];
      s->late_share[j * w + i] = delay - whole;
    }
  apply_late(s, 0);
}

static void act(const group *g, ptrdiff_t k) {
  rbv_sim *s = g->sim;
  const rbv_sim_defects *d = &s->options.defects;
  plant *p = &s->plant;
  const int n = rbv_model_joint_count(s->model), w = s->width;
  if (s->dynamics[0]) feed_forward(s);
  const rbv_control_input in = {.qr = s->qr,
                                .qm = s->read,
                                .dqr = s->dqr,
                                .ddqr = s->ddqr,
                                .model = s->dynamics[0] ? s->model_torque : NULL};
  rbv_control_step(p->tau, s->state, &in);
  const double pole = pole_of(d->disturbance_hz, g->rate_hz);
  for (int j = 0; j < n && d->disturbance; j++)
    for (int i = 0; i < w && d->disturbance[j] != 0; i++)
      s->disturbance[j * w + i] =
          d->disturbance[j] *
          coloured(&s->colour[j * w + i], pole, s->seed[lane_of(g, i)], disturbance_stream(j), k);
  delay_torque(g, k);
}

/* a lane that has stopped stays at its start */
static void hold_stopped(const group *g) {
  rbv_sim *s = g->sim;
  const int n = rbv_model_joint_count(s->model), w = s->width;
  for (int i = 0; i < g->count; i++)
    if (g->outcome[i].verdict != RBV_SIM_DONE)
      for (int j = 0; j < n; j++) {
        s->plant.q[j * w + i] = s->start[j * w + i];
        s->plant.dq[j * w + i] = s->plant.applied[j * w + i] = 0;
        if (!s->link_lanes) continue;
        s->link.q[j * w + i] = s->start[j * w + i];
        s->link.dq[j * w + i] = 0;
      }
}

static void advance(const group *g, ptrdiff_t k) {
  rbv_sim *s = g->sim;
  const rbv_sim_defects *d = &s->options.defects;
  const int n = rbv_model_joint_count(s->model);
  const double warm = d->drift * (1 - exp(-(double)k / (g->rate_hz * d->drift_s)));
  if (d->drift != 0) rbv_lanes_set_friction(s->lanes, 1 + warm);
  if (d->drift != 0 && s->link_lanes) rbv_lanes_set_friction(s->link_lanes, 1 + warm);
  const double h = 1 / (g->rate_hz * s->substeps);
  for (int i = 0; i < s->substeps; i++) {
    if (i > 0 && s->nlate > 0) apply_late(s, i);
    if (i == 0 || s->nlate > 0) hold_stopped(g);
    if (s->link_lanes)
      rbv_advance_elastic(&s->plant, s->lanes, &s->link, s->link_lanes, &s->springs, n, h, i == 0);
    else
      rbv_integrators[s->options.integrator].advance(&s->plant, s->lanes, n, h, i == 0);
  }
}

/* ---- recording ---- */

/* the recorded torque of a joint, of a torque that the recorder gets at tick k; colour: state of
 * its noise */
static double sensed_torque(const rbv_sim *s, int j, double x, double q, double *colour,
                            double pole, uint64_t seed, ptrdiff_t k) {
  const rbv_sim_defects *d = &s->options.defects;
  if (d->torque_offset) x += d->torque_offset[j];
  if (d->ripple) {
    const bool turns = rbv_model_joint(s->model, j)->type == RBV_JOINT_REVOLUTE;
    x += d->ripple[j] * sin(d->ripple_periods * (turns ? 1 : 2 * RBV_PI) * q);
  }
  if (d->torque_noise && d->torque_noise[j] != 0)
    x += d->torque_noise[j] * coloured(colour, pole, seed, stream(NOISE_TORQUE, j), k);
  return x;
}

static void sense_torque(const group *g, ptrdiff_t k) {
  rbv_sim *s = g->sim;
  const rbv_sim_defects *d = &s->options.defects;
  const int n = rbv_model_joint_count(s->model), w = s->width;
  memcpy(s->sensed, s->plant.tau, (size_t)(n * w) * sizeof *s->sensed);
  pass_ring(s->sensed, s->ring_tau, d->torque_delay, k, n * w);
  const double pole = pole_of(d->torque_noise_hz, g->rate_hz);
  for (int j = 0; j < n; j++)
    for (int i = 0; i < w; i++)
      s->sensed[j * w + i] =
          sensed_torque(s, j, s->sensed[j * w + i], s->plant.q[j * w + i],
                        &s->torque_colour[j * w + i], pole, s->seed[lane_of(g, i)], k);
}

static void put(double *to, ptrdiff_t ld, ptrdiff_t k, const double *lanes, int n, int w) {
  if (to)
    for (int j = 0; j < n; j++) to[k + j * ld] = lanes[j * w];
}

static double stamp(const rbv_sim *s, double rate_hz, uint64_t seed, ptrdiff_t k) {
  const double t = (double)k / rate_hz, jitter = s->options.defects.jitter_s, most = 0.45 / rate_hz;
  if (!(jitter > 0)) return t;
  return t + fmin(most, fmax(-most, jitter * rbv_random_normal(seed, stream(NOISE_STAMP, 0),
                                                               (uint64_t)k)));
}

static bool is_kept(const rbv_sim *s, uint64_t seed, ptrdiff_t k) {
  const double drop = s->options.defects.drop;
  return !(drop > 0) || rbv_random_uniform(seed, stream(NOISE_DROP, 0), (uint64_t)k) >= drop;
}

/* everything except the acceleration, which is known only after the step */
static void record(const group *g, ptrdiff_t k) {
  rbv_sim *s = g->sim;
  const plant *p = &s->plant;
  const int n = rbv_model_joint_count(s->model), w = s->width;
  bool sensed = false;
  for (int i = 0; i < g->count; i++) sensed = sensed || g->trace[i].recorded_tau;
  if (sensed) sense_torque(g, k);
  for (int i = 0; i < g->count; i++) {
    if (g->outcome[i].verdict != RBV_SIM_DONE) continue;
    const rbv_sim_trace *t = &g->trace[i];
    const uint64_t seed = s->seed[lane_of(g, i)];
    put(t->q, t->ld, k, p->q + i, n, w);
    put(t->dq, t->ld, k, p->dq + i, n, w);
    if (s->link_lanes) {
      put(t->link_q, t->ld, k, s->link.q + i, n, w);
      put(t->link_dq, t->ld, k, s->link.dq + i, n, w);
    }
    put(t->tau, t->ld, k, p->tau + i, n, w);
    put(t->applied, t->ld, k, p->applied + i, n, w);
    put(t->qr, t->ld, k, s->qr + i, n, w);
    put(t->seen, t->ld, k, s->read + i, n, w);
    put(t->recorded_tau, t->ld, k, s->sensed + i, n, w);
    for (int j = 0; j < n && t->recorded_q; j++)
      t->recorded_q[k + j * t->ld] = quantised(s->seen[j * w + i], s->record_step[j]);
    if (t->recorded_t) t->recorded_t[k] = stamp(s, g->rate_hz, seed, k);
    if (t->kept) t->kept[k] = is_kept(s, seed, k);
  }
}

static void record_acceleration(const group *g, ptrdiff_t k) {
  const rbv_sim *s = g->sim;
  for (int i = 0; i < g->count; i++)
    if (g->outcome[i].verdict == RBV_SIM_DONE)
      put(g->trace[i].ddq, g->trace[i].ld, k, s->plant.ddq + i, rbv_model_joint_count(s->model),
          s->width);
}

/* ---- divergence ---- */

static void spoil(const rbv_sim_trace *t, int n, ptrdiff_t from, ptrdiff_t count) {
  double *const all[] = {t->q,    t->dq,         t->ddq,          t->tau,    t->applied, t->qr,
                         t->seen, t->recorded_q, t->recorded_tau, t->link_q, t->link_dq};
  for (ptrdiff_t k = from; k < count; k++) {
    for (int a = 0; a < RBV_COUNT(all); a++)
      for (int j = 0; j < n && all[a]; j++) all[a][k + j * t->ld] = NAN;
    if (t->recorded_t) t->recorded_t[k] = NAN;
    if (t->kept) t->kept[k] = false;
  }
}

static void stop(const group *g, int i, rbv_sim_verdict verdict, int joint, double value,
                 ptrdiff_t k) {
  const ptrdiff_t good = verdict == RBV_SIM_SINGULAR ? k : k + 1;
  g->outcome[i] = (rbv_sim_outcome){.verdict = verdict,
                                    .samples = good,
                                    .joint = joint,
                                    .time_s = (double)(k + 1) / g->rate_hz,
                                    .value = value};
  spoil(&g->trace[i], rbv_model_joint_count(g->sim->model), good, g->reference->count);
}

/* check the state after tick k; true when every lane has stopped */
static bool judge(const group *g, ptrdiff_t k) {
  const rbv_sim *s = g->sim;
  const int n = rbv_model_joint_count(s->model), w = s->width;
  bool none = true;
  for (int i = 0; i < g->count; i++) {
    if (g->outcome[i].verdict != RBV_SIM_DONE) continue;
    for (int j = 0; j < n && g->outcome[i].verdict == RBV_SIM_DONE; j++) {
      const double v = fabs(s->plant.dq[j * w + i]), q = s->plant.q[j * w + i];
      const double away = fabs(q - s->qr[j * w + i]);
      const double limit = fmin(1000, 10 * rbv_model_joint(s->model, j)->limits.velocity);
      if (!s->plant.regular[i] || (s->link_lanes && !s->link.regular[i]))
        stop(g, i, RBV_SIM_SINGULAR, -1, 0, k);
      else if (!isfinite(v) || !isfinite(q) || !isfinite(s->plant.tau[j * w + i]))
        stop(g, i, RBV_SIM_NOT_FINITE, j, 0, k);
      else if (!(v <= limit))
        stop(g, i, RBV_SIM_FAST, j, v, k);
      else if (!(away <= s->options.escape))
        stop(g, i, RBV_SIM_AWAY, j, away, k);
    }
    none = none && g->outcome[i].verdict != RBV_SIM_DONE;
  }
  return none;
}

/* put the plant to the measured state of tick k */
static void guide(const group *g, ptrdiff_t k) {
  rbv_sim *s = g->sim;
  const int n = rbv_model_joint_count(s->model), w = s->width;
  for (int j = 0; j < n; j++)
    for (int i = 0; i < w; i++) {
      const rbv_sim_reference *r = reference_of(g, i);
      const double bias = s->bias[(ptrdiff_t)lane_of(g, i) * n + j];
      s->plant.q[j * w + i] = r->guide_q[k + j * r->guide_ld] - bias;
      s->plant.dq[j * w + i] = r->guide_dq[k + j * r->guide_ld];
    }
}

static rbv_status run_group(const group *g) {
  RBV_TRY(begin(g));
  for (ptrdiff_t k = 0; k < g->reference->count; k++) {
    read_reference(g, k);
    measure(g, k);
    act(g, k);
    record(g, k);
    advance(g, k);
    if (k + 1 <= g->reference->nguide && k + 1 < g->reference->count) guide(g, k + 1);
    record_acceleration(g, k);
    if (judge(g, k)) break;
  }
  return RBV_OK;
}

static rbv_status check_reference(const rbv_sim *s, const rbv_sim_reference *r) {
  if (!r->q) return rbv_fail(RBV_EARG, "a run needs a reference, outcomes and traces");
  if (r->count < 1 || r->ld < r->count)
    return rbv_fail(RBV_EDIM, "the reference has %td samples, leading dimension %td", r->count,
                    r->ld);
  if (r->nguide > 0 && (!r->guide_q || !r->guide_dq))
    return rbv_fail(RBV_EARG, "a guided start needs positions and velocities");
  if (r->nguide > 0 && s->link_lanes)
    return rbv_fail(RBV_EUNSUPPORTED, "a run with elastic joints starts at rest");
  const int n = rbv_model_joint_count(s->model);
  for (int j = 0; j < n; j++)
    for (ptrdiff_t k = 0; k < r->count; k++)
      if (!isfinite(r->q[k + j * r->ld]))
        return rbv_fail(RBV_EINPUT, "sample %td of the reference of joint %d is not finite", k,
                        j + 1);
  return RBV_OK;
}

/* Steps that resolve the springs, where none are given: the same for all lanes. */
static rbv_status choose_spring_steps(rbv_sim *s, const rbv_sim_reference *r) {
  if (!s->link_lanes || s->options.substeps > 0) return RBV_OK;
  const int n = rbv_model_joint_count(s->model), c = rbv_model_column_count(s->model);
  const double rate_hz = rbv_control_rate_hz(s->control);
  s->substeps = 1;
  for (ptrdiff_t lane = 0; lane < s->nlane; lane++) {
    int steps;
    for (int j = 0; j < n; j++) s->rest[j] = r->q0 ? r->q0[j] : r->q[j * r->ld];
    RBV_TRY(rbv_sim_elastic_substeps(&steps, s->model, s->chi + lane * c, s->options.loaded,
                                     s->stiffness + lane * n, s->rest, rate_hz));
    if (steps > s->substeps) s->substeps = steps;
  }
  return RBV_OK;
}

static rbv_status run_lanes(rbv_sim_outcome *outcome, rbv_sim *s, const rbv_sim_reference *r,
                            bool each, const rbv_sim_trace *traces, int count) {
  for (int i = 0; i < (each ? count : 1); i++) {
    RBV_TRY(check_reference(s, &r[i]));
    if (r[i].count != r->count || r[i].nguide != r->nguide)
      return rbv_fail(RBV_EDIM, "the references of the lanes have different lengths");
  }
  RBV_TRY(choose_spring_steps(s, r));
  for (int i = 0; i < count; i++)
    if (traces[i].ld < r->count)
      return rbv_fail(RBV_EDIM, "lane %d has room for %td samples, the reference has %td", i,
                      traces[i].ld, r->count);
  for (int first = 0; first < count; first += s->width) {
    const int left = count - first;
    const group g = {.sim = s,
                     .reference = r + (each ? first : 0),
                     .each = each,
                     .trace = traces + first,
                     .outcome = outcome + first,
                     .first = first,
                     .count = left < s->width ? left : s->width,
                     .rate_hz = rbv_control_rate_hz(s->control)};
    RBV_TRY(run_group(&g));
  }
  return RBV_OK;
}

rbv_status rbv_sim_run(rbv_sim_outcome *outcome, rbv_sim *s, const rbv_sim_reference *r,
                       const rbv_sim_trace *traces) {
  if (!outcome || !s || !r || !traces)
    return rbv_fail(RBV_EARG, "a run needs a reference, outcomes and traces");
  return run_lanes(outcome, s, r, false, traces, s->nlane);
}

rbv_status rbv_sim_run_each(rbv_sim_outcome *outcome, rbv_sim *s, const rbv_sim_reference *r,
                            const rbv_sim_trace *traces, int count) {
  if (count < 1 || count > s->nlane)
    return rbv_fail(RBV_EARG, "a run has 1 to %d lanes, not %d", s->nlane, count);
  return run_lanes(outcome, s, r, true, traces, count);
}

void rbv_sim_record(const rbv_sim *s, const rbv_sim_lane *own, const rbv_sim_reference *r,
                    const rbv_sim_trace *t, ptrdiff_t good) {
  const int n = rbv_model_joint_count(s->model), late = s->options.defects.torque_delay;
  const double rate_hz = rbv_control_rate_hz(s->control);
  const double pole = pole_of(s->options.defects.torque_noise_hz, rate_hz);
  for (int j = 0; j < n; j++) {
    const double shift = own->shift ? own->shift[j] : 0;
    const ptrdiff_t first = j * t->ld;
    double colour = 0;
    for (ptrdiff_t k = 0; k < good; k++) {
      if (t->qr) t->qr[first + k] = r->q[k + j * r->ld] + shift;
      if (t->recorded_q)
        t->recorded_q[first + k] = quantised(t->recorded_q[first + k], s->record_step[j]);
      if (t->recorded_tau)
        t->recorded_tau[first + k] = sensed_torque(s, j, t->tau[first + (k > late ? k - late : 0)],
                                                   t->q[first + k], &colour, pole, own->seed, k);
    }
  }
  for (ptrdiff_t k = 0; k < good; k++) {
    if (t->recorded_t) t->recorded_t[k] = stamp(s, rate_hz, own->seed, k);
    if (t->kept) t->kept[k] = is_kept(s, own->seed, k);
  }
  spoil(t, n, good, r->count);
}
