/* The gradient of the regressor against finite differences. */
#include <math.h>
#include <roberval/sys/dynamics.h>
#include <stdlib.h>
#include <string.h>

#include "base/support.h"
#include "laws.h"
#include "motions.h"
#include "support.h"

/* both joint types, oblique axes, couplings, every friction law, a formula, two channels, payload
 */
static const char wild[] =
    "name: wild\n"
    "gravity: [1.5, -2, -9]\n"
    "joints:\n"
    "  - {mdh: {alpha: 0.3, d: 0.1, theta: 0.7, r: 0.2}, drive: [Ia, Fvm, Fcm, Fvl]}\n"
    "  - {type: prismatic, mdh: {alpha: pi/2, d: 0.2, theta: 0.4, r: 0.3}, drive: [Ia, Fv, Fsq]}\n"
    "  - {origin: {xyz: [0.1, -0.2, 0.3], rpy: [0.3, -0.6, 1.1]}, axis: [0.3, -0.5, 0.8], "
    "drive: [Ia, Fcp, Fcn, Fcu]}\n"
    "  - {type: prismatic, origin: {xyz: [0.2, 0, 0], rpy: [0, 0.9, 0]}, axis: [1, 1, 0.2]}\n"
    "  - {mdh: {alpha: -1.2, d: 0, theta: 0, r: 0.15}}\n"
    "transmission: {couplings: [{motor: 5, joint: 3, ratio: 0.5}]}\n"
    "friction: {gamma: 3, stribeck: 0.8}\n"
    "sensing: both\n"
    "payload: true\n";

static void compare(const rbv_model *m, bool loaded) {
  const int n = rbv_model_joint_count(m), ne = rbv_model_entry_count(m), count = 5;
  rbv_dynamics *d;
  assert_ok(rbv_dynamics_new(&d, m));
  double *x[3], *g[3], *P = malloc((size_t)(ne * count) * sizeof *P);
  double *W = malloc((size_t)(ne * count) * sizeof *W);
  for (int i = 0; i < 3; i++) {
    x[i] = malloc((size_t)(n * count) * sizeof **x);
    g[i] = malloc((size_t)(n * count) * sizeof **g);
    for (int k = 0; k < n * count; k++)
      x[i][k] = 2 * rbv_random_normal(5, (uint64_t)i, (uint64_t)k);
  }
  for (int e = 0; e < ne * count; e++) P[e] = rbv_random_normal(6, 0, (uint64_t)e);
  const rbv_states s = {.count = count, .ld = count, .q = x[0], .dq = x[1], .ddq = x[2]};
  rbv_regressor_adjoint(g[0], g[1], g[2], d, &s, P, count, loaded);
  double size = 0;
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < n * count; k++) size = fmax(size, fabs(g[i][k]));
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < n * count; k++) {
      double value[2] = {0};
      const double keep = x[i][k], h = 1e-5;
      for (int side = 0; side < 2; side++) {
        x[i][k] = keep + (side ? h : -h);
        rbv_regressor_batch(W, count, d, &s, loaded);
        for (int e = 0; e < ne * count; e++) value[side] += P[e] * W[e];
      }
      x[i][k] = keep;
      // truncation h^2, rounding eps * size of the sum / h
      assert_near(g[i][k], (value[1] - value[0]) / (2 * h), 1e-7 * size, 1e-7);
    }
  for (int i = 0; i < 3; i++) free(x[i]), free(g[i]);
  free(P);
  free(W);
  rbv_dynamics_free(d);
}

static void test_adjoint_of_built_in_robots(void **state) {
  (void)state;
  for (int i = 0; rbv_model_builtin(i); i++) {
    rbv_model *m = load_robot(rbv_model_builtin(i), -1, false);
    compare(m, false);
    rbv_model_free(m);
  }
}

static void test_adjoint_of_everything_at_once(void **state) {
  (void)state;
  rbv_model *m;
  assert_ok(rbv_model_parse(&m, "wild", wild, sizeof wild - 1, NULL));
  compare(m, true);
  compare(m, false);
  rbv_model_free(m);
}

/* branches, joints that mimic others, two channels, friction of load; a payload behind a follower
 */
static void test_adjoint_of_trees(void **state) {
  (void)state;
  static const char *const robot[] = {
      "gravity: [1.5, -2, -9]\nsensing: both\nfriction: {gamma: 3, stribeck: 0.8}\n"
      "joints:\n"
      "- {name: waist, origin: {xyz: [0, 0, 1]}}\n"
      "- {name: right, origin: {xyz: [0, -0.2, 0.3]}, axis: [0, 1, 0], drive: [Ia, Fvm, Fcm, "
      "Fvl]}\n"
      "- {name: right_elbow, origin: {xyz: [0, 0, -0.3], rpy: [0.3, 0, 1]}, axis: [0, 1, 0],\n"
      "   mimic: {joint: left_elbow, multiplier: -2, offset: 0.25}}\n"
      "- {name: left, parent: waist, origin: {xyz: [0, 0.2, 0.3]}, axis: [0.6, 0.8, 0]}\n"
      "- {name: left_elbow, type: prismatic, origin: {xyz: [0, 0, -0.3]}}\n"
      "- {name: left_hand, origin: {xyz: [0.1, 0, -0.3]}, axis: [0, 0, -1]}\n"
      "- {name: head, parent: waist, origin: {xyz: [0.1, 0, 0.5]}, axis: [0, 1, 0]}\n",
      "payload: true\n"
      "joints: [{name: a, axis: [0, 1, 0]}, {name: b, origin: {xyz: [0.3, 0, 0.1]}, axis: [0, 1, "
      "0],"
      " mimic: {joint: a, multiplier: 0.7, offset: 0.1}}]\n"};
  for (int i = 0; i < RBV_COUNT(robot); i++) {
    rbv_model *m;
    assert_ok(rbv_model_parse(&m, "tree", robot[i], strlen(robot[i]), NULL));
    compare(m, rbv_model_has_payload(m));
    rbv_model_free(m);
  }
}

/* the table's slopes in both joint types, each with shape parameters of its own */
static void test_adjoint_of_every_law(void **state) {
  (void)state;
  rbv_model *m = robot_with_every_law(3);
  compare(m, false);
  rbv_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_adjoint_of_built_in_robots),
      cmocka_unit_test(test_adjoint_of_everything_at_once),
      cmocka_unit_test(test_adjoint_of_trees),
      cmocka_unit_test(test_adjoint_of_every_law),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
