/*
 * Rows that are found by their number: the part that readers of such formats share. It is the first
 * member of their structure. Places are given in bytes as if the rows were stored one after the
 * other as doubles.
 */
#ifndef LOG_NUMBERED_ROWS_H
#define LOG_NUMBERED_ROWS_H

#include "log/rows.h"

typedef struct {
  rows head;
  ptrdiff_t samples;
  ptrdiff_t next, end;  // rows to read; the reader of a format advances next
  ptrdiff_t base;       // row that counts as row 0
} numbered_rows;

/* Functions of rows_kind. */
size_t numbered_size(const rows *r);
row_place numbered_tell(const rows *r);
rbv_status numbered_seek(rows *r, const row_place *place);
rbv_status numbered_seek_stretch(rows *r, size_t after, size_t last);

/* All rows of such a reader as a table. The reader is closed, also on failure. */
rbv_status table_from_rows(table *t, rows *r);

#endif
