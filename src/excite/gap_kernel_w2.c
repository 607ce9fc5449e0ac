#define WIDTH 2
#include "excite/gap_kernel.inc"

const gap_kernel rbv_gap_kernel_w2 = GAP_TABLE;
