/*
 * The columns of a file, before their names are interpreted, and the functions that read them.
 * log_formats.c lists these functions by format.
 */
#ifndef LOG_TABLE_H
#define LOG_TABLE_H

#include <stdbool.h>

#include <roberval/sys/base.h>

/* From this row up to the next mark, line numbers increase by one per row. */
typedef struct {
  ptrdiff_t row, line;
} line_mark;

/* A column of text. Its values are NaN. */
typedef struct {
  char *cell;  // of the first row; NULL: a column of numbers
  ptrdiff_t line, place;
} text_column;

/* The columns that are asked for, by name. NULL instead of it: the reader decides. */
typedef struct {
  const char *const *names;
  int n;
} wanted_columns;

typedef struct {
  ptrdiff_t rows;
  ptrdiff_t ld;  // leading dimension of values
  int ncol;
  char **names;       // ncol; NULL if the file has no header
  char **units;       // ncol, from a row of units; NULL: there is none
  text_column *text;  // ncol; NULL: all columns are numbers
  double *values;     // rows x ncol, column-major
  ptrdiff_t first;    // number of the first row in the file
  line_mark *marks;   // formats with lines only
  ptrdiff_t nmark;
  ptrdiff_t first_line;  // of the first row, in a text whose first rows were read; 0: not known
  const char *format;    // name of the format, set by log_formats.c
  bool tolerant;         // in: rows that cannot be read become NaN
} table;

void table_free(table *t);

/* Fewer rows than this with at least so many numbers each are samples side by side: an array that
 * was written the other way round. Columns with names are never turned. */
#define TABLE_TURNED_ROWS 64
#define TABLE_TURNED_COLUMNS 256
rbv_status table_turn(table *t);

/* The number of the column with this name; -1: none. */
int table_find(const table *t, const char *name);

/* Free, or copy, the names of n columns. */
void names_free(char **names, int n);
rbv_status names_copy(char ***out, char *const *names, int n);

/* The same for columns of text. */
void text_free(text_column *text, int n);
rbv_status text_copy(text_column **out, const text_column *text, int n);

/* Refuse a column of text in which numbers are expected. */
rbv_status refuse_text(const table *t, const char *file, int column);

/* The first name that occurs again, and where; -1: all names differ. */
rbv_status names_find_twice(int *first, int *second, char *const *names, int n);

/* The name of number i of a column with n of them: a column that is named as a channel of this
 * library is numbered as in it (q1, q2, ...), any other one NAME[0], NAME[1], ... */
void table_part_name(char *text, size_t size, const char *name, size_t i, size_t n);

/* Leading dimension for this many rows. It avoids strides that map all columns to the same cache
 * lines. */
ptrdiff_t table_stride(ptrdiff_t count);

/* True if the file name ends with this (".mat"), in upper or lower case. */
bool name_ends_with(const char *path, const char *ending);

/* ---- CSV ---- */

/* Accepts every file. */
bool csv_recognises(const char *path, const char *head, size_t size);

/* Open a CSV file at its first row. Memory is a buffer of the longest line, at least 1 MB. A stream
 * that cannot be read twice (a pipe) is kept as a whole. */
struct rows;
rbv_status csv_open(struct rows **out, const char *path, const wanted_columns *want);

/* The same for an open regular file, which is closed with the reader, or on failure. The name is
 * used in messages. */
rbv_status csv_open_file(struct rows **out, const char *name, int file);

/* Read a CSV file, an open one, which is closed, or CSV text. */
rbv_status csv_table(table *t, const char *path, const wanted_columns *want);
rbv_status csv_table_file(table *t, const char *name, int file);
rbv_status csv_open_text(struct rows **out, const char *name, const char *text, size_t size);
rbv_status csv_table_text(table *t, const char *name, const char *text, size_t size);

/* The size of the file: a number is seldom written with fewer than eight characters. 0 for a
 * pipe. */
rbv_status csv_bytes(size_t *out, const char *path);

/* ---- CSV that is compressed ---- */

bool gzip_recognises(const char *path, const char *head, size_t size);
bool zstd_recognises(const char *path, const char *head, size_t size);
rbv_status gzip_table(table *t, const char *path, const wanted_columns *want);
rbv_status zstd_table(table *t, const char *path, const wanted_columns *want);
rbv_status gzip_open(struct rows **out, const char *path, const wanted_columns *want);
rbv_status zstd_open(struct rows **out, const char *path, const wanted_columns *want);
rbv_status gzip_bytes(size_t *out, const char *path);
rbv_status zstd_bytes(size_t *out, const char *path);

/* ---- NumPy ---- */

bool npy_recognises(const char *path, const char *head, size_t size);
bool npz_recognises(const char *path, const char *head, size_t size);
rbv_status numpy_table(table *t, const char *path, const wanted_columns *want);
rbv_status numpy_open(struct rows **out, const char *path, const wanted_columns *want);
rbv_status numpy_bytes(size_t *out, const char *path);

/* ---- Parquet ---- */

bool parquet_recognises(const char *path, const char *head, size_t size);
rbv_status parquet_table(table *t, const char *path, const wanted_columns *want);
rbv_status parquet_open(struct rows **out, const char *path, const wanted_columns *want);
rbv_status parquet_bytes(size_t *out, const char *path);

/* ---- bags of ROS 2: a file, or a folder of files ---- */

bool bag_sqlite_recognises(const char *path, const char *head, size_t size);
bool bag_mcap_recognises(const char *path, const char *head, size_t size);

/* Columns of several topics are joined on the clock of the first one. */
rbv_status bag_table(table *t, const char *path, const wanted_columns *want);

/* Columns of one topic only. */
rbv_status bag_rows_open(struct rows **out, const char *path, const wanted_columns *want);
rbv_status bag_peek(table *t, const char *path);
rbv_status bag_bytes(size_t *out, const char *path);

/* ---- MAT ---- */

/* True if the file begins like a MAT file of version 7.3. */
bool mat73_recognises(const char *path, const char *head, size_t size);

/* True if the file begins like a MAT file of version 5, or its name ends with .mat. */
bool mat5_recognises(const char *path, const char *head, size_t size);

rbv_status mat_table(table *t, const char *path, const wanted_columns *want);
rbv_status mat_open(struct rows **out, const char *path,
                    const wanted_columns *want);  // version 7.3 only
rbv_status mat_bytes(size_t *out, const char *path);

/*
 * Check that the sizes stated in a MAT file agree with each other and with the size of the file.
 * matio does not check them: it takes a damaged element for the end of the file and allocates any
 * size that the file states. Of version 7.3 (HDF5) only the end of the file is checked.
 */
rbv_status mat_check(const char *path);

/* Name and version of the library that mat_check uses (zlib); see rbv_log_library. */
const char *mat_check_library(char version[64]);

#endif
