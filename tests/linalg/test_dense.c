#include <cblas.h>
#include <float.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <roberval/sys/linalg.h>

#include "base/support.h"
#include "linalg/linalg_internal.h"
#include "support.h"

#define EPS DBL_EPSILON

static void fill(double *A, int count, uint64_t seed) {
  for (int k = 0; k < count; k++) A[k] = rbv_random_normal(seed, 2, (uint64_t)k);
}

/* C = A B, A m x k, B k x n */
static void multiply(double *C, const double *A, const double *B, int m, int k, int n) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      C[i + j * m] = 0;
      for (int l = 0; l < k; l++) C[i + j * m] += A[i + l * m] * B[l + j * k];
    }
}

/* C = A'B, A k x m, B k x n */
static void multiply_transposed(double *C, const double *A, const double *B, int m, int k, int n) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      C[i + j * m] = 0;
      for (int l = 0; l < k; l++) C[i + j * m] += A[l + i * k] * B[l + j * k];
    }
}

static void assert_close(const double *got, const double *want, int count, double bound) {
  for (int k = 0; k < count; k++) assert_near(got[k], want[k], bound, 0);
}

static void assert_identity(const double *A, int n, double bound) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) assert_near(A[i + j * n], i == j, bound, 0);
}

/* ---- rank ---- */

/* columns (3, 4), (6, 8) and (0, 0): one pivot of size 10, all others are zero */
static void test_rank_by_hand(void **state) {
  (void)state;
  double A[] = {3, 4, 6, 8, 0, 0};
  int pivot[3];
  rbv_rank_info info;
  assert_ok(rbv_rank(&info, pivot, A, 2, 3, 2, 1e-10));
  assert_int_equal(info.rank, 1);
  assert_int_equal(pivot[0], 1);
  assert_near(info.largest, 10, 4 * 10 * EPS, 0);
  assert_near(info.accepted, 10, 4 * 10 * EPS, 0);
  assert_near(info.rejected, 0, 4 * 10 * EPS, 0);
  assert_true(info.gap > 1e14);
}

static void test_rank_of_zero_and_of_identity(void **state) {
  (void)state;
  double zero[6] = {0}, one[] = {1, 0, 0, 1};
  rbv_rank_info info;
  assert_ok(rbv_rank(&info, NULL, zero, 3, 2, 3, 1e-10));
  assert_int_equal(info.rank, 0);
  assert_true(info.accepted == 0 && info.largest == 0 && isinf(info.gap));
  assert_ok(rbv_rank(&info, NULL, one, 2, 2, 2, 0));
  assert_int_equal(info.rank, 2);
  assert_true(info.rejected == 0 && isinf(info.gap));
}

/*
 * A = B C of rank 9, 40 x 25: pivots after the ninth are rounding errors, so the gap is wide. The
 * columns are scaled to unit norm before the call, so the scale that they had before must not
 * change the rank. Powers of two do not even change the digits. Powers of ten do, and rounding then
 * decides the order of the columns, which have equal norm.
 */
static void test_rank_of_products_shows_a_gap(void **state) {
  (void)state;
  enum { m = 40, n = 25, r = 9 };
  const double base[] = {1, 2, 10};
  double B[m * r], C[r * n], A[m * n], work[m * n];
  for (uint64_t seed = 0; seed < 20; seed++) {
    fill(B, m * r, 100 + seed), fill(C, r * n, 200 + seed);
    multiply(A, B, C, m, r, n);
    rbv_rank_info info[3];
    int pivot[3][n];
    for (int c = 0; c < 3; c++) {
      for (int j = 0; j < n; j++) {
        double norm = 0;
        for (int i = 0; i < m; i++) {
          work[i + j * m] = A[i + j * m] * pow(base[c], j % 7 - 3);
          norm += work[i + j * m] * work[i + j * m];
        }
        for (int i = 0; i < m; i++) work[i + j * m] /= sqrt(norm);
      }
      assert_ok(rbv_rank(&info[c], pivot[c], work, m, n, m, 1e-10));
      assert_int_equal(info[c].rank, r);
      // columns have unit norm: rejected pivots are below m eps |A|, |A| <= sqrt(n); accepted ones
      // are above 1e-3
      assert_true(info[c].rejected <= m * EPS * sqrt(n));
      assert_true(info[c].accepted > 1e-3);
      assert_near(info[c].gap, info[c].accepted / info[c].rejected, 0, 0);
      assert_near(info[c].largest, 1, n * EPS, 0);
      // A holds R
      assert_near(fabs(work[(r - 1) * (m + 1)]), info[c].accepted, 0, 0);
      int seen[n] = {0};
      for (int j = 0; j < n; j++) seen[pivot[c][j]]++;
      for (int j = 0; j < n; j++) assert_int_equal(seen[j], 1);
    }
    assert_memory_equal(pivot[0], pivot[1], sizeof pivot[0]);
    assert_true(info[0].accepted == info[1].accepted && info[0].gap == info[1].gap);
  }
}

