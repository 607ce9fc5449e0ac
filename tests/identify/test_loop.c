/* Methods that simulate the closed loop, on the TX40 bench. */
#include <math.h>
#include <roberval/sys/payload.h>
#include <roberval/sys/sim.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "document/document.h"

#include "arm.h"
#include "base/support.h"
#include "bench.h"
#include "support.h"

static rbv_estimate *identify(bench_loop *b, const char *method) {
  rbv_estimate *e;
  b->how.method = method;
  assert_ok(rbv_identify(&e, b->m, &b->motion, 1, &b->how));
  return e;
}

/* from rotor inertias only, with tuning inertias wrong by a factor of two in both directions */
static void test_didim_finds_exact_parameters(void **state) {
  (void)state;
  const bench_options o = bench_defaults();
  bench_loop b;
  bench_loop_new(&b, 20000, &o, 50);
  b.loop.start = NULL;
  b.loop.most = 5;
  b.how.columns = NULL;
  b.how.filter.decimate = 100;
  const double factor[] = {1, 0.5, 2};
  for (int k = 0; k < 3; k++) {
    double J[BENCH_JOINTS];
    for (int j = 0; j < BENCH_JOINTS; j++) J[j] = factor[k] * b.run.inertia[j];
    b.loop.inertia = J;
    rbv_estimate *e = identify(&b, "didim");
    print_message("J x %g: %d iterations, worst parameter off by %.3g %%\n", factor[k],
                  e->iterations, 100 * bench_worst_error(e, b.m));
    assert_true(bench_worst_error(e, b.m) < 0.005);
    rbv_estimate_free(e);
  }
  bench_loop_free(&b);
}

/* ---- compared with an independent program ---- */

static const rbv_node *entry(const rbv_node *map, const char *key) {
  const rbv_node *node = rbv_node_find(map, key);
  if (!node) fail_msg("no '%s' in the reference", key);
  return node;
}

/*
 * tests/data/tx40_didim_noisefree.json: the steps of DIDIM from rotor inertias only, gains scaled
 * in all of them, computed by an independent program
 */
static void test_didim_steps_equal_those_of_the_other_program(void **state) {
  (void)state;
  const bench_options o = bench_defaults();
  bench_loop b;
  bench_loop_new(&b, BENCH_SAMPLES, &o, 50);
  rbv_document *doc;
  assert_ok(rbv_document_load(&doc, TEST_DATA "/tx40_didim_noisefree.json"));
  const rbv_node *steps = entry(rbv_document_root(doc), "steps");
  rbv_sim_options sim = rbv_sim_defaults();
  sim.integrator = RBV_INTEGRATOR_RK4;
  sim.substeps = 4;
  b.loop.sim = &sim;
  b.loop.start = NULL;
  b.loop.inertia = b.run.inertia;
  b.loop.scaled_steps = -1;
  b.how.filter.decimate = 100;
  for (int k = 0; k < rbv_node_count(steps); k++) {
    double want[BENCH_TRUE], worst = 0;
    assert_ok(rbv_node_reals(want, BENCH_TRUE, entry(rbv_node_at(steps, k), "x")));
    b.loop.most = k + 1;
    rbv_estimate *e = identify(&b, "didim");
    for (int i = 0; i < BENCH_TRUE; i++) {
      const double got = e->chi[rbv_model_find(b.m, bench_true[i])];
      worst = fmax(worst, fabs(got - want[i]) / fabs(want[i]));
    }
    double error;
    assert_ok(rbv_node_real(&error, entry(rbv_node_at(steps, k), "relerr")));
    print_message("step %d: distance %.2g, error %.6g, theirs %.6g\n", k + 1, worst,
                  e->fit.relative_error, error);
    // integrators, filters and solvers agree to rounding
    assert_near(worst, 0, 1e-8, 0);
    assert_near(e->fit.relative_error, error, 0, 1e-8);
    assert_near(e->iteration[k].residual, e->fit.relative_error, 0, 1e-12);
    rbv_estimate_free(e);
  }
  rbv_document_free(doc);
  bench_loop_free(&b);
}

/* one step of iv with the instruments of the true robot */
static void test_iv_equals_that_of_the_other_program(void **state) {
  (void)state;
  bench_options o = bench_defaults();
  o.counts = 3600;
  bench_loop b;
  bench_loop_new(&b, BENCH_SAMPLES, &o, 50);
  rbv_document *doc;
  assert_ok(rbv_document_load(&doc, TEST_DATA "/tx40_ls_iv_quantised.json"));
  double want[BENCH_TRUE], error;
  assert_ok(rbv_node_reals(want, BENCH_TRUE, entry(rbv_document_root(doc), "iv")));
  assert_ok(rbv_node_real(&error, entry(rbv_document_root(doc), "iv_relerr")));
  rbv_sim_options sim = rbv_sim_defaults();
  sim.integrator = RBV_INTEGRATOR_RK4;
  sim.substeps = 4;
  b.loop.sim = &sim;
  b.loop.start = rbv_model_parameters(b.m);
  b.loop.most = 1;
  b.how.filter.decimate = 100;
  rbv_estimate *e = identify(&b, "iv");
  for (int i = 0; i < BENCH_TRUE; i++)
    assert_near(e->chi[rbv_model_find(b.m, bench_true[i])], want[i], 0, 1e-7);
  assert_near(e->fit.relative_error, error, 0, 1e-8);
  rbv_estimate_free(e);
  rbv_document_free(doc);
  bench_loop_free(&b);
}

