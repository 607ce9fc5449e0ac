/* Gradient and Hessian compared with finite differences, and the conditions of an optimum. */
#include "linalg/linalg.h"

#include "consistency/consistency_problem.h"
#include "robots.h"

typedef struct {
  rbv_model *m;
  double *chi;
  estimate e;
  problem *p;
} fixture;

static void fixture_new(fixture *f, uint64_t seed, const rbv_consistency_options *o) {
  dice d = {seed, 0};
  f->m = random_robot(&d, 3);
  f->chi = calloc((size_t)rbv_model_column_count(f->m), sizeof *f->chi);
  random_parameters(f->chi, f->m, &d);
  estimate_new(&f->e, f->m, f->chi, 0.05);
  estimate_add_noise(&f->e, &d, 3);
  // a row without information: only the scale determines its columns
  const int last = f->e.base->count - 1;
  f->e.covariance[last + last * f->e.base->count] = INFINITY;
  assert_ok(rbv_problem_new(&f->p, f->m, &f->e.input, NULL, o));
  rbv_problem_start(f->p->chi, f->p);
  rbv_problem_u(f->p->u, f->p, f->p->chi);
}

static void fixture_free(fixture *f) {
  rbv_problem_free(f->p);
  estimate_free(&f->e);
  free(f->chi);
  rbv_model_free(f->m);
}

/* u to chi and back */
static void test_coordinates(void **state) {
  (void)state;
  const rbv_consistency_options o = rbv_consistency_defaults();
  for (uint64_t seed = 1; seed <= 10; seed++) {
    fixture f;
    fixture_new(&f, seed, &o);
    problem *p = f.p;
    rbv_problem_u(p->u, p, f.chi);
    rbv_problem_chi(p->chi, p, p->u);
    // up to 30 terms of size 10
    for (int c = 0; c < p->n; c++) assert_near(p->chi[c], f.chi[c], 1e-12, 1e-12);
    fixture_free(&f);
  }
}

/* R R' */
static void hessian(double *H, const problem *p) {
  const int n = p->n;
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      for (int k = 0; k < n; k++) H[i + j * n] += p->R[i + k * n] * p->R[j + k * n];
}

static void test_derivatives(void **state) {
  (void)state;
  rbv_ellipsoid bound[3];
  for (int i = 0; i < 3; i++)
    bound[i] = (rbv_ellipsoid){{0.1, 0, 0.05}, {0.5, 0.1, 0, 0, 0.6, 0, 0, 0, 0.7}};
  rbv_consistency_options o = rbv_consistency_defaults();
  o.bound = bound;
  o.weight = 3;
  o.mass_weight = 5;
  o.drive_weight = 2;
  o.variance = 1.5;
  const double barrier = 0.7;
  for (uint64_t seed = 1; seed <= 5; seed++) {
    fixture f;
    fixture_new(&f, seed, &o);
    problem *p = f.p;
    const int n = p->n;
    double *g = calloc((size_t)(n + n * n), sizeof *g), *H = g + n;
    bool definite;
    assert_ok(rbv_problem_derivatives(p, barrier, p->u));
    assert_ok(rbv_problem_factor(&definite, p));
    assert_true(definite);
    memcpy(g, p->gradient, (size_t)n * sizeof *g);
    hessian(H, p);
    for (int j = 0; j < n; j++) {
      // the step follows from the curvature: a change of the function of about 1e-6
      const double h = 1e-4 / sqrt(H[j + j * n]), at = p->u[j];
      p->u[j] = at + h;
      const double up = rbv_problem_value(p, barrier, p->u);
      assert_ok(rbv_problem_derivatives(p, barrier, p->u));
      double *column = p->trial;
      memcpy(column, p->gradient, (size_t)n * sizeof *column);
      p->u[j] = at - h;
      const double down = rbv_problem_value(p, barrier, p->u);
      assert_ok(rbv_problem_derivatives(p, barrier, p->u));
      p->u[j] = at;
      // rounding: the function is up to 1e6, times eps, over 2 h; truncation: 1e-8 of a unit step
      const double unit = sqrt(H[j + j * n]);
      assert_near((up - down) / (2 * h), g[j], 1e-4 * unit, 1e-6);
      for (int i = j; i < n; i++)
        assert_near((column[i] - p->gradient[i]) / (2 * h), H[i + j * n],
                    1e-5 * unit * sqrt(H[i + i * n]), 0);
    }
    free(g);
    fixture_free(&f);
  }
}

