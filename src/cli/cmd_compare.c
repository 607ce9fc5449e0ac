/* roberval compare: parameters of several results that disagree, outliers, and the best run. */
#include <math.h>
#include <roberval/sys/compare.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "library_calls.h"
#include "report_options.h"

typedef struct {
  cli_common common;
  const char *map, *max_change, *output;
  bool no_logs, table;
  rbv_change_limit limit;
  cli_report page;
} options;

typedef struct {
  int count;
  rbv_result_model *run;
  rbv_recordings *motions;  // the logs of each run
  double *error;            // count x count: run i on the logs of run k, at [i + k * count]
  double *others;  // median error of a run on the logs of the others, without those of an outlier
  rbv_comparison *comparison;
} job;

static void free_job(job *j) {
  for (int i = 0; i < j->count; i++) {
    if (j->motions) rbv_recordings_free(&j->motions[i]);
    if (j->run) rbv_result_model_free(&j->run[i]);
  }
  free(j->run);
  free(j->motions);
  free(j->error);
  free(j->others);
  rbv_comparison_free(j->comparison);
}

static int load_results(job *j, char **paths, const options *o) {
  const rbv_result **list = malloc((size_t)j->count * sizeof *list);
  if (!list) return cli_out_of_memory();
  int code = -1;
  for (int i = 0; i < j->count && code < 0; i++) {
    code = cli_load_result(&j->run[i], paths[i], NULL, &o->common);
    list[i] = j->run[i].result;
  }
  if (code < 0) {
    const rbv_status status = rbv_compare_results(&j->comparison, list, j->count);
    if (status != RBV_OK) code = cli_fail(status);
  }
  free(list);
  return code;
}

/* ---- predictions of the logs of other runs ---- */

/* the recordings of run k with the torques of run i */
static int load_logs_of(rbv_recordings *out, const job *j, const options *o, int i, int k) {
  const rbv_result *r = j->run[k].result;
  rbv_recording_options recording = j->run[k].options.recording;
  if (o->map) recording.map = o->map;
  for (int l = 0; l < r->ninput; l++) {
    const char *const path[] = {r->input[l].path};
    const rbv_recording_use use = {.loaded = r->input[l].loaded,
                                   .gain = j->run[k].gain,
                                   .controller = rbv_recording_law(&j->run[k].options)};
    const int code =
        cli_recordings_add(out, "compare", j->run[i].model, &recording, &use, path, 1, &o->common);
    if (code >= 0) return code;
  }
  return -1;
}

static int load_logs(job *j, const options *o) {
  const rbv_notes notes = cli_notes(&o->common);
  for (int i = 0; i < j->count; i++) {
    const rbv_status status = rbv_result_model_find_logs(&j->run[i], &notes);
    if (status != RBV_OK) return cli_fail(status);
    const int code = load_logs_of(&j->motions[i], j, o, i, i);
    if (code >= 0) return code;
  }
  return -1;
}

static double median_of(double *x, int n) {
  for (int i = 1; i < n; i++)
    for (int k = i; k > 0 && x[k] < x[k - 1]; k--) {
      const double swap = x[k];
      x[k] = x[k - 1];
      x[k - 1] = swap;
    }
  return n == 0 ? NAN : n % 2 ? x[n / 2] : (x[n / 2 - 1] + x[n / 2]) / 2;
}

/* comparable error of run i on the logs of run k; a run that saw the torques of another side reads
 * the logs again with its own */
static int predict_pair(job *j, const options *o, int i, int k) {
  rbv_recordings own = {0};
  const rbv_recordings *logs = &j->motions[k];
  const bool other = rbv_model_sensing(j->run[i].model) != rbv_model_sensing(j->run[k].model);
  if (other) {
    cli_common quiet = o->common;
    quiet.quiet = true;
    options silent = *o;
    silent.common = quiet;
    const int code = load_logs_of(&own, j, &silent, i, k);
    if (code >= 0) {
      rbv_recordings_free(&own);
      return code;
    }
    logs = &own;
  }
  rbv_prediction *p;
  const rbv_status status =
      rbv_predict(&p, j->run[i].model, logs->motion, logs->count, j->run[i].chi, &j->run[i].filter);
  if (status == RBV_OK) j->error[i + k * j->count] = p->fit.comparable;
  if (status == RBV_OK) rbv_prediction_free(p);
  rbv_recordings_free(&own);
  return status == RBV_OK ? -1 : cli_fail(status);
}

