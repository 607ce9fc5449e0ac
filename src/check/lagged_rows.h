/*
 * Rows [W | torque at several lags] of a recording, low-passed and decimated. One pass over the
 * recording serves every shift of the torque: a shift between two lags is a cubic interpolation of
 * the decimated columns.
 */
#ifndef CHECK_LAGGED_ROWS_H
#define CHECK_LAGGED_ROWS_H

#include "check/check_internal.h"

RBV_THRESHOLDS(CHECK_LAG_STENCIL);

/* the rows of one torque row of the model */
typedef struct {
  int ncolumn;          // columns of W
  const int *column;    // their columns of the model
  ptrdiff_t count;      // rows
  double *A;            // count x (ncolumn + nlag), leading dimension ld
  unsigned char *fold;  // count: block of equal length in time
} lagged_row;

typedef struct {
  double band_hz;  // pass band of the low-pass
  ptrdiff_t step;  // samples between two lags
  int nlag;        // lag i is i - (nlag - 1) / 2 steps
  double lag_s;    // step in seconds
  ptrdiff_t ld;    // leading dimension of all rows
  int nrow;
  lagged_row *row;  // nrow
  void *memory;
} lagged_rows;

/*
 *   band_hz  in  pass band; the rows are decimated as far as it allows
 *   reach_s  in  largest shift
 *   nfold    in  blocks of equal length in time, at most 255
 *
 * A recording that is too short for the decimation gives no rows.
 */
rbv_status rbv_lagged_rows_new(lagged_rows *out, const rbv_model *m, const view *v, double band_hz,
                               double reach_s, int nfold);
void rbv_lagged_rows_free(lagged_rows *rows);

/* Interpolation at a shift [s]: the first lag of the stencil, its weights, and their derivatives by
 * the shift. */
void rbv_lag_weights(int *first, double weight[LAG_STENCIL], double slope[LAG_STENCIL],
                     const lagged_rows *rows, double shift_s);

#endif
