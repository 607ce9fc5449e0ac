#define WIDTH 4
#include "sim/step_kernel.h"

#if defined(__AVX2__) && defined(__FMA__)
#include "sim/step_kernel.inc"

static const step_kernel table = STEP_TABLE;
const step_kernel *const rbv_step_kernel_w4 = &table;
#else
const step_kernel *const rbv_step_kernel_w4 = NULL;
#endif
