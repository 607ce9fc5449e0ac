/* Derivatives of a running controller against differences of the controller itself. */
#include <math.h>
#include <string.h>
#include "control/control.h"

#include "base/support.h"
#include "support.h"

#define N 4
#define TICKS 400
#define GAINS 8
#define LANES (1 + GAINS)  // the direction of the positions, and gains

/* laws of all kinds; limits that are reached with every kind of anti-windup */
static void make_laws(rbv_control_joint *law) {
  for (int j = 0; j < N; j++) {
    law[j] = rbv_control_tune(1, 60, 0.5, 5);
    law[j].upper = 900;
    law[j].lower = -800;
    law[j].velocity_gain = 2;
  }
  law[0].antiwindup = RBV_ANTIWINDUP_CLAMP;
  law[1].antiwindup = RBV_ANTIWINDUP_TRACKING;
  law[1].tracking_s = 0.02;
  law[1].delay = 3;
  law[1].reference_velocity = 0.25;
  law[2].kind = RBV_CONTROL_CASCADE;
  law[2].k_x = 40;
  law[2].k_p = 80;
  law[2].k_i = 900;
  law[2].reference_velocity = 0.5;
  law[3].kind = RBV_CONTROL_TRANSFER;
  law[3].transfer =
      (rbv_transfer){.nnum = 3, .nden = 3, .num = {3000, -5000, 2100}, .den = {1, -1.5, 0.5}};
  law[3].antiwindup = RBV_ANTIWINDUP_CLAMP;
}

static const struct {
  int joint;
  rbv_gain gain;
} changed[GAINS] = {{0, RBV_GAIN_KP},       {1, RBV_GAIN_KI},    {2, RBV_GAIN_KX},
                    {3, RBV_GAIN_VELOCITY}, {0, RBV_GAIN_UPPER}, {1, RBV_GAIN_LOWER},
                    {2, RBV_GAIN_UPPER},    {3, RBV_GAIN_UPPER}};

static double reference(int j, int k) { return 0.4 * sin(0.02 * k + j); }
static double measured(int j, int k) { return 0.35 * sin(0.02 * k + j - 0.1) + 0.01 * j; }
static double direction(int j, int k) { return 0.1 * cos(0.05 * k + 2 * j); }

/* torques along the run, with positions or a gain changed by `step` */
static void run(double tau[TICKS][N], int lane, double step) {
  rbv_control_joint law[N];
  make_laws(law);
  if (lane > 0) *rbv_gain_of(&law[changed[lane - 1].joint], changed[lane - 1].gain) += step;
  rbv_control *c;
  rbv_control_state *s;
  assert_ok(rbv_control_new(&c, "laws", 1000, RBV_FEEDFORWARD_NONE, law, N));
  assert_ok(rbv_control_state_new(&s, c, 1));
  for (int j = 0; j < N; j++) rbv_control_set_integral(s, 0, j, 5);
  for (int k = 0; k < TICKS; k++) {
    double qr[N], qm[N], dqr[N];
    for (int j = 0; j < N; j++) {
      qr[j] = reference(j, k);
      dqr[j] = 8 * cos(0.02 * k + j);
      qm[j] = measured(j, k) + (lane == 0 ? step * direction(j, k) : 0);
    }
    const rbv_control_input in = {.qr = qr, .qm = qm, .dqr = dqr};
    rbv_control_step(tau[k], s, &in);
  }
  rbv_control_state_free(s);
  rbv_control_free(c);
}

