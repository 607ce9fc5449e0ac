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

RBV_BEGIN_C

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

RBV_END_C
#endif
