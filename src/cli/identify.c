/* roberval identify: recordings in, parameters with their uncertainty out. */
#include <math.h>
#include <roberval/identify.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

typedef struct {
  cli_common common;
  cli_robot robot;
  const char *output, *map;
  rbv_identify_options identify;
  rbv_differentiate_options differentiate;
} options;

/* what a run holds; freed together */
typedef struct {
  rbv_model *model;
  int nlog;
  rbv_log **log;
  rbv_motion **motion;
  rbv_input *input;
  char (*hash)[65];
  rbv_estimate *estimate;
} job;

static void free_job(job *j) {
  for (int i = 0; i < j->nlog; i++) {
    if (j->motion) rbv_motion_free(j->motion[i]);
    if (j->log) rbv_log_free(j->log[i]);
  }
  free(j->motion);
  free(j->log);
  free(j->input);
  free(j->hash);
  rbv_estimate_free(j->estimate);
  rbv_model_free(j->model);
}

static rbv_status read_log(job *j, int i, const char *path, const rbv_log_map *map,
                           const options *o) {
  rbv_status status = rbv_log_load(&j->log[i], path, map);
  if (status == RBV_OK)
    status = rbv_motion_from_log(&j->motion[i], j->model, j->log[i], &o->differentiate);
  if (status == RBV_OK) status = rbv_hash_file(j->hash[i], path);
  if (status != RBV_OK) return status;
  const rbv_motion_info *info = rbv_motion_get_info(j->motion[i]);
  j->input[i] = (rbv_input){path, j->hash[i], info->count, info->rate_hz, info->loaded};
  return RBV_OK;
}

static rbv_status read_logs(job *j, char **paths, const options *o) {
  const size_t n = (size_t)j->nlog;
  j->log = calloc(n, sizeof *j->log);
  j->motion = calloc(n, sizeof *j->motion);
  j->input = calloc(n, sizeof *j->input);
  j->hash = calloc(n + 1, sizeof *j->hash);
  if (!j->log || !j->motion || !j->input || !j->hash) return RBV_EMEM;
  rbv_log_map *map = NULL;
  rbv_status status = o->map ? rbv_log_map_load(&map, o->map) : RBV_OK;
  for (int i = 0; i < j->nlog && status == RBV_OK; i++) status = read_log(j, i, paths[i], map, o);
  rbv_log_map_free(map);
  return status;
}

/* ---- words ---- */

/* white-noise theory gave the sigmas; where the residual is not white they are too small */
static void say_colour(const rbv_estimate *e, const rbv_model *m, const cli_common *common) {
  int coloured = 0;
  for (int r = 0; r < e->fit.nrow; r++) {
    if (!e->fit.row[r].coloured) continue;
    cli_say(common, "%s%s", coloured++ == 0 ? "  the residual is coloured in " : ", ",
            rbv_model_joint(m, e->fit.row[r].joint)->name);
  }
  if (coloured > 0)
    cli_say(common,
            ": the true standard deviations are about %.1f times those given; decimate further to "
            "have them right\n",
            e->diagnostics.sigma_inflation);
}

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
  say_colour(e, m, common);
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

#define SETTINGS 5

static int write_result(const job *j, const options *o, const char *robot) {
  char text[SETTINGS][32];
  snprintf(text[0], sizeof text[0], "%s", o->identify.method);
  snprintf(text[1], sizeof text[1], "%g", o->differentiate.cutoff_hz);
  snprintf(text[2], sizeof text[2], "%d", o->identify.filter.decimate);
  snprintf(text[3], sizeof text[3], "%g", o->identify.filter.mask);
  snprintf(text[4], sizeof text[4], "%td", o->identify.filter.trim);
  rbv_setting setting[SETTINGS] = {{"method", text[0]},
                                   {"cutoff_hz", text[1]},
                                   {"decimate", text[2]},
                                   {"mask_rad_per_s", text[3]},
                                   {"trim_samples", text[4]}};
  rbv_result result = {
      .ninput = j->nlog, .input = j->input, .nsetting = SETTINGS, .setting = setting};
  // a built-in robot is no file and needs no hash
  char *hash = j->hash[j->nlog];
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

static int run(job *j, const options *o, char **argv) {
  rbv_status status = read_logs(j, argv + 2, o);
  if (status == RBV_OK)
    status = rbv_identify(&j->estimate, j->model, j->motion, j->nlog, &o->identify);
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
      if (!(o->differentiate.cutoff_hz > 0))
        return cli_usage("identify", "--cutoff must be positive");
      return -1;
    }
  return cli_usage("identify", "there is no method '%s'", o->identify.method);
}

int cli_run_identify(int argc, char **argv) {
  options o = {.common = CLI_COMMON_DEFAULTS,
               .robot = {.model = rbv_model_defaults()},
               .identify = rbv_identify_defaults(),
               .differentiate = {.cutoff_hz = 50}};
  const cli_opt table[] = {
      {"method", 'm', OPT_TEXT, &o.identify.method, "NAME", "ols or wls (default wls)"},
      {"cutoff", 'c', OPT_REAL, &o.differentiate.cutoff_hz, "HZ",
       "low-pass on the positions before they are differenced (default 50)"},
      {"decimate", 'd', OPT_INT, &o.identify.filter.decimate, "N",
       "low-pass all columns and keep every N-th row (default 1)"},
      {"mask", 0, OPT_REAL, &o.identify.filter.mask, "RAD_PER_S",
       "leave rows out where a joint is slower than this (default 0)"},
      {"map", 0, OPT_TEXT, &o.map, "COLUMNS.yaml", "what the columns of the logs mean"},
      {"output", 'o', OPT_TEXT, &o.output, "RESULT.json", "write the result here"},
      CLI_ROBOT(o.robot),
      CLI_COMMON(o.common),
      {0}};
  int count;
  int code = cli_parse(&count, argc, argv, "identify", table);
  if (code < 0) code = check(&o);
  if (code >= 0) return code;
  job j = {.nlog = count - 1};
  code = cli_load_robot(&j.model, "identify", &o.robot, argv[1], &o.common);
  if (code < 0) code = run(&j, &o, argv);
  free_job(&j);
  return code;
}
