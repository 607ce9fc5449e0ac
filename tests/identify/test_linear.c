/* The linear solvers on small dense problems: all results are checked with the rows. */
#include <math.h>
#include <roberval/sys/linalg.h>
#include <stdlib.h>
#include <string.h>

#include "identify/linear_solve.h"
#include "support.h"

#define N 4
#define ROWS 400

typedef struct {
  double W[ROWS * N], Z[ROWS * N], y[ROWS];
  double x[N], cov[N * N];
  solution solution;
  selection selection;
  int active[N];
} problem;

static const double truth[N] = {1, -2, 0.5, 3};

/* rows of a smooth signal; W has noise of its own, Z does not */
static void make(problem *p, uint64_t seed, double torque_noise, double column_noise) {
  for (int r = 0; r < ROWS; r++) {
    p->y[r] = torque_noise * rbv_random_normal(seed, 100, (uint64_t)r);
    for (int c = 0; c < N; c++) {
      const double clean = sin(0.05 * (c + 1) * r + c) + (c == 0);
      p->Z[r + c * ROWS] = clean;
      p->W[r + c * ROWS] = clean + column_noise * rbv_random_normal(seed, (uint64_t)c, (uint64_t)r);
      p->y[r] += truth[c] * clean;
    }
  }
  p->solution = (solution){.x = p->x, .cov = p->cov};
  for (int c = 0; c < N; c++) p->active[c] = c;
  p->selection = (selection){N, N, p->active};
}

static void factor(double *R, const double *blocks[], int nblock, const double *y) {
  const int width = nblock * N + 1;
  double *A = malloc(sizeof(double) * ROWS * (size_t)width);
  for (int b = 0; b < nblock; b++) memcpy(A + b * ROWS * N, blocks[b], sizeof(double) * ROWS * N);
  memcpy(A + nblock * ROWS * N, y, sizeof(double) * ROWS);
  rbv_qr *qr;
  assert_ok(rbv_qr_new(&qr, width));
  assert_ok(rbv_qr_add(qr, A, ROWS, ROWS));
  rbv_qr_get(R, qr);
  rbv_qr_free(qr);
  free(A);
}

/* with Z = W instrumental variables equal least squares, including the covariance */
static void test_own_instruments_equal_least_squares(void **state) {
  (void)state;
  problem p;
  double R[(N + 1) * (N + 1)], RZ[(2 * N + 1) * (2 * N + 1)], x[N], cov[N * N];
  make(&p, 1, 0.1, 0.2);
  factor(R, (const double *[]){p.W}, 1, p.y);
  factor(RZ, (const double *[]){p.W, p.W}, 2, p.y);
  assert_ok(rbv_linear_solve(&p.solution, R, ROWS, &p.selection));
  memcpy(x, p.x, sizeof x);
  memcpy(cov, p.cov, sizeof cov);
  instrument_quality quality;
  assert_ok(rbv_linear_instruments(&p.solution, &quality, RZ, ROWS, &p.selection));
  // a condition number below 10 and 400 rows: a hundred eps
  for (int c = 0; c < N; c++) assert_near(p.x[c], x[c], 0, 1e-13);
  for (int c = 0; c < N * N; c++) assert_near(p.cov[c], cov[c], 1e-16, 1e-11);
  assert_near(quality.strength, 1, 1e-14, 0);
}

/* Z'(Y - W x) = 0, recomputed from the rows */
static void test_instruments_are_orthogonal_to_the_residual(void **state) {
  (void)state;
  problem p;
  double RZ[(2 * N + 1) * (2 * N + 1)];
  make(&p, 2, 0.1, 0.2);
  factor(RZ, (const double *[]){p.Z, p.W}, 2, p.y);
  instrument_quality quality;
  assert_ok(rbv_linear_instruments(&p.solution, &quality, RZ, ROWS, &p.selection));
  double rss = 0;
  for (int c = 0; c < N; c++) {
    double sum = 0;
    rss = 0;
    for (int r = 0; r < ROWS; r++) {
      double e = p.y[r];
      for (int k = 0; k < N; k++) e -= p.W[r + k * ROWS] * p.x[k];
      sum += p.Z[r + c * ROWS] * e;
      rss += e * e;
    }
    // sums of 400 terms of size 1
    assert_near(sum, 0, 1e-11, 0);
  }
  assert_near(p.solution.rss, rss, 0, 1e-12);
  assert_int_equal(p.solution.dof, ROWS - N);
  assert_true(quality.strength > 0.5 && quality.strength < 1);
  assert_true(quality.condition >= 1 && quality.condition < 10);
}

/* noise in the columns shrinks the least-squares estimate, but not that of instruments; sigma
 * agrees with the spread */
