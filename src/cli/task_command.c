#include "task_command.h"

#include <string.h>

#include "library_calls.h"

/* parse into the options of the task, add the inputs; returns -1 to continue */
static int parse(rbv_task *task, cli_common *common, int argc, char **argv, const cli_task *how) {
  static const cli_opt none[] = {{0}};
  const cli_opt output[] = {CLI_OUTPUT(*common), {0}};
  cli_opt table[CLI_TABLE_MAX];
  int rows = cli_add_groups(table, rbv_task_groups(task));
  rows += cli_add_rows(table + rows, how->own ? how->own : none);
  cli_add_rows(table + rows, output);
  int count;
  const int code = cli_parse(&count, argc, argv, how->command, table);
  if (code >= 0) return code;
  for (int i = 1; i <= count; i++) {
    const rbv_status status = rbv_task_add(task, argv[i]);
    if (status != RBV_OK) return cli_fail(status);
  }
  return -1;
}

static int run_and_print(rbv_task *task, int argc, char **argv, const cli_task *how) {
  cli_common common = {0};
  int outcome = EXIT_DONE;
  int code = parse(task, &common, argc, argv, how);
  if (code >= 0) return code;
  const rbv_notes notes = cli_notes(&common);
  rbv_task_on_note(task, notes.note, notes.self);
  if (how->run) {
    code = how->run(&outcome, task, &common);
    if (code >= 0) return code;
  } else {
    const rbv_status status = rbv_task_compute(task);
    if (status != RBV_OK) return cli_fail_in(how->command, status);
  }
  code = EXIT_DONE;
  const char *text = rbv_task_text(task);
  if (common.json)
    code = cli_write(NULL, text, strlen(text));
  else
    how->print(task, &common, how->self);
  if (code == EXIT_DONE && !rbv_task_answer(task)) code = EXIT_NO;
  if (code <= EXIT_NO && outcome != EXIT_DONE) code = outcome;
  const rbv_recordings *recordings = rbv_task_recordings(task);
  return recordings ? cli_doubt_recordings(recordings, &common, code) : code;
}

int cli_finish_task(rbv_task *task, int argc, char **argv, const cli_task *how) {
  const int code = run_and_print(task, argc, argv, how);
  rbv_task_free(task);
  return code;
}

int cli_run_task(int argc, char **argv, const cli_task *how) {
  rbv_task *task;
  const rbv_status status = rbv_task_new(&task, how->command);
  return status == RBV_OK ? cli_finish_task(task, argc, argv, how) : cli_fail(status);
}
