/* Joints that stand still. */
#include <math.h>

#include "motion/motion.h"

#define STILL_SPAN 8e-3   // rad or m; five counts of an encoder with 4096 per turn
#define STILL_SHARE 0.02  // and of the joint that moves most

uint64_t rbv_still_joints(const double *span, int njoint) {
  double most = 0;
  uint64_t still = 0;
  for (int j = 0; j < njoint; j++) most = fmax(most, span[j]);
  if (!(most > STILL_SPAN)) return 0;
  for (int j = 0; j < njoint && j < 64; j++)
    if (span[j] <= STILL_SPAN && span[j] <= STILL_SHARE * most) still |= (uint64_t)1 << j;
  return still;
}
