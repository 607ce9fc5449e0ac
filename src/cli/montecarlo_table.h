/* Results of a Monte Carlo study, for people and programs: `montecarlo` and `merge`. */
#ifndef CLI_MONTECARLO_TABLE_H
#define CLI_MONTECARLO_TABLE_H

#include <roberval/sys/montecarlo.h>

#include "cli.h"

/*
 * The table, or JSON, on stdout; and to output, as CSV or JSON by its ending. Depends on the
 * results only, not on threads or shards. Returns the exit code.
 */
int cli_report_study(const rbv_montecarlo *study, const char *output, const cli_common *common);

/* Refuse names with another ending than .csv or .json. -1 to go on. */
int cli_check_report(const char *command, const char *output);

#endif
