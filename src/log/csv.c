// memrchr
#define _GNU_SOURCE

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/support.h"
#include "log/cells.h"
#include "log/csv_reader.h"
#include "log/numbers.h"

#define BUFFER_BYTES ((size_t)1 << 20)
#define LONGEST_LINE ((size_t)64 << 20)
#define LONGEST_STREAM ((size_t)256 << 20)
#define STREAM_WAIT_MS 20000   // for the first bytes of a pipe
#define UNREADABLE_ROWS 20     // rows that a tolerant reader replaces by NaN,
#define UNREADABLE_SHARE 0.02  // or this share of all; more of them are another kind of file

/* ---- bytes ---- */

static rbv_status take_bytes(size_t *got, csv *c, char *to, size_t room) {
  if (c->file < 0) {
    // a header without a newline may give a place behind the end
    const size_t left = c->taken < c->text_size ? c->text_size - c->taken : 0;
    *got = left < room ? left : room;
    if (*got > 0) memcpy(to, c->text + c->taken, *got);
  } else {
    // readers share the descriptor of a file, each with its own place
    ssize_t n;
    do n = pread(c->file, to, room, (off_t)c->taken);
    while (n < 0 && errno == EINTR);
    if (n < 0) return rbv_fail(RBV_EREAD, "%s: %s", c->name, strerror(errno));
    *got = (size_t)n;
  }
  c->taken += *got;
  return RBV_OK;
}

void csv_seek_byte(csv *c, size_t place, ptrdiff_t line) {
  c->taken = place;
  c->begin = c->complete = c->end = 0;
  c->origin = place;
  c->at_end = c->open_end = false;
  c->line = line;
}

rbv_status csv_fill(csv *c) {
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
    size_t got = 0;
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
  csv_seek_byte(c, place->byte, place->line);
  return RBV_OK;
}

void csv_rewind(csv *c) { (void)seek_csv(&c->head, &(row_place){c->first_byte, c->first_line, 0}); }

static rbv_status seek_stretch_csv(rows *r, size_t after, size_t last) {
  csv *c = (csv *)r;
  const bool starts = after <= c->first_byte;
  RBV_TRY(seek_csv(r, &(row_place){starts ? c->first_byte : after, 0, 0}));
  c->stop = last;
  if (starts) return RBV_OK;
  // skip the rest of a line that began before
  RBV_TRY(csv_fill(c));
  const char *newline = memchr(c->buffer, '\n', c->complete);
  if (newline) c->begin = (size_t)(newline + 1 - c->buffer);
  return RBV_OK;
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
      RBV_TRY(csv_fill(c));
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
  csv_rewind(c);
  ptrdiff_t n = 0;
  for (;;) {
    RBV_TRY(csv_fill(c));
    if (c->complete == 0) break;
    const char *p = c->buffer, *const limit = c->buffer + c->complete;
    for (; p < limit; n++) p = (const char *)memchr(p, '\n', (size_t)(limit - p)) + 1;
    c->begin = c->complete;
  }
  *most = n;
  csv_rewind(c);
  return RBV_OK;
}

/* ---- opening ---- */

static void close_csv(rows *r) {
  csv *c = (csv *)r;
  if (c->file >= 0 && !c->clone) close(c->file);
  names_free(c->head.names, c->head.ncol);
  names_free(c->head.units, c->head.ncol);
  text_free(c->head.text, c->head.ncol);
  RBV_FREE_ALL(c->head.marks, c->kept, c->buffer, c->name, c);
}

static rbv_status clone_csv(rows **out, const rows *r) {
  const csv *c = (const csv *)r;
  *out = NULL;
  RBV_NEW(csv, copy, 1);
  copy->head.kind = c->head.kind;
  copy->file = c->file;
  copy->clone = true;
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
  if (status != RBV_OK) {
    close_csv(&copy->head);
    return status;
  }
  csv_rewind(copy);
  *out = &copy->head;
  return RBV_OK;
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

static rbv_status take_stream(size_t *got, csv *c) {
  ssize_t n;
  do n = read(c->file, c->buffer, c->capacity);
  while (n < 0 && errno == EINTR);
  if (n < 0) return rbv_fail(RBV_EREAD, "%s: %s", c->name, strerror(errno));
  *got = (size_t)n;
  return RBV_OK;
}

/* Read a stream that cannot be read twice into memory. */
static rbv_status keep_stream(csv *c) {
  rbv_text all = {0};
  size_t got = 0, line = 0;
  rbv_status status = wait_stream(c);
  if (status == RBV_OK) do {
      status = take_stream(&got, c);
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
  // a short text or file needs a small buffer: itself, its newline and the look-ahead
  struct stat info;
  const bool known = file >= 0 && fstat(file, &info) == 0;
  const bool regular = known && S_ISREG(info.st_mode) && info.st_size < (off_t)BUFFER_BYTES;
  const size_t need = (regular ? (size_t)info.st_size : size) + 2 + RBV_NUMBER_SLACK;
  c->capacity = (file < 0 || regular) && need < BUFFER_BYTES ? need : BUFFER_BYTES;
  c->name = rbv_strdup(name);
  c->buffer = c->name ? rbv_alloc(c->capacity) : NULL;
  rbv_status status = c->buffer ? rbv_number_prepare() : RBV_EMEM;
  if (status == RBV_OK && known) {
    if (S_ISDIR(info.st_mode))
      status = rbv_fail(RBV_EREAD, "%s: is a folder without files of a bag (.mcap, .db3)", name);
    else if (!S_ISREG(info.st_mode))
      status = keep_stream(c);
  }
  if (status == RBV_OK) status = csv_find_form(c);
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

rbv_status csv_open_file(rows **out, const char *name, int file) {
  return open_any(out, name, file, NULL, 0);
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
  const rbv_status turned = table_turn(t);
  if (turned != RBV_OK) table_free(t);
  return turned;
}

/* The reader is closed. */
static rbv_status read_and_close(table *t, rows *r) {
  RBV_FINISH(read_table(t, (csv *)r), close_csv(r));
}

rbv_status csv_table(table *t, const char *path, const wanted_columns *want) {
  rows *r;
  RBV_TRY(csv_open(&r, path, want));
  return read_and_close(t, r);
}

rbv_status csv_table_file(table *t, const char *name, int file) {
  rows *r;
  RBV_TRY(csv_open_file(&r, name, file));
  return read_and_close(t, r);
}

rbv_status csv_open_text(rows **out, const char *name, const char *text, size_t size) {
  return open_any(out, name, -1, text, size);
}

rbv_status csv_table_text(table *t, const char *name, const char *text, size_t size) {
  rows *r;
  RBV_TRY(csv_open_text(&r, name, text, size));
  return read_and_close(t, r);
}
