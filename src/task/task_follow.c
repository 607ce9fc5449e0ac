/* The task follow: contact, payload and drift of a robot along a file or a stream. */
#include <math.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include "prepare/prepare.h"
#include "task/follow_run.h"

#define SHOWN_BAD 20  // bad rows that are told one by one

#undef TASK
#define TASK rbv_follow_task

static const char *alarm_at(int i) {
  if (i >= 0 && i <= RBV_EVENT_BAD_ROW) return rbv_event_name((rbv_event_kind)i);
  return i == RBV_EVENT_BAD_ROW + 1 ? "any" : NULL;
}

static const rbv_option rows[] = {
    TASK_ROW("output", OUTPUT, output, "FILE.csv", "write the history here ('-': stdout)",
             .letter = 'o'),
    TASK_ROW("report", OUTPUT, report, "FILE.html", "write a page with the history here",
             .basic = true),
    TASK_ROW("every", REAL, every, "SECONDS", "between rows of the history (default 0.1)",
             RBV_FROM(0, 1e9)),
    TASK_ROW("alarm", TEXT, alarm, "EVENT",
             "stop with exit code 1 at the first contact, payload, drift, bad-stream, or any of "
             "them",
             .choice = alarm_at, .basic = true),
    TASK_ROW("until", REAL, until, "SECONDS", "stop after this time of the stream",
             RBV_ABOVE(0, 1e12), .basic = true),
    TASK_ROW(
        "wait", REAL, wait, "SECONDS",
        "wait so long for more rows at the end of a growing file (default 0), or of a topic that "
        "has fallen silent (default: without end)",
        RBV_FROM(0, 1e9), .basic = true),
    TASK_ROW("state", OUTPUT, state, "FILE",
             "save the state here; go on from it if the file exists"),
    TASK_ROW("save-every", REAL, save_every, "SECONDS",
             "between two saves of the state (default 10)", RBV_ABOVE(0, 1e9)),
    TASK_ROW("heartbeat", REAL, heartbeat, "SECONDS",
             "tell so often that the run is alive, and what it sees", RBV_ABOVE(0, 1e9)),
    TASK_ROW("publish", TEXT, publish, "NAME",
             "send residuals and events to the topics NAME/residual and NAME/events",
             .topic = "topics"),
    {0}};

static void defaults(void *data) {
  rbv_follow_task *t = data;
  t->options.follow = rbv_follow_defaults();
  t->every = 0.1;
  t->save_every = 10;
  t->until = INFINITY;
}

static void groups(rbv_option_group *out, void *data) {
  rbv_follow_task *t = data;
  out[0] = (rbv_option_group){rows, t};
  out[1] = (rbv_option_group){rbv_follower_rows(), &t->options};
  out[2] = (rbv_option_group){rbv_follow_rows(), &t->options.follow};
  out[3] = (rbv_option_group){rbv_topic_rows(), &t->topic};
}

void rbv_follow_task_listen(rbv_task *task, FILE *history, rbv_follow_listener *listener,
                            void *self, const int *stop) {
  rbv_follow_task *t = (rbv_follow_task *)(uintptr_t)rbv_task_data(task);
  t->stream = history;
  t->listener = listener;
  t->self = self;
  t->stop = stop;
}

static void forget(void *data) {
  rbv_follow_task *t = data;
  following *j = t->run;
  if (!j) return;
  for (int i = 0; i < j->nevent; i++) rbv_free(j->event[i].text);
  follow_history_free(&j->history);
  follow_unlock(j->lock, t->state);
  rbv_follower_free(j->f);
  rbv_free(j->head.values);
  rbv_topic_close(j->topic);
  rbv_free(j);
}

/* ---- events and rows ---- */

