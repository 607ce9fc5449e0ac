#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "storage/storage_internal.h"

#define MAX_LINKS 40  // as many as Linux follows

/* ---- reading ---- */

rbv_status rbv_file_open(int *descriptor, size_t *size, const char *path) {
  if (!path) return rbv_fail(RBV_EARG, "the path is NULL");
  // O_NONBLOCK: otherwise opening a pipe without a writer would block
  const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return rbv_fail(RBV_EREAD, "%s: %s", path, strerror(errno));
  struct stat info;
  if (fstat(fd, &info) != 0) {
    const int reason = errno;
    close(fd);
    return rbv_fail(RBV_EREAD, "%s: %s", path, strerror(reason));
  }
  if (!S_ISREG(info.st_mode)) {
    close(fd);
    return rbv_fail(RBV_EREAD, "%s: is a %s; only a regular file can be read here", path,
                    S_ISDIR(info.st_mode) ? "directory" : "pipe or device");
  }
  *descriptor = fd;
  *size = (size_t)info.st_size;
  return RBV_OK;
}

/* Read to the end, not to the size that stat reports: a file may grow, and in /proc the size is 0.
 */
static rbv_status read_all(char **data, size_t *size, int fd, size_t announced, const char *path) {
  size_t capacity = announced + 1;
  *size = 0;
  *data = rbv_alloc(capacity);
  if (!*data) return RBV_EMEM;
  for (;;) {
    const ssize_t n = read(fd, *data + *size, capacity - *size);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return rbv_fail(RBV_EREAD, "%s: %s", path, strerror(errno));
    if (n == 0) break;
    *size += (size_t)n;
    if (*size > FILE_MAX_BYTES) return rbv_fail(RBV_EUNSUPPORTED, "%s: larger than 64 MB", path);
    if (*size < capacity) continue;
    char *more = rbv_realloc(*data, capacity, 2 * capacity + 4096);
    if (!more) return RBV_EMEM;
    *data = more;
    capacity = 2 * capacity + 4096;
  }
  (*data)[*size] = 0;
  return RBV_OK;
}

bool rbv_file_same(const char *a, const char *b) {
  struct stat one, other;
  return a && b && stat(a, &one) == 0 && stat(b, &other) == 0 && one.st_dev == other.st_dev &&
         one.st_ino == other.st_ino;
}

/* true for "-" and for the end of a pipe, which can be read once */
static bool is_stream(const char *path) {
  struct stat info;
  return path && (strcmp(path, "-") == 0 ||
                  (stat(path, &info) == 0 && (S_ISFIFO(info.st_mode) || S_ISSOCK(info.st_mode))));
}

rbv_status rbv_file_read_input(char **data, size_t *size, const char *path) {
  if (!data || !size) return rbv_fail(RBV_EARG, "rbv_file_read_input: data or size is NULL");
  if (!is_stream(path)) return rbv_file_read(data, size, path);
  *data = NULL;
  RBV_TRY(rbv_input_note("read", path));
  const bool own = strcmp(path, "-") != 0;
  const int fd = own ? open(path, O_RDONLY | O_CLOEXEC) : STDIN_FILENO;
  if (fd < 0) return rbv_fail(RBV_EREAD, "%s: %s", path, strerror(errno));
  const rbv_status status = read_all(data, size, fd, 0, own ? path : "standard input");
  if (own) close(fd);
  if (status != RBV_OK) {
    rbv_free(*data);
    *data = NULL;
  }
  return status;
}

rbv_status rbv_file_read(char **data, size_t *size, const char *path) {
  if (!data || !size) return rbv_fail(RBV_EARG, "rbv_file_read: data or size is NULL");
  *data = NULL;
  if (!path) return rbv_fail(RBV_EARG, "the path is NULL");
  RBV_TRY(rbv_input_note("read", path));
  int fd;
  size_t announced;
  RBV_TRY(rbv_file_open(&fd, &announced, path));
  rbv_status status;
  if (announced > FILE_MAX_BYTES)
    status = rbv_fail(RBV_EUNSUPPORTED, "%s: larger than 64 MB", path);
  else
    status = read_all(data, size, fd, announced, path);
  close(fd);
  if (status != RBV_OK) {
    rbv_free(*data);
    *data = NULL;
  }
  return status;
}

