/* Kernels of every width that this processor runs, against plain sums. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/support.h"
#include "linalg/product_kernel.h"
#include "support.h"

#define EPS DBL_EPSILON
#define SIZE 4096  // of every array

static const int widths[] = {2, 4, 8};

/* NULL: this processor cannot run it */
static const product_kernel *kernel_of(int width) {
  const product_kernel *k = rbv_product_kernel(width);
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
    const product_kernel *k = kernel_of(widths[w]);
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
    const product_kernel *k = kernel_of(widths[w]);
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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_products),
      cmocka_unit_test(test_gram_matrices),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
