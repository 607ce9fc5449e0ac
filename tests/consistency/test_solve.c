/* Consistent standard parameters from base parameters. */
#include <roberval/sys/dynamics.h>
#include "linalg/linalg.h"

#include "base/support.h"
#include "consistency/consistency.h"
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

/* largest difference of the torques of two parameter sets over random states, relative to the
 * largest torque of the joint */
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
static void test_exact_base_parameters_are_reproduced(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 100; seed++) {
    dice d = {seed, 0};
    rbv_model *m = random_robot(&d, 1 + (int)(seed % 7));
    double *chi = calloc((size_t)rbv_model_column_count(m), sizeof *chi);
    random_parameters(chi, m, &d);
    estimate e;
    // the assumed bodies pull by their gradient (up to 500 per size, because the densities of these
    // robots are drawn, and those of the prior are of real arms) times the variance: 5e-10
    const double sigma = 1e-6;
    estimate_new(&e, m, chi, sigma);
    rbv_standard *s;
    assert_ok(rbv_consistency_solve(&s, m, &e.input, NULL, NULL));
    assert_true(s->converged);
    assert_true(s->gap <= 1e-8);
    assert_int_equal(s->nactive, 0);
    assert_all_consistent(m, s);
    double *back = calloc((size_t)e.base->count, sizeof *back);
    rbv_base_values(back, e.base, s->chi);
    for (int k = 0; k < e.base->count; k++) {
      const double size = sqrt(e.covariance[k + k * e.base->count]) / sigma;
      assert_near(s->value[k], e.value[k], 1e-8 * size, 0);
      assert_near(back[k], e.value[k], 1e-8 * size, 0);
    }
    assert_true(torque_difference(m, chi, s->chi, &d) < 1e-8);
    for (int j = 0; j < s->nbody; j++) assert_int_equal(s->prior_kind[j], RBV_PRIOR_ASSUMED);
    free(back);
    rbv_standard_free(s);
    estimate_free(&e);
    free(chi);
    rbv_model_free(m);
  }
}

/* 5 % noise: the result is consistent, and not further away than the truth, which is
 * consistent too */
static void test_noise(void **state) {
  (void)state;
  static const char *const names[] = {"tx40", "lwr4+", "ns16", "a460"};
  for (uint64_t seed = 1; seed <= 40; seed++) {
    dice d = {seed, 0};
    rbv_model *m = seed <= 4 ? load_robot(names[seed - 1], -1, seed == 2)
                             : random_robot(&d, 2 + (int)(seed % 6));
    const int n = rbv_model_column_count(m);
    double *chi = calloc((size_t)n, sizeof *chi);
    random_parameters(chi, m, &d);
    for (int c = 0; c < n; c++)
      if (strcmp(rbv_model_column(m, c)->name, "Ia6") == 0 && seed == 1)
        chi[c] = chi[rbv_model_find(m, "Ia5")] / 2;
    estimate e;
    estimate_new(&e, m, chi, 0.05);
    double *truth = calloc((size_t)e.base->count, sizeof *truth);
    memcpy(truth, e.value, (size_t)e.base->count * sizeof *truth);
    estimate_add_noise(&e, &d, 1);
    rbv_standard *s, *same;
    assert_ok(rbv_consistency_solve(&s, m, &e.input, NULL, NULL));
    assert_true(s->converged);
    assert_all_consistent(m, s);
    // chi-square of the truth is about n +- sqrt(2 n); that of the result must be smaller, up to mu
    // D
    const int nb = e.base->count;
    double *L = calloc((size_t)(nb * nb + nb), sizeof *L), *r = L + nb * nb, chi2 = 0;
    bool definite;
    memcpy(L, e.covariance, (size_t)(nb * nb) * sizeof *L);
    assert_ok(rbv_cholesky(&definite, L, nb, nb));
    for (int k = 0; k < nb; k++) r[k] = truth[k] - e.value[k];
    assert_ok(rbv_solve_cholesky(r, 1, nb, L, nb, nb));
    for (int k = 0; k < nb; k++) chi2 += r[k] * (truth[k] - e.value[k]);
    assert_true(s->chi2 < chi2 + 0.1);
    assert_true(s->largest_move < 6);
    free(L);
    // a second time, with the result as prior: the base values do not change
    rbv_consistency_input again = e.input;
    again.value = s->value;
    assert_ok(rbv_consistency_solve(&same, m, &again, s->chi, NULL));
    assert_true(same->converged);
    assert_true(same->largest_move < 0.02);
    rbv_standard_free(same);
    rbv_standard_free(s);
    estimate_free(&e);
    free(truth);
    free(chi);
    rbv_model_free(m);
  }
}

