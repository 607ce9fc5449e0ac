/* Matrix products. OpenBLAS provides them with the Fortran interface. */
#include "linalg/linalg_internal.h"

/* the header of LAPACKE does not declare these */
extern void dsyrk_(const char *uplo, const char *trans, const int *n, const int *k,
                   const double *alpha, const double *a, const int *lda, const double *beta,
                   double *c, const int *ldc);
extern void dgemm_(const char *transa, const char *transb, const int *m, const int *n, const int *k,
                   const double *alpha, const double *a, const int *lda, const double *b,
                   const int *ldb, const double *beta, double *c, const int *ldc);

void rbv_gram_add(double *G, int ldg, const double *A, int nrow, int ncol, int ld) {
  const double one = 1;
  rbv_blas_enter();
  dsyrk_("L", "T", &ncol, &nrow, &one, A, &ld, &one, G, &ldg);
  rbv_blas_leave();
}

void rbv_multiply(double *C, int ldc, const double *A, int lda, const double *B, int ldb, int m,
                  int k, int n) {
  const double one = 1, zero = 0;
  rbv_blas_enter();
  dgemm_("N", "N", &m, &n, &k, &one, A, &lda, B, &ldb, &zero, C, &ldc);
  rbv_blas_leave();
}
