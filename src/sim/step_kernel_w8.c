#define WIDTH 8
#define KERNEL rbv_step_kernel_w8
#include "sim/step_kernel.inc"
