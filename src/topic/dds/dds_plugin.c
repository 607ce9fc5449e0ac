/*
 * The plug-in for live topics: Eclipse Cyclone DDS behind the table of topic_table.h. Topics of
 * ROS 2 are "rt/NAME" with types "package::msg::dds_::Type_".
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dds/dds.h>

#include "ros.h"
#include "topic/topic_table.h"

#define OUTPUTS 8         // topics that are written
#define MOST_JOINTS 1000  // of a message; one with more is not of a robot

typedef sensor_msgs_msg_dds__JointState_ state_message;
typedef std_msgs_msg_dds__Float64MultiArray_ numbers_message;
typedef diagnostic_msgs_msg_dds__DiagnosticArray_ text_message;
typedef trajectory_msgs_msg_dds__JointTrajectory_ motion_message;
typedef trajectory_msgs_msg_dds__JointTrajectoryPoint_ motion_point;

struct topic_door {
  dds_entity_t domain, participant, publications, reader, waitset;
  void *loan;  // the last message
  struct {
    char name[256];
    dds_entity_t writer;
  } output[OUTPUTS];
  int outputs;
};

static char complaint[TOPIC_TEXT];  // of the library, by whatever thread

static void hear(void *self, const dds_log_data_t *data) {
  (void)self;
  if (data->priority & (DDS_LC_FATAL | DDS_LC_ERROR | DDS_LC_WARNING))
    snprintf(complaint, sizeof complaint, "%.*s", (int)strcspn(data->message, "\n"), data->message);
}

static int fail(char why[TOPIC_TEXT], const char *what, dds_return_t code) {
  snprintf(why, TOPIC_TEXT, "%s: %s%s%.300s", what, dds_strretcode(code), *complaint ? "; " : "",
           complaint);
  return -1;
}

static void close_door(topic_door *d) {
  if (!d) return;
  if (d->loan) (void)dds_return_loan(d->reader, &d->loan, 1);
  if (d->participant > 0) (void)dds_delete(d->participant);
  // threads of a domain that is not deleted would run on
  if (d->domain > 0) (void)dds_delete(d->domain);
  dds_set_log_sink(NULL, NULL);
  free(d);
}

static topic_door *open_door(int domain, const char *network, char why[TOPIC_TEXT]) {
  char xml[1024];
  topic_door *d = calloc(1, sizeof *d);
  if (!d) return snprintf(why, TOPIC_TEXT, "out of memory"), NULL;
  const bool loop = network && strcmp(network, "lo") == 0;
  complaint[0] = 0;
  dds_set_log_sink(hear, NULL);
  if (network) {
    // there is no multicast on the loopback interface: peers are asked one by one
    snprintf(xml, sizeof xml,
             "<CycloneDDS><Domain><General><Interfaces><NetworkInterface name=\"%.60s\"/>"
             "</Interfaces>%s</General>%s</Domain></CycloneDDS>",
             network, loop ? "<AllowMulticast>false</AllowMulticast>" : "",
             loop ? "<Discovery><ParticipantIndex>auto</ParticipantIndex><Peers><Peer "
                    "Address=\"127.0.0.1\"/></Peers></Discovery>"
                  : "");
    d->domain = dds_create_domain((dds_domainid_t)domain, xml);
    if (d->domain < 0) {
      fail(why, "the network cannot be used", d->domain);
      close_door(d);
      return NULL;
    }
  }
  d->participant = dds_create_participant((dds_domainid_t)domain, NULL, NULL);
  if (d->participant > 0)
    d->publications =
        dds_create_reader(d->participant, DDS_BUILTIN_TOPIC_DCPSPUBLICATION, NULL, NULL);
  if (d->participant > 0 && d->publications > 0) return d;
  fail(why, "the domain cannot be entered", d->participant > 0 ? d->publications : d->participant);
  close_door(d);
  return NULL;
}

/* "joint_states" and "/joint_states" are rt/joint_states */
static void full_name(char out[256], const char *topic) {
  snprintf(out, 256, "rt/%.250s", topic[0] == '/' ? topic + 1 : topic);
}

/* the reliability that a writer of the topic offers: 1, 0; -1: there is none */
static int offered(const topic_door *d, const char *name) {
  void *sample[1] = {NULL};
  dds_sample_info_t info;
  int found = -1;
  while (dds_take(d->publications, sample, &info, 1, 1) > 0) {
    const dds_builtintopic_endpoint_t *e = sample[0];
    dds_reliability_kind_t kind = DDS_RELIABILITY_BEST_EFFORT;
    if (info.valid_data && info.instance_state == DDS_IST_ALIVE &&
        strcmp(e->topic_name, name) == 0) {
      (void)dds_qget_reliability(e->qos, &kind, NULL);
      found = kind == DDS_RELIABILITY_RELIABLE;
    }
    (void)dds_return_loan(d->publications, sample, 1);
  }
  return found;
}