/* ---- solving ---- */

static void test_triangle_by_hand(void **state) {
  (void)state;
  // R = [2 1; 0 4], leading dimension 3; elements below the diagonal must not be read
  const double R[] = {2, NAN, NAN, 1, 4, NAN}, inverse[] = {0.5, 0, -0.125, 0.25};
  double B[] = {4, 8, 2, 0}, Rinv[4];
  assert_ok(rbv_solve_upper(B, 2, 2, R, 2, 3));
  const double want[] = {1, 2, 1, 0};
  assert_close(B, want, 4, 4 * EPS);
  assert_ok(rbv_invert_upper(Rinv, R, 2, 3));
  assert_close(Rinv, inverse, 4, EPS);
}

static void test_inverse_of_triangle(void **state) {
  (void)state;
  enum { n = 30 };
  double R[n * n], Rinv[n * n], P[n * n];
  fill(R, n * n, 5);
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++) R[i + j * n] = i > j ? 0 : i == j ? 10 : R[i + j * n];
  assert_ok(rbv_invert_upper(Rinv, R, n, n));
  multiply(P, R, Rinv, n, n, n);
  // bound: n eps |R| |inv R|, norms 50 and 1
  assert_identity(P, n, n * EPS * 50);
}

static void test_singular_systems_are_refused(void **state) {
  (void)state;
  const double R[] = {1, 0, 1, 0}, A[] = {1, 2, 2, 4}, tiny[] = {1e-200, 0, 0, 1};
  double B[] = {1, 1}, huge[] = {1e200, 1}, Rinv[4];
  assert_refused(rbv_solve_upper(B, 1, 2, R, 2, 2), RBV_ENUM, "R is singular: pivot 1 is zero");
  assert_refused(rbv_invert_upper(Rinv, R, 2, 2), RBV_ENUM, "R is singular: pivot 1 is zero");
  assert_refused(rbv_solve_general(B, 1, 2, A, 2, 2), RBV_ENUM, "A is singular: pivot 1 is zero");
  assert_refused(rbv_solve_upper(huge, 1, 2, tiny, 2, 2), RBV_ENUM, "the solution overflows");
}

static void test_general_solve(void **state) {
  (void)state;
  // a zero on the diagonal: [0 2; 3 4] x = (2, 10) has x = (2, 1)
  const double A[] = {0, 3, 2, 4};
  double b[] = {2, 10};
  assert_ok(rbv_solve_general(b, 1, 2, A, 2, 2));
  assert_near(b[0], 2, 8 * EPS, 0);
  assert_near(b[1], 1, 8 * EPS, 0);

  enum { n = 40, nrhs = 3 };
  double M[n * n], X[n * nrhs], B[n * nrhs], got[n * nrhs];
  fill(M, n * n, 6), fill(X, n * nrhs, 7);
  multiply(B, M, X, n, n, nrhs);
  memcpy(X, B, sizeof X);
  assert_ok(rbv_solve_general(X, nrhs, n, M, n, n));
  multiply(got, M, X, n, n, nrhs);
  // residual n eps |M| |X|: |M| = 13, |X| up to 1e3 for a condition number up to 1e3
  assert_close(got, B, n * nrhs, n * EPS * 13 * 1e3);
}

