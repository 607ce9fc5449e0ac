#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sim/sim_internal.h"

#define ELASTIC_STEP 0.25  // largest step, in radians of the fastest spring
#define ELASTIC_MOST 1000  // steps per tick

rbv_sim_options rbv_sim_defaults(void) {
  return (rbv_sim_options){.integrator = RBV_INTEGRATOR_ROSENBROCK, .escape = 2 * RBV_PI};
}

/* ---- the object ---- */

static void layout_plant(plant *p, int n, int w, rbv_arena *a) {
  double **const one[] = {&p->q,       &p->dq,       &p->tau,  &p->applied, &p->ddq,
                          &p->stage_q, &p->stage_dq, &p->rate, &p->gather};
  for (int i = 0; i < RBV_COUNT(one); i++) *one[i] = RBV_TAKE(a, n * w, double);
  p->kq = RBV_TAKE(a, STAGES * n * w, double);
  p->kv = RBV_TAKE(a, STAGES * n * w, double);
  p->regular = RBV_TAKE(a, w, bool);
}

static void layout(rbv_sim *s, const rbv_model *m, const rbv_sim_options *o, int nlane, int w,
                   int nlate, rbv_arena *a) {
  const int n = rbv_model_joint_count(m), c = rbv_model_column_count(m);
  s->chi = RBV_TAKE(a, (ptrdiff_t)nlane * c, double);
  s->known = RBV_TAKE(a, (ptrdiff_t)nlane * c, double);
  s->scale = RBV_TAKE(a, (ptrdiff_t)nlane * n, double);
  s->gain = RBV_TAKE(a, (ptrdiff_t)nlane * RBV_GAIN_COUNT * n, double);
  s->shift = RBV_TAKE(a, (ptrdiff_t)nlane * n, double);
  s->delay = RBV_TAKE(a, (ptrdiff_t)nlane * n, double);
  s->bias = RBV_TAKE(a, (ptrdiff_t)nlane * n, double);
  s->integral = RBV_TAKE(a, (ptrdiff_t)nlane * n, double);
  s->seed = RBV_TAKE(a, nlane, uint64_t);
  layout_plant(&s->plant, n, w, a);
  if (o->elastic) {
    layout_plant(&s->link, n, w, a);
    double **const of_lanes[] = {&s->springs.stiffness, &s->springs.damping, &s->springs.torque};
    for (int i = 0; i < RBV_COUNT(of_lanes); i++) *of_lanes[i] = RBV_TAKE(a, n * w, double);
    s->stiffness = RBV_TAKE(a, (ptrdiff_t)nlane * n, double);
    s->damping = RBV_TAKE(a, (ptrdiff_t)nlane * n, double);
    s->motor_chi = RBV_TAKE(a, c, double);
    s->link_chi = RBV_TAKE(a, c, double);
    s->rest = RBV_TAKE(a, 4 * n, double);
  }
  double **const one[] = {
      &s->qr,       &s->dqr,         &s->ddqr,       &s->model_torque,  &s->seen,
      &s->read,     &s->sensed,      &s->colour,     &s->torque_colour, &s->start,
      &s->late_now, &s->late_before, &s->late_share, &s->disturbance};
  for (int i = 0; i < RBV_COUNT(one); i++) *one[i] = RBV_TAKE(a, n * w, double);
  s->ring_q = RBV_TAKE(a, (ptrdiff_t)o->defects.loop_delay * n * w, double);
  s->ring_tau = RBV_TAKE(a, (ptrdiff_t)o->defects.torque_delay * n * w, double);
  s->ring_lane = RBV_TAKE(a, (ptrdiff_t)nlate * n * w, double);
  s->step = RBV_TAKE(a, n, double);
  s->record_step = RBV_TAKE(a, n, double);
  s->own = RBV_TAKE(a, 5 * n, double);
}

#define DELAY_MAX 100000  // samples

static double longest_delay(const rbv_sim_options *o) {
  return o->defects.actuator_delay_s > o->longest_delay_s ? o->defects.actuator_delay_s
                                                          : o->longest_delay_s;
}

