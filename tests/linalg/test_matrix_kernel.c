/* Kernels of every width that this processor runs, against plain sums. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/support.h"
#include "linalg/matrix_kernel.h"
#include "support.h"

#define EPS DBL_EPSILON
#define SIZE 4096  // of every array

static const int widths[] = {2, 4, 8};

/* NULL: this processor cannot run it */
static const matrix_kernel *kernel_of(int width) {
  const matrix_kernel *k = rbv_matrix_kernel(width);
  return k->width == width ? k : NULL;
}

static void draw(double *x, uint64_t stream) {
  for (int i = 0; i < SIZE; i++) x[i] = rbv_random_normal(7, stream, (uint64_t)i);
}

/* every remainder of rows and columns; numbers beside the result stay as they are */
static void test_products(void **state) {
  (void)state;
  static double A[SIZE], B[SIZE], C[SIZE], before[SIZE];
  draw(A, 1);
  draw(B, 2);
  for (int w = 0; w < RBV_COUNT(widths); w++) {
    const matrix_kernel *k = kernel_of(widths[w]);
    for (int m = 1; m <= 19 && k; m++)
      for (int n = 1; n <= 6; n++) {
        const int inner = 1 + (m + 3 * n) % 11, lda = 23, ldb = 13, ldc = 21;
        draw(C, 3);
        memcpy(before, C, sizeof C);
        k->multiply(C, ldc, A, lda, B, ldb, m, inner, n);
        for (int j = 0; j < n; j++)
          for (int i = 0; i < ldc; i++) {
            double want = 0, size = 0;
            for (int p = 0; p < inner; p++) {
              want += A[i + p * lda] * B[p + j * ldb];
              size += fabs(A[i + p * lda] * B[p + j * ldb]);
            }
            if (i < m)
              assert_near(C[i + j * ldc], want, inner * EPS * size, 0);
            else
              assert_true(C[i + j * ldc] == before[i + j * ldc]);
          }
      }
  }
}

static void test_gram_matrices(void **state) {
  (void)state;
  static double A[SIZE], G[SIZE], before[SIZE];
  draw(A, 4);
  for (int w = 0; w < RBV_COUNT(widths); w++) {
    const matrix_kernel *k = kernel_of(widths[w]);
    for (int m = 1; m <= 19 && k; m++)
      for (int n = 1; n <= 14; n++) {
        const int lda = 23, ldg = 15;
        draw(G, 5);
        memcpy(before, G, sizeof G);
        k->gram_add(G, ldg, A, lda, m, n);
        for (int j = 0; j < n; j++)
          for (int i = 0; i < n; i++) {
            double want = before[i + j * ldg], size = fabs(want);
            for (int p = 0; p < m && i >= j; p++) {
              want += A[p + i * lda] * A[p + j * lda];
              size += fabs(A[p + i * lda] * A[p + j * lda]);
            }
            assert_near(G[i + j * ldg], want, i >= j ? (m + 1) * EPS * size : 0, 0);
          }
      }
  }
}

/*
 * The new triangle has the Gram matrix of the old one and the tile: columns of a size each, down to
 * values whose squares are zero and up to values whose squares are infinite.
 */
static void check_fold(const matrix_kernel *k, int m, int n, const double *size) {
  static double R[SIZE], tile[SIZE], R0[SIZE], tile0[SIZE];
  const int ld = m + 5;
  draw(R, 6);
  draw(tile, 8);
  for (int j = 0; j < n; j++) {
    for (int i = 0; i < n; i++) R[i + j * n] *= i > j ? NAN : size[j];
    for (int i = 0; i < m; i++) tile[i + j * ld] *= size[j];
  }
  memcpy(R0, R, sizeof R);
  memcpy(tile0, tile, sizeof tile);
  k->fold(R, n, tile, ld, m);
  for (int a = 0; a < n; a++)
    for (int b = 0; b <= a; b++) {
      double want = 0, got = 0, all = 0;
      for (int i = 0; i <= b; i++) {
        want += R0[i + a * n] / size[a] * (R0[i + b * n] / size[b]);
        got += R[i + a * n] / size[a] * (R[i + b * n] / size[b]);
      }
      for (int i = 0; i < m; i++)
        want += tile0[i + a * ld] / size[a] * (tile0[i + b * ld] / size[b]);
      for (int i = 0; i < m; i++) all += pow(tile0[i + a * ld] / size[a], 2) + 1;
      assert_near(got, want, 20 * n * EPS * all, 0);
    }
}

static void test_triangles(void **state) {
  (void)state;
  double size[40];
  for (int w = 0; w < RBV_COUNT(widths); w++) {
    const matrix_kernel *k = kernel_of(widths[w]);
    if (!k) continue;
    for (int n = 1; n <= 26; n++)
      for (int m = 8; m <= 40; m += 8) {
        for (int j = 0; j < n; j++) size[j] = 1;
        check_fold(k, m, n, size);
        for (int j = 0; j < n; j++) size[j] = pow(10, 12 * (j % 3) - 12);
        check_fold(k, m, n, size);
        for (int j = 0; j < n; j++) size[j] = j % 2 ? 1e-200 : 1e200;
        check_fold(k, m, n, size);
      }
  }
}

/* no reflection is needed where nothing is below the diagonal */
static void test_zero_rows_change_nothing(void **state) {
  (void)state;
  static double R[SIZE], tile[SIZE], R0[SIZE];
  draw(R, 9);
  memcpy(R0, R, sizeof R);
  for (int w = 0; w < RBV_COUNT(widths); w++) {
    const matrix_kernel *k = kernel_of(widths[w]);
    if (!k) continue;
    memset(tile, 0, sizeof tile);
    k->fold(R, 21, tile, 16, 16);
    assert_memory_equal(R, R0, sizeof R);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_products),
      cmocka_unit_test(test_gram_matrices),
      cmocka_unit_test(test_triangles),
      cmocka_unit_test(test_zero_rows_change_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
