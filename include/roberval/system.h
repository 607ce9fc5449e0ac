/*
 * system: the linear observation system Y = W chi + rho of a motion, in row groups (torque row of
 * the model x motion). What is kept of a group is the triangle of [W | Y], never W itself: weights
 * scale triangles, stacks merge them. What needs residual rows replays the motion.
 */
#ifndef ROBERVAL_SYSTEM_H
#define ROBERVAL_SYSTEM_H

#include <stdbool.h>

#include <roberval/base.h>
#include <roberval/control.h>
#include <roberval/log.h>
#include <roberval/model.h>
#include <roberval/motion.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- a motion from a recording ---- */

/* How velocities and accelerations are had from positions. */
typedef enum {
  RBV_DIFFERENTIATION_BANDPASS, /* zero-phase Butterworth of order 4, central differences (000) */
  RBV_DIFFERENTIATION_IRW,      /* integrated random walk smoother, twice (003 section 4.2) */
  RBV_DIFFERENTIATION_SPLINE,   /* smoothing spline on the stamps, analytic derivatives (001) */
  RBV_DIFFERENTIATION_FOURIER,  /* harmonics on the stamps, periods averaged (002) */
  RBV_DIFFERENTIATION_RECORDED  /* dq and ddq of the recording */
} rbv_differentiation;

/* "bandpass" for RBV_DIFFERENTIATION_BANDPASS, "" for what is none; and back. Static storage. */
RBV_API const char *rbv_differentiation_name(rbv_differentiation method);
RBV_API bool rbv_differentiation_parse(rbv_differentiation *out, const char *name);

/*
 * FOURIER gives ONE period, starting at the first sample: harmonics fitted to all whole periods,
 * the mean of their torques, and in the origin the variance of that mean (002 eq. 6). Leave
 * transients out of the recording. Averaging is a filter already: decimate little, or not at all.
 * RECORDED without ddq takes central differences of the low-passed dq.
 */
typedef struct {
  rbv_differentiation method;
  double cutoff_hz;        /* BANDPASS, RECORDED without ddq; 0: by rbv_signal_suggest */
  double period_s;         /* FOURIER; need not be a whole number of samples */
  int harmonics;           /* FOURIER */
  double spline_variance;  /* SPLINE: of the noise on positions; 0: estimated for each joint */
  double torque_delay_s;   /* torques were recorded so much later than positions; any sign */
  const double *stiffness; /* njoint: position of the link q - tauj / k (004 app. 2) [N m/rad or
                              N/m]; 0 is rigid; needs joint torques; NULL: positions as they are */
  const double *gains;     /* njoint: factors of the drives on tau or taum; NULL: 1 */
  bool loaded;             /* recorded with the payload */
  bool reference;          /* positions that were not recorded are those of the reference (qr): for
                              methods that simulate the motion */
  int threads;             /* that look through a file, before pieces of it are read; 0: 1 */
} rbv_differentiate_options;

/* BANDPASS with the cut-off from the data, five harmonics, nothing else. */
RBV_API rbv_differentiate_options rbv_differentiate_defaults(void);

