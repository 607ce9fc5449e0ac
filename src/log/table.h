/*
 * Columns as a file holds them, before anything is known about their meaning, and what reads them.
 */
#ifndef LOG_TABLE_H
#define LOG_TABLE_H

#include <stdbool.h>

#include <roberval/sys/base.h>

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

/* Names of n columns; a copy of them. */
void names_free(char **names, int n);
rbv_status names_copy(char ***out, char *const *names, int n);

/* Leading dimension for so many rows: columns do not all fall on the same cache lines. */
ptrdiff_t table_stride(ptrdiff_t count);

/*
 * A CSV file: rows that stand at the first one. Keeps a buffer of the longest line, at least 1 MB,
 * never the file; what cannot be read twice (a pipe) is kept whole.
 */
struct rows;
rbv_status csv_open(struct rows **out, const char *path);
rbv_status csv_open_text(struct rows **out, const char *name, const char *text,
                         size_t size);  // borrowed

/* The whole of it, as it was opened; the rows give their names away. */
rbv_status csv_table(table *t, struct rows *r);

/* Does the file begin as a MAT file does? The whole of a MAT file; its rows, of version 7.3 only
 * (RBV_EUNSUPPORTED); bytes of the numbers in it, which are not read. */
bool mat_magic(const char *head, size_t size);
rbv_status mat_table(table *t, const char *path);
rbv_status mat_open(struct rows **out, const char *path);
rbv_status mat_bytes(size_t *out, const char *path);

/*
 * Do the sizes that a MAT file states agree with each other and with the bytes that are there?
 * matio believes them: it takes a broken element for the end of the file, and allocates what it is
 * told. Version 7.3 is HDF5, of which only the end is checked.
 */
rbv_status mat_check(const char *path);
const char *mat_check_library(char version[64]);  // zlib, as rbv_log_library

#endif
