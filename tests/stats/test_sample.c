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

/* 1 2 3 4 10, shuffled; MAD_TO_SIGMA is 1 / (upper quartile of the normal distribution) */
static void test_quantiles_by_hand(void **state) {
  (void)state;
  const double x[] = {4, 10, 1, 3, 2}, p[] = {0, 0.1, 0.5, 0.9, 1};
  double work[5], q[5];
  assert_ok(rbv_stats_quantiles(q, work, x, 5, p, 5));
  // at 0.4 between 1 and 2; at 0.6 between 4 and 10
  const double want[] = {1, 1.4, 3, 7.6, 10};
  for (int k = 0; k < 5; k++) assert_near(q[k], want[k], 0, 2 * EPS);
  double quartile;
  assert_ok(rbv_stats_normal_quantile(&quartile, 0.75, RBV_TAIL_LOWER));
  assert_near(RBV_STATS_MAD_TO_SIGMA, 1 / quartile, 0, 1e-14);
}

/* quantile p in [0, 1] of n >= 1 sorted values, type 7 */
static double sorted_quantile(const double *sorted, ptrdiff_t n, double p) {
  const double place = p * (double)(n - 1), whole = floor(place);
  const ptrdiff_t k = (ptrdiff_t)whole;
  if (k >= n - 1) return sorted[n - 1];
  return sorted[k] + (place - whole) * (sorted[k + 1] - sorted[k]);
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
    for (int k = 0; k < RBV_COUNT(p); k++) assert_true(q[k] == sorted_quantile(sorted, n, p[k]));
  }
}

static void test_refusals(void **state) {
  (void)state;
  const double x[] = {1, NAN}, p[] = {0.5, 1.5};
  double q[2], work[2];
  assert_refused(rbv_stats_quantiles(q, work, p, 2, p, 2), RBV_EARG, "p[1] = 1.5");
  assert_refused(rbv_stats_quantiles(q, work, p, 2, x, 2), RBV_ENUM, "p is not finite at 1");
  assert_refused(rbv_stats_quantiles(q, NULL, p, 2, p, 1), RBV_EARG, "work is NULL");
  assert_refused(rbv_stats_quantiles(NULL, work, p, 2, p, 1), RBV_EARG, "q is NULL");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_sort_agrees_with_the_library),
      cmocka_unit_test(test_quantiles_by_hand),
      cmocka_unit_test(test_quantiles_of_a_sample_with_ties),
      cmocka_unit_test(test_refusals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
