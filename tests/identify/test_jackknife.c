/* Sigma from blocks of time: the definition by hand, holdout, recordings, special cases. */
#include <math.h>
#include <roberval/sys/identify.h>
#include <stdlib.h>
#include <string.h>

#include "motions.h"
#include "result/result.h"
#include "support.h"

#define COLUMN_MAX 200
#define SAMPLES 4000
#define RATE 100.0

static rbv_model *model;
static double chi[COLUMN_MAX];

static int prepare(void **state) {
  (void)state;
  model = load_robot("tx40", -1, false);
  random_columns(chi, model, 1);
  return 0;
}

static int finish(void **state) {
  (void)state;
  rbv_model_free(model);
  return 0;
}

static rbv_motion *motion_of(uint64_t seed, ptrdiff_t samples) {
  waves w;
  waves_new(&w, model, chi, seed, samples, RATE, false);
  waves_add_coloured(&w, model, seed, 3, 0.05, 0.05);
  rbv_motion *motion = waves_motion(&w);
  waves_free(&w);
  return motion;
}

static rbv_estimate *identify(rbv_motion *const *motions, int n, const rbv_identify_options *o) {
  rbv_estimate *e;
  assert_ok(rbv_identify(&e, model, motions, n, o));
  return e;
}

static double sigma_of(const rbv_estimate *e, int k) {
  return sqrt(e->covariance[k + (ptrdiff_t)k * e->base->count]);
}

/* the spread of given deviations: -1, 0, 1, 4 have the mean 1 and the sum of squares 14 */
static void test_formula(void **state) {
  (void)state;
  double deviation[] = {-1, 0, 1, 4};
  const rbv_jackknife j = {.nblock = 4, .student = 1.5, .deviation = deviation};
  assert_near(rbv_jackknife_sigma(&j, 1, 0), 1.5 * sqrt(0.75 * 14), 0, 1e-14);
}

/* the estimate without a block equals that of a motion without these samples */
static void test_deviation_is_the_estimate_without_the_block(void **state) {
  (void)state;
  rbv_motion *motion = motion_of(3, SAMPLES);
  rbv_identify_options o = rbv_identify_defaults();
  o.method = "ols";  // no weights, so that none need be frozen
  rbv_estimate *e = identify(&motion, 1, &o);
  assert_int_equal(e->jackknife.nblock, 20);
  assert_int_equal(e->jackknife.nrecording, 0);
  rbv_motion_free(motion);
  waves w;
  waves_new(&w, model, chi, 3, SAMPLES, RATE, false);
  waves_add_coloured(&w, model, 3, 3, 0.05, 0.05);
  // the last block is at the end: leave out the last 200 samples
  waves shorter = w;
  shorter.count = SAMPLES - SAMPLES / 20;
  double *arrays[4] = {w.q, w.dq, w.ddq, w.torque};
  const int columns[4] = {w.njoint, w.njoint, w.njoint, w.nrow};
  for (int a = 0; a < 4; a++)
    for (int j = 1; j < columns[a]; j++)
      memmove(arrays[a] + j * shorter.count, arrays[a] + (ptrdiff_t)j * SAMPLES,
              (size_t)shorter.count * sizeof(double));
  rbv_motion *part = waves_motion(&shorter);
  rbv_estimate *without = identify(&part, 1, &o);
  const int n = e->base->count;
  for (int k = 0; k < n; k++) {
    const double deviation = e->jackknife.deviation[k + (ptrdiff_t)19 * n];
    // rounding, and rows of weight 1e-7 that keep all systems regular
    assert_near(e->value[k] + deviation, without->value[k], 1e-8 * sigma_of(e, k), 1e-9);
  }
  rbv_estimate_free(e);
  rbv_estimate_free(without);
  rbv_motion_free(part);
  waves_free(&w);
}

/* threads and pieces do not change a bit */
static void test_threads(void **state) {
  (void)state;
  rbv_motion *motion = motion_of(3, 40000);
  rbv_identify_options o = rbv_identify_defaults();
  rbv_estimate *one = identify(&motion, 1, &o);
  o.filter.threads = 3;
  rbv_estimate *three = identify(&motion, 1, &o);
  const size_t n = (size_t)one->base->count;
  assert_memory_equal(one->covariance, three->covariance, n * n * sizeof(double));
  assert_memory_equal(one->jackknife.deviation, three->jackknife.deviation,
                      20 * n * sizeof(double));
  rbv_estimate_free(one);
  rbv_estimate_free(three);
  rbv_motion_free(motion);
}

