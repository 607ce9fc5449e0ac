/* The task compare: parameters of several results that disagree, outliers, and the best run. */
#include <math.h>
#include <roberval/sys/report.h>

#include "compare/compare.h"
#include "task/task_internal.h"

#define TASK rbv_compare_task

static const rbv_option rows[] = {
    TASK_ROW("map", TEXT, map, "COLUMNS.yaml", "column map of the logs"),
    TASK_ROW("max-change", TEXT, max_change, "LIMIT",
             "largest change since the first result, in sigma (5) or as a share (10%); exit code 1 "
             "if a parameter exceeds it"),
    TASK_ROW("no-logs", FLAG, no_logs, NULL, "compare parameters only, read no recordings"),
    TASK_ROW("output", OUTPUT, output, "MEAN.json",
             "write the mean of the results and its sigma as a parameter file", .letter = 'o',
             .topic = "output"),
    TASK_ROW("report", OUTPUT, report, "FILE.html", "write the comparison as a page",
             .topic = "output"),
    TASK_ROW("plots", OUTPUT, plots, "DIR", "write every figure as SVG into this directory",
             .topic = "output"),
    {0}};

static void defaults(void *data) { (void)data; }

static void groups(rbv_option_group *out, void *data) { out[0] = (rbv_option_group){rows, data}; }

static void forget(void *data) {
  rbv_compare_task *j = data;
  for (int i = 0; i < j->count; i++) {
    if (j->motions) rbv_recordings_free(&j->motions[i]);
    if (j->run) rbv_result_model_free(&j->run[i]);
  }
  RBV_FREE_ALL(j->run, j->motions, j->error, j->others);
  rbv_comparison_free(j->comparison);
}

static rbv_status load_results(rbv_compare_task *j) {
  const rbv_result **list = rbv_alloc((size_t)j->count * sizeof *list);
  rbv_status status = list ? RBV_OK : RBV_EMEM;
  for (int i = 0; i < j->count && status == RBV_OK; i++) {
    status = rbv_result_model_load(&j->run[i], j->common.input[i], NULL, &j->common.notes);
    j->run[i].filter.threads = j->common.threads;
    list[i] = j->run[i].result;
  }
  if (status == RBV_OK) status = rbv_compare_results(&j->comparison, list, j->count);
  rbv_free(list);
  return status;
}

/* ---- predictions of the logs of other runs ---- */

/* the recordings of run k with the torques of run i */
static rbv_status load_logs_of(rbv_recordings *out, const rbv_compare_task *j, int i, int k,
                               const rbv_notes *notes) {
  const rbv_result *r = j->run[k].result;
  rbv_recording_options recording = j->run[k].options.recording;
  if (j->map) recording.map = j->map;
  for (int l = 0; l < r->ninput; l++) {
    rbv_log_input in = {.path = r->input[l].path};
    const rbv_recording_use use = {.loaded = r->input[l].loaded,
                                   .gain = j->run[k].gain,
                                   .controller = rbv_recording_law(&j->run[k].options)};
    RBV_TRY(
        rbv_task_recordings_add(out, &j->common, j->run[i].model, &recording, &use, &in, 1, notes));
  }
  return RBV_OK;
}

static rbv_status load_logs(rbv_compare_task *j) {
  for (int i = 0; i < j->count; i++) {
    RBV_TRY(rbv_result_model_find_logs(&j->run[i], &j->common.notes));
    RBV_TRY(load_logs_of(&j->motions[i], j, i, i, &j->common.notes));
  }
  return RBV_OK;
}

/* comparable error of run i on the logs of run k; a run that saw the torques of another side reads
 * the logs again with its own */
static rbv_status predict_pair(rbv_compare_task *j, int i, int k) {
  rbv_recordings own = {0};
  const rbv_recordings *logs = &j->motions[k];
  rbv_status status = RBV_OK;
  if (rbv_model_sensing(j->run[i].model) != rbv_model_sensing(j->run[k].model)) {
    status = load_logs_of(&own, j, i, k, NULL);
    logs = &own;
  }
  rbv_prediction *p = NULL;
  if (status == RBV_OK)
    status = rbv_predict(&p, j->run[i].model, logs->motion, logs->count, j->run[i].chi,
                         &j->run[i].filter);
  if (status == RBV_OK) j->error[i + k * j->count] = p->fit.comparable;
  rbv_prediction_free(p);
  rbv_recordings_free(&own);
  return status;
}

