/* A designed motion of a delta robot: its loops close from sample to sample in a program of its own
 * (support/mechanism.h), far from singular poses. A motion through a singular pose is refused. */
#include <math.h>
#include <roberval/sys/dynamics.h>
#include <roberval/sys/excite.h>
#include <roberval/sys/trajectory.h>
#include <string.h>

#include "mechanism.h"
#include "support.h"
#include "tool.h"

static void test_design(void **state) {
  (void)state;
  mechanism m = mechanism_delta();
  (void)mechanism_write(&m);
  csv t = tool_table(
      "excite delta.yaml --period 4 --starts 1 --harmonics 3 --acceleration 40 "
      "--tool-speed 3 --budget 1 -q -o /dev/stdout");
  double q[MECHANISM_JOINTS] = {0}, before[MECHANISM_JOINTS], reach = 0;
  const int first = csv_find(&t, "q1");
  for (int i = 0; i < m.n; i++) q[i] = m.joint[i].home;
  // from home to the first sample along a straight line
  for (int k = -50; k < t.nrow; k++) {
    const double *row = t.value + (size_t)(k < 0 ? 0 : k) * (size_t)t.ncolumn;
    memcpy(before, q, sizeof q);
    for (int i = 0, j = 0; i < m.n; i++) {
      if (!m.joint[i].driven) continue;
      const double to = row[first + j++];
      q[i] = k < 0 ? q[i] + (to - q[i]) / -k : to;
      reach = fmax(reach, fabs(q[i] - m.joint[i].home));
    }
    assert_true(mechanism_close(q, &m));
    // 2 ms at the speed that the condition allows
    for (int i = 0; i < m.n && k > 0; i++) assert_true(fabs(q[i] - before[i]) < 0.1);
  }
  print_message("%d samples, %.2f rad from home\n", t.nrow, reach);
  assert_true(reach > 0.2);
  csv_free(&t);
}

/* way of the first driven joint of a five-bar to a singular pose; 0: there is none within 3 rad */
static double way_to_singular(const mechanism *m, rbv_dynamics *d) {
  double end[2] = {m->joint[0].home + 3, m->joint[2].home};
  rbv_dynamics_reach(end, d, 1);
  const double way = end[0] - m->joint[0].home;
  return way < 2.9 ? way : 0;
}

static void check_way(const mechanism *m, const rbv_model *model, double way) {
  // to a point before the singular pose, and to one beyond it, with samples on both sides of it
  static const double share[2] = {0.5, 1.2}, most[2] = {4, 4};
  for (int i = 0; i < 2; i++) {
    const double x[6] = {m->joint[0].home,
                         m->joint[0].home + share[i] * way,
                         1,
                         m->joint[2].home,
                         m->joint[2].home,
                         1};
    rbv_trajectory_shape shape = rbv_trajectory_defaults();
    shape.kind = RBV_TRAJECTORY_VIA;
    shape.njoint = 2;
    shape.count = 2;
    shape.velocity = shape.acceleration = most;
    rbv_trajectory *t;
    rbv_usage_info info;
    assert_ok(rbv_trajectory_new(&t, &shape, x));
    assert_ok(rbv_constraints_check(&info, NULL, model, NULL, t, 0.5));
    assert_int_equal(info.feasible, i == 0);
    if (i) assert_non_null(strstr(info.reason, "loops of the robot"));
    rbv_trajectory_free(t);
  }
}

/* the first joint of a five-bar goes to a pose in which the links that meet are in line */
static void test_singular_way(void **state) {
  (void)state;
  int checked = 0;
  for (uint64_t seed = 1; seed <= 9; seed += 2) {
    mechanism m = mechanism_random_planar(seed);
    rbv_model *model;
    rbv_dynamics *d;
    rbv_model_options o = rbv_model_defaults();
    assert_ok(rbv_model_load(&model, mechanism_write(&m), &o));
    assert_ok(rbv_dynamics_new(&d, model));
    const double way = way_to_singular(&m, d);
    if (way > 0.2) {
      check_way(&m, model, way);
      checked++;
    }
    rbv_dynamics_free(d);
    rbv_model_free(model);
  }
  assert_true(checked >= 3);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_design),
                                     cmocka_unit_test(test_singular_way)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
