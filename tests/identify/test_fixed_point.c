/* Acceleration of fixed-point iterations. */
#include <math.h>

#include "identify/fixed_point.h"
#include "support.h"

#define N 3

static const double unit[N * N] = {1, 0, 0, 0, 1, 0, 0, 0, 1};

/* 0.9, 0.5, 0.2 times the distance from (1, 2, 3), in directions that are not the axes */
static void contract(double *x) {
  static const double rate[N] = {0.9, 0.5, 0.2}, solution[N] = {1, 2, 3};
  static const double direction[N][N] = {{0.6, 0.8, 0}, {-0.8, 0.6, 0}, {0, 0, 1}};
  double next[N];
  for (int i = 0; i < N; i++) next[i] = solution[i];
  for (int d = 0; d < N; d++) {
    double along = 0;
    for (int i = 0; i < N; i++) along += direction[d][i] * (x[i] - solution[i]);
    for (int i = 0; i < N; i++) next[i] += rate[d] * along * direction[d][i];
  }
  for (int i = 0; i < N; i++) x[i] = next[i];
}

/* A linear iteration with three rates is solved after three differences of steps: five
 * evaluations. */
static void test_linear_iteration_ends(void **state) {
  (void)state;
  fixed_point *p;
  double x[N] = {0, 0, 0}, step = 0;
  assert_ok(rbv_fixed_point_new(&p, N));
  for (int k = 0; k < 6; k++) {
    double from[N];
    assert_ok(rbv_fixed_point_next(x, p, unit, N));
    for (int i = 0; i < N; i++) from[i] = x[i];
    contract(x);
    step = 0;
    for (int i = 0; i < N; i++) step = fmax(step, fabs(x[i] - from[i]));
  }
  // 1 / (1 - 0.9) times rounding of numbers near 3 and of a least squares problem
  assert_near(step, 0, 1e-12, 0);
  for (int i = 0; i < N; i++) assert_near(x[i], i + 1, 1e-11, 0);
  rbv_fixed_point_free(p);
}

/* The first two points are those of the plain iteration. */
static void test_starts_plain(void **state) {
  (void)state;
  fixed_point *p;
  double x[N] = {0, 0, 0}, plain[N] = {0, 0, 0};
  assert_ok(rbv_fixed_point_new(&p, N));
  for (int k = 0; k < 2; k++) {
    assert_ok(rbv_fixed_point_next(x, p, unit, N));
    for (int i = 0; i < N; i++) assert_true(x[i] == plain[i]);
    contract(x);
    contract(plain);
  }
  rbv_fixed_point_free(p);
}

/* Steps that grow are not extrapolated. */
static void test_growing_steps_are_plain(void **state) {
  (void)state;
  fixed_point *p;
  double x[1] = {1};
  const double one = 1;
  assert_ok(rbv_fixed_point_new(&p, 1));
  for (int k = 0; k < 5; k++) {
    const double given = x[0];
    assert_ok(rbv_fixed_point_next(x, p, &one, 1));
    assert_true(x[0] == given);
    x[0] = 3 * x[0];
  }
  rbv_fixed_point_free(p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_linear_iteration_ends),
      cmocka_unit_test(test_starts_plain),
      cmocka_unit_test(test_growing_steps_are_plain),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
