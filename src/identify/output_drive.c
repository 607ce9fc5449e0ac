/*
 * Output error: the reference as the drives see it. A drive computes its law at a rate of its own,
 * from the last reference that has arrived: the recorded one, held from row to row, and late. If it
 * changes between two ticks, the law sees both in proportion, so that positions are a smooth
 * function of the delay.
 */
#include <math.h>

#include "control/control.h"
#include "identify/identify.h"
#include "identify/output_error.h"

ptrdiff_t rbv_output_count(const output_run *o, int motion) {
  return o->trace[motion].ld / o->ticks[motion];
}

rbv_status rbv_output_check_drive(const output_run *o) {
  for (int i = 0; i < o->r->nmotion; i++) {
    const rbv_control *law = rbv_output_given_control(o, i);
    if (o->ticks[i] == 1) continue;
    if (o->loop->segment_s > 0)
      return rbv_fail_option(RBV_EUNSUPPORTED, "segment",
                             "a drive with a rate of its own is simulated from the start of a "
                             "recording: recordings cannot be divided");
    if (o->loop->global)
      return rbv_fail_option(RBV_EUNSUPPORTED, "search",
                             "a global search does not simulate drives with a rate of their own");
    if (rbv_control_needs_velocity(law) || rbv_control_needs_acceleration(law))
      return rbv_fail_option(RBV_EUNSUPPORTED, "controller",
                             "drive_rate_hz: the law uses the speed of the reference, which is not "
                             "known between two rows: leave drive_rate_hz out");
  }
  return RBV_OK;
}

void rbv_hold_reference(double *held, double *later, const double *q, ptrdiff_t rows, int ticks,
                        double late_s, double rate_hz) {
  const double late = late_s * rate_hz;
  for (ptrdiff_t k = 0; k < rows * ticks; k++) {
    // row a until the next one arrives, after a share of the tick; at 0 the derivative is that of a
    // longer delay
    const double row = ceil(((double)k - late) / ticks) - 1;
    const double share = fmin(1, (row + 1) * ticks + late - (double)k);
    const ptrdiff_t a = (ptrdiff_t)fmin(fmax(row, 0), (double)rows - 1);
    const ptrdiff_t b = (ptrdiff_t)fmin(fmax(row + 1, 0), (double)rows - 1);
    held[k] = share * q[a] + (1 - share) * q[b];
    if (later) later[k] = share < 1 ? (q[a] - q[b]) * rate_hz : 0;
  }
}

void rbv_output_hold_references(output_run *o) {
  for (int i = 0; i < o->r->nmotion; i++) {
    const rbv_control *law = rbv_output_given_control(o, i);
    const rbv_sim_reference *r = &o->loop->reference[i];
    const ptrdiff_t rows = rbv_output_count(o, i), count = o->trace[i].ld;
    const double rate = rbv_motion_get_info(o->r->motions[i])->rate_hz * o->ticks[i];
    for (int j = 0; j < o->joints; j++) {
      const double late_s = o->command[j] >= 0 ? o->command[j] : rbv_control_command_delay(law);
      rbv_hold_reference(o->held[i] + j * count, o->later[i] + j * count, r->q + j * r->ld, rows,
                         o->ticks[i], late_s, rate);
    }
  }
}
