/* roberval merge: merge the files of shards and print the same output as a single run. */
#include <roberval/sys/fleet.h>
#include <string.h>

#include "identify_fleet.h"
#include "montecarlo_table.h"
#include "task_command.h"

static void print(const rbv_task *task, const cli_common *common, const void *self) {
  const rbv_merge_task *j = rbv_task_data(task);
  (void)common, (void)self;
  cli_print_summary(j->summary);
}

/* shards of a fleet; everything else is left to the task. Returns -1 to continue. */
static int merge_fleet(int *outcome, rbv_task *task, const cli_common *common) {
  const rbv_merge_task *j = rbv_task_data(task);
  (void)outcome;
  const rbv_status status = rbv_task_compute(task);
  if (status == RBV_OK) return -1;
  rbv_journal *all;
  if (status != RBV_EUNSUPPORTED || rbv_merge_join(&all, &j->common) != RBV_OK)
    return cli_fail_in("merge", status);
  const rbv_jobs_store store = rbv_journal_store(all);
  const int code = cli_merge_fleet(rbv_journal_description(all), rbv_journal_count(all), &store,
                                   j->output, common);
  rbv_journal_free(all);
  return code;
}

int cli_run_merge(int argc, char **argv) {
  return cli_run_task(argc, argv,
                      &(cli_task){.command = "merge", .print = print, .run = merge_fleet});
}
