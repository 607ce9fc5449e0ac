/* Every output with every input by eight paths. */
#include "output_matrix.h"

static void test_no_input_is_replaced(void **state) {
  (void)state;
  assert_true(try_outputs(true) > 2000);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_no_input_is_replaced)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
