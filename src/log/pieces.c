/* A CSV recording that is read in pieces: checked once, then found again by an index. */
#include <math.h>
#include <string.h>

#include "base/support.h"
#include "log/numbers.h"
#include "log/private.h"

#define PIECE 4096       // rows that the first pass looks at together
#define INDEX_ROOM 4096  // places; every second one goes when they are all taken
#define INDEX_STEP 256   // rows between them, to begin with
#define OFF_GRID 0.01    // of a step: stamps nearer than this are regular
#define GAP_STEPS 1.5    // mean steps; a longer one is missing samples

struct rbv_log_file {
  csv *source;  // for clones only, once it is open
  rbv_log_map *map;
  char *name;
  ptrdiff_t samples;
  csv_place *index;  // of rows 0, step, 2 step, ...
  ptrdiff_t nindex, step;
  log_review review;
  rbv_log_clock clock;
};

struct rbv_log_reader {
  const rbv_log_file *file;
  csv *source;
  ptrdiff_t first, rows;  // held
  ptrdiff_t room;
  double *values;  // room x columns, as they are in the file
};

/* ---- one pass over the file ---- */

static void note_place(rbv_log_file *f, const csv_place *place) {
  if (place->row % f->step != 0) return;
  if (f->nindex == INDEX_ROOM) {
    for (ptrdiff_t i = 0; i < INDEX_ROOM / 2; i++) f->index[i] = f->index[2 * i];
    f->nindex = INDEX_ROOM / 2;
    f->step *= 2;
    if (place->row % f->step != 0) return;
  }
  f->index[f->nindex++] = *place;
}

/* rows up to the next place that the index may want */
static rbv_status read_rows(ptrdiff_t *got, rbv_log_file *f, double *to, ptrdiff_t ld) {
  *got = 0;
  csv_forget_marks(f->source);
  for (ptrdiff_t n = 1; n > 0 && *got < PIECE; *got += n) {
    const csv_place place = csv_tell(f->source);
    note_place(f, &place);
    RBV_TRY(csv_read(&n, f->source, to + *got, INDEX_STEP, ld));
  }
  return RBV_OK;
}

/*
 * What the stamps say, without keeping them. Stamp k is near the grid of step s when
 * |t_k - k s| <= OFF_GRID s, which bounds s from both sides; whether the mean step is within all
 * bounds is seen at the end.
 */
typedef struct {
  double start, last, low, high, shortest, longest;
  ptrdiff_t count;
} stamps;

static void see_stamps(stamps *s, const double *t, ptrdiff_t n) {
  for (ptrdiff_t k = 0; k < n; k++, s->count++) {
    if (s->count == 0) {
      *s = (stamps){.start = t[k], .last = t[k], .high = INFINITY, .shortest = INFINITY};
      continue;
    }
    const double at = t[k] - s->start, step = t[k] - s->last;
    s->low = fmax(s->low, at / ((double)s->count + OFF_GRID));
    s->high = fmin(s->high, at / ((double)s->count - OFF_GRID));
    s->shortest = fmin(s->shortest, step);
    s->longest = fmax(s->longest, step);
    s->last = t[k];
  }
}

static rbv_log_clock judge_stamps(const stamps *s) {
  const double period = (s->last - s->start) / (double)(s->count - 1);
  return (rbv_log_clock){.regular = s->low <= period && period <= s->high,
                         .repeats = s->shortest <= 0,
                         .gaps = s->longest > GAP_STEPS * period,
                         .rate_hz = (double)(s->count - 1) / (s->last - s->start)};
}

static char **copy_names(const csv *c) {
  if (!csv_column_name(c, 0)) return NULL;
  char **names = rbv_alloc(sizeof *names * (size_t)csv_columns(c));
  for (int j = 0; names && j < csv_columns(c); j++)
    if (!(names[j] = rbv_strdup(csv_column_name(c, j)))) {
      for (int i = 0; i < j; i++) rbv_free(names[i]);
      rbv_free(names);
      return NULL;
    }
  return names;
}

