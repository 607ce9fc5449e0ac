#include <float.h>
#include <math.h>
#include <roberval/sys/stats.h>
#include <stdlib.h>
#include <string.h>
#include "document/document.h"
#include "linalg/linalg.h"

#include "stats/stats_internal.h"
#include "support.h"

#define EPS DBL_EPSILON

/* R = [2 1; 0 4]: inv(R) = [1/2 -1/8; 0 1/4], inv(R'R) = [17/64 -1/32; -1/32 1/16] */
static void test_covariance_by_hand(void **state) {
  (void)state;
  // leading dimension 3; the NaN below the triangle must not be read
  const double R[] = {2, NAN, NAN, 1, 4, NAN};
  const double want[] = {17.0 / 64, -1.0 / 32, -1.0 / 32, 1.0 / 16};
  double C[4], se[2], P[4];
  assert_ok(rbv_stats_covariance(C, R, 2, 3, 9));
  for (int k = 0; k < 4; k++) assert_near(C[k], 9 * want[k], 0, 4 * EPS);
  assert_ok(rbv_stats_stderr(se, C, 2));
  assert_near(se[0], 3 * sqrt(17) / 8, 0, 4 * EPS);
  assert_near(se[1], 0.75, 0, 4 * EPS);
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
  double A[m * ld], R[ld * ld], x[n], C[n * n], se[n], rss, yy;
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
  const double variance = rss / (m - n);
  assert_ok(rbv_stats_covariance(C, R, n, ld, variance));
  assert_ok(rbv_stats_stderr(se, C, n));

  // condition number 2, residual 4 % of Y: a few hundred eps
  const double rel = 1e-13;
  assert_near(variance, number(rbv_node_find(root, "s2")), 0, rel);
  double residual = 0, square = 0;
  for (int i = 0; i < m; i++) {
    double e = A[i + n * m];
    square += e * e;
    for (int j = 0; j < n; j++) e -= A[i + j * m] * x[j];
    residual += e * e;
  }
  assert_near(rss, residual, 0, rel);
  assert_near(yy, square, 0, rel);
  for (int j = 0; j < n; j++) {
    assert_near(x[j], number(rbv_node_at(rbv_node_find(root, "x"), j)), 0, rel);
    assert_near(se[j], number(rbv_node_at(rbv_node_find(root, "sd"), j)), 0, rel);
  }
  rbv_document_free(doc);
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
  double t;
  assert_ok(rbv_stats_student_quantile(&t, 0.025, RBV_TAIL_UPPER, m - 2));
  for (int k = 0; k < runs; k++) {
    double A[m * 3], R[9], x[2], C[4], se[2], rss;
    for (int i = 0; i < m; i++) {
      const double time = i / (double)m;
      A[i] = 1, A[i + m] = time;
      A[i + 2 * m] = 2 + 3 * time + 0.5 * rbv_random_normal(3, (uint64_t)k, (uint64_t)i);
    }
    rbv_qr_reset(qr);
    assert_ok(rbv_qr_add(qr, A, m, m));
    rbv_qr_get(R, qr);
    memcpy(x, R + 6, sizeof x);
    assert_ok(rbv_solve_upper(x, 1, 2, R, 2, 3));
    assert_ok(rbv_stats_sums(&rss, NULL, R, 2, 3));
    assert_ok(rbv_stats_covariance(C, R, 2, 3, rss / (m - 2)));
    assert_ok(rbv_stats_stderr(se, C, 2));
    for (int j = 0; j < 2; j++) {
      inside[j] += (fabs(x[j] - truth[j]) <= t * se[j]) / (double)runs;
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

static void test_nothing_is_allocated(void **state) {
  (void)state;
  const double R[] = {2, 0, 1, 4};
  double C[4], se[2];
  const long before = rbv_alloc_count();
  assert_ok(rbv_stats_covariance(C, R, 2, 2, 1));
  assert_ok(rbv_stats_stderr(se, C, 2));
  assert_true(rbv_alloc_count() == before);
}

static void test_refusals(void **state) {
  (void)state;
  const double singular[] = {1, 0, 2, 0}, bad[] = {1, 0, NAN, 1}, minus[] = {-1, 0, 0, 1};
  const double good[] = {1, 0, 0, 1}, tiny[] = {1e-200, 0, 0, 1};
  double C[4], se[2], x;
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
  assert_refused(rbv_stats_sums(&x, NULL, bad, 1, 2), RBV_ENUM, "last column of R");
  assert_refused(rbv_stats_sums(&x, NULL, good, 2, 2), RBV_EDIM, "2 + 1 columns");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_covariance_by_hand),
      cmocka_unit_test(test_covariance_inverts_the_gram_matrix),
      cmocka_unit_test(test_reference_numbers),
      cmocka_unit_test(test_intervals_contain_the_true_value),
      cmocka_unit_test(test_nothing_is_allocated),
      cmocka_unit_test(test_refusals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
