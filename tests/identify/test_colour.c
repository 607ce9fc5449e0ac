/* The colour test of a residual, with noise of known correlation. */
#include <math.h>
#include <stdlib.h>
#include "signal/signal.h"

#include "identify/residual_colour.h"
#include "support.h"

/* AR(1) noise of unit variance; a = 0 is white */
static double *noise(ptrdiff_t n, double a, uint64_t seed) {
  double *e = malloc((size_t)n * sizeof *e);
  for (ptrdiff_t k = 0; k < n; k++) {
    const double white = rbv_random_normal(seed, 0, (uint64_t)k);
    e[k] = k == 0 ? white : a * e[k - 1] + sqrt(1 - a * a) * white;
  }
  return e;
}

static double *ones(ptrdiff_t n) {
  double *x = malloc((size_t)n * sizeof *x);
  for (ptrdiff_t k = 0; k < n; k++) x[k] = 1;
  return x;
}

static colour_result test_series(double *e, double *x, ptrdiff_t n, ptrdiff_t piece, int decimate) {
  colour_white white;
  colour_result v;
  const rbv_decimate_options o = rbv_decimate_defaults(decimate);
  assert_ok(rbv_colour_white(&white, &o));
  const colour_series s = {e, x, n, piece, &white, 0};
  assert_ok(rbv_colour_test(&v, &s));
  free(e);
  free(x);
  return v;
}

/* the variance of the mean of AR(1) noise is (1 + a) / (1 - a) times that of white noise */
static void test_inflation_of_a_mean(void **state) {
  (void)state;
  static const double a[] = {0.3, 0.6, 0.9, 0.95};
  for (int i = 0; i < 4; i++) {
    const colour_result v = test_series(noise(16384, a[i], 1), ones(16384), 16384, 16384, 1);
    assert_true(v.coloured && v.p < 1e-6);
    // some hundred correlation times: accuracy about a tenth
    assert_near(v.inflation, sqrt((1 + a[i]) / (1 - a[i])), 0, 0.12);
  }
}

/* pieces with gaps between them give the same result */
static void test_pieces(void **state) {
  (void)state;
  const colour_result v = test_series(noise(16384, 0.9, 2), ones(16384), 16384, 2048, 1);
  assert_true(v.coloured);
  assert_near(v.inflation, sqrt(19), 0, 0.12);
}

/* with a white column, coloured noise averages out like white noise */
static void test_fast_columns_are_not_affected(void **state) {
  (void)state;
  const colour_result v = test_series(noise(16384, 0.9, 3), noise(16384, 0, 4), 16384, 16384, 1);
  assert_true(v.coloured);
  assert_near(v.inflation, 1, 0.1, 0);
}

static void test_white_is_white(void **state) {
  (void)state;
  int coloured = 0;
  for (uint64_t seed = 1; seed <= 200; seed++) {
    const colour_result v = test_series(noise(200, 0, seed), ones(200), 200, 200, 1);
    coloured += v.coloured;
    assert_true(v.inflation > 0.5 && v.inflation < 1.7);
  }
  // a level of 1 %: more than 6 in 200 has a probability of one in two hundred
  assert_in_range(coloured, 0, 6);
  // with 16384 samples every difference is significant, but one of this size does not matter
  assert_false(test_series(noise(16384, 0.04, 1), ones(16384), 16384, 16384, 1).coloured);
}

/* White noise after the decimation keeps 0.84 of its band (|H|^4 = 1/2 at 1.05 times the cut-off).
 * A mean depends on frequency zero, where the ripple leaves 0.99 of the average: 0.985 / 0.84 */
static void test_decimated_white_noise(void **state) {
  (void)state;
  const int factor = 10, runs = 100;
  const rbv_decimate_options o = rbv_decimate_defaults(factor);
  const ptrdiff_t n = 4000, count = rbv_decimate_count(n, &o);
  rbv_decimator *d;
  assert_ok(rbv_decimator_new(&d, n, 1, &o));
  int coloured = 0;
  double inflation = 0;
  for (int i = 0; i < runs; i++) {
    double *fast = noise(n, 0, (uint64_t)(1 + i)), *slow = malloc((size_t)count * sizeof *slow);
    assert_ok(rbv_decimate(slow, count, d, fast, n));
    free(fast);
    const colour_result v = test_series(slow, ones(count), count, count, factor);
    coloured += v.coloured;
    inflation += v.inflation / runs;
  }
  rbv_decimator_free(d);
  assert_in_range(coloured, 0, 5);
  assert_near(inflation, sqrt(0.985 / 0.84), 0.02, 0);
}

static void test_short_and_zero_series(void **state) {
  (void)state;
  colour_result v = test_series(noise(10, 0, 1), ones(10), 10, 10, 1);
  assert_true(isnan(v.inflation) && isnan(v.p) && !v.coloured);
  double *zero = calloc(100, sizeof *zero);
  v = test_series(zero, ones(100), 100, 100, 1);
  assert_true(isnan(v.inflation) && isnan(v.p) && !v.coloured);
  // a prediction of zero has no correlation: nothing is inflated
  zero = calloc(100, sizeof *zero);
  v = test_series(noise(100, 0.9, 1), zero, 100, 100, 1);
  assert_true(v.coloured && v.inflation == 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_inflation_of_a_mean),
      cmocka_unit_test(test_pieces),
      cmocka_unit_test(test_fast_columns_are_not_affected),
      cmocka_unit_test(test_white_is_white),
      cmocka_unit_test(test_decimated_white_noise),
      cmocka_unit_test(test_short_and_zero_series),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
