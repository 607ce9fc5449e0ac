/* roberval identify: recordings in, parameters with their uncertainty out. */
#include <math.h>
#include <roberval/sys/identify.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "identify_fleet.h"
#include "identify_output.h"
#include "loop_options.h"
#include "provenance.h"
#include "report_options.h"

#define BACK_EMF_CUTOFF_HZ 50
#define SIMULATED_GAMMA 150  // (2/pi) atan(150 dq), as Brunot 2018 section 5.2 has it

typedef struct {
  cli_common common;
  cli_robot robot;
  cli_recording recording;
  cli_filter filter;
  cli_loop_options loop;
  cli_list loaded, validate;
  const char *fleet, *output, *prior, *weights, *auto_filter, *back_emf, *bounds;
  cli_report report;
  cli_jobs jobs;
  double known_mass;
  char gains[1024];  // found on the way, as the option --gains takes them
  rbv_identify_options identify;
} options;

/* what a run holds; freed together */
typedef struct {
  rbv_model *model;
  cli_motions motions, others;
  cli_loop loop;
  cli_prior prior;
  double *row_sigma;
  rbv_ellipsoid *bound;
  rbv_estimate *estimate;
  rbv_prediction *validation;
} job;

static void free_job(job *j) {
  cli_motions_free(&j->motions);
  cli_motions_free(&j->others);
  cli_loop_free(&j->loop);
  cli_prior_free(&j->prior);
  free(j->row_sigma);
  free(j->bound);
  rbv_prediction_free(j->validation);
  rbv_estimate_free(j->estimate);
  rbv_model_free(j->model);
}

/* ---- what to lean on, and weights ---- */

static int read_prior(job *j, options *o) {
  if (!o->prior) return -1;
  if (strcmp(o->prior, "robot") == 0 && !rbv_model_parameters(j->model))
    return cli_usage("identify", "--prior robot: the robot file gives no values");
  const rbv_status status = cli_prior_load(&j->prior, o->prior, j->model);
  o->identify.prior = j->prior.value;
  o->identify.prior_sigma = j->prior.sigma;
  return status == RBV_OK ? -1 : cli_fail(status);
}

/* sigma of every torque row: from the scatter between periods (Radkhah 2007 eq. 6), or from a file
 */
static int read_weights(job *j, options *o) {
  if (!o->weights || strcmp(o->weights, "residual") == 0) return -1;
  const int nrow = rbv_model_row_count(j->model);
  if (strcmp(o->weights, "periods") != 0) {
    const int code = cli_read_numbers(&j->row_sigma, "identify", "weights", o->weights, nrow);
    o->identify.row_sigma = j->row_sigma;
    return code;
  }
  j->row_sigma = calloc((size_t)nrow, sizeof *j->row_sigma);
  if (!j->row_sigma) return cli_out_of_memory();
  for (int i = 0; i < j->motions.count; i++) {
    const rbv_motion_origin *origin = rbv_motion_get_origin(j->motions.motion[i]);
    if (!origin || !origin->torque_noise)
      return cli_usage("identify",
                       "--weights periods needs --differentiate fourier and two periods or more");
    for (int r = 0; r < nrow; r++) j->row_sigma[r] += origin->torque_noise[r] / j->motions.count;
  }
  for (int r = 0; r < nrow; r++) j->row_sigma[r] = sqrt(j->row_sigma[r]);
  o->identify.row_sigma = j->row_sigma;
  return -1;
}

/* ellipsoids that hold the links: around the robot's capsules, or from a file */
static int read_bounds(job *j, options *o) {
  const rbv_model *m = j->model;
  if (!o->bounds) return -1;
  j->bound = calloc((size_t)rbv_model_joint_count(m) + rbv_model_has_payload(m), sizeof *j->bound);
  if (!j->bound) return cli_out_of_memory();
  o->identify.bound = j->bound;
  if (strcmp(o->bounds, "robot") != 0) {
    const rbv_status status = rbv_consistency_load_bounds(j->bound, m, o->bounds);
    return status == RBV_OK ? -1 : cli_fail(status);
  }
  bool any = false;
  for (int i = 0; i < rbv_model_capsule_count(m); i++)
    any = any || rbv_model_capsule(m, i)->link > 0;
  if (!any)
    return cli_usage("identify",
                     "--bounds robot: the robot file has no shapes that can be read; list "
                     "capsules under 'collision', or give a file of ellipsoids");
  rbv_consistency_bounds(j->bound, m);
  return -1;
}

