/*
 * Journals. A header in text, then records:
 *
 *   roberval.journal/1 KIND COUNT BYTES SHA256\n DESCRIPTION\n
 *   index, size (8 bytes each, little-endian), data, checksum (16 bytes)
 *
 * BYTES is the length of the description. SHA256 covers "KIND COUNT\n" and the description. The
 * checksum is the first 16 digits of the SHA-256 over the header's hash, index, size and data.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "storage/storage_internal.h"

#define MAGIC "roberval.journal/1 "
#define FRAME 16  // bytes of index and size
#define CHECK 16  // bytes of the checksum
#define HASH 64   // hexadecimal digits
#define COUNT_MAX 100000000

typedef struct {
  const char *data;  // NULL: no result
  size_t size;
  bool own;  // allocated: appended by this process or joined; otherwise part of the image
} record;

/* The journal of another process. */
typedef struct {
  char *path;
  dev_t device;  // the file that was read
  ino_t inode;
  size_t end;  // of its last complete record; 0: nothing read yet
} followed;

struct rbv_journal {
  char *path, *name, *description;
  char hash[HASH + 1];
  ptrdiff_t count, done;
  record *record;  // count
  char *image;     // the file as it was read
  size_t size;     // of the image
  size_t head;     // bytes of the header
  size_t end;      // of the last valid record
  int fd;          // -1: read only

  followed *other;  // nother: journals of other processes
  size_t nother;
};

/* ---- head ---- */

static rbv_status identify_jobs(char hash[HASH + 1], const char *name, const char *description,
                                ptrdiff_t count) {
  rbv_text text = {0};
  rbv_text_print(&text, "%s %td\n", name, count);
  rbv_text_put(&text, description);
  if (!text.failed) rbv_hash_bytes(hash, text.data, text.size);
  RBV_FINISH(text.failed ? RBV_EMEM : RBV_OK, rbv_text_free(&text));
}

static rbv_status no_journal(const char *path) {
  return rbv_fail(RBV_EINPUT, "%s: is not a journal of jobs, or its header is damaged", path);
}

static rbv_status other_jobs(const char *path) {
  return rbv_fail(RBV_EINPUT,
                  "%s: is the journal of other jobs (another command, other options, inputs or "
                  "version): use another file, or delete this one",
                  path);
}

/* Read name, count, description and hash from the image, and set end behind them. */
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
  j->end = j->head = begin + bytes + 1;
  j->record = rbv_alloc((size_t)count * sizeof *j->record);
  return j->record ? RBV_OK : RBV_EMEM;
}

