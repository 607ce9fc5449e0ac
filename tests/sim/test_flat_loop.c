/* Closed loops by the sources of the device library, in plain C, beside rbv_sim_run. */
#include <math.h>
#include <roberval/sys/dynamics.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/support.h"
#include "bench.h"
#include "device/plain_device.h"
#include "device/point_loop.h"
#include "sim/flat_loop.h"
#include "support.h"

enum { TICKS = 3000, PLANTS = 3, MOST = DEVICE_JOINTS };

typedef struct {
  rbv_model *m;
  rbv_control *c;
  rbv_sim_options o;
  double *q;  // TICKS x njoint, joint by joint
  rbv_sim_lane lane[PLANTS];
} trial;

/* each joint its own sum of two sines */
static void make_reference(trial *t, double rate_hz, double amplitude) {
  const int n = rbv_model_joint_count(t->m);
  t->q = malloc((size_t)(TICKS * n) * sizeof *t->q);
  for (int j = 0; j < n; j++)
    for (int k = 0; k < TICKS; k++) {
      const double s = k / rate_hz;
      t->q[k + j * TICKS] =
          amplitude * (sin((5 + j) * s) + 0.3 * sin((11 + 2 * j) * s) * (1 - exp(-5 * s)));
    }
}

/* not a number stays */
static void raise_to(double *most, double x) {
  if (!(x <= *most)) *most = x;
}

static rbv_control *tuned(const trial *t, double rate_hz, double bandwidth, rbv_control_kind kind) {
  const int n = rbv_model_joint_count(t->m);
  const rbv_sim_reference r = {.count = TICKS, .ld = TICKS, .q = t->q};
  double J[MOST];
  rbv_control_joint joint[MOST];
  assert_ok(rbv_sim_inertia(J, t->m, rbv_model_parameters(t->m), false, &r, 50));
  for (int j = 0; j < n; j++) {
    joint[j] = rbv_control_tune(J[j], bandwidth, 0.2, 10);
    if (kind == RBV_CONTROL_CASCADE) {
      joint[j].kind = kind;
      joint[j].k_x = bandwidth / 4;
      joint[j].k_p = J[j] * bandwidth;
      joint[j].k_i = J[j] * bandwidth * bandwidth / 10;
      joint[j].k_d = 0;
      joint[j].reference_velocity = 1;
    }
  }
  rbv_control *c;
  assert_ok(rbv_control_new(&c, "tuned", rate_hz, RBV_FEEDFORWARD_NONE, joint, n));
  return c;
}

