#include <float.h>
#include <math.h>
#include <roberval/sys/stats.h>
#include <stdio.h>
#include <string.h>
#include "document/document.h"

#include "stats/stats_internal.h"
#include "support.h"

#define EPS DBL_EPSILON

static void white(double *e, ptrdiff_t n, uint64_t stream) {
  for (ptrdiff_t i = 0; i < n; i++) e[i] = rbv_random_normal(11, stream, (uint64_t)i);
}

/* 1 2 4 5: mean 3, sum of squares about it 10, of fourth powers 34, symmetric */
static void test_moments_by_hand(void **state) {
  (void)state;
  const double e[] = {4, 1, 5, 2};
  rbv_moments m;
  assert_ok(rbv_stats_moments(&m, e, 4));
  assert_int_equal(m.count, 4);
  assert_near(m.mean, 3, 0, 0);
  assert_near(m.variance, 10.0 / 3, 0, 2 * EPS);
  assert_near(m.rms, sqrt(11.5), 0, 2 * EPS);
  assert_near(m.skewness, 0, 4 * EPS, 0);
  assert_near(m.kurtosis, (34.0 / 4) / (2.5 * 2.5) - 3, 8 * EPS, 0);
  assert_true(m.smallest == 1 && m.largest == 5);
  // 0 0 0 1: m2 = 3/16, m3 = 3/32, skewness 2 / sqrt(3)
  const double tail[] = {0, 0, 0, 1};
  assert_ok(rbv_stats_moments(&m, tail, 4));
  assert_near(m.skewness, 2 / sqrt(3), 0, 8 * EPS);
}

/* a large mean does not degrade the variance: 1e9 + (1 2 4 5) is exact in double precision */
static void test_variance_far_from_zero(void **state) {
  (void)state;
  const double e[] = {1e9 + 4, 1e9 + 1, 1e9 + 5, 1e9 + 2};
  rbv_moments m;
  assert_ok(rbv_stats_moments(&m, e, 4));
  assert_near(m.variance, 10.0 / 3, 0, 4 * EPS);
  // one value, and equal values
  assert_ok(rbv_stats_moments(&m, e, 1));
  assert_true(isnan(m.variance) && isnan(m.skewness) && isnan(m.kurtosis) && m.mean == e[0]);
  const double flat[] = {0.1, 0.1, 0.1};
  assert_ok(rbv_stats_moments(&m, flat, 3));
  assert_true(m.variance == 0 && isnan(m.skewness));
}

/* 1 2 4 5 about 3 is -2 -1 1 2: products at lag 1: 2 - 1 + 2, lag 2: -2 - 2, lag 3: -4, over 10 */
static void test_autocorrelation_by_hand(void **state) {
  (void)state;
  const double e[] = {1, 2, 4, 5}, want[] = {1, 0.3, -0.4, -0.4};
  double r[4], bound;
  assert_ok(rbv_stats_autocorrelation(r, &bound, e, 4, 3));
  for (int k = 0; k < 4; k++) assert_near(r[k], want[k], EPS, 0);
  assert_near(bound, 1, 0, 0);
}

/* for white normal noise p is uniform: mean 1/2 and share below 5 % within 4 standard errors */
static void test_p_values_are_uniform(void **state) {
  (void)state;
  enum { n = 200, runs = 4000, lags = 10 };
  double e[n], work[n], r[lags + 1], bound, mean = 0, share = 0, deep = 0, inside = 0;
  for (int k = 0; k < runs; k++) {
    rbv_normality s;
    white(e, n, (uint64_t)(100 + k));
    assert_ok(rbv_stats_normality(&s, work, e, n));
    assert_ok(rbv_stats_autocorrelation(r, &bound, e, n, lags));
    mean += s.p_lilliefors / runs;
    share += (s.p_lilliefors < 0.05) / (double)runs;
    deep += (s.p_lilliefors < 0.01) / (double)runs;
    for (int i = 1; i <= lags; i++) inside += (fabs(r[i]) < bound) / (double)runs / lags;
  }
  // the formulas for Lilliefors' p have an error of 0.01 for large p and 10 % in the tail
  assert_near(mean, 0.5, 4 * sqrt(1 / 12.0 / runs) + 0.01, 0);
  assert_near(share, 0.05, 4 * sqrt(0.05 * 0.95 / runs) + 0.005, 0);
  assert_near(deep, 0.01, 4 * sqrt(0.01 * 0.99 / runs) + 0.001, 0);
  // 95.45 % within two sigma; r_k of a finite series scatters slightly less than 1 / sqrt(n)
  assert_near(inside, 0.9545, 4 * sqrt(0.05 / runs / lags) + 0.01, 0);
}

