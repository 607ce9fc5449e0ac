/*
 * Rows of numbers that a file holds, read one piece after the other, as often as wanted. A kind of
 * file says how; the file itself is never held. One thread at a time for each, but clones have
 * threads of their own.
 */
#ifndef LOG_ROWS_H
#define LOG_ROWS_H

#include "log/table.h"

/* Where a row begins. Lines count from 1; a file without lines has line 0. */
typedef struct {
  size_t byte;  // ascending from row to row
  ptrdiff_t line, row;
} row_place;

typedef struct rows rows;

typedef struct {
  const char *format;  // of logs that are made from them
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
  int ncol;
  char **names;      // NULL: no header
  line_mark *marks;  // of the rows that were read since the last seek; none without lines
  ptrdiff_t nmark;   // may be set to 0 to forget them
};

static inline void rows_close(rows *r) {
  if (r) r->kind->close(r);
}

/* Another reader of the same file, which must outlive it; at its first row. */
static inline rbv_status rows_clone(rows **out, const rows *r) { return r->kind->clone(out, r); }

/* Bytes of the file as it is now. */
static inline size_t rows_size(const rows *r) { return r->kind->size(r); }

/* Where the next row is, and back there: in this one or in a clone. Marks begin anew there. */
static inline row_place rows_tell(const rows *r) { return r->kind->tell(r); }
static inline rbv_status rows_seek(rows *r, const row_place *place) {
  return r->kind->seek(r, place);
}

/* Rows that begin behind one byte (the first row: at it), and not behind the last one; lines and
 * rows count from 0 there. Until the next seek. */
static inline rbv_status rows_seek_stretch(rows *r, size_t after, size_t last) {
  return r->kind->seek_stretch(r, after, last);
}

/* Up to most rows into out (column-major, leading dimension ld); *got = 0 at the end. */
static inline rbv_status rows_read(ptrdiff_t *got, rows *r, double *out, ptrdiff_t most,
                                   ptrdiff_t ld) {
  return r->kind->read(got, r, out, most, ld);
}

#endif