static rbv_status check_options(const rbv_sim_options *o, double rate_hz) {
  const rbv_sim_defects *d = &o->defects;
  if (o->substeps < 0 || o->substeps > 100000)
    return rbv_fail(RBV_EARG, "the number of steps per tick must be at least 1, not %d",
                    o->substeps);
  if (!(o->gamma >= 0) || !isfinite(o->gamma))
    return rbv_fail(RBV_EARG, "gamma must be a finite number and not negative");
  if (!(o->escape > 0)) return rbv_fail(RBV_EARG, "escape must be positive");
  if (!(longest_delay(o) >= 0 && longest_delay(o) * rate_hz <= DELAY_MAX))
    return rbv_fail(RBV_EARG, "a delay must be 0 to %d samples", DELAY_MAX);
  if (!(d->loop_counts >= 0) || !(d->record_counts >= 0))
    return rbv_fail(RBV_EARG, "the counts of an encoder must be positive");
  if (!(d->loop_noise >= 0) || !(d->jitter_s >= 0) || !(d->disturbance_hz >= 0) ||
      !(d->torque_noise_hz >= 0))
    return rbv_fail(RBV_EARG, "noise, jitter and their corners must not be negative");
  if (!(d->drop >= 0 && d->drop < 1))
    return rbv_fail(RBV_EARG, "the share of dropped samples must be in [0, 1)");
  if (d->loop_delay < 0 || d->loop_delay > DELAY_MAX || d->torque_delay < 0 ||
      d->torque_delay > DELAY_MAX)
    return rbv_fail(RBV_EARG, "a delay must be 0 to %d samples", DELAY_MAX);
  if (d->drift != 0 && !(d->drift_s > 0 && d->drift > -1))
    return rbv_fail(RBV_EARG, "the drift of friction must be above -1, and drift_s positive");
  return RBV_OK;
}

/* keep a copy of an array of the defects */
static rbv_status keep(const double **array, double *copy, int n) {
  if (!*array) return RBV_OK;
  for (int j = 0; j < n; j++)
    if (!isfinite((*array)[j]))
      return rbv_fail(RBV_EARG, "a defect of joint %d is not finite", j + 1);
  memcpy(copy, *array, (size_t)n * sizeof *copy);
  *array = copy;
  return RBV_OK;
}

static double encoder_step(const rbv_model *m, int j, double counts) {
  if (!(counts > 0)) return 0;
  return (rbv_model_joint(m, j)->type == RBV_JOINT_REVOLUTE ? 2 * RBV_PI : 1) / counts;
}

static rbv_status fill(rbv_sim *s) {
  const int n = rbv_model_joint_count(s->model);
  rbv_sim_defects *d = &s->options.defects;
  RBV_TRY(keep(&d->disturbance, s->own, n));
  RBV_TRY(keep(&d->torque_noise, s->own + n, n));
  RBV_TRY(keep(&d->torque_offset, s->own + 2 * n, n));
  RBV_TRY(keep(&d->ripple, s->own + 3 * n, n));
  RBV_TRY(keep(&d->encoder_bias, s->own + 4 * n, n));
  for (int j = 0; j < n; j++) {
    s->step[j] = encoder_step(s->model, j, d->loop_counts);
    s->record_step[j] = encoder_step(s->model, j, d->record_counts);
  }
  RBV_TRY(rbv_control_state_new(&s->state, s->control, s->width));
  if (rbv_control_get_feedforward(s->control) != RBV_FEEDFORWARD_NONE)
    for (int k = 0; k < s->width; k++) RBV_TRY(rbv_dynamics_new(&s->dynamics[k], s->model));
  if (s->options.elastic) {
    RBV_TRY(rbv_lanes_new(&s->link_lanes, s->model, s->nlane, s->options.gamma));
    RBV_TRY(rbv_dynamics_new(&s->link_dynamics, s->model));
  }
  const rbv_sim_lane usual = {0};
  for (int k = 0; k < s->nlane; k++) RBV_TRY(rbv_sim_set(s, k, &usual));
  return RBV_OK;
}