/* largest difference of positions and, relative to the largest torque, of torques */
static void compare(trial *t, double tolerance) {
  const int n = rbv_model_joint_count(t->m);
  const rbv_sim_reference r = {.count = TICKS, .ld = TICKS, .q = t->q};
  rbv_sim *s;
  rbv_sim_trace trace[PLANTS];
  rbv_sim_outcome outcome[PLANTS];
  assert_ok(rbv_sim_new(&s, t->m, t->c, &t->o, PLANTS));
  flat_loop f;
  assert_ok(rbv_flat_loop(&f, t->m, t->c, &t->o));
  const size_t size = (size_t)TICKS * (size_t)n;
  double *values = malloc(DEVICE_PARAMETERS * PLANTS * sizeof *values);
  double *qr = malloc(size * sizeof *qr), *ahead = malloc(size * sizeof *ahead);
  double *block = malloc(DEVICE_TRACES * PLANTS * size * sizeof *block);
  device_trace flat[PLANTS];
  double sums[DEVICE_SUMS * MOST * PLANTS];
  uint64_t seed[PLANTS];
  device_outcome verdict[PLANTS];
  for (int p = 0; p < PLANTS; p++) {
    assert_ok(rbv_sim_set(s, p, &t->lane[p]));
    assert_ok(rbv_flat_plant(values + p, PLANTS, &f, &t->lane[p]));
    assert_ok(rbv_sim_trace_new(&trace[p], n, TICKS));
    seed[p] = t->lane[p].seed;
    for (int i = 0; i < DEVICE_TRACES; i++)
      flat[p].of[i] = block + (size_t)(p * DEVICE_TRACES + i) * size;
  }
  for (int j = 0; j < n; j++)
    for (int k = 0; k < TICKS; k++) qr[k * n + j] = t->q[k + j * TICKS];
  assert_ok(rbv_sim_run(outcome, s, &r, trace));
  f.loop.ticks = TICKS;
  f.loop.plants = PLANTS;
  f.loop.every = 1;
  // the difference to the recorded position of plant 0 is zero for that plant
  for (int j = 0; j < n; j++)
    for (int k = 0; k < TICKS; k++) ahead[k * n + j] = trace[0].recorded_q[k + j * TICKS];
  const device_loop_arrays a = {.parameters = values,
                                .seed = seed,
                                .qr = qr,
                                .recorded = ahead,
                                .sums = sums,
                                .outcome = verdict,
                                .trace = flat};
  char text[200];
  assert_int_equal(rbv_plain_device.loop(&f.loop, &a, NULL, NULL, text, sizeof text), 0);
  double worst = 0, most = 0, wrong = 0, speed = 0, fastest = 0, rate = 0, largest = 0;
  for (int p = 0; p < PLANTS; p++) {
    assert_int_equal(outcome[p].verdict, RBV_SIM_DONE);
    assert_int_equal(verdict[p].verdict, DEVICE_DONE);
    for (int j = 0; j < n; j++) {
      double tracking = 0;
      for (int k = 0; k < TICKS; k++) {
        const ptrdiff_t at = k + (ptrdiff_t)j * TICKS;
        const double x = trace[p].q[at];
        raise_to(&worst, fabs(flat[p].of[DEVICE_TRACE_Q][at] - x));
        raise_to(&wrong, fabs(flat[p].of[DEVICE_TRACE_TAU][at] - trace[p].tau[at]));
        raise_to(&speed, fabs(flat[p].of[DEVICE_TRACE_DQ][at] - trace[p].dq[at]));
        raise_to(&rate, fabs(flat[p].of[DEVICE_TRACE_DDQ][at] - trace[p].ddq[at]));
        raise_to(&most, fabs(trace[p].tau[at]));
        raise_to(&fastest, fabs(trace[p].dq[at]));
        raise_to(&largest, fabs(trace[p].ddq[at]));
        tracking += pow(x - trace[p].qr[k + j * TICKS], 2);
      }
      assert_near(sums[(DEVICE_SUM_TRACKING * n + j) * PLANTS + p], tracking, 0, 1e-9);
    }
  }
  assert_near(worst, 0, tolerance, 0);
  assert_near(wrong, 0, 1e4 * tolerance * most, 0);
  assert_near(speed, 0, 1e4 * tolerance * fastest, 0);
  assert_near(rate, 0, 1e4 * tolerance * largest, 0);
  for (int j = 0; j < n; j++)
    assert_near(sums[(DEVICE_SUM_DIFFERENCE * n + j) * PLANTS], 0, TICKS * tolerance * tolerance,
                0);
  for (int p = 0; p < PLANTS; p++) rbv_sim_trace_free(&trace[p]);
  rbv_sim_free(s);
  free(values);
  free(qr);
  free(ahead);
  free(block);
}

static void release(trial *t) {
  rbv_control_free(t->c);
  rbv_model_free(t->m);
  free(t->q);
}

/* plants with 0.9, 1 and 1.1 times the inertias and other friction */
static void vary(trial *t, double *chi) {
  const int c = rbv_model_column_count(t->m);
  for (int p = 0; p < PLANTS; p++) {
    for (int i = 0; i < c; i++)
      chi[p * c + i] = rbv_model_parameters(t->m)[i] * (1 + 0.1 * (p - 1) * (i % 3 ? 1 : 0.5));
    t->lane[p].chi = chi + p * c;
    t->lane[p].seed = (uint64_t)(40 + p);
  }
}

/* the loops are stable: rounding of 1e-16 per step stays there */
#define ROUNDING 1e-12

