#include "signal/filter_kernel.h"

#include <stdatomic.h>

#include "base/support.h"

static atomic_int width_limit;  // 0: no limit

void rbv_signal_limit_width(int max_width) { atomic_store(&width_limit, max_width); }

const rbv_signal_kernel *rbv_signal_kernel_best(int max_width) {
  const int limit = atomic_load(&width_limit);
  if (limit && limit < max_width) max_width = limit;
  const int width = rbv_vector_width(max_width);
  return width == 8   ? &rbv_signal_kernel_w8
         : width == 4 ? &rbv_signal_kernel_w4
                      : &rbv_signal_kernel_w2;
}
