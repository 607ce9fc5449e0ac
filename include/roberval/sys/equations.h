/*
 * equations: the linear observation system Y = W chi + rho of a motion, in row groups (one per
 * torque row of the model and motion). A group keeps the R factor of [W | Y], never W itself.
 * Weights scale R factors, stacking merges them. Computations that need the residual of every
 * sample read the motion again (replay).
 */
#ifndef ROBERVAL_SYS_EQUATIONS_H
#define ROBERVAL_SYS_EQUATIONS_H

#include <stdbool.h>

#include <roberval/sys/base.h>
#include <roberval/sys/control.h>
#include <roberval/sys/model.h>
#include <roberval/sys/motion.h>
#include <roberval/sys/signal.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- rows ---- */

/*
 * Filters that are applied, in addition to the decimation, to all columns of a torque row and to
 * its torque, so that the equation still holds: one at the full rate, one at the rate of the
 * decimated rows. All poles must be inside the unit circle. Both start as if the first sample had
 * always been present. An advance is ignored, because it would shift all columns equally.
 */
typedef struct {
  rbv_transfer before, after; /* the decimation */
} rbv_row_prefilter;

/* Pass band of the decimation of prefiltered rows, as a fraction of their Nyquist frequency, and
 * that without prefilter: a gap in the spectrum could not be whitened afterwards. */
#define RBV_PREFILTER_BAND 0.95
#define RBV_ROW_BAND 0.8

/* Folds of blocks of time: block b is in fold of[b], or in none if that is `folds`. of has as many
 * elements as there are blocks (borrowed); NULL: each block is a fold. */
typedef struct {
  int folds;
  const unsigned char *of;
} rbv_deal;

/*
 * How rows are made from the samples of a motion.
 *
 * A row is left out, and counted as masked, if it depends on an invalid sample: without decimation
 * its own sample, with decimation any sample within 1.2 n_d / band of it, and in both cases
 * `settle` more samples before it.
 *
 * fade: the equations of a torque row can be multiplied by a weight that goes to zero where a joint
 * with a sign term in this row stands still. The weight is applied before any filter, so that a
 * filter cannot spread the disturbance. It is 0 below the speed in fade, 1 above 1.5 times that
 * speed, and a smooth step in between. Rows whose own sample is below that speed count as masked,
 * except with a prefilter, which needs all rows of the sequence. A term that depends on several
 * joints uses the largest of their speeds in fade. With instruments, the velocities of the
 * instruments are used, so that the choice of rows does not depend on the measurement noise.
 *
 * levels: with fade and a prefilter, without decimation. A weight of zero stands for noise of zero,
 * which slow noise is not: the rows at both ends of a pause would contain its whole level. With
 * levels a pause is filled with a straight line for each column, whose unknown coefficients are
 * eliminated from the filtered rows by rotations. They are orthogonal and the same for all columns,
 * so that equations hold and white noise stays white.
 */
typedef struct {
  int decimate; /* n_d of the parallel decimation; 1 (or 0): every sample, unfiltered */
  double band;  /* pass band of the decimation, as a fraction of the Nyquist frequency of the rows;
                   0: RBV_ROW_BAND */
  double mask;  /* rows with a sign term whose velocity is below this are left out [rad/s or m/s];
                   signs in formulas of the robot file do not count */
  const double *fade; /* njoint speeds below which equations are left out; NULL: none */
  bool levels;        /* the noise near standstill is unknown, see above */
  uint64_t still;     /* joints (bits) whose torques have no equations, because they never move */
  ptrdiff_t trim; /* samples dropped at each end; a decimation drops at least three rows there */
  int folds;      /* blocks of equal length into which the rows are divided; 0: 1 */
  rbv_deal deal;  /* how blocks become folds; zero: each block is a fold */
  const rbv_row_prefilter *prefilter; /* one per torque row, borrowed; NULL: none */
  ptrdiff_t settle; /* samples until the prefilter has forgotten its start or an invalid sample */
  int threads;      /* threads that work on a motion; the rows do not depend on it; 0: 1 */
} rbv_row_filter;

/* The decimation of a row filter. */
RBV_API rbv_decimate_options rbv_row_filter_decimation(const rbv_row_filter *filter);

/* Joints that stand still in all motions (rbv_still_joints), as bits for rbv_row_filter. Their
 * friction may have any value below stiction, so their torques must not be used. */
RBV_API RBV_MUST_CHECK rbv_status rbv_find_still_joints(uint64_t *still, rbv_motion *const *motions,
                                                        int nmotion);

