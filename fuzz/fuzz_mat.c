/*
 * Recordings in MAT format, through a file in memory, because matio reads only files. Version 5
 * only: version 7.3 is HDF5, and that library is not instrumented here.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"
#include "log/table.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size > 125 && (data[124] == 2 || data[125] == 2)) return 0;
  const int file = memfd_create("fuzz.mat", 0);
  FUZZ_CHECK(file >= 0 && write(file, data, size) == (ssize_t)size);
  char path[64];
  snprintf(path, sizeof path, "/proc/self/fd/%d", file);
  table t = {0};
  fuzz_begin();
  const rbv_status status = mat_table(&t, path, NULL);
  fuzz_end(status, status == RBV_OK ? &t : NULL, size, (fuzz_budget){16 << 20, 64 << 10});
  if (status == RBV_OK) table_free(&t);
  close(file);
  return 0;
}