/* x + y = 2, given twice by (1, 1) and (2, 2): (1, 1) is the solution of minimum norm */
static void test_minimum_norm_by_hand(void **state) {
  (void)state;
  const double A[] = {1, 2, 1, 2}, b[] = {2, 4};
  double x[2], s[2];
  int rank;
  assert_ok(rbv_least_squares(x, &rank, s, A, 2, 2, 2, b, 1e-10));
  assert_int_equal(rank, 1);
  assert_near(s[0], sqrt(10), 8 * EPS, 0);
  assert_near(s[1], 0, 8 * EPS, 0);
  assert_near(x[0], 1, 8 * EPS, 0);
  assert_near(x[1], 1, 8 * EPS, 0);
  assert_ok(rbv_least_squares(x, NULL, NULL, A, 2, 2, 2, b, 1e-10));
}

/* optimality: A'(b - A x) = 0; minimum norm: x is in the row space, so V2'x = 0 */
static void test_minimum_norm_on_deficient_matrices(void **state) {
  (void)state;
  enum { r = 6 };
  const int sizes[][2] = {{50, 12}, {12, 50}, {20, 20}};
  double B[50 * r], C[r * 50], A[1000], b[50], x[50], s[50], res[50], g[50], U[1000], Vt[1000];
  for (int c = 0; c < RBV_COUNT(sizes); c++) {
    const int m = sizes[c][0], n = sizes[c][1], k = m < n ? m : n;
    fill(B, m * r, 8), fill(C, r * n, 9), fill(b, m, 10);
    multiply(A, B, C, m, r, n);
    int rank;
    assert_ok(rbv_least_squares(x, &rank, s, A, m, n, m, b, 1e-10));
    assert_int_equal(rank, r);
    multiply(res, A, x, m, n, 1);
    for (int i = 0; i < m; i++) res[i] = b[i] - res[i];
    multiply_transposed(g, A, res, n, m, 1);
    for (int j = 0; j < n; j++) assert_near(g[j], 0, 50 * EPS * s[0] * 10, 0);  // n eps |A| |b|
    assert_ok(rbv_svd(s, U, Vt, A, m, n, m));
    for (int i = r; i < k; i++) {
      double along = 0;
      for (int j = 0; j < n; j++) along += Vt[i + j * k] * x[j];
      assert_near(along, 0, 50 * EPS * s[0] / s[r - 1], 0);  // n eps cond, |x| below 1
    }
  }
}

/* ---- decompositions ---- */

static void test_svd_by_hand(void **state) {
  (void)state;
  const double A[] = {0, 3, -4, 0};
  double s[2];
  assert_ok(rbv_svd(s, NULL, NULL, A, 2, 2, 2));
  assert_near(s[0], 4, 8 * EPS, 0);
  assert_near(s[1], 3, 8 * EPS, 0);
}

static void test_svd_product_reproduces_the_matrix(void **state) {
  (void)state;
  const int sizes[][2] = {{60, 20}, {20, 60}, {30, 30}, {1, 5}, {5, 1}};
  double A[1300], U[1300], Vt[1300], only[1300], got[1300], P[900], V[1300], s[30], values[30];
  for (int c = 0; c < RBV_COUNT(sizes); c++) {
    const int m = sizes[c][0], n = sizes[c][1], k = m < n ? m : n, ld = m + 1;
    fill(A, ld * n, 11);
    assert_ok(rbv_svd(s, U, Vt, A, m, n, ld));
    for (int i = 0; i + 1 < k; i++) assert_true(s[i] >= s[i + 1]);
    // U and V are orthogonal to n eps; the product reproduces A to n eps |A|
    multiply_transposed(P, U, U, k, m, k);
    assert_identity(P, k, 60 * EPS);
    for (int i = 0; i < k; i++)
      for (int j = 0; j < n; j++) V[j + i * n] = Vt[i + j * k];
    multiply_transposed(P, V, V, k, n, k);
    assert_identity(P, k, 60 * EPS);
    for (int i = 0; i < k; i++)
      for (int j = 0; j < n; j++) V[i + j * k] = s[i] * Vt[i + j * k];
    multiply(got, U, V, m, k, n);
    for (int j = 0; j < n; j++) assert_close(got + j * m, A + j * ld, m, 60 * EPS * s[0]);
    // the results are the same when fewer outputs are requested
    assert_ok(rbv_svd(values, NULL, NULL, A, m, n, ld));
    assert_close(values, s, k, 60 * EPS * s[0]);
    assert_ok(rbv_svd(values, only, NULL, A, m, n, ld));
    assert_close(only, U, m * k, 0);
    assert_ok(rbv_svd(values, NULL, only, A, m, n, ld));
    assert_close(only, Vt, k * n, 0);
  }
}

