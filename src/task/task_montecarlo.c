/* The task montecarlo: apply methods to many simulated recordings with known parameters. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <roberval/sys/log.h>

#include "control/control.h"
#include "montecarlo/montecarlo.h"
#include "storage/storage.h"
#include "task/task_internal.h"

#define TASK rbv_montecarlo_task

static const rbv_option own_rows[] = {
    TASK_ROW("mode", TEXT, mode, "MODE",
             "preset: offline, inloop or white; other options override it", .basic = true),
    TASK_ROW("reference", TEXT, reference, "TRAJ.csv",
             "reference motion (default: built-in motion of the robot)", .basic = true),
    TASK_ROW("methods", TEXT, methods, "LIST", "methods such as wls,iv,slide+Fs (default: all)",
             .letter = 'm', .basic = true),
    TASK_ROW("unknowns", TEXT, unknowns, "WHICH",
             "base parameters: all (default), or nonzero in truth (modes)"),
    TASK_ROW("runs", COUNT, runs, "N", "recordings to simulate (default 30)", .letter = 'n',
             RBV_FROM(1, 1000000), .basic = true),
    TASK_ROW("output", OUTPUT, output, "FILE", "write the results, .csv or .json", .letter = 'o',
             .basic = true),
    TASK_ROW("gain-error", REAL, gain_error_percent, "PERCENT",
             "error of the controller gains that the methods use, alternately + and -",
             RBV_FROM(-99, 99)),
    TASK_ROW("plant-stribeck", REAL, plant.stribeck_excess, "SHARE",
             "unmodelled friction at rest: 0.3 means 1.3 Fc", RBV_SHARE_ABOVE(-1, 1e3)),
    TASK_ROW("plant-stribeck-speed", REAL, excess_speed, "RAD_PER_S",
             "speed at which this friction has dropped to a third (default 0.1)",
             RBV_ABOVE(0, 1e6)),
    TASK_ROW("validate", TEXT, second, "TRAJ.csv",
             "motion for the validation error; auto (default) or none"),
    TASK_ROW("no-shift", FLAG, no_shift, NULL, "do not shift the reference by up to half a count"),
    TASK_ROW("differentiate", TEXT, differentiate, "METHOD", "bandpass (default), irw or spline"),
    TASK_ROW("cutoff", REAL, cutoff_hz, "HZ",
             "low-pass of the derivatives (default: from one run; modes 50)", .letter = 'c',
             RBV_FROM(0, 1e6)),
    {0}};

static const rbv_option more_rows[] = {
    TASK_ROW("trim", COUNT, trim, "N", "without decimation: samples dropped at each end",
             RBV_FROM(1, 100000000)),
    TASK_ROW("skip", REAL, skip_s, "S", "methods that simulate ignore this time at the start",
             RBV_FROM(0, 1e6)),
    TASK_JOBS,
    TASK_ROW("device", TEXT, device, "NAME",
             "simulate on cpu (default), cuda, or auto: cuda if there is one",
             .choice = rbv_device_choice),
    {0}};

static const rbv_option save_rows[] = {
    TASK_ROW("save-controller", OUTPUT, save, "FILE", "write the controller that was used"), {0}};

static void defaults(void *data) {
  rbv_montecarlo_task *t = data;
  t->robot = rbv_robot_defaults();
  t->plant = rbv_plant_defaults();
  t->filter = rbv_filter_defaults();
  t->second = "auto";
  t->differentiate = "bandpass";
  t->unknowns = "all";
  t->excess_speed = 0.1;
  t->runs = 30;
}

static void groups(rbv_option_group *out, void *data) {
  rbv_montecarlo_task *t = data;
  out[0] = (rbv_option_group){own_rows, t};
  out[1] = (rbv_option_group){rbv_filter_rows(), &t->filter};
  out[2] = (rbv_option_group){more_rows, t};
  out[3] = (rbv_option_group){rbv_plant_rows(), &t->plant};
  out[4] = (rbv_option_group){save_rows, t};
  out[5] = (rbv_option_group){rbv_robot_rows(), &t->robot};
}

static void forget(void *data) {
  rbv_montecarlo_task *j = data;
  rbv_montecarlo_summary_free(j->summary);
  rbv_montecarlo_free(j->study);
  rbv_device_close(j->opened);
  rbv_sim_reference_release(j->second_motion);
  rbv_free(j->method_list);
  rbv_plant_free(j->p);
  rbv_free(j->truth);
  rbv_model_free(j->other);
  rbv_model_free(j->m);
}

/* ---- modes: sets of options, which other options override ---- */

