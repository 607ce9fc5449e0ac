#define WIDTH 4
#define KERNEL rbv_gap_kernel_w4
#include "excite/gap_kernel.inc"
