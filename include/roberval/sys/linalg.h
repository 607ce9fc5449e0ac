/*
 * linalg: dense linear algebra on top of LAPACK, column-major. This is the only module that calls
 * LAPACK.
 *
 * OpenBLAS is limited to one thread during each call, and the setting of the calling program is
 * restored afterwards: parallel work belongs to the library's own executor. A matrix has at least
 * one row and one column, and a leading dimension of at least its number of rows. A value that is
 * not finite is refused with RBV_ENUM, and the message gives its row and column. A solution or an
 * inverse that overflows is refused too. All functions may be called from several threads at once.
 * One rbv_qr may be used by only one thread at a time, even for reading.
 *
 * rbv_rank, rbv_least_squares, rbv_svd, rbv_condition, rbv_eigen_symmetric and rbv_solve_general
 * allocate one block of scratch memory per call. rbv_qr_new allocates the object. All others
 * allocate nothing.
 */
#ifndef ROBERVAL_SYS_LINALG_H
#define ROBERVAL_SYS_LINALG_H

#include <stdbool.h>

#include <roberval/sys/base.h>

RBV_BEGIN_C

/*
 * ---- streamed QR: rows are added in blocks; only the triangle R of all rows so far is kept ----
 *
 * On one machine R depends on the rows and their order only, to the last bit. It does not depend on
 * how the rows were split into blocks, or on when R was read. A merge counts as adding the rows of
 * a triangle. rbv_qr_finish_rows is part of this order.
 */

typedef struct rbv_qr rbv_qr;

RBV_API RBV_MUST_CHECK rbv_status rbv_qr_new(rbv_qr **out, int ncol);
RBV_API void rbv_qr_free(rbv_qr *qr);
RBV_API void rbv_qr_reset(rbv_qr *qr);

/*
 * Add any number of rows. Allocates nothing. If a value is not finite, the call is refused and qr
 * is unchanged.
 *
 *   A   in  nrow x ncol, column-major, leading dimension ld; may be NULL when nrow is 0
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_qr_add(rbv_qr *qr, const double *A, ptrdiff_t nrow,
                                             ptrdiff_t ld);

/* R, ncol x ncol upper triangle with zeros below. The diagonal is >= 0, which makes R unique if the
 * columns are independent. Allocates nothing. More rows may be added afterwards. */
RBV_API void rbv_qr_get(double *R, const rbv_qr *qr);

/* ---- solving ---- */

/* Eigenvalues in ascending order, eigenvectors in the columns of V (n x n, may be NULL). Reads the
 * lower triangle of A; A is not changed. */
RBV_API RBV_MUST_CHECK rbv_status rbv_eigen_symmetric(double *values, double *V, const double *A,
                                                      int n, int ld);

/* For programs in which nothing else uses OpenBLAS: end its threads, one per processor, which wait
 * for work in a loop for the first tenth of a second. This library computes on threads of its own.
 */
RBV_API void rbv_linalg_end_threads(void);

/* Name of the i-th library that this module uses (OpenBLAS only), and its version. NULL after the
 * last one. */
RBV_API const char *rbv_linalg_library(int i, char version[64]);

RBV_END_C
#endif
