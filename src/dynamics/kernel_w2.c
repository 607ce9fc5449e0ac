#define WIDTH 2
#include "dynamics/kernel.inc"

const rbv_kernel rbv_kernel_w2 = TABLE;
