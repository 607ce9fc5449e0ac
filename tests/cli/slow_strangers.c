/* Every value of a result with every hostile value. */
#include "strangers.h"

static void test_hostile_results(void **state) {
  (void)state;
  try_strangers(0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_hostile_results)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
