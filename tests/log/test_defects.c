#include <math.h>
#include <string.h>

#include "base/support.h"
#include "support.h"

#include <roberval/sys/log.h>

static rbv_log *read_csv(const char *text) {
  rbv_log *log;
  assert_ok(rbv_log_parse(&log, "x.csv", text, strlen(text), NULL));
  return log;
}

static void test_a_clean_log_has_none(void **state) {
  (void)state;
  rbv_log *log = read_csv("t,q1,tau1\n0,1,2\n1,2,3\n2,1,-3\n3,2,2\n");
  rbv_defect_list list;
  assert_ok(rbv_log_scan(&list, log, NULL));
  assert_int_equal(list.count, 0);
  rbv_defect_list_free(&list);
  rbv_defect_list_free(NULL);
  assert_ok(rbv_log_require(log, 4));
  rbv_log_free(log);
}

/* the levels of a quantised parabola, and the same clipped three levels below its top */
static void test_a_rounded_peak_is_not_saturated(void **state) {
  (void)state;
  for (int clipped = 0; clipped < 2; clipped++) {
    enum { N = 201 };
    double A[2 * N];
    for (int k = 0; k < N; k++) {
      const double x = (k - 100) / 100.0, level = rint(20 * (1 - x * x));
      A[k] = k;
      A[N + k] = 0.027 * (clipped && level > 17 ? 17 : level);
    }
    const char *names[] = {"t", "tau1"};
    rbv_log *log = NULL;
    rbv_defect_list list;
    assert_ok(rbv_log_new(&log, "log", names, 2, A, N, N));
    assert_ok(rbv_log_scan(&list, log, NULL));
    assert_int_equal(list.count, clipped);
    rbv_defect_list_free(&list);
    rbv_log_free(log);
  }
}

static void test_each_defect_is_found_at_its_place(void **state) {
  (void)state;
  rbv_log *log = read_csv(
      "t,q1,q2,tau1,tau2,heat\n"
      "0,1,5,8.9,0,1\n"  // line 2; the resolution of tau1 is 0.1
      "1,nan,5,9,0,1\n"  // missing from here
      "1,,5,9,0,2\n"     // duplicate
      "2,2,5,9,0,inf\n"  // infinite
      "# talk\n"
      "1.5,3,5,9,0,1\n"  // line 7: backwards
      "3,3,5,9,0,1\n"
      "4,3,5,-2,0,1\n"
      "9,3,5,-2,0,1\n"  // line 10: gap of 5 steps
      "10,3,5,-1,0,1\n");
  static const struct {
    rbv_defect want;
    const char *sentence;
  } cases[] = {
      {{RBV_DEFECT_DUPLICATE_TIME, 0, 2, 1, 1}, "x.csv:4: t: duplicate time stamp at 1 s"},
      {{RBV_DEFECT_BACKWARD_TIME, 0, 4, 1, 1.5}, "x.csv:7: t: time runs backwards at 1.5 s"},
      {{RBV_DEFECT_GAP, 0, 7, 1, 5}, "x.csv:10: t: gap of 5 s, 5.0 steps"},
      {{RBV_DEFECT_MISSING, 1, 1, 2, NAN}, "x.csv:3: q1: missing values in 2 samples from here on"},
      {{RBV_DEFECT_INFINITE, 5, 3, 1, INFINITY},
       "x.csv:5: heat: infinite values in 1 samples from here on"},
      {{RBV_DEFECT_SATURATED, 3, 1, 5, 9},
       "x.csv:3: tau1: saturated at 9 for 5 samples from here on"},
      {{RBV_DEFECT_CONSTANT, 2, 0, 9, 5}, "x.csv: q2 is constant (5)"},
      {{RBV_DEFECT_ZERO_TORQUE, 4, 0, 9, 0}, "x.csv: tau2: torque is zero throughout"}};
  rbv_defect_list list;
  assert_ok(rbv_log_scan(&list, log, NULL));
  assert_int_equal(list.count, RBV_COUNT(cases));
  for (int i = 0; i < list.count; i++) {
    const rbv_defect *got = &list.items[i], *want = &cases[i].want;
    assert_int_equal(got->kind, want->kind);
    assert_int_equal(got->column, want->column);
    assert_int_equal(got->sample, want->sample);
    assert_int_equal(got->count, want->count);
    if (!isnan(want->value)) assert_true(got->value == want->value);
    char text[200];
    rbv_defect_describe(text, sizeof text, log, got);
    assert_string_equal(text, cases[i].sentence);
    rbv_defect_describe(text, 8, log, got);
    assert_int_equal(strlen(text), 7);
  }
  rbv_defect_list_free(&list);

  // other limits: two samples at the smallest value are a defect, six steps are not a gap
  const rbv_defect_options o = {.gap_steps = 6, .saturated_run = 2};
  assert_ok(rbv_log_scan(&list, log, &o));
  int gaps = 0, saturated = 0;
  for (int i = 0; i < list.count; i++) {
    gaps += list.items[i].kind == RBV_DEFECT_GAP;
    saturated += list.items[i].kind == RBV_DEFECT_SATURATED;
  }
  assert_int_equal(gaps, 0);
  assert_int_equal(saturated, 2);
  rbv_defect_list_free(&list);
  const rbv_defect_options senseless = {.gap_steps = NAN, .saturated_run = 2};
  assert_refused(rbv_log_scan(&list, log, &senseless), RBV_EARG, "gap");
  assert_string_equal(rbv_defect_name(RBV_DEFECT_GAP), "gap");
  assert_string_equal(rbv_defect_name((rbv_defect_kind)99), "?");
  rbv_log_free(log);
}

