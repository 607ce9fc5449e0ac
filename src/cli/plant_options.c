/* A robot in its loop: parameters, reference, controller, defects. */
#include "plant_options.h"

#include <math.h>
#include <roberval/sys/result.h>
#include <roberval/sys/signal.h>
#include <roberval/sys/sim.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "recordings.h"

#define PI 3.14159265358979323846
#define BANDWIDTH_HZ 10  // of --controller auto, unless the user says

cli_plant_options cli_plant_defaults(void) {
  cli_plant_options o = {.sim = rbv_sim_defaults(),
                         .integrator = "rosenbrock",
                         .controller = "auto",
                         .integral = 0.2,
                         .roll_off = 10};
  o.sim.defects.disturbance_hz = 20;
  o.sim.defects.ripple_periods = 1;
  o.sim.defects.drift_s = 600;
  return o;
}

int cli_plant_check(cli_plant_options *o, const char *command) {
  const rbv_sim_defects *d = &o->sim.defects;
  if (!rbv_integrator_parse(&o->sim.integrator, o->integrator))
    return cli_usage(command, "--integrator can be rosenbrock or rk4, not '%s'", o->integrator);
  if (o->rate_hz < 0) return cli_usage(command, "--rate must be positive");
  if (d->drop < 0 || d->drop >= 1) return cli_usage(command, "--drop is from 0 to below 1");
  if (d->record_counts < 0 || d->loop_counts < 0 || d->loop_noise < 0 || d->jitter_s < 0 ||
      d->disturbance_hz < 0 || d->torque_noise_hz < 0 || o->integral < 0)
    return cli_usage(command, "counts, noise and their corners must not be negative");
  if (!(d->drift > -1) || !(d->drift_s > 0) || !(o->roll_off > 0))
    return cli_usage(command, "--drift is above -1, --drift-time and --roll-off are positive");
  return -1;
}

/* ---- parameters ---- */

static int find_parameters(cli_plant *p) {
  const double *given = rbv_model_parameters(p->m);
  const size_t bytes = (size_t)rbv_model_column_count(p->m) * sizeof *p->chi;
  if (!(p->chi = malloc(bytes))) return cli_out_of_memory();
  if (!p->o->parameters && !given) {
    fprintf(stderr,
            "roberval: the robot '%s' has no parameter values: give them with --parameters\n",
            rbv_model_name(p->m));
    return EXIT_INPUT;
  }
  if (!p->o->parameters) {
    memcpy(p->chi, given, bytes);
    return -1;
  }
  rbv_parameters *set = NULL;
  rbv_status status = rbv_parameters_load(&set, p->o->parameters);
  if (status == RBV_OK) status = rbv_parameters_apply(p->chi, NULL, set, p->m);
  rbv_parameters_free(set);
  return status == RBV_OK ? -1 : cli_fail(status);
}

/* more Coulomb friction near standstill, as the options want it */
static void add_excess(cli_plant *p) {
  for (int c = 0; c < rbv_model_column_count(p->m); c++) {
    const rbv_column *stribeck = rbv_model_column(p->m, c);
    if (!rbv_column_has_law(stribeck, "Fs")) continue;
    char coulomb[32];
    snprintf(coulomb, sizeof coulomb, "Fc%d", stribeck->joint + 1);
    const int of = rbv_model_find(p->m, coulomb);
    p->chi[c] = of >= 0 ? p->o->excess * p->chi[of] : 0;
  }
}

static int read_parameters(cli_plant *p) {
  const int code = find_parameters(p);
  if (code < 0 && p->o->excess != 0) add_excess(p);
  return code;
}

/* ---- reference ---- */

/* the samples of a channel of all joints side by side; NULL when memory is out */
static double *gather(const rbv_log *log, rbv_channel channel, int n) {
  const ptrdiff_t count = rbv_log_samples(log);
  double *block = malloc((size_t)count * (size_t)n * sizeof *block);
  for (int i = 0; i < n && block; i++)
    memcpy(block + i * count, rbv_log_channel(log, channel, i), (size_t)count * sizeof *block);
  return block;
}

