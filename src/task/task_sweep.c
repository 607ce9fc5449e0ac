/* The task sweep: a closed loop over many plants that the uncertainty of a result allows. */
#include <math.h>
#include <string.h>

#include "control/control.h"
#include "montecarlo/montecarlo.h"
#include "storage/storage.h"
#include "task/task_internal.h"

#define TASK rbv_sweep_task

static const rbv_option rows[] = {
    TASK_ROW("reference", TEXT, reference, "TRAJ.csv",
             "reference motion (default: built-in motion of the robot)", .basic = true),
    TASK_ROW("plants", COUNT, plants, "N", "plants to simulate (default 1000)", .letter = 'n',
             RBV_FROM(1, 10000000), .basic = true),
    TASK_ROW("spread", REAL, spread, "X", "multiply every sigma by X (default 1)",
             RBV_ABOVE(0, 1000), .basic = true),
    TASK_ROW("worst", COUNT, worst, "N", "worst plants to name (default 5)", RBV_FROM(1, 1000)),
    {0}};

static const rbv_option output_rows[] = {
    TASK_ROW("journal", OUTPUT, journal, "FILE", "store finished jobs in this file",
             .topic = "jobs"),
    TASK_ROW("resume", FLAG, resume, NULL, "continue the journal"),
    TASK_DEVICE,
    TASK_ROW("output", OUTPUT, output, "FILE.json", "write the numbers here", .letter = 'o',
             .topic = "output", .basic = true),
    TASK_PLOTS,
    {0}};

/* rows of the plant's table that act on the loop; the others are about its recording */
static const char *const loop_rows[] = {
    "controller", "bandwidth",      "integral",    "roll-off",      "rate",
    "map",        "integrator",     "substeps",    "loop-encoder",  "loop-noise",
    "loop-delay", "actuator-delay", "disturbance", "disturbance-hz"};
_Static_assert(sizeof loop_rows / sizeof *loop_rows < RBV_SWEEP_ROWS, "RBV_SWEEP_ROWS");

static void choose_rows(rbv_option out[RBV_SWEEP_ROWS]) {
  const char *topic = NULL;
  int n = 0;
  for (const rbv_option *o = rbv_plant_rows(); o->name; o++) {
    if (o->topic) topic = o->topic;
    for (int k = 0; k < RBV_COUNT(loop_rows); k++) {
      if (strcmp(o->name, loop_rows[k]) != 0) continue;
      out[n] = *o;
      out[n++].topic = topic;
    }
  }
  out[n] = (rbv_option){0};
}

static void defaults(void *data) {
  rbv_sweep_task *t = data;
  t->plant = rbv_plant_defaults();
  t->device = RBV_DEVICE_DEFAULT;
  t->plants = 1000;
  t->worst = 5;
  t->spread = 1;
}

static void groups(rbv_option_group *out, void *data) {
  rbv_sweep_task *t = data;
  choose_rows(t->loop);
  out[0] = (rbv_option_group){rows, t};
  out[1] = (rbv_option_group){t->loop, &t->plant};
  out[2] = (rbv_option_group){output_rows, t};
}

static void forget(void *data) {
  rbv_sweep_task *t = data;
  rbv_sweep_free(t->sweep);
  rbv_plant_free(t->p);
  rbv_result_model_free(&t->fitted);
  rbv_device_close(t->opened);
}

/* ---- running ---- */

static rbv_status make_sweep(rbv_sweep_task *t) {
  rbv_model *m = t->fitted.model;
  rbv_plant_options plant = t->plant;
  plant.parameters = t->common.input[1];
  plant.seed = t->common.seed;
  plant.sim.loaded = rbv_model_has_payload(m);
  plant.sim.gamma = rbv_model_gamma(m);
  RBV_TRY(rbv_plant_new(&t->p, m, t->reference, &plant, &t->common.notes));
  char name[65];
  rbv_hash_bytes(name, rbv_model_name(m), strlen(rbv_model_name(m)));
  const rbv_sweep_plan plan = {.model = t->p->model,
                               .robot = *rbv_model_sha256(m) ? rbv_model_sha256(m) : name,
                               .result = t->fitted.result,
                               .control = t->p->control,
                               .reference = t->p->reference,
                               .sim = t->p->sim,
                               .plants = t->plants,
                               .spread = t->spread,
                               .worst = t->worst,
                               .device = t->opened,
                               .seed = t->common.seed};
  return rbv_sweep_new(&t->sweep, &plan);
}

static rbv_status prepare(void *data) {
  rbv_sweep_task *t = data;
  const rbv_task_common *c = &t->common;
  RBV_TRY(rbv_plant_check(&t->plant));
  RBV_TRY(rbv_task_open_device(&t->opened, t->device, c));
  RBV_TRY(rbv_result_model_load(&t->fitted, c->input[1], c->input[0], &c->notes));
  t->fitted.filter.threads = c->threads;
  const rbv_status status = make_sweep(t);
  if (status != RBV_EUNSUPPORTED || !t->opened || strcmp(t->device, "auto") != 0) return status;
  // the device cannot simulate this loop: once more on the CPU
  rbv_tell(&c->notes, NULL, "the CPU is used: %s", rbv_message());
  rbv_device_close(t->opened);
  rbv_plant_free(t->p);
  t->opened = NULL;
  t->p = NULL;
  return make_sweep(t);
}

