/* The form of a CSV file: delimiter, columns, names, units and the place of the first row. */
// memrchr
#define _GNU_SOURCE

#include <stdio.h>
#include <string.h>

#include "base/support.h"
#include "log/cells.h"
#include "log/csv_reader.h"
#include "log/map_guess.h"
#include "log/numbers.h"

#define MOST_COLUMNS 100000
#define TEXT_ROWS 20  // rows in which a column of text has text

static rbv_status read_names(csv *c, const char *p, ptrdiff_t line) {
  c->head.names = rbv_alloc(sizeof *c->head.names * (size_t)c->head.ncol);
  if (!c->head.names) return RBV_EMEM;
  for (int j = 0; j < c->head.ncol; j++) {
    const char *begin, *end;
    p = cell_next(&begin, &end, p, c->delimiter) + 1;
    if (begin == end) {
      char number[16];
      snprintf(number, sizeof number, "%d", j + 1);
      c->head.names[j] = rbv_strdup(number);
    } else {
      c->head.names[j] = rbv_strndup(begin, (size_t)(end - begin));
    }
    if (!c->head.names[j]) return RBV_EMEM;
    for (const char *at = begin; at < end; at++)
      if ((unsigned char)*at < ' ' && *at != '\t')
        return rbv_fail(RBV_EINPUT, "%s: control characters in line %td: it is not a text table",
                        c->name, line);
  }
  int first, second;
  RBV_TRY(names_find_twice(&first, &second, c->head.names, c->head.ncol));
  if (first < 0) return RBV_OK;
  return rbv_fail(RBV_EINPUT, "%s:%td: columns %d and %d are both named '%s'", c->name, line,
                  first + 1, second + 1, c->head.names[first]);
}

/* Decimal comma: any comma in the rows, if commas are not the delimiter. */
static rbv_status find_point(csv *c) {
  c->point = '.';
  if (c->delimiter == ',') return RBV_OK;
  for (;;) {
    if (c->begin == c->complete) RBV_TRY(csv_fill(c));
    if (c->complete == 0) break;
    const char *const first = c->buffer + c->begin, *const limit = c->buffer + c->complete;
    const char *p = first;
    while ((p = memchr(p, ',', (size_t)(limit - p)))) {
      // not in a comment
      const char *start = memrchr(first, '\n', (size_t)(p - first));
      start = line_skip_blanks(start ? start + 1 : first, ' ');
      if (*start != '#') {
        c->point = ',';
        return RBV_OK;
      }
      p = memchr(p, '\n', (size_t)(limit - p));
    }
    c->begin = c->complete;
  }
  return RBV_OK;
}

/* ---- lines before the rows ---- */

/* The next line of the buffer that is not empty and no comment; NULL: there is none. */
static const char *next_line(const csv *c, const char *line, ptrdiff_t *number) {
  const char *const limit = c->buffer + c->complete;
  for (;;) {
    const char *newline = memchr(line, '\n', (size_t)(limit - line));
    if (!newline || newline + 1 >= limit) return NULL;
    line = newline + 1;
    ++*number;
    const char *p = line_skip_blanks(line, ' ');
    if (*p != '#' && !line_over(p)) return line;
  }
}

typedef enum { EMPTY_CELL, NUMBER_CELL, TEXT_CELL } cell_kind;

static cell_kind kind_of(const char *begin, const char *end, char delimiter) {
  double x;
  if (begin == end) return EMPTY_CELL;
  const bool number =
      cell_value(&x, begin, end, '.') || (delimiter != ',' && cell_value(&x, begin, end, ','));
  return number ? NUMBER_CELL : TEXT_CELL;
}

/* Is the first line a row with text in it, and not the header? The next line then has text and
 * numbers in the same columns. */
static bool is_row(const csv *c, const char *line, const char *next) {
  if (!next || line_count(next, c->delimiter) != c->head.ncol) return false;
  bool number = false;
  for (int j = 0; j < c->head.ncol; j++) {
    const char *begin, *end;
    line = cell_next(&begin, &end, line, c->delimiter) + 1;
    const cell_kind a = kind_of(begin, end, c->delimiter);
    next = cell_next(&begin, &end, next, c->delimiter) + 1;
    const cell_kind b = kind_of(begin, end, c->delimiter);
    if ((a == TEXT_CELL) != (b == TEXT_CELL)) return false;
    number |= a == NUMBER_CELL && b == NUMBER_CELL;
  }
  return number;
}

