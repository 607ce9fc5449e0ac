#include <string.h>

#include "support.h"

#include <roberval/log.h>

static rbv_log *load(const char *relative) {
  rbv_log *log;
  assert_ok(rbv_log_load(&log, recording(relative), NULL));
  return log;
}

static void test_tx40_joint(void **state) {
  (void)state;
  rbv_log *log = load("staubli_tx40/tx40_joint.csv");
  assert_int_equal(rbv_log_samples(log), 45000);
  assert_int_equal(rbv_log_joint_count(log), 6);
  assert_int_equal(rbv_log_channel_count(log, RBV_CHANNEL_POSITION), 6);
  assert_int_equal(rbv_log_channel_count(log, RBV_CHANNEL_TORQUE), 6);
  assert_int_equal(rbv_log_line(log, 44999), 45001);
  const rbv_log_rate r = rbv_log_get_rate(log);
  assert_true(r.regular);
  assert_near(r.period, 2e-4, 1e-15, 0);

  // second and last-but-none cells as the file has them
  assert_true(rbv_log_channel(log, RBV_CHANNEL_POSITION, 0)[0] == 9.986875e-07);
  assert_true(rbv_log_channel(log, RBV_CHANNEL_TORQUE, 1)[1] == -27.01888);
  rbv_log_free(log);
}

static void test_tx40_motor(void **state) {
  (void)state;
  rbv_log *log = load("staubli_tx40/tx40_motor.csv");
  assert_int_equal(rbv_log_samples(log), 45000);
  assert_int_equal(rbv_log_channel_count(log, RBV_CHANNEL_MOTOR_POSITION), 6);
  assert_int_equal(rbv_log_channel_count(log, RBV_CHANNEL_MOTOR_TORQUE), 6);
  assert_int_equal(rbv_log_get_sensing(log), RBV_LOG_SENSING_MOTOR);
  rbv_log_free(log);
}

/* 200 Hz with steps of 3.2 to 6.8 ms: used as they are, and not called regular */
static void test_lwr4_has_irregular_stamps(void **state) {
  (void)state;
  rbv_log *log = load("kuka_lwr4/lwr4_measurements_1.csv");
  assert_int_equal(rbv_log_samples(log), 5027);
  assert_int_equal(rbv_log_column_count(log), 36);
  assert_int_equal(rbv_log_channel_count(log, RBV_CHANNEL_ACCELERATION), 7);
  const rbv_log_rate r = rbv_log_get_rate(log);
  assert_true(r.increasing && !r.regular);
  assert_near(r.median, 5e-3, 5e-5, 0);
  assert_true(r.shortest > 3e-3 && r.longest < 7e-3);
  rbv_log_free(log);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_tx40_joint),
      cmocka_unit_test(test_tx40_motor),
      cmocka_unit_test(test_lwr4_has_irregular_stamps),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
