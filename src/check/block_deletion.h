/* Least squares without each of several blocks of rows, from one triangle per block. */
#ifndef CHECK_BLOCK_DELETION_H
#define CHECK_BLOCK_DELETION_H

#include <roberval/sys/linalg.h>

/*
 * For every block b the triangle of all rows except those of block b, by merging prefixes and
 * suffixes of the list of blocks.
 *
 *   without  out  nblock triangles, each n x n
 *   block    in   nblock triangles, each n x n
 *   common   in   triangle of rows that belong to no block, n x n (a regularisation)
 */
RBV_MUST_CHECK rbv_status rbv_delete_blocks(double *without, const double *block, int nblock, int n,
                                            const double *common);

/* Standard deviation of an estimate from its values without each block (delete-a-block jackknife).
 */
double rbv_jackknife_sigma(const double *without, int nblock);

#endif
