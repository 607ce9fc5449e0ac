#define W 8
#define KERNEL rbv_qr_reduce_w8
#include "linalg/qr_kernel.inc"
