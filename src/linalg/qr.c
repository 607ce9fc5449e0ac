#include <string.h>

#include "linalg/linalg_internal.h"
#include "linalg/qr_kernel.h"

/*
 * New rows are collected in a tile. When the tile is full, the kernel reduces [R; tile] to a new R
 * by Householder reflections. It uses the fact that R is triangular. The tile size is chosen so
 * that tile and R fit into the L2 cache.
 *
 * The tile is always filled completely before it is reduced. So R is the same to the last bit for
 * any split of the rows into blocks.
 */
#define TILE_BYTES (256 * 1024)
#define TILE_ROWS_MIN 32
#define TILE_ROWS_MAX 512  // so that a panel of columns stays in the L1 cache

struct rbv_qr {
  int n;         // columns
  int height;    // rows of a full tile, a multiple of QR_LANES
  ptrdiff_t ld;  // leading dimension of the tile: more than its height, so that columns of a
                 // tile with a power of two of rows do not use the same cache lines
  rbv_qr_reduce *reduce;
  int waiting;       // rows in the tile
  ptrdiff_t folded;  // rows that are reduced into R
  double *R;         // n x n, of the folded rows; diagonal elements of either sign
  double *tile;      // ld x (n, rounded up to QR_PANEL), waiting rows at the top
  int *reach;        // n: rows of the tile from the first one to the last that is not zero, in the
                     // columns up to this one
  double *R2;        // n x n and
  double *tile2;     // as tile: copies in which rbv_qr_get folds the waiting rows
};

/* the object comes first, then its arrays; returns the address of the object */
static rbv_qr *layout(rbv_qr *qr, rbv_arena *a) {
  const size_t n = (size_t)qr->n;
  const size_t tile = (size_t)qr->ld * ((n + QR_PANEL - 1) / QR_PANEL * QR_PANEL);
  rbv_qr *place = RBV_TAKE(a, 1, rbv_qr);
  qr->R = RBV_TAKE(a, n * n, double);
  qr->tile = RBV_TAKE(a, tile, double);
  qr->reach = RBV_TAKE(a, n, int);
  qr->R2 = RBV_TAKE(a, n * n, double);
  qr->tile2 = RBV_TAKE(a, tile, double);
  return place;
}

rbv_status rbv_qr_new(rbv_qr **out, int ncol) {
  if (!out) return rbv_fail(RBV_EARG, "out is NULL");
  *out = NULL;
  if (ncol < 1) return rbv_fail(RBV_EDIM, "ncol = %d: need at least one column", ncol);

  int height = (int)(TILE_BYTES / sizeof(double) / (size_t)ncol);
  if (height < TILE_ROWS_MIN) height = TILE_ROWS_MIN;
  if (height > TILE_ROWS_MAX) height = TILE_ROWS_MAX;

  height = height / QR_LANES * QR_LANES;

  rbv_qr qr = {
      .n = ncol, .height = height, .ld = height + QR_LANES, .reduce = rbv_qr_reduce_best()};
  rbv_qr *fresh;
  rbv_arena a = {0};
  RBV_CARVE(&a, fresh = layout(&qr, &a));
  if (!fresh) return RBV_EMEM;
  *fresh = qr;
  *out = fresh;
  return RBV_OK;
}

void rbv_qr_free(rbv_qr *qr) { rbv_free(qr); }

void rbv_qr_reset(rbv_qr *qr) {
  if (!qr) return;
  memset(qr->R, 0, (size_t)qr->n * (size_t)qr->n * sizeof *qr->R);
  qr->waiting = 0;
  qr->folded = 0;
}

void rbv_qr_start(rbv_qr *qr, const double *R) {
  memcpy(qr->R, R, (size_t)qr->n * (size_t)qr->n * sizeof *qr->R);
  qr->waiting = 0;
  qr->folded = qr->n;
}

int rbv_qr_columns(const rbv_qr *qr) { return qr ? qr->n : 0; }

/* rows of a column of the tile from the first one to the last that is not zero */
static int reach_of(const double *x, int rows) {
  while (rows > 0 && x[rows - 1] == 0) rows--;
  return rows;
}

/* R = triangle of [R; tile] for the waiting rows of the tile; the tile is overwritten */
static void fold(double *R, double *tile, const rbv_qr *qr) {
  const int pad = (QR_LANES - qr->waiting % QR_LANES) % QR_LANES;
  int reach = 0;
  for (int c = 0; c < qr->n; c++) {
    double *x = tile + c * qr->ld;
    memset(x + qr->waiting, 0, (size_t)pad * sizeof *x);
    // the columns of a triangle are short on the left
    if (reach < qr->waiting) {
      const int own = reach_of(x, qr->waiting);
      if (own > reach) reach = own;
    }
    qr->reach[c] = reach;
  }
  qr->reduce(R, tile, qr->ld, qr->n, qr->reach);
}

/* copy rows (known to be finite) to the tile, and fold the tile into R each time it is full */
static void push(rbv_qr *qr, const double *A, ptrdiff_t nrow, ptrdiff_t ld) {
  while (nrow > 0) {
    const ptrdiff_t room = qr->height - qr->waiting, take = nrow < room ? nrow : room;
    rbv_copy_matrix(qr->tile + qr->waiting, qr->ld, A, ld, take, qr->n);
    qr->waiting += (int)take;
    A += take;
    nrow -= take;
    if (qr->waiting == qr->height) rbv_qr_finish_rows(qr);
  }
}

rbv_status rbv_qr_add(rbv_qr *qr, const double *A, ptrdiff_t nrow, ptrdiff_t ld) {
  if (!qr) return rbv_fail(RBV_EARG, "qr is NULL");
  if (nrow == 0) return RBV_OK;
  RBV_TRY(rbv_check_matrix("A", A, nrow, qr->n, ld));
  push(qr, A, nrow, ld);
  return RBV_OK;
}

void rbv_qr_finish_rows(rbv_qr *qr) {
  if (!qr || qr->waiting == 0) return;
  fold(qr->R, qr->tile, qr);
  qr->folded += qr->waiting;
  qr->waiting = 0;
}

rbv_status rbv_qr_merge(rbv_qr *qr, const rbv_qr *other) {
  if (!qr || !other) return rbv_fail(RBV_EARG, "%s is NULL", qr ? "other" : "qr");
  if (qr == other) return rbv_fail(RBV_EARG, "a QR cannot be merged with itself");
  if (qr->n != other->n) return rbv_fail(RBV_EDIM, "other has %d columns, qr %d", other->n, qr->n);

  // R of the other represents its folded rows; its waiting rows are added unchanged
  if (other->folded > 0) push(qr, other->R, other->n, other->n);
  push(qr, other->tile, other->waiting, other->ld);
  return RBV_OK;
}

void rbv_qr_get(double *R, const rbv_qr *qr) {
  if (!R || !qr) return;
  const ptrdiff_t n = qr->n;

  // fold the waiting rows into a copy, so that reading R does not affect rows added later
  rbv_copy_matrix(qr->R2, n, qr->R, n, n, qr->n);
  rbv_copy_matrix(qr->tile2, qr->ld, qr->tile, qr->ld, qr->waiting, qr->n);
  if (qr->waiting > 0) fold(qr->R2, qr->tile2, qr);

  // the sign of each row of R is arbitrary: choose a diagonal >= 0
  for (ptrdiff_t j = 0; j < n; j++)
    for (ptrdiff_t i = 0; i < n; i++)
      R[i + j * n] = i > j ? 0 : qr->R2[i + i * n] < 0 ? -qr->R2[i + j * n] : qr->R2[i + j * n];
}
