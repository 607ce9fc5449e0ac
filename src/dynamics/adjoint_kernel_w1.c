#define WIDTH 1
#define KERNEL rbv_adjoint_kernel_w1
#include "dynamics/adjoint_kernel.inc"
