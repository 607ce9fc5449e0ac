/* roberval simulate: the closed loop along a trajectory, recorded by sensors that lie as asked. */
#include <math.h>
#include <roberval/signal.h>
#include <roberval/sim.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "motions.h"
#include "table.h"

#define PI 3.14159265358979323846
#define BANDWIDTH_HZ 10  // of --controller auto, unless the user says

typedef struct {
  cli_common common;
  cli_robot robot;
  rbv_sim_options sim;
  const char *parameters, *output, *map, *integrator;
  const char *controller, *bandwidth, *save;
  const char *disturbance, *torque_noise, *torque_offset, *ripple;
  double rate_hz, integral, roll_off;
  bool derivatives;
} options;

/* everything that a run holds, freed in one place */
typedef struct {
  const options *o;
  rbv_model *m;
  int n;
  double *chi;
  rbv_log *log;              // the trajectory as it was read
  rbv_sim_reference raw, r;  // of it; at the control rate
  double *block;             // the reference's memory
  rbv_control *control;
  rbv_sim *sim;
  rbv_sim_trace trace;
  rbv_sim_outcome outcome;
  double *size[4];  // of the defects with a number per joint
} job;

/* ---- what is needed ---- */

static int read_parameters(job *j) {
  const double *given = rbv_model_parameters(j->m);
  const size_t bytes = (size_t)rbv_model_column_count(j->m) * sizeof *j->chi;
  if (!(j->chi = malloc(bytes))) return cli_out_of_memory();
  if (!j->o->parameters && !given) {
    fprintf(stderr,
            "roberval: the robot '%s' has no parameter values: give them with --parameters\n",
            rbv_model_name(j->m));
    return EXIT_INPUT;
  }
  if (!j->o->parameters) {
    memcpy(j->chi, given, bytes);
    return -1;
  }
  rbv_parameters *set = NULL;
  rbv_status status = rbv_parameters_load(&set, j->o->parameters);
  if (status == RBV_OK) status = rbv_parameters_apply(j->chi, NULL, set, j->m);
  rbv_parameters_free(set);
  return status == RBV_OK ? -1 : cli_fail(status);
}

/* the samples of a channel of all joints side by side; NULL when it is not there */
static double *gather(const job *j, rbv_channel channel) {
  const ptrdiff_t count = rbv_log_samples(j->log);
  double *block = malloc((size_t)count * (size_t)j->n * sizeof *block);
  for (int i = 0; i < j->n && block; i++)
    memcpy(block + i * count, rbv_log_channel(j->log, channel, i), (size_t)count * sizeof *block);
  return block;
}

static int read_trajectory(job *j, const char *path) {
  rbv_log_map *map = NULL;
  rbv_status status = j->o->map ? rbv_log_map_load(&map, j->o->map) : RBV_OK;
  if (status == RBV_OK) status = rbv_log_load(&j->log, path, map);
  rbv_log_map_free(map);
  if (status != RBV_OK) return cli_fail(status);
  const bool reference = rbv_log_channel_count(j->log, RBV_CHANNEL_REFERENCE_POSITION) == j->n;
  if (!reference && rbv_log_channel_count(j->log, RBV_CHANNEL_POSITION) != j->n) {
    fprintf(stderr,
            "roberval: %s: no reference for the %d joints of '%s': columns qr1 ... qr%d, or q1 ... "
            "q%d, are needed; --map says which columns they are\n",
            path, j->n, rbv_model_name(j->m), j->n, j->n);
    return EXIT_INPUT;
  }
  j->block = gather(j, reference ? RBV_CHANNEL_REFERENCE_POSITION : RBV_CHANNEL_POSITION);
  if (!j->block) return cli_out_of_memory();
  const ptrdiff_t count = rbv_log_samples(j->log);
  for (ptrdiff_t k = 0; k < count * j->n; k++)
    if (!isfinite(j->block[k])) {
      fprintf(stderr, "roberval: %s:%td: the reference of joint %d is not a finite number\n", path,
              rbv_log_line(j->log, k % count), (int)(k / count) + 1);
      return EXIT_INPUT;
    }
  j->raw = (rbv_sim_reference){.count = count, .ld = count, .q = j->block};
  return -1;
}

/* ---- the controller ---- */

