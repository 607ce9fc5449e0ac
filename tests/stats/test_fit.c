#include <float.h>
#include <math.h>
#include <roberval/sys/document.h>
#include <roberval/sys/linalg.h>
#include <roberval/sys/stats.h>
#include <stdlib.h>
#include <string.h>

#include "stats/stats_internal.h"
#include "support.h"

#define EPS DBL_EPSILON

/* R = [2 1; 0 4]: inv(R) = [1/2 -1/8; 0 1/4], inv(R'R) = [17/64 -1/32; -1/32 1/16] */
static void test_covariance_by_hand(void **state) {
  (void)state;
  // leading dimension 3; the NaN below the triangle must not be read
  const double R[] = {2, NAN, NAN, 1, 4, NAN};
  const double want[] = {17.0 / 64, -1.0 / 32, -1.0 / 32, 1.0 / 16};
  double C[4], se[2], percent[2], P[4];
  assert_ok(rbv_stats_covariance(C, R, 2, 3, 9));
  for (int k = 0; k < 4; k++) assert_near(C[k], 9 * want[k], 0, 4 * EPS);
  assert_ok(rbv_stats_stderr(se, C, 2));
  assert_near(se[0], 3 * sqrt(17) / 8, 0, 4 * EPS);
  assert_near(se[1], 0.75, 0, 4 * EPS);
  const double x[] = {-2, 0};
  assert_ok(rbv_stats_relative(percent, se, x, 2));
  assert_near(percent[0], 50 * se[0], 0, 2 * EPS);
  assert_true(isinf(percent[1]));
  const double sure[] = {0, 0};
  assert_ok(rbv_stats_relative(percent, sure, x, 2));
  assert_true(percent[0] == 0 && percent[1] == 0);
  // correlation -1/32 / sqrt(17/64 / 16) = -1 / sqrt(17), also in place
  assert_ok(rbv_stats_correlation(P, C, 2));
  assert_true(P[0] == 1 && P[3] == 1 && P[1] == P[2]);
  assert_near(P[1], -1 / sqrt(17), 0, 4 * EPS);
  assert_ok(rbv_stats_correlation(C, C, 2));
  assert_memory_equal(C, P, sizeof P);
}

/* C R'R = sigma2 I for random triangles */
static void test_covariance_inverts_the_gram_matrix(void **state) {
  (void)state;
  enum { n = 30 };
  static double R[n * n], C[n * n], G[n * n];
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      R[i + j * n] = i > j    ? 0
                     : i == j ? 2 + 0.1 * j
                              : 0.3 * rbv_random_normal(1, 1, (uint64_t)(i + j * n));
  assert_ok(rbv_stats_covariance(C, R, n, n, 2.5));
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      G[i + j * n] = 0;
      for (int k = 0; k < n; k++) G[i + j * n] += R[k + i * n] * R[k + j * n];
      assert_true(C[i + j * n] == C[j + i * n]);
    }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double sum = 0;
      for (int k = 0; k < n; k++) sum += C[i + k * n] * G[k + j * n];
      // 30 terms of up to 10, condition below 1e3
      assert_near(sum, i == j ? 2.5 : 0, 1e-11, 0);
    }
}

static double number(const rbv_node *node) {
  double x;
  assert_ok(rbv_node_real(&x, node));
  return x;
}

