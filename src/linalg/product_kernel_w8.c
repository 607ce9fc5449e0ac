#define W 8
#define KERNEL rbv_product_kernel_w8
#include "linalg/product_kernel.inc"
