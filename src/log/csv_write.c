#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <roberval/sys/document.h>

#include "base/support.h"
#include "log/log_internal.h"
#include "log/numbers.h"

#define BUFFER_BYTES 65536

struct rbv_csv_writer {
  char *path;  // NULL: stream
  FILE *stream;
  rbv_text text;  // file: the whole content
  char *buffer;   // stream: bytes not written yet
  size_t used, room;
  int ncol;
};

static rbv_status hand_over(rbv_csv_writer *w) {
  if (w->path) {
    rbv_text_add(&w->text, w->buffer, w->used);
    if (w->text.failed) return RBV_EMEM;
  } else if (fwrite(w->buffer, 1, w->used, w->stream) != w->used) {
    return rbv_fail(RBV_EWRITE, "the table cannot be written: %s", strerror(errno));
  }
  w->used = 0;
  return RBV_OK;
}

static rbv_status put(rbv_csv_writer *w, const char *text, size_t n) {
  while (n > 0) {
    if (w->used == w->room) RBV_TRY(hand_over(w));
    const size_t part = n < w->room - w->used ? n : w->room - w->used;
    memcpy(w->buffer + w->used, text, part);
    w->used += part;
    text += part;
    n -= part;
  }
  return RBV_OK;
}

static rbv_status write_header(rbv_csv_writer *w, const char *const *names) {
  rbv_text line = {0};
  rbv_status status = RBV_OK;
  for (int j = 0; j < w->ncol && status == RBV_OK; j++) {
    if (!names[j] || !*names[j]) status = rbv_fail(RBV_EARG, "column %d has no name", j + 1);
    if (j > 0) rbv_text_put(&line, ",");
    if (status == RBV_OK) rbv_text_csv(&line, names[j]);
  }
  rbv_text_put(&line, "\n");
  if (status == RBV_OK) status = line.failed ? RBV_EMEM : put(w, line.data, line.size);
  rbv_text_free(&line);
  return status;
}

void rbv_csv_put_text(FILE *stream, const char *text) {
  rbv_text field = {0};
  rbv_text_csv(&field, text);
  if (!field.failed) fputs(rbv_text_string(&field), stream);
  rbv_text_free(&field);
}

static rbv_status open_writer(rbv_csv_writer **out, const char *path, FILE *stream,
                              const char *const *names, int ncol) {
  *out = NULL;
  if (!names || ncol < 1) return rbv_fail(RBV_EARG, "a table needs columns, not %d", ncol);
  RBV_NEW(rbv_csv_writer, w, 1);
  w->stream = stream;
  w->ncol = ncol;
  w->room = BUFFER_BYTES;
  w->buffer = rbv_alloc(w->room);
  w->path = path ? rbv_strdup(path) : NULL;
  rbv_status status = !w->buffer || (path && !w->path) ? RBV_EMEM : rbv_number_prepare();
  if (status == RBV_OK) status = write_header(w, names);
  if (status != RBV_OK) {
    rbv_csv_free(w);
    return status;
  }
  *out = w;
  return RBV_OK;
}

rbv_status rbv_csv_create(rbv_csv_writer **out, const char *path, const char *const *names,
                          int ncol) {
  if (!out) return rbv_fail(RBV_EARG, "no place for the writer");
  *out = NULL;
  if (!path) return rbv_fail(RBV_EARG, "no file");
  return open_writer(out, path, NULL, names, ncol);
}

rbv_status rbv_csv_stream(rbv_csv_writer **out, FILE *stream, const char *const *names, int ncol) {
  if (!out) return rbv_fail(RBV_EARG, "no place for the writer");
  *out = NULL;
  if (!stream) return rbv_fail(RBV_EARG, "no stream");
  return open_writer(out, NULL, stream, names, ncol);
}

rbv_status rbv_csv_remark(rbv_csv_writer *w, const char *text) {
  if (!w || !text || strpbrk(text, "\r\n"))
    return rbv_fail(RBV_EARG, "no writer, or a remark with line breaks");
  RBV_TRY(put(w, LOG_REMARK, strlen(LOG_REMARK)));
  RBV_TRY(put(w, text, strlen(text)));
  return put(w, "\n", 1);
}

rbv_status rbv_csv_rows(rbv_csv_writer *w, const double *A, ptrdiff_t nrow, ptrdiff_t ld) {
  if (!w || (!A && nrow > 0)) return rbv_fail(RBV_EARG, "no writer or no values");
  if (nrow < 0 || ld < nrow) return rbv_fail(RBV_EDIM, "%td rows, leading dimension %td", nrow, ld);
  for (ptrdiff_t i = 0; i < nrow; i++)
    for (int j = 0; j < w->ncol; j++) {
      // a number and its delimiter always fit into the rest of the buffer
      if (w->room - w->used < RBV_NUMBER_TEXT + 1) RBV_TRY(hand_over(w));
      char *to = w->buffer + w->used;
      const int n = rbv_number_format(to, A[i + j * ld]);
      to[n] = j < w->ncol - 1 ? ',' : '\n';
      w->used += (size_t)n + 1;
    }
  return RBV_OK;
}

rbv_status rbv_csv_finish(rbv_csv_writer *w) {
  if (!w) return rbv_fail(RBV_EARG, "no writer");
  RBV_TRY(hand_over(w));
  if (w->path) return rbv_file_write(w->path, w->text.data, w->text.size);
  if (fflush(w->stream) != 0 || ferror(w->stream))
    return rbv_fail(RBV_EWRITE, "the table cannot be written: %s", strerror(errno));
  return RBV_OK;
}

void rbv_csv_free(rbv_csv_writer *w) {
  if (!w) return;
  rbv_text_free(&w->text);
  RBV_FREE_ALL(w->buffer, w->path, w);
}

rbv_status rbv_log_save(const rbv_log *log, const char *path) {
  if (!log) return rbv_fail(RBV_EARG, "no log");
  rbv_csv_writer *w = NULL;
  double *row = rbv_alloc(sizeof *row * (size_t)log->ncolumn);
  const char **names = rbv_alloc(sizeof *names * (size_t)log->ncolumn);
  rbv_status status = row && names ? RBV_OK : RBV_EMEM;
  if (status == RBV_OK) {
    for (int j = 0; j < log->ncolumn; j++) names[j] = log->columns[j].name;
    status = rbv_csv_create(&w, path, names, log->ncolumn);
  }
  // the columns are separate arrays: copy them into a block of rows
  for (ptrdiff_t k = 0; k < log->samples && status == RBV_OK; k++) {
    for (int j = 0; j < log->ncolumn; j++) row[j] = log->columns[j].values[k];
    status = rbv_csv_rows(w, row, 1, 1);
  }
  if (status == RBV_OK) status = rbv_csv_finish(w);
  rbv_csv_free(w);
  rbv_free(names);
  rbv_free(row);
  return status;
}
