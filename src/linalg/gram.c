/* Matrix products. */
#include "linalg/linalg_internal.h"
#include "linalg/product_kernel.h"

void rbv_gram_add(double *G, int ldg, const double *A, int nrow, int ncol, int ld) {
  rbv_product_kernel(PRODUCT_LANES)->gram_add(G, ldg, A, ld, nrow, ncol);
}

void rbv_multiply(double *C, int ldc, const double *A, int lda, const double *B, int ldb, int m,
                  int k, int n) {
  rbv_product_kernel(PRODUCT_LANES)->multiply(C, ldc, A, lda, B, ldb, m, k, n);
}
