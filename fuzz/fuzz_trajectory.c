/* Trajectory files. A trajectory that was read is evaluated. */
#include <math.h>
#include <roberval/sys/trajectory.h>

#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  rbv_trajectory *trajectory = NULL;
  fuzz_begin();
  const rbv_status status =
      rbv_trajectory_parse(&trajectory, "trajectory", (const char *)data, size);
  fuzz_end(status, trajectory, size, (fuzz_budget){1 << 20, 4096});
  if (status != RBV_OK) return 0;
  double q[128] = {0};
  if (rbv_trajectory_get_shape(trajectory)->njoint <= 128)
    rbv_trajectory_eval(q, NULL, NULL, NULL, trajectory, 0.5 * rbv_trajectory_duration(trajectory));
  rbv_trajectory_free(trajectory);
  return 0;
}
