/* The task validate: how well a result, or a robot file, predicts the torques of recordings. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <roberval/sys/report.h>

#include "control/control.h"
#include "identify/identify.h"
#include "job/spring_fit.h"
#include "log/log.h"
#include "task/task_internal.h"

#define TASK rbv_validate_task

static const rbv_option rows[] = {
    TASK_ROW("max-error", TEXT, max_error, "SHARE",
             "exit with 1 when the error is above this (5% or 0.05)", .letter = 'e', .basic = true),
    TASK_ROW("robot", TEXT, robot, "ROBOT", "another path of the robot file"),
    TASK_ROW("map", TEXT, map, "COLUMNS.yaml", "column map of the logs", .basic = true),
    TASK_ROW("loaded", FLAG, loaded, NULL, "the recordings were made with the payload"),
    TASK_ROW("horizon", REAL, horizon_s, "S",
             "also predict the motion from many measured states, up to S seconds ahead",
             RBV_ABOVE(0, 1e3)),
    TASK_ROW(
        "controller", TEXT, controller, "FILE",
        "simulate the recordings under this controller, freely and with horizon (default: that "
        "of a result of cloe)",
        .basic = true),
    TASK_ROW("output", OUTPUT, output, "FILE.json", "write the errors here", .letter = 'o',
             .basic = true),
    TASK_ROW("plots", OUTPUT, plots, "DIR", "write every figure as SVG into this directory",
             .topic = "output"),
    TASK_ROW("trace", OUTPUT, trace, "FILE",
             "write measured and predicted torques of one recording (.csv, .npz, .mcap)"),
    {0}};

static void defaults(void *data) {
  rbv_validate_task *t = data;
  t->recording = rbv_recording_defaults();
  t->own = rbv_robot_defaults();
}

static void groups(rbv_option_group *out, void *data) {
  rbv_validate_task *t = data;
  out[0] = (rbv_option_group){rows, t};
  out[1] = (rbv_option_group){rbv_memory_rows(), &t->recording};
  out[2] = (rbv_option_group){rbv_robot_rows(), &t->own};
}

static void forget(void *data) {
  rbv_validate_task *j = data;
  for (int i = 0; i < j->motions.count && j->one; i++) rbv_prediction_free(j->one[i]);
  rbv_free(j->one);
  rbv_prediction_free(j->all);
  rbv_horizons_free(j->horizons);
  for (int i = 0; i < j->motions.count && j->control; i++) rbv_control_free(j->control[i]);
  rbv_free(j->control);
  rbv_free(j->free_error);
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

static const char *law_of(const rbv_validate_task *j) {
  return j->controller ? j->controller : rbv_recording_law(&j->fitted.options);
}

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

/* What a result has found about the loop. */
typedef struct {
  double *delay, *bias;  // njoint
  double command_s;      // negative: that of the law
  double *factor;        // RBV_GAIN_COUNT x njoint
} found_loop;

/* the joint of an unknown of the loop with this name, -1 for all; false: it has another name */
static bool names(int *joint, const char *unknown, const char *name, int njoint) {
  const size_t length = strlen(name);
  char rest;
  *joint = -1;
  if (strncmp(unknown, name, length) != 0) return false;
  if (!unknown[length]) return true;
  if (sscanf(unknown + length, "%d%c", joint, &rest) != 1) return false;
  return --*joint >= 0 && *joint < njoint;
}

static void take_loop(found_loop *to, const rbv_validate_task *j) {
  const rbv_result *r = j->fitted.result;
  const int n = rbv_model_joint_count(j->fitted.model);
  for (int k = 0; k < n; k++) to->delay[k] = j->fitted.options.loop.delay_s;
  for (int k = 0; k < RBV_GAIN_COUNT * n; k++) to->factor[k] = 1;
  to->command_s = -1;
  for (int i = 0; r && i < r->loop.nunknown; i++) {
    const rbv_loop_value *u = &r->loop.unknown[i];
    int joint;
    if (names(&joint, u->name, "command_delay", n)) to->command_s = u->value;
    for (int k = 0; k < n; k++) {
      if (names(&joint, u->name, "delay", n) && (joint < 0 || joint == k)) to->delay[k] = u->value;
      if (names(&joint, u->name, "bias", n) && joint == k) to->bias[k] = u->value;
      for (int g = 0; g < RBV_GAIN_COUNT; g++)
        if (names(&joint, u->name, rbv_gain_name(g), n) && (joint < 0 || joint == k))
          to->factor[g * n + k] *= u->value;
    }
  }
}

