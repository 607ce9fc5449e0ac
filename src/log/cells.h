/*
 * One line of a table of text and its cells. Text ends with a newline that belongs to it, and
 * RBV_NUMBER_SLACK bytes behind that can be read. A delimiter ' ' stands for blanks and tabs, any
 * number of them.
 */
#ifndef LOG_CELLS_H
#define LOG_CELLS_H

#include <stdbool.h>
#include <stddef.h>

static inline bool line_over(const char *p) { return *p == '\n' || (*p == '\r' && p[1] == '\n'); }

/* Past blanks that divide nothing. */
static inline const char *line_skip_blanks(const char *p, char delimiter) {
  while (*p == ' ' || (*p == '\t' && delimiter != '\t')) p++;
  return p;
}

/* One cell from p on; returns where its delimiter or line end is. The content is begin to end. */
const char *cell_next(const char **begin, const char **end, const char *p, char delimiter);

/* The value of a cell, words for what is no number included; false: it is text. */
bool cell_value(double *out, const char *begin, const char *end, char point);

/* A cell as a message may show it. */
const char *cell_show(char out[40], const char *begin, const char *end);

/* What divides the cells of a line. */
char line_delimiter(const char *line);

/* Cells of a line; a delimiter at the very end opens no further one, but the last may be empty
 * where the line is closed by one. */
int line_count(const char *line, char delimiter);
bool line_is_closed(const char *line, char delimiter);

/* Are the first n cells numbers, whichever decimal point they have? */
bool line_is_numbers(const char *line, char delimiter, int n);

/* The numbers of a row, ld apart; returns the start of the next line, NULL when the line is not
 * what it should be. */
const char *line_read(double *out, ptrdiff_t ld, const char *line, int ncol, char delimiter,
                      char point);

#endif
