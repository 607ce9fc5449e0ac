/* Independent columns of a matrix: their number, which ones, and the other columns as combinations
 * of them. */
#ifndef BASEPARAM_SCAN_H
#define BASEPARAM_SCAN_H

#include "linalg/linalg.h"

#include "base/support.h"

typedef struct {
  rbv_rank_info rank;
  int count;
  int *kept;         // count, ascending
  double *relation;  // count x n: column c = sum over k of relation[k, c] * column kept[k]
} column_scan;

/*
 * Scan the columns of A (n x n, not changed) from left to right and keep those that are independent
 * of the ones kept before. Pivoting would give the rank, but not the choice of columns.
 *
 *   norm       in  n, norm of each column; zero leaves the column out
 *   tolerance  in  pivots of the scaled columns below it count as zero
 */
RBV_MUST_CHECK rbv_status rbv_scan_columns(column_scan *scan, const double *A, const double *norm,
                                           int n, double tolerance);
void rbv_scan_free(column_scan *scan);

#endif
