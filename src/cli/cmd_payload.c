/* roberval payload: identify a payload from a recording without it and a recording with it. */
#include <math.h>
#include <roberval/sys/identify.h>
#include <stdio.h>
#include <stdlib.h>

#include "identify_output.h"
#include "library_calls.h"

typedef struct {
  cli_common common;
  cli_robot robot;
  rbv_recording_options recording;
  rbv_filter_options filter;
  const char *method;
  double known_mass;
} options;

typedef struct {
  rbv_model *model;
  rbv_recordings motions;
  rbv_estimate *estimate;
  double *gain, *gain_sigma;
} job;

static void free_job(job *j) {
  free(j->gain);
  free(j->gain_sigma);
  rbv_estimate_free(j->estimate);
  rbv_recordings_free(&j->motions);
  rbv_model_free(j->model);
}

static const char *const inertia_name[6] = {"xx", "xy", "xz", "yy", "yz", "zz"};

static void print_value(const char *name, double value, double sigma, const char *unit) {
  if (isfinite(sigma))
    printf("%-10s %12.5g +- %-9.3g %s\n", name, value, sigma, unit);
  else
    printf("%-10s not identifiable from these motions\n", name);
}

static void print_text(const rbv_payload *p) {
  static const char *const axis[3] = {"centre x", "centre y", "centre z"};
  print_value("mass", p->mass, p->mass_sigma, "kg");
  for (int i = 0; i < 3; i++) print_value(axis[i], p->centre[i], p->centre_sigma[i], "m");
  if (isfinite(p->mass_sigma) && !p->inertia_possible) {
    printf("%-10s unknown: no body has the estimated values. Move the last joints faster.\n",
           "inertia");
    return;
  }
  for (int i = 0; i < 6; i++) {
    char name[16];
    snprintf(name, sizeof name, "inertia %s", inertia_name[i]);
    print_value(name, p->inertia[i], p->inertia_sigma[i], "kg m^2 about the centre");
  }
}

/* possible: false if no body can have this value */
static void put_value(rbv_json *json, const char *key, double value, double sigma, bool possible) {
  const bool known = isfinite(sigma) && possible;
  rbv_json_key(json, key);
  rbv_json_map(json);
  rbv_json_put_real(json, "value", known ? value : NAN);
  rbv_json_put_real(json, "sigma", sigma);
  if (!isfinite(sigma))
    rbv_json_put_string(json, "reason", "not identifiable from these motions");
  else if (!possible) {
    rbv_json_put_real(json, "impossible_estimate", value);
    rbv_json_put_string(json, "reason", "no body has the estimated inertia");
  }
  rbv_json_end(json);
}

static int print_json(const rbv_payload *p, const job *j) {
  rbv_json *json;
  const rbv_status status = rbv_json_new(&json);
  if (status != RBV_OK) return cli_fail(status);
  rbv_json_map(json);
  rbv_json_put_string(json, "schema", "roberval.payload/1");
  rbv_json_put_string(json, "version", rbv_version());
  rbv_json_put_string(json, "robot", rbv_model_name(j->model));
  rbv_json_put_string(json, "frame", "that of the last link");
  put_value(json, "mass_kg", p->mass, p->mass_sigma, true);
  static const char *const axis[3] = {"centre_x_m", "centre_y_m", "centre_z_m"};
  for (int i = 0; i < 3; i++) put_value(json, axis[i], p->centre[i], p->centre_sigma[i], true);
  for (int i = 0; i < 6; i++) {
    char key[32];
    snprintf(key, sizeof key, "inertia_%s_kg_m2", inertia_name[i]);
    put_value(json, key, p->inertia[i], p->inertia_sigma[i], p->inertia_possible);
  }
  bool coloured = false;
  for (int i = 0; i < j->estimate->fit.nrow; i++)
    coloured = coloured || j->estimate->fit.row[i].coloured;
  rbv_json_put_bool(json, "residual_coloured", coloured);
  rbv_json_put_real(json, "sigma_inflation", j->estimate->diagnostics.sigma_inflation);
  rbv_json_put_real(json, "relative_error", j->estimate->fit.relative_error);
  rbv_json_end(json);
  return cli_write_json(NULL, json);
}

/* ---- drive gains with a payload of known mass ---- */

