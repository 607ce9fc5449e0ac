/* Torques of a recording that has none: those of its control law, from reference and positions. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "control/control.h"
#include "job/job_internal.h"
#include "log/log.h"

#define JITTER_MOST 0.5  // of a step: beyond it the rows do not say when the drive saw what
#define GAP_MOST 6.0     // steps without a row, over which positions are not interpolated

static bool has_torque(const rbv_log *log) {
  static const rbv_channel torque[] = {RBV_CHANNEL_TORQUE, RBV_CHANNEL_MOTOR_TORQUE,
                                       RBV_CHANNEL_JOINT_TORQUE};
  for (int i = 0; i < RBV_COUNT(torque); i++)
    if (rbv_log_channel_count(log, torque[i]) > 0) return true;
  return false;
}

/* run the law along the recording; torque: samples x n */
static rbv_status run_law(double *torque, const rbv_log *log, const rbv_control *control, int n) {
  const ptrdiff_t count = rbv_log_samples(log);
  rbv_control_state *state;
  RBV_NEW(double, in, 5 * n);
  double *qr = in, *qm = qr + n, *dqr = qm + n, *ddqr = dqr + n, *tau = ddqr + n;
  const rbv_status status = rbv_control_state_new(&state, control, 1);
  const double rate = rbv_control_rate_hz(control);
  for (ptrdiff_t k = 0; k < count && status == RBV_OK; k++) {
    for (int j = 0; j < n; j++) {
      const double *r = rbv_log_channel(log, RBV_CHANNEL_REFERENCE_POSITION, j);
      const ptrdiff_t a = k > 0 ? k - 1 : k, b = k + 1 < count ? k + 1 : k;
      qr[j] = r[k];
      qm[j] = rbv_log_channel(log, RBV_CHANNEL_POSITION, j)[k];
      dqr[j] = (r[b] - r[a]) * rate / (double)(b - a > 0 ? b - a : 1);
      ddqr[j] = b - a == 2 ? (r[b] - 2 * r[k] + r[a]) * rate * rate : 0;
    }
    const rbv_control_input input = {.qr = qr, .qm = qm, .dqr = dqr, .ddqr = ddqr};
    rbv_control_step(tau, state, &input);
    for (int j = 0; j < n; j++) torque[k + j * count] = tau[j];
  }
  if (status == RBV_OK) rbv_control_state_free(state);
  rbv_free(in);
  return status;
}

static void name_column(char text[24], rbv_channel channel, int joint) {
  if (joint < 0)
    snprintf(text, 24, "%s", rbv_channel_name(channel));
  else
    snprintf(text, 24, "%s%d", rbv_channel_name(channel), joint + 1);
}

/* the log with torques added, as a new one */
static rbv_status add_columns(rbv_log **out, const rbv_log *log, const double *torque, int n) {
  const ptrdiff_t count = rbv_log_samples(log);
  const int columns = rbv_log_column_count(log);
  char(*text)[24] = rbv_alloc((size_t)(columns + n) * sizeof *text);
  const char **name = rbv_alloc((size_t)(columns + n) * sizeof *name);
  double *A = rbv_alloc((size_t)(columns + n) * (size_t)count * sizeof *A);
  rbv_status status = text && name && A ? RBV_OK : RBV_EMEM;
  int used = 0;
  for (int i = 0; i < columns + n && status == RBV_OK; i++) {
    const rbv_log_column *c = i < columns ? rbv_log_column_at(log, i) : NULL;
    if (c && c->channel == RBV_CHANNEL_OTHER) continue;
    const rbv_channel channel = c ? c->channel : RBV_CHANNEL_TORQUE;
    const int joint = c ? c->joint : i - columns;
    name_column(text[used], channel, joint);
    name[used] = text[used];
    memcpy(A + used++ * count, c ? c->values : torque + (i - columns) * count,
           (size_t)count * sizeof *A);
  }
  if (status == RBV_OK) status = rbv_log_new(out, rbv_log_name(log), name, used, A, count, count);
  RBV_FREE_ALL(A, name, text);
  return status;
}

/* ---- rows at a regular rate ---- */

/* why a loop cannot be simulated along these rows; NULL: it can */
static const char *why_irregular(const rbv_log_rate *rate) {
  if (rate->longest > GAP_MOST * rate->median) return "rows are missing";
  return rate->jitter > JITTER_MOST ? "its time stamps jitter too much" : NULL;
}

/* value of a column at time t behind row i: references are held, the rest is interpolated */
static double value_at(const rbv_log_column *c, const double *time, ptrdiff_t i, double t) {
  if (c->channel == RBV_CHANNEL_REFERENCE_POSITION) return c->values[i];
  const double share = fmin(fmax((t - time[i]) / (time[i + 1] - time[i]), 0), 1);
  return (1 - share) * c->values[i] + share * c->values[i + 1];
}

/* The log on a regular grid. A law sees one reference per tick; a recorder that loses or delays a
 * row does not delay the drive. */
