#define WIDTH 1
#include "dynamics/kernel.inc"

const rbv_kernel rbv_kernel_w1 = TABLE;
