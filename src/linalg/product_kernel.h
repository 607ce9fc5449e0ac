/*
 * Products of matrices of up to a few hundred columns, compiled from one source for several vector
 * widths; the lanes are rows. The functions of OpenBLAS are made for large matrices, and on a
 * processor that it does not know it uses its oldest instructions. Results are equal up to
 * rounding.
 *
 * All matrices are stored by columns.
 */
#ifndef LINALG_PRODUCT_KERNEL_H
#define LINALG_PRODUCT_KERNEL_H

#include <stddef.h>

#define PRODUCT_LANES 8  // of the widest kernel

typedef struct {
  int width;

  /* as rbv_multiply */
  void (*multiply)(double *C, ptrdiff_t ldc, const double *A, ptrdiff_t lda, const double *B,
                   ptrdiff_t ldb, int m, int k, int n);

  /* as rbv_gram_add */
  void (*gram_add)(double *G, ptrdiff_t ldg, const double *A, ptrdiff_t lda, int nrow, int ncol);
} product_kernel;

/* The widest kernel of at most max lanes that this processor can run. */
const product_kernel *rbv_product_kernel(int max);

extern const product_kernel rbv_product_kernel_w2, rbv_product_kernel_w4, rbv_product_kernel_w8;

#endif
