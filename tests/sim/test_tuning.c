/* Gains of the automatic controller: those of single joints where the whole arm is stable with
 * them. */
#include <math.h>
#include <roberval/sys/sim.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "support.h"

#define RATE_HZ 500
#define TICKS 1000
#define JOINTS 2

/* A planar arm with a tool of 5 kg on light links, without rotors. Stretched out it has M_11 = 5.2
 * kg m^2, but joint 1 moves only 0.2 kg m^2 as long as joint 2 gives way. */
static const char light_arm[] =
    "name: light\n"
    "gravity: [0, 0, 0]\n"
    "joints:\n"
    "  - {mdh: {alpha: 0, d: 0, theta: 0, r: 0}, drive: []}\n"
    "  - {mdh: {alpha: 0, d: 0.5, theta: 0, r: 0}, drive: []}\n"
    "parameters: {ZZ1: 0.2, M2: 5, MX2: 2.5, ZZ2: 1.26}\n";

typedef struct {
  rbv_model *m;
  double q[JOINTS * TICKS];
  rbv_sim_reference reference;
} arm;

static void make_arm(arm *a) {
  assert_ok(rbv_model_parse(&a->m, "light.yaml", light_arm, strlen(light_arm), NULL));
  for (int k = 0; k < TICKS; k++) {
    const double turn = 2 * M_PI * k / TICKS;
    a->q[k] = 0.5 * (1 - cos(turn));
    a->q[k + TICKS] = 0.25 * (1 - cos(2 * turn));
  }
  a->reference = (rbv_sim_reference){.count = TICKS, .ld = TICKS, .q = a->q};
}

static void tune(rbv_control_joint *joint, bool *softened, const arm *a, double hertz,
                 const double *inertia) {
  const double bandwidth[JOINTS] = {2 * M_PI * hertz, 2 * M_PI * hertz};
  const rbv_sim_tuning wanted = {.inertia = inertia,
                                 .bandwidth = bandwidth,
                                 .integral = 0.2,
                                 .roll_off = 10,
                                 .rate_hz = RATE_HZ};
  assert_ok(rbv_sim_tune(joint, softened, a->m, rbv_model_parameters(a->m), false, &a->reference,
                         &wanted));
}

static rbv_sim_verdict simulate(const arm *a, const rbv_control_joint *joint, double *error) {
  rbv_control *c;
  rbv_sim *s;
  rbv_sim_trace t;
  rbv_sim_outcome outcome;
  const rbv_sim_options o = rbv_sim_defaults();
  const rbv_sim_lane lane = {.chi = rbv_model_parameters(a->m), .seed = 1};
  assert_ok(rbv_control_new(&c, NULL, RATE_HZ, RBV_FEEDFORWARD_MODEL, joint, JOINTS));
  assert_ok(rbv_sim_new(&s, a->m, c, &o, 1));
  assert_ok(rbv_sim_set(s, 0, &lane));
  assert_ok(rbv_sim_trace_new(&t, JOINTS, TICKS));
  assert_ok(rbv_sim_run(&outcome, s, &a->reference, &t));
  double each[JOINTS];
  rbv_sim_tracking(each, &t, JOINTS, outcome.samples);
  *error = fmax(each[0], each[1]);
  rbv_sim_trace_free(&t);
  rbv_sim_free(s);
  rbv_control_free(c);
  return outcome.verdict;
}

static void light_arm_gets_softer_gains(void **state) {
  (void)state;
  arm a;
  make_arm(&a);
  double J[JOINTS], error;
  assert_ok(rbv_sim_inertia(J, a.m, rbv_model_parameters(a.m), false, &a.reference, 1));
  rbv_control_joint single[JOINTS], whole[JOINTS];
  for (int j = 0; j < JOINTS; j++) single[j] = rbv_control_tune(J[j], 2 * M_PI * 10, 0.2, 10);
  assert_int_not_equal(simulate(&a, single, &error), RBV_SIM_DONE);
  bool softened;
  tune(whole, &softened, &a, 10, J);
  assert_true(softened);
  assert_int_equal(simulate(&a, whole, &error), RBV_SIM_DONE);
  assert_true(error < 0.02);  // of a motion by 1 rad
  rbv_model_free(a.m);
}

/* slow laws are stable as they are; no gain is stable if the loop is much faster than the ticks */
static void extreme_bandwidths(void **state) {
  (void)state;
  arm a;
  make_arm(&a);
  double J[JOINTS];
  assert_ok(rbv_sim_inertia(J, a.m, rbv_model_parameters(a.m), false, &a.reference, 1));
  rbv_control_joint joint[JOINTS];
  bool softened = true;
  tune(joint, &softened, &a, 0.1, J);
  assert_false(softened);
  tune(joint, &softened, &a, 1e4, J);
  assert_false(softened);
  const rbv_control_joint usual = rbv_control_tune(J[0], 2 * M_PI * 1e4, 0.2, 10);
  assert_true(joint[0].k_p == usual.k_p && joint[0].k_d == usual.k_d);
  rbv_model_free(a.m);
}

/* an arm with rotors: the gains are those of the single joints, to the last bit */
static void usual_arm_keeps_its_gains(void **state) {
  (void)state;
  rbv_model *m = bench_model();
  double *q = bench_reference(), J[BENCH_JOINTS], bandwidth[BENCH_JOINTS];
  const rbv_sim_reference r = {.count = BENCH_SAMPLES, .ld = BENCH_SAMPLES, .q = q};
  assert_ok(rbv_sim_inertia(J, m, rbv_model_parameters(m), false, &r, 50));
  for (int j = 0; j < BENCH_JOINTS; j++) bandwidth[j] = 2 * M_PI * 10;
  const rbv_sim_tuning wanted = {
      .inertia = J, .bandwidth = bandwidth, .integral = 0.2, .roll_off = 10, .rate_hz = BENCH_RATE};
  rbv_control_joint joint[BENCH_JOINTS];
  bool softened = true;
  assert_ok(rbv_sim_tune(joint, &softened, m, rbv_model_parameters(m), false, &r, &wanted));
  assert_false(softened);
  for (int j = 0; j < BENCH_JOINTS; j++) {
    const rbv_control_joint usual = rbv_control_tune(J[j], bandwidth[j], 0.2, 10);
    assert_true(joint[j].k_p == usual.k_p && joint[j].k_i == usual.k_i &&
                joint[j].k_d == usual.k_d && joint[j].filter_s == usual.filter_s);
  }
  free(q);
  rbv_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(light_arm_gets_softer_gains),
      cmocka_unit_test(extreme_bandwidths),
      cmocka_unit_test(usual_arm_keeps_its_gains),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
