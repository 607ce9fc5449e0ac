/* The task validate: how well a result, or a robot file, predicts the torques of recordings. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <roberval/sys/report.h>

#include "control/control.h"
#include "log/log.h"
#include "task/task_internal.h"

#define TASK rbv_validate_task

static const rbv_option rows[] = {
    TASK_ROW("max-error", TEXT, max_error, "SHARE",
             "exit with 1 when the error is above this (5% or 0.05)", .letter = 'e'),
    TASK_ROW("robot", TEXT, robot, "ROBOT", "another path of the robot file"),
    TASK_ROW("sensing", TEXT, sensing, "SIDE",
             "of a robot: motor, joint, both or difference (default: as its file says)"),
    TASK_ROW("map", TEXT, map, "COLUMNS.yaml", "column map of the logs"),
    TASK_ROW("loaded", FLAG, loaded, NULL, "the recordings were made with the payload"),
    TASK_ROW("horizon", REAL, horizon_s, "S",
             "also predict the motion from many measured states, up to S seconds ahead",
             RBV_ABOVE(0, 1e3)),
    TASK_ROW("controller", TEXT, controller, "FILE",
             "with horizon: predict under this controller (default: that of the result, or the "
             "recorded torques)"),
    TASK_ROW("output", OUTPUT, output, "FILE.json", "write the errors here", .letter = 'o'),
    TASK_ROW("plots", OUTPUT, plots, "DIR", "write every figure as SVG into this directory",
             .topic = "output"),
    TASK_ROW("trace", OUTPUT, trace, "FILE",
             "write measured and predicted torques of one recording (.csv, .npz, .mcap)"),
    {0}};

static void defaults(void *data) {
  rbv_validate_task *t = data;
  t->recording = rbv_recording_defaults();
}

static void groups(rbv_option_group *out, void *data) {
  rbv_validate_task *t = data;
  out[0] = (rbv_option_group){rows, t};
  out[1] = (rbv_option_group){rbv_memory_rows(), &t->recording};
}

static void forget(void *data) {
  rbv_validate_task *j = data;
  for (int i = 0; i < j->motions.count && j->one; i++) rbv_prediction_free(j->one[i]);
  rbv_free(j->one);
  rbv_prediction_free(j->all);
  rbv_horizons_free(j->horizons);
  for (int i = 0; i < j->motions.count && j->control; i++) rbv_control_free(j->control[i]);
  rbv_free(j->control);
  rbv_recordings_free(&j->motions);
  rbv_result_model_free(&j->fitted);
}

static rbv_status predict(rbv_validate_task *j) {
  const rbv_result_model *k = &j->fitted;
  j->one = rbv_alloc((size_t)j->motions.count * sizeof *j->one);
  if (!j->one) return RBV_EMEM;
  for (int i = 0; i < j->motions.count; i++)
    RBV_TRY(rbv_predict(&j->one[i], k->model, &j->motions.motion[i], 1, k->chi, &k->filter));
  return rbv_predict(&j->all, k->model, j->motions.motion, j->motions.count, k->chi, &k->filter);
}

/* ---- prediction of the motion ---- */

/* the laws of the recordings */
static rbv_status load_laws(rbv_validate_task *j, const char *path) {
  j->control = rbv_alloc((size_t)j->motions.count * sizeof *j->control);
  if (!j->control) return RBV_EMEM;
  for (int i = 0; i < j->motions.count; i++) {
    const rbv_control_options wanted = {.njoint = rbv_model_joint_count(j->fitted.model),
                                        .rate_hz = j->motions.input[i].rate_hz,
                                        .recording = j->motions.input[i].path};
    RBV_TRY(rbv_control_load(&j->control[i], path, &wanted));
  }
  return RBV_OK;
}