/* loop, encoder and disturbance of each mode */
static const struct {
  const char *name;
  const char *bandwidth;  // of the TX40
  double integral, roll_off;
  double record_counts, loop_counts, loop_noise;
  const char *disturbance;
} modes[] = {
    {"offline", "12,12,16,24,24,40", 0.2, 10, 3600, 0, 0, "2%"},
    {"inloop", "6,6,8,12,12,20", 0.1, 3, 0, 3600, 0, "2%"},
    {"white", "6,6,8,12,12,20", 0.1, 3, 0, 0, 1e-4, NULL},
};

#define MODE_CUTOFF_HZ 50
#define MODE_DECIMATE 125

static rbv_status apply_mode(void *data) {
  rbv_montecarlo_task *o = data;
  for (int i = 0; i < RBV_COUNT(modes); i++) {
    if (strcmp(modes[i].name, o->mode) != 0) continue;
    o->plant.bandwidth = modes[i].bandwidth;
    o->plant.integral = modes[i].integral;
    o->plant.roll_off = modes[i].roll_off;
    o->plant.sim.defects.record_counts = modes[i].record_counts;
    o->plant.sim.defects.loop_counts = modes[i].loop_counts;
    o->plant.sim.defects.loop_noise = modes[i].loop_noise;
    o->plant.disturbance = modes[i].disturbance;
    o->cutoff_hz = MODE_CUTOFF_HZ;
    o->filter.decimate = MODE_DECIMATE;
    o->filter.mask = 0;
    o->unknowns = "nonzero";
    return RBV_OK;
  }
  return rbv_fail_option(RBV_EOPTION, "mode", "mode can be offline, inloop or white, not '%s'",
                         o->mode);
}

/* ---- the plan ---- */

/* a method, with or without columns of Stribeck friction */
static rbv_status check_method(const rbv_montecarlo_task *j, char *name) {
  char *end = strstr(name, RBV_MONTECARLO_STRIBECK);
  const bool stribeck = end && strcmp(end, RBV_MONTECARLO_STRIBECK) == 0;
  if (stribeck && !(rbv_model_stribeck(j->m) > 0))
    return rbv_fail_option(RBV_EOPTION, "stribeck",
                           "'%s' needs columns of Stribeck friction: give a speed", name);
  rbv_identification_options o = rbv_identification_defaults();
  o.method = name;
  if (stribeck) *end = 0;
  const rbv_status status = rbv_identification_check(&o);
  if (stribeck) *end = RBV_MONTECARLO_STRIBECK[0];
  return status;
}

/* "wls,iv", split in place; NULL: all methods that fit torques (the others take much longer) */
static rbv_status choose_methods(rbv_montecarlo_task *j) {
  rbv_montecarlo_plan *p = &j->plan;
  if (!j->methods) {
    const char *name;
    for (int i = 0; p->nmethod < RBV_MONTECARLO_METHODS && (name = rbv_identify_method(i)); i++)
      if (rbv_method_find(name)->loop != RBV_LOOP_OUTPUT) p->method[p->nmethod++] = name;
    return RBV_OK;
  }
  j->method_list = rbv_strdup(j->methods);
  if (!j->method_list) return RBV_EMEM;
  char *rest;
  for (char *name = strtok_r(j->method_list, ",", &rest); name; name = strtok_r(NULL, ",", &rest)) {
    if (p->nmethod == RBV_MONTECARLO_METHODS)
      return rbv_fail_option(RBV_EOPTION, "methods", "methods can name at most %d",
                             RBV_MONTECARLO_METHODS);
    RBV_TRY(check_method(j, name));
    p->method[p->nmethod++] = name;
  }
  if (p->nmethod > 0) return RBV_OK;
  return rbv_fail_option(RBV_EOPTION, "methods", "methods is empty");
}

