// memmem
#define _GNU_SOURCE

/*
 * The columns of NumPy files, read as a whole or in pieces.
 *
 * An array with one or two dimensions, or a structured array with named fields, gives columns. An
 * array named q, tau, ... is numbered as in this library: q1, q2, ...; the columns of any other
 * array are name[0], name[1], ... One of its dimensions is that of the samples, which is that of t
 * or else the largest one.
 */
#include <stdio.h>
#include <string.h>

#include "log/log.h"

#include "base/support.h"
#include "log/numbered_rows.h"
#include "log/numpy_file.h"

#define MOST_COLUMNS 100000
#define BUFFER_BYTES ((size_t)1 << 18)

typedef struct {
  numbered_rows rows;
  numpy_file *file;  // owned by the first reader
  bool owner;
  uint8_t *buffer;  // a part of one array, as in the file
} numpy_rows;

/* ---- arrays with samples ---- */

static size_t longest(const numpy_array *a) {
  return a->shape[0] > a->shape[1] ? a->shape[0] : a->shape[1];
}

/* The number of samples: that of t, else of the longest array. */
static size_t count_samples(const numpy_file *f) {
  size_t n = 0;
  for (int i = 0; i < f->narray; i++) {
    const numpy_array *a = &f->arrays[i];
    if (strcmp(a->name, "t") == 0 || strcmp(a->name, "time") == 0) return longest(a);
    if (longest(a) > n) n = longest(a);
  }
  return n;
}

/* How the records of an array with n samples are stored. */
typedef struct {
  size_t width;       // records of a sample; 0: the array has other dimensions
  bool by_samples;    // the records of a sample are neighbours; else those of a column
  size_t neighbours;  // width, or 1
} layout;

static layout layout_of(const numpy_array *a, size_t n) {
  if (longest(a) == 0 || (a->shape[0] != n && a->shape[1] != n)) return (layout){0};
  const bool across = a->shape[0] != n && a->shape[1] == n;
  const size_t width = across ? a->shape[0] : a->shape[1];
  return (layout){width, across == a->fortran, across == a->fortran ? width : 1};
}

/* Rows of an array that are read at once. */
static size_t block_rows(const numpy_array *a, const layout *l) {
  const size_t stride = l->neighbours * a->record;
  return stride < BUFFER_BYTES ? BUFFER_BYTES / stride : 1;
}

/* ---- names ---- */

/* Count the columns that an array gives, and name them if there is room for the names. */
static rbv_status add_columns(char **names, size_t *count, const numpy_file *file,
                              const numpy_array *a, size_t n) {
  const layout l = layout_of(a, n);
  for (int f = 0; f < a->nfield && l.width > 0; f++) {
    const numpy_field *of = &a->fields[f];
    const char *name = *of->name ? of->name : a->name;
    size_t parts;
    if (__builtin_mul_overflow(l.width, of->length, &parts) || parts > MOST_COLUMNS - *count)
      return rbv_fail(RBV_EINPUT, "%s: more than %d columns", file->path, MOST_COLUMNS);
    for (size_t i = 0; i < parts; i++, ++*count) {
      if (!names) continue;
      char text[160];
      table_part_name(text, sizeof text, name, i, parts);
      if (!(names[*count] = rbv_strdup(text))) return RBV_EMEM;
    }
  }
  return RBV_OK;
}

static rbv_status count_columns(size_t *out, const numpy_file *f, size_t n) {
  *out = 0;
  for (int i = 0; i < f->narray; i++) RBV_TRY(add_columns(NULL, out, f, &f->arrays[i], n));
  return RBV_OK;
}

/* The names of all columns; NULL: those of one plain array have none. */
static rbv_status name_columns(char ***out, const numpy_file *f, size_t n, size_t count) {
  *out = NULL;
  if (f->narray == 1 && !*f->arrays[0].name && !*f->arrays[0].fields[0].name) return RBV_OK;
  char **names = rbv_alloc(sizeof *names * count);
  rbv_status status = names ? RBV_OK : RBV_EMEM;
  size_t named = 0;
  for (int i = 0; i < f->narray && status == RBV_OK; i++)
    status = add_columns(names, &named, f, &f->arrays[i], n);
  RBV_GIVE(out, names, status, names_free(names, (int)named));
}

/* ---- numbers ---- */