static void test_quarter_turns(void **state) {
  (void)state;
  trial t = {.m = bench_model(), .o = rbv_sim_defaults()};
  double chi[PLANTS * 200];
  make_reference(&t, 5000, 0.3);
  t.c = tuned(&t, 5000, 60, RBV_CONTROL_PID);
  vary(&t, chi);
  compare(&t, ROUNDING);
  flat_loop f;
  assert_ok(rbv_flat_loop(&f, t.m, t.c, &t.o));
  assert_int_equal(f.loop.chain.quarter, 1);
  t.o.integrator = RBV_INTEGRATOR_ROS2;
  compare(&t, ROUNDING);
  release(&t);
}

/* the joints of an arm with every law that a device has; their geometry is filled in */
static const char arm_format[] =
    "name: odd\n"
    "gravity: [0.5, -1, -9.7]\n"
    "friction: {gamma: 200, stribeck: 0.2, knee: 0.3}\n"
    "joints:\n"
    "  - {%s, drive: [Ia, Fv, Fc, Fs, off]}\n"
    "  - {%s, drive: [Ia, Fv, Fc]}\n"
    "  - {%s, drive: [Ia, Fv, Fc, Fsq]}\n"
    "  - {%s, drive: [Ia, Fv, Fcp, Fcn, Fcu]}\n"
    "parameters: {XX1: 0.8, YY1: 0.7, ZZ1: 0.9, XY1: 0.02, MX1: 0.4, MY1: 0.1, M1: 6, Ia1: 0.3,\n"
    "  Fv1: 2, Fc1: 3, Fs1: 1.5, off1: 0.4,\n"
    "  XX2: 0.3, YY2: 0.25, ZZ2: 0.2, MX2: 0.2, MZ2: -0.1, M2: 4, Ia2: 5, Fv2: 10, Fc2: 8,\n"
    "  XX3: 0.1, YY3: 0.12, ZZ3: 0.09, MY3: 0.1, M3: 2, Ia3: 0.1, Fv3: 1, Fc3: 1, Fsq3: 0.5,\n"
    "  XX4: 0.02, YY4: 0.02, ZZ4: 0.01, MZ4: 0.05, M4: 0.7, Ia4: 0.05, Fv4: 0.3, Fcp4: 0.4,\n"
    "  Fcn4: 0.6, Fcu4: 0.02}\n";

static const char *const any_joints[4] = {
    "mdh: {alpha: 0.3, d: 0.1, theta: 0.2, r: 0.3}",
    "type: prismatic, mdh: {alpha: 1.1, d: 0.2, theta: -0.4, r: 0.1}",
    "mdh: {alpha: -0.8, d: 0.15, theta: 0.1, r: -0.2}",
    "mdh: {alpha: pi/2, d: 0.05, theta: 0.6, r: 0.1}"};

static rbv_model *odd_arm(const char *const joint[4]) {
  char text[4096];
  rbv_model *m;
  const int size = snprintf(text, sizeof text, arm_format, joint[0], joint[1], joint[2], joint[3]);
  assert_true(size < (int)sizeof text);
  assert_ok(rbv_model_parse(&m, "odd", text, (size_t)size, NULL));
  return m;
}