static void test_what_nobody_can_identify_from(void **state) {
  (void)state;
  static const struct {
    const char *csv, *sentence;
  } cases[] = {
      {"q1,tau1\n0,1\n1,2\n", "x.csv: no time column (t)"},
      {"t,tau1\n0,1\n", "x.csv: 1 sample is too few; at least 2 are needed"},
      {"t,tau1\n0,1\n2,1\n1,2\n", "x.csv:4: column t: time runs backwards: 1 s after 2 s"},
      {"t,tau1\n0,1\n\n0,1\n", "x.csv: column t: time does not advance, all stamps are 0 s"},
      {"t,tau1\n0,1\nnan,1\n", "x.csv:3: t is missing (nan)"},
      {"t,tau1\n0,1\n1,\n2,3\n", "x.csv:3: tau1 is missing (nan)"},
      {"t,tau1\n0,1\n1,-inf\n", "x.csv:3: tau1 is infinite"},
      {"t,q1\n0,1\n1,2\n", "x.csv: no torque column (tau, taum, tauj)"},
      {"t,tau1,taum1\n0,0,0\n1,0,-0\n", "x.csv: all torques are zero"}};
  for (int i = 0; i < RBV_COUNT(cases); i++) {
    rbv_log *log = read_csv(cases[i].csv);
    assert_refused(rbv_log_require(log, 2), RBV_EINPUT, cases[i].sentence);
    rbv_log_free(log);
  }
  // columns without a known channel may have any value
  rbv_log *log = read_csv("t,tau1,heat\n0,1,nan\n1,2,\n");
  assert_ok(rbv_log_require(log, 2));
  rbv_log_free(log);
}

static rbv_status scan_once(void *state) {
  rbv_defect_list list;
  const rbv_status status = rbv_log_scan(&list, state, NULL);
  rbv_defect_list_free(&list);
  return status;
}

static void test_each_allocation_may_fail(void **state) {
  (void)state;
  rbv_text text = {0};
  rbv_text_put(&text, "t,q1\n");
  for (int k = 0; k < 100; k++) rbv_text_print(&text, "%d,%s\n", k, k % 2 ? "nan" : "1");
  rbv_log *log = read_csv(rbv_text_string(&text));
  fail_each_allocation(scan_once, log);
  rbv_log_free(log);
  rbv_text_free(&text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_a_clean_log_has_none),
      cmocka_unit_test(test_a_rounded_peak_is_not_saturated),
      cmocka_unit_test(test_each_defect_is_found_at_its_place),
      cmocka_unit_test(test_what_nobody_can_identify_from),
      cmocka_unit_test(test_each_allocation_may_fail),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