/* uniform noise is not normal */
static void test_uniform_noise_is_detected(void **state) {
  (void)state;
  enum { n = 1000 };
  double e[n], work[n];
  rbv_normality s;
  rbv_moments m;
  for (int i = 0; i < n; i++) e[i] = rbv_random_uniform(11, 6, (uint64_t)i);
  assert_ok(rbv_stats_normality(&s, work, e, n));
  assert_ok(rbv_stats_moments(&m, e, n));
  assert_true(s.p_lilliefors < 1e-3);
  assert_near(m.kurtosis, -1.2, 0.15, 0);
  for (int i = 1; i < n; i++) assert_true(work[i - 1] <= work[i]);
}

/* equidistant quantiles are as normal as n values can be: D = 1 / 2n if sigma were exactly 1 */
static void test_perfectly_normal_sample(void **state) {
  (void)state;
  enum { n = 2000 };
  double e[n];
  for (int i = 0; i < n; i++)
    assert_ok(rbv_stats_normal_quantile(&e[i], (i + 0.5) / n, RBV_TAIL_LOWER));
  rbv_normality s;
  assert_ok(rbv_stats_normality(&s, e, e, n));  // sorts e in place
  // the sigma of the sample is not exactly 1: the distribution differs by less than 1 / 2n
  assert_near(s.d, 0.5 / n, 0.5 / n, 0);
  assert_true(s.p_lilliefors == 1);
}

static void test_histogram_by_hand(void **state) {
  (void)state;
  const double x[] = {-1, 0, 0.5, 1, 1.5, 2, 3, 3.1}, edge[] = {0, 1, 2, 3};
  ptrdiff_t count[3], outside;
  assert_ok(rbv_stats_histogram(count, &outside, x, 8, edge, 3));
  assert_true(count[0] == 2 && count[1] == 2 && count[2] == 2 && outside == 2);
  assert_ok(rbv_stats_histogram(count, NULL, NULL, 0, edge, 3));
  assert_true(count[0] == 0 && count[2] == 0);
}

/* histogram on the deciles of the normal distribution: chi-square with 9 degrees of freedom */
static void test_histogram_of_normal_numbers(void **state) {
  (void)state;
  enum { n = 20000 };
  static double e[n];
  double edge[11] = {-1e3};
  edge[10] = 1e3;
  for (int k = 1; k < 10; k++)
    assert_ok(rbv_stats_normal_quantile(&edge[k], 0.1 * k, RBV_TAIL_LOWER));
  ptrdiff_t count[10], total = 0;
  white(e, n, 8);
  assert_ok(rbv_stats_histogram(count, NULL, e, n, edge, 10));
  double chi2 = 0, p;
  for (int k = 0; k < 10; k++) {
    total += count[k];
    chi2 += pow((double)count[k] - n / 10.0, 2) / (n / 10.0);
  }
  assert_int_equal(total, n);
  assert_ok(rbv_stats_chi2_cdf(NULL, &p, chi2, 9));
  assert_true(p > 1e-3);
}

static double number(const rbv_node *node) {
  double x;
  assert_ok(rbv_node_real(&x, node));
  return x;
}

