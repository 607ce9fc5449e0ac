/* roberval sweep: a closed loop over many plants that the uncertainty of a result allows. */
#include <math.h>
#include <roberval/sys/identification.h>
#include <roberval/sys/plant.h>
#include <roberval/sys/storage.h>
#include <roberval/sys/sweep.h>
#include <stdio.h>
#include <string.h>

#include "device_option.h"
#include "journal_options.h"
#include "library_calls.h"
#include "report_options.h"

#define OPTIONS 64  // capacity of the table

typedef struct {
  cli_common common;
  rbv_plant_options plant;
  cli_jobs jobs;
  cli_report report;  // figures only
  const char *reference, *device, *output;
  int plants, worst;
  double spread;
} options;

typedef struct {
  const options *o;
  const char *result_path;
  rbv_result_model fitted;
  rbv_plant *plant;
  rbv_device *device;
  rbv_sweep *sweep;
  const rbv_sweep_summary *summary;
} job;

/* ---- text ---- */

static const char *unit_of(const job *j, int joint, bool torque) {
  const bool turns = rbv_model_joint(j->fitted.model, joint)->type == RBV_JOINT_REVOLUTE;
  return torque ? turns ? "N m" : "N" : turns ? "rad" : "m";
}

static double own_value(const rbv_run_sums *s, int quantity) {
  const double all[] = {s->tracking_rms, s->tracking_most, s->torque_rms, s->torque_most};
  return all[quantity];
}

static void print_quantity(const job *j, int u) {
  static const char *const title[] = {"tracking error, rms", "tracking error, largest",
                                      "torque, rms", "torque, largest"};
  const rbv_sweep_summary *s = j->summary;
  const int width = cli_name_width(j->fitted.model);
  printf("%s\n  %-*s %11s", title[u], width, "joint", "estimated");
  for (int l = 0; l < RBV_SWEEP_LEVELS; l++) {
    char head[16];
    snprintf(head, sizeof head, "%g %%", 100 * rbv_sweep_level(l));
    printf(" %11s", l == RBV_SWEEP_LEVELS - 1 ? "largest" : head);
  }
  printf("\n");
  for (int i = 0; i < s->njoint; i++) {
    printf("  %-*s %11.4g", width, rbv_model_joint(j->fitted.model, i)->name,
           own_value(&s->own[i], u));
    for (int l = 0; l < RBV_SWEEP_LEVELS; l++)
      printf(" %11.4g", s->quantile[(u * s->njoint + i) * RBV_SWEEP_LEVELS + l]);
    printf(" %s\n", unit_of(j, i, u >= RBV_SWEEP_TORQUE_RMS));
  }
}

static void print_case(const job *j, const rbv_sweep_case *c) {
  const rbv_parameters *set = &j->fitted.result->estimate;
  if (isfinite(c->ratio))
    printf("  plant %d: tracking error of %s %.4g times that of the estimated plant;", c->plant,
           rbv_model_joint(j->fitted.model, c->joint)->name, c->ratio);
  else
    printf("  plant %d: diverges at t = %.4g s;", c->plant, c->outcome.time_s);
  // the parameter that is furthest from its estimate
  int far = -1;
  double most = 0;
  for (int k = 0; k < set->count; k++) {
    const double away = fabs(c->value[k] - set->item[k].value) / set->item[k].sigma;
    if (!(away > most) || !isfinite(away)) continue;
    most = away;
    far = k;
  }
  if (far >= 0)
    printf(" %s = %.4g, %.2g sigma from %.4g", set->item[far].name, c->value[far], most,
           set->item[far].value);
  printf("\n");
}

static void print_text(const job *j) {
  const rbv_sweep_summary *s = j->summary;
  printf("%d plants, %d parameters drawn%s, on %s\n", s->plants, s->parameters,
         s->correlated ? " with their correlation" : " independently", rbv_device_name(j->device));
  for (int u = 0; u < RBV_SWEEP_QUANTITIES; u++) print_quantity(j, u);
  printf("%d reached the end, %d diverged, %d rejected (mass matrix not positive definite)\n",
         s->done, s->diverged, s->rejected);
  if (s->nworst > 0) printf("worst plants\n");
  for (int i = 0; i < s->nworst; i++) print_case(j, &s->worst[i]);
}

/* ---- JSON ---- */

