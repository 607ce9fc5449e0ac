/* Torque that reacts to the steps of an encoder. */
#include <math.h>
#include <stdlib.h>
#include "signal/signal.h"

#include "support.h"

#define COUNT 20000
#define RATE 5000.0
#define CUTOFF 40.0

/* one axis for 4 s; its torque follows the motion, or also the steps as a PD controller does */
static rbv_feedback observe(uint64_t seed, double counts, bool in_loop) {
  double *q = malloc(COUNT * sizeof *q), *torque = malloc(COUNT * sizeof *torque);
  const double step = counts > 0 ? 2 * 3.14159265358979 / counts : 0;
  double before = 0;
  for (int k = 0; k < COUNT; k++) {
    const double t = k / RATE, phase = rbv_random_uniform(seed, 1, 0);
    const double exact = sin(6 * t + phase) + 0.4 * sin(11 * t), smooth = 10 * sin(6 * t + 1);
    q[k] = step > 0 ? step * rint(exact / step) : exact;
    const double error = exact - q[k];
    torque[k] = smooth + 0.2 * rbv_random_normal(seed, 2, (uint64_t)k);
    // 400 N m/rad and 2 N m s/rad at 5 kHz
    if (in_loop && k > 0) torque[k] += 400 * error + 2 * (error - before) * RATE;
    before = error;
  }
  rbv_feedback f;
  assert_ok(rbv_signal_feedback(&f, q, torque, COUNT, RATE, CUTOFF));
  free(q);
  free(torque);
  return f;
}

static void test_detection_and_false_alarms(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 20; seed++) {
    const rbv_feedback f = observe(seed, 3600, true);
    assert_true(f.coarse_in_loop && f.share > 0.9);
    assert_near(f.step, 2 * 3.14159265358979 / 3600, 0, 1e-9);
    // the controller sees other positions, a fine encoder, or exact ones
    assert_false(observe(seed, 3600, false).coarse_in_loop);
    assert_false(observe(seed, 1e6, true).coarse_in_loop);
    assert_false(observe(seed, 0, false).coarse_in_loop);
  }
}

static void test_little_data(void **state) {
  (void)state;
  const double x[300] = {0}, bad[300] = {0, NAN};
  rbv_feedback f;
  assert_ok(rbv_signal_feedback(&f, x, x, 300, RATE, CUTOFF));
  assert_false(f.coarse_in_loop);
  assert_ok(rbv_signal_feedback(&f, x, bad, 300, RATE, CUTOFF));
  assert_false(f.coarse_in_loop);
  assert_ok(rbv_signal_feedback(&f, x, x, 3, RATE, CUTOFF));
  assert_refused(rbv_signal_feedback(&f, NULL, x, 300, RATE, CUTOFF), RBV_EARG, "needed");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_detection_and_false_alarms),
      cmocka_unit_test(test_little_data),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