int rbv_sim_choose_substeps(const rbv_sim_options *o, double rate_hz) {
  const double needed = ceil(1 / (rate_hz * rbv_integrators[o->integrator].longest) - 1e-9);
  return o->substeps > 0 ? o->substeps : needed > 1 ? (int)fmin(needed, 100000) : 1;
}

rbv_status rbv_sim_new(rbv_sim **out, const rbv_model *m, const rbv_control *c,
                       const rbv_sim_options *options, int nlane) {
  *out = NULL;
  if (!m || !c || nlane < 1)
    return rbv_fail(RBV_EARG, "a simulation needs a model, a controller and lanes");
  const rbv_sim_options o = options ? *options : rbv_sim_defaults();
  options = NULL;
  const double rate_hz = rbv_control_rate_hz(c);
  RBV_TRY(check_options(&o, rate_hz));
  if (rbv_control_joint_count(c) != rbv_model_joint_count(m))
    return rbv_fail(RBV_EDIM, "the controller has %d joints, the robot %d",
                    rbv_control_joint_count(c), rbv_model_joint_count(m));
  rbv_lanes *lanes;
  RBV_TRY(rbv_lanes_new(&lanes, m, nlane, o.gamma));
  const int width = rbv_lanes_width(lanes);
  // the present torque, those of whole samples, and one more to interpolate
  const double longest = longest_delay(&o);
  const int nlate = longest > 0 ? (int)ceil(longest * rate_hz) + 2 : 0;
  rbv_arena measure = {0};
  rbv_sim sizes;
  (void)RBV_TAKE(&measure, 1, rbv_sim);
  layout(&sizes, m, &o, nlane, width, nlate, &measure);
  char *memory = rbv_alloc(measure.used);
  if (!memory) {
    rbv_lanes_free(lanes);
    return RBV_EMEM;
  }
  rbv_arena carve = {.base = memory};
  rbv_sim *s = RBV_TAKE(&carve, 1, rbv_sim);
  layout(s, m, &o, nlane, width, nlate, &carve);
  s->model = m;
  s->control = c;
  s->options = o;
  s->nlane = nlane;
  s->width = width;
  s->lanes = lanes;
  s->nlate = nlate;
  s->substeps = rbv_sim_choose_substeps(&o, rate_hz);
  const rbv_status status = fill(s);
  if (status != RBV_OK) {
    rbv_sim_free(s);
    return status;
  }
  *out = s;
  return RBV_OK;
}

void rbv_sim_free(rbv_sim *s) {
  if (!s) return;
  for (int k = 0; k < LANES_WIDTH; k++) rbv_dynamics_free(s->dynamics[k]);
  rbv_control_state_free(s->state);
  rbv_lanes_free(s->lanes);
  rbv_lanes_free(s->link_lanes);
  rbv_dynamics_free(s->link_dynamics);
  rbv_free(s);
}

int rbv_sim_lanes(const rbv_sim *s) { return s->nlane; }
int rbv_sim_width(const rbv_sim *s) { return s->width; }
int rbv_sim_substeps(const rbv_sim *s) { return s->substeps; }
rbv_smoothing rbv_sim_smoothing(const rbv_sim *s, int joint) {
  return rbv_lanes_smoothing(s->lanes, joint);
}

static void copy_or(double *to, const double *from, double otherwise, int n) {
  for (int i = 0; i < n; i++) to[i] = from ? from[i] : otherwise;
}

