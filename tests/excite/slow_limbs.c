/* Twenty designs for two arms on a waist at steps of 0.1 ms; both arms at once against one after
 * the other. */
#include <string.h>

#include "limbs.h"

static void test_twenty_designs(void **state) {
  (void)state;
  two_arms r;
  two_arms_new(&r, 3);
  for (uint64_t seed = 1; seed <= 20; seed++) {
    rbv_trajectory *t;
    design_limbs(&t, &r, 1, seed);
    assert_keeps(r.m, &r.c, t, 1e-4);
    rbv_trajectory_free(t);
  }
  rbv_model_free(r.m);
}

/* the motion of one arm as one of both: the other arm hangs */
static rbv_trajectory *of_both(const two_arms *r, const two_arms *limb, const rbv_trajectory *t,
                               int first) {
  const rbv_trajectory_shape s = limbs_shape(r);
  const int terms = rbv_trajectory_coefficient_count(t) / rbv_model_joint_count(limb->m);
  double x[JOINTS_MAX * 32] = {0};
  const double *from = rbv_trajectory_get(t);
  memcpy(x, from, (size_t)terms * sizeof *x);
  memcpy(x + first * terms, from + terms, (size_t)(3 * terms) * sizeof *x);
  rbv_trajectory *out;
  assert_ok(rbv_trajectory_new(&out, &s, x));
  return out;
}

/* two motions of both arms tell at least as much as one motion of each arm: the logarithm of the
 * determinant, from searches of equal length */
static void compare_designs(uint64_t seed) {
  two_arms both, limb[2];
  rbv_trajectory *together[2], *one[2], *turn[2];
  two_arms_new(&both, 3);
  for (int side = 0; side < 2; side++) {
    two_arms_new(&limb[side], 1 + side);
    design_limbs(&one[side], &limb[side], 1, seed);
    turn[side] = of_both(&both, &limb[side], one[side], 1 + 3 * side);
    assert_keeps(both.m, &both.c, turn[side], 1e-3);
  }
  design_limbs(together, &both, 2, seed);
  rbv_excite_options o = rbv_excite_defaults();
  rbv_excite *e;
  assert_ok(rbv_excite_new(&e, both.m, &o));
  double value[2], gradient[4 * JOINTS_MAX * 32];
  assert_ok(rbv_excite_gradient(&value[0], gradient, e, together, 2, 200));
  assert_ok(rbv_excite_gradient(&value[1], gradient, e, turn, 2, 200));
  print_message("both at once %.1f, one after the other %.1f\n", value[0], value[1]);
  assert_true(value[0] <= value[1]);
  rbv_excite_free(e);
  for (int side = 0; side < 2; side++) {
    rbv_trajectory_free(one[side]);
    rbv_trajectory_free(turn[side]);
    rbv_trajectory_free(together[side]);
    rbv_model_free(limb[side].m);
  }
  rbv_model_free(both.m);
}

static void test_both_at_once(void **state) {
  (void)state;
  // even numbers: the search with gradients
  for (uint64_t seed = 2; seed <= 6; seed += 2) compare_designs(seed);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_twenty_designs),
                                     cmocka_unit_test(test_both_at_once)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
