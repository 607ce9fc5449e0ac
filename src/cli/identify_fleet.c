/* roberval identify --fleet: each robot is a job; the results are compared with each other. */
#include "identify_fleet.h"

#include <roberval/sys/compare.h>
#include <roberval/sys/fleet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ALARM 0.01     // chance of a false alarm in the whole fleet
#define GIVEN_MAX 128  // largest number of options on a command line

/* ---- output ---- */

static const char *reason(const rbv_fleet_plan *f, int robot) {
  const char *text = rbv_fleet_plan_text(NULL, f, robot);
  return text ? text : "not done";
}

/* robots whose recordings have errors and were identified without the option unchecked */
static int count_doubtful(const rbv_fleet_plan *f) {
  int count = 0;
  for (int i = 0; i < rbv_fleet_plan_count(f); i++) {
    const rbv_result *r = rbv_fleet_plan_result(f, i);
    count += r && r->nfinding > 0 && rbv_result_number(r, "unchecked", 0) == 0;
  }
  return count;
}

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

static void print_table(const rbv_fleet_plan *f, const rbv_fleet *found) {
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
    if (!rbv_fleet_plan_result(f, i)) printf("  %s: %s\n", rbv_fleet_plan_name(f, i), reason(f, i));
  print_sentences(f, "errors in the recordings of", false);
  print_sentences(f, "advice for", true);
}

static void put_robots(rbv_json *json, const rbv_fleet_plan *f, const rbv_fleet *found) {
  rbv_json_key(json, "robots");
  rbv_json_list(json);
  for (int i = 0; i < rbv_fleet_plan_count(f); i++) {
    const rbv_result *result = rbv_fleet_plan_result(f, i);
    int odd = 0;
    for (int k = 0; k < found->count; k++) odd += found->deviation[k].robot == i;
    rbv_json_map(json);
    rbv_json_put_string(json, "name", rbv_fleet_plan_name(f, i));
    rbv_json_put_bool(json, "identified", result != NULL);
    if (!result) rbv_json_put_string(json, "reason", reason(f, i));
    if (result) {
      rbv_json_put_bool(json, "converged", result->converged);
      rbv_json_put_real(json, "relative_error", result->fit.relative_error);
      rbv_json_put_int(json, "parameters_that_differ", odd);
      rbv_json_put_int(json, "findings", result->nfinding);
      rbv_json_put_int(json, "advice", result->nadvice);
    }
    rbv_json_end(json);
  }
  rbv_json_end(json);
}

static int print_json(const rbv_fleet_plan *f, const rbv_fleet *found) {
  rbv_json *json;
  const rbv_status status = rbv_json_new(&json);
  if (status != RBV_OK) return cli_fail(status);
  rbv_json_map(json);
  rbv_json_put_string(json, "schema", "roberval.fleet/1");
  rbv_json_put_string(json, "version", rbv_version());
  rbv_json_put_int(json, "identified", found->identified);
  rbv_json_put_int(json, "with_findings", count_doubtful(f));
  rbv_json_put_int(json, "parameters", found->nparameter);
  rbv_json_put_int(json, "comparisons", found->comparisons);
  rbv_json_put_real(json, "false_alarm_probability", ALARM);
  put_robots(json, f, found);
  rbv_json_key(json, "outliers");
  rbv_json_list(json);
  for (int i = 0; i < found->count; i++) {
    const rbv_deviation *o = &found->deviation[i];
    rbv_json_map(json);
    rbv_json_put_string(json, "robot", rbv_fleet_plan_name(f, o->robot));
    rbv_json_put_string(json, "parameter", o->name);
    rbv_json_put_string(json, "unit", o->unit);
    rbv_json_put_real(json, "value", o->value);
    rbv_json_put_real(json, "sigma", o->sigma);
    rbv_json_put_int(json, "siblings", o->siblings);
    rbv_json_put_real(json, "siblings_median", o->median);
    rbv_json_put_real(json, "siblings_scatter", o->scatter);
    rbv_json_put_real(json, "differs_by_sigma", o->z);
    rbv_json_put_real(json, "limit_sigma", o->limit);
    rbv_json_end(json);
  }
  rbv_json_end(json);
  rbv_json_end(json);
  return cli_write_json(NULL, json);
}

