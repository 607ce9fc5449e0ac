/*
 * Uncertainty of an estimate whose residual is not white: delete-a-block jackknife. The rows of
 * every motion are divided into contiguous blocks of equal length, the same for all torque rows.
 * The estimate is repeated without each block, with the weights, the mask, the clipped torques, the
 * instruments and the prior of the whole. The spread of these estimates contains the correlation of
 * the residual over time and between joints, up to the length of a block.
 */
#ifndef IDENTIFY_BLOCK_DELETION_H
#define IDENTIFY_BLOCK_DELETION_H

#include "equations/equations.h"
#include "identify/identify_internal.h"

// Blocks of all motions together. More blocks give a more certain sigma, but a block must be longer
// than the memory of the residual: friction and elasticity have tenths of a second. Rows whose
// noise is whitened have a memory of some samples.
#define JACKKNIFE_MOST 20
#define JACKKNIFE_LEAST 10
#define JACKKNIFE_SECONDS 0.75
#define JACKKNIFE_WHITENED_SECONDS 0.3

#define JACKKNIFE_PER_MOTION 4  // at least
#define JACKKNIFE_RECORDINGS 4  // from this number on, recordings are left out too

/*
 * Divide the motions into blocks, in proportion to their length, and choose the folds of the
 * equations so that the share `holdout` at the end of each motion is a whole number of folds.
 * Returns the number of blocks.
 *
 *   out       out  nmotion; NULL: only count the blocks
 *   whitened  in   the rows are filtered to whiten their noise: blocks may be shorter, unless a
 *                  part is held out, which is the same for all methods
 */
int rbv_blocks_plan(motion_blocks *out, rbv_motion *const *motions, int nmotion, double holdout,
                    bool whitened);

/* Number of recordings that are left out one by one; 0: too few. */
int rbv_blocks_recordings(int nmotion);

/* The block of a group; -1 if it is held out for validation. */
int rbv_blocks_of(const identify_run *r, const rbv_group *group);

/*
 * Repeat the last solution (r->solution over r->selection) without each block and recording.
 * r->alone marks parameters that depend on one of these parts almost alone: the others say nothing
 * about their spread.
 *
 *   out  out  deviations of the selected parameters; zero for the others
 */
RBV_MUST_CHECK rbv_status rbv_jackknife_solve(rbv_jackknife *out, identify_run *r);

/*
 * Set the sigmas of an estimate whose covariance is that of white noise: sigma_white keeps these,
 * and the covariance becomes D R D, where R is its correlation matrix and D the larger one of the
 * sigmas of jackknife and white noise. (The covariance of the jackknife itself is singular.)
 */
RBV_MUST_CHECK rbv_status rbv_jackknife_finish(rbv_estimate *e, const bool *alone);

#endif
