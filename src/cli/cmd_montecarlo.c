/* roberval montecarlo: apply every method to many simulated recordings with known parameters. */
#include <math.h>
#include <roberval/sys/identify.h>
#include <roberval/sys/montecarlo.h>
#include <roberval/sys/plant.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "journal_options.h"
#include "library_calls.h"
#include "montecarlo_table.h"

#define OPTIONS 96  // capacity of the table

typedef struct {
  cli_common common;
  cli_robot robot;
  rbv_plant_options plant;
  rbv_filter_options filter;
  cli_jobs jobs;
  const char *mode, *reference, *second, *methods, *differentiate, *output, *save;
  double cutoff_hz, skip_s, gain_error_percent, excess_speed;
  int runs, trim;
  bool no_shift;
  const char *unknowns;
  bool nonzero;  // only unknowns that are nonzero in truth
} options;

typedef struct {
  const options *o;
  rbv_model *m;      // used by the methods
  rbv_model *robot;  // simulated; may have more columns
  double *truth;     // parameters of the robot, in the columns of the model
  rbv_plant *plant;
  rbv_montecarlo_plan plan;
  double *second;  // memory of the validation reference
  char *methods;   // the list, split at its commas
  char identity[256];
  rbv_montecarlo *study;
} job;

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

/* the value of --mode before anything else is parsed; NULL: not given */
static const char *find_mode(int argc, char **argv) {
  for (int i = 1; i < argc; i++) {
    if (strncmp(argv[i], "--mode=", 7) == 0) return argv[i] + 7;
    if (strcmp(argv[i], "--mode") == 0 && i + 1 < argc) return argv[i + 1];
  }
  return NULL;
}

static int set_mode(options *o, const char *name) {
  if (!name) return -1;
  for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
    if (strcmp(modes[i].name, name) != 0) continue;
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
    return -1;
  }
  return cli_usage("montecarlo", "--mode can be offline, inloop or white, not '%s'", name);
}

/* ---- the plan ---- */

/* add a method, with or without columns of Stribeck friction */
static int check_method(const job *j, char *name) {
  char *end = strstr(name, RBV_MONTECARLO_STRIBECK);
  const bool stribeck = end && strcmp(end, RBV_MONTECARLO_STRIBECK) == 0;
  if (stribeck && !(rbv_model_stribeck(j->m) > 0))
    return cli_usage("montecarlo", "'%s' needs columns of Stribeck friction: use --stribeck V",
                     name);
  if (stribeck) *end = 0;
  const int code = cli_check_method("montecarlo", name);
  if (stribeck) *end = RBV_MONTECARLO_STRIBECK[0];
  return code;
}

/* "wls,iv", split in place; NULL: all methods that fit torques (the others take much longer) */
static int choose_methods(job *j) {
  rbv_montecarlo_plan *p = &j->plan;
  if (!j->o->methods) {
    const char *name;
    for (int i = 0; p->nmethod < RBV_MONTECARLO_METHODS && (name = rbv_identify_method(i)); i++)
      if (!rbv_identify_fits_positions(name)) p->method[p->nmethod++] = name;
    return -1;
  }
  j->methods = malloc(strlen(j->o->methods) + 1);
  if (!j->methods) return cli_out_of_memory();
  strcpy(j->methods, j->o->methods);
  for (char *name = strtok(j->methods, ","); name; name = strtok(NULL, ",")) {
    if (p->nmethod == RBV_MONTECARLO_METHODS)
      return cli_usage("montecarlo", "--methods can name at most %d", RBV_MONTECARLO_METHODS);
    const int code = check_method(j, name);
    if (code >= 0) return code;
    p->method[p->nmethod++] = name;
  }
  return p->nmethod > 0 ? -1 : cli_usage("montecarlo", "--methods is empty");
}

