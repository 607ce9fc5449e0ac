/* roberval follow: contact, payload and drift of a robot along a stream. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <roberval/sys/following.h>
#include <roberval/sys/log.h>
#include <roberval/sys/storage.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "follow_history.h"
#include "library_calls.h"

#define FIRST_ROWS 50     // rows from which the rate of a stream is found
#define READ_SIZE 65536   // bytes
#define PAUSE_NS 5000000  // before a live stream is read again
#define SHOWN_BAD 20      // bad rows that are told one by one

typedef struct {
  cli_common common;
  rbv_follow_options follow;
  cli_list clean;
  const char *map, *output, *state, *alarm, *report;
  double every, save_every, until, wait, rate_hz;
} options;

/* events that can end the run, rows of one table */
typedef enum { EVENT_CONTACT, EVENT_PAYLOAD, EVENT_DRIFT, EVENT_BAD, EVENTS } event;
static const char *const event_names[] = {"contact", "payload", "drift", "bad-stream", "any"};

static const char *alarm_at(int i) {
  return i >= 0 && i < (int)(sizeof event_names / sizeof *event_names) ? event_names[i] : NULL;
}

/* a row that came before the rate was known */
typedef struct {
  long long line;
  double t;
} early_row;

typedef struct {
  const options *o;
  rbv_result_model fitted;
  rbv_follow *follow;
  rbv_limits_source source;
  const rbv_follow_report *r;
  int n, nrow;
  char key[65];
  rbv_follow_place place;  // now
  bool resumed, live;      // live: standard input
  rbv_follow_place from;   // where a state was saved
  follow_history history;
  double next_save;
  // rows before the rate is known
  early_row early[FIRST_ROWS];
  double *early_values;  // FIRST_ROWS x (n + nrow)
  int nearly;
  // what happened
  long long samples, bad[RBV_STREAM_KINDS + 1];  // the last: lines that cannot be read
  int count[EVENTS];
  double first_t;
  bool drifted;  // a drift is beyond three sigma
  bool stop;     // an alarm, or the end that was asked for
  bool alarmed;
  int code;  // exit code of a failure that was told already; 0: none
  int was_contact;
  rbv_load was_load;
} job;

/* ---- events ---- */

static void happen(job *j, event e) {
  j->count[e]++;
  const char *alarm = j->o->alarm;
  if (alarm && (strcmp(alarm, event_names[e]) == 0 || strcmp(alarm, "any") == 0))
    j->alarmed = j->stop = true;
}

static void say(const job *j, const char *format, ...) RBV_PRINTF(2, 3);

static void say(const job *j, const char *format, ...) {
  if (j->o->common.json || (j->o->output && strcmp(j->o->output, "-") == 0)) return;
  va_list args;
  va_start(args, format);
  vprintf(format, args);
  va_end(args);
}

static void say_payload(const job *j) {
  const rbv_payload *p = &j->r->payload;
  say(j, "%.3f payload %.3f kg (sigma %.3f), centre %.4f %.4f %.4f m (sigma %.4f %.4f %.4f)\n",
      j->r->t, p->mass, p->mass_sigma, p->centre[0], p->centre[1], p->centre[2], p->centre_sigma[0],
      p->centre_sigma[1], p->centre_sigma[2]);
}

static void see_drift(job *j) {
  const rbv_follow_report *r = j->r;
  bool drifted = false;
  for (int i = 0; i < r->ndrift; i++) drifted |= fabs(r->drift[i]) > 3 * r->drift_sigma[i];
  if (drifted && !j->drifted) {
    for (int i = 0; i < r->ndrift; i++)
      if (fabs(r->drift[i]) > 3 * r->drift_sigma[i])
        say(j, "%.3f drift %s %+.4g (sigma %.2g)\n", r->t,
            rbv_model_column(j->fitted.model, r->drift_column[i])->name, r->drift[i],
            r->drift_sigma[i]);
    happen(j, EVENT_DRIFT);
  }
  j->drifted = drifted;
}

static void see_events(job *j) {
  const rbv_follow_report *r = j->r;
  if (r->began) {
    say(j, "%.3f contact at %s: %.4g, limit %.4g\n", r->t,
        rbv_model_joint(j->fitted.model, r->contact)->name, r->residual[r->contact],
        r->limit[r->contact]);
    happen(j, EVENT_CONTACT);
  }
  if (j->was_contact >= 0 && r->contact < 0) say(j, "%.3f contact ended\n", r->t);
  j->was_contact = r->contact;
  if (r->changed) {
    say(j, "%.3f payload changed\n", r->t);
    happen(j, EVENT_PAYLOAD);
  }
  if (r->load != j->was_load && r->load == RBV_LOAD_KNOWN) say_payload(j);
  if (r->load != j->was_load && r->load == RBV_LOAD_NONE) say(j, "%.3f no payload\n", r->t);
  j->was_load = r->load;
  see_drift(j);
}

