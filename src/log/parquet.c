/*
 * Parquet: columns of numbers and of lists of numbers, read as a whole or in pieces. In a data set
 * of LeRobot the episodes of a file follow one another with a pause.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/support.h"
#include "log/numbered_rows.h"
#include "log/parquet_dataset.h"
#include "log/parquet_pages.h"

#define MOST_COLUMNS 100000
#define LONGEST_NAME 400
#define PAUSE_ROWS 30  // between two episodes, as a gap in the time: more than any jitter
#define BLOCK_ROWS 1024

/* Columns from which the time of several episodes follows. */
enum { TIMESTAMP, INDEX, FRAME, EPISODE, CLOCK_COLUMNS };
static const char *const clock_names[] = {"timestamp", "index", "frame_index", "episode_index"};

/* What all readers of a file share. */
typedef struct {
  parquet_file file;
  parquet_dataset dataset;
  char **names;
  int ncol;
  int clock[CLOCK_COLUMNS];     // leaves; -1: none
  double start[CLOCK_COLUMNS];  // their first values
} parquet_plan;

typedef struct {
  numbered_rows rows;
  parquet_plan *plan;
  bool owner;
  parquet_column **columns;  // one per leaf
  double *clock;             // BLOCK_ROWS x CLOCK_COLUMNS
  parquet_column *extra[CLOCK_COLUMNS];
  parquet_scratch scratch;
} parquet_rows;

/* ---- names ---- */

/* The name of number k of a column; the text has room for LONGEST_NAME bytes. */
static void name_part(char *text, const parquet_plan *p, const parquet_leaf *leaf, size_t k) {
  if (leaf->repetition > 0)
    parquet_dataset_name(text, LONGEST_NAME, &p->dataset, leaf->name, k, leaf->width);
  else
    snprintf(text, LONGEST_NAME, "%s", leaf->name);
}

static rbv_status name_columns(parquet_plan *p) {
  size_t count = 0;
  for (int i = 0; i < p->file.nleaf; i++) count += p->file.leaves[i].width;
  if (count > MOST_COLUMNS)
    return rbv_fail(RBV_EINPUT, "%s: more than %d columns", p->file.path, MOST_COLUMNS);
  if (!(p->names = rbv_alloc(sizeof *p->names * (count + 1)))) return RBV_EMEM;
  for (int i = 0; i < p->file.nleaf; i++)
    for (size_t k = 0; k < p->file.leaves[i].width; k++) {
      char text[LONGEST_NAME];
      name_part(text, p, &p->file.leaves[i], k);
      if (!(p->names[p->ncol] = rbv_strdup(text))) return RBV_EMEM;
      p->ncol++;
    }
  return RBV_OK;
}

static bool is_wanted(const parquet_plan *p, int i, const wanted_columns *want) {
  const parquet_leaf *leaf = &p->file.leaves[i];
  for (int k = 0; k < CLOCK_COLUMNS; k++)
    if (strcmp(leaf->name, clock_names[k]) == 0) return true;
  for (size_t k = 0; k < leaf->width; k++) {
    char text[LONGEST_NAME];
    name_part(text, p, leaf, k);
    for (int j = 0; j < want->n; j++)
      if (strcmp(text, want->names[j]) == 0) return true;
  }
  return false;
}

/* Leave out columns that are not wanted, if some are. */
static rbv_status keep_wanted(parquet_plan *p, const wanted_columns *want) {
  RBV_NEW(bool, keep, p->file.nleaf + 1);
  int kept = 0;
  for (int i = 0; i < p->file.nleaf; i++) kept += keep[i] = is_wanted(p, i, want);
  if (kept > 0) parquet_file_keep(&p->file, keep);
  rbv_free(keep);
  return RBV_OK;
}

/* ---- the plan ---- */

/* The numbers of the first row of a column, and the first one. */
static rbv_status first_of(size_t *width, double *value, const parquet_file *f, int leaf) {
  parquet_scratch scratch = {0};
  parquet_column *c;
  RBV_TRY(parquet_column_new(&c, f, leaf, &scratch));
  const rbv_status status = parquet_column_first(width, value, c);
  parquet_column_free(c);
  rbv_free(scratch.data);
  return status;
}

/* The width of a column, and the origin of its time stamps, from its first row. */
static rbv_status measure(parquet_file *f, int i) {
  parquet_leaf *leaf = &f->leaves[i];
  const double tick = leaf->tick;
  double first;
  leaf->tick = 0;
  RBV_TRY(first_of(&leaf->width, &first, f, i));
  leaf->tick = tick;
  if (tick > 0 && fabs(first) < 9e18) leaf->origin = (int64_t)first;
  return RBV_OK;
}