static void test_against_differences(void **state) {
  (void)state;
  static double nominal[TICKS][N], got[TICKS][N * LANES], up[TICKS][N], down[TICKS][N];
  rbv_control_joint law[N];
  make_laws(law);
  rbv_control *c;
  rbv_control_tangent *t;
  assert_ok(rbv_control_new(&c, "laws", 1000, RBV_FEEDFORWARD_NONE, law, N));
  assert_ok(rbv_control_tangent_new(&t, c, LANES));
  for (int i = 0; i < GAINS; i++)
    assert_ok(rbv_control_tangent_set_gain(t, 1 + i, changed[i].joint, changed[i].gain, 1));
  rbv_control_tangent_reset(t);
  for (int j = 0; j < N; j++) rbv_control_tangent_set_integral(t, -1, j, 5);
  int limited = 0;
  for (int k = 0; k < TICKS; k++) {
    double qr[N], qm[N], dqr[N], dqm[N * LANES] = {0};
    for (int j = 0; j < N; j++) {
      qr[j] = reference(j, k);
      dqr[j] = 8 * cos(0.02 * k + j);
      qm[j] = measured(j, k);
      dqm[j * LANES] = direction(j, k);
    }
    const rbv_control_input in = {.qr = qr, .qm = qm, .dqr = dqr};
    rbv_control_tangent_step(nominal[k], got[k], t, &in, dqm, NULL);
  }
  run(up, 0, 0);
  for (int k = 0; k < TICKS; k++)
    for (int j = 0; j < N; j++) {
      // the same arithmetic in another order
      assert_near(nominal[k][j], up[k][j], 1e-9, 1e-12);
      limited += up[k][j] == law[j].upper || up[k][j] == law[j].lower;
    }
  // the test is about limits too
  assert_true(limited > TICKS / 4 && limited < N * TICKS / 2);
  for (int lane = 0; lane < LANES; lane++) {
    // the law is piecewise linear in positions and gains: a small step gives the derivative, except
    // at the ticks where a limit is reached or left with one sign of the step only
    const double step = 1e-6;
    run(up, lane, step);
    run(down, lane, -step);
    int wrong = 0;
    for (int k = 0; k < TICKS; k++)
      for (int j = 0; j < N; j++) {
        const double want = (up[k][j] - down[k][j]) / (2 * step);
        // torques of 1e3 with 1e-13 relative error, divided by the step: 1e-4
        wrong += !(fabs(got[k][j * LANES + lane] - want) <= 2e-3 + 1e-6 * fabs(want));
      }
    print_message("lane %d: %d ticks differ\n", lane, wrong);
    assert_int_equal(wrong, 0);
  }
  rbv_control_tangent_free(t);
  rbv_control_free(c);
}

static void test_gain_table(void **state) {
  (void)state;
  for (int i = 0; i < RBV_GAIN_COUNT; i++) {
    rbv_gain back;
    assert_true(rbv_gain_parse(&back, rbv_gain_name(i)));
    assert_int_equal(back, i);
  }
  assert_null(rbv_gain_name(RBV_GAIN_COUNT));
  rbv_gain g;
  assert_false(rbv_gain_parse(&g, "k_q"));
  rbv_control_joint law[N];
  make_laws(law);
  assert_null(rbv_gain_of(&law[0], RBV_GAIN_KX));
  assert_null(rbv_gain_of(&law[3], RBV_GAIN_KP));
  law[0].upper = INFINITY;
  assert_null(rbv_gain_of(&law[0], RBV_GAIN_UPPER));
  assert_ptr_equal(rbv_gain_of(&law[0], RBV_GAIN_KD), &law[0].k_d);
}

static rbv_status create(void *state) {
  (void)state;
  rbv_control_joint law[N];
  make_laws(law);
  rbv_control *c = NULL;
  rbv_control_tangent *t = NULL;
  rbv_status status = rbv_control_new(&c, "laws", 1000, RBV_FEEDFORWARD_NONE, law, N);
  if (status == RBV_OK) status = rbv_control_tangent_new(&t, c, 2);
  rbv_control_tangent_free(t);
  rbv_control_free(c);
  return status;
}

static void test_refusals(void **state) {
  rbv_control_tangent *t;
  assert_refused(rbv_control_tangent_new(&t, NULL, 1), RBV_EARG, "a controller");
  fail_each_allocation(create, *state);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_against_differences),
      cmocka_unit_test(test_gain_table),
      cmocka_unit_test(test_refusals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
