#define W 8
#define KERNEL rbv_signal_kernel_w8
#include "signal/filter_kernel.inc"
