/* Bags of ROS 2 in SQLite. The library itself is not instrumented. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 100) return 0;
  fuzz_log(fuzz_file(data, size, "SQLite format 3", 16), size, (fuzz_budget){32 << 20, 64 << 10});
  return 0;
}