/* the laws with the gains that the result has found */
static rbv_status set_gains(rbv_validate_task *j, const found_loop *loop) {
  const int n = rbv_model_joint_count(j->fitted.model);
  rbv_status status = RBV_OK;
  RBV_NEW(rbv_control_joint, law, n);
  for (int i = 0; i < j->motions.count && status == RBV_OK; i++) {
    for (int k = 0; k < n; k++) {
      law[k] = *rbv_control_get_joint(j->control[i], k);
      for (int g = 0; g < RBV_GAIN_COUNT; g++) {
        double *gain = rbv_gain_of(&law[k], (rbv_gain)g);
        if (gain) *gain *= loop->factor[g * n + k];
      }
    }
    rbv_control *own;
    status = rbv_control_variant(&own, j->control[i], law);
    if (status != RBV_OK) break;
    rbv_control_free(j->control[i]);
    j->control[i] = own;
  }
  rbv_free(law);
  return status;
}

/* free runs of all recordings with these parameters: rms of each joint; NAN where one diverges */
static rbv_status run_freely(double *rms, rbv_validate_task *j, const double *chi,
                             const found_loop *loop) {
  const int n = rbv_model_joint_count(j->fitted.model);
  ptrdiff_t total = 0, more;
  rbv_status status = RBV_OK;
  RBV_NEW(double, error, n);
  for (int i = 0; i < j->motions.count && status == RBV_OK; i++) {
    const rbv_free_loop how = {.control = j->control[i],
                               .reference = &j->motions.reference[i],
                               .measured = j->motions.position ? j->motions.position[i] : NULL,
                               .known = rbv_model_parameters(j->fitted.model),
                               .delay = loop->delay,
                               .bias = loop->bias,
                               .command_s = loop->command_s >= 0
                                                ? loop->command_s
                                                : rbv_control_command_delay(j->control[i])};
    char sentence[256];
    status = rbv_free_run(error, &more, sentence, sizeof sentence, j->fitted.model,
                          j->motions.motion[i], chi, &how);
    if (status == RBV_OK && *sentence)
      rbv_tell(&j->common.notes, NULL, "%s, simulated freely: %s", j->motions.input[i].path,
               sentence);
    for (int k = 0; k < n; k++) rms[k] += error[k];
    total += more;
  }
  for (int k = 0; k < n; k++) rms[k] = sqrt(rms[k] / (double)(total > 0 ? total : 1));
  rbv_free(error);
  return status;
}

static rbv_status simulate_freely(rbv_validate_task *j, const found_loop *loop) {
  const rbv_result_model *k = &j->fitted;
  const size_t n = (size_t)rbv_model_joint_count(k->model);
  j->free_error = rbv_alloc(2 * n * sizeof *j->free_error);
  if (!j->free_error) return RBV_EMEM;
  RBV_TRY(run_freely(j->free_error, j, k->chi, loop));
  const double *file = rbv_model_parameters(k->model);
  if (k->result && file) return run_freely(j->free_error + n, j, file, loop);
  for (size_t i = 0; i < n; i++) j->free_error[n + i] = NAN;
  return RBV_OK;
}

static rbv_status predict_horizons(rbv_validate_task *j, const found_loop *loop) {
  const rbv_result_model *k = &j->fitted;
  rbv_horizon_options how = {.longest_s = j->horizon_s, .known = rbv_model_parameters(k->model)};
  if (loop) {
    how.controls = (const rbv_control *const *)j->control;
    how.reference = j->motions.reference;
    how.delay_s = loop->delay[0];
    how.bias = loop->bias;
    for (int i = 0; i < j->motions.count; i++)
      if (rbv_control_ticks(j->control[i]) > 1 || loop->command_s > 0)
        return rbv_fail_option(RBV_EUNSUPPORTED, "horizon",
                               "predictions from measured states support neither drive_rate_hz nor "
                               "a late command: the free run does");
  }
  return rbv_predict_motion(&j->horizons, k->model, j->motions.motion, j->motions.count, k->chi,
                            &how);
}

