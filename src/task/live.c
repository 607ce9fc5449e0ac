/* Options of the tasks that listen to a topic, and what they share. */
#include <time.h>

#include "task/live.h"

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

double live_now_s(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

const char **live_joint_names(const rbv_model *m) {
  const int n = rbv_model_joint_count(m);
  const char **name = rbv_alloc((size_t)n * sizeof *name);
  for (int j = 0; j < n && name; j++) name[j] = rbv_model_joint(m, j)->name;
  return name;
}

void rbv_live_task_stop(rbv_task *task, const int *stop) {
  void *data = (void *)(uintptr_t)rbv_task_data(task);
  if (rbv_task_is(task, &rbv_record_kind)) ((rbv_record_task *)data)->stop = stop;
  if (rbv_task_is(task, &rbv_play_kind)) ((rbv_play_task *)data)->stop = stop;
}
