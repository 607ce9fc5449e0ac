/*
 * Sigma with noise in the columns, the future work of Villagrossi 2014: "the propagation of the
 * covariance taking into account that the dynamic regressor is not free of noise". Positions,
 * velocities and accelerations have independent noise; the torques have a little. The reported
 * sigma must be that of the estimates. A covariance that counts the noise of the torques only is
 * far too small.
 */
#include <math.h>
#include <roberval/sys/identify.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/support.h"
#include "motions.h"
#include "support.h"

#define RUNS (getenv("RUNS") ? atoi(getenv("RUNS")) : 100)
#define RATE 1000.0
#define SECONDS 20
#define TORQUE_NOISE 0.005  // of the torque
#define MOTION_NOISE 0.05   // of the accelerations; velocities a tenth of that, positions a 50th

static void add_noise(waves *w, double *x, double share, uint64_t seed, uint64_t stream) {
  for (int j = 0; j < w->njoint; j++) {
    double square = 0;
    for (ptrdiff_t k = 0; k < w->count; k++)
      square += x[k + j * w->count] * x[k + j * w->count] / (double)w->count;
    for (ptrdiff_t k = 0; k < w->count; k++)
      x[k + j * w->count] +=
          share * sqrt(square) * rbv_random_normal(seed, stream + (uint64_t)j, (uint64_t)k);
  }
}

static int ascending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double median(double *x, int n) {
  qsort(x, (size_t)n, sizeof *x, ascending);
  return x[n / 2];
}

typedef struct {
  double sum, squares, sigma;
} parameter;

/* median over the parameters of mean sigma / spread; noise: of the motion */
static double study(const rbv_model *m, const char *method, int decimation, double noise) {
  static double chi[200], truth[200], ratio[200];
  static parameter p[200];
  memset(p, 0, sizeof p);
  rbv_base *base;
  assert_ok(rbv_base_new(&base, m, NULL));
  assert_in_range(rbv_model_column_count(m), 1, RBV_COUNT(chi));
  random_columns(chi, m, 5);
  rbv_base_values(truth, base, chi);
  int inside = 0;
  for (uint64_t run = 0; run < (uint64_t)RUNS; run++) {
    waves w;
    waves_new_within_limits(&w, m, chi, 5, (ptrdiff_t)(SECONDS * RATE), RATE, false, 1.5);
    waves_add_white(&w, 100 + run, TORQUE_NOISE);
    add_noise(&w, w.q, noise / 50, 100 + run, 200);
    add_noise(&w, w.dq, noise / 10, 100 + run, 300);
    add_noise(&w, w.ddq, noise, 100 + run, 400);
    rbv_motion *motion = waves_motion(&w);
    rbv_identify_options o = rbv_identify_defaults();
    o.method = method;
    o.filter.decimate = decimation;
    rbv_estimate *e;
    assert_ok(rbv_identify(&e, m, &motion, 1, &o));
    for (int k = 0; k < base->count; k++) {
      const double sigma = sqrt(e->covariance[k + (ptrdiff_t)k * base->count]);
      const double error = e->value[k] - truth[k];
      inside += fabs(error) <= 1.96 * sigma;
      p[k].sum += error / RUNS;
      p[k].squares += error * error / RUNS;
      p[k].sigma += sigma / RUNS;
    }
    rbv_estimate_free(e);
    rbv_motion_free(motion);
    waves_free(&w);
  }
  for (int k = 0; k < base->count; k++)
    ratio[k] = p[k].sigma / sqrt((p[k].squares - p[k].sum * p[k].sum) * RUNS / (RUNS - 1.0));
  const double out = median(ratio, base->count);
  const double coverage = (double)inside / (RUNS * base->count);
  for (int k = 0; k < base->count; k++) ratio[k] = p[k].sigma;
  print_message(
      "%s, decimation %d, noise %g: sigma over spread %.2f, coverage %.1f %%, sigma %.3g\n", method,
      decimation, noise, out, 100 * coverage, median(ratio, base->count));
  // 20 blocks: Student's factor is 1.07
  assert_true(out >= 0.8 && out <= 1.25);
  assert_true(coverage >= 0.92 && coverage <= 0.98);
  const double size = median(ratio, base->count);
  rbv_base_free(base);
  return size;
}

static void test_sigma_counts_the_noise_of_the_columns(void **state) {
  (void)state;
  rbv_model *m = load_robot("tx40", -1, false);
  const double torque_only = study(m, "wls", 20, 0);
  const double both = study(m, "wls", 20, MOTION_NOISE);
  // a sigma from the noise of the torques alone would be this factor too small
  print_message("noise of the columns makes sigma %.1f times larger\n", both / torque_only);
  assert_true(both > 2 * torque_only);
  study(m, "ols", 20, MOTION_NOISE);
  study(m, "wls", 1, MOTION_NOISE / 4);
  rbv_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_sigma_counts_the_noise_of_the_columns),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
