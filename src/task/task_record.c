/* The task record: joint states of a running robot into a file, judged while they come. */
#include <math.h>
#include <string.h>

#include "job/job.h"
#include "job/job_internal.h"
#include "log/log.h"
#include "result/result.h"
#include "task/live.h"

#define PAUSE_S 0.2   // without messages, until a stop is looked for
#define SHARE 10      // of the time between two looks, which a look may take
#define SHORTEST 50   // rows, before which nothing can be judged
#define SHOWN_BAD 20  // messages that are told one by one

#define TASK rbv_record_task

typedef struct rbv_recording_run {
  rbv_record_task *task;
  rbv_topic *topic;
  int n, width;    // width: t, positions, velocities, torques
  double *values;  // rows x width
  int rows, room;
  bool velocities;     // in every message so far
  double last_row;     // when it came, on the clock of the computer
  double next_look;    // on the same clock
  char said[512];      // what the last look lacked
  const char **joint;  // names
} recorder;

static const rbv_option rows[] = {
    TASK_ROW("output", OUTPUT, output, "FILE",
             "write the recording here: .mcap (a bag of joint states) or .csv", .letter = 'o'),
    TASK_ROW("until", REAL, until, "SECONDS", "stop after this time", RBV_ABOVE(0, 1e6),
             .basic = true),
    TASK_ROW("wait", REAL, wait, "SECONDS",
             "stop when the topic has been silent for so long (default: without end)",
             RBV_ABOVE(0, 1e9), .basic = true),
    TASK_ROW("enough", FLAG, enough, NULL, "stop when the motion is enough", .basic = true),
    TASK_ROW("look", REAL, look, "SECONDS",
             "judge and save the recording so often, or as often as a tenth of the time allows "
             "(default 5)",
             RBV_FROM(1, 3600)),
    {0}};

static void defaults(void *data) {
  rbv_record_task *t = data;
  t->robot = rbv_robot_defaults();
  t->until = INFINITY;
  t->look = 5;
}

static void groups(rbv_option_group *out, void *data) {
  rbv_record_task *t = data;
  out[0] = (rbv_option_group){rows, t};
  out[1] = (rbv_option_group){rbv_topic_rows(), &t->topic};
  out[2] = (rbv_option_group){rbv_robot_rows(), &t->robot};
}

static void forget(void *data) {
  rbv_record_task *t = data;
  recorder *r = t->run;
  if (r) {
    rbv_topic_close(r->topic);
    RBV_FREE_ALL(r->values, (void *)(uintptr_t)r->joint, r);
  }
  rbv_check_free(t->result);
  rbv_model_free(t->model);
}

/* ---- the recording so far ---- */

/* names of the columns: t, q1 ..., dq1 ..., tau1 ..., or tauj1 ... of sensors behind the gears */
static const char *const *column_names(char (*text)[16], const char **name, const recorder *r) {
  const bool behind = rbv_model_sensing(r->task->model) == RBV_SENSING_JOINT;
  const char *const stem[] = {"q", "dq", behind ? "tauj" : "tau"};
  int count = 0;
  name[count++] = "t";
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < r->n; j++) {
      if (i == 1 && !r->velocities) continue;
      snprintf(text[count], sizeof *text, "%s%d", stem[i], j + 1);
      name[count] = text[count];
      count++;
    }
  return name;
}

/* column-major, without velocities unless all messages have them; rbv_free */
static double *columns(int *ncol, const recorder *r) {
  const ptrdiff_t rows_now = r->rows;
  *ncol = 1 + r->n * (r->velocities ? 3 : 2);
  double *A = rbv_alloc((size_t)rows_now * (size_t)*ncol * sizeof *A);
  for (ptrdiff_t k = 0; k < rows_now && A; k++)
    for (int c = 0; c < *ncol; c++) {
      const int from = c <= r->n || r->velocities ? c : c + r->n;
      A[k + c * rows_now] = r->values[k * r->width + from];
    }
  return A;
}

static rbv_status as_log(rbv_log **out, const recorder *r, const double *A, int ncol) {
  char(*text)[16] = rbv_alloc((size_t)r->width * sizeof *text);
  const char **name = rbv_alloc((size_t)r->width * sizeof *name);
  rbv_status status = text && name ? RBV_OK : RBV_EMEM;
  if (status == RBV_OK)
    status = rbv_log_new(out, r->task->topic.topic, column_names(text, name, r), ncol, A, r->rows,
                         r->rows);
  RBV_FREE_ALL(text, (void *)(uintptr_t)name);
  return status;
}

static bool ends_with(const char *text, const char *end) {
  const size_t n = strlen(text), m = strlen(end);
  return n >= m && strcmp(text + n - m, end) == 0;
}

