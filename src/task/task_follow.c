/* The task follow: contact, payload and drift of a robot along a file or a stream. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "prepare/prepare.h"
#include "storage/storage.h"
#include "task/follow_history.h"
#include "task/follower.h"

#define READ_SIZE 65536       // bytes
#define PAUSE_NS 5000000      // before a live stream is read again
#define SHOWN_BAD 20          // bad rows that are told one by one
#define EVENTS_KEPT 1000      // in JSON
#define EARLY_SIZE (1 << 24)  // bytes of a stream that are kept until its columns are known

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
    TASK_ROW("wait", REAL, wait, "SECONDS",
             "wait so long for more rows at the end of a growing file (default 0)",
             RBV_FROM(0, 1e9), .basic = true),
    TASK_ROW("state", OUTPUT, state, "FILE",
             "save the state here; go on from it if the file exists"),
    TASK_ROW("save-every", REAL, save_every, "SECONDS",
             "between two saves of the state (default 10)", RBV_ABOVE(0, 1e9)),
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
}

void rbv_follow_task_listen(rbv_task *task, FILE *history, rbv_follow_listener *listener,
                            void *self) {
  rbv_follow_task *t = (rbv_follow_task *)(uintptr_t)rbv_task_data(task);
  t->stream = history;
  t->listener = listener;
  t->self = self;
}

/* an event that is kept */
typedef struct {
  rbv_event_kind kind;
  double t;
  char *text;
} kept_event;

/* one run */
struct rbv_following {
  rbv_follow_task *task;
  rbv_follower *f;
  char key[65];
  rbv_follow_place place;  // now
  bool live;               // standard input
  rbv_follow_place from;   // where a state was saved
  follow_history history;
  double next_save;
  int nevent;
  kept_event event[EVENTS_KEPT];
};

typedef struct rbv_following following;

static void forget(void *data) {
  rbv_follow_task *t = data;
  following *j = t->run;
  if (!j) return;
  for (int i = 0; i < j->nevent; i++) rbv_free(j->event[i].text);
  follow_history_free(&j->history);
  rbv_follower_free(j->f);
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

static rbv_status use_row(void *self) {
  following *j = self;
  const rbv_follow_task *t = j->task;
  const double now = j->f->t;
  if (j->f->samples == 1 && !j->f->resumed) j->place.next = j->next_save = now;
  j->place.t = now;
  if (follow_history_wanted(&j->history) && j->f->r->updated && now >= j->place.next - 1e-9) {
    follow_history_add(&j->history, j->f->r);
    j->place.next = now + t->every;
  }
  if (now - j->f->first_t >= t->until) j->f->stop = true;
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
    j->place = j->from;
    j->f->first_t = j->next_save = j->from.t;
  }
  j->place.rate_hz = j->f->rate_hz;
  const bool given = t->output && strcmp(t->output, "-") == 0;
  return follow_history_open(&j->history, t->output, given ? t->stream : NULL, t->report != NULL,
                             j->f->fitted.model, j->f->r, resumed ? j->from.output : -1);
}

/* a file is read from its start again; a stream may begin anywhere before the interruption */
static rbv_status take_row(void *self, long long line, const char *wrong, double t, const double *q,
                           const double *torque) {
  following *j = self;
  if (j->f->resumed && !j->f->follow && (j->live ? wrong || t <= j->from.t : line <= j->from.line))
    return RBV_OK;
  return rbv_follower_take(j->f, line, wrong, t, q, torque);
}

/* ---- input ---- */

