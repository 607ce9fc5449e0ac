/* Fleets: identify many robots and find those that differ. */
#ifndef CLI_IDENTIFY_FLEET_H
#define CLI_IDENTIFY_FLEET_H

#include "task_command.h"

#define CLI_FLEET(manifest)                                                              \
  {                                                                                      \
    "fleet", 0, OPT_FILE, &(manifest), "MANIFEST.yaml",                                  \
        "identify all robots of this list and find those that differ", .topic = CLI_WORK \
  }

/* `identify --fleet`: the options apply to all robots. */
int cli_run_fleet(int argc, char **argv);

/* Robots that differ, robots without a result, errors in recordings, advice. */
void cli_print_fleet(const rbv_fleet_comparison *fleet);

#endif