/* complete estimate from rows through the triangle of [W | Y], compared with the reference */
static void test_reference_numbers(void **state) {
  (void)state;
  enum { m = 40, n = 5, ld = n + 1 };
  rbv_document *doc;
  assert_ok(rbv_document_load(&doc, TEST_DATA "/ls_statistics.json"));
  const rbv_node *root = rbv_document_root(doc);
  double A[m * ld], R[ld * ld], x[n], C[n * n], se[n], percent[n], rss, yy;
  for (int i = 0; i < m; i++) {
    for (int j = 0; j < n; j++)
      A[i + j * m] = number(rbv_node_at(rbv_node_at(rbv_node_find(root, "W"), i), j));
    A[i + n * m] = number(rbv_node_at(rbv_node_find(root, "Y"), i));
  }
  rbv_qr *qr;
  assert_ok(rbv_qr_new(&qr, ld));
  assert_ok(rbv_qr_add(qr, A, m, m));
  rbv_qr_get(R, qr);
  rbv_qr_free(qr);
  memcpy(x, R + n * ld, sizeof x);
  assert_ok(rbv_solve_upper(x, 1, n, R, n, ld));
  assert_ok(rbv_stats_sums(&rss, &yy, R, n, ld));
  rbv_fit_norms fit;
  assert_ok(rbv_stats_fit(&fit, rss, yy, m, n));
  assert_ok(rbv_stats_covariance(C, R, n, ld, fit.variance));
  assert_ok(rbv_stats_stderr(se, C, n));
  assert_ok(rbv_stats_relative(percent, se, x, n));

  // condition number 2, residual 4 % of Y: a few hundred eps
  const double rel = 1e-13;
  assert_int_equal(fit.dof, 35);
  assert_near(fit.variance, number(rbv_node_find(root, "s2")), 0, rel);
  double residual = 0, square = 0;
  for (int i = 0; i < m; i++) {
    double e = A[i + n * m];
    square += e * e;
    for (int j = 0; j < n; j++) e -= A[i + j * m] * x[j];
    residual += e * e;
  }
  assert_near(fit.relative, sqrt(residual / square), 0, rel);
  assert_near(fit.rms, sqrt(residual / m), 0, rel);
  for (int j = 0; j < n; j++) {
    assert_near(x[j], number(rbv_node_at(rbv_node_find(root, "x"), j)), 0, rel);
    assert_near(se[j], number(rbv_node_at(rbv_node_find(root, "sd"), j)), 0, rel);
    assert_near(percent[j], number(rbv_node_at(rbv_node_find(root, "rel"), j)), 0, rel);
  }
  rbv_document_free(doc);
}

/* t_(0.975, 10) = 2.228; infinite degrees of freedom: 1.959964 */
static void test_interval_by_hand(void **state) {
  (void)state;
  const double x[] = {1, -3}, se[] = {2, 0};
  double low[2], high[2];
  assert_ok(rbv_stats_interval(low, high, x, se, 2, 10, 0.95));
  assert_near(high[0], 1 + 2 * 2.228, 1e-3, 0);
  assert_near(low[0], 1 - 2 * 2.228, 1e-3, 0);
  assert_true(low[1] == -3 && high[1] == -3);
  assert_ok(rbv_stats_interval(NULL, high, x, se, 2, INFINITY, 0.95));
  assert_near(high[0], 1 + 2 * 1.959964, 1e-6, 0);
}

/*
 * Coverage: y = 2 + 3 t + noise in 12 rows, 4000 times. The 95 % interval with Student's quantile
 * at 10 degrees of freedom contains the true value in 95 % of the runs, and the scatter of x agrees
 * with its covariance.
 */
