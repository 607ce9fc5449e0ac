#include <float.h>
#include <math.h>
#include <roberval/sys/stats.h>
#include <stdlib.h>
#include <string.h>

#include "stats/stats_internal.h"
#include "support.h"

#define EPS DBL_EPSILON

static int ascending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void test_sort_agrees_with_the_library(void **state) {
  (void)state;
  double x[500], want[500];
  for (int n = 0; n < 500; n++) {
    // few distinct values, so that many are equal
    for (int i = 0; i < n; i++) x[i] = floor(20 * rbv_random_uniform(1, (uint64_t)n, (uint64_t)i));
    memcpy(want, x, sizeof x);
    qsort(want, (size_t)n, sizeof *want, ascending);
    rbv_stats_sort(x, n);
    assert_memory_equal(x, want, (size_t)n * sizeof *x);
  }
}

/* 1 2 3 4 10, shuffled: the type 7 quartiles are 2 and 4; deviations from 3 are 0 1 1 2 7 */
static void test_summary_by_hand(void **state) {
  (void)state;
  const double x[] = {4, 10, 1, 3, 2}, p[] = {0, 0.1, 0.5, 0.9, 1};
  double work[5], q[5];
  rbv_summary s;
  assert_ok(rbv_stats_summary(&s, work, x, 5));
  assert_true(s.smallest == 1 && s.lower_quartile == 2 && s.median == 3);
  assert_true(s.upper_quartile == 4 && s.largest == 10 && s.mad == 1);
  assert_ok(rbv_stats_quantiles(q, work, x, 5, p, 5));
  // at 0.4 between 1 and 2; at 0.6 between 4 and 10
  const double want[] = {1, 1.4, 3, 7.6, 10};
  for (int k = 0; k < 5; k++) assert_near(q[k], want[k], 0, 2 * EPS);
  // an even number of values, and one value
  assert_ok(rbv_stats_summary(&s, work, x, 4));
  assert_true(s.median == 3.5);
  assert_ok(rbv_stats_summary(&s, work, x, 1));
  assert_true(s.smallest == 4 && s.median == 4 && s.largest == 4 && s.mad == 0);
}

/* quantiles in any order of p, with ties, equal those of the sorted sample exactly */
static void test_quantiles_of_a_sample_with_ties(void **state) {
  (void)state;
  static const double p[] = {0.99, 0, 0.5, 0.005, 1, 0.25};
  double x[200], work[200], sorted[200], q[RBV_COUNT(p)];
  for (int n = 1; n <= RBV_COUNT(x); n += 7) {
    for (int i = 0; i < n; i++) x[i] = rint(5 * rbv_random_normal(3, (uint64_t)n, (uint64_t)i));
    memcpy(sorted, x, sizeof sorted);
    rbv_stats_sort(sorted, n);
    assert_ok(rbv_stats_quantiles(q, work, x, n, p, RBV_COUNT(p)));
    for (int k = 0; k < RBV_COUNT(p); k++)
      assert_true(q[k] == rbv_stats_sorted_quantile(sorted, n, p[k]));
  }
}

/* MAD_TO_SIGMA is 1 / (upper quartile of the normal distribution); MAD scaled by it estimates sigma
 * in the presence of outliers */
static void test_mad_estimates_sigma(void **state) {
  (void)state;
  enum { n = 20000 };
  static double x[n];
  double quartile;
  assert_ok(rbv_stats_normal_quantile(&quartile, 0.75, RBV_TAIL_LOWER));
  assert_near(RBV_STATS_MAD_TO_SIGMA, 1 / quartile, 0, 1e-14);
  for (int i = 0; i < n; i++) x[i] = 5 + 2 * rbv_random_normal(2, 1, (uint64_t)i);
  for (int i = 0; i < n / 100; i++) x[i] = 1e6;
  rbv_summary s;
  assert_ok(rbv_stats_summary(&s, x, x, n));
  // standard error 1.17 sigma / sqrt(n); one percent of outliers shifts the result by about 1.5 %
  assert_near(RBV_STATS_MAD_TO_SIGMA * s.mad, 2, 2 * (4 * 1.17 / sqrt(n) + 0.02), 0);
}

static void test_huber_by_hand(void **state) {
  (void)state;
  double e[] = {0, 1, -3, 3.0000001, -12};
  ptrdiff_t light;
  assert_ok(rbv_stats_huber(e, &light, e, 5, 2, 1.5));
  assert_true(e[0] == 1 && e[1] == 1 && e[2] == 1 && e[3] < 1 && e[4] == 0.25 && light == 2);
}

/* location of a contaminated sample: IRLS with these weights is hardly affected by outliers that
 * shift the mean, and solves sum psi = 0 */
static void test_huber_solves_for_a_location(void **state) {
  (void)state;
  enum { n = 1000 };
  double x[n], e[n], w[n], mean = 0, place = 0;
  for (int i = 0; i < n; i++) {
    x[i] = rbv_random_normal(3, 1, (uint64_t)i) + (i < 50 ? 20 : 0);
    mean += x[i] / n;
  }
  for (int k = 0; k < 200; k++) {
    double sum = 0, weight = 0;
    for (int i = 0; i < n; i++) e[i] = x[i] - place;
    assert_ok(rbv_stats_huber(w, NULL, e, n, 1, RBV_STATS_HUBER));
    for (int i = 0; i < n; i++) sum += w[i] * x[i], weight += w[i];
    place = sum / weight;
  }
  double psi = 0;
  for (int i = 0; i < n; i++) psi += fmax(-RBV_STATS_HUBER, fmin(RBV_STATS_HUBER, x[i] - place));
  assert_near(psi, 0, 1e-9, 0);
  // 5 % outliers shift the mean by 1, the robust location by about 0.05 * 1.345 / 0.82
  assert_true(mean > 0.85);
  assert_near(place, 0.05 * RBV_STATS_HUBER / 0.82, 4 * 1.1 / sqrt(n), 0);
}

static void test_refusals(void **state) {
  (void)state;
  const double x[] = {1, NAN}, p[] = {0.5, 1.5};
  double q[2], work[2];
  rbv_summary s;
  assert_refused(rbv_stats_quantiles(q, work, p, 2, p, 2), RBV_EARG, "p[1] = 1.5");
  assert_refused(rbv_stats_quantiles(q, work, p, 2, x, 2), RBV_ENUM, "p is not finite at 1");
  assert_refused(rbv_stats_quantiles(q, NULL, p, 2, p, 1), RBV_EARG, "work is NULL");
  assert_refused(rbv_stats_quantiles(NULL, work, p, 2, p, 1), RBV_EARG, "q is NULL");
  assert_refused(rbv_stats_summary(&s, work, x, 2), RBV_ENUM, "x is not finite at 1");
  assert_refused(rbv_stats_summary(&s, work, x, 0), RBV_EDIM, "x has 0 values");
  assert_refused(rbv_stats_huber(q, NULL, x, 2, 1, 1), RBV_ENUM, "e is not finite at 1");
  assert_refused(rbv_stats_huber(q, NULL, p, 2, 0, 1), RBV_EARG, "scale = 0");
  assert_refused(rbv_stats_huber(q, NULL, p, 2, 1, -1), RBV_EARG, "k = -1");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_sort_agrees_with_the_library),
      cmocka_unit_test(test_summary_by_hand),
      cmocka_unit_test(test_quantiles_of_a_sample_with_ties),
      cmocka_unit_test(test_mad_estimates_sigma),
      cmocka_unit_test(test_huber_by_hand),
      cmocka_unit_test(test_huber_solves_for_a_location),
      cmocka_unit_test(test_refusals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
