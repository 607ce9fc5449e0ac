/* Sweeps: the distribution of the plants, rejected plants, quantiles and worst cases by hand. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "montecarlo/montecarlo.h"

#include "arm.h"
#include "base/support.h"
#include "support.h"

enum { JOINTS = 2, SAMPLES = 400, MOST = 64, BLOCKS = 3, DRAWS = 20000 };
#define RATE 500.0

typedef struct {
  rbv_model *m;
  rbv_control *control;
  double *q;
  rbv_parameter item[MOST];
  double deviation[BLOCKS * MOST];
  rbv_result result;
  rbv_sweep_plan plan;
} fixture;

static int set_up(void **state) {
  static fixture f;
  assert_ok(rbv_model_parse(&f.m, "arm", light_arm, strlen(light_arm), NULL));
  rbv_control_joint joint[JOINTS] = {rbv_control_tune(0.7, 40, 0.1, 5),
                                     rbv_control_tune(0.1, 60, 0.1, 5)};
  assert_ok(rbv_control_new(&f.control, NULL, RATE, RBV_FEEDFORWARD_NONE, joint, JOINTS));
  f.q = malloc(SAMPLES * JOINTS * sizeof *f.q);
  for (int k = 0; k < SAMPLES; k++) {
    const double t = k / RATE;
    f.q[k] = 0.6 * (1 - cos(2 * RBV_PI * 0.7 * t)) - 1;
    f.q[k + SAMPLES] = 0.8 * (1 - cos(2 * RBV_PI * 1.1 * t));
  }
  const int n = rbv_model_column_count(f.m);
  assert_true(n <= MOST);
  for (int c = 0; c < n; c++)
    f.item[c] = (rbv_parameter){.name = rbv_model_column(f.m, c)->name,
                                .value = rbv_model_parameters(f.m)[c],
                                .sigma = NAN};
  f.result.estimate = (rbv_parameters){.count = n, .item = f.item};
  f.plan = (rbv_sweep_plan){.model = f.m,
                            .robot = "arm of the test",
                            .result = &f.result,
                            .control = f.control,
                            .reference = {.count = SAMPLES, .ld = SAMPLES, .q = f.q},
                            .sim = rbv_sim_defaults(),
                            .plants = 50,
                            .spread = 1,
                            .worst = 3,
                            .seed = 5};
  *state = &f;
  return 0;
}

static int tear_down(void **state) {
  fixture *f = *state;
  free(f->q);
  rbv_control_free(f->control);
  rbv_model_free(f->m);
  return 0;
}

/* columns whose value is not zero */
static int used_column(const fixture *f, int number) {
  for (int c = 0; c < f->result.estimate.count; c++)
    if (f->item[c].value != 0 && number-- == 0) return c;
  return -1;
}

static void set_sigma(fixture *f, double share) {
  for (int c = 0; c < f->result.estimate.count; c++)
    f->item[c].sigma = share > 0 && f->item[c].value != 0 ? share * fabs(f->item[c].value) : NAN;
  f->result.jackknife = (rbv_jackknife){0};
}

static rbv_sweep *run(const rbv_sweep_plan *plan, int threads) {
  rbv_sweep *s;
  assert_ok(rbv_sweep_new(&s, plan));
  const rbv_jobs_options o = {.threads = threads};
  assert_ok(rbv_jobs_run(NULL, rbv_sweep_jobs(s), &o));
  return s;
}

/*
 * Deviations of two parameters a: 2 -1 -1 and b: 0 1 -1 have the correlation 0 (product 0 - 1 + 1);
 * c: 2 0 -2 has 6 / sqrt(6 * 8) with a. A fourth parameter has no deviations: independent. Bounds
 * are five standard errors.
 */
static void test_plants_have_the_covariance(void **state) {
  fixture *f = *state;
  const int n = f->result.estimate.count;
  const int at[4] = {used_column(f, 0), used_column(f, 1), used_column(f, 2), used_column(f, 3)};
  const double block[3][BLOCKS] = {{2, -1, -1}, {0, 1, -1}, {2, 0, -2}};
  set_sigma(f, 0);
  memset(f->deviation, 0, sizeof f->deviation);
  for (int i = 0; i < 4; i++) f->item[at[i]].sigma = 0.01 * (i + 1) * fabs(f->item[at[i]].value);
  for (int i = 0; i < 3; i++)
    for (int b = 0; b < BLOCKS; b++) f->deviation[at[i] + b * n] = 1e-3 * block[i][b];
  f->result.jackknife = (rbv_jackknife){.nblock = BLOCKS, .deviation = f->deviation, .student = 1};
  rbv_sweep_plan plan = f->plan;
  plan.spread = 2;
  rbv_sweep *s;
  assert_ok(rbv_sweep_new(&s, &plan));
  double value[MOST], sum[4] = {0}, product[4][4] = {{0}};
  for (int d = 0; d < DRAWS; d++) {
    rbv_sweep_draw(value, s, d);
    double z[4];
    for (int i = 0; i < 4; i++) {
      z[i] = (value[at[i]] - f->item[at[i]].value) / (2 * f->item[at[i]].sigma);
      sum[i] += z[i] / DRAWS;
      for (int k = 0; k <= i; k++) product[i][k] += z[i] * z[k] / DRAWS;
    }
    // parameters without sigma keep their value
    for (int c = 0; c < n; c++)
      if (isnan(f->item[c].sigma)) assert_true(value[c] == f->item[c].value);
  }
  const double bound = 5 / sqrt(DRAWS);
  for (int i = 0; i < 4; i++) {
    assert_near(sum[i], 0, bound, 0);
    assert_near(product[i][i], 1, sqrt(2) * bound, 0);
  }
  assert_near(product[1][0], 0, bound, 0);
  assert_near(product[2][0], 6 / sqrt(48), 1.5 * bound, 0);
  assert_near(product[2][1], 2 / sqrt(16), 1.5 * bound, 0);
  for (int i = 0; i < 3; i++) assert_near(product[3][i], 0, bound, 0);
  rbv_sweep_free(s);
  memset(&f->result.jackknife, 0, sizeof f->result.jackknife);
}