static void hear(void *self, const rbv_follow_event *e) {
  following *j = self;
  rbv_follow_task *t = j->task;
  const bool bad = e->kind == RBV_EVENT_BAD_ROW;
  long long all = -1;
  for (int i = 1; i <= RBV_STREAM_KINDS && bad; i++) all += j->f->bad[i];
  if (bad && all < SHOWN_BAD) rbv_tell(&t->common.notes, NULL, "line %lld: %s", e->row, e->text);
  if (bad && all == SHOWN_BAD)
    rbv_tell(&t->common.notes, NULL, "more bad rows are counted, not listed");
  if (!bad && j->nevent < EVENTS_KEPT) {
    char *text = rbv_strdup(e->text);
    if (text) j->event[j->nevent++] = (kept_event){e->kind, e->t, text};
  }
  if (t->listener) t->listener(t->self, e);
  follow_publish_event(j, e);
  if (!t->alarm || e->kind > RBV_EVENT_BAD_ROW) return;
  if (strcmp(t->alarm, rbv_event_name(e->kind)) == 0 || strcmp(t->alarm, "any") == 0)
    t->alarmed = j->f->stop = true;
}

static rbv_status save(following *j) {
  if (!j->task->state || !j->f->follow) return RBV_OK;
  j->place.line = j->f->line;
  j->place.output = follow_history_size(&j->history, j->place.output);
  return rbv_following_save(j->task->state, j->f->follow, &j->place, j->key);
}

/* an event that is no row's: to the listener, and kept unless it is a heartbeat */
static void say(following *j, rbv_event_kind kind, double t, const char *format, ...)
    RBV_PRINTF(4, 5);

static void say(following *j, rbv_event_kind kind, double t, const char *format, ...) {
  char text[512];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  const rbv_follow_event e = {
      .kind = kind, .t = t, .row = j->f->line, .joint = -1, NAN, NAN, NAN, text};
  if (kind != RBV_EVENT_ALIVE) {
    hear(j, &e);
    return;
  }
  if (j->task->listener) j->task->listener(j->task->self, &e);
  follow_publish_event(j, &e);
}

/* the residual that is closest to its limit: its joint, and its share of the limit */
static int worst_joint(double *share, const following *j) {
  int worst = -1;
  *share = 0;
  for (int i = 0; i < j->f->n && j->judged > 0; i++) {
    const double here = fabs(j->f->r->residual[i]) / j->f->r->limit[i];
    if (here > *share || worst < 0) {
      *share = here;
      worst = i;
    }
  }
  return worst;
}

void follow_beat(following *j) {
  const rbv_follow_task *t = j->task;
  if (t->stop && rbv_cancelled(t->stop)) j->f->stop = true;
  const double now = live_now_s();
  if (!(t->heartbeat > 0) || now < j->next_beat) return;
  const double span = now - j->next_beat + t->heartbeat;
  j->next_beat = now + t->heartbeat;
  long long bad = 0;
  for (int i = 1; i <= RBV_STREAM_KINDS; i++) bad += j->f->bad[i];
  double share;
  const int worst = worst_joint(&share, j);
  char residual[128] = "nothing judged yet";
  if (worst >= 0)
    snprintf(residual, sizeof residual, "largest residual %.0f %% of its limit (%s)", 100 * share,
             rbv_model_joint(j->f->fitted.model, worst)->name);
  say(j, RBV_EVENT_ALIVE, j->f->t,
      "alive: %lld rows, %.1f per second, the last one %.2f s ago; %s; %d contacts, payload %s, "
      "%lld bad rows",
      j->f->samples, (double)(j->f->samples - j->beat_row) / span, now - j->last_row, residual,
      j->f->count[RBV_EVENT_CONTACT], j->f->r ? rbv_load_name(j->f->r->load) : "none", bad);
  j->beat_row = j->f->samples;
}