rbv_status rbv_sim_set(rbv_sim *s, int lane, const rbv_sim_lane *own) {
  if (lane < 0 || lane >= s->nlane)
    return rbv_fail(RBV_EARG, "there is no lane %d: lanes are 0 to %d", lane, s->nlane - 1);
  const int n = rbv_model_joint_count(s->model), c = rbv_model_column_count(s->model);
  const double *chi = own->chi ? own->chi : rbv_model_parameters(s->model);
  double *mine = s->chi + (ptrdiff_t)lane * c;
  // refuses models that cannot be simulated
  copy_or(mine, chi, 0, c);
  RBV_TRY(rbv_lanes_set(s->lanes, 0, mine, s->options.loaded));
  copy_or(s->known + (ptrdiff_t)lane * c, own->known ? own->known : mine, 0, c);
  copy_or(s->scale + (ptrdiff_t)lane * n, own->scale, 1, n);
  copy_or(s->gain + (ptrdiff_t)lane * RBV_GAIN_COUNT * n, own->gain, 1, RBV_GAIN_COUNT * n);
  copy_or(s->shift + (ptrdiff_t)lane * n, own->shift, 0, n);
  const rbv_sim_defects *d = &s->options.defects;
  copy_or(s->bias + (ptrdiff_t)lane * n, own->bias ? own->bias : d->encoder_bias, 0, n);
  copy_or(s->integral + (ptrdiff_t)lane * n, own->integral, 0, n);
  const double longest = longest_delay(&s->options);
  for (int j = 0; j < n; j++) {
    const double delay = own->delay ? own->delay[j] : d->actuator_delay_s;
    if (!(delay >= 0 && delay <= longest))
      return rbv_fail(RBV_EARG, "the delay of joint %d must be 0 to %g s", j + 1, longest);
    s->delay[(ptrdiff_t)lane * n + j] = delay * rbv_control_rate_hz(s->control);
  }
  s->seed[lane] = own->seed;
  for (int j = 0; j < n && s->link_lanes; j++) {
    // without values: until they are set
    const double k = own->stiffness ? own->stiffness[j] : 1;
    const double damping = own->damping ? own->damping[j] : 0;
    if (!(k > 0 && isfinite(k) && damping >= 0 && isfinite(damping)))
      return rbv_fail(
          RBV_EARG, "the stiffness of joint %d must be positive, its damping not negative", j + 1);
    s->stiffness[(ptrdiff_t)lane * n + j] = k;
    s->damping[(ptrdiff_t)lane * n + j] = damping;
  }
  return RBV_OK;
}

/* ---- elastic joints ---- */

void rbv_elastic_split(double *motor, double *link, const rbv_model *m, const double *chi) {
  for (int c = 0; c < rbv_model_column_count(m); c++) {
    const bool drives = rbv_model_column(m, c)->basis != RBV_BASIS_INERTIAL;
    motor[c] = drives ? chi[c] : 0;
    link[c] = drives ? 0 : chi[c];
  }
}

#define REST_ROUNDS 5  // gravity changes little over a deflection

void rbv_elastic_rest(double *q, double *torque, rbv_dynamics *d, const double *theta,
                      const double *stiffness, const double *still, int n) {
  memcpy(q, theta, (size_t)n * sizeof *q);
  for (int i = 0; i < REST_ROUNDS; i++) {
    rbv_dynamics_bias(torque, d, q, still);
    for (int j = 0; j < n; j++) q[j] = theta[j] - torque[j] / stiffness[j];
  }
}