/* as a bag whose topic has the name of the recorded one, or as columns */
static rbv_status save(const recorder *r, const double *A, const rbv_log *log) {
  const rbv_record_task *t = r->task;
  if (!ends_with(t->output, ".mcap")) return rbv_log_save(log, t->output);
  const ptrdiff_t block = (ptrdiff_t)r->rows * r->n;
  const double *q = A + r->rows, *torque = q + block * (r->velocities ? 2 : 1);
  const rbv_trace_signal signal[] = {
      {"q", q, false},
      {t->topic.topic[0] == '/' ? t->topic.topic + 1 : t->topic.topic, torque, true},
      {"dq", q + block, false}};
  const rbv_trace trace = {r->joint, r->n, A, r->rows, signal, r->velocities ? 3 : 2};
  return rbv_trace_write(t->output, &trace);
}

/* ---- looks ---- */

/* an error, or what more or another motion would cure; a robot that waits at first is neither */
static bool is_lacking(const rbv_finding *f) {
  static const rbv_finding_code cured[] = {
      RBV_FINDING_SHORT, RBV_FINDING_SLOW, RBV_FINDING_ONE_WAY,  RBV_FINDING_WAVEFORM,
      RBV_FINDING_RANK,  RBV_FINDING_WEAK, RBV_FINDING_CONDITION};
  if (f->code == RBV_FINDING_REST || f->severity == RBV_SEVERITY_NOTE) return false;
  if (f->severity == RBV_SEVERITY_ERROR) return true;
  for (int i = 0; i < RBV_COUNT(cured); i++)
    if (f->code == cured[i]) return true;
  return false;
}

/* the first thing that is lacking; NULL: nothing is */
static const char *lacks(const rbv_check_result *c) {
  const rbv_identifiability *i = &c->identifiability;
  for (int k = 0; k < c->nfinding; k++)
    if (is_lacking(&c->finding[k])) return c->finding[k].sentence;
  if (!i->known) return i->reason;
  return i->base->count < i->structure->count ? "some parameters did not move yet" : NULL;
}

static void tell_look(recorder *r) {
  rbv_record_task *t = r->task;
  const rbv_identifiability *i = &t->result->identifiability;
  const char *open = lacks(t->result);
  const bool enough = isfinite(t->enough_s);
  if (!open && !enough) {
    t->enough_s = t->duration_s;
    rbv_tell(&t->common.notes, NULL,
             "%.0f s: the motion is enough: all %d base parameters, condition number %.0f after "
             "scaling",
             t->duration_s, i->base->count, i->condition_scaled);
  }
  if (open && strcmp(open, r->said) != 0 && !enough) {
    snprintf(r->said, sizeof r->said, "%s", open);
    rbv_tell(&t->common.notes, NULL, "%.0f s: not enough yet: %s", t->duration_s, r->said);
  }
}

/* judge all rows so far as the command check would, and save them */
static rbv_status look(recorder *r) {
  rbv_record_task *t = r->task;
  const double begin = live_now_s();
  int ncol;
  rbv_log *log = NULL, *read = NULL;
  rbv_check_result *found = NULL;
  double *A = columns(&ncol, r);
  rbv_status status = A ? as_log(&log, r, A, ncol) : RBV_EMEM;
  if (status == RBV_OK) status = save(r, A, log);
  const rbv_recording_options how = rbv_recording_defaults();
  const rbv_log_input in = {.path = t->topic.topic, .log = log};
  if (status == RBV_OK) status = rbv_recordings_read(&read, t->model, &how, NULL, true, &in, NULL);
  const rbv_log *const logs[] = {read};
  if (status == RBV_OK) status = rbv_check(&found, t->model, logs, 1, &t->check);
  rbv_free(A);
  rbv_log_free(log);
  rbv_log_free(read);
  if (status != RBV_OK) return status;
  rbv_check_free(t->result);
  t->result = found;
  tell_look(r);
  const double now = live_now_s();
  r->next_look = now + fmax(t->look, SHARE * (now - begin));
  return RBV_OK;
}

/* ---- messages ---- */

static void tell_bad(recorder *r, const char *why) {
  rbv_record_task *t = r->task;
  if (t->bad_rows < SHOWN_BAD)
    rbv_tell(&t->common.notes, NULL, "message %lld: %s", t->rows + t->bad_rows + 1, why);
  if (t->bad_rows == SHOWN_BAD)
    rbv_tell(&t->common.notes, NULL, "more bad messages are counted, not listed");
  t->bad_rows++;
}