static double number_at(const uint8_t *p, const numpy_number *t) {
  uint64_t x = 0;
  for (int i = 0; i < t->bytes; i++) x = x << 8 | p[t->big ? i : t->bytes - 1 - i];
  if (t->kind == 'u' || t->kind == 'b') return (double)x;
  if (t->kind == 'i') {
    const int shift = 64 - 8 * t->bytes;
    return (double)((int64_t)(x << shift) >> shift);
  }
  if (t->bytes == 8) {
    double y;
    memcpy(&y, &x, sizeof y);
    return y;
  }
  if (t->bytes == 4) {
    const uint32_t bits = (uint32_t)x;
    float y;
    memcpy(&y, &bits, sizeof y);
    return (double)y;
  }
  // half precision
  const int exponent = (int)(x >> 10 & 31), fraction = (int)(x & 1023);
  double y = exponent == 0 ? fraction / 16777216.0 : 0;
  if (exponent > 0 && exponent < 31) {
    y = 1 + fraction / 1024.0;
    for (int i = exponent; i < 15; i++) y /= 2;
    for (int i = 15; i < exponent; i++) y *= 2;
  }
  if (exponent == 31) y = fraction ? __builtin_nan("") : __builtin_inf();
  return x >> 15 ? -y : y;
}

/* Numbers that are stride bytes apart. */
static void copy_numbers(double *to, size_t n, const uint8_t *from, size_t stride,
                         const numpy_number *t) {
  if (t->kind == 'f' && t->bytes == 8 && !t->big)
    for (size_t k = 0; k < n; k++) memcpy(&to[k], from + k * stride, sizeof *to);
  else
    for (size_t k = 0; k < n; k++) to[k] = number_at(from + k * stride, t);
}

/* Columns of an array, of which the buffer has n rows of some records, from one record of a sample
 * on. out is the first column of the array. */
static void copy_columns(double *out, ptrdiff_t ld, size_t n, const uint8_t *buffer,
                         const numpy_array *a, const layout *l, size_t record) {
  for (int f = 0; f < a->nfield; f++) {
    const numpy_field *of = &a->fields[f];
    for (size_t i = 0; i < l->neighbours; i++)
      for (size_t part = 0; part < of->length; part++)
        copy_numbers(out + (ptrdiff_t)((record + i) * of->length + part) * ld, n,
                     buffer + i * a->record + of->at + part * (size_t)of->type.bytes,
                     l->neighbours * a->record, &of->type);
    out += (ptrdiff_t)(l->width * of->length) * ld;
  }
}

/* Read n rows of one array. *columns: those before the array; then with it. */
static rbv_status read_array(ptrdiff_t *columns, const numpy_rows *r, const numpy_array *a,
                             double *out, size_t n, ptrdiff_t ld) {
  const size_t samples = (size_t)r->rows.samples, first = (size_t)r->rows.next;
  const layout l = layout_of(a, samples);
  const size_t most = l.width > 0 ? block_rows(a, &l) : 0, stride = l.neighbours * a->record;
  out += *columns * ld;
  for (size_t record = 0; record < l.width; record += l.neighbours)
    for (size_t k = 0; k < n; k += most) {
      const size_t block = n - k < most ? n - k : most;
      const size_t before = l.by_samples ? 0 : record * samples;
      RBV_TRY(numpy_file_read(r->buffer, block * stride, r->file, a,
                              (before + (first + k) * l.neighbours) * a->record));
      copy_columns(out + k, ld, block, r->buffer, a, &l, record);
    }
  for (int f = 0; f < a->nfield; f++) *columns += (ptrdiff_t)(l.width * a->fields[f].length);
  return RBV_OK;
}

static rbv_status read_numpy(ptrdiff_t *got, rows *base, double *out, ptrdiff_t most,
                             ptrdiff_t ld) {
  numpy_rows *r = (numpy_rows *)base;
  const ptrdiff_t left = r->rows.end > r->rows.next ? r->rows.end - r->rows.next : 0;
  const ptrdiff_t n = left < most ? left : most;
  ptrdiff_t columns = 0;
  *got = 0;
  for (int i = 0; i < r->file->narray && n > 0; i++)
    RBV_TRY(read_array(&columns, r, &r->file->arrays[i], out, (size_t)n, ld));
  r->rows.next += n;
  *got = n;
  return RBV_OK;
}

/* ---- readers ---- */

static void close_numpy(rows *base) {
  numpy_rows *r = (numpy_rows *)base;
  if (r->owner) {
    numpy_file_close(r->file);
    rbv_free(r->file);
    names_free(base->names, base->ncol);
  }
  rbv_free(r->buffer);
  rbv_free(r);
}

