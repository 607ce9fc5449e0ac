/* Live topics: joint states by the plug-in for DDS, in the order of the joints of a robot. */
#ifndef TOPIC_TOPIC_H
#define TOPIC_TOPIC_H

#include <roberval/sys/topic.h>

#include "base/support.h"
#include "topic/topic_table.h"

typedef struct rbv_topic rbv_topic;

/* What became of a message. */
typedef enum {
  RBV_TOPIC_NONE,  // there is none now
  RBV_TOPIC_ROW,
  RBV_TOPIC_BAD  // it cannot be used: wrong says why
} rbv_topic_kind;

typedef struct {
  rbv_topic_kind kind;
  int64_t ns;        // since the first message
  int64_t stamp_ns;  // of the header; 0: it has none
  const char *wrong;
  const double *position, *effort;  // joints; NaN where a value is missing
  const double *velocity;           // NULL: the message has none
} rbv_topic_row;

/*
 * Enter the domain. Joints are found by their names in each message, which may have others.
 *
 *   joint  in  names, which must stay
 */
RBV_MUST_CHECK rbv_status rbv_topic_open(rbv_topic **out, const rbv_topic_options *options,
                                         const char *const *joint, int count);
void rbv_topic_close(rbv_topic *topic);

/* RBV_EOPTION with the name of the option for a text that is no name of a topic. */
RBV_MUST_CHECK rbv_status rbv_topic_check_name(const char *option, const char *topic);

/* The next message; waits at most so many seconds for it, or for a publisher. */
RBV_MUST_CHECK rbv_status rbv_topic_next(rbv_topic_row *row, rbv_topic *topic, double seconds);

/* What the last call has noticed: no publisher, messages without stamps, a complaint of DDS; NULL:
 * nothing. */
const char *rbv_topic_note(const rbv_topic *topic);

/* CSV text of rows, as the commands write and read it; stamps to a nanosecond. */
void rbv_topic_print_head(rbv_text *out, int count);
void rbv_topic_print_row(rbv_text *out, const rbv_topic_row *row, int count);

/* Messages that are missing: by the middleware's count, and by gaps of the stamps. */
long long rbv_topic_lost(const rbv_topic *topic);

/* Send to a topic; see topic_table.h. */
RBV_MUST_CHECK rbv_status rbv_topic_send_numbers(rbv_topic *topic, const char *name,
                                                 const double *x, int count);
RBV_MUST_CHECK rbv_status rbv_topic_send_text(rbv_topic *topic, const char *name, int level,
                                              const char *sender, const char *text);
RBV_MUST_CHECK rbv_status rbv_topic_send_motion(rbv_topic *topic, const char *name,
                                                const topic_motion *motion);

/* Readers of a topic for motions, now. */
RBV_MUST_CHECK rbv_status rbv_topic_motion_readers(int *out, rbv_topic *topic, const char *name);

#endif
