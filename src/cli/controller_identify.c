#include "controller_identify.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* what a search holds; freed together */
typedef struct {
  int n, count;
  rbv_log **log;
  rbv_control_record *record;
  double **block;  // of each record: channels of all joints side by side
  double *gains;
} search;

static void free_search(search *s) {
  for (int i = 0; i < s->count; i++) {
    if (s->log) rbv_log_free(s->log[i]);
    if (s->block) free(s->block[i]);
  }
  free(s->log);
  free(s->block);
  free(s->record);
  free(s->gains);
}

/* rate of the stamps, when there is one sample per period */
static int read_rate(double *rate_hz, const rbv_log *log) {
  const rbv_log_rate stamps = rbv_log_get_rate(log);
  if (!stamps.known) {
    cli_complain("%s: the rate is not known: record the time as column t, or give --rate",
                 rbv_log_name(log));
    return EXIT_INPUT;
  }
  if (!stamps.increasing || !(stamps.longest < 1.9 * stamps.median)) {
    cli_complain(
        "%s: samples are missing (longest step %.3g s, usual %.3g s): a control law "
        "needs every tick; record without gaps",
        rbv_log_name(log), stamps.longest, stamps.median);
    return EXIT_INPUT;
  }
  *rate_hz = 1 / stamps.period;
  if (fabs(*rate_hz - nearbyint(*rate_hz)) < 1e-4 * *rate_hz) *rate_hz = nearbyint(*rate_hz);
  return -1;
}

/* all joints of a channel, or nothing */
static const double *copy_channel(double *to, const rbv_log *log, rbv_channel channel, int n,
                                  const double *gain) {
  const ptrdiff_t samples = rbv_log_samples(log);
  if (rbv_log_channel_count(log, channel) < n) return NULL;
  for (int j = 0; j < n; j++) {
    const double *from = rbv_log_channel(log, channel, j);
    for (ptrdiff_t k = 0; k < samples; k++) to[k + j * samples] = (gain ? gain[j] : 1) * from[k];
  }
  return to;
}

static rbv_status load(search *s, const rbv_model *model, const char *path,
                       const rbv_log_map *map) {
  const int i = s->count++;
  rbv_status status = rbv_log_load(&s->log[i], path, map);
  if (status == RBV_OK) status = cli_order_joints(s->log[i], model);
  if (status != RBV_OK) return status;
  const rbv_log *log = s->log[i];
  const size_t size = (size_t)rbv_log_samples(log) * (size_t)s->n;
  double *at = s->block[i] = malloc(5 * size * sizeof *at);
  if (!at) return RBV_EMEM;
  s->record[i] = (rbv_control_record){
      .name = path,
      .count = rbv_log_samples(log),
      .ld = rbv_log_samples(log),
      .qr = copy_channel(at, log, RBV_CHANNEL_REFERENCE_POSITION, s->n, NULL),
      .qm = copy_channel(at + size, log, RBV_CHANNEL_POSITION, s->n, NULL),
      .tau = copy_channel(at + 2 * size, log, RBV_CHANNEL_TORQUE, s->n, s->gains),
      .dqr = copy_channel(at + 3 * size, log, RBV_CHANNEL_REFERENCE_VELOCITY, s->n, NULL),
      .ddqr = copy_channel(at + 4 * size, log, RBV_CHANNEL_REFERENCE_ACCELERATION, s->n, NULL)};
  return RBV_OK;
}

/* one rate for all; torques that were recorded late are moved back by whole samples */
static int settle(search *s, rbv_control_id_options *o, double delay_s) {
  for (int i = 0; i < s->count; i++) {
    double rate_hz = o->rate_hz;
    if (rbv_log_get_rate(s->log[i]).known || !(rate_hz > 0)) {
      const int code = read_rate(&rate_hz, s->log[i]);
      if (code >= 0) return code;
    }
    if (!(o->rate_hz > 0)) o->rate_hz = rate_hz;
    if (!(fabs(rate_hz / o->rate_hz - 1) < 1e-3)) {
      cli_complain("%s: recorded at %g Hz, but a controller runs at one rate: %g Hz",
                   rbv_log_name(s->log[i]), rate_hz, o->rate_hz);
      return EXIT_INPUT;
    }
    rbv_control_record *r = &s->record[i];
    const ptrdiff_t late = (ptrdiff_t)nearbyint(delay_s * rate_hz);
    if (late > 0 && late < r->count && r->tau) {
      r->tau += late;
      r->count -= late;
    }
  }
  return -1;
}

int cli_find_controller(rbv_control **out, rbv_control_found **found, const char *command,
                        const rbv_model *model, const cli_recording *recording,
                        const char *const *paths, int count, const rbv_control_id_options *how) {
  *out = NULL;
  *found = NULL;
  search s = {.n = rbv_model_joint_count(model),
              .log = calloc((size_t)count, sizeof(rbv_log *)),
              .block = calloc((size_t)count, sizeof(double *)),
              .record = calloc((size_t)count, sizeof(rbv_control_record))};
  rbv_control_id_options o = *how;
  rbv_log_map *map = NULL;
  int code = cli_read_numbers(&s.gains, command, "gains", recording->gains, s.n);
  rbv_status status = s.log && s.block && s.record ? RBV_OK : RBV_EMEM;
  if (status == RBV_OK && recording->map) status = rbv_log_map_load(&map, recording->map);
  for (int i = 0; i < count && status == RBV_OK && code < 0; i++)
    status = load(&s, model, paths[i], map);
  if (status == RBV_OK && code < 0) code = settle(&s, &o, recording->delay_s);
  if (status == RBV_OK && code < 0 && !(*found = calloc((size_t)s.n, sizeof **found)))
    status = RBV_EMEM;
  if (status == RBV_OK && code < 0)
    status = rbv_control_identify(out, *found, s.n, s.record, s.count, &o);
  if (status != RBV_OK && code < 0) code = cli_fail(status);
  rbv_log_map_free(map);
  free_search(&s);
  return code;
}

/* ---- words ---- */

void cli_say_controller(const rbv_control_found *found, const rbv_model *model,
                        const cli_common *common) {
  for (int j = 0; j < rbv_model_joint_count(model); j++) {
    const rbv_control_found *f = &found[j];
    cli_say(common, "controller of %s: %s by %s,", rbv_model_joint(model, j)->name, f->structure,
            rbv_control_id_method_name(f->method));
    for (int i = 0; i < f->ngain; i++)
      cli_say(common, " %s %.5g", f->gain[i].name, f->gain[i].value);
    if (f->law.delay > 0) cli_say(common, ", late by %d samples", f->law.delay);
    cli_say(common, ", fit %.2f %% of the %s\n", 100 * f->fit,
            f->backwards ? "tracking error" : "torque");
  }
}

int cli_count_unexplained(const rbv_control_found *found, const rbv_model *model) {
  int count = 0;
  for (int j = 0; j < rbv_model_joint_count(model); j++) {
    if (found[j].explained) continue;
    count++;
    cli_complain(
        "%s: no linear law explains its torque (fit %.1f %%): is it the drive's "
        "torque or control signal, is the reference that of the same clock, does the "
        "controller add a model's torque? Then subtract that first",
        rbv_model_joint(model, j)->name, 100 * found[j].fit);
  }
  return count;
}