static dds_qos_t *new_qos(int reliable) {
  dds_qos_t *q = dds_create_qos();
  dds_qset_reliability(q, reliable ? DDS_RELIABILITY_RELIABLE : DDS_RELIABILITY_BEST_EFFORT,
                       DDS_SECS(1));
  // with keep last, messages are overwritten without a word
  dds_qset_history(q, DDS_HISTORY_KEEP_ALL, 0);
  return q;
}

static int listen_to(topic_door *d, const char *topic, int reliable, char why[TOPIC_TEXT]) {
  char name[256];
  full_name(name, topic);
  const int kind = offered(d, name);
  if (kind < 0) return 1;
  dds_qos_t *q = new_qos(reliable < 0 ? kind : reliable);
  const dds_entity_t at =
      dds_create_topic(d->participant, &sensor_msgs_msg_dds__JointState__desc, name, NULL, NULL);
  d->reader = at > 0 ? dds_create_reader(d->participant, at, q, NULL) : at;
  dds_delete_qos(q);
  if (d->reader < 0) return fail(why, topic, d->reader);
  const dds_entity_t condition = dds_create_readcondition(d->reader, DDS_ANY_STATE);
  d->waitset = dds_create_waitset(d->participant);
  const dds_return_t code = dds_waitset_attach(d->waitset, condition, 0);
  return code < 0 ? fail(why, topic, code) : 0;
}

static bool wait_for(topic_door *d, double seconds) {
  dds_attach_t which;
  return dds_waitset_wait(d->waitset, &which, 1, (dds_duration_t)(1e9 * seconds)) > 0;
}

static int take(topic_door *d, topic_state *out) {
  dds_sample_info_t info;
  if (d->loan) (void)dds_return_loan(d->reader, &d->loan, 1);
  d->loan = NULL;
  do {
    const dds_return_t n = dds_take(d->reader, &d->loan, &info, 1, 1);
    if (n <= 0) return n < 0 ? -1 : 0;
    if (!info.valid_data) (void)dds_return_loan(d->reader, &d->loan, 1), d->loan = NULL;
  } while (!d->loan);
  const state_message *m = d->loan;
  if (m->name._length > MOST_JOINTS || m->position._length > MOST_JOINTS ||
      m->velocity._length > MOST_JOINTS || m->effort._length > MOST_JOINTS)
    return -1;
  *out =
      (topic_state){.stamp_ns = m->header.stamp.sec * INT64_C(1000000000) + m->header.stamp.nanosec,
                    .source_ns = info.source_timestamp,
                    .names = (int)m->name._length,
                    .positions = (int)m->position._length,
                    .velocities = (int)m->velocity._length,
                    .efforts = (int)m->effort._length,
                    .name = (const char *const *)m->name._buffer,
                    .position = m->position._buffer,
                    .velocity = m->velocity._buffer,
                    .effort = m->effort._buffer};
  return 1;
}

static void get_status(topic_door *d, topic_status *out) {
  dds_subscription_matched_status_t matched = {0};
  dds_requested_incompatible_qos_status_t refused = {0};
  dds_sample_lost_status_t lost = {0};
  (void)dds_get_subscription_matched_status(d->reader, &matched);
  (void)dds_get_requested_incompatible_qos_status(d->reader, &refused);
  (void)dds_get_sample_lost_status(d->reader, &lost);
  *out = (topic_status){.writers = (int)matched.current_count,
                        .incompatible = refused.total_count > 0 && matched.current_count == 0,
                        .lost = lost.total_count};
  snprintf(out->text, sizeof out->text, "%s", complaint);
}

/* ---- writing ---- */

static dds_entity_t output(topic_door *d, const char *topic, const dds_topic_descriptor_t *type,
                           char why[TOPIC_TEXT]) {
  char name[256];
  full_name(name, topic);
  for (int i = 0; i < d->outputs; i++)
    if (strcmp(d->output[i].name, name) == 0) return d->output[i].writer;
  if (d->outputs == OUTPUTS) return fail(why, topic, DDS_RETCODE_OUT_OF_RESOURCES);
  dds_qos_t *q = dds_create_qos();
  dds_qset_reliability(q, DDS_RELIABILITY_RELIABLE, DDS_MSECS(10));
  dds_qset_history(q, DDS_HISTORY_KEEP_LAST, 100);
  const dds_entity_t at = dds_create_topic(d->participant, type, name, NULL, NULL);
  const dds_entity_t writer = at > 0 ? dds_create_writer(d->participant, at, q, NULL) : at;
  dds_delete_qos(q);
  if (writer < 0) return fail(why, topic, writer);
  snprintf(d->output[d->outputs].name, sizeof d->output[0].name, "%s", name);
  d->output[d->outputs++].writer = writer;
  return writer;
}

