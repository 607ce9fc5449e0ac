/* Work that is divided into jobs: threads, journals, shards. */
#include <stdio.h>

#include "task/task_internal.h"

rbv_status rbv_task_parse_shard(ptrdiff_t *first, ptrdiff_t *stride, const char *text) {
  int i, n, used = 0;
  if (sscanf(text, "%d/%d%n", &i, &n, &used) != 2 || text[used] || i < 1 || n < i)
    return rbv_fail_option(RBV_EOPTION, "shard", "shard must be I/N with I from 1 to N, not '%s'",
                           text);
  *first = i - 1;
  *stride = n;
  return RBV_OK;
}

/* the watcher is asked between two jobs: inside of a job it would count as a failed method */
static void watch_jobs(void *payload, ptrdiff_t done, ptrdiff_t total) {
  rbv_watch_hold(false);
  if (rbv_go_on("runs", (double)done / (double)total) != RBV_OK) rbv_cancel(payload);
  rbv_watch_hold(true);
}

static rbv_status run_jobs(rbv_jobs_info *info, const rbv_task_jobs *work, rbv_journal *journal,
                           rbv_jobs_options *how) {
  int cancelled = 0;
  rbv_jobs_store store;
  if (journal) {
    store = rbv_journal_store(journal);
    how->store = &store;
  }
  how->threads = work->threads;
  how->cancel = &cancelled;
  how->progress = watch_jobs;
  how->payload = &cancelled;
  rbv_watch_hold(true);
  rbv_status status = rbv_jobs_run(info, work->jobs, how);
  rbv_watch_hold(false);
  if (journal) {
    const rbv_status flushed = rbv_journal_flush(journal);
    if (status == RBV_OK) status = flushed;
  }
  if (status == RBV_OK && rbv_cancelled(&cancelled))
    status = rbv_fail(RBV_ECANCELLED, "the computation was cancelled");
  return status;
}

rbv_status rbv_task_run_jobs(const rbv_task_jobs *work, const rbv_notes *notes) {
  rbv_jobs_options how = {0};
  rbv_jobs_info info;
  const char *path = work->shard ? work->shard_file : work->journal;
  if (work->shard) RBV_TRY(rbv_task_parse_shard(&how.first, &how.stride, work->shard));
  if (work->shard && !work->shard_file)
    return rbv_fail_option(RBV_EOPTION, "output", "a shard needs a file, the input of a merge");
  if (work->shard && work->journal)
    return rbv_fail_option(RBV_EOPTION, "journal", "the output of a shard is its journal");
  if (work->resume && !path)
    return rbv_fail_option(RBV_EOPTION, "resume", "resume needs a journal or a shard");
  rbv_journal *journal = NULL;
  if (path) RBV_TRY(rbv_journal_open(&journal, path, work->jobs, work->resume));
  const rbv_status status = run_jobs(&info, work, journal, &how);
  if (status == RBV_OK && info.found > 0)
    rbv_tell(notes, NULL, "%s: %td of %td jobs were done in an earlier run", path, info.found,
             info.total);
  if (status == RBV_OK && work->shard)
    rbv_tell(notes, NULL, "%s: %td of %td jobs", path, info.done, info.total);
  rbv_journal_free(journal);
  return status;
}