static rbv_status make_head(rbv_text *out, const rbv_jobs *jobs) {
  char hash[HASH + 1];
  if (strlen(jobs->name) > 63 || strpbrk(jobs->name, " \t\n") || jobs->count > COUNT_MAX)
    return rbv_fail(RBV_EARG,
                    "jobs '%s' cannot be stored in a journal: the name or the count is too long",
                    jobs->name);
  RBV_TRY(identify_jobs(hash, jobs->name, jobs->description, jobs->count));
  rbv_text_print(out, MAGIC "%s %td %zu %s\n", jobs->name, jobs->count, strlen(jobs->description),
                 hash);
  rbv_text_put(out, jobs->description);
  rbv_text_put(out, "\n");
  return out->failed ? RBV_EMEM : RBV_OK;
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

/* Write header hash, index, size, data and checksum of a record. */
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

/* Read the record at from, with left bytes available. If it is incomplete or damaged, its data is
 * NULL. */
static rbv_status read_record(ptrdiff_t *index, record *out, const rbv_journal *j, const char *from,
                              size_t left) {
  *out = (record){0};
  if (left < FRAME + CHECK) return RBV_OK;
  const uint64_t number = get_number(from), size = get_number(from + 8);
  if (number >= (uint64_t)j->count || size > left - FRAME - CHECK) return RBV_OK;
  *index = (ptrdiff_t)number;
  rbv_text text = {0};
  const rbv_status status = frame(&text, j, *index, from + FRAME, size);
  if (status == RBV_OK && memcmp(text.data + HASH + FRAME + size, from + FRAME + size, CHECK) == 0)
    *out = (record){.data = from + FRAME, .size = size};
  rbv_text_free(&text);
  return status;
}

static size_t record_length(const record *r) { return FRAME + r->size + CHECK; }

/* Read size bytes at an offset; fewer if the file is shorter. */
static rbv_status read_part(char **out, size_t *got, int fd, size_t from, size_t size,
                            const char *path) {
  *got = 0;
  *out = rbv_alloc(size + 1);
  if (!*out) return RBV_EMEM;
  while (*got < size) {
    const ssize_t n = pread(fd, *out + *got, size - *got, (off_t)(from + *got));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return rbv_fail(RBV_EREAD, "%s: %s", path, strerror(errno));
    if (n == 0) break;
    *got += (size_t)n;
  }
  return RBV_OK;
}

static rbv_status read_image(rbv_journal *j, int fd, size_t announced) {
  RBV_TRY(read_part(&j->image, &j->size, fd, 0, announced, j->path));
  RBV_TRY(read_head(j));
  for (;;) {
    ptrdiff_t index;
    record r;
    RBV_TRY(read_record(&index, &r, j, j->image + j->end, j->size - j->end));
    if (!r.data) return RBV_OK;
    j->done += !j->record[index].data;
    j->record[index] = r;
    j->end += record_length(&r);
  }
}

/* ---- opening ---- */

static rbv_status new_journal(rbv_journal **out, const char *path) {
  RBV_NEW(rbv_journal, j, 1);
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
  for (size_t i = 0; i < j->nother; i++) rbv_free(j->other[i].path);
  RBV_FREE_ALL(j->other, j->record, j->image, j->description, j->name, j->path, j);
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

/* Does the path still lead to the open file? Somebody may have deleted it. */
static bool is_at(const char *path, int fd) {
  struct stat here, there;
  return fstat(fd, &here) == 0 && stat(path, &there) == 0 && here.st_dev == there.st_dev &&
         here.st_ino == there.st_ino;
}

/* Lock first, then look: whoever has the lock of the file with this name is the only one. */
static rbv_status lock_file(rbv_journal *j, size_t *size) {
  struct stat info;
  j->fd = open(j->path, O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666);
  if (j->fd < 0) return rbv_file_refuse(j->path, errno);
  if (flock(j->fd, LOCK_EX | LOCK_NB) != 0 || !is_at(j->path, j->fd))
    return rbv_fail(RBV_EINPUT, "%s: another process is writing this journal", j->path);
  if (fstat(j->fd, &info) != 0) return rbv_file_refuse(j->path, errno);
  if (!S_ISREG(info.st_mode)) return rbv_fail(RBV_EINPUT, "%s: is not a regular file", j->path);
  *size = (size_t)info.st_size;
  return RBV_OK;
}

/* A file that is empty, or that ends within the header because its process was stopped. */
static rbv_status is_new(bool *out, const rbv_journal *j, const rbv_text *head, size_t size) {
  *out = false;
  if (size >= head->size) return RBV_OK;
  char *text;
  size_t got;
  rbv_status status = read_part(&text, &got, j->fd, 0, size, j->path);
  if (status == RBV_OK) *out = memcmp(text, head->data, got) == 0;
  rbv_free(text);
  return status;
}

static rbv_status begin_file(rbv_journal *j, const rbv_text *head) {
  int reason = ftruncate(j->fd, 0) == 0 ? 0 : errno;
  if (!reason) reason = rbv_file_append(j->fd, head->data, head->size);
  if (!reason) reason = rbv_file_flush(j->fd);
  if (!reason) rbv_file_flush_directory(j->path);
  if (reason) (void)unlink(j->path);
  return reason ? rbv_file_refuse(j->path, reason) : RBV_OK;
}

/* Lock the file, and write the header if there is none. */
static rbv_status take_file(size_t *size, rbv_journal *j, const rbv_jobs *jobs, bool resume) {
  rbv_text head = {0};
  bool fresh = false;
  rbv_status status = make_head(&head, jobs);
  if (status == RBV_OK) status = lock_file(j, size);
  if (status == RBV_OK) status = is_new(&fresh, j, &head, *size);
  if (status == RBV_OK && fresh) {
    status = begin_file(j, &head);
    *size = head.size;
  } else if (status == RBV_OK && !resume) {
    status =
        rbv_fail_option(RBV_EINPUT, "resume",
                        "%s already exists: continue it, or delete it to start again", j->path);
  }
  rbv_text_free(&head);
  return status;
}

/* Take the file, and set its position behind the last valid record. */
static rbv_status open_for_writing(rbv_journal *j, const rbv_jobs *jobs, bool resume) {
  size_t size = 0;
  RBV_TRY(take_file(&size, j, jobs, resume));
  RBV_TRY(read_image(j, j->fd, size));
  char hash[HASH + 1];
  RBV_TRY(identify_jobs(hash, jobs->name, jobs->description, jobs->count));
  if (strcmp(hash, j->hash) != 0) return other_jobs(j->path);
  if (ftruncate(j->fd, (off_t)j->end) != 0 || lseek(j->fd, (off_t)j->end, SEEK_SET) < 0)
    return rbv_file_refuse(j->path, errno);
  return RBV_OK;
}

rbv_status rbv_journal_open(rbv_journal **out, const char *path, const rbv_jobs *jobs,
                            bool resume) {
  *out = NULL;
  if (!path || !jobs->name || !jobs->description)
    return rbv_fail(RBV_EARG, "a journal needs a path, and a name and a description of its jobs");
  struct stat info;
  if (stat(path, &info) == 0 && !S_ISREG(info.st_mode))
    return rbv_fail(RBV_EINPUT, "%s: is not a regular file", path);
  rbv_journal *j;
  RBV_TRY(new_journal(&j, path));
  RBV_GIVE(out, j, open_for_writing(j, jobs, resume), rbv_journal_free(j));
}

/* ---- results ---- */

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

/* Add a result from another journal. */
static rbv_status take_in(rbv_journal *j, ptrdiff_t index, const void *data, size_t size,
                          const char *whose) {
  const record *mine = &j->record[index];
  if (!mine->data) return remember(j, index, data, size);
  if (mine->size == size && memcmp(mine->data, data, size) == 0) return RBV_OK;
  return rbv_fail(RBV_EINPUT,
                  "job %td has different results in %s and %s: they come from different machines "
                  "or builds",
                  index, j->path, whose);
}

static rbv_status keep(void *self, ptrdiff_t index, const void *data, size_t size) {
  rbv_journal *j = self;
  const bool known = index >= 0 && index < j->count && j->record[index].data;
  if (known && j->nother > 0)
    return take_in(j, index, data, size, "the journal of another process");
  if (index < 0 || index >= j->count || known || j->fd < 0)
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
      // remove the incomplete record; a reader would drop it
      if (ftruncate(j->fd, (off_t)j->end) == 0) (void)lseek(j->fd, (off_t)j->end, SEEK_SET);
      status = rbv_file_refuse(j->path, reason);
    }
  }
  rbv_text_free(&text);
  return status;
}

