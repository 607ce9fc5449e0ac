/* Methods that simulate the closed loop, on the TX40 bench. */
#include <math.h>
#include <roberval/sim.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "support.h"

#define TAU 6.28318530717958647692

static const double bandwidth[BENCH_JOINTS] = {6, 6, 8, 12, 12, 20};

/* the bench's own controller: PID tuned for the largest inertia along the reference */
static rbv_control *make_control(const double *J, const bench_options *o) {
  rbv_control_joint joint[BENCH_JOINTS];
  for (int j = 0; j < BENCH_JOINTS; j++)
    joint[j] = rbv_control_tune(J[j], o->bandwidth * TAU * bandwidth[j], o->integral, o->roll_off);
  rbv_control *c;
  assert_ok(rbv_control_new(&c, "bench", BENCH_RATE, RBV_FEEDFORWARD_NONE, joint, BENCH_JOINTS));
  return c;
}

typedef struct {
  rbv_model *m;
  bench_run run;
  rbv_control *control;
  rbv_sim_reference reference;
  double *q;
  rbv_motion *motion;
} bench;

static void setup(bench *b, ptrdiff_t count, const bench_options *o, double cutoff_hz) {
  b->m = bench_model();
  bench_new(&b->run, b->m, count, o);
  b->control = make_control(b->run.inertia, o);
  b->q = bench_reference();
  // the reference lies BENCH_SAMPLES apart
  b->reference = (rbv_sim_reference){.count = count, .ld = BENCH_SAMPLES, .q = b->q};
  b->motion = bench_motion(&b->run, b->m, cutoff_hz);
}

static void teardown(bench *b) {
  rbv_motion_free(b->motion);
  free(b->q);
  rbv_control_free(b->control);
  bench_free(&b->run);
  rbv_model_free(b->m);
}

static double worst_error(const rbv_estimate *e, const rbv_model *m) {
  const double *truth = rbv_model_parameters(m);
  double worst = 0;
  for (int i = 0; i < BENCH_TRUE; i++) {
    const int c = rbv_model_find(m, bench_true[i]);
    worst = fmax(worst, fabs(e->chi[c] - truth[c]) / fabs(truth[c]));
  }
  return worst;
}

/* from rotor inertias alone, with tuning inertias wrong by a factor of two either way */
static void test_didim_finds_exact_parameters(void **state) {
  (void)state;
  bench_options o = bench_defaults();
  bench b;
  setup(&b, 20000, &o, 50);
  const double factor[] = {1, 0.5, 2};
  for (int k = 0; k < 3; k++) {
    double J[BENCH_JOINTS];
    for (int j = 0; j < BENCH_JOINTS; j++) J[j] = factor[k] * b.run.inertia[j];
    rbv_closed_loop loop = rbv_closed_loop_defaults();
    loop.control = b.control;
    loop.reference = &b.reference;
    loop.inertia = J;
    loop.most = 6;
    rbv_identify_options how = rbv_identify_defaults();
    how.method = "didim";
    how.filter.decimate = 100;
    how.loop = &loop;
    rbv_estimate *e;
    assert_ok(rbv_identify(&e, b.m, &b.motion, 1, &how));
    print_message("J x %g: %d iterations, worst parameter off by %.3g %%\n", factor[k],
                  e->iterations, 100 * worst_error(e, b.m));
    assert_true(worst_error(e, b.m) < 0.005);
    rbv_estimate_free(e);
  }
  teardown(&b);
}

static void test_iv_is_not_biased_by_quantised_positions(void **state) {
  (void)state;
  bench_options o = bench_defaults();
  o.counts = 3600;
  bench b;
  setup(&b, BENCH_SAMPLES, &o, 50);
  rbv_closed_loop loop = rbv_closed_loop_defaults();
  loop.control = b.control;
  loop.reference = &b.reference;
  loop.inertia = b.run.inertia;
  rbv_identify_options how = rbv_identify_defaults();
  how.method = "iv";
  how.filter.decimate = 100;
  how.loop = &loop;
  rbv_estimate *e;
  assert_ok(rbv_identify(&e, b.m, &b.motion, 1, &how));
  print_message(
      "iv: %d iterations, converged %d, ZZ1R %.4f, strength %.4f, condition %.0f, p %.2g\n",
      e->iterations, e->converged, e->chi[rbv_model_find(b.m, "ZZ1")], e->instruments.strength,
      e->instruments.condition, e->instruments.hausman.p);
  assert_true(e->converged);
  assert_near(e->chi[rbv_model_find(b.m, "ZZ1")], 1.25, 0, 0.02);
  rbv_estimate_free(e);
  teardown(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_didim_finds_exact_parameters),
      cmocka_unit_test(test_iv_is_not_biased_by_quantised_positions),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
