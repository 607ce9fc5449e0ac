#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "linalg/linalg.h"

#include "base/support.h"
#include "linalg/qr_kernel.h"
#include "support.h"

#define EPS DBL_EPSILON

/* m x n standard normal numbers; the caller frees them with free() */
static double *random_matrix(int m, int n, uint64_t seed) {
  double *A = malloc((size_t)m * (size_t)n * sizeof *A);
  for (int k = 0; k < m * n; k++) A[k] = rbv_random_normal(seed, 1, (uint64_t)k);
  return A;
}

static double *square(int n) { return calloc((size_t)n * (size_t)n, sizeof(double)); }

/* C = A'A, A m x n */
static double *gram(const double *A, int m, int n) {
  double *C = square(n);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < m; k++) C[i + j * n] += A[k + i * m] * A[k + j * m];
  return C;
}

static rbv_qr *new_qr(int n) {
  rbv_qr *qr;
  assert_ok(rbv_qr_new(&qr, n));
  return qr;
}

static void assert_close(const double *got, const double *want, int count, double bound) {
  for (int k = 0; k < count; k++) assert_near(got[k], want[k], bound, 0);
}

/* columns (3, 4) and (5, 10): r11 = 5, q1 = (3, 4)/5, r12 = 11, r22 = |(5, 10) - 11 q1| = 2 */
static void test_two_by_two_by_hand(void **state) {
  (void)state;
  const double A[] = {3, 4, 5, 10}, want[] = {5, 0, 11, 2};
  double R[4];
  rbv_qr *qr = new_qr(2);
  assert_int_equal(rbv_qr_columns(qr), 2);
  rbv_qr_get(R, qr);
  for (int k = 0; k < 4; k++) assert_true(R[k] == 0);
  assert_ok(rbv_qr_add(qr, A, 2, 2));
  rbv_qr_get(R, qr);
  assert_close(R, want, 4, 10 * 11 * EPS);  // ten operations on numbers up to 11
  rbv_qr_reset(qr);
  rbv_qr_get(R, qr);
  for (int k = 0; k < 4; k++) assert_true(R[k] == 0);
  rbv_qr_free(qr);
}

/* one column: R is the norm. 5000 rows are more than one tile. */
static void test_one_column_is_a_norm(void **state) {
  (void)state;
  double *A = malloc(5000 * sizeof *A), R;
  for (int k = 0; k < 5000; k++) A[k] = k % 2 ? -2 : 2;
  rbv_qr *qr = new_qr(1);
  assert_ok(rbv_qr_add(qr, A, 5000, 5000));
  rbv_qr_get(&R, qr);
  assert_near(R, 2 * sqrt(5000), 0, 5000 * EPS);  // one rounding per row at most
  rbv_qr_free(qr);
  free(A);
}

static void test_triangle_has_the_gram_matrix_of_the_rows(void **state) {
  (void)state;
  const int sizes[][2] = {{3, 7}, {40, 40}, {3000, 7}, {1500, 61}, {700, 130}};
  for (int c = 0; c < RBV_COUNT(sizes); c++) {
    const int m = sizes[c][0], n = sizes[c][1];
    double *A = random_matrix(m, n, 11), *R = square(n), *want = gram(A, m, n);
    rbv_qr *qr = new_qr(n);
    assert_ok(rbv_qr_add(qr, A, m, m));
    rbv_qr_get(R, qr);
    for (int j = 0; j < n; j++) {
      assert_true(R[j + j * n] >= 0);
      for (int i = j + 1; i < n; i++) assert_true(R[i + j * n] == 0);
    }
    // columns have squared norm near m; backward error n eps per tile, and sums of m terms
    double *got = gram(R, n, n);
    assert_close(got, want, n * n, (n + sqrt(m)) * 4 * EPS * m);
    rbv_qr_free(qr);
    free(A), free(R), free(want), free(got);
  }
}

/* rows are collected in a tile until it is full, so R is the same to the last bit for any split */
static void test_any_split_gives_the_same_bits(void **state) {
  (void)state;
  enum { m = 2311, n = 33 };
  double *A = random_matrix(m, n, 12), *R = square(n), *S = square(n);
  rbv_qr *whole = new_qr(n), *split = new_qr(n);
  assert_ok(rbv_qr_add(whole, A, m, m));
  rbv_qr_get(R, whole);
  const int steps[] = {1, 7, 32, 1000};
  for (int c = 0; c < RBV_COUNT(steps); c++) {
    rbv_qr_reset(split);
    for (int row = 0; row < m; row += steps[c]) {
      const int left = m - row;
      assert_ok(rbv_qr_add(split, A + row, left < steps[c] ? left : steps[c], m));
      if (row % 5 == 0) rbv_qr_get(S, split);  // reading R must not matter either
    }
    rbv_qr_get(S, split);
    assert_memory_equal(R, S, n * n * sizeof *R);
  }
  rbv_qr_free(whole), rbv_qr_free(split);
  free(A), free(R), free(S);
}

