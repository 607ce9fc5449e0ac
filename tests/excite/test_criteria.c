/* Criteria: what they must not depend on, what is published, how they change. */
#include <math.h>
#include <roberval/sys/excite.h>
#include <stdlib.h>
#include <string.h>

#include "designs.h"
#include "motions.h"
#include "trajectory/classes.h"

/* METHODS section 6: cond 51.8, equilibrated 9.1, I_c 70.3 on the base set of the A460 */
static void test_published_trajectory(void **state) {
  (void)state;
  rbv_model *m = load_robot("a460", -1, false);
  rbv_excite_options o = rbv_excite_defaults();
  o.columns = RBV_COLUMNS_INERTIAL;
  rbv_excite *e;
  assert_ok(rbv_excite_new(&e, m, &o));
  assert_int_equal(rbv_excite_base(e)->count, 36);
  rbv_trajectory *t = table_one();
  rbv_motion *motion;
  assert_ok(rbv_trajectory_motion(&motion, t, "table I", 100));
  rbv_score s;
  assert_ok(rbv_excite_score(&s, NULL, NULL, e, &motion, 1));
  assert_near(s.condition, 51.8, 0.05, 0);
  assert_near(s.condition_scaled, 9.1, 0.05, 0);
  assert_near(s.coupling, 70.3, 0.05, 0);
  rbv_motion_free(motion);
  rbv_trajectory_free(t);
  rbv_excite_free(e);
  rbv_model_free(m);
}

/* rows twice: I_c and eq. 9 stay; columns scaled: I_c and the scaled condition stay */
static void test_invariances(void **state) {
  (void)state;
  enum { N = 60, C = 9 };
  double W[2 * N * C], scaled[N * C], coupling[2][C * C];
  for (int c = 0; c < C; c++)
    for (int i = 0; i < N; i++) {
      const double x = rbv_random_normal(3, (uint64_t)c, (uint64_t)i) +
                       0.5 * rbv_random_normal(3, 100, (uint64_t)i);
      W[i + c * 2 * N] = W[i + N + c * 2 * N] = x;
      scaled[i + c * N] = x * pow(10, c - 4);
    }
  rbv_score one, two, other;
  assert_ok(rbv_score_matrix(&one, coupling[0], W, N, C, 2 * N, N, 0.7));
  assert_ok(rbv_score_matrix(&two, coupling[1], W, 2 * N, C, 2 * N, 2 * N, 0.7));
  assert_ok(rbv_score_matrix(&other, NULL, scaled, N, C, N, N, 0.7));
  assert_near(two.coupling, one.coupling, 0, 1e-12);
  assert_near(two.determinant, one.determinant, 1e-12, 1e-12);
  assert_near(two.mixed, one.mixed, 1e-12, 1e-12);
  assert_near(other.coupling, one.coupling, 0, 1e-12);
  assert_near(other.condition_scaled, one.condition_scaled, 0, 1e-12);
  // the sum is that of the matrix, whose diagonal is one
  double sum = 0;
  for (int j = 0; j < C; j++)
    for (int i = 0; i < j; i++) sum += coupling[0][i + j * C];
  assert_near(one.coupling, sum, 1e-12, 0);
  for (int j = 0; j < C; j++) assert_near(coupling[0][j + j * C], 1, 1e-13, 0);
  // Villagrossi 2014 eq. 7, and D-optimality is eq. 9 in other units
  assert_near(one.mixed, 0.7 * one.determinant + 0.3 * 36 / one.coupling, 1e-12, 0);
  assert_near(-one.dopt / log(10) - C * log10(N), one.determinant, 1e-11, 0);
}

