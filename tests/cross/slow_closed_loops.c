/*
 * Identification of a robot with closed loops by the tool: a parallelogram arm, simulated with
 * Lagrange multipliers by support/mechanism.h, with friction, quantised positions in the loop and
 * noise on the torques. Six recordings: error of another motion, coverage of sigma, iterations of
 * the instrumental variables.
 */
#include <math.h>
#include <roberval/sys/baseparam.h>
#include <roberval/sys/dynamics.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "document/document.h"
#include "mechanism.h"
#include "nodes.h"
#include "support.h"
#include "tool.h"

#define RUNS 6
#define KNOWN 0.1  // relative sigma below which the error of a parameter is compared

enum { WLS, IV, PIV, METHODS };
static const char *const method[METHODS] = {"wls", "iv", "piv"};

typedef struct {
  mechanism m;
  rbv_model *model;
  rbv_base *base;
  double *chi, *truth;     // columns of the model, base parameters
  mechanism_record other;  // a motion that is not identified
} robot;

typedef struct {
  int inside, all, iterations;
  double worst, error[RUNS];  // error of the other motion in sigma; median error of parameters
  int steps[RUNS];
  bool converged[RUNS];
} tally;

static robot load(mechanism m, const mechanism_plan *plan) {
  robot r = {.m = m};
  mechanism_plan other = *plan;
  other.motion = other.seed = 99;
  rbv_model_options o = rbv_model_defaults();
  assert_ok(rbv_model_load(&r.model, mechanism_write(&m), &o));
  rbv_base_options all = rbv_base_defaults();
  assert_ok(rbv_base_new(&r.base, r.model, &all));
  r.chi = calloc((size_t)rbv_model_column_count(r.model), sizeof *r.chi);
  r.truth = calloc((size_t)r.base->count, sizeof *r.truth);
  mechanism_parameters(r.chi, &m, r.model);
  rbv_base_values(r.truth, r.base, r.chi);
  r.other = mechanism_simulate(&m, &other);
  return r;
}

static void unload(robot *r) {
  mechanism_record_free(&r->other);
  free(r->chi);
  free(r->truth);
  rbv_base_free(r->base);
  rbv_model_free(r->model);
}

/* what the values leave of the torques of the other motion, in sigma of their noise */
static double other_motion(const robot *r, const double *value) {
  const mechanism_record *x = &r->other;
  double *chi = calloc((size_t)rbv_model_column_count(r->model), sizeof *chi), sum = 0;
  for (int k = 0; k < r->base->count; k++) chi[r->base->kept[k]] = value[k];
  rbv_dynamics *d;
  assert_ok(rbv_dynamics_new(&d, r->model));
  assert_ok(rbv_dynamics_set(d, chi, false));
  for (ptrdiff_t k = 0; k < x->count; k++) {
    double s[3][MECHANISM_JOINTS], tau[MECHANISM_JOINTS];
    for (int j = 0; j < x->n; j++)
      for (int i = 0; i < 3; i++) s[i][j] = x->exact[i][k + j * x->count];
    rbv_dynamics_inverse(tau, d, s[0], s[1], s[2]);
    for (int j = 0; j < x->n; j++)
      sum += pow((x->tau[k + j * x->count] - tau[j]) / x->noise[j], 2) / (double)(x->count * x->n);
  }
  rbv_dynamics_free(d);
  free(chi);
  return sqrt(sum);
}

static int by_size(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

static double median(const double *x, int count) {
  double copy[200];
  memcpy(copy, x, (size_t)count * sizeof *x);
  qsort(copy, (size_t)count, sizeof *copy, by_size);
  return (copy[(count - 1) / 2] + copy[count / 2]) / 2;
}

static void judge(tally *t, const robot *r, int run) {
  rbv_result *result = tool_result("run.json");
  double value[200], error[200];
  int known = 0;
  assert_true(r->base->count <= 200);
  for (int k = 0; k < r->base->count; k++) {
    const rbv_parameter *p = parameter_of(result, r->base->name[k]);
    value[k] = p->value;
    if (!isfinite(p->sigma)) continue;
    t->all++;
    t->inside += fabs(p->value - r->truth[k]) <= 1.96 * p->sigma;
    if (p->sigma < KNOWN * fabs(p->value))
      error[known++] = fabs(p->value - r->truth[k]) / fabs(r->truth[k]);
  }
  t->error[run] = median(error, known);
  t->worst = fmax(t->worst, other_motion(r, value));
  rbv_result_free(result);
}

static void identify(tally *t, const robot *r, int run, int how) {
  const char *loop = how == WLS ? "" : "--controller law.yaml --skip 1";
  rbv_document *doc =
      tool_json("identify %s.yaml log.csv -m %s --friction plain %s -q --json -o run.json",
                r->m.name, method[how], loop);
  const rbv_node *root = rbv_document_root(doc), *steps = rbv_node_find(root, "iterations");
  if (how != WLS) {
    t->converged[run] = strcmp(rbv_node_text(rbv_node_find(root, "converged")), "true") == 0;
    t->steps[run] = rbv_node_count(steps);
  }
  rbv_document_free(doc);
  judge(t, r, run);
}

static void check(mechanism m, mechanism_plan plan) {
  robot r = load(m, &plan);
  tally t[METHODS] = {{0}};
  int quick = 0;
  for (int run = 0; run < RUNS; run++) {
    plan.motion = plan.seed = (uint64_t)run + 1;
    mechanism_record x = mechanism_simulate(&m, &plan);
    mechanism_record_write(&x, &m, &plan, "log.csv", "law.yaml");
    for (int how = 0; how < METHODS; how++) identify(&t[how], &r, run, how);
    quick += t[PIV].converged[run] && t[PIV].steps[run] <= 6;
    mechanism_record_free(&x);
  }
  for (int how = 0; how < METHODS; how++)
    print_message(
        "%s, %s: %d parameters, error of another motion %.3f of the noise at most, coverage "
        "%.1f %%, median error of parameters %.3f %%\n",
        m.name, method[how], r.base->count, t[how].worst, 100.0 * t[how].inside / t[how].all,
        100 * median(t[how].error, RUNS));
  print_message("%s: piv converges in 6 iterations in %d of %d\n", m.name, quick, RUNS);
  for (int how = WLS; how <= PIV; how++) {
    const double coverage = (double)t[how].inside / t[how].all;
    assert_true(t[how].worst <= 1.4);
    if (how != IV) assert_true(coverage >= 0.92 && coverage <= 0.98);
  }
  assert_true(quick == RUNS);
  unload(&r);
}

static const mechanism_plan usual = {.rate_hz = 2000,
                                     .seconds = 10,
                                     .counts = 65536,
                                     .noise = 0.02,
                                     .noise_hz = 20,
                                     .stiffness = 25,
                                     .roll_off = 3};

static void test_parallelogram(void **state) {
  (void)state;
  mechanism_plan plan = usual;
  plan.reach = 1;
  check(mechanism_parallelogram(), plan);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_parallelogram)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