void rbv_file_free(char *data) { rbv_free(data); }

/* ---- writing ---- */

rbv_status rbv_file_refuse(const char *path, int reason) {
  // a name that no file system takes is wrong input
  return rbv_fail(reason == ENAMETOOLONG ? RBV_EINPUT : RBV_EWRITE, "%s: cannot be written: %s",
                  path, strerror(reason));
}

/* Number of bytes up to and including the last slash. */
static int directory_length(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? (int)(slash - path) + 1 : 0;
}

/* Follow symbolic links to the file itself: rename would replace the link. realpath cannot be used,
 * because the file need not exist. */
static rbv_status follow_links(char target[PATH_MAX], const char *path) {
  // do not quote such a path: it is longer than a message
  if (strlen(path) >= PATH_MAX)
    return rbv_fail(RBV_EINPUT, "a path of %zu bytes cannot be written", strlen(path));
  strcpy(target, path);
  for (int i = 0; i < MAX_LINKS; i++) {
    char link[PATH_MAX], joined[2 * PATH_MAX];
    const ssize_t n = readlink(target, link, sizeof link - 1);
    if (n < 0) return RBV_OK;  // not a link; if it does not exist, opening it reports that
    link[n] = 0;
    const int directory = link[0] == '/' ? 0 : directory_length(target);
    const int length = snprintf(joined, sizeof joined, "%.*s%s", directory, target, link);
    if (length >= PATH_MAX) return rbv_file_refuse(path, ENAMETOOLONG);
    strcpy(target, joined);
  }
  return rbv_file_refuse(path, ELOOP);
}

#define BESIDE ".roberval-"

/* ".roberval-PID-NUMBER" gives PID; other names give 0. */
static long owner_of(const char *name) {
  if (strncmp(name, BESIDE, sizeof BESIDE - 1) != 0) return 0;
  const char *s = name + sizeof BESIDE - 1;
  if (!isdigit((unsigned char)*s)) return 0;
  char *end;
  errno = 0;
  const long pid = strtol(s, &end, 10);
  if (errno || *end != '-' || !isdigit((unsigned char)end[1])) return 0;
  for (s = end + 1; *s; s++)
    if (!isdigit((unsigned char)*s)) return 0;
  return pid;
}

/* Remove a temporary file whose process is dead. A process of another machine, or of another
 * container, holds its lock. */
