/* Fleets: identify many robots as jobs and find those that differ. */
#ifndef CLI_IDENTIFY_FLEET_H
#define CLI_IDENTIFY_FLEET_H

#include <roberval/sys/fleet.h>

#include "journal_options.h"

/*
 * `identify --fleet`: argv is the whole command line, without positional arguments.
 *
 *   table   in  option table of the command; the options apply to all robots
 *   output  in  directory for the results, or file of a shard; NULL: none
 */
int cli_run_fleet(const char *manifest, const cli_opt *table, int argc, char **argv,
                  const char *output, const cli_jobs *how, const cli_common *common);

/* Print the summary when all njob jobs are in a store, as in `merge`. */
int cli_merge_fleet(const char *description, ptrdiff_t njob, const rbv_jobs_store *store,
                    const char *output, const cli_common *common);

#endif
