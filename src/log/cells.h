/*
 * The cells of one line of a text table. A line ends with a newline, and RBV_NUMBER_SLACK bytes
 * after it can be read. The delimiter ' ' means any number of blanks and tabs.
 */
#ifndef LOG_CELLS_H
#define LOG_CELLS_H

#include <stdbool.h>
#include <stddef.h>

#include "log/table.h"

static inline bool line_over(const char *p) { return *p == '\n' || (*p == '\r' && p[1] == '\n'); }

/* Skip blanks that are not delimiters. */
static inline const char *line_skip_blanks(const char *p, char delimiter) {
  while (*p == ' ' || (*p == '\t' && delimiter != '\t')) p++;
  return p;
}

/* Find the cell at p: its content is begin to end. Returns the place of its delimiter or line end.
 */
const char *cell_next(const char **begin, const char **end, const char *p, char delimiter);

/* The value of a cell; empty cells, nan and inf included. False: the cell is text. */
bool cell_value(double *out, const char *begin, const char *end, char point);

/* Shorten a cell for a message. */
const char *cell_show(char out[40], const char *begin, const char *end);

/* The delimiter of a line. */
char line_delimiter(const char *line);

/* Number of cells of a line. A delimiter at the end does not begin another cell; line_is_closed
 * reports one. */
int line_count(const char *line, char delimiter);
bool line_is_closed(const char *line, char delimiter);

/* True if the first n cells are numbers, with a decimal point or a decimal comma. */
bool line_is_numbers(const char *line, char delimiter, int n);

/* Read the numbers of a row into out, with stride ld; columns of text (NULL: none) become NaN.
 * Returns the start of the next line, or NULL if the line does not have ncol numbers. */
const char *line_read(double *out, ptrdiff_t ld, const char *line, int ncol, char delimiter,
                      char point, const text_column *text);

#endif