/* a log of rows in memory, which are copied; marks: of their lines, or none */
static rbv_status make_piece(rbv_log **out, const rbv_log_file *f, const csv *c,
                             const double *values, ptrdiff_t ld, ptrdiff_t first, ptrdiff_t rows) {
  *out = NULL;
  table t = {.rows = rows, .ld = table_stride(rows), .ncol = csv_columns(c), .format = "CSV"};
  ptrdiff_t nmark;
  const line_mark *marks = csv_marks(&nmark, c);
  t.values = rbv_alloc(sizeof(double) * (size_t)t.ld * (size_t)t.ncol);
  t.names = copy_names(c);
  t.marks = rbv_alloc(sizeof *t.marks * (size_t)nmark);
  if (!t.values || !t.marks || (csv_column_name(c, 0) && !t.names)) {
    table_free(&t);
    return RBV_EMEM;
  }
  for (int j = 0; j < t.ncol; j++)
    memcpy(t.values + j * t.ld, values + j * ld, sizeof(double) * (size_t)rows);
  // the last mark before the piece stands for its first row
  for (ptrdiff_t i = 0; i < nmark; i++) {
    const ptrdiff_t row = marks[i].row - first;
    if (row <= 0) t.nmark = 0;
    t.marks[t.nmark++] =
        row < 0 ? (line_mark){0, marks[i].line - row} : (line_mark){row, marks[i].line};
  }
  return log_from_table(out, f->name, &t, f->map);
}

static rbv_status look_through(rbv_log_file *f) {
  const int ncol = csv_columns(f->source);
  const ptrdiff_t ld = table_stride(PIECE);
  double *values = rbv_alloc(sizeof *values * (size_t)ld * (size_t)ncol);
  rbv_status status = values ? RBV_OK : RBV_EMEM;
  stamps s = {0};
  for (ptrdiff_t got = 1; status == RBV_OK && got > 0;) {
    status = read_rows(&got, f, values, ld);
    if (status != RBV_OK || got == 0) break;
    rbv_log *piece;
    status = make_piece(&piece, f, f->source, values, ld, f->samples, got);
    if (status == RBV_OK) status = log_review_piece(&f->review, piece);
    if (status == RBV_OK) see_stamps(&s, rbv_log_channel(piece, RBV_CHANNEL_TIME, -1), got);
    rbv_log_free(piece);
    f->samples += got;
  }
  rbv_free(values);
  if (status == RBV_OK && f->samples == 0)
    status = rbv_fail(RBV_EINPUT, "%s: no rows: nothing follows the header", f->name);
  if (status == RBV_OK) f->clock = judge_stamps(&s);
  return status;
}

rbv_status rbv_log_file_open(rbv_log_file **out, const char *path, const rbv_log_map *map,
                             ptrdiff_t least) {
  if (!out) return rbv_fail(RBV_EARG, "no place for the file");
  *out = NULL;
  if (!path) return rbv_fail(RBV_EARG, "no file");
  if (log_is_mat(path))
    return rbv_fail(RBV_EUNSUPPORTED, "%s: only CSV files can be read in pieces", path);
  rbv_log_file *f = rbv_alloc(sizeof *f);
  if (!f) return RBV_EMEM;
  f->step = INDEX_STEP;
  f->index = rbv_alloc(sizeof *f->index * INDEX_ROOM);
  f->name = rbv_strdup(path);
  rbv_status status = f->index && f->name ? RBV_OK : RBV_EMEM;
  if (status == RBV_OK && map) status = log_map_clone(&f->map, map);
  if (status == RBV_OK) status = csv_open(&f->source, path);
  if (status == RBV_OK) status = look_through(f);
  if (status == RBV_OK) status = log_review_finish(&f->review, path, least);
  if (status == RBV_OK)
    *out = f;
  else
    rbv_log_file_free(f);
  return status;
}

