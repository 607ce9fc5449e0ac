#define WIDTH 1
#include "dynamics/tree_kernel.inc"

const tree_kernel rbv_tree_kernel_w1 = TREE_TABLE;
