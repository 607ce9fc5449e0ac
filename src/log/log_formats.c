/* The table of log formats and the functions that walk it. */
#include "log/log_formats.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <roberval/sys/log.h>

#include "base/support.h"
#include "log/log_source.h"
#include "log/map_guess.h"
#include "log/table_join.h"

#define HEAD_BYTES 1024  // of a file, for its recognition

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
    {.name = "NumPy array",
     .text = "one array of NumPy (.npy)",
     .recognises = npy_recognises,
     .table = numpy_table,
     .open = numpy_open,
     .bytes = numpy_bytes},
    {.name = "NumPy archive",
     .text = "several arrays of NumPy (.npz)",
     .recognises = npz_recognises,
     .table = numpy_table,
     .open = numpy_open,
     .bytes = numpy_bytes},
    {.name = "Parquet",
     .text = "columns of Parquet, with the data sets of LeRobot (.parquet)",
     .recognises = parquet_recognises,
     .table = parquet_table,
     .open = parquet_open,
     .bytes = parquet_bytes},
    {.name = "CSV gzip",
     .text = "text as CSV, compressed with gzip",
     .recognises = gzip_recognises,
     .table = gzip_table,
     .open = gzip_open,
     .bytes = gzip_bytes},
    {.name = "CSV zstd",
     .text = "text as CSV, compressed with zstd",
     .recognises = zstd_recognises,
     .table = zstd_table,
     .open = zstd_open,
     .bytes = zstd_bytes},
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

static const log_format *recognise(const char *path, const char *head, size_t size) {
  for (int i = 0; i < RBV_COUNT(formats); i++)
    if (formats[i].recognises(path, head, size)) return &formats[i];
  return csv_format;
}

const log_format *log_format_of(const char *path) {
  char head[HEAD_BYTES];
  return recognise(path, head, read_head(head, sizeof head, path));
}

bool log_format_is_text(const char *path, const char *head, size_t size) {
  return recognise(path, head, size < HEAD_BYTES ? size : HEAD_BYTES) == csv_format;
}

static rbv_status read_table(table *t, const char *path, const wanted_columns *want) {
  const char *real;
  RBV_TRY(log_real_path(&real, path));
  const log_format *f = log_format_of(real);
  RBV_TRY(log_real_status(f->table(t, real, want), real, path));
  t->format = f->name;
  return RBV_OK;
}

/* Times of a table in seconds; *clock is its column of time, -1: none. */
static rbv_status read_times(double **out, int *clock, const table *t) {
  double factor;
  int second;
  guess_clock(clock, &second, &factor, t);
  *out = rbv_alloc(sizeof **out * (size_t)(t->rows + 1));
  if (!*out) return RBV_EMEM;
  for (ptrdiff_t k = 0; k < t->rows && *clock >= 0; k++) {
    (*out)[k] = factor * t->values[k + *clock * t->ld];
    if (second >= 0) (*out)[k] += 1e-9 * t->values[k + second * t->ld];
  }
  return RBV_OK;
}

/* Add the columns of another file to those of the first. */
static rbv_status add_part(table *t, const char *first, const table *other, const char *path) {
  double *at = NULL, *clock = NULL;
  int mine, theirs;
  rbv_status status = read_times(&at, &mine, t);
  if (status == RBV_OK) status = read_times(&clock, &theirs, other);
  if (status == RBV_OK && (!t->names || !other->names))
    status = rbv_fail(RBV_EINPUT, "%s: the columns of files that are joined need names",
                      t->names ? path : first);
  if (status == RBV_OK && (mine < 0 || theirs < 0)) {
    // without time, the rows belong together by their number
    if (t->rows != other->rows)
      status =
          rbv_fail(RBV_EINPUT, "%s has %td rows, %s has %td, and one of them has no column of time",
                   first, t->rows, path, other->rows);
    for (ptrdiff_t k = 0; k < t->rows && status == RBV_OK; k++) at[k] = clock[k] = (double)k;
  }
  if (status == RBV_OK) status = table_join(t, at, other, clock, mine >= 0 ? theirs : -1);
  rbv_free(at);
  rbv_free(clock);
  return status;
}

/* Read several files of one recording. */
static rbv_status read_parts(table *t, const char *path, char *const *parts, int n) {
  const bool tolerant = t->tolerant;
  RBV_TRY(read_table(t, parts[0], NULL));
  const int columns = t->ncol;
  rbv_status status = RBV_OK;
  for (int i = 1; i < n && status == RBV_OK; i++) {
    table other = {.tolerant = tolerant};
    status = read_table(&other, parts[i], NULL);
    if (status != RBV_OK) break;
    status = add_part(t, parts[0], &other, parts[i]);
    table_free(&other);
  }
  // units and lines of one file do not belong to all columns
  names_free(t->units, columns);
  text_free(t->text, columns);
  t->units = NULL;
  t->text = NULL;
  t->nmark = 0;
  if (status == RBV_OK) table_keep_overlap(t, columns);
  if (status == RBV_OK && t->rows < 1)
    status = rbv_fail(RBV_EINPUT, "%s: the files have no time in common", path);
  if (status != RBV_OK) table_free(t);
  return status;
}

rbv_status log_format_table(table *t, const char *path, const wanted_columns *want) {
  char **parts;
  int n;
  RBV_TRY(log_parts(&parts, &n, path));
  RBV_FINISH(n > 0 ? read_parts(t, path, parts, n) : read_table(t, path, want),
             names_free(parts, n));
}