static int read_trajectory(rbv_log **log, double **block, const cli_plant *p, const char *path) {
  rbv_log_map *map = NULL;
  rbv_status status = p->o->map ? rbv_log_map_load(&map, p->o->map) : RBV_OK;
  if (status == RBV_OK) status = rbv_log_load(log, path, map);
  rbv_log_map_free(map);
  if (status != RBV_OK) return cli_fail(status);
  const bool reference = rbv_log_channel_count(*log, RBV_CHANNEL_REFERENCE_POSITION) == p->n;
  if (!reference && rbv_log_channel_count(*log, RBV_CHANNEL_POSITION) != p->n) {
    fprintf(stderr,
            "roberval: %s: no reference for the %d joints of '%s': columns qr1 ... qr%d, or q1 ... "
            "q%d, are needed; --map says which columns they are\n",
            path, p->n, rbv_model_name(p->m), p->n, p->n);
    return EXIT_INPUT;
  }
  *block = gather(*log, reference ? RBV_CHANNEL_REFERENCE_POSITION : RBV_CHANNEL_POSITION, p->n);
  if (!*block) return cli_out_of_memory();
  const ptrdiff_t count = rbv_log_samples(*log);
  for (ptrdiff_t k = 0; k < count * p->n; k++)
    if (!isfinite((*block)[k])) {
      fprintf(stderr, "roberval: %s:%td: the reference of joint %d is not a finite number\n", path,
              rbv_log_line(*log, k % count), (int)(k / count) + 1);
      return EXIT_INPUT;
    }
  return -1;
}

static int read_built_in(cli_plant *p) {
  double *q;
  ptrdiff_t count;
  int njoint;
  const rbv_status status =
      rbv_sim_reference_builtin(&q, &count, &njoint, &p->built_in_hz, rbv_model_name(p->m));
  if (status == RBV_EMEM) return cli_fail(status);
  if (status != RBV_OK || njoint != p->n) {
    rbv_sim_reference_release(q);
    return cli_usage(p->command, "there is no built-in reference for '%s': give one by --reference",
                     rbv_model_name(p->m));
  }
  const size_t bytes = (size_t)count * (size_t)njoint * sizeof *q;
  if ((p->block = malloc(bytes))) memcpy(p->block, q, bytes);
  rbv_sim_reference_release(q);
  if (!p->block) return cli_out_of_memory();
  p->raw = (rbv_sim_reference){.count = count, .ld = count, .q = p->block};
  return -1;
}

/* at the control rate, in place of what was read */
static int resample(rbv_sim_reference *r, double **block, const cli_plant *p, const rbv_log *log) {
  const double *t = rbv_log_channel(log, RBV_CHANNEL_TIME, -1);
  const rbv_log_rate stamps = rbv_log_get_rate(log);
  const double rate_hz = rbv_control_rate_hz(p->control);
  const ptrdiff_t raw = rbv_log_samples(log);
  *r = (rbv_sim_reference){.count = raw, .ld = raw, .q = *block};
  if (!t || !stamps.known) return -1;
  if (!stamps.increasing) {
    fprintf(stderr, "roberval: %s: time does not increase from sample to sample\n",
            rbv_log_name(log));
    return EXIT_INPUT;
  }
  if (stamps.regular && fabs(stamps.period * rate_hz - 1) < 1e-6) return -1;
  rbv_resampler *resampler;
  rbv_status status = rbv_resampler_new(&resampler, t, raw, rate_hz);
  if (status != RBV_OK) return cli_fail(status);
  const ptrdiff_t count = rbv_resampler_count(resampler);
  double *fine = malloc((size_t)count * (size_t)p->n * sizeof *fine);
  status = fine ? rbv_resample(fine, count, NULL, resampler, *block, raw, p->n, RBV_RESAMPLE_CUBIC,
                               INFINITY)
                : RBV_EMEM;
  rbv_resampler_free(resampler);
  free(*block);
  *block = fine;
  if (status != RBV_OK) return cli_fail(status);
  cli_say(p->common, "%s: resampled from %.6g to %g Hz, %td samples\n", rbv_log_name(log),
          1 / stamps.period, rate_hz, count);
  *r = (rbv_sim_reference){.count = count, .ld = count, .q = fine};
  return -1;
}

