/*
 * The file is divided into stretches of the same size, which threads read independently: lines and
 * rows count from the beginning of the stretch. The results are combined in the order of the file.
 */
#include "log/csv_survey.h"

#include <math.h>
#include <string.h>

#include "base/support.h"

#define STRETCH ((size_t)960 << 10)  // bytes; a reader's buffer holds it and more than a row
#define WINDOW 16                    // stretches per thread whose results may wait
#define PIECE 4096                   // rows that are read together,
#define PIECE_CELLS (1 << 20)        // or fewer of a file with very many columns
#define PLACE_STEP 256               // rows between places at the start
#define PLACE_ROOM 4096              // when all are used, every second place is dropped
#define STRETCH_PLACES ((ptrdiff_t)(STRETCH / 2 / PLACE_STEP) + 1)  // a row has two bytes or more
#define OFF_GRID 0.01  // of a step; within this distance of the grid, stamps are regular
#define GAP_STEPS 1.5  // mean steps; a longer step means missing samples

/* ---- stamps ---- */

/*
 * Analyse the time stamps without storing them. Stamp k is near the grid of step s if
 * |t_k - k s| <= OFF_GRID s. This bounds s from both sides. At the end the mean step is compared
 * with the bounds.
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

/* ---- places ---- */

static void thin_places(survey *s) {
  const ptrdiff_t n = s->nplace;
  s->step *= 2;
  s->nplace = 1;
  for (ptrdiff_t i = 1; i < n; i++)
    if (s->place[i].row - s->place[s->nplace - 1].row >= s->step)
      s->place[s->nplace++] = s->place[i];
}

static void note_place(survey *s, row_place place) {
  if (s->nplace > 0 && place.row - s->place[s->nplace - 1].row < s->step) return;
  if (s->nplace == PLACE_ROOM) thin_places(s);
  s->place[s->nplace++] = place;
}

const row_place *survey_place(const survey *s, ptrdiff_t row) {
  ptrdiff_t low = 0, high = s->nplace;  // place[low].row <= row < place[high].row
  while (high - low > 1) {
    const ptrdiff_t middle = low + (high - low) / 2;
    if (s->place[middle].row <= row)
      low = middle;
    else
      high = middle;
  }
  return &s->place[low];
}

/* ---- rows, by one reader ---- */

typedef struct {
  rows *source;
  ptrdiff_t piece;  // rows that are read together
  double *values;   // piece x columns
  row_place *place;
  ptrdiff_t nplace;
} reader;

/* The parameters of a stretch, and the results of all stretches before a place. */
typedef struct {
  const char *name;
  rows *source;
  const rbv_log_map *map;
  size_t begin;  // of the first stretch, at or before the first row
  ptrdiff_t nstretch;
  row_place place;
  log_review review;
  stamps stamps;
  survey *out;
} survey_plan;

static rbv_status read_rows(ptrdiff_t *got, reader *r) {
  *got = 0;
  r->source->nmark = 0;
  for (ptrdiff_t n = 1; n > 0 && *got < r->piece; *got += n) {
    const row_place place = rows_tell(r->source);
    const ptrdiff_t left = r->piece - *got, most = left < PLACE_STEP ? left : PLACE_STEP;
    RBV_TRY(rows_read(&n, r->source, r->values + *got, most, table_stride(r->piece)));
    if (n > 0 && r->nplace < STRETCH_PLACES) r->place[r->nplace++] = place;
  }
  return RBV_OK;
}

/* Read all remaining rows. times: all stamps; NULL if they are not needed. */
static rbv_status look(log_review *review, rbv_bytes *times, const survey_plan *p, reader *r) {
  for (;;) {
    const ptrdiff_t first = rows_tell(r->source).row;
    ptrdiff_t got;
    RBV_TRY(read_rows(&got, r));
    if (got == 0) return RBV_OK;
    rbv_log *piece;
    RBV_TRY(log_from_rows(&piece, p->name, r->source, p->map, r->values, table_stride(r->piece),
                          first, got));
    const rbv_status status = log_review_piece(review, piece);
    if (status == RBV_OK && times)
      rbv_bytes_add(times, rbv_log_channel(piece, RBV_CHANNEL_TIME, -1),
                    (size_t)got * sizeof(double));
    rbv_log_free(piece);
    if (status != RBV_OK) return status;
  }
}

/* ---- stretches ---- */

/* The result of a stretch, with its stamps and some places; rows and lines count from its
 * beginning. */
typedef struct {
  row_place end;
  ptrdiff_t nplace;
  log_review review;
} findings;

static void close_reader(void *worker, void *self) {
  reader *r = worker;
  (void)self;
  rows_close(r->source);
  RBV_FREE_ALL(r->values, r->place, r);
}

