/* The method auto. */
#ifndef IDENTIFY_AUTO_METHOD_H
#define IDENTIFY_AUTO_METHOD_H

#include <roberval/sys/identify.h>

#include "base/support.h"

/* Try several methods and keep the one that suits the data; its field choice gives the reasons. */
RBV_MUST_CHECK rbv_status rbv_identify_choose(rbv_estimate **out, const rbv_model *model,
                                              rbv_motion *const *motions, int nmotion,
                                              const rbv_identify_options *options);

#endif