/* eq. 9 as a criterion: a motion run twice is worth as much as once, for reports and searches */
static void test_determinant_per_sample(void **state) {
  (void)state;
  rbv_model *m = load_robot("a460", -1, false);
  rbv_trajectory *t = table_one();
  rbv_motion *motion;
  assert_ok(rbv_trajectory_motion(&motion, t, "table I", 50));
  double reported[2][2], searched[2][2];
  for (int k = 0; k < 2; k++) {
    rbv_excite_options o = rbv_excite_defaults();
    o.columns = RBV_COLUMNS_INERTIAL;
    o.criterion = k ? RBV_CRITERION_DOPT : RBV_CRITERION_DETERMINANT;
    rbv_excite *e;
    assert_ok(rbv_excite_new(&e, m, &o));
    rbv_motion *const twice[2] = {motion, motion};
    rbv_trajectory *const again[2] = {t, t};
    for (int i = 0; i < 2; i++) {
      rbv_score s;
      assert_ok(rbv_excite_score(&s, NULL, NULL, e, twice, i + 1));
      reported[k][i] = rbv_score_value(&s, &o);
      assert_ok(rbv_excite_gradient(&searched[k][i], NULL, e, again, i + 1, 200));
    }
    rbv_excite_free(e);
  }
  assert_near(reported[0][1], reported[0][0], 0, 1e-12);
  assert_near(searched[0][1], searched[0][0], 0, 1e-12);
  // D-optimality grows with the rows
  assert_near(reported[1][1], reported[1][0] - 36 * log(2), 0, 1e-12);
  assert_near(searched[1][1], searched[1][0] - 36 * log(2), 0, 1e-12);
  rbv_criterion named;
  assert_true(rbv_criterion_parse(&named, "det") && named == RBV_CRITERION_DETERMINANT);
  rbv_motion_free(motion);
  rbv_trajectory_free(t);
  rbv_model_free(m);
}

/* two columns, by hand: correlation of estimates is minus that of the columns */
static void test_coupling_by_hand(void **state) {
  (void)state;
  const double W[] = {1, 0, 0, 0.6, 0.8, 0};
  rbv_score s;
  assert_ok(rbv_score_matrix(&s, NULL, W, 3, 2, 3, 3, 0.7));
  assert_near(s.coupling, 0.6, 1e-15, 0);
  assert_near(s.condition, sqrt(1.6 / 0.4), 1e-14, 0);
  const double dependent[] = {1, 2, 3, 2, 4, 6};
  assert_ok(rbv_score_matrix(&s, NULL, dependent, 3, 2, 3, 3, 0.7));
  assert_true(isinf(s.coupling));
}

