/* roberval simulate: the closed loop along a trajectory, as its sensors record it. */
#include <roberval/sys/plant.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

#define OPTIONS 64  // capacity of the table

typedef struct {
  cli_common common;
  cli_robot robot;
  rbv_plant_options plant;
  const char *output, *save;
  bool derivatives;
} options;

typedef struct {
  const options *o;
  rbv_plant *p;
  double *tracking, *deviation;  // njoint: rms of q - q_r, standard deviation of the torque
} job;

static int print_json(const job *j, const char *trajectory, const char *sentence) {
  const rbv_plant *p = j->p;
  const bool diverged = p->outcome.verdict != RBV_SIM_DONE;
  rbv_json *json;
  char hash[65];
  rbv_status status = rbv_hash_file(hash, trajectory);
  if (status == RBV_OK) status = rbv_json_new(&json);
  if (status != RBV_OK) return cli_fail(status);
  rbv_json_map(json);
  rbv_json_put_string(json, "schema", "roberval.simulation/1");
  rbv_json_put_string(json, "version", rbv_version());
  rbv_json_put_string(json, "robot", rbv_model_name(p->model));
  rbv_json_put_string(json, "trajectory", trajectory);
  rbv_json_put_string(json, "trajectory_sha256", hash);
  rbv_json_put_string(json, "controller", rbv_control_name(p->control));
  rbv_json_put_string(json, "log", j->o->output);
  rbv_json_put_real(json, "rate_hz", rbv_control_rate_hz(p->control));
  rbv_json_put_string(json, "integrator", rbv_integrator_name(p->sim.integrator));
  rbv_json_put_int(json, "substeps", rbv_sim_substeps(p->last));
  rbv_json_put_int(json, "seed", (long long)p->seed);
  rbv_json_put_int(json, "samples", p->outcome.samples);
  rbv_json_put_bool(json, "diverged", diverged);
  if (diverged) rbv_json_put_string(json, "reason", sentence);
  rbv_json_key(json, "joints");
  rbv_json_list(json);
  for (int i = 0; i < p->njoint; i++) {
    rbv_json_map(json);
    rbv_json_put_string(json, "name", rbv_model_joint(p->model, i)->name);
    const rbv_smoothing s = rbv_sim_smoothing(p->last, i);
    if (s.gamma > 0) rbv_json_put_real(json, "gamma", s.gamma);
    if (!(s.gamma > 0)) rbv_json_put_real(json, "smooth_rad_per_s", s.speed);
    rbv_json_put_real(json, "tracking_rms_rad", j->tracking[i]);
    rbv_json_put_real(json, "torque_deviation_Nm", j->deviation[i]);
    rbv_json_end(json);
  }
  rbv_json_end(json);
  rbv_json_end(json);
  return cli_write_json(NULL, json);
}

static void print_summary(const job *j) {
  const rbv_plant *p = j->p;
  const int steps = rbv_sim_substeps(p->last);
  int worst = 0;
  for (int i = 1; i < p->njoint; i++)
    if (!(j->tracking[i] <= j->tracking[worst])) worst = i;
  cli_message(
      &j->o->common,
      "%td samples at %g Hz, %s, %d step%s per tick; largest tracking error %.3g rms, joint "
      "%d\n",
      p->outcome.samples, rbv_control_rate_hz(p->control), rbv_integrator_name(p->sim.integrator),
      steps, steps > 1 ? "s" : "", j->tracking[worst], worst + 1);
}

static int finish(const job *j, const char *trajectory) {
  const options *o = j->o;
  const rbv_plant *p = j->p;
  const bool diverged = p->outcome.verdict != RBV_SIM_DONE;
  char sentence[512];
  rbv_sim_tracking(j->tracking, &p->trace, p->njoint, p->outcome.samples);
  rbv_sim_deviation(j->deviation, &p->trace, p->njoint, p->outcome.samples);
  rbv_sim_describe(sentence, sizeof sentence, p->last, &p->outcome);
  // a tuned controller ignores the coupling between joints
  const bool tuned = strcmp(o->plant.controller, "auto") == 0;
  if (diverged)
    cli_error(
        "%s%s", sentence,
        tuned ? " (--bandwidth, --rate; wrists without rotor inertia are hard to control)" : "");
  else
    print_summary(j);
  // the samples before a divergence are written, too: they help to find the cause
  if (p->outcome.samples > 0 && (o->output || !o->common.json)) {
    const rbv_sim_columns columns = {true, o->derivatives, o->derivatives};
    const rbv_status status = rbv_plant_write_log(p, o->output, stdout, &columns);
    if (status != RBV_OK) return cli_fail(status);
  }
  const int code = o->common.json ? print_json(j, trajectory, sentence) : EXIT_DONE;
  return code == EXIT_DONE && diverged ? EXIT_NO : code;
}

static int simulate(options *o, rbv_model *m, const char *trajectory) {
  const rbv_notes notes = cli_notes(&o->common);
  job j = {.o = o};
  o->plant.seed = o->common.seed;
  o->plant.sim.loaded = rbv_model_has_payload(m);
  if (o->robot.model.gamma > 0) o->plant.sim.gamma = o->robot.model.gamma;
  rbv_status status = rbv_plant_new(&j.p, m, trajectory, &o->plant, &notes);
  if (status == RBV_OK && o->save) status = rbv_control_save(j.p->control, o->save);
  if (status == RBV_OK) status = rbv_plant_run(j.p, NULL);
  const size_t bytes = (size_t)rbv_model_joint_count(m) * sizeof(double);
  j.tracking = malloc(bytes);
  j.deviation = malloc(bytes);
  if (status == RBV_OK && (!j.tracking || !j.deviation)) status = RBV_EMEM;
  const int code = status == RBV_OK ? finish(&j, trajectory) : cli_fail(status);
  free(j.tracking);
  free(j.deviation);
  rbv_plant_free(j.p);
  return code;
}

int cli_run_simulate(int argc, char **argv) {
  options o = {.common = CLI_COMMON_DEFAULTS,
               .robot = {.model = rbv_model_defaults()},
               .plant = rbv_plant_defaults()};
  const rbv_option_group plant[] = {{rbv_plant_rows(), &o.plant}, {0}};
  const cli_opt rest[] = {
      {"save-controller", 0, OPT_TEXT, &o.save, "FILE", "write the controller that was used"},
      {"derivatives", 0, OPT_FLAG, &o.derivatives, NULL, "also write the true dq and ddq"},
      {"output", 'o', OPT_TEXT, &o.output, "FILE", "write the log here (default: stdout)"},
      CLI_ROBOT(o.robot),
      CLI_COMMON(o.common),
      {0}};
  cli_opt table[OPTIONS];
  cli_add_rows(table + cli_add_groups(table, plant), rest);
  int count;
  int code = cli_parse(&count, argc, argv, "simulate", table);
  if (code >= 0) return code;
  const rbv_status status = rbv_plant_check(&o.plant);
  if (status != RBV_OK) return cli_fail(status);
  rbv_model *m;
  code = cli_load_robot(&m, "simulate", &o.robot, argv[1], &o.common);
  if (code >= 0) return code;
  code = simulate(&o, m, argv[2]);
  rbv_model_free(m);
  return code;
}
