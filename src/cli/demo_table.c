#include "demo_table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FAR 3  // sigma; beyond it an estimate is marked

int cli_demo_table_load(cli_demo_table *d, const char *robot) {
  const rbv_base_options how = rbv_base_defaults();
  rbv_status status = rbv_model_load(&d->model, robot, NULL);
  if (status == RBV_OK) status = rbv_base_new(&d->base, d->model, &how);
  if (status != RBV_OK) return cli_fail(status);
  d->truth = calloc((size_t)d->base->count, sizeof *d->truth);
  if (!d->truth) return cli_out_of_memory();
  rbv_base_values(d->truth, d->base, rbv_model_parameters(d->model));
  return -1;
}

void cli_demo_table_free(cli_demo_table *d) {
  for (int i = 0; i < d->count; i++) rbv_result_free(d->result[i]);
  free(d->truth);
  rbv_base_free(d->base);
  rbv_model_free(d->model);
}

static void print_fit(const rbv_result *r, const cli_common *common) {
  cli_message(common, "%s: error %.2f %% of the torque norm, %.2f %% on the other motion",
              r->method, 100 * r->fit.relative_error, 100 * r->validation.relative_error);
  if (r->iterations > 1) cli_message(common, "; %d iterations", r->iterations);
  if (!r->converged) cli_message(common, ", not converged");
  cli_message(common, "\n");
}

int cli_demo_table_add(cli_demo_table *d, const char *method, const cli_common *common) {
  char path[64];
  snprintf(path, sizeof path, "%s.json", method);
  rbv_result *r = NULL;
  const rbv_status status = access(path, F_OK) == 0 ? rbv_result_load(&r, path) : RBV_OK;
  if (status != RBV_OK) return cli_fail(status);
  d->method[d->count] = method;
  d->result[d->count++] = r;
  if (r) print_fit(r, common);
  return -1;
}

static const rbv_parameter *find(const rbv_result *r, const char *name) {
  for (int i = 0; r && i < r->estimate.count; i++)
    if (strcmp(r->estimate.item[i].name, name) == 0) return &r->estimate.item[i];
  return NULL;
}

/* an estimate with its uncertainty; NULL: none */
static const rbv_parameter *estimate(const cli_demo_table *d, int method, int k) {
  const rbv_parameter *p = find(d->result[method], d->base->name[k]);
  return p && isfinite(p->value) && p->sigma > 0 ? p : NULL;
}

static bool is_near(const rbv_parameter *p, double truth) {
  return fabs(p->value - truth) <= FAR * p->sigma;
}

static int count_near(const cli_demo_table *d, int method) {
  int count = 0;
  for (int k = 0; k < d->base->count; k++) {
    const rbv_parameter *p = estimate(d, method, k);
    count += p && is_near(p, d->truth[k]);
  }
  return count;
}

/* ---- text output ---- */

static void print_percent(const cli_demo_table *d, const char *title, bool validation) {
  printf("%-13s", title);
  for (int m = 0; m < d->count; m++) {
    const rbv_result *r = d->result[m];
    if (r)
      printf("%8.2f ", 100 * (validation ? &r->validation : &r->fit)->relative_error);
    else
      printf("%8s ", "-");
  }
  printf("%%\n");
}

static void print_parameter(const cli_demo_table *d, int k) {
  const rbv_parameter *first = estimate(d, 0, k);
  printf("%-6s%7.4g", d->base->name[k], d->truth[k]);
  for (int m = 0; m < d->count; m++) {
    const rbv_parameter *p = estimate(d, m, k);
    if (p)
      printf("%8.4f%c", p->value, is_near(p, d->truth[k]) ? ' ' : '*');
    else
      printf("%8s ", "-");
  }
  if (first)
    printf("%8.4f", first->sigma);
  else
    printf("%8s", "-");
  printf("  %s\n", rbv_model_column(d->model, d->base->kept[k])->unit);
}

int cli_demo_table_print(const cli_demo_table *d) {
  int zero = 0;
  printf("%-6s%7s", "", "true");
  for (int m = 0; m < d->count; m++) printf("%8s ", d->method[m]);
  printf("%8s\n", "sigma");
  for (int k = 0; k < d->base->count; k++) {
    if (d->truth[k] != 0)
      print_parameter(d, k);
    else
      zero++;
  }
  printf("%-13s", "near truth");
  for (int m = 0; m < d->count; m++) printf("%8d ", count_near(d, m));
  printf("of %d; %d true values are 0\n", d->base->count, zero);
  print_percent(d, "error", false);
  print_percent(d, "other motion", true);
  printf("sigma: of %s; *: more than %d of its own sigma from the truth\n", d->method[0], FAR);
  return EXIT_DONE;
}

/* ---- JSON ---- */

static void put_method(rbv_json *json, const cli_demo_table *d, int m) {
  const rbv_result *r = d->result[m];
  rbv_json_map(json);
  rbv_json_put_string(json, "name", d->method[m]);
  rbv_json_put_bool(json, "converged", r && r->converged);
  rbv_json_put_real(json, "fit_relative_error", r ? r->fit.relative_error : NAN);
  rbv_json_put_real(json, "validation_relative_error", r ? r->validation.relative_error : NAN);
  rbv_json_put_int(json, "within_3_sigma", count_near(d, m));
  if (!r) rbv_json_put_string(json, "reason", "the method gave no result");
  rbv_json_end(json);
}

static void put_parameter(rbv_json *json, const cli_demo_table *d, int k) {
  rbv_json_map(json);
  rbv_json_put_string(json, "name", d->base->name[k]);
  rbv_json_put_string(json, "unit", rbv_model_column(d->model, d->base->kept[k])->unit);
  rbv_json_put_real(json, "true", d->truth[k]);
  for (int m = 0; m < d->count; m++) {
    const rbv_parameter *p = estimate(d, m, k);
    if (!p) continue;
    rbv_json_put_map(json, d->method[m]);
    rbv_json_put_real(json, "value", p->value);
    rbv_json_put_real(json, "sigma", p->sigma);
    rbv_json_end(json);
  }
  rbv_json_end(json);
}

int cli_demo_table_write(const cli_demo_table *d, const char *folder, uint64_t seed, int answer) {
  rbv_json *json;
  const rbv_status status = rbv_json_new(&json);
  if (status != RBV_OK) return cli_fail(status);
  rbv_json_map(json);
  rbv_json_put_schema(json, "roberval.demo/2");
  rbv_json_put_string(json, "robot", rbv_model_name(d->model));
  rbv_json_put_int(json, "seed", (long long)seed);
  rbv_json_put_string(json, "folder", folder);
  rbv_json_put_bool(json, "passed", answer == EXIT_DONE);
  rbv_json_put_list(json, "methods");
  for (int m = 0; m < d->count; m++) put_method(json, d, m);
  rbv_json_end(json);
  rbv_json_put_list(json, "parameters");
  for (int k = 0; k < d->base->count; k++) put_parameter(json, d, k);
  rbv_json_end(json);
  rbv_json_end(json);
  return cli_write_json(NULL, json);
}
