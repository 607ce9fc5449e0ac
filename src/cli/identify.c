/* roberval identify: recordings in, parameters with their uncertainty out. */
#include <math.h>
#include <roberval/identify.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "motions.h"

typedef struct {
  cli_common common;
  cli_robot robot;
  cli_recording recording;
  const char *output;
  rbv_identify_options identify;
} options;

/* what a run holds; freed together */
typedef struct {
  rbv_model *model;
  cli_motions motions;
  rbv_estimate *estimate;
} job;

static void free_job(job *j) {
  cli_motions_free(&j->motions);
  rbv_estimate_free(j->estimate);
  rbv_model_free(j->model);
}

/* ---- words ---- */

static void say_fit(const rbv_estimate *e, const rbv_model *m, const cli_common *common) {
  cli_say(common,
          "%s: %d base parameters, condition %.0f (%.0f after scaling), error %.2f %% of the "
          "torque norm",
          e->method, e->base->count, e->diagnostics.condition_number,
          e->diagnostics.condition_number_scaled, 100 * e->fit.relative_error);
  if (e->masked_fraction > 0)
    cli_say(common, "; %.0f %% of the rows masked", 100 * e->masked_fraction);
  cli_say(common, "\n");
  for (int r = 0; r < e->fit.nrow; r++) {
    const rbv_row_fit *f = &e->fit.row[r];
    cli_say(common, "  %-14s %6.2f %%   residual %8.4g N m rms   Durbin-Watson %.2f\n",
            rbv_model_joint(m, f->joint)->name, 100 * f->relative_error, f->rms, f->durbin_watson);
  }
}

static void print_parameters(const rbv_estimate *e, const rbv_model *m) {
  const rbv_base *b = e->base;
  printf("%-8s %12s %12s %8s  %s\n", "name", "value", "sigma", "%", "unit");
  for (int k = 0; k < b->count; k++) {
    const double sigma = sqrt(e->covariance[k + (ptrdiff_t)k * b->count]);
    printf("%-8s %12.5g %12.3g %8.2f  %s\n", b->name[k], e->value[k], sigma,
           100 * sigma / fabs(e->value[k]), rbv_model_column(m, b->kept[k])->unit);
  }
}

/* ---- the result ---- */

#define SETTINGS 4

static int write_result(const job *j, const options *o, const char *robot) {
  char text[SETTINGS][32], more[3][32];
  snprintf(text[0], sizeof text[0], "%s", o->identify.method);
  snprintf(text[1], sizeof text[1], "%d", o->identify.filter.decimate);
  snprintf(text[2], sizeof text[2], "%g", o->identify.filter.mask);
  snprintf(text[3], sizeof text[3], "%td", o->identify.filter.trim);
  rbv_setting setting[SETTINGS + CLI_RECORDING_SETTINGS] = {{"method", text[0]},
                                                            {"decimate", text[1]},
                                                            {"mask_rad_per_s", text[2]},
                                                            {"trim_samples", text[3]}};
  const int nsetting = SETTINGS + cli_recording_settings(setting + SETTINGS, more, &o->recording);
  rbv_result result = {.ninput = j->motions.count,
                       .input = j->motions.input,
                       .nsetting = nsetting,
                       .setting = setting};
  // a built-in robot is no file and needs no hash
  char hash[65];
  if (rbv_hash_file(hash, robot) != RBV_OK) hash[0] = 0;
  result.robot_file = (rbv_input){.path = robot, .sha256 = hash};
  char *json = NULL;
  size_t size;
  rbv_status status = rbv_estimate_report(&result, j->estimate, j->model);
  if (status == RBV_OK) status = rbv_result_write(&json, &size, &result);
  int code = EXIT_DONE;
  if (status != RBV_OK) code = cli_fail(status);
  if (code == EXIT_DONE && o->output) code = cli_write(o->output, json, size);
  if (code == EXIT_DONE && o->common.json) code = cli_write(NULL, json, size);
  rbv_text_release(json);
  rbv_estimate_unreport(&result);
  return code;
}

static int run(job *j, const options *o, char **argv, int nlog) {
  const int wrong = cli_motions_add(&j->motions, "identify", j->model, &o->recording, argv + 2,
                                    nlog, false, &o->common);
  if (wrong >= 0) return wrong;
  const rbv_status status =
      rbv_identify(&j->estimate, j->model, j->motions.motion, j->motions.count, &o->identify);
  if (status != RBV_OK) return cli_fail(status);
  say_fit(j->estimate, j->model, &o->common);
  const int code = write_result(j, o, argv[1]);
  if (code != EXIT_DONE) return code;
  if (!o->common.json && !o->output) print_parameters(j->estimate, j->model);
  if (o->output) cli_say(&o->common, "written: %s\n", o->output);
  return EXIT_DONE;
}

static int check(const options *o) {
  for (int i = 0; rbv_identify_method(i); i++)
    if (strcmp(rbv_identify_method(i), o->identify.method) == 0) {
      if (o->identify.filter.decimate < 1)
        return cli_usage("identify", "--decimate must be at least 1");
      return -1;
    }
  return cli_usage("identify", "there is no method '%s'", o->identify.method);
}

int cli_run_identify(int argc, char **argv) {
  options o = {.common = CLI_COMMON_DEFAULTS,
               .robot = {.model = rbv_model_defaults()},
               .recording = CLI_RECORDING_DEFAULTS,
               .identify = rbv_identify_defaults()};
  const cli_opt table[] = {
      {"method", 'm', OPT_TEXT, &o.identify.method, "NAME", "ols or wls (default wls)"},
      {"decimate", 'd', OPT_INT, &o.identify.filter.decimate, "N",
       "low-pass all columns and keep every N-th row (default 1)"},
      {"mask", 0, OPT_REAL, &o.identify.filter.mask, "RAD_PER_S",
       "leave rows out where a joint is slower than this (default 0)"},
      {"output", 'o', OPT_TEXT, &o.output, "RESULT.json", "write the result here"},
      CLI_RECORDING(o.recording),
      CLI_ROBOT(o.robot),
      CLI_COMMON(o.common),
      {0}};
  int count;
  int code = cli_parse(&count, argc, argv, "identify", table);
  if (code < 0) code = check(&o);
  if (code >= 0) return code;
  job j = {0};
  code = cli_load_robot(&j.model, "identify", &o.robot, argv[1], &o.common);
  if (code < 0) code = run(&j, &o, argv, count - 1);
  free_job(&j);
  return code;
}
