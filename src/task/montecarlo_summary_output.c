/* The table of a Monte Carlo study as JSON and CSV: used by the tasks montecarlo and merge. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "log/log.h"

#include "document/document.h"
#include "task/task_internal.h"

static bool ends_with(const char *text, const char *end) {
  const size_t n = strlen(text), m = strlen(end);
  return n >= m && strcmp(text + n - m, end) == 0;
}

rbv_status rbv_summary_output_check(const char *output) {
  if (!output || ends_with(output, ".csv") || ends_with(output, ".json")) return RBV_OK;
  return rbv_fail_option(RBV_EOPTION, "output",
                         "output needs a name that ends with .csv or .json, not '%s'", output);
}

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
  rbv_json_put_map(json, "study");
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
  rbv_json_put_real(json, "spread_over_bound_median", m->excess_median);
  rbv_json_put_real(json, "coverage", m->coverage);
  rbv_json_put_real(json, "fit_error", m->fit_error);
  rbv_json_put_real(json, "second_error", m->second_error);
  rbv_json_put_list(json, "parameters");
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
    rbv_json_put_real(json, "cramer_rao_sigma", p->bound);
    rbv_json_put_real(json, "coverage", p->coverage);
    rbv_json_end(json);
  }
  rbv_json_end(json);
  rbv_json_end(json);
}

rbv_status rbv_summary_put(rbv_json *json, const rbv_montecarlo_summary *r) {
  rbv_json_put_schema(json, "roberval.montecarlo/1");
  rbv_json_put_int(json, "runs", r->runs);
  rbv_json_put_int(json, "done", r->done);
  rbv_json_put_int(json, "diverged", r->diverged);
  if (r->diverged > 0) rbv_json_put_string(json, "reason", r->reason);
  const rbv_status status = put_study(json, r);
  rbv_json_put_list(json, "methods");
  for (int i = 0; i < r->nmethod; i++) put_method(json, r, i);
  rbv_json_end(json);
  return status;
}

static rbv_status save_csv(const char *path, const rbv_montecarlo_summary *r) {
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  if (!out) return RBV_EMEM;
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
  RBV_FINISH(failed ? RBV_EMEM : rbv_file_write(path, text, size), free(text));
}

static rbv_status save_json(const char *path, const rbv_montecarlo_summary *r) {
  rbv_json *json;
  const char *text;
  size_t size;
  RBV_TRY(rbv_json_new(&json));
  rbv_json_map(json);
  rbv_status status = rbv_summary_put(json, r);
  rbv_json_end(json);
  if (status == RBV_OK) status = rbv_json_finish(&text, &size, json);
  if (status == RBV_OK) status = rbv_file_write(path, text, size);
  rbv_json_free(json);
  return status;
}

rbv_status rbv_summary_save(const char *output, const rbv_montecarlo_summary *summary) {
  if (!output) return RBV_OK;
  return ends_with(output, ".csv") ? save_csv(output, summary) : save_json(output, summary);
}