static void test_intervals_contain_the_true_value(void **state) {
  (void)state;
  enum { m = 12, runs = 4000 };
  const double truth[] = {2, 3};
  double inside[2] = {0}, spread[2] = {0}, variance[2] = {0};
  rbv_qr *qr;
  assert_ok(rbv_qr_new(&qr, 3));
  for (int k = 0; k < runs; k++) {
    double A[m * 3], R[9], x[2], C[4], se[2], low[2], high[2], rss, yy;
    for (int i = 0; i < m; i++) {
      const double t = i / (double)m;
      A[i] = 1, A[i + m] = t;
      A[i + 2 * m] = 2 + 3 * t + 0.5 * rbv_random_normal(3, (uint64_t)k, (uint64_t)i);
    }
    rbv_qr_reset(qr);
    assert_ok(rbv_qr_add(qr, A, m, m));
    rbv_qr_get(R, qr);
    memcpy(x, R + 6, sizeof x);
    assert_ok(rbv_solve_upper(x, 1, 2, R, 2, 3));
    assert_ok(rbv_stats_sums(&rss, &yy, R, 2, 3));
    rbv_fit_norms fit;
    assert_ok(rbv_stats_fit(&fit, rss, yy, m, 2));
    assert_ok(rbv_stats_covariance(C, R, 2, 3, fit.variance));
    assert_ok(rbv_stats_stderr(se, C, 2));
    assert_ok(rbv_stats_interval(low, high, x, se, 2, (double)fit.dof, 0.95));
    for (int j = 0; j < 2; j++) {
      inside[j] += (low[j] <= truth[j] && truth[j] <= high[j]) / (double)runs;
      spread[j] += (x[j] - truth[j]) * (x[j] - truth[j]) / runs;
      variance[j] += C[3 * j] / runs;
    }
  }
  rbv_qr_free(qr);
  for (int j = 0; j < 2; j++) {
    // four standard errors of a share; and of two variances with relative errors sqrt(2 / runs) and
    // sqrt(2 / 10 / runs)
    assert_near(inside[j], 0.95, 4 * sqrt(0.95 * 0.05 / runs), 0);
    assert_near(spread[j] / variance[j], 1, 4 * sqrt(2.2 / runs), 0);
  }
}

/* long series: (1 + r) / (1 - r); two samples: 1 + r; no correlation: 1 */
static void test_inflation_by_hand(void **state) {
  (void)state;
  double v, n;
  assert_ok(rbv_stats_inflation(&v, &n, 0.5, 1, 2));
  assert_near(v, 1.5, 0, EPS);
  assert_near(n, 2 / 1.5, 0, EPS);
  assert_ok(rbv_stats_inflation(&v, NULL, 0.8, 0, 1000));
  assert_near(v, 1, 0, 0);
  assert_ok(rbv_stats_inflation(&v, &n, 0.8, 1, 100000));
  // (1 + r) / (1 - r) = 9, minus 2 r / (n (1 - r)^2) = 4e-4
  assert_near(v, 9 - 4e-4, 1e-10, 0);
  assert_near(n, 100000 / v, 0, 2 * EPS);
  assert_ok(rbv_stats_inflation(&v, &n, -0.5, 1, 100000));
  assert_near(v, 1.0 / 3, 1e-4, 0);
}

/* the mean of 200 samples of AR(1) noise scatters more than sigma / sqrt(n), by the computed
 * factor */
static void test_inflation_agrees_with_simulation(void **state) {
  (void)state;
  enum { n = 200, runs = 3000 };
  const double rho = 0.6;
  double spread = 0, v;
  for (int k = 0; k < runs; k++) {
    // starts in the stationary state, variance 1
    double e = rbv_random_normal(4, (uint64_t)k, 0), mean = e / n;
    for (int i = 1; i < n; i++) {
      e = rho * e + sqrt(1 - rho * rho) * rbv_random_normal(4, (uint64_t)k, (uint64_t)i);
      mean += e / n;
    }
    spread += mean * mean / runs;
  }
  assert_ok(rbv_stats_inflation(&v, NULL, rho, 1, n));
  assert_near(spread * n, v, 0, 4 * sqrt(2.0 / runs));
}

static void test_fit_by_hand(void **state) {
  (void)state;
  rbv_fit_norms fit;
  assert_ok(rbv_stats_fit(&fit, 4, 100, 18, 2));
  assert_near(fit.relative, 0.2, 0, EPS);
  assert_near(fit.rms, sqrt(4.0 / 18), 0, EPS);
  assert_near(fit.variance, 0.25, 0, 0);
  assert_near(fit.sigma, 0.5, 0, 0);
  assert_int_equal(fit.dof, 16);
  assert_ok(rbv_stats_fit(&fit, 0, 0, 3, 0));
  assert_true(isnan(fit.relative) && fit.sigma == 0);
}

static void test_nothing_is_allocated(void **state) {
  (void)state;
  const double R[] = {2, 0, 1, 4}, x[] = {1, 2};
  double C[4], se[2], low[2], high[2];
  const long before = rbv_alloc_count();
  assert_ok(rbv_stats_covariance(C, R, 2, 2, 1));
  assert_ok(rbv_stats_stderr(se, C, 2));
  assert_ok(rbv_stats_interval(low, high, x, se, 2, 7, 0.95));
  assert_true(rbv_alloc_count() == before);
}