/* ---- the result ---- */

#define SETTINGS 16

/* everything that another command needs to do the same again */
static int settings_of(rbv_setting *setting, const job *j, const options *o) {
  const rbv_identify_options *how = &o->identify;
  int n = 0;
  setting[n++] = (rbv_setting){"method", how->method, 0};
  setting[n++] = (rbv_setting){"decimate", NULL, how->filter.decimate};
  setting[n++] = (rbv_setting){"mask_rad_per_s", NULL, how->filter.mask};
  setting[n++] = (rbv_setting){"trim_samples", NULL, (double)how->filter.trim};
  setting[n++] = (rbv_setting){"prior", o->prior ? o->prior : "none", 0};
  setting[n++] = (rbv_setting){"prior_weight", NULL, j->estimate->prior_weight};
  setting[n++] = (rbv_setting){"essential", how->essential ? "yes" : "no", 0};
  setting[n++] = (rbv_setting){"consistent", how->consistent ? "yes" : "no", 0};
  setting[n++] = (rbv_setting){"holdout", NULL, how->holdout};
  setting[n++] = (rbv_setting){"bootstrap", NULL, how->bootstrap};
  setting[n++] = (rbv_setting){"seed", NULL, (double)how->seed};
  if (o->weights) setting[n++] = (rbv_setting){"weights", o->weights, 0};
  if (o->robot.model.tip) setting[n++] = (rbv_setting){"tip", o->robot.model.tip, 0};
  if (!o->robot.model.snap) setting[n++] = (rbv_setting){"snap", "no", 0};
  if (how->total_mass > 0)
    setting[n++] = (rbv_setting){"known_total_mass_kg", NULL, how->total_mass};
  if (o->bounds) setting[n++] = (rbv_setting){"bounds", o->bounds, 0};
  return n + cli_recording_settings(setting + n, &o->recording);
}

/* what cannot be right is said in the words of the report, and stays as it is */
static int say_doubts(const rbv_report_input *input, const cli_common *common) {
  static const char *const rules[] = {"negative", "prior", "urdf"};
  rbv_report *report;
  const rbv_status status = rbv_report_verdict(&report, input);
  if (status != RBV_OK) return cli_fail(status);
  for (int i = 0; i < report->nreason; i++)
    for (size_t k = 0; k < sizeof rules / sizeof *rules; k++)
      if (report->reason[i].level > RBV_VERDICT_USABLE &&
          strcmp(report->reason[i].rule, rules[k]) == 0)
        cli_say(common, "%s: %s\n", rbv_verdict_name(report->reason[i].level),
                report->reason[i].text);
  rbv_report_free(report);
  return EXIT_DONE;
}

static int write_report(const job *j, const options *o, const rbv_result *result) {
  const rbv_report_input input = {.result = result,
                                  .model = j->model,
                                  .nfit = j->motions.count,
                                  .fit = j->motions.motion,
                                  .nvalidation = j->others.count,
                                  .validation = j->others.motion,
                                  .filter = o->identify.filter,
                                  .prior = j->prior.value,
                                  .prior_sigma = j->prior.sigma};
  const int code = say_doubts(&input, &o->common);
  return code == EXIT_DONE ? cli_write_report(NULL, &o->report, &input, &o->common) : code;
}

/* a result and the strings it points to */
typedef struct {
  rbv_setting setting[SETTINGS + CLI_RECORDING_SETTINGS];
  char hash[65];
  rbv_result result;
} record;

/* rbv_estimate_unreport frees the result */
static rbv_status fill_record(record *r, const job *j, const options *o, const char *robot) {
  r->result = (rbv_result){.ninput = j->motions.count,
                           .input = j->motions.input,
                           .nvalidation_input = j->others.count,
                           .validation_input = j->others.input,
                           .nsetting = settings_of(r->setting, j, o),
                           .setting = r->setting};
  // a built-in robot is no file and needs no hash
  if (rbv_hash_file(r->hash, robot) != RBV_OK) r->hash[0] = 0;
  r->result.robot_file = (rbv_input){.path = robot, .sha256 = r->hash};
  const rbv_status status = rbv_estimate_report(&r->result, j->estimate, j->model);
  if (j->validation) r->result.validation = j->validation->fit;
  return status;
}

