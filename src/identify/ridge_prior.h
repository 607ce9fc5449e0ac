/* Use of prior values: ridge regression towards them, in the space of base parameters. */
#ifndef IDENTIFY_RIDGE_PRIOR_H
#define IDENTIFY_RIDGE_PRIOR_H

#include "identify/identify_internal.h"

/* with_prior = R and the rows of the prior; the weight is found by cross-validation if it is not
 * given. */
RBV_MUST_CHECK rbv_status rbv_prior_apply(identify_run *r, rbv_estimate *e);

/* True if the prior, rather than the data, determines base parameter k. */
bool rbv_prior_dominates(const identify_run *r, int k);

#endif
