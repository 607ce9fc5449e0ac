/* What the tasks that live on topics share. */
#ifndef TASK_LIVE_H
#define TASK_LIVE_H

#include "task/task_internal.h"
#include "topic/topic.h"

/* topic, domain, network and reliable, over rbv_topic_options. */
const rbv_option *rbv_topic_rows(void);

/* Seconds of the computer's clock, which is never set. */
double live_now_s(void);

/* Names of the joints of a model, which keeps the texts; rbv_free the list. NULL: no memory. */
const char **live_joint_names(const rbv_model *model);

#endif
