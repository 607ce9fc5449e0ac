#define WIDTH 2
#define KERNEL rbv_adjoint_kernel_w2
#include "dynamics/adjoint_kernel.inc"
