#include <float.h>
#include <math.h>
#include <roberval/sys/document.h>
#include <roberval/sys/stats.h>
#include <stdio.h>
#include <string.h>

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

/* 1 2 4: differences 1 and 2, so 5 / 21; alternating signs give 4 (n - 1) / n; a constant gives
 * 0 */
static void test_durbin_watson_by_hand(void **state) {
  (void)state;
  const double e[] = {1, 2, 4}, turn[] = {3, -3, 3, -3, 3}, flat[] = {2, 2, 2};
  double dw;
  assert_ok(rbv_stats_durbin_watson(&dw, e, 3));
  assert_near(dw, 5.0 / 21, 0, EPS);
  assert_ok(rbv_stats_durbin_watson(&dw, turn, 5));
  assert_near(dw, 4 * 4.0 / 5, 0, EPS);
  assert_ok(rbv_stats_durbin_watson(&dw, flat, 3));
  assert_near(dw, 0, 0, 0);
}

/* white noise gives 2 with standard error 2 / sqrt(n); AR(1) with rho gives 2 (1 - rho) */
static void test_durbin_watson_of_noise(void **state) {
  (void)state;
  enum { n = 40000 };
  static double e[n];
  double dw;
  white(e, n, 1);
  assert_ok(rbv_stats_durbin_watson(&dw, e, n));
  assert_near(dw, 2, 5 * 2 / sqrt(n), 0);
  const double rho = 0.7;
  for (int i = 1; i < n; i++) e[i] += rho * e[i - 1];
  assert_ok(rbv_stats_durbin_watson(&dw, e, n));
  // r_1 has standard error sqrt((1 - rho^2) / n)
  assert_near(dw, 2 * (1 - rho), 5 * 2 * sqrt((1 - rho * rho) / n), 0);
}

/* 1 2 4 5 about 3 is -2 -1 1 2: products at lag 1: 2 - 1 + 2, lag 2: -2 - 2, lag 3: -4, over 10 */
static void test_autocorrelation_by_hand(void **state) {
  (void)state;
  const double e[] = {1, 2, 4, 5}, want[] = {1, 0.3, -0.4, -0.4};
  double r[4], bound, Q, p;
  assert_ok(rbv_stats_autocorrelation(r, &bound, e, 4, 3));
  for (int k = 0; k < 4; k++) assert_near(r[k], want[k], EPS, 0);
  assert_near(bound, 1, 0, 0);
  // Q = 4 * 6 * (0.09 / 3 + 0.16 / 2), chi-square with 2 degrees: exp(-Q / 2)
  assert_ok(rbv_stats_ljung_box(&Q, &p, r, 2, 4, 0));
  assert_near(Q, 24 * (0.03 + 0.08), 0, 8 * EPS);
  assert_near(p, exp(-Q / 2), 0, 1e-14);
}

/* for white normal noise p is uniform: mean 1/2 and share below 5 % within 4 standard errors */
static void test_p_values_are_uniform(void **state) {
  (void)state;
  enum { n = 200, runs = 4000, lags = 10 };
  double e[n], work[n], r[lags + 1], mean[2] = {0}, share[2] = {0}, deep = 0, inside = 0;
  for (int k = 0; k < runs; k++) {
    rbv_residual_stats s;
    white(e, n, (uint64_t)(100 + k));
    assert_ok(rbv_stats_residual(&s, r, work, e, n, lags, 0));
    const double p[] = {s.ljung_box_p, s.normality.p_lilliefors};
    for (int i = 0; i < 2; i++) {
      mean[i] += p[i] / runs;
      share[i] += (p[i] < 0.05) / (double)runs;
    }
    deep += (p[1] < 0.01) / (double)runs;
    for (int i = 1; i <= lags; i++) inside += (fabs(r[i]) < s.bound) / (double)runs / lags;
    // in the tail, p for known parameters is always larger than p for estimated ones
    if (p[1] < 0.2) assert_true(s.normality.p_known > p[1]);
  }
  const double se = sqrt(1 / 12.0 / runs), se_share = sqrt(0.05 * 0.95 / runs);
  // Ljung-Box is asymptotic: at n = 200 its share below 5 % is too high by less than 0.01
  assert_near(mean[0], 0.5, 4 * se + 0.01, 0);
  assert_near(share[0], 0.05, 4 * se_share + 0.01, 0);
  // the formulas for Lilliefors' p have an error of 0.01 for large p and 10 % in the tail
  assert_near(mean[1], 0.5, 4 * se + 0.01, 0);
  assert_near(share[1], 0.05, 4 * se_share + 0.005, 0);
  assert_near(deep, 0.01, 4 * sqrt(0.01 * 0.99 / runs) + 0.001, 0);
  // 95.45 % within two sigma; r_k of a finite series scatters slightly less than 1 / sqrt(n)
  assert_near(inside, 0.9545, 4 * sqrt(0.05 / runs / lags) + 0.01, 0);
}