static void test_merge_equals_add(void **state) {
  (void)state;
  enum { m = 2000, n = 61 };
  double *A = random_matrix(m, n, 13), *R = square(n), *S = square(n);
  rbv_qr *all = new_qr(n), *first = new_qr(n), *second = new_qr(n);
  assert_ok(rbv_qr_add(all, A, m, m));
  rbv_qr_get(R, all);
  const int cuts[] = {0, 5, 700, 1990, m};  // with and without full tiles in first and second
  for (int c = 0; c < RBV_COUNT(cuts); c++) {
    rbv_qr_reset(first), rbv_qr_reset(second);
    assert_ok(rbv_qr_add(first, A, cuts[c], m));
    assert_ok(rbv_qr_add(second, A + cuts[c], m - cuts[c], m));
    assert_ok(rbv_qr_merge(first, second));
    rbv_qr_get(S, first);
    // backward error n eps |A|, |A| near sqrt(m); the condition number of such a tall matrix is
    // below 2
    assert_close(S, R, n * n, 2 * n * EPS * sqrt(m));
  }
  rbv_qr_free(all), rbv_qr_free(first), rbv_qr_free(second);
  free(A), free(R), free(S);
}

/*
 * The polynomials up to degree 7 on [1, 2] have a condition number of about 1e8. The error of x
 * from R is cond * eps, 1e-8 or better. The error of the normal equations is cond^2 * eps: no
 * correct digit is left.
 */
static void test_ill_conditioned_fit_beats_normal_equations(void **state) {
  (void)state;
  enum { m = 4000, n = 8 };
  double *A = malloc(m * (n + 1) * sizeof *A), R[(n + 1) * (n + 1)], x[n], y[n];
  for (int i = 0; i < m; i++) {
    A[i] = 1;
    for (int j = 1; j < n; j++) A[i + j * m] = A[i + (j - 1) * m] * (1 + (double)i / m);
    A[i + n * m] = 0;
    for (int j = 0; j < n; j++) A[i + n * m] += A[i + j * m];  // solution: ones
  }
  double cond;
  assert_ok(rbv_condition(&cond, NULL, A, m, n, m));
  assert_true(cond > 1e7 && cond < 1e10);

  rbv_qr *qr = new_qr(n + 1);
  assert_ok(rbv_qr_add(qr, A, m, m));
  rbv_qr_get(R, qr);
  memcpy(x, R + n * (n + 1), sizeof x);
  assert_ok(rbv_solve_upper(x, 1, n, R, n, n + 1));
  // error n eps |b| of b and about (n + 1) eps |A| of the QR, both times cond
  for (int j = 0; j < n; j++) assert_near(x[j], 1, 2 * (n + 1) * EPS * cond, 0);

  double *C = gram(A, m, n + 1), L[n * n], worst = 0, good = 0;
  for (int j = 0; j < n; j++) memcpy(L + j * n, C + j * (n + 1), n * sizeof *L);
  memcpy(y, C + n * (n + 1), sizeof y);
  assert_ok(rbv_solve_general(y, 1, n, L, n, n));
  for (int j = 0; j < n; j++) {
    worst = fmax(worst, fabs(y[j] - 1));
    good = fmax(good, fabs(x[j] - 1));
  }
  assert_true(worst > 1000 * good);  // error ratio cond^2 / cond is 1e8; 1000 leaves a margin
  rbv_qr_free(qr);
  free(A), free(C);
}

/* column norms over 24 decades: each column keeps its own relative accuracy */
static void test_graded_columns(void **state) {
  (void)state;
  enum { m = 900, n = 25 };
  double *A = random_matrix(m, n, 14), *R = square(n), *S = square(n);
  rbv_qr *qr = new_qr(n);
  assert_ok(rbv_qr_add(qr, A, m, m));
  rbv_qr_get(R, qr);
  for (int j = 0; j < n; j++)
    for (int i = 0; i < m; i++) A[i + j * m] *= pow(10, j - 12);
  rbv_qr_reset(qr);
  assert_ok(rbv_qr_add(qr, A, m, m));
  rbv_qr_get(S, qr);
  // scaling a column scales that column of R; n eps of its norm, which is near sqrt(m)
  for (int j = 0; j < n; j++)
    for (int i = 0; i <= j; i++)
      assert_near(S[i + j * n] / pow(10, j - 12), R[i + j * n], 2 * n * EPS * sqrt(m), 0);
  rbv_qr_free(qr);
  free(A), free(R), free(S);
}

