/* roberval map: guess what the columns of a recording mean. */
#include "task_command.h"

/* what the map lacks, or that none is needed */
static void tell_doubts(const rbv_log_guess *g, const cli_common *common) {
  for (int i = 0; i < g->nambiguous; i++) cli_message(common, "decide: %s\n", g->ambiguous[i]);
  for (int i = 0; i < g->nmissing; i++) cli_message(common, "missing: %s\n", g->missing[i]);
  if (g->standard && g->nmissing == 0)
    cli_message(common, "the columns have the usual names: no map is needed\n");
  if (!g->recognised)
    cli_message(common,
                "no column was recognised for all joints: fill in the columns of q and tau, by "
                "name or number (see docs/files.md)\n");
}

static int show(const rbv_task *task, const cli_common *common, const void *self) {
  (void)self;
  const rbv_map_task *t = rbv_task_data(task);
  const rbv_log_guess *g = t->guess;
  const char *text = common->json ? rbv_task_text(task) : t->output ? NULL : g->yaml;
  const int code = text ? cli_write_text(text) : EXIT_DONE;
  if (code == EXIT_DONE) tell_doubts(g, common);
  return code == EXIT_DONE && !g->recognised ? EXIT_INPUT : code;
}

int cli_run_map(int argc, char **argv) {
  return cli_run_task(argc, argv, &(cli_task){.command = "map", .show = show});
}
