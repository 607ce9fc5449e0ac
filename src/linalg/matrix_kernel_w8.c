#define W 8
#define KERNEL rbv_matrix_kernel_w8
#include "linalg/matrix_kernel.inc"
