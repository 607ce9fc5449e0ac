/* Torques of a recording that has none: those of its control law, from reference and positions. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "control/control.h"
#include "job/job_internal.h"
#include "log/log.h"

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
    if (joint < 0)
      snprintf(text[used], sizeof text[used], "%s", rbv_channel_name(channel));
    else
      snprintf(text[used], sizeof text[used], "%s%d", rbv_channel_name(channel), joint + 1);
    name[used] = text[used];
    memcpy(A + used++ * count, c ? c->values : torque + (i - columns) * count,
           (size_t)count * sizeof *A);
  }
  if (status == RBV_OK) status = rbv_log_new(out, rbv_log_name(log), name, used, A, count, count);
  RBV_FREE_ALL(A, name, text);
  return status;
}

rbv_status rbv_recording_add_torque(rbv_log **log, const rbv_model *model, const char *controller,
                                    const rbv_notes *notes) {
  const int n = rbv_model_joint_count(model);
  const rbv_log_rate rate = rbv_log_get_rate(*log);
  if (has_torque(*log) || !rate.regular ||
      rbv_log_channel_count(*log, RBV_CHANNEL_REFERENCE_POSITION) < n ||
      rbv_log_channel_count(*log, RBV_CHANNEL_POSITION) < n)
    return RBV_OK;
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
