/*
 * Columns as a file holds them, before anything is known about their meaning, and what reads them.
 */
#ifndef LOG_TABLE_H
#define LOG_TABLE_H

#include <stdbool.h>

#include <roberval/base.h>

/* From this row on, rows follow each other line by line. */
typedef struct {
  ptrdiff_t row, line;
} line_mark;

typedef struct {
  ptrdiff_t rows;
  ptrdiff_t ld;  // from column to column
  int ncol;
  char **names;      // ncol; NULL when the file has no header
  double *values;    // rows x ncol
  line_mark *marks;  // CSV only
  ptrdiff_t nmark;
  const char *format;
} table;

void table_free(table *t);

/* Leading dimension for so many rows: columns do not all fall on the same cache lines. */
ptrdiff_t table_stride(ptrdiff_t rows);

/*
 * A CSV file read in pieces: open, then rows as often as wanted until none come. Keeps a buffer of
 * the longest line, at least 1 MB, never the file; what cannot be read twice (a pipe) is kept
 * whole.
 */
typedef struct csv csv;

rbv_status csv_open(csv **out, const char *path);
rbv_status csv_open_text(csv **out, const char *name, const char *text, size_t size);  // borrowed
void csv_close(csv *c);

int csv_columns(const csv *c);
const char *csv_column_name(const csv *c, int j);  // NULL without a header

/* Up to most rows into out (column-major, leading dimension ld); *got = 0 at the end. */
rbv_status csv_read(ptrdiff_t *got, csv *c, double *out, ptrdiff_t most, ptrdiff_t ld);

/* Back to the first row. */
rbv_status csv_rewind(csv *c);

/* Where the next row is, and back there: in this one or in a clone. Marks begin anew there. */
typedef struct {
  size_t byte;
  ptrdiff_t line, row;
} csv_place;

csv_place csv_tell(const csv *c);
rbv_status csv_seek(csv *c, const csv_place *place);

/* Rows that begin behind one byte, and not behind the last one; lines and rows count from 0 there.
 * Until the next seek. */
rbv_status csv_seek_stretch(csv *c, size_t after, size_t last);

/* Bytes of the file as it is now. */
size_t csv_size(const csv *c);

/* Lines of the rows that were read since the last seek; valid until the next row. Forget them. */
const line_mark *csv_marks(ptrdiff_t *count, const csv *c);
void csv_forget_marks(csv *c);

/* Another reader of the same file, which must outlive it; at its first row. */
rbv_status csv_clone(csv **out, const csv *c);

/* No fewer rows than there are, by counting lines; the next row is the first again. */
rbv_status csv_bound(ptrdiff_t *rows, csv *c);

/* The whole of it. */
rbv_status csv_table(table *t, csv *c);

/* Does the file begin as a MAT file does? The whole of a MAT file. */
bool mat_magic(const char *head, size_t size);
rbv_status mat_table(table *t, const char *path);

/*
 * Do the sizes that a MAT file states agree with each other and with the bytes that are there?
 * matio believes them: it takes a broken element for the end of the file, and allocates what it is
 * told. Version 7.3 is HDF5, of which only the end is checked.
 */
rbv_status mat_check(const char *path);
const char *mat_check_library(char version[64]);  // zlib, as rbv_log_library

#endif