static void test_leading_dimension_larger_than_rows(void **state) {
  (void)state;
  // leading dimension 3 for two rows: the third element of each column must not be read
  const double A[] = {3, 4, NAN, 5, 10, NAN}, want[] = {5, 0, 11, 2};
  double R[4];
  rbv_qr *qr = new_qr(2);
  assert_ok(rbv_qr_add(qr, A, 2, 3));
  rbv_qr_get(R, qr);
  assert_close(R, want, 4, 10 * 11 * EPS);
  rbv_qr_free(qr);
}

static void test_bad_values_change_nothing(void **state) {
  (void)state;
  enum { m = 3000, n = 20 };
  double *A = random_matrix(m, n, 15), *R = square(n), *S = square(n);
  rbv_qr *qr = new_qr(n);
  assert_ok(rbv_qr_add(qr, A, m, m));
  rbv_qr_get(R, qr);
  const double bad[] = {NAN, INFINITY, -INFINITY};
  for (int c = 0; c < RBV_COUNT(bad); c++) {
    const double was = A[2999 + 19 * m];
    A[2999 + 19 * m] = bad[c];
    assert_refused(rbv_qr_add(qr, A, m, m), RBV_ENUM, "A is not finite in row 2999, column 19");
    A[2999 + 19 * m] = was;
    rbv_qr_get(S, qr);
    assert_memory_equal(R, S, n * n * sizeof *R);
  }
  rbv_qr_free(qr);
  free(A), free(R), free(S);
}

static void test_refusals(void **state) {
  (void)state;
  const double A[4] = {1, 2, 3, 4};
  rbv_qr *qr = new_qr(2), *other = new_qr(3), *none = qr;
  assert_refused(rbv_qr_new(NULL, 2), RBV_EARG, "out is NULL");
  assert_refused(rbv_qr_new(&none, 0), RBV_EDIM, "ncol = 0");
  assert_null(none);
  assert_refused(rbv_qr_add(NULL, A, 1, 1), RBV_EARG, "qr is NULL");
  assert_refused(rbv_qr_add(qr, NULL, 1, 1), RBV_EARG, "A is NULL");
  assert_refused(rbv_qr_add(qr, A, -1, 1), RBV_EDIM, "A is -1 x 2");
  assert_refused(rbv_qr_add(qr, A, 2, 1), RBV_EDIM, "leading dimension is 1");
  assert_refused(rbv_qr_merge(qr, NULL), RBV_EARG, "other is NULL");
  assert_refused(rbv_qr_merge(NULL, qr), RBV_EARG, "qr is NULL");
  assert_refused(rbv_qr_merge(qr, qr), RBV_EARG, "itself");
  assert_refused(rbv_qr_merge(qr, other), RBV_EDIM, "other has 3 columns, qr 2");
  assert_ok(rbv_qr_add(qr, NULL, 0, 0));
  rbv_qr_free(qr), rbv_qr_free(other), rbv_qr_free(NULL);
}

static void test_only_new_allocates(void **state) {
  (void)state;
  enum { m = 5000, n = 30 };
  double *A = random_matrix(m, n, 16), *R = square(n);
  rbv_qr *qr = new_qr(n), *other = new_qr(n);
  const long before = rbv_alloc_count();
  assert_ok(rbv_qr_add(qr, A, m, m));
  assert_ok(rbv_qr_add(other, A, 17, m));
  assert_ok(rbv_qr_merge(other, qr));
  rbv_qr_get(R, other);
  assert_int_equal(rbv_alloc_count(), before);
  rbv_qr_free(qr), rbv_qr_free(other);
  free(A), free(R);
}

static rbv_status make_one(void *state) {
  (void)state;
  rbv_qr *qr = NULL;
  const rbv_status status = rbv_qr_new(&qr, 10);
  if (status != RBV_OK) assert_null(qr);
  rbv_qr_free(qr);
  return status;
}

static void test_allocation_failures(void **state) { fail_each_allocation(make_one, *state); }

/* Every vector width gives the same triangle. 17, 45 and 61 columns: panels that are not full; 100
 * and 30 rows: less than a tile, and padded rows. */
