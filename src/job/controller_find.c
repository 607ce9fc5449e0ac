/* The control law of a robot, from recordings of reference, position and torque. */
#include <math.h>
#include <roberval/sys/recordings.h>
#include <stdio.h>

#include "job/job_internal.h"
#include "log/log.h"

#define LONGEST_STEP 1.9     // of the median: above this a sample is missing
#define RATE_TOLERANCE 1e-3  // between recordings of one controller

/* what a search holds; freed together */
typedef struct {
  int n, count;
  rbv_log *const *log;  // borrowed
  rbv_control_record *record;
  double **block;  // of each record: channels of all joints side by side
  const double *gains;
} search;

static void free_search(search *s) {
  for (int i = 0; i < s->count && s->block; i++) rbv_free(s->block[i]);
  rbv_free(s->block);
  rbv_free(s->record);
}

/* rate of the time stamps, when there is one sample per period */
static rbv_status read_rate(double *rate_hz, const rbv_log *log) {
  const rbv_log_rate stamps = rbv_log_get_rate(log);
  if (!stamps.known)
    return rbv_fail_option(RBV_EINPUT, "rate",
                           "%s: the sample rate is not known: record the time as column t, or "
                           "give the rate",
                           rbv_log_name(log));
  if (!stamps.increasing || !(stamps.longest < LONGEST_STEP * stamps.median))
    return rbv_fail(RBV_EINPUT,
                    "%s: samples are missing (longest step %.3g s, usual %.3g s): a control law "
                    "needs every tick; record without gaps",
                    rbv_log_name(log), stamps.longest, stamps.median);
  *rate_hz = 1 / stamps.period;
  if (fabs(*rate_hz - nearbyint(*rate_hz)) < 1e-4 * *rate_hz) *rate_hz = nearbyint(*rate_hz);
  return RBV_OK;
}

/* all joints of a channel, or NULL */
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

static rbv_status take_log(search *s, int i, const rbv_model *model) {
  RBV_TRY(rbv_recordings_order(s->log[i], model));
  const rbv_log *log = s->log[i];
  const size_t size = (size_t)rbv_log_samples(log) * (size_t)s->n;
  double *at = s->block[i] = rbv_alloc(5 * size * sizeof *at);
  if (!at) return RBV_EMEM;
  s->record[i] = (rbv_control_record){
      .name = rbv_log_name(log),
      .count = rbv_log_samples(log),
      .ld = rbv_log_samples(log),
      .qr = copy_channel(at, log, RBV_CHANNEL_REFERENCE_POSITION, s->n, NULL),
      .qm = copy_channel(at + size, log, RBV_CHANNEL_POSITION, s->n, NULL),
      .tau = copy_channel(at + 2 * size, log, RBV_CHANNEL_TORQUE, s->n, s->gains),
      .dqr = copy_channel(at + 3 * size, log, RBV_CHANNEL_REFERENCE_VELOCITY, s->n, NULL),
      .ddqr = copy_channel(at + 4 * size, log, RBV_CHANNEL_REFERENCE_ACCELERATION, s->n, NULL)};
  return RBV_OK;
}

/* one rate for all recordings; late torques are moved back by whole samples */
static rbv_status align(search *s, rbv_control_id_options *o, double delay_s) {
  for (int i = 0; i < s->count; i++) {
    double rate_hz = o->rate_hz;
    if (rbv_log_get_rate(s->log[i]).known || !(rate_hz > 0))
      RBV_TRY(read_rate(&rate_hz, s->log[i]));
    if (!(o->rate_hz > 0)) o->rate_hz = rate_hz;
    if (!(fabs(rate_hz / o->rate_hz - 1) < RATE_TOLERANCE))
      return rbv_fail(RBV_EINPUT,
                      "%s: recorded at %g Hz, but the controller runs at one rate: %g Hz",
                      rbv_log_name(s->log[i]), rate_hz, o->rate_hz);
    rbv_control_record *r = &s->record[i];
    const ptrdiff_t late = (ptrdiff_t)nearbyint(delay_s * rate_hz);
    if (late > 0 && late < r->count && r->tau) {
      r->tau += late;
      r->count -= late;
    }
  }
  return RBV_OK;
}

static rbv_status run(rbv_control **out, rbv_control_found *found, search *s,
                      const rbv_model *model, double delay_s, rbv_control_id_options *o) {
  s->block = rbv_alloc((size_t)s->count * sizeof *s->block);
  s->record = rbv_alloc((size_t)s->count * sizeof *s->record);
  if (!s->block || !s->record) return RBV_EMEM;
  for (int i = 0; i < s->count; i++) RBV_TRY(take_log(s, i, model));
  RBV_TRY(align(s, o, delay_s));
  return rbv_control_identify(out, found, s->n, s->record, s->count, o);
}

rbv_status rbv_controller_find_in(rbv_control **out, rbv_control_found **found,
                                  const rbv_model *model, rbv_log *const *log, int count,
                                  const double *gains, double delay_s,
                                  const rbv_control_id_options *how) {
  *out = NULL;
  rbv_control_id_options o = how ? *how : rbv_control_id_defaults();
  search s = {.n = rbv_model_joint_count(model), .count = count, .log = log, .gains = gains};
  *found = rbv_alloc((size_t)s.n * sizeof **found);
  const rbv_status status = *found ? run(out, *found, &s, model, delay_s, &o) : RBV_EMEM;
  free_search(&s);
  if (status != RBV_OK) {
    rbv_control_found_free(*found);
    *found = NULL;
  }
  return status;
}

rbv_status rbv_controller_find(rbv_control **out, rbv_control_found **found, const rbv_model *model,
                               const rbv_recording_options *options, const rbv_log_input *in,
                               int count, const rbv_control_id_options *how) {
  *out = NULL;
  *found = NULL;
  rbv_recording_files files;
  RBV_TRY(rbv_recording_files_load(&files, model, options));
  rbv_log **log = rbv_alloc((size_t)count * sizeof *log);
  rbv_status status = log ? RBV_OK : RBV_EMEM;
  for (int i = 0; i < count && status == RBV_OK; i++)
    status = rbv_recordings_read(&log[i], model, options, files.map, false, &in[i], NULL);
  if (status == RBV_OK)
    status =
        rbv_controller_find_in(out, found, model, log, count, files.gains, options->delay_s, how);
  for (int i = 0; i < count && log; i++) rbv_log_free(log[i]);
  rbv_free(log);
  rbv_recording_files_free(&files);
  return status;
}

void rbv_control_found_free(rbv_control_found *found) { rbv_free(found); }

int rbv_controller_unexplained(char *sentence, size_t size, const rbv_control_found *found,
                               const rbv_model *model, int first) {
  for (int j = first; j < rbv_model_joint_count(model); j++) {
    if (found[j].explained) continue;
    snprintf(sentence, size,
             "%s: no linear law explains its torque (fit %.1f %%). Check that the torque is the "
             "drive's torque or control signal and that the reference has the same clock. If the "
             "controller adds the torque of a model, subtract it first",
             rbv_model_joint(model, j)->name, 100 * found[j].fit);
    return j;
  }
  return -1;
}
