#include <math.h>
#include <stdio.h>
#include <string.h>

#include "control/control.h"
#include "model/model_internal.h"
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
  RBV_TAKE_ALL(a, (ptrdiff_t)nlane * n, double, &s->shift, &s->delay, &s->bias, &s->integral);
  s->seed = RBV_TAKE(a, nlane, uint64_t);
  layout_plant(&s->plant, n, w, a);
  if (o->elastic) {
    layout_plant(&s->link, n, w, a);
    double **const of_lanes[] = {&s->springs.stiffness, &s->springs.cubic, &s->springs.damping,
                                 &s->springs.torque};
    for (int i = 0; i < RBV_COUNT(of_lanes); i++) *of_lanes[i] = RBV_TAKE(a, n * w, double);
    s->stiffness = RBV_TAKE(a, (ptrdiff_t)nlane * n, double);
    s->cubic = RBV_TAKE(a, (ptrdiff_t)nlane * n, double);
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
  rbv_sim_options o = options ? *options : rbv_sim_defaults();
  options = NULL;
  o.elastic = o.elastic || rbv_model_has_springs(m);
  const double rate_hz = rbv_control_rate_hz(c);
  RBV_TRY(check_options(&o, rate_hz));
  RBV_TRY(rbv_model_need_untouched(m, "The simulation"));
  if (rbv_control_joint_count(c) != rbv_model_joint_count(m))
    return rbv_fail(RBV_EDIM, "the controller has %d joints, the robot %d",
                    rbv_control_joint_count(c), rbv_model_joint_count(m));
  rbv_lanes *lanes;
  RBV_TRY(rbv_lanes_new(&lanes, m, nlane, o.gamma));
  const int width = rbv_lanes_width(lanes);
  // the present torque, those of whole samples, and one more to interpolate
  const double longest = longest_delay(&o);
  const int nlate = longest > 0 ? (int)ceil(longest * rate_hz) + 2 : 0;
  rbv_sim *s, sizes = {.model = m,
                       .control = c,
                       .options = o,
                       .nlane = nlane,
                       .width = width,
                       .lanes = lanes,
                       .nlate = nlate,
                       .substeps = rbv_sim_choose_substeps(&o, rate_hz)};
  RBV_CARVE_OBJECT(s, a, layout(&sizes, m, &o, nlane, width, nlate, a));
  if (!s) {
    rbv_lanes_free(lanes);
    return RBV_EMEM;
  }
  *s = sizes;
  RBV_GIVE(out, s, fill(s), rbv_sim_free(s));
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

/* Springs as given, or those of the parameters; a robot without columns of springs has them at all
 * joints. */
static rbv_status set_springs(rbv_sim *s, int lane, const rbv_sim_lane *own, const double *chi) {
  const int n = rbv_model_joint_count(s->model);
  const bool columns = rbv_model_has_springs(s->model) && !own->stiffness;
  double *k = s->stiffness + (ptrdiff_t)lane * n, *damping = s->damping + (ptrdiff_t)lane * n;
  double *cubic = s->cubic + (ptrdiff_t)lane * n;
  rbv_model_springs(k, cubic, damping, s->model, columns ? chi : NULL);
  for (int j = 0; j < n; j++) {
    // without values: until they are set
    if (!columns) k[j] = own->stiffness ? own->stiffness[j] : 1;
    if (own->damping) damping[j] = own->damping[j];
    const bool stiff = columns ? k[j] >= 0 : k[j] > 0;
    if (!(stiff && isfinite(k[j]) && cubic[j] >= 0 && isfinite(cubic[j]) && damping[j] >= 0 &&
          isfinite(damping[j])))
      return rbv_fail(
          RBV_EARG, "the stiffness of joint %d must be positive, its damping not negative", j + 1);
  }
  for (int c = 0; c < rbv_model_column_count(s->model); c++) {
    const rbv_column *column = rbv_model_column(s->model, c);
    if (column->law && rbv_law_uses_torque(column->law) && chi[c] != 0 && k[column->joint] > 0)
      return rbv_fail(RBV_EUNSUPPORTED,
                      "%s depends on the torque that the gear transmits; with elastic joints this "
                      "is not simulated",
                      column->name);
  }
  return RBV_OK;
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
  return s->link_lanes ? set_springs(s, lane, own, mine) : RBV_OK;
}

/* ---- elastic joints ---- */

void rbv_elastic_split(double *motor, double *link, const rbv_model *m, const double *chi,
                       const double *stiffness) {
  for (int c = 0; c < rbv_model_column_count(m); c++) {
    const rbv_column *column = rbv_model_column(m, c);
    const bool drives = !rbv_elastic_at_link(column);
    const bool rigid = drives && stiffness[column->joint] == 0;
    motor[c] = drives ? chi[c] : 0;
    link[c] = drives ? 0 : chi[c];
    if (!rigid) continue;
    link[c] = chi[c];
    motor[c] = rbv_column_has_law(column, "Ia") ? 1 : 0;
  }
}

#define REST_ROUNDS 5     // gravity changes little over a deflection
#define SPRING_ROUNDS 60  // Newton from a point above the zero of a convex function

double rbv_spring_deflection(double torque, double stiffness, double cubic) {
  if (stiffness == 0) return 0;
  const double size = fabs(torque);
  double d = size / stiffness;
  for (int i = 0; i < SPRING_ROUNDS && cubic > 0; i++) {
    const double step =
        (stiffness * d + cubic * d * d * d - size) / (stiffness + 3 * cubic * d * d);
    d -= step;
    if (!(step > 1e-16 * d)) break;
  }
  return torque < 0 ? -d : d;
}

void rbv_elastic_rest(double *q, double *torque, rbv_dynamics *d, const double *theta,
                      const double *stiffness, const double *cubic, const double *still, int n) {
  memcpy(q, theta, (size_t)n * sizeof *q);
  for (int i = 0; i < REST_ROUNDS; i++) {
    rbv_dynamics_bias(torque, d, q, still);
    for (int j = 0; j < n; j++)
      q[j] = theta[j] - rbv_spring_deflection(torque[j], stiffness[j], cubic ? cubic[j] : 0);
  }
}

/* the stiffness at the largest torque of the joint, where that is known */
static double stiffest(const rbv_model *m, const double *chi, double stiffness, int joint) {
  const double effort = rbv_model_joint(m, joint)->limits.effort;
  double cubic = 0;
  for (int c = 0; c < rbv_model_column_count(m); c++) {
    const rbv_column *column = rbv_model_column(m, c);
    if (column->joint == joint && rbv_column_has_law(column, "Kc")) cubic = chi[c];
  }
  if (!(cubic > 0) || !isfinite(effort)) return stiffness;
  const double d = rbv_spring_deflection(effort, stiffness, cubic);
  return stiffness + 3 * cubic * d * d;
}

rbv_status rbv_sim_elastic_substeps(int *out, const rbv_model *m, const double *chi, bool loaded,
                                    const double *stiffness, const double *q, double rate_hz) {
  const int n = rbv_model_joint_count(m), c = rbv_model_column_count(m);
  double *motor = rbv_alloc((size_t)(2 * c + 2 * n * n) * sizeof *motor), fastest = 0;
  double *link = motor + c, *rotor = link + c, *M = rotor + n * n;
  rbv_dynamics *d = NULL;
  rbv_status status = motor ? rbv_dynamics_new(&d, m) : RBV_EMEM;
  if (status == RBV_OK) rbv_elastic_split(motor, link, m, chi, stiffness);
  if (status == RBV_OK) status = rbv_dynamics_set(d, motor, loaded);
  if (status == RBV_OK) rbv_dynamics_mass(rotor, d, q);
  if (status == RBV_OK) status = rbv_dynamics_set(d, link, loaded);
  if (status == RBV_OK) rbv_dynamics_mass(M, d, q);
  for (int j = 0; j < n && status == RBV_OK; j++) {
    const double a = rotor[j * (n + 1)], b = M[j * (n + 1)];
    if (stiffness[j] == 0 && !(a > 0))
      status = rbv_fail(RBV_EUNSUPPORTED,
                        "joint %d is rigid and others are elastic: it needs a column Ia, whose "
                        "value may be zero",
                        j + 1);
    if (stiffness[j] == 0 || status != RBV_OK) continue;
    if (!(a > 0 && b > 0))
      status =
          rbv_fail(RBV_EINPUT,
                   "joint %d is elastic: its rotor and its link need an inertia (Ia, and links "
                   "of the robot file)",
                   j + 1);
    fastest = fmax(fastest, sqrt(stiffest(m, chi, stiffness[j], j) * (1 / a + 1 / b)));
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

/* ---- outcome ---- */

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
