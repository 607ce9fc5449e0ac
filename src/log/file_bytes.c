#include "log/file_bytes.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/support.h"

rbv_status file_open(int *out, size_t *size, const char *path) {
  *out = open(path, O_RDONLY | O_CLOEXEC);
  struct stat info;
  if (*out >= 0 && fstat(*out, &info) == 0) {
    *size = info.st_size > 0 ? (size_t)info.st_size : 0;
    return RBV_OK;
  }
  const rbv_status status = rbv_fail(RBV_EREAD, "%s: %s", path, strerror(errno));
  if (*out >= 0) close(*out);
  *out = -1;
  return status;
}

rbv_status file_read(void *to, size_t n, int file, size_t at, const char *name) {
  for (size_t done = 0; done < n;) {
    const ssize_t k = pread(file, (char *)to + done, n - done, (off_t)(at + done));
    if (k < 0 && errno == EINTR) continue;
    if (k < 0) return rbv_fail(RBV_EREAD, "%s: %s", name, strerror(errno));
    if (k == 0) return rbv_fail(RBV_EINPUT, "%s: the file is truncated or damaged", name);
    done += (size_t)k;
  }
  return RBV_OK;
}