rbv_status rbv_journal_join(rbv_journal *j, const rbv_journal *other) {
  if (strcmp(j->hash, other->hash) != 0)
    return rbv_fail(RBV_EINPUT, "%s and %s have different jobs and cannot be joined", j->path,
                    other->path);
  for (ptrdiff_t i = 0; i < other->count; i++) {
    const record *theirs = &other->record[i];
    if (theirs->data) RBV_TRY(take_in(j, i, theirs->data, theirs->size, other->path));
  }
  return RBV_OK;
}

/* ---- journals of other processes ---- */

rbv_status rbv_journal_follow(rbv_journal *j, const char *path) {
  followed *all = rbv_alloc((j->nother + 1) * sizeof *all);
  char *copy = rbv_strdup(path);
  if (!all || !copy) {
    rbv_free(all);
    rbv_free(copy);
    return RBV_EMEM;
  }
  if (j->nother > 0) memcpy(all, j->other, j->nother * sizeof *all);
  all[j->nother++] = (followed){.path = copy};
  rbv_free(j->other);
  j->other = all;
  return RBV_OK;
}

/* Add the records behind the last known one. Journals of the same jobs have equal headers. */
static rbv_status take_in_part(rbv_journal *j, followed *o, const char *part, size_t size) {
  size_t used = 0;
  if (o->end == 0) {
    if (memcmp(part, j->image, size < j->head ? size : j->head) != 0) return other_jobs(o->path);
    if (size < j->head) return RBV_OK;  // its process is writing the header
    used = j->head;
  }
  rbv_status status = RBV_OK;
  while (status == RBV_OK) {
    ptrdiff_t index;
    record r;
    status = read_record(&index, &r, j, part + used, size - used);
    if (!r.data) break;
    status = take_in(j, index, r.data, r.size, o->path);
    if (status == RBV_OK) used += record_length(&r);
  }
  o->end += used;
  return status;
}

static rbv_status read_on(rbv_journal *j, followed *o) {
  int fd;
  size_t size, got;
  char *part = NULL;
  RBV_TRY(rbv_file_open(&fd, &size, o->path));
  size -= size < o->end ? size : o->end;
  rbv_status status = read_part(&part, &got, fd, o->end, size, o->path);
  if (status == RBV_OK) status = take_in_part(j, o, part, got);
  rbv_free(part);
  close(fd);
  return status;
}

static rbv_status look_into(rbv_journal *j, followed *o) {
  struct stat now;
  if (stat(o->path, &now) != 0)
    return errno == ENOENT ? RBV_OK : rbv_fail(RBV_EREAD, "%s: %s", o->path, strerror(errno));
  // the file was deleted and created again
  if (now.st_ino != o->inode || now.st_dev != o->device || (size_t)now.st_size < o->end) o->end = 0;
  o->inode = now.st_ino;
  o->device = now.st_dev;
  return (size_t)now.st_size > o->end ? read_on(j, o) : RBV_OK;
}

static rbv_status look(void *self) {
  rbv_journal *j = self;
  for (size_t i = 0; i < j->nother; i++) RBV_TRY(look_into(j, &j->other[i]));
  return RBV_OK;
}

rbv_jobs_store rbv_journal_store(rbv_journal *j) {
  return (rbv_jobs_store){
      .self = j, .find = find, .keep = keep, .look = j->nother > 0 ? look : NULL};
}

/* ---- access ---- */

rbv_status rbv_journal_flush(rbv_journal *j) {
  const int reason = j->fd >= 0 ? rbv_file_flush(j->fd) : 0;
  if (reason) return rbv_file_refuse(j->path, reason);
  return RBV_OK;
}

const char *rbv_journal_name(const rbv_journal *j) { return j->name; }
const char *rbv_journal_description(const rbv_journal *j) { return j->description; }
ptrdiff_t rbv_journal_count(const rbv_journal *j) { return j->count; }
ptrdiff_t rbv_journal_done(const rbv_journal *j) { return j->done; }