/* choose cut-off, decimation and mask, unless given, from the data of one run of the plant */
static int settle_filter(job *j) {
  rbv_montecarlo_plan *p = &j->plan;
  const options *o = j->o;
  p->filter.decimate = o->filter.decimate;
  p->filter.mask = o->filter.mask;
  p->filter.trim = o->trim;
  if (o->filter.decimate > 0 && o->filter.mask >= 0 && p->differentiate.cutoff_hz > 0) return -1;
  rbv_plant *plant = j->plant;
  rbv_log *log = NULL;
  rbv_motion *motion = NULL;
  rbv_row_filter suggested;
  rbv_status status = rbv_plant_run(plant, NULL);
  if (status == RBV_OK)
    status = rbv_sim_log(&log, plant->last, 0, &plant->trace, &plant->outcome, NULL);
  if (status == RBV_OK) status = rbv_motion_from_log(&motion, j->m, log, &p->differentiate);
  if (status == RBV_OK)
    status = rbv_row_filter_suggest(&suggested, j->m, &motion, 1, o->common.threads);
  if (status == RBV_OK) {
    const double found = rbv_motion_get_origin(motion)->cutoff_hz;
    if (!(p->differentiate.cutoff_hz > 0)) p->differentiate.cutoff_hz = found;
    if (o->filter.decimate == 0) {
      p->filter.decimate = suggested.decimate;
      p->filter.band = suggested.band;
    }
    if (isnan(o->filter.mask)) p->filter.mask = suggested.mask;
    cli_message(&o->common, "from one run: cut-off %.3g Hz, decimation %d, mask %.3g\n",
                p->differentiate.cutoff_hz, p->filter.decimate, p->filter.mask);
  }
  rbv_motion_free(motion);
  rbv_log_free(log);
  return status == RBV_OK ? -1 : cli_fail(status);
}

static int choose_second(job *j) {
  const char *second = j->o->second;
  rbv_sim_reference *r = &j->plan.second;
  if (strcmp(second, "none") == 0) return -1;
  const rbv_plant *p = j->plant;
  const rbv_notes notes = cli_notes(&j->o->common);
  rbv_status status;
  if (strcmp(second, "auto") != 0) {
    status = rbv_plant_reference(r, &j->second, p, second, &notes);
  } else {
    status = rbv_sim_reference_second(&j->second, &p->reference, p->njoint,
                                      rbv_control_rate_hz(p->control));
    *r = p->reference;
    r->q = j->second;
  }
  return status == RBV_OK ? -1 : cli_fail(status);
}

/* identity of the robot: the hash of its file and the options that change how it is read */
static int identify_robot(job *j, const char *robot) {
  char hash[65];
  const bool built_in = !*rbv_model_sha256(j->m);
  if (built_in)
    rbv_hash_bytes(hash, robot, strlen(robot));
  else
    snprintf(hash, sizeof hash, "%s", rbv_model_sha256(j->m));
  const rbv_model_options *o = &j->o->robot.model;
  snprintf(j->identity, sizeof j->identity, "%s%s%s%s%s", hash, built_in ? " built-in" : "",
           o->snap ? "" : " no-snap", o->tip ? " tip " : "", o->tip ? o->tip : "");
  j->plan.robot = j->identity;
  return -1;
}

/* parameters of the robot in the columns of the model; friction of another law has no column */
static int find_truth(job *j) {
  const int count = rbv_model_column_count(j->m);
  const bool same = rbv_model_stribeck(j->m) == rbv_model_stribeck(j->robot);
  if (!(j->truth = calloc((size_t)count, sizeof *j->truth))) return cli_out_of_memory();
  for (int c = 0; c < count; c++) {
    const rbv_column *column = rbv_model_column(j->m, c);
    const int of = rbv_model_find(j->robot, column->name);
    if (of >= 0 && (same || !rbv_column_has_law(column, "Fs"))) j->truth[c] = j->plant->chi[of];
  }
  return -1;
}