/* ---- bias of least squares ---- */

/* noise in the loop and a cut-off far too high: least squares underestimates the inertia, iv does
 * not */
static void test_bias_with_badly_tuned_filters(void **state) {
  (void)state;
  double ls = 0, iv = 0;
  for (uint64_t seed = 1; seed <= 2; seed++) {
    const bench_options o = bench_white(seed);
    bench_loop b;
    bench_loop_new(&b, BENCH_SAMPLES, &o, 200);
    b.how.filter = (rbv_row_filter){.decimate = 1, .trim = 500};
    rbv_estimate *e = identify(&b, "wls");
    ls += bench_error(e, b.m, 0) / 2;
    rbv_estimate_free(e);
    e = identify(&b, "iv");
    assert_true(e->converged);
    assert_true(e->instruments.hausman.biased);
    iv += bench_error(e, b.m, 0) / 2;
    rbv_estimate_free(e);
    bench_loop_free(&b);
  }
  print_message("ZZ1: least squares %+.1f %%, iv %+.2f %%\n", 100 * ls, 100 * iv);
  assert_true(ls < -0.6);
  assert_near(iv, 0, 0.02, 0);
}

static void test_bias_with_well_tuned_filters(void **state) {
  (void)state;
  const bench_options o = bench_white(1);
  bench_loop b;
  bench_loop_new(&b, BENCH_SAMPLES, &o, 50);
  rbv_estimate *e = identify(&b, "iv");
  assert_true(e->converged && !e->instruments.hausman.biased);
  rbv_estimate_free(e);
  bench_loop_free(&b);
}

/* ---- stop rule ---- */

/* Gautier 2011 eq. 26 as printed accepts any decrease: it stops at the second step if the first one
 * was an improvement */
static void test_printed_rule_stops_at_the_first_decrease(void **state) {
  (void)state;
  const bench_options o = bench_defaults();
  bench_loop b;
  bench_loop_new(&b, 10000, &o, 50);
  rbv_estimate *e = identify(&b, "didim");
  assert_true(e->converged && e->iterations > 2);
  const double change = fabs(e->iteration[1].residual / e->iteration[0].residual - 1);
  assert_true(change > 0.025);
  rbv_estimate_free(e);
  b.loop.stop_printed = true;
  e = identify(&b, "didim");
  assert_true(e->converged);
  assert_int_equal(e->iterations, 2);
  rbv_estimate_free(e);
  bench_loop_free(&b);
}

/* ---- consistency and payload ---- */

static void test_consistent_with_every_loop_method(void **state) {
  (void)state;
  const arm_options o = {.count = 6000, .noise = 2e-5};
  arm a;
  arm_new(&a, &o);
  static const char *const method[] = {"didim", "iv", "piv"};
  for (int i = 0; i < 3; i++) {
    a.how.method = method[i];
    a.how.consistent = true;
    a.how.prior = NULL;
    rbv_estimate *e;
    double own[64];
    assert_ok(rbv_identify(&e, a.m, a.motion, 1, &a.how));
    assert_true(e->converged && e->standard && e->standard->converged);
    for (int j = 0; j < e->standard->nbody; j++)
      assert_int_equal(e->standard->body[j].fault, RBV_BODY_CONSISTENT);
    // the values are the base parameters of the consistent bodies
    rbv_base_values(own, e->base, e->standard->chi);
    for (int k = 0; k < e->base->count; k++) assert_near(e->value[k], own[k], 1e-9, 1e-9);
    // 2e-5 rad of noise on a motion of one radian
    assert_near(e->value[0], arm_truth(&a, e, 0), 0, 0.02);
    rbv_estimate_free(e);
  }
  arm_free(&a);
}

/* one motion without and one with the load: each is simulated with its own load */
static void test_loops_with_a_payload(void **state) {
  (void)state;
  const arm_options o = {.count = 4000, .payload = true};
  arm a;
  arm_new(&a, &o);
  static const char *const method[] = {"didim", "iv", "piv"};
  for (int i = 0; i < 3; i++) {
    a.how.method = method[i];
    rbv_estimate *e;
    rbv_payload load;
    assert_ok(rbv_identify(&e, a.m, a.motion, 2, &a.how));
    assert_true(e->converged);
    assert_ok(rbv_payload_get(&load, e, a.m));
    // states of the plant itself; didim simulates them to the tolerance of its stop rule
    assert_near(load.mass, 1, 1e-5, 0);
    rbv_estimate_free(e);
  }
  arm_free(&a);
}

/* ---- simulation by a callback ---- */

