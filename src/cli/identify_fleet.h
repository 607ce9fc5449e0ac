/* Fleets: many robots identified as jobs, and who of them differs. */
#ifndef CLI_IDENTIFY_FLEET_H
#define CLI_IDENTIFY_FLEET_H

#include "journal_options.h"

/* Name of the kind of jobs. */
#define CLI_FLEET_KIND "fleet"

/*
 * `identify --fleet`: argv is the whole command line, without positional arguments.
 *
 *   output  in  directory of the results, or file of a shard; NULL: none
 */
int cli_run_fleet(const char *manifest, int argc, char **argv, const char *output,
                  const cli_jobs *how, const cli_common *common);

/* The report of jobs that are all in a store, as `merge` has them. */
int cli_merge_fleet(const char *description, const rbv_jobs_store *store, const char *output,
                    const cli_common *common);

/* ---- what identify does for one robot ---- */

/* As the command would, quietly; the result as JSON, rbv_text_release it. -1: there it is. */
int cli_identify_robot(char **json, size_t *size, int argc, char **argv);

/* The options in force of such a command line as key options, but for those named, and the files
 * among them with their hash. -1 to go on. */
int cli_identify_options(rbv_json *json, int argc, char **argv, const char *const *but);

#endif
