/* What an identification gains from the correction of a delay. */
#ifndef CHECK_DELAY_TRIAL_H
#define CHECK_DELAY_TRIAL_H

#include "check/check_internal.h"

/*
 * Identify from the first part of a recording and predict its end, with the choices of an
 * identification, for several lengths of the end.
 *
 *   worst  out  largest ratio of the error at the end with the delay corrected to that without;
 *               infinite: the recording is too short to tell
 */
rbv_status rbv_try_delay(double *worst, const rbv_model *m, const view *v, double delay_s);

#endif
