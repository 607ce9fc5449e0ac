/* Coupled drives of simulated arms, few of them; slow_coupling.c has many. */
#include "coupled.h"

static void test_none_is_invented(void **state) {
  (void)state;
  assert_int_equal(false_couplings(4, 1), 0);
}

static void test_couplings_are_named(void **state) {
  (void)state;
  int wrong;
  double worst;
  assert_int_equal(found_couplings(&wrong, &worst, 4, 5001), 4);
  assert_int_equal(wrong, 0);
  // ratios 1, -1, 0.5, -0.5 are proposed as they are
  assert_true(worst == 0);
}

/* a wrist with two couplings: both are in the entry that each finding proposes */
static void test_two_couplings(void **state) {
  (void)state;
  const coupling c[] = {{4, 3, 1}, {5, 4, -1}};
  rbv_check_result *r;
  rbv_model *m = check_arm(&r, c, 2, 5);
  int count = 0;
  for (int i = 0; i < r->nfinding; i++)
    if (r->finding[i].code == RBV_FINDING_COUPLING) {
      count++;
      assert_non_null(strstr(r->finding[i].sentence, "{motor: 5, joint: 4, ratio: 1}"));
      assert_non_null(strstr(r->finding[i].sentence, "{motor: 6, joint: 5, ratio: -1}"));
    }
  assert_int_equal(count, 2);
  rbv_check_free(r);
  rbv_model_free(m);
}

/* a motion of the elbow arm with the torques of its file */
static rbv_motion *make_motion(const rbv_model *m, ptrdiff_t n) {
  dice d = {9, 1, 0};
  path p = {.stop = INFINITY};
  const size_t block = (size_t)n * JOINTS;
  double *x = malloc(4 * block * sizeof *x);
  double *dq = x + block, *ddq = dq + block, *tau = ddq + block, q[JOINTS], v[JOINTS], a[JOINTS];
  plan_sines(&p, m, &d, 0.15, 1);
  for (ptrdiff_t k = 0; k < n; k++) {
    eval_path(q, v, a, &p, (double)k / 100);
    for (int j = 0; j < JOINTS; j++) {
      x[k + j * n] = q[j];
      dq[k + j * n] = v[j];
      ddq[k + j * n] = a[j];
    }
  }
  rbv_dynamics *dynamics;
  const rbv_states states = {.count = n, .ld = n, .q = x, .dq = dq, .ddq = ddq};
  assert_ok(rbv_dynamics_new(&dynamics, m));
  assert_ok(rbv_dynamics_set(dynamics, rbv_model_parameters(m), false));
  rbv_dynamics_inverse_batch(tau, n, dynamics, &states);
  rbv_dynamics_free(dynamics);
  rbv_motion *motion;
  assert_ok(rbv_motion_from_arrays(
      &motion,
      &(rbv_motion_info){
          .name = "sines", .njoint = JOINTS, .ntorque = JOINTS, .count = n, .rate_hz = 100},
      &(rbv_samples){.ld = n, .q = x, .dq = dq, .ddq = ddq, .torque = tau}));
  free(x);
  return motion;
}

typedef struct {
  rbv_model *m;
  rbv_motion *motion;
} subject;

static rbv_status find_in_motion(void *state) {
  subject *s = state;
  rbv_coupling found[JOINTS];
  int count;
  const rbv_status status = rbv_find_couplings(found, &count, s->m, &s->motion, 1);
  assert_int_equal(count, 0);
  return status;
}

static void test_each_allocation_may_fail(void **state) {
  (void)state;
  subject s = {.m = build_urdf("elbow", elbow, NULL)};
  s.motion = make_motion(s.m, 500);
  fail_each_allocation(find_in_motion, &s);
  int count;
  assert_refused(rbv_find_couplings(NULL, &count, s.m, &s.motion, 1), RBV_EARG,
                 "a place for the couplings");
  rbv_motion_free(s.motion);
  rbv_model_free(s.m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_none_is_invented),
      cmocka_unit_test(test_couplings_are_named),
      cmocka_unit_test(test_two_couplings),
      cmocka_unit_test(test_each_allocation_may_fail),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
