// memfd_create
#define _GNU_SOURCE

#include "fuzz.h"

#include <roberval/sys/log.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/support.h"

static size_t before;

_Noreturn void fuzz_failed(const char *what, const char *file, int line) {
  fprintf(stderr, "%s:%d: failed check: %s (last message: %s; at most %zu bytes held)\n", file,
          line, what, rbv_message(), rbv_alloc_peak() - before);
  abort();
}

void fuzz_begin(void) { before = rbv_alloc_reset_peak(); }

void fuzz_end(rbv_status status, const void *out, size_t size, fuzz_budget budget) {
  FUZZ_CHECK(rbv_alloc_peak() - before <= budget.fixed + budget.per_byte * size);
  if (status == RBV_OK) {
    FUZZ_CHECK(out);
    return;
  }
  FUZZ_CHECK(status == RBV_EINPUT || status == RBV_EUNSUPPORTED || status == RBV_EREAD ||
             status == RBV_EDIM);
  FUZZ_CHECK(!out);
  const char *sentence = rbv_message();
  FUZZ_CHECK(*sentence && !strchr(sentence, '\n'));
  // a failed call must not hold memory
  FUZZ_CHECK(rbv_alloc_reset_peak() == before);
}

const char *fuzz_file(const uint8_t *data, size_t size, const char *start, size_t start_size) {
  static char path[64];
  static int file = -1;
  if (file < 0) file = memfd_create("fuzz", 0);
  FUZZ_CHECK(file >= 0 && ftruncate(file, 0) == 0);
  FUZZ_CHECK(pwrite(file, data, size, 0) == (ssize_t)size);
  FUZZ_CHECK(pwrite(file, start, start_size, 0) == (ssize_t)start_size);
  snprintf(path, sizeof path, "/proc/self/fd/%d", file);
  return path;
}

void fuzz_log(const char *path, size_t size, fuzz_budget budget) {
  rbv_log *log = NULL;
  fuzz_begin();
  rbv_status status = rbv_log_load(&log, path, NULL);
  fuzz_end(status, log, size, budget);
  rbv_log_free(log);
  size_t bytes;
  (void)!rbv_log_bytes(&bytes, path);
  rbv_log_file *file = NULL;
  fuzz_begin();
  status = rbv_log_file_open(&file, path, NULL, 2, 1);
  // a piecewise reader has buffers of fixed size
  fuzz_end(status, file, size, (fuzz_budget){budget.fixed + (64 << 20), budget.per_byte});
  rbv_log_file_free(file);
}
