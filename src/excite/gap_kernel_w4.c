#define WIDTH 4
#include "excite/gap_kernel.h"

#if defined(__AVX2__) && defined(__FMA__)
#include "excite/gap_kernel.inc"

static const gap_kernel table = GAP_TABLE;
const gap_kernel *const rbv_gap_kernel_w4 = &table;
#else
const gap_kernel *const rbv_gap_kernel_w4 = NULL;
#endif
