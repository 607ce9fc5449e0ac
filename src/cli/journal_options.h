/* Commands that are divided into jobs: threads, journals, shards, Ctrl-C, progress. */
#ifndef CLI_JOURNAL_OPTIONS_H
#define CLI_JOURNAL_OPTIONS_H

#include <roberval/sys/task.h>

#include "cli.h"

/*
 * Run the jobs. The results of a shard go only to its file. Returns -1 if the caller must report
 * the results; otherwise an exit code: a shard was written, the run failed, or the leader of the
 * team reports. interrupted is set if Ctrl-C ended the run before all jobs were done.
 */
int cli_jobs_run(bool *interrupted, const char *command, const rbv_task_jobs *how,
                 const cli_common *common);

/* Parse "2/4" into first = 1, stride = 4; "array": from the variables of a job array. Returns -1 to
 * continue, or an exit code. */
int cli_read_shard(ptrdiff_t *first, ptrdiff_t *stride, const char *command, const char *text);

#endif
