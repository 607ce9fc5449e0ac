#define W 4
#define KERNEL rbv_qr_reduce_w4
#include "linalg/qr_kernel.inc"
