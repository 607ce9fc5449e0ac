#include "log/log_input.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "storage/storage.h"

#include "base/support.h"
#include "log/held.h"
#include "log/log_formats.h"
#include "log/log_internal.h"
#include "log/map_guess.h"

/* ---- bytes ---- */

/* the whole file; false: it cannot be read, or it is not text */
static bool read_text(rbv_log_input *in, int file) {
  size_t done = 0;
  bool text = true;
  while (done < in->size && text) {
    const ssize_t n = pread(file, in->text + done, in->size - done, (off_t)done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    // the format is known by the first bytes
    if (done == 0) text = log_format_is_text(in->path, in->text, (size_t)n);
    done += (size_t)n;
  }
  return text;
}

rbv_status rbv_log_input_hold(rbv_log_input *in, size_t most) {
  struct stat info;
  if (in->log || in->text || stat(in->path, &info) != 0 || !S_ISREG(info.st_mode) ||
      info.st_size < 1 || (size_t)info.st_size > most)
    return RBV_OK;
  const int file = open(in->path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return RBV_OK;
  if (rbv_input_note("open", in->path) != RBV_OK) {
    close(file);
    return RBV_EMEM;
  }
  in->size = (size_t)info.st_size;
  in->text = rbv_alloc(in->size);
  const bool held = in->text && read_text(in, file);
  const rbv_status status = in->text ? RBV_OK : RBV_EMEM;
  close(file);
  if (held)
    rbv_hash_bytes(in->sha256, in->text, in->size);
  else
    rbv_log_input_drop(in);
  return status;
}

void rbv_log_input_drop(rbv_log_input *in) {
  rbv_free(in->text);
  in->text = NULL;
}

/* ---- content ---- */

rbv_status rbv_log_input_remark(char **out, const rbv_log_input *in, const char *key) {
  *out = NULL;
  if (in->log) return RBV_OK;
  return in->text ? log_remark_in(out, in->text, in->size, key)
                  : rbv_log_remark(out, in->path, key);
}

static rbv_status peek(table *t, const rbv_log_input *in, ptrdiff_t count, ptrdiff_t cells) {
  if (in->text) return log_format_peek_text(t, in->path, in->text, in->size, count, cells);
  return log_format_peek(t, in->path, count, cells);
}

rbv_status rbv_log_input_guess(rbv_log_guess **out, const rbv_log_input *in,
                               const char *const *joints, int njoint, double rate_hz,
                               const rbv_log_physics *physics) {
  *out = NULL;
  bool open;
  if (in->log)
    return guess_from_table(out, &open, in->path, &in->log->source, joints, njoint, rate_hz,
                            physics);
  table t;
  RBV_TRY(peek(&t, in, PEEK_ROWS, PEEK_CELLS));
  rbv_status status = guess_from_table(out, &open, in->path, &t, joints, njoint, rate_hz, NULL);
  table_free(&t);
  if (status != RBV_OK || !open || !physics) return status;
  // the names do not say enough
  rbv_log_guess_free(*out);
  *out = NULL;
  RBV_TRY(peek(&t, in, PTRDIFF_MAX, CONTENT_CELLS));
  status = guess_from_table(out, &open, in->path, &t, joints, njoint, rate_hz, physics);
  table_free(&t);
  return status;
}

static rbv_status load_rows(rbv_log **out, const rbv_log_input *in, const rbv_log_map *map,
                            bool tolerant) {
  if (in->log) return map ? log_with_map(out, in->log, map) : log_view(out, in->log);
  if (!in->text)
    return tolerant ? rbv_log_load_tolerant(out, in->path, map) : rbv_log_load(out, in->path, map);
  *out = NULL;
  RBV_TRY(rbv_input_note("load", in->path));
  table t = {.tolerant = tolerant};
  RBV_TRY(log_format_text(&t, in->path, in->text, in->size));
  return log_from_table(out, in->path, &t, map);
}

rbv_status rbv_log_input_load(rbv_log **out, const rbv_log_input *in, const rbv_log_map *map,
                              bool tolerant) {
  RBV_TRY(load_rows(out, in, map, tolerant));
  const rbv_status status = held_thin(out);
  if (status == RBV_OK) return RBV_OK;
  rbv_log_free(*out);
  *out = NULL;
  return status;
}

rbv_status rbv_log_load_values(rbv_log **out, const char *path, const rbv_log_map *map) {
  return rbv_log_input_load(out, &(rbv_log_input){.path = path}, map, false);
}

/* ---- size and hash ---- */

rbv_status rbv_log_input_bytes(size_t *out, const rbv_log_input *in) {
  if (in->log) {
    *out =
        (size_t)rbv_log_samples(in->log) * (size_t)rbv_log_column_count(in->log) * sizeof(double);
    return RBV_OK;
  }
  *out = in->size;
  return in->text ? RBV_OK : rbv_log_bytes(out, in->path);
}

/* the hash of the names and of the hashes of all columns */
static rbv_status hash_samples(char out[65], const rbv_log *log) {
  rbv_text all = {0};
  for (int i = 0; i < rbv_log_column_count(log); i++) {
    char hash[65];
    const rbv_log_column *c = rbv_log_column_at(log, i);
    rbv_hash_bytes(hash, c->values, (size_t)rbv_log_samples(log) * sizeof *c->values);
    rbv_text_print(&all, "%s %s\n", c->name, hash);
  }
  if (!all.failed) rbv_hash_bytes(out, all.data, all.size);
  RBV_FINISH(all.failed ? RBV_EMEM : RBV_OK, rbv_text_free(&all));
}

rbv_status rbv_log_input_hash(char out[65], const rbv_log_input *in) {
  if (in->log) return hash_samples(out, in->log);
  if (!*in->sha256) return rbv_log_hash(out, in->path);
  memcpy(out, in->sha256, sizeof in->sha256);
  return RBV_OK;
}
