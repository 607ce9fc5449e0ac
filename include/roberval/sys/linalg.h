/*
 * linalg: dense linear algebra over LAPACK, column-major, the only room that calls it.
 *
 * OpenBLAS is held to one thread during each call and the host's setting is restored: threads
 * belong to our own executor. Matrices have at least one row and one column and a leading dimension
 * of at least their rows. A value that is not finite is refused with RBV_ENUM and its place, and so
 * is a solution or an inverse that overflows. All functions may run on many threads at once; an
 * rbv_qr belongs to one thread at a time, also while it is only read.
 *
 * rbv_rank, rbv_least_squares, rbv_svd, rbv_condition, rbv_eigen_symmetric and rbv_solve_general
 * allocate one block of scratch for the call; apart from rbv_qr_new the others allocate nothing.
 */
#ifndef ROBERVAL_SYS_LINALG_H
#define ROBERVAL_SYS_LINALG_H

#include <stdbool.h>

#include <roberval/sys/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * ---- streamed QR: rows come in blocks, only the triangle R of all rows so far is kept ----
 *
 * On one machine R depends on the rows and their order alone, to the last bit: not on how they were
 * split into blocks, nor on when R was looked at. A merge counts as adding the rows of a triangle.
 */

typedef struct rbv_qr rbv_qr;

RBV_API RBV_MUST_CHECK rbv_status rbv_qr_new(rbv_qr **out, int ncol);
RBV_API void rbv_qr_free(rbv_qr *qr);
RBV_API void rbv_qr_reset(rbv_qr *qr);
RBV_API int rbv_qr_columns(const rbv_qr *qr);
RBV_API ptrdiff_t rbv_qr_rows(const rbv_qr *qr); /* rows added so far, those of merged ones too */

/*
 * Add rows, any number of them. Allocates nothing. A value that is not finite is refused before
 * anything changes.
 *
 *   A   in  nrow x ncol, column-major, leading dimension ld; may be NULL when nrow is 0
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_qr_add(rbv_qr *qr, const double *A, ptrdiff_t nrow,
                                             ptrdiff_t ld);

/* Add all rows of another one with the same number of columns. */
RBV_API RBV_MUST_CHECK rbv_status rbv_qr_merge(rbv_qr *qr, const rbv_qr *other);

/* R, ncol x ncol upper triangle (zeros below), diagonal >= 0 so that it is unique when the columns
 * are independent. Allocates nothing; rows may be added afterwards. */
RBV_API void rbv_qr_get(double *R, const rbv_qr *qr);

/*
 * G += A'A, the lower triangle alone. Squares the condition number: good to rank candidates with,
 * not to report from. Nothing is checked; allocates nothing.
 *
 *   G   in/out  ncol x ncol, leading dimension ldg
 *   A   in      nrow x ncol, leading dimension ld
 */
RBV_API void rbv_gram_add(double *G, int ldg, const double *A, int nrow, int ncol, int ld);

/* C = A B (m x k times k x n), leading dimensions ldc, lda, ldb; as careless as rbv_gram_add. */
RBV_API void rbv_multiply(double *C, int ldc, const double *A, int lda, const double *B, int ldb,
                          int m, int k, int n);

/* ---- rank ---- */

typedef struct {
  int rank;
  double gap;      /* smallest accepted over largest rejected pivot; inf when that is 0 */
  double largest;  /* |r_11| */
  double accepted; /* |r_kk| of the last accepted pivot, k = rank */
  double rejected; /* |r_kk| of the first rejected one, 0 when there is none */
} rbv_rank_info;

/*
 * Rank of A by column-pivoted QR: pivots above tol * largest count, 0 <= tol < 1. Columns should
 * be scaled by the caller; among columns of equal norm, rounding decides which comes first.
 *
 *   pivot  out     n, may be NULL: column pivot[j] of A, counted from 0, came to place j
 *   A      in/out  m x n, leading dimension ld; afterwards R of the reordered columns, signs as
 *                  they fall, on and above the diagonal, and nothing of use below
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_rank(rbv_rank_info *info, int *pivot, double *A, int m, int n,
                                           int ld, double tol);

/* ---- solving ---- */

/* x = inv(R) b for upper triangular R (n x n, leading dimension ld); nrhs right-hand sides in
 * place in B (leading dimension ldb). RBV_ENUM when a diagonal element is zero. What is
 * below the diagonal of R is not read. */
RBV_API RBV_MUST_CHECK rbv_status rbv_solve_upper(double *B, int nrhs, int ldb, const double *R,
                                                  int n, int ld);

/* Rinv = inv(R), upper triangle, zeros below; n x n without padding. RBV_ENUM when a
 * diagonal element is zero. */
RBV_API RBV_MUST_CHECK rbv_status rbv_invert_upper(double *Rinv, const double *R, int n, int ld);

/*
 * Minimum-norm least squares by SVD: singular values up to rcond * largest count as zero,
 * 0 <= rcond < 1; 0 stands for the machine's precision.
 *   x     out  n           A  in  m x n, leading dimension ld (kept)       b  in  m
 *   rank  out  may be NULL  s  out  min(m, n) singular values, may be NULL
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_least_squares(double *x, int *rank, double *s,
                                                    const double *A, int m, int n, int ld,
                                                    const double *b, double rcond);

/* Singular values, descending; A (m x n, leading dimension ld) is kept. U (m x k), Vt (k x n) with
 * k = min(m, n), each may be NULL. */
RBV_API RBV_MUST_CHECK rbv_status rbv_svd(double *s, double *U, double *Vt, const double *A, int m,
                                          int n, int ld);

/* 2-norm condition number of A as it is, and after each column is scaled to unit norm; each may be
 * NULL. inf when m < n, when a column is zero, or when the smallest singular value comes out as 0.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_condition(double *cond, double *cond_scaled, const double *A,
                                                int m, int n, int ld);

/* A = L L', from the lower triangle, in place, upper zeroed. *definite tells whether it worked;
 * when it did not, the lower triangle holds nothing of use. */
RBV_API RBV_MUST_CHECK rbv_status rbv_cholesky(bool *definite, double *A, int n, int ld);

/* x = inv(L L') b for the L of rbv_cholesky, nrhs right-hand sides in place in B. RBV_ENUM when a
 * diagonal element is zero. */
RBV_API RBV_MUST_CHECK rbv_status rbv_solve_cholesky(double *B, int nrhs, int ldb, const double *L,
                                                     int n, int ld);

/* Eigenvalues ascending, eigenvectors in the columns of V (n x n, may be NULL); A is kept, its
 * lower triangle is read. */
RBV_API RBV_MUST_CHECK rbv_status rbv_eigen_symmetric(double *values, double *V, const double *A,
                                                      int n, int ld);

/* General square solve by LU with partial pivoting, nrhs right-hand sides in place in B; A is kept.
 * RBV_ENUM when a pivot is zero. */
RBV_API RBV_MUST_CHECK rbv_status rbv_solve_general(double *B, int nrhs, int ldb, const double *A,
                                                    int n, int ld);

/* OpenBLAS: name of library i that this room stands on, and the version in use; NULL past the last.
 */
RBV_API const char *rbv_linalg_library(int i, char version[64]);

#ifdef __cplusplus
}
#endif
#endif
