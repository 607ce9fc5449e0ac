#include "log/file_bytes.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/support.h"

rbv_status file_bytes(uint8_t **out, size_t *size, size_t *whole, const char *path, size_t most) {
  *out = NULL;
  *size = *whole = 0;
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  struct stat info;
  if (file < 0 || fstat(file, &info) != 0) {
    const rbv_status status = rbv_fail(RBV_EREAD, "%s: %s", path, strerror(errno));
    if (file >= 0) close(file);
    return status;
  }
  *whole = (size_t)info.st_size;
  const size_t n = *whole < most ? *whole : most;
  uint8_t *data = rbv_alloc(n + 1);
  rbv_status status = data ? RBV_OK : RBV_EMEM;
  while (status == RBV_OK && *size < n) {
    const ssize_t got = read(file, data + *size, n - *size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) status = rbv_fail(RBV_EREAD, "%s: %s", path, strerror(errno));
    if (got == 0) break;
    if (got > 0) *size += (size_t)got;
  }
  close(file);
  if (status == RBV_OK)
    *out = data;
  else
    rbv_free(data);
  return status;
}
