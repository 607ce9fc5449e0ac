#include "dynamics/adjoint_kernel.h"

#include "base/support.h"

const adjoint_kernel *rbv_adjoint_kernel(int max) {
  static const adjoint_kernel *const all[] = {&rbv_adjoint_kernel_w8, &rbv_adjoint_kernel_w4,
                                              &rbv_adjoint_kernel_w2};
  const int width = rbv_vector_width(max);
  for (int i = 0; i < RBV_COUNT(all); i++)
    if (all[i]->width == width) return all[i];
  return &rbv_adjoint_kernel_w1;
}
