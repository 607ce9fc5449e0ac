#include <math.h>
#include <roberval/sys/storage.h>
#include <stdio.h>

#include "log/trace_write.h"

#define CHUNK ((size_t)1 << 20)  // bytes of messages

static void put_string(rbv_text *out, const char *s, size_t n) {
  put_little(out, n, 4);
  rbv_text_add(out, s, n);
}

static void put_text(rbv_text *out, const rbv_text *text) {
  if (text->size > 0) rbv_text_add(out, text->data, text->size);
  if (text->failed) out->failed = true;
}

#define LINE "================================================================================\n"
static const char definition[] =
    "std_msgs/Header header\nstring[] name\nfloat64[] position\nfloat64[] velocity\n"
    "float64[] effort\n" LINE
    "MSG: std_msgs/Header\nbuiltin_interfaces/Time stamp\nstring frame_id\n" LINE
    "MSG: builtin_interfaces/Time\nint32 sec\nuint32 nanosec\n";

/* A record whose content has been written to body, which becomes empty. */
static void put_record(rbv_text *out, int code, rbv_text *body) {
  put_little(out, (uint64_t)code, 1);
  put_little(out, body->size, 8);
  if (body->data) rbv_text_add(out, body->data, body->size);
  body->size = 0;
}

/* Alignment counts from the end of the encapsulation, 4 bytes behind start. */
static void align(rbv_text *out, size_t start, size_t width) {
  while ((out->size - start - 4) % width) put_little(out, 0, 1);
}

static void put_numbers(rbv_text *out, size_t start, const rbv_trace *tr, const double *x,
                        ptrdiff_t row) {
  align(out, start, 4);
  put_little(out, x ? (uint64_t)tr->njoint : 0, 4);
  if (!x) return;
  align(out, start, 8);
  for (int j = 0; j < tr->njoint; j++) put_double(out, x[row + j * tr->rows]);
}

static const double *signal_named(const rbv_trace *tr, const char *name) {
  for (int i = 0; i < tr->nsignal; i++)
    if (strcmp(tr->signals[i].name, name) == 0) return tr->signals[i].values;
  return NULL;
}

static void put_state(rbv_text *out, const rbv_trace *tr, int64_t ns, ptrdiff_t row,
                      const double *effort) {
  const size_t start = out->size;
  rbv_text_add(out, "\0\1\0\0", 4);
  put_little(out, (uint64_t)(ns / 1000000000), 4);
  put_little(out, (uint64_t)(ns % 1000000000), 4);
  put_little(out, 1, 4);
  put_little(out, 0, 1);
  align(out, start, 4);
  put_little(out, (uint64_t)tr->njoint, 4);
  for (int j = 0; j < tr->njoint; j++) {
    align(out, start, 4);
    put_string(out, tr->joints[j], strlen(tr->joints[j]) + 1);
  }
  put_numbers(out, start, tr, signal_named(tr, "q"), row);
  put_numbers(out, start, tr, signal_named(tr, "dq"), row);
  put_numbers(out, start, tr, effort, row);
}

/* ---- the file ---- */

typedef struct {
  const rbv_trace *tr;
  rbv_text out;      // the file
  rbv_text body;     // of the record that is being written
  rbv_text summary;  // its index of chunks
  rbv_text chunk;
  rbv_text *index;       // of the chunk: for each signal, times and places of its messages
  uint64_t first, last;  // times of the chunk
  int nchunk;
} file;

/* Schema and channels; both the data and the summary have them. */
static int put_channels(rbv_text *out, file *f) {
  rbv_text *body = &f->body;
  int n = 0;
  put_little(body, 1, 2);
  put_string(body, "sensor_msgs/msg/JointState", 26);
  put_string(body, "ros2msg", 7);
  put_string(body, definition, sizeof definition - 1);
  put_record(out, 3, body);
  for (int i = 0; i < f->tr->nsignal; i++) {
    if (!f->tr->signals[i].torque) continue;
    char topic[120];
    snprintf(topic, sizeof topic, "/%.100s", f->tr->signals[i].name);
    put_little(body, (uint64_t)i, 2);
    put_little(body, 1, 2);
    put_string(body, topic, strlen(topic));
    put_string(body, "cdr", 3);
    put_little(body, 0, 4);
    put_record(out, 4, body);
    n++;
  }
  return n;
}

static void put_message(file *f, int signal, ptrdiff_t row, uint64_t ns) {
  rbv_text message = {0};
  if (f->chunk.size == 0) f->first = ns;
  f->last = ns;
  put_little(&f->index[signal], ns, 8);
  put_little(&f->index[signal], f->chunk.size, 8);
  put_little(&f->body, (uint64_t)signal, 2);
  put_little(&f->body, (uint64_t)row & UINT32_MAX, 4);
  put_little(&f->body, ns, 8);
  put_little(&f->body, ns, 8);
  put_state(&message, f->tr, (int64_t)ns, row, f->tr->signals[signal].values);
  put_text(&f->body, &message);
  rbv_text_free(&message);
  put_record(&f->chunk, 5, &f->body);
}