static int make_plan(job *j, const char *robot) {
  const options *o = j->o;
  rbv_montecarlo_plan *p = &j->plan;
  const rbv_notes notes = cli_notes(&o->common);
  rbv_status status = rbv_plant_new(&j->plant, j->robot, o->reference, &o->plant, &notes);
  // methods and plant must have the same smooth law of Coulomb friction
  for (int i = 0; status == RBV_OK && i < rbv_model_joint_count(j->m); i++)
    rbv_model_set_smoothing(j->m, i, rbv_model_smoothing(j->robot, i).speed);
  if (status == RBV_OK && o->save) status = rbv_control_save(j->plant->control, o->save);
  int code = status == RBV_OK ? find_truth(j) : cli_fail(status);
  if (code < 0) code = identify_robot(j, robot);
  if (code < 0) code = choose_methods(j);
  if (code >= 0) return code;
  p->model = j->m;
  p->chi = j->truth;
  p->plant = j->robot;
  p->plant_chi = j->plant->chi;
  p->control = j->plant->control;
  p->reference = j->plant->reference;
  p->sim = j->plant->sim;
  p->gain_error = o->gain_error_percent / 100;
  p->shift = !o->no_shift;
  p->nonzero = o->nonzero;
  p->runs = o->runs;
  p->seed = o->common.seed;
  p->skip = (ptrdiff_t)(o->skip_s * rbv_control_rate_hz(p->control));
  p->differentiate = rbv_differentiate_defaults();
  p->differentiate.cutoff_hz = o->cutoff_hz;
  p->differentiate.loaded = p->sim.loaded;
  if (!rbv_differentiation_parse(&p->differentiate.method, o->differentiate))
    return cli_usage("montecarlo", "--differentiate cannot be '%s'", o->differentiate);
  code = settle_filter(j);
  return code < 0 ? choose_second(j) : code;
}

/* ---- running ---- */

static int work(job *j, const char *robot) {
  const options *o = j->o;
  const int code = make_plan(j, robot);
  if (code >= 0) return code;
  const rbv_status status = rbv_montecarlo_new(&j->study, &j->plan);
  if (status != RBV_OK) return cli_fail(status);
  bool interrupted;
  const int ran = cli_jobs_run(&interrupted, "montecarlo", &o->jobs, rbv_montecarlo_jobs(j->study),
                               o->output, &o->common);
  if (ran >= 0) return ran;
  const int reported = cli_report_study(j->study, o->output, &o->common);
  return interrupted && reported <= EXIT_NO ? EXIT_INTERRUPTED : reported;
}

/* the robot of the methods and that of the plant, which may also have Stribeck friction */
static int load_robots(job *j, options *o, const char *robot) {
  const int code = cli_load_robot(&j->m, "montecarlo", &o->robot, robot, &o->common);
  if (code >= 0) return code;
  rbv_model_options plant = o->robot.model;
  if (o->plant.stribeck_excess != 0) plant.stribeck = o->excess_speed;
  const rbv_status status = rbv_model_load(&j->robot, robot, &plant);
  return status == RBV_OK ? -1 : cli_fail(status);
}

static int check(options *o) {
  const rbv_status status = rbv_plant_check(&o->plant);
  int code = status == RBV_OK ? -1 : cli_fail(status);
  if (code < 0 && !o->jobs.shard) code = cli_check_report("montecarlo", o->output);
  if (code >= 0) return code;
  o->nonzero = strcmp(o->unknowns, "nonzero") == 0;
  if (!o->nonzero && strcmp(o->unknowns, "all") != 0)
    return cli_usage("montecarlo", "--unknowns can be all or nonzero, not '%s'", o->unknowns);
  return -1;
}

