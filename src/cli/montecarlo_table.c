#include "montecarlo_table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool ends_with(const char *text, const char *end) {
  const size_t n = strlen(text), m = strlen(end);
  return n >= m && strcmp(text + n - m, end) == 0;
}

int cli_check_report(const char *command, const char *output) {
  if (!output || ends_with(output, ".csv") || ends_with(output, ".json")) return -1;
  return cli_usage(command, "-o needs a name that ends with .csv or .json, not '%s'", output);
}

/* ---- text output ---- */

/* percent with three digits, nine characters wide */
static void put_percent(double share) {
  if (isfinite(share))
    printf(" %8.*f", fabs(share) < 0.0995 ? 2 : fabs(share) < 9.995 ? 1 : 0, 100 * share);
  else
    printf(" %8s", "-");
}

static void print_parameters(const rbv_montecarlo_summary *r) {
  int zero = 0;
  printf("%-10s %9s ", "", "");
  for (int i = 0; i < r->nmethod; i++) printf("  %17s", r->method[i].method);
  printf("\n%-10s %9s ", "parameter", "truth");
  for (int i = 0; i < r->nmethod; i++) printf("   %7s %8s", "bias %", "spread %");
  printf("\n");
  for (int k = 0; k < r->nparameter; k++) {
    zero += r->truth[k] == 0;
    if (r->truth[k] == 0) continue;
    printf("%-10s %9.4g ", r->name[k], r->truth[k]);
    for (int i = 0; i < r->nmethod; i++) {
      const rbv_montecarlo_parameter *p = &r->method[i].parameter[k];
      printf(" ");
      put_percent(p->bias / fabs(r->truth[k]));
      put_percent(p->spread / fabs(r->truth[k]));
    }
    printf("  %s\n", r->unit[k]);
  }
  if (zero > 0) printf("(%d parameters with the true value 0 are only in the files)\n", zero);
}

typedef double number_of(const rbv_montecarlo_method *m);

static double bias_median(const rbv_montecarlo_method *m) { return m->bias_median; }
static double bias_worst(const rbv_montecarlo_method *m) { return m->bias_worst; }
static double spread_median(const rbv_montecarlo_method *m) { return m->spread_median; }
static double sigma_median(const rbv_montecarlo_method *m) { return m->sigma_median; }
static double ratio_median(const rbv_montecarlo_method *m) { return m->ratio_median; }
static double coverage(const rbv_montecarlo_method *m) { return m->coverage; }
static double fit_error(const rbv_montecarlo_method *m) { return m->fit_error; }
static double second_error(const rbv_montecarlo_method *m) { return m->second_error; }
static double iterations(const rbv_montecarlo_method *m) { return m->iterations; }

static const struct {
  const char *text;
  number_of *number;
  bool percent;
} lines[] = {{"median |bias| %", bias_median, true},
             {"worst |bias| %", bias_worst, true},
             {"median spread %", spread_median, true},
             {"median estimated sigma %", sigma_median, true},
             {"sigma over spread, median", ratio_median, false},
             {"coverage of 1.96 sigma %", coverage, true},
             {"torque error, fit %", fit_error, true},
             {"torque error, second motion %", second_error, true},
             {"iterations, mean", iterations, false}};

static void print_methods(const rbv_montecarlo_summary *r) {
  printf("\n%-30s", "");
  for (int i = 0; i < r->nmethod; i++) printf(" %9s", r->method[i].method);
  printf("\n%-30s", "converged");
  for (int i = 0; i < r->nmethod; i++) printf(" %9d", r->method[i].converged);
  printf("\n%-30s", "not converged");
  for (int i = 0; i < r->nmethod; i++) printf(" %9d", r->method[i].not_converged);
  printf("\n%-30s", "failed");
  for (int i = 0; i < r->nmethod; i++) printf(" %9d", r->method[i].failed);
  for (size_t l = 0; l < sizeof lines / sizeof lines[0]; l++) {
    printf("\n%-30s", lines[l].text);
    for (int i = 0; i < r->nmethod; i++) {
      const double x = lines[l].number(&r->method[i]);
      printf(" ");
      if (lines[l].percent)
        put_percent(x);
      else if (isfinite(x))
        printf(" %8.2f", x);
      else
        printf(" %8s", "-");
    }
  }
  printf("\n");
}

