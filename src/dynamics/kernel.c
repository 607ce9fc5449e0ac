#include "dynamics/kernel.h"

const rbv_kernel *rbv_kernel_choose(int max) {
  const rbv_kernel *const all[] = {rbv_kernel_w8, rbv_kernel_w4, &rbv_kernel_w2};
  for (int i = 0; i < RBV_COUNT(all); i++)
    if (all[i] && all[i]->width <= max && rbv_vector_width(all[i]->width) == all[i]->width)
      return all[i];
  return &rbv_kernel_w1;
}
