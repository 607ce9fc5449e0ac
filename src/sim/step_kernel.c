#include "sim/step_kernel.h"

#include "dynamics/kernel.h"

const step_kernel *rbv_step_kernel(void) {
  const int width = rbv_kernel_choose(STEP_LANES)->width;
  return width == 8 ? rbv_step_kernel_w8 : width == 4 ? rbv_step_kernel_w4 : &rbv_step_kernel_w2;
}
