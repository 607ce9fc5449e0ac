/* Table of a Monte Carlo study: used by `montecarlo` and `merge`. */
#ifndef CLI_MONTECARLO_TABLE_H
#define CLI_MONTECARLO_TABLE_H

#include <roberval/sys/montecarlo.h>

#include "cli.h"

/* Print the table to stdout. */
void cli_print_summary(const rbv_montecarlo_summary *summary);

#endif