static int write_json(const options *o, const rbv_result *result) {
  char *json = NULL;
  size_t size;
  if (!o->output && !o->common.json) return EXIT_DONE;
  const rbv_status status = rbv_result_write(&json, &size, result);
  int code = status == RBV_OK ? EXIT_DONE : cli_fail(status);
  if (code == EXIT_DONE && o->output) code = cli_write(o->output, json, size);
  if (code == EXIT_DONE && o->common.json) code = cli_write(NULL, json, size);
  rbv_text_release(json);
  return code;
}

static int write_result(const job *j, const options *o, const char *robot) {
  record r;
  const rbv_status status = fill_record(&r, j, o, robot);
  int code = status == RBV_OK ? EXIT_DONE : cli_fail(status);
  if (code == EXIT_DONE) code = write_json(o, &r.result);
  if (code == EXIT_DONE) code = write_report(j, o, &r.result);
  rbv_estimate_unreport(&r.result);
  return code;
}

/* ---- how much the answer moves with the filter ---- */

/* largest change of an estimated parameter, in its sigma, when the filter is another one */
static double largest_move(const rbv_estimate *a, const rbv_estimate *b) {
  double largest = 0;
  for (int k = 0; k < a->base->count; k++) {
    const double sigma = sqrt(a->covariance[k + (ptrdiff_t)k * a->base->count]);
    if (isfinite(sigma) && sigma > 0)
      largest = fmax(largest, fabs(a->value[k] - b->value[k]) / sigma);
  }
  return largest;
}

static int scan_filters(const job *j, const options *o) {
  cli_say(&o->common,
          "sensitivity: decimation, mask [rad/s], error, largest move of a parameter\n");
  static const double factor[] = {0.5, 1, 2};
  for (int d = 0; d < 3; d++)
    for (int k = 0; k < 3; k++) {
      rbv_identify_options other = o->identify;
      const double decimate = rint(factor[d] * o->identify.filter.decimate);
      other.filter.decimate = decimate < 1 ? 1 : (int)decimate;
      other.filter.mask = factor[k] * o->identify.filter.mask;
      other.bootstrap = 0;
      rbv_estimate *e;
      const rbv_status status =
          rbv_identify(&e, j->model, j->motions.motion, j->motions.count, &other);
      if (status != RBV_OK) return cli_fail(status);
      cli_say(&o->common, "  %5d %8.3g %8.2f %% %8.2f sigma\n", other.filter.decimate,
              other.filter.mask, 100 * e->fit.relative_error, largest_move(j->estimate, e));
      rbv_estimate_free(e);
    }
  return -1;
}

/* ---- drive gains ---- */

/* what was found becomes what --gains would have said */
static int take_gains(options *o, const double *gain, const double *sigma, int n) {
  size_t used = 0;
  cli_say(&o->common, "drive gains:");
  for (int i = 0; i < n; i++) {
    cli_say(&o->common, " %.5g (%.2g %%)", gain[i], 100 * sigma[i] / fabs(gain[i]));
    const int more =
        snprintf(o->gains + used, sizeof o->gains - used, "%s%.17g", i ? "," : "", gain[i]);
    if (more < 0 || used + (size_t)more >= sizeof o->gains)
      return cli_usage("identify", "the robot has too many drives");
    used += (size_t)more;
  }
  cli_say(&o->common, "\n");
  o->recording.gains = o->gains;
  return -1;
}

static int find_gains(job *j, options *o) {
  if (!o->back_emf && !(o->known_mass > 0)) return -1;
  const int n = rbv_model_joint_count(j->model);
  double *gain = calloc(2 * (size_t)n, sizeof *gain), *sigma = gain ? gain + n : NULL;
  if (!gain) return cli_out_of_memory();
  rbv_status status = RBV_OK;
  if (o->back_emf) {
    rbv_log *log;
    status = rbv_log_load(&log, o->back_emf, NULL);
    if (status == RBV_OK) status = rbv_identify_back_emf(gain, sigma, n, log, BACK_EMF_CUTOFF_HZ);
    rbv_log_free(log);
  } else {
    status = rbv_identify_gains(gain, sigma, j->model, j->motions.motion, j->motions.count,
                                &o->identify.filter, o->known_mass, o->common.seed);
  }
  const int code = status == RBV_OK ? take_gains(o, gain, sigma, n) : cli_fail(status);
  free(gain);
  return code;
}

