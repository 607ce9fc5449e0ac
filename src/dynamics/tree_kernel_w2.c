#define WIDTH 2
#include "dynamics/tree_kernel.inc"

const tree_kernel rbv_tree_kernel_w2 = TREE_TABLE;
