/* Recordings that are read in pieces: one pass stores the places of rows, later reads use them. */
#include <string.h>

#include "base/support.h"
#include "log/csv_survey.h"
#include "log/held.h"
#include "log/log_formats.h"
#include "log/log_internal.h"
#include "storage/storage.h"

#define PIECE 4096  // rows that are searched together

struct rbv_log_file {
  rows *source;  // cloned by the readers
  rbv_log_map *map;
  char *name;
  survey found;
  held_values held;
};

struct rbv_log_reader {
  const rbv_log_file *file;
  rows *source;
  ptrdiff_t first, count;  // rows in values
  ptrdiff_t capacity;      // rows that values can hold
  double *values;          // capacity x columns, as in the file
};

/* ---- rows ---- */

rbv_status log_from_rows(rbv_log **out, const char *name, const rows *r, const rbv_log_map *map,
                         const double *values, ptrdiff_t ld, ptrdiff_t first, ptrdiff_t count) {
  *out = NULL;
  table t = {.rows = count,
             .ld = table_stride(count),
             .ncol = r->ncol,
             .first = first,
             .format = r->format};
  t.values = rbv_alloc(sizeof(double) * (size_t)t.ld * (size_t)t.ncol);
  t.marks = rbv_alloc(sizeof *t.marks * (size_t)r->nmark);
  rbv_status status = t.values && t.marks ? RBV_OK : RBV_EMEM;
  if (status == RBV_OK && r->names) status = names_copy(&t.names, r->names, r->ncol);
  if (status == RBV_OK && r->text) status = text_copy(&t.text, r->text, r->ncol);
  if (status != RBV_OK) {
    table_free(&t);
    return status;
  }
  for (int j = 0; j < t.ncol; j++)
    memcpy(t.values + j * t.ld, values + j * ld, sizeof(double) * (size_t)count);
  // the last mark before the piece becomes that of its first row
  for (ptrdiff_t i = 0; i < r->nmark; i++) {
    const line_mark *mark = &r->marks[i];
    const ptrdiff_t row = mark->row - first;
    if (row <= 0) t.nmark = 0;
    t.marks[t.nmark++] = row < 0 ? (line_mark){0, mark->line - row} : (line_mark){row, mark->line};
  }
  RBV_TRY(log_from_table(out, name, &t, map));
  (*out)->first = first;
  return RBV_OK;
}

/* ---- the file ---- */

/* Open the file for the columns of the map. Without one, the format may need a guess. */
static rbv_status open_source(rbv_log_file *f, const char *path) {
  if (!f->map) RBV_TRY(log_own_map(&f->map, path));
  wanted_columns want = {0};
  const char **names = NULL;
  if (f->map) RBV_TRY(log_map_columns(&want, &names, f->map));
  RBV_FINISH(log_format_open(&f->source, path, f->map ? &want : NULL), rbv_free(names));
}

/* Are values held? Rows of the file become rows of the recording. */
static rbv_status find_held(rbv_log_file *f) {
  held_search *search = NULL;
  rbv_log_reader *reader;
  RBV_TRY(rbv_log_reader_new(&reader, f));
  rbv_status status = RBV_OK;
  for (ptrdiff_t at = 0, n; at < f->found.samples && status == RBV_OK; at += n) {
    n = f->found.samples - at < PIECE ? f->found.samples - at : PIECE;
    rbv_log *piece;
    status = rbv_log_reader_read(&piece, reader, at, n);
    if (status != RBV_OK) break;
    status = held_add(&search, piece);
    rbv_log_free(piece);
    if (held_has_read_all(search)) break;
  }
  rbv_log_reader_free(reader);
  const held_values held = held_judge(search);
  held_free(search);
  if (status != RBV_OK || !(held.factor > 0)) return status;
  if (held.stride == 0)
    return rbv_fail(RBV_EUNSUPPORTED,
                    "%s: every value is logged %.3g times, and the repetitions are left out in "
                    "memory",
                    f->name, held.factor);
  f->held = held;
  f->found.samples = (f->found.samples - held.first + held.stride - 1) / held.stride;
  f->found.clock.rate_hz /= held.factor;
  return RBV_OK;
}

rbv_status rbv_log_file_open(rbv_log_file **out, const char *path, const rbv_log_map *map,
                             ptrdiff_t least, int threads) {
  if (!out) return rbv_fail(RBV_EARG, "no place for the file");
  *out = NULL;
  if (!path) return rbv_fail(RBV_EARG, "no file");
  RBV_TRY(rbv_input_note("load", path));
  RBV_NEW(rbv_log_file, f, 1);
  f->name = rbv_strdup(path);
  rbv_status status = f->name ? RBV_OK : RBV_EMEM;
  if (status == RBV_OK && map) status = log_map_clone(&f->map, map);
  if (status == RBV_OK) status = open_source(f, path);
  if (status == RBV_OK) status = survey_run(&f->found, path, f->source, f->map, least, threads);
  if (status == RBV_OK) status = find_held(f);
  RBV_GIVE(out, f, status, rbv_log_file_free(f));
}

