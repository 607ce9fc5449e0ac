/* The table of log formats and the functions that walk it. */
#include "log/log_formats.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <roberval/sys/log.h>

#include "base/support.h"

#define HEAD_BYTES 1024  // of a file, for its recognition
#define PEEK_ROWS 200    // that a map is guessed from

/* Specific formats come first. CSV is last: every file that no other row recognises is read as CSV,
 * whose reader refuses binary data with a clear message. */
static const log_format formats[] = {
    {.name = "MAT 7.3",
     .text = "MATLAB files saved with -v7.3 (HDF5)",
     .recognises = mat73_recognises,
     .table = mat_table,
     .open = mat_open,
     .bytes = mat_bytes},
    {.name = "MAT 5",
     .text = "MATLAB files of version 5 to 7",
     .recognises = mat5_recognises,
     .table = mat_table,
     .whole_only = "variables are stored one after the other and may be compressed: save the file "
                   "with -v7.3",
     .bytes = mat_bytes},
    {.name = "rosbag2 SQLite",
     .text = "bags of ROS 2 in SQLite (.db3, or their folder)",
     .recognises = bag_sqlite_recognises,
     .table = bag_table,
     .open = bag_rows_open,
     .peek = bag_peek,
     .bytes = bag_bytes},
    {.name = "MCAP",
     .text = "bags of ROS 2 in MCAP (.mcap, or their folder)",
     .recognises = bag_mcap_recognises,
     .table = bag_table,
     .open = bag_rows_open,
     .peek = bag_peek,
     .bytes = bag_bytes},
    {.name = "CSV",
     .text = "text: columns divided by comma, semicolon, tab or blanks",
     .recognises = csv_recognises,
     .table = csv_table,
     .open = csv_open,
     .bytes = csv_bytes},
};

static const log_format *const csv_format = &formats[RBV_COUNT(formats) - 1];

/* Read the first bytes of a file. Returns their number, 0 if it cannot be read. */
static size_t read_head(char *head, size_t size, const char *path) {
  // Never open a pipe here: its bytes come only once, and closing it would stop its writer.
  struct stat info;
  if (stat(path, &info) != 0 || !S_ISREG(info.st_mode)) return 0;
  const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return 0;
  const ssize_t n = read(file, head, size);
  close(file);
  return n > 0 ? (size_t)n : 0;
}

const log_format *log_format_of(const char *path) {
  char head[HEAD_BYTES];
  const size_t size = read_head(head, sizeof head, path);
  for (int i = 0; i < RBV_COUNT(formats); i++)
    if (formats[i].recognises(path, head, size)) return &formats[i];
  return csv_format;
}

rbv_status log_format_table(table *t, const char *path, const wanted_columns *want) {
  const log_format *f = log_format_of(path);
  RBV_TRY(f->table(t, path, want));
  t->format = f->name;
  return RBV_OK;
}

rbv_status log_format_text(table *t, const char *name, const char *text, size_t size) {
  RBV_TRY(csv_table_text(t, name, text, size));
  t->format = csv_format->name;
  return RBV_OK;
}

rbv_status log_format_open(rows **out, const char *path, const wanted_columns *want) {
  *out = NULL;
  const log_format *f = log_format_of(path);
  if (!f->open) {
    // a damaged file is reported as such, not as one of the wrong format
    size_t bytes;
    RBV_TRY(f->bytes(&bytes, path));
    return rbv_fail(RBV_EUNSUPPORTED, "%s: %s files cannot be read in pieces: %s", path, f->name,
                    f->whole_only);
  }
  RBV_TRY(f->open(out, path, want));
  (*out)->format = f->name;
  return RBV_OK;
}

/* Read the first rows by a reader in pieces. */
static rbv_status peek_rows(table *t, rows *r) {
  *t = (table){.ncol = r->ncol, .ld = table_stride(PEEK_ROWS)};
  t->values = rbv_alloc(sizeof(double) * (size_t)t->ld * (size_t)t->ncol);
  rbv_status status = t->values ? RBV_OK : RBV_EMEM;
  if (status == RBV_OK && r->names) status = names_copy(&t->names, r->names, r->ncol);
  if (status == RBV_OK && r->units) status = names_copy(&t->units, r->units, r->ncol);
  if (status == RBV_OK && r->text) status = text_copy(&t->text, r->text, r->ncol);
  if (status == RBV_OK) status = rows_read(&t->rows, r, t->values, PEEK_ROWS, t->ld);
  if (status != RBV_OK) table_free(t);
  return status;
}

rbv_status log_format_peek(table *t, const char *path) {
  const log_format *f = log_format_of(path);
  *t = (table){0};
  rbv_status status;
  if (f->peek) {
    status = f->peek(t, path);
  } else if (f->open) {
    rows *r;
    RBV_TRY(f->open(&r, path, NULL));
    status = peek_rows(t, r);
    rows_close(r);
  } else {
    status = f->table(t, path, NULL);
  }
  if (status != RBV_OK) return status;
  t->format = f->name;
  for (int j = 0; j < t->ncol && t->names; j++) rbv_clean(t->names[j]);
  return RBV_OK;
}

rbv_status log_format_bytes(size_t *out, const char *path) {
  return log_format_of(path)->bytes(out, path);
}

/* ---- for users ---- */

static const log_format *row(int i) {
  return i >= 0 && i < RBV_COUNT(formats) ? &formats[i] : NULL;
}

int rbv_log_format_count(void) { return RBV_COUNT(formats); }

const char *rbv_log_format_name(int i) { return row(i) ? row(i)->name : NULL; }

const char *rbv_log_format_text(int i) { return row(i) ? row(i)->text : NULL; }

const char *rbv_log_format_whole_only(int i) { return row(i) ? row(i)->whole_only : NULL; }
