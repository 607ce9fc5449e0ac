/* Motions from recordings of real robots. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "log/log.h"
#include "support.h"

#include <roberval/sys/identify.h>
#include <roberval/sys/prepare.h>

/* ---- TX40: rotor side and joint side of one recording ---- */

static rbv_estimate *identify(const rbv_model *m, const char *path, const rbv_log_map *map) {
  rbv_log *log;
  rbv_motion *motion;
  rbv_estimate *e;
  assert_ok(rbv_log_load(&log, recording(path), map));
  rbv_differentiate_options o = rbv_differentiate_defaults();
  o.cutoff_hz = 50;
  assert_ok(rbv_motion_from_log(&motion, m, log, &o));
  rbv_identify_options how = rbv_identify_defaults();
  how.filter = (rbv_row_filter){.decimate = 1, .mask = 0.05, .trim = 100};
  assert_ok(rbv_identify(&e, m, &motion, 1, &how));
  rbv_motion_free(motion);
  rbv_log_free(log);
  return e;
}

/*
 * The joint file was computed from the motor file and printed with nine digits: positions differ by
 * up to 5e-9 rad. After the 50 Hz filter and two differences that is 5e-5 rad/s^2 of about 30, and
 * a few of 35,000 rows cross the threshold of the mask. So the estimates move by less than a
 * thousandth of their standard deviation. Without mask, the sign of the velocity of a joint at rest
 * would be that of the rounding.
 */
static void test_motor_side_gives_the_same_parameters(void **state) {
  (void)state;
  rbv_model *m;
  rbv_log_map *map;
  assert_ok(rbv_model_load(&m, "tx40", NULL));
  assert_ok(rbv_log_map_load(&map, ROBERVAL_SOURCE "/docs/examples/tx40_motor_map.yaml"));
  rbv_estimate *joint = identify(m, "staubli_tx40/tx40_joint.csv", NULL);
  rbv_estimate *motor = identify(m, "staubli_tx40/tx40_motor.csv", NULL);
  rbv_estimate *mapped = identify(m, "staubli_tx40/tx40_motor.csv", map);
  const int n = joint->base->count;
  assert_int_equal(n, 60);
  for (int k = 0; k < n; k++) {
    const double sigma = sqrt(joint->covariance[k + (ptrdiff_t)k * n]);
    assert_near(motor->value[k], joint->value[k], 1e-3 * sigma, 0);
    assert_true(mapped->value[k] == motor->value[k]);
  }
  rbv_estimate_free(joint);
  rbv_estimate_free(motor);
  rbv_estimate_free(mapped);
  rbv_log_map_free(map);
  rbv_model_free(m);
}

/* ---- LWR4+: 200 Hz, stamps up to 1.8 ms late, its own dq and ddq ---- */

#define JOINTS 7

typedef struct {
  ptrdiff_t count;
  double *dq, *ddq;
} derivatives;

static derivatives read_lwr(const rbv_model *m, int number, rbv_differentiation method) {
  char path[64];
  snprintf(path, sizeof path, "kuka_lwr4/lwr4_measurements_%d.csv", number);
  rbv_log *log;
  rbv_motion *motion;
  assert_ok(rbv_log_load(&log, recording(path), NULL));
  rbv_differentiate_options o = rbv_differentiate_defaults();
  o.method = method;
  assert_ok(rbv_motion_from_log(&motion, m, log, &o));
  const rbv_motion_info *info = rbv_motion_get_info(motion);
  const rbv_motion_origin *origin = rbv_motion_get_origin(motion);
  assert_true(origin->by_rows && !origin->resampled);
  assert_int_equal(origin->gaps + origin->duplicates, 0);
  assert_near(info->rate_hz, 200, 1, 0);
  derivatives d = {.count = info->count};
  d.dq = malloc((size_t)d.count * JOINTS * sizeof(double));
  d.ddq = malloc((size_t)d.count * JOINTS * sizeof(double));
  const rbv_samples s = {.ld = d.count, .dq = d.dq, .ddq = d.ddq};
  assert_ok(rbv_motion_read(motion, &s, 0, d.count));
  rbv_motion_free(motion);
  rbv_log_free(log);
  return d;
}

static double rms_difference(const double *a, const double *b, ptrdiff_t n) {
  double sum = 0, all = 0;
  // a second at both ends is left out
  for (int j = 0; j < JOINTS; j++)
    for (ptrdiff_t k = 200; k < n - 200; k++) {
      const double e = a[k + j * n] - b[k + j * n];
      sum += e * e;
      all += b[k + j * n] * b[k + j * n];
    }
  return sqrt(sum / all);
}

static void test_lwr4_with_every_method(void **state) {
  (void)state;
  rbv_model_options o = rbv_model_defaults();
  o.sensing = RBV_SENSING_JOINT;
  rbv_model *m;
  assert_ok(rbv_model_load(&m, "lwr4+", &o));
  for (int number = 1; number <= 3; number++) {
    derivatives own = read_lwr(m, number, RBV_DIFFERENTIATION_RECORDED);
    const rbv_differentiation ways[] = {RBV_DIFFERENTIATION_BANDPASS, RBV_DIFFERENTIATION_IRW,
                                        RBV_DIFFERENTIATION_SPLINE};
    for (int i = 0; i < 3; i++) {
      derivatives d = read_lwr(m, number, ways[i]);
      assert_int_equal(d.count, own.count);
      // the logger filtered its own derivatives in an unknown way: velocities agree to 1 %;
      // accelerations of a motion of 0.1 Hz contain noise of the size of the signal
      const double dq = rms_difference(d.dq, own.dq, d.count);
      const double ddq = rms_difference(d.ddq, own.ddq, d.count);
      assert_near(dq, 0, 0.02, 0);
      assert_near(ddq, 0, 1, 0);
      free(d.dq);
      free(d.ddq);
    }
    free(own.dq);
    free(own.ddq);
  }
  rbv_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_motor_side_gives_the_same_parameters),
      cmocka_unit_test(test_lwr4_with_every_method),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
