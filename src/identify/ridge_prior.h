/* Leaning on a-priori values: ridge regression towards them, in base space. */
#ifndef IDENTIFY_RIDGE_PRIOR_H
#define IDENTIFY_RIDGE_PRIOR_H

#include "identify/identify_internal.h"

/* leaned = R and the prior's rows; finds the weight by cross-validation when it is not given. */
RBV_MUST_CHECK rbv_status rbv_prior_lean(identify_run *r, rbv_estimate *e);

/* Did the prior, rather than the data, decide on base parameter k? */
bool rbv_prior_holds(const identify_run *r, int k);

#endif
