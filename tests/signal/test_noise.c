#include <math.h>

#include "signal/signal.h"

#include "base/support.h"
#include "reference.h"

/* ---- autoregression ---- */

static void test_burg_equals_the_reference(void **state) {
  (void)state;
  ptrdiff_t n;
  double *e = reference("ar_e", &n), *a = reference("ar_burg_a", NULL);
  rbv_ar_work *w = NULL;
  rbv_ar ar;
  assert_ok(rbv_ar_work_new(&w, n));
  const long before = rbv_alloc_count();
  assert_ok(rbv_ar_burg(&ar, w, e, n, 0, 20));
  assert_true(rbv_alloc_count() == before);
  assert_int_equal(ar.order, (int)reference_scalar("ar_burg_order"));
  // sums of 2000 products
  for (int i = 0; i <= ar.order; i++) assert_near(ar.a[i], a[i], 1e-13, 0);
  assert_near(ar.variance, reference_scalar("ar_burg_s2"), 0, 1e-12);
  rbv_ar_work_free(w);
  free(e);
  free(a);
}

/* impulses that decay: in reversed time they grow, and Burg's method fits that direction too */
static void test_forward_whitens_bursts(void **state) {
  (void)state;
  enum { N = 4000 };
  static double x[N], y[N];
  for (int k = 0; k < N; k++) {
    const double hit = k % 97 == 3 ? 1 + rbv_random_uniform(4, 1, (uint64_t)k) : 0;
    x[k] = (k > 1 ? 1.6 * x[k - 1] - 0.65 * x[k - 2] : 0) + hit +
           1e-3 * rbv_random_normal(4, 2, (uint64_t)k);
  }
  rbv_ar_work *w;
  rbv_ar ar;
  assert_ok(rbv_ar_work_new(&w, N));
  assert_ok(rbv_ar_burg(&ar, w, x, N, 2, 2));
  assert_ok(rbv_ar_forward(&ar, x, N, 2, 2));
  // compare with the normal equations, computed with the mean of the series removed
  double mean = 0, s[3][3] = {{0}};
  for (int k = 0; k < N; k++) mean += x[k] / N;
  for (int k = 2; k < N; k++)
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) s[i][j] += (x[k - i] - mean) * (x[k - j] - mean);
  for (int i = 1; i < 3; i++)
    assert_near(s[i][0] + ar.a[1] * s[i][1] + ar.a[2] * s[i][2], 0, 1e-10 * s[0][0], 0);
  assert_near(ar.variance, (s[0][0] + ar.a[1] * s[0][1] + ar.a[2] * s[0][2]) / (N - 2), 0, 1e-8);
  // the whitened series has no correlation with the previous sample
  assert_ok(rbv_ar_whiten(y, N, &ar, x, N, N, 1));
  double product = 0, square = 0;
  for (int k = 10; k < N; k++) {
    const double shift = mean * (1 + ar.a[1] + ar.a[2]) / sqrt(ar.variance);
    product += (y[k] - shift) * (y[k - 1] - shift);
    square += (y[k] - shift) * (y[k] - shift);
  }
  assert_true(fabs(product / square) < 0.05);
  // the order is found, and the first coefficient does not depend on the order
  assert_ok(rbv_ar_forward(&ar, x, N, 0, 12));
  assert_in_range(ar.order, 2, 5);
  assert_near(ar.a[1], -1.6, 0.01, 0);
  // a series that is predicted without error leaves the given model unchanged
  for (int k = 0; k < N; k++) x[k] = 0;
  const rbv_ar before = ar;
  assert_ok(rbv_ar_forward(&ar, x, N, 2, 2));
  assert_memory_equal(&ar, &before, sizeof ar);
  assert_refused(rbv_ar_forward(&ar, x, 4, 2, 2), RBV_EDIM, "at least 5");
  assert_refused(rbv_ar_forward(&ar, x, N, 3, 2), RBV_EARG, "ascending order");
  rbv_ar_work_free(w);
}

