/* The task simulate: the closed loop along a trajectory, as its sensors record it. */
#include <math.h>

#include "control/control.h"
#include "task/task_internal.h"

#define TASK rbv_simulate_task

static const rbv_option rows[] = {
    TASK_ROW("save-controller", OUTPUT, save, "FILE", "write the controller that was used"),
    TASK_ROW("derivatives", FLAG, derivatives, NULL, "also write the true dq and ddq"),
    TASK_ROW("output", OUTPUT, output, "FILE", "write the log here (default: stdout)",
             .letter = 'o', .basic = true),
    {0}};

static void defaults(void *data) {
  rbv_simulate_task *t = data;
  t->robot = rbv_robot_defaults();
  t->plant = rbv_plant_defaults();
}

static void groups(rbv_option_group *out, void *data) {
  rbv_simulate_task *t = data;
  out[0] = (rbv_option_group){rbv_plant_rows(), &t->plant};
  out[1] = (rbv_option_group){rows, t};
  out[2] = (rbv_option_group){rbv_robot_rows(), &t->robot};
}

static void forget(void *data) {
  rbv_simulate_task *t = data;
  rbv_free(t->tracking);
  rbv_free(t->deviation);
  rbv_plant_free(t->p);
  rbv_model_free(t->model);
}

#define START_SPEED 0.1  // of the top speed: slower starts make no transient worth a note

/* the robot starts at rest: a motion that begins at speed gives a transient */
static void tell_start(const rbv_simulate_task *t) {
  const rbv_sim_reference *r = &t->p->reference;
  for (int j = 0; j < t->p->njoint; j++) {
    const double *q = r->q + j * r->ld;
    double most = 0;
    for (ptrdiff_t k = 1; k < r->count; k++) most = fmax(most, fabs(q[k] - q[k - 1]));
    if (r->count < 2 || !(fabs(q[1] - q[0]) > START_SPEED * most)) continue;
    rbv_tell(&t->common.notes, NULL,
             "%s begins at speed (joint '%s'), the robot begins at rest: leave out the first "
             "moments of the recording when you identify",
             t->common.input[1], rbv_model_joint(t->model, j)->name);
    return;
  }
}

static rbv_status run(void *data) {
  rbv_simulate_task *t = data;
  const char *trajectory = t->common.input[1];
  RBV_TRY(rbv_plant_check(&t->plant));
  RBV_TRY(rbv_robot_load(&t->model, t->common.input[0], &t->robot, &t->common.notes));
  rbv_plant_options plant = t->plant;
  plant.seed = t->common.seed;
  plant.sim.loaded = rbv_model_has_payload(t->model);
  if (t->robot.model.gamma > 0) plant.sim.gamma = t->robot.model.gamma;
  RBV_TRY(rbv_plant_new(&t->p, t->model, trajectory, &plant, &t->common.notes));
  tell_start(t);
  if (t->save) RBV_TRY(rbv_control_save(t->p->control, t->save));
  RBV_TRY(rbv_plant_run(t->p, NULL));
  const size_t bytes = (size_t)rbv_model_joint_count(t->model) * sizeof(double);
  t->tracking = rbv_alloc(bytes);
  t->deviation = rbv_alloc(bytes);
  if (!t->tracking || !t->deviation) return RBV_EMEM;
  const rbv_plant *p = t->p;
  rbv_sim_tracking(t->tracking, &p->trace, p->njoint, p->outcome.samples);
  rbv_sim_deviation(t->deviation, &p->trace, p->njoint, p->outcome.samples);
  rbv_sim_describe(t->sentence, sizeof t->sentence, p->last, &p->outcome);
  RBV_TRY(rbv_hash_file(t->hash, trajectory));
  // the samples before a divergence are written, too: they help to find the cause
  const rbv_sim_columns columns = {true, t->derivatives, t->derivatives};
  if (p->outcome.samples > 0 && t->output)
    RBV_TRY(rbv_plant_write_log(p, t->output, NULL, &columns));
  t->common.answer = p->outcome.verdict == RBV_SIM_DONE;
  return RBV_OK;
}

static rbv_status put(rbv_json *json, const void *data) {
  const rbv_simulate_task *j = data;
  const rbv_plant *p = j->p;
  const bool diverged = p->outcome.verdict != RBV_SIM_DONE;
  rbv_json_put_schema(json, "roberval.simulation/1");
  rbv_json_put_string(json, "robot", rbv_model_name(p->model));
  rbv_json_put_string(json, "trajectory", j->common.input[1]);
  rbv_json_put_string(json, "trajectory_sha256", j->hash);
  rbv_json_put_string(json, "controller", rbv_control_name(p->control));
  rbv_json_put_string(json, "log", j->output);
  rbv_json_put_real(json, "rate_hz", rbv_control_rate_hz(p->control));
  rbv_json_put_string(json, "integrator", rbv_integrator_name(p->sim.integrator));
  rbv_json_put_int(json, "substeps", rbv_sim_substeps(p->last));
  rbv_json_put_int(json, "seed", (long long)p->seed);
  rbv_json_put_int(json, "samples", p->outcome.samples);
  rbv_json_put_bool(json, "diverged", diverged);
  if (diverged) rbv_json_put_string(json, "reason", j->sentence);
  rbv_json_put_list(json, "joints");
  for (int i = 0; i < p->njoint; i++) {
    rbv_json_map(json);
    rbv_json_put_string(json, "name", rbv_model_joint(p->model, i)->name);
    const rbv_smoothing s = rbv_sim_smoothing(p->last, i);
    if (s.gamma > 0) rbv_json_put_real(json, "gamma", s.gamma);
    if (!(s.gamma > 0)) rbv_json_put_real(json, "smooth_rad_per_s", s.speed);
    rbv_json_put_real(json, "tracking_rms_rad", j->tracking[i]);
    rbv_json_put_real(json, "torque_deviation_Nm", j->deviation[i]);
    rbv_json_end(json);
  }
  rbv_json_end(json);
  return RBV_OK;
}

const task_kind rbv_simulate_kind =
    TASK_KIND("simulate", "ROBOT TRAJECTORY", 2, 2, model, .run = run);
