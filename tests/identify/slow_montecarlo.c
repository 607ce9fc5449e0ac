/* Sigma compared with the spread of the estimates, and the reported inflation: 100 runs. */
#include "support.h"
#include "trials.h"

#define RUNS 100

static void test_white_noise(void **state) {
  (void)state;
  const trial_plan plan = {
      .runs = RUNS, .seconds = 20, .rate_hz = 100, .decimate = 1, .noise = 0.1};
  const trial_report r = trials(&plan);
  assert_near(r.coverage, 0.965, 0.03, 0);
  assert_near(r.median, 1.12, 0.15, 0);
  assert_near(r.white, 1, 0.15, 0);
  // the spread of 100 runs has an accuracy of 7 %: the most extreme of 60 deviates by 2.5 times
  // that
  assert_true(r.low > 0.8 && r.high < 1.45);
  assert_near(r.coloured, 0, 0.02, 0);
}

static void test_white_noise_decimated(void **state) {
  (void)state;
  static const int decimate[] = {10, 20, 50, 100};
  for (int i = 0; i < 4; i++) {
    const trial_plan plan = {
        .runs = RUNS, .seconds = 20, .rate_hz = 1000, .decimate = decimate[i], .noise = 0.1};
    const trial_report r = trials(&plan);
    assert_near(r.coverage, 0.96, 0.03, 0);
    assert_near(r.median, 1.08, 0.15, 0);
    assert_near(r.coloured, 0, 0.05, 0);
  }
}

/* AR(1) noise at 5 Hz; at 10 Hz, the last row, hardly any correlation is left */
static void test_coloured_noise(void **state) {
  (void)state;
  static const struct {
    int decimate;
    double least, most;  // share of rows that are reported as coloured
  } rows[] = {{1, 1, 1}, {10, 1, 1}, {20, 0.99, 1}, {50, 0.8, 1}, {100, 0, 0.3}};
  for (int i = 0; i < 5; i++) {
    const trial_plan plan = {.runs = RUNS,
                             .seconds = 20,
                             .rate_hz = 1000,
                             .decimate = rows[i].decimate,
                             .noise = 0.1,
                             .noise_hz = 5};
    const trial_report r = trials(&plan);
    assert_true(r.coloured >= rows[i].least && r.coloured <= rows[i].most);
    assert_near(r.coverage, 0.95, 0.03, 0);
    assert_near(r.median, 1.05, 0.15, 0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_white_noise),
      cmocka_unit_test(test_white_noise_decimated),
      cmocka_unit_test(test_coloured_noise),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
