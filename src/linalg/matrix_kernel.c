#include "linalg/matrix_kernel.h"

#include "base/support.h"

const matrix_kernel *rbv_matrix_kernel(int max) {
  const int width = rbv_vector_width(max);
  return width == 8   ? &rbv_matrix_kernel_w8
         : width == 4 ? &rbv_matrix_kernel_w4
                      : &rbv_matrix_kernel_w2;
}
