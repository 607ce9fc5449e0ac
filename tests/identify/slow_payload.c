/* Mass of the payload over many recordings: all within the bound, sigma agrees with the spread. */
#include <math.h>

#include "payload_trial.h"
#include "support.h"

#define RUNS 20

static void check_many(int sensing, double bound) {
  double square = 0, worst = 0;
  for (int i = 0; i < RUNS; i++) {
    const rbv_payload p = payload_trial(NULL, sensing, (uint64_t)(1 + i));
    const double error = p.mass - PAYLOAD_MASS;
    square += error * error / (p.mass_sigma * p.mass_sigma) / RUNS;
    worst = fmax(worst, fabs(error) / PAYLOAD_MASS);
    assert_near(p.mass, PAYLOAD_MASS, 0, bound);
  }
  print_message("sensing %d: largest error %.2f %%, errors over sigma %.2f rms\n", sensing,
                100 * worst, sqrt(square));
  // 20 runs give a deviation with 16 % accuracy; decimated noise makes sigma a tenth too small
  assert_near(sqrt(square), 1.1, 0.5, 0);
}

static void test_mass_from_motor_torques(void **state) {
  (void)state;
  check_many(RBV_SENSING_MOTOR, 0.025);
}

static void test_mass_from_joint_sensors(void **state) {
  (void)state;
  check_many(RBV_SENSING_JOINT, 0.005);
}

static void test_mass_from_both(void **state) {
  (void)state;
  check_many(RBV_SENSING_BOTH, 0.005);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_mass_from_motor_torques),
      cmocka_unit_test(test_mass_from_joint_sensors),
      cmocka_unit_test(test_mass_from_both),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