/* ---- rows of the history ---- */

static rbv_status save(job *j) {
  if (!j->o->state || !j->follow) return RBV_OK;
  j->place.output = follow_history_size(&j->history, j->place.output);
  return rbv_following_save(j->o->state, j->follow, &j->place, j->key);
}

static void tell_bad(job *j, long long line, int kind, const char *sentence) {
  long long all = 0;
  for (int i = 1; i <= RBV_STREAM_KINDS; i++) all += j->bad[i];
  j->bad[kind]++;
  if (all < SHOWN_BAD) cli_message(&j->o->common, "line %lld: %s\n", line, sentence);
  if (all == SHOWN_BAD) cli_message(&j->o->common, "more bad rows are counted, not listed\n");
  happen(j, EVENT_BAD);
}

static rbv_status use_row(job *j, long long line, double t, const double *q, const double *torque) {
  const rbv_stream_kind kind = rbv_follow_push(j->follow, t, q, torque);
  j->place.line = line;
  if (kind != RBV_STREAM_GOOD) tell_bad(j, line, (int)kind, rbv_stream_text(kind));
  if (kind != RBV_STREAM_GOOD && kind != RBV_STREAM_GAP) return RBV_OK;
  if (j->samples++ == 0 && !j->resumed) j->place.next = j->next_save = j->first_t = t;
  j->place.t = t;
  see_events(j);
  if (follow_history_wanted(&j->history) && j->r->updated && t >= j->place.next - 1e-9) {
    follow_history_add(&j->history, j->r);
    j->place.next = t + j->o->every;
  }
  if (t - j->first_t >= j->o->until) j->stop = true;
  if (t < j->next_save + j->o->save_every) return RBV_OK;
  j->next_save = t;
  return save(j);
}

