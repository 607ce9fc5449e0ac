#include "dynamics/tree_kernel.h"

const tree_kernel *rbv_tree_kernel(int width) {
  if (width == 8 && rbv_tree_kernel_w8) return rbv_tree_kernel_w8;
  if (width == 4 && rbv_tree_kernel_w4) return rbv_tree_kernel_w4;
  return width == 2 ? &rbv_tree_kernel_w2 : &rbv_tree_kernel_w1;
}
