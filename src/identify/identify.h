/* For the other modules of the library. */
#ifndef IDENTIFY_IDENTIFY_H
#define IDENTIFY_IDENTIFY_H

#include <roberval/sys/identify.h>

/*
 * The comparable errors of the fits and of each of their torques.
 *
 *   used, held  in/out  of the samples before and after the start of the held-out part; held may be
 *                       NULL
 */
RBV_MUST_CHECK rbv_status rbv_comparable_fit(rbv_fit *used, rbv_fit *held, const rbv_model *model,
                                             rbv_motion *const *motions, int nmotion,
                                             const double *chi, double holdout, int threads);

#endif