/* Is this line, below the header, a row of units? It has no number, but a unit, and rows follow. */
static bool is_unit_row(const csv *c, const char *line, const char *next) {
  if (!line || !next || line_count(line, c->delimiter) != c->head.ncol ||
      line_count(next, c->delimiter) != c->head.ncol)
    return false;
  bool unit = false, number = false;
  for (int j = 0; j < c->head.ncol; j++) {
    const char *begin, *end;
    line = cell_next(&begin, &end, line, c->delimiter) + 1;
    char text[40];
    if (end - begin >= (ptrdiff_t)sizeof text) return false;
    snprintf(text, sizeof text, "%.*s", (int)(end - begin), begin);
    const bool one = strcmp(text, "1") == 0 || strcmp(text, "-") == 0;
    if (kind_of(begin, end, c->delimiter) == NUMBER_CELL && !one) return false;
    if (!is_unit(text) && j > 0) return false;
    unit |= is_unit(text) && *text && !one;
    next = cell_next(&begin, &end, next, c->delimiter) + 1;
    number |= kind_of(begin, end, c->delimiter) == NUMBER_CELL;
  }
  return unit && number;
}

static rbv_status read_units(csv *c, const char *p) {
  c->head.units = rbv_alloc(sizeof *c->head.units * (size_t)c->head.ncol);
  for (int j = 0; j < c->head.ncol && c->head.units; j++) {
    const char *begin, *end;
    p = cell_next(&begin, &end, p, c->delimiter) + 1;
    c->head.units[j] = rbv_strndup(begin, (size_t)(end - begin));
    if (!c->head.units[j]) return RBV_EMEM;
  }
  return c->head.units ? RBV_OK : RBV_EMEM;
}

/* Find columns that have text, and no number, in all of the first rows. */
static rbv_status find_text(csv *c, const char *line, ptrdiff_t number) {
  const int ncol = c->head.ncol;
  text_column *text = rbv_alloc(sizeof *text * (size_t)ncol);
  bool *numbers = rbv_alloc(sizeof *numbers * (size_t)ncol);
  rbv_status status = text && numbers ? RBV_OK : RBV_EMEM;
  bool any = false;
  for (int k = 0; k < TEXT_ROWS && line && status == RBV_OK;
       k++, line = next_line(c, line, &number)) {
    if (line_count(line, c->delimiter) != ncol) continue;
    const char *p = line, *begin, *end;
    for (int j = 0; j < ncol && status == RBV_OK; j++) {
      p = cell_next(&begin, &end, p, c->delimiter) + 1;
      const cell_kind kind = kind_of(begin, end, c->delimiter);
      numbers[j] |= kind == NUMBER_CELL;
      if (kind != TEXT_CELL || text[j].cell) continue;
      text[j] = (text_column){rbv_strndup(begin, (size_t)(end - begin)), number, begin - line + 1};
      if (!text[j].cell) status = RBV_EMEM;
    }
  }
  for (int j = 0; j < ncol && status == RBV_OK; j++) {
    if (numbers[j]) {
      rbv_free(text[j].cell);
      text[j] = (text_column){0};
    }
    any |= text[j].cell != NULL;
  }
  rbv_free(numbers);
  if (status == RBV_OK && any)
    c->head.text = text;
  else
    text_free(text, ncol);
  return status;
}

static rbv_status refuse_foreign(const csv *c) {
  static const struct {
    const char *magic;
    int size;
    const char *what;
  } foreign[] = {
      {"\xFF\xFE", 2, "UTF-16 text; save it as UTF-8"},
      {"\xFE\xFF", 2, "UTF-16 text; save it as UTF-8"},
      {"\x1F\x8B", 2, "compressed; unpack it first (gunzip)"},
      {"PK\x03\x04", 4, "a ZIP archive or a spreadsheet; export it as CSV"},
      {"\x89HDF\r\n", 6, "an HDF5 file but not a MAT file of version 7.3"},
      {"#ROSBAG V", 9,
       "a bag of ROS 1; convert it to ROS 2 (pip install rosbags, rosbags-convert)"},
      {"ARROW1", 6, "an Arrow file; write it as CSV (Python: pandas.read_feather(FILE).to_csv)"},
      {"\x80\x04\x95", 3, "a Python pickle, which could run any program; save a CSV or npz file"},
      {"\x80\x05\x95", 3, "a Python pickle, which could run any program; save a CSV or npz file"},
      {"\x80\x03", 2, "a Python pickle, which could run any program; save a CSV or npz file"},
      {"\x80\x02", 2, "a Python pickle, which could run any program; save a CSV or npz file"},
      {"{", 1, "JSON; write it as CSV (Python: pandas.read_json(FILE).to_csv('log.csv'))"},
      {"[{", 2, "JSON; write it as CSV (Python: pandas.read_json(FILE).to_csv('log.csv'))"},
      {"<?xml", 5, "XML, such as a robot file, and not a recording"},
      {"<robot", 6, "XML, such as a robot file, and not a recording"},
      {"<mujoco", 7, "XML, such as a robot file, and not a recording"},
      {"header:\n", 8, "the YAML of ros2 topic echo; let it write CSV, or use ros2 bag record"},
      {"%PDF", 4, "a PDF document; export the recording as CSV"},
      {"\xD0\xCF\x11\xE0", 4, "an old spreadsheet; export it as CSV"},
      {"7z\xBC\xAF", 4, "a 7z archive; unpack it first"},
      {"BZh", 3, "compressed with bzip2; unpack it first (bunzip2)"},
      {"\xFD"
       "7zXZ",
       5, "compressed with xz; unpack it first (unxz)"},
      {"\x04\x22\x4D\x18", 4, "compressed with lz4; unpack it first (unlz4)"},
  };
  for (int i = 0; i < RBV_COUNT(foreign); i++)
    if (c->end >= (size_t)foreign[i].size &&
        memcmp(c->buffer, foreign[i].magic, (size_t)foreign[i].size) == 0)
      return rbv_fail(RBV_EINPUT, "%s: the file is %s", c->name, foreign[i].what);
  return RBV_OK;
}