/* negative friction and an impossible inertia: the nearest consistent values, and the
 * active bounds */
static void test_inconsistent_estimate(void **state) {
  (void)state;
  rbv_model *m = load_robot("tx40", -1, false);
  double *chi = calloc((size_t)rbv_model_column_count(m), sizeof *chi);
  dice d = {5, 0};
  random_parameters(chi, m, &d);
  chi[rbv_model_find(m, "Ia6")] = chi[rbv_model_find(m, "Ia5")] / 2;
  estimate e;
  estimate_new(&e, m, chi, 0.01);
  const int nb = e.base->count;
  int fc = -1, zz = -1;
  for (int k = 0; k < nb; k++) {
    if (strcmp(e.base->name[k], "Fc3") == 0) fc = k;
    if (strcmp(e.base->name[k], "ZZ6") == 0) zz = k;
  }
  assert_true(fc >= 0 && zz >= 0);
  e.value[fc] = -10 * sqrt(e.covariance[fc + fc * nb]);
  e.value[zz] = -10 * sqrt(e.covariance[zz + zz * nb]);
  rbv_standard *s;
  assert_ok(rbv_consistency_solve(&s, m, &e.input, chi, NULL));
  assert_true(s->converged);
  assert_all_consistent(m, s);
  // friction is a single column: it goes to zero, ten sigma from its estimate
  assert_near(s->moved_sigma[fc], 10, 1e-3, 0);
  assert_true(s->active[rbv_model_find(m, "Fc3")]);
  assert_false(s->active[rbv_model_find(m, "Fc2")]);
  assert_true(s->body_active[5]);
  assert_false(s->body_active[0]);
  assert_true(s->moved_sigma[zz] > 5);
  assert_true(s->nactive >= 2);
  for (int j = 0; j < 6; j++) assert_int_equal(s->prior_kind[j], RBV_PRIOR_GIVEN);
  rbv_standard_free(s);
  estimate_free(&e);
  free(chi);
  rbv_model_free(m);
}

/* the same robot in millimetres and grams, prior included */
static void test_units(void **state) {
  (void)state;
  const double L = 1e3, M = 1e3;
  static const char *const text =
      "name: two\ngravity: [0, 0, -9.81]\njoints:\n"
      "  - {name: a, mdh: {alpha: 0, d: 0, theta: 0, r: 0}}\n"
      "  - {name: b, mdh: {alpha: pi/2, d: %g, theta: 0, r: %g}}\n"
      "  - {name: c, mdh: {alpha: 0, d: %g, theta: 0, r: 0}}\n";
  rbv_model *m[2];
  rbv_standard *s[2];
  estimate e[2];
  double *chi[2];
  for (int i = 0; i < 2; i++) {
    char yaml[1024];
    const double l = i ? L : 1;
    snprintf(yaml, sizeof yaml, text, 0.3 * l, 0.2 * l, 0.4 * l);
    assert_ok(rbv_model_parse(&m[i], "two.yaml", yaml, strlen(yaml), NULL));
    const int n = rbv_model_column_count(m[i]);
    chi[i] = calloc((size_t)n, sizeof *chi[i]);
    dice d = {11, 0};
    random_parameters(chi[i], m[i], &d);
    for (int c = 0; c < n && i; c++) {
      const rbv_column *column = rbv_model_column(m[i], c);
      chi[i][c] *= M * (column->basis != RBV_BASIS_INERTIAL || column->component < 6 ? L * L
                        : column->component < 9                                      ? L
                                                                                     : 1);
    }
    estimate_new(&e[i], m[i], chi[i], 0.3);
    estimate_add_noise(&e[i], &d, 2);
    // densities are in kg/m^3, so the prior of another unit needs its mass
    rbv_consistency_options o = rbv_consistency_defaults();
    o.total_mass = 10 * (i ? M : 1);
    assert_ok(rbv_consistency_solve(&s[i], m[i], &e[i].input, NULL, &o));
    assert_true(s[i]->converged);
  }
  assert_true(s[0]->nactive > 0);
  assert_int_equal(s[0]->nactive, s[1]->nactive);
  // two different iterations of about 20 steps; the gap of 1e-8 limits their agreement
  assert_near(s[1]->objective, s[0]->objective, 1e-7, 0);
  for (int j = 0; j < 3; j++) assert_near(s[1]->body[j].mass, M * s[0]->body[j].mass, 0, 1e-4);
  for (int i = 0; i < 2; i++) {
    rbv_standard_free(s[i]);
    estimate_free(&e[i]);
    free(chi[i]);
    rbv_model_free(m[i]);
  }
}