/* Refuse to read a path "A+B" in pieces. */
static rbv_status refuse_parts(const char *path) {
  char **parts;
  int n;
  RBV_TRY(log_parts(&parts, &n, path));
  names_free(parts, n);
  if (n == 0) return RBV_OK;
  return rbv_fail(RBV_EUNSUPPORTED, "%s: several files of one recording are joined in memory",
                  path);
}

rbv_status log_format_text(table *t, const char *name, const char *text, size_t size) {
  RBV_TRY(csv_table_text(t, name, text, size));
  t->format = csv_format->name;
  return RBV_OK;
}

rbv_status log_format_open(rows **out, const char *path, const wanted_columns *want) {
  *out = NULL;
  const char *real;
  RBV_TRY(refuse_parts(path));
  RBV_TRY(log_real_path(&real, path));
  const log_format *f = log_format_of(real);
  if (!f->open) {
    // a damaged file is reported as such, not as one of the wrong format
    size_t bytes;
    RBV_TRY(log_real_status(f->bytes(&bytes, real), real, path));
    return rbv_fail(RBV_EUNSUPPORTED, "%s: %s files cannot be read in pieces: %s", path, f->name,
                    f->whole_only);
  }
  RBV_TRY(log_real_status(f->open(out, real, want), real, path));
  (*out)->format = f->name;
  return RBV_OK;
}

/* Read the first rows by a reader in pieces. */
static rbv_status peek_rows(table *t, rows *r, ptrdiff_t count, ptrdiff_t cells) {
  const ptrdiff_t share = cells / (r->ncol + 1);
  // columns with names are never samples side by side
  const ptrdiff_t turned = r->names || r->text ? 1 : TABLE_TURNED_ROWS;
  const ptrdiff_t fit = share > turned ? share : turned;
  const ptrdiff_t most = fit < count ? fit : count;
  *t = (table){.ncol = r->ncol, .ld = table_stride(most)};
  t->values = rbv_alloc(sizeof(double) * (size_t)t->ld * (size_t)t->ncol);
  rbv_status status = t->values ? RBV_OK : RBV_EMEM;
  if (status == RBV_OK && r->names) status = names_copy(&t->names, r->names, r->ncol);
  if (status == RBV_OK && r->units) status = names_copy(&t->units, r->units, r->ncol);
  if (status == RBV_OK && r->text) status = text_copy(&t->text, r->text, r->ncol);
  for (ptrdiff_t got = 1; status == RBV_OK && got > 0 && t->rows < most; t->rows += got)
    status = rows_read(&got, r, t->values + t->rows, most - t->rows, t->ld);
  if (status == RBV_OK && r->nmark > 0) t->first_line = r->marks[0].line;
  if (status == RBV_OK && t->rows < most) status = table_turn(t);
  if (status != RBV_OK) table_free(t);
  return status;
}

rbv_status log_format_peek_text(table *t, const char *name, const char *text, size_t size,
                                ptrdiff_t count, ptrdiff_t cells) {
  *t = (table){0};
  rows *r;
  RBV_TRY(csv_open_text(&r, name, text, size));
  const rbv_status status = peek_rows(t, r, count, cells);
  rows_close(r);
  t->format = csv_format->name;
  for (int j = 0; j < t->ncol && t->names; j++) rbv_clean(t->names[j]);
  return status;
}

static rbv_status peek_file(table *t, const char *path, ptrdiff_t count, ptrdiff_t cells) {
  struct stat info;
  if (stat(path, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode))
    return rbv_fail(RBV_EUNSUPPORTED, "%s: a pipe can be read only once", path);
  const log_format *f = log_format_of(path);
  rbv_status status;
  if (f->peek) {
    status = f->peek(t, path);
  } else if (f->open) {
    rows *r;
    RBV_TRY(f->open(&r, path, NULL));
    status = peek_rows(t, r, count, cells);
    rows_close(r);
  } else {
    status = f->table(t, path, NULL);
  }
  t->format = f->name;
  return status;
}

rbv_status log_format_peek(table *t, const char *path, ptrdiff_t count, ptrdiff_t cells) {
  *t = (table){0};
  char **parts;
  int n;
  RBV_TRY(log_parts(&parts, &n, path));
  if (n > 0) {
    const rbv_status status = read_parts(t, path, parts, n);
    names_free(parts, n);
    if (status != RBV_OK) return status;
  } else {
    const char *real;
    RBV_TRY(log_real_path(&real, path));
    RBV_TRY(log_real_status(peek_file(t, real, count, cells), real, path));
  }
  for (int j = 0; j < t->ncol && t->names; j++) rbv_clean(t->names[j]);
  return RBV_OK;
}

rbv_status log_format_bytes(size_t *out, const char *path) {
  char **parts;
  int n;
  RBV_TRY(log_parts(&parts, &n, path));
  rbv_status status = RBV_OK;
  for (int i = 0; i < n && status == RBV_OK; i++) {
    size_t bytes = 0;
    status = log_format_of(parts[i])->bytes(&bytes, parts[i]);
    *out += bytes;
  }
  names_free(parts, n);
  if (n > 0 || status != RBV_OK) return status;
  const char *real;
  RBV_TRY(log_real_path(&real, path));
  return log_real_status(log_format_of(real)->bytes(out, real), real, path);
}

/* ---- for users ---- */

static const log_format *row(int i) {
  return i >= 0 && i < RBV_COUNT(formats) ? &formats[i] : NULL;
}

int rbv_log_format_count(void) { return RBV_COUNT(formats); }

const char *rbv_log_format_name(int i) { return row(i) ? row(i)->name : NULL; }

const char *rbv_log_format_text(int i) { return row(i) ? row(i)->text : NULL; }

const char *rbv_log_format_whole_only(int i) { return row(i) ? row(i)->whole_only : NULL; }
