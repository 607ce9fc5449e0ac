/* Payload of an LWR4+: from motor torques (A), joint sensors (B) and both (C of Jubien 2014). */
#include <math.h>
#include <roberval/sys/identify.h>
#include <string.h>

#include "motions.h"
#include "payload_trial.h"
#include "support.h"

/* four sigma: one of sixteen thousand is outside; sigma itself has an accuracy of a tenth */
static void check(int sensing, double bound) {
  rbv_payload truth;
  const rbv_payload p = payload_trial(&truth, sensing, 1);
  assert_near(truth.mass, PAYLOAD_MASS, 0, 1e-12);
  assert_near(p.mass, PAYLOAD_MASS, 0, bound);
  assert_near(p.mass, PAYLOAD_MASS, 4 * p.mass_sigma, 0);
  for (int i = 0; i < 3; i++) assert_near(p.centre[i], truth.centre[i], 4 * p.centre_sigma[i], 0);
  for (int i = 0; i < 6; i++)
    assert_near(p.inertia[i], truth.inertia[i], 4 * p.inertia_sigma[i], 0);
}

static void test_mass_from_motor_torques(void **state) {
  (void)state;
  check(RBV_SENSING_MOTOR, 0.025);
}

static void test_mass_from_joint_sensors(void **state) {
  (void)state;
  check(RBV_SENSING_JOINT, 0.005);
}

static void test_mass_from_both(void **state) {
  (void)state;
  check(RBV_SENSING_BOTH, 0.005);
}

/* without a loaded recording the payload is unknown */
static void test_unloaded_recordings_give_no_mass(void **state) {
  (void)state;
  rbv_model *m = load_robot("lwr4+", RBV_SENSING_JOINT, true), *bare;
  waves w;
  waves_new(&w, m, rbv_model_parameters(m), 1, 1000, 100, false);
  waves_add_noise(&w, 1, 0.1);
  rbv_motion *motion = waves_motion(&w);
  rbv_identify_options o = rbv_identify_defaults();
  rbv_estimate *e;
  rbv_payload p;
  assert_ok(rbv_identify(&e, m, &motion, 1, &o));
  assert_ok(rbv_payload_get(&p, e, m));
  assert_true(isnan(p.mass) && isinf(p.mass_sigma));
  bare = load_robot("lwr4+", RBV_SENSING_JOINT, false);
  assert_refused(rbv_payload_get(&p, e, bare), RBV_EARG, "no payload");
  assert_refused(rbv_payload_get(&p, NULL, m), RBV_EARG, "needs an estimate");
  rbv_estimate_free(e);
  rbv_motion_free(motion);
  waves_free(&w);
  rbv_model_free(m);
  rbv_model_free(bare);
}

/* an inertia that no body has is marked, whatever its sigma is */
static void test_impossible_inertia(void **state) {
  (void)state;
  rbv_model *m = load_robot("lwr4+", RBV_SENSING_JOINT, true);
  double chi[200] = {0};
  const int n = rbv_model_joint_count(m);
  rbv_motion *motion[2];
  memcpy(chi, rbv_model_parameters(m), (size_t)rbv_model_column_count(m) * sizeof *chi);
  for (int c = 0; c < rbv_model_column_count(m); c++) {
    const rbv_column *column = rbv_model_column(m, c);
    // 2 kg at 0.1 m, moments of 0.02 kg m^2 about the centre
    static const double body[RBV_INERTIAL] = {0.04, 0, 0, 0.04, 0, 0.02, 0, 0, 0.2, 2};
    if (column->joint == n) chi[c] = body[column->component];
  }
  for (int i = 0; i < 2; i++) {
    waves w;
    waves_new(&w, m, chi, (uint64_t)(1 + i), 2000, 100, i == 1);
    waves_add_noise(&w, (uint64_t)(1 + i), 0.01);
    motion[i] = waves_motion(&w);
    waves_free(&w);
  }
  const rbv_identify_options o = rbv_identify_defaults();
  rbv_estimate *e;
  rbv_payload p;
  assert_ok(rbv_identify(&e, m, motion, 2, &o));
  assert_ok(rbv_payload_get(&p, e, m));
  assert_true(p.inertia_possible);
  assert_near(p.mass, 2, 4 * p.mass_sigma, 0);
  for (int k = 0; k < e->base->count; k++) {
    const rbv_column *column = rbv_model_column(m, e->base->kept[k]);
    if (column->joint == n && column->component == 5) e->value[k] += 0.05;
  }
  // 0.02 + 0.02 < 0.07
  assert_ok(rbv_payload_get(&p, e, m));
  assert_false(p.inertia_possible);
  rbv_estimate_free(e);
  for (int i = 0; i < 2; i++) rbv_motion_free(motion[i]);
  rbv_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_mass_from_motor_torques),
      cmocka_unit_test(test_mass_from_joint_sensors),
      cmocka_unit_test(test_mass_from_both),
      cmocka_unit_test(test_impossible_inertia),
      cmocka_unit_test(test_unloaded_recordings_give_no_mass),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
