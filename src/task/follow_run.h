/* One run of the task follow, shared by its files. */
#ifndef TASK_FOLLOW_RUN_H
#define TASK_FOLLOW_RUN_H

#include "task/follow_history.h"
#include "task/follower.h"
#include "task/live.h"

#define EVENTS_KEPT 1000  // in JSON

/* an event that is kept */
typedef struct {
  rbv_event_kind kind;
  double t;
  char *text;
} kept_event;

/* the first rows of a stream that goes on from a state, until they say where it begins */
typedef struct {
  int count;
  early_row row[FIRST_ROWS];
  double *values;   // FIRST_ROWS x (joints + torques); NULL: it does not go on
  bool decided;     // rows are used, or
  bool repeated;    // skipped up to the time of the state
  long long known;  // rows that were skipped
} stream_head;

struct rbv_following {
  rbv_follow_task *task;
  rbv_follower *f;
  char key[65];
  rbv_follow_place place;  // now
  bool live;               // standard input or a topic
  rbv_follow_place from;   // where a state was saved
  follow_history history;
  double next_save;
  double elapsed_s;    // stamps, without the steps of a clock that was set back
  long long judged;    // rows with a residual
  double next_beat;    // of the heartbeat, on the clock of the computer
  long long beat_row;  // samples at the last one
  double last_row;     // when it came
  int digested;        // rows in place.first
  stream_head head;
  int lock;  // descriptor, -1: none
  rbv_topic *topic;
  double next_sent;  // stamp of the next residual that is published
  int nevent;
  kept_event event[EVENTS_KEPT];
};

typedef struct rbv_following following;

/* A row of the input; for a stream that goes on, from the place where it does. */
rbv_status follow_take_row(void *self, long long line, const char *wrong, double t, const double *q,
                           const double *torque);

/* Rows of a stream that ends before it is known where it begins. */
rbv_status follow_end_head(following *j);

/* Ends the stream if that was asked for, and tells that the run is alive; call it while waiting. */
void follow_beat(following *j);

/* CSV text from standard input ("-") or a file that may grow. map: NULL: the columns are
 * recognised. */
rbv_status follow_read_text(following *j, const char *path, const rbv_log_map *map);

/* Joint states of a topic, as the same CSV text. */
rbv_status follow_read_topic(following *j);

/* Send what happened, and the residual, to topics; nothing if that was not asked for. */
rbv_status follow_publish_row(following *j);
void follow_publish_event(following *j, const rbv_follow_event *e);

/* One run per state: the lock is a file beside it. */
rbv_status follow_lock(int *lock, const char *state);
void follow_unlock(int lock, const char *state);

#endif