/* delay and bias that the result has found */
static void take_loop(rbv_horizon_options *how, double *bias, const rbv_validate_task *j) {
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

static rbv_status predict_motion(rbv_validate_task *j) {
  if (!(j->horizon_s > 0)) return RBV_OK;
  const rbv_result_model *k = &j->fitted;
  rbv_horizon_options how = {.longest_s = j->horizon_s, .known = rbv_model_parameters(k->model)};
  RBV_NEW(double, bias, (size_t)rbv_model_joint_count(k->model));
  const char *law = j->controller ? j->controller : rbv_recording_law(&k->options);
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
  rbv_free(bias);
  return status;
}

/* ---- spread over many recordings ---- */

static int by_size(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

bool rbv_validate_spread(double five[5], const rbv_validate_task *j, int row) {
  const int n = j->motions.count;
  double *error = rbv_alloc((size_t)n * sizeof *error);
  if (!error) return false;
  for (int i = 0; i < n; i++) error[i] = j->one[i]->fit.row[row].relative_error;
  qsort(error, (size_t)n, sizeof *error, by_size);
  for (int k = 0; k < 5; k++) {
    const double at = 0.25 * k * (n - 1);
    const int below = (int)at;
    const double above = error[below + 1 < n ? below + 1 : below];
    five[k] = error[below] + (at - below) * (above - error[below]);
  }
  rbv_free(error);
  return true;
}

/* ---- running ---- */

/* "5%" or "0.05" */
static rbv_status read_limit(rbv_validate_task *j) {
  bool share;
  j->limit = INFINITY;
  if (j->max_error && !rbv_limit_parse(&j->limit, &share, j->max_error))
    return rbv_fail_option(RBV_EOPTION, "max-error",
                           "max-error needs a fraction such as 5%% or 0.05, not '%s'",
                           j->max_error);
  if (j->trace && !rbv_trace_known(j->trace))
    return rbv_fail_option(RBV_EOPTION, "trace", "trace needs a file .csv, .npz or .mcap");
  if (j->trace && j->common.ninput != 2)
    return rbv_fail_option(RBV_EOPTION, "trace", "trace needs exactly one recording");
  return RBV_OK;
}

/* warn about recordings that the result was made from: they do not validate it */
static void warn_of_training(const rbv_validate_task *j) {
  for (int i = 0; i < j->motions.count && j->fitted.result; i++)
    for (int k = 0; k < j->fitted.result->ninput; k++)
      if (strcmp(j->motions.input[i].sha256, j->fitted.result->input[k].sha256) == 0)
        rbv_tell(
            &j->common.notes, NULL,
            "%s: the result was made from this recording, which therefore does not validate it",
            j->motions.input[i].path);
}

/* a result with its robot, or the robot file itself */
static rbv_status load(rbv_validate_task *j) {
  const char *path = j->common.input[0];
  if (!j->common.robot && !rbv_result_model_is_robot(path)) {
    if (j->sensing)
      return rbv_fail_option(RBV_EOPTION, "sensing",
                             "sensing is for a robot; the result %s has its own", path);
    RBV_TRY(rbv_result_model_load(&j->fitted, path, j->robot, &j->common.notes));
  } else {
    rbv_robot_options robot = rbv_robot_defaults();
    robot.sensing = j->sensing;
    RBV_TRY(rbv_result_model_of_robot(&j->fitted, j->common.robot, path, &robot, &j->common.notes));
  }
  j->fitted.filter.threads = j->common.threads;
  return RBV_OK;
}

static rbv_status add_recordings(rbv_validate_task *j) {
  rbv_recording_options recording = j->fitted.options.recording;
  if (j->map) recording.map = j->map;
  recording.memory_mb = j->recording.memory_mb;
  recording.drop_bad_rows = recording.drop_bad_rows || j->recording.drop_bad_rows;
  // a part belongs to one recording, not to the others
  recording.from = j->recording.from;
  recording.to = j->recording.to;
  if (j->recording.log_rate_hz > 0) recording.log_rate_hz = j->recording.log_rate_hz;
  const rbv_recording_use use = {.loaded = j->loaded,
                                 .gain = j->fitted.gain,
                                 .controller = rbv_recording_law(&j->fitted.options)};
  rbv_log_input *in = rbv_task_logs(&j->common);
  if (!in) return RBV_EMEM;
  const rbv_status status =
      rbv_task_recordings_add(&j->motions, &j->common, j->fitted.model, &recording, &use, in,
                              j->common.ninput - 1, &j->common.notes);
  rbv_free(in);
  // the law of friction near standstill: a result has it, a robot gets it from the recordings
  if (status != RBV_OK || j->fitted.result) return status;
  const rbv_log_input first = rbv_task_input(&j->common, 1);
  rbv_recorded_smoothing recorded;
  RBV_TRY(rbv_smoothing_read(&recorded, &first));
  return rbv_recordings_smooth(&j->fitted.model, &recorded, &j->motions, j->common.threads,
                               &j->common.notes);
}

static rbv_status write_plots(const rbv_validate_task *j) {
  rbv_report *figures;
  RBV_TRY(rbv_report_validation(&figures, j->fitted.model, (const rbv_prediction *const *)j->one,
                                j->motions.count));
  RBV_FINISH(rbv_report_write(figures, NULL, j->plots, &j->common.notes), rbv_report_free(figures));
}

static rbv_status run(void *data) {
  rbv_validate_task *j = data;
  RBV_TRY(read_limit(j));
  RBV_TRY(load(j));
  RBV_TRY(add_recordings(j));
  warn_of_training(j);
  RBV_TRY(predict(j));
  RBV_TRY(predict_motion(j));
  j->common.answer = j->all->fit.comparable <= j->limit && !rbv_recordings_finding(&j->motions, 0);
  if (j->trace)
    RBV_TRY(rbv_trace_recording(j->trace, j->fitted.model, j->motions.motion[0], j->fitted.chi));
  if (j->output) RBV_TRY(rbv_task_save(j->output, &rbv_validate_kind, j));
  return j->plots ? write_plots(j) : RBV_OK;
}

static const rbv_recordings *recordings(const void *data) {
  const rbv_validate_task *j = data;
  return &j->motions;
}

/* ---- JSON ---- */

static void put_horizons(rbv_json *json, const rbv_validate_task *j) {
  const rbv_horizons *h = j->horizons;
  if (!h) return;
  const int n = rbv_model_joint_count(j->fitted.model);
  rbv_json_put_map(json, "predicted_motion");
  rbv_json_put_string(json, "driven_by", h->closed ? "controller" : "recorded torques");
  rbv_json_put_list(json, "horizons");
  for (int i = 0; i < h->count; i++) {
    const rbv_horizon *one = &h->horizon[i];
    rbv_json_map(json);
    rbv_json_put_real(json, "horizon_s", one->horizon_s);
    rbv_json_put_int(json, "starts", one->starts);
    rbv_json_put_int(json, "diverged", one->lost);
    rbv_json_put_reals(json, "joint_rms_error", one->joint, n);
    rbv_json_put_reals(json, "joint_rms_error_constant_velocity", one->naive, n);
    rbv_json_put_real(json, "tool_rms_error_m", one->tool);
    rbv_json_put_real(json, "tool_rms_error_constant_velocity_m", one->tool_naive);
    rbv_json_end(json);
  }
  rbv_json_end(json);
  rbv_json_end(json);
}

static void put_rows(rbv_json *json, const rbv_validate_task *j, const rbv_fit *fit,
                     bool with_spread) {
  rbv_json_put_list(json, "per_joint");
  for (int r = 0; r < fit->nrow; r++) {
    const rbv_row_fit *f = &fit->row[r];
    rbv_json_map(json);
    rbv_json_put_string(json, "joint", rbv_model_joint(j->fitted.model, f->joint)->name);
    rbv_json_put_string(json, "torque", rbv_torque_name(f->torque));
    rbv_json_put_int(json, "rows", f->rows);
    rbv_json_put_real(json, "relative_error", f->relative_error);
    rbv_json_put_real(json, "rms_residual_Nm", f->rms);
    double five[5];
    if (with_spread && rbv_validate_spread(five, j, r)) {
      static const char *const key[] = {"smallest", "lower_quartile", "median", "upper_quartile",
                                        "largest"};
      for (int k = 0; k < 5; k++) rbv_json_put_real(json, key[k], five[k]);
    }
    rbv_json_end(json);
  }
  rbv_json_end(json);
}

static rbv_status put(rbv_json *json, const void *data) {
  const rbv_validate_task *j = data;
  rbv_json_put_schema(json, "roberval.validation/1");
  rbv_json_put_string(json, j->fitted.result ? "result" : "robot", j->common.input[0]);
  rbv_json_put_map(json, "validation");
  rbv_json_put_real(json, "relative_error", j->all->fit.relative_error);
  rbv_json_put_real(json, "comparable_error", j->all->fit.comparable);
  if (isfinite(j->all->fit.baseline) && j->fitted.result)
    rbv_json_put_real(json, "comparable_error_robot_file", j->all->fit.baseline);
  rbv_json_put_real(json, "relative_error_unfiltered", j->all->unfiltered);
  if (isfinite(j->limit)) {
    rbv_json_put_real(json, "max_error", j->limit);
    rbv_json_put_bool(json, "within_limit", j->all->fit.comparable <= j->limit);
  }
  put_rows(json, j, &j->all->fit, j->motions.count > 1);
  rbv_json_end(json);
  put_horizons(json, j);
  rbv_json_put_list(json, "logs");
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
  return RBV_OK;
}

const task_kind rbv_validate_kind =
    TASK_KIND("validate", "RESULT LOG [LOG ...]", 2, 0, limit, .objects = true, .run = run,
              .recordings = recordings);
