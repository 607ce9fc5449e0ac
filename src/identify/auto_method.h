/* The method auto. */
#ifndef IDENTIFY_AUTO_METHOD_H
#define IDENTIFY_AUTO_METHOD_H

#include <roberval/sys/identify.h>

#include "base/support.h"

/* Try what the data may call for and keep one; its choice says why. */
RBV_MUST_CHECK rbv_status rbv_identify_choose(rbv_estimate **out, const rbv_model *model,
                                              rbv_motion *const *motions, int nmotion,
                                              const rbv_identify_options *options);

#endif
