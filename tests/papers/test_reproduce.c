/* Verdicts: tolerance, explanations, missing numbers. */
#include <math.h>
#include <string.h>
#include "papers/papers.h"

#include "base/support.h"
#include "papers/papers_internal.h"
#include "papers/printed_parameters.h"
#include "support.h"

/* an explanation that an experiment shows */
static rbv_match verdict(double paper, double ours, double tolerance, const char *why, double low,
                         double high) {
  const rbv_reproduced row = {.paper = paper,
                              .ours = ours,
                              .tolerance = tolerance,
                              .why = why,
                              .shown = "an experiment",
                              .low = low,
                              .high = high};
  return rbv_reproduced_verdict(&row);
}

static void test_tolerance(void **state) {
  (void)state;
  assert_int_equal(verdict(60, 60, 0, NULL, 0, 0), RBV_MATCH_AGREES);
  assert_int_equal(verdict(60, 61, 0, NULL, 0, 0), RBV_MATCH_DIFFERS);
  assert_int_equal(verdict(1, 1.25, 0.25, NULL, 0, 0), RBV_MATCH_AGREES);
  assert_int_equal(verdict(1, 0.75, 0.25, NULL, 0, 0), RBV_MATCH_AGREES);
  assert_int_equal(verdict(1, 1.26, 0.25, NULL, 0, 0), RBV_MATCH_DIFFERS);
  assert_int_equal(verdict(-1, 1, 0.25, NULL, 0, 0), RBV_MATCH_DIFFERS);
}

/* an explanation is valid in its range only */
static void test_explanations(void **state) {
  (void)state;
  assert_int_equal(verdict(23, 24, 0, "a misprint", 24, 24), RBV_MATCH_EXPLAINED);
  assert_int_equal(verdict(23, 25, 0, "a misprint", 24, 24), RBV_MATCH_DIFFERS);
  assert_int_equal(verdict(23, 24, 0, NULL, 24, 24), RBV_MATCH_DIFFERS);
  assert_int_equal(verdict(1, 3, 0, "rest", 3, 6), RBV_MATCH_EXPLAINED);
  assert_int_equal(verdict(1, 2, 0, "rest", 3, 6), RBV_MATCH_DIFFERS);
  // agreement needs no reason
  assert_int_equal(verdict(1, 1, 0, "rest", 3, 6), RBV_MATCH_AGREES);
  assert_int_equal(verdict(1, 3, 0, "rest", NAN, NAN), RBV_MATCH_DIFFERS);
}

/* a value of the paper that was the truth of a simulation is recovered; it does not agree */
static void test_simulated_values(void **state) {
  (void)state;
  rbv_reproduced row = {.paper = 1, .ours = 1.2, .tolerance = 0.25, .simulated = true};
  assert_int_equal(rbv_reproduced_verdict(&row), RBV_MATCH_RECOVERED);
  row.ours = 1.3;
  assert_int_equal(rbv_reproduced_verdict(&row), RBV_MATCH_DIFFERS);
}

/* a reason without an experiment does not explain */
static void test_reasons_must_be_shown(void **state) {
  (void)state;
  rbv_reproduced row = {.paper = 1, .ours = 3, .why = "other noise", .low = 2, .high = 4};
  assert_int_equal(rbv_reproduced_verdict(&row), RBV_MATCH_DIFFERS);
  row.shown = "a second run";
  assert_int_equal(rbv_reproduced_verdict(&row), RBV_MATCH_EXPLAINED);
  row.ours = 5;
  assert_int_equal(rbv_reproduced_verdict(&row), RBV_MATCH_DIFFERS);
}

static void test_missing_numbers(void **state) {
  (void)state;
  // a number of ours that the paper does not print is a remark; with no number at all it cannot
  assert_int_equal(verdict(NAN, 51.8, 0, "not printed", 0, 0), RBV_MATCH_REMARK);
  assert_int_equal(verdict(NAN, NAN, 0, "not public", 0, 0), RBV_MATCH_CANNOT);
  assert_int_equal(verdict(1, NAN, 0, "not public", 0, 0), RBV_MATCH_CANNOT);
  assert_int_equal(verdict(90.5, 50, NAN, "units", 0, 0), RBV_MATCH_CANNOT);
  // without a reason a missing number is a difference
  assert_int_equal(verdict(NAN, 51.8, 0, NULL, 0, 0), RBV_MATCH_DIFFERS);
  assert_int_equal(verdict(1, NAN, 0, NULL, 0, 0), RBV_MATCH_DIFFERS);
  assert_int_equal(verdict(1, 1, NAN, NULL, 0, 0), RBV_MATCH_DIFFERS);
}