int cli_plant_reference(rbv_sim_reference *out, double **memory, const cli_plant *p,
                        const char *trajectory) {
  rbv_log *log = NULL;
  int code = read_trajectory(&log, memory, p, trajectory);
  if (code < 0) code = resample(out, memory, p, log);
  rbv_log_free(log);
  return code;
}

/* ---- controller ---- */

/* one number for all joints, or a list of them; relative: it ended with % */
static int read_sizes(double **out, bool *relative, const cli_plant *p, const char *option,
                      const char *text) {
  *out = NULL;
  if (!text) return -1;
  char line[4096];
  const size_t length = strlen(text);
  if (length >= sizeof line) return cli_usage(p->command, "--%s is too long", option);
  memcpy(line, text, length + 1);
  const bool percent = length > 1 && line[length - 1] == '%';
  if (percent && relative) line[length - 1] = 0;
  if (percent && relative) *relative = true;
  double all;
  if (!rbv_real_parse(&all, line)) return cli_read_numbers(out, p->command, option, line, p->n);
  *out = malloc((size_t)p->n * sizeof **out);
  if (!*out) return cli_out_of_memory();
  for (int i = 0; i < p->n; i++) (*out)[i] = all;
  return -1;
}

/* does the file say at which rate it runs? */
static rbv_status says_rate(bool *out, const char *path) {
  rbv_document *doc;
  const rbv_status status = rbv_document_load(&doc, path);
  if (status != RBV_OK) return status;
  *out = rbv_node_find(rbv_document_root(doc), "rate_hz") != NULL;
  rbv_document_free(doc);
  return RBV_OK;
}

static int tune(cli_plant *p, const double *inertia, double rate_hz) {
  double *bandwidth = NULL;
  int code = read_sizes(&bandwidth, NULL, p, "bandwidth", p->o->bandwidth);
  rbv_control_joint *joint = malloc((size_t)p->n * sizeof *joint);
  if (code < 0 && !joint) code = cli_out_of_memory();
  for (int i = 0; i < p->n && code < 0; i++) {
    const double hertz = bandwidth ? bandwidth[i] : BANDWIDTH_HZ;
    if (!(hertz > 0)) code = cli_usage(p->command, "--bandwidth must be positive");
    joint[i] = rbv_control_tune(inertia[i], 2 * PI * hertz, p->o->integral, p->o->roll_off);
  }
  if (code < 0) {
    const rbv_status status =
        rbv_control_new(&p->control, "auto", rate_hz, RBV_FEEDFORWARD_NONE, joint, p->n);
    if (status != RBV_OK) code = cli_fail(status);
  }
  free(joint);
  free(bandwidth);
  return code;
}

/* of the trajectory, 0: not known; steps of 0.000199999 s are 5000 Hz */
static double own_rate(const cli_plant *p) {
  if (!p->log) return p->built_in_hz;
  const rbv_log_rate stamps = rbv_log_get_rate(p->log);
  if (!stamps.known || !(stamps.period > 0)) return 0;
  const double rate_hz = 1 / stamps.period, whole = nearbyint(rate_hz);
  return fabs(rate_hz - whole) < 1e-6 * rate_hz ? whole : rate_hz;
}

static int make_controller(cli_plant *p) {
  const bool automatic = strcmp(p->o->controller, "auto") == 0;
  double rate_hz = p->o->rate_hz;
  bool says = false;
  rbv_status status = automatic ? RBV_OK : says_rate(&says, p->o->controller);
  // the trajectory's own rate when nobody else has one
  if (!(rate_hz > 0) && !says) rate_hz = own_rate(p);
  if (status == RBV_OK && !(rate_hz > 0) && !says)
    return cli_usage(p->command, "the trajectory has no column t: give the control rate by --rate");
  double *inertia = malloc((size_t)p->n * sizeof *inertia);
  if (!inertia) return cli_out_of_memory();
  const ptrdiff_t stride = p->raw.count / 1000 + 1;
  if (status == RBV_OK)
    status = rbv_sim_inertia(inertia, p->m, p->chi, p->o->sim.loaded, &p->raw, stride);
  int code = -1;
  if (status == RBV_OK && automatic) {
    code = tune(p, inertia, rate_hz);
  } else if (status == RBV_OK) {
    const rbv_control_options o = {.njoint = p->n, .rate_hz = rate_hz, .inertia = inertia};
    status = rbv_control_load(&p->control, p->o->controller, &o);
  }
  if (status == RBV_OK && code < 0 && p->o->save) status = rbv_control_save(p->control, p->o->save);
  free(inertia);
  return status == RBV_OK ? code : cli_fail(status);
}

