/* roberval montecarlo: apply every method to many simulated recordings with known parameters. */
#include <string.h>

#include "montecarlo_table.h"
#include "task_command.h"

/* the value of --mode before anything else is parsed; NULL: not given */
static const char *find_mode(int argc, char **argv) {
  for (int i = 1; i < argc; i++) {
    if (strncmp(argv[i], "--mode=", 7) == 0) return argv[i] + 7;
    if (strcmp(argv[i], "--mode") == 0 && i + 1 < argc) return argv[i + 1];
  }
  return NULL;
}

static void print(const rbv_task *task, const cli_common *common, const void *self) {
  const rbv_montecarlo_task *j = rbv_task_data(task);
  (void)common, (void)self;
  cli_print_summary(j->summary);
}

int cli_run_montecarlo(int argc, char **argv) {
  rbv_task *task;
  rbv_status status = rbv_task_new(&task, "montecarlo");
  if (status != RBV_OK) return cli_fail(status);
  // a mode changes the defaults of other options
  const char *mode = find_mode(argc, argv);
  if (mode) status = rbv_task_set(task, "mode", mode);
  if (status != RBV_OK) {
    rbv_task_free(task);
    return cli_fail_in("montecarlo", status);
  }
  return cli_finish_task(task, argc, argv, &(cli_task){.command = "montecarlo", .print = print});
}
