/* The recorded TX40, compared with published values. */
#include <math.h>
#include <roberval/sys/identify.h>
#include <roberval/sys/log.h>
#include <stdio.h>
#include <string.h>

#include "motions.h"
#include "support.h"

static rbv_estimate *identify(const rbv_model *m, const char *file, const char *map_text,
                              bool consistent) {
  rbv_log_map *map = NULL;
  rbv_log *log;
  if (map_text) assert_ok(rbv_log_map_parse(&map, "map", map_text, strlen(map_text)));
  assert_ok(rbv_log_load(&log, recording(file), map));
  const rbv_differentiate_options differentiate = {.cutoff_hz = 50};
  rbv_motion *motion;
  assert_ok(rbv_motion_from_log(&motion, m, log, &differentiate));
  rbv_identify_options o = rbv_identify_defaults();
  o.filter = (rbv_row_filter){.decimate = 100, .mask = 0.05};
  o.consistent = consistent;
  rbv_estimate *e;
  assert_ok(rbv_identify(&e, m, &motion, 1, &o));
  rbv_motion_free(motion);
  rbv_log_free(log);
  rbv_log_map_free(map);
  return e;
}

static double value_of(const rbv_estimate *e, const rbv_model *m, const char *name) {
  const int c = rbv_model_find(m, name);
  assert_true(c >= 0);
  return e->chi[c];
}

/* published with the recording, computed with other software and other filters */
static const struct {
  const char *name;
  double value;
} published[] = {
    {"Fv1", 8.05},   {"Fv2", 5.53},   {"Fv3", 1.97},   {"Fv4", 1.11},   {"Fv5", 1.86},
    {"Fc1", 7.14},   {"Fc2", 8.26},   {"Fc3", 6.34},   {"Fc4", 2.48},   {"Fc5", 3.03},
    {"Ia3", 0.0988}, {"Ia4", 0.0313}, {"Ia5", 0.0468}, {"fvm6", 0.616}, {"fcm6", 1.95},
};

static void test_tx40_as_published(void **state) {
  (void)state;
  rbv_model *m = load_robot("tx40", -1, false);
  rbv_estimate *e = identify(m, "staubli_tx40/tx40_joint.csv", NULL, false);
  assert_int_equal(e->base->count, 60);
  // 5.07 % at the time of writing
  assert_true(e->fit.relative_error > 0.03 && e->fit.relative_error <= 0.052);
  // the robot stands still for a sixth of the time and reverses now and then
  assert_true(e->masked_fraction > 0.15 && e->masked_fraction < 0.3);
  for (size_t i = 0; i < sizeof published / sizeof *published; i++)
    assert_near(value_of(e, m, published[i].name), published[i].value, 0, 0.05);
  rbv_estimate_free(e);
  rbv_model_free(m);
}

/* rotor angles of joints 2 and 3 are zero for the stretched arm: the transmission of the robot has
 * the offsets */
static const char motor_map[] =
    "time: t\n"
    "sensing: motor\n"
    "joints:\n"
    "  - {qm: qm1, taum: taum1}\n"
    "  - {qm: qm2, taum: taum2}\n"
    "  - {qm: qm3, taum: taum3}\n"
    "  - {qm: qm4, taum: taum4}\n"
    "  - {qm: qm5, taum: taum5}\n"
    "  - {qm: qm6, taum: taum6}\n";

/* the same recording on the motor side: nine digits in one file, five in the other */
static void test_motor_side_gives_the_same(void **state) {
  (void)state;
  rbv_model *m = load_robot("tx40", -1, false);
  rbv_estimate *joint = identify(m, "staubli_tx40/tx40_joint.csv", NULL, false);
  rbv_estimate *motor = identify(m, "staubli_tx40/tx40_motor.csv", motor_map, false);
  for (int k = 0; k < joint->base->count; k++) {
    const double sigma = sqrt(joint->covariance[k + k * joint->base->count]);
    assert_near(motor->value[k], joint->value[k], 1e-3 * sigma, 0);
  }
  rbv_estimate_free(joint);
  rbv_estimate_free(motor);
  rbv_model_free(m);
}

/* consistent parameters of a real robot: every link is possible, and the torque hardly changes */
static void test_tx40_consistent(void **state) {
  (void)state;
  rbv_model *m = load_robot("tx40", -1, false);
  rbv_estimate *e = identify(m, "staubli_tx40/tx40_joint.csv", NULL, true);
  rbv_estimate *free_one = identify(m, "staubli_tx40/tx40_joint.csv", NULL, false);
  const rbv_standard *s = e->standard;
  assert_null(free_one->standard);
  assert_true(s->converged);
  for (int j = 0; j < s->nbody; j++) {
    assert_int_equal(s->body[j].fault, RBV_BODY_CONSISTENT);
    assert_true(s->body[j].margin > 0);
  }
  // 5.08 % and 5.07 % at the time of writing, and at most three sigma
  assert_true(e->fit.relative_error < free_one->fit.relative_error + 0.005);
  assert_true(s->largest_move < 5);
  double x[60];
  assert_int_equal(e->base->count, 60);
  rbv_base_values(x, e->base, s->chi);
  for (int k = 0; k < 60; k++) assert_near(x[k], e->value[k], 1e-10, 1e-10);
  rbv_estimate_free(free_one);
  rbv_estimate_free(e);
  rbv_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_tx40_as_published),
      cmocka_unit_test(test_motor_side_gives_the_same),
      cmocka_unit_test(test_tx40_consistent),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