/* Chains that have formulas of their own: see pattern_of and chain_kind. */
static void test_kinds_of_chains(void **state) {
  (void)state;
  static const struct {
    const char *joint[4];
    int kind;
  } all[] = {
      // axes against each other, and origins with one, two and three components
      {{"mdh: {theta: 0.2, r: 0.3}", "mdh: {alpha: pi, d: 0.2, theta: -0.4}",
        "mdh: {alpha: pi/2, d: 0.15, r: -0.2}", "origin: {xyz: [0.1, 0.05, -0.1]}"},
       PATTERN_CHAIN + PATTERN_SIGNS + 4 + PATTERN_ORIGIN(1, 1, 0, 0) + PATTERN_ORIGIN(2, 1, 1, 0) +
           PATTERN_ORIGIN(3, 1, 1, 1)},
      // origins along y and along z, and none
      {{"mdh: {}", "mdh: {alpha: -pi/2}", "mdh: {alpha: pi/2, r: 0.2}", "mdh: {r: 0.1}"},
       PATTERN_CHAIN + 6 + PATTERN_ORIGIN(2, 0, 1, 0) + PATTERN_ORIGIN(3, 0, 0, 1)},
      // all joints turn, about oblique axes
      {{"mdh: {alpha: 0.3, d: 0.1}", "mdh: {alpha: 1.1, d: 0.2, theta: -0.4, r: 0.1}",
        "mdh: {alpha: -0.8, d: 0.15, r: -0.2}", "mdh: {alpha: pi/2, d: 0.05, theta: 0.6}"},
       TURNING_CHAIN},
  };
  for (int i = 0; i < RBV_COUNT(all); i++) {
    trial t = {.m = odd_arm(all[i].joint), .o = rbv_sim_defaults()};
    double chi[PLANTS * 200];
    make_reference(&t, 2000, 0.2);
    t.c = tuned(&t, 2000, 40, RBV_CONTROL_PID);
    vary(&t, chi);
    flat_loop f;
    assert_ok(rbv_flat_loop(&f, t.m, t.c, &t.o));
    assert_int_equal(chain_kind(&f.loop.chain), all[i].kind);
    compare(&t, ROUNDING);
    t.o.integrator = RBV_INTEGRATOR_ROS2;
    compare(&t, ROUNDING);
    release(&t);
  }
}

static void test_any_chain(void **state) {
  (void)state;
  trial t = {.m = odd_arm(any_joints), .o = rbv_sim_defaults()};
  double chi[PLANTS * 200];
  make_reference(&t, 2000, 0.2);
  t.c = tuned(&t, 2000, 40, RBV_CONTROL_CASCADE);
  vary(&t, chi);
  compare(&t, ROUNDING);
  flat_loop f;
  assert_ok(rbv_flat_loop(&f, t.m, t.c, &t.o));
  assert_int_equal(f.loop.chain.quarter, 0);
  t.o.integrator = RBV_INTEGRATOR_ROS2;
  compare(&t, ROUNDING);
  release(&t);
}

/* plants with gains and delays of their own; a tick has several steps, and a delay ends in one */
static void test_own_gains_and_delays(void **state) {
  (void)state;
  for (int kind = 0; kind < 2; kind++) {
    trial t = {.m = odd_arm(any_joints), .o = rbv_sim_defaults()};
    double chi[PLANTS * 200], gain[PLANTS][RBV_GAIN_COUNT * MOST], delay[PLANTS][MOST];
    const int n = rbv_model_joint_count(t.m);
    make_reference(&t, 1000, 0.2);
    t.c = tuned(&t, 1000, 40, kind == 0 ? RBV_CONTROL_PID : RBV_CONTROL_CASCADE);
    t.o.substeps = 5;
    t.o.longest_delay_s = 0.005;
    vary(&t, chi);
    for (int p = 0; p < PLANTS; p++) {
      for (int i = 0; i < RBV_GAIN_COUNT * n; i++)
        gain[p][i] = i < RBV_GAIN_VELOCITY * n ? 1 + 0.05 * p * (i % 5 - 2) : 1;
      for (int j = 0; j < n; j++) delay[p][j] = 0.00037 * (p + 1) * (j + 1);
      t.lane[p].gain = gain[p];
      t.lane[p].delay = delay[p];
    }
    compare(&t, ROUNDING);
    flat_loop f;
    double values[DEVICE_PARAMETERS];
    assert_ok(rbv_flat_loop(&f, t.m, t.c, &t.o));
    gain[0][RBV_GAIN_VELOCITY * n] = 2;
    assert_refused(rbv_flat_plant(values, 1, &f, &t.lane[0]), RBV_EUNSUPPORTED, "one plant");
    release(&t);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_quarter_turns),
      cmocka_unit_test(test_kinds_of_chains),
      cmocka_unit_test(test_any_chain),
      cmocka_unit_test(test_own_gains_and_delays),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
