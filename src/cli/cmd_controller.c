/* roberval controller: the control law of every joint, from recordings. */
#include <math.h>
#include <roberval/sys/control.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "library_calls.h"
#include "provenance.h"
#include "report_options.h"

typedef struct {
  cli_common common;
  cli_robot robot;
  rbv_recording_options recording;
  rbv_control_id_options id;
  const char *method, *output;
  cli_report report;  // figures only
} options;

typedef struct {
  rbv_model *model;
  rbv_control *control;
  rbv_control_found *found;
} job;

static void free_job(job *j) {
  rbv_control_found_free(j->found);
  rbv_control_free(j->control);
  rbv_model_free(j->model);
}

/* ---- text output ---- */

static void print_joint(FILE *to, const rbv_control_found *f, const char *name) {
  fprintf(to, "%s: %s, order %d, delay %d\n", name, f->structure, f->order, f->law.delay);
  for (int i = 0; i < f->ngain; i++)
    fprintf(to, "  %-18s %12.7g +- %.2g\n", f->gain[i].name, f->gain[i].value, f->gain[i].sigma);
  fprintf(to,
          "  fit                %.3f %% of the %s, residual %.3g rms, information criterion %.6g\n",
          100 * f->fit, f->backwards ? "tracking error" : "torque", f->residual, f->criterion);
  fprintf(to, "  method             %s: %s\n", rbv_control_id_method_name(f->method), f->reason);
  if (f->integrates && isfinite(f->integrator_gain))
    fprintf(
        to,
        "  integral           pole at exactly 1; with a free pole the criterion is %s by %.3g\n",
        f->integrator_gain >= 0 ? "worse" : "better", fabs(f->integrator_gain));
  else if (f->integrates)
    fprintf(to, "  integral           pole at exactly 1; with a free pole the law is unstable\n");
  if (f->backwards && f->residual < 2 * f->resolution)
    fprintf(to, "  residual           within the resolution of the recorded position: %.3g rms\n",
            f->resolution);
  if (f->saturated > 0)
    fprintf(to, "  limit              %td samples at a torque limit not used, %td used\n",
            f->saturated, f->used);
  if (!(f->zero < 1))
    fprintf(to, "  warning            zero of modulus %.6g: piv cannot invert this law; use iv\n",
            f->zero);
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
  rbv_json_key(json, "gains");
  rbv_json_map(json);
  for (int i = 0; i < f->ngain; i++) {
    rbv_json_key(json, f->gain[i].name);
    rbv_json_map(json);
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

static int print_json(const job *j, const options *o, char **logs, int nlog) {
  rbv_json *json;
  const rbv_status status = rbv_json_new(&json);
  if (status != RBV_OK) return cli_fail(status);
  rbv_json_map(json);
  rbv_json_put_string(json, "schema", "roberval.controller/1");
  rbv_json_put_string(json, "version", rbv_version());
  rbv_json_put_string(json, "robot", rbv_model_name(j->model));
  rbv_json_key(json, "inputs");
  rbv_json_list(json);
  for (int i = 0; i < nlog; i++) {
    rbv_json_map(json);
    cli_put_file(json, logs[i]);
    rbv_json_end(json);
  }
  rbv_json_end(json);
  rbv_json_key(json, "options");
  rbv_json_map(json);
  rbv_json_put_string(json, "method", o->method);
  rbv_json_put_int(json, "order", o->id.order);
  rbv_json_put_int(json, "delay_samples", o->id.delay);
  rbv_json_put_bool(json, "feedforward", o->id.feedforward);
  rbv_json_end(json);
  rbv_json_put_real(json, "rate_hz", j->control ? rbv_control_rate_hz(j->control) : o->id.rate_hz);
  rbv_json_key(json, "joints");
  rbv_json_list(json);
  for (int i = 0; i < rbv_model_joint_count(j->model); i++)
    put_joint(json, &j->found[i], rbv_model_joint(j->model, i)->name);
  rbv_json_end(json);
  rbv_json_end(json);
  return cli_write_json(NULL, json);
}

/* ---- running ---- */

/* write the law to -o, or to stdout if nothing else is written there */
static int write_law(const job *j, const options *o) {
  if (!o->output && o->common.json) return EXIT_DONE;
  char *text;
  size_t size;
  const rbv_status status = rbv_control_format(&text, &size, j->control);
  if (status != RBV_OK) return cli_fail(status);
  const int code = cli_write_told(&o->common, o->output, text, size);
  rbv_file_free(text);
  return code;
}

static int write_plots(const job *j, const options *o) {
  if (!o->report.plots) return EXIT_DONE;
  rbv_report *figures;
  const rbv_status status = rbv_report_control(&figures, j->model, j->control);
  if (status != RBV_OK) return cli_fail(status);
  const int code = cli_write_page(figures, &o->report, &o->common);
  rbv_report_free(figures);
  return code;
}

/* print a message for each joint without a linear law; returns false if there is no such joint */
static bool report_unexplained(const job *j) {
  char sentence[512];
  bool any = false;
  for (int i = 0;
       (i = rbv_controller_unexplained(sentence, sizeof sentence, j->found, j->model, i)) >= 0;
       i++) {
    cli_error("%s", sentence);
    any = true;
  }
  return any;
}

static int run(job *j, const options *o, char **logs, int nlog) {
  const rbv_status status = rbv_controller_find(&j->control, &j->found, j->model, &o->recording,
                                                (const char *const *)logs, nlog, &o->id);
  if (status != RBV_OK) return cli_fail_in("controller", status);
  int code = EXIT_DONE;
  FILE *to = o->output ? stdout : stderr;
  for (int i = 0; i < rbv_model_joint_count(j->model); i++)
    if (!o->common.json && !(to == stderr && o->common.quiet))
      print_joint(to, &j->found[i], rbv_model_joint(j->model, i)->name);
  if (o->common.json) code = print_json(j, o, logs, nlog);
  if (code > EXIT_DONE) return code;
  if (report_unexplained(j)) return EXIT_NO;
  code = write_plots(j, o);
  return code == EXIT_DONE ? write_law(j, o) : code;
}

int cli_run_controller(int argc, char **argv) {
  options o = {.common = CLI_COMMON_DEFAULTS,
               .robot = {.model = rbv_model_defaults()},
               .id = rbv_control_id_defaults(),
               .recording = rbv_recording_defaults(),
               .method = "auto"};
  const cli_opt table[] = {
      {"method", 'm', OPT_TEXT, &o.method, "NAME", "auto (default), ls, sriv or pem"},
      {"order", 0, OPT_COUNT, &o.id.order, "N", "largest order of the law (default 3)",
       RBV_FROM(1, 3)},
      {"max-delay", 0, OPT_COUNT, &o.id.delay, "N",
       "largest delay of the law in samples (default 4)", RBV_FROM(1, 16)},
      {"no-feedforward", 0, OPT_OFF, &o.id.feedforward, NULL,
       "no feedforward of reference velocity and acceleration"},
      {"rate", 0, OPT_REAL, &o.id.rate_hz, "HZ", "sample rate of logs without a column t",
       RBV_ABOVE(0, 1e6)},
      {"map", 0, OPT_TEXT, &o.recording.map, "COLUMNS.yaml", "column map of the logs"},
      {"gains", 0, OPT_TEXT, &o.recording.gains, "LIST|FILE",
       "drive gains that multiply the torques"},
      {"output", 'o', OPT_TEXT, &o.output, "CTRL.yaml", "write the law here (default: stdout)"},
      CLI_REPORT(o.report),
      CLI_ROBOT(o.robot),
      CLI_COMMON(o.common),
      {0}};
  int count;
  int code = cli_parse(&count, argc, argv, "controller", table);
  if (code >= 0) return code;
  if (!rbv_control_id_method_parse(&o.id.method, o.method))
    return cli_usage("controller", "there is no method '%s'", o.method);
  o.id.threads = o.common.threads;
  job j = {0};
  code = cli_load_robot(&j.model, "controller", &o.robot, argv[1], &o.common);
  if (code < 0) code = run(&j, &o, argv + 2, count - 1);
  free_job(&j);
  return code;
}