static void remove_orphan(int directory, const char *name) {
  const long pid = owner_of(name);
  if (pid <= 0 || kill((pid_t)pid, 0) == 0 || errno != ESRCH) return;
  const int fd = openat(directory, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (fd < 0) return;
  struct stat info;
  if (fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && info.st_uid == geteuid() &&
      flock(fd, LOCK_EX | LOCK_NB) == 0)
    (void)unlinkat(directory, name, 0);
  close(fd);
}

/* Remove what killed processes left in the directory of the target, once for each directory in a
 * row. Nothing depends on it, so that it cannot fail. */
static void sweep(const char *target) {
  static atomic_ullong last;
  char path[PATH_MAX];
  snprintf(path, sizeof path, "%.*s.", directory_length(target), target);
  const int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  struct stat info;
  if (fd < 0 || fstat(fd, &info) != 0 || atomic_exchange(&last, info.st_ino) == info.st_ino) {
    if (fd >= 0) close(fd);
    return;
  }
  DIR *directory = fdopendir(fd);
  if (!directory) {
    close(fd);
    return;
  }
  for (struct dirent *entry; (entry = readdir(directory));) remove_orphan(fd, entry->d_name);
  closedir(directory);
}

/* Create a file with a unique name next to the target. It gets the usual mode, 0666 minus the
 * umask; mkstemp would make it private. */
static int open_beside(char name[PATH_MAX], const char *target) {
  static atomic_uint counter;
  for (int attempt = 0; attempt < 100; attempt++) {
    const int n = snprintf(name, PATH_MAX, "%.*s" BESIDE "%ld-%u", directory_length(target), target,
                           (long)getpid(), atomic_fetch_add(&counter, 1));
    if (n >= PATH_MAX) {
      errno = ENAMETOOLONG;
      return -1;
    }
    const int fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    // file systems without locks are not swept by other machines, either
    if (fd >= 0) (void)flock(fd, LOCK_EX | LOCK_NB);
    if (fd >= 0 || errno != EEXIST) return fd;
  }
  return -1;
}

int rbv_file_append(int fd, const char *data, size_t size) {
  while (size > 0) {
    const ssize_t n = write(fd, data, size);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return errno;
    data += n;
    size -= (size_t)n;
  }
  return 0;
}

int rbv_file_flush(int fd) {
  // some file systems cannot flush a single file and return EINVAL
  return fsync(fd) == 0 || errno == EINVAL ? 0 : errno;
}

/* Copy owner and permissions of the file that is replaced. */
static int keep_mode(int fd, const struct stat *old) {
  // only root can change the owner, and only to one that exists in the user namespace (EINVAL);
  // other users keep the new file as their own
  if (fchown(fd, old->st_uid, old->st_gid) != 0 && errno != EPERM && errno != EINVAL) return errno;
  return fchmod(fd, old->st_mode & 0777) == 0 ? 0 : errno;
}

void rbv_file_flush_directory(const char *target) {
  char directory[PATH_MAX];
  snprintf(directory, sizeof directory, "%.*s.", directory_length(target), target);
  const int fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return;
  (void)fsync(fd);
  close(fd);
}

static rbv_status replace(const char *path, const char *target, const struct stat *old,
                          const void *data, size_t size) {
  char beside[PATH_MAX];
  sweep(target);
  const int fd = open_beside(beside, target);
  if (fd < 0) return rbv_file_refuse(path, errno);
  int reason = old ? keep_mode(fd, old) : 0;
  if (!reason) reason = rbv_file_append(fd, data, size);
  if (!reason) reason = rbv_file_flush(fd);
  if (close(fd) != 0 && !reason) reason = errno;
  if (!reason && rename(beside, target) != 0) reason = errno;
  if (reason) {
    unlink(beside);
    return rbv_file_refuse(path, reason);
  }
  rbv_file_flush_directory(target);
  return RBV_OK;
}

rbv_status rbv_file_write(const char *path, const void *data, size_t size) {
  if (!path || (!data && size > 0))
    return rbv_fail(RBV_EARG, "rbv_file_write: path or data is NULL");
  struct stat old;
  const bool exists = stat(path, &old) == 0;
  // rename would remove a device
  if (exists && !S_ISREG(old.st_mode))
    return rbv_fail(RBV_EINPUT, "%s: is a %s; only a regular file can be replaced", path,
                    S_ISDIR(old.st_mode) ? "directory" : "pipe or device");
  RBV_TRY(rbv_output_check(path));
  // rename checks the permissions of the directory only, so check those of the file
  if (exists && access(path, W_OK) != 0) return rbv_file_refuse(path, errno);
  char target[PATH_MAX];
  RBV_TRY(follow_links(target, path));
  return replace(path, target, exists ? &old : NULL, data, size);
}

/* ---- directories ---- */

rbv_status rbv_directory_make(const char *path) {
  if (mkdir(path, 0777) == 0) return RBV_OK;
  const int reason = errno;
  struct stat info;
  if (reason == EEXIST && stat(path, &info) == 0) {
    if (S_ISDIR(info.st_mode)) return RBV_OK;
    return rbv_fail(RBV_EINPUT, "'%s' is a file; a directory is needed", path);
  }
  if (reason == ENAMETOOLONG)
    return rbv_fail(RBV_EINPUT, "the directory '%.60s...' cannot be created: %s", path,
                    strerror(reason));
  return rbv_fail(RBV_EWRITE, "the directory '%s' cannot be created: %s", path, strerror(reason));
}
