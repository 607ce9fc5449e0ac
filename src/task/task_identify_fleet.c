/* The task identify-fleet: every robot of a list is a job; the results are compared. */
#include <stdio.h>

#include "compare/compare.h"
#include "job/job.h"
#include "result/result.h"
#include "storage/storage.h"
#include "task/task_internal.h"

#define TASK rbv_identify_fleet_task
#define ALARM 0.01  // probability of one or more false alarms in the whole fleet

static const rbv_option rows[] = {
    TASK_ROW("output", OUTPUT, output, "DIR", "write the results into this directory",
             .letter = 'o', .topic = "output"),
    TASK_JOBS,
    {0}};

static void defaults(void *data) {
  rbv_identify_fleet_task *t = data;
  t->options = rbv_identification_defaults();
}

static void groups(rbv_option_group *out, void *data) {
  rbv_identify_fleet_task *t = data;
  rbv_identification_groups(out, &t->options);
  while (out->rows) out++;
  out[0] = (rbv_option_group){rows, t};
}

void rbv_fleet_comparison_free(rbv_fleet_comparison *f) {
  rbv_fleet_free(f->found);
  rbv_fleet_plan_free(f->plan);
}

static void forget(void *data) {
  rbv_identify_fleet_task *t = data;
  rbv_fleet_comparison_free(&t->fleet);
}

/* ---- running ---- */

/* options that were set and are those of an identification apply to all robots */
static rbv_status prepare(void *data) {
  rbv_identify_fleet_task *t = data;
  const rbv_task_common *c = &t->common;
  RBV_NEW(rbv_option_value, given, c->nsetting + 1);
  int count = 0;
  for (int i = 0; i < c->nsetting; i++)
    if (rbv_identification_has_option(c->setting[i].name)) given[count++] = c->setting[i];
  RBV_FINISH(rbv_fleet_plan_load(&t->fleet.plan, c->input[0], given, count), rbv_free(given));
}

static rbv_task_jobs jobs(const void *data) {
  const rbv_identify_fleet_task *t = data;
  return (rbv_task_jobs){.jobs = rbv_fleet_plan_jobs(t->fleet.plan),
                         .shard = t->shard,
                         .journal = t->journal,
                         .shard_file = t->output,
                         .resume = t->resume,
                         .threads = t->options.threads};
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

static rbv_status write_results(const rbv_fleet_plan *f, const char *directory) {
  RBV_TRY(rbv_directory_make(directory));
  for (int i = 0; i < rbv_fleet_plan_count(f); i++) {
    if (!rbv_fleet_plan_result(f, i)) continue;
    char path[4096];
    size_t size;
    const char *text = rbv_fleet_plan_text(&size, f, i);
    snprintf(path, sizeof path, "%s/%.500s.json", directory, rbv_fleet_plan_name(f, i));
    RBV_TRY(rbv_file_write(path, text, size));
  }
  return RBV_OK;
}

rbv_status rbv_fleet_compare(rbv_fleet_comparison *f, bool *answer, const char *output) {
  const int count = rbv_fleet_plan_count(f->plan);
  const rbv_result **list = rbv_alloc((size_t)count * sizeof *list);
  if (!list) return RBV_EMEM;
  for (int i = 0; i < count; i++) list[i] = rbv_fleet_plan_result(f->plan, i);
  const rbv_status status = rbv_compare_fleet(&f->found, list, count, ALARM);
  rbv_free(list);
  if (status != RBV_OK) return status;
  // no if a robot differs, could not be identified, or has errors in its recordings
  *answer =
      f->found->deviating == 0 && f->found->identified == count && count_doubtful(f->plan) == 0;
  return output ? write_results(f->plan, output) : RBV_OK;
}

static rbv_status finish(void *data) {
  rbv_identify_fleet_task *t = data;
  t->common.answer = true;
  return t->shard ? RBV_OK : rbv_fleet_compare(&t->fleet, &t->common.answer, t->output);
}

static bool has_text(const void *data) {
  const rbv_identify_fleet_task *t = data;
  return t->fleet.found != NULL;
}

rbv_status rbv_fleet_recall(rbv_fleet_comparison *f, rbv_journal *all) {
  RBV_TRY(rbv_fleet_plan_recall(&f->plan, rbv_journal_description(all)));
  const rbv_jobs *work = rbv_fleet_plan_jobs(f->plan);
  if (work->count != rbv_journal_count(all))
    return rbv_fail(RBV_EINPUT, "a fleet of %td robots has %td jobs, but the journal has %td",
                    work->count, work->count, rbv_journal_count(all));
  return rbv_journal_take(all, work);
}

/* ---- JSON ---- */

const char *rbv_fleet_reason(const rbv_fleet_plan *f, int robot) {
  const char *text = rbv_fleet_plan_text(NULL, f, robot);
  return text ? text : "not done";
}

static void put_robots(rbv_json *json, const rbv_fleet_plan *f, const rbv_fleet *found) {
  rbv_json_put_list(json, "robots");
  for (int i = 0; i < rbv_fleet_plan_count(f); i++) {
    const rbv_result *result = rbv_fleet_plan_result(f, i);
    int odd = 0;
    for (int k = 0; k < found->count; k++) odd += found->deviation[k].robot == i;
    rbv_json_map(json);
    rbv_json_put_string(json, "name", rbv_fleet_plan_name(f, i));
    rbv_json_put_bool(json, "identified", result != NULL);
    if (!result) rbv_json_put_string(json, "reason", rbv_fleet_reason(f, i));
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

void rbv_fleet_put(rbv_json *json, const rbv_fleet_comparison *fleet) {
  const rbv_fleet_plan *f = fleet->plan;
  const rbv_fleet *found = fleet->found;
  rbv_json_put_schema(json, "roberval.fleet/1");
  rbv_json_put_int(json, "identified", found->identified);
  rbv_json_put_int(json, "with_findings", count_doubtful(f));
  rbv_json_put_int(json, "parameters", found->nparameter);
  rbv_json_put_int(json, "comparisons", found->comparisons);
  rbv_json_put_real(json, "false_alarm_probability", ALARM);
  put_robots(json, f, found);
  rbv_json_put_list(json, "outliers");
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
}

static rbv_status put(rbv_json *json, const void *data) {
  const rbv_identify_fleet_task *t = data;
  rbv_fleet_put(json, &t->fleet);
  return RBV_OK;
}

const task_kind rbv_identify_fleet_kind =
    TASK_KIND("identify-fleet", "MANIFEST", 1, 1, fleet, .prepare = prepare, .jobs = jobs,
              .finish = finish, .has_text = has_text);