static void test_condition(void **state) {
  (void)state;
  // diag(1, 1e-6) above a row of zeros: condition number 1e6, after scaling 1
  const double D[] = {1, 0, 0, 0, 1e-6, 0}, Z[] = {1, 2, 0, 0}, wide[] = {1, 2};
  double cond, scaled;
  assert_ok(rbv_condition(&cond, &scaled, D, 3, 2, 3));
  assert_near(cond, 1e6, 0, 1e6 * 4 * EPS);  // relative error of the condition number is cond * eps
  assert_near(scaled, 1, 4 * EPS, 0);
  assert_ok(rbv_condition(&cond, &scaled, Z, 2, 2, 2));
  assert_true(isinf(cond) && isinf(scaled));
  assert_ok(rbv_condition(&cond, NULL, wide, 1, 2, 1));
  assert_true(isinf(cond));

  enum { m = 80, n = 15 };
  double A[m * n], s[n];
  fill(A, m * n, 12);
  assert_ok(rbv_svd(s, NULL, NULL, A, m, n, m));
  assert_ok(rbv_condition(&cond, NULL, A, m, n, m));
  assert_near(cond, s[0] / s[n - 1], 0, m * EPS * 5);  // cond of a tall random matrix: below 5
  // the scaled condition number does not depend on the scale of the columns
  double before;
  assert_ok(rbv_condition(NULL, &before, A, m, n, m));
  for (int k = 0; k < m * n; k++) A[k] *= pow(10, k / m % 5 * 3 - 6);
  assert_ok(rbv_condition(NULL, &scaled, A, m, n, m));
  assert_near(scaled, before, 0, m * EPS * 5);
}

static void test_cholesky(void **state) {
  (void)state;
  // [4 2; 2 10] = [2 0; 1 3] [2 1; 0 3]; the upper triangle must not be read
  double A[] = {4, 2, NAN, 10}, indefinite[] = {1, 2, 2, 1}, zero[] = {0};
  const double want[] = {2, 1, 0, 3};
  bool definite;
  assert_ok(rbv_cholesky(&definite, A, 2, 2));
  assert_true(definite);
  assert_close(A, want, 4, 4 * EPS);
  // [4 2; 2 10] [1; 2] = [8; 22]; the second right-hand side is twice the first
  double b[] = {8, 22, 16, 44};
  const double x[] = {1, 2, 2, 4};
  assert_ok(rbv_solve_cholesky(b, 2, 2, A, 2, 2));
  assert_close(b, x, 4, 16 * EPS);
  A[3] = 0;
  assert_refused(rbv_solve_cholesky(b, 2, 2, A, 2, 2), RBV_ENUM, "L is singular: pivot 1");
  assert_ok(rbv_cholesky(&definite, indefinite, 2, 2));
  assert_false(definite);
  assert_ok(rbv_cholesky(&definite, zero, 1, 1));
  assert_false(definite);

  enum { n = 50 };
  double B[n * n], S[n * n], L[n * n], Lt[n * n], got[n * n];
  fill(B, n * n, 13);
  multiply_transposed(S, B, B, n, n, n);
  memcpy(L, S, sizeof L);
  assert_ok(rbv_cholesky(&definite, L, n, n));
  assert_true(definite);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) Lt[i + j * n] = L[j + i * n];
  multiply(got, L, Lt, n, n, n);
  assert_close(got, S, n * n, n * EPS * 200);  // n eps |S|, |S| near 4 n
}

