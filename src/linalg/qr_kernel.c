#include "linalg/qr_kernel.h"

#include <stdatomic.h>

#include "base/support.h"

static atomic_int width_limit;  // 0: no limit

void rbv_qr_limit_width(int max_width) { atomic_store(&width_limit, max_width); }

rbv_qr_reduce *rbv_qr_reduce_best(void) {
  const int limit = atomic_load(&width_limit), width = rbv_vector_width(limit ? limit : QR_LANES);
  return width == 8 ? rbv_qr_reduce_w8 : width == 4 ? rbv_qr_reduce_w4 : rbv_qr_reduce_w2;
}
