/*
 * A bag is a file, or a folder of files, with messages of several topics. A cursor reads the
 * messages in the order of the file. Every message has a place, a number that increases, so that
 * reading can go on at any message.
 *
 * A bag does not change once it is open; cursors of several threads may share it.
 */
#ifndef LOG_BAG_H
#define LOG_BAG_H

#include <stdbool.h>
#include <stdint.h>

#include <roberval/sys/base.h>

#define BAG_MOST_TOPICS 10000

typedef struct {
  char *name;        // "/joint_states"
  char *type;        // "sensor_msgs/msg/JointState"
  char *encoding;    // of the messages: "cdr"
  char *definition;  // of the type; NULL: the bag has none
  ptrdiff_t count;   // messages; -1: not known
} bag_topic;

typedef struct {
  int topic;
  int64_t time;  // when it was received [ns]
  const uint8_t *data;
  size_t size;
  size_t place;
} bag_message;

typedef struct bag bag;
typedef struct bag_cursor bag_cursor;

/* The functions of one kind of bag. */
typedef struct {
  void (*close)(bag *b);

  /* A cursor at the first message, which gives messages of these topics (ntopic) only. */
  rbv_status (*cursor)(bag_cursor **out, const bag *b, const bool *wanted);
  void (*cursor_free)(bag_cursor *c);

  /* Go to the first message at or after a place. */
  rbv_status (*seek)(bag_cursor *c, size_t place);

  /* The next message; its data are valid until the next call. *found is false at the end. */
  rbv_status (*next)(bool *found, bag_message *m, bag_cursor *c);
} bag_kind;

struct bag {
  const bag_kind *kind;
  char *path;
  bag_topic *topics;
  int ntopic;
  size_t size;  // places are below it
};

struct bag_cursor {
  const bag *bag;
};

/* Open a bag: a file of either kind, or a folder of such files. */
rbv_status bag_open(bag **out, const char *path);
rbv_status bag_open_sqlite(bag **out, const char *path);
rbv_status bag_open_mcap(bag **out, const char *path);

static inline void bag_close(bag *b) {
  if (b) b->kind->close(b);
}
static inline rbv_status bag_cursor_new(bag_cursor **out, const bag *b, const bool *wanted) {
  return b->kind->cursor(out, b, wanted);
}
static inline void bag_cursor_free(bag_cursor *c) {
  if (c) c->bag->kind->cursor_free(c);
}
static inline rbv_status bag_seek(bag_cursor *c, size_t place) {
  return c->bag->kind->seek(c, place);
}
static inline rbv_status bag_next(bool *found, bag_message *m, bag_cursor *c) {
  return c->bag->kind->next(found, m, c);
}

/* For the kinds: the number of the topic with this name, added if it is new. Takes no ownership. */
rbv_status bag_add_topic(int *out, bag *b, const char *name, const char *type, const char *encoding,
                         const char *definition, size_t definition_size);
void bag_free_topics(bag *b);

/* True if a file begins like a bag of this kind. */
bool sqlite_starts(const char *head, size_t size);
bool mcap_starts(const char *head, size_t size);

const char *sqlite_library(char version[64]);

#endif