static rbv_status take(recorder *r, const rbv_topic_row *row) {
  rbv_record_task *t = r->task;
  const double stamp = 1e-9 * (double)row->ns;
  r->last_row = live_now_s();
  if (row->kind == RBV_TOPIC_BAD) {
    tell_bad(r, row->wrong);
    return RBV_OK;
  }
  if (r->rows > 0 && !(stamp > r->values[(ptrdiff_t)(r->rows - 1) * r->width])) {
    tell_bad(r, "its stamp is not behind that of the message before");
    return RBV_OK;
  }
  double *grown = rbv_grow(r->values, r->rows, &r->room, (size_t)r->width * sizeof *grown);
  if (!grown) return RBV_EMEM;
  r->values = grown;
  double *v = grown + (ptrdiff_t)r->rows++ * r->width;
  const size_t size = (size_t)r->n * sizeof *v;
  v[0] = stamp;
  memcpy(v + 1, row->position, size);
  if (row->velocity) memcpy(v + 1 + r->n, row->velocity, size);
  memcpy(v + 1 + 2 * (ptrdiff_t)r->n, row->effort, size);
  r->velocities = r->velocities && row->velocity;
  t->rows = r->rows;
  t->duration_s = stamp - r->values[0];
  return RBV_OK;
}

static rbv_status listen_on(recorder *r) {
  rbv_record_task *t = r->task;
  r->next_look = live_now_s() + t->look;
  while (!(t->stop && rbv_cancelled(t->stop)) && t->duration_s < t->until) {
    rbv_topic_row row;
    RBV_TRY(rbv_topic_next(&row, r->topic, PAUSE_S));
    const char *note = rbv_topic_note(r->topic);
    if (note) rbv_tell(&t->common.notes, NULL, "%s", note);
    if (row.kind != RBV_TOPIC_NONE) RBV_TRY(take(r, &row));
    const double now = live_now_s();
    const bool silent = row.kind == RBV_TOPIC_NONE && r->rows > 0;
    if (silent && t->wait > 0 && now - r->last_row > t->wait) break;
    if (now < r->next_look || r->rows < SHORTEST) continue;
    RBV_TRY(look(r));
    if (t->enough && isfinite(t->enough_s)) break;
  }
  t->lost = rbv_topic_lost(r->topic);
  return RBV_OK;
}

/* ---- running ---- */

static rbv_status start(recorder *r) {
  rbv_record_task *t = r->task;
  r->n = rbv_model_joint_count(t->model);
  r->width = 1 + 3 * r->n;
  r->velocities = true;
  r->joint = live_joint_names(t->model);
  return r->joint ? rbv_topic_open(&r->topic, &t->topic, r->joint, r->n) : RBV_EMEM;
}

static rbv_status run(void *data) {
  rbv_record_task *t = data;
  if (!t->topic.topic)
    return rbv_fail_option(RBV_EOPTION, "topic", "the topic of the joint states is missing");
  if (!t->output || !(ends_with(t->output, ".mcap") || ends_with(t->output, ".csv")))
    return rbv_fail_option(RBV_EOPTION, "output", "output: a file FILE.mcap or FILE.csv is needed");
  RBV_TRY(rbv_task_open_robot(&t->model, &t->common, &t->robot));
  if (rbv_model_row_count(t->model) != rbv_model_joint_count(t->model))
    return rbv_fail(RBV_EUNSUPPORTED,
                    "joint states have one torque per joint: choose one side with the sensing");
  t->check = rbv_check_defaults();
  t->enough_s = NAN;
  recorder *r = t->run = rbv_alloc(sizeof *r);
  if (!r) return RBV_EMEM;
  r->task = t;
  RBV_TRY(start(r));
  RBV_TRY(listen_on(r));
  rbv_topic_close(r->topic);
  r->topic = NULL;
  if (r->rows < SHORTEST)
    return rbv_fail(RBV_EINPUT, "%s: %d messages are no recording, nothing was written (%lld bad)",
                    t->topic.topic, r->rows, t->bad_rows);
  RBV_TRY(look(r));
  if (t->lost > 0) rbv_tell(&t->common.notes, NULL, "%lld messages were lost", t->lost);
  t->common.answer = isfinite(t->enough_s);
  return RBV_OK;
}

static rbv_status put(rbv_json *json, const void *data) {
  const rbv_record_task *t = data;
  const rbv_identifiability *i = &t->result->identifiability;
  rbv_json_put_schema(json, "roberval.record/1");
  rbv_json_put_string(json, "robot", t->common.input[0]);
  rbv_json_put_string(json, "topic", t->topic.topic);
  rbv_json_put_string(json, "output", t->output);
  rbv_json_put_int(json, "rows", t->rows);
  rbv_json_put_int(json, "bad_rows", t->bad_rows);
  rbv_json_put_int(json, "lost", t->lost);
  rbv_json_put_real(json, "duration_s", t->duration_s);
  rbv_json_put_real(json, "enough_after_s", t->enough_s);
  rbv_json_put_string(json, "lacks", lacks(t->result));
  rbv_json_put_int(json, "base_parameters", i->known ? i->structure->count : 0);
  rbv_json_put_int(json, "identified", i->known ? i->base->count : 0);
  rbv_judgement_put(json, &t->result->verdict);
  return RBV_OK;
}

const task_kind rbv_record_kind = TASK_KIND("record", "ROBOT", 1, 1, model, .run = run);
