/*
 * The reader of CSV: its buffer of complete lines, and the form of the file (delimiter, names,
 * units, columns of text), which csv_form.c finds in the first lines. csv.c reads the rows.
 */
#ifndef LOG_CSV_READER_H
#define LOG_CSV_READER_H

#include "log/rows.h"

typedef struct {
  rows head;
  char *name;

  // source: a file, or text in memory
  int file;    // -1: text
  bool clone;  // the file belongs to another reader
  const char *text;
  size_t text_size;
  size_t taken;  // bytes of the source up to the end of the buffer
  char *kept;    // the text of a pipe

  // buffer: lines that are not read yet; complete lines end at complete
  char *buffer;
  size_t capacity, begin, complete, end;
  size_t origin;  // place of the buffer's first byte in the file
  bool at_end;    // the buffer has the end of the file
  bool open_end;  // and the last line had no newline

  // form
  char delimiter;  // ' ': blanks, any number of them
  char point;
  ptrdiff_t first_line;
  size_t first_byte;  // of the first row

  // place
  ptrdiff_t line;  // of the next line in the buffer, from 1
  ptrdiff_t row;
  size_t stop;           // lines that begin after this byte are not read
  bool tolerant;         // rows that cannot be read become NaN
  ptrdiff_t unreadable;  // number of such rows
  ptrdiff_t mark_room;
} csv;

/* Go to a byte at which a line begins; line is its number. */
void csv_seek_byte(csv *c, size_t place, ptrdiff_t line);

/* Read the next complete lines when the buffer is used up. complete = 0 at the end of the file. */
rbv_status csv_fill(csv *c);

/* Go to the first row. */
void csv_rewind(csv *c);

/* Find the form of the file and the place of the first row, and go there. */
rbv_status csv_find_form(csv *c);

#endif
