#include <math.h>
#include <stdio.h>
#include <string.h>
#include "compare/compare.h"

#include "fake.h"
#include "support.h"

#define COUNT 40

/* true values 1, 2, 3, ... with noise of sigma 0.1; shift [sigma] is added to all */
static void make(fake *f, uint64_t stream, double shift) {
  fake_new(f, COUNT);
  for (int k = 0; k < COUNT; k++) {
    const double noise = rbv_random_normal(11, stream, (uint64_t)k);
    f->item[k].value = k + 1 + 0.1 * (noise + shift);
    f->item[k].sigma = 0.1;
  }
}

static rbv_comparison *compare(fake *f, int n) {
  const rbv_result *list[8];
  for (int i = 0; i < n; i++) list[i] = &f[i].result;
  rbv_comparison *c;
  assert_ok(rbv_compare_results(&c, list, n));
  return c;
}

static void test_two_values_by_hand(void **state) {
  (void)state;
  fake f[2];
  make(&f[0], 0, 0);
  make(&f[1], 1, 0);
  f[0].item[0] = (rbv_parameter){"P1", 1, 0.3, RBV_STATUS_IDENTIFIED};
  f[1].item[0] = (rbv_parameter){"P1", 2, 0.4, RBV_STATUS_IDENTIFIED};
  rbv_comparison *c = compare(f, 2);
  const rbv_agreement *p = &c->parameter[0];
  // weights 1/0.09 and 1/0.16; difference 1 against sqrt(0.09 + 0.16) = 0.5
  assert_near(p->mean, (1 / 0.09 + 2 / 0.16) / (1 / 0.09 + 1 / 0.16), 0, 1e-14);
  assert_near(p->mean_sigma, 0.3 * 0.4 / 0.5, 0, 1e-14);
  assert_near(p->z[0], -2, 0, 1e-14);
  assert_near(p->z[1], 2, 0, 1e-14);
  assert_near(p->scatter, sqrt(0.5), 0, 1e-14);
  // chi-square of one degree of freedom at 4 is the two-sided normal tail at 2
  assert_near(p->agreement_p, erfc(2 / sqrt(2)), 0, 1e-10);
  rbv_comparison_free(c);
}

static void test_correct_sigmas_agree(void **state) {
  (void)state;
  fake f[4];
  for (int i = 0; i < 4; i++) make(&f[i], (uint64_t)i, 0);
  rbv_comparison *c = compare(f, 4);
  assert_int_equal(c->nparameter, COUNT);
  assert_int_equal(c->outlier, -1);
  assert_int_equal(c->disagreeing, 0);
  // rms of 40 standard normal numbers has a standard error of 1/sqrt(80); the median less
  for (int i = 0; i < 4; i++) assert_near(c->distance[i], 1, 5 / sqrt(80.0), 0);
  rbv_comparison_free(c);
}

static void test_outlier_is_found(void **state) {
  (void)state;
  fake f[3];
  make(&f[0], 0, 0);
  make(&f[1], 1, 10);
  make(&f[2], 2, 0);
  rbv_comparison *c = compare(f, 3);
  assert_int_equal(c->outlier, 1);
  assert_true(c->disagreeing > COUNT / 2);
  rbv_comparison_free(c);
}

static void test_parameters_are_matched_by_name(void **state) {
  (void)state;
  fake f[2];
  make(&f[0], 0, 0);
  make(&f[1], 1, 0);
  f[1].item[0].name = "other";
  f[1].item[1].sigma = INFINITY;
  rbv_comparison *c = compare(f, 2);
  assert_int_equal(c->nparameter, COUNT + 1);
  assert_string_equal(c->parameter[COUNT].name, "other");
  assert_int_equal(c->parameter[0].count, 1);
  assert_true(isnan(c->parameter[0].z[0]));
  assert_int_equal(c->parameter[1].count, 1);
  rbv_comparison_free(c);
}

static void test_refusals(void **state) {
  (void)state;
  fake f[2];
  make(&f[0], 0, 0);
  make(&f[1], 1, 0);
  f[1].result.robot = "leg";
  const rbv_result *list[2] = {&f[0].result, &f[1].result};
  rbv_comparison *c;
  assert_refused(rbv_compare_results(&c, list, 1), RBV_EARG, "at least two");
  assert_refused(rbv_compare_results(&c, NULL, 2), RBV_EARG, "at least two");
  assert_refused(rbv_compare_results(&c, list, 2), RBV_EINPUT, "different robots: 'arm' and 'leg'");
  assert_null(c);
}

static rbv_status run(void *state) {
  fake *f = state;
  const rbv_result *list[2] = {&f[0].result, &f[1].result};
  rbv_comparison *c;
  const rbv_status status = rbv_compare_results(&c, list, 2);
  rbv_comparison_free(c);
  return status;
}

static void test_failing_allocations(void **state) {
  (void)state;
  fake f[2];
  make(&f[0], 0, 0);
  make(&f[1], 1, 0);
  fail_each_allocation(run, f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_two_values_by_hand),
      cmocka_unit_test(test_correct_sigmas_agree),
      cmocka_unit_test(test_outlier_is_found),
      cmocka_unit_test(test_parameters_are_matched_by_name),
      cmocka_unit_test(test_refusals),
      cmocka_unit_test(test_failing_allocations),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
