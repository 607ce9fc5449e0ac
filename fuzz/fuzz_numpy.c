/* Arrays of NumPy, alone or in an archive. */
#include "fuzz.h"
#include "log/table.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 8) return 0;
  const char *path =
      fuzz_file(data, size, data[0] == 'P' ? "PK" : "\x93NUMPY", data[0] == 'P' ? 2 : 6);
  table t = {0};
  fuzz_begin();
  const rbv_status status = numpy_table(&t, path, NULL);
  fuzz_end(status, status == RBV_OK ? &t : NULL, size, (fuzz_budget){64 << 20, 64 << 10});
  if (status == RBV_OK) table_free(&t);
  return 0;
}
