/*
 * The table of log formats: how a file is recognised and which functions read it.
 *
 * To add a format, write its reader in a new file, declare it in table.h and add one row to
 * the table in log_formats.c. docs/how-to-add.md has a complete example.
 */
#ifndef LOG_LOG_FORMATS_H
#define LOG_LOG_FORMATS_H

#include "log/rows.h"

typedef struct {
  const char *name;  // rbv_log_format of its logs
  const char *text;  // one sentence for users

  /*
   * True if a file has this format. The first row that recognises a file reads it.
   *
   *   path  in  its name
   *   head  in  size bytes: the beginning of the file; none if it is not a regular file
   */
  bool (*recognises)(const char *path, const char *head, size_t size);

  /* Read the whole file. The format's name is filled in by the caller.
   *
   *   want  in  columns that are asked for; NULL: the reader decides. A reader may give more
   */
  rbv_status (*table)(table *t, const char *path, const wanted_columns *want);

  /* Open the file for reading in pieces, at its first row. NULL if the format does not allow it;
   * whole_only then says why and what the user can do. One of the two is set. */
  rbv_status (*open)(rows **out, const char *path, const wanted_columns *want);
  const char *whole_only;

  /* Estimate the bytes that the numbers need as doubles, without reading them. Refuses a file whose
   * structure is invalid where that is found without reading the numbers. */
  rbv_status (*bytes)(size_t *out, const char *path);

  /* Read the names of all columns and their first values. NULL: by open, or by table. Columns of
   * such a format never have the names of this module, so that a map is always guessed. */
  rbv_status (*peek)(table *t, const char *path);
} log_format;

/* The format of a file. Never NULL: the last row accepts every file. */
const log_format *log_format_of(const char *path);

/* Read a file by its format. */
rbv_status log_format_table(table *t, const char *path, const wanted_columns *want);
rbv_status log_format_open(rows **out, const char *path, const wanted_columns *want);
rbv_status log_format_bytes(size_t *out, const char *path);

/* The first rows of a file, at most so many numbers, with the names of all columns. */
#define PEEK_CELLS ((ptrdiff_t)1 << 20)
#define PEEK_ROWS 200
#define CONTENT_CELLS ((ptrdiff_t)1 << 22)  // 32 MB
rbv_status log_format_peek(table *t, const char *path, ptrdiff_t rows, ptrdiff_t cells);

/* Read CSV text in memory, or its first rows. The name is used in messages. */
rbv_status log_format_text(table *t, const char *name, const char *text, size_t size);
rbv_status log_format_peek_text(table *t, const char *name, const char *text, size_t size,
                                ptrdiff_t rows, ptrdiff_t cells);

/* Is a file that begins with these bytes read as CSV? */
bool log_format_is_text(const char *path, const char *head, size_t size);

#endif
