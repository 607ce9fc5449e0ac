/* Monte Carlo: statistics by hand, independence of threads and shards, failures. */
#include <math.h>
#include <roberval/sys/identify.h>
#include <roberval/sys/montecarlo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arm.h"
#include "control/control.h"
#include "montecarlo/montecarlo_internal.h"
#include "support.h"

/* ---- statistics ---- */

/* 1, 2, 6 with a true value of 2: mean 3, bias 1, spread sqrt((4 + 1 + 9)/2); |error| 1, 0, 4 */
static void test_parameter_by_hand(void **state) {
  (void)state;
  const double value[] = {1, 2, 6}, sigma[] = {0.5, 0.1, 2.1}, bound[] = {1, 2, 3};
  const rbv_montecarlo_parameter p = rbv_summarise_parameter(value, sigma, bound, 3, 2);
  assert_near(p.bound, 2, 0, 1e-15);
  assert_near(p.mean, 3, 0, 1e-15);
  assert_near(p.bias, 1, 0, 1e-15);
  assert_near(p.spread, sqrt(7), 0, 1e-15);
  assert_near(p.sigma, 0.9, 0, 1e-15);
  // 1 > 0.98, 0 <= 0.196, 4 <= 4.116
  assert_near(p.coverage, 2.0 / 3, 0, 1e-15);
  assert_true(isnan(rbv_summarise_parameter(value, sigma, bound, 1, 2).spread));
  assert_true(isnan(rbv_summarise_parameter(value, sigma, bound, 0, 2).bias));
}

/* relative to the true value; parameters with a true value of zero do not count */
static void test_medians_by_hand(void **state) {
  (void)state;
  const double truth[] = {2, -4, 0, 10};
  rbv_montecarlo_parameter p[] = {
      {.bias = 0.2, .spread = 0.1, .sigma = 0.2, .bound = 0.05, .coverage = 1},
      {.bias = -2, .spread = 0.4, .sigma = 0.4, .bound = 0.4, .coverage = 0.5},
      {.bias = 9, .spread = 9, .sigma = 1, .coverage = 0},
      {.bias = 0.1, .spread = 5, .sigma = 1, .bound = 4, .coverage = 1}};
  rbv_montecarlo_method m = {.parameter = p};
  double work[4];
  assert_ok(rbv_summarise_method(&m, truth, 4, work));
  assert_near(m.bias_median, 0.1, 0, 1e-15);  // 0.1, 0.5, 0.01
  assert_near(m.bias_worst, 0.5, 0, 1e-15);
  assert_int_equal(m.bias_worst_at, 1);
  assert_near(m.spread_median, 0.1, 0, 1e-15);   // 0.05, 0.1, 0.5
  assert_near(m.sigma_median, 0.1, 0, 1e-15);    // 0.1, 0.1, 0.1
  assert_near(m.ratio_median, 1, 0, 1e-15);      // 2, 1, 0.2
  assert_near(m.excess_median, 1.25, 0, 1e-15);  // 2, 1, 1.25
  assert_near(m.coverage, 0.625, 0, 1e-15);

  // parameters without an estimate do not count
  const double value[] = {NAN, NAN};
  p[1] = rbv_summarise_parameter(value, value, value, 2, -4);
  assert_ok(rbv_summarise_method(&m, truth, 4, work));
  assert_near(m.bias_worst, 0.1, 0, 1e-15);
  assert_near(m.coverage, 2.0 / 3, 0, 1e-15);
}

/* ---- studies of a small arm ---- */

#define N 2
#define RATE 500.0
#define SAMPLES 1500

typedef struct {
  rbv_model *m;
  rbv_control *control;
  double *q;
  rbv_montecarlo_plan plan;
} fixture;

static const double disturbance[N] = {0.1, 0.05};