rbv_status rbv_sim_elastic_substeps(int *out, const rbv_model *m, const double *chi, bool loaded,
                                    const double *stiffness, const double *q, double rate_hz) {
  const int n = rbv_model_joint_count(m), c = rbv_model_column_count(m);
  double *motor = rbv_alloc((size_t)(2 * c + 2 * n * n) * sizeof *motor), fastest = 0;
  double *link = motor + c, *rotor = link + c, *M = rotor + n * n;
  rbv_dynamics *d = NULL;
  rbv_status status = motor ? rbv_dynamics_new(&d, m) : RBV_EMEM;
  if (status == RBV_OK) rbv_elastic_split(motor, link, m, chi);
  if (status == RBV_OK) status = rbv_dynamics_set(d, motor, loaded);
  if (status == RBV_OK) rbv_dynamics_mass(rotor, d, q);
  if (status == RBV_OK) status = rbv_dynamics_set(d, link, loaded);
  if (status == RBV_OK) rbv_dynamics_mass(M, d, q);
  for (int j = 0; j < n && status == RBV_OK; j++) {
    const double a = rotor[j * (n + 1)], b = M[j * (n + 1)];
    if (!(a > 0 && b > 0))
      status =
          rbv_fail(RBV_EINPUT,
                   "joint %d is elastic: its rotor and its link need an inertia (Ia, and links "
                   "of the robot file)",
                   j + 1);
    fastest = fmax(fastest, sqrt(stiffness[j] * (1 / a + 1 / b)));
  }
  const double needed = ceil(fastest / (ELASTIC_STEP * rate_hz));
  if (status == RBV_OK && !(needed <= ELASTIC_MOST))
    status =
        rbv_fail(RBV_EUNSUPPORTED,
                 "the fastest spring has %.3g Hz: it cannot be simulated, and it is not visible "
                 "at %g Hz; treat this joint as rigid",
                 fastest / (2 * RBV_PI), rate_hz);
  const rbv_sim_options usual = rbv_sim_defaults();
  *out = (int)fmax(needed, rbv_sim_choose_substeps(&usual, rate_hz));
  rbv_dynamics_free(d);
  rbv_free(motor);
  return status;
}

/* links and springs of lane k of the vector */
static rbv_status begin_elastic(rbv_sim *s, int k, ptrdiff_t lane) {
  const int n = rbv_model_joint_count(s->model), c = rbv_model_column_count(s->model), w = s->width;
  double *theta = s->rest, *q = theta + n, *torque = q + n;
  rbv_elastic_split(s->motor_chi, s->link_chi, s->model, s->chi + lane * c);
  RBV_TRY(rbv_lanes_set(s->lanes, k, s->motor_chi, s->options.loaded));
  RBV_TRY(rbv_lanes_set(s->link_lanes, k, s->link_chi, s->options.loaded));
  RBV_TRY(rbv_dynamics_set(s->link_dynamics, s->link_chi, s->options.loaded));
  for (int j = 0; j < n; j++) {
    s->springs.stiffness[j * w + k] = s->stiffness[lane * n + j];
    s->springs.damping[j * w + k] = s->damping[lane * n + j];
    theta[j] = s->plant.q[j * w + k];
  }
  rbv_elastic_rest(q, torque, s->link_dynamics, theta, s->stiffness + lane * n, torque + n, n);
  s->link.regular[k] = true;
  for (int j = 0; j < n; j++) {
    s->link.q[j * w + k] = q[j];
    s->link.dq[j * w + k] = s->plant.dq[j * w + k];
  }
  return RBV_OK;
}

/* ---- a run ---- */

/* streams of random numbers, 65536 joints each */
enum { NOISE_POSITION = 1, NOISE_TORQUE, NOISE_STAMP, NOISE_DROP };

static uint64_t stream(int kind, int joint) { return (uint64_t)kind << 16 | (uint64_t)joint; }

static uint64_t disturbance_stream(int joint) { return 10 + (uint64_t)joint; }

/* the lanes that run now; unused lanes repeat the last one and are not recorded */
typedef struct {
  rbv_sim *sim;
  const rbv_sim_reference *reference;
  const rbv_sim_trace *trace;  // of the first lane
  rbv_sim_outcome *outcome;
  int first, count;
  double rate_hz;
} group;

static int lane_of(const group *g, int k) { return g->first + (k < g->count ? k : g->count - 1); }