/* ---- the run ---- */

static int load_all(job *j, const options *o, char **logs, int nlog) {
  cli_recording recording = o->recording;
  recording.reference = !rbv_identify_needs_positions(o->identify.method);
  int code = cli_motions_add(&j->motions, "identify", j->model, &recording,
                             (const char *const *)logs, nlog, false, &o->common);
  if (code < 0 && o->loaded.count > 0)
    code = cli_motions_add(&j->motions, "identify", j->model, &recording, o->loaded.item,
                           o->loaded.count, true, &o->common);
  if (code < 0 && o->validate.count > 0)
    code = cli_motions_add(&j->others, "identify", j->model, &o->recording, o->validate.item,
                           o->validate.count, false, &o->common);
  return code;
}

/* one line of a terminal, written over and over */
static void show_round(void *self, int iteration, const rbv_iteration *now) {
  (void)self;
  fprintf(stderr, "\riteration %2d   error %8.3f %%", iteration, 100 * now->residual);
  if (isfinite(now->change)) fprintf(stderr, "   largest change %9.3g sigma", now->change);
  fflush(stderr);
}

static rbv_status estimate(job *j, options *o) {
  const bool show = isatty(STDERR_FILENO) && !o->common.quiet;
  o->identify.progress = show ? show_round : NULL;
  rbv_status status =
      rbv_identify(&j->estimate, j->model, j->motions.motion, j->motions.count, &o->identify);
  o->identify.progress = NULL;
  if (show) fprintf(stderr, "\r%72s\r", "");
  if (status == RBV_OK && j->others.count > 0)
    status = rbv_predict(&j->validation, j->model, j->others.motion, j->others.count,
                         j->estimate->chi, &o->identify.filter);
  return status;
}

/* auto simulates where there is a controller to do it with */
static bool simulates(const options *o) {
  const bool can = strcmp(o->identify.method, "auto") == 0 && o->loop.controller;
  return can || rbv_identify_simulates(o->identify.method);
}

/* recordings in N m: where the gains are still to be found, they are read once more */
static int prepare(job *j, options *o, char **argv, int nlog) {
  int code = load_all(j, o, argv + 2, nlog);
  if (code < 0)
    code = cli_choose_filter(&o->identify.filter, &o->filter, j->model, &j->motions, &o->common);
  if (code < 0) code = find_gains(j, o);
  if (code < 0 && o->recording.gains == o->gains) {
    cli_motions_free(&j->motions);
    cli_motions_free(&j->others);
    code = load_all(j, o, argv + 2, nlog);
  }
  if (code < 0) code = read_prior(j, o);
  if (code < 0) code = read_weights(j, o);
  if (code < 0) code = read_bounds(j, o);
  if (code < 0 && simulates(o)) {
    code = cli_loop_load(&j->loop, "identify", &o->loop, j->model, &j->motions, &o->recording,
                         &o->identify, &o->common);
    o->identify.loop = &j->loop.loop;
  }
  return code;
}

static int solve(job *j, options *o, char **argv, int nlog) {
  const int code = prepare(j, o, argv, nlog);
  if (code >= 0) return code;
  const rbv_status status = estimate(j, o);
  return status == RBV_OK ? -1 : cli_fail(status);
}

static int tell(job *j, options *o, const char *robot) {
  cli_say_estimate(j->estimate, j->validation, j->model, &o->common);
  int code = o->auto_filter ? scan_filters(j, o) : -1;
  if (code < 0) code = write_result(j, o, robot);
  if (code != EXIT_DONE) return code;
  if (!o->common.json && !o->output) cli_print_estimate(j->estimate, j->model);
  if (o->output) cli_say(&o->common, "written: %s\n", o->output);
  return cli_judge_estimate(j->estimate, &o->common);
}

