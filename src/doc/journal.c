/*
 * Journals. A text head, then records:
 *
 *   roberval.journal/1 KIND COUNT BYTES SHA256\n DESCRIPTION\n
 *   index, size (8 bytes each, lowest first), data, checksum (16 bytes)
 *
 * with BYTES the length of the description, SHA256 over "KIND COUNT\n" and the description, and a
 * checksum the first half of the SHA-256 over the head's hash, index, size and data.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "doc/tree.h"

#define MAGIC "roberval.journal/1 "
#define FRAME 16  // bytes of index and size
#define CHECK 16  // bytes of the checksum
#define HASH 64   // hexadecimal digits
#define COUNT_MAX 100000000

typedef struct {
  const char *data;  // NULL: not done
  size_t size;
  bool own;  // appended by this process or joined, not part of the image
} record;

struct rbv_journal {
  char *path, *name, *description;
  char hash[HASH + 1];
  ptrdiff_t count, done;
  record *record;  // count
  char *image;     // the file as it was read
  size_t size;     // of the image
  size_t end;      // of the last good record
  int fd;          // -1: not to be written
};

/* ---- head ---- */

static rbv_status identify_jobs(char hash[HASH + 1], const char *name, const char *description,
                                ptrdiff_t count) {
  rbv_text text = {0};
  rbv_text_print(&text, "%s %td\n", name, count);
  rbv_text_put(&text, description);
  if (!text.failed) rbv_hash_bytes(hash, text.data, text.size);
  const rbv_status status = text.failed ? RBV_EMEM : RBV_OK;
  rbv_text_free(&text);
  return status;
}

static rbv_status no_journal(const char *path) {
  return rbv_fail(RBV_EINPUT, "%s: is no journal of jobs (or its head is damaged)", path);
}

/* name, count, description and hash from the image; end is behind them */
static rbv_status read_head(rbv_journal *j) {
  const char *line_end = memchr(j->image, '\n', j->size);
  char name[64], hash[HASH + 1], again[HASH + 1];
  long long count;
  size_t bytes;
  int used = 0;
  if (!line_end || j->size < sizeof MAGIC || memcmp(j->image, MAGIC, sizeof MAGIC - 1) != 0 ||
      sscanf(j->image + sizeof MAGIC - 1, "%63s %lld %zu %64s%n", name, &count, &bytes, hash,
             &used) != 4 ||
      j->image + sizeof MAGIC - 1 + used != line_end || count < 0 || count > COUNT_MAX)
    return no_journal(j->path);
  const size_t begin = (size_t)(line_end + 1 - j->image);
  if (bytes >= j->size - begin || j->image[begin + bytes] != '\n') return no_journal(j->path);
  j->name = rbv_strdup(name);
  j->description = rbv_strndup(j->image + begin, bytes);
  if (!j->name || !j->description) return RBV_EMEM;
  RBV_TRY(identify_jobs(again, name, j->description, count));
  if (strcmp(hash, again) != 0) return no_journal(j->path);
  memcpy(j->hash, hash, sizeof hash);
  j->count = count;
  j->end = begin + bytes + 1;
  j->record = rbv_alloc((size_t)count * sizeof *j->record);
  return j->record ? RBV_OK : RBV_EMEM;
}

static rbv_status write_head(const char *path, const rbv_jobs *jobs) {
  char hash[HASH + 1];
  if (strlen(jobs->name) > 63 || strpbrk(jobs->name, " \t\n") || jobs->count > COUNT_MAX)
    return rbv_fail(RBV_EARG, "jobs '%s' cannot be kept in a journal", jobs->name);
  RBV_TRY(identify_jobs(hash, jobs->name, jobs->description, jobs->count));
  rbv_text text = {0};
  rbv_text_print(&text, MAGIC "%s %td %zu %s\n", jobs->name, jobs->count, strlen(jobs->description),
                 hash);
  rbv_text_put(&text, jobs->description);
  rbv_text_put(&text, "\n");
  const rbv_status status = text.failed ? RBV_EMEM : rbv_file_write(path, text.data, text.size);
  rbv_text_free(&text);
  return status;
}

/* ---- records ---- */

static void put_number(char *to, uint64_t x) {
  for (int i = 0; i < 8; i++) to[i] = (char)(x >> 8 * i & 255);
}

static uint64_t get_number(const char *from) {
  uint64_t x = 0;
  for (int i = 7; i >= 0; i--) x = x << 8 | (unsigned char)from[i];
  return x;
}

