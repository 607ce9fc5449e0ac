/* Quadratic programs: the conditions of Karush, Kuhn and Tucker at the solution. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/support.h"
#include "excite/quadratic_program.h"
#include "support.h"

#define N 12
#define M 30

static double draw(uint64_t seed, uint64_t *k) {
  return 2 * rbv_random_uniform(seed, 3, (*k)++) - 1;
}

typedef struct {
  double B[N * N], g[N], A[M * N], b[M], low[N], high[N];
} problem;

static void draw_problem(problem *p, uint64_t seed) {
  uint64_t k = 0;
  double F[N * N];
  for (int i = 0; i < N * N; i++) F[i] = draw(seed, &k);
  for (int j = 0; j < N; j++)
    for (int i = 0; i < N; i++) {
      p->B[i + j * N] = i == j ? 0.1 : 0;
      for (int l = 0; l < N; l++) p->B[i + j * N] += F[i + l * N] * F[j + l * N];
    }
  for (int i = 0; i < N; i++) {
    p->g[i] = 5 * draw(seed, &k);
    p->low[i] = -fabs(draw(seed, &k));
    p->high[i] = fabs(draw(seed, &k));
  }
  for (int i = 0; i < M * N; i++) p->A[i] = draw(seed, &k);
  // a third of the constraints is active at zero
  for (int i = 0; i < M; i++) p->b[i] = i % 3 ? fabs(draw(seed, &k)) : 0;
}

/* multipliers are not negative, belong to active constraints, and balance the gradient */
static void test_random_programs(void **state) {
  (void)state;
  quadratic_work w;
  rbv_arena measure = {0};
  rbv_quadratic_layout(&w, N, M, &measure);
  char *memory = rbv_alloc(measure.used);
  rbv_arena carve = {.base = memory};
  rbv_quadratic_layout(&w, N, M, &carve);
  int constrained = 0;
  for (uint64_t seed = 0; seed < 300; seed++) {
    problem p;
    draw_problem(&p, seed);
    double x[N], balance[N];
    bool solved;
    assert_ok(rbv_quadratic_solve(x, &solved, &w, p.B, p.g, p.A, p.b, M, p.low, p.high));
    assert_true(solved);
    for (int i = 0; i < M; i++) {
      double left = p.b[i];
      for (int j = 0; j < N; j++) left -= p.A[i + j * M] * x[j];
      assert_true(left > -1e-8);
    }
    for (int j = 0; j < N; j++) {
      assert_true(x[j] > p.low[j] - 1e-8 && x[j] < p.high[j] + 1e-8);
      balance[j] = p.g[j];
      for (int i = 0; i < N; i++) balance[j] += p.B[i + j * N] * x[i];
    }
    for (int a = 0; a < w.count; a++) {
      const int i = w.active[a];
      assert_true(w.u[a] >= 0);
      if (i < M)
        for (int j = 0; j < N; j++) balance[j] += w.u[a] * p.A[i + j * M];
      else if (i < M + N)
        balance[i - M] += w.u[a];
      else
        balance[i - M - N] -= w.u[a];
    }
    constrained += w.count > 0;
    for (int j = 0; j < N; j++) assert_near(balance[j], 0, 1e-8, 0);
  }
  // nearly all of them have active constraints
  assert_true(constrained > 290);
  rbv_free(memory);
}

static void test_no_minimum(void **state) {
  (void)state;
  quadratic_work w;
  rbv_arena measure = {0};
  rbv_quadratic_layout(&w, 2, 1, &measure);
  char *memory = rbv_alloc(measure.used);
  rbv_arena carve = {.base = memory};
  rbv_quadratic_layout(&w, 2, 1, &carve);
  const double B[4] = {1, 0, 0, -1}, g[2] = {1, 1}, low[2] = {-1, -1}, high[2] = {1, 1};
  double x[2] = {5, 5};
  bool solved = true;
  assert_ok(rbv_quadratic_solve(x, &solved, &w, B, g, NULL, NULL, 0, low, high));
  assert_false(solved);
  assert_true(x[0] == 0 && x[1] == 0);
  rbv_free(memory);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_programs),
                                     cmocka_unit_test(test_no_minimum)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