static void test_refusals(void **state) {
  (void)state;
  const double singular[] = {1, 0, 2, 0}, bad[] = {1, 0, NAN, 1}, minus[] = {-1, 0, 0, 1};
  const double good[] = {1, 0, 0, 1}, tiny[] = {1e-200, 0, 0, 1};
  double C[4], se[2], x;
  rbv_fit_norms fit;
  assert_refused(rbv_stats_covariance(C, singular, 2, 2, 1), RBV_ENUM, "singular");
  assert_refused(rbv_stats_covariance(C, bad, 2, 2, 1), RBV_ENUM, "not finite");
  assert_refused(rbv_stats_covariance(C, tiny, 2, 2, 1), RBV_ENUM, "parameters 0 and 0");
  assert_refused(rbv_stats_covariance(C, good, 2, 2, -1), RBV_EARG, "sigma2 = -1");
  assert_refused(rbv_stats_covariance(C, good, 2, 2, NAN), RBV_ENUM, "sigma2");
  assert_refused(rbv_stats_covariance(NULL, good, 2, 2, 1), RBV_EARG, "C is NULL");
  assert_refused(rbv_stats_covariance(C, good, 0, 2, 1), RBV_EDIM, "empty");
  assert_refused(rbv_stats_stderr(se, minus, 2), RBV_ENUM, "variance of parameter 0 is -1");
  assert_refused(rbv_stats_stderr(se, bad, 2), RBV_ENUM, "C is not finite at 2");
  assert_refused(rbv_stats_correlation(C, singular, 2), RBV_ENUM, "parameter 1 is 0");
  assert_refused(rbv_stats_relative(se, minus, good, 2), RBV_EARG, "se is negative at 0");
  assert_refused(rbv_stats_interval(&x, NULL, good, good, 1, 5, 1), RBV_EARG, "level = 1");
  assert_refused(rbv_stats_interval(&x, NULL, good, good, 1, 0, 0.9), RBV_EARG, "dof = 0");
  assert_refused(rbv_stats_interval(&x, NULL, bad + 2, good, 1, 1, 0.9), RBV_ENUM,
                 "x is not finite");
  assert_refused(rbv_stats_fit(&fit, 1, 1, 2, 2), RBV_EDIM, "more rows than parameters");
  assert_refused(rbv_stats_fit(&fit, -1, 1, 3, 2), RBV_EARG, "negative");
  assert_refused(rbv_stats_fit(&fit, NAN, 1, 3, 2), RBV_ENUM, "rss");
  assert_refused(rbv_stats_sums(&x, NULL, bad, 1, 2), RBV_ENUM, "last column of R");
  assert_refused(rbv_stats_sums(&x, NULL, good, 2, 2), RBV_EDIM, "2 + 1 columns");
  assert_refused(rbv_stats_inflation(&x, NULL, 1, 1, 5), RBV_EARG, "rho = 1");
  assert_refused(rbv_stats_inflation(&x, NULL, 0, 2, 5), RBV_EARG, "rho_x = 2");
  assert_refused(rbv_stats_inflation(&x, NULL, 0, 1, 0), RBV_EDIM, "n = 0");
  assert_refused(rbv_stats_inflation(&x, NULL, NAN, 1, 5), RBV_ENUM, "rho");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_covariance_by_hand),
      cmocka_unit_test(test_covariance_inverts_the_gram_matrix),
      cmocka_unit_test(test_reference_numbers),
      cmocka_unit_test(test_interval_by_hand),
      cmocka_unit_test(test_intervals_contain_the_true_value),
      cmocka_unit_test(test_inflation_by_hand),
      cmocka_unit_test(test_inflation_agrees_with_simulation),
      cmocka_unit_test(test_fit_by_hand),
      cmocka_unit_test(test_nothing_is_allocated),
      cmocka_unit_test(test_refusals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