/* Measure all columns; lists without a number in the first row are left out. */
static rbv_status measure_all(parquet_file *f) {
  RBV_NEW(bool, keep, f->nleaf + 1);
  rbv_status status = RBV_OK;
  int kept = 0;
  double numbers = 0;
  for (int i = 0; i < f->nleaf && status == RBV_OK; i++) {
    // lists have a width, time stamps an origin
    if (f->leaves[i].repetition > 0 || f->leaves[i].tick > 0) status = measure(f, i);
    keep[i] = f->leaves[i].width > 0;
    kept += keep[i];
    numbers += (double)f->leaves[i].width * (double)f->first[f->ngroup];
  }
  if (status == RBV_OK && f->first[f->ngroup] == 0)
    status = rbv_fail(RBV_EINPUT, "%s: no rows", f->path);
  else if (status == RBV_OK && kept == 0)
    status = rbv_fail(RBV_EINPUT, "%s: no column has numbers in the first row", f->path);
  else if (status == RBV_OK && !(numbers <= (double)parquet_most_numbers(f)))
    status = rbv_fail(
        RBV_EINPUT, "%s: the Parquet file is damaged: it has more numbers than its bytes can hold",
        f->path);
  if (status == RBV_OK) parquet_file_keep(f, keep);
  rbv_free(keep);
  return status;
}

/* The columns that say where an episode begins. */
static rbv_status find_clock(parquet_plan *p) {
  for (int k = 0; k < CLOCK_COLUMNS; k++) {
    p->clock[k] = -1;
    for (int i = 0; i < p->file.nleaf; i++)
      if (p->file.leaves[i].repetition == 0 && strcmp(p->file.leaves[i].name, clock_names[k]) == 0)
        p->clock[k] = i;
    if (p->clock[k] < 0 || !(p->dataset.rate_hz > 0)) {
      p->clock[TIMESTAMP] = -1;
      return RBV_OK;
    }
  }
  size_t width;
  for (int k = 0; k < CLOCK_COLUMNS; k++)
    RBV_TRY(first_of(&width, &p->start[k], &p->file, p->clock[k]));
  return RBV_OK;
}

static rbv_status open_plan(parquet_plan *p, const char *path, const wanted_columns *want) {
  RBV_TRY(parquet_file_open(&p->file, path));
  RBV_TRY(parquet_dataset_open(&p->dataset, path));
  RBV_TRY(measure_all(&p->file));
  if (want) RBV_TRY(keep_wanted(p, want));
  RBV_TRY(find_clock(p));
  return name_columns(p);
}

static void close_plan(parquet_plan *p) {
  names_free(p->names, p->ncol);
  parquet_dataset_close(&p->dataset);
  parquet_file_close(&p->file);
  rbv_free(p);
}

/* ---- rows ---- */

/* Time of several episodes: one after the other, with a pause. */
static void shift_times(double *t, ptrdiff_t n, const parquet_rows *r) {
  const parquet_plan *p = r->plan;
  const double *of[CLOCK_COLUMNS], *start = p->start, rate = p->dataset.rate_hz;
  for (int k = 0; k < CLOCK_COLUMNS; k++) of[k] = r->clock + (ptrdiff_t)k * BLOCK_ROWS;
  for (ptrdiff_t k = 0; k < n; k++) {
    const double begin = of[INDEX][k] - of[FRAME][k] - (start[INDEX] - start[FRAME]);
    t[k] += (begin + PAUSE_ROWS * (of[EPISODE][k] - start[EPISODE])) / rate;
  }
}

static rbv_status read_times(const parquet_rows *r, double *t, ptrdiff_t n) {
  for (ptrdiff_t k = 0; k < n; k += BLOCK_ROWS) {
    const ptrdiff_t block = n - k < BLOCK_ROWS ? n - k : BLOCK_ROWS;
    for (int i = INDEX; i < CLOCK_COLUMNS; i++) {
      RBV_TRY(parquet_column_seek(r->extra[i], r->rows.next + k));
      RBV_TRY(parquet_column_read(r->extra[i], r->clock + (ptrdiff_t)i * BLOCK_ROWS, block, block));
    }
    shift_times(t + k, block, r);
  }
  return RBV_OK;
}

