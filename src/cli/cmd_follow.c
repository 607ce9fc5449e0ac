/* roberval follow: contact, payload and drift of a robot along a stream. */
#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "end_signals.h"
#include "task_command.h"

typedef struct {
  bool json_lines;
  bool silent;        // text and history do not go to the same place
  bool beats;         // heartbeats are asked for, not only by a watchdog
  const char *where;  // socket of the service manager; NULL: none
} follow_output;

/* ---- the service manager: systemd with Type=notify and WatchdogSec ---- */

static void tell_manager(const follow_output *o, const char *what) {
  struct sockaddr_un to = {.sun_family = AF_UNIX};
  const size_t length = o->where ? strlen(o->where) : 0;
  if (length == 0 || length >= sizeof to.sun_path) return;
  memcpy(to.sun_path, o->where, length);
  if (to.sun_path[0] == '@') to.sun_path[0] = 0;  // a name without a file
  const int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return;
  (void)sendto(fd, what, strlen(what), MSG_NOSIGNAL, (const struct sockaddr *)&to,
               (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length));
  close(fd);
}

/* heartbeats in half the time after which the manager would end the process */
static rbv_status beat_for_manager(follow_output *o, rbv_task *task, const rbv_follow_task *t) {
  const char *span = getenv("WATCHDOG_USEC");
  char text[32];
  o->where = getenv("NOTIFY_SOCKET");
  o->beats = t->heartbeat > 0;
  tell_manager(o, "READY=1");
  const double s = span ? 5e-7 * strtod(span, NULL) : 0;
  if (!(s > 0) || (o->beats && t->heartbeat <= s)) return RBV_OK;
  snprintf(text, sizeof text, "%.9g", s);
  return rbv_task_set(task, "heartbeat", text);
}

/* ---- events ---- */

static void put_number(rbv_json *json, const char *key, double x) {
  if (isfinite(x)) rbv_json_put_real(json, key, x);
}

/* one object on one line: what is indented is joined */
static void print_line(const rbv_follow_event *e) {
  rbv_json *json;
  const char *text;
  size_t size;
  if (rbv_json_new(&json) != RBV_OK) return;
  rbv_json_map(json);
  rbv_json_put_string(json, "event", rbv_event_name(e->kind));
  put_number(json, "t", e->t);
  rbv_json_put_int(json, "row", e->row);
  if (e->joint >= 0) rbv_json_put_int(json, "joint", e->joint + 1);
  put_number(json, "value", e->value);
  put_number(json, "sigma", e->sigma);
  put_number(json, "limit", e->limit);
  rbv_json_put_string(json, "text", e->text);
  rbv_json_end(json);
  if (rbv_json_finish(&text, &size, json) == RBV_OK)
    for (size_t i = 0; i < size; i++) {
      if (text[i] != '\n') putchar(text[i]);
      if (text[i] == '\n')
        while (text[i + 1] == ' ') i++;
    }
  putchar('\n');
  rbv_json_free(json);
}

static void say(void *self, const rbv_follow_event *e) {
  const follow_output *o = self;
  const bool beat = e->kind == RBV_EVENT_ALIVE;
  if (beat) tell_manager(o, "WATCHDOG=1");
  if (o->silent || (beat && !o->beats)) return;
  if (o->json_lines)
    print_line(e);
  else if (e->kind != RBV_EVENT_BAD_ROW)  // notes tell bad rows
    printf("%.3f %s\n", e->t, e->text);
  // whoever reads them wants them now; nobody reads them, or the disk is full: end and save
  if (fflush(stdout) != 0) rbv_cancel(cli_end_flag());
}

static int run(int *outcome, rbv_task *task, const cli_common *common, const void *self) {
  follow_output *o = (follow_output *)(uintptr_t)self;
  const rbv_follow_task *t = rbv_task_data(task);
  o->silent = common->json || (t->output && strcmp(t->output, "-") == 0);
  if (o->json_lines && o->silent)
    return cli_usage("follow", "--json-lines needs the standard output for itself");
  cli_catch_ends();
  rbv_status status = beat_for_manager(o, task, t);
  rbv_follow_task_listen(task, stdout, say, o, cli_end_flag());
  if (status == RBV_OK) status = rbv_task_compute(task);
  tell_manager(o, "STOPPING=1");
  if (status != RBV_OK) return cli_fail_in("follow", status);
  cli_end_code(outcome);
  return -1;
}

static void print(const rbv_task *task, const cli_common *common, const void *self) {
  const follow_output *o = self;
  const rbv_follow_task *t = rbv_task_data(task);
  (void)common;
  if (o->silent) return;
  if (o->json_lines) {
    char text[256];
    snprintf(text, sizeof text,
             "%lld samples, %.1f s: %d contacts, %d changes of the payload, %lld bad rows",
             t->samples, t->duration_s, t->contacts, t->changes, t->bad_rows);
    print_line(&(rbv_follow_event){.kind = RBV_EVENT_SUMMARY,
                                   .t = t->last->t,
                                   .joint = -1,
                                   .row = t->samples,
                                   .value = NAN,
                                   .sigma = NAN,
                                   .limit = NAN,
                                   .text = text});
    return;
  }
  printf("%lld samples, %.1f s: %d contacts, %d changes of the payload", t->samples, t->duration_s,
         t->contacts, t->changes);
  if (t->bad_rows > 0) printf(", %lld bad rows", t->bad_rows);
  printf("; payload %s\n", rbv_load_name(t->last->load));
}

int cli_run_follow(int argc, char **argv) {
  follow_output o = {0};
  const cli_opt own[] = {
      {"json-lines", 0, OPT_FLAG, &o.json_lines, NULL,
       "events, heartbeats and the summary as JSON objects, one per line", .topic = "output"},
      {0}};
  return cli_run_task(
      argc, argv,
      &(cli_task){.command = "follow", .own = own, .print = print, .run = run, .self = &o});
}
