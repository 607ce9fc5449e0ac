/* One channel of all joints as a matrix. */
#include <math.h>
#include <string.h>

#include "base/support.h"
#include "log/log_internal.h"

rbv_status rbv_log_block(double **out, const rbv_log *log, rbv_channel channel, int n) {
  *out = NULL;
  const char *stem = rbv_channel_name(channel);
  const ptrdiff_t count = rbv_log_samples(log);
  if (rbv_log_channel_count(log, channel) != n)
    return rbv_fail(RBV_EINPUT,
                    "%s: the robot has %d joints, but there are %d columns %s1, %s2, ...",
                    rbv_log_name(log), n, rbv_log_channel_count(log, channel), stem, stem);
  RBV_NEW(double, block, (size_t)count *(size_t)n);
  for (int j = 0; j < n; j++) {
    const double *from = rbv_log_channel(log, channel, j);
    memcpy(block + j * count, from, (size_t)count * sizeof *block);
    for (ptrdiff_t k = 0; k < count; k++)
      if (!isfinite(from[k])) {
        rbv_free(block);
        return rbv_fail(RBV_EINPUT, "%s:%td: %s%d is not a finite number", rbv_log_name(log),
                        rbv_log_line(log, k), stem, j + 1);
      }
  }
  *out = block;
  return RBV_OK;
}

void rbv_log_block_free(double *block) { rbv_free(block); }
