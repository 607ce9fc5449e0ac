/* Six or more hostile values for every option of every command. */
#include "option_matrix.h"

static void test_all_values(void **state) {
  (void)state;
  try_matrix(true);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_all_values)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
