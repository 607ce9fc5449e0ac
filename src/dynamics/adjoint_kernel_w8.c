#define WIDTH 8
#define KERNEL rbv_adjoint_kernel_w8
#include "dynamics/adjoint_kernel.inc"
