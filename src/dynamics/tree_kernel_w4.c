#define WIDTH 4
#include "dynamics/tree_kernel.h"

#if defined(__AVX2__) && defined(__FMA__)
#include "dynamics/tree_kernel.inc"

static const tree_kernel table = TREE_TABLE;
const tree_kernel *const rbv_tree_kernel_w4 = &table;
#else
const tree_kernel *const rbv_tree_kernel_w4 = NULL;
#endif