static rbv_status open_reader(void **out, void *self, int thread) {
  const survey_plan *p = self;
  (void)thread;
  RBV_NEW(reader, r, 1);
  const int ncol = p->source->ncol;
  const ptrdiff_t fit = ncol > 0 ? PIECE_CELLS / ncol : PIECE;
  r->piece = fit > PIECE ? PIECE : fit > 0 ? fit : 1;
  r->values = rbv_alloc(sizeof *r->values * (size_t)table_stride(r->piece) * (size_t)ncol);
  r->place = r->values ? rbv_alloc(sizeof *r->place * (size_t)STRETCH_PLACES) : NULL;
  const rbv_status status = r->place ? rows_clone(&r->source, p->source) : RBV_EMEM;
  RBV_GIVE(out, r, status, close_reader(r, self));
}

static rbv_status run_stretch(rbv_bytes *out, void *worker, void *self, ptrdiff_t index) {
  const survey_plan *p = self;
  reader *r = worker;
  const size_t after = p->begin + (size_t)index * STRETCH;
  // the last stretch ends with the file
  const size_t last = index < p->nstretch - 1 ? after + STRETCH : SIZE_MAX;
  findings found = {0};
  r->nplace = 0;
  RBV_TRY(rows_seek_stretch(r->source, after, last));
  RBV_TRY(look(&found.review, out, p, r));
  found.end = rows_tell(r->source);
  found.nplace = r->nplace;
  rbv_bytes_add(out, r->place, sizeof *r->place * (size_t)r->nplace);
  rbv_bytes_add(out, &found, sizeof found);
  return RBV_OK;
}

static rbv_status take_stretch(void *self, ptrdiff_t index, const void *data, size_t size) {
  survey_plan *p = self;
  (void)index;
  findings found;
  memcpy(&found, (const char *)data + size - sizeof found, sizeof found);
  if (!log_review_join(&p->review, &found.review))
    return rbv_fail(RBV_EINPUT, "%s: time runs backwards", p->name);
  const double *times = data;
  const row_place *place = (const row_place *)(times + found.end.row);
  see_stamps(&p->stamps, times, found.end.row);
  for (ptrdiff_t i = 0; i < found.nplace; i++)
    note_place(p->out, (row_place){place[i].byte, p->place.line + place[i].line,
                                   p->place.row + place[i].row});
  p->place.byte = found.end.byte;
  p->place.line += found.end.line;
  p->place.row += found.end.row;
  return RBV_OK;
}

/* ---- the survey ---- */

/* A stretch does not know its line numbers. For a message, read again from the last known place. */
static rbv_status find_line(survey_plan *p, rbv_status status) {
  void *worker;
  if (status == RBV_EMEM || open_reader(&worker, p, 0) != RBV_OK) return status;
  reader *r = worker;
  log_review review = p->review;
  rbv_status found = rows_seek(r->source, &p->place);
  if (found == RBV_OK) found = look(&review, NULL, p, r);
  close_reader(r, p);
  return found == RBV_OK ? status : found;
}

rbv_status survey_run(survey *out, const char *name, rows *source, const rbv_log_map *map,
                      ptrdiff_t least, int threads) {
  *out = (survey){.step = PLACE_STEP};
  // begin at a page of the file: whole pages are copied faster
  const size_t begin = rows_tell(source).byte / STRETCH * STRETCH, size = rows_size(source);
  survey_plan p = {.name = name,
                   .source = source,
                   .map = map,
                   .begin = begin,
                   .nstretch = size > begin ? (ptrdiff_t)((size - begin) / STRETCH) + 1 : 1,
                   .place = rows_tell(source),
                   .out = out};
  out->place = rbv_alloc(sizeof *out->place * PLACE_ROOM);
  if (!out->place) return RBV_EMEM;
  const rbv_jobs jobs = {.name = "stretches of a recording",
                         .count = p.nstretch,
                         .self = &p,
                         .open = open_reader,
                         .close = close_reader,
                         .run = run_stretch,
                         .take = take_stretch,
                         .shared = true,
                         .window = WINDOW};
  rbv_status status = rbv_jobs_run(NULL, &jobs, &(rbv_jobs_options){.threads = threads});
  if (status != RBV_OK) status = find_line(&p, status);
  if (status == RBV_OK && p.place.row == 0)
    status = rbv_fail(RBV_EINPUT, "%s: no rows: nothing follows the header", name);
  if (status == RBV_OK) status = log_review_finish(&p.review, name, least);
  if (status == RBV_OK && p.review.wraps)
    status = rbv_fail(RBV_EUNSUPPORTED,
                      "%s: positions jump by a full turn, which is removed in memory", name);
  out->samples = p.place.row;
  out->clock = judge_stamps(&p.stamps);
  return status;
}

void survey_free(survey *s) {
  rbv_free(s->place);
  *s = (survey){0};
}
