/* Prediction errors and residual statistics of every torque row, in one pass. */
#ifndef IDENTIFY_ROW_STATISTICS_H
#define IDENTIFY_ROW_STATISTICS_H

#include <roberval/sys/equations.h>
#include <roberval/sys/result.h>

#include "base/support.h"

typedef struct rbv_row_stats rbv_row_stats;

RBV_MUST_CHECK rbv_status rbv_row_stats_new(rbv_row_stats **out, const rbv_model *model);
void rbv_row_stats_free(rbv_row_stats *stats);

/* Replay a motion with these parameters and add its residuals. */
RBV_MUST_CHECK rbv_status rbv_row_stats_add(rbv_row_stats *stats, rbv_motion *motion,
                                            const double *chi, const rbv_row_filter *filter);

/*
 * Add residuals that are known already, of the valid samples of a motion. Enough for the spread and
 * the shares of rows.
 *
 *   residual, torque  in  sample k of row r at [k + r * count]
 *   valid             in  count
 */
void rbv_row_stats_add_residuals(rbv_row_stats *stats, const double *residual, const double *torque,
                                 const bool *valid, ptrdiff_t count);

/* Relative error of all rows together. */
double rbv_row_stats_error(const rbv_row_stats *stats);

/* Fill fit->row (allocated, nrow entries) and the total error. unknowns: number of parameters that
 * were fitted to these rows; 0 if they were fitted to other data. */
RBV_MUST_CHECK rbv_status rbv_row_stats_finish(rbv_fit *fit, rbv_row_stats *stats, int unknowns);

/* 1.4826 times the median absolute residual of a row, at least 1e-12 of its torque: a sigma that
 * outliers do not affect. */
RBV_MUST_CHECK rbv_status rbv_row_stats_spread(double *sigma, rbv_row_stats *stats, int row);

/*
 * Share of isolated residuals of a row: those that deviate from the mean of their two neighbours by
 * more than six times the usual deviation, and by 2 % of the rms torque. A wrong model has errors
 * in many consecutive samples; an outlier is isolated.
 */
RBV_MUST_CHECK rbv_status rbv_row_stats_spikes(double *share, rbv_row_stats *stats, int row);

/* Speed below which a joint is near a reversal: a tenth of the typical top speed. */
RBV_MUST_CHECK rbv_status rbv_reversal_speed(double *speed, rbv_motion *const *motions,
                                             int nmotion);

/* Share of the residuals of a row that are not larger than limit. */
double rbv_row_stats_share(const rbv_row_stats *stats, int row, double limit);

#endif
