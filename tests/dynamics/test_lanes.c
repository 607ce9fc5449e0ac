/* Lanes with parameters of their own against the dynamics of one robot; the friction law. */
#include "dynamics/lanes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dynamics/kernel.h"
#include "laws.h"
#include "model/model_internal.h"
#include "motions.h"
#include "support.h"

static const rbv_kernel *kernel_of(int width) {
  const rbv_kernel *k = rbv_kernel_choose(width);
  return k->width == width ? k : NULL;
}

/* every width of this processor: value and slope at all sizes, signs, zeros, infinities */
static void test_friction_law(void **state) {
  (void)state;
  for (int width = 1; width <= 8; width *= 2) {
    const rbv_kernel *k = kernel_of(width);
    if (!k) continue;
    for (int i = 0; i < 20000; i += width) {
      double v[8], value[8], slope[8];
      for (int l = 0; l < width; l++) {
        const double size = pow(10, 24 * rbv_random_uniform(1, 0, (uint64_t)(i + l)) - 12);
        v[l] = (i + l) % 2 ? size : -size;
      }
      k->friction(value, slope, v, (rbv_smoothing){.gamma = 150}, 1);
      for (int l = 0; l < width; l++) {
        const double x = 150 * v[l];
        assert_near(value[l], 2 / M_PI * atan(x), 0, 6e-16);
        assert_near(slope[l], 2 / M_PI * 150 / (1 + x * x), 0, 6e-16);
      }
      // three roundings more in the slope
      k->friction(value, slope, v, (rbv_smoothing){.speed = 0.02}, 1);
      for (int l = 0; l < width; l++) {
        double want;
        assert_near(value[l], rbv_law_sign(&want, v[l], (rbv_smoothing){.speed = 0.02}), 0, 9e-16);
        assert_near(slope[l], want, 0, 2e-15);
        assert_near(value[l], v[l] / hypot(v[l], 0.02), 0, 9e-16);
      }
    }
    const double edge[] = {0, INFINITY, -INFINITY, -0.0, NAN, 0.66 / 150, 1 / 150.0, 0.016};
    for (int e = 0; e < 8; e++) {
      double v[8], value[8];
      for (int l = 0; l < width; l++) v[l] = edge[e];
      k->friction(value, NULL, v, (rbv_smoothing){.gamma = 150}, 1);
      if (isnan(edge[e]))
        assert_true(isnan(value[0]));
      else
        assert_near(value[0], 2 / M_PI * atan(150 * edge[e]), 0, 6e-16);
    }
  }
}

