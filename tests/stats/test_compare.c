#include <float.h>
#include <math.h>
#include <roberval/sys/stats.h>
#include <stdlib.h>
#include <string.h>

#include "stats/stats_internal.h"
#include "support.h"

#define EPS DBL_EPSILON

/* diagonal covariances: d = (1, 2), C_iv - C_ls = diag(0.5, 4): 1 / 0.5 + 4 / 4 = 3; with 2 degrees
 * of freedom p = exp(-1.5) */
static void test_hausman_by_hand(void **state) {
  (void)state;
  const double x_iv[] = {11, 4}, x_ls[] = {10, 2};
  const double C_iv[] = {1, 0, 0, 5}, C_ls[] = {0.5, 0, 0, 1};
  rbv_hausman h;
  assert_ok(rbv_stats_hausman(&h, x_iv, C_iv, x_ls, C_ls, 2, 0));
  assert_near(h.statistic, 3, 0, 16 * EPS);
  assert_near(h.p, exp(-1.5), 0, 1e-13);
  assert_true(h.dof == 2 && h.negative == 0 && !h.biased && h.worst == 0);
  assert_near(h.shift, 1, 0, EPS);
  // in the second direction C_ls is larger: the direction is left out and counted
  const double C_big[] = {0.5, 0, 0, 6};
  assert_ok(rbv_stats_hausman(&h, x_iv, C_iv, x_ls, C_big, 2, 0));
  assert_near(h.statistic, 2, 0, 16 * EPS);
  assert_true(h.dof == 1 && h.negative == 1);
  // equal covariances: no direction can be tested
  assert_ok(rbv_stats_hausman(&h, x_iv, C_iv, x_ls, C_iv, 2, 0));
  assert_true(h.dof == 0 && h.negative == 0 && isnan(h.p) && !h.biased);
}

/* a significant but small difference is not a bias; a significant and large one is */
static void test_hausman_ignores_small_differences(void **state) {
  (void)state;
  const double C_iv[] = {1e-6}, C_ls[] = {0.5e-6}, x_iv[] = {1}, near[] = {1.01}, far[] = {1.1};
  rbv_hausman h;
  // ten sigma, but one percent
  assert_ok(rbv_stats_hausman(&h, x_iv, C_iv, near, C_ls, 1, 0));
  assert_true(h.p < 1e-10 && !h.biased);
  assert_near(h.shift, 10, 0, 1e-12);
  assert_ok(rbv_stats_hausman(&h, x_iv, C_iv, far, C_ls, 1, 0));
  assert_true(h.p < 1e-10 && h.biased);
}

/* parameters in other units give the same result up to rounding */
static void test_hausman_does_not_depend_on_units(void **state) {
  (void)state;
  enum { n = 4 };
  double C_iv[n * n], C_ls[n * n], x_iv[n], x_ls[n], D_iv[n * n], D_ls[n * n], y_iv[n], y_ls[n];
  const double unit[] = {1e-6, 1, 1e4, 1e8};
  for (int i = 0; i < n; i++) {
    x_iv[i] = rbv_random_normal(6, 1, (uint64_t)i), x_ls[i] = rbv_random_normal(6, 2, (uint64_t)i);
    y_iv[i] = unit[i] * x_iv[i], y_ls[i] = unit[i] * x_ls[i];
    for (int j = 0; j < n; j++) {
      C_iv[i + j * n] = i == j ? 3 : 0.5, C_ls[i + j * n] = i == j ? 1 : 0.3;
      D_iv[i + j * n] = unit[i] * unit[j] * C_iv[i + j * n];
      D_ls[i + j * n] = unit[i] * unit[j] * C_ls[i + j * n];
    }
  }
  rbv_hausman a, b;
  assert_ok(rbv_stats_hausman(&a, x_iv, C_iv, x_ls, C_ls, n, 0));
  assert_ok(rbv_stats_hausman(&b, y_iv, D_iv, y_ls, D_ls, n, 0));
  assert_near(a.statistic, b.statistic, 0, 1e-13);
  assert_true(a.dof == n && b.dof == n);
}

/*
 * Check of the theory: y = x b + e, instrument z. If x is independent of the noise, p is uniform.
 * If x contains a part of e, least squares is biased by cov(x, e) / var(x), and the test detects
 * it.
 */
static double hausman_share(double leak) {
  enum { n = 400, runs = 2000 };
  double share = 0;
  for (uint64_t k = 0; k < runs; k++) {
    double zx = 0, zy = 0, zz = 0, xx = 0, xy = 0, yy = 0;
    for (uint64_t i = 0; i < n; i++) {
      const double z = rbv_random_normal(7, 3 * k, i), e = rbv_random_normal(7, 3 * k + 1, i);
      const double x = z + rbv_random_normal(7, 3 * k + 2, i) + leak * e, y = 2 * x + e;
      zx += z * x, zy += z * y, zz += z * z, xx += x * x, xy += x * y, yy += y * y;
    }
    const double ls = xy / xx, iv = zy / zx, s2 = (yy - xy * xy / xx) / (n - 1);
    const double C_ls = s2 / xx, C_iv = s2 * zz / (zx * zx);
    rbv_hausman h;
    assert_ok(rbv_stats_hausman(&h, &iv, &C_iv, &ls, &C_ls, 1, 0));
    share += (h.p < 0.05) / (double)runs;
  }
  return share;
}

static void test_hausman_with_and_without_bias(void **state) {
  (void)state;
  // the test is asymptotic in n = 400: half a percent in addition to four standard errors
  assert_near(hausman_share(0), 0.05, 4 * sqrt(0.05 * 0.95 / 2000) + 0.005, 0);
  assert_true(hausman_share(0.5) > 0.9);
}

static rbv_status run_hausman(void *state) {
  (void)state;
  const double x_iv[] = {11, 4}, x_ls[] = {10, 2};
  const double C_iv[] = {1, 0, 0, 5}, C_ls[] = {0.5, 0, 0, 1};
  rbv_hausman h;
  return rbv_stats_hausman(&h, x_iv, C_iv, x_ls, C_ls, 2, 0);
}

static void test_each_allocation_fails_once(void **state) {
  (void)state;
  fail_each_allocation(run_hausman, NULL);
}

static void test_refusals(void **state) {
  (void)state;
  const double good[] = {1, 2, 3, 4}, bad[] = {1, NAN, 1, 1}, zero[4] = {0};
  rbv_hausman h;
  assert_refused(rbv_stats_hausman(&h, good, bad, good, good, 2, 0), RBV_ENUM,
                 "C_iv is not finite");
  assert_refused(rbv_stats_hausman(&h, bad, good, good, good, 2, 0), RBV_ENUM,
                 "x_iv is not finite");
  assert_refused(rbv_stats_hausman(&h, good, zero, good, good, 2, 0), RBV_ENUM, "parameter 0 is 0");
  assert_refused(rbv_stats_hausman(&h, good, good, good, good, 0, 0), RBV_EDIM, "x_iv has 0");
  assert_refused(rbv_stats_hausman(&h, good, good, good, good, 2, 1), RBV_EARG, "tol = 1");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_hausman_by_hand),
      cmocka_unit_test(test_hausman_ignores_small_differences),
      cmocka_unit_test(test_hausman_does_not_depend_on_units),
      cmocka_unit_test(test_hausman_with_and_without_bias),
      cmocka_unit_test(test_each_allocation_fails_once),
      cmocka_unit_test(test_refusals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
