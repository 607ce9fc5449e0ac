/* CSV that is compressed with gzip or zstd. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 8) return 0;
  const char *start = data[0] == 0x1F ? "\x1F\x8B" : "\x28\xB5\x2F\xFD";
  const size_t n = data[0] == 0x1F ? 2 : 4;
  fuzz_log(fuzz_file(data, size, start, n), size, (fuzz_budget){8 << 20, 2 << 20});
  return 0;
}
