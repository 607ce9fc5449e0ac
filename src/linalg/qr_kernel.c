#include "linalg/qr_kernel.h"

#include <stdatomic.h>

static atomic_int width_limit;  // 0: no limit

void rbv_qr_limit_width(int max_width) { atomic_store(&width_limit, max_width); }

rbv_qr_reduce *rbv_qr_reduce_best(void) {
#if defined(__x86_64__)
  const int limit = atomic_load(&width_limit), widest = limit ? limit : QR_LANES;
  // files of width 4 and 8 are compiled for these instructions
  if (widest >= 8 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq"))
    return rbv_qr_reduce_w8;
  if (widest >= 4 && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    return rbv_qr_reduce_w4;
#endif
  return rbv_qr_reduce_w2;
}