static void test_burg_finds_a_known_model_and_whitens(void **state) {
  (void)state;
  enum { N = 50000 };
  const double a[4] = {1, -1.6, 1.1, -0.3};
  double *x = malloc(sizeof(double[2 * N])), *white = malloc(sizeof(double[N]));
  for (int k = 0; k < N; k++) {
    white[k] = rbv_random_normal(21, 1, (uint64_t)k);
    x[k] = 2 * white[k];
    for (int i = 1; i < 4 && i <= k; i++) x[k] -= a[i] * x[k - i];
    x[N + k] = 3 * x[k];
  }
  rbv_ar_work *w = NULL;
  rbv_ar ar;
  assert_ok(rbv_ar_work_new(&w, N));
  assert_ok(rbv_ar_burg(&ar, w, x, N, 1, 30));
  // AIC may choose a few orders more but not fewer; standard errors of coefficients are below
  // 2/sqrt(N)
  assert_true(ar.order >= 3 && ar.order <= 10);
  assert_ok(rbv_ar_burg(&ar, w, x, N, 3, 3));
  for (int i = 0; i < 4; i++) assert_near(ar.a[i], a[i], 5 * 2 / sqrt(N), 0);
  assert_near(ar.variance, 4, 0, 5 * sqrt(2.0 / N));

  // the inverse of the true model, in place, gives back the white noise
  rbv_ar true_model = {.order = 3, .a = {1, -1.6, 1.1, -0.3}, .variance = 4};
  assert_ok(rbv_ar_whiten(x, N, &true_model, x, N, N, 2));
  for (int k = 0; k < N; k++) {
    assert_near(x[k], white[k], 1e-13, 0);
    assert_near(x[N + k], 3 * white[k], 3e-13, 0);
  }
  true_model.variance = 0;
  assert_refused(rbv_ar_whiten(x, N, &true_model, x, N, N, 2), RBV_EARG, "positive");
  assert_refused(rbv_ar_burg(&ar, w, x, 40, 0, 20), RBV_EDIM, "at least 41");
  assert_refused(rbv_ar_burg(&ar, w, x, N, 0, 65), RBV_EARG, "0 to 64");
  rbv_ar_work_free(w);
  free(x);
  free(white);
}

/* ---- stamps ---- */

static void test_stamps_with_gaps(void **state) {
  (void)state;
  double t[100];
  for (int k = 0; k < 100; k++) t[k] = 0.01 * k;
  rbv_stamp_info info;
  assert_ok(rbv_stamps_check(&info, t, 100));
  assert_true(info.regular && info.ngap == 0);
  assert_near(info.period, 0.01, 1e-15, 0);
  for (int k = 40; k < 100; k++) t[k] += 0.05;  // five samples are missing
  t[20] += 0.002;
  assert_ok(rbv_stamps_check(&info, t, 100));
  assert_int_equal(info.ngap, 1);
  assert_int_equal(info.missing, 5);
  assert_int_equal(info.longest_at, 39);
  assert_near(info.longest, 0.06, 1e-14, 0);
  assert_near(info.jitter, 0.2, 1e-12, 0);
  assert_false(info.regular);
  t[50] = t[49];
  assert_refused(rbv_stamps_check(&info, t, 100), RBV_EINPUT, "time stamp 50");
}

static void test_resampling_is_exact_on_cubics_and_marks_gaps(void **state) {
  (void)state;
  enum { N = 80 };
  double t[N], x[N], y[2000];
  bool keep[2000];
  for (int k = 0; k < N; k++) {
    t[k] = 3 + 0.01 * (k + 0.4 * rbv_random_uniform(3, 3, (uint64_t)k)) + (k >= 30 ? 0.1 : 0);
    const double u = t[k] - 3.5;
    x[k] = 2 + u - 3 * u * u + 4 * u * u * u;
  }
  rbv_resampler *r = NULL;
  assert_ok(rbv_resampler_new(&r, t, N, 1000));
  const ptrdiff_t m = rbv_resampler_count(r);
  assert_int_equal(m, (ptrdiff_t)floor((t[N - 1] - t[0]) * 1000) + 1);
  const long before = rbv_alloc_count();
  assert_ok(rbv_resample(y, 2000, keep, r, x, N, 1, RBV_RESAMPLE_CUBIC, 0.05));
  assert_true(rbv_alloc_count() == before);
  for (ptrdiff_t k = 0; k < m; k++) {
    const double at = t[0] + (double)k / 1000, u = at - 3.5;
    // slopes from differences over 0.01, times intervals of 0.1: rounding of about 10 eps
    assert_near(y[k], 2 + u - 3 * u * u + 4 * u * u * u, 2e-14, 0);
    assert_true(keep[k] == !(at > t[29] && at < t[30]));
  }
  // monotone: a step stays between its two levels
  for (int k = 0; k < N; k++) x[k] = k < 40 ? 1 : 2;
  assert_ok(rbv_resample(y, 2000, NULL, r, x, N, 1, RBV_RESAMPLE_MONOTONE, 1));
  for (ptrdiff_t k = 0; k < m; k++) assert_true(y[k] >= 1 - 1e-15 && y[k] <= 2 + 1e-15);
  for (ptrdiff_t k = 1; k < m; k++) assert_true(y[k] >= y[k - 1] - 1e-15);
  assert_refused(rbv_resample(y, 10, NULL, r, x, N, 1, RBV_RESAMPLE_CUBIC, 1), RBV_EDIM, "10");
  rbv_resampler_free(r);
  assert_refused(rbv_resampler_new(&r, t, 3, 1000), RBV_EDIM, "4 are needed");
  assert_null(r);
}

