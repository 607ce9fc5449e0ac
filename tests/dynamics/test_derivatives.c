/* Derivatives of inverse and forward dynamics against differences of eighth order. */
#include <math.h>
#include <roberval/sys/dynamics.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/support.h"
#include "laws.h"
#include "motions.h"
#include "robots.h"

#define STATES 11  // more than one vector of any width, and an incomplete one
#define MOST 8     // joints

typedef void function(double *out, rbv_dynamics *d, double *const x[3]);

static void torque(double *out, rbv_dynamics *d, double *const x[3]) {
  rbv_dynamics_inverse(out, d, x[0], x[1], x[2]);
}

/* the third argument is the torque */
static void acceleration(double *out, rbv_dynamics *d, double *const x[3]) {
  bool regular;
  rbv_dynamics_forward(out, &regular, d, x[0], x[1], x[2]);
  assert_true(regular);
}

/* signs of the loads of the gears as bits: friction in proportion to the load has an edge at 0 */
static unsigned load_signs(rbv_dynamics *d, function *f, double *const x[3], int n) {
  double ddq[MOST], load[MOST];
  if (f == acceleration) acceleration(ddq, d, x);
  const rbv_states s = {
      .count = 1, .ld = 1, .q = x[0], .dq = x[1], .ddq = f == acceleration ? ddq : x[2]};
  unsigned signs = 0;
  rbv_dynamics_load_batch(load, 1, d, &s);
  for (int j = 0; j < n; j++) signs |= (unsigned)(load[j] < 0) << j;
  return signs;
}

/* derivative of f by element j of argument i: truncation h^8, rounding 2 eps / h; false: a load
 * changes its sign between the points */
static bool differentiate(double *out, function *f, rbv_dynamics *d, double *const x[3], int i,
                          int j, int n) {
  static const double weight[] = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
  const double keep = x[i][j], h = 0.01;
  const unsigned signs = load_signs(d, f, x, n);
  bool smooth = true;
  for (int r = 0; r < n; r++) out[r] = 0;
  for (int k = 1; k <= 4; k++)
    for (int side = -1; side <= 1; side += 2) {
      double value[MOST];
      x[i][j] = keep + side * k * h;
      f(value, d, x);
      smooth = smooth && load_signs(d, f, x, n) == signs;
      for (int r = 0; r < n; r++) out[r] += side * weight[k - 1] * value[r] / h;
    }
  x[i][j] = keep;
  return smooth;
}

static int compared[2];  // derivatives that were compared, and all

static void compare(function *f, rbv_dynamics *d, double *const x[3], const double *by[3], int n,
                    double tolerance, bool loads) {
  double size = 0;
  for (int i = 0; i < 3; i++)
    for (int e = 0; e < n * n; e++) size = fmax(size, fabs(by[i][e]));
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < n; j++) {
      double expected[MOST];
      compared[1]++;
      if (!differentiate(expected, f, d, x, i, j, n) && loads) continue;
      compared[0]++;
      for (int r = 0; r < n; r++)
        assert_near(by[i][r + j * n], expected[r], tolerance * size, tolerance);
    }
}

/* speeds away from zero, where the laws have a step, and from the knees of the square friction, 1
 * and 1.5: there the second derivative has a step */
static double random_state(int i, int k) {
  double x = rbv_random_normal(7, (uint64_t)i, (uint64_t)k);
  if (i != 1) return x;
  x += copysign(0.3, x);
  for (int knee = 2; knee <= 3; knee++)
    if (fabs(fabs(x) - 0.5 * knee) < 0.05) x += copysign(0.1, x);
  return x;
}