/* the tests detect coloured noise and uniform noise */
static void test_coloured_and_uniform_noise_are_detected(void **state) {
  (void)state;
  enum { n = 1000 };
  double e[n], work[n], r[11];
  rbv_residual_stats s;
  white(e, n, 5);
  for (int i = 1; i < n; i++) e[i] += 0.5 * e[i - 1];
  assert_ok(rbv_stats_residual(&s, r, work, e, n, 10, 0));
  assert_true(s.ljung_box_p < 1e-10 && s.durbin_watson < 1.2 && r[1] > 5 * s.bound);
  for (int i = 0; i < n; i++) e[i] = rbv_random_uniform(11, 6, (uint64_t)i);
  assert_ok(rbv_stats_residual(&s, r, work, e, n, 10, 0));
  assert_true(s.normality.p_lilliefors < 1e-3 && s.ljung_box_p > 1e-3);
  // uniform: kurtosis -1.2
  assert_near(s.moments.kurtosis, -1.2, 0.15, 0);
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
  assert_true(s.p_known == 1 && s.p_lilliefors == 1);
}

static void test_one_call_equals_separate_calls(void **state) {
  (void)state;
  enum { n = 300, lags = 20 };
  double e[n], work[n], r[lags + 1], r2[lags + 1], dw, Q, p, bound;
  white(e, n, 7);
  rbv_residual_stats s;
  rbv_normality normality;
  assert_ok(rbv_stats_residual(&s, r, work, e, n, lags, 2));
  assert_ok(rbv_stats_autocorrelation(r2, &bound, e, n, lags));
  assert_ok(rbv_stats_ljung_box(&Q, &p, r2, lags, n, 2));
  assert_ok(rbv_stats_durbin_watson(&dw, e, n));
  assert_ok(rbv_stats_normality(&normality, work, e, n));
  assert_memory_equal(r, r2, sizeof r);
  assert_true(s.durbin_watson == dw && s.ljung_box == Q && s.ljung_box_p == p && s.bound == bound);
  assert_memory_equal(&s.normality, &normality, sizeof normality);
  // DW = 2 (1 - r_1) except for the ends and the mean: (e_1^2 + e_n^2) / sum e^2 and n mean^2 / sum
  // e^2
  const double sum = s.moments.rms * s.moments.rms * n, ends = e[0] * e[0] + e[n - 1] * e[n - 1];
  const double tilt = n * s.moments.mean * s.moments.mean;
  assert_near(dw, 2 * (1 - r[1]), (ends + 4 * tilt) / sum, 0);
}

