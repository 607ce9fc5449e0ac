/* What other modules of the library use of linalg, beside its public header. */
#ifndef LINALG_LINALG_H
#define LINALG_LINALG_H

#include <roberval/sys/linalg.h>

/* ---- streamed QR: rows are added in blocks; only the triangle R of all rows so far is kept ----
 */

/* Remove all rows, then add those of the finite upper triangle R (ncol square, zeros below), which
 * is faster than adding its rows. */
void rbv_qr_start(rbv_qr *qr, const double *R);
int rbv_qr_columns(const rbv_qr *qr);

/*
 * Reduce the rows that were added now, not when there are enough of them. This saves time after the
 * rows of a triangle, if they were added after another call of this function: then the zeros of the
 * triangle are left out. R is the same up to rounding.
 */
void rbv_qr_finish_rows(rbv_qr *qr);

/* Add all rows of another rbv_qr with the same number of columns. */
RBV_MUST_CHECK rbv_status rbv_qr_merge(rbv_qr *qr, const rbv_qr *other);

/*
 * For every block b the triangle of all rows except those of block b, by merging prefixes and
 * suffixes of the list of blocks.
 *
 *   without  out  nblock triangles, each n x n
 *   block    in   nblock triangles, each n x n
 *   common   in   triangle of rows that belong to no block, n x n (a regularisation)
 */
RBV_MUST_CHECK rbv_status rbv_qr_without_blocks(double *without, const double *block, int nblock,
                                                int n, const double *common);

/*
 * G += A'A, lower triangle only. This squares the condition number: use it to compare candidates,
 * not for reported results. Arguments are not checked. Allocates nothing.
 *
 *   G   in/out  ncol x ncol, leading dimension ldg
 *   A   in      nrow x ncol, leading dimension ld
 */
void rbv_gram_add(double *G, int ldg, const double *A, int nrow, int ncol, int ld);

/* C = A B (m x k times k x n), leading dimensions ldc, lda, ldb. Arguments are not checked. */
void rbv_multiply(double *C, int ldc, const double *A, int lda, const double *B, int ldb, int m,
                  int k, int n);

/* ---- rank ---- */

typedef struct {
  int rank;
  double gap;      /* smallest accepted pivot / largest rejected pivot; inf if the latter is 0 */
  double largest;  /* |r_11| */
  double accepted; /* |r_kk| of the last accepted pivot, k = rank */
  double rejected; /* |r_kk| of the first rejected pivot, 0 if there is none */
} rbv_rank_info;

/*
 * Rank of A by column-pivoted QR: the number of pivots larger than tol * largest, 0 <= tol < 1. The
 * caller should scale the columns. Among columns of equal norm, rounding decides the order.
 *
 *   pivot  out     n, may be NULL: place j holds column pivot[j] of A, counted from 0
 *   A      in/out  m x n, leading dimension ld; on return R of the reordered columns on and above
 *                  the diagonal (diagonal elements of either sign); below it is undefined
 */
RBV_MUST_CHECK rbv_status rbv_rank(rbv_rank_info *info, int *pivot, double *A, int m, int n, int ld,
                                   double tol);

/* ---- solving ---- */

/* x = inv(R) b for upper triangular R (n x n, leading dimension ld). B holds nrhs right-hand sides
 * (leading dimension ldb) and receives the solutions. RBV_ENUM if a diagonal element is zero.
 * Elements below the diagonal of R are not read. */
RBV_MUST_CHECK rbv_status rbv_solve_upper(double *B, int nrhs, int ldb, const double *R, int n,
                                          int ld);

/* Rinv = inv(R), upper triangle, zeros below; n x n, leading dimension n. RBV_ENUM if a diagonal
 * element is zero. */
RBV_MUST_CHECK rbv_status rbv_invert_upper(double *Rinv, const double *R, int n, int ld);

/*
 * Least squares by SVD, solution of minimum norm. Singular values up to rcond * largest count as
 * zero, 0 <= rcond < 1; 0 means machine precision.
 *   x     out  n           A  in  m x n, leading dimension ld (kept)       b  in  m
 *   rank  out  may be NULL  s  out  min(m, n) singular values, may be NULL
 */
RBV_MUST_CHECK rbv_status rbv_least_squares(double *x, int *rank, double *s, const double *A, int m,
                                            int n, int ld, const double *b, double rcond);

/* Singular values in descending order. A (m x n, leading dimension ld) is not changed. U (m x k)
 * and Vt (k x n) with k = min(m, n) may each be NULL. */
RBV_MUST_CHECK rbv_status rbv_svd(double *s, double *U, double *Vt, const double *A, int m, int n,
                                  int ld);

/* Condition number in the 2-norm, of A itself and of A with each column scaled to unit norm; each
 * output may be NULL. inf if m < n, if a column is zero, or if the smallest computed singular value
 * is 0. */
RBV_MUST_CHECK rbv_status rbv_condition(double *cond, double *cond_scaled, const double *A, int m,
                                        int n, int ld);

/* A = L L' in place: reads the lower triangle, sets the upper one to zero. *definite is false if A
 * is not positive definite; the lower triangle is then undefined. */
RBV_MUST_CHECK rbv_status rbv_cholesky(bool *definite, double *A, int n, int ld);

/* x = inv(L L') b for the L of rbv_cholesky. B holds nrhs right-hand sides and receives the
 * solutions. RBV_ENUM if a diagonal element is zero. */
RBV_MUST_CHECK rbv_status rbv_solve_cholesky(double *B, int nrhs, int ldb, const double *L, int n,
                                             int ld);

/* Solve A x = b for a general square A by LU with partial pivoting. B holds nrhs right-hand sides
 * and receives the solutions; A is not changed. RBV_ENUM if a pivot is zero. */
RBV_MUST_CHECK rbv_status rbv_solve_general(double *B, int nrhs, int ldb, const double *A, int n,
                                            int ld);

/* Sum of x[k] y[k]. The order of the additions depends on n alone. */
double rbv_dot(const double *x, const double *y, ptrdiff_t n);

#endif
