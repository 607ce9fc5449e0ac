/* What other modules of the library use of motion, beside its public header. */
#ifndef MOTION_MOTION_H
#define MOTION_MOTION_H

#include <roberval/sys/motion.h>

/*
 * Combine the states of one motion with the torques and temperatures of another. Both are borrowed
 * and must have the same number of samples and joints. Samples before skip are marked invalid. With
 * the same motion for both, the result is that motion with its first skip samples marked invalid.
 */
RBV_MUST_CHECK rbv_status rbv_motion_join(rbv_motion **out, rbv_motion *states, rbv_motion *torques,
                                          ptrdiff_t skip);

/* A part of a motion, which is borrowed, with its origin. */
RBV_MUST_CHECK rbv_status rbv_motion_slice(rbv_motion **out, rbv_motion *of, ptrdiff_t first,
                                           ptrdiff_t count);

/*
 * Interface for other kinds of source. read gets a range that is already checked, and may be called
 * from several threads at once. out->valid is filled with true before read is called, so only a
 * source with invalid samples has to write it. free releases self.
 */
typedef struct {
  rbv_status (*read)(void *self, const rbv_samples *out, ptrdiff_t first, ptrdiff_t count);
  void (*free)(void *self);
} rbv_motion_source;

/* Create a motion from a source. The motion owns self from the start of the call: if the call
 * fails, self is freed. */
RBV_MUST_CHECK rbv_status rbv_motion_new(rbv_motion **out, const rbv_motion_info *info,
                                         const rbv_motion_source *source, void *self);

/* ---- how a recording was converted to a motion ---- */

/* Set the origin; copied. Allowed once per motion. */
RBV_MUST_CHECK rbv_status rbv_motion_set_origin(rbv_motion *motion,
                                                const rbv_motion_origin *origin);

/*
 * The same recording with the default preparation, whatever the preparation of this motion was:
 * errors that are compared between runs are computed from it (rbv_comparable_error). Set takes over
 * `standard`; without one the motion itself is returned.
 */
void rbv_motion_set_standard(rbv_motion *motion, rbv_motion *standard);
rbv_motion *rbv_motion_standard(rbv_motion *motion);

/* ---- joints that stand still ---- */

/*
 * Joints that never move: their span is a few counts of an encoder, and small beside that of the
 * joint that moves most. Returns a bit per joint; joints after the 64th are taken for moving. If no
 * joint moves, there is nothing to compare with: returns 0.
 *
 *   span  in  njoint: largest minus smallest position [rad or m]
 */
uint64_t rbv_still_joints(const double *span, int njoint);

#endif
