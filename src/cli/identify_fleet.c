/* roberval identify --fleet: identify many robots and find those that differ. */
#include "identify_fleet.h"

#include <stdio.h>

/* findings of a result, or its advice; returns how many */
static int sentences(const rbv_result_finding **list, const rbv_result *r, bool advice) {
  *list = !r ? NULL : advice ? r->advice : r->finding;
  return !r ? 0 : advice ? r->nadvice : r->nfinding;
}

static void print_sentences(const rbv_fleet_plan *f, const char *title, bool advice) {
  const rbv_result_finding *list;
  int robots = 0;
  for (int i = 0; i < rbv_fleet_plan_count(f); i++)
    robots += sentences(&list, rbv_fleet_plan_result(f, i), advice) > 0;
  if (robots > 0) printf("%s %d robot%s:\n", title, robots, robots == 1 ? "" : "s");
  for (int i = 0; i < rbv_fleet_plan_count(f); i++) {
    const int n = sentences(&list, rbv_fleet_plan_result(f, i), advice);
    for (int k = 0; k < n; k++) printf("  %s: %s\n", rbv_fleet_plan_name(f, i), list[k].sentence);
  }
}

void cli_print_fleet(const rbv_fleet_comparison *fleet) {
  const rbv_fleet_plan *f = fleet->plan;
  const rbv_fleet *found = fleet->found;
  const int failed = rbv_fleet_plan_count(f) - found->identified;
  printf("%d robots, %d parameters: ", rbv_fleet_plan_count(f), found->nparameter);
  if (found->comparisons == 0)
    printf("too few robots to compare: at least five are needed\n");
  else if (found->deviating == 0)
    printf("no robot differs from the others\n");
  else
    printf("%d %s from the others\n", found->deviating,
           found->deviating == 1 ? "differs" : "differ");
  if (found->count > 0)
    printf("%-16s %-10s %12s %12s %12s %10s %8s  %s\n", "robot", "parameter", "value", "siblings",
           "scatter", "by sigma", "limit", "unit");
  for (int i = 0; i < found->count; i++) {
    const rbv_deviation *o = &found->deviation[i];
    printf("%-16s %-10s %12.5g %12.5g %12.3g %+10.1f %8.1f  %s\n", rbv_fleet_plan_name(f, o->robot),
           o->name, o->value, o->median, o->scatter, o->z, o->limit, o->unit);
  }
  if (failed > 0) printf("not identified: %d\n", failed);
  for (int i = 0; i < rbv_fleet_plan_count(f); i++)
    if (!rbv_fleet_plan_result(f, i))
      printf("  %s: %s\n", rbv_fleet_plan_name(f, i), rbv_fleet_reason(f, i));
  print_sentences(f, "errors in the recordings of", false);
  print_sentences(f, "advice for", true);
}

static void print(const rbv_task *task, const cli_common *common, const void *self) {
  const rbv_identify_fleet_task *t = rbv_task_data(task);
  (void)common, (void)self;
  cli_print_fleet(&t->fleet);
}

/* the options of the command line that the task has */
static rbv_status set_options(rbv_task *task, const cli_opt *table, int argc, char **argv) {
  void *target;
  for (int i = 1; i < argc; i++) {
    const char *value;
    const cli_opt *o = cli_option_at(&value, &i, argc, argv, table);
    if (!o || !rbv_option_find(&target, rbv_task_groups(task), o->name)) continue;
    const rbv_status status = rbv_task_set(task, o->name, value ? value : "true");
    if (status != RBV_OK) return status;
  }
  return RBV_OK;
}

static int run_fleet(rbv_task *task, int argc, char **argv) {
  const char *manifest = NULL, *single[4] = {0};
  cli_common common = CLI_COMMON_DEFAULTS;
  const cli_opt own[] = {CLI_FLEET(manifest),
                         {"report", 0, OPT_OUTPUT, &single[0], "FILE.html", "for one robot"},
                         {"plots", 0, OPT_OUTPUT, &single[1], "DIR", "for one robot"},
                         {"filter", 0, OPT_TEXT, &single[2], "auto", "for one robot"},
                         {"again", 0, OPT_FILE, &single[3], "RESULT.json", "for one robot"},
                         CLI_OUTPUT(common),
                         {0}};
  cli_opt table[CLI_TABLE_MAX];
  cli_add_rows(table + cli_add_groups(table, rbv_task_groups(task)), own);
  int count;
  const int code = cli_parse(&count, argc, argv, "identify", table);
  if (code >= 0) return code;
  if (count > 0) return cli_usage("identify", "--fleet takes robots and logs from its manifest");
  if (single[0] || single[1] || single[2])
    return cli_usage("identify", "--report, --plots and --filter are for one robot, not a --fleet");
  rbv_status status = rbv_task_add(task, manifest);
  if (status == RBV_OK) status = set_options(task, table, argc, argv);
  if (status != RBV_OK) return cli_fail(status);
  return cli_present_task(task, &common, &(cli_task){.command = "identify", .print = print});
}

int cli_run_fleet(int argc, char **argv) {
  rbv_task *task;
  const rbv_status status = rbv_task_new(&task, "identify-fleet");
  const int code = status == RBV_OK ? run_fleet(task, argc, argv) : cli_fail(status);
  rbv_task_free(task);
  return code;
}
