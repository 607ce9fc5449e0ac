#define WIDTH 8
#include "dynamics/kernel.h"

#if defined(__AVX512F__) && defined(__AVX512DQ__)
#include "dynamics/kernel.inc"

static const rbv_kernel table = TABLE;
const rbv_kernel *const rbv_kernel_w8 = &table;
#else
const rbv_kernel *const rbv_kernel_w8 = NULL;
#endif
