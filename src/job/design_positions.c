/*
 * Designs for an identification from positions (method cloe). Two kinds of motion compete, each
 * with several numbers of harmonics: multisines that the search of module excite finds with the
 * torque noise to which the noise of the encoders corresponds, and chirps. A chirp is a multisine
 * whose phases sweep through its frequencies once per period (Schroeder 1970); the joints sweep one
 * after the other. All keep the constraints. The loop is simulated with each motion and each
 * control law, and the motion with the smallest expected sigma is chosen.
 */
#include <math.h>
#include <roberval/sys/identify.h>
#include <stdio.h>

#include "control/control.h"
#include "job/design_internal.h"
#include "model/model_internal.h"
#include "trajectory/trajectory.h"

#define GAMMA 150          // of signs that nothing smooths, as in the simulation [s/rad]
#define ROW_HZ 200.0       // residuals are means of samples down to this rate
#define CHIRP_SHARE 0.98   // of the limits
#define CHIRP_SHRINK 0.85  // if a constraint is broken
#define CHIRP_TRIALS 20
#define ANY_SPEED 1.0  // of a joint without limits [rad/s or m/s]
#define CHECK_STEP_S 1e-3

static const int terms[] = {5, 10, 20};  // harmonics that are tried if none are given
enum { TERMS = RBV_COUNT(terms) };

/* ---- control laws ---- */

void rbv_design_free_loops(design_loops *l) {
  for (int i = 0; i < l->count; i++) rbv_control_free(l->control[i]);
  rbv_free(l->unknown);
  rbv_free(l->noise);
}

static rbv_status load_laws(rbv_design *d) {
  design_loops *l = &d->inside->loops;
  const rbv_control_options wanted = {.njoint = rbv_model_joint_count(d->model)};
  const rbv_files *file = &d->options.controllers;
  for (; l->count < file->count; l->count++) {
    RBV_TRY(rbv_control_load(&l->control[l->count], file->item[l->count], &wanted));
    const double rate = rbv_control_rate_hz(l->control[l->count]);
    if (l->count == 0) d->options.rate_hz = rate;
    if (rate != d->options.rate_hz)
      return rbv_fail_option(RBV_EINPUT, "controller",
                             "%s runs at %g Hz, but %s at %g Hz: one motion serves all laws",
                             file->item[l->count], rate, file->item[0], d->options.rate_hz);
  }
  return RBV_OK;
}

/* torque per position error at rest; 0: not known */
static double stiffness(const rbv_control *c, int joint) {
  const rbv_control_joint *law = rbv_control_get_joint(c, joint);
  if (law->kind == RBV_CONTROL_PID) return fabs(law->k_p);
  return law->kind == RBV_CONTROL_CASCADE ? fabs(law->k_x * law->k_p) : 0;
}

/* noise of torques that tells as much as the noise of the positions, all laws together */
static rbv_status set_noise(rbv_design *d) {
  const design_loops *l = &d->inside->loops;
  const int nrow = rbv_model_row_count(d->model);
  if (d->noise) return RBV_OK;
  d->noise = rbv_alloc((size_t)nrow * sizeof *d->noise);
  if (!d->noise) return RBV_EMEM;
  for (int r = 0; r < nrow; r++) {
    const int j = rbv_model_row(d->model, r)->joint;
    double sum = 0;
    for (int i = 0; i < l->count; i++) {
      const double k = stiffness(l->control[i], j);
      if (k > 0) sum += 1 / (k * k);
    }
    d->noise[r] = sum > 0 ? l->noise[j] / sqrt(sum) : 1;
  }
  return RBV_OK;
}

rbv_status rbv_design_load_loops(rbv_design *d) {
  design_loops *l = &d->inside->loops;
  const int n = rbv_model_joint_count(d->model);
  if (!d->prior)
    return rbv_fail_option(RBV_EOPTION, "prior",
                           "a design for positions simulates the robot: it needs values of the "
                           "parameters");
  RBV_TRY(load_laws(d));
  if (d->options.unknown)
    RBV_TRY(
        rbv_unknowns_parse(&l->unknown, &l->nunknown, d->options.unknown, l->control[0], d->model));
  l->noise = rbv_alloc((size_t)n * sizeof *l->noise);
  if (!l->noise) return RBV_EMEM;
  for (int j = 0; j < n; j++) {
    const bool slides = rbv_model_joint(d->model, j)->type == RBV_JOINT_PRISMATIC;
    // uniform within one count
    l->noise[j] = (slides ? 1 : 2 * RBV_PI) / d->options.encoder / sqrt(12);
  }
  return set_noise(d);
}

