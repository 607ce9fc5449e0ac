/* One hostile value for every option of every command. slow_option_matrix tries all of them. */
#include "option_matrix.h"

static void test_one_value_each(void **state) {
  (void)state;
  try_matrix(false);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_one_value_each)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
