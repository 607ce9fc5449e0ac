/* Output of a Monte Carlo study as text, JSON and CSV: used by `montecarlo` and `merge`. */
#ifndef CLI_MONTECARLO_TABLE_H
#define CLI_MONTECARLO_TABLE_H

#include <roberval/sys/log.h>
#include <roberval/sys/montecarlo.h>

#include "cli.h"

/*
 * Print the table, or JSON, to stdout, and write output as CSV or JSON, depending on its extension.
 * The output depends only on the results, not on threads or shards. Returns the exit code.
 */
int cli_report_study(const rbv_montecarlo *study, const char *output, const cli_common *common);

/* Refuse file names without the extension .csv or .json. Returns -1 to continue. */
int cli_check_report(const char *command, const char *output);

#endif
