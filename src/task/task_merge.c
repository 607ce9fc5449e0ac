/* The task merge: a study or a fleet from the files of its shards, as if it was run at once. */
#include <string.h>

#include <roberval/sys/design.h>
#include "job/job.h"

#include "montecarlo/montecarlo.h"
#include "storage/storage.h"
#include "task/task_internal.h"

#define TASK rbv_merge_task

static const rbv_option rows[] = {
    TASK_ROW("output", OUTPUT, output, "FILE",
             "write the results: a .csv or .json file; for a fleet, a directory", .letter = 'o'),
    {0}};

static void groups(rbv_option_group *out, void *data) { out[0] = (rbv_option_group){rows, data}; }

static void forget(void *data) {
  rbv_merge_task *j = data;
  rbv_montecarlo_summary_free(j->summary);
  rbv_montecarlo_free(j->study);
  rbv_fleet_comparison_free(&j->fleet);
  rbv_journal_free(j->all);
}

static rbv_status join(rbv_journal **out, const rbv_task_common *c) {
  rbv_journal *all;
  *out = NULL;
  RBV_TRY(rbv_journal_load(&all, c->input[0]));
  rbv_status status = RBV_OK;
  for (int i = 1; i < c->ninput && status == RBV_OK; i++) {
    rbv_journal *next;
    status = rbv_journal_load(&next, c->input[i]);
    if (status == RBV_OK) status = rbv_journal_join(all, next);
    if (status == RBV_OK) rbv_journal_free(next);
  }
  RBV_GIVE(out, all, status, rbv_journal_free(all));
}

/* are the results of all jobs there? */
static rbv_status check_complete(const rbv_journal *all) {
  const rbv_jobs_store store = rbv_journal_store((rbv_journal *)(uintptr_t)all);
  const void *data;
  size_t size;
  ptrdiff_t first = 0;
  const ptrdiff_t count = rbv_journal_count(all), done = rbv_journal_done(all);
  if (done == count) return RBV_OK;
  while (store.find(store.self, first, &data, &size)) first++;
  return rbv_fail_option(RBV_EINPUT, "resume",
                         "%td of %td jobs are missing in these files (the first: %td): give all "
                         "shards, or finish them",
                         count - done, count, first + 1);
}

/* only the shards of a study, and all of them */
static rbv_status check_jobs(const rbv_merge_task *j) {
  const char *kind = rbv_journal_name(j->all), *path = j->common.input[0];
  const bool study = strcmp(kind, RBV_MONTECARLO_KIND) == 0;
  if (strcmp(kind, RBV_DESIGN_KIND) == 0)
    return rbv_fail(RBV_EINPUT,
                    "%s: shards of excite need no merge: each of them writes the complete "
                    "design. To finish an interrupted search, resume it with the same options",
                    path);
  if (!study && strcmp(kind, RBV_FLEET_KIND) != 0)
    return rbv_fail(RBV_EINPUT, "%s: jobs of the kind '%s' cannot be merged", path, kind);
  if (study) RBV_TRY(rbv_summary_output_check(j->output));
  return check_complete(j->all);
}

rbv_status rbv_journal_take(rbv_journal *all, const rbv_jobs *jobs) {
  const rbv_jobs_store store = rbv_journal_store(all);
  for (ptrdiff_t i = 0; i < jobs->count; i++) {
    const void *bytes;
    size_t size;
    if (store.find(store.self, i, &bytes, &size)) RBV_TRY(jobs->take(jobs->self, i, bytes, size));
  }
  return RBV_OK;
}

static rbv_status run(void *data) {
  rbv_merge_task *j = data;
  RBV_TRY(join(&j->all, &j->common));
  RBV_TRY(check_jobs(j));
  if (strcmp(rbv_journal_name(j->all), RBV_FLEET_KIND) == 0) {
    RBV_TRY(rbv_fleet_recall(&j->fleet, j->all));
    return rbv_fleet_compare(&j->fleet, &j->common.answer, j->output);
  }
  RBV_TRY(
      rbv_montecarlo_recall(&j->study, rbv_journal_description(j->all), rbv_journal_count(j->all)));
  RBV_TRY(rbv_journal_take(j->all, rbv_montecarlo_jobs(j->study)));
  RBV_TRY(rbv_montecarlo_summarise(&j->summary, j->study));
  j->common.answer = j->summary->diverged != j->summary->done;
  return rbv_summary_save(j->output, j->summary);
}

static rbv_status put(rbv_json *json, const void *data) {
  const rbv_merge_task *j = data;
  if (j->summary) return rbv_summary_put(json, j->summary);
  rbv_fleet_put(json, &j->fleet);
  return RBV_OK;
}

const task_kind rbv_merge_kind = {.name = "merge",
                                  .inputs = "FILE [FILE ...]",
                                  .least = 1,
                                  .size = sizeof(rbv_merge_task),
                                  .made = offsetof(rbv_merge_task, all),
                                  .groups = groups,
                                  .run = run,
                                  .forget = forget,
                                  .put = put};