/* predict all logs with all runs; the median ignores the logs of an outlier: they may be wrong */
static int cross_predict(job *j, const options *o) {
  const int n = j->count, outlier = j->comparison->outlier;
  double *work = malloc((size_t)n * sizeof *work);
  if (!work) return cli_out_of_memory();
  int code = -1;
  for (int i = 0; i < n && code < 0; i++) {
    int used = 0;
    for (int k = 0; k < n && code < 0; k++) {
      code = predict_pair(j, o, i, k);
      if (code < 0 && k != i && k != outlier) work[used++] = j->error[i + k * n];
    }
    j->others[i] = median_of(work, used);
  }
  free(work);
  return code;
}

/* the run that predicts the logs of the others best, never an outlier; -1 without logs, or if the
 * runs predict torques of different sides */
static int best_run(const job *j) {
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

static bool has_limit(const options *o) { return o->limit.sigma > 0 || o->limit.share > 0; }

/* number of parameters of any result that changed beyond the limit */
static int count_changes(const job *j, const options *o) {
  const rbv_comparison *c = j->comparison;
  int count = 0;
  for (int k = 0; k < c->nparameter; k++) {
    bool beyond = false;
    for (int i = 1; i < c->nresult; i++)
      beyond = beyond || rbv_comparison_exceeds(c, k, i, o->limit);
    count += beyond;
  }
  return count;
}

/* "5" is a number of sigmas, "10%" a share */
static int read_limit(options *o) {
  if (!o->max_change) return -1;
  char text[64], rest[2];
  double number;
  snprintf(text, sizeof text, "%s", o->max_change);
  const size_t length = strlen(text);
  const bool percent = length > 0 && text[length - 1] == '%';
  if (percent) text[length - 1] = 0;
  if (sscanf(text, "%lf%1s", &number, rest) != 1 || !(number > 0 && isfinite(number)))
    return cli_usage("compare",
                     "--max-change needs a positive number of sigmas such as 5, or a share such as "
                     "10%%, not '%s'",
                     o->max_change);
  if (percent)
    o->limit.share = number / 100;
  else
    o->limit.sigma = number;
  return -1;
}

/* ---- text output ---- */

/* a value with its sigma in per cent, as papers print it */
static void print_value(const rbv_result *r, const char *name) {
  for (int k = 0; k < r->estimate.count; k++) {
    const rbv_parameter *p = &r->estimate.item[k];
    if (strcmp(p->name, name) != 0 || !isfinite(p->sigma)) continue;
    const double percent = 100 * p->sigma / fabs(p->value);
    if (percent < 1000)
      printf(" %11.4g %5.1f%%", p->value, percent);
    else
      printf(" %11.4g %6s", p->value, "-");
    return;
  }
  printf(" %11s %6s", "-", "");
}

/* all results side by side, with the mean of repeated runs and their scatter */
static void print_table(const job *j, char **paths) {
  const rbv_comparison *c = j->comparison;
  char shown[CLI_PLAIN_MAX];
  printf("%-8s", "name");
  for (int i = 0; i < j->count; i++) printf(" %18.18s", cli_plain(shown, paths[i]));
  printf(" %11s %9s  unit\n", "mean", "scatter");
  bool any = false;
  for (int k = 0; k < c->nparameter; k++) {
    const rbv_agreement *p = &c->parameter[k];
    printf("%-8s", p->name);
    for (int i = 0; i < j->count; i++) print_value(j->run[i].result, p->name);
    if (p->count > 1 && !p->mixed)
      printf(" %11.4g %9.2g", p->mean, p->scatter);
    else
      printf(" %11s %9s", p->mixed ? "*" : "-", "-");
    printf("  %s\n", cli_plain(shown, p->unit));
    any = any || p->mixed;
  }
  if (any)
    printf(
        "* combined with other parameters in some of the results: the torques are those of "
        "another side\n");
}

/* two results: every parameter before and after */
static void print_change_table(const rbv_comparison *c, const options *o) {
  printf("%-8s %12s %12s %10s %9s  %s\n", "name", "before", "after", "change", "sigma", "unit");
  for (int k = 0; k < c->nparameter; k++) {
    const rbv_agreement *p = &c->parameter[k];
    printf("%-8s %12.5g %12.5g ", p->name, p->value[0], p->value[1]);
    const double percent = 100 * (p->value[1] - p->value[0]) / fabs(p->value[0]);
    if (isfinite(percent))
      printf("%+8.1f %% %+9.1f", percent, p->change[1]);
    else
      printf("%10s %9s", "-", "-");
    const bool beyond = has_limit(o) && rbv_comparison_exceeds(c, k, 1, o->limit);
    printf("  %s%s\n", p->unit, beyond ? "  beyond the limit" : "");
  }
}

/* more results: only what changed beyond the limit since the first one */
static void print_changes(const job *j, char **paths, const options *o) {
  const rbv_comparison *c = j->comparison;
  char shown[CLI_PLAIN_MAX], unit[CLI_PLAIN_MAX];
  for (int k = 0; k < c->nparameter; k++)
    for (int i = 1; i < c->nresult; i++) {
      const rbv_agreement *p = &c->parameter[k];
      if (!rbv_comparison_exceeds(c, k, i, o->limit)) continue;
      printf("  %-8s %.5g -> %.5g %s in %s (%+.1f %%, %+.1f sigma)\n", p->name, p->value[0],
             p->value[i], cli_plain(unit, p->unit), cli_plain(shown, paths[i]),
             100 * (p->value[i] - p->value[0]) / fabs(p->value[0]), p->change[i]);
    }
}

static void print_limit(const job *j, char **paths, const options *o) {
  const int count = count_changes(j, o);
  char shown[CLI_PLAIN_MAX];
  printf("%d of %d parameters changed by more than %s", count, j->comparison->nparameter,
         o->max_change);
  printf(o->limit.sigma > 0 ? " sigma since %s\n" : " since %s\n", cli_plain(shown, paths[0]));
  if (j->count > 2) print_changes(j, paths, o);
}

static void print_text(const job *j, char **paths, const options *o) {
  const rbv_comparison *c = j->comparison;
  char shown[CLI_PLAIN_MAX];
  if (o->table)
    print_table(j, paths);
  else if (j->count == 2)
    print_change_table(c, o);
  printf("%d of %d parameters disagree beyond their sigma\n", c->disagreeing, c->nparameter);
  for (int k = 0; k < c->nparameter; k++) {
    const rbv_agreement *p = &c->parameter[k];
    if (!(p->agreement_p < 0.01 / c->nparameter)) continue;
    printf("  %-8s mean %.5g, scatter %.2g %s:", p->name, p->mean, p->scatter, p->unit);
    for (int i = 0; i < c->nresult; i++) printf(" %.5g (%+.1f sigma)", p->value[i], p->z[i]);
    printf("\n");
  }
  printf("%-30s %10s %10s  %s\n", "run", "distance", "fit error",
         "error on others' logs (up to 5 Hz, every row)");
  for (int i = 0; i < j->count; i++) {
    printf("%-30s %10.2f %8.2f %%", cli_plain(shown, paths[i]), c->distance[i], 100 * c->error[i]);
    if (isfinite(j->others[i])) printf(" %20.2f %%", 100 * j->others[i]);
    printf("\n");
  }
  if (c->outlier >= 0)
    printf("%s is an outlier: %s\n", cli_plain(shown, paths[c->outlier]),
           c->outlier_residual
               ? "its fit leaves a much larger residual than those of the others, so check its data"
               : "its parameters differ from those of the others far beyond their sigma");
  if (has_limit(o)) print_limit(j, paths, o);
  const int best = best_run(j);
  if (best >= 0) printf("%s predicts the others' recordings best\n", cli_plain(shown, paths[best]));
}

/* ---- JSON ---- */

static void put_limit(rbv_json *json, const job *j, const options *o) {
  if (!has_limit(o)) return;
  rbv_json_key(json, "max_change");
  rbv_json_map(json);
  if (o->limit.sigma > 0)
    rbv_json_put_real(json, "sigma", o->limit.sigma);
  else
    rbv_json_put_real(json, "share", o->limit.share);
  rbv_json_put_int(json, "parameters_beyond", count_changes(j, o));
  rbv_json_end(json);
}

static void put_list(rbv_json *json, const char *key, const double *x, int n) {
  rbv_json_key(json, key);
  rbv_json_flat_list(json);
  for (int i = 0; i < n; i++) rbv_json_real(json, x[i]);
  rbv_json_end(json);
}

static int print_json(const job *j, char **paths, const options *o) {
  const rbv_comparison *c = j->comparison;
  rbv_json *json;
  const rbv_status status = rbv_json_new(&json);
  if (status != RBV_OK) return cli_fail(status);
  rbv_json_map(json);
  rbv_json_put_string(json, "schema", "roberval.comparison/1");
  rbv_json_put_string(json, "version", rbv_version());
  const int best = best_run(j);
  rbv_json_put_int(json, "disagreeing", c->disagreeing);
  rbv_json_put_string(json, "outlier", c->outlier >= 0 ? paths[c->outlier] : NULL);
  rbv_json_put_string(json, "best", best >= 0 ? paths[best] : NULL);
  put_limit(json, j, o);
  rbv_json_key(json, "runs");
  rbv_json_list(json);
  for (int i = 0; i < j->count; i++) {
    rbv_json_map(json);
    rbv_json_put_string(json, "file", paths[i]);
    rbv_json_put_real(json, "distance", c->distance[i]);
    rbv_json_put_real(json, "fit_error", c->error[i]);
    rbv_json_put_real(json, "relative_error_on_others", j->others[i]);
    rbv_json_end(json);
  }
  rbv_json_end(json);
  rbv_json_key(json, "parameters");
  rbv_json_list(json);
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
    put_list(json, "values", p->value, c->nresult);
    put_list(json, "z", p->z, c->nresult);
    put_list(json, "change_sigma", p->change, c->nresult);
    rbv_json_end(json);
  }
  rbv_json_end(json);
  rbv_json_end(json);
  return cli_write_json(NULL, json);
}

