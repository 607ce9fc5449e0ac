/* How an estimate changes with the filter of the rows. */
#include <math.h>

#include "job/identification_internal.h"

/* largest change of an estimated parameter, in its sigma */
static double largest_move(const rbv_estimate *a, const rbv_estimate *b) {
  double largest = 0;
  for (int k = 0; k < a->base->count; k++) {
    const double sigma = sqrt(a->covariance[k + (ptrdiff_t)k * a->base->count]);
    if (isfinite(sigma) && sigma > 0)
      largest = fmax(largest, fabs(a->value[k] - b->value[k]) / sigma);
  }
  return largest;
}

rbv_status rbv_identification_sensitivity(rbv_sensitivity out[RBV_SENSITIVITY_ROWS],
                                          const rbv_identification *job) {
  static const double factor[] = {0.5, 1, 2};
  if (!job || !job->estimate) return rbv_fail(RBV_EARG, "the job has not run yet");
  for (int i = 0; i < RBV_SENSITIVITY_ROWS; i++) {
    rbv_identify_options other = job->how;
    const double decimate = rint(factor[i / 3] * job->how.filter.decimate);
    other.filter.decimate = decimate < 1 ? 1 : (int)decimate;
    other.filter.mask = factor[i % 3] * job->how.filter.mask;
    other.bootstrap = 0;
    rbv_estimate *e;
    RBV_TRY(rbv_identify(&e, job->model, job->fit.motion, job->fit.count, &other));
    out[i] = (rbv_sensitivity){.decimate = other.filter.decimate,
                               .mask = other.filter.mask,
                               .error = e->fit.relative_error,
                               .durbin_watson = {INFINITY, -INFINITY},
                               .largest_move = largest_move(job->estimate, e)};
    for (int r = 0; r < e->fit.nrow; r++) {
      double *dw = out[i].durbin_watson;
      dw[0] = fmin(dw[0], e->fit.row[r].durbin_watson);
      dw[1] = fmax(dw[1], e->fit.row[r].durbin_watson);
    }
    rbv_estimate_free(e);
  }
  return RBV_OK;
}
