#include "task_command.h"

#include "journal_options.h"

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

/* as the library runs it; jobs with journals, shards, Ctrl-C and progress of the tool */
static int compute(int *outcome, rbv_task *task, const cli_common *common, const cli_task *how) {
  if (how->run) return how->run(outcome, task, common, how->self);
  rbv_status status = rbv_task_prepare(task);
  if (status != RBV_OK) return cli_fail_in(how->command, status);
  const rbv_task_jobs work = rbv_task_get_jobs(task);
  bool interrupted = false;
  if (work.jobs) {
    const int code = cli_jobs_run(&interrupted, how->command, &work, common);
    if (code >= 0) return code;
  } else {
    status = rbv_task_work(task);
  }
  if (status == RBV_OK) status = rbv_task_finish(task);
  if (status != RBV_OK) return cli_fail_in(how->command, status);
  if (interrupted) *outcome = EXIT_INTERRUPTED;
  return -1;
}

static int show(const rbv_task *task, const cli_common *common, const cli_task *how) {
  if (how->show) return how->show(task, common, how->self);
  if (common->json) return cli_write_text(rbv_task_text(task));
  how->print(task, common, how->self);
  return EXIT_DONE;
}

/* print what is wrong with the recordings; EXIT_NO instead of EXIT_DONE if something is */
static int doubt_recordings(const rbv_recordings *all, const cli_common *common, int code) {
  const rbv_finding *f;
  int n = 0;
  for (; (f = rbv_recordings_finding(all, n)); n++)
    cli_message(common, f->option ? "error: %s (see --%s)\n" : "error: %s\n", f->sentence,
                f->option);
  return n > 0 && code == EXIT_DONE ? EXIT_NO : code;
}

int cli_present_task(rbv_task *task, const cli_common *common, const cli_task *how) {
  int outcome = EXIT_DONE;
  const rbv_notes notes = cli_notes(common);
  rbv_task_on_note(task, notes.note, notes.self);
  int code = compute(&outcome, task, common, how);
  if (code >= 0) return code;
  code = show(task, common, how);
  if (code == EXIT_DONE && !rbv_task_answer(task)) code = EXIT_NO;
  if (code <= EXIT_NO && outcome != EXIT_DONE) code = outcome;
  const rbv_recordings *recordings = rbv_task_recordings(task);
  return recordings ? doubt_recordings(recordings, common, code) : code;
}

int cli_finish_task(rbv_task *task, int argc, char **argv, const cli_task *how) {
  cli_common common = {0};
  int code = parse(task, &common, argc, argv, how);
  if (code < 0) code = cli_present_task(task, &common, how);
  rbv_task_free(task);
  return code;
}

int cli_run_task(int argc, char **argv, const cli_task *how) {
  rbv_task *task;
  const rbv_status status = rbv_task_new(&task, how->command);
  return status == RBV_OK ? cli_finish_task(task, argc, argv, how) : cli_fail(status);
}