static rbv_status use_row(void *self) {
  following *j = self;
  const rbv_follow_task *t = j->task;
  const double now = j->f->t;
  const bool first = j->f->samples == 1 && !j->f->resumed;
  if (first || now < j->place.t) j->place.next = j->next_save = now;
  if (!first && now < j->place.t)
    say(j, RBV_EVENT_CLOCK, now, "the clock was set back from %.3f s", j->place.t);
  else if (!first)
    j->elapsed_s += now - j->place.t;
  j->place.t = now;
  j->judged += j->f->r->updated;
  if (follow_history_wanted(&j->history) && j->f->r->updated && now >= j->place.next - 1e-9) {
    RBV_TRY(follow_history_add(&j->history, j->f->r));
    j->place.next = now + t->every;
  }
  RBV_TRY(follow_publish_row(j));
  if (j->elapsed_s >= t->until) j->f->stop = true;
  if (j->f->samples % 256 == 0) follow_beat(j);
  if (now < j->next_save + t->save_every) return RBV_OK;
  j->next_save = now;
  return save(j);
}

static rbv_status begin(void *self) {
  following *j = self;
  const rbv_follow_task *t = j->task;
  const bool resumed = j->f->resumed;
  if (resumed) RBV_TRY(rbv_following_load(j->f->follow, t->state, j->key));
  if (resumed) {
    const uint64_t first = j->place.first;
    j->place = j->from;
    if (j->live) j->place.first = first;
    j->next_save = j->from.t;
  }
  j->place.rate_hz = j->f->rate_hz;
  const bool given = t->output && strcmp(t->output, "-") == 0;
  return follow_history_open(&j->history, t->output, given ? t->stream : NULL, t->report != NULL,
                             j->f->fitted.model, j->f->r, resumed ? j->from.output : -1);
}

/* ---- input ---- */

/* any other recording, as a whole */
static rbv_status read_log(following *j, const char *path, const rbv_log_map *map) {
  rbv_recording_options how = j->f->fitted.options.recording;
  how.from = how.to = NULL;
  rbv_differentiate_options as = rbv_differentiate_defaults();
  as.gains = j->f->fitted.gain;
  rbv_log *log;
  rbv_signals s = {0};
  rbv_status status = rbv_recordings_read(&log, j->f->fitted.model, &how, map, true,
                                          &(rbv_log_input){.path = path}, &j->task->common.notes);
  if (status != RBV_OK) return status;
  status = rbv_signals_from_log(&s, j->f->fitted.model, log, &as);
  rbv_log_free(log);
  double *row = rbv_alloc((size_t)(j->f->n + j->f->nrow) * sizeof *row);
  if (!row) status = RBV_EMEM;
  for (ptrdiff_t k = 0; k < s.count && status == RBV_OK && !j->f->stop; k++) {
    for (int i = 0; i < j->f->n; i++) row[i] = s.q[k + i * s.count];
    for (int i = 0; i < j->f->nrow; i++) row[j->f->n + i] = s.torque[k + i * s.count];
    status = follow_take_row(j, k + 1, NULL, s.t[k], row, row + j->f->n);
  }
  rbv_free(row);
  rbv_signals_free(&s);
  return status;
}

static bool is_text(const char *path) {
  const char *dot = strrchr(path, '.');
  return strcmp(path, "-") == 0 || (dot && (strcmp(dot, ".csv") == 0 || strcmp(dot, ".txt") == 0));
}

/* the map that is given; NULL: the columns are recognised as those of any recording */
static rbv_status find_map(rbv_log_map **out, const following *j) {
  *out = NULL;
  const char *map =
      j->task->options.map ? j->task->options.map : j->f->fitted.options.recording.map;
  return map ? rbv_log_map_load(out, map) : RBV_OK;
}

/* ---- running ---- */

static rbv_status resume(following *j) {
  const rbv_follow_task *t = j->task;
  RBV_TRY(rbv_following_key(j->key, &j->f->fitted, &t->options.follow));
  if (t->state) RBV_TRY(follow_lock(&j->lock, t->state));
  if (!t->state || access(t->state, F_OK) != 0) return RBV_OK;
  const size_t room = (size_t)FIRST_ROWS * (size_t)(j->f->n + j->f->nrow);
  if (!(j->head.values = rbv_alloc(room * sizeof *j->head.values))) return RBV_EMEM;
  RBV_TRY(rbv_following_place(&j->from, t->state, j->key));
  j->f->resumed = true;
  j->f->options.rate_hz = j->from.rate_hz;
  return RBV_OK;
}