static int set_up(void **state) {
  static fixture f;
  assert_ok(rbv_model_parse(&f.m, "arm", light_arm, strlen(light_arm), NULL));
  rbv_control_joint joint[N] = {rbv_control_tune(0.7, 40, 0.1, 5),
                                rbv_control_tune(0.1, 60, 0.1, 5)};
  assert_ok(rbv_control_new(&f.control, NULL, RATE, RBV_FEEDFORWARD_NONE, joint, N));
  f.q = malloc(SAMPLES * N * sizeof *f.q);
  for (int k = 0; k < SAMPLES; k++) {
    const double t = k / RATE;
    f.q[k] = 0.6 * (1 - cos(2 * M_PI * 0.7 * t)) - 1 + 0.1 * (1 - cos(2 * M_PI * 2 * t));
    f.q[k + SAMPLES] = 0.8 * (1 - cos(2 * M_PI * 1.1 * t));
  }
  f.plan = (rbv_montecarlo_plan){.model = f.m,
                                 .robot = "arm of the test",
                                 .chi = rbv_model_parameters(f.m),
                                 .control = f.control,
                                 .reference = {.count = SAMPLES, .ld = SAMPLES, .q = f.q},
                                 .second = {.count = SAMPLES / 2, .ld = SAMPLES, .q = f.q + 200},
                                 .sim = rbv_sim_defaults(),
                                 .shift = true,
                                 .differentiate = rbv_differentiate_defaults(),
                                 .filter = {.decimate = 10},
                                 .nmethod = 3,
                                 .method = {"wls", "iv", "didim"},
                                 .runs = 9,
                                 .seed = 3};
  f.plan.differentiate.cutoff_hz = 30;
  f.plan.sim.defects.record_counts = 20000;
  f.plan.sim.defects.disturbance = disturbance;
  f.plan.sim.defects.disturbance_hz = 20;
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

static rbv_montecarlo *run(const rbv_montecarlo_plan *plan, int threads) {
  rbv_montecarlo *s;
  assert_ok(rbv_montecarlo_new(&s, plan));
  const rbv_jobs_options o = {.threads = threads};
  assert_ok(rbv_jobs_run(NULL, rbv_montecarlo_jobs(s), &o));
  return s;
}

static void same_results(const rbv_montecarlo *a, const rbv_montecarlo *b) {
  assert_int_equal(a->runs, b->runs);
  assert_int_equal(a->run_bytes, b->run_bytes);
  assert_memory_equal(a->result, b->result, (size_t)a->runs * a->run_bytes);
  assert_memory_equal(a->has_result, b->has_result, (size_t)a->runs);
}

static void test_any_number_of_threads(void **state) {
  const fixture *f = *state;
  rbv_montecarlo *one = run(&f->plan, 1);
  for (int threads = 2; threads <= 4; threads += 2) {
    rbv_montecarlo *more = run(&f->plan, threads);
    same_results(one, more);
    rbv_montecarlo_free(more);
  }
  // a run does not depend on the number of runs
  rbv_montecarlo_plan plan = f->plan;
  plan.runs = 3;
  rbv_montecarlo *fewer = run(&plan, 1);
  assert_memory_equal(one->result, fewer->result, 3 * one->run_bytes);
  rbv_montecarlo_free(fewer);
  rbv_montecarlo_free(one);
}

static void test_shards_from_their_description(void **state) {
  const fixture *f = *state;
  rbv_montecarlo *whole = run(&f->plan, 2), *joined, *part;
  const rbv_jobs *jobs = rbv_montecarlo_jobs(whole);
  assert_ok(rbv_montecarlo_recall(&joined, jobs->description, jobs->count));
  assert_int_equal(rbv_montecarlo_jobs(joined)->count, 3);  // 4 + 4 + 1 runs
  for (int i = 2; i >= 0; i--) {
    assert_ok(rbv_montecarlo_new(&part, &f->plan));
    const rbv_jobs_options o = {.first = i, .stride = 3};
    assert_ok(rbv_jobs_run(NULL, rbv_montecarlo_jobs(part), &o));
    const size_t from = (size_t)i * LANES * part->run_bytes;
    const int runs = i < 2 ? LANES : 1;
    const rbv_jobs *take = rbv_montecarlo_jobs(joined);
    assert_ok(take->take(take->self, i, part->result + from, (size_t)runs * part->run_bytes));
    rbv_montecarlo_free(part);
  }
  same_results(whole, joined);
  rbv_montecarlo_summary *a, *b;
  assert_ok(rbv_montecarlo_summarise(&a, whole));
  assert_ok(rbv_montecarlo_summarise(&b, joined));
  for (int i = 0; i < a->nmethod; i++)
    assert_memory_equal(a->method[i].parameter, b->method[i].parameter,
                        (size_t)a->nparameter * sizeof *a->method[i].parameter);
  rbv_montecarlo_summary_free(a);
  rbv_montecarlo_summary_free(b);
  // wrong size: bytes of another study
  const rbv_jobs *take = rbv_montecarlo_jobs(joined);
  assert_int_equal(take->take(take->self, 0, joined->result, joined->run_bytes), RBV_EINPUT);
  rbv_montecarlo_free(joined);
  rbv_montecarlo_free(whole);
}

/* the summary, recomputed from the bytes of the runs */
static void test_summary(void **state) {
  const fixture *f = *state;
  rbv_montecarlo *s = run(&f->plan, 1);
  rbv_montecarlo_summary *r;
  assert_ok(rbv_montecarlo_summarise(&r, s));
  assert_int_equal(r->done, 9);
  assert_int_equal(r->diverged, 0);
  assert_int_equal(r->nmethod, 3);
  for (int i = 0; i < 3; i++) {
    const rbv_montecarlo_method *m = &r->method[i];
    assert_int_equal(m->converged, 9);
    assert_int_equal(m->failed + m->not_converged, 0);
    for (int k = 0; k < r->nparameter; k++) {
      double mean = 0;
      for (int run_ = 0; run_ < 9; run_++) mean += values_of(method_of(s, run_, i))[k] / 9;
      assert_near(m->parameter[k].mean, mean, 1e-15, 1e-14);
    }
    // disturbances of some percent, 300 rows
    assert_true(m->bias_median < 0.05 && m->spread_median < 0.05);
    assert_true(m->second_error > 0 && m->second_error < 0.05);
    assert_true(m->coverage > 0.5);
  }
  assert_true(r->method[2].iterations > 1 && r->method[0].iterations == 1);
  rbv_montecarlo_summary_free(r);
  rbv_montecarlo_free(s);
}

/* no defects, and only didim */
static rbv_montecarlo_plan exact_plan(const fixture *f, int runs) {
  rbv_montecarlo_plan plan = f->plan;
  plan.sim.defects = (rbv_sim_defects){0};
  plan.shift = false;
  plan.nmethod = 1;
  plan.method[0] = "didim";
  plan.runs = runs;
  return plan;
}

/* without defects and shift, the estimates are exact */
static void test_exact_data(void **state) {
  const fixture *f = *state;
  rbv_montecarlo_plan plan = exact_plan(f, 2);
  rbv_montecarlo *s = run(&plan, 1);
  rbv_montecarlo_summary *r;
  assert_ok(rbv_montecarlo_summarise(&r, s));
  // the stopping rule of the method leaves an error
  assert_true(r->method[0].bias_worst < 1e-3);
  // wrong gains give wrong parameters
  plan.gain_error = 0.05;
  rbv_montecarlo *wrong = run(&plan, 1);
  rbv_montecarlo_summary *w;
  assert_ok(rbv_montecarlo_summarise(&w, wrong));
  assert_true(w->method[0].bias_median > 3 * r->method[0].bias_median);
  rbv_montecarlo_summary_free(w);
  rbv_montecarlo_free(wrong);
  rbv_montecarlo_summary_free(r);
  rbv_montecarlo_free(s);
}

/* a plant with friction that the model lacks: only parameters of the model are estimated */
static void test_plant_differs_from_model(void **state) {
  const fixture *f = *state;
  rbv_montecarlo_plan plan = exact_plan(f, 1);
  rbv_model_options o = rbv_model_defaults();
  o.stribeck = 0.1;
  rbv_model *plant;
  assert_ok(rbv_model_parse(&plant, "arm", light_arm, strlen(light_arm), &o));
  double chi[64] = {0};
  const int count = rbv_model_column_count(plant);
  memcpy(chi, rbv_model_parameters(plant), (size_t)count * sizeof *chi);
  plan.plant = plant;
  plan.plant_chi = chi;
  double error[2];
  for (int i = 0; i < 2; i++) {
    // without the additional friction it is the same robot
    chi[rbv_model_find(plant, "Fs1")] = i * 0.3 * 2;
    chi[rbv_model_find(plant, "Fs2")] = i * 0.3 * 1;
    rbv_montecarlo *s = run(&plan, 1);
    rbv_montecarlo_summary *r;
    assert_ok(rbv_montecarlo_summarise(&r, s));
    for (int k = 0; k < r->nparameter; k++) assert_null(strstr(r->name[k], "Fs"));
    error[i] = r->method[0].second_error;
    rbv_montecarlo_summary_free(r);
    rbv_montecarlo_free(s);
  }
  assert_true(error[1] > 3 * error[0]);
  rbv_model_free(plant);
}

/* zeros are left out, and one method has columns of Stribeck friction */
static void test_estimated_columns(void **state) {
  const fixture *f = *state;
  rbv_montecarlo_plan plan = f->plan;
  rbv_model_options o = rbv_model_defaults();
  o.stribeck = 0.15;
  rbv_model *m;
  assert_ok(rbv_model_parse(&m, "arm", light_arm, strlen(light_arm), &o));
  plan.model = m;
  plan.chi = rbv_model_parameters(m);
  plan.nonzero = true;
  plan.nmethod = 2;
  plan.method[0] = "slide";
  plan.method[1] = "slide+Fs";
  plan.runs = 1;
  rbv_montecarlo *s = run(&plan, 1);
  rbv_montecarlo_summary *r;
  assert_ok(rbv_montecarlo_summarise(&r, s));
  assert_string_equal(r->method[1].method, "slide+Fs");
  int zeros = 0, stribeck = 0;
  for (int k = 0; k < r->nparameter; k++) {
    const bool fs = strncmp(r->name[k], "Fs", 2) == 0;
    zeros += r->truth[k] == 0;
    stribeck += fs;
    assert_int_equal(isfinite(r->method[0].parameter[k].mean), r->truth[k] != 0);
    assert_int_equal(isfinite(r->method[1].parameter[k].mean), r->truth[k] != 0 || fs);
  }
  assert_int_equal(stribeck, N);
  assert_true(zeros > stribeck);
  rbv_montecarlo_summary_free(r);
  rbv_montecarlo_free(s);
  rbv_model_free(m);
  plan = f->plan;
  plan.method[0] = "slide+Fs";
  assert_int_equal(rbv_montecarlo_new(&s, &plan), RBV_EARG);
  assert_non_null(strstr(rbv_message(), "no columns"));
}

/* methods share the first simulation of a run, and the columns of the recording: each has the
 * estimates that it has alone */
static void test_methods_do_not_depend_on_others(void **state) {
  const fixture *f = *state;
  rbv_montecarlo_plan plan = f->plan;
  plan.nmethod = 4;
  plan.method[3] = "slide";
  plan.runs = 5;
  rbv_montecarlo *all = run(&plan, 1);
  for (int i = 0; i < all->nmethod; i++) {
    rbv_montecarlo_plan one = plan;
    one.nmethod = 1;
    one.method[0] = plan.method[i];
    rbv_montecarlo *alone = run(&one, 1);
    for (int k = 0; k < plan.runs; k++)
      assert_memory_equal(method_of(alone, k, 0), method_of(all, k, i), all->method_bytes);
    rbv_montecarlo_free(alone);
  }
  rbv_montecarlo_free(all);
}

/* ros2 is chosen for the true parameters; methods simulate with others */
static void test_integrator_of_the_methods(void **state) {
  const fixture *f = *state;
  const rbv_integrator given[] = {RBV_INTEGRATOR_ROSENBROCK, RBV_INTEGRATOR_ROS2,
                                  RBV_INTEGRATOR_RK4};
  const rbv_integrator want[] = {RBV_INTEGRATOR_ROSENBROCK, RBV_INTEGRATOR_ROSENBROCK,
                                 RBV_INTEGRATOR_RK4};
  for (int i = 0; i < 3; i++) {
    rbv_montecarlo_plan plan = f->plan;
    plan.sim.integrator = given[i];
    rbv_montecarlo *s;
    assert_ok(rbv_montecarlo_new(&s, &plan));
    assert_int_equal(s->assumed_sim.integrator, want[i]);
    rbv_montecarlo_free(s);
  }
}

static void test_gain_errors_alternate(void **state) {
  const fixture *f = *state;
  rbv_control *c;
  assert_ok(rbv_runs_assumed_control(&c, f->control, 0.05));
  const double want[N][3] = {{1.05, 0.95, 1.05}, {0.95, 1.05, 0.95}};
  for (int j = 0; j < N; j++) {
    const rbv_control_joint *is = rbv_control_get_joint(f->control, j),
                            *assumed = rbv_control_get_joint(c, j);
    assert_near(assumed->k_p / is->k_p, want[j][0], 0, 1e-14);
    assert_near(assumed->k_i / is->k_i, want[j][1], 0, 1e-14);
    assert_near(assumed->k_d / is->k_d, want[j][2], 0, 1e-14);
  }
  rbv_control_free(c);
}

/* ---- failures are counted ---- */

/* the delay makes the loop unstable: the simulated robot diverges */
static void test_diverged_runs(void **state) {
  const fixture *f = *state;
  rbv_montecarlo_plan plan = f->plan;
  plan.sim.defects.loop_delay = 100;
  plan.second.q = NULL;
  plan.runs = 5;
  rbv_montecarlo *s = run(&plan, 1);
  rbv_montecarlo_summary *r;
  assert_ok(rbv_montecarlo_summarise(&r, s));
  assert_int_equal(r->done, 5);
  assert_int_equal(r->diverged, 5);
  assert_true(strlen(r->reason) > 10);
  assert_int_equal(r->method[0].converged + r->method[0].failed, 0);
  assert_true(isnan(r->method[0].bias_median));
  rbv_montecarlo_summary_free(r);
  rbv_montecarlo_free(s);
  // with a motion for the validation, the study fails immediately
  plan.second.q = f->plan.second.q;
  assert_int_equal(rbv_montecarlo_new(&s, &plan), RBV_EINPUT);
  assert_non_null(strstr(rbv_message(), "validation"));
}

/* methods that need a reference fail if samples are missing; the others do not */
static void test_failed_methods(void **state) {
  const fixture *f = *state;
  rbv_montecarlo_plan plan = f->plan;
  plan.sim.defects.drop = 0.1;
  plan.sim.defects.jitter_s = 1e-4;
  plan.runs = 3;
  rbv_montecarlo *s = run(&plan, 2);
  rbv_montecarlo_summary *r;
  assert_ok(rbv_montecarlo_summarise(&r, s));
  assert_int_equal(r->method[0].converged, 3);
  for (int i = 1; i < 3; i++) {
    assert_int_equal(r->method[i].failed, 3);
    assert_non_null(strstr(r->method[i].reason, "reference"));
    assert_true(isnan(r->method[i].bias_median));
  }
  rbv_montecarlo_summary_free(r);
  rbv_montecarlo_free(s);
}

/*
 * With wrong gains the loop is unstable for some starts: runs of one job have different outcomes,
 * which do not depend on the other runs
 */
static void test_runs_are_independent(void **state) {
  const fixture *f = *state;
  rbv_montecarlo_plan plan = f->plan;
  plan.gain_error = 0.74;
  plan.runs = 2 * LANES;
  rbv_montecarlo *all = run(&plan, 1);
  int count[3] = {0};
  for (int k = 0; k < plan.runs; k++)
    for (int i = 1; i < 3; i++) count[(int)method_of(all, k, i)->outcome]++;
  assert_true(count[OUTCOME_CONVERGED] > 0 && count[OUTCOME_CONVERGED] < 2 * plan.runs);
  static const int fewer[] = {1, LANES - 1, LANES + 1, 2 * LANES - 1};
  for (int i = 0; i < 4; i++) {
    plan.runs = fewer[i];
    rbv_montecarlo *some = run(&plan, 1);
    assert_memory_equal(all->result, some->result, (size_t)fewer[i] * all->run_bytes);
    rbv_montecarlo_free(some);
  }
  rbv_montecarlo_free(all);
}

static rbv_status small_study(void *plan) {
  rbv_montecarlo *s;
  rbv_status status = rbv_montecarlo_new(&s, plan);
  if (status == RBV_OK) status = rbv_jobs_run(NULL, rbv_montecarlo_jobs(s), NULL);
  rbv_montecarlo_free(s);
  return status;
}

/* out of memory in any thread reaches the caller; a sample of the thousands of allocations */
static void test_failing_allocations(void **state) {
  rbv_montecarlo_plan plan = exact_plan(*state, 2);
  plan.reference.count = plan.second.count = 150;
  plan.filter.decimate = 2;
  plan.nmethod = 2;
  plan.method[0] = "iv";
  plan.method[1] = "didim";
  const long before = rbv_alloc_count();
  assert_ok(small_study(&plan));
  const long most = rbv_alloc_count() - before;
  for (long n = 1; n <= most; n += 1 + n / (SANITIZED ? 2 : 8)) {
    rbv_alloc_fail_after(n);
    const rbv_status status = small_study(&plan);
    rbv_alloc_fail_after(0);
    assert_int_equal(status, RBV_EMEM);
    assert_non_null(strstr(rbv_message(), "out of memory"));
  }
}

static void test_refusals(void **state) {
  const fixture *f = *state;
  rbv_montecarlo_plan plan = f->plan;
  rbv_montecarlo *s;
  plan.method[1] = "magic";
  assert_int_equal(rbv_montecarlo_new(&s, &plan), RBV_EARG);
  assert_string_equal(rbv_message(), "the method 'magic' is not known");
  plan = f->plan;
  plan.runs = 0;
  assert_int_equal(rbv_montecarlo_new(&s, &plan), RBV_EARG);
  assert_int_equal(rbv_montecarlo_new(&s, NULL), RBV_EARG);
  assert_int_equal(rbv_montecarlo_recall(&s, NULL, -1), RBV_EARG);
  rbv_montecarlo_summary *summary;
  assert_int_equal(rbv_montecarlo_summarise(&summary, NULL), RBV_EARG);
  assert_int_equal(rbv_montecarlo_recall(&s, "{\"runs\": 3}", -1), RBV_EINPUT);
  assert_non_null(strstr(rbv_message(), "methods"));
}

/* options change the description; the number of threads does not */
static void test_descriptions_differ(void **state) {
  const fixture *f = *state;
  rbv_montecarlo *a, *b;
  assert_ok(rbv_montecarlo_new(&a, &f->plan));
  rbv_montecarlo_plan plan[6];
  for (int i = 0; i < 6; i++) plan[i] = f->plan;
  const double other[N] = {0.1, 0.06};
  plan[0].seed++;
  plan[1].filter.decimate++;
  plan[2].sim.defects.disturbance = other;
  plan[3].reference.count--;
  plan[4].gain_error = 0.01;
  plan[5].robot = "another arm";
  for (int i = 0; i < 6; i++) {
    assert_ok(rbv_montecarlo_new(&b, &plan[i]));
    assert_string_not_equal(rbv_montecarlo_jobs(a)->description,
                            rbv_montecarlo_jobs(b)->description);
    rbv_montecarlo_free(b);
  }
  rbv_montecarlo_free(a);
}

/* ---- validation ---- */

static void test_second_motion(void **state) {
  (void)state;
  double *q, *second, rate_hz;
  ptrdiff_t count;
  int n;
  assert_ok(rbv_sim_reference_builtin(&q, &count, &n, &rate_hz, "tx40"));
  const rbv_sim_reference r = {.count = count, .ld = count, .q = q};
  assert_ok(rbv_sim_reference_second(&second, &r, n, rate_hz));
  for (int j = 0; j < n; j++) {
    double low = INFINITY, high = -INFINITY;
    for (ptrdiff_t k = 0; k < count; k++) low = fmin(low, q[k + j * count]);
    for (ptrdiff_t k = 0; k < count; k++) high = fmax(high, q[k + j * count]);
    for (ptrdiff_t k = 0; k < count; k++)
      assert_true(second[k + j * count] >= low && second[k + j * count] <= high);
    // from rest to rest
    assert_near(second[1 + j * count], second[j * count], 1e-6, 0);
    assert_near(second[count - 1 + j * count], second[count - 2 + j * count], 1e-6, 0);
  }
  rbv_sim_reference_release(second);
  rbv_sim_reference_release(q);
  assert_int_equal(rbv_sim_reference_builtin(&q, &count, &n, &rate_hz, "ns16"), RBV_EINPUT);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_parameter_by_hand),
      cmocka_unit_test(test_medians_by_hand),
      cmocka_unit_test(test_any_number_of_threads),
      cmocka_unit_test(test_shards_from_their_description),
      cmocka_unit_test(test_summary),
      cmocka_unit_test(test_exact_data),
      cmocka_unit_test(test_plant_differs_from_model),
      cmocka_unit_test(test_estimated_columns),
      cmocka_unit_test(test_methods_do_not_depend_on_others),
      cmocka_unit_test(test_integrator_of_the_methods),
      cmocka_unit_test(test_gain_errors_alternate),
      cmocka_unit_test(test_diverged_runs),
      cmocka_unit_test(test_failed_methods),
      cmocka_unit_test(test_runs_are_independent),
      cmocka_unit_test(test_failing_allocations),
      cmocka_unit_test(test_refusals),
      cmocka_unit_test(test_descriptions_differ),
      cmocka_unit_test(test_second_motion),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