/*
 * Positions (q, or inv(K) qm + offset) and their derivatives, and the torques that the model's
 * sensing asks for: tau or taum (through the transmission) for the motor, tauj for the joint sensor
 * (tau when it is all that there is and the model senses the joint).
 *
 *   log      in/out  joints that have names are put into the order of the model's
 *   options  in      NULL: the defaults
 *
 * A stamp that is there already is dropped. Stamps off a regular grid by more than 1 % of a step
 * are resampled at the mean rate (of the steps below 1.5 medians): positions by a cubic, torques by
 * a monotone spline. Steps of more than 2.5 medians are gaps: samples inside, and as far beside
 * them as the smoothing reaches, are invalid; so are torques that a delay carries over the ends,
 * and in FOURIER a phase that is invalid in one of the periods. rbv_motion_get_origin tells what
 * was done.
 *
 * Refused: what rbv_log_require refuses, a channel that is missing, a torque that the log says is
 * of the other side, a recording too short for the method, a cut-off above half the rate.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_motion_from_log(rbv_motion **out, const rbv_model *model,
                                                      rbv_log *log,
                                                      const rbv_differentiate_options *options);

/*
 * The same from a file that is larger than memory: a motion that reads the file when it is read
 * itself, in windows with what the smoothing reaches on both sides. BANDPASS and RECORDED; the
 * samples are those of rbv_motion_from_log to 1e-9 of the largest.
 *
 *   model    in  borrowed while the motion lives
 *   map      in  may be NULL; not kept
 *   options  in  NULL: the defaults; copied
 *
 * RBV_EUNSUPPORTED with a sentence: a method that needs whole columns, stamps that are not regular
 * (gaps, duplicates, jitter), a MAT file of version 5. Memory does not grow with the file.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_motion_from_file(rbv_motion **out, const rbv_model *model,
                                                       const char *path, const rbv_log_map *map,
                                                       const rbv_differentiate_options *options);

/* ---- rows ---- */

/*
 * What all columns of a torque row and its torque go through besides the decimation, so that the
 * equation holds as before: one function at the full rate, another at the rate of the rows. Poles
 * inside the unit circle. Both begin as if the first sample had been there for ever; an advance is
 * left out, since it would shift all columns alike.
 */
typedef struct {
  rbv_transfer before, after; /* the decimation */
} rbv_row_shape;

/* The decimation of rows with a shape lets through so much of their Nyquist frequency, not 0.8: a
 * hole in the spectrum has no inverse that could make it white. */
#define RBV_SHAPED_BAND 0.95

/*
 * Rows go when a sample in their support is invalid: the sample itself without decimation, any
 * within 1.5 n_d of the row's with it, and settle samples more before it. They count as masked.
 *
 * An equation stays true when it is multiplied by a number, so the equations of a torque row may
 * fade out where a joint whose sign they hold stands still, before any filter could spread what
 * happens there: they are multiplied by 0 below the speed of fade, by 1 above 1.5 times that, and
 * by a smooth step in between. Rows that stand below that speed count as masked. A direction over
 * several joints has the largest of their speeds. With instruments, velocities are theirs: what is
 * left out then does not depend on the noise of the measured ones.
 */
typedef struct {
  int decimate; /* n_d of the parallel decimation; 1: every sample, unfiltered */
  double mask;  /* rows where a velocity under a sign is slower than this go [rad/s or m/s]; signs
                   in formulas of the robot file do not count */
  const double *fade; /* njoint: speed below which equations are left out; NULL: none are */
  ptrdiff_t trim;     /* samples dropped at each end; a decimation drops three rows there anyway */
  int folds;          /* blocks of equal length that a motion's rows are kept in; 0 or 1: one */
  const rbv_row_shape *shape; /* one per torque row, borrowed; NULL: none */
  ptrdiff_t settle; /* samples until the shape has forgotten the start, or an invalid sample */
  int threads;      /* that work on a motion; the rows do not depend on it, 0: 1 */
} rbv_row_filter;

/*
 * A filter from the data: decimation by rate over cut-off (0.8 of the new Nyquist frequency is then
 * twice the dynamics' frequency, which the cut-off is five times), and where the friction law has a
 * step, a mask of 2 % of the typical top speed of the joints.
 *
 *   threads  in  that read the motions, and then work on them (out->threads)
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_row_filter_suggest(rbv_row_filter *out,
                                                         const rbv_model *model,
                                                         rbv_motion *const *motions, int nmotion,
                                                         int threads);

/*
 * Speeds for fade: a share of each joint's top speed over all motions.
 *
 *   fade  out  njoint [rad/s or m/s]
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_row_filter_fade(double *fade, rbv_motion *const *motions,
                                                      int nmotion, double share);

typedef struct {
  int row;           /* of the model */
  int motion;        /* in the order of rbv_system_add */
  int fold;          /* block of that motion, in time */
  int ncolumn;       /* columns of the system that can be non-zero in this row */
  const int *column; /* positions in the system's list */
  const double *R;   /* (ncolumn + 1) square: triangle of [W | Y] */
  const double *RZ;  /* (2 ncolumn + 1) square: of [Z | W | Y]; NULL without instruments */
  ptrdiff_t rows;    /* equations behind it */
  ptrdiff_t masked;  /* equations left out */
} rbv_group;

