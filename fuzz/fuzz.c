#include "fuzz.h"

#include <fcntl.h>
#include <malloc.h>
#include <roberval/sys/log.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/support.h"
#include "memory_vfs.h"

static size_t before;
static long long accepted;

long long fuzz_accepted(void) { return accepted; }

_Noreturn void fuzz_failed(const char *what, const char *file, int line) {
  fprintf(stderr, "%s:%d: failed check: %s (last message: %s; at most %zu bytes held)\n", file,
          line, what, rbv_message(), rbv_alloc_peak() - before);
  abort();
}

void fuzz_begin(void) {
  static bool prepared;
  if (!prepared) {
    // keep freed memory: new pages from the system cost more than all else
    mallopt(M_MMAP_THRESHOLD, 16 << 20);
    mallopt(M_TRIM_THRESHOLD, 256 << 20);
    rbv_alloc_guard(true);
    prepared = true;
  }
  before = rbv_alloc_reset_peak();
}

void fuzz_end(rbv_status status, const void *out, size_t size, fuzz_budget budget) {
  FUZZ_CHECK(rbv_alloc_damaged() == 0);
  FUZZ_CHECK(rbv_alloc_peak() - before <= budget.fixed + budget.per_byte * size);
  if (status == RBV_OK) {
    FUZZ_CHECK(out);
    accepted++;
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

static char file_path[64];

static void remove_file(void) { unlink(file_path); }

const char *fuzz_file(const uint8_t *data, size_t size, const char *start, size_t start_size) {
  static int file = -1;
  if (file < 0) {
    // a file system in memory, with a short path
    snprintf(file_path, sizeof file_path, "/dev/shm/fuzz-%ld", (long)getpid());
    file = open(file_path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    FUZZ_CHECK(file >= 0 && atexit(remove_file) == 0);
  }
  FUZZ_CHECK(pwrite(file, data, size, 0) == (ssize_t)size);
  FUZZ_CHECK(start_size == 0 || pwrite(file, start, start_size, 0) == (ssize_t)start_size);
  FUZZ_CHECK(ftruncate(file, (off_t)size) == 0);
  // SQLite reads the same bytes from a block of exactly their size
  static uint8_t *copy;
  free(copy);
  copy = malloc(size ? size : 1);
  FUZZ_CHECK(copy && start_size <= size);
  memcpy(copy, data, size);
  memcpy(copy, start, start_size);
  memory_vfs_use(copy, size);
  return file_path;
}

void fuzz_log(const char *path, size_t size, fuzz_budget budget) {
  rbv_log *log = NULL;
  fuzz_begin();
  rbv_status status = rbv_log_load(&log, path, NULL);
  fuzz_end(status, log, size, budget);
  for (int j = 0; log && j < 3; j++) (void)rbv_log_unwrap(log, j);
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
