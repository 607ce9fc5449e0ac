/* roberval follow: contact, payload and drift of a robot along a stream. */
#include <stdio.h>
#include <string.h>

#include "task_command.h"

/* text and history do not go to the same place */
static bool is_silent(const rbv_follow_task *t, const cli_common *common) {
  return common->json || (t->output && strcmp(t->output, "-") == 0);
}

static void say(void *self, const rbv_follow_event *e) {
  (void)self;
  // notes tell bad rows
  if (e->kind != RBV_EVENT_BAD_ROW) printf("%.3f %s\n", e->t, e->text);
}

static int run(int *outcome, rbv_task *task, const cli_common *common, const void *self) {
  (void)outcome, (void)self;
  const rbv_follow_task *t = rbv_task_data(task);
  rbv_follow_task_listen(task, stdout, is_silent(t, common) ? NULL : say, NULL);
  const rbv_status status = rbv_task_compute(task);
  return status == RBV_OK ? -1 : cli_fail_in("follow", status);
}

static void print(const rbv_task *task, const cli_common *common, const void *self) {
  (void)self;
  const rbv_follow_task *t = rbv_task_data(task);
  if (is_silent(t, common)) return;
  printf("%lld samples, %.1f s: %d contacts, %d changes of the payload", t->samples, t->duration_s,
         t->contacts, t->changes);
  if (t->bad_rows > 0) printf(", %lld bad rows", t->bad_rows);
  printf("; payload %s\n", rbv_load_name(t->last->load));
}

int cli_run_follow(int argc, char **argv) {
  return cli_run_task(argc, argv, &(cli_task){.command = "follow", .print = print, .run = run});
}
