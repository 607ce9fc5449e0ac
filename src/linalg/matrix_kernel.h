/*
 * Products and reflections of matrices of up to a few hundred columns, compiled from one source for
 * several vector widths. LAPACK's functions are made for large matrices, and a library that does
 * not know a processor falls back to its oldest instructions. Results are equal up to rounding.
 *
 * All matrices are stored by columns.
 */
#ifndef LINALG_MATRIX_KERNEL_H
#define LINALG_MATRIX_KERNEL_H

#include <stddef.h>

#define MATRIX_LANES 8  // of the widest kernel
#define FOLD_PANEL 8    // columns that are reflected together

typedef struct {
  int width;

  /* as rbv_multiply */
  void (*multiply)(double *C, ptrdiff_t ldc, const double *A, ptrdiff_t lda, const double *B,
                   ptrdiff_t ldb, int m, int k, int n);

  /* as rbv_gram_add */
  void (*gram_add)(double *G, ptrdiff_t ldg, const double *A, ptrdiff_t lda, int nrow, int ncol);

  /*
   * R = triangle of [R; tile] by Householder reflections; diagonal elements of either sign.
   *
   *   R     inout  n x n, upper triangle; the rest is not read
   *   tile  inout  nrow x n, nrow a multiple of MATRIX_LANES, overwritten
   */
  void (*fold)(double *R, int n, double *tile, ptrdiff_t ld, int nrow);
} matrix_kernel;

/* The widest kernel of at most max lanes that this processor can run. */
const matrix_kernel *rbv_matrix_kernel(int max);

extern const matrix_kernel rbv_matrix_kernel_w2, rbv_matrix_kernel_w4, rbv_matrix_kernel_w8;

#endif
