#include <string.h>

#include "linalg/linalg_internal.h"
#include "linalg/matrix_kernel.h"

/*
 * New rows are collected in a tile. When the tile is full, [R; tile] is reduced to a new R by
 * Householder reflections, which leave the zeros of R alone. The tile size is chosen so that tile
 * and R fit into the L2 cache.
 *
 * The tile is always filled completely before it is reduced. So R is the same to the last bit for
 * any split of the rows into blocks.
 */
#define TILE_BYTES (256 * 1024)
#define TILE_ROWS_MIN 32
#define TILE_ROWS_MAX 1024

struct rbv_qr {
  int n;             // columns
  int height;        // rows of a full tile
  int waiting;       // rows in the tile
  ptrdiff_t rows;    // rows added so far
  ptrdiff_t folded;  // rows that are reduced into R
  double *R;         // n x n, of the folded rows; diagonal elements of either sign
  double *tile;      // height x n, waiting rows at the top
  double *R2;        // n x n and
  double *tile2;     // height x n: copies in which rbv_qr_get folds the waiting rows
};

/* the object comes first, then its arrays; returns the address of the object */
static rbv_qr *layout(rbv_qr *qr, rbv_arena *a) {
  const size_t n = (size_t)qr->n, height = (size_t)qr->height;
  rbv_qr *place = RBV_TAKE(a, 1, rbv_qr);
  qr->R = RBV_TAKE(a, n * n, double);
  qr->tile = RBV_TAKE(a, height * n, double);
  qr->R2 = RBV_TAKE(a, n * n, double);
  qr->tile2 = RBV_TAKE(a, height * n, double);
  return place;
}

rbv_status rbv_qr_new(rbv_qr **out, int ncol) {
  if (!out) return rbv_fail(RBV_EARG, "out is NULL");
  *out = NULL;
  if (ncol < 1) return rbv_fail(RBV_EDIM, "ncol = %d: need at least one column", ncol);

  int height = (int)(TILE_BYTES / sizeof(double) / (size_t)ncol);
  if (height < TILE_ROWS_MIN) height = TILE_ROWS_MIN;
  if (height > TILE_ROWS_MAX) height = TILE_ROWS_MAX;
  height -= height % MATRIX_LANES;

  rbv_qr qr = {.n = ncol, .height = height};
  rbv_arena measure = {0};
  (void)layout(&qr, &measure);
  rbv_arena carve = {.base = rbv_alloc(measure.used)};
  if (!carve.base) return RBV_EMEM;
  rbv_qr *fresh = layout(&qr, &carve);
  *fresh = qr;
  *out = fresh;
  return RBV_OK;
}

void rbv_qr_free(rbv_qr *qr) { rbv_free(qr); }

void rbv_qr_reset(rbv_qr *qr) {
  if (!qr) return;
  memset(qr->R, 0, (size_t)qr->n * (size_t)qr->n * sizeof *qr->R);
  qr->waiting = 0;
  qr->rows = qr->folded = 0;
}

void rbv_qr_start(rbv_qr *qr, const double *R) {
  memcpy(qr->R, R, (size_t)qr->n * (size_t)qr->n * sizeof *qr->R);
  qr->waiting = 0;
  qr->rows = qr->folded = qr->n;
}

int rbv_qr_columns(const rbv_qr *qr) { return qr ? qr->n : 0; }

ptrdiff_t rbv_qr_rows(const rbv_qr *qr) { return qr ? qr->rows : 0; }

/* R = triangle of [R; tile] for the waiting rows of the tile; the tile is overwritten */
static void fold(double *R, double *tile, const rbv_qr *qr) {
  // rows of zeros fill the last vector
  int rows = qr->waiting;
  for (; rows % MATRIX_LANES != 0; rows++)
    for (int j = 0; j < qr->n; j++) tile[rows + (ptrdiff_t)j * qr->height] = 0;
  rbv_matrix_kernel(MATRIX_LANES)->fold(R, qr->n, tile, qr->height, rows);
}

/* copy rows (known to be finite) to the tile, and fold the tile into R each time it is full */
static void push(rbv_qr *qr, const double *A, ptrdiff_t nrow, ptrdiff_t ld) {
  while (nrow > 0) {
    const ptrdiff_t room = qr->height - qr->waiting, take = nrow < room ? nrow : room;
    rbv_copy_matrix(qr->tile + qr->waiting, qr->height, A, ld, take, qr->n);
    qr->waiting += (int)take;
    A += take;
    nrow -= take;
    if (qr->waiting < qr->height) continue;
    fold(qr->R, qr->tile, qr);
    qr->folded += qr->waiting;
    qr->waiting = 0;
  }
}

rbv_status rbv_qr_add(rbv_qr *qr, const double *A, ptrdiff_t nrow, ptrdiff_t ld) {
  if (!qr) return rbv_fail(RBV_EARG, "qr is NULL");
  if (nrow == 0) return RBV_OK;
  RBV_TRY(rbv_check_matrix("A", A, nrow, qr->n, ld));
  push(qr, A, nrow, ld);
  qr->rows += nrow;
  return RBV_OK;
}

rbv_status rbv_qr_merge(rbv_qr *qr, const rbv_qr *other) {
  if (!qr || !other) return rbv_fail(RBV_EARG, "%s is NULL", qr ? "other" : "qr");
  if (qr == other) return rbv_fail(RBV_EARG, "a QR cannot be merged with itself");
  if (qr->n != other->n) return rbv_fail(RBV_EDIM, "other has %d columns, qr %d", other->n, qr->n);

  // R of the other represents its folded rows; its waiting rows are added unchanged
  if (other->folded > 0) push(qr, other->R, other->n, other->n);
  push(qr, other->tile, other->waiting, other->height);
  qr->rows += other->rows;
  return RBV_OK;
}

void rbv_qr_get(double *R, const rbv_qr *qr) {
  if (!R || !qr) return;
  const ptrdiff_t n = qr->n;

  // fold the waiting rows into a copy, so that reading R does not affect rows added later
  rbv_copy_matrix(qr->R2, n, qr->R, n, n, qr->n);
  rbv_copy_matrix(qr->tile2, qr->height, qr->tile, qr->height, qr->waiting, qr->n);
  if (qr->waiting > 0) fold(qr->R2, qr->tile2, qr);

  // the sign of each row of R is arbitrary: choose a diagonal >= 0
  for (ptrdiff_t j = 0; j < n; j++)
    for (ptrdiff_t i = 0; i < n; i++)
      R[i + j * n] = i > j ? 0 : qr->R2[i + i * n] < 0 ? -qr->R2[i + j * n] : qr->R2[i + j * n];
}
