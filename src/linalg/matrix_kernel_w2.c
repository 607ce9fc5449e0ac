#define W 2
#define KERNEL rbv_matrix_kernel_w2
#include "linalg/matrix_kernel.inc"
