/* roberval fleet: a small fleet over some months, and folders that are refused. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "fleet_months.h"
#include "support.h"
#include "tool.h"

static void test_small_fleet(void **state) {
  (void)state;
  const fleet_months o = {.robots = 8,
                          .months = 6,
                          .seed = 3,
                          .worn = 2,
                          .wears_from = 3,
                          .growth = 0.15,
                          .loaded = 5,
                          .loaded_from = 4,
                          .mass = 1.5,
                          .season = 0.1};
  fleet_months_make(&o);
  fleet_months_check(&o);
  // text: the table, then exit code 1
  outcome text = tool("fleet history");
  assert_int_equal(text.code, 1);
  assert_non_null(strstr(text.out, "8 robots, 6 periods, 60 parameters: 2 need attention"));
  assert_non_null(strstr(text.out, "arm02"));
  outcome_free(&text);
  tool_refuses(2, "--alarm needs a probability", "fleet history --alarm 2");
}

static void test_refusals(void **state) {
  (void)state;
  tool_refuses(3, "the folder 'nothing' cannot be read", "fleet nothing");
  assert_int_equal(mkdir(temp_file("single", NULL), 0700), 0);
  assert_int_equal(mkdir(temp_file("single/2026-01", NULL), 0700), 0);
  tool_refuses(3, "needs two or more folders, one per period", "fleet single");
  assert_int_equal(mkdir(temp_file("single/2026-02", NULL), 0700), 0);
  tool_refuses(3, "it has 2 folders and 0 robots", "fleet single");
  temp_file("single/2026-02/arm.json", "{}");
  tool_refuses(3, "single/2026-02/arm.json", "fleet single");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_small_fleet),
                                     cmocka_unit_test(test_refusals)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
