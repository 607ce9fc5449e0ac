#include <float.h>
#include <math.h>
#include <roberval/sys/stats.h>
#include <stdlib.h>
#include <string.h>

#include "stats/stats_internal.h"
#include "support.h"

#define EPS DBL_EPSILON

/* 20 rows, 3 parameters against 1: F = ((14 - 8.5) / 2) / (8.5 / 17) = 5.5; the tail of F(2, 17) is
 * (1 + 2 F / 17)^(-17/2) */
static void test_f_by_hand(void **state) {
  (void)state;
  rbv_f_test t;
  assert_ok(rbv_stats_f_test(&t, 8.5, 14, 20, 3, 1));
  assert_near(t.F, 5.5, 0, EPS);
  assert_near(t.p, pow(1 + 11.0 / 17, -8.5), 0, 1e-13);
  assert_true(t.removed == 2 && t.dof == 17);
  // a difference within rounding counts as equal; a perfect full model gives F = inf and p = 0
  assert_ok(rbv_stats_f_test(&t, 8.5, 8.5 * (1 - 1e-12), 20, 3, 1));
  assert_true(t.F == 0 && t.p == 1);
  assert_ok(rbv_stats_f_test(&t, 0, 1, 20, 3, 1));
  assert_true(isinf(t.F) && t.p == 0);
}

/*
 * Test of the mean of normal numbers with mean zero: rss_reduced = sum y^2, rss_full = that minus n
 * mean^2. F is the square of t, and p is uniform.
 */
static void test_f_under_the_null(void **state) {
  (void)state;
  enum { n = 15, runs = 4000 };
  double average = 0, share = 0;
  for (int k = 0; k < runs; k++) {
    double mean = 0, square = 0, two_sided;
    for (int i = 0; i < n; i++) {
      const double y = rbv_random_normal(5, (uint64_t)k, (uint64_t)i);
      mean += y / n, square += y * y;
    }
    const double rss = square - n * mean * mean;
    rbv_f_test t;
    assert_ok(rbv_stats_f_test(&t, rss, square, n, 1, 0));
    assert_ok(rbv_stats_student_cdf(NULL, &two_sided, fabs(mean) / sqrt(rss / (n - 1) / n), n - 1));
    assert_near(t.p, 2 * two_sided, 1e-12, 0);
    average += t.p / runs;
    share += (t.p < 0.05) / (double)runs;
  }
  // four standard errors
  assert_near(average, 0.5, 4 * sqrt(1 / 12.0 / runs), 0);
  assert_near(share, 0.05, 4 * sqrt(0.05 * 0.95 / runs), 0);
}

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

static void test_z_scores_by_hand(void **state) {
  (void)state;
  const double a[] = {10, 2, 5}, b[] = {5, 2, 4}, se_a[] = {3, 0, 0.5}, se_b[] = {4, 0, 0};
  double z[3];
  assert_ok(rbv_stats_compare(z, a, se_a, b, se_b, 3));
  assert_true(z[0] == 1 && z[1] == 0 && z[2] == 2);
  assert_ok(rbv_stats_compare(z, a, se_a, b, NULL, 3));
  assert_near(z[0], 5.0 / 3, 0, EPS);
}

/* 1 +- 1 and 4 +- 2: weights 1 and 1/4, mean 1.6, chi2 = 0.36 + 1.44 = 1.8 */
static void test_weighted_mean_by_hand(void **state) {
  (void)state;
  const double x[] = {1, 4}, se[] = {1, 2};
  rbv_weighted_mean m;
  assert_ok(rbv_stats_mean(&m, x, se, 2));
  assert_near(m.mean, 1.6, 0, 2 * EPS);
  assert_near(m.se, 1 / sqrt(1.25), 0, 2 * EPS);
  assert_near(m.chi2, 1.8, 0, 8 * EPS);
  assert_near(m.scatter, sqrt(1.8 / 1.25), 0, 8 * EPS);
  // one degree of freedom: erfc(sqrt(chi2 / 2))
  assert_near(m.p, erfc(sqrt(0.9)), 0, 1e-13);
  assert_int_equal(m.dof, 1);
  assert_ok(rbv_stats_mean(&m, x, se, 1));
  assert_true(m.mean == 1 && m.se == 1 && m.chi2 == 0 && isnan(m.p) && isnan(m.scatter));
}