static rbv_status write_page(const rbv_follow_task *t, const following *j) {
  if (!t->report) return RBV_OK;
  rbv_follow_page page = {.model = j->f->fitted.model,
                          .source = t->topic.topic ? t->topic.topic : t->common.input[2],
                          .limits = rbv_limits_text(j->f->source),
                          .contacts = t->contacts,
                          .changes = t->changes,
                          .bad_rows = t->bad_rows};
  rbv_report *report;
  RBV_TRY(follow_history_page(&report, &j->history, &page, j->f->r, t->report));
  return rbv_task_write_page(report, t->report, NULL, &t->common);
}

/* A monitor that saw nothing must not answer as if all were well. */
static rbv_status check_seen(const following *j) {
  const rbv_follower *f = j->f;
  if (!f->follow) return rbv_fail(RBV_EINPUT, "the stream was ended before it could begin");
  const bool complete = f->resumed && !j->live;  // the state knows the whole file
  if (j->judged > 0 || f->stop || (complete && f->samples == 0)) return RBV_OK;
  long long bad = 0;
  for (int i = 1; i <= RBV_STREAM_KINDS; i++) bad += f->bad[i];
  return rbv_fail(
      RBV_EINPUT,
      "nothing was judged: %lld rows were used (the filters need %.2g s without a gap), "
      "%lld were bad (%lld not finite, %lld unreadable)",
      f->samples, f->follow ? rbv_follow_start_time(f->follow) : 0, bad,
      f->bad[RBV_STREAM_NOT_FINITE], f->bad[RBV_STREAM_KINDS]);
}

static rbv_status read_rows(following *j) {
  const char *path = j->task->topic.topic ? NULL : j->task->common.input[2];
  rbv_log_map *map;
  rbv_status status = find_map(&map, j);
  if (status == RBV_OK)
    status = !path           ? follow_read_topic(j)
             : is_text(path) ? follow_read_text(j, path, map)
                             : read_log(j, path, map);
  if (status == RBV_OK && !j->f->stop) status = follow_end_head(j);
  if (status == RBV_OK && (!j->f->stop || j->f->nearly > 0)) status = rbv_follower_end(j->f);
  if (status == RBV_OK) status = save(j);
  if (status == RBV_OK) status = check_seen(j);
  rbv_log_map_free(map);
  const rbv_status closed = follow_history_close(&j->history);
  return status == RBV_OK ? closed : status;
}

static rbv_status run(void *data) {
  rbv_follow_task *t = data;
  const rbv_task_common *c = &t->common;
  if (t->output && strcmp(t->output, "-") == 0 && !t->stream)
    return rbv_fail_option(RBV_EOPTION, "output", "the history needs a file");
  if (!t->topic.topic == (c->ninput < 3))
    return rbv_fail_option(RBV_EOPTION, "topic",
                           c->ninput < 3 ? "a log is missing, or a topic in its place"
                                         : "rows come from the log or from a topic, not from both");
  if (t->publish && !t->topic.topic)
    return rbv_fail_option(RBV_EOPTION, "publish", "residuals are published where a topic is read");
  following *j = t->run = rbv_alloc(sizeof *j);
  if (!j) return RBV_EMEM;
  j->task = t;
  j->lock = -1;
  j->live = t->topic.topic || strcmp(c->input[2], "-") == 0;
  j->last_row = live_now_s();
  j->next_beat = j->last_row + t->heartbeat;
  RBV_TRY(rbv_follower_load(&j->f, c->input[0], c->input[1], &t->options, &c->notes));
  j->f->fitted.filter.threads = c->threads;
  j->f->owner = j;
  j->f->started = begin;
  j->f->used = use_row;
  rbv_follower_on_event(j->f, hear, j);
  RBV_TRY(resume(j));
  RBV_TRY(read_rows(j));
  t->samples = j->f->samples;
  t->duration_s = j->elapsed_s;
  t->contacts = j->f->count[RBV_EVENT_CONTACT];
  t->changes = j->f->count[RBV_EVENT_PAYLOAD];
  for (int i = 1; i <= RBV_STREAM_KINDS; i++) t->bad_rows += j->f->bad[i];
  t->last = j->f->r;
  t->common.answer = !t->alarmed;
  return write_page(t, j);
}

