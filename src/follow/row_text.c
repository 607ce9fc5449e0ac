/*
 * Rows of a stream of CSV text. Complete lines are parsed together with the header by the reader of
 * recordings, so that names, units, column maps and decimal commas mean the same. If lines cannot
 * be read, they are parsed one by one to find the bad ones.
 */
#include <ctype.h>
#include <string.h>

#include "base/support.h"
#include "follow/follow_internal.h"
#include "prepare/prepare.h"

#define LONGEST (1 << 20)  // bytes of a line, and of all that is before the first row

struct rbv_row_text {
  const rbv_model *model;
  const rbv_log_map *map;
  char *name;
  rbv_differentiate_options how;
  rbv_text head;  // comments and header, or the first row
  bool has_head;
  int head_lines;  // -1: until the first line that is no comment
  int repeated;    // rows of the head
  rbv_text rest;   // the line in progress, and lines that were not parsed yet
  long long line;  // lines before `rest`
};

rbv_status rbv_row_text_new(rbv_row_text **out, const char *name, const rbv_model *model,
                            const rbv_log_map *map, int head_lines, const double *gains) {
  *out = NULL;
  RBV_NEW(rbv_row_text, r, 1);
  *r = (rbv_row_text){
      .model = model, .map = map, .name = rbv_strdup(name), .head_lines = head_lines};
  r->how = rbv_differentiate_defaults();
  r->how.gains = gains;
  if (!r->name) {
    rbv_free(r);
    return RBV_EMEM;
  }
  *out = r;
  return RBV_OK;
}

void rbv_row_text_free(rbv_row_text *r) {
  if (!r) return;
  rbv_free(r->name);
  rbv_text_free(&r->head);
  rbv_text_free(&r->rest);
  rbv_free(r);
}

/* ---- lines ---- */

static size_t line_length(const char *from, const char *end) {
  const char *stop = memchr(from, '\n', (size_t)(end - from));
  return stop ? (size_t)(stop - from) + 1 : 0;
}

static bool is_blank(const char *s, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (!isspace((unsigned char)s[i])) return false;
  return true;
}

/* a header names columns: its first character that is no blank or quote is a letter */
static bool is_header(const char *s, size_t n) {
  for (size_t i = 0; i < n; i++) {
    const unsigned char c = (unsigned char)s[i];
    if (isspace(c) || c == '"' || c == '\'') continue;
    return isalpha(c) || c == '/' || c == '_' || c >= 128;
  }
  return false;
}

/* take comments and the header from the start of the text; returns the bytes taken */
static size_t take_head(rbv_row_text *r, const char *from, const char *end) {
  const char *at = from;
  for (size_t n; !r->has_head && (n = line_length(at, end)) > 0; at += n) {
    if (r->head_lines >= 0 && r->line == r->head_lines) {
      // lines without a header are read behind the first one, which shows their form
      r->has_head = true;
      r->repeated = r->head_lines == 0;
      if (r->repeated) rbv_text_add(&r->head, at, n);
      break;
    }
    if (r->head_lines < 0 && !is_blank(at, n) && *at != '#') {
      r->has_head = true;
      if (!is_header(at, n)) break;
    }
    rbv_text_add(&r->head, at, n);
    r->line++;
  }
  return (size_t)(at - from);
}

/* ---- parsing ---- */

static rbv_status parse(rbv_signals *out, const rbv_row_text *r, const char *lines, size_t size) {
  rbv_text text = {0};
  rbv_log *log = NULL;
  rbv_text_add(&text, rbv_text_string(&r->head), r->head.size);
  rbv_text_add(&text, lines, size);
  rbv_status status = text.failed ? RBV_EMEM : RBV_OK;
  if (status == RBV_OK) status = rbv_log_parse(&log, r->name, text.data, text.size, r->map);
  if (status == RBV_OK) status = rbv_signals_from_log(out, r->model, log, &r->how);
  rbv_log_free(log);
  rbv_text_free(&text);
  return status;
}

static rbv_status hand_over(const rbv_signals *s, const rbv_row_text *r, long long line,
                            rbv_row_sink *sink, void *self) {
  const int n = r->model->njoint, nrow = r->model->nrow;
  RBV_NEW(double, row, n + nrow);
  rbv_status status = RBV_OK;
  for (ptrdiff_t k = r->repeated; k < s->count && status == RBV_OK; k++) {
    for (int j = 0; j < n; j++) row[j] = s->q[k + j * s->count];
    for (int i = 0; i < nrow; i++) row[n + i] = s->torque[k + i * s->count];
    status = sink(self, line + k + 1 - r->repeated, NULL, s->t[k], row, row + n);
  }
  rbv_free(row);
  return status;
}

/* these lines, or each of them if they cannot be read together */
static rbv_status read_lines(rbv_row_text *r, const char *from, size_t size, long long count,
                             rbv_row_sink *sink, void *self) {
  rbv_signals s;
  rbv_status status = parse(&s, r, from, size);
  if (status == RBV_OK && s.count != count + r->repeated) {  // blank lines, comments
    rbv_signals_free(&s);
    status = RBV_EINPUT;
  }
  if (status == RBV_OK) {
    status = hand_over(&s, r, r->line, sink, self);
    rbv_signals_free(&s);
    r->line += count;
    return status;
  }
  if (status == RBV_EMEM) return status;
  if (count == 1) {
    r->line++;
    if (is_blank(from, size) || *from == '#') return RBV_OK;
    return sink(self, r->line, rbv_message(), 0, NULL, NULL);
  }
  for (size_t n; size > 0; from += n, size -= n) {
    n = line_length(from, from + size);
    RBV_TRY(read_lines(r, from, n, 1, sink, self));
  }
  return RBV_OK;
}

#define TOGETHER 256  // lines

rbv_status rbv_row_text_add(rbv_row_text *r, const char *bytes, size_t size, rbv_row_sink *sink,
                            void *self) {
  rbv_text_add(&r->rest, bytes, size);
  if (r->rest.failed) return RBV_EMEM;
  if (!r->rest.data) return RBV_OK;
  const char *at = r->rest.data, *end = at + r->rest.size;
  if (!r->has_head) at += take_head(r, at, end);
  rbv_status status = RBV_OK;
  while (status == RBV_OK && r->has_head) {
    size_t n = 0, one;
    long long count = 0;
    while (count < TOGETHER && (one = line_length(at + n, end)) > 0) {
      n += one;
      count++;
    }
    if (count == 0) break;
    status = read_lines(r, at, n, count, sink, self);
    at += n;
  }
  // keep the line in progress
  const size_t left = (size_t)(end - at);
  if (status == RBV_OK && (left > LONGEST || r->head.size > LONGEST))
    status = rbv_fail(RBV_EINPUT, "%s:%lld: more than %d bytes without %s: this is not CSV text",
                      r->name, r->line + 1, LONGEST, left > LONGEST ? "a line end" : "a row");
  memmove(r->rest.data, at, left);
  r->rest.size = left;
  r->rest.data[left] = 0;
  return status;
}

rbv_status rbv_row_text_end(rbv_row_text *r, rbv_row_sink *sink, void *self) {
  return r->rest.size > 0 ? rbv_row_text_add(r, "\n", 1, sink, self) : RBV_OK;
}
