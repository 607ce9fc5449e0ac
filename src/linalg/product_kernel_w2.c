#define W 2
#define KERNEL rbv_product_kernel_w2
#include "linalg/product_kernel.inc"