/* residual of the reference solution: distance of Kolmogorov and Smirnov */
static void test_reference_numbers(void **state) {
  (void)state;
  enum { m = 40, n = 5 };
  rbv_document *doc;
  assert_ok(rbv_document_load(&doc, TEST_DATA "/ls_statistics.json"));
  const rbv_node *root = rbv_document_root(doc);
  double e[m];
  for (int i = 0; i < m; i++) {
    const rbv_node *row = rbv_node_at(rbv_node_find(root, "W"), i);
    e[i] = number(rbv_node_at(rbv_node_find(root, "Y"), i));
    for (int j = 0; j < n; j++)
      e[i] -= number(rbv_node_at(row, j)) * number(rbv_node_at(rbv_node_find(root, "x"), j));
  }
  rbv_normality s;
  assert_ok(rbv_stats_normality(&s, e, e, m));
  const rbv_node *ks = rbv_node_find(root, "ks");
  assert_near(s.d, number(rbv_node_at(ks, 0)), 1e-13, 0);
  rbv_document_free(doc);
}

static void test_nothing_is_allocated(void **state) {
  (void)state;
  enum { n = 100 };
  double e[n], work[n], r[11];
  white(e, n, 9);
  rbv_normality s;
  const long before = rbv_alloc_count();
  assert_ok(rbv_stats_normality(&s, work, e, n));
  assert_ok(rbv_stats_autocorrelation(r, NULL, e, n, 10));
  assert_true(rbv_alloc_count() == before);
}

static void test_refusals(void **state) {
  (void)state;
  double e[] = {1, 2, NAN, 4, 5}, good[] = {1, 2, 3, 4, 5}, flat[] = {2, 2, 2, 2, 2};
  const double huge[] = {1e200, -1e200, 1e200, 1e200, 0};
  double r[6], work[5];
  rbv_moments m;
  rbv_normality norm;
  ptrdiff_t count[2];
  assert_refused(rbv_stats_moments(&m, e, 5), RBV_ENUM, "e is not finite at 2");
  assert_refused(rbv_stats_moments(&m, NULL, 5), RBV_EARG, "e is NULL");
  assert_refused(rbv_stats_moments(&m, good, 0), RBV_EDIM, "e has 0 values");
  assert_refused(rbv_stats_moments(&m, huge, 5), RBV_ENUM, "moments overflow");
  assert_refused(rbv_stats_autocorrelation(r, NULL, good, 5, 5), RBV_EDIM, "at least 6");
  assert_refused(rbv_stats_autocorrelation(r, NULL, good, 5, -1), RBV_EARG, "lags = -1");
  assert_refused(rbv_stats_autocorrelation(r, NULL, flat, 5, 2), RBV_ENUM, "constant");
  assert_refused(rbv_stats_normality(&norm, work, flat, 5), RBV_ENUM, "constant");
  assert_refused(rbv_stats_normality(&norm, work, good, 3), RBV_EDIM, "at least 4");
  assert_refused(rbv_stats_normality(&norm, NULL, good, 5), RBV_EARG, "work is NULL");
  assert_refused(rbv_stats_histogram(count, NULL, e, 5, good, 2), RBV_ENUM, "x is not finite");
  assert_refused(rbv_stats_histogram(count, NULL, good, 5, flat, 2), RBV_EARG, "do not increase");
  assert_refused(rbv_stats_histogram(count, NULL, good, 5, good, 0), RBV_EDIM, "0 bins");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_moments_by_hand),
      cmocka_unit_test(test_variance_far_from_zero),
      cmocka_unit_test(test_autocorrelation_by_hand),
      cmocka_unit_test(test_p_values_are_uniform),
      cmocka_unit_test(test_uniform_noise_is_detected),
      cmocka_unit_test(test_perfectly_normal_sample),
      cmocka_unit_test(test_histogram_by_hand),
      cmocka_unit_test(test_histogram_of_normal_numbers),
      cmocka_unit_test(test_reference_numbers),
      cmocka_unit_test(test_nothing_is_allocated),
      cmocka_unit_test(test_refusals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
