/* Joints that never move: their friction is unknown, so their torques have no equation. */
#include <math.h>
#include "equations/equations.h"

#include "base/support.h"
#include "motion/motion.h"

#define CHUNK 504  // samples read at once

/* smallest and largest position of each joint */
static rbv_status widen(double *low, double *high, rbv_motion *motion, double *q) {
  const rbv_motion_info *info = rbv_motion_get_info(motion);
  for (ptrdiff_t first = 0; first < info->count; first += CHUNK) {
    const ptrdiff_t left = info->count - first, count = left < CHUNK ? left : CHUNK;
    RBV_TRY(rbv_motion_read(motion, &(rbv_samples){.ld = CHUNK, .q = q}, first, count));
    for (int j = 0; j < info->njoint; j++)
      for (ptrdiff_t k = 0; k < count; k++) {
        low[j] = fmin(low[j], q[k + j * CHUNK]);
        high[j] = fmax(high[j], q[k + j * CHUNK]);
      }
  }
  return RBV_OK;
}

rbv_status rbv_find_still_joints(uint64_t *still, rbv_motion *const *motions, int nmotion) {
  *still = 0;
  if (nmotion < 1) return RBV_OK;
  const int n = rbv_motion_get_info(motions[0])->njoint;
  RBV_NEW(double, block, (CHUNK + 3) * (size_t)n);
  double *low = block, *high = low + n, *span = high + n, *q = span + n;
  rbv_status status = RBV_OK;
  for (int i = 0; i < nmotion && status == RBV_OK; i++) {
    for (int j = 0; j < n; j++) {
      low[j] = INFINITY;
      high[j] = -INFINITY;
    }
    status = widen(low, high, motions[i], q);
    for (int j = 0; j < n; j++) span[j] = fmax(span[j], high[j] - low[j]);
  }
  if (status == RBV_OK) *still = rbv_still_joints(span, n);
  rbv_free(block);
  return status;
}
