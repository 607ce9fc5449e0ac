#define WIDTH 4
#define KERNEL rbv_step_kernel_w4
#include "sim/step_kernel.inc"
