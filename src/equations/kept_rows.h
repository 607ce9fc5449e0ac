/*
 * Equations that are computed several times with the same W, whose filtered values are stored:
 * torques that are clipped around one estimate after the other, or instruments from one simulation
 * after the other.
 */
#ifndef EQUATIONS_KEPT_ROWS_H
#define EQUATIONS_KEPT_ROWS_H

#include "equations/equations.h"

/* Store the filtered rows of W of the motions that are added from now on, until they need more than
 * `bytes` in total. */
void rbv_equations_keep_rows(rbv_equations *system, size_t bytes);

/* True if the rows of all motions are stored. */
bool rbv_equations_has_rows(const rbv_equations *system);

/*
 * Compute the R factors of a motion again with clipped torques: a torque that differs from its
 * prediction by more than the limit is moved to that limit, before any filter.
 *
 *   index     in  of the motion, in the order of rbv_equations_add; its rows must be stored
 *   motion    in  the same motion
 *   residual  in  measured minus predicted torque of all samples, of rbv_equations_residuals
 *   limit     in  nrow
 */
RBV_MUST_CHECK rbv_status rbv_equations_clip_again(rbv_equations *system, int index,
                                                   rbv_motion *motion, const double *residual,
                                                   const double *limit);

/*
 * Measured minus predicted torque of all samples, also of invalid ones, without any filter: sample
 * k of row r at [k + r * count].
 *
 *   residual  out  count x nrow
 */
RBV_MUST_CHECK rbv_status rbv_equations_residuals(double *residual, const rbv_model *model,
                                                  rbv_motion *motion, const double *chi,
                                                  int threads);

/* ---- instruments ---- */

/*
 * Store the filtered columns of W and the torques of motions that are added with instruments from
 * now on, up to `bytes` in total. They are used if a motion is added again, after
 * rbv_equations_set_filter with the same decimation: then only its instruments are computed. The
 * motions must not change meanwhile.
 */
void rbv_equations_keep_columns(rbv_equations *system, size_t bytes);

/* The rows of rbv_equations_add_with, without instruments: the given motion only decides where
 * joints stand still. */
RBV_MUST_CHECK rbv_status rbv_equations_add_like(rbv_equations *system, rbv_motion *motion,
                                                 rbv_motion *velocities);

#endif
