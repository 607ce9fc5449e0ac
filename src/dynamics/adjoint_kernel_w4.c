#define WIDTH 4
#define KERNEL rbv_adjoint_kernel_w4
#include "dynamics/adjoint_kernel.inc"
