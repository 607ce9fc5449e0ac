#include "base/support.h"

int rbv_vector_width(int max) {
#if defined(__x86_64__)
  // files of width 4 and 8 are compiled for these instructions
  if (max >= 8 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq")) return 8;
  if (max >= 4 && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return 4;
#endif
  return max < 2 ? max : 2;
}
