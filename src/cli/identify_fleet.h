/* Fleets: many robots identified as jobs, and which of them differ. */
#ifndef CLI_IDENTIFY_FLEET_H
#define CLI_IDENTIFY_FLEET_H

#include <roberval/sys/fleet.h>

#include "journal_options.h"

/*
 * `identify --fleet`: argv is the whole command line, without positional arguments.
 *
 *   table   in  of the command, whose options apply to all robots
 *   output  in  directory of the results, or file of a shard; NULL: none
 */
int cli_run_fleet(const char *manifest, const cli_opt *table, int argc, char **argv,
                  const char *output, const cli_jobs *how, const cli_common *common);

/* The summary of jobs that are all in a store, as `merge` has them. */
int cli_merge_fleet(const char *description, const rbv_jobs_store *store, const char *output,
                    const cli_common *common);

#endif
