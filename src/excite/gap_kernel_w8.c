#define WIDTH 8
#define KERNEL rbv_gap_kernel_w8
#include "excite/gap_kernel.inc"
