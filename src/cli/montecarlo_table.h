/* What a Monte Carlo study found, for people and programs: `montecarlo` and `merge`. */
#ifndef CLI_MONTECARLO_TABLE_H
#define CLI_MONTECARLO_TABLE_H

#include <roberval/sys/montecarlo.h>

#include "cli.h"

/*
 * The table, or JSON, on stdout; and to output, by its ending, .csv or .json. It depends on the
 * results alone, not on who made them. Gives the exit code.
 */
int cli_report_study(const rbv_montecarlo *study, const char *output, const cli_common *common);

/* Is it a name that a report can be written to? -1 to go on. */
int cli_check_report(const char *command, const char *output);

#endif
