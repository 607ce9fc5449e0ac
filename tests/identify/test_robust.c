/* Outliers in the torque: their effect on least squares and on the robust fit. */
#include <math.h>
#include <roberval/sys/identify.h>
#include <roberval/sys/stats.h>
#include <stdlib.h>
#include <string.h>

#include "motions.h"
#include "support.h"
#include "trials.h"

#define SEEDS 5
#define OUTLIERS 0.05

/* rms over the parameters of error / sigma (that of the fit without outliers) */
static double weighted_error(const rbv_estimate *e, const rbv_estimate *clean, const double *chi) {
  double truth[128], sum = 0;
  const int n = e->base->count;
  rbv_base_values(truth, e->base, chi);
  for (int k = 0; k < n; k++)
    sum += (e->value[k] - truth[k]) * (e->value[k] - truth[k]) / clean->covariance[k + k * n];
  return sqrt(sum / n);
}

static rbv_estimate *identify(const rbv_model *m, const waves *w, const char *method,
                              int decimate) {
  rbv_motion *motion = waves_motion(w);
  rbv_identify_options o = rbv_identify_defaults();
  o.method = method;
  o.filter.decimate = decimate;
  rbv_estimate *e;
  assert_ok(rbv_identify(&e, m, &motion, 1, &o));
  assert_true(e->converged);
  rbv_motion_free(motion);
  return e;
}

/* error with outliers relative to that of weighted least squares without any, median over seeds */
static void compare(int decimate, double bound) {
  rbv_model *m = load_robot("tx40", -1, false);
  double chi[128], robust[SEEDS], plain[SEEDS], middle, plain_middle;
  random_columns(chi, m, 1);
  for (int i = 0; i < SEEDS; i++) {
    waves w;
    const uint64_t seed = (uint64_t)(10 + i);
    waves_new(&w, m, chi, seed, 2400, 120, false);
    waves_add_white(&w, seed, 0.05);
    rbv_estimate *clean = identify(m, &w, "wls", decimate);
    waves_add_outliers(&w, seed, OUTLIERS);
    rbv_estimate *irls = identify(m, &w, "irls", decimate), *wls = identify(m, &w, "wls", decimate);
    const double own = weighted_error(clean, clean, chi);
    robust[i] = weighted_error(irls, clean, chi) / own;
    plain[i] = weighted_error(wls, clean, chi) / own;
    rbv_estimate_free(clean);
    rbv_estimate_free(irls);
    rbv_estimate_free(wls);
    waves_free(&w);
  }
  const double half = 0.5;
  assert_ok(rbv_stats_quantiles(&middle, robust, robust, SEEDS, &half, 1));
  assert_ok(rbv_stats_quantiles(&plain_middle, plain, plain, SEEDS, &half, 1));
  print_message("decimated by %d: irls %.2f, wls %.2f times the error without outliers\n", decimate,
                middle, plain_middle);
  assert_true(middle <= bound);
  // otherwise the outliers would have no effect
  assert_true(plain_middle > 5);
  rbv_model_free(m);
}

static void test_outliers_hardly_matter(void **state) {
  (void)state;
  compare(1, 1.3);
}

static void test_outliers_hardly_matter_when_decimated(void **state) {
  (void)state;
  compare(6, 1.3);
}

static void test_sigma_of_the_robust_fit(void **state) {
  (void)state;
  static const int decimate[] = {1, 6};
  for (int i = 0; i < 2; i++) {
    const trial_plan plan = {.runs = 12,
                             .seconds = 20,
                             .rate_hz = 60,
                             .decimate = decimate[i],
                             .noise = 0.05,
                             .outliers = OUTLIERS,
                             .method = "irls"};
    const trial_report r = trials(&plan);
    // as in test_montecarlo.c
    assert_near(r.coverage, 0.96, 0.03, 0);
    assert_near(r.median, 1.1, 0.2, 0);
  }
}

/* blocks are drawn from the clipped torques: the outliers would dominate every draw */
static void test_bootstrap_of_the_robust_fit(void **state) {
  (void)state;
  const trial_plan plan = {.runs = 2,
                           .seconds = 20,
                           .rate_hz = 60,
                           .decimate = 1,
                           .noise = 0.05,
                           .outliers = OUTLIERS,
                           .method = "irls",
                           .bootstrap = 100};
  assert_near(trials(&plan).bootstrap, 1, 0.15, 0);
}

/* auto selects the robust method if outliers matter, and reports what it could not test */
static void test_auto(void **state) {
  (void)state;
  rbv_model *m = load_robot("tx40", -1, false);
  double chi[128];
  random_columns(chi, m, 1);
  for (int outliers = 0; outliers < 2; outliers++) {
    waves w;
    waves_new(&w, m, chi, 10, 2400, 120, false);
    waves_add_white(&w, 10, 0.05);
    if (outliers) waves_add_outliers(&w, 10, OUTLIERS);
    rbv_estimate *e = identify(m, &w, "auto", 4);
    print_message("auto: %s\n", e->choice);
    assert_string_equal(e->method, outliers ? "irls" : "wls");
    assert_non_null(strstr(e->choice, outliers ? "and they matter" : "there are no outliers"));
    assert_non_null(strstr(e->choice, "needs controller and reference"));
    rbv_estimate_free(e);
    waves_free(&w);
  }
  rbv_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_outliers_hardly_matter),
      cmocka_unit_test(test_outliers_hardly_matter_when_decimated),
      cmocka_unit_test(test_sigma_of_the_robust_fit),
      cmocka_unit_test(test_bootstrap_of_the_robust_fit),
      cmocka_unit_test(test_auto),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