/* ---- runs ---- */

int cli_plant_run(cli_plant *p, const rbv_sim_options *o) {
  rbv_sim_free(p->last);
  p->last = NULL;
  const rbv_sim_lane lane = {.chi = p->chi, .seed = p->common->seed};
  rbv_status status = RBV_OK;
  if (!p->trace.q) status = rbv_sim_trace_new(&p->trace, p->n, p->r.count);
  if (status == RBV_OK) status = rbv_sim_new(&p->last, p->m, p->control, o, 1);
  if (status == RBV_OK) status = rbv_sim_set(p->last, 0, &lane);
  if (status == RBV_OK) status = rbv_sim_run(&p->outcome, p->last, &p->r, &p->trace);
  return status == RBV_OK ? -1 : cli_fail(status);
}

/* defects with a number per joint; percents are of the torque without any */
static int prepare_defects(cli_plant *p) {
  bool relative[4] = {false};
  const char *const names[] = {"disturbance", "torque-noise", "ripple", "torque-offset"};
  const char *const texts[] = {p->o->disturbance, p->o->torque_noise, p->o->ripple,
                               p->o->torque_offset};
  bool any = false;
  for (int i = 0; i < 4; i++) {
    const int code = read_sizes(&p->size[i], &relative[i], p, names[i], texts[i]);
    if (code >= 0) return code;
    any = any || relative[i];
  }
  if (any) {
    rbv_sim_options exact = p->sim;
    exact.defects = (rbv_sim_defects){0};
    const int code = cli_plant_run(p, &exact);
    if (code >= 0) return code;
    double *deviation = malloc((size_t)p->n * sizeof *deviation);
    if (!deviation) return cli_out_of_memory();
    rbv_sim_deviation(deviation, &p->trace, p->n, p->outcome.samples);
    for (int i = 0; i < 4; i++)
      for (int k = 0; k < p->n && relative[i]; k++) p->size[i][k] *= deviation[k] / 100;
    free(deviation);
  }
  p->sim.defects.disturbance = p->size[0];
  p->sim.defects.torque_noise = p->size[1];
  p->sim.defects.ripple = p->size[2];
  p->sim.defects.torque_offset = p->size[3];
  return -1;
}

int cli_plant_load(cli_plant *p, const char *command, const cli_plant_options *o,
                   const rbv_model *m, const char *trajectory, const cli_common *common) {
  *p = (cli_plant){.command = command,
                   .o = o,
                   .common = common,
                   .m = m,
                   .n = rbv_model_joint_count(m),
                   .sim = o->sim};
  int code = read_parameters(p);
  if (code < 0) {
    code = trajectory ? read_trajectory(&p->log, &p->block, p, trajectory) : read_built_in(p);
    const ptrdiff_t count = p->log ? rbv_log_samples(p->log) : p->raw.count;
    p->raw = (rbv_sim_reference){.count = count, .ld = count, .q = p->block};
  }
  if (code < 0) code = make_controller(p);
  p->r = p->raw;
  if (code < 0 && p->log) code = resample(&p->r, &p->block, p, p->log);
  return code < 0 ? prepare_defects(p) : code;
}

void cli_plant_free(cli_plant *p) {
  for (int i = 0; i < 4; i++) free(p->size[i]);
  rbv_sim_trace_free(&p->trace);
  rbv_sim_free(p->last);
  rbv_control_free(p->control);
  rbv_log_free(p->log);
  free(p->block);
  free(p->chi);
  *p = (cli_plant){0};
}