/* choose cut-off, decimation and mask, unless given, from the data of one run of the plant */
static rbv_status settle_filter(rbv_montecarlo_task *j) {
  rbv_montecarlo_plan *p = &j->plan;
  p->filter.decimate = j->filter.decimate;
  p->filter.mask = j->filter.mask;
  p->filter.trim = j->trim;
  if (j->filter.decimate > 0 && j->filter.mask >= 0 && p->differentiate.cutoff_hz > 0)
    return RBV_OK;
  rbv_plant *plant = j->p;
  rbv_log *log = NULL;
  rbv_motion *motion = NULL;
  rbv_row_filter suggested;
  rbv_status status = rbv_plant_run(plant, NULL);
  if (status == RBV_OK)
    status = rbv_sim_log(&log, plant->last, 0, &plant->trace, &plant->outcome, NULL);
  if (status == RBV_OK) status = rbv_motion_from_log(&motion, j->m, log, &p->differentiate);
  if (status == RBV_OK)
    status = rbv_row_filter_suggest(&suggested, j->m, &motion, 1, j->common.threads);
  if (status == RBV_OK) {
    const double found = rbv_motion_get_origin(motion)->cutoff_hz;
    if (!(p->differentiate.cutoff_hz > 0)) p->differentiate.cutoff_hz = found;
    if (j->filter.decimate == 0) {
      p->filter.decimate = suggested.decimate;
      p->filter.band = suggested.band;
    }
    if (isnan(j->filter.mask)) p->filter.mask = suggested.mask;
    rbv_tell(&j->common.notes, NULL, "from one run: cut-off %.3g Hz, decimation %d, mask %.3g",
             p->differentiate.cutoff_hz, p->filter.decimate, p->filter.mask);
  }
  rbv_motion_free(motion);
  rbv_log_free(log);
  return status;
}

static rbv_status choose_second(rbv_montecarlo_task *j) {
  rbv_sim_reference *r = &j->plan.second;
  if (strcmp(j->second, "none") == 0) return RBV_OK;
  const rbv_plant *p = j->p;
  if (strcmp(j->second, "auto") != 0)
    return rbv_plant_reference(r, &j->second_motion, p, j->second, &j->common.notes);
  RBV_TRY(rbv_sim_reference_second(&j->second_motion, &p->reference, p->njoint,
                                   rbv_control_rate_hz(p->control)));
  *r = p->reference;
  r->q = j->second_motion;
  return RBV_OK;
}

/* identity of the robot: the hash of its file and the options that change how it is read */
static void identify_robot(rbv_montecarlo_task *j) {
  const char *robot = j->common.input[0];
  char hash[65];
  const bool built_in = !*rbv_model_sha256(j->m);
  if (built_in)
    rbv_hash_bytes(hash, robot, strlen(robot));
  else
    snprintf(hash, sizeof hash, "%s", rbv_model_sha256(j->m));
  const rbv_model_options *o = &j->robot.model;
  snprintf(j->identity, sizeof j->identity, "%s%s%s%s%s%s%s", hash, built_in ? " built-in" : "",
           o->snap ? "" : " no-snap", o->tip ? " tip " : "", o->tip ? o->tip : "",
           o->root ? " root " : "", o->root ? o->root : "");
  j->plan.robot = j->identity;
}

/* parameters of the robot in the columns of the model; friction of another law has no column */
static rbv_status find_truth(rbv_montecarlo_task *j) {
  const int count = rbv_model_column_count(j->m);
  const bool same = rbv_model_stribeck(j->m) == rbv_model_stribeck(j->other);
  if (!(j->truth = rbv_alloc((size_t)count * sizeof *j->truth))) return RBV_EMEM;
  for (int c = 0; c < count; c++) {
    const rbv_column *column = rbv_model_column(j->m, c);
    const int of = rbv_model_find(j->other, column->name);
    if (of >= 0 && (same || !rbv_column_has_law(column, "Fs"))) j->truth[c] = j->p->chi[of];
  }
  return RBV_OK;
}

static rbv_status make_plan(rbv_montecarlo_task *j, const rbv_plant_options *plant) {
  rbv_montecarlo_plan *p = &j->plan;
  RBV_TRY(rbv_plant_new(&j->p, j->other, j->reference, plant, &j->common.notes));
  // methods and plant must have the same smooth law of Coulomb friction
  RBV_TRY(rbv_model_smooth_like(&j->m, j->p->model));
  if (j->save) RBV_TRY(rbv_control_save(j->p->control, j->save));
  RBV_TRY(find_truth(j));
  identify_robot(j);
  RBV_TRY(choose_methods(j));
  p->model = j->m;
  p->chi = j->truth;
  p->plant = j->p->model;
  p->plant_chi = j->p->chi;
  p->control = j->p->control;
  p->reference = j->p->reference;
  p->sim = j->p->sim;
  p->gain_error = j->gain_error_percent / 100;
  p->shift = !j->no_shift;
  p->nonzero = j->nonzero;
  p->runs = j->runs;
  p->seed = j->common.seed;
  p->skip = (ptrdiff_t)(j->skip_s * rbv_control_rate_hz(p->control));
  p->differentiate = rbv_differentiate_defaults();
  p->differentiate.cutoff_hz = j->cutoff_hz;
  p->differentiate.loaded = p->sim.loaded;
  if (!rbv_differentiation_parse(&p->differentiate.method, j->differentiate))
    return rbv_fail_option(RBV_EOPTION, "differentiate", "differentiate cannot be '%s'",
                           j->differentiate);
  RBV_TRY(settle_filter(j));
  return choose_second(j);
}