static void test_names(void **state) {
  (void)state;
  assert_string_equal(rbv_match_name(RBV_MATCH_AGREES), "agrees");
  assert_string_equal(rbv_match_name(RBV_MATCH_RECOVERED), "recovered");
  assert_string_equal(rbv_match_name(RBV_MATCH_EXPLAINED), "explained");
  assert_string_equal(rbv_match_name(RBV_MATCH_DIFFERS), "differs");
  assert_string_equal(rbv_match_name(RBV_MATCH_CANNOT), "cannot");
  assert_string_equal(rbv_match_name(RBV_MATCH_REMARK), "remark");
  assert_string_equal(rbv_match_name((rbv_match)9), "");
  static const char *const names[] = {"didim", "coupling", "a460", "piv", "lwr", "tx40", "emps"};
  for (int i = 0; i < RBV_COUNT(names); i++) {
    assert_string_equal(rbv_reproduce_name(i), names[i]);
    assert_non_null(rbv_reproduce_text(i));
  }
  assert_null(rbv_reproduce_name(RBV_COUNT(names)));
  assert_null(rbv_reproduce_text(RBV_COUNT(names)));
  assert_null(rbv_reproduce_name(-1));
  rbv_reproduction *r;
  assert_int_equal(rbv_reproduce(&r, "didym", NULL), RBV_EARG);
  assert_null(r);
  assert_non_null(strstr(rbv_message(), "didym"));
}

static void test_printed_numbers(void **state) {
  (void)state;
  static const struct {
    const char *text;
    double value, rounding;
  } cases[] = {{"7", 7, 0.5}, {"-0.53", -0.53, 0.005}, {"0.040", 0.04, 0.0005}};
  double value, rounding;
  for (int i = 0; i < RBV_COUNT(cases); i++) {
    rbv_printed_number(&value, &rounding, cases[i].text);
    assert_near(value, cases[i].value, 0, 1e-15);
    assert_near(rounding, cases[i].rounding, 0, 1e-15);
  }
  rbv_printed_number(&value, &rounding, "none");
  assert_true(isnan(value));
}

/* relative standard deviations: five rows in the same order, one with none printed */
static void test_percents(void **state) {
  (void)state;
  rbv_reproduction *r = rbv_alloc(sizeof *r);
  for (int i = 0; i < 6; i++) {
    const rbv_reproduced row = {.where = "Table",
                                .paper = 1,
                                .ours = 1,
                                .paper_percent = i < 5 ? 1 + i : 0,
                                .ours_percent = 2.0 * (1 + i)};
    assert_ok(rbv_reproduction_add(r, &row, "row %d", i));
  }
  assert_ok(rbv_reproduction_percents(r, 0, "Table", "ours"));
  assert_int_equal(r->count, 8);
  assert_near(r->row[6].ours, 2, 0, 1e-12);
  assert_int_equal(r->row[6].verdict, RBV_MATCH_REMARK);
  assert_near(r->row[7].ours, 1, 0, 1e-12);
  assert_int_equal(r->row[7].verdict, RBV_MATCH_REMARK);
  rbv_reproduction_free(r);
}

/* four sigma beyond the value itself: zero would agree, so the row is no evidence */
static void test_vague_estimates(void **state) {
  (void)state;
  rbv_reproduced row = {.paper = -0.3, .ours = -0.25, .tolerance = 0.29, .simulated = true};
  rbv_reproduced_check(&row);
  assert_int_equal(rbv_reproduced_verdict(&row), RBV_MATCH_RECOVERED);
  row.tolerance = 0.31;
  rbv_reproduced_check(&row);
  assert_int_equal(rbv_reproduced_verdict(&row), RBV_MATCH_CANNOT);
  assert_non_null(row.why);
}

/* 100 rows: the list grows, and the counts of verdicts are right */
static void test_rows_add_up(void **state) {
  (void)state;
  rbv_reproduction *r = rbv_alloc(sizeof *r);
  for (int i = 0; i < 100; i++) {
    const rbv_reproduced row = {.where = "Table", .paper = 1, .ours = i % 4 == 0 ? 2 : 1};
    assert_ok(rbv_reproduction_add(r, &row, "row %d", i));
  }
  assert_ok(rbv_reproduction_cannot(r, "Table", 1, 2, "", "not public", "last"));
  assert_int_equal(r->count, 101);
  assert_int_equal(r->verdicts[RBV_MATCH_AGREES], 75);
  assert_int_equal(r->verdicts[RBV_MATCH_DIFFERS], 25);
  assert_int_equal(r->verdicts[RBV_MATCH_CANNOT], 1);
  assert_string_equal(r->row[99].what, "row 99");
  assert_string_equal(r->row[99].unit, "");
  rbv_reproduction_free(r);
}

/* out of memory ends the experiment without a leak */
static void test_out_of_memory(void **state) {
  (void)state;
  rbv_reproduction *r;
  for (long n = 1; n < 400; n = n * 3 / 2 + 1) {
    rbv_alloc_fail_after(n);
    const rbv_status status = rbv_reproduce(&r, "a460", NULL);
    rbv_alloc_fail_after(0);
    if (status != RBV_EMEM) fail_msg("allocation %ld: status %d", n, status);
    assert_null(r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_tolerance),        cmocka_unit_test(test_explanations),
      cmocka_unit_test(test_simulated_values), cmocka_unit_test(test_reasons_must_be_shown),
      cmocka_unit_test(test_percents),         cmocka_unit_test(test_vague_estimates),
      cmocka_unit_test(test_missing_numbers),  cmocka_unit_test(test_names),
      cmocka_unit_test(test_printed_numbers),  cmocka_unit_test(test_rows_add_up),
      cmocka_unit_test(test_out_of_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
