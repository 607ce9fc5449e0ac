#define WIDTH 4
#include "dynamics/kernel.h"

#if defined(__AVX2__) && defined(__FMA__)
#include "dynamics/kernel.inc"

static const rbv_kernel table = TABLE;
const rbv_kernel *const rbv_kernel_w4 = &table;
#else
const rbv_kernel *const rbv_kernel_w4 = NULL;
#endif