static rbv_task_jobs jobs(const void *data) {
  const rbv_sweep_task *t = data;
  return (rbv_task_jobs){.jobs = rbv_sweep_jobs(t->sweep),
                         .journal = t->journal,
                         .resume = t->resume,
                         .threads = t->common.threads};
}

static rbv_status finish(void *data) {
  rbv_sweep_task *t = data;
  RBV_TRY(rbv_sweep_summarise(&t->summary, t->sweep));
  t->common.answer = t->summary->diverged == 0;
  if (t->output) RBV_TRY(rbv_task_save(t->output, &rbv_sweep_kind, t));
  if (!t->plots) return RBV_OK;
  rbv_report *figures;
  RBV_TRY(rbv_report_sweep(&figures, t->fitted.model, t->summary));
  return rbv_task_write_page(figures, NULL, t->plots, &t->common);
}

/* ---- JSON ---- */

const char *rbv_sweep_unit(const rbv_sweep_task *t, int joint, bool torque) {
  const bool turns = rbv_model_joint(t->fitted.model, joint)->type == RBV_JOINT_REVOLUTE;
  return torque ? turns ? "N m" : "N" : turns ? "rad" : "m";
}

double rbv_sweep_own(const rbv_run_sums *s, int quantity) {
  const double all[] = {s->tracking_rms, s->tracking_most, s->torque_rms, s->torque_most};
  return all[quantity];
}

static void put_joints(rbv_json *json, const rbv_sweep_task *j) {
  const rbv_sweep_summary *s = j->summary;
  rbv_json_put_list(json, "joints");
  for (int i = 0; i < s->njoint; i++) {
    rbv_json_map(json);
    rbv_json_put_string(json, "name", rbv_model_joint(j->fitted.model, i)->name);
    for (int u = 0; u < RBV_SWEEP_QUANTITIES; u++) {
      rbv_json_put_map(json, rbv_sweep_quantity_name(u));
      rbv_json_put_string(json, "unit", rbv_sweep_unit(j, i, u >= RBV_SWEEP_TORQUE_RMS));
      rbv_json_put_real(json, "estimated", rbv_sweep_own(&s->own[i], u));
      rbv_json_put_flat_list(json, "quantiles");
      for (int l = 0; l < RBV_SWEEP_LEVELS; l++)
        rbv_json_real(json, s->quantile[(u * s->njoint + i) * RBV_SWEEP_LEVELS + l]);
      rbv_json_end(json);
      rbv_json_end(json);
    }
    rbv_json_end(json);
  }
  rbv_json_end(json);
}

static void put_cases(rbv_json *json, const rbv_sweep_task *j) {
  const rbv_parameters *set = &j->fitted.result->estimate;
  rbv_json_put_list(json, "worst");
  for (int i = 0; i < j->summary->nworst; i++) {
    const rbv_sweep_case *c = &j->summary->worst[i];
    rbv_json_map(json);
    rbv_json_put_int(json, "plant", c->plant);
    rbv_json_put_bool(json, "diverged", !isfinite(c->ratio));
    if (c->joint >= 0)
      rbv_json_put_string(json, "joint", rbv_model_joint(j->fitted.model, c->joint)->name);
    if (isfinite(c->ratio)) rbv_json_put_real(json, "tracking_ratio", c->ratio);
    if (!isfinite(c->ratio)) rbv_json_put_real(json, "time_s", c->outcome.time_s);
    rbv_json_put_map(json, "parameters");
    for (int k = 0; k < set->count; k++) rbv_json_put_real(json, set->item[k].name, c->value[k]);
    rbv_json_end(json);
    rbv_json_end(json);
  }
  rbv_json_end(json);
}

static rbv_status put(rbv_json *json, const void *data) {
  const rbv_sweep_task *j = data;
  const rbv_sweep_summary *s = j->summary;
  rbv_json_put_schema(json, "roberval.sweep/1");
  rbv_json_put_string(json, "robot", rbv_model_name(j->fitted.model));
  rbv_json_put_string(json, "result", j->common.input[1]);
  rbv_json_put_string(json, "reference", j->reference);
  rbv_json_put_string(json, "controller", rbv_control_name(j->p->control));
  rbv_json_put_string(json, "device", rbv_device_name(j->opened));
  rbv_json_put_int(json, "seed", (long long)j->common.seed);
  rbv_json_put_real(json, "spread", j->spread);
  rbv_json_put_int(json, "parameters_drawn", s->parameters);
  rbv_json_put_bool(json, "correlated", s->correlated);
  rbv_json_put_int(json, "plants", s->plants);
  rbv_json_put_int(json, "done", s->done);
  rbv_json_put_int(json, "diverged", s->diverged);
  rbv_json_put_int(json, "rejected", s->rejected);
  rbv_json_put_flat_list(json, "levels");
  for (int l = 0; l < RBV_SWEEP_LEVELS; l++) rbv_json_real(json, rbv_sweep_level(l));
  rbv_json_end(json);
  put_joints(json, j);
  put_cases(json, j);
  return RBV_OK;
}

const task_kind rbv_sweep_kind = TASK_KIND("sweep", "ROBOT RESULT", 2, 2, fitted,
                                           .prepare = prepare, .jobs = jobs, .finish = finish);
