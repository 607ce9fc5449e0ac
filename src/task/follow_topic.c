/* Follow a running robot: joint states from a topic, residuals and events to topics. */
#include <math.h>
#include <string.h>

#include "task/follow_run.h"

#define PAUSE_S 0.2  // without messages, until a stop or a heartbeat is looked for

/* messages pass the reader of CSV text, as their recording does */
static rbv_status use_message(following *j, rbv_row_text *text, rbv_text *line,
                              const rbv_topic_row *row, long long number) {
  if (row->kind == RBV_TOPIC_BAD) return follow_take_row(j, number, row->wrong, NAN, NULL, NULL);
  line->size = 0;
  rbv_topic_print_row(line, row, j->f->n);
  if (line->failed) return RBV_EMEM;
  return rbv_row_text_add(text, line->data, line->size, follow_take_row, j);
}

static rbv_status listen_on(following *j, rbv_row_text *text, rbv_text *line) {
  rbv_topic_print_head(line, j->f->n);
  if (line->failed) return RBV_EMEM;
  RBV_TRY(rbv_row_text_add(text, line->data, line->size, follow_take_row, j));
  for (long long number = 2; !j->f->stop; number++) {
    rbv_topic_row row;
    follow_beat(j);
    if (j->f->stop) break;
    RBV_TRY(rbv_topic_next(&row, j->topic, PAUSE_S));
    const char *note = rbv_topic_note(j->topic);
    if (note) rbv_tell(&j->task->common.notes, NULL, "%s", note);
    const double wait = j->task->wait;
    if (row.kind == RBV_TOPIC_NONE && wait > 0 && number > 2 && live_now_s() - j->last_row > wait)
      break;
    if (row.kind == RBV_TOPIC_NONE) number--;
    if (row.kind != RBV_TOPIC_NONE) RBV_TRY(use_message(j, text, line, &row, number));
  }
  return RBV_OK;
}

rbv_status follow_read_topic(following *j) {
  const rbv_model *m = j->f->fitted.model;
  const rbv_topic_options *o = &j->task->topic;
  if (j->f->nrow != j->f->n)
    return rbv_fail(RBV_EUNSUPPORTED, "joint states have one torque per joint, this robot has %d",
                    j->f->nrow / j->f->n);
  const char **name = live_joint_names(m);
  if (!name) return RBV_EMEM;
  rbv_row_text *text = NULL;
  rbv_text line = {0};
  rbv_status status = rbv_topic_open(&j->topic, o, name, j->f->n);
  if (status == RBV_OK) status = rbv_row_text_new(&text, o->topic, m, NULL, -1, j->f->fitted.gain);
  if (status == RBV_OK) status = listen_on(j, text, &line);
  if (status == RBV_OK && rbv_topic_lost(j->topic) > 0)
    rbv_tell(&j->task->common.notes, NULL, "%lld messages were lost", rbv_topic_lost(j->topic));
  rbv_topic_close(j->topic);
  j->topic = NULL;
  rbv_row_text_free(text);
  rbv_text_free(&line);
  rbv_free(name);
  return status;
}

/* ---- live output ---- */

static const char *sub_topic(char out[300], const following *j, const char *what) {
  snprintf(out, 300, "%.240s/%s", j->task->publish, what);
  return out;
}

/* t, residuals, limits, joint of a contact (0: none), load (0 none, 1 unknown, 2 known), mass */
rbv_status follow_publish_row(following *j) {
  const rbv_follow_report *r = j->f->r;
  const int n = j->f->n, count = 2 * n + 4;
  char name[300];
  double x[2 * 100 + 4];
  if (!j->topic || !j->task->publish || !r->updated || r->t < j->next_sent || count > RBV_COUNT(x))
    return RBV_OK;
  j->next_sent = r->t + j->task->every - 1e-9;
  x[0] = r->t;
  memcpy(x + 1, r->residual, (size_t)n * sizeof *x);
  memcpy(x + 1 + n, r->limit, (size_t)n * sizeof *x);
  x[1 + 2 * n] = r->contact + 1;
  x[2 + 2 * n] = (double)r->load;
  x[3 + 2 * n] = r->load == RBV_LOAD_KNOWN ? r->payload.mass : (double)NAN;
  return rbv_topic_send_numbers(j->topic, sub_topic(name, j, "residual"), x, count);
}

void follow_publish_event(following *j, const rbv_follow_event *e) {
  char name[300];
  const int level = e->kind == RBV_EVENT_CONTACT ? 2 : e->kind == RBV_EVENT_ALIVE ? 0 : 1;
  // an event that cannot be sent is still printed and kept
  if (j->topic && j->task->publish && e->kind != RBV_EVENT_BAD_ROW)
    (void)!rbv_topic_send_text(j->topic, sub_topic(name, j, "events"), level,
                               rbv_event_name(e->kind), e->text);
}
