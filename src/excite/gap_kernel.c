#include "excite/gap_kernel.h"

#include "base/support.h"

const gap_kernel *rbv_gap_kernel(void) {
  const int width = rbv_vector_width(GAP_LANES);
  return width == 8 ? &rbv_gap_kernel_w8 : width == 4 ? &rbv_gap_kernel_w4 : &rbv_gap_kernel_w2;
}
