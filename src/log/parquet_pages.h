/*
 * The values of one column of a Parquet file, row by row. A page is unpacked at a time, so that the
 * memory is that of a page and of the dictionary.
 */
#ifndef LOG_PARQUET_PAGES_H
#define LOG_PARQUET_PAGES_H

#include "log/parquet_file.h"

typedef struct parquet_column parquet_column;

/* The bytes of a page as in the file. Columns that are read by one thread share it. */
typedef struct {
  uint8_t *data;  // free it with rbv_free
  size_t room;
} parquet_scratch;

/* A reader of a column, at its first row. The file and the scratch memory must exist longer. */
rbv_status parquet_column_new(parquet_column **out, const parquet_file *f, int leaf,
                              parquet_scratch *scratch);
void parquet_column_free(parquet_column *c);

/* Go to a row of the file. */
rbv_status parquet_column_seek(parquet_column *c, ptrdiff_t row);

/* Read n rows into width columns of out. A list that is missing or empty gives NaN; refused is a
 * list of another length. */
rbv_status parquet_column_read(parquet_column *c, double *out, ptrdiff_t n, ptrdiff_t ld);

/* The numbers of the first row, and the first one of them; 0 numbers: there is no row, or its list
 * is empty. */
rbv_status parquet_column_first(size_t *width, double *value, parquet_column *c);

#endif
