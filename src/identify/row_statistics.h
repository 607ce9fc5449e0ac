/* How well parameters predict: sums and residual statistics of every torque row, in one pass. */
#ifndef IDENTIFY_ROW_STATISTICS_H
#define IDENTIFY_ROW_STATISTICS_H

#include <roberval/sys/equations.h>
#include <roberval/sys/result.h>

#include "base/support.h"

typedef struct rbv_judge rbv_judge;

RBV_MUST_CHECK rbv_status rbv_judge_new(rbv_judge **out, const rbv_model *model);
void rbv_judge_free(rbv_judge *judge);

/* Replay a motion with these parameters and add what is seen. */
RBV_MUST_CHECK rbv_status rbv_judge_motion(rbv_judge *judge, rbv_motion *motion, const double *chi,
                                           const rbv_row_filter *filter);

/* Relative error of all rows together. */
double rbv_judge_error(const rbv_judge *judge);

/* Fill fit->row (nrow entries, there already) and the overall error. unknowns: parameters that were
 * fitted to these rows, 0 when it was to others. */
RBV_MUST_CHECK rbv_status rbv_judge_finish(rbv_fit *fit, rbv_judge *judge, int unknowns);

/* 1.4826 times the median absolute residual of a row, or 1e-12 of its torque: a sigma that outliers
 * do not move. */
RBV_MUST_CHECK rbv_status rbv_judge_spread(double *sigma, rbv_judge *judge, int row);

/*
 * Share of a row's residuals that stand alone: off the mean of their two neighbours by more than
 * six times the usual, and by 2 % of the torque's rms. A model that is wrong for a while errs in
 * many samples in a row; an outlier does not.
 */
RBV_MUST_CHECK rbv_status rbv_judge_spikes(double *share, rbv_judge *judge, int row);

/* Share of a row's residuals that are not larger than limit. */
double rbv_judge_share(const rbv_judge *judge, int row, double limit);

#endif
