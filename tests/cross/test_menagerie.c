/* Commercial arms: the URDF compared with the MJCF of the same arm in MuJoCo. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <roberval/sys/dynamics.h>

#include "oracle.h"

#define N 7

static void compare(const char *name, double bound) {
  char relative[64];
  rbv_model *m;
  rbv_dynamics *d;
  rbv_model_options options = rbv_model_defaults();
  options.snap = false;
  snprintf(relative, sizeof relative, "models/%s.urdf", name);
  assert_ok(rbv_model_load(&m, recording(relative), &options));
  assert_ok(rbv_dynamics_new(&d, m));
  assert_ok(rbv_dynamics_set(d, rbv_model_parameters(m), false));
  snprintf(relative, sizeof relative, "models/%s_meshless.xml", name);
  oracle o = oracle_load(recording(relative));
  const int n = rbv_model_joint_count(m);
  assert_true(n <= N);
  assert_int_equal(o.m->nv, n);
  for (int j = 0; j < n; j++)
    assert_string_equal(rbv_model_joint(m, j)->name, mj_id2name(o.m, mjOBJ_JOINT, j));

  for (uint64_t k = 0; k < 200; k++) {
    double q[N], dq[N], ddq[N], tau[N], want[N], M[N * N], W[N * N];
    for (int j = 0; j < n; j++) {
      const uint64_t at = k * N + (uint64_t)j;
      q[j] = 6 * rbv_random_uniform(1, 0, at) - 3;
      dq[j] = 4 * rbv_random_uniform(1, 1, at) - 2;
      ddq[j] = 10 * rbv_random_uniform(1, 2, at) - 5;
    }
    oracle_inverse(want, &o, q, dq, ddq);
    rbv_dynamics_inverse(tau, d, q, dq, ddq);
    assert_agrees(tau, want, n, bound);
    oracle_forward(want, W, &o, q, dq, tau);
    rbv_dynamics_mass(M, d, q);
    assert_agrees(M, W, n * n, bound);
    bool regular = false;
    rbv_dynamics_forward(tau, &regular, d, q, dq, tau);
    assert_true(regular);
    assert_agrees(tau, want, n, bound);
  }
  oracle_free(&o);
  rbv_dynamics_free(d);
  rbv_model_free(m);
}

static void test_panda(void **state) {
  (void)state;
  // full inertias: MuJoCo's iteration for principal axes stops when 1 - cos < 1e-12, at 1.4e-6 rad
  compare("panda_nohand", 1.4e-6);
}

static void test_ur10e(void **state) {
  (void)state;
  compare("ur10e", 1e-9);
}

static void test_iiwa14(void **state) {
  (void)state;
  compare("iiwa14", 1e-9);
}

int main(void) {
  (void)recording("models/iiwa14.urdf");  // skip before cmocka begins
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_panda),
      cmocka_unit_test(test_ur10e),
      cmocka_unit_test(test_iiwa14),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