static void put_joints(rbv_json *json, const job *j) {
  const rbv_sweep_summary *s = j->summary;
  rbv_json_key(json, "joints");
  rbv_json_list(json);
  for (int i = 0; i < s->njoint; i++) {
    rbv_json_map(json);
    rbv_json_put_string(json, "name", rbv_model_joint(j->fitted.model, i)->name);
    for (int u = 0; u < RBV_SWEEP_QUANTITIES; u++) {
      rbv_json_key(json, rbv_sweep_quantity_name(u));
      rbv_json_map(json);
      rbv_json_put_string(json, "unit", unit_of(j, i, u >= RBV_SWEEP_TORQUE_RMS));
      rbv_json_put_real(json, "estimated", own_value(&s->own[i], u));
      rbv_json_key(json, "quantiles");
      rbv_json_flat_list(json);
      for (int l = 0; l < RBV_SWEEP_LEVELS; l++)
        rbv_json_real(json, s->quantile[(u * s->njoint + i) * RBV_SWEEP_LEVELS + l]);
      rbv_json_end(json);
      rbv_json_end(json);
    }
    rbv_json_end(json);
  }
  rbv_json_end(json);
}

static void put_cases(rbv_json *json, const job *j) {
  const rbv_parameters *set = &j->fitted.result->estimate;
  rbv_json_key(json, "worst");
  rbv_json_list(json);
  for (int i = 0; i < j->summary->nworst; i++) {
    const rbv_sweep_case *c = &j->summary->worst[i];
    rbv_json_map(json);
    rbv_json_put_int(json, "plant", c->plant);
    rbv_json_put_bool(json, "diverged", !isfinite(c->ratio));
    if (c->joint >= 0)
      rbv_json_put_string(json, "joint", rbv_model_joint(j->fitted.model, c->joint)->name);
    if (isfinite(c->ratio)) rbv_json_put_real(json, "tracking_ratio", c->ratio);
    if (!isfinite(c->ratio)) rbv_json_put_real(json, "time_s", c->outcome.time_s);
    rbv_json_key(json, "parameters");
    rbv_json_map(json);
    for (int k = 0; k < set->count; k++) rbv_json_put_real(json, set->item[k].name, c->value[k]);
    rbv_json_end(json);
    rbv_json_end(json);
  }
  rbv_json_end(json);
}

static int write_json(const char *path, const job *j) {
  const rbv_sweep_summary *s = j->summary;
  rbv_json *json;
  const rbv_status status = rbv_json_new(&json);
  if (status != RBV_OK) return cli_fail(status);
  rbv_json_map(json);
  rbv_json_put_string(json, "schema", "roberval.sweep/1");
  rbv_json_put_string(json, "version", rbv_version());
  rbv_json_put_string(json, "robot", rbv_model_name(j->fitted.model));
  rbv_json_put_string(json, "result", j->result_path);
  rbv_json_put_string(json, "reference", j->o->reference);
  rbv_json_put_string(json, "controller", rbv_control_name(j->plant->control));
  rbv_json_put_string(json, "device", rbv_device_name(j->device));
  rbv_json_put_int(json, "seed", (long long)j->o->common.seed);
  rbv_json_put_real(json, "spread", j->o->spread);
  rbv_json_put_int(json, "parameters_drawn", s->parameters);
  rbv_json_put_bool(json, "correlated", s->correlated);
  rbv_json_put_int(json, "plants", s->plants);
  rbv_json_put_int(json, "done", s->done);
  rbv_json_put_int(json, "diverged", s->diverged);
  rbv_json_put_int(json, "rejected", s->rejected);
  rbv_json_key(json, "levels");
  rbv_json_flat_list(json);
  for (int l = 0; l < RBV_SWEEP_LEVELS; l++) rbv_json_real(json, rbv_sweep_level(l));
  rbv_json_end(json);
  put_joints(json, j);
  put_cases(json, j);
  rbv_json_end(json);
  return cli_write_json(path, json);
}

static int write_plots(const job *j) {
  if (!j->o->report.plots) return EXIT_DONE;
  rbv_report *figures;
  const rbv_status status = rbv_report_sweep(&figures, j->fitted.model, j->summary);
  if (status != RBV_OK) return cli_fail(status);
  const int code = cli_write_page(figures, &j->o->report, &j->o->common);
  rbv_report_free(figures);
  return code;
}

/* ---- running ---- */

static rbv_status make_sweep(job *j) {
  const options *o = j->o;
  const rbv_notes notes = cli_notes(&o->common);
  rbv_model *m = j->fitted.model;
  rbv_plant_options plant = o->plant;
  plant.parameters = j->result_path;
  plant.seed = o->common.seed;
  plant.sim.loaded = rbv_model_has_payload(m);
  plant.sim.gamma = rbv_model_gamma(m);
  rbv_status status = rbv_plant_new(&j->plant, m, o->reference, &plant, &notes);
  if (status != RBV_OK) return status;
  char name[65];
  rbv_hash_bytes(name, rbv_model_name(m), strlen(rbv_model_name(m)));
  const rbv_sweep_plan plan = {.model = m,
                               .robot = *rbv_model_sha256(m) ? rbv_model_sha256(m) : name,
                               .result = j->fitted.result,
                               .control = j->plant->control,
                               .reference = j->plant->reference,
                               .sim = j->plant->sim,
                               .plants = o->plants,
                               .spread = o->spread,
                               .worst = o->worst,
                               .device = j->device,
                               .seed = o->common.seed};
  return rbv_sweep_new(&j->sweep, &plan);
}

