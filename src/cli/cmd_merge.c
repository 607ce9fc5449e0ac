/* roberval merge: merge the files of shards and print the same output as a single run. */
#include "identify_fleet.h"
#include "montecarlo_table.h"

static void print(const rbv_task *task, const cli_common *common, const void *self) {
  const rbv_merge_task *j = rbv_task_data(task);
  (void)common, (void)self;
  if (j->fleet.found)
    cli_print_fleet(&j->fleet);
  else
    cli_print_summary(j->summary);
}

int cli_run_merge(int argc, char **argv) {
  return cli_run_task(argc, argv, &(cli_task){.command = "merge", .print = print});
}