/* ---- sigma to expect ---- */

/* samples of a motion, with torques of zero: they are not used */
typedef struct {
  rbv_motion *motion;
  rbv_sim_reference reference;
  double *memory;
} loop_motion;

static void loop_motion_free(loop_motion *m) {
  rbv_motion_free(m->motion);
  rbv_free(m->memory);
}

static rbv_status loop_motion_new(loop_motion *out, const rbv_design *d, rbv_motion *from) {
  const rbv_motion_info *given = rbv_motion_get_info(from);
  const int n = rbv_model_joint_count(d->model), nrow = rbv_model_row_count(d->model);
  const ptrdiff_t count = given->count, size = count * n;
  *out = (loop_motion){0};
  out->memory = rbv_alloc((size_t)(3 * size + count * nrow) * sizeof(double));
  if (!out->memory) return RBV_EMEM;
  const rbv_samples samples = {
      .ld = count, .q = out->memory, .dq = out->memory + size, .ddq = out->memory + 2 * size};
  RBV_TRY(rbv_motion_read(from, &samples, 0, count));
  rbv_samples whole = samples;
  whole.torque = out->memory + 3 * size;
  const rbv_motion_info info = {
      .name = "design", .njoint = n, .ntorque = nrow, .count = count, .rate_hz = given->rate_hz};
  out->reference = (rbv_sim_reference){.count = count, .ld = count, .q = samples.q};
  return rbv_motion_from_arrays(&out->motion, &info, &whole);
}

/* the estimate of cloe with the sigma to expect from one recording of the motion per law */
static rbv_status expect(rbv_estimate **out, const rbv_design *d, rbv_motion *motion) {
  const design_loops *l = &d->inside->loops;
  loop_motion m;
  rbv_motion *motions[RBV_FILES_MAX];
  rbv_sim_reference reference[RBV_FILES_MAX];
  rbv_model *smooth = NULL;
  rbv_model_terms smoothed = rbv_model_get_terms(d->model);
  smoothed.rest_gamma = GAMMA;
  rbv_status status = loop_motion_new(&m, d, motion);
  if (status == RBV_OK) status = rbv_model_variant(&smooth, d->model, &smoothed);
  for (int i = 0; i < l->count; i++) {
    motions[i] = m.motion;
    reference[i] = m.reference;
  }
  rbv_closed_loop loop = rbv_closed_loop_defaults();
  loop.control = l->control[0];
  loop.controls = (const rbv_control *const *)l->control;
  loop.reference = reference;
  loop.start = loop.known = d->prior;
  loop.known_links = d->options.known_links;
  loop.unknown = l->unknown;
  loop.nunknown = l->nunknown;
  loop.noise = l->noise;
  rbv_identify_options how = rbv_identify_defaults();
  how.method = "cloe";
  how.loop = &loop;
  how.seed = d->options.seed;
  how.filter.decimate = (int)fmax(1, floor(d->options.rate_hz / ROW_HZ));
  if (status == RBV_OK) status = rbv_identify(out, smooth, motions, l->count, &how);
  loop_motion_free(&m);
  rbv_model_free(smooth);
  return status;
}

/* sigma of a parameter by its name; infinite: it is not determined */
static double sigma_of(const rbv_estimate *e, const char *name) {
  const int n = e->base->count;
  for (int k = 0; k < n; k++)
    if (strcmp(e->base->name[k], name) == 0) {
      const double sigma = sqrt(e->covariance[k + (ptrdiff_t)k * n]);
      return e->status[k] == RBV_STATUS_PRIOR ? 0 : sigma > 0 ? sigma : INFINITY;
    }
  return INFINITY;
}

static void judge(rbv_design_candidate *c, const rbv_estimate *e) {
  double sum = 0;
  int count = 0;
  for (int k = 0; k < e->base->count; k++) {
    const double sigma = sigma_of(e, e->base->name[k]);
    if (sigma == 0) continue;  // known
    if (isfinite(sigma)) sum += log(sigma);
    count += isfinite(sigma);
    c->open += !isfinite(sigma);
  }
  for (int i = 0; i < e->loop.nunknown; i++) {
    const double sigma = e->loop.unknown[i].sigma;
    if (isfinite(sigma)) sum += log(sigma);
    count += isfinite(sigma);
    c->open += !isfinite(sigma);
  }
  c->possible = count > 0;
  c->mean_log = sum / count;
}