/* The law is that of the option, or of a result of cloe; a free run is simulated where the law is
 * named or nothing else can be compared. */
static rbv_status predict_motion(rbv_validate_task *j) {
  const char *law = law_of(j);
  if (!law && !(j->horizon_s > 0)) return RBV_OK;
  const size_t n = (size_t)rbv_model_joint_count(j->fitted.model);
  double *memory = rbv_alloc((2 + RBV_GAIN_COUNT) * n * sizeof *memory);
  if (!memory) return RBV_EMEM;
  found_loop loop = {.delay = memory, .bias = memory + n, .factor = memory + 2 * n};
  rbv_status status = RBV_OK;
  if (law) {
    take_loop(&loop, j);
    status = load_laws(j, law);
    if (status == RBV_OK) status = set_gains(j, &loop);
    if (status == RBV_OK) status = simulate_freely(j, &loop);
  }
  if (status == RBV_OK && j->horizon_s > 0) status = predict_horizons(j, law ? &loop : NULL);
  rbv_free(memory);
  return status;
}

/* ---- links behind springs ---- */

/* positions of links from those of the motors: with rigid joints and with the springs of the result
 */
static void tell_links(const rbv_validate_task *j) {
  const rbv_result *r = j->fitted.result;
  for (int i = 0; r && i < r->nspring; i++) {
    double rigid, elastic;
    if (!rbv_spring_predict(&rigid, &elastic, &r->spring[i], j->fitted.model, j->motions.deflection,
                            j->motions.count))
      continue;
    const rbv_joint *joint = rbv_model_joint(j->fitted.model, r->spring[i].joint);
    rbv_tell(&j->common.notes, NULL,
             "link of %s: position from the motor off by %.3g %s with a rigid joint, %.3g if its "
             "encoder is %.3g ms late, %.3g with the identified spring (%.0f %% less than rigid)",
             joint->name, e.rigid, joint->type == RBV_JOINT_PRISMATIC ? "m" : "rad", e.late,
             1e3 * r->spring[i].delay_s, e.elastic, 100 * (1 - e.elastic / e.rigid));
  }
}

static void put_links(rbv_json *json, const rbv_validate_task *j) {
  const rbv_result *r = j->fitted.result;
  if (!r || r->nspring == 0) return;
  rbv_json_put_list(json, "links");
  for (int i = 0; i < r->nspring; i++) {
    double rigid, elastic;
    if (!rbv_spring_predict(&rigid, &elastic, &r->spring[i], j->fitted.model, j->motions.deflection,
                            j->motions.count))
      continue;
    rbv_json_map(json);
    rbv_json_put_string(json, "joint", rbv_model_joint(j->fitted.model, r->spring[i].joint)->name);
    rbv_json_put_real(json, "rms_error_rigid", e.rigid);
    rbv_json_put_real(json, "rms_error_late_encoder", e.late);
    rbv_json_put_real(json, "rms_error_elastic", e.elastic);
    rbv_json_end(json);
  }
  rbv_json_end(json);
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
    if (j->own.sensing || j->own.model.tip || j->own.model.root)
      return rbv_fail_option(RBV_EOPTION, j->own.sensing ? "sensing" : "tip",
                             "%s is for a robot; the result %s has its own",
                             j->own.sensing ? "sensing" : "a part of the robot", path);
    RBV_TRY(rbv_result_model_load(&j->fitted, path, j->robot, &j->common.notes));
  } else {
    RBV_TRY(
        rbv_result_model_of_robot(&j->fitted, j->common.robot, path, &j->own, &j->common.notes));
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
                                 .controller = law_of(j),
                                 .whole = law_of(j) ? "a simulated loop" : NULL,
                                 .positions = law_of(j) != NULL};
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
  tell_links(j);
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

static void put_free_run(rbv_json *json, const rbv_validate_task *j) {
  const int n = rbv_model_joint_count(j->fitted.model);
  if (!j->free_error) return;
  rbv_json_put_map(json, "free_run");
  rbv_json_put_reals(json, "joint_rms_error", j->free_error, n);
  if (isfinite(j->free_error[n]))
    rbv_json_put_reals(json, "joint_rms_error_robot_file", j->free_error + n, n);
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
  put_free_run(json, j);
  put_links(json, j);
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
