/* Sigma compared with the spread of the estimates, and the reported inflation: 20 runs. */
#include "support.h"
#include "trials.h"

#define RUNS 20

/*
 * 1200 intervals: the share inside has an accuracy of 0.01, the median of 60 ratios of 0.03. Sigma
 * is the larger one of two estimates, one of which has an accuracy of 1 / sqrt(2 * 19) = 16 % and
 * the factor 1.07 of Student's distribution: on average 1.12 times the truth for white noise.
 */
static void test_white_noise(void **state) {
  (void)state;
  const trial_plan plan = {
      .runs = RUNS, .seconds = 20, .rate_hz = 100, .decimate = 1, .noise = 0.1};
  const trial_report r = trials(&plan);
  assert_near(r.coverage, 0.965, 0.03, 0);
  assert_near(r.median, 1.12, 0.15, 0);
  assert_near(r.coverage_white, 0.95, 0.03, 0);
  assert_near(r.white, 1, 0.15, 0);
  assert_near(r.inflation, 1.1, 0.1, 0);
  // the test has a level of 1 %, and the size of the correlation counts too
  assert_near(r.coloured, 0, 0.05, 0);
}

/* The decimation removes a sixth of the noise and nothing of the columns: sigma of white noise is
 * 0.92 of what it should be. The blocks show this, and the residual is not called coloured. */
static void test_white_noise_decimated(void **state) {
  (void)state;
  const trial_plan plan = {
      .runs = RUNS, .seconds = 20, .rate_hz = 500, .decimate = 20, .noise = 0.1};
  const trial_report r = trials(&plan);
  assert_near(r.coverage, 0.96, 0.03, 0);
  assert_near(r.white, 0.92, 0.1, 0);
  assert_near(r.median, 1.08, 0.15, 0);
  assert_near(r.coloured, 0, 0.1, 0);
}

static void test_coloured_noise(void **state) {
  (void)state;
  const trial_plan plan = {
      .runs = RUNS, .seconds = 20, .rate_hz = 500, .decimate = 1, .noise = 0.1, .noise_hz = 5};
  const trial_report r = trials(&plan);
  assert_true(r.coloured == 1);
  assert_true(r.white < 0.5);  // far too small
  // 1.07 of Student's distribution
  assert_near(r.median, 1.05, 0.15, 0);
  assert_near(r.coverage, 0.95, 0.03, 0);
}

static void test_coloured_noise_decimated(void **state) {
  (void)state;
  const trial_plan plan = {
      .runs = RUNS, .seconds = 20, .rate_hz = 500, .decimate = 25, .noise = 0.1, .noise_hz = 5};
  const trial_report r = trials(&plan);
  assert_true(r.coloured > 0.8);
  assert_true(r.white > 0.5 && r.white < 1);
  assert_near(r.median, 1.05, 0.15, 0);
  assert_near(r.coverage, 0.95, 0.03, 0);
}

/* 20 blocks drawn 300 times: accuracy of a deviation 4 %, the median of 60 is better; sigma itself
 * is 1.1 times the truth */
static void test_bootstrap(void **state) {
  (void)state;
  const trial_plan plan = {
      .runs = 2, .seconds = 20, .rate_hz = 100, .decimate = 1, .noise = 0.1, .bootstrap = 300};
  assert_near(trials(&plan).bootstrap, 0.9, 0.15, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_white_noise),    cmocka_unit_test(test_white_noise_decimated),
      cmocka_unit_test(test_coloured_noise), cmocka_unit_test(test_coloured_noise_decimated),
      cmocka_unit_test(test_bootstrap),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
