#include <math.h>

#include "signal/signal.h"

#include "base/support.h"
#include "reference.h"

/* ---- integrated random walk ---- */

static void test_irw_equals_the_reference(void **state) {
  (void)state;
  ptrdiff_t n;
  double *x = reference("x", &n), *level = reference("irw_level", NULL);
  double *slope = reference("irw_slope", NULL), *criterion = reference("irw_criterion", NULL);
  double *got = malloc(2 * (size_t)n * sizeof *got);
  const double nvr = reference_scalar("irw_nvr");
  rbv_irw_work *w = NULL;
  rbv_irw_info info, at_reference;
  assert_ok(rbv_irw_work_new(&w, n));
  const long before = rbv_alloc_count();
  for (int i = 0; i < 3; i++) {
    assert_ok(rbv_irw_smooth(got, NULL, &info, w, x, n, 1000, criterion[2 * i]));
    // means of 600 logarithms; the first innovations are differences of numbers near 1e6
    assert_near(info.criterion, criterion[2 * i + 1], 1e-12, 0);
  }
  assert_ok(rbv_irw_smooth(got, got + n, &at_reference, w, x, n, 1000, nvr));
  // the reference inverts covariances with condition number 1e6: 1e-10; slopes are per second:
  // times 1e3
  assert_near(distance(got, level, n), 0, 1e-10, 0);
  assert_near(distance(got + n, slope, n), 0, 1e-7, 0);
  // maximum likelihood: the search of the reference ended 0.2 % away from the minimum, 2e-7 above
  // it
  assert_ok(rbv_irw_smooth(got, got + n, &info, w, x, n, 1000, 0));
  assert_near(info.nvr, nvr, 0, 3e-3);
  assert_false(info.at_limit);
  assert_true(info.criterion < at_reference.criterion);
  assert_near(info.criterion, at_reference.criterion, 3e-7, 0);
  assert_true(rbv_alloc_count() == before);
  rbv_irw_work_free(w);
  free(x);
  free(level);
  free(slope);
  free(criterion);
  free(got);
}

/* the smoother minimises sum (x - level)^2 + sum (second difference)^2 / nvr: check the gradient */
static void test_irw_is_optimal(void **state) {
  (void)state;
  enum { N = 60 };
  double x[N], level[N];
  for (int k = 0; k < N; k++) x[k] = sin(0.2 * k) + 0.1 * rbv_random_normal(1, 2, (uint64_t)k);
  rbv_irw_work *w = NULL;
  assert_ok(rbv_irw_work_new(&w, N));
  const double nvr = 0.01;
  assert_ok(rbv_irw_smooth(level, NULL, NULL, w, x, N, 1, nvr));
  for (int k = 3; k < N - 3; k++) {
    const double *s = level + k;
    const double bend = s[-2] - 4 * s[-1] + 6 * s[0] - 4 * s[1] + s[2];
    // terms of order 1 / nvr; the start variance of 1e6 costs six digits
    assert_near(s[0] - x[k] + bend / nvr, 0, 1e-9, 0);
  }
  rbv_irw_work_free(w);
}

static void test_irw_of_a_line_is_the_line(void **state) {
  (void)state;
  double x[50], level[50], slope[50];
  for (int k = 0; k < 50; k++) x[k] = 2 + 0.3 * k;
  rbv_irw_work *w = NULL;
  assert_ok(rbv_irw_work_new(&w, 50));
  assert_ok(rbv_irw_smooth(level, slope, NULL, w, x, 50, 10, 1e-4));
  for (int k = 0; k < 50; k++) {
    // the standard deviation of the start is 1e3: a slope of 0.3 is pulled towards zero by 1e-6
    assert_near(level[k], x[k], 1e-6, 0);
    assert_near(slope[k], 3, 1e-5, 0);
  }
  rbv_irw_work_free(w);
}

