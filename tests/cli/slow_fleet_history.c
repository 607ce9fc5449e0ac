/* Fifty robots over twelve months: the one that wears and the one with another payload are marked
 * from the month in which it is significant, and no other. */
#include "fleet_months.h"
#include "support.h"

static void test_fifty_robots(void **state) {
  (void)state;
  const fleet_months o = {.robots = 50,
                          .months = 12,
                          .seed = 7,
                          .worn = 17,
                          .wears_from = 4,
                          .growth = 0.03,
                          .loaded = 31,
                          .loaded_from = 8,
                          .mass = 0.5,
                          .season = 0.1};
  fleet_months_make(&o);
  fleet_months_check(&o);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_fifty_robots)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
