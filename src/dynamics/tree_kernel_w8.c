#define WIDTH 8
#include "dynamics/tree_kernel.h"

#if defined(__AVX512F__) && defined(__AVX512DQ__)
#include "dynamics/tree_kernel.inc"

static const tree_kernel table = TREE_TABLE;
const tree_kernel *const rbv_tree_kernel_w8 = &table;
#else
const tree_kernel *const rbv_tree_kernel_w8 = NULL;
#endif
