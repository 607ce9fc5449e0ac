/* Row filters from the data: decimation and its pass band. */
#include "support.h"

#include <math.h>
#include <roberval/sys/identify.h>
#include <roberval/sys/prepare.h>
#include <stdlib.h>
#include <string.h>
#include "equations/equations.h"

#define RATE 200.0
#define SAMPLES 1600

static const char robot[] =
    "name: slide\ngravity: [0, 0, -9.81]\njoints:\n"
    "- {name: slide, type: prismatic, mdh: {alpha: pi/2, d: 0, theta: 0, r: 0}}\n";

static rbv_model *make_model(void) {
  rbv_model *m = NULL;
  assert_ok(rbv_model_parse(&m, "slide", robot, strlen(robot), NULL));
  return m;
}

/* A mass of 2 kg with friction. A vibration at 14.5 Hz needs twice the force, as near a resonance.
 * It is in the pass band of a decimation by 5 (16 Hz) and not in that of one by 6 (13.3 Hz). */
static rbv_log *make_log(void) {
  static const char *const name[] = {"t", "q1", "tau1"};
  double *A = malloc(3 * SAMPLES * sizeof *A);
  for (int k = 0; k < SAMPLES; k++) {
    const double t = k / RATE;
    double q = 0, v = 0, a = 0;
    for (int i = 1; i <= 4; i++) {
      const double w = 2 * M_PI * 0.37 * i * i;
      q += 0.05 / i * sin(w * t + i);
      v += 0.05 / i * w * cos(w * t + i);
      a -= 0.05 / i * w * w * sin(w * t + i);
    }
    const double w = 2 * M_PI * 14.5, vibration = -5e-4 * w * w * sin(w * t);
    q += 5e-4 * sin(w * t);
    v += 5e-4 * w * cos(w * t);
    A[k] = t;
    A[k + SAMPLES] = q;
    A[k + 2 * SAMPLES] = 2 * a + 4 * vibration + 5 * v + 3 * tanh(v / 1e-3) +
                         0.3 * rbv_random_normal(1, 2, (uint64_t)k);
  }
  rbv_log *log = NULL;
  assert_ok(rbv_log_new(&log, "log", name, 3, A, SAMPLES, SAMPLES));
  free(A);
  return log;
}

static rbv_motion *make_motion(const rbv_model *m, double cutoff_hz) {
  rbv_log *log = make_log();
  rbv_motion *motion = NULL;
  rbv_differentiate_options o = rbv_differentiate_defaults();
  o.cutoff_hz = cutoff_hz;
  assert_ok(rbv_motion_from_log(&motion, m, log, &o));
  rbv_log_free(log);
  return motion;
}

static rbv_estimate *identify(const rbv_model *m, rbv_motion *motion, bool own_band) {
  rbv_identify_options how = rbv_identify_defaults();
  assert_ok(rbv_row_filter_suggest(&how.filter, m, &motion, 1, 1));
  if (!own_band) how.filter.band = 0;
  rbv_estimate *e = NULL;
  assert_ok(rbv_identify(&e, m, &motion, 1, &how));
  return e;
}

static double largest_move(const rbv_estimate *a, const rbv_estimate *b) {
  double most = 0;
  assert_int_equal(a->base->count, b->base->count);
  for (int k = 0; k < a->base->count; k++)
    most = fmax(most, fabs(a->value[k] - b->value[k]) /
                          sqrt(a->covariance[k + (ptrdiff_t)k * a->base->count]));
  return most;
}

/* a cut-off just below and just above a sixth of the sample rate: other rows, the same estimate */
static void test_estimate_is_continuous(void **state) {
  (void)state;
  rbv_model *m = make_model();
  double move[2];
  for (int own = 0; own < 2; own++) {
    rbv_estimate *e[2];
    for (int i = 0; i < 2; i++) {
      rbv_motion *motion = make_motion(m, RATE / 6 * (i ? 1 + 1e-6 : 1 - 1e-6));
      rbv_row_filter filter;
      assert_ok(rbv_row_filter_suggest(&filter, m, &motion, 1, 1));
      assert_int_equal(filter.decimate, i ? 5 : 6);
      // 0.4 times the cut-off, in units of the new Nyquist frequency
      assert_near(filter.band, i ? 0.8 * 5 / 6 : 0.8, 1e-5, 0);
      e[i] = identify(m, motion, own);
      rbv_motion_free(motion);
    }
    move[own] = largest_move(e[0], e[1]);
    rbv_estimate_free(e[0]);
    rbv_estimate_free(e[1]);
  }
  // The equations differ only by the rows near standstill that the mask leaves out: every fifth or
  // every sixth sample. With a band that follows the factor, the vibration enters at once.
  print_message("moves by %.3g sigma with the band of the cut-off, %.3g with that of the factor\n",
                move[1], move[0]);
  assert_true(move[1] < 0.5);
  assert_true(move[0] > 5);
  rbv_model_free(m);
}

/* the limit by the number of equations is continuous, too, and a factor of 1 has no filter */
static void test_limit_widens_the_band(void **state) {
  (void)state;
  rbv_model *m = make_model();
  rbv_motion *motion = make_motion(m, RATE / 40);
  rbv_row_filter filter, narrow;
  assert_ok(rbv_row_filter_suggest(&filter, m, &motion, 1, 1));
  assert_int_equal(filter.decimate, 40);
  filter.mask = 0;
  narrow = filter;
  // three equations per unknown, and three rows that are dropped at each end
  const int unknowns = 20;
  const double most = SAMPLES / (3.0 * unknowns + 6);
  assert_ok(rbv_row_filter_limit(&filter, m, &motion, 1, &unknowns, 1));
  assert_int_equal(filter.decimate, (int)most);
  assert_near(filter.band, 0.8 * floor(most) / most, 1e-12, 0);
  assert_near(rbv_row_filter_decimation(&filter).cutoff_ratio, filter.band, 0, 0);
  // no limit: no change
  const int few = 2;
  assert_ok(rbv_row_filter_limit(&narrow, m, &motion, 1, &few, 1));
  assert_int_equal(narrow.decimate, 40);
  const int many = 10000;
  assert_ok(rbv_row_filter_limit(&narrow, m, &motion, 1, &many, 1));
  assert_int_equal(narrow.decimate, 1);
  assert_near(rbv_row_filter_decimation(&narrow).cutoff_ratio, RBV_ROW_BAND, 0, 0);
  rbv_motion_free(motion);
  rbv_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_estimate_is_continuous),
      cmocka_unit_test(test_limit_widens_the_band),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