rbv_status rbv_design_expect(rbv_design *d) {
  rbv_estimate *e;
  RBV_TRY(expect(&e, d, d->motion[0]));
  for (int b = 0; b < d->base->count; b++) d->sigma[b] = sigma_of(e, d->base->name[b]);
  d->unknown = rbv_alloc((size_t)(e->loop.nunknown + 1) * sizeof *d->unknown);
  for (int i = 0; i < e->loop.nunknown && d->unknown; i++) {
    const rbv_loop_value *from = &e->loop.unknown[i];
    rbv_design_unknown *to = &d->unknown[d->nunknown++];
    snprintf(to->name, sizeof to->name, "%s", from->name);
    to->unit = from->unit;
    to->sigma = from->sigma;
  }
  rbv_estimate_free(e);
  return d->unknown ? RBV_OK : RBV_EMEM;
}

/* ---- chirps ---- */

/* a Fourier series of a joint whose velocity has harmonics of equal amplitude 1 */
static void sweep(double *x, int count, double center, double shift) {
  x[0] = center;
  for (int l = 1; l <= count; l++) {
    const double phase = -RBV_PI * l * (l - 1) / count - 2 * RBV_PI * l * shift;
    x[l] = cos(phase);
    x[count + l] = sin(phase);
  }
}

/* largest amplitude of a joint within its limits; t has amplitude 1 */
static double amplitude_of(const rbv_trajectory *t, int j, const rbv_limits *limits,
                           double center) {
  const double limit[] = {0, limits->velocity, limits->acceleration, limits->jerk};
  double most = INFINITY;
  for (int order = 0; order < RBV_COUNT(limit); order++) {
    const rbv_extreme x = rbv_trajectory_extreme(t, j, order);
    if (order == 0) {
      if (isfinite(limits->upper)) most = fmin(most, (limits->upper - center) / (x.max - center));
      if (isfinite(limits->lower)) most = fmin(most, (center - limits->lower) / (center - x.min));
    } else if (isfinite(limit[order])) {
      most = fmin(most, limit[order] / fmax(x.max, -x.min));
    }
  }
  return isfinite(most) ? CHIRP_SHARE * most : ANY_SPEED;
}

static rbv_status shrink_until_kept(bool *kept, rbv_trajectory *t, const rbv_design *d, double *x,
                                    const rbv_trajectory_shape *shape) {
  rbv_usage_info info = {0};
  for (int i = 0; i < CHIRP_TRIALS && !info.feasible; i++) {
    RBV_TRY(rbv_trajectory_set(t, x));
    RBV_TRY(rbv_constraints_check(&info, NULL, d->model, &d->constraints->value, t, CHECK_STEP_S));
    for (int j = 0; j < shape->njoint; j++) {
      const int first = rbv_trajectory_first(t, j, NULL);
      for (int k = 1; k <= 2 * shape->count && !info.feasible; k++) x[first + k] *= CHIRP_SHRINK;
    }
  }
  *kept = info.feasible;
  return RBV_OK;
}

static rbv_status fill_chirp(bool *kept, rbv_trajectory *t, const rbv_design *d, double *x,
                             const rbv_trajectory_shape *shape) {
  const int n = shape->njoint;
  double *center = x + rbv_trajectory_coefficient_count(t);
  *kept = false;
  RBV_TRY(rbv_constraints_center(center, d->model, &d->constraints->value));
  for (int j = 0; j < n; j++)
    sweep(x + rbv_trajectory_first(t, j, NULL), shape->count, center[j], (double)j / n);
  RBV_TRY(rbv_trajectory_set(t, x));
  for (int j = 0; j < n; j++) {
    const double size = amplitude_of(t, j, &d->constraints->limits[j], center[j]);
    double *own = x + rbv_trajectory_first(t, j, NULL);
    for (int k = 1; k <= 2 * shape->count; k++) own[k] *= size;
  }
  return shrink_until_kept(kept, t, d, x, shape);
}

