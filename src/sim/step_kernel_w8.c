#define WIDTH 8
#include "sim/step_kernel.h"

#if defined(__AVX512F__) && defined(__AVX512DQ__)
#include "sim/step_kernel.inc"

static const step_kernel table = STEP_TABLE;
const step_kernel *const rbv_step_kernel_w8 = &table;
#else
const step_kernel *const rbv_step_kernel_w8 = NULL;
#endif
