/* The optimum equals the one that DSDP finds. */
#include "dsdp.h"

/* thirty estimates with ten times the noise of their covariance: hardly any of them
 * is consistent */
static void test_same_optimum(void **state) {
  (void)state;
  int inconsistent = 0;
  for (uint64_t seed = 1; seed <= 30; seed++) {
    dice d = {seed, 0};
    rbv_model *m = random_robot(&d, 1 + (int)(seed % 4));
    const int n = rbv_model_column_count(m);
    double *chi = calloc(2 * (size_t)n, sizeof *chi), *size = chi + n;
    random_parameters(chi, m, &d);
    estimate e;
    estimate_new(&e, m, chi, 0.05);
    estimate_add_noise(&e, &d, 10);
    const rbv_consistency_options o = without_divergence();
    rbv_standard *s;
    assert_ok(rbv_consistency_solve(&s, m, &e.input, chi, &o));
    assert_true(s->converged);
    // 9 to 26 steps, including the case with a vanishing mass
    assert_true(s->iterations <= 40);
    double lower, upper;
    sizes(size, m, chi);
    solve_with_dsdp(&lower, &upper, m, &e, size);
    // DSDP itself may not close the gap completely
    assert_near(s->chi2, upper, 1e-6, 1e-6);
    assert_true(s->chi2 >= lower - 1e-6 * (1 + fabs(lower)));
    inconsistent += upper > 0.1;
    if (upper > 0.1) assert_true(s->nactive > 0);
    rbv_standard_free(s);
    estimate_free(&e);
    free(chi);
    rbv_model_free(m);
  }
  assert_true(inconsistent > 15);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_same_optimum)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
