#include "sim/step_kernel.h"

#include "base/support.h"

const step_kernel *rbv_step_kernel(void) {
  const int width = rbv_vector_width(STEP_LANES);
  return width == 8 ? &rbv_step_kernel_w8 : width == 4 ? &rbv_step_kernel_w4 : &rbv_step_kernel_w2;
}