static rbv_status read_parquet(ptrdiff_t *got, rows *base, double *out, ptrdiff_t most,
                               ptrdiff_t ld) {
  parquet_rows *r = (parquet_rows *)base;
  const parquet_plan *p = r->plan;
  const ptrdiff_t left = r->rows.end > r->rows.next ? r->rows.end - r->rows.next : 0;
  const ptrdiff_t n = left < most ? left : most;
  *got = 0;
  for (int i = 0; i < p->file.nleaf && n > 0; i++) {
    RBV_TRY(parquet_column_seek(r->columns[i], r->rows.next));
    RBV_TRY(parquet_column_read(r->columns[i], out, n, ld));
    if (i == p->clock[TIMESTAMP]) RBV_TRY(read_times(r, out, n));
    out += (ptrdiff_t)p->file.leaves[i].width * ld;
  }
  r->rows.next += n;
  *got = n;
  return RBV_OK;
}

static void close_parquet(rows *base) {
  parquet_rows *r = (parquet_rows *)base;
  for (int i = 0; r->columns && i < r->plan->file.nleaf; i++) parquet_column_free(r->columns[i]);
  for (int k = 0; k < CLOCK_COLUMNS; k++) parquet_column_free(r->extra[k]);
  if (r->owner) close_plan(r->plan);
  RBV_FREE_ALL(r->columns, r->clock, r->scratch.data, r);
}

static const rows_kind parquet_kind;

static rbv_status new_columns(parquet_rows *r) {
  const parquet_plan *p = r->plan;
  r->columns = rbv_alloc(sizeof(parquet_column *) * (size_t)p->file.nleaf);
  r->clock = rbv_alloc(sizeof *r->clock * BLOCK_ROWS * CLOCK_COLUMNS);
  if (!r->columns || !r->clock) return RBV_EMEM;
  for (int i = 0; i < p->file.nleaf; i++)
    RBV_TRY(parquet_column_new(&r->columns[i], &p->file, i, &r->scratch));
  for (int k = INDEX; k < CLOCK_COLUMNS && p->clock[TIMESTAMP] >= 0; k++)
    RBV_TRY(parquet_column_new(&r->extra[k], &p->file, p->clock[k], &r->scratch));
  r->rows.head = (rows){.kind = &parquet_kind, .ncol = p->ncol, .names = p->names};
  r->rows.samples = r->rows.end = p->file.first[p->file.ngroup];
  return RBV_OK;
}

/* A reader with a plan, which the owner closes, also on failure. */
static rbv_status new_rows(rows **out, parquet_plan *p, bool owner) {
  *out = NULL;
  parquet_rows *r = rbv_alloc(sizeof *r);
  if (!r) {
    if (owner) close_plan(p);
    return RBV_EMEM;
  }
  r->plan = p;
  r->owner = owner;
  RBV_GIVE(out, &r->rows.head, new_columns(r), close_parquet(&r->rows.head));
}

static rbv_status clone_parquet(rows **out, const rows *base) {
  return new_rows(out, ((const parquet_rows *)base)->plan, false);
}

static const rows_kind parquet_kind = {.close = close_parquet,
                                       .clone = clone_parquet,
                                       .size = numbered_size,
                                       .tell = numbered_tell,
                                       .seek = numbered_seek,
                                       .seek_stretch = numbered_seek_stretch,
                                       .read = read_parquet};

static rbv_status new_plan(parquet_plan **out, const char *path, const wanted_columns *want) {
  *out = NULL;
  RBV_NEW(parquet_plan, p, 1);
  p->file.file = -1;
  RBV_GIVE(out, p, open_plan(p, path, want), close_plan(p));
}

rbv_status parquet_open(rows **out, const char *path, const wanted_columns *want) {
  *out = NULL;
  parquet_plan *p;
  RBV_TRY(new_plan(&p, path, want));
  return new_rows(out, p, true);
}

rbv_status parquet_table(table *t, const char *path, const wanted_columns *want) {
  *t = (table){0};
  rows *r;
  RBV_TRY(parquet_open(&r, path, want));
  return table_from_rows(t, r);
}

rbv_status parquet_bytes(size_t *out, const char *path) {
  *out = 0;
  parquet_plan *p;
  RBV_TRY(new_plan(&p, path, NULL));
  *out = sizeof(double) * (size_t)p->ncol * (size_t)p->file.first[p->file.ngroup];
  close_plan(p);
  return RBV_OK;
}

bool parquet_recognises(const char *path, const char *head, size_t size) {
  (void)path;
  return size >= 4 && memcmp(head, "PAR1", 4) == 0;
}