int cli_run_montecarlo(int argc, char **argv) {
  options o = {.common = CLI_COMMON_DEFAULTS,
               .robot = {.model = rbv_model_defaults()},
               .plant = rbv_plant_defaults(),
               .filter = rbv_filter_defaults(),
               .second = "auto",
               .differentiate = "bandpass",
               .unknowns = "all",
               .excess_speed = 0.1,
               .runs = 30};
  int code = set_mode(&o, find_mode(argc, argv));
  if (code >= 0) return code;
  const cli_opt own[] = {
      {"mode", 0, OPT_TEXT, &o.mode, "MODE",
       "preset: offline, inloop or white; other options override it"},
      {"reference", 0, OPT_TEXT, &o.reference, "TRAJ.csv",
       "reference motion (default: built-in motion of the robot)"},
      {"methods", 'm', OPT_TEXT, &o.methods, "LIST",
       "methods such as wls,iv,slide+Fs (default: all)"},
      {"unknowns", 0, OPT_TEXT, &o.unknowns, "WHICH",
       "base parameters: all (default), or nonzero in truth (modes)"},
      {"runs", 'n', OPT_COUNT, &o.runs, "N", "recordings to simulate (default 30)",
       RBV_FROM(1, 1000000)},
      {"output", 'o', OPT_TEXT, &o.output, "FILE", "write the results, .csv or .json"},
      {"gain-error", 0, OPT_REAL, &o.gain_error_percent, "PERCENT",
       "error of the controller gains that the methods use, alternately + and -",
       RBV_FROM(-99, 99)},
      {"plant-stribeck", 0, OPT_REAL, &o.plant.stribeck_excess, "SHARE",
       "unmodelled friction at rest: 0.3 means 1.3 Fc", RBV_ABOVE(-1, 1e3)},
      {"plant-stribeck-speed", 0, OPT_REAL, &o.excess_speed, "RAD_PER_S",
       "speed at which this friction has dropped to a third (default 0.1)", RBV_ABOVE(0, 1e6)},
      {"validate", 0, OPT_TEXT, &o.second, "TRAJ.csv",
       "motion for the validation error; auto (default) or none"},
      {"no-shift", 0, OPT_FLAG, &o.no_shift, NULL,
       "do not shift the reference by up to half a count"},
      {"differentiate", 0, OPT_TEXT, &o.differentiate, "METHOD",
       "bandpass (default), irw or spline"},
      {"cutoff", 'c', OPT_REAL, &o.cutoff_hz, "HZ",
       "low-pass of the derivatives (default: from one run; modes 50)", RBV_FROM(0, 1e6)},
      CLI_ROWS(rbv_filter_rows(), o.filter),
      {"trim", 0, OPT_COUNT, &o.trim, "N", "without decimation: samples dropped at each end",
       RBV_FROM(1, 100000000)},
      {"skip", 0, OPT_REAL, &o.skip_s, "S", "methods that simulate ignore this time at the start",
       RBV_FROM(0, 1e6)},
      CLI_JOBS(o.jobs),
      {0}};
  const cli_opt rest[] = {
      {"save-controller", 0, OPT_TEXT, &o.save, "FILE", "write the controller that was used"},
      CLI_ROBOT(o.robot),
      CLI_COMMON(o.common),
      {0}};
  const rbv_option_group plant[] = {{rbv_plant_rows(), &o.plant}, {0}};
  cli_opt table[OPTIONS];
  int rows = cli_add_rows(table, own);
  rows += cli_add_groups(table + rows, plant);
  cli_add_rows(table + rows, rest);
  int count;
  code = cli_parse(&count, argc, argv, "montecarlo", table);
  if (code < 0) code = check(&o);
  if (code >= 0) return code;
  if (rbv_plant_add_noise(&o.plant))
    cli_message(&o.common,
                "no noise was given: the recording has an encoder of %d counts per turn and torque "
                "noise of %s (--torque-noise 0 for none)\n",
                RBV_PLANT_COUNTS, RBV_PLANT_TORQUE_NOISE);
  job j = {.o = &o};
  code = load_robots(&j, &o, argv[1]);
  if (code < 0) {
    o.plant.seed = o.common.seed;
    o.plant.sim.gamma = rbv_model_gamma(j.m);
    o.plant.sim.loaded = rbv_model_has_payload(j.m);
    code = work(&j, argv[1]);
  }
  rbv_montecarlo_free(j.study);
  rbv_sim_reference_release(j.second);
  free(j.methods);
  rbv_plant_free(j.plant);
  free(j.truth);
  rbv_model_free(j.robot);
  rbv_model_free(j.m);
  return code;
}