/* ---- JSON ---- */

static void put_payload(rbv_json *json, const rbv_follow_report *r) {
  const rbv_payload *p = &r->payload;
  rbv_json_put_map(json, "payload");
  rbv_json_put_string(json, "state", rbv_load_name(r->load));
  rbv_json_put_real(json, "mass_kg", p->mass);
  rbv_json_put_real(json, "mass_sigma_kg", p->mass_sigma);
  rbv_json_put_reals(json, "centre_m", p->centre, 3);
  rbv_json_put_reals(json, "centre_sigma_m", p->centre_sigma, 3);
  rbv_json_end(json);
}

static void put_events(rbv_json *json, const following *j) {
  rbv_json_put_list(json, "events");
  for (int i = 0; i < j->nevent; i++) {
    rbv_json_map(json);
    rbv_json_put_real(json, "t", j->event[i].t);
    rbv_json_put_string(json, "event", rbv_event_name(j->event[i].kind));
    rbv_json_put_string(json, "text", j->event[i].text);
    rbv_json_end(json);
  }
  rbv_json_end(json);
}

static rbv_status put(rbv_json *json, const void *data) {
  const rbv_follow_task *t = data;
  const following *j = t->run;
  const rbv_follower *f = j->f;
  rbv_json_put_schema(json, "roberval.follow/1");
  rbv_json_put_string(json, "robot", t->common.input[0]);
  rbv_json_put_string(json, "result", t->common.input[1]);
  rbv_json_put_string(json, "input", t->topic.topic ? t->topic.topic : t->common.input[2]);
  rbv_json_put_real(json, "rate_hz", j->place.rate_hz);
  rbv_json_put_int(json, "samples", t->samples);
  rbv_json_put_real(json, "duration_s", t->duration_s);
  rbv_json_put_map(json, "bad_rows");
  for (int i = 1; i < RBV_STREAM_KINDS; i++)
    rbv_json_put_int(json, rbv_stream_name((rbv_stream_kind)i), f->bad[i]);
  rbv_json_put_int(json, "unreadable", f->bad[RBV_STREAM_KINDS]);
  rbv_json_end(json);
  rbv_json_put_int(json, "contacts", t->contacts);
  rbv_json_put_int(json, "payload_changes", t->changes);
  rbv_json_put_real(json, "alarms_per_hour", t->options.follow.alarms_per_hour);
  rbv_json_put_string(json, "limits_from", rbv_limits_name(f->source));
  put_payload(json, f->r);
  rbv_json_put_list(json, "joints");
  for (int i = 0; i < f->n; i++) {
    rbv_json_map(json);
    rbv_json_put_string(json, "joint", rbv_model_joint(f->fitted.model, i)->name);
    rbv_json_put_real(json, "residual_Nm", f->r->residual[i]);
    rbv_json_put_real(json, "limit_Nm", f->r->limit[i]);
    rbv_json_end(json);
  }
  rbv_json_end(json);
  rbv_json_put_list(json, "drift");
  for (int i = 0; i < f->r->ndrift; i++) {
    const rbv_column *c = rbv_model_column(f->fitted.model, f->r->drift_column[i]);
    rbv_json_map(json);
    rbv_json_put_string(json, "name", c->name);
    rbv_json_put_real(json, "change", f->r->drift[i]);
    rbv_json_put_real(json, "sigma", f->r->drift_sigma[i]);
    rbv_json_put_string(json, "unit", c->unit);
    rbv_json_end(json);
  }
  rbv_json_end(json);
  rbv_json_put_bool(json, "alarm", t->alarmed);
  put_events(json, j);
  return RBV_OK;
}

const task_kind rbv_follow_kind = TASK_KIND("follow", "ROBOT RESULT [LOG]", 2, 3, run, .run = run);