/* a sine in noise: compare with position, velocity and acceleration of the sine */
static void test_irw_applied_twice_differentiates(void **state) {
  (void)state;
  enum { N = 4000 };
  const double rate = 1000, om = 2 * RBV_PI * 0.5, sigma = 1e-3;
  double *m = malloc(sizeof(double[5 * N])), *q = m + N, *dq = q + N, *ddq = dq + N;
  double *level = ddq + N;  // of the velocity, smoothed again
  for (int k = 0; k < N; k++)
    m[k] = sin(om * k / rate) + sigma * rbv_random_normal(3, 1, (uint64_t)k);
  rbv_irw_work *w = NULL;
  rbv_irw_info info[2];
  assert_ok(rbv_irw_work_new(&w, N));
  assert_ok(rbv_irw_smooth(q, dq, info, w, m, N, rate, 0));
  assert_ok(rbv_irw_smooth(level, ddq, info + 1, w, dq, N, rate, 0));
  // a sine is not a random walk, so the noise estimated from the innovations is only approximate
  assert_near(info[0].noise_variance, sigma * sigma, 0, 0.2);
  assert_true(info[1].at_limit);  // plain difference of a signal that is already smooth
  double e[3] = {0};
  for (int k = 200; k < N - 200; k++) {
    const double t = k / rate;
    e[0] += pow(q[k] - sin(om * t), 2) / (N - 400);
    e[1] += pow(dq[k] / om - cos(om * t), 2) / (N - 400);
    e[2] += pow(ddq[k] / om / om + sin(om * t), 2) / (N - 400);
  }
  // smoothing over about nvr^(-1/4) = 6 samples to each side: the noise decreases by sqrt(12), the
  // error of the velocity is sigma rate / 12^(3/2) = 0.8 % of its amplitude; its differences over
  // one sample are rough
  assert_true(sqrt(e[0]) < 0.3 * sigma);
  assert_true(sqrt(e[1]) < 0.015);
  assert_true(sqrt(e[2]) < 0.6);
  rbv_irw_work_free(w);
  free(m);
}

/* ---- spline ---- */

static void times(double *t, ptrdiff_t n) {
  // each stamp is shifted by up to a third of an interval
  for (ptrdiff_t k = 0; k < n; k++)
    t[k] = 5 + 0.01 * ((double)k + 0.33 * (rbv_random_uniform(2, 9, (uint64_t)k) - 0.5));
}

static void test_spline_interpolates_cubics(void **state) {
  (void)state;
  enum { N = 200 };
  double t[N], x[N], q[N], dq[N], ddq[N];
  times(t, N);
  for (int k = 0; k < N; k++) {
    const double u = t[k] - 6;
    x[k] = 1 - 2 * u + 3 * u * u - 0.5 * u * u * u;
  }
  rbv_spline_work *w = NULL;
  assert_ok(rbv_spline_work_new(&w, N));
  assert_ok(rbv_spline_smooth(q, dq, ddq, NULL, w, t, x, N, 0));
  // the error of the natural end condition is of order 6 and decreases by 3.7 per knot: 1e-17 after
  // 30; rounding of differences by 0.01 and 0.01^2 remains
  for (int k = 40; k < N - 40; k++) {
    const double u = t[k] - 6;
    assert_true(q[k] == x[k]);
    assert_near(dq[k], -2 + 6 * u - 1.5 * u * u, 1e-12, 0);
    assert_near(ddq[k], 6 - 3 * u, 1e-9, 0);
  }
  rbv_spline_work_free(w);
}

static void test_spline_reaches_the_tolerance_and_is_optimal(void **state) {
  (void)state;
  enum { N = 500 };
  double t[N], x[N], q[N], dq[N], ddq[N];
  const double sigma = 0.01;
  times(t, N);
  for (int k = 0; k < N; k++) x[k] = sin(3 * t[k]) + sigma * rbv_random_normal(4, 1, (uint64_t)k);
  rbv_spline_work *w = NULL;
  rbv_spline_info info;
  assert_ok(rbv_spline_work_new(&w, N));
  const long before = rbv_alloc_count();
  assert_ok(rbv_spline_smooth(q, dq, ddq, &info, w, t, x, N, sigma * sigma));
  assert_true(rbv_alloc_count() == before);
  assert_near(info.variance, sigma * sigma, 0, 1e-9);
  assert_false(info.straight);
  assert_true(info.iterations < 60);
  double e = 0, v = 0;
  for (int k = 25; k < N - 25; k++) {
    e += pow(q[k] - sin(3 * t[k]), 2) / (N - 50);
    v += pow(dq[k] / 3 - cos(3 * t[k]), 2) / (N - 50);
    // optimality: x - q = lambda times the jump of the third derivative
    const double right = (ddq[k + 1] - ddq[k]) / (t[k + 1] - t[k]);
    const double left = (ddq[k] - ddq[k - 1]) / (t[k] - t[k - 1]);
    assert_near(x[k] - q[k], info.lambda * (right - left), 1e-12, 1e-8);
    // the second derivative is that of the curve: compare with its finite difference between knots
    const double h = t[k + 1] - t[k];
    assert_near((dq[k + 1] - dq[k]) / h, (ddq[k] + ddq[k + 1]) / 2, 1e-9, 0);
  }
  assert_true(sqrt(e) < 0.4 * sigma);
  assert_true(sqrt(v) < 0.05);
  rbv_spline_work_free(w);
}