static int send_numbers(topic_door *d, const char *topic, const double *x, int count,
                        char why[TOPIC_TEXT]) {
  const dds_entity_t writer = output(d, topic, &std_msgs_msg_dds__Float64MultiArray__desc, why);
  if (writer < 0) return -1;
  numbers_message m = {0};
  m.data._buffer = (double *)(uintptr_t)x;
  m.data._length = m.data._maximum = (uint32_t)count;
  const dds_return_t code = dds_write(writer, &m);
  return code < 0 ? fail(why, topic, code) : 0;
}

static int send_text(topic_door *d, const char *topic, int level, const char *name,
                     const char *text, char why[TOPIC_TEXT]) {
  const dds_entity_t writer =
      output(d, topic, &diagnostic_msgs_msg_dds__DiagnosticArray__desc, why);
  if (writer < 0) return -1;
  const dds_time_t now = dds_time();
  diagnostic_msgs_msg_dds__DiagnosticStatus_ status = {.level = (uint8_t)level,
                                                       .name = (char *)(uintptr_t)name,
                                                       .message = (char *)(uintptr_t)text,
                                                       .hardware_id = (char *)(uintptr_t) ""};
  text_message m = {.header.stamp = {(int32_t)(now / 1000000000), (uint32_t)(now % 1000000000)},
                    .header.frame_id = (char *)(uintptr_t) ""};
  m.status._buffer = &status;
  m.status._length = m.status._maximum = 1;
  const dds_return_t code = dds_write(writer, &m);
  return code < 0 ? fail(why, topic, code) : 0;
}

/* a borrowed list of numbers */
#define PUT_NUMBERS(list, from, count)                    \
  do {                                                    \
    (list)._buffer = (double *)(uintptr_t)(from);         \
    (list)._length = (list)._maximum = (uint32_t)(count); \
  } while (0)

static int send_motion(topic_door *d, const char *topic, const topic_motion *motion,
                       char why[TOPIC_TEXT]) {
  motion_point point[TOPIC_POINTS];
  const dds_entity_t writer =
      output(d, topic, &trajectory_msgs_msg_dds__JointTrajectory__desc, why);
  if (writer < 0) return -1;
  if (motion->points > TOPIC_POINTS) return fail(why, topic, DDS_RETCODE_OUT_OF_RESOURCES);
  motion_message m = {.header.stamp = {(int32_t)(motion->stamp_ns / 1000000000),
                                       (uint32_t)(motion->stamp_ns % 1000000000)},
                      .header.frame_id = (char *)(uintptr_t) ""};
  memset(point, 0, sizeof point);
  for (int i = 0; i < motion->points; i++) {
    const double whole = (double)(int64_t)motion->t[i];
    PUT_NUMBERS(point[i].positions, motion->position + i * motion->joints, motion->joints);
    PUT_NUMBERS(point[i].velocities, motion->velocity + i * motion->joints, motion->joints);
    point[i].time_from_start.sec = (int32_t)whole;
    point[i].time_from_start.nanosec = (uint32_t)(1e9 * (motion->t[i] - whole));
  }
  m.joint_names._buffer = (char **)(uintptr_t)motion->joint;
  m.joint_names._length = m.joint_names._maximum = (uint32_t)motion->joints;
  m.points._buffer = point;
  m.points._length = m.points._maximum = (uint32_t)motion->points;
  const dds_return_t code = dds_write(writer, &m);
  return code < 0 ? fail(why, topic, code) : 0;
}

static int motion_readers(topic_door *d, const char *topic, char why[TOPIC_TEXT]) {
  const dds_entity_t writer =
      output(d, topic, &trajectory_msgs_msg_dds__JointTrajectory__desc, why);
  dds_publication_matched_status_t matched = {0};
  if (writer < 0) return -1;
  const dds_return_t code = dds_get_publication_matched_status(writer, &matched);
  return code < 0 ? fail(why, topic, code) : (int)matched.current_count;
}

extern const topic_table roberval_topic_table;

const topic_table roberval_topic_table = {.version = TOPIC_VERSION,
                                          .open = open_door,
                                          .close = close_door,
                                          .listen = listen_to,
                                          .wait = wait_for,
                                          .take = take,
                                          .status = get_status,
                                          .send_numbers = send_numbers,
                                          .send_text = send_text,
                                          .send_motion = send_motion,
                                          .motion_readers = motion_readers};
