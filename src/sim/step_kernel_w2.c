#define WIDTH 2
#define KERNEL rbv_step_kernel_w2
#include "sim/step_kernel.inc"
