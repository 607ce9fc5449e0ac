#include <math.h>

#include "signal/signal.h"

#include "base/support.h"
#include "reference.h"

static void test_average_and_its_noise_by_hand(void **state) {
  (void)state;
  // two periods of three samples, and one more sample
  const double x[7] = {1, 2, 3, 3, 2, 5, 99};
  double mean[3], variance;
  assert_ok(rbv_periodic_average(mean, &variance, x, 7, 7, 1, 3));
  assert_true(mean[0] == 2 && mean[1] == 2 && mean[2] == 4);
  // squares 1 + 1 + 0 + 0 + 1 + 1 divided by (2 - 1) * 3
  assert_near(variance, 4.0 / 3, 1e-15, 0);
  assert_ok(rbv_periodic_average(mean, NULL, x, 7, 5, 1, 3));
  assert_refused(rbv_periodic_average(mean, &variance, x, 7, 5, 1, 3), RBV_EDIM,
                 "6 samples are needed");
}

/* c0, a1, b1, ... of a column */
static double coefficient(int column, int i) {
  return rbv_random_normal(7, (uint64_t)column, (uint64_t)i);
}

static void test_harmonics_are_exact_on_exact_data(void **state) {
  (void)state;
  enum { H = 5, C = 2 * H + 1, N = 1234, COLS = 3 };
  // neither the samples per period nor the number of periods is an integer
  const double period = 2.7183;
  double *t = malloc(sizeof(double[N])), *X = malloc(sizeof(double[N * COLS]));
  double coef[C * COLS], want[C * COLS], variance[COLS];
  double *got = malloc(sizeof(double[3 * N]));
  // irregular stamps that do not start at 0
  for (int k = 0; k < N; k++) t[k] = 100 + 0.01 * (k + 0.3 * rbv_random_uniform(1, 1, (uint64_t)k));
  for (int j = 0; j < COLS; j++) {
    for (int i = 0; i < C; i++) want[i + j * C] = coefficient(j, i);
    rbv_harmonic_eval(X + j * N, NULL, NULL, want + j * C, H, period, t, N);
  }
  rbv_harmonic_work *w = NULL;
  assert_ok(rbv_harmonic_work_new(&w, H, COLS));
  const long before = rbv_alloc_count();
  assert_ok(rbv_harmonic_fit(coef, variance, w, t, X, N, N, period));
  assert_true(rbv_alloc_count() == before);
  // values up to 10 with rounding errors of 1e-15; after refinement some eps of the coefficients
  // remain
  assert_near(distance(coef, want, C * COLS), 0, 2e-14, 0);
  for (int j = 0; j < COLS; j++) assert_true(variance[j] < 1e-28);

  // derivatives against central differences with step h: errors h^2 w^3 and eps / h
  const double h = 1e-5;
  rbv_harmonic_eval(got, got + N, got + 2 * N, coef, H, period, t, N);
  for (int k = 0; k < N; k += 100) {
    const double at[2] = {t[k] - h, t[k] + h};
    double p[2], v[2];
    rbv_harmonic_eval(p, v, NULL, coef, H, period, at, 2);
    // stamps near 100 have an error of 1e-14, divided by h
    assert_near(got[N + k], (p[1] - p[0]) / (2 * h), 1e-6, 0);
    assert_near(got[2 * N + k], (v[1] - v[0]) / (2 * h), 1e-5, 0);
  }
  rbv_harmonic_work_free(w);
  free(t);
  free(X);
  free(got);
}

static void test_harmonics_estimate_the_noise(void **state) {
  (void)state;
  enum { H = 3, C = 2 * H + 1, N = 5000 };
  double *t = malloc(sizeof(double[N])), *x = malloc(sizeof(double[N])), coef[C], want[C], v;
  for (int i = 0; i < C; i++) want[i] = coefficient(0, i);
  for (int k = 0; k < N; k++) t[k] = 1e-3 * k;
  rbv_harmonic_eval(x, NULL, NULL, want, H, 1, t, N);
  for (int k = 0; k < N; k++) x[k] += 0.1 * rbv_random_normal(11, 1, (uint64_t)k);
  rbv_harmonic_work *w = NULL;
  assert_ok(rbv_harmonic_work_new(&w, H, 1));
  assert_ok(rbv_harmonic_fit(coef, &v, w, t, x, N, N, 1));
  // five standard errors: sqrt(2 / N) of the variance, sigma sqrt(2 / N) of a coefficient
  assert_near(v, 0.01, 0, 5 * sqrt(2.0 / N));
  assert_near(distance(coef, want, C), 0, 5 * 0.1 * sqrt(2.0 / N), 0);

  assert_refused(rbv_harmonic_fit(coef, &v, w, t, x, N, 7, 0.007), RBV_EDIM, "at least 8");
  assert_refused(rbv_harmonic_fit(coef, &v, w, t, x, N, 900, 1), RBV_EDIM, "one period of 1 s");
  // three samples per period do not determine three harmonics
  assert_refused(rbv_harmonic_fit(coef, &v, w, t, x, N, 900, 0.003), RBV_EINPUT,
                 "cannot be separated");
  rbv_harmonic_work_free(w);
  assert_refused(rbv_harmonic_work_new(&w, 0, 1), RBV_EARG, "0 harmonics");
  free(t);
  free(x);
}

static rbv_status make_all(void *state) {
  (void)state;
  rbv_harmonic_work *w = NULL;
  const rbv_status status = rbv_harmonic_work_new(&w, 3, 2);
  rbv_harmonic_work_free(w);
  return status;
}

static void test_each_allocation_may_fail(void **state) {
  (void)state;
  fail_each_allocation(make_all, NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_average_and_its_noise_by_hand),
      cmocka_unit_test(test_harmonics_are_exact_on_exact_data),
      cmocka_unit_test(test_harmonics_estimate_the_noise),
      cmocka_unit_test(test_each_allocation_may_fail),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