/* a grid that coincides with the stamps gives the samples back */
static void test_resampling_regular_stamps_returns_the_samples(void **state) {
  (void)state;
  enum { N = 500 };
  double t[N], x[N], y[N];
  for (int k = 0; k < N; k++) t[k] = k / 1000.0, x[k] = rbv_random_normal(2, 2, (uint64_t)k);
  rbv_resampler *r = NULL;
  assert_ok(rbv_resampler_new(&r, t, N, 1000));
  assert_int_equal(rbv_resampler_count(r), N);
  assert_ok(rbv_resample(y, N, NULL, r, x, N, 1, RBV_RESAMPLE_CUBIC, 1));
  for (int k = 0; k < N; k++) assert_near(y[k], x[k], 1e-11, 0);
  rbv_resampler_free(r);
}

/* ---- delay ---- */

static void test_delay_of_shifted_noise(void **state) {
  (void)state;
  enum { N = 4000 };
  double *a = malloc(sizeof(double[N])), *b = malloc(sizeof(double[N]));
  // smooth noise as a sum of sines with random phase, so that any time shift is possible
  for (int i = 0; i < 9; i++) {
    const double delay = (i - 4) * 3.3e-3;
    for (int k = 0; k < N; k++) a[k] = 5, b[k] = -1;
    for (int f = 1; f <= 60; f++) {
      const double phase = 2 * RBV_PI * rbv_random_uniform(13, (uint64_t)i, (uint64_t)f);
      for (int k = 0; k < N; k++) {
        const double om = 2 * RBV_PI * 0.7 * f;
        a[k] += sin(om * k / 1000.0 + phase);
        b[k] += sin(om * (k / 1000.0 - delay) + phase) +
                0.02 * rbv_random_normal(14, (uint64_t)f, (uint64_t)k);
      }
    }
    rbv_delay_info info;
    assert_ok(rbv_delay_estimate(&info, a, b, N, 50, 1000));
    // band of 42 Hz at 1 kHz: the parabola is accurate to some hundredths of a sample
    assert_near(info.delay, delay, 5e-5, 0);
    assert_true(info.correlation > 0.95 && !info.at_limit);
    assert_ok(rbv_delay_estimate(&info, a, b, N, 2, 1000));
    assert_true(info.at_limit == (fabs(delay) > 1.6e-3));
  }
  rbv_delay_info info;
  assert_refused(rbv_delay_estimate(&info, a, b, 100, 50, 1000), RBV_EDIM, "at least 102");
  a[3] = NAN;
  assert_refused(rbv_delay_estimate(&info, a, b, N, 50, 1000), RBV_EARG, "not finite");
  free(a);
  free(b);
}

/* ---- spectra ---- */