/*
 * Choose a filter from the data. The pass band of the decimation is 0.4 times the cut-off: twice
 * the highest frequency of the dynamics, because the cut-off is five times that frequency. The
 * decimation factor is sample rate / cut-off, rounded down. So the band, and with it the estimate,
 * is a continuous function of the cut-off, although the factor is not. If a friction law uses the
 * sign of the speed, the mask is 2 % of the typical top speed of the joints.
 *
 *   threads  in  number of threads for reading the motions; also stored in out->threads
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_row_filter_suggest(rbv_row_filter *out,
                                                         const rbv_model *model,
                                                         rbv_motion *const *motions, int nmotion,
                                                         int threads);

/*
 * Reduce the decimation, and widen its band, until every torque row has at least three equations
 * per unknown after decimation and mask. A decimation of 1 is not changed.
 *
 *   filter    in, out
 *   unknowns  in  base parameters that act in each torque row of the model
 *   share     in  share of the rows that is used, 0 to 1
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_row_filter_limit(rbv_row_filter *filter,
                                                       const rbv_model *model,
                                                       rbv_motion *const *motions, int nmotion,
                                                       const int *unknowns, double share);

/*
 * Typical top speed of each joint: 99 % of the samples of a motion are slower. Of several motions
 * the fastest counts.
 *
 *   top  out  njoint [rad/s or m/s]
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_typical_speeds(double *top, rbv_motion *const *motions,
                                                     int nmotion, int threads);

/*
 * Compute the speeds for fade: `share` times the typical top speed of each joint.
 *
 *   fade  out  njoint [rad/s or m/s]
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_row_filter_fade(double *fade, rbv_motion *const *motions,
                                                      int nmotion, double share);

/* One row group. All pointers stay owned by the system. */
typedef struct {
  int row;           /* torque row of the model */
  int motion;        /* index in the order of rbv_equations_add */
  int fold;          /* block of that motion, in order of time */
  int ncolumn;       /* columns of the system that can be non-zero in this row */
  const int *column; /* their positions in the column list of the system */
  const double *R;   /* (ncolumn + 1) square: R factor of [W | Y] */
  const double *RZ;  /* (2 ncolumn + 1) square: of [Z | W | Y]; NULL without instruments */
  ptrdiff_t rows;    /* number of equations */
  ptrdiff_t masked;  /* number of equations left out */
} rbv_group;

typedef struct rbv_equations rbv_equations;

/* Create an empty system over some columns of the model. The column list is copied, the model is
 * borrowed. filter NULL: every sample, unfiltered, no mask. */
RBV_API RBV_MUST_CHECK rbv_status rbv_equations_new(rbv_equations **out, const rbv_model *model,
                                                    const int *columns, int ncolumn,
                                                    const rbv_row_filter *filter);
RBV_API void rbv_equations_free(rbv_equations *system);

/* Read a motion once and add one group per torque row and fold. */
RBV_API RBV_MUST_CHECK rbv_status rbv_equations_add(rbv_equations *system, rbv_motion *motion);

/*
 * The same with instruments Z: the regressor of another motion with the same samples, for example a
 * simulated one, whose noise is independent of the measured one. Row filter and mask are the same.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_equations_add_with(rbv_equations *system, rbv_motion *motion,
                                                         rbv_motion *instruments);

/* Remove all groups and use another filter from now on (NULL: as in rbv_equations_new). */
RBV_API void rbv_equations_set_filter(rbv_equations *system, const rbv_row_filter *filter);

/* Divide the motions that are added from now on into this number of blocks of equal length. */
RBV_API void rbv_equations_set_folds(rbv_equations *system, int folds);

/* Deal the blocks of motions that are added from now on. */
RBV_API void rbv_equations_set_deal(rbv_equations *system, rbv_deal deal);

/*
 * Limit outliers, from the next rbv_equations_add on: a measured torque that differs from the
 * prediction with chi (all columns of the model, copied) by more than limit (one per row of the
 * model, copied) is moved to that limit. This is done before any filter, because a filter would
 * spread an outlier to its neighbours. NULL switches it off.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_equations_clip(rbv_equations *system, const double *chi,
                                                     const double *limit);

/*
 * Parameters (all columns of the model, copied) from which the torque through the gears is
 * computed, for laws that depend on it; from the next rbv_equations_add on. A model with such a law
 * needs them.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_equations_set_load(rbv_equations *system, const double *chi);

RBV_API int rbv_equations_column_count(const rbv_equations *system);
RBV_API int rbv_equations_group_count(const rbv_equations *system);
RBV_API const rbv_group *rbv_equations_group(const rbv_equations *system, int g);

/*
 * Merge the R factors of all groups, each divided by the sigma of its row.
 *
 *   R      out  (ncolumn + ny) square, of [W | Y] over the columns of the system. Y is one column;
 *               with per_joint there is one column per joint with its torque (ny = njoint)
 *   rows   out  number of equations; may be NULL
 *   sigma  in   one per row of the model; NULL: no weights
 *   count  in   how many times each group is used, one per group; NULL: once
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_equations_stack(double *R, ptrdiff_t *rows,
                                                      const rbv_equations *system,
                                                      const double *sigma, const int *count,
                                                      bool per_joint);

/*
 * Merge the R factors of [Z | W | Y] of all groups, (2 ncolumn + 1) square. Every group must have
 * instruments. The weights are also applied to Z.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_equations_stack_instruments(double *R, ptrdiff_t *rows,
                                                                  const rbv_equations *system,
                                                                  const double *sigma,
                                                                  const int *count);

/* |Y - W x|^2 and |Y|^2 of a group; x over the columns of the system. */
RBV_API void rbv_equations_residual(double *rss, double *yy, const rbv_equations *system, int group,
                                    const double *x);

/*
 * Standard deviation of the residual of one model row in its own least-squares fit over all
 * motions, dof = rows - rank. The fit has minimum norm, because a single joint is rank deficient.
 * count as above.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_equations_row_sigma(double *sigma,
                                                          const rbv_equations *system, int row,
                                                          const int *count);

/*
 * Apply the row filter to a motion with given parameters: measured and predicted torque of each
 * model row are passed to visit, with the number of their fold. (The load of the gears follows from
 * the same parameters.) A row may come in several pieces,
 * in order of time. filter NULL: as in rbv_equations_new.
 */
typedef void rbv_replay_visit(void *self, int row, int fold, const double *measured,
                              const double *predicted, ptrdiff_t count);
RBV_API RBV_MUST_CHECK rbv_status rbv_equations_replay(const rbv_model *model,
                                                       const rbv_row_filter *filter,
                                                       rbv_motion *motion, const double *chi,
                                                       rbv_replay_visit *visit, void *self);

#ifdef __cplusplus
}
#endif
#endif
