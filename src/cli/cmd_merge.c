/* roberval merge: merge the files of shards and print the same output as a single run. */
#include <roberval/sys/design.h>
#include <string.h>

#include "identify_fleet.h"
#include "montecarlo_table.h"

/* read the shards into one journal */
static rbv_status join(rbv_journal **out, char **paths, int count) {
  rbv_status status = rbv_journal_load(out, paths[0]);
  for (int i = 1; i < count && status == RBV_OK; i++) {
    rbv_journal *next;
    status = rbv_journal_load(&next, paths[i]);
    if (status != RBV_OK) break;
    status = rbv_journal_join(*out, next);
    rbv_journal_free(next);
  }
  return status;
}

static int complain(rbv_journal *all) {
  const rbv_jobs_store store = rbv_journal_store(all);
  const void *data;
  size_t size;
  ptrdiff_t first = 0;
  while (store.find(store.self, first, &data, &size)) first++;
  const ptrdiff_t count = rbv_journal_count(all);
  cli_error(
      "%td of %td jobs are missing in these files (the first: %td): give all shards, or finish "
      "them "
      "with --resume",
      count - rbv_journal_done(all), count, first + 1);
  return EXIT_INPUT;
}

static int report_study(rbv_journal *all, const char *output, const cli_common *common) {
  rbv_montecarlo *study;
  rbv_status status =
      rbv_montecarlo_recall(&study, rbv_journal_description(all), rbv_journal_count(all));
  if (status != RBV_OK) return cli_fail(status);
  const rbv_jobs *jobs = rbv_montecarlo_jobs(study);
  const rbv_jobs_store store = rbv_journal_store(all);
  for (ptrdiff_t i = 0; i < jobs->count && status == RBV_OK; i++) {
    const void *data;
    size_t size;
    if (store.find(store.self, i, &data, &size)) status = jobs->take(jobs->self, i, data, size);
  }
  const int code = status == RBV_OK ? cli_report_study(study, output, common) : cli_fail(status);
  rbv_montecarlo_free(study);
  return code;
}

static int report_fleet(rbv_journal *all, const char *output, const cli_common *common) {
  const rbv_jobs_store store = rbv_journal_store(all);
  return cli_merge_fleet(rbv_journal_description(all), rbv_journal_count(all), &store, output,
                         common);
}

static int report(rbv_journal *all, const char *path, const char *output,
                  const cli_common *common) {
  const char *kind = rbv_journal_name(all);
  const bool study = strcmp(kind, RBV_MONTECARLO_KIND) == 0;
  if (strcmp(kind, RBV_DESIGN_KIND) == 0) {
    cli_error(
        "%s: shards of excite need no merge: each of them writes the complete design. To finish "
        "an interrupted search, run excite with the same options, --shard, --journal and "
        "--resume",
        path);
    return EXIT_INPUT;
  }
  if (!study && strcmp(kind, RBV_FLEET_KIND) != 0) {
    cli_error("%s: jobs of the kind '%s' cannot be merged", path, kind);
    return EXIT_INPUT;
  }
  const int fits = study ? cli_check_report("merge", output) : -1;
  if (fits >= 0) return fits;
  if (rbv_journal_done(all) < rbv_journal_count(all)) return complain(all);
  return study ? report_study(all, output, common) : report_fleet(all, output, common);
}

int cli_run_merge(int argc, char **argv) {
  cli_common common = CLI_COMMON_DEFAULTS;
  const char *output = NULL;
  const cli_opt table[] = {{"output", 'o', OPT_TEXT, &output, "FILE",
                            "write the results: a .csv or .json file; for a fleet, a directory"},
                           CLI_COMMON(common),
                           {0}};
  int count;
  int code = cli_parse(&count, argc, argv, "merge", table);
  if (code >= 0) return code;
  rbv_journal *all = NULL;
  const rbv_status status = join(&all, argv + 1, count);
  code = status == RBV_OK ? report(all, argv[1], output, &common) : cli_fail(status);
  rbv_journal_free(all);
  return code;
}
