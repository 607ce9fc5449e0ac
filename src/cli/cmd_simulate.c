/* roberval simulate: the closed loop along a trajectory, recorded by sensors that lie as asked. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "motion_table.h"
#include "plant_options.h"

typedef struct {
  cli_common common;
  cli_robot robot;
  cli_plant_options plant;
  const char *output;
  bool derivatives;
} options;

typedef struct {
  const options *o;
  rbv_model *m;
  cli_plant p;
} job;

/* ---- what came out ---- */

#define ROWS 256

static int write_log(const job *j) {
  const rbv_sim_columns columns = {true, j->o->derivatives, j->o->derivatives};
  rbv_log *log;
  const rbv_status status = rbv_sim_log(&log, j->p.last, 0, &j->p.trace, &j->p.outcome, &columns);
  if (status != RBV_OK) return cli_fail(status);
  const int ncolumn = rbv_log_column_count(log);
  const ptrdiff_t samples = rbv_log_samples(log);
  const char **names = malloc((size_t)ncolumn * sizeof *names);
  double *A = malloc((size_t)ncolumn * ROWS * sizeof *A);
  cli_table *table = NULL;
  int code = names && A ? -1 : cli_out_of_memory();
  for (int c = 0; c < ncolumn && code < 0; c++) names[c] = rbv_log_column_at(log, c)->name;
  if (code < 0) code = cli_table_open(&table, j->o->output, false, names, ncolumn);
  for (ptrdiff_t k = 0; k < samples && code < 0; k += ROWS) {
    const ptrdiff_t rows = samples - k < ROWS ? samples - k : ROWS;
    for (int c = 0; c < ncolumn; c++)
      memcpy(A + c * ROWS, rbv_log_column_at(log, c)->values + k, (size_t)rows * sizeof *A);
    code = cli_table_rows(table, A, rows, ROWS);
  }
  if (code < 0)
    code = cli_table_close(table);
  else
    cli_table_drop(table);
  free(A);
  free(names);
  rbv_log_free(log);
  return code;
}

/* root mean square of q - q_r */
static double tracking(const job *j, int joint) {
  double sum = 0;
  for (ptrdiff_t k = 0; k < j->p.outcome.samples; k++) {
    const ptrdiff_t at = k + joint * j->p.trace.ld;
    const double e = j->p.trace.q[at] - j->p.trace.qr[at];
    sum += e * e;
  }
  return j->p.outcome.samples > 0 ? sqrt(sum / (double)j->p.outcome.samples) : NAN;
}

static void put_joints(rbv_json *json, const job *j) {
  double *deviation = malloc((size_t)j->p.n * sizeof *deviation);
  if (deviation) rbv_sim_deviation(deviation, &j->p.trace, j->p.n, j->p.outcome.samples);
  rbv_json_key(json, "joints");
  rbv_json_list(json);
  for (int i = 0; i < j->p.n && deviation; i++) {
    rbv_json_map(json);
    rbv_json_put_string(json, "name", rbv_model_joint(j->m, i)->name);
    rbv_json_put_real(json, "tracking_rms_rad", tracking(j, i));
    rbv_json_put_real(json, "torque_deviation_Nm", deviation[i]);
    rbv_json_end(json);
  }
  rbv_json_end(json);
  free(deviation);
}

