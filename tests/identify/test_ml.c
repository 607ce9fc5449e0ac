/* ml: maximum likelihood with an autoregressive model of the torque noise, and its bound. */
#include <math.h>
#include <roberval/sys/identify.h>
#include <string.h>

#include "base/support.h"
#include "motions.h"
#include "support.h"

#define RUNS 60
#define SAMPLES 2000
#define RATE 200
#define PARAMETERS 16

static const char pendulum[] =
    "name: pendulum\n"
    "joints:\n"
    "  - {name: swing, type: revolute, axis: [0, 1, 0], drive: [Ia, Fv, Fc, off],\n"
    "     limits: {lower: -3, upper: 3, velocity: 10}}\n"
    "gravity: [0, 0, -9.81]\n"
    "friction: {gamma: 150}\n";

static rbv_model *load(void) {
  rbv_model *m;
  assert_ok(rbv_model_parse(&m, "pendulum", pendulum, sizeof pendulum - 1, NULL));
  return m;
}

static rbv_estimate *estimate(const rbv_model *m, const char *method, const waves *w) {
  rbv_motion *motion = waves_motion(w);
  rbv_identify_options o = rbv_identify_defaults();
  o.method = method;
  o.brief = true;
  rbv_estimate *e;
  assert_ok(rbv_identify(&e, m, &motion, 1, &o));
  rbv_motion_free(motion);
  return e;
}

/* spread of the estimates over the mean of their bounds, and over the spread of ols, by parameter
 */
typedef struct {
  double of_bound[PARAMETERS], of_ols[PARAMETERS];
  int count;
} excess;

static excess compare(double hertz) {
  excess x = {.count = 0};
  double sum[2][PARAMETERS] = {{0}}, square[2][PARAMETERS] = {{0}}, bound[PARAMETERS] = {0};
  static const char *const method[2] = {"ml", "ols"};
  rbv_model *m = load();
  double chi[PARAMETERS];
  random_columns(chi, m, 3);
  for (int run = 0; run < RUNS; run++) {
    waves w;
    waves_new(&w, m, chi, 11, SAMPLES, RATE, false);
    const uint64_t seed = 100 + (uint64_t)run;
    if (hertz > 0)
      waves_add_coloured(&w, m, seed, hertz, 0.1, 0.1);
    else
      waves_add_white(&w, seed, 0.1);
    for (int k = 0; k < 2; k++) {
      rbv_estimate *e = estimate(m, method[k], &w);
      assert_true(e->converged);
      assert_string_equal(e->method, method[k]);
      x.count = e->base->count;
      for (int i = 0; i < x.count; i++) {
        sum[k][i] += e->value[i] / RUNS;
        square[k][i] += e->value[i] * e->value[i] / RUNS;
        if (k == 0) bound[i] += e->sigma_white[i] / RUNS;
      }
      rbv_estimate_free(e);
    }
    waves_free(&w);
  }
  for (int i = 0; i < x.count; i++) {
    double spread[2];
    for (int k = 0; k < 2; k++)
      spread[k] = sqrt((square[k][i] - sum[k][i] * sum[k][i]) * RUNS / (RUNS - 1));
    x.of_bound[i] = spread[0] / bound[i];
    x.of_ols[i] = spread[0] / spread[1];
  }
  rbv_model_free(m);
  return x;
}

static double mean_of(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += x[i] / n;
  return sum;
}

/* where the noise model is true, the spread is the Cramer-Rao bound */
static void test_spread_is_that_of_the_bound(void **state) {
  (void)state;
  const excess x = compare(0.3);
  assert_true(x.count >= 5);
  // the standard error of each spread is 9 % (60 runs), that of their mean about half of it
  assert_near(mean_of(x.of_bound, x.count), 1, 0.15, 0);
  for (int i = 0; i < x.count; i++) assert_near(x.of_bound[i], 1, 0.36, 0);
  // noise below the frequencies of most of the motion: whitening gains
  print_message("spread of ml over that of ols: %.2f\n", mean_of(x.of_ols, x.count));
  assert_true(mean_of(x.of_ols, x.count) < 0.8);
}

/* white noise: nothing to gain, and nothing lost */
static void test_white_noise(void **state) {
  (void)state;
  const excess x = compare(0);
  assert_near(mean_of(x.of_bound, x.count), 1, 0.15, 0);
  assert_near(mean_of(x.of_ols, x.count), 1, 0.05, 0);
}

/* exact torques: the parameters, without a controller or a reference */
static void test_exact_torques(void **state) {
  (void)state;
  rbv_model *m = load();
  double chi[PARAMETERS], truth[PARAMETERS];
  random_columns(chi, m, 3);
  waves w;
  waves_new(&w, m, chi, 11, SAMPLES, RATE, false);
  rbv_estimate *e = estimate(m, "ml", &w);
  rbv_base_values(truth, e->base, chi);
  // values of about 1, condition below 1e3
  for (int i = 0; i < e->base->count; i++) assert_near(e->value[i], truth[i], 1e-10, 0);
  rbv_estimate_free(e);
  waves_free(&w);
  rbv_model_free(m);
}

/* the level and the order of the noise are in the result */
static void test_noise_model(void **state) {
  (void)state;
  rbv_model *m = load();
  double chi[PARAMETERS];
  random_columns(chi, m, 3);
  waves w;
  waves_new(&w, m, chi, 11, 20 * SAMPLES, RATE, false);
  const double deviation = waves_deviation(&w, 0);
  waves_add_coloured(&w, m, 7, 2, 0.1, 0.1);
  rbv_estimate *e = estimate(m, "ml", &w);
  const double pole = exp(-2 * RBV_PI * 2 / RATE);
  // innovations of AR(1) noise; 40,000 samples: 0.7 % of the variance
  assert_near(e->fit.row[0].noise_variance, 0.01 * deviation * deviation * (1 - pole * pole), 0,
              0.05);
  assert_true(e->fit.row[0].noise_order >= 1);
  assert_true(rbv_method_find("ml")->bounded && !rbv_method_find("wls")->bounded);
  rbv_estimate_free(e);
  waves_free(&w);
  rbv_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_spread_is_that_of_the_bound),
      cmocka_unit_test(test_white_noise),
      cmocka_unit_test(test_exact_torques),
      cmocka_unit_test(test_noise_model),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