/* a known total mass, and ellipsoids for the links */
static void test_known_mass_and_bounds(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 10; seed++) {
    dice d = {seed, 0};
    rbv_model *m = random_robot(&d, 3);
    double *chi = calloc((size_t)rbv_model_column_count(m), sizeof *chi);
    random_parameters(chi, m, &d);
    estimate e;
    estimate_new(&e, m, chi, 0.05);
    estimate_add_noise(&e, &d, 1);
    rbv_consistency_options o = rbv_consistency_defaults();
    o.total_mass = 17.5;
    rbv_ellipsoid bound[3] = {0};
    for (int i = 1; i < 3; i++)
      bound[i] = (rbv_ellipsoid){{0.1, 0, 0}, {0.3, 0, 0, 0, 0.2, 0, 0, 0, 0.25}};
    o.bound = seed > 5 ? bound : NULL;
    rbv_standard *s;
    assert_ok(rbv_consistency_solve(&s, m, &e.input, NULL, &o));
    assert_true(s->converged);
    assert_all_consistent(m, s);
    assert_near(s->body[0].mass + s->body[1].mass + s->body[2].mass, 17.5, 1e-10, 0);
    for (int j = 1; j < 3 && o.bound; j++) {
      // the centre of mass is inside, and the mean of (x - c)' E (x - c) below one
      const double *phi = s->chi + rbv_model_find(m, j == 1 ? "XX2" : "XX3");
      const double half[3] = {0.3, 0.2, 0.25}, centre[3] = {0.1, 0, 0};
      double P[16], mean = 0;
      rbv_body_pseudo(P, phi);
      for (int i = 0; i < 3; i++)
        mean += (P[5 * i] - 2 * centre[i] * P[12 + i] + centre[i] * centre[i] * P[15]) /
                (half[i] * half[i] * P[15]);
      assert_true(mean < 1);
    }
    rbv_standard_free(s);
    estimate_free(&e);
    free(chi);
    rbv_model_free(m);
  }
}

/* at any number of iterations, the optimum is not further below than the certificate says */
static void test_gap_is_true(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 12; seed++) {
    dice d = {seed, 0};
    rbv_model *m = random_robot(&d, 2 + (int)(seed % 3));
    double *chi = calloc((size_t)rbv_model_column_count(m), sizeof *chi);
    random_parameters(chi, m, &d);
    estimate e;
    estimate_new(&e, m, chi, 0.05);
    estimate_add_noise(&e, &d, 5);
    rbv_ellipsoid bound[4] = {0};
    bound[1] = (rbv_ellipsoid){{0.1, 0, 0}, {0.3, 0, 0, 0, 0.2, 0, 0, 0, 0.25}};
    rbv_consistency_options o = rbv_consistency_defaults();
    o.bound = seed % 2 ? bound : NULL;
    o.total_mass = seed % 3 ? 0 : 12;
    o.gap = 1e-9;
    rbv_standard *best, *s;
    assert_ok(rbv_consistency_solve(&best, m, &e.input, NULL, &o));
    assert_true(best->converged);
    int finite = 0;
    for (int gap = 1; gap <= 8; gap++)
      for (int left = 8; left <= 40; left += 4) {
        o.gap = pow(10, -gap);
        o.iterations = left;
        assert_ok(rbv_consistency_solve(&s, m, &e.input, NULL, &o));
        assert_true(s->iterations <= left);
        assert_true(s->converged == (s->gap <= o.gap));
        assert_true(s->objective <= best->objective + s->gap);
        assert_true(s->objective >= best->objective - best->gap);
        assert_all_consistent(m, s);
        finite += isfinite(s->gap);
        rbv_standard_free(s);
      }
    assert_true(finite >= 40);
    rbv_standard_free(best);
    estimate_free(&e);
    free(chi);
    rbv_model_free(m);
  }
}