static void check_robot(rbv_model *m, const double *chi, bool loaded, double tolerance) {
  const int n = rbv_model_joint_count(m);
  rbv_dynamics *d;
  assert_ok(rbv_dynamics_new(&d, m));
  assert_ok(rbv_dynamics_set(d, chi, loaded));
  const bool loads = has_load_friction(m, chi);
  double *batch[3], *sample[3];
  for (int i = 0; i < 3; i++) {
    sample[i] = malloc((size_t)(n * STATES) * sizeof *sample[i]);
    batch[i] = malloc((size_t)(n * n * STATES) * sizeof *batch[i]);
    for (int k = 0; k < n * STATES; k++) sample[i][k] = random_state(i, k);
  }
  const rbv_states s = {
      .count = STATES, .ld = STATES, .q = sample[0], .dq = sample[1], .ddq = sample[2]};
  rbv_dynamics_derivatives_batch(batch[0], batch[1], batch[2], STATES, d, &s);
  for (int k = 0; k < STATES; k++) {
    double x[3][MOST], by[3][MOST * MOST], wide[3][MOST * MOST], M[MOST * MOST];
    for (int i = 0; i < 3; i++) {
      for (int j = 0; j < n; j++) x[i][j] = sample[i][k + j * STATES];
      for (int e = 0; e < n * n; e++) wide[i][e] = batch[i][k + e * STATES];
    }
    double *const at[3] = {x[0], x[1], x[2]};
    rbv_dynamics_derivatives(by[0], by[1], by[2], d, x[0], x[1], x[2]);
    compare(torque, d, at, (const double *[]){by[0], by[1], by[2]}, n, tolerance, loads);
    compare(torque, d, at, (const double *[]){wide[0], wide[1], wide[2]}, n, tolerance, loads);
    rbv_dynamics_mass(M, d, x[0]);
    // friction of loaded gears is no part of the mass matrix
    for (int e = 0; e < n * n && !loads; e++)
      assert_near(by[2][e], M[e], 1e-13 * fabs(M[0]), 1e-12);
    // a part alone
    double alone[MOST * MOST];
    rbv_dynamics_derivatives(NULL, alone, NULL, d, x[0], x[1], x[2]);
    assert_memory_equal(alone, by[1], (size_t)(n * n) * sizeof *alone);
  }
  for (int i = 0; i < 3; i++) free(batch[i]), free(sample[i]);
  rbv_dynamics_free(d);
}

static void test_built_in_robots(void **state) {
  (void)state;
  for (int i = 0; rbv_model_builtin(i); i++) {
    rbv_model *m = load_robot(rbv_model_builtin(i), -1, false);
    double chi[COLUMN_MAX];
    for (int c = 0; c < rbv_model_column_count(m); c++)
      chi[c] = rbv_random_normal(8, 0, (uint64_t)c);
    check_robot(m, chi, false, 1e-10);
    rbv_model_free(m);
  }
}

/* both joint types, oblique axes, couplings, a payload */
static void test_unusual_robots(void **state) {
  (void)state;
  static const char *const text[] = {mixed, hinges, sensed};
  for (int i = 0; i < 3; i++) {
    rbv_model *m;
    assert_ok(rbv_model_parse(&m, "robot", text[i], strlen(text[i]), NULL));
    double chi[COLUMN_MAX];
    for (int c = 0; c < rbv_model_column_count(m); c++)
      chi[c] = rbv_random_normal(9, 0, (uint64_t)c);
    check_robot(m, chi, i == 2, 1e-10);
    rbv_model_free(m);
  }
}

static void test_every_law(void **state) {
  (void)state;
  rbv_model *m = robot_with_every_law(3);
  double chi[COLUMN_MAX];
  for (int c = 0; c < rbv_model_column_count(m); c++)
    chi[c] = rbv_random_normal(10, 0, (uint64_t)c);
  check_robot(m, chi, false, 1e-9);
  rbv_model_free(m);
}

static void check_forward(rbv_model *m, const double *chi) {
  const int n = rbv_model_joint_count(m);
  rbv_dynamics *d;
  assert_ok(rbv_dynamics_new(&d, m));
  assert_ok(rbv_dynamics_set(d, chi, false));
  for (int k = 0; k < STATES; k++) {
    double x[3][MOST], by[3][MOST * MOST], ddq[MOST], same[MOST];
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < n; j++) x[i][j] = random_state(i, k * n + j);
    double *const at[3] = {x[0], x[1], x[2]};
    bool regular;
    rbv_dynamics_forward_derivatives(by[0], by[1], by[2], ddq, &regular, d, x[0], x[1], x[2]);
    assert_true(regular);
    acceleration(same, d, at);
    assert_memory_equal(ddq, same, (size_t)n * sizeof *ddq);
    compare(acceleration, d, at, (const double *[]){by[0], by[1], by[2]}, n, 1e-9,
            has_load_friction(m, chi));
  }
  rbv_dynamics_free(d);
  rbv_model_free(m);
}

/* forward dynamics of a robot with its own parameters, and with every law */
static void test_forward(void **state) {
  (void)state;
  rbv_model *m = load_robot("tx40", -1, false);
  check_forward(m, rbv_model_parameters(m));

  m = robot_with_every_law(3);
  double chi[COLUMN_MAX];
  for (int c = 0; c < rbv_model_column_count(m); c++) {
    const rbv_column *column = rbv_model_column(m, c);
    // bodies with mass and inertia, rotors, friction of a part of the load
    chi[c] = 0.3 * rbv_random_normal(11, 0, (uint64_t)c);
    if (column->basis == RBV_BASIS_INERTIAL && column->component == 9) chi[c] = 3;
    if (rbv_column_has_law(column, "Ia")) chi[c] = 5;
  }
  limit_load_friction(chi, m);
  check_forward(m, chi);
  // few points are near the edge
  assert_true(compared[0] > 0.9 * compared[1]);
}

