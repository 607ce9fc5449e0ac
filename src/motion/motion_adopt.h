/* For modules whose samples are already in memory; not installed. */
#ifndef MOTION_MOTION_ADOPT_H
#define MOTION_MOTION_ADOPT_H

#include "motion/motion.h"

/*
 * Like rbv_motion_from_arrays, but the arrays are not copied. They must lie in memory, a block of
 * rbv_alloc. The motion takes ownership of the block, and frees it also if the call fails. memory =
 * NULL: the arrays are borrowed.
 */
RBV_MUST_CHECK rbv_status rbv_motion_adopt(rbv_motion **out, const rbv_motion_info *info,
                                           const rbv_samples *samples, char *memory);

#endif
