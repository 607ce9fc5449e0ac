#include "dynamics/kernel.h"

static bool runs(const rbv_kernel *kernel) {
#if defined(__x86_64__)
  if (kernel->width == 8)
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq");
  if (kernel->width == 4) return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#endif
  return kernel->width <= 2;
}

const rbv_kernel *rbv_kernel_choose(int max) {
  const rbv_kernel *const all[] = {rbv_kernel_w8, rbv_kernel_w4, &rbv_kernel_w2};
  for (int i = 0; i < RBV_COUNT(all); i++)
    if (all[i] && all[i]->width <= max && runs(all[i])) return all[i];
  return &rbv_kernel_w1;
}
