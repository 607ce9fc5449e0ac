/* Triangles of all rows except those of one block. */
#include "linalg/linalg.h"

#include "base/support.h"

rbv_status rbv_qr_without_blocks(double *without, const double *block, int nblock, int n,
                                 const double *common) {
  const ptrdiff_t size = (ptrdiff_t)n * n;
  rbv_qr *prefix = NULL, *all = NULL;
  rbv_status status = rbv_qr_new(&prefix, n);
  if (status == RBV_OK) status = rbv_qr_new(&all, n);
  // suffixes: `without` of block b holds the blocks after b
  for (int b = nblock - 1; b >= 0 && status == RBV_OK; b--) {
    rbv_qr_get(without + b * size, all);
    status = rbv_qr_add(all, block + b * size, n, n);
    rbv_qr_finish_rows(all);
  }
  // prefixes: the common rows and the blocks before b
  if (status == RBV_OK) status = rbv_qr_add(prefix, common, n, n);
  for (int b = 0; b < nblock && status == RBV_OK; b++) {
    rbv_qr_reset(all);
    status = rbv_qr_merge(all, prefix);
    rbv_qr_finish_rows(all);
    if (status == RBV_OK) status = rbv_qr_add(all, without + b * size, n, n);
    if (status == RBV_OK) rbv_qr_get(without + b * size, all);
    if (status == RBV_OK) status = rbv_qr_add(prefix, block + b * size, n, n);
    rbv_qr_finish_rows(prefix);
  }
  rbv_qr_free(prefix);
  rbv_qr_free(all);
  return status;
}