/* each lane agrees with rbv_dynamics with the same parameters */
static void compare_model(rbv_model *m, bool payload, int count) {
  const int n = rbv_model_joint_count(m), ncol = rbv_model_column_count(m);
  rbv_lanes *lanes;
  rbv_dynamics *d;
  assert_ok(rbv_lanes_new(&lanes, m, count, 120));
  assert_ok(rbv_dynamics_new(&d, m));
  const int w = rbv_lanes_width(lanes);
  double *chi = calloc((size_t)(w * ncol), sizeof *chi);
  double q[64], dq[64], tau[64], ddq[64], again[64];
  bool regular[LANES_WIDTH];
  for (int l = 0; l < w; l++) {
    random_columns(chi + l * ncol, m, (uint64_t)l + 1);
    // heavy rotors, lighter at the wrist: positive definite for any links
    for (int c = 0; c < ncol; c++) {
      const rbv_column *column = rbv_model_column(m, c);
      if (rbv_column_has_law(column, "Ia")) chi[l * ncol + c] = 120 - 10 * column->joint;
    }
    limit_load_friction(chi + l * ncol, m);
    assert_ok(rbv_lanes_set(lanes, l, chi + l * ncol, payload));
  }
  for (int i = 0; i < n * w; i++) {
    q[i] = rbv_random_normal(3, 0, (uint64_t)i);
    dq[i] = 0.1 * rbv_random_normal(3, 1, (uint64_t)i);
    tau[i] = rbv_random_normal(3, 2, (uint64_t)i);
  }
  rbv_lanes_forward(ddq, regular, lanes, q, dq, tau);
  rbv_lanes_linearise(again, regular, lanes, q, dq, tau, 1e-4);
  for (int l = 0; l < w; l++) {
    double x[3][8], want[8];
    bool good;
    for (int j = 0; j < n; j++) {
      x[0][j] = q[j * w + l];
      x[1][j] = dq[j * w + l];
      x[2][j] = tau[j * w + l];
    }
    assert_ok(rbv_dynamics_set(d, chi + l * ncol, payload));
    // states of laws start at zero
    const double zero[16] = {0};
    assert_true(m->nstate <= 16);
    const rbv_states at = {.count = 1, .ld = 1, .q = x[0], .dq = x[1], .state = zero};
    rbv_dynamics_forward_batch(want, 1, &good, d, &at, x[2], 1);
    assert_true(good && regular[l]);
    for (int j = 0; j < n; j++) {
      assert_near(ddq[j * w + l], want[j], 1e-14, 1e-11);
      assert_near(again[j * w + l], ddq[j * w + l], 0, 0);
    }
  }
  free(chi);
  rbv_dynamics_free(d);
  rbv_lanes_free(lanes);
  rbv_model_free(m);
}

static void compare(const char *robot, bool payload, int count) {
  rbv_model_options o = rbv_model_defaults();
  o.gamma = 120;
  o.payload = payload;
  rbv_model *m;
  assert_ok(rbv_model_load(&m, robot, &o));
  compare_model(m, payload, count);
}

static void test_lanes_are_robots(void **state) {
  (void)state;
  for (int count = 1; count <= 8; count *= 2) {
    compare("tx40", false, count);
    compare("lwr4+", true, count);
    compare("ns16", false, count);
    compare_model(robot_with_every_law(120), false, count);
  }
}

/* the operator of one joint with one law of the table: m x / (m + c d) with the implicit slope */
static void test_implicit_operator_of_every_law(void **state) {
  (void)state;
  rbv_model *m = robot_with_every_law(90);
  rbv_lanes *lanes;
  assert_ok(rbv_lanes_new(&lanes, m, 1, 90));
  for (int i = 0; i < rbv_law_count(); i++) {
    const rbv_law *law = rbv_law_at(i);
    double chi[128] = {0}, shape[LAW_SHAPES];
    assert_true(rbv_model_column_count(m) <= (int)(sizeof chi / sizeof *chi));
    char name[16];
    snprintf(name, sizeof name, "%s1", law->name);
    // both joints need inertia; joint 1 is compared
    chi[rbv_model_find(m, "Ia1")] = 2;
    chi[rbv_model_find(m, "Ia2")] = 3;
    if (law->motion != RBV_LAW_ACCELERATION) chi[rbv_model_find(m, name)] = 5;
    assert_ok(rbv_lanes_set(lanes, 0, chi, false));
    for (int k = 0; k < rbv_law_shape_count(law); k++)
      shape[k] = rbv_model_shape(m, 0, law->shape[k].name);
    const double q[2] = {0.3, 0}, v[2] = {0.02, 0}, tau[2] = {1, 0}, c = 1e-3;
    double ddq[2], x[2] = {7, 0};
    bool regular;
    rbv_lanes_linearise(ddq, &regular, lanes, q, v, tau, c);
    rbv_lanes_apply(x, lanes);
    const double zero = 0;  // no links, no load; the states start at zero
    const double motion = law->motion == RBV_LAW_POSITION ? q[0] : v[0];
    rbv_law_input at = {.motion = motion, .state = &zero, .shape = shape};
    at.sign = rbv_law_sign(&at.sign_slope, v[0], (rbv_smoothing){.gamma = 90});
    // springs have no deflection here
    const bool acts = law->motion != RBV_LAW_ACCELERATION && !law->spring;
    const double value = acts ? 5 * law->value(1, &at) : 0;
    const double slope = acts ? 5 * law->implicit(&at) : 0;
    assert_near(ddq[0], (tau[0] - value) / 2, 0, 1e-14);
    assert_near(x[0], 2 * 7 / (2 + c * slope), 0, 1e-14);
  }
  rbv_lanes_free(lanes);
  rbv_model_free(m);
}