/* one number for all joints, or a list of them; relative: it ended with % */
static int read_sizes(double **out, bool *relative, const char *option, const char *text, int n) {
  *out = NULL;
  if (!text) return -1;
  char line[4096];
  const size_t length = strlen(text);
  if (length >= sizeof line) return cli_usage("simulate", "--%s is too long", option);
  memcpy(line, text, length + 1);
  const bool percent = length > 1 && line[length - 1] == '%';
  if (percent && relative) line[length - 1] = 0;
  if (percent && relative) *relative = true;
  double all;
  if (!rbv_real_parse(&all, line)) return cli_read_numbers(out, "simulate", option, line, n);
  *out = malloc((size_t)n * sizeof **out);
  if (!*out) return cli_out_of_memory();
  for (int i = 0; i < n; i++) (*out)[i] = all;
  return -1;
}

/* does the file say at which rate it runs? */
static rbv_status says_rate(bool *out, const char *path) {
  rbv_doc *doc;
  const rbv_status status = rbv_doc_load(&doc, path);
  if (status != RBV_OK) return status;
  *out = rbv_node_find(rbv_doc_root(doc), "rate_hz") != NULL;
  rbv_doc_free(doc);
  return RBV_OK;
}

static int tune(job *j, const double *inertia, double rate_hz) {
  double *bandwidth = NULL;
  int code = read_sizes(&bandwidth, NULL, "bandwidth", j->o->bandwidth, j->n);
  rbv_control_joint *joint = malloc((size_t)j->n * sizeof *joint);
  if (code < 0 && !joint) code = cli_out_of_memory();
  for (int i = 0; i < j->n && code < 0; i++) {
    const double hertz = bandwidth ? bandwidth[i] : BANDWIDTH_HZ;
    if (!(hertz > 0)) code = cli_usage("simulate", "--bandwidth must be positive");
    joint[i] = rbv_control_tune(inertia[i], 2 * PI * hertz, j->o->integral, j->o->roll_off);
  }
  if (code < 0) {
    const rbv_status status =
        rbv_control_new(&j->control, "auto", rate_hz, RBV_FEEDFORWARD_NONE, joint, j->n);
    if (status != RBV_OK) code = cli_fail(status);
  }
  free(joint);
  free(bandwidth);
  return code;
}

static int make_controller(job *j) {
  const bool automatic = strcmp(j->o->controller, "auto") == 0;
  const rbv_log_rate stamps = rbv_log_get_rate(j->log);
  double rate_hz = j->o->rate_hz;
  bool says = false;
  rbv_status status = automatic ? RBV_OK : says_rate(&says, j->o->controller);
  // the trajectory's own rate when nobody else has one; steps of 0.000199999 s are 5000 Hz
  if (!(rate_hz > 0) && !says && stamps.known && stamps.period > 0) {
    rate_hz = 1 / stamps.period;
    if (fabs(rate_hz - nearbyint(rate_hz)) < 1e-6 * rate_hz) rate_hz = nearbyint(rate_hz);
  }
  if (status == RBV_OK && !(rate_hz > 0) && !says)
    return cli_usage("simulate", "the trajectory has no column t: give the control rate by --rate");
  double *inertia = malloc((size_t)j->n * sizeof *inertia);
  if (!inertia) return cli_out_of_memory();
  const ptrdiff_t stride = j->raw.count / 1000 + 1;
  if (status == RBV_OK)
    status = rbv_sim_inertia(inertia, j->m, j->chi, j->o->sim.loaded, &j->raw, stride);
  int code = -1;
  if (status == RBV_OK && automatic) {
    code = tune(j, inertia, rate_hz);
  } else if (status == RBV_OK) {
    const rbv_control_options o = {.njoint = j->n, .rate_hz = rate_hz, .inertia = inertia};
    status = rbv_control_load(&j->control, j->o->controller, &o);
  }
  if (status == RBV_OK && code < 0 && j->o->save) status = rbv_control_save(j->control, j->o->save);
  free(inertia);
  return status == RBV_OK ? code : cli_fail(status);
}

/* ---- the reference at the control rate ---- */