/* gradients of all criteria against differences, on every smooth class */
static void test_gradients(void **state) {
  (void)state;
  rbv_model *m = load_robot("tx40", -1, false);
  double noise[6] = {1, 2, 0.5, 0.3, 0.2, 0.1};
  for (int c = RBV_CRITERION_COND; c <= RBV_CRITERION_SIGMA; c++)
    for (int k = 0; k < rbv_trajectory_class_count(); k++) {
      if (!rbv_trajectory_class_smooth((rbv_trajectory_class)k)) continue;
      rbv_excite_options o = rbv_excite_defaults();
      o.criterion = (rbv_criterion)c;
      o.prior = rbv_model_parameters(m);
      o.noise = noise;
      o.mean = k == RBV_TRAJECTORY_SINES;
      rbv_excite *e;
      assert_ok(rbv_excite_new(&e, m, &o));
      rbv_trajectory_shape s = rbv_trajectory_defaults();
      s.njoint = 6;
      s.kind = (rbv_trajectory_class)k;
      // 2 x 5 harmonics or sines; as many points as excite all parameters
      s.count = rbv_class_of(s.kind)->blends ? 5 : 14;
      s.blend_s = k == RBV_TRAJECTORY_FOURIER ? 0.5 : 0;
      rbv_trajectory *t[2];
      assert_ok(rbv_trajectory_new(&t[0], &s, NULL));
      assert_ok(rbv_trajectory_new(&t[1], &s, NULL));
      const int n = rbv_trajectory_coefficient_count(t[0]);
      double *x = malloc(2 * (size_t)n * sizeof *x), *g = malloc(2 * (size_t)n * sizeof *g);
      for (int i = 0; i < 2 * n; i++) x[i] = 1.5 * rbv_random_uniform(5, 1, (uint64_t)i) - 0.5;
      for (int i = 0; i < 2; i++) assert_ok(rbv_trajectory_set(t[i], x + i * n));
      double value, side[2], size = 0;
      assert_ok(rbv_excite_gradient(&value, g, e, t, 2, 60));
      assert_true(isfinite(value));
      for (int i = 0; i < 2 * n; i++) size = fmax(size, fabs(g[i]));
      assert_true(size > 0);
      for (int i = 0; i < 2 * n; i += 7) {
        const double keep = x[i], h = 2e-6;
        for (int d = 0; d < 2; d++) {
          x[i] = keep + (d ? h : -h);
          assert_ok(rbv_trajectory_set(t[i / n], x + i / n * n));
          assert_ok(rbv_excite_gradient(&side[d], NULL, e, t, 2, 60));
        }
        x[i] = keep;
        assert_ok(rbv_trajectory_set(t[i / n], x + i / n * n));
        assert_near(g[i], (side[1] - side[0]) / (2 * h), 1e-6 * size, 1e-6);
      }
      free(x);
      free(g);
      for (int i = 0; i < 2; i++) rbv_trajectory_free(t[i]);
      rbv_excite_free(e);
    }
  rbv_model_free(m);
}

/* what was recorded counts; half the noise halves the deviation; names are looked for */
static void test_recordings_noise_and_targets(void **state) {
  (void)state;
  rbv_model *m = load_robot("tx40", -1, false);
  rbv_excite_options o = rbv_excite_defaults();
  o.criterion = RBV_CRITERION_SIGMA;
  assert_refused(rbv_excite_new(&(rbv_excite *){NULL}, m, &o), RBV_EARG, "prior");
  o.prior = rbv_model_parameters(m);
  waves w;
  waves_new(&w, m, NULL, 3, 500, 50, false);
  rbv_motion *motion = waves_motion(&w);
  double sigma[2][128], noise[6];
  rbv_score s[3];
  for (int i = 0; i < 2; i++) {
    for (int j = 0; j < 6; j++) noise[j] = i ? 0.5 : 1;
    o.noise = noise;
    rbv_excite *e;
    assert_ok(rbv_excite_new(&e, m, &o));
    assert_ok(rbv_excite_score(&s[i], sigma[i], NULL, e, &motion, 1));
    if (i == 1) {
      // the same motion twice is as good as recorded once and designed once
      rbv_motion *both[2] = {motion, motion};
      assert_ok(rbv_excite_score(&s[2], NULL, NULL, e, both, 2));
      assert_ok(rbv_excite_add(e, motion));
      rbv_score again;
      assert_ok(rbv_excite_score(&again, NULL, NULL, e, &motion, 1));
      assert_near(again.worst, s[2].worst, 0, 1e-10);
      assert_near(again.worst, s[1].worst / sqrt(2), 0, 1e-10);
      assert_int_equal(again.samples, 1000);
    }
    rbv_excite_free(e);
  }
  assert_near(s[1].worst, s[0].worst / 2, 0, 1e-12);
  for (int j = 0; j < s[0].columns; j++) assert_near(sigma[1][j], sigma[0][j] / 2, 0, 1e-12);
  assert_true(s[0].mean <= s[0].worst);
  rbv_motion_free(motion);
  waves_free(&w);
  rbv_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_published_trajectory),
      cmocka_unit_test(test_invariances),
      cmocka_unit_test(test_determinant_per_sample),
      cmocka_unit_test(test_coupling_by_hand),
      cmocka_unit_test(test_gradients),
      cmocka_unit_test(test_recordings_noise_and_targets),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