static int run_gains(job *j, const options *o, const rbv_row_filter *filter) {
  const int n = rbv_model_joint_count(j->model);
  j->gain = calloc((size_t)n, sizeof *j->gain);
  j->gain_sigma = calloc((size_t)n, sizeof *j->gain_sigma);
  if (!j->gain || !j->gain_sigma) return cli_out_of_memory();
  const rbv_status status =
      rbv_identify_gains(j->gain, j->gain_sigma, j->model, j->motions.motion, j->motions.count,
                         filter, o->known_mass, o->common.seed);
  if (status != RBV_OK) return cli_fail(status);
  if (!o->common.json) {
    printf("%-14s %12s %12s\n", "drive", "gain", "sigma");
    for (int i = 0; i < n; i++)
      printf("%-14s %12.5g %12.3g\n", rbv_model_joint(j->model, i)->name, j->gain[i],
             j->gain_sigma[i]);
    return EXIT_DONE;
  }
  rbv_json *json;
  const rbv_status made = rbv_json_new(&json);
  if (made != RBV_OK) return cli_fail(made);
  rbv_json_map(json);
  rbv_json_put_string(json, "schema", "roberval.gains/1");
  rbv_json_put_string(json, "version", rbv_version());
  rbv_json_put_real(json, "known_mass_kg", o->known_mass);
  rbv_json_key(json, "drives");
  rbv_json_list(json);
  for (int i = 0; i < n; i++) {
    rbv_json_map(json);
    rbv_json_put_string(json, "joint", rbv_model_joint(j->model, i)->name);
    rbv_json_put_real(json, "gain", j->gain[i]);
    rbv_json_put_real(json, "sigma", j->gain_sigma[i]);
    rbv_json_end(json);
  }
  rbv_json_end(json);
  rbv_json_end(json);
  return cli_write_json(NULL, json);
}

static int run(job *j, const options *o, char **argv) {
  const char *const empty[] = {argv[2]}, *const loaded[] = {argv[3]};
  const rbv_recording_use with = {.loaded = true};
  const rbv_notes notes = cli_notes(&o->common);
  int code = cli_recordings_add(&j->motions, "payload", j->model, &o->recording, NULL, empty, 1,
                                &o->common);
  if (code < 0)
    code = cli_recordings_add(&j->motions, "payload", j->model, &o->recording, &with, loaded, 1,
                              &o->common);
  rbv_identify_options how = rbv_identify_defaults();
  if (code < 0) {
    rbv_status chosen = RBV_OK;
    if (!(o->robot.model.gamma >= 0))
      chosen = rbv_friction_choose(j->model, argv[2], &j->motions, o->common.threads, &notes);
    if (chosen == RBV_OK)
      chosen = rbv_filter_choose(&how.filter, &o->filter, j->model, &j->motions, 1,
                                 o->common.threads, &notes);
    if (chosen != RBV_OK) code = cli_fail_in("payload", chosen);
  }
  if (code >= 0) return code;
  if (o->known_mass > 0)
    return cli_doubt_recordings(&j->motions, &o->common, run_gains(j, o, &how.filter));
  how.method = o->method;
  rbv_payload p;
  rbv_status status =
      rbv_identify(&j->estimate, j->model, j->motions.motion, j->motions.count, &how);
  if (status == RBV_OK) status = rbv_payload_get(&p, j->estimate, j->model);
  if (status != RBV_OK) return cli_fail(status);
  cli_message(&o->common, "%s: error %.2f %% of the torque norm\n", o->method,
              100 * j->estimate->fit.relative_error);
  cli_describe_sigma(j->estimate, j->model, &o->common);
  code = EXIT_DONE;
  if (o->common.json)
    code = print_json(&p, j);
  else
    print_text(&p);
  if (code != EXIT_DONE) return code;
  return cli_doubt_recordings(&j->motions, &o->common,
                              isfinite(p.mass_sigma) ? EXIT_DONE : EXIT_NO);
}

int cli_run_payload(int argc, char **argv) {
  options o = {.common = CLI_COMMON_DEFAULTS,
               .robot = rbv_robot_defaults(),
               .recording = rbv_recording_defaults(),
               .filter = rbv_filter_defaults(),
               .method = "wls"};
  o.robot.model.payload = true;
  const cli_opt table[] = {
      {"method", 'm', OPT_TEXT, &o.method, "NAME", "estimator (default wls)", rbv_identify_method},
      {"known-mass", 0, OPT_REAL, &o.known_mass, "KG",
       "known mass of the payload: identify the drive gains instead", RBV_ABOVE(0, 1e6)},
      CLI_ROWS(rbv_filter_rows(), o.filter),
      CLI_ROWS(rbv_recording_rows(), o.recording),
      CLI_ROBOT(o.robot),
      CLI_COMMON(o.common),
      {0}};
  int count;
  int code = cli_parse(&count, argc, argv, "payload", table);
  if (code >= 0) return code;
  job j = {0};
  // a log that cannot be read is named when it is loaded
  cli_robot robot = o.robot;
  (void)!rbv_friction_recorded(&robot.model.gamma, argv[2]);
  code = cli_load_robot(&j.model, "payload", &robot, argv[1], &o.common);
  if (code < 0 && o.known_mass > 0 && rbv_model_sensing(j.model) != RBV_SENSING_MOTOR)
    code =
        cli_usage("payload", "--known-mass identifies gains of motor torques: use --sensing motor");
  if (code < 0) code = run(&j, &o, argv);
  free_job(&j);
  return code;
}
