/* Drive gains from a payload of known mass, and torque constants from the back-EMF. */
#include <math.h>
#include <roberval/sys/identify.h>
#include <roberval/sys/log.h>
#include <stdlib.h>

#include "drives.h"
#include "motions.h"
#include "support.h"

static void test_gains_with_a_known_mass(void **state) {
  (void)state;
  double gain[DRIVES], sigma[DRIVES];
  drives_identify(gain, sigma, 1, 0.03, 0, 20);
  for (int j = 0; j < DRIVES; j++) {
    assert_near(gain[j], drives_gain[j], 0, 0.01);
    assert_near(gain[j], drives_gain[j], 4 * sigma[j], 0);
    assert_true(sigma[j] < 0.01 * gain[j]);
  }
}

static void test_refusals(void **state) {
  (void)state;
  rbv_model *bare = load_robot("lwr4+", RBV_SENSING_MOTOR, false);
  rbv_model *joint = load_robot("lwr4+", RBV_SENSING_JOINT, true);
  double gain[DRIVES], sigma[DRIVES];
  const rbv_row_filter filter = {.decimate = 1};
  assert_refused(rbv_identify_gains(gain, sigma, bare, NULL, 0, &filter, 1, 1), RBV_EARG,
                 "payload of known mass");
  assert_refused(rbv_identify_gains(gain, sigma, joint, NULL, 0, &filter, 0, 1), RBV_EARG,
                 "payload of known mass");
  assert_refused(rbv_identify_gains(gain, sigma, joint, NULL, 0, &filter, 1, 1), RBV_EARG,
                 "use motor sensing");
  assert_refused(rbv_identify_gains(gain, sigma, NULL, NULL, 0, NULL, 1, 1), RBV_EARG, "no model");
  rbv_model *motor = load_robot("lwr4+", RBV_SENSING_MOTOR, true);
  assert_refused(rbv_identify_gains(gain, sigma, motor, NULL, 1, NULL, 1, 1), RBV_EARG,
                 "no motion");
  rbv_model_free(motor);
  rbv_model_free(bare);
  rbv_model_free(joint);
}

/* ---- back-EMF ---- */

#define MOTORS 2
#define COUNT 20000
#define RATE 1000.0

static const double true_constant[MOTORS] = {0.042, 0.13};  // [V s/rad]

/* turned by hand up to 20 rad/s; a voltmeter with an offset and 2 % noise, 1000 counts */
static rbv_log *turn_by_hand(uint64_t seed, double noise) {
  static const char *const names[] = {"t", "qm1", "qm2", "emf1", "emf2"};
  double *A = malloc(sizeof *A * COUNT * 5);
  for (int k = 0; k < COUNT; k++) {
    const double t = k / RATE, step = 2 * M_PI / 1000;
    A[k] = t;
    for (int j = 0; j < MOTORS; j++) {
      const double w = 2 * M_PI * (0.4 + 0.3 * j), amplitude = 15 / w;
      A[k + (1 + j) * COUNT] = step * nearbyint(amplitude * (1 - cos(w * t)) / step);
      A[k + (3 + j) * COUNT] =
          true_constant[j] * (amplitude * w * sin(w * t) +
                              15 * noise * rbv_random_normal(seed, (uint64_t)j, (uint64_t)k)) +
          0.01;
    }
  }
  rbv_log *log;
  assert_ok(rbv_log_new(&log, "hand", names, 5, A, COUNT, COUNT));
  free(A);
  return log;
}

static void test_back_emf(void **state) {
  (void)state;
  double k[MOTORS], sigma[MOTORS], square = 0, sum = 0;
  const int runs = 20;
  for (int i = 0; i < runs; i++) {
    rbv_log *log = turn_by_hand((uint64_t)(1 + i), 0.02);
    assert_ok(rbv_identify_back_emf(k, sigma, MOTORS, log, 20));
    for (int j = 0; j < MOTORS; j++) {
      const double error = (k[j] - true_constant[j]) / true_constant[j];
      assert_near(error, 0, 0.01, 0);
      square += error * error / (runs * MOTORS);
      sum += sigma[j] / true_constant[j] / (runs * MOTORS);
    }
    rbv_log_free(log);
  }
  print_message("back-EMF: error %.5f rms, sigma %.5f\n", sqrt(square), sum);
  assert_true(sum / sqrt(square) > 0.5 && sum / sqrt(square) < 2);
}

static void test_back_emf_refusals(void **state) {
  (void)state;
  double k[3], sigma[3];
  rbv_log *log = turn_by_hand(1, 0);
  assert_refused(rbv_identify_back_emf(k, sigma, 3, log, 20), RBV_EINPUT, "qm3 and emf3");
  assert_refused(rbv_identify_back_emf(k, sigma, 2, log, 0.1), RBV_EINPUT, "too few");
  rbv_log_free(log);
  static const char *const names[] = {"t", "qm1", "emf1"};
  double A[3 * 1000] = {0};
  for (int i = 0; i < 1000; i++) A[i] = i / RATE;
  assert_ok(rbv_log_new(&log, "still", names, 3, A, 1000, 1000));
  assert_refused(rbv_identify_back_emf(k, sigma, 1, log, 20), RBV_EINPUT, "does not turn");
  rbv_log_free(log);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_gains_with_a_known_mass),
      cmocka_unit_test(test_refusals),
      cmocka_unit_test(test_back_emf),
      cmocka_unit_test(test_back_emf_refusals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
