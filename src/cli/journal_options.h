/* Commands that are divided into jobs: threads, journals, shards, Ctrl-C, progress. */
#ifndef CLI_JOURNAL_OPTIONS_H
#define CLI_JOURNAL_OPTIONS_H

#include "cli.h"

typedef struct {
  const char *shard, *journal;
  bool resume;
} cli_jobs;

#define CLI_JOBS(j)                                                                           \
  {"shard",                                                                                   \
   0,                                                                                         \
   OPT_TEXT,                                                                                  \
   &(j).shard,                                                                                \
   "I/N",                                                                                     \
   "run every N-th job from the I-th (array: of a job array); -o FILE is for merge",          \
   .topic = CLI_WORK},                                                                        \
      {"journal", 0, OPT_TEXT, &(j).journal, "FILE", "store finished jobs in this file"}, {   \
    "resume", 0, OPT_FLAG, &(j).resume, NULL, "continue the journal or the file of the shard" \
  }

/*
 * Run the jobs. The results of a shard go only to its file. Returns -1 if the caller must report
 * the results; otherwise an exit code: a shard was written, the run failed, or the leader of the
 * team reports. interrupted is set if Ctrl-C ended the run before all jobs were done.
 *
 *   shard_file  in  file of a shard, the value of -o
 */
int cli_jobs_run(bool *interrupted, const char *command, const cli_jobs *how, const rbv_jobs *jobs,
                 const char *shard_file, const cli_common *common);

/* Parse "2/4" into first = 1, stride = 4; "array": from the variables of a job array. Returns -1 to
 * continue, or an exit code. */
int cli_read_shard(ptrdiff_t *first, ptrdiff_t *stride, const char *command, const char *text);

/*
 * Processes that share jobs have the journals FILE.1 ... FILE.N. Open the journal of share
 * 0 ... N - 1 for writing, and read the others while it runs.
 */
RBV_MUST_CHECK rbv_status cli_open_share(rbv_journal **out, const char *file, ptrdiff_t share,
                                         ptrdiff_t shares, const rbv_jobs *jobs, bool resume);

#endif
