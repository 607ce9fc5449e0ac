/*
 * motion: positions, velocities, accelerations and the torques that go with them. The common
 * currency: whatever needs a regressor takes a motion without asking whether it was recorded,
 * designed or simulated.
 *
 * A motion is a source that can be read anywhere, again and again: recipes that iterate rewind it,
 * filters ask for what they need on both sides. Reading forwards is what sources do fastest.
 */
#ifndef ROBERVAL_MOTION_H
#define ROBERVAL_MOTION_H

#include <stdbool.h>

#include <roberval/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rbv_motion rbv_motion;

typedef struct {
  const char *name; /* what messages and results call it; copied by the makers */
  int njoint;
  int ntorque;     /* torque rows per sample, those of the model's sensing; 0: none */
  ptrdiff_t count; /* samples */
  double rate_hz;  /* samples are regular */
  bool loaded;     /* recorded with the payload */
} rbv_motion_info;

/* Where samples go; joint j, or torque row j, of sample k at [k + j * ld]. NULL: not wanted. */
typedef struct {
  ptrdiff_t ld;
  double *q, *dq, *ddq; /* [rad or m, per s, per s^2] */
  double *torque;       /* [N m or N] */
} rbv_samples;

RBV_API const rbv_motion_info *rbv_motion_get_info(const rbv_motion *motion);

/* Read samples first to first + count - 1. Not for two threads at once. */
RBV_API RBV_MUST_CHECK rbv_status rbv_motion_read(rbv_motion *motion, const rbv_samples *out,
                                                  ptrdiff_t first, ptrdiff_t count);
RBV_API void rbv_motion_free(rbv_motion *motion);

/* A motion in memory; everything is copied. Arrays as in rbv_samples; torque may be NULL. */
RBV_API RBV_MUST_CHECK rbv_status rbv_motion_from_arrays(rbv_motion **out,
                                                         const rbv_motion_info *info,
                                                         const rbv_samples *samples);

/* How another kind of source is made: it reads a checked range and frees itself. */
typedef struct {
  rbv_status (*read)(void *self, const rbv_samples *out, ptrdiff_t first, ptrdiff_t count);
  void (*free)(void *self);
} rbv_motion_source;

/* The motion owns self from here on, also when this fails. */
RBV_API RBV_MUST_CHECK rbv_status rbv_motion_new(rbv_motion **out, const rbv_motion_info *info,
                                                 const rbv_motion_source *source, void *self);

#ifdef __cplusplus
}
#endif
#endif