static int write_results(const rbv_fleet_plan *f, const char *directory) {
  const int made = cli_make_directory(directory);
  if (made >= 0) return made;
  for (int i = 0; i < rbv_fleet_plan_count(f); i++) {
    if (!rbv_fleet_plan_result(f, i)) continue;
    char name[512];
    size_t size;
    const char *text = rbv_fleet_plan_text(&size, f, i);
    snprintf(name, sizeof name, "%.500s.json", rbv_fleet_plan_name(f, i));
    const int code = cli_write_into(directory, name, text, size);
    if (code != EXIT_DONE) return code;
  }
  return EXIT_DONE;
}

static int summarise(const rbv_fleet_plan *f, const char *output, const cli_common *common) {
  const rbv_result **list = malloc((size_t)rbv_fleet_plan_count(f) * sizeof *list);
  if (!list) return cli_out_of_memory();
  for (int i = 0; i < rbv_fleet_plan_count(f); i++) list[i] = rbv_fleet_plan_result(f, i);
  rbv_fleet *found;
  const rbv_status status = rbv_compare_fleet(&found, list, rbv_fleet_plan_count(f), ALARM);
  free(list);
  if (status != RBV_OK) return cli_fail(status);
  int code = output ? write_results(f, output) : EXIT_DONE;
  if (code == EXIT_DONE && common->json)
    code = print_json(f, found);
  else if (code == EXIT_DONE)
    print_table(f, found);
  // negative outcome if a robot differs, could not be identified, or has errors in its recordings
  if (code == EXIT_DONE && (found->deviating > 0 || found->identified < rbv_fleet_plan_count(f) ||
                            count_doubtful(f) > 0))
    code = EXIT_NO;
  rbv_fleet_free(found);
  return code;
}

/* ---- running ---- */

/* options of the command line that are not the tool's own */
static int collect(rbv_option_value *given, int *count, const cli_opt *table, int argc,
                   char **argv) {
  *count = 0;
  for (int i = 1; i < argc; i++) {
    const char *value;
    const cli_opt *o = cli_option_at(&value, &i, argc, argv, table);
    if (!o || !rbv_identification_has_option(o->name)) continue;
    if (*count == GIVEN_MAX) return cli_usage("identify", "there are too many options");
    given[(*count)++] = (rbv_option_value){o->name, value ? value : "true"};
  }
  return -1;
}

int cli_run_fleet(const char *path, const cli_opt *table, int argc, char **argv, const char *output,
                  const cli_jobs *how, const cli_common *common) {
  rbv_option_value given[GIVEN_MAX];
  int ngiven;
  bool interrupted = false;
  int code = collect(given, &ngiven, table, argc, argv);
  if (code >= 0) return code;
  rbv_fleet_plan *f;
  const rbv_status status = rbv_fleet_plan_load(&f, path, given, ngiven);
  if (status != RBV_OK) return cli_fail(status);
  code = cli_jobs_run(&interrupted, "identify", how, rbv_fleet_plan_jobs(f), output, common);
  if (code < 0) {
    code = summarise(f, output, common);
    if (interrupted && code <= EXIT_NO) code = EXIT_INTERRUPTED;
  }
  rbv_fleet_plan_free(f);
  return code;
}

int cli_merge_fleet(const char *description, ptrdiff_t njob, const rbv_jobs_store *store,
                    const char *output, const cli_common *common) {
  rbv_fleet_plan *f;
  rbv_status status = rbv_fleet_plan_recall(&f, description);
  if (status != RBV_OK) return cli_fail(status);
  const rbv_jobs *jobs = rbv_fleet_plan_jobs(f);
  if (jobs->count != njob) {
    cli_error("a fleet of %td robots has %td jobs, but the journal has %td", jobs->count,
              jobs->count, njob);
    rbv_fleet_plan_free(f);
    return EXIT_INPUT;
  }
  for (ptrdiff_t i = 0; i < jobs->count && status == RBV_OK; i++) {
    const void *data;
    size_t size;
    if (store->find(store->self, i, &data, &size)) status = jobs->take(jobs->self, i, data, size);
  }
  const int code = status == RBV_OK ? summarise(f, output, common) : cli_fail(status);
  rbv_fleet_plan_free(f);
  return code;
}
