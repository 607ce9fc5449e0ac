/*
 * The structure of a Parquet file: its columns of numbers, and where their values are. Everything
 * comes from the footer; pages are read by parquet_pages.h.
 */
#ifndef LOG_PARQUET_FILE_H
#define LOG_PARQUET_FILE_H

#include <stdint.h>

#include "log/table.h"

typedef enum {
  PARQUET_BOOLEAN = 0,
  PARQUET_INT32 = 1,
  PARQUET_INT64 = 2,
  PARQUET_FLOAT = 4,
  PARQUET_DOUBLE = 5
} parquet_type;

/* A column of the file: one number of every row, or a list of them. */
typedef struct {
  char *name;  // of a column inside others: A.B
  int place;   // among all columns of the file
  parquet_type type;
  bool is_unsigned;
  double tick;     // seconds of a unit of a time stamp; 0: no time stamp
  int repetition;  // 1: a list
  int definition;  // level of a value that is there
  int element;     // from this level on a list has an element
  size_t width;    // numbers of a row; set by the reader from the first row
  int64_t origin;  // of time stamps, in their units: the first one
} parquet_leaf;

/* The values of one column in one group of rows. */
typedef struct {
  int codec;
  size_t at, size;   // bytes of the file
  ptrdiff_t values;  // with those that are missing
} parquet_chunk;

typedef struct {
  char *path;
  int file;
  size_t size;
  parquet_leaf *leaves;
  int nleaf, nplace;  // columns that are read, and all
  ptrdiff_t *first;   // ngroup + 1: number of the first row of each group
  int ngroup;
  parquet_chunk *chunks;  // nleaf x ngroup
} parquet_file;

/* Open a file and read its footer. Columns of text, dates of unusual types and lists of lists are
 * left out. Close it also after a failure. */
rbv_status parquet_file_open(parquet_file *f, const char *path);
void parquet_file_close(parquet_file *f);

/* Leave out the columns that are not marked. */
void parquet_file_keep(parquet_file *f, const bool *keep);

/* Numbers that a column can have: more per byte of the file is no recording. */
static inline int64_t parquet_most_numbers(const parquet_file *f) {
  return (int64_t)f->size < INT64_MAX / 4096 ? 4096 * (int64_t)f->size : INT64_MAX;
}

static inline const parquet_chunk *parquet_chunk_at(const parquet_file *f, int leaf, int group) {
  return &f->chunks[leaf + (ptrdiff_t)group * f->nleaf];
}

#endif