static void test_eigen(void **state) {
  (void)state;
  // [2 1; 1 2]: eigenvalue 1 with (1, -1), 3 with (1, 1); the upper triangle must not be read
  const double A[] = {2, 1, NAN, 2};
  double values[50], v[4];
  assert_ok(rbv_eigen_symmetric(values, v, A, 2, 2));
  assert_near(values[0], 1, 8 * EPS, 0);
  assert_near(values[1], 3, 8 * EPS, 0);
  assert_near(v[0] + v[1], 0, 8 * EPS, 0);
  assert_near(v[2] - v[3], 0, 8 * EPS, 0);

  enum { n = 50 };
  double S[n * n], V[n * n], SV[n * n], P[n * n], only[n];
  fill(S, n * n, 14);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++) S[j + i * n] = S[i + j * n];
  assert_ok(rbv_eigen_symmetric(values, V, S, n, n));
  multiply_transposed(P, V, V, n, n, n);
  assert_identity(P, n, n * EPS);
  multiply(SV, S, V, n, n, n);
  // n eps |S|, |S| near 2 sqrt(n) = 14
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      assert_near(SV[i + j * n], values[j] * V[i + j * n], n * EPS * 14, 0);
  assert_ok(rbv_eigen_symmetric(only, NULL, S, n, n));
  assert_close(only, values, n, n * EPS * 14);
  for (int i = 0; i + 1 < n; i++) assert_true(values[i] <= values[i + 1]);
}

/* ---- refusals, memory, threads ---- */

static void test_values_that_are_not_finite_are_refused(void **state) {
  (void)state;
  const double bad[] = {NAN, INFINITY};
  const char *here = "A is not finite in row 1, column 1";
  for (int c = 0; c < RBV_COUNT(bad); c++) {
    double A[] = {2, 1, 1, bad[c]}, B[] = {1, bad[c]}, good[] = {2, 1, 1, 2}, out[4], s[2];
    rbv_rank_info info;
    bool definite = true;
    assert_refused(rbv_rank(&info, NULL, A, 2, 2, 2, 1e-9), RBV_ENUM, here);
    assert_refused(rbv_solve_upper(out, 1, 2, A, 2, 2), RBV_ENUM, "R is not finite in row 1");
    assert_refused(rbv_solve_upper(B, 1, 2, good, 2, 2), RBV_ENUM, "B is not finite in row 1");
    assert_refused(rbv_invert_upper(out, A, 2, 2), RBV_ENUM, "R is not finite in row 1");
    assert_refused(rbv_least_squares(out, NULL, NULL, A, 2, 2, 2, good, 0), RBV_ENUM, here);
    assert_refused(rbv_least_squares(out, NULL, NULL, good, 2, 2, 2, B, 0), RBV_ENUM, "b is not");
    assert_refused(rbv_svd(s, NULL, NULL, A, 2, 2, 2), RBV_ENUM, here);
    assert_refused(rbv_condition(out, out, A, 2, 2, 2), RBV_ENUM, here);
    assert_refused(rbv_cholesky(&definite, A, 2, 2), RBV_ENUM, here);
    assert_false(definite);
    assert_refused(rbv_eigen_symmetric(s, NULL, A, 2, 2), RBV_ENUM, here);
    assert_refused(rbv_solve_general(out, 1, 2, A, 2, 2), RBV_ENUM, here);
    assert_refused(rbv_solve_general(B, 1, 2, good, 2, 2), RBV_ENUM, "B is not finite");
  }
}