static int check(const options *o) {
  if (o->auto_filter && strcmp(o->auto_filter, "auto") != 0)
    return cli_usage("identify", "--filter can only be auto, not '%s'", o->auto_filter);
  if (!(o->known_mass >= 0)) return cli_usage("identify", "--known-mass must be positive");
  if ((o->known_mass > 0) + (o->back_emf != NULL) + (o->recording.gains != NULL) > 1)
    return cli_usage("identify", "--known-mass, --back-emf and --gains exclude each other");
  if (!(o->identify.holdout >= 0 && o->identify.holdout < 1))
    return cli_usage("identify", "--holdout must be a share below 1");
  if (o->identify.consistent && o->identify.essential)
    return cli_usage("identify", "--consistent and --essential exclude each other");
  if (!(o->identify.total_mass >= 0))
    return cli_usage("identify", "--known-total-mass must be positive");
  if ((o->identify.total_mass > 0 || o->bounds) && !o->identify.consistent)
    return cli_usage("identify", "--known-total-mass and --bounds go with --consistent");
  if (!(o->identify.prior_weight >= 0))
    return cli_usage("identify", "--prior-weight must not be negative");
  if (rbv_identify_has_instruments(o->identify.method) && (o->prior || o->identify.essential))
    return cli_usage("identify",
                     "--prior and --essential go with least squares: --method %s can --start from "
                     "a parameter file",
                     o->identify.method);
  const int code = cli_check_method("identify", o->identify.method);
  return code < 0 ? cli_check_filter("identify", &o->filter) : code;
}

/* what is only known of the robot itself */
static int check_payload(const job *j, const options *o) {
  const bool payload = rbv_model_has_payload(j->model);
  if (payload && o->loaded.count == 0)
    return cli_usage("identify", "a payload is only seen in a recording with it: --loaded LOG");
  if (!payload && o->loaded.count > 0) return cli_usage("identify", "--loaded goes with --payload");
  return o->known_mass > 0 ? cli_check_known_mass("identify", j->model) : -1;
}

/* what is simulated needs a friction law without a step, and the columns must have the same */
static int smooth_friction(job *j, options *o, const char *robot) {
  if (!simulates(o) || rbv_model_gamma(j->model) > 0) return -1;
  rbv_model_free(j->model);
  o->robot.model.gamma = SIMULATED_GAMMA;
  cli_common silent = o->common;
  silent.quiet = true;
  return cli_load_robot(&j->model, "identify", &o->robot, robot, &silent);
}

/* ---- the command ---- */

static options defaults(void) {
  return (options){.common = CLI_COMMON_DEFAULTS,
                   .robot = {.model = rbv_model_defaults()},
                   .recording = CLI_RECORDING_DEFAULTS,
                   .filter = CLI_FILTER_DEFAULTS,
                   .identify = rbv_identify_defaults()};
}

#define TABLE_MAX 64

static void fill_table(cli_opt *table, options *o) {
  const cli_opt all[] = {
      {"method", 'm', OPT_TEXT, &o->identify.method, "NAME",
       "ols, wls (default), irls, tls, didim, iv, piv, slide or auto"},
      CLI_FILTER(o->filter),
      {"filter", 0, OPT_TEXT, &o->auto_filter, "auto",
       "cut-off, decimation and mask from the data, and how much the answer moves with them"},
      {"weights", 0, OPT_TEXT, &o->weights, "KIND",
       "residual (default), periods, or a list or file of sigmas per torque row"},
      {"prior", 'p', OPT_TEXT, &o->prior, "FILE",
       "values to lean on where the motion says little; robot: those of the robot file"},
      {"prior-weight", 0, OPT_REAL, &o->identify.prior_weight, "W",
       "strength of a prior without sigma (default: by cross-validation)"},
      {"essential", 0, OPT_FLAG, &o->identify.essential, NULL,
       "drop parameters that the F-statistic does not miss"},
      {"consistent", 0, OPT_FLAG, &o->identify.consistent, NULL,
       "hold to parameters that can exist, and write standard parameters"},
      {"known-total-mass", 0, OPT_REAL, &o->identify.total_mass, "KG",
       "with --consistent: what all moving links weigh together"},
      {"bounds", 0, OPT_TEXT, &o->bounds, "FILE",
       "with --consistent: ellipsoids that hold the links; robot: around its collision shapes"},
      {"holdout", 0, OPT_REAL, &o->identify.holdout, "SHARE",
       "keep the end of each recording for validation"},
      {"validate", 0, OPT_LIST, &o->validate, "LOG", "validate on this recording (repeatable)"},
      {"bootstrap", 0, OPT_COUNT, &o->identify.bootstrap, "N",
       "a second opinion on sigma from N draws of blocks"},
      {"loaded", 0, OPT_LIST, &o->loaded, "LOG",
       "with --payload: a recording with the payload (repeatable)"},
      {"known-mass", 0, OPT_REAL, &o->known_mass, "KG",
       "with --payload: find the drive gains first, by the payload's mass"},
      {"back-emf", 0, OPT_TEXT, &o->back_emf, "LOG",
       "find the drive gains first, by qm and emf with open terminals"},
      {"output", 'o', OPT_TEXT, &o->output, "RESULT.json",
       "write the result here; with --fleet, the results into this directory"},
      {"report", 0, OPT_TEXT, &o->report.html, "FILE.html", "write a page that people read"},
      {"fleet", 0, OPT_TEXT, &o->fleet, "MANIFEST.yaml",
       "identify the robots of this list, and tell who differs from its siblings"},
      CLI_JOBS(o->jobs),
      CLI_REPORT(o->report),
      CLI_LOOP(o->loop),
      CLI_RECORDING(o->recording),
      CLI_ROBOT(o->robot),
      CLI_COMMON(o->common),
      {0}};
  _Static_assert(sizeof all <= TABLE_MAX * sizeof *all, "the table has no room for all options");
  memcpy(table, all, sizeof all);
}

