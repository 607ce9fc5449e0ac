/* Sigma compared with the spread of the estimates, and the reported inflation: 20 runs. */
#include "support.h"
#include "trials.h"

#define RUNS 20

/* 1200 intervals: the share inside has an accuracy of 0.01, the median of 60 ratios of 0.03 */
static void test_white_noise(void **state) {
  (void)state;
  const trial_plan plan = {
      .runs = RUNS, .seconds = 20, .rate_hz = 100, .decimate = 1, .noise = 0.1};
  const trial_report r = trials(&plan);
  assert_near(r.coverage, 0.95, 0.03, 0);
  assert_near(r.median, 1, 0.15, 0);
  assert_near(r.inflation, 1, 0.02, 0);
  // the test has a level of 1 %, and the size of the correlation counts too
  assert_near(r.coloured, 0, 0.05, 0);
}

/* The decimation removes a sixth of the noise and nothing of the columns: sigma is 0.92 of what it
 * should be. The inflation reports this, and the residual is not called coloured. */
static void test_white_noise_decimated(void **state) {
  (void)state;
  const trial_plan plan = {
      .runs = RUNS, .seconds = 20, .rate_hz = 500, .decimate = 20, .noise = 0.1};
  const trial_report r = trials(&plan);
  assert_near(r.coverage_inflated, 0.95, 0.03, 0);
  assert_near(r.median, 0.92, 0.1, 0);
  assert_near(r.median * r.inflation, 1, 0.15, 0);
  assert_near(r.coloured, 0, 0.1, 0);
}

static void test_coloured_noise(void **state) {
  (void)state;
  const trial_plan plan = {
      .runs = RUNS, .seconds = 20, .rate_hz = 500, .decimate = 1, .noise = 0.1, .noise_hz = 5};
  const trial_report r = trials(&plan);
  assert_true(r.coloured == 1);
  assert_true(r.median < 0.5);  // sigma without the inflation is far too small
  assert_true(r.median * r.inflation > 0.7 && r.median * r.inflation < 1.4);
  assert_near(r.coverage_inflated, 0.95, 0.05, 0);
}

static void test_coloured_noise_decimated(void **state) {
  (void)state;
  const trial_plan plan = {
      .runs = RUNS, .seconds = 20, .rate_hz = 500, .decimate = 25, .noise = 0.1, .noise_hz = 5};
  const trial_report r = trials(&plan);
  assert_true(r.coloured > 0.8);
  assert_true(r.median > 0.5 && r.median < 2);
  assert_true(r.median * r.inflation > 0.7 && r.median * r.inflation < 1.4);
  assert_near(r.coverage_inflated, 0.95, 0.05, 0);
}

/* thirty blocks drawn 300 times: accuracy of a deviation 4 %, the median of 60 is better */
static void test_bootstrap(void **state) {
  (void)state;
  const trial_plan plan = {
      .runs = 2, .seconds = 20, .rate_hz = 100, .decimate = 1, .noise = 0.1, .bootstrap = 300};
  assert_near(trials(&plan).bootstrap, 1, 0.15, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_white_noise),    cmocka_unit_test(test_white_noise_decimated),
      cmocka_unit_test(test_coloured_noise), cmocka_unit_test(test_coloured_noise_decimated),
      cmocka_unit_test(test_bootstrap),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
