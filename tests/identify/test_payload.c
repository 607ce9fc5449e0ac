/* Payload of an LWR4+: from motor torques (A), joint sensors (B) and both (C of Jubien 2014). */
#include <math.h>
#include <roberval/sys/identify.h>

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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_mass_from_motor_torques),
      cmocka_unit_test(test_mass_from_joint_sensors),
      cmocka_unit_test(test_mass_from_both),
      cmocka_unit_test(test_unloaded_recordings_give_no_mass),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
