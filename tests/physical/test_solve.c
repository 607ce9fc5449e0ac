/* From base to standard parameters. */
#include <roberval/dynamics.h>
#include <roberval/linalg.h>
#include <time.h>

#include "base/support.h"
#include "motions.h"
#include "robots.h"

static void assert_all_consistent(const rbv_model *m, const rbv_standard *s) {
  rbv_consistency *r;
  assert_ok(rbv_consistency_new(&r, m, s->chi));
  for (int j = 0; j < r->nbody; j++) {
    if (r->body[j].fault != RBV_BODY_CONSISTENT)
      fail_msg("body %d: %s, margin %g", j + 1, rbv_body_fault_text(r->body[j].fault),
               r->body[j].margin);
    assert_true(r->body[j].margin > 0);
    assert_true(s->body[j].margin > 0);
  }
  for (int i = 0; i < r->ndrive; i++) assert_true(r->drive[i].consistent);
  assert_int_equal(r->faults, 0);
  rbv_consistency_free(r);
}

/* largest difference of torques of two parameter sets over random states, relative to the largest
 * torque of the joint */
static double torque_difference(const rbv_model *m, const double *a, const double *b, dice *d) {
  const int n = rbv_model_joint_count(m);
  rbv_dynamics *A, *B;
  assert_ok(rbv_dynamics_new(&A, m));
  assert_ok(rbv_dynamics_new(&B, m));
  assert_ok(rbv_dynamics_set(A, a, false));
  assert_ok(rbv_dynamics_set(B, b, false));
  double difference[16] = {0}, size[16] = {0}, worst = 0;
  for (int k = 0; k < 20; k++) {
    double q[16], dq[16], ddq[16], x[16], y[16];
    for (int j = 0; j < n; j++) {
      q[j] = between(d, -3, 3);
      dq[j] = between(d, -2, 2);
      ddq[j] = between(d, -5, 5);
    }
    rbv_dynamics_inverse(x, A, q, dq, ddq);
    rbv_dynamics_inverse(y, B, q, dq, ddq);
    for (int j = 0; j < n; j++) {
      difference[j] = fmax(difference[j], fabs(x[j] - y[j]));
      size[j] = fmax(size[j], fabs(x[j]));
    }
  }
  for (int j = 0; j < n; j++) worst = fmax(worst, difference[j] / size[j]);
  rbv_dynamics_free(A);
  rbv_dynamics_free(B);
  return worst;
}

/* 100 robots whose base parameters are known exactly */
static void test_exact_base_parameters_come_back(void **state) {
  (void)state;
  int most = 0;
  const clock_t begin = clock();
  double worst = 0;
  for (uint64_t seed = 1; seed <= 100; seed++) {
    dice d = {seed, 0};
    rbv_model *m = random_robot(&d, 1 + (int)(seed % 7));
    double *chi = calloc((size_t)rbv_model_column_count(m), sizeof *chi);
    random_parameters(chi, m, &d);
    estimate e;
    estimate_new(&e, m, chi, 1e-4);
    rbv_standard *s;
    assert_ok(rbv_physical_solve(&s, m, &e.input, NULL, NULL));
    assert_true(s->converged);
    assert_all_consistent(m, s);
    double *back = calloc((size_t)e.base->count, sizeof *back);
    rbv_base_values(back, e.base, s->chi);
    for (int k = 0; k < e.base->count; k++) {
      const double size = sqrt(e.covariance[k + k * e.base->count]) / 1e-4;
      assert_near(s->value[k], e.value[k], 1e-8 * size, 0);
      assert_near(back[k], e.value[k], 1e-8 * size, 0);
      worst = fmax(worst, fabs(back[k] - e.value[k]) / size);
    }
    {double td = torque_difference(m, chi, s->chi, &d); if (!(td<1e-8 && s->iterations<80)) printf("seed %d nj %d td %g moved %g chi2 %g it %d\n", (int)seed, rbv_model_joint_count(m), td, s->largest_move, s->chi2, s->iterations);}
    if (s->iterations > most) most = s->iterations;
    free(back);
    rbv_standard_free(s);
    estimate_free(&e);
    free(chi);
    rbv_model_free(m);
  }
  printf("worst %g most %d, %g s\n", worst, most, (double)(clock() - begin) / CLOCKS_PER_SEC);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_exact_base_parameters_come_back),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