static rbv_status make_regular(rbv_log **log, const rbv_log_rate *rate, const rbv_notes *notes) {
  const rbv_log *from = *log;
  const ptrdiff_t rows = (ptrdiff_t)(rate->duration / rate->median + 0.5) + 1;
  const double period = rate->duration / (double)(rows - 1);
  const double *time = rbv_log_channel(from, RBV_CHANNEL_TIME, -1);
  const int columns = rbv_log_column_count(from);
  char(*text)[24] = rbv_alloc((size_t)columns * sizeof *text);
  const char **name = rbv_alloc((size_t)columns * sizeof *name);
  double *A = rbv_alloc((size_t)columns * (size_t)rows * sizeof *A);
  rbv_status status = text && name && A ? RBV_OK : RBV_EMEM;
  int used = 0;
  for (int i = 0; i < columns && status == RBV_OK; i++) {
    const rbv_log_column *c = rbv_log_column_at(from, i);
    if (c->channel == RBV_CHANNEL_OTHER) continue;
    name_column(text[used], c->channel, c->joint);
    name[used] = text[used];
    for (ptrdiff_t k = 0, row = 0; k < rows; k++) {
      const double t = rate->start + (double)k * period;
      while (row + 2 < rbv_log_samples(from) && time[row + 1] <= t) row++;
      A[k + used * rows] = c->channel == RBV_CHANNEL_TIME ? t : value_at(c, time, row, t);
    }
    used++;
  }
  rbv_log *fresh = NULL;
  if (status == RBV_OK) status = rbv_log_new(&fresh, rbv_log_name(from), name, used, A, rows, rows);
  RBV_FREE_ALL(A, name, text);
  if (status != RBV_OK) return status;
  rbv_tell(notes, NULL,
           "%s: its rows are irregular (jitter %.2g %% of a step, longest step %.3g ms): positions "
           "are interpolated to %.6g Hz, references are held",
           rbv_log_name(from), 100 * rate->jitter, 1e3 * rate->longest, 1 / period);
  rbv_log_free(*log);
  *log = fresh;
  return RBV_OK;
}

/* rows without which no law can be simulated are named here: later the torque would be missing */
static rbv_status check_rows(const rbv_log *log, const rbv_model *model, const rbv_log_rate *rate) {
  static const char *const what[] = {"position", "reference"};
  static const rbv_channel channel[] = {RBV_CHANNEL_POSITION, RBV_CHANNEL_REFERENCE_POSITION};
  for (int c = 0; c < RBV_COUNT(channel); c++)
    for (int j = 0; j < rbv_model_joint_count(model); j++)
      if (!rbv_log_channel(log, channel[c], j))
        return rbv_fail(RBV_EINPUT,
                        "%s has no torques and no %s of %s (column %s%d, or NAME/%s): the "
                        "control law needs it; its column may be missing, or in another unit than "
                        "the positions",
                        rbv_log_name(log), what[c], rbv_model_joint(model, j)->name,
                        rbv_channel_name(channel[c]), j + 1, what[c]);
  if (!rate->known || !rate->increasing)
    return rbv_fail(
        RBV_EINPUT,
        "%s cannot be simulated row by row: its time stamps do not increase from row to "
        "row; sort its rows, or remove the column and give the rate",
        rbv_log_name(log));
  const char *why = rate->regular ? NULL : why_irregular(rate);
  if (!why) return RBV_OK;
  return rbv_fail(
      RBV_EINPUT,
      "%s cannot be simulated row by row: %s (jitter %.3g %% of a step of %.3g ms, longest "
      "step %.3g ms). Record with a real-time clock, or use the part before the longest "
      "step",
      rbv_log_name(log), why, 100 * rate->jitter, 1e3 * rate->median, 1e3 * rate->longest);
}

rbv_status rbv_recording_add_torque(rbv_log **log, const rbv_model *model, const char *controller,
                                    const rbv_notes *notes) {
  const int n = rbv_model_joint_count(model);
  if (has_torque(*log)) return RBV_OK;
  rbv_log_rate rate = rbv_log_get_rate(*log);
  RBV_TRY(check_rows(*log, model, &rate));
  if (!rate.regular) RBV_TRY(make_regular(log, &rate, notes));
  rate = rbv_log_get_rate(*log);
  const rbv_control_options wanted = {
      .njoint = n, .rate_hz = 1 / rate.period, .recording = rbv_log_name(*log), .at_rows = true};
  rbv_control *control;
  RBV_TRY(rbv_control_load(&control, controller, &wanted));
  rbv_log *longer = NULL;
  double *torque = rbv_alloc((size_t)n * (size_t)rbv_log_samples(*log) * sizeof *torque);
  rbv_status status = torque ? run_law(torque, *log, control, n) : RBV_EMEM;
  if (status == RBV_OK) status = add_columns(&longer, *log, torque, n);
  rbv_free(torque);
  rbv_control_free(control);
  if (status != RBV_OK) return status;
  rbv_tell(notes, "controller",
           "%s has no torques: those of the control law, computed from reference and positions, "
           "give the start values and the torque errors below",
           rbv_log_name(*log));
  rbv_log_free(*log);
  *log = longer;
  return RBV_OK;
}
