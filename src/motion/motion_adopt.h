/* For rooms above that have a motion's samples in memory already; not installed. */
#ifndef MOTION_MOTION_ADOPT_H
#define MOTION_MOTION_ADOPT_H

#include <roberval/sys/motion.h>

/*
 * As rbv_motion_from_arrays, but the arrays stay where they are: in memory, a block of rbv_alloc,
 * which the motion takes over, and frees when it cannot be made; NULL: they are only borrowed.
 */
RBV_MUST_CHECK rbv_status rbv_motion_adopt(rbv_motion **out, const rbv_motion_info *info,
                                           const rbv_samples *samples, char *memory);

#endif
