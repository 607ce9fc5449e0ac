/* Coupled drives: false alarms and detections over many simulated arms. */
#include "coupled.h"

static void test_no_false_coupling(void **state) {
  (void)state;
  assert_int_equal(false_couplings(100, 1000), 0);
}

static void test_detection(void **state) {
  (void)state;
  int wrong;
  double worst;
  const int found = found_couplings(&wrong, &worst, 60, 5000);
  printf("%d of 60 couplings were found, %d times another pair, worst ratio error %.1f %%\n", found,
         wrong, 100 * worst);
  assert_int_equal(wrong, 0);
  // the others hardly change the torque of one of their joints
  assert_true(found >= 54);
  assert_true(worst < 0.1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_no_false_coupling),
      cmocka_unit_test(test_detection),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