/* the worst plants, simulated one by one */
static void test_worst_plants_are_those_of_single_runs(void **state) {
  fixture *f = *state;
  set_sigma(f, 0.05);
  rbv_sweep *s = run(&f->plan, 1);
  const rbv_sweep_summary *sum;
  assert_ok(rbv_sweep_summarise(&sum, s));
  assert_int_equal(sum->plants, f->plan.plants);
  assert_int_equal(sum->done, f->plan.plants);
  assert_false(sum->correlated);
  assert_int_equal(sum->nworst, 3);
  for (int i = 0; i < sum->nworst; i++) {
    rbv_sim *sim;
    rbv_sim_trace trace;
    rbv_sim_outcome outcome;
    double rms[JOINTS];
    assert_ok(rbv_sim_new(&sim, f->m, f->control, &f->plan.sim, 1));
    assert_ok(rbv_sim_trace_new(&trace, JOINTS, SAMPLES));
    const rbv_sim_lane own = {.chi = sum->worst[i].value};
    assert_ok(rbv_sim_set(sim, 0, &own));
    assert_ok(rbv_sim_run(&outcome, sim, &f->plan.reference, &trace));
    rbv_sim_tracking(rms, &trace, JOINTS, SAMPLES);
    const int j = sum->worst[i].joint;
    assert_near(rms[j] / sum->own[j].tracking_rms, sum->worst[i].ratio, 0, 1e-9);
    if (i > 0) assert_true(sum->worst[i].ratio <= sum->worst[i - 1].ratio);
    // no plant is beyond the largest value
    const double most = sum->quantile[(RBV_SWEEP_TRACKING_RMS * JOINTS + j) * RBV_SWEEP_LEVELS + 4];
    assert_true(rms[j] <= most * (1 + 1e-9));
    rbv_sim_trace_free(&trace);
    rbv_sim_free(sim);
  }
  rbv_sweep_free(s);
}

/* sigmas of three times the values: many plants have no positive mass matrix */
static void test_impossible_plants_are_rejected(void **state) {
  fixture *f = *state;
  set_sigma(f, 1);
  rbv_sweep_plan plan = f->plan;
  plan.spread = 3;
  rbv_sweep *s = run(&plan, 1), *two = run(&plan, 2);
  const rbv_sweep_summary *a, *b;
  assert_ok(rbv_sweep_summarise(&a, s));
  assert_ok(rbv_sweep_summarise(&b, two));
  assert_true(a->rejected > 0);
  assert_int_equal(a->rejected + a->diverged + a->done, a->plants);
  for (int i = 0; i < a->nworst; i++)
    assert_int_not_equal(a->worst[i].outcome.verdict, RBV_SIM_SINGULAR);
  assert_int_equal(a->rejected, b->rejected);
  assert_int_equal(a->done, b->done);
  rbv_sweep_free(s);
  rbv_sweep_free(two);
}

static void test_refusals(void **state) {
  fixture *f = *state;
  rbv_sweep *s;
  set_sigma(f, 0);
  assert_int_equal(rbv_sweep_new(&s, &f->plan), RBV_EINPUT);
  assert_non_null(strstr(rbv_message(), "no sigma"));
  set_sigma(f, 0.05);
  rbv_sweep_plan plan = f->plan;
  plan.sim.escape = 1e-6;
  assert_int_equal(rbv_sweep_new(&s, &plan), RBV_EINPUT);
  assert_non_null(strstr(rbv_message(), "diverges with the estimated parameters"));
  plan = f->plan;
  plan.plants = 0;
  assert_int_equal(rbv_sweep_new(&s, &plan), RBV_EARG);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_plants_have_the_covariance),
      cmocka_unit_test(test_worst_plants_are_those_of_single_runs),
      cmocka_unit_test(test_impossible_plants_are_rejected),
      cmocka_unit_test(test_refusals),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
