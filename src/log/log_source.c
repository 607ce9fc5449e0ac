// memfd_create
#define _GNU_SOURCE

#include "log/log_source.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "log/log.h"
#include "storage/storage.h"

#include "base/support.h"
#include "log/bag_files.h"

#define MOST_STREAMS 16
#define LONGEST_STREAM ((size_t)1 << 30)  // bytes that are kept in memory
#define MOST_PARTS 100

/* ---- standard input ---- */

typedef struct {
  char path[64];  // as given
  char real[64];  // of the copy
} stream;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static stream streams[MOST_STREAMS];
static int nstream;

/* The file descriptor that a path names; -1: it is another path. */
static int descriptor_of(const char *path) {
  int fd = -1, used = 0;
  if (strcmp(path, "-") == 0 || strcmp(path, "/dev/stdin") == 0) return STDIN_FILENO;
  if (sscanf(path, "/dev/fd/%d%n", &fd, &used) != 1 || path[used] || fd < 0) return -1;
  return fd;
}

static rbv_status copy_stream(const char *path, int from, int to) {
  static char buffer[1 << 16];  // protected by the lock
  size_t size = 0;
  for (;;) {
    const ssize_t n = read(from, buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return rbv_fail(RBV_EREAD, "%s: %s", path, strerror(errno));
    if (n == 0) return RBV_OK;
    size += (size_t)n;
    if (size > LONGEST_STREAM)
      return rbv_fail(RBV_EINPUT,
                      "%s: more than %zu MB come from standard input: write them to a file", path,
                      LONGEST_STREAM >> 20);
    for (ssize_t done = 0; done < n;) {
      const ssize_t k = write(to, buffer + done, (size_t)(n - done));
      if (k < 0 && errno != EINTR) return RBV_EMEM;
      if (k > 0) done += k;
    }
  }
}

static rbv_status keep_stream(const char **out, const char *path, int fd) {
  for (int i = 0; i < nstream; i++)
    if (strcmp(streams[i].path, path) == 0) {
      *out = streams[i].real;
      return RBV_OK;
    }
  if (nstream == MOST_STREAMS)
    return rbv_fail(RBV_EINPUT, "%s: more than %d streams are read", path, MOST_STREAMS);
  const int copy = memfd_create("recording", MFD_CLOEXEC);
  if (copy < 0) return rbv_fail(RBV_EREAD, "%s: %s", path, strerror(errno));
  RBV_TRY_OR(copy_stream(path, fd, copy), close(copy));
  stream *s = &streams[nstream++];
  snprintf(s->path, sizeof s->path, "%s", path);
  snprintf(s->real, sizeof s->real, "/proc/self/fd/%d", copy);
  *out = s->real;
  return RBV_OK;
}

rbv_status log_real_path(const char **out, const char *path) {
  *out = path;
  RBV_TRY(rbv_input_note(NULL, path));
  const int fd = descriptor_of(path);
  struct stat info;
  if (fd < 0) return RBV_OK;
  // a file that the shell has opened can be read again, unless its name is needed
  if (strcmp(path, "-") != 0 && fstat(fd, &info) == 0 && S_ISREG(info.st_mode)) return RBV_OK;
  pthread_mutex_lock(&lock);
  RBV_FINISH(keep_stream(out, path, fd), pthread_mutex_unlock(&lock));
}

rbv_status log_real_status(rbv_status status, const char *real, const char *path) {
  if (status == RBV_OK || real == path || !rbv_message()) return status;
  const char *at = strstr(rbv_message(), real);
  if (!at) return status;
  rbv_text text = {0};
  rbv_text_add(&text, rbv_message(), (size_t)(at - rbv_message()));
  rbv_text_put(&text, strcmp(path, "-") == 0 ? "standard input" : path);
  rbv_text_put(&text, at + strlen(real));
  if (!text.failed) status = rbv_fail(status, "%s", text.data);
  rbv_text_free(&text);
  return status;
}

/* ---- several files ---- */

rbv_status log_parts(char ***out, int *n, const char *path) {
  *out = NULL;
  *n = 0;
  struct stat info;
  if (!strchr(path, '+') || stat(path, &info) == 0) return RBV_OK;
  char **parts = rbv_alloc(sizeof *parts * MOST_PARTS);
  if (!parts) return RBV_EMEM;
  bool all = true;
  rbv_status status = RBV_OK;
  for (const char *p = path; all && status == RBV_OK; p++) {
    const size_t length = strcspn(p, "+");
    all = length > 0 && *n < MOST_PARTS;
    if (!all) break;
    parts[*n] = rbv_strndup(p, length);
    if (!parts[*n])
      status = RBV_EMEM;
    else
      all = stat(parts[(*n)++], &info) == 0 && S_ISREG(info.st_mode);
    p += length;
    if (!*p) break;
  }
  if (status == RBV_OK && all) {
    *out = parts;
    return RBV_OK;
  }
  names_free(parts, *n);
  *n = 0;
  return status;
}

/* ---- hashes ---- */

/* The hash of the hashes of several files. */
static rbv_status hash_files(char out[65], char *const *files, int n) {
  rbv_text all = {0};
  rbv_status status = RBV_OK;
  for (int i = 0; i < n && status == RBV_OK; i++) {
    char hash[65];
    status = rbv_hash_file(hash, files[i]);
    if (status == RBV_OK) rbv_text_print(&all, "%s\n", hash);
  }
  if (status == RBV_OK && all.failed) status = RBV_EMEM;
  if (status == RBV_OK) rbv_hash_bytes(out, all.data, all.size);
  rbv_text_free(&all);
  return status;
}

rbv_status rbv_log_hash(char out[65], const char *path) {
  const char *real;
  char **files = NULL;
  int n = 0;
  struct stat info;
  RBV_TRY(log_real_path(&real, path));
  if (real != path) return log_real_status(rbv_hash_file(out, real), real, path);
  if (stat(path, &info) == 0 && S_ISDIR(info.st_mode))
    RBV_TRY(bag_files(&files, &n, path));
  else
    RBV_TRY(log_parts(&files, &n, path));
  RBV_FINISH(n > 0 ? hash_files(out, files, n) : rbv_hash_file(out, path), names_free(files, n));
}
