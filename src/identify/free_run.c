/* The free run of a loop along a recorded motion: what a simulator with these parameters shows. */
#include <math.h>
#include <string.h>

#include "base/support.h"
#include "control/control.h"
#include "identify/identify.h"

static rbv_status check(const rbv_motion_info *info, const rbv_model *m, const rbv_free_loop *l) {
  const int ticks = rbv_control_ticks(l->control);
  const double rate = rbv_control_rate_hz(l->control) / ticks;
  if (!l->reference->q)
    return rbv_fail(RBV_EINPUT,
                    "'%s' has no reference (columns qr1..., or NAME/reference): its loop cannot be "
                    "simulated",
                    info->name);
  if (l->reference->count != info->count ||
      rbv_control_joint_count(l->control) != rbv_model_joint_count(m))
    return rbv_fail(RBV_EDIM, "'%s': reference or controller do not fit to the motion", info->name);
  if (!(fabs(info->rate_hz - rate) <= 1e-3 * rate))
    return rbv_fail(RBV_EINPUT, "'%s' is sampled at %g Hz, but its controller runs at %g Hz",
                    info->name, info->rate_hz, rate);
  if (ticks > 1 &&
      (rbv_control_needs_velocity(l->control) || rbv_control_needs_acceleration(l->control)))
    return rbv_fail(RBV_EUNSUPPORTED,
                    "drive_rate_hz: the law uses the speed of the reference, which is not known "
                    "between two rows: leave drive_rate_hz out");
  return RBV_OK;
}

static rbv_status simulate(rbv_sim_outcome *outcome, char *sentence, size_t size,
                           const rbv_model *m, bool loaded, const double *chi,
                           const rbv_free_loop *l, const rbv_sim_reference *reference,
                           const rbv_sim_trace *trace) {
  rbv_sim_options options = rbv_sim_defaults();
  options.loaded = loaded;
  for (int j = 0; j < rbv_model_joint_count(m); j++)
    options.longest_delay_s = fmax(options.longest_delay_s, l->delay[j]);
  const rbv_sim_lane lane = {.chi = chi, .known = l->known, .delay = l->delay, .bias = l->bias};
  rbv_sim *sim;
  RBV_TRY(rbv_sim_new(&sim, m, l->control, &options, 1));
  rbv_status status = rbv_sim_set(sim, 0, &lane);
  if (status == RBV_OK) status = rbv_sim_run(outcome, sim, reference, trace);
  if (status == RBV_OK && outcome->verdict != RBV_SIM_DONE)
    rbv_sim_describe(sentence, size, sim, outcome);
  rbv_sim_free(sim);
  return status;
}

rbv_status rbv_free_run(double *error, ptrdiff_t *rows, char *sentence, size_t size,
                        const rbv_model *m, rbv_motion *motion, const double *chi,
                        const rbv_free_loop *l) {
  const rbv_motion_info *info = rbv_motion_get_info(motion);
  const int n = rbv_model_joint_count(m), ticks = rbv_control_ticks(l->control);
  const ptrdiff_t count = info->count, all = count * ticks;
  if (size > 0) *sentence = 0;
  RBV_TRY(check(info, m, l));
  bool *valid = rbv_alloc((size_t)count * sizeof *valid);
  double *q = rbv_alloc((size_t)((2 * count + 2 * all + 1) * n) * sizeof *q);
  rbv_status status = q && valid ? RBV_OK : RBV_EMEM;
  double *dq = status == RBV_OK ? q + count * n : NULL;
  const rbv_samples to = {.ld = count, .q = q, .dq = dq, .valid = valid};
  if (status == RBV_OK) status = rbv_motion_read(motion, &to, 0, count);
  if (status == RBV_OK) {
    double *held = dq + count * n, *seen = held + all * n, *start = seen + all * n;
    if (l->measured) memcpy(q, l->measured, (size_t)(count * n) * sizeof *q);
    rbv_sim_reference r = *l->reference;
    for (int j = 0; j < n; j++) {
      rbv_hold_reference(held + j * all, NULL, r.q + j * r.ld, count, ticks, l->command_s,
                         info->rate_hz * ticks);
      start[j] = q[j * count] - l->bias[j];
      // the velocity of the first sample, in the place of the others
      dq[j] = dq[j * count];
    }
    r = (rbv_sim_reference){.count = all, .ld = all, .q = held, .q0 = start, .dq0 = dq};
    if (ticks == 1 && l->reference->ld == all) {
      r.dq = l->reference->dq;
      r.ddq = l->reference->ddq;
    }
    const rbv_sim_trace trace = {.ld = all, .q = seen};
    rbv_sim_outcome outcome;
    status = simulate(&outcome, sentence, size, m, info->loaded, chi, l, &r, &trace);
    *rows = 0;
    for (ptrdiff_t k = 0; k < count && status == RBV_OK; k++) *rows += valid[k];
    for (int j = 0; j < n && status == RBV_OK; j++) {
      error[j] = outcome.verdict == RBV_SIM_DONE ? 0 : INFINITY;
      for (ptrdiff_t k = 0; k < count && isfinite(error[j]); k++) {
        const double off = q[k + j * count] - l->bias[j] - seen[k * ticks + j * all];
        if (valid[k]) error[j] += off * off;
      }
    }
  }
  rbv_free(q);
  rbv_free(valid);
  return status;
}
