/* The task controller: the control law of every joint, from recordings. */
#include <roberval/sys/report.h>

#include "control/control.h"
#include "task/task_internal.h"

#define TASK rbv_controller_task

static const rbv_option rows[] = {
    TASK_ROW("method", TEXT, method, "NAME", "auto (default), ls, sriv or pem", .letter = 'm'),
    TASK_ROW("order", COUNT, id.order, "N", "largest order of the law (default 3)", RBV_FROM(1, 3)),
    TASK_ROW("max-delay", COUNT, id.delay, "N", "largest delay of the law in samples (default 4)",
             RBV_FROM(1, 16)),
    TASK_ROW("no-feedforward", OFF, id.feedforward, NULL,
             "no feedforward of reference velocity and acceleration"),
    TASK_ROW("rate", REAL, id.rate_hz, "HZ", "sample rate of logs without a column t",
             RBV_ABOVE(0, 1e6)),
    TASK_ROW("map", TEXT, recording.map, "COLUMNS.yaml", "column map of the logs"),
    TASK_ROW("gains", TEXT, recording.gains, "LIST|FILE", "drive gains that multiply the torques"),
    TASK_ROW("output", OUTPUT, output, "CTRL.yaml", "write the law here (default: stdout)",
             .letter = 'o'),
    TASK_PLOTS,
    {0}};

static void defaults(void *data) {
  rbv_controller_task *t = data;
  t->robot = rbv_robot_defaults();
  t->recording = rbv_recording_defaults();
  t->id = rbv_control_id_defaults();
  t->method = "auto";
}

static void groups(rbv_option_group *out, void *data) {
  rbv_controller_task *t = data;
  out[0] = (rbv_option_group){rows, t};
  out[1] = (rbv_option_group){rbv_robot_rows(), &t->robot};
}

static void forget(void *data) {
  rbv_controller_task *t = data;
  rbv_control_found_free(t->found);
  rbv_control_free(t->control);
  rbv_model_free(t->model);
}

static rbv_status write_files(const rbv_controller_task *t) {
  if (t->plots) {
    rbv_report *figures;
    RBV_TRY(rbv_report_control(&figures, t->model, t->control));
    RBV_TRY(rbv_task_write_page(figures, NULL, t->plots, &t->common));
  }
  if (!t->output) return RBV_OK;
  char *text;
  size_t size;
  RBV_TRY(rbv_control_format(&text, &size, t->control));
  RBV_FINISH(rbv_task_write(&t->common, t->output, text, size), rbv_file_free(text));
}

static rbv_status find_law(rbv_controller_task *t, const rbv_control_id_options *id) {
  const int count = t->common.ninput - 1;
  rbv_log_input *in = rbv_task_logs(&t->common);
  if (!in) return RBV_EMEM;
  RBV_FINISH(rbv_controller_find(&t->control, &t->found, t->model, &t->recording, in, count, id),
             rbv_free(in));
}

static rbv_status run(void *data) {
  rbv_controller_task *t = data;
  char sentence[512];
  rbv_control_id_options id = t->id;
  if (!rbv_control_id_method_parse(&id.method, t->method))
    return rbv_fail(RBV_EOPTION, "there is no method '%s'", t->method);
  id.threads = t->common.threads;
  RBV_TRY(rbv_task_open_robot(&t->model, &t->common, &t->robot));
  RBV_TRY(find_law(t, &id));
  t->common.answer =
      rbv_controller_unexplained(sentence, sizeof sentence, t->found, t->model, 0) < 0;
  // a law of some joints alone is not written
  return t->common.answer ? write_files(t) : RBV_OK;
}

/* ---- JSON ---- */

static void put_joint(rbv_json *json, const rbv_control_found *f, const char *name) {
  rbv_json_map(json);
  rbv_json_put_string(json, "joint", name);
  rbv_json_put_bool(json, "explained", f->explained);
  rbv_json_put_string(json, "kind", rbv_control_kind_name(f->law.kind));
  rbv_json_put_string(json, "structure", f->structure);
  rbv_json_put_int(json, "order", f->order);
  rbv_json_put_int(json, "delay_samples", f->law.delay);
  rbv_json_put_string(json, "method", rbv_control_id_method_name(f->method));
  rbv_json_put_string(json, "reason", f->reason);
  rbv_json_put_string(json, "noise_in", f->backwards ? "position" : "torque");
  rbv_json_put_map(json, "gains");
  for (int i = 0; i < f->ngain; i++) {
    rbv_json_put_map(json, f->gain[i].name);
    rbv_json_put_real(json, "value", f->gain[i].value);
    rbv_json_put_real(json, "sigma", f->gain[i].sigma);
    rbv_json_end(json);
  }
  rbv_json_end(json);
  rbv_json_put_real(json, "fit", f->fit);
  rbv_json_put_real(json, "residual_rms", f->residual);
  rbv_json_put_real(json, "resolution_rms", f->resolution);
  rbv_json_put_real(json, "criterion", f->criterion);
  rbv_json_put_real(json, "error_ls", f->error_ls);
  rbv_json_put_real(json, "error_sriv", f->error_sriv);
  rbv_json_put_real(json, "dependence", f->dependence);
  rbv_json_put_bool(json, "integrator", f->integrates);
  rbv_json_put_real(json, "integrator_gain", f->integrator_gain);
  rbv_json_put_int(json, "noise_order", f->noise_order);
  rbv_json_put_int(json, "iterations", f->iterations);
  rbv_json_put_bool(json, "converged", f->converged);
  rbv_json_put_int(json, "samples", f->used);
  rbv_json_put_int(json, "saturated_samples", f->saturated);
  rbv_json_put_real(json, "largest_zero", f->zero);
  rbv_json_put_bool(json, "invertible", f->zero < 1);
  rbv_json_end(json);
}

static rbv_status put(rbv_json *json, const void *data) {
  const rbv_controller_task *t = data;
  rbv_json_put_schema(json, "roberval.controller/1");
  rbv_json_put_string(json, "robot", rbv_model_name(t->model));
  rbv_json_put_list(json, "inputs");
  for (int i = 1; i < t->common.ninput; i++) {
    rbv_json_map(json);
    rbv_task_put_file(json, &t->common, i);
    rbv_json_end(json);
  }
  rbv_json_end(json);
  rbv_json_put_map(json, "options");
  rbv_json_put_string(json, "method", t->method);
  rbv_json_put_int(json, "order", t->id.order);
  rbv_json_put_int(json, "delay_samples", t->id.delay);
  rbv_json_put_bool(json, "feedforward", t->id.feedforward);
  rbv_json_end(json);
  rbv_json_put_real(json, "rate_hz", t->control ? rbv_control_rate_hz(t->control) : t->id.rate_hz);
  rbv_json_put_list(json, "joints");
  for (int i = 0; i < rbv_model_joint_count(t->model); i++)
    put_joint(json, &t->found[i], rbv_model_joint(t->model, i)->name);
  rbv_json_end(json);
  return RBV_OK;
}

const task_kind rbv_controller_kind =
    TASK_KIND("controller", "ROBOT LOG [LOG ...]", 2, 0, model, .objects = true, .run = run);
