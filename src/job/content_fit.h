/* The model of a robot as the judge of columns without names; content_fit.c explains it. */
#ifndef JOB_CONTENT_FIT_H
#define JOB_CONTENT_FIT_H

#include <roberval/sys/model.h>

#include "log/log.h"

typedef struct rbv_content_fit rbv_content_fit;

/* The model is borrowed. NULL without a failure: torques are measured on both sides of the gears,
 * so that one block of columns cannot be all of them. */
RBV_MUST_CHECK rbv_status rbv_content_fit_new(rbv_content_fit **out, const rbv_model *model);
void rbv_content_fit_free(rbv_content_fit *fit);
const rbv_log_physics *rbv_content_fit_physics(const rbv_content_fit *fit);

#endif
