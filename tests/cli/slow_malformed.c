/* Ten thousand damaged files. */
#include "malformed.h"

static void test_damaged_files(void **state) {
  (void)state;
  try_malformed(10000);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_damaged_files)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
