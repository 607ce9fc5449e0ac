// memrchr
#define _GNU_SOURCE

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/support.h"
#include "log/cells.h"
#include "log/map_guess.h"
#include "log/numbers.h"
#include "log/rows.h"

#define BUFFER_BYTES ((size_t)1 << 20)
#define LONGEST_LINE ((size_t)64 << 20)
#define MOST_COLUMNS 100000
#define LONGEST_STREAM ((size_t)256 << 20)
#define STREAM_WAIT_MS 20000   // for the first bytes of a pipe
#define TEXT_ROWS 20           // rows in which a column of text has text
#define UNREADABLE_ROWS 20     // rows that a tolerant reader replaces by NaN,
#define UNREADABLE_SHARE 0.02  // or this share of all; more of them are another kind of file

typedef struct {
  rows head;
  char *name;

  // source: a file, or text in memory
  int file;  // -1: text
  const char *text;
  size_t text_size, text_used;
  char *kept;  // the text of a pipe

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

/* ---- bytes ---- */

static rbv_status take_bytes(size_t *got, csv *c, char *to, size_t room) {
  if (c->file < 0) {
    const size_t left = c->text_size - c->text_used;
    *got = left < room ? left : room;
    memcpy(to, c->text + c->text_used, *got);
    c->text_used += *got;
    return RBV_OK;
  }
  ssize_t n;
  do n = read(c->file, to, room);
  while (n < 0 && errno == EINTR);
  if (n < 0) return rbv_fail(RBV_EREAD, "%s: %s", c->name, strerror(errno));
  *got = (size_t)n;
  return RBV_OK;
}

static rbv_status seek_byte(csv *c, size_t place, ptrdiff_t line) {
  // a header without a newline may give a place behind the end
  if (c->file < 0)
    c->text_used = place < c->text_size ? place : c->text_size;
  else if (lseek(c->file, (off_t)place, SEEK_SET) < 0)
    return rbv_fail(RBV_EREAD, "%s: %s", c->name, strerror(errno));
  c->begin = c->complete = c->end = 0;
  c->origin = place;
  c->at_end = c->open_end = false;
  c->line = line;
  return RBV_OK;
}

/* Read the next complete lines when the buffer is used up. complete = 0 at the end of the file. */
static rbv_status fill(csv *c) {
  memmove(c->buffer, c->buffer + c->begin, c->end - c->begin);
  c->origin += c->begin;
  c->end -= c->begin;
  c->begin = c->complete = 0;
  while (!c->at_end && c->complete == 0) {
    // space for more, for a missing last newline, and for the look-ahead of the parser
    if (c->end + 1 + RBV_NUMBER_SLACK >= c->capacity) {
      if (c->capacity >= LONGEST_LINE)
        return rbv_fail(RBV_EINPUT,
                        "%s:%td: the line has more than %zu MB: the file is not a text table",
                        c->name, c->line, LONGEST_LINE >> 20);
      char *larger = rbv_realloc(c->buffer, c->end, 2 * c->capacity);
      if (!larger) return RBV_EMEM;
      c->buffer = larger;
      c->capacity *= 2;
    }
    size_t got;
    RBV_TRY(take_bytes(&got, c, c->buffer + c->end, c->capacity - c->end - 1 - RBV_NUMBER_SLACK));
    if (got == 0) {
      c->at_end = true;
      c->open_end = c->end > 0;
      if (c->open_end) c->buffer[c->end++] = '\n';
      c->complete = c->end;
      break;
    }
    const char *last = memrchr(c->buffer + c->end, '\n', got);
    c->end += got;
    if (last) c->complete = (size_t)(last + 1 - c->buffer);
  }
  return RBV_OK;
}

/* ---- places ---- */

static size_t size_csv(const rows *r) {
  const csv *c = (const csv *)r;
  struct stat info;
  if (c->file < 0) return c->text_size;
  return fstat(c->file, &info) == 0 && info.st_size > 0 ? (size_t)info.st_size : 0;
}

static row_place tell_csv(const rows *r) {
  const csv *c = (const csv *)r;
  return (row_place){c->origin + c->begin, c->line, c->row};
}

static rbv_status seek_csv(rows *r, const row_place *place) {
  csv *c = (csv *)r;
  c->row = place->row;
  c->head.nmark = 0;
  c->stop = SIZE_MAX;
  return seek_byte(c, place->byte, place->line);
}

static rbv_status rewind_csv(csv *c) {
  return seek_csv(&c->head, &(row_place){c->first_byte, c->first_line, 0});
}

static rbv_status seek_stretch_csv(rows *r, size_t after, size_t last) {
  csv *c = (csv *)r;
  const bool starts = after <= c->first_byte;
  RBV_TRY(seek_csv(r, &(row_place){starts ? c->first_byte : after, 0, 0}));
  c->stop = last;
  if (starts) return RBV_OK;
  // skip the rest of a line that began before
  RBV_TRY(fill(c));
  const char *newline = memchr(c->buffer, '\n', c->complete);
  if (newline) c->begin = (size_t)(newline + 1 - c->buffer);
  return RBV_OK;
}

/* ---- form of the file ---- */

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
    if (c->begin == c->complete) RBV_TRY(fill(c));
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
      {"PAR1", 4,
       "a Parquet file; write it as CSV (Python: pandas.read_parquet(FILE).to_csv('log.csv'))"},
      {"#ROSBAG V", 9,
       "a bag of ROS 1; convert it to ROS 2 (pip install rosbags, rosbags-convert)"},
      {"ARROW1", 6, "an Arrow file; write it as CSV (Python: pandas.read_feather(FILE).to_csv)"},
      {"\x80\x04\x95", 3, "a Python pickle, which could run any program; save a CSV or npz file"},
      {"\x80\x05\x95", 3, "a Python pickle, which could run any program; save a CSV or npz file"},
      {"\x80\x03", 2, "a Python pickle, which could run any program; save a CSV or npz file"},
      {"\x80\x02", 2, "a Python pickle, which could run any program; save a CSV or npz file"},
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

/* Find delimiter, columns, names and the place of the first row from the first lines. */
static rbv_status find_form(csv *c) {
  RBV_TRY(seek_byte(c, 0, 1));
  RBV_TRY(fill(c));
  RBV_TRY(refuse_foreign(c));
  size_t place = 0;
  if (c->complete >= 3 && memcmp(c->buffer, "\xEF\xBB\xBF", 3) == 0) place = c->begin = 3;

  // skip comments and empty lines; the last comment may have the names
  char *comment = NULL;
  rbv_status status = RBV_OK;
  for (;;) {
    if (c->begin == c->complete) {
      status = fill(c);
      if (status == RBV_OK && c->complete == 0)
        status = rbv_fail(RBV_EINPUT, "%s: no rows: the file is empty", c->name);
      if (status != RBV_OK) goto done;
    }
    const char *line = c->buffer + c->begin;
    const char *newline = memchr(line, '\n', c->complete - c->begin);
    const char *p = line_skip_blanks(line, ' ');
    if (*p != '#' && !line_over(p)) break;
    rbv_free(comment);
    comment = NULL;
    if (*p == '#') {
      const size_t n = (size_t)(newline - p);
      comment = rbv_alloc(n + 1 + RBV_NUMBER_SLACK);
      if (!comment) {
        status = RBV_EMEM;
        goto done;
      }
      memcpy(comment, p + 1, n);  // with the newline
    }
    place += (size_t)(newline + 1 - line);
    c->begin += (size_t)(newline + 1 - line);
    c->line++;
  }

  // the first other line has names or numbers
  const char *line = c->buffer + c->begin;
  c->delimiter = line_delimiter(line);
  c->head.ncol = line_count(line, c->delimiter);
  c->first_line = c->line;
  if (c->head.ncol > MOST_COLUMNS) {
    status = rbv_fail(RBV_EINPUT, "%s:%td: %d columns; at most %d are read", c->name, c->line,
                      c->head.ncol, MOST_COLUMNS);
    goto done;
  }
  const char *first = line;  // of the rows, as far as the buffer has it
  const char *second = next_line(c, line, &c->first_line);
  const ptrdiff_t second_line = c->first_line;
  c->first_line = c->line;
  if (!line_is_numbers(line, c->delimiter, c->head.ncol) && !is_row(c, line, second)) {
    status = read_names(c, line, c->line);
    const char *newline = memchr(line, '\n', c->complete - c->begin);
    ptrdiff_t number = second_line;
    const char *third = second ? next_line(c, second, &number) : NULL;
    first = second;
    c->first_line++;
    if (status == RBV_OK && is_unit_row(c, second, third)) {
      status = read_units(c, second);
      newline = memchr(second, '\n', c->complete - (size_t)(second - c->buffer));
      c->first_line = second_line + 1;
      first = third;
    }
    place += (size_t)(newline + 1 - line);
    c->begin += (size_t)(newline + 1 - line);
  } else if (comment && line_count(comment, c->delimiter) == c->head.ncol &&
             !line_is_numbers(comment, c->delimiter, c->head.ncol)) {
    status = read_names(c, comment, c->line - 1);
  }
  if (status != RBV_OK) goto done;

  if (first) {
    ptrdiff_t number = c->line;
    for (const char *p = line; p < first;) {
      p = next_line(c, p, &number);
      if (!p) break;
    }
    status = find_text(c, first, number);
    if (status != RBV_OK) goto done;
  }

  // the decimal point is found in the rows
  c->first_byte = place;
  c->line = c->first_line;
  status = find_point(c);
  if (status == RBV_OK) status = rewind_csv(c);

done:
  rbv_free(comment);
  return status;
}

/* ---- rows ---- */

/* True for the last line of a file that does not end with a newline. */
static bool is_cut(const csv *c, const char *line) {
  const char *const end = c->buffer + c->end;
  return c->open_end && memchr(line, '\n', (size_t)(end - line)) == end - 1;
}

/* Report what is wrong with a line that could not be read. */
static rbv_status refuse_row(csv *c, const char *line) {
  // check the number of cells first: if it is wrong, other messages would mislead
  int n = line_count(line, c->delimiter);
  if (n == c->head.ncol - 1 && line_is_closed(line, c->delimiter) && !is_cut(c, line)) n++;
  const char *const newline = memchr(line, '\n', (size_t)(c->buffer + c->complete - line));
  if (n < c->head.ncol && is_cut(c, line))
    return rbv_fail(RBV_EINPUT,
                    "%s:%td:%td: the last line ends after %d of %d columns: the file is truncated",
                    c->name, c->line, newline - line + 1, n, c->head.ncol);
  if (n != c->head.ncol)
    return rbv_fail(RBV_EINPUT, "%s:%td: %d columns, but %s has %d", c->name, c->line, n,
                    c->head.names ? "the header" : "the first row", c->head.ncol);

  const char *p = line, *begin, *end;
  for (int j = 0; j < c->head.ncol; j++) {
    p = cell_next(&begin, &end, p, c->delimiter) + 1;
    double x;
    if (c->head.text && c->head.text[j].cell) continue;
    if (cell_value(&x, begin, end, c->point)) continue;
    char text[40], column[80];
    snprintf(column, sizeof column, c->head.names ? "column %d (%.40s)" : "column %d", j + 1,
             c->head.names ? c->head.names[j] : "");
    return rbv_fail(RBV_EINPUT, "%s:%td:%td: '%s' in %s is not a number%s", c->name, c->line,
                    begin - line + 1, cell_show(text, begin, end), column,
                    c->point == ',' && memchr(begin, '.', (size_t)(end - begin))
                        ? " (other cells of this file have a decimal comma)"
                        : "");
  }
  return rbv_fail(RBV_EINPUT, "%s:%td: the line cannot be read", c->name, c->line);
}

/* Count one more row that cannot be read; false: the rows are refused. */
static bool tolerates(csv *c) {
  c->unreadable++;
  return c->tolerant && (c->unreadable <= UNREADABLE_ROWS ||
                         (double)c->unreadable <= UNREADABLE_SHARE * (double)c->row);
}

static rbv_status mark_line(csv *c) {
  const line_mark *last = c->head.nmark ? &c->head.marks[c->head.nmark - 1] : NULL;
  if (last && c->line - last->line == c->row - last->row) return RBV_OK;
  if (c->head.nmark == c->mark_room) {
    const ptrdiff_t room = c->mark_room ? 2 * c->mark_room : 4;
    line_mark *more = rbv_realloc(c->head.marks, sizeof *more * (size_t)c->head.nmark,
                                  sizeof *more * (size_t)room);
    if (!more) return RBV_EMEM;
    c->head.marks = more;
    c->mark_room = room;
  }
  c->head.marks[c->head.nmark++] = (line_mark){c->row, c->line};
  return RBV_OK;
}

static rbv_status read_csv(ptrdiff_t *got, rows *r, double *out, ptrdiff_t most, ptrdiff_t ld) {
  csv *c = (csv *)r;
  ptrdiff_t n = 0;
  *got = 0;
  while (n < most && c->origin + c->begin <= c->stop) {
    if (c->begin == c->complete) {
      RBV_TRY(fill(c));
      if (c->complete == 0) break;
    }
    const char *const end = c->buffer + c->complete;
    const size_t ahead = c->stop - c->origin;
    const char *const limit = ahead < c->complete ? c->buffer + ahead + 1 : end;
    const char *line = c->buffer + c->begin;
    while (n < most && line < limit) {
      // skip comments and empty lines
      const char *p = line_skip_blanks(line, ' ');
      if (*p == '#' || line_over(p)) {
        line = (const char *)memchr(p, '\n', (size_t)(end - p)) + 1;
        c->line++;
        continue;
      }
      const char *next =
          line_read(out + n, ld, line, c->head.ncol, c->delimiter, c->point, c->head.text);
      if (!next || (next == c->buffer + c->end && is_cut(c, line) &&
                    line_count(line, c->delimiter) < c->head.ncol)) {
        const rbv_status status = refuse_row(c, line);
        if (!tolerates(c)) return status;
        for (int j = 0; j < c->head.ncol; j++) out[n + j * ld] = NAN;
        next = (const char *)memchr(line, '\n', (size_t)(end - line)) + 1;
      }
      RBV_TRY(mark_line(c));
      line = next;
      c->line++;
      c->row++;
      n++;
    }
    c->begin = (size_t)(line - c->buffer);
  }
  *got = n;
  return RBV_OK;
}

/* Upper bound of the number of rows: the number of lines. Goes back to the first row. */
static rbv_status bound(ptrdiff_t *most, csv *c) {
  RBV_TRY(rewind_csv(c));
  ptrdiff_t n = 0;
  for (;;) {
    RBV_TRY(fill(c));
    if (c->complete == 0) break;
    const char *p = c->buffer, *const limit = c->buffer + c->complete;
    for (; p < limit; n++) p = (const char *)memchr(p, '\n', (size_t)(limit - p)) + 1;
    c->begin = c->complete;
  }
  *most = n;
  return rewind_csv(c);
}

/* ---- opening ---- */

static void close_csv(rows *r) {
  csv *c = (csv *)r;
  if (c->file >= 0) close(c->file);
  names_free(c->head.names, c->head.ncol);
  names_free(c->head.units, c->head.ncol);
  text_free(c->head.text, c->head.ncol);
  rbv_free(c->head.marks);
  rbv_free(c->kept);
  rbv_free(c->buffer);
  rbv_free(c->name);
  rbv_free(c);
}

static rbv_status clone_csv(rows **out, const rows *r) {
  const csv *c = (const csv *)r;
  *out = NULL;
  csv *copy = rbv_alloc(sizeof *copy);
  if (!copy) return RBV_EMEM;
  copy->head.kind = c->head.kind;
  copy->file = -1;
  copy->text = c->text;  // text of a pipe is owned by the first reader
  copy->text_size = c->text_size;
  copy->delimiter = c->delimiter;
  copy->point = c->point;
  copy->head.ncol = c->head.ncol;
  copy->first_line = c->first_line;
  copy->first_byte = c->first_byte;
  copy->capacity = c->capacity;
  copy->name = rbv_strdup(c->name);
  copy->buffer = copy->name ? rbv_alloc(copy->capacity) : NULL;
  rbv_status status = copy->buffer ? RBV_OK : RBV_EMEM;
  if (status == RBV_OK && c->head.names)
    status = names_copy(&copy->head.names, c->head.names, c->head.ncol);
  if (status == RBV_OK && c->head.units)
    status = names_copy(&copy->head.units, c->head.units, c->head.ncol);
  if (status == RBV_OK && c->head.text)
    status = text_copy(&copy->head.text, c->head.text, c->head.ncol);
  if (status == RBV_OK && c->file >= 0 && (copy->file = open(c->name, O_RDONLY | O_CLOEXEC)) < 0)
    status = rbv_fail(RBV_EREAD, "%s: %s", c->name, strerror(errno));
  if (status == RBV_OK) status = rewind_csv(copy);
  if (status == RBV_OK)
    *out = &copy->head;
  else
    close_csv(&copy->head);
  return status;
}

static const rows_kind csv_kind = {.close = close_csv,
                                   .clone = clone_csv,
                                   .size = size_csv,
                                   .tell = tell_csv,
                                   .seek = seek_csv,
                                   .seek_stretch = seek_stretch_csv,
                                   .read = read_csv};

/* Wait for the first bytes of a stream, for a limited time: a pipe may have no writer. */
static rbv_status wait_stream(const csv *c) {
  struct pollfd p = {.fd = c->file, .events = POLLIN};
  int ready;
  do ready = poll(&p, 1, STREAM_WAIT_MS);
  while (ready < 0 && errno == EINTR);
  if (ready == 0)
    return rbv_fail(RBV_EREAD, "%s: nothing was written to this pipe for %d s", c->name,
                    STREAM_WAIT_MS / 1000);
  // from now on reading waits
  const int flags = fcntl(c->file, F_GETFL);
  if (flags >= 0) (void)fcntl(c->file, F_SETFL, flags & ~O_NONBLOCK);
  return RBV_OK;
}

/* Check the bytes of a stream so far: it ends some time, and it is text in lines. */
static rbv_status check_stream(const csv *c, size_t size, size_t line, bool binary) {
  if (binary)
    return rbv_fail(RBV_EINPUT, "%s: the stream contains zero bytes: it is not a text table",
                    c->name);
  if (line > LONGEST_LINE)
    return rbv_fail(RBV_EINPUT, "%s: a line has more than %zu MB: the stream is not a text table",
                    c->name, LONGEST_LINE >> 20);
  if (size > LONGEST_STREAM)
    return rbv_fail(RBV_EINPUT,
                    "%s: the stream has more than %zu MB: write it to a file, which can be read in "
                    "pieces",
                    c->name, LONGEST_STREAM >> 20);
  return RBV_OK;
}

/* Read a stream that cannot be read twice into memory. */
static rbv_status keep_stream(csv *c) {
  rbv_text all = {0};
  size_t got = 0, line = 0;
  rbv_status status = wait_stream(c);
  if (status == RBV_OK) do {
      status = take_bytes(&got, c, c->buffer, c->capacity);
      if (status != RBV_OK) break;
      rbv_text_add(&all, c->buffer, got);
      const char *last = memrchr(c->buffer, '\n', got);
      line = last ? (size_t)(c->buffer + got - last) : line + got;
      status = check_stream(c, all.size, line, memchr(c->buffer, 0, got));
    } while (status == RBV_OK && got > 0 && !all.failed);
  close(c->file);
  c->file = -1;
  c->text = c->kept = all.data;
  c->text_size = all.size;
  return status != RBV_OK ? status : all.failed ? RBV_EMEM : RBV_OK;
}

static rbv_status open_any(rows **out, const char *name, int file, const char *text, size_t size) {
  *out = NULL;
  csv *c = rbv_alloc(sizeof *c);
  if (!c) {
    if (file >= 0) close(file);
    return RBV_EMEM;
  }
  c->head.kind = &csv_kind;
  c->file = file;
  c->text = text;
  c->text_size = size;
  // a short text needs a small buffer: itself, its newline and the look-ahead
  const size_t need = size + 2 + RBV_NUMBER_SLACK;
  c->capacity = file < 0 && need < BUFFER_BYTES ? need : BUFFER_BYTES;
  c->name = rbv_strdup(name);
  c->buffer = c->name ? rbv_alloc(c->capacity) : NULL;
  rbv_status status = c->buffer ? rbv_number_prepare() : RBV_EMEM;
  struct stat info;
  if (status == RBV_OK && file >= 0 && fstat(file, &info) == 0) {
    if (S_ISDIR(info.st_mode))
      status = rbv_fail(RBV_EREAD, "%s: is a directory", name);
    else if (!S_ISREG(info.st_mode))
      status = keep_stream(c);
  }
  if (status == RBV_OK) status = find_form(c);
  if (status != RBV_OK) {
    close_csv(&c->head);
    return status;
  }
  *out = &c->head;
  return RBV_OK;
}

rbv_status csv_open(rows **out, const char *path, const wanted_columns *want) {
  (void)want;
  *out = NULL;
  // a pipe without a writer must not block here
  const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return rbv_fail(RBV_EREAD, "%s: %s", path, strerror(errno));
  return open_any(out, path, file, NULL, 0);
}

bool csv_recognises(const char *path, const char *head, size_t size) {
  (void)path;
  (void)head;
  (void)size;
  return true;
}

rbv_status csv_bytes(size_t *out, const char *path) {
  struct stat info;
  if (stat(path, &info) != 0) return rbv_fail(RBV_EREAD, "%s: %s", path, strerror(errno));
  if (S_ISREG(info.st_mode) && info.st_size > 0) *out = (size_t)info.st_size;
  return RBV_OK;
}

/* ---- tables ---- */

bool name_ends_with(const char *path, const char *ending) {
  const size_t n = strlen(path), m = strlen(ending);
  return n >= m && strcasecmp(path + n - m, ending) == 0;
}

ptrdiff_t table_stride(ptrdiff_t count) {
  const ptrdiff_t line = 8, page = 512;
  const ptrdiff_t ld = (count + line - 1) / line * line;
  return ld % page == 0 ? ld + line : ld;
}

void names_free(char **names, int n) {
  for (int j = 0; names && j < n; j++) rbv_free(names[j]);
  rbv_free(names);
}

rbv_status names_copy(char ***out, char *const *names, int n) {
  *out = rbv_alloc(sizeof **out * (size_t)n);
  for (int j = 0; *out && j < n; j++)
    if (!((*out)[j] = rbv_strdup(names[j]))) {
      names_free(*out, j);
      *out = NULL;
    }
  return *out ? RBV_OK : RBV_EMEM;
}

void text_free(text_column *text, int n) {
  for (int j = 0; text && j < n; j++) rbv_free(text[j].cell);
  rbv_free(text);
}

rbv_status text_copy(text_column **out, const text_column *text, int n) {
  *out = rbv_alloc(sizeof **out * (size_t)n);
  for (int j = 0; *out && j < n; j++) {
    (*out)[j] = text[j];
    if (!text[j].cell || ((*out)[j].cell = rbv_strdup(text[j].cell))) continue;
    text_free(*out, j);
    *out = NULL;
  }
  return *out ? RBV_OK : RBV_EMEM;
}

rbv_status refuse_text(const table *t, const char *file, int column) {
  const text_column *c = &t->text[column];
  char text[40], where[80];
  snprintf(where, sizeof where, t->names ? "column %d (%.40s)" : "column %d", column + 1,
           t->names ? t->names[column] : "");
  return rbv_fail(RBV_EINPUT, "%s:%td:%td: '%s' in %s is not a number", file, c->line, c->place,
                  cell_show(text, c->cell, c->cell + strlen(c->cell)), where);
}

/* a name with its place, for sorting */
typedef struct {
  const char *name;
  int at;
} place_of_name;

static int by_name(const void *a, const void *b) {
  const place_of_name *x = a, *y = b;
  const int order = strcmp(x->name, y->name);
  return order ? order : x->at - y->at;
}

rbv_status names_find_twice(int *first, int *second, char *const *names, int n) {
  *first = *second = -1;
  place_of_name *sorted = rbv_alloc(sizeof *sorted * (size_t)n);
  if (!sorted) return RBV_EMEM;
  for (int j = 0; j < n; j++) sorted[j] = (place_of_name){names[j], j};
  qsort(sorted, (size_t)n, sizeof *sorted, by_name);
  for (int j = 1; j < n; j++)
    if (strcmp(sorted[j - 1].name, sorted[j].name) == 0 &&
        (*second < 0 || sorted[j].at < *second)) {
      *first = sorted[j - 1].at;
      *second = sorted[j].at;
    }
  rbv_free(sorted);
  return RBV_OK;
}

void table_free(table *t) {
  names_free(t->names, t->ncol);
  names_free(t->units, t->ncol);
  text_free(t->text, t->ncol);
  rbv_free(t->values);
  rbv_free(t->marks);
  *t = (table){0};
}

/* Read all rows. Names and marks of the reader become those of the table. */
static rbv_status read_table(table *t, csv *c) {
  c->tolerant = t->tolerant;
  *t = (table){.ncol = c->head.ncol};
  ptrdiff_t most;
  RBV_TRY(bound(&most, c));
  t->ld = table_stride(most);
  size_t bytes;
  if (__builtin_mul_overflow(sizeof(double) * (size_t)t->ld, (size_t)c->head.ncol, &bytes))
    bytes = SIZE_MAX / 2;
  t->values = rbv_alloc(bytes);
  if (!t->values) return RBV_EMEM;
  rbv_status status = read_csv(&t->rows, &c->head, t->values, most, t->ld);
  if (status == RBV_OK && t->rows == 0)
    status = rbv_fail(RBV_EINPUT, "%s: no rows: nothing follows the header", c->name);
  if (status != RBV_OK) {
    table_free(t);
    return status;
  }

  t->names = c->head.names;
  t->units = c->head.units;
  t->text = c->head.text;
  c->head.names = c->head.units = NULL;
  c->head.text = NULL;
  t->marks = c->head.marks;
  t->nmark = c->head.nmark;
  c->head.marks = NULL;
  c->head.nmark = c->mark_room = 0;
  return RBV_OK;
}

rbv_status csv_table(table *t, const char *path, const wanted_columns *want) {
  rows *r;
  RBV_TRY(csv_open(&r, path, want));
  const rbv_status status = read_table(t, (csv *)r);
  close_csv(r);
  return status;
}

rbv_status csv_table_text(table *t, const char *name, const char *text, size_t size) {
  rows *r;
  RBV_TRY(open_any(&r, name, -1, text, size));
  const rbv_status status = read_table(t, (csv *)r);
  close_csv(r);
  return status;
}
