/*
 * motion: positions, velocities, accelerations and the torques measured at the same instants. A
 * motion may be recorded, designed or simulated. Every function that needs a regressor takes a
 * motion and does not depend on its origin.
 *
 * Any range of samples can be read, in any order and repeatedly: iterative methods read the motion
 * again, filters read extra samples on both sides of a range. Most sources are fastest when they
 * are read forwards.
 */
#ifndef ROBERVAL_SYS_MOTION_H
#define ROBERVAL_SYS_MOTION_H

#include <stdbool.h>
#include <stdint.h>

#include <roberval/sys/base.h>

RBV_BEGIN_C

typedef struct rbv_motion rbv_motion;

typedef struct {
  const char *name; /* name for messages and results; copied when the motion is created */
  int njoint;
  int ntorque;      /* torque rows per sample, as the model measures them; 0: none */
  ptrdiff_t count;  /* samples */
  double rate_hz;   /* the samples are equidistant */
  bool loaded;      /* recorded with the payload */
  bool temperature; /* motor temperatures were recorded */
  bool contact;     /* it was recorded when contact points carry forces */
  double uptime_s;  /* time since the robot was started, at the first sample; 0 if not recorded */
} rbv_motion_info;

/* Destination of samples: joint j (or torque row j) of sample k is at [k + j * ld]. Arrays that are
 * NULL are not filled. */
typedef struct {
  ptrdiff_t ld;
  double *q, *dq, *ddq; /* [rad or m, per s, per s^2] */
  double *torque;       /* [N m or N] */
  bool *valid;          /* one per sample: false if the sample was interpolated to bridge a gap */
  double *temperature;  /* of the motors, one per joint [degree Celsius] */
  uint32_t *contact; /* one per sample, bit i: contact point i of the model may carry a force; all
                        bits where it was not recorded */
} rbv_samples;

RBV_API const rbv_motion_info *rbv_motion_get_info(const rbv_motion *motion);

/* Read samples first to first + count - 1. Several threads may read at the same time. */
RBV_API RBV_MUST_CHECK rbv_status rbv_motion_read(rbv_motion *motion, const rbv_samples *out,
                                                  ptrdiff_t first, ptrdiff_t count);
RBV_API void rbv_motion_free(rbv_motion *motion);

/*
 * Create a motion in memory; everything is copied. Arrays as in rbv_samples. torque may be NULL if
 * ntorque is 0; valid may be NULL if all samples are valid; temperature is needed if info says so.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_motion_from_arrays(rbv_motion **out,
                                                         const rbv_motion_info *info,
                                                         const rbv_samples *samples);

/* ---- how a recording was converted to a motion ---- */

typedef struct {
  const char *method;    /* derivative method, e.g. "bandpass"; static storage */
  double cutoff_hz;      /* low-pass on positions; 0: none */
  double suggested_hz;   /* cut-off that the positions suggest, where none was used; 0: not known */
  bool cutoff_from_data; /* the cut-off was chosen from the data, not set by the user */
  double noise_hz;       /* then: vibration or noise dominates the acceleration from here on; 0: not
                            found */
  double held;         /* rows of the recording per sample, where it repeats values; 0: each row */
  bool by_rows;        /* the time stamps scatter around regular samples, and were not used */
  bool resampled;      /* resampled to a regular grid, because the time stamps were irregular */
  bool from_reference; /* no positions were recorded: the reference positions are used */
  int spare_joints;    /* recorded joints that the robot does not have; left out */
  bool link_side;      /* positions were corrected for the joint stiffness */
  double torque_delay_s;    /* delay that was removed from the torques */
  ptrdiff_t duplicates;     /* samples dropped because their time stamp had occurred before */
  ptrdiff_t gaps;           /* gaps that were bridged */
  ptrdiff_t invalid;        /* samples marked invalid: interpolated, or too close to one that is */
  ptrdiff_t periods;        /* periods that were averaged; 0: no averaging */
  int harmonics;            /* harmonics that were fitted; 0: none */
  bool harmonics_from_data; /* their number was chosen from the data, not set by the user */
  const double *nvr;        /* 2 x njoint noise variance ratios of the IRW smoother, or NULL */
  const double *position_noise; /* njoint noise variances that a smoother removed, or NULL */
  const double *torque_noise;   /* ntorque variances of one torque sample, estimated from the
                                   differences between periods; NULL without two periods */
} rbv_motion_origin;

/* NULL for a motion that was not recorded, or if no origin was set. Belongs to the motion. */
RBV_API const rbv_motion_origin *rbv_motion_get_origin(const rbv_motion *motion);

RBV_END_C
#endif