static void test_spline_wide_tolerance_gives_the_line(void **state) {
  (void)state;
  double t[20], x[20], q[20], dq[20], ddq[20];
  for (int k = 0; k < 20; k++) t[k] = 0.5 * k, x[k] = 3 + 4 * t[k];
  rbv_spline_work *w = NULL;
  rbv_spline_info info;
  assert_ok(rbv_spline_work_new(&w, 20));
  assert_ok(rbv_spline_smooth(q, dq, ddq, &info, w, t, x, 20, 1));
  assert_true(info.straight);
  for (int k = 0; k < 20; k++) {
    assert_near(q[k], x[k], 1e-13, 0);
    assert_near(dq[k], 4, 1e-13, 0);
    assert_true(ddq[k] == 0);
  }
  assert_refused(rbv_spline_smooth(q, dq, ddq, NULL, w, t, x, 2, 1), RBV_EDIM, "3 are needed");
  assert_refused(rbv_spline_smooth(q, dq, ddq, NULL, w, t, x, 21, 1), RBV_EDIM, "has room for 20");
  assert_refused(rbv_spline_smooth(q, dq, ddq, NULL, w, t, x, 20, -1), RBV_EARG, "variance -1");
  t[7] = t[6];
  assert_refused(rbv_spline_smooth(q, dq, ddq, NULL, w, t, x, 20, 1), RBV_EARG, "time stamp 7");
  rbv_spline_work_free(w);
}

static void test_noise_from_fourth_differences(void **state) {
  (void)state;
  enum { N = 20000 };
  double *x = malloc(sizeof(double[N])), v = 0;
  for (int k = 0; k < N; k++)
    x[k] = 2 * sin(2e-3 * k) + 1e-3 * rbv_random_normal(8, 8, (uint64_t)k);
  assert_ok(rbv_noise_variance(&v, x, N));
  // fourth differences are correlated: relative error sqrt(2 * 2.6 / N) = 1.6 %; bound: five times
  // that
  assert_near(v, 1e-6, 0, 0.08);
  assert_refused(rbv_noise_variance(&v, x, 4), RBV_EDIM, "5 are needed");
  free(x);
}

/* ---- refusals and memory ---- */

static void test_irw_refuses_bad_arguments(void **state) {
  (void)state;
  double x[10] = {0}, y[10];
  rbv_irw_work *w = NULL;
  assert_ok(rbv_irw_work_new(&w, 8));
  assert_refused(rbv_irw_smooth(y, y, NULL, w, x, 3, 1, 0), RBV_EDIM, "4 are needed");
  assert_refused(rbv_irw_smooth(y, y, NULL, w, x, 10, 1, 0), RBV_EDIM, "has room for 8");
  assert_refused(rbv_irw_smooth(y, y, NULL, w, x, 8, 0, 0), RBV_EARG, "rate 0");
  assert_refused(rbv_irw_smooth(y, y, NULL, w, x, 8, 1, -1), RBV_EARG, "ratio -1");
  x[5] = NAN;
  assert_refused(rbv_irw_smooth(y, y, NULL, w, x, 8, 1, 0), RBV_EARG, "sample 5");
  rbv_irw_work_free(w);
}

static rbv_status make_all(void *state) {
  (void)state;
  rbv_irw_work *irw = NULL;
  rbv_spline_work *spline = NULL;
  rbv_status status = rbv_irw_work_new(&irw, 10);
  if (status == RBV_OK) status = rbv_spline_work_new(&spline, 10);
  rbv_irw_work_free(irw);
  rbv_spline_work_free(spline);
  return status;
}

static void test_each_allocation_may_fail(void **state) {
  (void)state;
  fail_each_allocation(make_all, NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_irw_equals_the_reference),
      cmocka_unit_test(test_irw_is_optimal),
      cmocka_unit_test(test_irw_of_a_line_is_the_line),
      cmocka_unit_test(test_irw_applied_twice_differentiates),
      cmocka_unit_test(test_spline_interpolates_cubics),
      cmocka_unit_test(test_spline_reaches_the_tolerance_and_is_optimal),
      cmocka_unit_test(test_spline_wide_tolerance_gives_the_line),
      cmocka_unit_test(test_noise_from_fourth_differences),
      cmocka_unit_test(test_irw_refuses_bad_arguments),
      cmocka_unit_test(test_each_allocation_may_fail),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