/* the mean of repeated runs as a parameter file; sigma from the scatter between them */
static int write_mean(const job *j, const options *o) {
  const rbv_comparison *c = j->comparison;
  rbv_json *json;
  const rbv_status status = rbv_json_new(&json);
  if (status != RBV_OK) return cli_fail(status);
  rbv_json_map(json);
  rbv_json_put_string(json, "robot", j->run[0].result->robot);
  rbv_json_put_int(json, "results", j->count);
  rbv_json_key(json, "parameters");
  rbv_json_list(json);
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
  return cli_write_json(o->output, json);
}

static int write_page(const job *j, char **paths, const options *o) {
  if (!o->page.html && !o->page.plots) return EXIT_DONE;
  const rbv_result **list = malloc((size_t)j->count * sizeof *list);
  if (!list) return cli_out_of_memory();
  for (int i = 0; i < j->count; i++) list[i] = j->run[i].result;
  const rbv_compare_page in = {.count = j->count,
                               .name = (const char *const *)paths,
                               .result = list,
                               .comparison = j->comparison,
                               .cross = o->no_logs ? NULL : j->error,
                               .others = o->no_logs ? NULL : j->others,
                               .best = best_run(j)};
  rbv_report *page;
  const rbv_status status = rbv_report_compare(&page, &in);
  free(list);
  if (status != RBV_OK) return cli_fail(status);
  const int code = cli_write_page(page, &o->page, &o->common);
  rbv_report_free(page);
  return code;
}