/* Skip comments and empty lines. The last comment may have the names: *comment is a copy of it,
 * which the caller frees. */
static rbv_status skip_comments(char **comment, csv *c) {
  for (;;) {
    if (c->begin == c->complete) {
      RBV_TRY(csv_fill(c));
      if (c->complete == 0) return rbv_fail(RBV_EINPUT, "%s: no rows: the file is empty", c->name);
    }
    const char *line = c->buffer + c->begin;
    const char *newline = memchr(line, '\n', c->complete - c->begin);
    const char *p = line_skip_blanks(line, ' ');
    if (*p != '#' && !line_over(p)) return RBV_OK;
    rbv_free(*comment);
    *comment = NULL;
    if (*p == '#') {
      const size_t n = (size_t)(newline - p);
      *comment = rbv_alloc(n + 1 + RBV_NUMBER_SLACK);
      if (!*comment) return RBV_EMEM;
      memcpy(*comment, p + 1, n);  // with the newline
    }
    c->first_byte += (size_t)(newline + 1 - line);
    c->begin += (size_t)(newline + 1 - line);
    c->line++;
  }
}

/* Read names and units from the line that follows the comments, if it has them, otherwise names
 * from the last comment. *first is the first row, NULL: the buffer does not have it. */
static rbv_status read_head(csv *c, const char **first, const char *comment) {
  const char *line = c->buffer + c->begin;
  c->first_line = c->line;
  const char *second = next_line(c, line, &c->first_line);
  const ptrdiff_t second_line = c->first_line;
  c->first_line = c->line;
  *first = line;
  if (line_is_numbers(line, c->delimiter, c->head.ncol) || is_row(c, line, second)) {
    const bool named = comment && line_count(comment, c->delimiter) == c->head.ncol &&
                       !line_is_numbers(comment, c->delimiter, c->head.ncol);
    return named ? read_names(c, comment, c->line - 1) : RBV_OK;
  }
  RBV_TRY(read_names(c, line, c->line));
  const char *newline = memchr(line, '\n', c->complete - c->begin);
  ptrdiff_t number = second_line;
  const char *third = second ? next_line(c, second, &number) : NULL;
  *first = second;
  c->first_line++;
  if (is_unit_row(c, second, third)) {
    RBV_TRY(read_units(c, second));
    newline = memchr(second, '\n', c->complete - (size_t)(second - c->buffer));
    c->first_line = second_line + 1;
    *first = third;
  }
  c->first_byte += (size_t)(newline + 1 - line);
  c->begin += (size_t)(newline + 1 - line);
  return RBV_OK;
}

static rbv_status find_form(csv *c, char **comment) {
  RBV_TRY(skip_comments(comment, c));
  const char *line = c->buffer + c->begin, *first;
  c->delimiter = line_delimiter(line);
  c->head.ncol = line_count(line, c->delimiter);
  if (c->head.ncol > MOST_COLUMNS)
    return rbv_fail(RBV_EINPUT, "%s:%td: %d columns; at most %d are read", c->name, c->line,
                    c->head.ncol, MOST_COLUMNS);
  RBV_TRY(read_head(c, &first, *comment));
  if (first) {
    ptrdiff_t number = c->line;
    for (const char *p = line; p && p < first;) p = next_line(c, p, &number);
    RBV_TRY(find_text(c, first, number));
  }
  // the decimal point is found in the rows
  c->line = c->first_line;
  RBV_FINISH(find_point(c), csv_rewind(c));
}

rbv_status csv_find_form(csv *c) {
  csv_seek_byte(c, 0, 1);
  RBV_TRY(csv_fill(c));
  RBV_TRY(refuse_foreign(c));
  c->first_byte = 0;
  if (c->complete >= 3 && memcmp(c->buffer, "\xEF\xBB\xBF", 3) == 0) c->first_byte = c->begin = 3;
  char *comment = NULL;
  RBV_FINISH(find_form(c, &comment), rbv_free(comment));
}
