#define W 4
#define KERNEL rbv_product_kernel_w4
#include "linalg/product_kernel.inc"
