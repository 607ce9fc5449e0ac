/*
 * Output error from start values that are 50 % wrong, on a wrist with much friction and a late
 * torque. With an inertia that is much too small its loop oscillates, and friction limits the
 * oscillation: positions then say nothing about the inertia.
 */
#include <math.h>
#include <roberval/sys/identify.h>
#include <stdlib.h>
#include <string.h>

#include "base/support.h"
#include "motions.h"
#include "support.h"

#define RATE 500.0
#define COUNT 3000  // 6 s

static const char wrist[] =
    "gravity: [0, 0, 0]\n"
    "joints:\n"
    "  - {name: wrist, mdh: {alpha: 0, d: 0, theta: 0, r: 0}, drive: [Ia, Fv, Fc]}\n"
    "friction: {smooth: 0.02}\n"
    "parameters: {ZZ1: 0.004, Ia1: 0.05, Fv1: 1.6, Fc1: 3.7}\n";

typedef struct {
  rbv_model *m;
  rbv_control *control;
  rbv_sim_reference at;
  rbv_motion *motion;
} fixture;

static void record(fixture *f, double delay, uint64_t seed) {
  double *reference = malloc(COUNT * sizeof *reference);
  for (int k = 0; k < COUNT; k++) {
    const double t = k / RATE;
    double sum = 0;
    for (int i = 0; i < 6; i++) {
      const double phase = 2 * M_PI * rbv_random_uniform(seed, 0, (uint64_t)i);
      sum += sin(2 * M_PI * (0.25 + 0.55 * i) * t + phase) / (1 + 0.5 * i);
    }
    reference[k] = 0.3 * (1 - exp(-2 * t * t)) * sum;
  }
  f->at = (rbv_sim_reference){.count = COUNT, .ld = COUNT, .q = reference};
  rbv_sim_options o = rbv_sim_defaults();
  o.longest_delay_s = 0.02;
  o.defects.record_counts = 16384;
  f->motion = simulated_motion(f->m, f->control, &o, &(rbv_sim_lane){.delay = &delay}, &f->at);
}

static rbv_estimate *fit(fixture *f, double factor) {
  static const rbv_unknown late = {.kind = RBV_UNKNOWN_DELAY, .joint = -1};
  const int nc = rbv_model_column_count(f->m);
  double *start = malloc((size_t)nc * sizeof *start);
  for (int c = 0; c < nc; c++) start[c] = factor * rbv_model_parameters(f->m)[c];
  rbv_closed_loop loop = rbv_closed_loop_defaults();
  loop.control = f->control;
  loop.reference = &f->at;
  loop.start = start;
  loop.skip = 200;
  loop.unknown = &late;
  loop.nunknown = 1;
  loop.longest_delay_s = 0.02;
  rbv_identify_options o = rbv_identify_defaults();
  o.method = "cloe";
  o.loop = &loop;
  rbv_estimate *e;
  assert_ok(rbv_identify(&e, f->m, &f->motion, 1, &o));
  free(start);
  return e;
}

/* every motion and delay from 50 % wrong values on both sides: the true inertia, 0.054 */
static void test_inertia(void **state) {
  (void)state;
  fixture f = {.m = load_robot(temp_file("wrist.yaml", wrist), -1, false)};
  rbv_control_joint j = rbv_control_joint_defaults();
  j.k_p = 31;
  j.k_d = 3.6;
  j.filter_s = 4e-3;
  assert_ok(rbv_control_new(&f.control, "pd", RATE, RBV_FEEDFORWARD_NONE, &j, 1));
  static const double factor[] = {1.5, 0.5};
  for (int run = 0; run < 8; run++) {
    const double delay = 0.003 + 0.001 * run;
    record(&f, delay, (uint64_t)run + 1);
    for (int i = 0; i < 2; i++) {
      rbv_estimate *e = fit(&f, factor[i]);
      const double sigma = sqrt(e->covariance[0]);
      print_message("delay %.0f ms, start %.1f: %s %.5f +- %.5f, delay %.2f ms, %d simulations\n",
                    1e3 * delay, factor[i], e->base->name[0], e->value[0], sigma,
                    1e3 * e->loop.unknown[0].value, e->loop.simulations);
      assert_true(e->converged);
      assert_near(e->value[0], 0.054, 5 * sigma, 0);
      assert_near(e->loop.unknown[0].value, delay, 1e-4, 0);
      rbv_estimate_free(e);
    }
    rbv_motion_free(f.motion);
    free((double *)(uintptr_t)f.at.q);
  }
  rbv_control_free(f.control);
  rbv_model_free(f.m);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_inertia)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