/* a short recording has at least 10 blocks; recordings have at least four each */
static void test_number_of_blocks(void **state) {
  (void)state;
  static const struct {
    ptrdiff_t samples;
    int motions, blocks, recordings;
  } cases[] = {{600, 1, 10, 0},  {1200, 1, 16, 0}, {4000, 1, 20, 0},
               {1000, 2, 20, 0}, {1000, 4, 20, 4}, {1000, 6, 24, 6}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    rbv_motion *motion[6];
    for (int m = 0; m < cases[i].motions; m++)
      motion[m] = motion_of((uint64_t)(10 + m), cases[i].samples);
    const rbv_identify_options o = rbv_identify_defaults();
    rbv_estimate *e = identify(motion, cases[i].motions, &o);
    assert_int_equal(e->jackknife.nblock, cases[i].blocks);
    assert_int_equal(e->jackknife.nrecording, cases[i].recordings);
    for (int k = 0; k < e->base->count; k++) assert_true(sigma_of(e, k) >= e->sigma_white[k]);
    rbv_estimate_free(e);
    for (int m = 0; m < cases[i].motions; m++) rbv_motion_free(motion[m]);
  }
}

/* a recording that differs from the others: the blocks of its own do not show this */
static void test_recordings_as_blocks(void **state) {
  (void)state;
  const int column = rbv_model_find(model, "Fv1");
  const double truth = chi[column];
  rbv_motion *motion[4];
  for (int m = 0; m < 4; m++) {
    chi[column] = truth * (1 + 0.2 * (m - 1.5));
    motion[m] = motion_of((uint64_t)(10 + m), 2000);
  }
  chi[column] = truth;
  const rbv_identify_options o = rbv_identify_defaults();
  rbv_estimate *e = identify(motion, 4, &o);
  rbv_jackknife blocks = e->jackknife;
  blocks.nrecording = 0;
  int at = -1;
  for (int k = 0; k < e->base->count; k++)
    if (e->base->kept[k] == column) at = k;
  assert_true(at >= 0);
  assert_true(sigma_of(e, at) > 1.5 * rbv_jackknife_sigma(&blocks, e->base->count, at));
  rbv_estimate_free(e);
  for (int m = 0; m < 4; m++) rbv_motion_free(motion[m]);
}

/* the share that is held out, within 2 %, and the blocks are those of the rest */
static void test_holdout(void **state) {
  (void)state;
  static const double share[] = {0.05, 0.2, 1 / 3., 0.35, 0.5};
  rbv_motion *motion = motion_of(3, SAMPLES);
  for (size_t i = 0; i < sizeof share / sizeof *share; i++) {
    rbv_identify_options o = rbv_identify_defaults();
    o.holdout = share[i];
    rbv_estimate *e = identify(&motion, 1, &o);
    const double used = (double)e->fit.row[0].rows, held = (double)e->validation.row[0].rows;
    assert_near(held / (used + held), share[i], 0.02, 0);
    assert_int_equal(e->jackknife.nblock, 20);
    rbv_estimate_free(e);
  }
  rbv_motion_free(motion);
}

/* joint 1 moves in one block only: the others say nothing about its parameters, which keep a
 * finite sigma */
static void test_parameter_in_one_block(void **state) {
  (void)state;
  waves w;
  waves_new(&w, model, chi, 3, SAMPLES, RATE, false);
  for (ptrdiff_t k = 0; k < SAMPLES; k++)
    if (k < 400 || k >= 600) w.q[k] = w.dq[k] = w.ddq[k] = 0;
  waves_set_torque(&w, model, chi);
  waves_add_coloured(&w, model, 3, 3, 0.05, 0.05);
  rbv_motion *motion = waves_motion(&w);
  const rbv_identify_options o = rbv_identify_defaults();
  rbv_estimate *e = identify(&motion, 1, &o);
  for (int k = 0; k < e->base->count; k++) {
    if (e->status[k] == RBV_STATUS_NOT_IDENTIFIABLE) continue;
    assert_true(isfinite(sigma_of(e, k)) && sigma_of(e, k) >= e->sigma_white[k]);
    // a factor of several hundred would come from a solution without information
    assert_true(sigma_of(e, k) < 50 * e->sigma_white[k]);
  }
  rbv_estimate_free(e);
  rbv_motion_free(motion);
  waves_free(&w);
}

/* every method that needs no loop has robust sigmas: 5 Hz noise at 100 Hz rows is coloured */
static void test_methods(void **state) {
  (void)state;
  static const char *const methods[] = {"ols", "wls", "irls", "tls"};
  rbv_motion *motion = motion_of(3, SAMPLES);
  for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
    rbv_identify_options o = rbv_identify_defaults();
    o.method = methods[i];
    rbv_estimate *e = identify(&motion, 1, &o);
    assert_true(e->diagnostics.sigma_inflation > 1.3 && e->diagnostics.sigma_inflation < 5);
    rbv_estimate_free(e);
  }
  rbv_motion_free(motion);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_formula),
      cmocka_unit_test(test_deviation_is_the_estimate_without_the_block),
      cmocka_unit_test(test_threads),
      cmocka_unit_test(test_number_of_blocks),
      cmocka_unit_test(test_recordings_as_blocks),
      cmocka_unit_test(test_holdout),
      cmocka_unit_test(test_parameter_in_one_block),
      cmocka_unit_test(test_methods),
  };
  return cmocka_run_group_tests(tests, prepare, finish);
}