/* a total mass that contradicts the estimate, finally by millions of sigma, is kept nevertheless */
static void test_contradicting_mass(void **state) {
  (void)state;
  int contradict = 0;
  for (uint64_t seed = 1; seed <= 40; seed++) {
    dice d = {seed, 0};
    rbv_model *m = random_robot(&d, 1 + (int)(seed % 4));
    const int n = rbv_model_column_count(m);
    double *chi = calloc(2 * (size_t)n, sizeof *chi), *prior = chi + n, mass = 0;
    random_parameters(chi, m, &d);
    random_parameters(prior, m, &d);
    estimate e;
    estimate_new(&e, m, chi, pow(10, between(&d, -7, -5)));
    estimate_add_noise(&e, &d, 10);
    rbv_ellipsoid bound[4];
    for (int j = 0; j < 4; j++)
      bound[j] = (rbv_ellipsoid){{0.2, 0, 0}, {0.1, 0, 0, 0, 0.2, 0, 0, 0, 0.15}};
    rbv_consistency_options o = rbv_consistency_defaults();
    o.weight = o.drive_weight = 1e-8;
    o.total_mass = between(&d, 1, 40);
    o.bound = bound;
    rbv_standard *s;
    assert_ok(rbv_consistency_solve(&s, m, &e.input, prior, &o));
    contradict += s->chi2 > 1e6;
    for (int j = 0; j < s->nbody; j++) mass += s->body[j].mass;
    assert_near(mass, o.total_mass, 0, 1e-12);
    rbv_standard_free(s);
    estimate_free(&e);
    free(chi);
    rbv_model_free(m);
  }
  assert_true(contradict > 10);
}

/* 28 published values, the other 32 zero, links without mass: the result is consistent */
static void test_published_tx40(void **state) {
  (void)state;
  rbv_model *m = load_robot("tx40", -1, false);
  rbv_base *base;
  assert_ok(rbv_base_new(&base, m, NULL));
  double *value = calloc((size_t)base->count, sizeof *value);
  rbv_base_values(value, base, rbv_model_parameters(m));
  const rbv_consistency_input input = {base->count, value, NULL, base->relation};
  rbv_standard *s;
  assert_ok(rbv_consistency_solve(&s, m, &input, rbv_model_parameters(m), NULL));
  assert_true(s->converged);
  assert_all_consistent(m, s);
  assert_true(s->nactive > 0);
  for (int j = 0; j < 6; j++) {
    assert_int_equal(s->prior_kind[j], RBV_PRIOR_ASSUMED);
    // the arm weighs 27 kg; only torques were measured
    assert_true(s->body[j].mass > 1e-3 && s->body[j].mass < 100);
  }
  rbv_standard_free(s);
  free(value);
  rbv_base_free(base);
  rbv_model_free(m);
}

/* ---- refusals and memory ---- */

typedef struct {
  rbv_model *m;
  estimate e;
} small;

static rbv_status solve_once(void *state) {
  const small *f = state;
  rbv_standard *s;
  rbv_consistency_options o = rbv_consistency_defaults();
  const rbv_ellipsoid bound[2] = {{{0, 0, 0}, {1, 0, 0, 0, 1, 0, 0, 0, 1}}};
  o.bound = bound;
  const rbv_status status = rbv_consistency_solve(&s, f->m, &f->e.input, NULL, &o);
  rbv_standard_free(s);
  return status;
}

