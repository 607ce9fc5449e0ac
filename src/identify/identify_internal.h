/* Data of one identification, shared by the files of this module. */
#ifndef IDENTIFY_IDENTIFY_INTERNAL_H
#define IDENTIFY_IDENTIFY_INTERNAL_H

#include <roberval/sys/identify.h>

#include "identify/linear_solve.h"

/* Division of one motion: blocks of time, and folds of the equations, of which a block has `span`.
 */
typedef struct {
  int folds;  // of the whole motion
  int used;   // folds at its start that are used; the others are held out for validation
  int span;   // folds of a block
  int first;  // index of its first block
} motion_blocks;

typedef struct identify_loop identify_loop;
typedef struct identify_noise identify_noise;
typedef struct identify_clipping identify_clipping;

typedef struct {
  const rbv_model *model;
  const rbv_model *given;  // the model of the call
  rbv_model *own_model;    // its variant with the present values of unknown shapes; NULL: none yet
  rbv_motion *const *motions;
  int nmotion;
  const rbv_identify_options *options;
  const rbv_method *method;
  rbv_row_filter filter;  // of the present iteration
  double *fade;           // njoint: speeds below which equations are left out, of sliding methods
  rbv_equations *system;
  identify_loop *loop;     // of methods that simulate
  identify_noise *noise;   // of methods that whiten
  bool refused;            // the noise model does not hold; e->choice has the reason
  double *RZ;              // (2 n + 1) square: R factor of [Z | W | Y]
  motion_blocks *blocks;   // nmotion
  int nblock;              // of all motions
  double block_ratio;      // error of blocks by estimates without them, over that of the estimate
  bool *alone;             // n: parameters that depend on one block alone
  int *training;           // per group: 1 if it is used, 0 if it is held out
  int nrow, n;             // torque rows; base parameters
  double *sigma;           // nrow
  const double *weights;   // sigma, or NULL if all equations have the same weight
  double *R, *with_prior;  // R factors, without and with the prior
  ptrdiff_t rows;
  double slope;                 // share of the torques that are not clipped
  identify_clipping *clipping;  // of robust methods
  solution solution;
  selection selection;
  double *prior;        // n: base values of the prior
  double *prior_scale;  // n: its sigma at weight 1; 0: no prior
  double *weight;       // n: 1 / sigma as used
} identify_run;

#define LOOP_MOST 20    // default of the largest number of iterations of a simulated loop
#define OUTPUT_MOST 50  // the same of output error

/* The motion from which the rows of a method are made. */
rbv_motion *rbv_run_motion(const identify_run *r, int i);

/* ---- weighted_solve.c ---- */

/* Build the equations of all motions once, and select the groups for training. */
RBV_MUST_CHECK rbv_status rbv_run_compress(identify_run *r);

/* The same rows without instruments, of which only residuals are computed. */
RBV_MUST_CHECK rbv_status rbv_run_compress_rows(identify_run *r);

/* Compute weights from the equations, then solve: e->value, e->chi, e->relation. */
RBV_MUST_CHECK rbv_status rbv_run_solve(identify_run *r, rbv_estimate *e);

/* Select the parameters that r->with_prior determines: r->selection, e->relation. */
RBV_MUST_CHECK rbv_status rbv_run_select(identify_run *r, rbv_estimate *e);

/* ---- output_error.c, output_unknowns.c ---- */

#define OUTPUT_INFLUENCES (1 + RBV_GAIN_COUNT + 4)  // largest number of influences
#define LOOP_NAME 32                                // room for the name of an unknown of the loop

/* Leave out constant torques of joints whose controller integrates: the loop removes them, so that
 * positions do not show them. */
RBV_MUST_CHECK rbv_status rbv_output_restrict(rbv_base *base, const rbv_model *m,
                                              const rbv_closed_loop *loop, int nmotion);

/* Fit the simulated positions to the recorded ones (cloe), up to and including the statistics. */
RBV_MUST_CHECK rbv_status rbv_output_error(identify_run *r, rbv_estimate *e);

/* ---- filtered_columns.c ---- */

/* True if the row filter of the present iteration removes this column, or all useful rows of it. */
bool rbv_run_is_hidden(const identify_run *r, int column);

/*
 * Estimate the columns that the filter removed from the residual of the unfiltered rows in
 * r->system; also their covariance, status and deviations in e->jackknife.
 *
 *   hidden  in  one flag per base parameter
 */
RBV_MUST_CHECK rbv_status rbv_run_solve_hidden(identify_run *r, rbv_estimate *e,
                                               const bool *hidden);

/* ---- estimate_quality.c ---- */

/* Compute status, covariance, fit and diagnostics after the last iteration. */
RBV_MUST_CHECK rbv_status rbv_run_finish(identify_run *r, rbv_estimate *e);

/* The same for an estimate that does not come from the rows: r->solution, r->R, r->selection and
 * the deviations of e->jackknife are given, the fit is that of the plain rows. */
RBV_MUST_CHECK rbv_status rbv_run_finish_output(identify_run *r, rbv_estimate *e);

/* ---- outlier_check.c ---- */

/* Robust methods: where the torques lie that are clipped: rbv_estimate.clipping. */
RBV_MUST_CHECK rbv_status rbv_run_check_clipping(identify_run *r, rbv_estimate *e);

/* ---- bootstrap.c ---- */

/*
 * Draw the first `blocks` folds of a motion with replacement, the same for all torque rows. count:
 * out, how many times each group of this motion is used, one per group; others are not changed.
 * draw: number of this drawing, different for every call with the same stream.
 */
void rbv_draw_blocks(int *count, const rbv_equations *system, int motion, int blocks, uint64_t seed,
                     uint64_t stream, uint64_t draw);

/* Sigma by drawing blocks with replacement and solving again: rbv_estimate.bootstrap_sigma. */
RBV_MUST_CHECK rbv_status rbv_bootstrap(identify_run *r, rbv_estimate *e);

#endif
