/*
 * Files that a result names: its robot, its recordings, the files of its options. A result stores
 * their paths as they were given, relative to the directory of the run. When the result was moved,
 * or is used from another directory, they are looked for beside the result file and in the
 * directories above it. Only the SHA-256 hash decides whether a file is the right one.
 */
#include <roberval/sys/identification.h>
#include <roberval/sys/storage.h>
#include <string.h>
#include "log/log.h"

#include "job/identification_internal.h"

#define LEVELS 4  // directory of the result, and those above it

/* has the file these contents? *exists: it can be read */
static bool has_hash(bool *exists, const char *path, const char *sha256) {
  char hash[65];
  // standard input cannot be read again
  *exists = strcmp(path, "-") != 0 && rbv_log_hash(hash, path) == RBV_OK;
  return *exists && strcmp(hash, sha256) == 0;
}

/* DIRECTORY OF THE RESULT/../../END */
static void put_candidate(rbv_text *out, const char *result, int up, const char *end) {
  const char *slash = strrchr(result, '/');
  if (slash) rbv_text_add(out, result, (size_t)(slash - result + 1));
  for (int i = 0; i < up; i++) rbv_text_put(out, "../");
  rbv_text_put(out, end);
}

/* The stored path with fewer and fewer leading directories, below each directory. On success *path
 * is replaced by a text of the pool; otherwise it is kept. */
static rbv_status search(const char **path, text_pool *pool, const char *result,
                         const char *sha256) {
  for (const char *end = *path; end; end = strchr(end, '/')) {
    while (*end == '/') end++;
    for (int up = 0; up < LEVELS; up++) {
      rbv_text text = {0};
      bool exists;
      put_candidate(&text, result, up, end);
      if (text.failed) return RBV_EMEM;
      const bool found = has_hash(&exists, text.data, sha256);
      const char *kept = found ? rbv_pool_keep(pool, text.data) : NULL;
      rbv_text_free(&text);
      if (found && !kept) return RBV_EMEM;
      if (!found) continue;
      *path = kept;
      return RBV_OK;
    }
  }
  return RBV_OK;
}

rbv_status rbv_result_find_file(const char **path, rbv_file_state *state, text_pool *pool,
                                const char *result, const char *sha256) {
  bool exists;
  *state = RBV_FILE_SAME;
  if (!*sha256 || has_hash(&exists, *path, sha256)) return RBV_OK;  // "": a built-in robot
  const char *stored = *path;
  RBV_TRY(search(path, pool, result, sha256));
  if (*path == stored) *state = exists ? RBV_FILE_CHANGED : RBV_FILE_MISSING;
  return RBV_OK;
}

/* the option that names a file gets its new path too */
static void move_setting(rbv_result *r, const rbv_result_file *file, const char *stored) {
  for (int i = 0; i < r->nsetting; i++)
    if (strcmp(r->setting[i].key, file->option) == 0 && r->setting[i].text &&
        strcmp(r->setting[i].text, stored) == 0)
      r->setting[i].text = file->path;
}

rbv_status rbv_result_find_options(rbv_result *r, text_pool *pool, const char *result) {
  rbv_file_state state;
  RBV_TRY(rbv_result_find_file(&r->robot_file.path, &state, pool, result, r->robot_file.sha256));
  for (int i = 0; i < r->nfile; i++) {
    const char *stored = r->file[i].path;
    RBV_TRY(rbv_result_find_file(&r->file[i].path, &state, pool, result, r->file[i].sha256));
    move_setting(r, &r->file[i], stored);
  }
  return RBV_OK;
}

static rbv_status find_logs(rbv_input *input, int count, text_pool *pool, const char *result,
                            const rbv_notes *notes) {
  for (int i = 0; i < count; i++) {
    rbv_file_state state;
    RBV_TRY(rbv_result_find_file(&input[i].path, &state, pool, result, input[i].sha256));
    if (state == RBV_FILE_CHANGED)
      rbv_tell(notes, NULL, "%s: the recording has changed since %s was made", input[i].path,
               result);
    if (state == RBV_FILE_MISSING)
      rbv_tell(notes, NULL, "%s: the recording of %s is neither here nor beside the result",
               input[i].path, result);
  }
  return RBV_OK;
}

rbv_status rbv_result_find_logs(rbv_result *r, text_pool *pool, const char *result,
                                const rbv_notes *notes) {
  RBV_TRY(find_logs(r->input, r->ninput, pool, result, notes));
  return find_logs(r->validation_input, r->nvalidation_input, pool, result, notes);
}
