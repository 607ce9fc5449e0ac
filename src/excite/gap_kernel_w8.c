#define WIDTH 8
#include "excite/gap_kernel.h"

#if defined(__AVX512F__) && defined(__AVX512DQ__)
#include "excite/gap_kernel.inc"

static const gap_kernel table = GAP_TABLE;
const gap_kernel *const rbv_gap_kernel_w8 = &table;
#else
const gap_kernel *const rbv_gap_kernel_w8 = NULL;
#endif
