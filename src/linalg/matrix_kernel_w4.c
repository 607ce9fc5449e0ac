#define W 4
#define KERNEL rbv_matrix_kernel_w4
#include "linalg/matrix_kernel.inc"