/* predict all logs with all runs; the median ignores the logs of an outlier: they may be wrong */
static rbv_status cross_predict(rbv_compare_task *j) {
  const int n = j->count, outlier = j->comparison->outlier;
  double *work = rbv_alloc((size_t)n * sizeof *work);
  rbv_status status = work ? RBV_OK : RBV_EMEM;
  for (int i = 0; i < n && status == RBV_OK; i++) {
    int used = 0;
    for (int k = 0; k < n && status == RBV_OK; k++) {
      status = rbv_go_on("predictions", (double)(i * n + k) / ((double)n * n));
      if (status == RBV_OK) status = predict_pair(j, i, k);
      if (status == RBV_OK && k != i && k != outlier) work[used++] = j->error[i + k * n];
    }
    j->others[i] = rbv_median(work, used);
  }
  rbv_free(work);
  return status;
}

int rbv_compare_best(const rbv_compare_task *j) {
  int best = -1;
  for (int i = 1; i < j->count; i++)
    if (j->run[i].result->sensing != j->run[0].result->sensing) return -1;
  for (int i = 0; i < j->count; i++)
    if (i != j->comparison->outlier && isfinite(j->others[i]) &&
        (best < 0 || j->others[i] < j->others[best]))
      best = i;
  return best;
}

/* ---- changes ---- */

bool rbv_compare_has_limit(const rbv_compare_task *j) {
  return j->limit.sigma > 0 || j->limit.share > 0;
}

int rbv_compare_changes(const rbv_compare_task *j) {
  const rbv_comparison *c = j->comparison;
  int count = 0;
  for (int k = 0; k < c->nparameter; k++) {
    bool beyond = false;
    for (int i = 1; i < c->nresult; i++)
      beyond = beyond || rbv_comparison_exceeds(c, k, i, j->limit);
    count += beyond;
  }
  return count;
}

/* "5" is a number of sigmas, "10%" a share */
static rbv_status read_limit(rbv_compare_task *j) {
  double number;
  bool share;
  j->limit = (rbv_change_limit){0};
  if (!j->max_change) return RBV_OK;
  if (!rbv_limit_parse(&number, &share, j->max_change))
    return rbv_fail_option(RBV_EOPTION, "max-change",
                           "max-change needs a positive number of sigmas such as 5, or a share "
                           "such as 10%%, not '%s'",
                           j->max_change);
  if (share)
    j->limit.share = number;
  else
    j->limit.sigma = number;
  return RBV_OK;
}

/* ---- JSON ---- */

static void put_limit(rbv_json *json, const rbv_compare_task *j) {
  if (!rbv_compare_has_limit(j)) return;
  rbv_json_put_map(json, "max_change");
  if (j->limit.sigma > 0)
    rbv_json_put_real(json, "sigma", j->limit.sigma);
  else
    rbv_json_put_real(json, "share", j->limit.share);
  rbv_json_put_int(json, "parameters_beyond", rbv_compare_changes(j));
  rbv_json_end(json);
}

static rbv_status put(rbv_json *json, const void *data) {
  const rbv_compare_task *j = data;
  const rbv_comparison *c = j->comparison;
  const char *const *paths = j->common.input;
  rbv_json_put_schema(json, "roberval.comparison/1");
  const int best = rbv_compare_best(j);
  rbv_json_put_int(json, "disagreeing", c->disagreeing);
  rbv_json_put_string(json, "outlier", c->outlier >= 0 ? paths[c->outlier] : NULL);
  rbv_json_put_string(json, "best", best >= 0 ? paths[best] : NULL);
  put_limit(json, j);
  rbv_json_put_list(json, "runs");
  for (int i = 0; i < j->count; i++) {
    rbv_json_map(json);
    rbv_json_put_string(json, "file", paths[i]);
    rbv_json_put_real(json, "distance", c->distance[i]);
    rbv_json_put_real(json, "fit_error", c->error[i]);
    rbv_json_put_real(json, "relative_error_on_others", j->others[i]);
    rbv_json_end(json);
  }
  rbv_json_end(json);
  rbv_json_put_list(json, "parameters");
  for (int k = 0; k < c->nparameter; k++) {
    const rbv_agreement *p = &c->parameter[k];
    rbv_json_map(json);
    rbv_json_put_string(json, "name", p->name);
    rbv_json_put_string(json, "unit", p->unit);
    rbv_json_put_int(json, "runs", p->count);
    rbv_json_put_real(json, "mean", p->mean);
    rbv_json_put_real(json, "mean_sigma", p->mean_sigma);
    rbv_json_put_real(json, "scatter", p->scatter);
    rbv_json_put_real(json, "agreement_p", p->agreement_p);
    rbv_json_put_bool(json, "mixed", p->mixed);
    rbv_json_put_reals(json, "values", p->value, c->nresult);
    rbv_json_put_reals(json, "z", p->z, c->nresult);
    rbv_json_put_reals(json, "change_sigma", p->change, c->nresult);
    rbv_json_end(json);
  }
  rbv_json_end(json);
  return RBV_OK;
}