#define SIDE_BY_SIDE 4

typedef struct {
  const arm *a;
  rbv_sim *sim[2];  // empty and loaded
  int calls[2];
  rbv_status fails;
  // number of successful calls per motion; then only the parameters of the last of them succeed
  int successes;
  double good[2][64];
} elsewhere;

/* the last of several lanes, the others are idle */
static rbv_status simulate_by_callback(rbv_sim_outcome *outcome, void *self, int motion,
                                       const rbv_sim_lane *lane, const rbv_sim_trace *trace) {
  elsewhere *w = self;
  rbv_sim_trace all[SIDE_BY_SIDE];
  rbv_sim_outcome outcomes[SIDE_BY_SIDE];
  w->calls[motion]++;
  if (w->fails != RBV_OK) return rbv_fail(w->fails, "no simulation today");
  for (int k = 0; k < SIDE_BY_SIDE; k++) all[k] = (rbv_sim_trace){.ld = trace->ld};
  all[SIDE_BY_SIDE - 1] = *trace;
  assert_ok(rbv_sim_set(w->sim[motion], SIDE_BY_SIDE - 1, lane));
  assert_ok(rbv_sim_run(outcomes, w->sim[motion], &w->a->reference[motion], all));
  *outcome = outcomes[SIDE_BY_SIDE - 1];
  const size_t size = (size_t)rbv_model_column_count(w->a->m) * sizeof *lane->chi;
  if (w->calls[motion] <= w->successes)
    memcpy(w->good[motion], lane->chi, size);
  else if (memcmp(w->good[motion], lane->chi, size) != 0)
    outcome->verdict = RBV_SIM_AWAY;
  return RBV_OK;
}

static void test_simulation_by_callback(void **state) {
  (void)state;
  const arm_options o = {.count = 4000, .payload = true};
  arm a;
  arm_new(&a, &o);
  elsewhere w = {.a = &a, .successes = 100};
  for (int i = 0; i < 2; i++) {
    rbv_sim_options so = rbv_sim_defaults();
    so.loaded = i == 1;
    assert_ok(rbv_sim_new(&w.sim[i], a.m, a.control, &so, SIDE_BY_SIDE));
  }
  a.loop.simulator_self = &w;
  static const char *const method[] = {"didim", "iv"};
  rbv_estimate *own, *other;
  for (int i = 0; i < 2; i++) {
    a.how.method = method[i];
    a.loop.simulator = NULL;
    assert_ok(rbv_identify(&own, a.m, a.motion, 2, &a.how));
    a.loop.simulator = simulate_by_callback;
    w.calls[0] = w.calls[1] = 0;
    assert_ok(rbv_identify(&other, a.m, a.motion, 2, &a.how));
    assert_int_equal(other->iterations, own->iterations);
    assert_int_equal(w.calls[0], own->iterations);
    assert_int_equal(w.calls[1], own->iterations);
    // lanes differ from a single run by rounding, 1e-11 rad after 4000 ticks
    for (int k = 0; k < own->base->count; k++)
      assert_near(other->value[k], own->value[k], 1e-8, 1e-8);
    rbv_estimate_free(other);
    rbv_estimate_free(own);
  }
  // the first simulation fails: there is no estimate
  w.successes = 0;
  w.calls[0] = w.calls[1] = 0;
  assert_refused(rbv_identify(&own, a.m, a.motion, 2, &a.how), RBV_EINPUT, "does not follow");
  // a later one fails: its motion stays that of the first, and the result says so
  static const char *const instruments[] = {"iv", "piv"};
  for (int i = 0; i < 2; i++) {
    a.how.method = instruments[i];
    w.calls[0] = w.calls[1] = 0;
    w.successes = 1;
    assert_ok(rbv_identify(&own, a.m, a.motion, 2, &a.how));
    assert_false(own->converged);
    assert_int_equal(own->kept_iteration, 1);
    // exact motions: instruments of the first iteration suffice
    for (int k = 0; k < own->base->count; k++)
      assert_near(own->value[k], arm_truth(&a, own, k), 1e-3, 1e-3);
    rbv_estimate_free(own);
  }
  w.fails = RBV_EMEM;
  assert_refused(rbv_identify(&own, a.m, a.motion, 2, &a.how), RBV_EMEM, "no simulation today");
  for (int i = 0; i < 2; i++) rbv_sim_free(w.sim[i]);
  arm_free(&a);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_didim_finds_exact_parameters),
      cmocka_unit_test(test_didim_steps_equal_those_of_the_other_program),
      cmocka_unit_test(test_iv_equals_that_of_the_other_program),
      cmocka_unit_test(test_bias_with_badly_tuned_filters),
      cmocka_unit_test(test_bias_with_well_tuned_filters),
      cmocka_unit_test(test_printed_rule_stops_at_the_first_decrease),
      cmocka_unit_test(test_consistent_with_every_loop_method),
      cmocka_unit_test(test_loops_with_a_payload),
      cmocka_unit_test(test_simulation_by_callback),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
