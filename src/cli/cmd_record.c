/* roberval record: joint states of a running robot into a file. */
#include <math.h>
#include <stdio.h>

#include "end_signals.h"
#include "identify_output.h"
#include "task_command.h"

static int run(int *outcome, rbv_task *task, const cli_common *common, const void *self) {
  (void)common, (void)self;
  cli_catch_ends();
  rbv_live_task_stop(task, cli_end_flag());
  const rbv_status status = rbv_task_compute(task);
  if (status != RBV_OK) return cli_fail_in("record", status);
  cli_end_code(outcome);
  return -1;
}

static void print(const rbv_task *task, const cli_common *common, const void *self) {
  const rbv_record_task *t = rbv_task_data(task);
  (void)self;
  printf("%s: %lld rows, %.1f s, %lld lost, %lld bad; ", t->output, t->rows, t->duration_s, t->lost,
         t->bad_rows);
  if (isfinite(t->enough_s))
    printf("enough after %.0f s\n", t->enough_s);
  else
    printf("not enough\n");
  cli_print_verdict(&t->result->verdict, common);
}

int cli_run_record(int argc, char **argv) {
  return cli_run_task(argc, argv, &(cli_task){.command = "record", .run = run, .print = print});
}