/* unequal errors that are correct: p is uniform, and the scatter of the mean agrees with se */
static void test_weighted_mean_under_the_null(void **state) {
  (void)state;
  enum { n = 8, runs = 4000 };
  double share = 0, z2 = 0;
  for (uint64_t k = 0; k < runs; k++) {
    double x[n], se[n];
    for (int i = 0; i < n; i++) {
      se[i] = 0.1 * (1 + i);
      x[i] = 7 + se[i] * rbv_random_normal(8, k, (uint64_t)i);
    }
    rbv_weighted_mean m;
    assert_ok(rbv_stats_mean(&m, x, se, n));
    share += (m.p < 0.05) / (double)runs;
    z2 += pow((m.mean - 7) / m.se, 2) / runs;
  }
  assert_near(share, 0.05, 4 * sqrt(0.05 * 0.95 / runs), 0);
  assert_near(z2, 1, 4 * sqrt(2.0 / runs), 0);
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
  const double good[] = {1, 2, 3, 4}, other[] = {1, 3}, bad[] = {1, NAN, 1, 1}, zero[4] = {0};
  const double minus[] = {1, -1};
  double z[2];
  rbv_f_test f;
  rbv_hausman h;
  rbv_weighted_mean m;
  assert_refused(rbv_stats_f_test(&f, 2, 1, 10, 3, 2), RBV_EINPUT, "fits better");
  assert_refused(rbv_stats_f_test(&f, 0, 0, 10, 3, 2), RBV_ENUM, "both models fit perfectly");
  assert_refused(rbv_stats_f_test(&f, 1, 2, 3, 3, 2), RBV_EDIM, "3 rows, 3 parameters");
  assert_refused(rbv_stats_f_test(&f, 1, 2, 9, 3, 3), RBV_EDIM, "3 after removal");
  assert_refused(rbv_stats_f_test(&f, NAN, 2, 9, 3, 2), RBV_ENUM, "rss_full");
  assert_refused(rbv_stats_f_test(&f, -1, 2, 9, 3, 2), RBV_EARG, "negative");
  assert_refused(rbv_stats_hausman(&h, good, bad, good, good, 2, 0), RBV_ENUM,
                 "C_iv is not finite");
  assert_refused(rbv_stats_hausman(&h, bad, good, good, good, 2, 0), RBV_ENUM,
                 "x_iv is not finite");
  assert_refused(rbv_stats_hausman(&h, good, zero, good, good, 2, 0), RBV_ENUM, "parameter 0 is 0");
  assert_refused(rbv_stats_hausman(&h, good, good, good, good, 0, 0), RBV_EDIM, "x_iv has 0");
  assert_refused(rbv_stats_hausman(&h, good, good, good, good, 2, 1), RBV_EARG, "tol = 1");
  assert_refused(rbv_stats_compare(z, good, zero, other, zero, 2), RBV_ENUM,
                 "both standard errors are zero");
  assert_refused(rbv_stats_compare(z, good, good, bad, good, 2), RBV_ENUM, "b is not finite at 1");
  assert_refused(rbv_stats_compare(z, good, minus, good, good, 2), RBV_EARG, "error 1 is negative");
  assert_refused(rbv_stats_compare(NULL, good, good, good, good, 2), RBV_EARG, "z is NULL");
  assert_refused(rbv_stats_mean(&m, good, zero, 2), RBV_EARG, "se[0] = 0");
  assert_refused(rbv_stats_mean(&m, bad, good, 2), RBV_ENUM, "x is not finite at 1");
  assert_refused(rbv_stats_mean(&m, good, good, 0), RBV_EDIM, "x has 0");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_f_by_hand),
      cmocka_unit_test(test_f_under_the_null),
      cmocka_unit_test(test_hausman_by_hand),
      cmocka_unit_test(test_hausman_ignores_small_differences),
      cmocka_unit_test(test_hausman_does_not_depend_on_units),
      cmocka_unit_test(test_hausman_with_and_without_bias),
      cmocka_unit_test(test_z_scores_by_hand),
      cmocka_unit_test(test_weighted_mean_by_hand),
      cmocka_unit_test(test_weighted_mean_under_the_null),
      cmocka_unit_test(test_each_allocation_fails_once),
      cmocka_unit_test(test_refusals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