static void test_bias_and_spread(void **state) {
  (void)state;
  enum { RUNS = 200 };
  double ls = 0, iv[N] = {0}, square[N] = {0}, promised[N] = {0};
  for (int run = 0; run < RUNS; run++) {
    problem p;
    double R[(N + 1) * (N + 1)], RZ[(2 * N + 1) * (2 * N + 1)];
    make(&p, (uint64_t)(run + 10), 0.1, 0.5);
    factor(R, (const double *[]){p.W}, 1, p.y);
    factor(RZ, (const double *[]){p.Z, p.W}, 2, p.y);
    assert_ok(rbv_linear_solve(&p.solution, R, ROWS, &p.selection));
    ls += p.x[3] / RUNS;
    assert_ok(rbv_linear_instruments(&p.solution, NULL, RZ, ROWS, &p.selection));
    for (int c = 0; c < N; c++) {
      iv[c] += p.x[c] / RUNS;
      square[c] += (p.x[c] - truth[c]) * (p.x[c] - truth[c]) / RUNS;
      promised[c] += p.cov[c + c * N] / RUNS;
    }
  }
  // variance 1/2 of a sine against 1/4 of noise: two thirds remain
  assert_near(ls, 3 * 2 / 3.0, 0, 0.05);
  for (int c = 0; c < N; c++) {
    // mean of 200 runs within five standard errors; instruments have a bias of second order only
    assert_near(iv[c], truth[c], 5 * sqrt(promised[c] / RUNS) + 0.01 * fabs(truth[c]), 0);
    // the variance of 200 runs has an accuracy of 10 %; the residual also contains the noise of the
    // columns
    assert_near(sqrt(square[c]), sqrt(promised[c]), 0, 0.3);
  }
}

static void test_selection_leaves_the_rest_at_zero(void **state) {
  (void)state;
  problem p;
  double RZ[(2 * N + 1) * (2 * N + 1)];
  make(&p, 3, 0.1, 0.1);
  factor(RZ, (const double *[]){p.Z, p.W}, 2, p.y);
  p.active[0] = 1;
  p.active[1] = 3;
  p.selection.count = 2;
  assert_ok(rbv_linear_instruments(&p.solution, NULL, RZ, ROWS, &p.selection));
  assert_true(p.x[0] == 0 && p.x[2] == 0 && p.x[1] != 0 && p.x[3] != 0);
  assert_true(p.cov[0] == 0 && p.cov[1 + N] > 0);
}

static rbv_status solve_all(void *state) {
  problem *p = state;
  double RZ[(2 * N + 1) * (2 * N + 1)];
  factor(RZ, (const double *[]){p->Z, p->W}, 2, p->y);
  instrument_quality quality;
  return rbv_linear_instruments(&p->solution, &quality, RZ, ROWS, &p->selection);
}

static rbv_status solve_factor(void *state) {
  problem *p = state;
  instrument_quality quality;
  static double RZ[(2 * N + 1) * (2 * N + 1)];
  for (int c = 0; c < 2 * N + 1; c++)
    for (int r = 0; r <= c; r++) RZ[r + c * (2 * N + 1)] = r == c ? 2 : 1 / (1.0 + c + r);
  return rbv_linear_instruments(&p->solution, &quality, RZ, ROWS, &p->selection);
}

/* The F quantile of 5 % with 1 and 100 degrees of freedom is 3.936 (tables): a second unknown whose
 * F is one percent below is dropped, one percent above it is kept. */
static void test_reduction_stops_at_the_quantile(void **state) {
  (void)state;
  for (int above = 0; above < 2; above++) {
    // a diagonal R factor: rss = 100 with 100 degrees of freedom, so that F is the square of the
    // entry
    const double F = above ? 3.97 : 3.90, R[9] = {1, 0, 0, 0, 1, 0, 100, sqrt(F), 10};
    double x[2], cov[4];
    int active[2] = {0, 1};
    solution a = {.x = x, .cov = cov};
    selection s = {2, 2, active};
    assert_ok(rbv_linear_reduce(&a, &s, R, 102, NULL));
    assert_int_equal(s.count, above ? 2 : 1);
    assert_near(x[0], 100, 0, 1e-15);
    assert_near(x[1], above ? sqrt(F) : 0, 0, 1e-15);
  }
}

static void test_each_allocation_may_fail(void **state) {
  (void)state;
  problem p;
  make(&p, 4, 0.1, 0.1);
  assert_ok(solve_all(&p));
  fail_each_allocation(solve_factor, &p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_own_instruments_equal_least_squares),
      cmocka_unit_test(test_instruments_are_orthogonal_to_the_residual),
      cmocka_unit_test(test_bias_and_spread),
      cmocka_unit_test(test_selection_leaves_the_rest_at_zero),
      cmocka_unit_test(test_reduction_stops_at_the_quantile),
      cmocka_unit_test(test_each_allocation_may_fail),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