int cli_run_compare(int argc, char **argv) {
  options o = {.common = CLI_COMMON_DEFAULTS};
  const cli_opt table[] = {
      {"map", 0, OPT_TEXT, &o.map, "COLUMNS.yaml", "column map of the logs"},
      {"max-change", 0, OPT_TEXT, &o.max_change, "LIMIT",
       "largest change since the first result, in sigma (5) or as a share (10%); exit code 1 if a "
       "parameter exceeds it"},
      {"no-logs", 0, OPT_FLAG, &o.no_logs, NULL, "compare parameters only, read no recordings"},
      {"table", 0, OPT_FLAG, &o.table, NULL, "print all parameters of all results side by side"},
      {"output", 'o', OPT_TEXT, &o.output, "MEAN.json",
       "write the mean of the results and its sigma as a parameter file", .topic = CLI_FILES},
      {"report", 0, OPT_TEXT, &o.page.html, "FILE.html", "write the comparison as a page"},
      CLI_REPORT(o.page),
      CLI_COMMON(o.common),
      {0}};
  job j = {0};
  int code = cli_parse(&j.count, argc, argv, "compare", table);
  if (code < 0) code = read_limit(&o);
  if (code >= 0) return code;
  const size_t n = (size_t)j.count;
  j.run = calloc(n, sizeof *j.run);
  j.motions = calloc(n, sizeof *j.motions);
  j.error = calloc(n * n, sizeof *j.error);
  j.others = calloc(n, sizeof *j.others);
  code = j.run && j.motions && j.error && j.others ? -1 : cli_out_of_memory();
  for (int i = 0; i < j.count && code < 0; i++) j.others[i] = NAN;
  if (code < 0) code = load_results(&j, argv + 1, &o);
  if (code < 0 && !o.no_logs) code = load_logs(&j, &o);
  if (code < 0 && !o.no_logs) code = cross_predict(&j, &o);
  if (code < 0 && o.output) {
    code = write_mean(&j, &o);
    if (code == EXIT_DONE) code = -1;
  }
  if (code < 0) {
    code = write_page(&j, argv + 1, &o);
    if (code == EXIT_DONE) code = -1;
  }
  if (code < 0) {
    code = EXIT_DONE;
    if (o.common.json)
      code = print_json(&j, argv + 1, &o);
    else
      print_text(&j, argv + 1, &o);
    // results that contradict each other, or changed too much, are a negative outcome
    const bool changed = has_limit(&o) && count_changes(&j, &o) > 0;
    if (code == EXIT_DONE && (j.comparison->outlier >= 0 || changed)) code = EXIT_NO;
  }
  free_job(&j);
  return code;
}
