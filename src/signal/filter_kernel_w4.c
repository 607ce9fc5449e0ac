#define W 4
#define KERNEL rbv_signal_kernel_w4
#include "signal/filter_kernel.inc"
