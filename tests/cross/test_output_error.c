/*
 * Closed-loop output error on a leg that MuJoCo simulates: armature, damping, friction, delay and
 * encoder bias from positions alone, at two sets of gains, and from both recordings together.
 */
#include "mujoco_plant.h"

static experiment leg_experiment(int set, uint64_t seed) {
  static const double k_p[2][3] = {{20, 20, 25}, {40, 45, 50}};
  static const double k_d[2][3] = {{0.8, 0.9, 0.9}, {1.2, 1.3, 1.2}};
  experiment x = {.rate_hz = 500, .seconds = 12, .amplitude = 0.3, .late = 265, .seed = seed};
  x.counts =
      65536;  // 14 bits on the motor behind a gear of 4; with fewer the calf's bias is less certain
  for (int j = 0; j < 3; j++) {
    x.k_p[j] = k_p[set][j];
    x.k_d[j] = k_d[set][j];
    x.bias[j] = 0.012 * (j == 1 ? -1 : 1);
  }
  return x;
}

static void check(const mujoco_robot *r, const experiment *x, const rbv_estimate *e) {
  checked_value v[CHECKED_MOST];
  const int count = mujoco_values(v, r, x, e);
  assert_true(e->converged);
  // three drives with three values each, a delay, three biases
  assert_int_equal(count, 13);
  for (int i = 0; i < count; i++) {
    print_message("%-6s %9.6f +- %.2g, true %9.6f\n", v[i].name, v[i].value, v[i].sigma,
                  v[i].truth);
    assert_near(v[i].value, v[i].truth, v[i].bound, 0);
  }
  // finite differences would need a simulation per unknown and iteration
  print_message("%d simulations, %d iterations\n", e->loop.simulations, e->iterations);
  assert_true(e->loop.simulations <= 2 * e->iterations);
}

static void test_leg(void **state) {
  (void)state;
  mujoco_robot r;
  mujoco_load(&r, leg_yaml, PLANT_STEP);
  mujoco_record record[2];
  experiment x[2];
  checked_value v[2][CHECKED_MOST];
  int count = 0;
  for (int i = 0; i < 2; i++) {
    x[i] = leg_experiment(i, (uint64_t)i + 1);
    mujoco_record_new(&record[i], &r, &x[i]);
    rbv_estimate *e = mujoco_fit(&r, &record[i], 1, 0.5);
    check(&r, &x[i], e);
    count = mujoco_values(v[i], &r, &x[i], e);
    for (int k = 0; k < count; k++) v[i][k].name = NULL;  // names belong to the estimate
    rbv_estimate_free(e);
  }
  // the same answer from either set of gains: 4 sigma of the difference of 13 values
  for (int k = 0; k < count; k++)
    assert_near(v[0][k].value, v[1][k].value, 4 * hypot(v[0][k].sigma, v[1][k].sigma), 0);
  rbv_estimate *e = mujoco_fit(&r, record, 2, 0.5);
  check(&r, &x[0], e);
  rbv_estimate_free(e);
  for (int i = 0; i < 2; i++) mujoco_record_free(&record[i]);
  mujoco_unload(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_leg)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
