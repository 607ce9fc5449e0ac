#include "identify/closed_loop.h"

#include <math.h>
#include <string.h>

#include "control/control.h"
#include "motion/motion_adopt.h"

#define GUARD_MOST 12     // largest number of doublings of the added rotor inertia
#define GUARD_FIRST 1e-3  // first addition, relative to the inertia of the joint
#define INERTIA_STRIDE 50
#define REFINE_MOST 16  // largest ratio of the steps per tick and those of the first simulation

rbv_closed_loop rbv_closed_loop_defaults(void) { return (rbv_closed_loop){.scaled_steps = 2}; }

/* ---- start values ---- */

/* column of the rotor inertia of joint j, -1 if the drive has none */
static int rotor_column(const rbv_model *m, int joint) {
  for (int c = 0; c < rbv_model_column_count(m); c++) {
    const rbv_column *column = rbv_model_column(m, c);
    if (rbv_column_has_law(column, "Ia") && column->joint == joint) return c;
  }
  return -1;
}

/*
 * Rotor inertias of 1 on every joint. If a motor moves several joints, its effect on the own
 * inertia of another joint belongs to the parameter of that joint (Gautier 2011 eq. 29), which is
 * then larger; another share of the coupling keeps the mass matrix regular (Ia5 = 2 on the TX40).
 */
static rbv_status regular_start(double *chi, const rbv_model *m) {
  const int n = rbv_model_joint_count(m);
  const double *K = rbv_model_transmission(m);
  memset(chi, 0, (size_t)rbv_model_column_count(m) * sizeof *chi);
  for (int j = 0; j < n; j++) {
    const int c = rotor_column(m, j);
    if (c < 0)
      return rbv_fail_option(RBV_EINPUT, "prior",
                             "joint '%s' has no rotor inertia among its columns, so the simulation "
                             "has no start values: give values of the parameters",
                             rbv_model_joint(m, j)->name);
    chi[c] = 1;
    for (int motor = 0; motor < n; motor++) {
      const double weight = K[motor + j * n] / K[motor + motor * n];
      if (motor != j) chi[c] += weight * weight;
    }
  }
  return RBV_OK;
}

void rbv_loop_start(double *chi, const identify_loop *loop, const identify_run *r) {
  const double *from = r->options->loop->start ? r->options->loop->start : loop->regular;
  memcpy(chi, from, (size_t)rbv_model_column_count(r->model) * sizeof *chi);
}

/* ---- creation ---- */

static void layout(identify_loop *l, const identify_run *r, rbv_arena *a) {
  const int n = rbv_model_joint_count(r->model), nc = rbv_model_column_count(r->model);
  l->simulated = RBV_TAKE(a, r->nmotion, rbv_motion *);
  l->joined = RBV_TAKE(a, r->nmotion, rbv_motion *);
  l->measured = RBV_TAKE(a, r->nmotion, rbv_motion *);
  RBV_TAKE_ALL(a, nc, double, &l->chi, &l->regular, &l->good);
  l->scale = RBV_TAKE(a, n, double);
  l->inertia = RBV_TAKE(a, n, double);
  l->trace = RBV_TAKE(a, r->nmotion, rbv_sim_trace);
  for (int i = 0; i < r->nmotion; i++) {
    rbv_sim_trace t = {.ld = r->options->loop->reference[i].count};
    double **const wanted[] = {&t.q, &t.dq, &t.ddq};
    for (int k = 0; k < RBV_COUNT(wanted); k++) *wanted[k] = RBV_TAKE(a, n * t.ld, double);
    if (a->base) l->trace[i] = t;
  }
}

static void drop_simulated(identify_loop *l, const identify_run *r) {
  for (int i = 0; i < r->nmotion; i++) {
    rbv_motion_free(l->joined[i]);
    rbv_motion_free(l->simulated[i]);
    l->joined[i] = l->simulated[i] = NULL;
  }
}

void rbv_loop_free(identify_loop *l, const identify_run *r) {
  if (!l) return;
  drop_simulated(l, r);
  for (int i = 0; i < r->nmotion; i++) rbv_motion_free(l->measured[i]);
  rbv_sim_free(l->sim[0]);
  rbv_sim_free(l->sim[1]);
  rbv_free(l);
}

