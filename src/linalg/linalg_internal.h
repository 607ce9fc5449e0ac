/*
 * Private header of linalg: LAPACK, the thread guard, and the argument checks that every function
 * begins with. Only files in src/linalg include it.
 */
#ifndef LINALG_LINALG_INTERNAL_H
#define LINALG_LINALG_INTERNAL_H

#include "linalg/lapack.h"
#include "linalg/linalg.h"

#include "base/support.h"

/* Limit OpenBLAS to one thread until the matching leave. Calls may be nested and may come from
 * several threads: the first caller saves the setting of the calling program, the last one restores
 * it. */
void rbv_blas_enter(void);
void rbv_blas_leave(void);

/* Refuse A if it is NULL or empty, if ld < m, or if a value is not finite. */
rbv_status rbv_check_matrix(const char *name, const double *A, ptrdiff_t m, ptrdiff_t n,
                            ptrdiff_t ld);

/* The same for one triangle of a square matrix, 'U' or 'L'. The other triangle is not read. */
rbv_status rbv_check_triangle(const char *name, char which, const double *A, int n, int ld);

/* Refuse a computed matrix that is not finite, so that an overflow is reported where it occurs. */
rbv_status rbv_check_result(const char *name, const double *A, int m, int n, int ld);

/* B = A, m x n, each with its own leading dimension */
void rbv_copy_matrix(double *B, ptrdiff_t ldb, const double *A, ptrdiff_t lda, ptrdiff_t m, int n);

#endif