static void test_refusals(void **state) {
  (void)state;
  double A[] = {2, 1, 1, 2}, out[4];
  rbv_rank_info info;
  bool definite;
  assert_refused(rbv_rank(NULL, NULL, A, 2, 2, 2, 0), RBV_EARG, "info is NULL");
  assert_refused(rbv_rank(&info, NULL, A, 2, 2, 2, NAN), RBV_EARG, "tol = ");
  assert_refused(rbv_rank(&info, NULL, A, 2, 2, 2, 1), RBV_EARG, "tol = 1 is not in [0, 1)");
  assert_refused(rbv_rank(&info, NULL, NULL, 2, 2, 2, 0), RBV_EARG, "A is NULL");
  assert_refused(rbv_rank(&info, NULL, A, 0, 2, 2, 0), RBV_EDIM, "A is 0 x 2: empty");
  assert_refused(rbv_solve_upper(out, 1, 1, A, 2, 2), RBV_EDIM, "B has 2 rows");
  assert_refused(rbv_solve_upper(NULL, 1, 2, A, 2, 2), RBV_EARG, "B is NULL");
  assert_refused(rbv_invert_upper(NULL, A, 2, 2), RBV_EARG, "Rinv is NULL");
  assert_refused(rbv_invert_upper(out, A, 2, 1), RBV_EDIM, "R has 2 rows");
  assert_refused(rbv_least_squares(NULL, NULL, NULL, A, 2, 2, 2, A, 0), RBV_EARG, "x is NULL");
  assert_refused(rbv_least_squares(out, NULL, NULL, A, 2, 2, 2, NULL, 0), RBV_EARG, "b is NULL");
  assert_refused(rbv_least_squares(out, NULL, NULL, A, 2, 2, 2, A, -1), RBV_EARG, "rcond = -1");
  assert_refused(rbv_svd(NULL, NULL, NULL, A, 2, 2, 2), RBV_EARG, "s is NULL");
  assert_refused(rbv_svd(out, NULL, NULL, A, 2, 0, 2), RBV_EDIM, "A is 2 x 0: empty");
  assert_refused(rbv_condition(out, out, NULL, 2, 2, 2), RBV_EARG, "A is NULL");
  assert_refused(rbv_cholesky(NULL, A, 2, 2), RBV_EARG, "definite is NULL");
  assert_refused(rbv_cholesky(&definite, NULL, 2, 2), RBV_EARG, "A is NULL");
  assert_refused(rbv_eigen_symmetric(NULL, NULL, A, 2, 2), RBV_EARG, "values is NULL");
  assert_refused(rbv_solve_general(out, 0, 2, A, 2, 2), RBV_EDIM, "B is 2 x 0: empty");
}

static rbv_status run_all(void *state) {
  (void)state;
  double A[] = {2, 1, 1, 2}, b[] = {1, 1}, s[2], x[2], U[4], cond, scaled;
  rbv_rank_info info;
  RBV_TRY(rbv_least_squares(x, NULL, s, A, 2, 2, 2, b, 0));
  RBV_TRY(rbv_svd(s, U, NULL, A, 2, 2, 2));
  RBV_TRY(rbv_condition(&cond, &scaled, A, 2, 2, 2));
  RBV_TRY(rbv_eigen_symmetric(s, NULL, A, 2, 2));
  RBV_TRY(rbv_solve_general(b, 1, 2, A, 2, 2));
  return rbv_rank(&info, NULL, A, 2, 2, 2, 1e-9);
}

static void test_each_allocation_fails_once(void **state) { fail_each_allocation(run_all, *state); }

static void test_triangles_and_cholesky_allocate_nothing(void **state) {
  (void)state;
  double A[] = {4, 2, 2, 10}, b[] = {1, 1}, Rinv[4];
  bool definite;
  const long before = rbv_alloc_count();
  assert_ok(rbv_solve_upper(b, 1, 2, A, 2, 2));
  assert_ok(rbv_invert_upper(Rinv, A, 2, 2));
  assert_ok(rbv_cholesky(&definite, A, 2, 2));
  assert_int_equal(rbv_alloc_count(), before);
}

/* calls are nested; the last leave restores the setting */
static void test_guard_limits_openblas_to_one_thread(void **state) {
  (void)state;
  const int host = openblas_get_num_threads();
  openblas_set_num_threads(2);
  const int set = openblas_get_num_threads();  // always 1 in a build without threads
  rbv_blas_enter();
  rbv_blas_enter();
  assert_int_equal(openblas_get_num_threads(), 1);
  rbv_blas_leave();
  assert_int_equal(openblas_get_num_threads(), 1);
  rbv_blas_leave();
  assert_int_equal(openblas_get_num_threads(), set);
  openblas_set_num_threads(host);
}

