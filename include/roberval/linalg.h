/*
 * linalg: dense linear algebra over LAPACK, column-major, the only room that calls it.
 *
 * OpenBLAS is held to one thread during each call and the host's setting is restored: threads
 * belong to our own executor. Functions with a work argument allocate nothing.
 */
#ifndef ROBERVAL_LINALG_H
#define ROBERVAL_LINALG_H

#include <stdbool.h>

#include <roberval/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- streamed QR: rows come in blocks, only the triangle R of all rows so far is kept ---- */

typedef struct rbv_qr rbv_qr;

RBV_API RBV_MUST_CHECK rbv_status rbv_qr_new(rbv_qr **out, int ncol);
RBV_API void rbv_qr_free(rbv_qr *qr);
RBV_API void rbv_qr_reset(rbv_qr *qr);
RBV_API int rbv_qr_columns(const rbv_qr *qr);
RBV_API ptrdiff_t rbv_qr_rows(const rbv_qr *qr); /* rows added so far, those of merged ones too */

/*
 * Add rows. Allocates nothing. A value that is not finite is refused before anything changes.
 *
 *   A   in  nrow x ncol, column-major, leading dimension ld
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_qr_add(rbv_qr *qr, const double *A, ptrdiff_t nrow,
                                             ptrdiff_t ld);

/* Add all rows of another one with the same number of columns. */
RBV_API RBV_MUST_CHECK rbv_status rbv_qr_merge(rbv_qr *qr, const rbv_qr *other);

/* R, ncol x ncol upper triangle (zeros below), diagonal >= 0 so that it is unique. */
RBV_API void rbv_qr_get(double *R, const rbv_qr *qr);

/* ---- rank ---- */

typedef struct {
  int rank;
  double gap;      /* smallest accepted over largest rejected pivot; inf when none is rejected */
  double largest;  /* |r_11| */
  double accepted; /* |r_kk| of the last accepted pivot, k = rank */
  double rejected; /* |r_kk| of the first rejected one, 0 when there is none */
} rbv_rank_info;

/*
 * Rank of A (m x n, overwritten) by column-pivoted QR: pivots above tol * largest count.
 * Columns should be scaled by the caller. pivot (n, may be NULL) gets the order of the columns.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_rank(rbv_rank_info *info, int *pivot, double *A, int m, int n,
                                           int ld, double tol);

/* ---- solving ---- */

/* x = inv(R) b for upper triangular R (n x n, leading dimension ld); nrhs right-hand sides in
 * place in B (leading dimension ldb). Fails when a diagonal element is zero. */
RBV_API RBV_MUST_CHECK rbv_status rbv_solve_upper(double *B, int nrhs, int ldb, const double *R,
                                                  int n, int ld);

/* Rinv = inv(R), upper triangle, zeros below; n x n without padding. */
RBV_API RBV_MUST_CHECK rbv_status rbv_invert_upper(double *Rinv, const double *R, int n, int ld);

/*
 * Minimum-norm least squares by SVD: singular values below rcond * largest count as zero.
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

/* 2-norm condition number after each column is scaled to unit norm; inf when singular. */
RBV_API RBV_MUST_CHECK rbv_status rbv_condition(double *cond, double *cond_scaled, const double *A,
                                                int m, int n, int ld);

/* A = L L', lower triangle in place, upper zeroed. *definite tells whether it worked. */
RBV_API RBV_MUST_CHECK rbv_status rbv_cholesky(bool *definite, double *A, int n, int ld);

/* Eigenvalues ascending, eigenvectors in the columns of V (n x n, may be NULL); A kept. */
RBV_API RBV_MUST_CHECK rbv_status rbv_eigen_symmetric(double *values, double *V, const double *A,
                                                      int n, int ld);

/* General square solve by LU with partial pivoting, nrhs right-hand sides in place in B. */
RBV_API RBV_MUST_CHECK rbv_status rbv_solve_general(double *B, int nrhs, int ldb, const double *A,
                                                    int n, int ld);

#ifdef __cplusplus
}
#endif
#endif