#define LONG 139  // several pieces of 64, the last one with an incomplete vector

/* samples of a long batch are those of batches of one, and a part alone is the same */
static void test_long_batches(void **state) {
  (void)state;
  rbv_model *m = robot_with_every_law(3);
  rbv_dynamics *d;
  const int n = rbv_model_joint_count(m);
  const ptrdiff_t part = (ptrdiff_t)n * n * LONG;
  double chi[COLUMN_MAX], *x = malloc(3 * (size_t)(n * LONG) * sizeof *x);
  double *by = malloc(4 * (size_t)part * sizeof *by), *alone = by + 3 * part;
  for (int c = 0; c < rbv_model_column_count(m); c++)
    chi[c] = rbv_random_normal(12, 0, (uint64_t)c);
  for (int k = 0; k < 3 * n * LONG; k++) x[k] = random_state(k / (n * LONG), k);
  assert_ok(rbv_dynamics_new(&d, m));
  assert_ok(rbv_dynamics_set(d, chi, false));
  rbv_states s = {.count = LONG, .ld = LONG, .q = x, .dq = x + n * LONG, .ddq = x + 2 * n * LONG};
  rbv_dynamics_derivatives_batch(by, by + part, by + 2 * part, LONG, d, &s);
  for (int i = 0; i < 3; i++) {
    double *const wanted[3] = {i == 0 ? alone : NULL, i == 1 ? alone : NULL, i == 2 ? alone : NULL};
    rbv_dynamics_derivatives_batch(wanted[0], wanted[1], wanted[2], LONG, d, &s);
    assert_memory_equal(alone, by + i * part, (size_t)part * sizeof *by);
  }
  s.count = 1;
  for (int k = 0; k < LONG; k++, s.q++, s.dq++, s.ddq++) {
    double one[3][MOST * MOST];
    rbv_dynamics_derivatives_batch(one[0], one[1], one[2], 1, d, &s);
    for (int i = 0; i < 3; i++)
      for (int e = 0; e < n * n; e++)
        assert_true(one[i][e] == by[i * part + k + (ptrdiff_t)e * LONG]);
  }
  rbv_dynamics_free(d);
  rbv_model_free(m);
  free(x);
  free(by);
}

/* slopes of smoothed signs, which the vectors compute, are those of the law */
static void check_signs(const rbv_model *m) {
  rbv_dynamics *d;
  const int n = rbv_model_joint_count(m);
  double chi[COLUMN_MAX] = {0}, *x = malloc((size_t)(n * LONG) * sizeof *x);
  double *by = malloc((size_t)(n * n * LONG) * sizeof *by);
  for (int j = 0; j < n; j++) {
    char name[16];
    snprintf(name, sizeof name, "Fc%d", j + 1);
    chi[rbv_model_find(m, name)] = j + 1;
  }
  for (int k = 0; k < n * LONG; k++) x[k] = 0.05 * rbv_random_normal(13, 0, (uint64_t)k);
  assert_ok(rbv_dynamics_new(&d, m));
  assert_ok(rbv_dynamics_set(d, chi, false));
  const rbv_states s = {.count = LONG, .ld = LONG, .q = x, .dq = x, .ddq = x};
  rbv_dynamics_derivatives_batch(NULL, by, NULL, LONG, d, &s);
  for (int e = 0; e < n * n; e++)
    for (int k = 0; k < LONG; k++) {
      const int i = e % n;
      double slope = 0;
      if (i == e / n) (void)rbv_law_sign(&slope, x[k + i * LONG], rbv_model_smoothing(m, i));
      assert_near(by[k + e * LONG], (i + 1) * slope, 0, 1e-14);
    }
  rbv_dynamics_free(d);
  free(x);
  free(by);
}

static void test_smoothed_signs(void **state) {
  (void)state;
  for (int kind = 0; kind < 2; kind++) {
    rbv_model_options o = rbv_model_defaults();
    o.gamma = kind == 0 ? 150 : 0;
    rbv_model *m;
    assert_ok(rbv_model_load(&m, "ns16", &o));
    double speed[64];
    for (int j = 0; j < rbv_model_joint_count(m); j++) speed[j] = 0.01 * (j + 1);
    assert_ok(rbv_model_smooth(&m, speed));
    assert_true(rbv_model_smoothing(m, 0).gamma == o.gamma);
    check_signs(m);
    rbv_model_free(m);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_built_in_robots), cmocka_unit_test(test_unusual_robots),
      cmocka_unit_test(test_every_law),       cmocka_unit_test(test_forward),
      cmocka_unit_test(test_long_batches),    cmocka_unit_test(test_smoothed_signs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
