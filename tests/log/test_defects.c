#include <math.h>
#include <string.h>

#include "base/support.h"
#include "support.h"

#include "log/log.h"

static rbv_log *read_csv(const char *text) {
  rbv_log *log;
  assert_ok(rbv_log_parse(&log, "x.csv", text, strlen(text), NULL));
  return log;
}

static void test_a_clean_log_has_none(void **state) {
  (void)state;
  rbv_log *log = read_csv("t,q1,tau1\n0,1,2\n1,2,3\n2,1,-3\n3,2,2\n");
  for (int kind = 0; kind <= RBV_DEFECT_ZERO_TORQUE; kind++) {
    rbv_defect_list list;
    assert_ok(rbv_log_scan(&list, log, (rbv_defect_kind)kind));
    assert_int_equal(list.count, 0);
    rbv_defect_list_free(&list);
  }
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
    assert_ok(rbv_log_scan(&list, log, RBV_DEFECT_SATURATED));
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
      "2,,5,9,0,2\n"
      "3,2,5,9,0,inf\n"  // infinite
      "# talk\n"
      "4,3,5,9,0,1\n"
      "5,3,5,9,0,1\n"
      "6,3,5,-2,0,1\n"  // four samples at the smallest value are not a defect
      "7,3,5,-2,0,1\n"
      "8,3,5,-1,0,1\n");
  static const rbv_defect cases[] = {{RBV_DEFECT_MISSING, 1, 1, 2, NAN},
                                     {RBV_DEFECT_INFINITE, 5, 3, 1, INFINITY},
                                     {RBV_DEFECT_SATURATED, 3, 1, 5, 9},
                                     {RBV_DEFECT_CONSTANT, 2, 0, 9, 5},
                                     {RBV_DEFECT_ZERO_TORQUE, 4, 0, 9, 0}};
  for (int i = 0; i < RBV_COUNT(cases); i++) {
    rbv_defect_list list;
    assert_ok(rbv_log_scan(&list, log, cases[i].kind));
    assert_int_equal(list.count, 1);
    const rbv_defect *got = list.items, *want = &cases[i];
    assert_int_equal(got->kind, want->kind);
    assert_int_equal(got->column, want->column);
    assert_int_equal(got->sample, want->sample);
    assert_int_equal(got->count, want->count);
    if (!isnan(want->value)) assert_true(got->value == want->value);
    rbv_defect_list_free(&list);
  }
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
  const rbv_status status = rbv_log_scan(&list, state, RBV_DEFECT_MISSING);
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
