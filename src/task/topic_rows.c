/* Options of the tasks that listen to a topic. */
#include "task/follow_run.h"

#undef TASK
#define TASK rbv_topic_options

static const char *reliable_at(int i) {
  static const char *const choices[] = {"auto", "yes", "no"};
  return i >= 0 && i < RBV_COUNT(choices) ? choices[i] : NULL;
}

static const rbv_option rows[] = {
    TASK_ROW("topic", TEXT, topic, "NAME",
             "listen to joint states of this ROS 2 topic, such as /joint_states", .topic = "topics",
             .basic = true),
    TASK_ROW("domain", COUNT, domain, "N", "ROS domain (default 0)", .topic = "topics",
             RBV_FROM(0, 232)),
    TASK_ROW("network", TEXT, network, "NAME",
             "network interface, such as eth0 or lo (default: as DDS is configured)",
             .topic = "topics"),
    TASK_ROW("reliable", TEXT, reliable, "HOW",
             "ask for reliable delivery (default: as the publisher offers it)",
             .choice = reliable_at, .topic = "topics"),
    {0}};

const rbv_option *rbv_topic_rows(void) { return rows; }
