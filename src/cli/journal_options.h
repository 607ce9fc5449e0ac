/* Commands that fall into jobs: threads, journals, shards, Ctrl-C, progress. */
#ifndef CLI_JOURNAL_OPTIONS_H
#define CLI_JOURNAL_OPTIONS_H

#include "cli.h"

typedef struct {
  const char *shard, *journal;
  bool resume;
} cli_jobs;

#define CLI_JOBS(j)                                                                           \
  {                                                                                           \
      "shard",    0,     OPT_TEXT,                                                            \
      &(j).shard, "I/N", "only every N-th job from the I-th; -o FILE for merge"},             \
      {"journal", 0, OPT_TEXT, &(j).journal, "FILE", "keep what is done here, job by job"}, { \
    "resume", 0, OPT_FLAG, &(j).resume, NULL, "go on with the journal, or the shard's file"   \
  }

/*
 * Run them. A shard's results go to its file alone. -1 to go on and report; otherwise the exit
 * code: a shard is written, it failed, or the leader of the team is the one to report. interrupted:
 * by Ctrl-C, and only a part was done.
 *
 *   shard_file  in  where a shard goes: what -o says
 */
int cli_jobs_run(bool *interrupted, const char *command, const cli_jobs *how, const rbv_jobs *jobs,
                 const char *shard_file, const cli_common *common);

/* "2/4" into first = 1, stride = 4. -1 to go on, or an exit code. */
int cli_read_shard(ptrdiff_t *first, ptrdiff_t *stride, const char *command, const char *text);

/*
 * Processes that share jobs and help each other have journals FILE.1 ... FILE.N: open that of share
 * 0 ... N - 1, and follow the others.
 */
RBV_MUST_CHECK rbv_status cli_open_share(rbv_journal **out, const char *file, ptrdiff_t share,
                                         ptrdiff_t shares, const rbv_jobs *jobs, bool resume);

#endif