static void print_text(const rbv_montecarlo_summary *r) {
  printf("%d run%s", r->done, r->done == 1 ? "" : "s");
  if (r->done < r->runs) printf(" of %d", r->runs);
  if (r->diverged > 0) printf(", %d of them diverged (the first: %s)", r->diverged, r->reason);
  printf("\n\n");
}

static void print_reasons(const rbv_montecarlo_summary *r) {
  for (int i = 0; i < r->nmethod; i++)
    if (r->method[i].failed > 0)
      printf("first failure of %s: %s\n", r->method[i].method, r->method[i].reason);
}

/* ---- JSON and CSV ---- */

/* copy a value of the description */
static void copy_node(rbv_json *json, const rbv_node *node) {
  double number;
  bool truth;
  if (rbv_node_get_kind(node) == RBV_NODE_SCALAR) {
    if (rbv_node_is_null(node))
      rbv_json_null(json);
    else if (rbv_node_is_quoted(node))
      rbv_json_string(json, rbv_node_text(node));
    else if (rbv_node_bool(&truth, node) == RBV_OK)
      rbv_json_bool(json, truth);
    else if (rbv_node_real(&number, node) == RBV_OK)
      rbv_json_real(json, number);
    return;
  }
  const bool map = rbv_node_get_kind(node) == RBV_NODE_MAP;
  if (map)
    rbv_json_map(json);
  else
    rbv_json_flat_list(json);
  for (int i = 0; i < rbv_node_count(node); i++) {
    if (map) rbv_json_key(json, rbv_node_key(node, i));
    copy_node(json, rbv_node_at(node, i));
  }
  rbv_json_end(json);
}

/* the study without its parameters, which are written with the results */
static rbv_status put_study(rbv_json *json, const rbv_montecarlo_summary *r) {
  rbv_document *doc;
  const rbv_status status =
      rbv_document_parse(&doc, "study", r->description, strlen(r->description));
  if (status != RBV_OK) return status;
  const rbv_node *root = rbv_document_root(doc);
  rbv_json_key(json, "study");
  rbv_json_map(json);
  for (int i = 0; i < rbv_node_count(root); i++) {
    if (strcmp(rbv_node_key(root, i), "parameters") == 0) continue;
    rbv_json_key(json, rbv_node_key(root, i));
    copy_node(json, rbv_node_at(root, i));
  }
  rbv_json_end(json);
  rbv_document_free(doc);
  return RBV_OK;
}

static void put_method(rbv_json *json, const rbv_montecarlo_summary *r, int i) {
  const rbv_montecarlo_method *m = &r->method[i];
  rbv_json_map(json);
  rbv_json_put_string(json, "method", m->method);
  rbv_json_put_int(json, "converged", m->converged);
  rbv_json_put_int(json, "not_converged", m->not_converged);
  rbv_json_put_int(json, "failed", m->failed);
  if (m->failed > 0) rbv_json_put_string(json, "reason", m->reason);
  rbv_json_put_real(json, "iterations", m->iterations);
  rbv_json_put_real(json, "bias_median", m->bias_median);
  rbv_json_put_real(json, "bias_worst", m->bias_worst);
  rbv_json_put_string(json, "bias_worst_parameter",
                      m->bias_worst_at >= 0 ? r->name[m->bias_worst_at] : NULL);
  rbv_json_put_real(json, "spread_median", m->spread_median);
  rbv_json_put_real(json, "sigma_median", m->sigma_median);
  rbv_json_put_real(json, "sigma_over_spread_median", m->ratio_median);
  rbv_json_put_real(json, "coverage", m->coverage);
  rbv_json_put_real(json, "fit_error", m->fit_error);
  rbv_json_put_real(json, "second_error", m->second_error);
  rbv_json_key(json, "parameters");
  rbv_json_list(json);
  for (int k = 0; k < r->nparameter; k++) {
    const rbv_montecarlo_parameter *p = &m->parameter[k];
    rbv_json_map(json);
    rbv_json_put_string(json, "name", r->name[k]);
    rbv_json_put_string(json, "unit", r->unit[k]);
    rbv_json_put_real(json, "truth", r->truth[k]);
    rbv_json_put_real(json, "mean", p->mean);
    rbv_json_put_real(json, "bias", p->bias);
    rbv_json_put_real(json, "spread", p->spread);
    rbv_json_put_real(json, "sigma", p->sigma);
    rbv_json_put_real(json, "coverage", p->coverage);
    rbv_json_end(json);
  }
  rbv_json_end(json);
  rbv_json_end(json);
}

