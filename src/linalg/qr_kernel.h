/*
 * Reduction of a tile of rows into a triangle, compiled from one source for several vector widths;
 * the lanes are rows. The dispatcher selects the width by processor. Results are equal up to
 * rounding.
 *
 * LAPACK has the same reduction (dtpqrt), whose updates are products of short and narrow matrices:
 * most of its time is spent outside the arithmetic of these products. It also depends on the
 * library that implements them: a processor that OpenBLAS does not know gets its oldest kernels.
 */
#ifndef LINALG_QR_KERNEL_H
#define LINALG_QR_KERNEL_H

#include <stddef.h>

#define QR_PANEL 8  // columns that are reduced together
#define QR_LANES 8  // rows of a tile are padded with zeros to a multiple of this

/*
 * R = triangle of [R; tile] by Householder reflections. The diagonal may get either sign.
 *
 *   R       in/out  n x n, upper triangle; the other elements are not used
 *   tile    in      at least max(height) rows, rounded up to QR_LANES, by n columns; overwritten
 *   ld      in      leading dimension of the tile, a multiple of QR_LANES; its columns are aligned
 *   height  in      n, not decreasing: the elements of a column from this row on are zero
 */
typedef void rbv_qr_reduce(double *R, double *tile, ptrdiff_t ld, int n, const int *height);

extern rbv_qr_reduce rbv_qr_reduce_w2, rbv_qr_reduce_w4, rbv_qr_reduce_w8;

/* The widest kernel that this processor supports. */
rbv_qr_reduce *rbv_qr_reduce_best(void);

/* Tests only: limit the width of objects created from now on (2, 4 or 8); 0 removes the limit. */
void rbv_qr_limit_width(int max_width);

#endif
