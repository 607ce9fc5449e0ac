/* Constraints from a file: what is read, what stays the robot's, refusals with their place. */
#include <math.h>
#include <roberval/sys/excite.h>
#include <string.h>

#include "base/support.h"
#include "support.h"

static const char robot[] =
    "joints:\n  - {mdh: {}, limits: {lower: -1, upper: 1, velocity: 2}}\n"
    "  - {mdh: {alpha: pi/2, d: 1}, limits: {lower: -1, upper: 1, velocity: 3}}\n"
    "collision: [{link: 2, from: [0, 0, 0], to: [0.1, 0, 0], radius: 0.1}]\n";

static const char all[] =
    "limits: [{velocity: 1.5}, {lower: -0.5, jerk: 60}]\n"
    "center: [0.1, -0.2]\ntool: [0, 0, 0.3]\ntool_speed: 2\nclearance: 0.05\n"
    "collision: [{link: 0, from: [0, 0, 0], to: [0, 0, 1], radius: 0.2},\n"
    "            {link: 2, from: [0, 0, 0], to: [0, 0, 1], radius: 0.1}]\n"
    "planes: [{normal: [0, 0, -1], offset: 0.5}]\nboxes: [{min: [1, 1, 1], max: [2, 2, 2]}]\n";

static rbv_model *load(void) {
  rbv_model *m;
  assert_ok(rbv_model_parse(&m, "arm", robot, sizeof robot - 1, NULL));
  return m;
}

static void test_everything_is_read(void **state) {
  (void)state;
  rbv_model *m = load();
  rbv_constraint_set *s;
  assert_ok(rbv_constraint_set_parse(&s, m, "cell.yaml", all, sizeof all - 1));
  const rbv_constraints *c = &s->value;
  // limits that the file does not name are the robot's
  assert_near(c->limits[0].velocity, 1.5, 0, 0);
  assert_near(c->limits[0].upper, 1, 0, 0);
  assert_near(c->limits[1].lower, -0.5, 0, 0);
  assert_near(c->limits[1].velocity, 3, 0, 0);
  assert_near(c->limits[1].jerk, 60, 0, 0);
  assert_true(isinf(c->limits[0].jerk));
  assert_near(c->center[1], -0.2, 0, 0);
  assert_near(c->tool[2], 0.3, 0, 0);
  assert_near(c->tool_speed, 2, 0, 0);
  assert_near(c->clearance, 0.05, 0, 0);
  assert_int_equal(c->ncapsule, 2);
  assert_near(c->capsule[1].radius, 0.1, 0, 0);
  assert_int_equal(c->nplane, 1);
  assert_near(c->plane[0].offset, 0.5, 0, 0);
  assert_int_equal(c->nbox, 1);
  assert_near(c->box[0].max[2], 2, 0, 0);
  rbv_constraint_set_free(s);

  // without a file: the robot's own capsule and limits, any pose
  assert_ok(rbv_constraint_set_load(&s, m, NULL));
  assert_int_equal(s->value.ncapsule, 1);
  assert_false(s->capsules_given);
  assert_null(s->value.center);
  rbv_constraint_set_free(s);

  // an empty list takes the robot's capsules away
  assert_ok(rbv_constraint_set_parse(&s, m, "none.yaml", "collision: []", 13));
  assert_int_equal(s->value.ncapsule, 0);
  assert_true(s->capsules_given);
  rbv_constraint_set_free(s);
  rbv_constraint_set_free(NULL);
  rbv_model_free(m);
}

static void test_refusals(void **state) {
  (void)state;
  rbv_model *m = load();
  rbv_constraint_set *s;
  static const struct {
    const char *text, *message;
  } bad[] = {
      {"limits: [{}]", "bad.yaml:1:9: 'limits' has 1 entries, the robot 2 joints"},
      {"limits: [{}, {speed: 1}]", "speed"},
      {"collision: [{from: [0, 0, 0], to: [0, 0, 0], radius: 1}]", "'link' is missing"},
      {"collision: [{link: 1, from: [0, 0, 0], to: [0, 0, 0]}]", "'radius' is missing"},
      {"planes: [{offset: 1}]", "'normal' is missing"},
      {"boxes: [{min: [0, 0, 0]}]", "'max' is missing"},
      {"center: [0]", "bad.yaml:1:9"},
      {"capsules: []", "capsules"},
  };
  for (int i = 0; i < RBV_COUNT(bad); i++) {
    assert_refused(rbv_constraint_set_parse(&s, m, "bad.yaml", bad[i].text, strlen(bad[i].text)),
                   RBV_EINPUT, bad[i].message);
    assert_null(s);
  }
  assert_refused(rbv_constraint_set_load(&s, m, "nowhere.yaml"), RBV_EREAD, "nowhere.yaml");
  rbv_model_free(m);
}

static rbv_status read_all(void *m) {
  rbv_constraint_set *s;
  const rbv_status status = rbv_constraint_set_parse(&s, m, "cell.yaml", all, sizeof all - 1);
  rbv_constraint_set_free(s);
  return status;
}

static void test_allocations_fail_well(void **state) {
  (void)state;
  rbv_model *m = load();
  fail_each_allocation(read_all, m);
  rbv_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_everything_is_read),
      cmocka_unit_test(test_refusals),
      cmocka_unit_test(test_allocations_fail_well),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