static int resample(job *j) {
  const double *t = rbv_log_channel(j->log, RBV_CHANNEL_TIME, -1);
  const rbv_log_rate stamps = rbv_log_get_rate(j->log);
  const double rate_hz = rbv_control_rate_hz(j->control);
  j->r = j->raw;
  if (!t || !stamps.known) return -1;
  if (!stamps.increasing) {
    fprintf(stderr, "roberval: %s: time does not increase from sample to sample\n",
            rbv_log_name(j->log));
    return EXIT_INPUT;
  }
  if (stamps.regular && fabs(stamps.period * rate_hz - 1) < 1e-6) return -1;
  rbv_resampler *resampler;
  rbv_status status = rbv_resampler_new(&resampler, t, j->raw.count, rate_hz);
  if (status != RBV_OK) return cli_fail(status);
  const ptrdiff_t count = rbv_resampler_count(resampler);
  double *fine = malloc((size_t)count * (size_t)j->n * sizeof *fine);
  status = fine ? rbv_resample(fine, count, NULL, resampler, j->block, j->raw.ld, j->n,
                               RBV_RESAMPLE_CUBIC, INFINITY)
                : RBV_EMEM;
  rbv_resampler_free(resampler);
  free(j->block);
  j->block = fine;
  if (status != RBV_OK) return cli_fail(status);
  cli_say(&j->o->common, "%s: resampled from %.6g to %g Hz, %td samples\n", rbv_log_name(j->log),
          1 / stamps.period, rate_hz, count);
  j->r = (rbv_sim_reference){.count = count, .ld = count, .q = fine};
  return -1;
}

/* ---- the run ---- */

static int run_once(job *j, const rbv_sim_options *o) {
  rbv_sim_free(j->sim);
  const rbv_sim_lane lane = {.chi = j->chi, .seed = j->o->common.seed};
  rbv_status status = rbv_sim_new(&j->sim, j->m, j->control, o, 1);
  if (status == RBV_OK) status = rbv_sim_set(j->sim, 0, &lane);
  if (status == RBV_OK) status = rbv_sim_run(&j->outcome, j->sim, &j->r, &j->trace);
  return status == RBV_OK ? -1 : cli_fail(status);
}

/* defects with a number per joint; percents are of the torque without any */
static int prepare_defects(job *j, rbv_sim_options *o) {
  bool relative[4] = {false};
  const char *const names[] = {"disturbance", "torque-noise", "ripple", "torque-offset"};
  const char *const texts[] = {j->o->disturbance, j->o->torque_noise, j->o->ripple,
                               j->o->torque_offset};
  bool any = false;
  for (int i = 0; i < 4; i++) {
    const int code = read_sizes(&j->size[i], &relative[i], names[i], texts[i], j->n);
    if (code >= 0) return code;
    any = any || relative[i];
  }
  if (any) {
    rbv_sim_options exact = *o;
    exact.defects = (rbv_sim_defects){0};
    const int code = run_once(j, &exact);
    if (code >= 0) return code;
    double *deviation = malloc((size_t)j->n * sizeof *deviation);
    if (!deviation) return cli_out_of_memory();
    rbv_sim_deviation(deviation, &j->trace, j->n, j->outcome.samples);
    for (int i = 0; i < 4; i++)
      for (int k = 0; k < j->n && relative[i]; k++) j->size[i][k] *= deviation[k] / 100;
    free(deviation);
  }
  o->defects.disturbance = j->size[0];
  o->defects.torque_noise = j->size[1];
  o->defects.ripple = j->size[2];
  o->defects.torque_offset = j->size[3];
  return -1;
}

/* ---- what came out ---- */

#define ROWS 256

static int write_log(const job *j) {
  const rbv_sim_columns columns = {true, j->o->derivatives, j->o->derivatives};
  rbv_log *log;
  const rbv_status status = rbv_sim_log(&log, j->sim, 0, &j->trace, &j->outcome, &columns);
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
  for (ptrdiff_t k = 0; k < j->outcome.samples; k++) {
    const ptrdiff_t at = k + joint * j->trace.ld;
    const double e = j->trace.q[at] - j->trace.qr[at];
    sum += e * e;
  }
  return j->outcome.samples > 0 ? sqrt(sum / (double)j->outcome.samples) : NAN;
}

