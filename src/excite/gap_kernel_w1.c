#define WIDTH 1
#define KERNEL rbv_gap_kernel_w1
#include "excite/gap_kernel.inc"