/*
 * Optimality conditions from the definitions: the gradients of misfit and divergence in chi sum to
 * zero, except for the small weight of the barrier.
 */
static void test_optimum(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 20; seed++) {
    dice d = {seed, 0};
    rbv_model *m = random_robot(&d, 1 + (int)(seed % 5));
    const int n = rbv_model_column_count(m);
    double *chi = calloc((size_t)n, sizeof *chi), *prior = calloc((size_t)n, sizeof *prior);
    random_parameters(chi, m, &d);
    random_parameters(prior, m, &d);
    estimate e;
    estimate_new(&e, m, chi, 0.05);
    estimate_add_noise(&e, &d, 2);
    rbv_consistency_options o = rbv_consistency_defaults();
    o.weight = o.drive_weight = 0.1;
    o.mass_weight = seed % 2 ? 0 : 0.3;
    o.variance = 1.7;
    o.gap = 1e-12;
    rbv_standard *s;
    assert_ok(rbv_consistency_solve(&s, m, &e.input, prior, &o));
    assert_true(s->converged);

    // 2 K' inv(C) (K chi - x)
    const int nb = e.base->count;
    double *L = calloc((size_t)(nb * nb + nb), sizeof *L), *r = L + nb * nb,
           *x = calloc((size_t)nb, sizeof *x);
    bool definite;
    memcpy(L, e.covariance, (size_t)(nb * nb) * sizeof *L);
    assert_ok(rbv_cholesky(&definite, L, nb, nb));
    rbv_base_values(x, e.base, s->chi);
    double chi2 = 0;
    for (int k = 0; k < nb; k++) r[k] = x[k] - e.value[k];
    assert_ok(rbv_solve_cholesky(r, 1, nb, L, nb, nb));
    for (int k = 0; k < nb; k++) chi2 += r[k] * (x[k] - e.value[k]);
    assert_near(chi2, s->chi2, 1e-9, 1e-9);
    for (int c = 0; c < n; c++) {
      const rbv_column *column = rbv_model_column(m, c);
      double slope = 0, size = 0;
      for (int k = 0; k < nb; k++) slope += 2 * e.base->relation[k + c * nb] * r[k] / o.variance;
      for (int k = 0; k < nb; k++)
        size += fabs(2 * e.base->relation[k + c * nb] * r[k]) / o.variance;
      if (column->basis == RBV_BASIS_INERTIAL) {
        double P[16], P0[16], A[16], unit[10] = {0}, inverse[16] = {0}, inverse0[16] = {0};
        unit[column->component] = 1;
        rbv_body_pseudo(A, unit);
        rbv_body_pseudo(P, s->chi + c - column->component);
        rbv_body_pseudo(P0, s->prior + c - column->component);
        for (int i = 0; i < 4; i++) inverse[i + 4 * i] = inverse0[i + 4 * i] = 1;
        assert_ok(rbv_solve_general(inverse, 4, 4, P, 4, 4));
        assert_ok(rbv_solve_general(inverse0, 4, 4, P0, 4, 4));
        for (int i = 0; i < 16; i++) {
          slope += o.weight * A[i] * (inverse0[i] - inverse[i]);
          size += o.weight * fabs(A[i]) * (fabs(inverse0[i]) + fabs(inverse[i]));
        }
        if (column->component == 9) {
          slope += o.mass_weight * (1 / prior[c] - 1 / s->chi[c]);
          size += o.mass_weight * (1 / prior[c] + 1 / s->chi[c]);
        }
      } else if (!rbv_column_has_law(column, "off")) {
        slope += o.weight * (1 / prior[c] - 1 / s->chi[c]);
        size += o.weight * (1 / prior[c] + 1 / s->chi[c]);
      }
      // an offset that gravity regroups with a mass has a different prior term
      bool kept = !rbv_column_has_law(column, "off");
      for (int k = 0; k < nb; k++) kept = kept || e.base->kept[k] == c;
      if (!kept) continue;
      // the weight of the barrier is 1e-12 / (2 order), 1e-12 of that of the divergence: rounding
      // is larger, about eps over the smallest relative eigenvalue; offsets have only the misfit
      assert_near(slope, 0, 1e-7 * size + 1e-9, 0);
    }
    free(x);
    free(L);
    rbv_standard_free(s);
    estimate_free(&e);
    free(prior);
    free(chi);
    rbv_model_free(m);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_coordinates),
      cmocka_unit_test(test_derivatives),
      cmocka_unit_test(test_optimum),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