/* index, size, data, checksum of a record */
static rbv_status frame(rbv_text *out, const rbv_journal *j, ptrdiff_t index, const void *data,
                        size_t size) {
  char head[FRAME], hash[HASH + 1];
  put_number(head, (uint64_t)index);
  put_number(head + 8, size);
  rbv_text_add(out, j->hash, HASH);
  rbv_text_add(out, head, sizeof head);
  if (size > 0) rbv_text_add(out, data, size);
  if (out->failed) return RBV_EMEM;
  rbv_hash_bytes(hash, out->data, out->size);
  rbv_text_add(out, hash, CHECK);
  return out->failed ? RBV_EMEM : RBV_OK;
}

/* the record that begins at end, if it is whole; false otherwise */
static rbv_status read_record(bool *good, rbv_journal *j) {
  *good = false;
  const size_t left = j->size - j->end;
  if (left < FRAME + CHECK) return RBV_OK;
  const char *at = j->image + j->end;
  const uint64_t index = get_number(at), size = get_number(at + 8);
  if (index >= (uint64_t)j->count || size > left - FRAME - CHECK) return RBV_OK;
  rbv_text text = {0};
  const rbv_status status = frame(&text, j, (ptrdiff_t)index, at + FRAME, size);
  *good =
      status == RBV_OK && memcmp(text.data + HASH + FRAME + size, at + FRAME + size, CHECK) == 0;
  rbv_text_free(&text);
  if (!*good) return status;
  j->done += !j->record[index].data;
  j->record[index] = (record){.data = at + FRAME, .size = size};
  j->end += FRAME + size + CHECK;
  return RBV_OK;
}

static rbv_status read_image(rbv_journal *j, int fd, size_t announced) {
  j->image = rbv_alloc(announced + 1);
  if (!j->image) return RBV_EMEM;
  while (j->size < announced) {
    const ssize_t n = read(fd, j->image + j->size, announced - j->size);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return rbv_fail(RBV_EREAD, "%s: %s", j->path, strerror(errno));
    if (n == 0) break;
    j->size += (size_t)n;
  }
  RBV_TRY(read_head(j));
  for (bool good = true; good;) RBV_TRY(read_record(&good, j));
  return RBV_OK;
}

/* ---- opening ---- */

static rbv_status new_journal(rbv_journal **out, const char *path) {
  rbv_journal *j = rbv_alloc(sizeof *j);
  if (!j) return RBV_EMEM;
  j->fd = -1;
  j->path = rbv_strdup(path);
  if (!j->path) {
    rbv_free(j);
    return RBV_EMEM;
  }
  *out = j;
  return RBV_OK;
}

void rbv_journal_free(rbv_journal *j) {
  if (!j) return;
  if (j->fd >= 0) close(j->fd);
  for (ptrdiff_t i = 0; j->record && i < j->count; i++)
    if (j->record[i].own) rbv_free((void *)(uintptr_t)j->record[i].data);
  rbv_free(j->record);
  rbv_free(j->image);
  rbv_free(j->description);
  rbv_free(j->name);
  rbv_free(j->path);
  rbv_free(j);
}

rbv_status rbv_journal_load(rbv_journal **out, const char *path) {
  *out = NULL;
  int fd;
  size_t announced;
  rbv_journal *j;
  RBV_TRY(rbv_file_open(&fd, &announced, path));
  rbv_status status = new_journal(&j, path);
  if (status == RBV_OK) {
    status = read_image(j, fd, announced);
    if (status == RBV_OK)
      *out = j;
    else
      rbv_journal_free(j);
  }
  close(fd);
  return status;
}

/* the file for this process alone, behind its last good record */
static rbv_status open_for_writing(rbv_journal *j, const rbv_jobs *jobs) {
  j->fd = open(j->path, O_RDWR | O_CLOEXEC);
  struct stat info;
  if (j->fd < 0 || fstat(j->fd, &info) != 0) return rbv_file_refuse(j->path, errno);
  if (flock(j->fd, LOCK_EX | LOCK_NB) != 0)
    return rbv_fail(RBV_EINPUT, "%s: another process is writing this journal", j->path);
  RBV_TRY(read_image(j, j->fd, (size_t)info.st_size));
  char hash[HASH + 1];
  RBV_TRY(identify_jobs(hash, jobs->name, jobs->description, jobs->count));
  if (strcmp(hash, j->hash) != 0)
    return rbv_fail(RBV_EINPUT,
                    "%s: is the journal of other jobs (another command, other options, inputs or "
                    "version): give another file, or remove it",
                    j->path);
  if (ftruncate(j->fd, (off_t)j->end) != 0 || lseek(j->fd, (off_t)j->end, SEEK_SET) < 0)
    return rbv_file_refuse(j->path, errno);
  return RBV_OK;
}