void rbv_log_file_free(rbv_log_file *f) {
  if (!f) return;
  csv_close(f->source);
  rbv_log_map_free(f->map);
  rbv_free(f->index);
  rbv_free(f->name);
  rbv_free(f);
}

const char *rbv_log_file_name(const rbv_log_file *f) { return f->name; }
ptrdiff_t rbv_log_file_samples(const rbv_log_file *f) { return f->samples; }
rbv_log_clock rbv_log_file_clock(const rbv_log_file *f) { return f->clock; }

/* ---- pieces ---- */

rbv_status rbv_log_reader_new(rbv_log_reader **out, const rbv_log_file *file) {
  *out = NULL;
  rbv_log_reader *r = rbv_alloc(sizeof *r);
  if (!r) return RBV_EMEM;
  r->file = file;
  const rbv_status status = csv_clone(&r->source, file->source);
  if (status == RBV_OK)
    *out = r;
  else
    rbv_log_reader_free(r);
  return status;
}

void rbv_log_reader_free(rbv_log_reader *r) {
  if (!r) return;
  csv_close(r->source);
  rbv_free(r->values);
  rbv_free(r);
}

/* room for so many rows; what was held is forgotten when there is none yet */
static rbv_status make_room(rbv_log_reader *r, ptrdiff_t count) {
  if (count <= r->room) return RBV_OK;
  rbv_free(r->values);
  r->room = table_stride(count);
  r->rows = 0;
  r->values = rbv_alloc(sizeof(double) * (size_t)r->room * (size_t)csv_columns(r->source));
  if (!r->values) r->room = 0;
  return r->values ? RBV_OK : RBV_EMEM;
}

static rbv_status changed(const rbv_log_reader *r) {
  return rbv_fail(RBV_EREAD, "%s: the file became shorter while it was read", r->file->name);
}

/* stand at a row: here already, or from the place of the index before it */
static rbv_status go_to(rbv_log_reader *r, ptrdiff_t row) {
  const csv_place here = csv_tell(r->source);
  if (here.row == row) return RBV_OK;
  const csv_place *near = &r->file->index[row / r->file->step];
  if (here.row > row || here.row < near->row) RBV_TRY(csv_seek(r->source, near));
  for (ptrdiff_t left = row - csv_tell(r->source).row, got; left > 0; left -= got) {
    RBV_TRY(csv_read(&got, r->source, r->values, left < r->room ? left : r->room, r->room));
    if (got == 0) return changed(r);
  }
  return RBV_OK;
}

/* rows that are held and wanted again go to the front */
static void keep_overlap(rbv_log_reader *r, ptrdiff_t first) {
  const ptrdiff_t skip = first - r->first;
  if (skip < 0 || skip >= r->rows) {
    r->rows = 0;
  } else {
    r->rows -= skip;
    for (int j = 0; j < csv_columns(r->source) && skip > 0; j++)
      memmove(r->values + j * r->room, r->values + j * r->room + skip,
              sizeof(double) * (size_t)r->rows);
  }
  r->first = first;
}

rbv_status rbv_log_reader_read(rbv_log **out, rbv_log_reader *r, ptrdiff_t first, ptrdiff_t count) {
  *out = NULL;
  if (first < 0 || count < 1 || count > r->file->samples - first)
    return rbv_fail(RBV_EARG, "%td samples from %td on were asked for; %s has %td", count, first,
                    r->file->name, r->file->samples);
  RBV_TRY(make_room(r, count));
  keep_overlap(r, first);
  // the way to a row goes through the values: nothing may be held there
  if (csv_tell(r->source).row != first + r->rows) r->rows = 0;
  if (r->rows < count) RBV_TRY(go_to(r, first + r->rows));
  csv_forget_marks(r->source);
  while (r->rows < count) {
    ptrdiff_t got;
    RBV_TRY(csv_read(&got, r->source, r->values + r->rows, count - r->rows, r->room));
    if (got == 0) return changed(r);
    r->rows += got;
  }
  return make_piece(out, r->file, r->source, r->values, r->room, first, count);
}