static rbv_status check_options(rbv_montecarlo_task *j) {
  RBV_TRY(rbv_plant_check(&j->plant));
  if (!j->shard) RBV_TRY(rbv_summary_output_check(j->output));
  j->nonzero = strcmp(j->unknowns, "nonzero") == 0;
  if (!j->nonzero && strcmp(j->unknowns, "all") != 0)
    return rbv_fail_option(RBV_EOPTION, "unknowns", "unknowns can be all or nonzero, not '%s'",
                           j->unknowns);
  return RBV_OK;
}

/* the robot of the methods and that of the plant, which may also have Stribeck friction */
static rbv_status load_robots(rbv_montecarlo_task *j) {
  RBV_TRY(rbv_robot_load(&j->m, j->common.input[0], &j->robot, &j->common.notes));
  rbv_model_terms plant = rbv_model_get_terms(j->m);
  if (j->plant.stribeck_excess != 0) plant.stribeck = j->excess_speed;
  return rbv_model_variant(&j->other, j->m, &plant);
}

static rbv_status make_study(rbv_montecarlo_task *j) {
  char text[RBV_DEVICE_TEXT];
  RBV_TRY(rbv_device_open(&j->opened, text, j->device ? j->device : RBV_DEVICE_DEFAULT));
  if (text[0]) rbv_tell(&j->common.notes, "device", "%s", text);
  j->plan.device = j->opened;
  j->plan.threads = j->common.threads;
  const rbv_status status = rbv_montecarlo_new(&j->study, &j->plan);
  if (status != RBV_EUNSUPPORTED || !j->opened || strcmp(j->device, "auto") != 0) return status;
  rbv_tell(&j->common.notes, "device", "the CPU is used: %s", rbv_message());
  j->plan.device = NULL;
  return rbv_montecarlo_new(&j->study, &j->plan);
}

static rbv_status prepare(void *data) {
  rbv_montecarlo_task *j = data;
  RBV_TRY(check_options(j));
  rbv_plant_options plant = j->plant;
  if (rbv_plant_add_noise(&plant))
    rbv_tell(&j->common.notes, "torque-noise",
             "no noise was given: the recording has an encoder of %d counts per turn and torque "
             "noise of %s, 0 for none",
             RBV_PLANT_COUNTS, RBV_PLANT_TORQUE_NOISE);
  RBV_TRY(load_robots(j));
  plant.seed = j->common.seed;
  plant.sim.gamma = rbv_model_gamma(j->m);
  plant.sim.loaded = rbv_model_has_payload(j->m);
  RBV_TRY(make_plan(j, &plant));
  return make_study(j);
}

static rbv_task_jobs jobs(const void *data) {
  const rbv_montecarlo_task *j = data;
  return (rbv_task_jobs){.jobs = rbv_montecarlo_jobs(j->study),
                         .shard = j->shard,
                         .journal = j->journal,
                         .shard_file = j->output,
                         .resume = j->resume,
                         .threads = rbv_montecarlo_workers(j->study, j->common.threads)};
}

/* ---- the result ---- */

static rbv_status finish(void *data) {
  rbv_montecarlo_task *j = data;
  j->common.answer = true;
  if (j->shard) return RBV_OK;
  RBV_TRY(rbv_montecarlo_summarise(&j->summary, j->study));
  // negative outcome if no run has a result
  j->common.answer = j->summary->diverged != j->summary->done;
  return rbv_summary_save(j->output, j->summary);
}

static bool has_text(const void *data) {
  const rbv_montecarlo_task *j = data;
  return j->summary != NULL;
}

static rbv_status put(rbv_json *json, const void *data) {
  const rbv_montecarlo_task *j = data;
  return rbv_summary_put(json, j->summary);
}

const task_kind rbv_montecarlo_kind =
    TASK_KIND("montecarlo", "ROBOT", 1, 1, nonzero, .prepare = prepare, .jobs = jobs,
              .finish = finish, .has_text = has_text, .preset = "mode", .apply = apply_mode);