static int by_size(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* median step of the first rows; 0: not known */
static double find_rate(const job *j) {
  double step[FIRST_ROWS];
  int count = 0;
  for (int i = 1; i < j->nearly; i++) {
    const double dt = j->early[i].t - j->early[i - 1].t;
    if (dt > 0 && isfinite(dt)) step[count++] = dt;
  }
  if (count == 0) return 0;
  qsort(step, (size_t)count, sizeof *step, by_size);
  return 1 / step[count / 2];
}

/* begin with the rows that are there */
static rbv_status start(job *j) {
  rbv_follow_options f = j->o->follow;
  f.rate_hz = j->resumed ? j->from.rate_hz : j->o->rate_hz > 0 ? j->o->rate_hz : find_rate(j);
  if (!(f.rate_hz > 0)) {
    cli_error("the stream has no rows with rising time stamps");
    j->code = EXIT_INPUT;
    return RBV_EINPUT;
  }
  j->place.rate_hz = f.rate_hz;
  const rbv_notes notes = cli_notes(&j->o->common);
  const rbv_files *clean = &j->o->clean;
  rbv_status status = rbv_following_new(&j->follow, &j->source, &j->fitted, &f, clean, j->o->map,
                                        j->resumed ? NULL : &notes);
  if (status == RBV_OK && j->resumed) status = rbv_following_load(j->follow, j->o->state, j->key);
  if (status != RBV_OK) return status;
  j->r = rbv_follow_get(j->follow);
  j->was_contact = j->r->contact;
  j->was_load = j->r->load;
  if (j->resumed) {
    j->place = j->from;
    j->first_t = j->next_save = j->from.t;
  }
  j->code = follow_history_open(&j->history, j->o->output, j->o->report != NULL, j->fitted.model,
                                j->r, j->resumed ? j->from.output : -1);
  if (j->code != EXIT_DONE) return RBV_EWRITE;
  const int width = j->n + j->nrow;
  for (int i = 0; i < j->nearly && !j->stop && status == RBV_OK; i++) {
    const double *v = j->early_values + (ptrdiff_t)i * width;
    status = use_row(j, j->early[i].line, j->early[i].t, v, v + j->n);
  }
  return status;
}

static rbv_status take_row(void *self, long long line, const char *wrong, double t, const double *q,
                           const double *torque) {
  job *j = self;
  if (j->stop) return RBV_OK;
  // a file is read from its start again; a stream may begin anywhere before the interruption
  if (j->resumed && !j->follow && (j->live ? wrong || t <= j->from.t : line <= j->from.line))
    return RBV_OK;
  if (wrong) {
    tell_bad(j, line, RBV_STREAM_KINDS, wrong);
    return RBV_OK;
  }
  if (j->follow) return use_row(j, line, t, q, torque);
  double *v = j->early_values + (ptrdiff_t)j->nearly * (j->n + j->nrow);
  memcpy(v, q, (size_t)j->n * sizeof *q);
  memcpy(v + j->n, torque, (size_t)j->nrow * sizeof *torque);
  j->early[j->nearly++] = (early_row){line, t};
  return j->nearly == FIRST_ROWS || j->resumed ? start(j) : RBV_OK;
}

/* ---- input ---- */

static double now_s(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* CSV text from a stream or a growing file */
static rbv_status read_text(job *j, const char *path, const rbv_log_map *map) {
  const bool standard = strcmp(path, "-") == 0;
  const int fd = standard ? STDIN_FILENO : open(path, O_RDONLY);
  if (fd < 0) {
    cli_error("%s: %s", path, strerror(errno));
    j->code = EXIT_INPUT;
    return RBV_EINPUT;
  }
  struct stat info;
  const bool regular = fstat(fd, &info) == 0 && S_ISREG(info.st_mode);
  rbv_row_text *rows;
  char *buffer = malloc(READ_SIZE);
  rbv_status status = buffer ? rbv_row_text_new(&rows, standard ? "standard input" : path,
                                                j->fitted.model, map, j->fitted.gain)
                             : RBV_EMEM;
  if (status != RBV_OK) rows = NULL;
  double last = now_s();
  while (status == RBV_OK && !j->stop) {
    const ssize_t got = read(fd, buffer, READ_SIZE);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) {
      cli_error("%s: %s", path, strerror(errno));
      j->code = EXIT_INPUT;
      status = RBV_EINPUT;
    } else if (got == 0 && !(regular && now_s() - last < j->o->wait)) {
      break;
    } else if (got > 0) {
      last = now_s();
      status = rbv_row_text_add(rows, buffer, (size_t)got, take_row, j);
    }
    // let some rows arrive, so that they are read together
    if (got < READ_SIZE && (!regular || got == 0))
      nanosleep(&(struct timespec){.tv_nsec = PAUSE_NS}, NULL);
  }
  if (status == RBV_OK && !j->stop) status = rbv_row_text_end(rows, take_row, j);
  rbv_row_text_free(rows);
  free(buffer);
  if (!standard) close(fd);
  return status;
}

/* any other recording, as a whole */
static rbv_status read_log(job *j, const char *path, const rbv_log_map *map) {
  rbv_recording_options how = j->fitted.options.recording;
  how.from = how.to = NULL;
  const rbv_notes notes = cli_notes(&j->o->common);
  rbv_differentiate_options as = rbv_differentiate_defaults();
  as.gains = j->fitted.gain;
  rbv_log *log;
  rbv_signals s = {0};
  rbv_status status = rbv_recordings_read(&log, j->fitted.model, &how, map, true, path, &notes);
  if (status != RBV_OK) return status;
  status = rbv_signals_from_log(&s, j->fitted.model, log, &as);
  rbv_log_free(log);
  double *row = malloc((size_t)(j->n + j->nrow) * sizeof *row);
  if (!row) status = RBV_EMEM;
  for (ptrdiff_t k = 0; k < s.count && status == RBV_OK && !j->stop; k++) {
    for (int i = 0; i < j->n; i++) row[i] = s.q[k + i * s.count];
    for (int i = 0; i < j->nrow; i++) row[j->n + i] = s.torque[k + i * s.count];
    status = take_row(j, k + 1, NULL, s.t[k], row, row + j->n);
  }
  free(row);
  rbv_signals_free(&s);
  return status;
}

static bool is_text(const char *path) {
  const char *dot = strrchr(path, '.');
  return strcmp(path, "-") == 0 || (dot && (strcmp(dot, ".csv") == 0 || strcmp(dot, ".txt") == 0));
}

/* names of a file's columns are guessed as for any recording; those of a stream need a map */
static rbv_status find_map(rbv_log_map **out, const job *j, const char *path) {
  *out = NULL;
  const char *map = j->o->map ? j->o->map : j->fitted.options.recording.map;
  if (map) return rbv_log_map_load(out, map);
  if (strcmp(path, "-") == 0 || !is_text(path)) return RBV_OK;
  const int n = j->n;
  const char **names = malloc((size_t)n * sizeof *names);
  if (!names) return RBV_EMEM;
  for (int i = 0; i < n; i++) names[i] = rbv_model_joint(j->fitted.model, i)->name;
  rbv_log_guess *g;
  const rbv_status status = rbv_log_guess_columns(&g, path, names, n, j->o->rate_hz);
  free(names);
  if (status != RBV_OK) return status;
  if (!g->standard) {
    *out = g->map;
    g->map = NULL;
  }
  rbv_log_guess_free(g);
  return RBV_OK;
}

/* ---- the end ---- */

static void put_payload(rbv_json *json, const rbv_follow_report *r) {
  const rbv_payload *p = &r->payload;
  rbv_json_key(json, "payload");
  rbv_json_map(json);
  rbv_json_put_string(json, "state", rbv_load_name(r->load));
  rbv_json_put_real(json, "mass_kg", p->mass);
  rbv_json_put_real(json, "mass_sigma_kg", p->mass_sigma);
  rbv_json_key(json, "centre_m");
  rbv_json_flat_list(json);
  for (int i = 0; i < 3; i++) rbv_json_real(json, p->centre[i]);
  rbv_json_end(json);
  rbv_json_key(json, "centre_sigma_m");
  rbv_json_flat_list(json);
  for (int i = 0; i < 3; i++) rbv_json_real(json, p->centre_sigma[i]);
  rbv_json_end(json);
  rbv_json_end(json);
}

static int print_json(const job *j, const char *robot, const char *result, const char *log) {
  rbv_json *json;
  const rbv_status status = rbv_json_new(&json);
  if (status != RBV_OK) return cli_fail(status);
  rbv_json_map(json);
  rbv_json_put_string(json, "schema", "roberval.follow/1");
  rbv_json_put_string(json, "version", rbv_version());
  rbv_json_put_string(json, "robot", robot);
  rbv_json_put_string(json, "result", result);
  rbv_json_put_string(json, "input", log);
  rbv_json_put_real(json, "rate_hz", j->place.rate_hz);
  rbv_json_put_int(json, "samples", j->samples);
  rbv_json_put_real(json, "duration_s", j->place.t - j->first_t);
  rbv_json_key(json, "bad_rows");
  rbv_json_map(json);
  for (int i = 1; i < RBV_STREAM_KINDS; i++)
    rbv_json_put_int(json, rbv_stream_name((rbv_stream_kind)i), j->bad[i]);
  rbv_json_put_int(json, "unreadable", j->bad[RBV_STREAM_KINDS]);
  rbv_json_end(json);
  rbv_json_put_int(json, "contacts", j->count[EVENT_CONTACT]);
  rbv_json_put_int(json, "payload_changes", j->count[EVENT_PAYLOAD]);
  rbv_json_put_real(json, "alarms_per_hour", j->o->follow.alarms_per_hour);
  rbv_json_put_string(json, "limits_from", rbv_limits_name(j->source));
  put_payload(json, j->r);
  rbv_json_key(json, "joints");
  rbv_json_list(json);
  for (int i = 0; i < j->n; i++) {
    rbv_json_map(json);
    rbv_json_put_string(json, "joint", rbv_model_joint(j->fitted.model, i)->name);
    rbv_json_put_real(json, "residual_Nm", j->r->residual[i]);
    rbv_json_put_real(json, "limit_Nm", j->r->limit[i]);
    rbv_json_end(json);
  }
  rbv_json_end(json);
  rbv_json_key(json, "drift");
  rbv_json_list(json);
  for (int i = 0; i < j->r->ndrift; i++) {
    const rbv_column *c = rbv_model_column(j->fitted.model, j->r->drift_column[i]);
    rbv_json_map(json);
    rbv_json_put_string(json, "name", c->name);
    rbv_json_put_real(json, "change", j->r->drift[i]);
    rbv_json_put_real(json, "sigma", j->r->drift_sigma[i]);
    rbv_json_put_string(json, "unit", c->unit);
    rbv_json_end(json);
  }
  rbv_json_end(json);
  rbv_json_put_bool(json, "alarm", j->alarmed);
  rbv_json_end(json);
  return cli_write_json(NULL, json);
}

static void print_end(const job *j) {
  long long bad = 0;
  for (int i = 1; i <= RBV_STREAM_KINDS; i++) bad += j->bad[i];
  say(j, "%lld samples, %.1f s: %d contacts, %d changes of the payload", j->samples,
      j->place.t - j->first_t, j->count[EVENT_CONTACT], j->count[EVENT_PAYLOAD]);
  if (bad > 0) say(j, ", %lld bad rows", bad);
  say(j, "; payload %s\n", rbv_load_name(j->r->load));
}

/* the page with the history */
static int write_page(const job *j, const char *source) {
  if (!j->o->report) return EXIT_DONE;
  rbv_follow_page page = {.model = j->fitted.model,
                          .source = source,
                          .limits = rbv_limits_text(j->source),
                          .contacts = j->count[EVENT_CONTACT],
                          .changes = j->count[EVENT_PAYLOAD]};
  for (int i = 1; i <= RBV_STREAM_KINDS; i++) page.bad_rows += j->bad[i];
  return follow_history_page(&j->history, &page, j->r, j->o->report, &j->o->common);
}

static int resume(job *j) {
  rbv_status status = rbv_following_key(j->key, &j->fitted, &j->o->follow);
  if (status != RBV_OK) return cli_fail(status);
  if (!j->o->state || access(j->o->state, F_OK) != 0) return -1;
  status = rbv_following_place(&j->from, j->o->state, j->key);
  j->resumed = true;
  return status == RBV_OK ? -1 : cli_fail(status);
}

static int run(job *j, char **argv) {
  int code = cli_load_result(&j->fitted, argv[2], argv[1], &j->o->common);
  if (code >= 0) return code;
  j->n = rbv_model_joint_count(j->fitted.model);
  j->nrow = rbv_model_row_count(j->fitted.model);
  j->early_values = calloc((size_t)(FIRST_ROWS * (j->n + j->nrow)), sizeof *j->early_values);
  if (!j->early_values) return cli_out_of_memory();
  code = resume(j);
  if (code >= 0) return code;
  j->live = strcmp(argv[3], "-") == 0;
  rbv_log_map *map;
  rbv_status status = find_map(&map, j, argv[3]);
  if (status == RBV_OK)
    status = is_text(argv[3]) ? read_text(j, argv[3], map) : read_log(j, argv[3], map);
  if (status == RBV_OK && !j->follow) status = start(j);
  if (status == RBV_OK) status = save(j);
  rbv_log_map_free(map);
  const int closed = follow_history_close(&j->history);
  if (status != RBV_OK) return j->code != EXIT_DONE ? j->code : cli_fail_in("follow", status);
  if (closed != EXIT_DONE) return closed;
  print_end(j);
  code = write_page(j, argv[3]);
  if (code == EXIT_DONE && j->o->common.json) code = print_json(j, argv[1], argv[2], argv[3]);
  if (code > EXIT_DONE) return code;
  return j->alarmed ? EXIT_NO : EXIT_DONE;
}

int cli_run_follow(int argc, char **argv) {
  options o = {.common = CLI_COMMON_DEFAULTS,
               .follow = rbv_follow_defaults(),
               .every = 0.1,
               .save_every = 10,
               .until = INFINITY};
  const cli_opt table[] = {
      {"output", 'o', OPT_TEXT, &o.output, "FILE.csv", "write the history here ('-': stdout)"},
      {"report", 0, OPT_TEXT, &o.report, "FILE.html", "write a page with the history here"},
      {"every", 0, OPT_REAL, &o.every, "SECONDS", "between rows of the history (default 0.1)",
       RBV_FROM(0, 1e9)},
      {"alarm", 0, OPT_TEXT, &o.alarm, "EVENT",
       "stop with exit code 1 at the first contact, payload, drift, bad-stream, or any of them",
       .choice = alarm_at},
      {"until", 0, OPT_REAL, &o.until, "SECONDS", "stop after this time of the stream",
       RBV_ABOVE(0, 1e12)},
      {"wait", 0, OPT_REAL, &o.wait, "SECONDS",
       "wait so long for more rows at the end of a growing file (default 0)", RBV_FROM(0, 1e9)},
      {"state", 0, OPT_TEXT, &o.state, "FILE",
       "save the state here; go on from it if the file exists"},
      {"save-every", 0, OPT_REAL, &o.save_every, "SECONDS",
       "between two saves of the state (default 10)", RBV_ABOVE(0, 1e9)},
      {"clean", 0, OPT_LIST, &o.clean, "LOG",
       "recording without contact and payload for the limits (default: those of the result)"},
      {"map", 0, OPT_TEXT, &o.map, "COLUMNS.yaml", "column map of the stream"},
      {"log-rate", 0, OPT_REAL, &o.rate_hz, "HZ", "rate of the stream (default: from its start)",
       RBV_ABOVE(0, 1e9)},
      CLI_ROWS(rbv_follow_rows(), o.follow),
      CLI_COMMON(o.common),
      {0}};
  int count;
  int code = cli_parse(&count, argc, argv, "follow", table);
  if (code >= 0) return code;
  job j = {.o = &o, .was_contact = -1};
  code = run(&j, argv);
  follow_history_free(&j.history);
  rbv_follow_free(j.follow);
  free(j.early_values);
  rbv_result_model_free(&j.fitted);
  return code;
}