/* one segment: the density is that of the sum over the windowed samples */
static void test_welch_against_the_sum(void **state) {
  (void)state;
  enum { N = 64 };
  double x[N], psd[N / 2 + 1], mean = 0, square = 0;
  for (int k = 0; k < N; k++) mean += (x[k] = rbv_random_normal(1, 5, (uint64_t)k)) / N;
  rbv_spectrum *s = NULL;
  assert_ok(rbv_spectrum_new(&s, N));
  assert_ok(rbv_spectrum_welch(psd, s, x, N, 2));
  for (int k = 0; k < N; k++) {
    const double window = 0.5 - 0.5 * cos(2 * RBV_PI * k / N);
    x[k] = window * (x[k] - mean);
    square += window * window;
  }
  for (int j = 0; j <= N / 2; j++) {
    double a = 0, b = 0;
    for (int k = 0; k < N; k++) {
      const double w = 2 * RBV_PI * ((j * k) % N) / N;
      a += x[k] * cos(w);
      b += x[k] * sin(w);
    }
    const int sides = j == 0 || j == N / 2 ? 1 : 2;
    assert_near(psd[j], sides * (a * a + b * b) / (2 * square), 1e-14, 1e-12);
  }
  rbv_spectrum_free(s);
}

/* white noise has a flat spectrum 2 sigma^2 / rate; its integral is the variance */
static void test_welch_of_white_noise_and_a_sine(void **state) {
  (void)state;
  enum { N = 65536, S = 256 };
  double *x = malloc(sizeof(double[N])), psd[S / 2 + 1];
  const double rate = 500;
  for (int k = 0; k < N; k++) x[k] = 7 + 0.5 * rbv_random_normal(15, 1, (uint64_t)k);
  rbv_spectrum *s = NULL;
  assert_ok(rbv_spectrum_new(&s, S));
  const long before = rbv_alloc_count();
  assert_ok(rbv_spectrum_welch(psd, s, x, N, rate));
  assert_true(rbv_alloc_count() == before);
  double sum = 0;
  // 511 segments that overlap by half: relative error about 1 / sqrt(480) = 4.6 %; bound: five
  // times that
  for (int k = 2; k < S / 2; k++) assert_near(psd[k], 2 * 0.25 / rate, 0, 0.25);
  for (int k = 0; k <= S / 2; k++) sum += psd[k] * rate / S;
  assert_near(sum, 0.25, 0, 0.05);
  // sine at the frequency of a bin: power A^2 / 2, spread over three bins by the window
  for (int k = 0; k < N; k++) x[k] = 3 * sin(2 * RBV_PI * 20 * k / S);
  assert_ok(rbv_spectrum_welch(psd, s, x, N, rate));
  assert_near((psd[19] + psd[20] + psd[21]) * rate / S, 4.5, 1e-9, 0);
  assert_near(psd[40], 0, 1e-20, 0);
  assert_refused(rbv_spectrum_welch(psd, s, x, 100, rate), RBV_EDIM, "256 are needed");
  rbv_spectrum_free(s);
  assert_refused(rbv_spectrum_new(&s, 100), RBV_EARG, "power of two");
  free(x);
}

enum { N = 30000, COLS = 3 };

/* joints that move at up to 10 Hz, with encoder noise, and one at rest */
static double *joints(double rate) {
  double *Q = malloc(sizeof(double[N * COLS]));
  for (int j = 0; j < COLS; j++)
    for (int k = 0; k < N; k++) {
      const double t = k / rate;
      // column 1 has a component at 10 Hz with a large share of its velocity
      Q[k + j * N] = sin(2 * RBV_PI * 0.7 * t) + 0.2 * sin(2 * RBV_PI * 2.3 * t) +
                     (j == 1 ? 0.1 * sin(2 * RBV_PI * 10 * t) : 0) +
                     1e-4 * rbv_random_normal(17, (uint64_t)j, (uint64_t)k);
    }
  for (int k = 0; k < N; k++) Q[k + 2 * N] = 0.4;
  return Q;
}

/* the fastest joint of two decides; a joint that stands still does not count */
static void test_suggestion_follows_the_data(void **state) {
  (void)state;
  const double rate = 5000;
  double *Q = joints(rate);
  rbv_suggestion s;
  assert_ok(rbv_signal_suggest(&s, Q, N, N, COLS, rate));
  // column 1 is the upper median: 95 % of the energy of its velocity lies below 10 Hz; bins of 5000
  // / 4096 Hz, the window spreads by two bins to each side
  assert_near(s.cutoff_hz, 6 * 10, 6 * 2.5, 0);
  // white noise and no vibration
  assert_true(s.noise_hz > 10 && s.noise_hz < 60);
  assert_refused(rbv_signal_suggest(&s, Q + 2 * N, N, N, 1, rate), RBV_EINPUT,
                 "contains no motion");
  assert_refused(rbv_signal_suggest(&s, Q, N, 200, 1, rate), RBV_EDIM, "256 are needed");
  free(Q);
}