/* positional arguments stand in argv[1] to argv[*count] then */
static int parse(int *count, options *o, cli_opt *table, int argc, char **argv) {
  fill_table(table, o);
  int code = cli_parse(count, argc, argv, "identify", table);
  if (code < 0) code = check(o);
  o->identify.seed = o->common.seed;
  if (rbv_identify_simulates(o->identify.method)) o->recording.whole = "a simulated loop";
  return code;
}

static int load(job *j, options *o, const char *robot) {
  int code = cli_load_robot(&j->model, "identify", &o->robot, robot, &o->common);
  if (code < 0) code = smooth_friction(j, o, robot);
  return code < 0 ? check_payload(j, o) : code;
}

int cli_identify_robot(char **json, size_t *size, int argc, char **argv) {
  options o = defaults();
  cli_opt table[TABLE_MAX];
  int count;
  job j = {0};
  *json = NULL;
  int code = parse(&count, &o, table, argc, argv);
  o.common.quiet = true;
  if (code < 0) code = load(&j, &o, argv[1]);
  if (code < 0) code = solve(&j, &o, argv, count - 1);
  if (code < 0) {
    record r;
    rbv_status status = fill_record(&r, &j, &o, argv[1]);
    if (status == RBV_OK) status = rbv_result_write(json, size, &r.result);
    rbv_estimate_unreport(&r.result);
    if (status != RBV_OK) code = cli_fail(status);
  }
  free_job(&j);
  return code;
}

int cli_identify_options(rbv_json *json, int argc, char **argv, const char *const *but) {
  options o = defaults();
  cli_opt table[TABLE_MAX];
  int count;
  const int code = parse(&count, &o, table, argc, argv);
  if (code < 0) {
    cli_put_options(json, table, but);
    cli_put_option_files(json, table, but);
  }
  return code;
}

int cli_run_identify(int argc, char **argv) {
  options o = defaults();
  cli_opt table[TABLE_MAX];
  int count;
  int code = parse(&count, &o, table, argc, argv);
  if (code >= 0) return code;
  if (o.fleet) {
    if (count > 0) return cli_usage("identify", "--fleet has its robots and logs in its manifest");
    if (o.report.html || o.report.plots || o.auto_filter)
      return cli_usage("identify",
                       "--report, --plots and --filter are for one robot, not a --fleet");
    return cli_run_fleet(o.fleet, argc, argv, o.output, &o.jobs, &o.common);
  }
  if (o.jobs.shard || o.jobs.journal || o.jobs.resume)
    return cli_usage("identify", "--shard, --journal and --resume go with --fleet");
  if (count < 2)
    return cli_usage("identify", "%s",
                     count == 0 ? "what it works on is missing" : "an argument is missing");
  if (!rbv_team_leads()) return EXIT_DONE;
  job j = {0};
  code = load(&j, &o, argv[1]);
  if (code < 0) code = solve(&j, &o, argv, count - 1);
  if (code < 0) code = tell(&j, &o, argv[1]);
  free_job(&j);
  return code;
}