/* The largest part of an array that is read at once. */
static size_t buffer_bytes(const numpy_file *f, size_t samples) {
  size_t most = 0;
  for (int i = 0; i < f->narray; i++) {
    const layout l = layout_of(&f->arrays[i], samples);
    if (l.width == 0) continue;
    const size_t full = block_rows(&f->arrays[i], &l), block = full < samples ? full : samples;
    const size_t bytes = block * l.neighbours * f->arrays[i].record;
    if (bytes > most) most = bytes;
  }
  return most;
}

static rbv_status clone_numpy(rows **out, const rows *base) {
  const numpy_rows *r = (const numpy_rows *)base;
  *out = NULL;
  RBV_NEW(numpy_rows, copy, 1);
  // all but the buffer belongs to the first reader
  *copy = *r;
  copy->owner = false;
  copy->buffer = rbv_alloc(buffer_bytes(r->file, (size_t)r->rows.samples));
  if (!copy->buffer) {
    close_numpy(&copy->rows.head);
    return RBV_EMEM;
  }
  *out = &copy->rows.head;
  return numbered_seek(*out, &(row_place){0});
}

static const rows_kind numpy_kind = {.close = close_numpy,
                                     .clone = clone_numpy,
                                     .size = numbered_size,
                                     .tell = numbered_tell,
                                     .seek = numbered_seek,
                                     .seek_stretch = numbered_seek_stretch,
                                     .read = read_numpy};

static rbv_status open_rows(numpy_rows *r, const char *path, numpy_use use) {
  RBV_TRY(numpy_file_open(r->file, path, use));
  const size_t n = count_samples(r->file);
  size_t count;
  RBV_TRY(count_columns(&count, r->file, n));
  if (n == 0 || count == 0) return rbv_fail(RBV_EINPUT, "%s: no rows: the arrays are empty", path);
  RBV_TRY(name_columns(&r->rows.head.names, r->file, n, count));
  r->rows.head.ncol = (int)count;
  r->rows.samples = r->rows.end = (ptrdiff_t)n;
  r->buffer = rbv_alloc(buffer_bytes(r->file, n));
  return r->buffer ? RBV_OK : RBV_EMEM;
}

static rbv_status open_numpy(rows **out, const char *path, numpy_use use) {
  *out = NULL;
  RBV_NEW(numpy_rows, r, 1);
  r->rows.head.kind = &numpy_kind;
  r->file = rbv_alloc(sizeof *r->file);
  if (!r->file) {
    rbv_free(r);
    return RBV_EMEM;
  }
  r->owner = true;
  const rbv_status status = open_rows(r, path, use);
  if (status == RBV_OK)
    *out = &r->rows.head;
  else
    close_numpy(&r->rows.head);
  return status;
}

rbv_status numpy_open(rows **out, const char *path, const wanted_columns *want) {
  (void)want;
  return open_numpy(out, path, NUMPY_PIECES);
}

rbv_status numpy_table(table *t, const char *path, const wanted_columns *want) {
  (void)want;
  *t = (table){0};
  rows *r;
  RBV_TRY(open_numpy(&r, path, NUMPY_WHOLE));
  return table_from_rows(t, r);
}

rbv_status numpy_bytes(size_t *out, const char *path) {
  *out = 0;
  numpy_file f;
  rbv_status status = numpy_file_open(&f, path, NUMPY_DESCRIPTIONS);
  const size_t n = status == RBV_OK ? count_samples(&f) : 0;
  size_t count;
  if (status == RBV_OK) status = count_columns(&count, &f, n);
  if (status == RBV_OK && __builtin_mul_overflow(sizeof(double) * count, n, out)) *out = SIZE_MAX;
  numpy_file_close(&f);
  return status;
}

bool npy_recognises(const char *path, const char *head, size_t size) {
  (void)path;
  return size >= 6 && memcmp(head, "\x93NUMPY", 6) == 0;
}

bool npz_recognises(const char *path, const char *head, size_t size) {
  // the first file of the archive is an array, or the name says so
  return size >= 30 && memcmp(head, "PK\x03\x04", 4) == 0 &&
         (name_ends_with(path, ".npz") ||
          (size > 40 && memmem(head + 30, size - 30 < 100 ? size - 30 : 100, ".npy", 4)));
}