static int print_json(const job *j, const char *trajectory, const char *sentence) {
  rbv_json *json;
  char hash[65];
  rbv_status status = rbv_hash_file(hash, trajectory);
  if (status == RBV_OK) status = rbv_json_new(&json);
  if (status != RBV_OK) return cli_fail(status);
  rbv_json_map(json);
  rbv_json_put_string(json, "schema", "roberval.simulation/1");
  rbv_json_put_string(json, "version", rbv_version());
  rbv_json_put_string(json, "robot", rbv_model_name(j->m));
  rbv_json_put_string(json, "trajectory", trajectory);
  rbv_json_put_string(json, "trajectory_sha256", hash);
  rbv_json_put_string(json, "controller", rbv_control_name(j->p.control));
  rbv_json_put_string(json, "log", j->o->output);
  rbv_json_put_real(json, "rate_hz", rbv_control_rate_hz(j->p.control));
  rbv_json_put_string(json, "integrator", rbv_integrator_name(j->o->plant.sim.integrator));
  rbv_json_put_int(json, "substeps", rbv_sim_substeps(j->p.last));
  rbv_json_put_real(json, "gamma", rbv_sim_gamma(j->p.last));
  rbv_json_put_int(json, "seed", (long long)j->o->common.seed);
  rbv_json_put_int(json, "samples", j->p.outcome.samples);
  rbv_json_put_bool(json, "diverged", j->p.outcome.verdict != RBV_SIM_DONE);
  if (j->p.outcome.verdict != RBV_SIM_DONE) rbv_json_put_string(json, "reason", sentence);
  put_joints(json, j);
  rbv_json_end(json);
  return cli_write_json(NULL, json);
}

static void tell(const job *j) {
  double worst = 0;
  int at = 0;
  for (int i = 0; i < j->p.n; i++)
    if (!(tracking(j, i) <= worst)) {
      worst = tracking(j, i);
      at = i;
    }
  cli_say(&j->o->common,
          "%td samples at %g Hz, %s, %d step%s per tick, gamma %g; largest tracking error %.3g "
          "rms, joint %d\n",
          j->p.outcome.samples, rbv_control_rate_hz(j->p.control),
          rbv_integrator_name(j->o->plant.sim.integrator), rbv_sim_substeps(j->p.last),
          rbv_sim_substeps(j->p.last) > 1 ? "s" : "", rbv_sim_gamma(j->p.last), worst, at + 1);
}

static int finish(const job *j, const char *trajectory) {
  char sentence[512];
  rbv_sim_describe(sentence, sizeof sentence, j->p.last, &j->p.outcome);
  const bool diverged = j->p.outcome.verdict != RBV_SIM_DONE;
  int code = EXIT_DONE;
  // a controller of ours knows each joint alone
  const bool ours = !j->o->plant.controller || strcmp(j->o->plant.controller, "auto") == 0;
  if (diverged)
    fprintf(stderr, "roberval: %s%s\n", sentence,
            ours ? " (--bandwidth, --rate; wrists without rotor inertia are hard to control)" : "");
  if (!diverged) tell(j);
  // what came before a divergence shows how it began
  if (j->p.outcome.samples > 0 && (j->o->output || !j->o->common.json)) code = write_log(j);
  if (code == EXIT_DONE && j->o->common.json) code = print_json(j, trajectory, sentence);
  return code == EXIT_DONE && diverged ? EXIT_NO : code;
}

int cli_run_simulate(int argc, char **argv) {
  options o = {.common = CLI_COMMON_DEFAULTS,
               .robot = {.model = rbv_model_defaults()},
               .plant = cli_plant_defaults()};
  const cli_opt table[] = {
      CLI_PLANT(o.plant),
      {"derivatives", 0, OPT_FLAG, &o.derivatives, NULL, "write true dq and ddq too"},
      {"output", 'o', OPT_TEXT, &o.output, "FILE", "write the log here (default: stdout)"},
      CLI_ROBOT(o.robot),
      CLI_COMMON(o.common),
      {0}};
  int count;
  int code = cli_parse(&count, argc, argv, "simulate", table);
  if (code < 0) code = cli_plant_check(&o.plant, "simulate");
  if (code >= 0) return code;
  job j = {.o = &o};
  code = cli_load_robot(&j.m, "simulate", &o.robot, argv[1], &o.common);
  if (code >= 0) return code;
  o.plant.sim.loaded = rbv_model_has_payload(j.m);
  if (o.robot.model.gamma > 0) o.plant.sim.gamma = o.robot.model.gamma;
  code = cli_plant_load(&j.p, "simulate", &o.plant, j.m, argv[2], &o.common);
  if (code < 0) code = cli_plant_run(&j.p, &j.p.sim);
  if (code < 0) code = finish(&j, argv[2]);
  cli_plant_free(&j.p);
  rbv_model_free(j.m);
  return code;
}
