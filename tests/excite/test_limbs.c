/* Designs for two arms on a waist: the arms keep apart, and every hand keeps its speed. */
#include "limbs.h"

static void test_arms_keep_apart(void **state) {
  (void)state;
  two_arms r;
  two_arms_new(&r, 3);
  for (uint64_t seed = 1; seed <= 2; seed++) {
    rbv_trajectory *t;
    design_limbs(&t, &r, 1, seed);
    assert_keeps(r.m, &r.c, t, 1e-3);
    rbv_trajectory_free(t);
  }
  rbv_model_free(r.m);
}

/* arms that reach forward and turn inwards meet: the check sees it, and a pose beside it is free */
static void test_arms_that_meet_are_refused(void **state) {
  (void)state;
  two_arms r;
  two_arms_new(&r, 3);
  const double meets[JOINTS_MAX] = {0, -0.6, 0, 0, 0.6, 0, 0};
  double center[JOINTS_MAX];
  r.c.center = meets;
  assert_refused(rbv_constraints_center(center, r.m, &r.c), RBV_EINPUT, "self-collision of links");
  const double apart[JOINTS_MAX] = {0, 0.6, 0, 0, -0.6, 0, 0};
  r.c.center = apart;
  assert_ok(rbv_constraints_center(center, r.m, &r.c));
  rbv_model_free(r.m);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_arms_keep_apart),
                                     cmocka_unit_test(test_arms_that_meet_are_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