static rbv_status check_once(void *state) {
  const small *f = state;
  double chi[64] = {0};
  rbv_consistency *r;
  const rbv_status status = rbv_consistency_new(&r, f->m, chi);
  rbv_consistency_free(r);
  return status;
}

static void test_refusals_and_memory(void **state) {
  (void)state;
  dice d = {1, 0};
  small f = {.m = random_robot(&d, 2)};
  double chi[64] = {0};
  random_parameters(chi, f.m, &d);
  estimate_new(&f.e, f.m, chi, 0.1);
  fail_each_allocation(solve_once, &f);
  fail_each_allocation(check_once, &f);

  rbv_standard *s;
  rbv_consistency *none;
  assert_refused(rbv_consistency_new(&none, NULL, chi), RBV_EARG, "needs a model");
  assert_refused(rbv_consistency_new(&none, f.m, NULL), RBV_EARG, "needs a model");
  assert_refused(rbv_consistency_solve(&s, NULL, &f.e.input, NULL, NULL), RBV_EARG, "no model");
  assert_refused(rbv_consistency_solve(&s, f.m, NULL, NULL, NULL), RBV_EARG, "is missing");
  rbv_consistency_options o = rbv_consistency_defaults();
  o.weight = 0;
  assert_refused(rbv_consistency_solve(&s, f.m, &f.e.input, NULL, &o), RBV_EARG, "weight of 0");
  o = rbv_consistency_defaults();
  o.total_mass = -1;
  assert_refused(rbv_consistency_solve(&s, f.m, &f.e.input, NULL, &o), RBV_EARG, "mass of -1");
  o = rbv_consistency_defaults();
  const rbv_ellipsoid thin[2] = {{{0, 0, 0}, {1, 0, 0, 0, 1, 0, 0, 0, 0}}};
  o.bound = thin;
  assert_refused(rbv_consistency_solve(&s, f.m, &f.e.input, NULL, &o), RBV_EINPUT, "no volume");
  o.bound = NULL;
  // few steps: the result is marked as not converged, but is consistent
  o.iterations = 3;
  assert_ok(rbv_consistency_solve(&s, f.m, &f.e.input, NULL, &o));
  assert_false(s->converged);
  assert_all_consistent(f.m, s);
  rbv_standard_free(s);

  const int nb = f.e.base->count;
  f.e.covariance[1] = f.e.covariance[nb] = 1e6;
  assert_refused(rbv_consistency_solve(&s, f.m, &f.e.input, NULL, NULL), RBV_ENUM,
                 "not positive definite");
  f.e.covariance[0] = 0;
  assert_refused(rbv_consistency_solve(&s, f.m, &f.e.input, NULL, NULL), RBV_EINPUT,
                 "variance of 0");
  f.e.covariance[0] = 1;
  f.e.value[0] = NAN;
  assert_refused(rbv_consistency_solve(&s, f.m, &f.e.input, NULL, NULL), RBV_EINPUT,
                 "no finite value");
  f.e.value[0] = 1;
  double *twice = calloc((size_t)(nb * rbv_model_column_count(f.m)), sizeof *twice);
  const rbv_consistency_input bad = {nb, f.e.value, NULL, twice};
  assert_refused(rbv_consistency_solve(&s, f.m, &bad, NULL, NULL), RBV_EINPUT,
                 "no column of its own");
  free(twice);
  estimate_free(&f.e);
  rbv_model_free(f.m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_exact_base_parameters_are_reproduced),
      cmocka_unit_test(test_noise),
      cmocka_unit_test(test_inconsistent_estimate),
      cmocka_unit_test(test_units),
      cmocka_unit_test(test_known_mass_and_bounds),
      cmocka_unit_test(test_gap_is_true),
      cmocka_unit_test(test_contradicting_mass),
      cmocka_unit_test(test_published_tx40),
      cmocka_unit_test(test_refusals_and_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