rbv_status rbv_journal_open(rbv_journal **out, const char *path, const rbv_jobs *jobs,
                            bool resume) {
  *out = NULL;
  if (!path || !jobs->name || !jobs->description)
    return rbv_fail(RBV_EARG, "a journal needs a path, and a name and description of its jobs");
  struct stat info;
  const bool there = stat(path, &info) == 0;
  if (there && !S_ISREG(info.st_mode)) return rbv_fail(RBV_EWRITE, "%s: is no regular file", path);
  if (there && !resume)
    return rbv_fail(RBV_EINPUT,
                    "%s: is there already: --resume goes on with it; to begin anew, remove it",
                    path);
  if (!there) RBV_TRY(write_head(path, jobs));
  rbv_journal *j;
  RBV_TRY(new_journal(&j, path));
  const rbv_status status = open_for_writing(j, jobs);
  if (status == RBV_OK)
    *out = j;
  else
    rbv_journal_free(j);
  return status;
}

/* ---- as a store ---- */

static bool find(void *self, ptrdiff_t index, const void **data, size_t *size) {
  const rbv_journal *j = self;
  if (index < 0 || index >= j->count || !j->record[index].data) return false;
  *data = j->record[index].data;
  *size = j->record[index].size;
  return true;
}

static rbv_status remember(rbv_journal *j, ptrdiff_t index, const void *data, size_t size) {
  char *copy = rbv_strndup(size > 0 ? data : "", size);
  if (!copy) return RBV_EMEM;
  j->record[index] = (record){.data = copy, .size = size, .own = true};
  j->done++;
  return RBV_OK;
}

static rbv_status keep(void *self, ptrdiff_t index, const void *data, size_t size) {
  rbv_journal *j = self;
  if (index < 0 || index >= j->count || j->record[index].data || j->fd < 0)
    return rbv_fail(RBV_EARG, "%s: job %td cannot be added", j->path, index);
  rbv_text text = {0};
  rbv_status status = frame(&text, j, index, data, size);
  if (status == RBV_OK) {
    const size_t length = text.size - HASH;
    const int reason = rbv_file_append(j->fd, text.data + HASH, length);
    if (reason == 0) {
      j->end += length;
      status = remember(j, index, data, size);
    } else {
      // half a record would be dropped by the next reader anyway
      if (ftruncate(j->fd, (off_t)j->end) == 0) (void)lseek(j->fd, (off_t)j->end, SEEK_SET);
      status = rbv_file_refuse(j->path, reason);
    }
  }
  rbv_text_free(&text);
  return status;
}

rbv_jobs_store rbv_journal_store(rbv_journal *j) {
  return (rbv_jobs_store){.self = j, .find = find, .keep = keep};
}

rbv_status rbv_journal_join(rbv_journal *j, const rbv_journal *other) {
  if (strcmp(j->hash, other->hash) != 0)
    return rbv_fail(RBV_EINPUT, "%s and %s are of different jobs: they cannot be joined", j->path,
                    other->path);
  for (ptrdiff_t i = 0; i < other->count; i++) {
    const record *theirs = &other->record[i], *mine = &j->record[i];
    if (!theirs->data) continue;
    if (!mine->data)
      RBV_TRY(remember(j, i, theirs->data, theirs->size));
    else if (mine->size != theirs->size || memcmp(mine->data, theirs->data, mine->size) != 0)
      return rbv_fail(RBV_EINPUT,
                      "job %td has different results in %s and %s: they were made by different "
                      "machines or builds",
                      i, j->path, other->path);
  }
  return RBV_OK;
}

rbv_status rbv_journal_flush(rbv_journal *j) {
  const int reason = j->fd >= 0 ? rbv_file_flush(j->fd) : 0;
  if (reason) return rbv_file_refuse(j->path, reason);
  return RBV_OK;
}

const char *rbv_journal_name(const rbv_journal *j) { return j->name; }
const char *rbv_journal_description(const rbv_journal *j) { return j->description; }
ptrdiff_t rbv_journal_count(const rbv_journal *j) { return j->count; }
ptrdiff_t rbv_journal_done(const rbv_journal *j) { return j->done; }
