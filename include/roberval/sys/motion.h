/*
 * motion: positions, velocities, accelerations and the torques that go with them. The common
 * currency: whatever needs a regressor takes a motion without asking whether it was recorded,
 * designed or simulated.
 *
 * A motion is a source that can be read anywhere, again and again: recipes that iterate rewind it,
 * filters ask for what they need on both sides. Reading forwards is what sources do fastest.
 */
#ifndef ROBERVAL_SYS_MOTION_H
#define ROBERVAL_SYS_MOTION_H

#include <stdbool.h>

#include <roberval/sys/base.h>

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
  bool *valid;          /* one per sample: false where it was invented to bridge a gap */
} rbv_samples;

RBV_API const rbv_motion_info *rbv_motion_get_info(const rbv_motion *motion);

/* Read samples first to first + count - 1. Several threads may read at once. */
RBV_API RBV_MUST_CHECK rbv_status rbv_motion_read(rbv_motion *motion, const rbv_samples *out,
                                                  ptrdiff_t first, ptrdiff_t count);
RBV_API void rbv_motion_free(rbv_motion *motion);

/*
 * A motion in memory; everything is copied. Arrays as in rbv_samples; torque may be NULL, and valid
 * when all samples are.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_motion_from_arrays(rbv_motion **out,
                                                         const rbv_motion_info *info,
                                                         const rbv_samples *samples);

/*
 * The states of one motion with the torques of another, both borrowed and of the same samples;
 * samples before skip are invalid. With the same motion twice it is that motion without its start.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_motion_join(rbv_motion **out, rbv_motion *states,
                                                  rbv_motion *torques, ptrdiff_t skip);

/*
 * How another kind of source is made: it reads a checked range, for several threads at once, and
 * frees itself. out->valid holds true when read is called: only a source with invalid samples needs
 * to touch it.
 */
typedef struct {
  rbv_status (*read)(void *self, const rbv_samples *out, ptrdiff_t first, ptrdiff_t count);
  void (*free)(void *self);
} rbv_motion_source;

/* The motion owns self from here on, also when this fails. */
RBV_API RBV_MUST_CHECK rbv_status rbv_motion_new(rbv_motion **out, const rbv_motion_info *info,
                                                 const rbv_motion_source *source, void *self);

/* ---- how a recording became a motion ---- */

typedef struct {
  const char *method;           /* of the derivatives: "bandpass"; static storage */
  double cutoff_hz;             /* of the low-pass on positions; 0: there was none */
  bool cutoff_from_data;        /* nobody asked for this cut-off */
  bool resampled;               /* onto a regular grid: the stamps were irregular */
  bool from_reference;          /* no positions were recorded: these are the reference's */
  int spare_joints;             /* that were recorded and are not the robot's: left out */
  bool link_side;               /* positions were corrected for the stiffness of the joints */
  double torque_delay_s;        /* taken out of the torques */
  ptrdiff_t duplicates;         /* samples dropped for a stamp that was there already */
  ptrdiff_t gaps;               /* bridged */
  ptrdiff_t invalid;            /* samples marked, because they or their neighbours are invented */
  ptrdiff_t periods;            /* averaged; 0: none were */
  const double *nvr;            /* 2 x njoint: noise variance ratios of the IRW smoother; or NULL */
  const double *position_noise; /* njoint: variance that a smoother took for noise; or NULL */
  const double *torque_noise;   /* ntorque: variance of a torque of this motion, seen between the
                                   periods; NULL without two of them */
} rbv_motion_origin;

/* NULL for a motion that was not recorded, or whose maker did not say. Belongs to the motion. */
RBV_API const rbv_motion_origin *rbv_motion_get_origin(const rbv_motion *motion);

/* Tell it, once; copied. */
RBV_API RBV_MUST_CHECK rbv_status rbv_motion_set_origin(rbv_motion *motion,
                                                        const rbv_motion_origin *origin);

#ifdef __cplusplus
}
#endif
#endif
