/*
 * Traces: signals of the joints on one clock, written as CSV, as arrays of NumPy, or as a bag of
 * joint states in MCAP.
 */
#include <stdio.h>
#include <string.h>

#include <roberval/sys/log.h>
#include <roberval/sys/storage.h>

#include "base/support.h"
#include "log/table.h"
#include "log/trace_write.h"
#include "log/unpack.h"

/* ---- CSV: t, joint/signal ... ---- */

static rbv_status write_csv(const char *path, const rbv_trace *tr) {
  const int ncol = 1 + tr->nsignal * tr->njoint;
  char **names = rbv_alloc(sizeof *names * (size_t)ncol);
  double *row = rbv_alloc(sizeof *row * (size_t)ncol);
  rbv_csv_writer *w = NULL;
  rbv_status status = names && row ? RBV_OK : RBV_EMEM;
  for (int c = 0; c < ncol && status == RBV_OK; c++) {
    rbv_text text = {0};
    const int joint = (c - 1) / tr->nsignal, signal = (c - 1) % tr->nsignal;
    if (c == 0)
      rbv_text_put(&text, "t");
    else
      rbv_text_print(&text, "%s/%s", tr->joints[joint], tr->signals[signal].name);
    names[c] = text.data;
    if (text.failed) status = RBV_EMEM;
  }
  if (status == RBV_OK) status = rbv_csv_create(&w, path, (const char *const *)names, ncol);
  for (ptrdiff_t k = 0; k < tr->rows && status == RBV_OK; k++) {
    row[0] = tr->t[k];
    for (int c = 1; c < ncol; c++)
      row[c] = tr->signals[(c - 1) % tr->nsignal]
                   .values[k + (ptrdiff_t)((c - 1) / tr->nsignal) * tr->rows];
    status = rbv_csv_rows(w, row, 1, 1);
  }
  if (status == RBV_OK) status = rbv_csv_finish(w);
  rbv_csv_free(w);
  names_free(names, ncol);
  rbv_free(row);
  return status;
}

/* ---- NumPy: a ZIP archive without compression ---- */

typedef struct {
  rbv_text file, directory;
  int count;
} archive;

static void add_file(archive *z, const char *name, const rbv_text *data) {
  const uint32_t crc = crc32_of((const uint8_t *)data->data, data->size);
  const size_t at = z->file.size, n = strlen(name);
  // version 2.0, no flags, stored, 1980-01-01
  static const char fixed[] = "\x14\0\0\0\0\0\0\0\x21\0";
  for (int i = 0; i < 2; i++) {
    rbv_text *out = i == 0 ? &z->file : &z->directory;
    rbv_text_add(out, i == 0 ? "PK\x03\x04" : "PK\x01\x02\x14\0", i == 0 ? 4 : 6);
    rbv_text_add(out, fixed, 10);
    put_little(out, crc, 4);
    put_little(out, data->size, 4);
    put_little(out, data->size, 4);
    put_little(out, n, 2);
    put_little(out, 0, 2);
    if (i == 1) {
      put_little(out, 0, 10);
      put_little(out, at, 4);
    }
    rbv_text_add(out, name, n);
  }
  rbv_text_add(&z->file, data->data, data->size);
  z->count++;
}

/* The header of an array, padded so that the numbers begin at a multiple of 64. */
static void start_array(rbv_text *out, const char *type, const char *shape) {
  rbv_text text = {0};
  rbv_text_print(&text, "{'descr': '%s', 'fortran_order': True, 'shape': (%s), }", type, shape);
  while ((text.size + 11) % 64) rbv_text_put(&text, " ");
  rbv_text_put(&text, "\n");
  rbv_text_add(out, "\x93NUMPY\x01\0", 8);
  put_little(out, text.size, 2);
  if (text.data) rbv_text_add(out, text.data, text.size);
  if (text.failed) out->failed = true;
  rbv_text_free(&text);
}

/* Names of the joints as an array of text (UTF-32). */
static void put_names(rbv_text *out, const rbv_trace *tr) {
  size_t longest = 1;
  for (int j = 0; j < tr->njoint; j++)
    if (strlen(tr->joints[j]) > longest) longest = strlen(tr->joints[j]);
  char type[32], shape[32];
  snprintf(type, sizeof type, "<U%zu", longest);
  snprintf(shape, sizeof shape, "%d,", tr->njoint);
  start_array(out, type, shape);
  for (int j = 0; j < tr->njoint; j++)
    for (size_t k = 0; k < longest; k++)
      put_little(out, k < strlen(tr->joints[j]) ? (unsigned char)tr->joints[j][k] : 0, 4);
}

static rbv_status write_npz(const char *path, const rbv_trace *tr) {
  archive z = {0};
  rbv_text data = {0};
  for (int i = -2; i < tr->nsignal; i++) {
    char shape[64], name[100];
    data.size = 0;
    if (i == -2) {
      put_names(&data, tr);
    } else {
      const int columns = i < 0 ? 1 : tr->njoint;
      const double *x = i < 0 ? tr->t : tr->signals[i].values;
      snprintf(shape, sizeof shape, i < 0 ? "%td," : "%td, %d", tr->rows, columns);
      start_array(&data, "<f8", shape);
      for (ptrdiff_t k = 0; k < tr->rows * columns; k++) put_double(&data, x[k]);
    }
    snprintf(name, sizeof name, "%.80s.npy",
             i == -2 ? "joints"
             : i < 0 ? "t"
                     : tr->signals[i].name);
    if (!data.failed) add_file(&z, name, &data);
  }
  const size_t at = z.file.size;
  if (z.directory.data) rbv_text_add(&z.file, z.directory.data, z.directory.size);
  rbv_text_add(&z.file, "PK\x05\x06\0\0\0\0", 8);
  put_little(&z.file, (uint64_t)z.count, 2);
  put_little(&z.file, (uint64_t)z.count, 2);
  put_little(&z.file, z.directory.size, 4);
  put_little(&z.file, at, 4);
  put_little(&z.file, 0, 2);
  rbv_status status = RBV_OK;
  if (data.failed || z.file.failed || z.directory.failed)
    status = RBV_EMEM;
  else if (z.file.size > UINT32_MAX)
    status = rbv_fail(RBV_EWRITE, "%s: the arrays have more than 4 GB: write CSV or MCAP", path);
  else
    status = rbv_file_write(path, z.file.data, z.file.size);
  rbv_text_free(&data);
  rbv_text_free(&z.file);
  rbv_text_free(&z.directory);
  return status;
}

/* ---- formats ---- */

static const struct {
  const char *ending;
  rbv_status (*write)(const char *path, const rbv_trace *trace);
} writers[] = {{".csv", write_csv}, {".npz", write_npz}, {".mcap", trace_write_mcap}};

bool rbv_trace_known(const char *path) {
  for (int i = 0; i < RBV_COUNT(writers); i++)
    if (name_ends_with(path, writers[i].ending)) return true;
  return false;
}

rbv_status rbv_trace_write(const char *path, const rbv_trace *trace) {
  if (!path || !trace || trace->njoint < 1 || trace->rows < 1)
    return rbv_fail(RBV_EARG, "no file, or no trace");
  for (int i = 0; i < RBV_COUNT(writers); i++)
    if (name_ends_with(path, writers[i].ending)) return writers[i].write(path, trace);
  return rbv_fail(RBV_EOPTION, "a trace is a file .csv, .npz or .mcap, not '%s'", path);
}
