#define WIDTH 2
#define KERNEL rbv_gap_kernel_w2
#include "excite/gap_kernel.inc"