static rbv_status read_columns(void *self, double *X, ptrdiff_t ldx, ptrdiff_t first,
                               ptrdiff_t count) {
  for (int j = 0; j < COLS; j++)
    memcpy(X + j * ldx, (double *)self + j * N + first, (size_t)count * sizeof *X);
  return RBV_OK;
}

static void assert_same(const rbv_suggestion *a, const rbv_suggestion *b, double tolerance) {
  assert_near(a->cutoff_hz, b->cutoff_hz, 0, tolerance);
  assert_near(a->noise_hz, b->noise_hz, 0, tolerance);
}

/*
 * The result depends neither on the number of threads nor on the first difference, which is
 * subtracted until the mean is known. The first difference has window weight 0 and the last one
 * lies after all segments. So both samples can be changed by the same amount, and the mean stays
 * the same.
 */
static void test_suggestion_does_not_depend_on_threads_or_first_sample(void **state) {
  (void)state;
  const double rate = 5000;
  double *Q = joints(rate);
  // 13 segments, then 12
  for (int count = N; count >= N - 2048; count -= 2048) {
    rbv_suggestion held, read;
    assert_ok(rbv_signal_suggest(&held, Q, N, count, COLS, rate));
    for (int threads = 0; threads < 4; threads++) {
      assert_ok(rbv_signal_suggest_from(&read, read_columns, Q, count, COLS, rate, threads));
      assert_same(&read, &held, 0);
    }
    for (int j = 0; j < 2; j++) {
      Q[j * N] += 0.05;
      Q[j * N + count - 1] += 0.05;
    }
    assert_ok(rbv_signal_suggest_from(&read, read_columns, Q, count, COLS, rate, 2));
    assert_same(&read, &held, 1e-9);
  }
  rbv_suggestion none;
  Q[N / 2] = NAN;
  assert_refused(rbv_signal_suggest_from(&none, read_columns, Q, N, COLS, rate, 2), RBV_EARG,
                 "not finite");
  free(Q);
}

/* ---- memory ---- */

static rbv_status make_all(void *state) {
  (void)state;
  double t[300], x[300];
  for (int k = 0; k < 300; k++) t[k] = k, x[k] = sin(0.1 * k);
  rbv_ar_work *ar = NULL;
  rbv_resampler *r = NULL;
  rbv_spectrum *s = NULL;
  rbv_stamp_info info;
  rbv_suggestion suggestion;
  rbv_status status = rbv_ar_work_new(&ar, 10);
  if (status == RBV_OK) status = rbv_resampler_new(&r, t, 300, 1);
  if (status == RBV_OK) status = rbv_spectrum_new(&s, 16);
  if (status == RBV_OK) status = rbv_stamps_check(&info, t, 300);
  if (status == RBV_OK) status = rbv_signal_suggest(&suggestion, x, 300, 300, 1, 1);
  rbv_ar_work_free(ar);
  rbv_resampler_free(r);
  rbv_spectrum_free(s);
  return status;
}

static void test_each_allocation_may_fail(void **state) {
  (void)state;
  fail_each_allocation(make_all, NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_burg_equals_the_reference),
      cmocka_unit_test(test_forward_whitens_bursts),
      cmocka_unit_test(test_burg_finds_a_known_model_and_whitens),
      cmocka_unit_test(test_stamps_with_gaps),
      cmocka_unit_test(test_resampling_is_exact_on_cubics_and_marks_gaps),
      cmocka_unit_test(test_resampling_regular_stamps_returns_the_samples),
      cmocka_unit_test(test_delay_of_shifted_noise),
      cmocka_unit_test(test_welch_against_the_sum),
      cmocka_unit_test(test_welch_of_white_noise_and_a_sine),
      cmocka_unit_test(test_suggestion_follows_the_data),
      cmocka_unit_test(test_suggestion_does_not_depend_on_threads_or_first_sample),
      cmocka_unit_test(test_each_allocation_may_fail),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