/* NULL: no amplitude keeps the constraints */
static rbv_status make_chirp(rbv_trajectory **out, const rbv_design *d, int count) {
  *out = NULL;
  const rbv_trajectory_shape shape = rbv_design_shape(d, count);
  rbv_trajectory *t;
  bool kept;
  RBV_TRY(rbv_trajectory_new(&t, &shape, NULL));
  double *x = rbv_alloc((size_t)(rbv_trajectory_coefficient_count(t) + shape.njoint) * sizeof *x);
  const rbv_status status = x ? fill_chirp(&kept, t, d, x, &shape) : RBV_EMEM;
  if (status == RBV_OK && kept)
    *out = t;
  else
    rbv_trajectory_free(t);
  rbv_free(x);
  return status;
}

/* ---- candidates ---- */

/* score a trajectory and keep it if it is the best so far; takes it over; t may be NULL */
static rbv_status compete(rbv_design *d, rbv_trajectory *t, const char *name, int count) {
  rbv_design_candidate *c = &d->candidate[d->ncandidate++];
  snprintf(c->name, sizeof c->name, "%s of %d %s", name, count,
           rbv_trajectory_class_terms(d->inside->choice.kind, NULL, NULL));
  c->mean_log = NAN;
  if (!t) return RBV_OK;
  rbv_motion *motion = NULL;
  rbv_estimate *e = NULL;
  rbv_status status = rbv_trajectory_motion(&motion, t, "design", d->options.rate_hz);
  if (status == RBV_OK) status = expect(&e, d, motion);
  const bool diverged = status == RBV_EINPUT;  // the loop does not follow this motion
  if (status == RBV_OK) judge(c, e);
  const rbv_design_candidate *best = d->chosen >= 0 ? &d->candidate[d->chosen] : NULL;
  const bool better = c->possible && (!best || c->open < best->open ||
                                      (c->open == best->open && c->mean_log < best->mean_log));
  if (better) {
    rbv_trajectory_free(d->trajectory[0]);
    rbv_motion_free(d->motion[0]);
    d->trajectory[0] = t;
    d->motion[0] = motion;
    d->chosen = d->ncandidate - 1;
  } else {
    rbv_trajectory_free(t);
    rbv_motion_free(motion);
  }
  rbv_estimate_free(e);
  return diverged ? RBV_OK : status;
}

/* both kinds of motion with so many harmonics; searches share the time */
static rbv_status try_terms(rbv_design *d, const rbv_design_run *run, int count, int searches) {
  const rbv_trajectory_shape shape = rbv_design_shape(d, count);
  rbv_search_options s = rbv_design_search(d);
  s.budget_s /= searches;
  s.progress = run->progress;
  s.payload = run->payload;
  s.device = run->device;
  rbv_trajectory *t = NULL;
  rbv_search_info info = {0};
  RBV_TRY(rbv_excite_search(&t, &info, d->excite, &d->constraints->value, &shape, &s));
  const long evaluations = d->info.evaluations;
  const double seconds = d->info.seconds;
  if (info.feasible || !d->info.feasible) d->info = info;
  d->info.evaluations = evaluations + info.evaluations;
  d->info.seconds = seconds + info.seconds;
  RBV_TRY(compete(d, t, "multisine", count));
  if (d->inside->choice.kind != RBV_TRAJECTORY_FOURIER) return RBV_OK;
  RBV_TRY(make_chirp(&t, d, count));
  return compete(d, t, "chirp", count);
}

rbv_status rbv_design_solve_positions(rbv_design *d, const rbv_design_run *run) {
  const design_choice *c = &d->inside->choice;
  const bool several = !c->terms_given && c->kind == RBV_TRAJECTORY_FOURIER;
  const int searches = several ? TERMS : 1;
  d->device = rbv_device_name(run->device);
  d->trajectory = rbv_alloc(sizeof *d->trajectory);
  d->motion = rbv_alloc(sizeof *d->motion);
  d->candidate = rbv_alloc((size_t)(2 * searches) * sizeof *d->candidate);
  if (!d->trajectory || !d->motion || !d->candidate) return RBV_EMEM;
  for (int i = 0; i < searches && !d->info.stopped; i++)
    RBV_TRY(try_terms(d, run, several ? terms[i] : d->options.harmonics, searches));
  d->info.feasible = d->chosen >= 0;
  d->count = d->info.feasible;
  if (!d->info.feasible && !*d->info.reason)
    snprintf(d->info.reason, sizeof d->info.reason,
             "the loop follows no motion that keeps the constraints: check the controller");
  return RBV_OK;
}
