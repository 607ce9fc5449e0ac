/*
 * system: the linear observation system Y = W chi + rho of a motion, in row groups (torque row of
 * the model x motion). What is kept of a group is the triangle of [W | Y], never W itself: weights
 * scale triangles, stacks merge them. What needs residual rows replays the motion.
 */
#ifndef ROBERVAL_SYS_EQUATIONS_H
#define ROBERVAL_SYS_EQUATIONS_H

#include <stdbool.h>

#include <roberval/sys/base.h>
#include <roberval/sys/control.h>
#include <roberval/sys/model.h>
#include <roberval/sys/motion.h>

#ifdef __cplusplus
extern "C" {
#endif

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
  int motion;        /* in the order of rbv_equations_add */
  int fold;          /* block of that motion, in time */
  int ncolumn;       /* columns of the system that can be non-zero in this row */
  const int *column; /* positions in the system's list */
  const double *R;   /* (ncolumn + 1) square: triangle of [W | Y] */
  const double *RZ;  /* (2 ncolumn + 1) square: of [Z | W | Y]; NULL without instruments */
  ptrdiff_t rows;    /* equations behind it */
  ptrdiff_t masked;  /* equations left out */
} rbv_group;

typedef struct rbv_equations rbv_equations;

/* An empty system over some columns of the model (copied), which is borrowed. */
RBV_API RBV_MUST_CHECK rbv_status rbv_equations_new(rbv_equations **out, const rbv_model *model,
                                                    const int *columns, int ncolumn,
                                                    const rbv_row_filter *filter);
RBV_API void rbv_equations_free(rbv_equations *system);

/* One pass over a motion adds a group per torque row and fold. */
RBV_API RBV_MUST_CHECK rbv_status rbv_equations_add(rbv_equations *system, rbv_motion *motion);

/*
 * The same with instruments Z: the regressor of another motion of the same samples (a simulated
 * one, which knows nothing of the measured one's noise), through the same row filter and mask.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_equations_add_with(rbv_equations *system, rbv_motion *motion,
                                                         rbv_motion *instruments);

/* Forget all groups, to pass over the motions once more; with another filter from then on. */
RBV_API void rbv_equations_clear(rbv_equations *system);
RBV_API void rbv_equations_set_filter(rbv_equations *system, const rbv_row_filter *filter);

/*
 * From the next pass on, measured torques that differ from the prediction of chi (all columns of
 * the model, copied) by more than limit (one per row of the model, copied) count as differing by
 * just that. Before any filter, because a filter would spread an outlier over its neighbours. NULL
 * ends it.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_equations_clip(rbv_equations *system, const double *chi,
                                                     const double *limit);

RBV_API int rbv_equations_column_count(const rbv_equations *system);
RBV_API int rbv_equations_group_count(const rbv_equations *system);
RBV_API const rbv_group *rbv_equations_group(const rbv_equations *system, int g);

/*
 * Triangle of the groups, each divided by the sigma of its row.
 *
 *   R      out  (ncolumn + ny) square, of [W | Y] over the system's columns. Y is one column, or
 *               with per_joint one for each joint, holding that joint's torque (ny = njoint)
 *   rows   out  equations behind it; may be NULL
 *   sigma  in   one per row of the model; NULL: no weights
 *   count  in   how often each group takes part, one per group; NULL: once
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_equations_stack(double *R, ptrdiff_t *rows,
                                                      const rbv_equations *system,
                                                      const double *sigma, const int *count,
                                                      bool per_joint);

/*
 * Triangle of [Z | W | Y] over the groups, (2 ncolumn + 1) square; every group must have
 * instruments, and the weights go on Z too.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_equations_stack_instruments(double *R, ptrdiff_t *rows,
                                                                  const rbv_equations *system,
                                                                  const double *sigma,
                                                                  const int *count);

/* |Y - W x|^2 and |Y|^2 of a group; x over the system's columns. */
RBV_API void rbv_equations_residual(double *rss, double *yy, const rbv_equations *system, int group,
                                    const double *x);

/*
 * Standard deviation of a model row's residual in its own least-squares fit over all motions
 * (minimum norm, since a joint alone is rank deficient), dof = rows - rank. count as above.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_equations_row_sigma(double *sigma,
                                                          const rbv_equations *system, int row,
                                                          const int *count);

/*
 * Run a motion through the same row filter with parameters instead of columns: measured and
 * predicted torque of each model row. A row may come in several pieces, in order of time.
 */
typedef void rbv_replay_visit(void *self, int row, const double *measured, const double *predicted,
                              ptrdiff_t count);
RBV_API RBV_MUST_CHECK rbv_status rbv_equations_replay(const rbv_model *model,
                                                       const rbv_row_filter *filter,
                                                       rbv_motion *motion, const double *chi,
                                                       rbv_replay_visit *visit, void *self);

#ifdef __cplusplus
}
#endif
#endif
