#include "signal/filter_kernel.h"

#include <stdatomic.h>

static atomic_int width_limit;  // 0: no limit

void rbv_signal_limit_width(int max_width) { atomic_store(&width_limit, max_width); }

const rbv_signal_kernel *rbv_signal_kernel_best(int max_width) {
  const int limit = atomic_load(&width_limit);
  if (limit && limit < max_width) max_width = limit;
#if defined(__x86_64__)
  // files of width 4 and 8 are compiled for these instructions
  if (max_width >= 8 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq"))
    return &rbv_signal_kernel_w8;
  if (max_width >= 4 && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    return &rbv_signal_kernel_w4;
#endif
  (void)max_width;
  return &rbv_signal_kernel_w2;
}
