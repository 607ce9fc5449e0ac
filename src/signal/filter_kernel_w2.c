#define W 2
#define KERNEL rbv_signal_kernel_w2
#include "signal/filter_kernel.inc"
