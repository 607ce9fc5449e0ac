/* What an identification gains from the correction of a delay. */
#ifndef CHECK_DELAY_TRIAL_H
#define CHECK_DELAY_TRIAL_H

#include "check/check_internal.h"

/*
 * Identify from the first part of a recording and predict its end, with the choices of an
 * identification, for several lengths of the end.
 *
 *   harmless  out  with the delay corrected the ends are predicted no worse in the mean, and none
 *                  by more than 1 %; false if the recording is too short to tell
 */
rbv_status rbv_try_delay(bool *harmless, const rbv_model *m, const view *v, double delay_s);

#endif
