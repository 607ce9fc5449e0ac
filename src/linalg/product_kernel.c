#include "linalg/product_kernel.h"

#include "base/support.h"

const product_kernel *rbv_product_kernel(int max) {
  const int width = rbv_vector_width(max);
  return width == 8   ? &rbv_product_kernel_w8
         : width == 4 ? &rbv_product_kernel_w4
                      : &rbv_product_kernel_w2;
}