/* the operator of one joint: m x / (m + c d), with the slope of all its friction */
static void test_implicit_operator(void **state) {
  (void)state;
  static const char text[] =
      "joints:\n"
      "  - {mdh: {alpha: 0, d: 0, theta: 0, r: 0}, drive: [Ia, Fv, Fc, Fsq, Fcu]}\n"
      "friction: {stribeck: 0.02}\n";
  rbv_model *m;
  rbv_lanes *lanes;
  assert_ok(rbv_model_parse(&m, "one", text, sizeof text - 1, NULL));
  assert_ok(rbv_lanes_new(&lanes, m, 1, 150));
  double chi[32] = {0};
  const char *const names[] = {"Ia1", "Fv1", "Fc1", "Fsq1", "Fcu1", "Fs1"};
  for (int i = 0; i < RBV_COUNT(names); i++) chi[rbv_model_find(m, names[i])] = i + 2;
  assert_ok(rbv_lanes_set(lanes, 0, chi, false));
  rbv_lanes_set_friction(lanes, 0.5);
  const double q = 0, v = 0.01, tau = 1, c = 1e-3;
  double ddq, x = 7;
  bool regular;
  rbv_lanes_linearise(&ddq, &regular, lanes, &q, &v, &tau, c);
  // the operator has the steep part of the Stribeck law
  const double coulomb = 4 + 7 * exp(-0.25);
  const double friction = 3 * v + coulomb * 2 / M_PI * atan(1.5) + 5 * v * v + 6 * v * v * v;
  const double slope = 3 + coulomb * 2 / M_PI * 150 / (1 + 1.5 * 1.5) + 5 * 2 * v + 6 * 3 * v * v;
  assert_near(ddq, (tau - 0.5 * friction) / 2, 0, 1e-15);
  rbv_lanes_apply(&x, lanes);
  assert_near(x, 2 * 7 / (2 + c * 0.5 * slope), 0, 1e-14);
  rbv_lanes_free(lanes);
  rbv_model_free(m);
}

static void test_refusals(void **state) {
  (void)state;
  static const char text[] =
      "joints:\n"
      "  - {mdh: {alpha: 0, d: 0, theta: 0, r: 0}}\n"
      "columns: [{name: odd, unit: N m, joint: 1, expression: ddq1^2}]\n";
  rbv_model *m;
  rbv_lanes *lanes;
  assert_ok(rbv_model_parse(&m, "one", text, sizeof text - 1, NULL));
  assert_refused(rbv_lanes_new(&lanes, m, 1, -1), RBV_EARG, "gamma");
  assert_ok(rbv_lanes_new(&lanes, m, 1, 150));
  double chi[32] = {0};
  assert_ok(rbv_lanes_set(lanes, 0, chi, false));
  chi[rbv_model_find(m, "odd")] = 1;
  assert_refused(rbv_lanes_set(lanes, 0, chi, false), RBV_EUNSUPPORTED, "column 'odd' has ddq");
  chi[0] = NAN;
  assert_refused(rbv_lanes_set(lanes, 0, chi, false), RBV_EARG, "XX1");
  rbv_lanes_free(lanes);
  rbv_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_friction_law),
      cmocka_unit_test(test_lanes_are_robots),
      cmocka_unit_test(test_implicit_operator),
      cmocka_unit_test(test_implicit_operator_of_every_law),
      cmocka_unit_test(test_refusals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
