/*
 * Prediction of a pendulum's motion from measured states: exact with the true parameters, driven by
 * its torques and under its controller; wrong with others.
 */
#include <math.h>
#include <roberval/sys/identify.h>
#include <stdlib.h>
#include <string.h>

#include "base/support.h"
#include "motions.h"
#include "support.h"

#define RATE 500.0
#define COUNT 2000  // 4 s

typedef struct {
  rbv_model *m;
  rbv_control *control;
  rbv_sim_reference reference;
  rbv_motion *motion;
} fixture;

static int set_up(void **state) {
  static fixture f;
  static double q[COUNT];
  static const char robot[] =
      "joints:\n"
      "  - {name: hinge, mdh: {alpha: pi/2, d: 0.3, theta: 0, r: 0}, drive: [Ia, Fv, Fc]}\n"
      "friction: {smooth: 0.01}\n"
      "parameters: {ZZ1: 0.24, MX1: 0.6, M1: 2, Ia1: 0.02, Fv1: 0.1, Fc1: 0.3}\n";
  f.m = load_robot(temp_file("pendulum.yaml", robot), -1, false);
  for (int k = 0; k < COUNT; k++) q[k] = 0.5 + 0.4 * sin(5 * k / RATE) * (1 - exp(-k / RATE));
  f.reference = (rbv_sim_reference){.count = COUNT, .ld = COUNT, .q = q};
  rbv_control_joint j = rbv_control_joint_defaults();
  j.k_p = 60;
  j.k_d = 6;
  j.filter_s = 2e-3;
  assert_ok(rbv_control_new(&f.control, "pd", RATE, RBV_FEEDFORWARD_NONE, &j, 1));
  rbv_sim *s;
  rbv_sim_trace t;
  rbv_sim_outcome outcome;
  assert_ok(rbv_sim_new(&s, f.m, f.control, NULL, 1));
  assert_ok(rbv_sim_trace_new(&t, 1, COUNT));
  assert_ok(rbv_sim_run(&outcome, s, &f.reference, &t));
  const rbv_motion_info info = {
      .name = "pendulum", .njoint = 1, .ntorque = 1, .count = COUNT, .rate_hz = RATE};
  const rbv_samples samples = {.ld = COUNT, .q = t.q, .dq = t.dq, .ddq = t.ddq, .torque = t.tau};
  assert_ok(rbv_motion_from_arrays(&f.motion, &info, &samples));
  rbv_sim_trace_free(&t);
  rbv_sim_free(s);
  *state = &f;
  return 0;
}

static int tear_down(void **state) {
  fixture *f = *state;
  rbv_motion_free(f->motion);
  rbv_control_free(f->control);
  rbv_model_free(f->m);
  return 0;
}

static rbv_horizons *predict(fixture *f, bool closed, double factor) {
  const rbv_control *const control[] = {f->control};
  const rbv_horizon_options o = {.controls = closed ? control : NULL,
                                 .reference = closed ? &f->reference : NULL,
                                 .longest_s = 2};
  double chi[16];
  for (int c = 0; c < rbv_model_column_count(f->m); c++)
    chi[c] = factor * rbv_model_parameters(f->m)[c];
  rbv_horizons *h;
  assert_ok(rbv_predict_motion(&h, f->m, &f->motion, 1, chi, &o));
  return h;
}

static void test_exact(void **state) {
  for (int closed = 0; closed < 2; closed++) {
    rbv_horizons *h = predict(*state, closed, 1);
    // 0.05 to 2 s
    assert_int_equal(h->count, 6);
    assert_true(h->closed == closed);
    for (int i = 0; i < h->count; i++) {
      const rbv_horizon *one = &h->horizon[i];
      assert_true(one->starts >= 10 && one->lost == 0);
      // the same steps from the same states: rounding, which an open loop amplifies little here
      assert_true(one->joint[0] < 1e-9);
      assert_true(one->tool < 1e-9);
      assert_true(one->naive[0] > 1e-3);
    }
    rbv_horizons_free(h);
  }
}

/* errors of the parameters appear, less under a controller than without */
static void test_wrong_parameters(void **state) {
  rbv_horizons *open = predict(*state, false, 1.1), *closed = predict(*state, true, 1.1);
  assert_true(open->horizon[4].joint[0] > 0.02);
  assert_true(closed->horizon[4].joint[0] > 1e-3);
  assert_true(closed->horizon[4].joint[0] < 0.2 * open->horizon[4].joint[0]);
  // it grows with the horizon while nothing pulls back
  assert_true(open->horizon[4].joint[0] > open->horizon[2].joint[0]);
  // the origin of the only frame is on its axis
  assert_near(open->horizon[4].tool, 0, 1e-12, 0);
  rbv_horizons_free(open);
  rbv_horizons_free(closed);
}

static void test_refusals(void **state) {
  fixture *f = *state;
  const rbv_control *const control[] = {f->control};
  rbv_horizons *h;
  const rbv_horizon_options without = {.controls = control};
  const double *chi = rbv_model_parameters(f->m);
  assert_refused(rbv_predict_motion(&h, f->m, &f->motion, 1, chi, &without), RBV_EINPUT,
                 "has no reference");
  assert_refused(rbv_predict_motion(&h, f->m, &f->motion, 0, chi, NULL), RBV_EARG, "needs a model");
  rbv_horizons_free(NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_exact),
      cmocka_unit_test(test_wrong_parameters),
      cmocka_unit_test(test_refusals),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
