/*
 * The room's door to LAPACK: its header, the thread guard, and the checks every function begins
 * with. Nobody outside src/linalg includes this.
 */
#ifndef LINALG_LINALG_INTERNAL_H
#define LINALG_LINALG_INTERNAL_H

#include <lapacke.h>
#undef I  // complex.h comes along and takes a letter that we like to use

#include <roberval/sys/linalg.h>

#include "base/support.h"

/* Hold OpenBLAS to one thread until the matching leave. Calls nest and may come from many threads;
 * the first one notes the host's setting, the last one puts it back. */
void rbv_blas_enter(void);
void rbv_blas_leave(void);

/* A is not NULL, has at least one row and column, ld >= m, and every value is finite. */
rbv_status rbv_check_matrix(const char *name, const double *A, ptrdiff_t m, ptrdiff_t n,
                            ptrdiff_t ld);

/* The same for one triangle of a square matrix, 'U' or 'L'; the other one is not looked at. */
rbv_status rbv_check_triangle(const char *name, char which, const double *A, int n, int ld);

/* What came out is finite too: an overflow should surface here, not in somebody's report. */
rbv_status rbv_check_result(const char *name, const double *A, int m, int n, int ld);

/* B = A, m x n, each with its own leading dimension */
void rbv_copy_matrix(double *B, ptrdiff_t ldb, const double *A, ptrdiff_t lda, ptrdiff_t m, int n);

#endif
