/* Methods with instruments on essential parameters. */
#ifndef IDENTIFY_SURVIVING_COLUMNS_H
#define IDENTIFY_SURVIVING_COLUMNS_H

#include <roberval/sys/identify.h>

#include "base/support.h"

/* Select the essential parameters with weighted least squares, then run the method of the options
 * on these alone (Brunot 2018 section 5.1). */
RBV_MUST_CHECK rbv_status rbv_identify_survivors(rbv_estimate **out, const rbv_model *model,
                                                 rbv_motion *const *motions, int nmotion,
                                                 const rbv_identify_options *options);

#endif
