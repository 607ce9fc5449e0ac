/* Bags of ROS 2 in MCAP, with the definitions and messages in them. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 8) return 0;
  fuzz_log(fuzz_file(data, size, "\x89MCAP0\r\n", 8), size, (fuzz_budget){32 << 20, 256 << 10});
  return 0;
}
