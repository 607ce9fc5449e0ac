/* A follower opened up, for the task follow; not installed. */
#ifndef TASK_FOLLOWER_H
#define TASK_FOLLOWER_H

#include <roberval/follow.h>
#include "job/job.h"

#include "task/task_internal.h"

#define FIRST_ROWS 50  // rows from which the rate of a stream is found

/* a row that came before the rate was known */
typedef struct {
  long long line;
  double t;
} early_row;

struct rbv_follower {
  rbv_follower_options options;
  rbv_option_group groups[3];
  text_pool texts;
  rbv_notes notes;
  rbv_result_model fitted;
  int n, nrow;  // joints and torque rows
  rbv_follow *follow;
  rbv_limits_source source;
  const rbv_follow_report *r;
  // rows before the rate is known
  early_row early[FIRST_ROWS];
  double *early_values;  // FIRST_ROWS x (n + nrow)
  int nearly;
  // what happened
  long long line;                                // of the last row
  long long samples, bad[RBV_STREAM_KINDS + 1];  // the last: lines that cannot be read
  int count[RBV_EVENTS];
  double rate_hz, t;
  bool drifted;  // a drift is beyond three sigma
  int was_contact;
  rbv_load was_load;
  rbv_follow_listener *listener;
  void *self;
  // the task: called when the stream starts, and after each row that was used
  bool stop, resumed;
  rbv_status (*started)(void *owner);
  rbv_status (*used)(void *owner);
  void *owner;
};

rbv_status rbv_follower_load(rbv_follower **out, const char *robot, const char *result,
                             const rbv_follower_options *options, const rbv_notes *notes);

/* A row with its line, or a line that cannot be read; a sink of rbv_row_text. */
rbv_status rbv_follower_take(void *follower, long long line, const char *wrong, double t,
                             const double *q, const double *torque);

/* clean, map and log-rate, over rbv_follower_options. */
const rbv_option *rbv_follower_rows(void);

#endif