static void *busy(void *state) {
  for (int k = 0; k < 200; k++)
    if (run_all(NULL) != RBV_OK) *(bool *)state = true;
  return NULL;
}

/* the thread setting of the program is restored after a call, after a failure, and after calls from
 * four threads at once */
static void test_thread_setting_is_restored(void **state) {
  (void)state;
  const int host = openblas_get_num_threads();
  for (int threads = 1; threads <= 2; threads++) {
    openblas_set_num_threads(threads);
    const int set = openblas_get_num_threads();  // always 1 in a build without threads
    assert_ok(run_all(NULL));
    assert_int_equal(openblas_get_num_threads(), set);
    const double singular[] = {1, 2, 2, 4};
    double b[] = {1, 1};
    assert_refused(rbv_solve_general(b, 1, 2, singular, 2, 2), RBV_ENUM, "singular");
    assert_int_equal(openblas_get_num_threads(), set);

    pthread_t workers[4];
    bool failed[4] = {false};
    for (int k = 0; k < 4; k++)
      assert_int_equal(pthread_create(&workers[k], NULL, busy, &failed[k]), 0);
    for (int k = 0; k < 4; k++) {
      pthread_join(workers[k], NULL);
      assert_false(failed[k]);
    }
    assert_int_equal(openblas_get_num_threads(), set);
  }
  openblas_set_num_threads(host);
}

/* threads of this process, -1: not known */
static int thread_count(void) {
  FILE *f = fopen("/proc/self/status", "r");
  char line[256];
  int count = -1;
  while (f && fgets(line, sizeof line, f)) (void)sscanf(line, "Threads: %d", &count);
  if (f) fclose(f);
  return count;
}

/* no thread is left that waits for work, and OpenBLAS computes as before */
static void test_threads_of_openblas_end(void **state) {
  (void)state;
  double A[] = {4, 2, 2, 3}, b[] = {8, 7};
  bool definite;
  rbv_linalg_end_threads();
  assert_int_equal(openblas_get_num_threads(), 1);
  const int left = thread_count();
  if (left >= 0) assert_int_equal(left, 1);
  rbv_linalg_end_threads();
  // 4 x + 2 y = 8, 2 x + 3 y = 7
  assert_ok(rbv_cholesky(&definite, A, 2, 2));
  assert_true(definite);
  assert_ok(rbv_solve_cholesky(b, 1, 2, A, 2, 2));
  assert_near(b[0], 1.25, 4 * EPS, 0);
  assert_near(b[1], 1.5, 4 * EPS, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_rank_by_hand),
      cmocka_unit_test(test_rank_of_zero_and_of_identity),
      cmocka_unit_test(test_rank_of_products_shows_a_gap),
      cmocka_unit_test(test_triangle_by_hand),
      cmocka_unit_test(test_inverse_of_triangle),
      cmocka_unit_test(test_singular_systems_are_refused),
      cmocka_unit_test(test_general_solve),
      cmocka_unit_test(test_minimum_norm_by_hand),
      cmocka_unit_test(test_minimum_norm_on_deficient_matrices),
      cmocka_unit_test(test_svd_by_hand),
      cmocka_unit_test(test_svd_product_reproduces_the_matrix),
      cmocka_unit_test(test_condition),
      cmocka_unit_test(test_cholesky),
      cmocka_unit_test(test_eigen),
      cmocka_unit_test(test_values_that_are_not_finite_are_refused),
      cmocka_unit_test(test_refusals),
      cmocka_unit_test(test_each_allocation_fails_once),
      cmocka_unit_test(test_triangles_and_cholesky_allocate_nothing),
      cmocka_unit_test(test_guard_limits_openblas_to_one_thread),
      cmocka_unit_test(test_thread_setting_is_restored),
      cmocka_unit_test(test_threads_of_openblas_end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