void rbv_log_file_free(rbv_log_file *f) {
  if (!f) return;
  rows_close(f->source);
  rbv_log_map_free(f->map);
  survey_free(&f->found);
  rbv_free(f->name);
  rbv_free(f);
}

const char *rbv_log_file_name(const rbv_log_file *f) { return f->name; }
ptrdiff_t rbv_log_file_samples(const rbv_log_file *f) { return f->found.samples; }
double rbv_log_file_held(const rbv_log_file *f) { return f->held.factor; }
rbv_log_clock rbv_log_file_clock(const rbv_log_file *f) { return f->found.clock; }

/* ---- pieces ---- */

rbv_status rbv_log_reader_new(rbv_log_reader **out, const rbv_log_file *file) {
  *out = NULL;
  RBV_NEW(rbv_log_reader, r, 1);
  r->file = file;
  RBV_GIVE(out, r, rows_clone(&r->source, file->source), rbv_log_reader_free(r));
}

void rbv_log_reader_free(rbv_log_reader *r) {
  if (!r) return;
  rows_close(r->source);
  rbv_free(r->values);
  rbv_free(r);
}

/* Make values large enough for this many rows. If it grows, its rows are lost. */
static rbv_status reserve_rows(rbv_log_reader *r, ptrdiff_t count) {
  if (count <= r->capacity) return RBV_OK;
  rbv_free(r->values);
  r->capacity = table_stride(count);
  r->count = 0;
  r->values = rbv_alloc(sizeof(double) * (size_t)r->capacity * (size_t)r->source->ncol);
  if (!r->values) r->capacity = 0;
  return r->values ? RBV_OK : RBV_EMEM;
}

static rbv_status changed(const rbv_log_reader *r) {
  return rbv_fail(RBV_EREAD, "%s: the file became shorter while it was read", r->file->name);
}

/* Move to a row, from here or from the last known place before it. */
static rbv_status go_to(rbv_log_reader *r, ptrdiff_t row) {
  const row_place here = rows_tell(r->source);
  if (here.row == row) return RBV_OK;
  const row_place *near = survey_place(&r->file->found, row);
  if (here.row > row || here.row < near->row) RBV_TRY(rows_seek(r->source, near));
  for (ptrdiff_t left = row - rows_tell(r->source).row, got; left > 0; left -= got) {
    RBV_TRY(rows_read(&got, r->source, r->values, left < r->capacity ? left : r->capacity,
                      r->capacity));
    if (got == 0) return changed(r);
  }
  return RBV_OK;
}

/* Move the rows that are needed again to the front. */
static void keep_overlap(rbv_log_reader *r, ptrdiff_t first) {
  const ptrdiff_t skip = first - r->first;
  if (skip < 0 || skip >= r->count) {
    r->count = 0;
  } else {
    r->count -= skip;
    for (int j = 0; j < r->source->ncol && skip > 0; j++)
      memmove(r->values + j * r->capacity, r->values + j * r->capacity + skip,
              sizeof(double) * (size_t)r->count);
  }
  r->first = first;
}

/* rows of the file */
static rbv_status read_rows(rbv_log **out, rbv_log_reader *r, ptrdiff_t first, ptrdiff_t count) {
  RBV_TRY(reserve_rows(r, count));
  keep_overlap(r, first);
  // go_to reads skipped rows into values, which must be empty
  if (rows_tell(r->source).row != first + r->count) r->count = 0;
  if (r->count < count) RBV_TRY(go_to(r, first + r->count));
  r->source->nmark = 0;
  while (r->count < count) {
    ptrdiff_t got;
    RBV_TRY(rows_read(&got, r->source, r->values + r->count, count - r->count, r->capacity));
    if (got == 0) return changed(r);
    r->count += got;
  }
  return log_from_rows(out, r->file->name, r->source, r->file->map, r->values, r->capacity, first,
                       count);
}

rbv_status rbv_log_reader_read(rbv_log **out, rbv_log_reader *r, ptrdiff_t first, ptrdiff_t count) {
  *out = NULL;
  if (first < 0 || count < 1 || count > r->file->found.samples - first)
    return rbv_fail(RBV_EARG, "%td samples from %td on were asked for; %s has %td", count, first,
                    r->file->name, r->file->found.samples);
  const ptrdiff_t stride = r->file->held.stride;
  if (stride == 0) return read_rows(out, r, first, count);
  rbv_log *held;
  RBV_TRY(read_rows(&held, r, r->file->held.first + first * stride, (count - 1) * stride + 1));
  const rbv_status status = rbv_log_every(out, held, stride);
  rbv_log_free(held);
  return status;
}