static rbv_status begin(const group *g) {
  rbv_sim *s = g->sim;
  const rbv_sim_reference *r = g->reference;
  const int n = rbv_model_joint_count(s->model), c = rbv_model_column_count(s->model), w = s->width;
  plant *p = &s->plant;
  rbv_control_reset(s->state);
  rbv_lanes_set_friction(s->lanes, 1);
  rbv_lanes_reset(s->lanes);
  memset(s->colour, 0, (size_t)(n * w) * sizeof *s->colour);
  memset(s->disturbance, 0, (size_t)(n * w) * sizeof *s->disturbance);
  memset(s->torque_colour, 0, (size_t)(n * w) * sizeof *s->torque_colour);
  for (int k = 0; k < w; k++) {
    const ptrdiff_t lane = lane_of(g, k);
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
  const rbv_sim_reference *r = g->reference;
  const int n = rbv_model_joint_count(s->model), w = s->width;
  const bool wanted =
      rbv_control_needs_velocity(s->control) || rbv_control_needs_acceleration(s->control);
  for (int j = 0; j < n; j++) {
    const double *q = r->q + j * r->ld;
    double dq = 0, ddq = 0;
    if (wanted) rbv_reference_rates(&dq, &ddq, r, j, k, g->rate_hz);
    for (int i = 0; i < w; i++) {
      s->qr[j * w + i] = q[k] + s->shift[(ptrdiff_t)lane_of(g, i) * n + j];
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
  if (d->drift != 0)
    rbv_lanes_set_friction(s->lanes,
                           1 + d->drift * (1 - exp(-(double)k / (g->rate_hz * d->drift_s))));
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
  const rbv_sim_reference *r = g->reference;
  const int n = rbv_model_joint_count(s->model), w = s->width;
  for (int j = 0; j < n; j++)
    for (int i = 0; i < w; i++) {
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

rbv_status rbv_sim_run(rbv_sim_outcome *outcome, rbv_sim *s, const rbv_sim_reference *r,
                       const rbv_sim_trace *traces) {
  if (!outcome || !s || !r || !r->q || !traces)
    return rbv_fail(RBV_EARG, "a run needs a reference, outcomes and traces");
  if (r->count < 1 || r->ld < r->count)
    return rbv_fail(RBV_EDIM, "the reference has %td samples, leading dimension %td", r->count,
                    r->ld);
  for (int i = 0; i < s->nlane; i++)
    if (traces[i].ld < r->count)
      return rbv_fail(RBV_EDIM, "lane %d has room for %td samples, the reference has %td", i,
                      traces[i].ld, r->count);
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
  for (int first = 0; first < s->nlane; first += s->width) {
    const int left = s->nlane - first;
    const group g = {.sim = s,
                     .reference = r,
                     .trace = traces + first,
                     .outcome = outcome + first,
                     .first = first,
                     .count = left < s->width ? left : s->width,
                     .rate_hz = rbv_control_rate_hz(s->control)};
    RBV_TRY(run_group(&g));
  }
  return RBV_OK;
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

void rbv_sim_describe(char *out, size_t size, const rbv_sim *s, const rbv_sim_outcome *o) {
  const char *unit = "rad", *name = "";
  if (o->joint >= 0) {
    const rbv_joint *joint = rbv_model_joint(s->model, o->joint);
    if (joint->type == RBV_JOINT_PRISMATIC) unit = "m";
    name = joint->name ? joint->name : "";
  }
  static const char advice[] =
      "the loop is unstable: lower the gains or the delays, or raise the control rate";
  switch (o->verdict) {
    case RBV_SIM_DONE: snprintf(out, size, "done"); return;
    case RBV_SIM_AWAY:
      snprintf(out, size, "joint %d (%s) runs away at t = %.4g s, %.3g %s from its reference: %s",
               o->joint + 1, name, o->time_s, o->value, unit, advice);
      return;
    case RBV_SIM_FAST:
      snprintf(out, size, "joint %d (%s) reaches %.3g %s/s at t = %.4g s: %s", o->joint + 1, name,
               o->value, unit, o->time_s, advice);
      return;
    case RBV_SIM_NOT_FINITE:
      snprintf(out, size,
               "position or torque of joint %d (%s) is not finite at t = %.4g s: %s, or the "
               "sub-steps",
               o->joint + 1, name, o->time_s, advice);
      return;
    case RBV_SIM_SINGULAR:
      snprintf(out, size,
               "the mass matrix is not positive definite at t = %.4g s: no robot has these "
               "parameters; raise the rotor inertias (Ia) or take another parameter set",
               o->time_s);
      return;
  }
}
