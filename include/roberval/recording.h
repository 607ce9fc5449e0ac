/*
 * Recordings: samples of a motion in named columns, from a file or from arrays. Stable.
 *
 * Columns: t [s], and per joint 1, 2, ... q dq ddq (position, velocity, acceleration), tau (torque
 * of the drive, referred to the joint), qm taum (at the rotor, before the gear), tauj (joint torque
 * sensor), qr dqr ddqr (reference), in SI units. Other columns are kept as they are.
 *
 * A recording never changes after it was loaded, so many threads may read it. Functions that return
 * a number, a name or values accept NULL and an index out of range: they return 0, -1 or NULL.
 */
#ifndef ROBERVAL_RECORDING_H
#define ROBERVAL_RECORDING_H

#include <stddef.h>

#include <roberval/status.h>

RBV_BEGIN_C

typedef struct rbv_log rbv_log;

/*
 * Read a recording.
 *
 *   path  in  a file of any format that the tool reads
 *   map   in  file with the meaning of its columns (YAML); NULL: they have the names above
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_log_open(rbv_log **out, const char *path, const char *map);

/*
 * A recording from columns in memory, copied.
 *
 *   name   in  used in messages
 *   names  in  ncol of them, as above
 *   A      in  samples x ncol, column-major, leading dimension ld
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_log_new(rbv_log **out, const char *name,
                                              const char *const *names, int ncol, const double *A,
                                              ptrdiff_t samples, ptrdiff_t ld);
RBV_API void rbv_log_free(rbv_log *log);

/* Write as CSV with digits that give the same numbers; the file is written completely or not at
 * all. */
RBV_API RBV_MUST_CHECK rbv_status rbv_log_save(const rbv_log *log, const char *path);

RBV_API const char *rbv_log_name(const rbv_log *log); /* path, or the name given */
RBV_API ptrdiff_t rbv_log_samples(const rbv_log *log);

/* Highest joint with a column, plus one; name of a joint in the map, NULL: it has none. */
RBV_API int rbv_log_joint_count(const rbv_log *log);
RBV_API const char *rbv_log_joint_name(const rbv_log *log, int joint);

/* Columns: their number, the number of the one with this name (-1: none), name and values (one per
 * sample, contiguous, part of the recording) of column i. */
RBV_API int rbv_log_column_count(const rbv_log *log);
RBV_API int rbv_log_find(const rbv_log *log, const char *name);
RBV_API const char *rbv_log_column_name(const rbv_log *log, int i);
RBV_API const double *rbv_log_column_values(const rbv_log *log, int i);

RBV_END_C
#endif
