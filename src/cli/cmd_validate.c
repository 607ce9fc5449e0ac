/* roberval validate: how well a result, or a robot file, predicts the torques of recordings. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <roberval/sys/identification.h>

#include "library_calls.h"
#include "report_options.h"

typedef struct {
  cli_common common;
  rbv_recording_options recording;  // memory and bad rows; the result has the other options
  cli_report report;                // figures only
  const char *robot, *sensing, *map, *max_error, *output, *trace;
  bool loaded;
  double horizon_s;        // longest prediction of the motion; 0: none
  const char *controller;  // for predictions under a controller
  double limit;            // fraction; infinite: no limit
} options;

typedef struct {
  rbv_result_model fitted;
  rbv_recordings motions;
  rbv_prediction **one;  // per recording
  rbv_prediction *all;
  rbv_horizons *horizons;  // NULL: not asked for
  rbv_control **control;   // per recording, for these
} job;

static void free_job(job *j) {
  for (int i = 0; i < j->motions.count && j->one; i++) rbv_prediction_free(j->one[i]);
  free(j->one);
  rbv_prediction_free(j->all);
  rbv_horizons_free(j->horizons);
  for (int i = 0; i < j->motions.count && j->control; i++) rbv_control_free(j->control[i]);
  free(j->control);
  rbv_recordings_free(&j->motions);
  rbv_result_model_free(&j->fitted);
}

static rbv_status predict(job *j) {
  const rbv_result_model *k = &j->fitted;
  j->one = calloc((size_t)j->motions.count, sizeof *j->one);
  if (!j->one) return RBV_EMEM;
  for (int i = 0; i < j->motions.count; i++) {
    const rbv_status status =
        rbv_predict(&j->one[i], k->model, &j->motions.motion[i], 1, k->chi, &k->filter);
    if (status != RBV_OK) return status;
  }
  return rbv_predict(&j->all, k->model, j->motions.motion, j->motions.count, k->chi, &k->filter);
}

/* ---- prediction of the motion ---- */

/* the laws of the recordings */
static rbv_status load_laws(job *j, const char *path) {
  j->control = calloc((size_t)j->motions.count, sizeof *j->control);
  if (!j->control) return RBV_EMEM;
  for (int i = 0; i < j->motions.count; i++) {
    const rbv_control_options wanted = {.njoint = rbv_model_joint_count(j->fitted.model),
                                        .rate_hz = j->motions.input[i].rate_hz,
                                        .recording = j->motions.input[i].path};
    const rbv_status status = rbv_control_load(&j->control[i], path, &wanted);
    if (status != RBV_OK) return status;
  }
  return RBV_OK;
}

/* delay and bias that the result has found */
static void take_loop(rbv_horizon_options *how, double *bias, const job *j) {
  const rbv_result *r = j->fitted.result;
  how->delay_s = j->fitted.options.loop.delay_s;
  for (int i = 0; r && i < r->loop.nunknown; i++) {
    const rbv_loop_value *u = &r->loop.unknown[i];
    int joint;
    char rest;
    if (strcmp(u->name, "delay") == 0) how->delay_s = u->value;
    if (sscanf(u->name, "bias%d%c", &joint, &rest) == 1 && joint >= 1 &&
        joint <= rbv_model_joint_count(j->fitted.model)) {
      bias[joint - 1] = u->value;
      how->bias = bias;
    }
  }
}

static rbv_status predict_motion(job *j, const options *o) {
  if (!(o->horizon_s > 0)) return RBV_OK;
  const rbv_result_model *k = &j->fitted;
  rbv_horizon_options how = {.longest_s = o->horizon_s, .known = rbv_model_parameters(k->model)};
  double *bias = calloc((size_t)rbv_model_joint_count(k->model), sizeof *bias);
  if (!bias) return RBV_EMEM;
  const char *law = o->controller ? o->controller : rbv_recording_law(&k->options);
  rbv_status status = RBV_OK;
  if (law) {
    status = load_laws(j, law);
    how.controls = (const rbv_control *const *)j->control;
    how.reference = j->motions.reference;
    take_loop(&how, bias, j);
  }
  if (status == RBV_OK)
    status = rbv_predict_motion(&j->horizons, k->model, j->motions.motion, j->motions.count, k->chi,
                                &how);
  free(bias);
  return status;
}

