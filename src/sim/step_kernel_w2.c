#define WIDTH 2
#include "sim/step_kernel.inc"

const step_kernel rbv_step_kernel_w2 = STEP_TABLE;