static int write_json(const rbv_montecarlo_summary *r, const char *path) {
  rbv_json *json;
  rbv_status status = rbv_json_new(&json);
  if (status != RBV_OK) return cli_fail(status);
  rbv_json_map(json);
  rbv_json_put_string(json, "schema", "roberval.montecarlo/1");
  rbv_json_put_string(json, "version", rbv_version());
  rbv_json_put_int(json, "runs", r->runs);
  rbv_json_put_int(json, "done", r->done);
  rbv_json_put_int(json, "diverged", r->diverged);
  if (r->diverged > 0) rbv_json_put_string(json, "reason", r->reason);
  status = put_study(json, r);
  rbv_json_key(json, "methods");
  rbv_json_list(json);
  for (int i = 0; i < r->nmethod; i++) put_method(json, r, i);
  rbv_json_end(json);
  rbv_json_end(json);
  if (status == RBV_OK) return cli_write_json(path, json);
  rbv_json_free(json);
  return cli_fail(status);
}

static int write_csv(const rbv_montecarlo_summary *r, const char *path) {
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  if (!out) return cli_out_of_memory();
  fputs("method,parameter,unit,runs,truth,mean,bias,spread,sigma,coverage\n", out);
  for (int i = 0; i < r->nmethod; i++)
    for (int k = 0; k < r->nparameter; k++) {
      const rbv_montecarlo_parameter *p = &r->method[i].parameter[k];
      const char *const texts[] = {r->method[i].method, r->name[k], r->unit[k]};
      const double numbers[] = {r->truth[k], p->mean, p->bias, p->spread, p->sigma, p->coverage};
      for (int c = 0; c < 3; c++) {
        rbv_csv_put_text(out, texts[c]);
        fputc(',', out);
      }
      fprintf(out, "%d", r->method[i].converged);
      // an undefined number is an empty field
      for (int c = 0; c < 6; c++)
        isfinite(numbers[c]) ? fprintf(out, ",%.17g", numbers[c]) : fputc(',', out);
      fputc('\n', out);
    }
  const bool failed = fclose(out) != 0;
  const int code = failed ? cli_out_of_memory() : cli_write(path, text, size);
  free(text);
  return code;
}

int cli_report_study(const rbv_montecarlo *study, const char *output, const cli_common *common) {
  rbv_montecarlo_summary *r;
  const rbv_status status = rbv_montecarlo_summarise(&r, study);
  if (status != RBV_OK) return cli_fail(status);
  int code = EXIT_DONE;
  if (output) code = ends_with(output, ".csv") ? write_csv(r, output) : write_json(r, output);
  if (code == EXIT_DONE && common->json) {
    code = write_json(r, NULL);
  } else if (code == EXIT_DONE) {
    print_text(r);
    print_parameters(r);
    print_methods(r);
    print_reasons(r);
  }
  // negative outcome if no run has a result
  if (code == EXIT_DONE && r->diverged == r->done) code = EXIT_NO;
  rbv_montecarlo_summary_free(r);
  return code;
}