static rbv_status check(const identify_run *r) {
  const rbv_closed_loop *loop = r->options->loop;
  if (!loop || !loop->control || !loop->reference)
    return rbv_fail_option(RBV_EINPUT, "controller",
                           "this method simulates the closed loop: it needs the controller and the "
                           "reference (columns qr1...) of the recording");
  // output error takes the start values only
  const bool whole = r->method->loop != RBV_LOOP_OUTPUT;
  if (whole &&
      (rbv_control_ticks(loop->control) > 1 || rbv_control_command_delay(loop->control) > 0))
    return rbv_fail_option(RBV_EUNSUPPORTED, "method",
                           "drive_rate_hz and command_delay_s of a controller need method cloe");
  const double rate = rbv_control_rate_hz(loop->control) / rbv_control_ticks(loop->control);
  for (int i = 0; i < r->nmotion; i++) {
    const rbv_motion_info *info = rbv_motion_get_info(r->motions[i]);
    if (!(fabs(info->rate_hz - rate) <= 1e-3 * rate))
      return rbv_fail(RBV_EINPUT, "'%s' is sampled at %g Hz, but its controller runs at %g Hz",
                      info->name, info->rate_hz, rate);
    if (loop->reference[i].count != info->count)
      return rbv_fail(RBV_EDIM, "'%s' has %td samples, but its reference has %td", info->name,
                      info->count, loop->reference[i].count);
  }
  return RBV_OK;
}

/* create the simulation with the load of a motion, if it does not exist yet */
static rbv_status new_sim(identify_loop *l, const identify_run *r, int motion) {
  const rbv_closed_loop *loop = r->options->loop;
  const bool loaded = rbv_motion_get_info(r->motions[motion])->loaded;
  if (l->sim[loaded]) return RBV_OK;
  rbv_sim_options options = loop->sim ? *loop->sim : rbv_sim_defaults();
  options.loaded = loaded;
  if (l->refine > 1) options.substeps = l->refine * l->substeps;
  RBV_TRY(rbv_sim_new(&l->sim[loaded], r->model, loop->control, &options, 1));
  l->substeps = rbv_sim_substeps(l->sim[loaded]) / l->refine;
  return RBV_OK;
}

rbv_status rbv_loop_new(identify_loop **out, const identify_run *r) {
  *out = NULL;
  RBV_TRY(check(r));
  identify_loop *l, sizes = {.good_step = -1, .refine = 1};
  RBV_CARVE_OBJECT(l, a, layout(&sizes, r, a));
  if (!l) return RBV_EMEM;
  *l = sizes;
  const rbv_closed_loop *loop = r->options->loop;
  rbv_status status = regular_start(l->regular, r->model);
  // with start values rotor inertias are not needed
  if (status == RBV_EINPUT && loop->start) status = RBV_OK;
  for (int i = 0; i < r->nmotion && status == RBV_OK; i++) status = new_sim(l, r, i);
  for (int i = 0; i < r->nmotion && status == RBV_OK; i++)
    status = rbv_motion_join(&l->measured[i], r->motions[i], r->motions[i], loop->skip);
  RBV_GIVE(out, l, status, rbv_loop_free(l, r));
}

/* ---- simulation ---- */

/* scale the gains so that the model gets the bandwidth of the robot: J of the model / J of the
 * tuning */
static rbv_status scale_gains(identify_loop *l, const identify_run *r, int step) {
  const rbv_closed_loop *loop = r->options->loop;
  const int n = rbv_model_joint_count(r->model);
  const bool scaled = loop->inertia && (loop->scaled_steps < 0 || step < loop->scaled_steps);
  for (int j = 0; j < n; j++) l->scale[j] = 1;
  if (!scaled) return RBV_OK;
  RBV_TRY(
      rbv_sim_inertia(l->inertia, r->model, l->chi, false, &loop->reference[0], INERTIA_STRIDE));
  for (int j = 0; j < n; j++)
    if (l->inertia[j] > 0) l->scale[j] = l->inertia[j] / loop->inertia[j];
  return RBV_OK;
}