/* ---- spread over many recordings (Villagrossi 2014 Fig. 3) ---- */

static int by_size(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* smallest, quartiles, largest of a torque row's error over the recordings */
static bool spread(double five[5], const job *j, int row) {
  const int n = j->motions.count;
  double *error = malloc((size_t)n * sizeof *error);
  if (!error) return false;
  for (int i = 0; i < n; i++) error[i] = j->one[i]->fit.row[row].relative_error;
  qsort(error, (size_t)n, sizeof *error, by_size);
  for (int k = 0; k < 5; k++) {
    const double at = 0.25 * k * (n - 1);
    const int below = (int)at;
    const double above = error[below + 1 < n ? below + 1 : below];
    five[k] = error[below] + (at - below) * (above - error[below]);
  }
  free(error);
  return true;
}

/* ---- text output ---- */

static void print_text(const job *j, const options *o) {
  char shown[CLI_PLAIN_MAX];
  const rbv_fit *fit = &j->all->fit;
  const int width = cli_name_width(j->fitted.model);
  printf("%-*s %-10s %8s %8s %12s", width, "joint", "torque", "rows", "error %", "rms");
  if (j->motions.count > 1) printf("   over the recordings: min, quartiles, max %%");
  printf("\n");
  for (int r = 0; r < fit->nrow; r++) {
    const rbv_row_fit *f = &fit->row[r];
    double five[5];
    printf("%-*s %-10s %8td %8.2f %12.4g", width, rbv_model_joint(j->fitted.model, f->joint)->name,
           rbv_torque_name(f->torque), f->rows, 100 * f->relative_error, f->rms);
    if (j->motions.count > 1 && spread(five, j, r))
      for (int k = 0; k < 5; k++) printf(" %7.2f", 100 * five[k]);
    printf("\n");
  }
  for (int i = 0; i < j->motions.count && j->motions.count > 1; i++)
    printf("%s: %.2f %%, comparable %.2f %%\n", cli_plain(shown, j->motions.input[i].path),
           100 * j->one[i]->fit.relative_error, 100 * j->one[i]->fit.comparable);
  printf("error %.2f %% of the torque norm in %s\n", 100 * fit->relative_error,
         j->fitted.result ? "the rows of this result's filter" : "all samples");
  printf("comparable error %.2f %% (up to %d Hz, every row: the same for all results)",
         100 * fit->comparable, RBV_COMPARABLE_HZ);
  if (isfinite(o->limit))
    printf(": %s the limit of %g %%", fit->comparable <= o->limit ? "within" : "above",
           100 * o->limit);
  printf("\n");
  if (isfinite(fit->baseline) && j->fitted.result)
    printf("the parameters of the robot file: comparable error %.3g %%\n", 100 * fit->baseline);
}

static void print_horizons(const job *j) {
  const rbv_horizons *h = j->horizons;
  if (!h) return;
  const rbv_model *m = j->fitted.model;
  const int n = rbv_model_joint_count(m);
  printf("predicted motion %s: rms error of the position (in brackets: constant velocity)\n",
         h->closed ? "under the controller" : "with the recorded torques");
  for (int i = 0; i < h->count; i++) {
    const rbv_horizon *one = &h->horizon[i];
    printf("after %4.2f s (%d starts", one->horizon_s, one->starts);
    if (one->lost > 0) printf(", %d diverged", one->lost);
    printf("): tool %.3g m (%.3g)\n ", one->tool, one->tool_naive);
    for (int k = 0; k < n; k++)
      printf(" %s %.3g (%.3g)", rbv_model_joint(m, k)->name, one->joint[k], one->naive[k]);
    printf("\n");
  }
}

/* ---- JSON ---- */

static void put_list(rbv_json *json, const char *key, const double *value, int n) {
  rbv_json_key(json, key);
  rbv_json_flat_list(json);
  for (int i = 0; i < n; i++) rbv_json_real(json, value[i]);
  rbv_json_end(json);
}

static void put_horizons(rbv_json *json, const job *j) {
  const rbv_horizons *h = j->horizons;
  if (!h) return;
  const int n = rbv_model_joint_count(j->fitted.model);
  rbv_json_key(json, "predicted_motion");
  rbv_json_map(json);
  rbv_json_put_string(json, "driven_by", h->closed ? "controller" : "recorded torques");
  rbv_json_key(json, "horizons");
  rbv_json_list(json);
  for (int i = 0; i < h->count; i++) {
    const rbv_horizon *one = &h->horizon[i];
    rbv_json_map(json);
    rbv_json_put_real(json, "horizon_s", one->horizon_s);
    rbv_json_put_int(json, "starts", one->starts);
    rbv_json_put_int(json, "diverged", one->lost);
    put_list(json, "joint_rms_error", one->joint, n);
    put_list(json, "joint_rms_error_constant_velocity", one->naive, n);
    rbv_json_put_real(json, "tool_rms_error_m", one->tool);
    rbv_json_put_real(json, "tool_rms_error_constant_velocity_m", one->tool_naive);
    rbv_json_end(json);
  }
  rbv_json_end(json);
  rbv_json_end(json);
}

static void put_rows(rbv_json *json, const job *j, const rbv_fit *fit, bool with_spread) {
  rbv_json_key(json, "per_joint");
  rbv_json_list(json);
  for (int r = 0; r < fit->nrow; r++) {
    const rbv_row_fit *f = &fit->row[r];
    rbv_json_map(json);
    rbv_json_put_string(json, "joint", rbv_model_joint(j->fitted.model, f->joint)->name);
    rbv_json_put_string(json, "torque", rbv_torque_name(f->torque));
    rbv_json_put_int(json, "rows", f->rows);
    rbv_json_put_real(json, "relative_error", f->relative_error);
    rbv_json_put_real(json, "rms_residual_Nm", f->rms);
    double five[5];
    if (with_spread && spread(five, j, r)) {
      static const char *const key[] = {"smallest", "lower_quartile", "median", "upper_quartile",
                                        "largest"};
      for (int k = 0; k < 5; k++) rbv_json_put_real(json, key[k], five[k]);
    }
    rbv_json_end(json);
  }
  rbv_json_end(json);
}

static int write_json(const char *path, const job *j, const options *o, const char *result) {
  rbv_json *json;
  const rbv_status status = rbv_json_new(&json);
  if (status != RBV_OK) return cli_fail(status);
  rbv_json_map(json);
  rbv_json_put_string(json, "schema", "roberval.validation/1");
  rbv_json_put_string(json, "version", rbv_version());
  rbv_json_put_string(json, j->fitted.result ? "result" : "robot", result);
  rbv_json_key(json, "validation");
  rbv_json_map(json);
  rbv_json_put_real(json, "relative_error", j->all->fit.relative_error);
  rbv_json_put_real(json, "comparable_error", j->all->fit.comparable);
  if (isfinite(j->all->fit.baseline) && j->fitted.result)
    rbv_json_put_real(json, "comparable_error_robot_file", j->all->fit.baseline);
  rbv_json_put_real(json, "relative_error_unfiltered", j->all->unfiltered);
  if (isfinite(o->limit)) {
    rbv_json_put_real(json, "max_error", o->limit);
    rbv_json_put_bool(json, "within_limit", j->all->fit.comparable <= o->limit);
  }
  put_rows(json, j, &j->all->fit, j->motions.count > 1);
  rbv_json_end(json);
  put_horizons(json, j);
  rbv_json_key(json, "logs");
  rbv_json_list(json);
  for (int i = 0; i < j->motions.count; i++) {
    rbv_json_map(json);
    rbv_json_put_string(json, "file", j->motions.input[i].path);
    rbv_json_put_string(json, "sha256", j->motions.input[i].sha256);
    rbv_json_put_real(json, "relative_error", j->one[i]->fit.relative_error);
    rbv_json_put_real(json, "comparable_error", j->one[i]->fit.comparable);
    put_rows(json, j, &j->one[i]->fit, false);
    rbv_json_end(json);
  }
  rbv_json_end(json);
  rbv_json_end(json);
  return cli_write_json(path, json);
}

/* ---- figures ---- */

static int write_plots(const job *j, const options *o) {
  if (!o->report.plots) return EXIT_DONE;
  rbv_report *figures;
  const rbv_status status = rbv_report_validation(
      &figures, j->fitted.model, (const rbv_prediction *const *)j->one, j->motions.count);
  if (status != RBV_OK) return cli_fail(status);
  const int code = cli_write_page(figures, &o->report, &o->common);
  rbv_report_free(figures);
  return code;
}

/* ---- running ---- */

/* "5%" or "0.05" */
static int read_limit(options *o) {
  o->limit = INFINITY;
  if (!o->max_error) return -1;
  char text[64];
  snprintf(text, sizeof text, "%s", o->max_error);
  const size_t length = strlen(text);
  const bool percent = length > 0 && text[length - 1] == '%';
  if (percent) text[length - 1] = 0;
  if (!rbv_real_parse(&o->limit, text) || !(o->limit > 0))
    return cli_usage("validate", "--max-error needs a fraction such as 5%% or 0.05, not '%s'",
                     o->max_error);
  if (percent) o->limit /= 100;
  return -1;
}

/* warn about recordings that the result was made from: they do not validate it */
static void warn_of_training(const job *j, const cli_common *common) {
  for (int i = 0; i < j->motions.count && j->fitted.result; i++)
    for (int k = 0; k < j->fitted.result->ninput; k++)
      if (strcmp(j->motions.input[i].sha256, j->fitted.result->input[k].sha256) == 0)
        cli_message(
            common,
            "%s: the result was made from this recording, which therefore does not validate it\n",
            j->motions.input[i].path);
}

/* a result with its robot, or the robot file itself */
static int load(job *j, const options *o, const char *path) {
  if (!rbv_result_model_is_robot(path)) {
    if (o->sensing)
      return cli_usage("validate", "--sensing is for a robot; the result %s has its own", path);
    return cli_load_result(&j->fitted, path, o->robot, &o->common);
  }
  rbv_robot_options robot = rbv_robot_defaults();
  robot.sensing = o->sensing;
  const rbv_notes notes = cli_notes(&o->common);
  const rbv_status status = rbv_result_model_of_robot(&j->fitted, path, &robot, &notes);
  j->fitted.filter.threads = o->common.threads;
  return status == RBV_OK ? -1 : cli_fail(status);
}

/* the law of friction near standstill: a result has it, a robot gets it from the recordings */
static int smooth_friction(job *j, const options *o, const char *log) {
  if (j->fitted.result) return -1;
  const rbv_notes notes = cli_notes(&o->common);
  const rbv_status status =
      rbv_recordings_smooth(j->fitted.model, log, &j->motions, o->common.threads, &notes);
  return status == RBV_OK ? -1 : cli_fail(status);
}

static int run(job *j, const options *o, char **argv, int nlog) {
  int code = load(j, o, argv[1]);
  if (code >= 0) return code;
  rbv_recording_options recording = j->fitted.options.recording;
  if (o->map) recording.map = o->map;
  recording.memory_mb = o->recording.memory_mb;
  recording.drop_bad_rows = recording.drop_bad_rows || o->recording.drop_bad_rows;
  // a part belongs to one recording, not to the others
  recording.from = o->recording.from;
  recording.to = o->recording.to;
  if (o->recording.log_rate_hz > 0) recording.log_rate_hz = o->recording.log_rate_hz;
  const rbv_recording_use use = {.loaded = o->loaded,
                                 .gain = j->fitted.gain,
                                 .controller = rbv_recording_law(&j->fitted.options)};
  code = cli_recordings_add(&j->motions, "validate", j->fitted.model, &recording, &use,
                            (const char *const *)(argv + 2), nlog, &o->common);
  if (code < 0) code = smooth_friction(j, o, argv[2]);
  if (code >= 0) return code;
  warn_of_training(j, &o->common);
  rbv_status status = predict(j);
  if (status == RBV_OK) status = predict_motion(j, o);
  if (status != RBV_OK) return cli_fail(status);
  if (o->trace) {
    const rbv_status traced =
        rbv_trace_recording(o->trace, j->fitted.model, j->motions.motion[0], j->fitted.chi);
    if (traced != RBV_OK) return cli_fail_in("validate", traced);
  }
  code = EXIT_DONE;
  if (o->output) code = write_json(o->output, j, o, argv[1]);
  if (code == EXIT_DONE) code = write_plots(j, o);
  if (code == EXIT_DONE && o->common.json) code = write_json(NULL, j, o, argv[1]);
  if (!o->common.json) print_text(j, o);
  if (!o->common.json) print_horizons(j);
  if (code != EXIT_DONE) return code;
  return cli_doubt_recordings(&j->motions, &o->common,
                              j->all->fit.comparable <= o->limit ? EXIT_DONE : EXIT_NO);
}

int cli_run_validate(int argc, char **argv) {
  options o = {.common = CLI_COMMON_DEFAULTS, .recording = rbv_recording_defaults()};
  const cli_opt table[] = {
      {"max-error", 'e', OPT_TEXT, &o.max_error, "SHARE",
       "exit with 1 when the error is above this (5% or 0.05)"},
      {"robot", 0, OPT_TEXT, &o.robot, "ROBOT", "another path of the robot file"},
      {"sensing", 0, OPT_TEXT, &o.sensing, "SIDE",
       "of a robot: motor, joint, both or difference (default: as its file says)"},
      {"map", 0, OPT_TEXT, &o.map, "COLUMNS.yaml", "column map of the logs"},
      {"loaded", 0, OPT_FLAG, &o.loaded, NULL, "the recordings were made with the payload"},
      {"horizon", 0, OPT_REAL, &o.horizon_s, "S",
       "also predict the motion from many measured states, up to S seconds ahead",
       RBV_ABOVE(0, 1e3)},
      {"controller", 0, OPT_TEXT, &o.controller, "FILE",
       "with horizon: predict under this controller (default: that of the result, or the recorded "
       "torques)"},
      {"output", 'o', OPT_TEXT, &o.output, "FILE.json", "write the errors here"},
      CLI_REPORT(o.report),
      {"trace", 0, OPT_TEXT, &o.trace, "FILE",
       "write measured and predicted torques of one recording (.csv, .npz, .mcap)"},
      CLI_ROWS(rbv_memory_rows(), o.recording),
      CLI_COMMON(o.common),
      {0}};
  int count;
  int code = cli_parse(&count, argc, argv, "validate", table);
  if (code < 0) code = read_limit(&o);
  if (code < 0 && o.trace && !rbv_trace_known(o.trace))
    code = cli_usage("validate", "--trace needs a file .csv, .npz or .mcap");
  if (code < 0 && o.trace && count != 2)
    code = cli_usage("validate", "--trace needs exactly one recording");
  if (code >= 0) return code;
  job j = {0};
  code = run(&j, &o, argv, count - 1);
  free_job(&j);
  return code;
}