static double now_s(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* CSV text from a stream or a growing file */
typedef struct {
  following *j;
  const char *path;
  int fd;
  bool regular;
  double last;         // when bytes came
  rbv_text early;      // read before the columns are known
  rbv_row_text *text;  // NULL: they are not
  rbv_log_map *own;    // a guess
  size_t tried;        // bytes at the last attempt
} text_source;

/* The next bytes; 0: there are none now. *end: there will be none. */
static rbv_status read_some(size_t *got, bool *end, char *buffer, text_source *s) {
  *got = 0;
  const ssize_t n = read(s->fd, buffer, READ_SIZE);
  if (n < 0 && errno == EINTR) return RBV_OK;
  if (n < 0) return rbv_fail(RBV_EREAD, "%s: %s", s->path, strerror(errno));
  *got = (size_t)n;
  if (n > 0) s->last = now_s();
  *end = n == 0 && !(s->regular && now_s() - s->last < s->j->task->wait);
  // let some rows arrive, so that they are read together
  if (n < READ_SIZE && (!s->regular || n == 0))
    nanosleep(&(struct timespec){.tv_nsec = PAUSE_NS}, NULL);
  return RBV_OK;
}

static rbv_status open_rows(text_source *s, const rbv_log_map *map, int head_lines) {
  following *j = s->j;
  RBV_TRY(
      rbv_row_text_new(&s->text, s->path, j->f->fitted.model, map, head_lines, j->f->fitted.gain));
  return s->early.size > 0 ? rbv_row_text_add(s->text, s->early.data, s->early.size, take_row, j)
                           : RBV_OK;
}

/* Begin if the first lines say what the columns are; more: further lines may say more. */
static rbv_status recognise(text_source *s, bool more) {
  size_t lines = 0, size = 0;
  for (size_t i = 0; i < s->early.size; i++)
    if (s->early.data[i] == '\n') {
      lines++;
      size = i + 1;
    }
  if (more && lines < FIRST_ROWS) return RBV_OK;
  if (!more) size = s->early.size;
  const rbv_log_input in = {.path = s->path, .text = s->early.data, .size = size};
  rbv_log_guess *g;
  rbv_status status =
      s->early.size == 0
          ? rbv_fail(RBV_EINPUT, "the stream has no rows with rising time stamps")
          : rbv_recording_guess(&g, s->j->f->fitted.model, &in, s->j->task->options.rate_hz);
  if (status != RBV_OK) return status;
  const bool known = g->standard || g->usual || (g->map && g->nambiguous == 0 && g->nmissing == 0);
  if (known || !more) {
    status = rbv_recording_accept(&s->own, s->path, g, &s->j->task->common.notes);
    if (status == RBV_OK) status = open_rows(s, s->own, g->head_lines);
    rbv_text_free(&s->early);
  }
  rbv_log_guess_free(g);
  return status;
}

static rbv_status take_bytes(text_source *s, const char *bytes, size_t size) {
  if (s->text) return rbv_row_text_add(s->text, bytes, size, take_row, s->j);
  const size_t before = s->early.size;
  rbv_text_add(&s->early, bytes, size);
  if (s->early.failed) return RBV_EMEM;
  // columns without names need more rows: try again whenever there are twice as many
  const size_t try_at = s->tried > 0 ? 2 * s->tried : 0;
  if (before > 0 && s->early.size < try_at) return RBV_OK;
  s->tried = s->early.size;
  return recognise(s, s->early.size < EARLY_SIZE);
}

static rbv_status read_text(following *j, const char *path, const rbv_log_map *map) {
  text_source s = {.j = j, .path = strcmp(path, "-") == 0 ? "standard input" : path};
  const bool standard = strcmp(path, "-") == 0;
  RBV_TRY(rbv_input_note(NULL, path));
  s.fd = standard ? STDIN_FILENO : open(path, O_RDONLY);
  if (s.fd < 0) return rbv_fail(RBV_EREAD, "%s: %s", path, strerror(errno));
  struct stat info;
  s.regular = fstat(s.fd, &info) == 0 && S_ISREG(info.st_mode);
  s.last = now_s();
  char *buffer = rbv_alloc(READ_SIZE);
  rbv_status status = buffer ? RBV_OK : RBV_EMEM;
  if (status == RBV_OK && map) status = open_rows(&s, map, -1);
  bool end = false;
  while (status == RBV_OK && !end && !j->f->stop) {
    size_t got;
    status = read_some(&got, &end, buffer, &s);
    if (status == RBV_OK && got > 0) status = take_bytes(&s, buffer, got);
    if (status == RBV_OK && got > 0) status = rbv_go_on("rows", NAN);
  }
  if (status == RBV_OK && !s.text && !j->f->stop) status = recognise(&s, false);
  if (status == RBV_OK && s.text && !j->f->stop) status = rbv_row_text_end(s.text, take_row, j);
  rbv_row_text_free(s.text);
  rbv_text_free(&s.early);
  rbv_log_map_free(s.own);
  rbv_free(buffer);
  if (!standard) close(s.fd);
  return status;
}

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
    status = take_row(j, k + 1, NULL, s.t[k], row, row + j->f->n);
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
  if (!t->state || access(t->state, F_OK) != 0) return RBV_OK;
  RBV_TRY(rbv_following_place(&j->from, t->state, j->key));
  j->f->resumed = true;
  j->f->options.rate_hz = j->from.rate_hz;
  return RBV_OK;
}

static rbv_status write_page(const rbv_follow_task *t, const following *j) {
  if (!t->report) return RBV_OK;
  rbv_follow_page page = {.model = j->f->fitted.model,
                          .source = t->common.input[2],
                          .limits = rbv_limits_text(j->f->source),
                          .contacts = t->contacts,
                          .changes = t->changes,
                          .bad_rows = t->bad_rows};
  rbv_report *report;
  RBV_TRY(follow_history_page(&report, &j->history, &page, j->f->r, t->report));
  return rbv_task_write_page(report, t->report, NULL, &t->common);
}

static rbv_status read_rows(following *j) {
  const char *path = j->task->common.input[2];
  rbv_log_map *map;
  j->live = strcmp(path, "-") == 0;
  rbv_status status = find_map(&map, j);
  if (status == RBV_OK) status = is_text(path) ? read_text(j, path, map) : read_log(j, path, map);
  if (status == RBV_OK) status = rbv_follower_end(j->f);
  if (status == RBV_OK) status = save(j);
  rbv_log_map_free(map);
  const rbv_status closed = follow_history_close(&j->history);
  return status == RBV_OK ? closed : status;
}

static rbv_status run(void *data) {
  rbv_follow_task *t = data;
  const rbv_task_common *c = &t->common;
  if (t->output && strcmp(t->output, "-") == 0 && !t->stream)
    return rbv_fail_option(RBV_EOPTION, "output", "the history needs a file");
  following *j = t->run = rbv_alloc(sizeof *j);
  if (!j) return RBV_EMEM;
  j->task = t;
  RBV_TRY(rbv_follower_load(&j->f, c->input[0], c->input[1], &t->options, &c->notes));
  j->f->fitted.filter.threads = c->threads;
  j->f->owner = j;
  j->f->started = begin;
  j->f->used = use_row;
  rbv_follower_on_event(j->f, hear, j);
  RBV_TRY(resume(j));
  RBV_TRY(read_rows(j));
  t->samples = j->f->samples;
  t->duration_s = j->place.t - j->f->first_t;
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
  rbv_json_put_string(json, "input", t->common.input[2]);
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

const task_kind rbv_follow_kind = TASK_KIND("follow", "ROBOT RESULT LOG", 3, 3, run, .run = run);