typedef struct rbv_system rbv_system;

/* An empty system over some columns of the model (copied), which is borrowed. */
RBV_API RBV_MUST_CHECK rbv_status rbv_system_new(rbv_system **out, const rbv_model *model,
                                                 const int *columns, int ncolumn,
                                                 const rbv_row_filter *filter);
RBV_API void rbv_system_free(rbv_system *system);

/* One pass over a motion adds a group per torque row and fold. */
RBV_API RBV_MUST_CHECK rbv_status rbv_system_add(rbv_system *system, rbv_motion *motion);

/*
 * The same with instruments Z: the regressor of another motion of the same samples (a simulated
 * one, which knows nothing of the measured one's noise), through the same row filter and mask.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_system_add_with(rbv_system *system, rbv_motion *motion,
                                                      rbv_motion *instruments);

/* Forget all groups, to pass over the motions once more; with another filter from then on. */
RBV_API void rbv_system_clear(rbv_system *system);
RBV_API void rbv_system_set_filter(rbv_system *system, const rbv_row_filter *filter);

/*
 * From the next pass on, measured torques that differ from the prediction of chi (all columns of
 * the model, copied) by more than limit (one per row of the model, copied) count as differing by
 * just that. Before any filter, because a filter would spread an outlier over its neighbours. NULL
 * ends it.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_system_clip(rbv_system *system, const double *chi,
                                                  const double *limit);

RBV_API int rbv_system_column_count(const rbv_system *system);
RBV_API int rbv_system_group_count(const rbv_system *system);
RBV_API const rbv_group *rbv_system_group(const rbv_system *system, int g);

/*
 * Triangle of the groups, each divided by the sigma of its row.
 *
 *   R      out  (ncolumn + ny) square, of [W | Y] over the system's columns. Y is one column, or
 *               with per_joint one for each joint, holding that joint's torque (ny = njoint)
 *   rows   out  equations behind it; may be NULL
 *   sigma  in   one per row of the model; NULL: no weights
 *   count  in   how often each group takes part, one per group; NULL: once
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_system_stack(double *R, ptrdiff_t *rows,
                                                   const rbv_system *system, const double *sigma,
                                                   const int *count, bool per_joint);

/*
 * Triangle of [Z | W | Y] over the groups, (2 ncolumn + 1) square; every group must have
 * instruments, and the weights go on Z too.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_system_stack_instruments(double *R, ptrdiff_t *rows,
                                                               const rbv_system *system,
                                                               const double *sigma,
                                                               const int *count);

/* |Y - W x|^2 and |Y|^2 of a group; x over the system's columns. */
RBV_API void rbv_system_residual(double *rss, double *yy, const rbv_system *system, int group,
                                 const double *x);

/*
 * Standard deviation of a model row's residual in its own least-squares fit over all motions
 * (minimum norm, since a joint alone is rank deficient), dof = rows - rank. count as above.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_system_row_sigma(double *sigma, const rbv_system *system,
                                                       int row, const int *count);

/*
 * Run a motion through the same row filter with parameters instead of columns: measured and
 * predicted torque of each model row. A row may come in several pieces, in order of time.
 */
typedef void rbv_replay_visit(void *self, int row, const double *measured, const double *predicted,
                              ptrdiff_t count);
RBV_API RBV_MUST_CHECK rbv_status rbv_system_replay(const rbv_model *model,
                                                    const rbv_row_filter *filter,
                                                    rbv_motion *motion, const double *chi,
                                                    rbv_replay_visit *visit, void *self);

#ifdef __cplusplus
}
#endif
#endif