/* the device cannot simulate this loop: once more on the CPU */
static rbv_status use_cpu(job *j) {
  cli_message(&j->o->common, "the CPU is used: %s\n", rbv_message());
  rbv_device_close(j->device);
  rbv_plant_free(j->plant);
  j->device = NULL;
  j->plant = NULL;
  return make_sweep(j);
}

static int run(job *j, const char *robot) {
  const options *o = j->o;
  int code = cli_open_device(&j->device, o->device, &o->common);
  if (code < 0) code = cli_load_result(&j->fitted, j->result_path, robot, &o->common);
  if (code >= 0) return code;
  rbv_status status = make_sweep(j);
  if (status == RBV_EUNSUPPORTED && j->device && strcmp(o->device, "auto") == 0)
    status = use_cpu(j);
  if (status != RBV_OK) return cli_fail(status);
  bool interrupted = false;
  code = cli_jobs_run(&interrupted, "sweep", &o->jobs, rbv_sweep_jobs(j->sweep), NULL, &o->common);
  if (code >= 0) return code;
  status = rbv_sweep_summarise(&j->summary, j->sweep);
  if (status != RBV_OK) return cli_fail(status);
  code = o->output ? write_json(o->output, j) : EXIT_DONE;
  if (code == EXIT_DONE) code = write_plots(j);
  if (code == EXIT_DONE && o->common.json) code = write_json(NULL, j);
  if (code != EXIT_DONE) return code;
  if (!o->common.json) print_text(j);
  if (interrupted) return EXIT_INTERRUPTED;
  return j->summary->diverged > 0 ? EXIT_NO : EXIT_DONE;
}

/* rows of the plant's table that act on the loop; the others are about its recording */
static int add_loop_rows(cli_opt *rows, rbv_plant_options *plant) {
  static const char *const used[] = {
      "controller", "bandwidth",      "integral",    "roll-off",      "rate",
      "map",        "integrator",     "substeps",    "loop-encoder",  "loop-noise",
      "loop-delay", "actuator-delay", "disturbance", "disturbance-hz"};
  const rbv_option_group group[] = {{rbv_plant_rows(), plant}, {0}};
  cli_opt all[OPTIONS];
  const int count = cli_add_groups(all, group);
  int n = 0;
  for (int i = 0; i < count; i++)
    for (size_t k = 0; k < sizeof used / sizeof *used; k++)
      if (strcmp(all[i].name, used[k]) == 0) rows[n++] = all[i];
  return n;
}

int cli_run_sweep(int argc, char **argv) {
  options o = {.common = CLI_COMMON_DEFAULTS,
               .plant = rbv_plant_defaults(),
               .device = RBV_DEVICE_DEFAULT,
               .plants = 1000,
               .worst = 5,
               .spread = 1};
  const cli_opt own[] = {
      {"reference", 0, OPT_TEXT, &o.reference, "TRAJ.csv",
       "reference motion (default: built-in motion of the robot)"},
      {"plants", 'n', OPT_COUNT, &o.plants, "N", "plants to simulate (default 1000)",
       RBV_FROM(1, 10000000)},
      {"spread", 0, OPT_REAL, &o.spread, "X", "multiply every sigma by X (default 1)",
       RBV_ABOVE(0, 1000)},
      {"worst", 0, OPT_COUNT, &o.worst, "N", "worst plants to name (default 5)", RBV_FROM(1, 1000)},
      {0}};
  const cli_opt rest[] = {{"journal", 0, OPT_TEXT, &o.jobs.journal, "FILE",
                           "store finished jobs in this file", .topic = CLI_WORK},
                          {"resume", 0, OPT_FLAG, &o.jobs.resume, NULL, "continue the journal"},
                          CLI_DEVICE(o.device),
                          {"output", 'o', OPT_TEXT, &o.output, "FILE.json",
                           "write the numbers here", .topic = CLI_FILES},
                          CLI_REPORT(o.report),
                          CLI_COMMON(o.common),
                          {0}};
  cli_opt table[OPTIONS];
  int rows = cli_add_rows(table, own);
  rows += add_loop_rows(table + rows, &o.plant);
  cli_add_rows(table + rows, rest);
  int count;
  const int code = cli_parse(&count, argc, argv, "sweep", table);
  if (code >= 0) return code;
  const rbv_status status = rbv_plant_check(&o.plant);
  if (status != RBV_OK) return cli_fail(status);
  job j = {.o = &o, .result_path = argv[2]};
  const int ended = run(&j, argv[1]);
  rbv_sweep_free(j.sweep);
  rbv_plant_free(j.plant);
  rbv_result_model_free(&j.fitted);
  rbv_device_close(j.device);
  return ended;
}
