#define W 2
#define KERNEL rbv_qr_reduce_w2
#include "linalg/qr_kernel.inc"