static rbv_status run_motion(rbv_sim_outcome *outcome, identify_loop *l, const identify_run *r,
                             const rbv_sim_lane *lane, int i) {
  const rbv_closed_loop *loop = r->options->loop;
  const rbv_sim_trace *t = &l->trace[i];
  rbv_motion_info info = *rbv_motion_get_info(r->motions[i]);
  if (loop->simulator)
    RBV_TRY(loop->simulator(outcome, loop->simulator_self, i, lane, t));
  else
    RBV_TRY(rbv_sim_run(outcome, l->sim[info.loaded], &loop->reference[i], t));
  if (outcome->verdict != RBV_SIM_DONE) return RBV_OK;
  info.name = "simulation";
  info.ntorque = 0;
  const rbv_samples states = {.ld = t->ld, .q = t->q, .dq = t->dq, .ddq = t->ddq};
  RBV_TRY(rbv_motion_adopt(&l->simulated[i], &info, &states, NULL));
  return rbv_motion_join(&l->joined[i], l->simulated[i], r->motions[i], loop->skip);
}

/* simulate all motions with the present chi; the outcome is that of the first one that fails */
static rbv_status run_all(rbv_sim_outcome *outcome, identify_loop *l, const identify_run *r,
                          int step) {
  drop_simulated(l, r);
  RBV_TRY(scale_gains(l, r, step));
  const rbv_sim_lane lane = {.chi = l->chi, .scale = l->scale};
  for (int s = 0; s < 2; s++)
    if (l->sim[s]) RBV_TRY(rbv_sim_set(l->sim[s], 0, &lane));
  outcome->verdict = RBV_SIM_DONE;
  for (int i = 0; i < r->nmotion && outcome->verdict == RBV_SIM_DONE; i++)
    RBV_TRY(run_motion(outcome, l, r, &lane, i));
  return RBV_OK;
}

rbv_status rbv_loop_simulate(identify_loop *l, const identify_run *r, const double *chi, int step) {
  const int nc = rbv_model_column_count(r->model), n = rbv_model_joint_count(r->model);
  rbv_sim_outcome outcome;
  if (l->frozen) return RBV_OK;
  memcpy(l->chi, chi, (size_t)nc * sizeof *chi);
  l->failed = false;
  RBV_TRY(run_all(&outcome, l, r, step));
  double added = GUARD_FIRST;
  for (int i = 0; i < GUARD_MOST && outcome.verdict == RBV_SIM_SINGULAR; i++, added *= 2) {
    for (int j = 0; j < n; j++) {
      const int c = rotor_column(r->model, j);
      const double size = r->options->loop->inertia ? r->options->loop->inertia[j] : 1;
      if (c >= 0) l->chi[c] = chi[c] + added * size * l->regular[c];
    }
    RBV_TRY(run_all(&outcome, l, r, step));
  }
  if (outcome.verdict == RBV_SIM_DONE) {
    memcpy(l->good, chi, (size_t)nc * sizeof *chi);
    l->good_step = step;
    return RBV_OK;
  }
  char sentence[256];
  rbv_sim_describe(sentence, sizeof sentence, l->sim[0] ? l->sim[0] : l->sim[1], &outcome);
  l->failed = true;
  return rbv_fail_option(
      RBV_EINPUT, "start",
      "iteration %d: the simulated loop does not follow its reference: %s; check "
      "that the controller is that of the recording, or try other start values",
      step + 1, sentence);
}

rbv_status rbv_loop_freeze(identify_loop *l, const identify_run *r) {
  RBV_TRY(rbv_loop_simulate(l, r, l->good, l->good_step));
  l->frozen = true;
  return RBV_OK;
}

rbv_status rbv_loop_refine(identify_loop *l, const identify_run *r) {
  // a simulator of the caller has its own steps
  if (l->frozen || r->options->loop->simulator || 2 * l->refine > REFINE_MOST) return RBV_OK;
  l->refine *= 2;
  for (int s = 0; s < 2; s++) {
    rbv_sim_free(l->sim[s]);
    l->sim[s] = NULL;
  }
  for (int i = 0; i < r->nmotion; i++) RBV_TRY(new_sim(l, r, i));
  return RBV_OK;
}