/* The chunk, the index of its messages, and its line in the summary. */
static void put_chunk(file *f) {
  const size_t at = f->out.size, size = f->chunk.size;
  if (size == 0) return;
  put_little(&f->body, f->first, 8);
  put_little(&f->body, f->last, 8);
  put_little(&f->body, size, 8);
  put_little(&f->body, 0, 4);  // no check sum
  put_little(&f->body, 0, 4);  // no compression
  put_little(&f->body, size, 8);
  put_text(&f->body, &f->chunk);
  put_record(&f->out, 6, &f->body);
  const size_t end = f->out.size;
  rbv_text places = {0};
  for (int i = 0; i < f->tr->nsignal; i++) {
    if (f->index[i].size == 0) continue;
    put_little(&places, (uint64_t)i, 2);
    put_little(&places, f->out.size, 8);
    put_little(&f->body, (uint64_t)i, 2);
    put_little(&f->body, f->index[i].size, 4);
    put_text(&f->body, &f->index[i]);
    put_record(&f->out, 7, &f->body);
    f->index[i].size = 0;
  }
  put_little(&f->body, f->first, 8);
  put_little(&f->body, f->last, 8);
  put_little(&f->body, at, 8);
  put_little(&f->body, end - at, 8);
  put_little(&f->body, places.size, 4);
  put_text(&f->body, &places);
  put_little(&f->body, f->out.size - end, 8);
  put_little(&f->body, 0, 4);  // no compression
  put_little(&f->body, size, 8);
  put_little(&f->body, size, 8);
  put_record(&f->summary, 8, &f->body);
  rbv_text_free(&places);
  f->chunk.size = 0;
  f->nchunk++;
}

static void put_statistics(file *f, int channels, uint64_t last) {
  const rbv_trace *tr = f->tr;
  put_little(&f->body, (uint64_t)channels * (uint64_t)tr->rows, 8);
  put_little(&f->body, 1, 2);
  put_little(&f->body, (uint64_t)channels, 4);
  put_little(&f->body, 0, 8);  // attachments, metadata
  put_little(&f->body, (uint64_t)f->nchunk, 4);
  put_little(&f->body, 0, 8);
  put_little(&f->body, last, 8);
  put_little(&f->body, 10 * (uint64_t)channels, 4);
  for (int i = 0; i < tr->nsignal; i++) {
    if (!tr->signals[i].torque) continue;
    put_little(&f->body, (uint64_t)i, 2);
    put_little(&f->body, (uint64_t)tr->rows, 8);
  }
  put_record(&f->out, 11, &f->body);
}

static void put_file(file *f) {
  static const char magic[] = "\x89MCAP0\r\n";
  const rbv_trace *tr = f->tr;
  uint64_t ns = 0;
  rbv_text_add(&f->out, magic, 8);
  put_string(&f->body, "ros2", 4);
  put_string(&f->body, "roberval", 8);
  put_record(&f->out, 1, &f->body);
  put_channels(&f->out, f);
  for (ptrdiff_t k = 0; k < tr->rows && !f->out.failed; k++) {
    ns = (uint64_t)llround(1e9 * (tr->t[k] - tr->t[0]));
    for (int i = 0; i < tr->nsignal; i++)
      if (tr->signals[i].torque) put_message(f, i, k, ns);
    if (f->chunk.size >= CHUNK) put_chunk(f);
  }
  put_chunk(f);
  put_little(&f->body, 0, 4);
  put_record(&f->out, 15, &f->body);
  const size_t summary = f->out.size;
  const int channels = put_channels(&f->out, f);
  put_statistics(f, channels, ns);
  put_text(&f->out, &f->summary);
  put_little(&f->body, summary, 8);
  put_little(&f->body, 0, 8);
  put_little(&f->body, 0, 4);
  put_record(&f->out, 2, &f->body);
  rbv_text_add(&f->out, magic, 8);
}

rbv_status trace_write_mcap(const char *path, const rbv_trace *trace) {
  file f = {.tr = trace};
  f.index = rbv_alloc(sizeof *f.index * (size_t)(trace->nsignal + 1));
  if (!f.index) return RBV_EMEM;
  put_file(&f);
  bool failed = f.out.failed || f.body.failed || f.summary.failed || f.chunk.failed;
  for (int i = 0; i < trace->nsignal; i++) {
    failed |= f.index[i].failed;
    rbv_text_free(&f.index[i]);
  }
  const rbv_status status = failed ? RBV_EMEM : rbv_file_write(path, f.out.data, f.out.size);
  rbv_text_free(&f.out);
  rbv_text_free(&f.body);
  rbv_text_free(&f.summary);
  rbv_text_free(&f.chunk);
  rbv_free(f.index);
  return status;
}
