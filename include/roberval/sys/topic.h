/*
 * topic: joint states of a running robot by DDS, the middleware of ROS 2, which need not be
 * installed. A plug-in that is opened at run time knows the library of DDS.
 */
#ifndef ROBERVAL_SYS_TOPIC_H
#define ROBERVAL_SYS_TOPIC_H

#include <roberval/sys/base.h>

RBV_BEGIN_C

typedef struct {
  const char *topic;    /* "/joint_states"; NULL: none */
  const char *network;  /* interface, such as "lo"; NULL: as DDS is configured */
  const char *reliable; /* "yes", "no"; NULL or "auto": as the publisher offers it */
  int domain;           /* of ROS, 0 to 232 */
} rbv_topic_options;

RBV_END_C
#endif
