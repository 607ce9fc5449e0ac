/*
 * Rows of numbers in a file, read one piece after the other and as often as needed. The file is
 * never held in memory as a whole. Each reader belongs to one thread; clones can be used in other
 * threads.
 */
#ifndef LOG_ROWS_H
#define LOG_ROWS_H

#include "log/table.h"

/* Where a row begins. Lines count from 1; a format without lines has line 0. */
typedef struct {
  size_t byte;  // increases from row to row
  ptrdiff_t line, row;
} row_place;

typedef struct rows rows;

/* The functions of one format. The inline functions below document them. */
typedef struct {
  void (*close)(rows *r);
  rbv_status (*clone)(rows **out, const rows *r);
  size_t (*size)(const rows *r);
  row_place (*tell)(const rows *r);
  rbv_status (*seek)(rows *r, const row_place *place);
  rbv_status (*seek_stretch)(rows *r, size_t after, size_t last);
  rbv_status (*read)(ptrdiff_t *got, rows *r, double *out, ptrdiff_t most, ptrdiff_t ld);
} rows_kind;

struct rows {
  const rows_kind *kind;
  const char *format;  // name of the format, set by log_formats.c
  int ncol;
  char **names;       // NULL: no header
  char **units;       // as in a table
  text_column *text;  // as in a table
  line_mark *marks;   // of the rows read since the last seek; none for a format without lines
  ptrdiff_t nmark;    // may be set to 0 to discard the marks
};

static inline void rows_close(rows *r) {
  if (r) r->kind->close(r);
}

/* Another reader of the same file, at its first row. The original must exist longer. */
static inline rbv_status rows_clone(rows **out, const rows *r) {
  const rbv_status status = r->kind->clone(out, r);
  if (status == RBV_OK) (*out)->format = r->format;
  return status;
}

/* Bytes of the file as it is now. */
static inline size_t rows_size(const rows *r) { return r->kind->size(r); }

/* Place of the next row, and the way back to it, in this reader or in a clone. Marks start again
 * there. */
static inline row_place rows_tell(const rows *r) { return r->kind->tell(r); }
static inline rbv_status rows_seek(rows *r, const row_place *place) {
  return r->kind->seek(r, place);
}

/* Restrict the reader, until the next seek, to rows that begin after one byte (the first row of the
 * file: at that byte) and not after the last byte. Lines and rows count from 0 there. */
static inline rbv_status rows_seek_stretch(rows *r, size_t after, size_t last) {
  return r->kind->seek_stretch(r, after, last);
}

/* Read up to most rows into out (column-major, leading dimension ld); *got = 0 at the end. */
static inline rbv_status rows_read(ptrdiff_t *got, rows *r, double *out, ptrdiff_t most,
                                   ptrdiff_t ld) {
  return r->kind->read(got, r, out, most, ld);
}

#endif
