/* Thirty runs of the bench: convergence and benefit of piv. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"
#include "support.h"

#define RUNS 30

typedef struct {
  int converged, limited;
  double spread[BENCH_TRUE];  // empirical, relative to the parameter
} report;

typedef bench_options mode(uint64_t seed);

/* low-frequency noise on the recorded torques, regressors without error */
static bench_options slow_torque_noise(uint64_t seed) {
  bench_options o = bench_defaults();
  o.torque_noise = 0.02;
  o.torque_noise_hz = 1;
  o.seed = seed;
  return o;
}

static report trials(mode *make, const char *method, double cutoff_hz) {
  report r = {0};
  double sum[BENCH_TRUE] = {0}, squares[BENCH_TRUE] = {0};
  for (uint64_t seed = 1; seed <= RUNS; seed++) {
    const bench_options o = make(seed);
    bench_loop b;
    bench_loop_new(&b, BENCH_SAMPLES, &o, cutoff_hz);
    b.how.method = method;
    rbv_estimate *e;
    assert_ok(rbv_identify(&e, b.m, &b.motion, 1, &b.how));
    r.converged += e->converged;
    r.limited += e->band_hz > 0;
    for (int j = 0; j < BENCH_JOINTS && e->fit.row[j].noise_variance > 0; j++)
      assert_near(e->fit.row[j].durbin_watson, 2, 0.1, 0);
    for (int i = 0; i < BENCH_TRUE; i++) {
      const double error = bench_error(e, b.m, i);
      sum[i] += error;
      squares[i] += error * error;
    }
    rbv_estimate_free(e);
    bench_loop_free(&b);
  }
  for (int i = 0; i < BENCH_TRUE; i++)
    r.spread[i] = sqrt((squares[i] - sum[i] * sum[i] / RUNS) / (RUNS - 1));
  print_message("%s: %d of %d converged, %d in a limited band\n", method, r.converged, RUNS,
                r.limited);
  return r;
}

static void test_offline_converges(void **state) {
  (void)state;
  assert_in_range(trials(bench_offline, "piv", 50).converged, 29, RUNS);
}

static void test_in_loop_converges(void **state) {
  (void)state;
  assert_in_range(trials(bench_in_loop, "piv", 50).converged, 29, RUNS);
}

static int ascending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* the purpose of prefilters: torque noise whose colour is not that of the controller */
static void test_prefilter_helps_with_coloured_torque_noise(void **state) {
  (void)state;
  const report iv = trials(slow_torque_noise, "iv", 0), piv = trials(slow_torque_noise, "piv", 0);
  assert_int_equal(iv.converged, RUNS);
  assert_int_equal(piv.converged, RUNS);
  double ratio[BENCH_TRUE];
  for (int i = 0; i < BENCH_TRUE; i++) ratio[i] = piv.spread[i] / iv.spread[i];
  qsort(ratio, BENCH_TRUE, sizeof *ratio, ascending);
  const double median = (ratio[BENCH_TRUE / 2 - 1] + ratio[BENCH_TRUE / 2]) / 2;
  print_message("spread over that of iv: median %.2f, %.2f to %.2f\n", median, ratio[0],
                ratio[BENCH_TRUE - 1]);
  assert_true(median < 0.65);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_offline_converges),
      cmocka_unit_test(test_in_loop_converges),
      cmocka_unit_test(test_prefilter_helps_with_coloured_torque_noise),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