static void put_joints(rbv_json *json, const job *j) {
  double *deviation = malloc((size_t)j->n * sizeof *deviation);
  if (deviation) rbv_sim_deviation(deviation, &j->trace, j->n, j->outcome.samples);
  rbv_json_key(json, "joints");
  rbv_json_list(json);
  for (int i = 0; i < j->n && deviation; i++) {
    rbv_json_map(json);
    cli_put_string(json, "name", rbv_model_joint(j->m, i)->name);
    cli_put_real(json, "tracking_rms_rad", tracking(j, i));
    cli_put_real(json, "torque_deviation_Nm", deviation[i]);
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
  cli_put_string(json, "schema", "roberval.simulation/1");
  cli_put_string(json, "version", rbv_version());
  cli_put_string(json, "robot", rbv_model_name(j->m));
  cli_put_string(json, "trajectory", trajectory);
  cli_put_string(json, "trajectory_sha256", hash);
  cli_put_string(json, "controller", rbv_control_name(j->control));
  cli_put_string(json, "log", j->o->output);
  cli_put_real(json, "rate_hz", rbv_control_rate_hz(j->control));
  cli_put_string(json, "integrator", rbv_integrator_name(j->o->sim.integrator));
  cli_put_int(json, "substeps", rbv_sim_substeps(j->sim));
  cli_put_real(json, "gamma", rbv_sim_gamma(j->sim));
  cli_put_int(json, "seed", (long long)j->o->common.seed);
  cli_put_int(json, "samples", j->outcome.samples);
  cli_put_bool(json, "diverged", j->outcome.verdict != RBV_SIM_DONE);
  if (j->outcome.verdict != RBV_SIM_DONE) cli_put_string(json, "reason", sentence);
  put_joints(json, j);
  rbv_json_end(json);
  return cli_write_json(NULL, json);
}

static void tell(const job *j) {
  double worst = 0;
  int at = 0;
  for (int i = 0; i < j->n; i++)
    if (!(tracking(j, i) <= worst)) {
      worst = tracking(j, i);
      at = i;
    }
  cli_say(&j->o->common,
          "%td samples at %g Hz, %s, %d step%s per tick, gamma %g; largest tracking error %.3g "
          "rms, joint %d\n",
          j->outcome.samples, rbv_control_rate_hz(j->control),
          rbv_integrator_name(j->o->sim.integrator), rbv_sim_substeps(j->sim),
          rbv_sim_substeps(j->sim) > 1 ? "s" : "", rbv_sim_gamma(j->sim), worst, at + 1);
}

static int finish(const job *j, const char *trajectory) {
  char sentence[512];
  rbv_sim_describe(sentence, sizeof sentence, j->sim, &j->outcome);
  const bool diverged = j->outcome.verdict != RBV_SIM_DONE;
  int code = EXIT_DONE;
  if (diverged) fprintf(stderr, "roberval: %s\n", sentence);
  if (!diverged) tell(j);
  // what came before a divergence shows how it began
  if (j->outcome.samples > 0 && (j->o->output || !j->o->common.json)) code = write_log(j);
  if (code == EXIT_DONE && j->o->common.json) code = print_json(j, trajectory, sentence);
  return code == EXIT_DONE && diverged ? EXIT_NO : code;
}

static int work(job *j, const char *trajectory) {
  j->n = rbv_model_joint_count(j->m);
  int code = read_parameters(j);
  if (code < 0) code = read_trajectory(j, trajectory);
  if (code < 0) code = make_controller(j);
  if (code < 0) code = resample(j);
  if (code < 0) {
    const rbv_status status = rbv_sim_trace_new(&j->trace, j->n, j->r.count);
    if (status != RBV_OK) code = cli_fail(status);
  }
  rbv_sim_options o = j->o->sim;
  if (code < 0) code = prepare_defects(j, &o);
  if (code < 0) code = run_once(j, &o);
  return code < 0 ? finish(j, trajectory) : code;
}

static void free_job(job *j) {
  for (int i = 0; i < 4; i++) free(j->size[i]);
  rbv_sim_trace_free(&j->trace);
  rbv_sim_free(j->sim);
  rbv_control_free(j->control);
  rbv_log_free(j->log);
  free(j->block);
  free(j->chi);
  rbv_model_free(j->m);
}

int cli_run_simulate(int argc, char **argv) {
  options o = {.common = CLI_COMMON_DEFAULTS,
               .robot = {.model = rbv_model_defaults()},
               .sim = rbv_sim_defaults(),
               .integrator = "rosenbrock",
               .controller = "auto",
               .integral = 0.2,
               .roll_off = 10};
  rbv_sim_defects *d = &o.sim.defects;
  d->disturbance_hz = 20;
  d->ripple_periods = 1;
  d->drift_s = 600;
  const cli_opt table[] = {
      {"controller", 'k', OPT_TEXT, &o.controller, "FILE", "controller, or auto (default)"},
      {"bandwidth", 0, OPT_TEXT, &o.bandwidth, "HZ",
       "auto: of every joint, or a list (default 10)"},
      {"integral", 0, OPT_REAL, &o.integral, "X", "auto: k_i = X w k_p (default 0.2)"},
      {"roll-off", 0, OPT_REAL, &o.roll_off, "X", "auto: derivative filter 1/(X w) (default 10)"},
      {"save-controller", 0, OPT_TEXT, &o.save, "FILE", "write the controller that was used"},
      {"rate", 'r', OPT_REAL, &o.rate_hz, "HZ", "control rate (default: controller, trajectory)"},
      {"parameters", 'p', OPT_TEXT, &o.parameters, "FILE",
       "parameter set or result (default: the robot's own)"},
      {"map", 0, OPT_TEXT, &o.map, "COLUMNS.yaml", "what the trajectory's columns mean"},
      {"integrator", 0, OPT_TEXT, &o.integrator, "NAME", "rosenbrock (default) or rk4"},
      {"substeps", 0, OPT_COUNT, &o.sim.substeps, "N", "steps per tick (default: from the rate)"},
      {"encoder", 'e', OPT_REAL, &d->record_counts, "COUNTS", "per turn, in the recording only"},
      {"loop-encoder", 0, OPT_REAL, &d->loop_counts, "COUNTS", "that the controller sees too"},
      {"loop-noise", 0, OPT_REAL, &d->loop_noise, "RAD", "on positions that the controller sees"},
      {"loop-delay", 0, OPT_COUNT, &d->loop_delay, "N", "the controller sees old positions"},
      {"disturbance", 0, OPT_TEXT, &o.disturbance, "NM",
       "torque that nobody records; or 2% of the joint's own"},
      {"disturbance-hz", 0, OPT_REAL, &d->disturbance_hz, "HZ", "its corner (default 20; 0 white)"},
      {"torque-noise", 0, OPT_TEXT, &o.torque_noise, "NM", "in the recorded torque; or percent"},
      {"torque-noise-hz", 0, OPT_REAL, &d->torque_noise_hz, "HZ", "its corner (default 0: white)"},
      {"torque-offset", 0, OPT_TEXT, &o.torque_offset, "NM", "of the recorded torque; or percent"},
      {"ripple", 0, OPT_TEXT, &o.ripple, "NM", "of the recorded torque, amplitude; or percent"},
      {"ripple-periods", 0, OPT_REAL, &d->ripple_periods, "X", "per turn of the joint (default 1)"},
      {"torque-delay", 0, OPT_COUNT, &d->torque_delay, "N", "torques are recorded N samples late"},
      {"jitter", 0, OPT_REAL, &d->jitter_s, "S", "of the time stamps"},
      {"drop", 0, OPT_REAL, &d->drop, "SHARE", "of the samples that are missing"},
      {"drift", 0, OPT_REAL, &d->drift, "SHARE", "of friction, when warm: -0.2 is a fifth less"},
      {"drift-time", 0, OPT_REAL, &d->drift_s, "S", "time constant of it (default 600)"},
      {"derivatives", 0, OPT_FLAG, &o.derivatives, NULL, "write true dq and ddq too"},
      {"output", 'o', OPT_TEXT, &o.output, "FILE", "write the log here (default: stdout)"},
      CLI_ROBOT(o.robot),
      CLI_COMMON(o.common),
      {0}};
  int count;
  int code = cli_parse(&count, argc, argv, "simulate", table);
  if (code >= 0) return code;
  if (!rbv_integrator_parse(&o.sim.integrator, o.integrator))
    return cli_usage("simulate", "--integrator can be rosenbrock or rk4, not '%s'", o.integrator);
  if (o.rate_hz < 0) return cli_usage("simulate", "--rate must be positive");
  if (d->drop < 0 || d->drop >= 1) return cli_usage("simulate", "--drop is from 0 to below 1");
  if (d->record_counts < 0 || d->loop_counts < 0 || d->loop_noise < 0 || d->jitter_s < 0 ||
      d->disturbance_hz < 0 || d->torque_noise_hz < 0 || o.integral < 0)
    return cli_usage("simulate", "counts, noise and their corners must not be negative");
  if (!(d->drift > -1) || !(d->drift_s > 0) || !(o.roll_off > 0))
    return cli_usage("simulate", "--drift is above -1, --drift-time and --roll-off are positive");
  job j = {.o = &o};
  code = cli_load_robot(&j.m, "simulate", &o.robot, argv[1], &o.common);
  if (code >= 0) return code;
  o.sim.loaded = rbv_model_has_payload(j.m);
  if (o.robot.model.gamma > 0) o.sim.gamma = o.robot.model.gamma;
  code = work(&j, argv[2]);
  free_job(&j);
  return code;
}
