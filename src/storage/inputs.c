/* Inputs that no output may replace: files are compared by device and inode, so that links and
 * other spellings of a path count. */
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "storage/storage_internal.h"

typedef struct {
  dev_t device;
  ino_t inode;
  char *path;  // NULL: the place is free
} input;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_bool protecting;
static input *table;         // with free places, searched from the inode's
static size_t room, filled;  // room is a power of 2

/* Information on a file; "-" is standard input. False for everything but regular files. */
static bool look_at(struct stat *info, const char *path) {
  const int reason = strcmp(path, "-") == 0 ? fstat(STDIN_FILENO, info) : stat(path, info);
  return reason == 0 && S_ISREG(info->st_mode);
}

static bool same_file(const struct stat *a, const struct stat *b) {
  return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* ---- files that this process has read ---- */

/* the place of a file, or the free place for it */
static input *place_of(input *in, size_t size, dev_t device, ino_t inode) {
  size_t i = (size_t)inode & (size - 1);
  while (in[i].path && (in[i].device != device || in[i].inode != inode)) i = (i + 1) & (size - 1);
  return &in[i];
}

static rbv_status make_room(void) {
  if (2 * filled < room) return RBV_OK;
  const size_t size = room ? 2 * room : 64;
  input *more = rbv_alloc(size * sizeof *more);
  if (!more) return RBV_EMEM;
  for (size_t i = 0; i < room; i++)
    if (table[i].path) *place_of(more, size, table[i].device, table[i].inode) = table[i];
  rbv_free(table);
  table = more;
  room = size;
  return RBV_OK;
}

static rbv_status add(const char *path, const struct stat *info) {
  RBV_TRY(make_room());
  input *in = place_of(table, room, info->st_dev, info->st_ino);
  char *copy = rbv_strdup(path);
  if (!copy) return RBV_EMEM;
  filled += !in->path;
  rbv_free(in->path);
  *in = (input){info->st_dev, info->st_ino, copy};
  return RBV_OK;
}

rbv_status rbv_input_note(const char *what, const char *path) {
  if (what) rbv_observe(what, path);
  struct stat info;
  if (!atomic_load_explicit(&protecting, memory_order_relaxed) || !look_at(&info, path))
    return RBV_OK;
  pthread_mutex_lock(&lock);
  const rbv_status status = add(path, &info);
  pthread_mutex_unlock(&lock);
  return status;
}

void rbv_input_release(const char *path) {
  struct stat info;
  pthread_mutex_lock(&lock);
  if (filled > 0 && look_at(&info, path)) {
    const input *in = place_of(table, room, info.st_dev, info.st_ino);
    if (in->path) *in->path = 0;
  }
  pthread_mutex_unlock(&lock);
}

/* Does the noted path still lead to this file? An inode of a deleted file is used again. */
static bool is_noted(const struct stat *info) {
  if (filled == 0) return false;
  const input *in = place_of(table, room, info->st_dev, info->st_ino);
  struct stat now;
  return in->path && look_at(&now, in->path) && same_file(&now, info);
}

rbv_status rbv_output_check(const char *path) {
  struct stat info;
  if (!atomic_load_explicit(&protecting, memory_order_relaxed) || strcmp(path, "-") == 0 ||
      !look_at(&info, path))
    return RBV_OK;
  pthread_mutex_lock(&lock);
  const bool noted = is_noted(&info);
  pthread_mutex_unlock(&lock);
  return noted ? rbv_fail(RBV_EINPUT, "%s: is an input and is not replaced: write to another file",
                          path)
               : RBV_OK;
}

void rbv_inputs_protect(bool on) {
  pthread_mutex_lock(&lock);
  for (size_t i = 0; i < room; i++) rbv_free(table[i].path);
  rbv_free(table);
  table = NULL;
  room = filled = 0;
  atomic_store(&protecting, on);
  pthread_mutex_unlock(&lock);
}

/* ---- paths that are known before anything is read ---- */

/* Two outputs in one file; those that do not exist yet have the same directory and name. */
static bool same_output(const char *a, const char *b) {
  struct stat one, other;
  if (strcmp(a, b) == 0) return true;
  if (look_at(&one, a) && look_at(&other, b)) return same_file(&one, &other);
  const char *name = strrchr(a, '/'), *as = strrchr(b, '/');
  if (strcmp(name ? name + 1 : a, as ? as + 1 : b) != 0) return false;
  char of[2][PATH_MAX];
  snprintf(of[0], PATH_MAX, "%.*s.", name ? (int)(name - a) + 1 : 0, a);
  snprintf(of[1], PATH_MAX, "%.*s.", as ? (int)(as - b) + 1 : 0, b);
  return stat(of[0], &one) == 0 && stat(of[1], &other) == 0 && same_file(&one, &other);
}

rbv_status rbv_outputs_check(const rbv_output *output, int noutput, const char *const *in,
                             int ninput) {
  struct stat to, from;
  for (int i = 0; i < noutput; i++) {
    const rbv_output *o = &output[i];
    if (strcmp(o->path, "-") == 0) continue;
    const bool there = look_at(&to, o->path);
    for (int k = 0; there && k < ninput; k++)
      if (look_at(&from, in[k]) && same_file(&to, &from))
        return rbv_fail_option(RBV_EOPTION, o->option,
                               "%s is an input and is not replaced: write to another file",
                               o->path);
    if (stat(o->path, &to) == 0 && !S_ISREG(to.st_mode)) continue;
    for (int k = 0; k < i; k++)
      if (same_output(o->path, output[k].path))
        return rbv_fail_option(RBV_EOPTION, o->option,
                               "%s is already the file of another output (%s)", o->path,
                               output[k].option);
  }
  return RBV_OK;
}