/* a perfect fit is a valid result, not an error */
static void test_perfect_fit(void **state) {
  (void)state;
  const double zero[6] = {0}, flat[] = {1, 1, 1, 1, 1, 1};
  double r[3], work[6];
  rbv_residual_stats s;
  assert_ok(rbv_stats_residual(&s, r, work, zero, 6, 2, 0));
  assert_true(s.moments.variance == 0 && isnan(s.durbin_watson) && isnan(r[0]));
  assert_true(isnan(s.ljung_box) && isnan(s.ljung_box_p) && isnan(s.normality.p_lilliefors));
  assert_ok(rbv_stats_residual(&s, r, work, flat, 6, 2, 0));
  assert_true(s.durbin_watson == 0 && isnan(s.ljung_box));
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

/* residual of the reference solution: Durbin-Watson and Kolmogorov-Smirnov values of the
 * reference */
static void test_reference_numbers(void **state) {
  (void)state;
  enum { m = 40, n = 5 };
  rbv_document *doc;
  assert_ok(rbv_document_load(&doc, TEST_DATA "/ls_statistics.json"));
  const rbv_node *root = rbv_document_root(doc);
  double e[m], dw;
  for (int i = 0; i < m; i++) {
    const rbv_node *row = rbv_node_at(rbv_node_find(root, "W"), i);
    e[i] = number(rbv_node_at(rbv_node_find(root, "Y"), i));
    for (int j = 0; j < n; j++)
      e[i] -= number(rbv_node_at(row, j)) * number(rbv_node_at(rbv_node_find(root, "x"), j));
  }
  assert_ok(rbv_stats_durbin_watson(&dw, e, m));
  // residuals of 0.1 from terms of order 1: 1e-15, relative 1e-14
  assert_near(dw, number(rbv_node_find(root, "dw")), 0, 1e-13);
  rbv_normality s;
  assert_ok(rbv_stats_normality(&s, e, e, m));
  const rbv_node *ks = rbv_node_find(root, "ks");
  assert_near(s.d, number(rbv_node_at(ks, 0)), 1e-13, 0);
  // p of the reference is the exact one for known parameters; p decreases by about 10 per unit of d
  assert_near(s.p_known, number(rbv_node_at(ks, 1)), 3e-12, 0);
  rbv_document_free(doc);
}

static void test_nothing_is_allocated(void **state) {
  (void)state;
  enum { n = 100 };
  double e[n], work[n], r[11];
  white(e, n, 9);
  rbv_residual_stats s;
  const long before = rbv_alloc_count();
  assert_ok(rbv_stats_residual(&s, r, work, e, n, 10, 0));
  assert_true(rbv_alloc_count() == before);
}

static void test_refusals(void **state) {
  (void)state;
  double e[] = {1, 2, NAN, 4, 5}, good[] = {1, 2, 3, 4, 5}, flat[] = {2, 2, 2, 2, 2};
  const double huge[] = {1e200, -1e200, 1e200, 1e200, 0}, zero[5] = {0};
  double r[6], work[5], x;
  rbv_moments m;
  rbv_normality norm;
  rbv_residual_stats s;
  ptrdiff_t count[2];
  assert_refused(rbv_stats_moments(&m, e, 5), RBV_ENUM, "e is not finite at 2");
  assert_refused(rbv_stats_moments(&m, NULL, 5), RBV_EARG, "e is NULL");
  assert_refused(rbv_stats_moments(&m, good, 0), RBV_EDIM, "e has 0 values");
  assert_refused(rbv_stats_moments(&m, huge, 5), RBV_ENUM, "moments overflow");
  assert_refused(rbv_stats_durbin_watson(&x, good, 1), RBV_EDIM, "at least 2");
  assert_refused(rbv_stats_durbin_watson(&x, e, 5), RBV_ENUM, "at 2");
  assert_refused(rbv_stats_durbin_watson(&x, zero, 5), RBV_ENUM, "zero everywhere");
  assert_refused(rbv_stats_durbin_watson(&x, huge, 5), RBV_ENUM, "overflows");
  assert_refused(rbv_stats_autocorrelation(r, NULL, good, 5, 5), RBV_EDIM, "at least 6");
  assert_refused(rbv_stats_autocorrelation(r, NULL, good, 5, -1), RBV_EARG, "lags = -1");
  assert_refused(rbv_stats_autocorrelation(r, NULL, flat, 5, 2), RBV_ENUM, "constant");
  assert_refused(rbv_stats_ljung_box(&x, NULL, good, 4, 4, 0), RBV_EDIM, "4 lags of 4");
  assert_refused(rbv_stats_ljung_box(&x, NULL, good, 2, 4, 2), RBV_EDIM,
                 "no degree of freedom is left");
  assert_refused(rbv_stats_ljung_box(&x, NULL, e, 3, 9, 0), RBV_ENUM, "r is not finite at 2");
  assert_refused(rbv_stats_normality(&norm, work, flat, 5), RBV_ENUM, "constant");
  assert_refused(rbv_stats_normality(&norm, work, good, 3), RBV_EDIM, "at least 4");
  assert_refused(rbv_stats_normality(&norm, NULL, good, 5), RBV_EARG, "work is NULL");
  assert_refused(rbv_stats_residual(&s, r, good, good, 5, 2, 0), RBV_EARG, "order of time");
  assert_refused(rbv_stats_residual(&s, r, work, good, 5, 5, 0), RBV_EDIM, "at least 6");
  assert_refused(rbv_stats_residual(&s, r, work, good, 5, 2, 2), RBV_EDIM,
                 "no degree of freedom is left");
  assert_refused(rbv_stats_residual(&s, r, work, e, 5, 2, 0), RBV_ENUM, "e is not finite at 2");
  assert_refused(rbv_stats_histogram(count, NULL, e, 5, good, 2), RBV_ENUM, "x is not finite");
  assert_refused(rbv_stats_histogram(count, NULL, good, 5, flat, 2), RBV_EARG, "do not increase");
  assert_refused(rbv_stats_histogram(count, NULL, good, 5, good, 0), RBV_EDIM, "0 bins");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_moments_by_hand),
      cmocka_unit_test(test_variance_far_from_zero),
      cmocka_unit_test(test_durbin_watson_by_hand),
      cmocka_unit_test(test_durbin_watson_of_noise),
      cmocka_unit_test(test_autocorrelation_by_hand),
      cmocka_unit_test(test_p_values_are_uniform),
      cmocka_unit_test(test_coloured_and_uniform_noise_are_detected),
      cmocka_unit_test(test_perfectly_normal_sample),
      cmocka_unit_test(test_one_call_equals_separate_calls),
      cmocka_unit_test(test_perfect_fit),
      cmocka_unit_test(test_histogram_by_hand),
      cmocka_unit_test(test_histogram_of_normal_numbers),
      cmocka_unit_test(test_reference_numbers),
      cmocka_unit_test(test_nothing_is_allocated),
      cmocka_unit_test(test_refusals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