/* the mean of repeated runs as a parameter file; sigma from the scatter between them */
static rbv_status write_mean(const rbv_compare_task *j) {
  const rbv_comparison *c = j->comparison;
  rbv_json *json;
  const char *text;
  size_t size;
  RBV_TRY(rbv_json_new(&json));
  rbv_json_map(json);
  rbv_json_put_string(json, "robot", j->run[0].result->robot);
  rbv_json_put_int(json, "results", j->count);
  rbv_json_put_list(json, "parameters");
  for (int k = 0; k < c->nparameter; k++) {
    const rbv_agreement *p = &c->parameter[k];
    if (p->count < 2 || p->mixed) continue;
    double sum = 0;
    for (int i = 0; i < c->nresult; i++) sum += isfinite(p->value[i]) ? p->value[i] : 0;
    rbv_json_map(json);
    rbv_json_put_string(json, "name", p->name);
    rbv_json_put_real(json, "value", sum / p->count);
    rbv_json_put_real(json, "sigma", p->scatter / sqrt(p->count));
    rbv_json_end(json);
  }
  rbv_json_end(json);
  rbv_json_end(json);
  rbv_status status = rbv_json_finish(&text, &size, json);
  if (status == RBV_OK) status = rbv_file_write(j->output, text, size);
  rbv_json_free(json);
  return status;
}

static rbv_status write_page(const rbv_compare_task *j) {
  const rbv_result **list = rbv_alloc((size_t)j->count * sizeof *list);
  if (!list) return RBV_EMEM;
  for (int i = 0; i < j->count; i++) list[i] = j->run[i].result;
  const rbv_compare_page in = {.count = j->count,
                               .name = j->common.input,
                               .result = list,
                               .comparison = j->comparison,
                               .cross = j->no_logs ? NULL : j->error,
                               .others = j->no_logs ? NULL : j->others,
                               .best = rbv_compare_best(j)};
  rbv_report *page;
  rbv_status status = rbv_report_compare(&page, &in);
  rbv_free(list);
  if (status != RBV_OK) return status;
  status = rbv_report_write(page, j->report, j->plots, &j->common.notes);
  rbv_report_free(page);
  return status;
}

/* ---- running ---- */

static rbv_status run(void *data) {
  rbv_compare_task *j = data;
  RBV_TRY(read_limit(j));
  const size_t n = (size_t)j->common.ninput;
  j->count = (int)n;
  j->run = rbv_alloc(n * sizeof *j->run);
  j->motions = rbv_alloc(n * sizeof *j->motions);
  j->error = rbv_alloc(n * n * sizeof *j->error);
  j->others = rbv_alloc(n * sizeof *j->others);
  if (!j->run || !j->motions || !j->error || !j->others) return RBV_EMEM;
  for (int i = 0; i < j->count; i++) j->others[i] = NAN;
  RBV_TRY(load_results(j));
  if (!j->no_logs) RBV_TRY(load_logs(j));
  if (!j->no_logs) RBV_TRY(cross_predict(j));
  if (j->output) RBV_TRY(write_mean(j));
  if (j->report || j->plots) RBV_TRY(write_page(j));
  // results that contradict each other, or changed too much, are a negative outcome
  const bool changed = rbv_compare_has_limit(j) && rbv_compare_changes(j) > 0;
  j->common.answer = j->comparison->outlier < 0 && !changed;
  return RBV_OK;
}

const task_kind rbv_compare_kind =
    TASK_KIND("compare", "RESULT RESULT [RESULT ...]", 2, 0, limit, .run = run);