static void test_widths_agree(void **state) {
  (void)state;
  const int sizes[][2] = {{900, 8}, {3000, 17}, {100, 45}, {1500, 61}, {30, 40}};
  const int widths[] = {2, 4, 8};
  for (int c = 0; c < RBV_COUNT(sizes); c++) {
    const int m = sizes[c][0], n = sizes[c][1];
    double *A = random_matrix(m, n, 17), *want = gram(A, m, n);
    for (int w = 0; w < RBV_COUNT(widths); w++) {
      double *R = square(n);
      rbv_qr_limit_width(widths[w]);
      rbv_qr *qr = new_qr(n);
      rbv_qr_limit_width(0);
      assert_ok(rbv_qr_add(qr, A, m, m));
      rbv_qr_get(R, qr);
      double *got = gram(R, n, n);
      // as in test_triangle_has_the_gram_matrix_of_the_rows
      assert_close(got, want, n * n, (n + sqrt(m)) * 4 * EPS * m);
      rbv_qr_free(qr);
      free(R), free(got);
    }
    free(A), free(want);
  }
}

/* Rows of triangles, whose zeros the kernel skips: alone, after other rows, and with columns of
 * zeros on the left. The Gram matrix of a triangle and of the rows that it comes from are equal. */
static void test_triangles_are_rows(void **state) {
  (void)state;
  enum { m = 400, n = 29, zero = 3 };
  double *A = random_matrix(m, n, 18), *T = square(n), *R = square(n);
  for (int i = 0; i < zero * m; i++) A[i] = 0;
  rbv_qr *part = new_qr(n), *qr = new_qr(n);
  assert_ok(rbv_qr_add(part, A, m, m));
  rbv_qr_get(T, part);
  double *want = gram(A, m, n);
  for (int times = 1; times <= 3; times++) {
    rbv_qr_reset(qr);
    for (int i = 0; i < times; i++)
      assert_ok(i ? rbv_qr_add(qr, T, n, n) : rbv_qr_add(qr, A, m, m));
    rbv_qr_get(R, qr);
    double *got = gram(R, n, n);
    for (int k = 0; k < n * n; k++) got[k] /= times;
    assert_close(got, want, n * n, (n + sqrt(m)) * 4 * EPS * m);
    free(got);
  }
  rbv_qr_start(qr, T);
  assert_ok(rbv_qr_add(qr, T, n, n));
  rbv_qr_get(R, qr);
  for (int k = 0; k < n * n; k++) assert_near(R[k], sqrt(2) * T[k], 2 * n * EPS * sqrt(m), 0);
  rbv_qr_free(part), rbv_qr_free(qr);
  free(A), free(T), free(R), free(want);
}

/* Squares of these numbers overflow or underflow, also if the columns differ. Powers of two are
 * exact, so that the bound is that of numbers near 1. */
static void test_extreme_numbers(void **state) {
  (void)state;
  enum { m = 300, n = 10 };
  const int powers[][2] = {{900, 0}, {-900, 0}, {700, -700}, {-1040, 0}, {0, -1000}};
  double *A = random_matrix(m, n, 19), *B = malloc(m * n * sizeof *B);
  double *R = square(n), *S = square(n);
  rbv_qr *qr = new_qr(n);
  assert_ok(rbv_qr_add(qr, A, m, m));
  rbv_qr_get(R, qr);
  for (int c = 0; c < RBV_COUNT(powers); c++) {
    for (int j = 0; j < n; j++)
      for (int i = 0; i < m; i++) B[i + j * m] = ldexp(A[i + j * m], powers[c][j % 2]);
    rbv_qr_reset(qr);
    assert_ok(rbv_qr_add(qr, B, m, m));
    rbv_qr_get(S, qr);
    // below 2^-1022 a number of A has fewer digits, on which all columns of R depend
    const double lost = powers[c][0] < -1022 ? ldexp(1, -1074 - powers[c][0]) * m : 0;
    for (int j = 0; j < n; j++)
      for (int i = 0; i <= j; i++)
        assert_near(ldexp(S[i + j * n], -powers[c][j % 2]), R[i + j * n],
                    2 * n * EPS * sqrt(m) + lost, 0);
  }
  rbv_qr_free(qr);
  free(A), free(B), free(R), free(S);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_two_by_two_by_hand),
      cmocka_unit_test(test_one_column_is_a_norm),
      cmocka_unit_test(test_triangle_has_the_gram_matrix_of_the_rows),
      cmocka_unit_test(test_any_split_gives_the_same_bits),
      cmocka_unit_test(test_merge_equals_add),
      cmocka_unit_test(test_ill_conditioned_fit_beats_normal_equations),
      cmocka_unit_test(test_graded_columns),
      cmocka_unit_test(test_widths_agree),
      cmocka_unit_test(test_triangles_are_rows),
      cmocka_unit_test(test_extreme_numbers),
      cmocka_unit_test(test_leading_dimension_larger_than_rows),
      cmocka_unit_test(test_bad_values_change_nothing),
      cmocka_unit_test(test_refusals),
      cmocka_unit_test(test_only_new_allocates),
      cmocka_unit_test(test_allocation_failures),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
