/* What other modules of the library use of prepare, beside its public header. */
#ifndef PREPARE_PREPARE_H
#define PREPARE_PREPARE_H

#include <roberval/sys/prepare.h>

#include "base/support.h"

/* ---- motion from a recording ---- */

/* Add clauses about held values and the cut-off to a sentence. */
void rbv_motion_describe(rbv_text *out, const rbv_motion_origin *origin, double rate_hz);

/*
 * The low-pass of positions: Butterworth of order 4, forwards and backwards, in place.
 *
 *   X     in/out  n x ncol
 *   name  in      of the recording, for the message if it is too short (RBV_EINPUT)
 */
RBV_MUST_CHECK rbv_status rbv_positions_low_pass(double *X, ptrdiff_t n, int ncol, double cutoff_hz,
                                                 double rate_hz, const char *name);

/* See <roberval/sys/prepare.h>. */
const char *rbv_differentiation_name(rbv_differentiation method);

/*
 * rbv_motion_from_log for a file that is larger than memory. The motion reads the file on demand,
 * in windows with enough samples on both sides for the smoothing. Only BANDPASS and RECORDED. The
 * samples equal those of rbv_motion_from_log to 1e-9 of the largest.
 *
 *   model    in  borrowed for the lifetime of the motion
 *   map      in  may be NULL; not kept
 *   options  in  NULL: the defaults; copied
 *
 * RBV_EUNSUPPORTED with a message: a method that needs whole columns, time stamps that are not
 * regular (gaps, duplicates, jitter), a MAT file of version 5. The memory does not grow with the
 * file.
 */
RBV_MUST_CHECK rbv_status rbv_motion_from_file(rbv_motion **out, const rbv_model *model,
                                               const char *path, const rbv_log_map *map,
                                               const rbv_differentiate_options *options);

/* ---- motion from a recording ---- */

/* Positions and torques of a model at every sample of a log, as recorded: sample k of joint (or
 * torque row) j at [k + j * count]. */
typedef struct {
  ptrdiff_t count;
  double *t, *q, *torque;
  void *memory;
} rbv_signals;

/*
 * The channels that rbv_motion_from_log would take, without any filter: nothing is resampled or
 * dropped, and what is not finite stays so. Of the options gains and stiffness are used.
 */
RBV_MUST_CHECK rbv_status rbv_signals_from_log(rbv_signals *out, const rbv_model *model,
                                               rbv_log *log,
                                               const rbv_differentiate_options *options);
void rbv_signals_free(rbv_signals *signals); /* frees its content; NULL is allowed */

/* ---- a base that moves ---- */

/*
 * A sensor of angular rate and specific force on the base, in columns FRAME_gyro_x ... FRAME_acc_z:
 * FRAME is a frame of the base in the robot file, or `base` itself.
 */
typedef struct {
  double R[9], p[3];                /* of the frame in the base; R row-major */
  int column[RBV_BASE_COORDINATES]; /* of the log: specific force x y z, angular rate x y z */
} rbv_base_sensor;

/* False if the base does not move, or if the log has no such columns. */
bool rbv_base_sensor_find(rbv_base_sensor *out, const rbv_model *model, const rbv_log *log);

#endif
