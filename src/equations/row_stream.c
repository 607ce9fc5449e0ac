#include "equations/row_stream.h"

#include <math.h>
#include <string.h>
#include "signal/signal.h"

#include "control/control.h"
#include "dynamics/dynamics.h"
#include "equations/standstill_level.h"
#include "equations/state_track.h"

#define BLOCK_SAMPLES 131072  // smallest decimated block, unless its halo requires a longer one
// a block of a long motion is this fraction of it: longer blocks have fewer halos,
#define BLOCK_SHARE 16
#define BLOCK_LONGEST 524288  // but need more memory
#define BLOCK_HALOS 30        // smallest ratio of the length of a decimated block and its halo
#define PLAIN_SAMPLES 16384   // block without decimation, which needs no halo
#define WINDOW 4              // blocks per thread whose results may wait for their turn
#define MARKED 256            // rows whose speeds are compared at a time

struct row_store {
  ptrdiff_t nout;
  bool filled;
  const int *columns;  // nrow
  double **of_row;     // nrow: nout x columns
};

/* division of a motion into blocks; shared by all blocks */
typedef struct {
  const rbv_model *m;
  const rbv_row_filter *filter;
  const row_client *client;
  rbv_motion *motion;
  const rbv_motion_info *info;
  const state_track *track;  // states of the model's laws, NULL: there are none
  rbv_decimate_options decimate;
  ptrdiff_t nout;    // rows per torque row: decimated outputs, or samples that are not trimmed
  ptrdiff_t skip;    // decimated outputs at the start that are trimmed
  ptrdiff_t kept;    // rows that are not trimmed
  ptrdiff_t stride;  // rows of a block
  ptrdiff_t halo;    // decimated outputs beside a block that are computed but not used
  ptrdiff_t nblock;
  int widest;  // columns of the widest row
  int levels;  // columns of unknown levels near standstill, which follow those of a row
} stream_plan;

/* range of one block */
typedef struct {
  ptrdiff_t begin, end;  // rows of the motion
  ptrdiff_t low, high;   // samples that these rows depend on
} range;

typedef struct stream_worker stream_worker;

/* callback data of a decimator: its torque row */
typedef struct {
  stream_worker *p;
  int row;
} row_output;

/* working memory of one thread */
struct stream_worker {
  const stream_plan *plan;
  void *client;                   // worker of the client
  range block;                    // present block
  double *q, *dq, *ddq, *torque;  // a chunk
  double *state;                  // a chunk of the states of the laws
  uint32_t *contact;              // a chunk
  rbv_dynamics *contacts;         // eliminates forces at contact points, NULL: there are none
  state_cursor cursor;
  double *X;                  // a chunk of the widest row
  double *velocity;           // dq at the decimated rows of the block, stride x njoint
  const double *speed;        // velocities of the chunk that decide where joints stand still
  double *weight;             // weights of the equations of one row in the chunk
  bool *valid;                // a chunk
  double *joined;             // decimated rows of the widest row with their stored columns
  bool *clean;                // decimated rows that do not depend on an invalid sample
  rbv_decimator **decimator;  // per row
  row_output *row_output;     // per row
  double **past;              // per row: memory of its prefilters, before and after the decimation
  standstill_level *level;    // per row
  double **level_sums;        // per row: those of its columns
  level_chunk level_chunk;
  bool *used;            // rows of the chunk that are neither invalid nor trimmed
  ptrdiff_t invalid_at;  // last invalid sample; -1 (before the first sample) counts as invalid
};

/* are the stored columns known? */
static bool is_filled(const stream_plan *p) { return p->client->store && p->client->store->filled; }

static stream_worker *layout(stream_worker *p, rbv_arena *a) {
  const stream_plan *plan = p->plan;
  const int n = plan->m->njoint;
  const size_t rows = plan->filter->decimate > 1 ? (size_t)plan->stride : 0;
  stream_worker *place = RBV_TAKE(a, 1, stream_worker);
  RBV_TAKE_ALL(a, ROW_CHUNK * n, double, &p->q, &p->dq, &p->ddq);
  p->torque = RBV_TAKE(a, ROW_CHUNK * plan->m->nrow, double);
  p->state = RBV_TAKE(a, ROW_CHUNK * plan->m->nstate, double);
  p->X = RBV_TAKE(a, ROW_CHUNK * (plan->widest + plan->levels), double);
  p->velocity = RBV_TAKE(a, rows * (size_t)n, double);
  p->weight = RBV_TAKE(a, ROW_CHUNK, double);
  p->valid = RBV_TAKE(a, ROW_CHUNK, bool);
  p->contact = RBV_TAKE(a, plan->m->ncontact > 0 ? ROW_CHUNK : 0, uint32_t);
  p->joined = RBV_TAKE(a, is_filled(plan) ? rows * (size_t)plan->widest : 0, double);
  p->clean = RBV_TAKE(a, rows, bool);
  p->decimator = RBV_TAKE(a, plan->m->nrow, rbv_decimator *);
  p->row_output = RBV_TAKE(a, plan->m->nrow, row_output);
  p->past = RBV_TAKE(a, plan->m->nrow, double *);
  const int levels = plan->levels * ROW_CHUNK, flags = plan->levels > 0 ? ROW_CHUNK : 0;
  p->level = RBV_TAKE(a, plan->m->nrow, standstill_level);
  p->level_sums = RBV_TAKE(a, plan->m->nrow, double *);
  p->level_chunk = (level_chunk){.starts = RBV_TAKE(a, flags, bool),
                                 .turn = RBV_TAKE(a, flags, int),
                                 .C = RBV_TAKE(a, levels, double),
                                 .S = RBV_TAKE(a, levels, double)};
  p->used = RBV_TAKE(a, flags, bool);
  return place;
}

static bool decimates(const stream_plan *p) { return p->filter->decimate > 1; }

static int width_of(const stream_plan *p, int row) {
  return p->client->width(p->client->self, row);
}

/* columns of a row that are computed */
static int fresh_of(const stream_plan *p, int row) {
  return width_of(p, row) - (is_filled(p) ? p->client->store->columns[row] : 0);
}

/* ---- stored columns ---- */

bool rbv_row_store_possible(const rbv_row_filter *f) {
  return f->decimate > 1 && !f->prefilter && !f->fade;
}

bool rbv_row_store_fits(const rbv_row_filter *a, const rbv_row_filter *b) {
  return rbv_row_store_possible(a) && rbv_row_store_possible(b) && a->decimate == b->decimate &&
         a->band == b->band;
}

static size_t store_entries(const rbv_row_filter *filter, ptrdiff_t samples, int columns) {
  const rbv_decimate_options o = rbv_row_filter_decimation(filter);
  return (size_t)rbv_decimate_count(samples, &o) * (size_t)columns;
}

size_t rbv_row_store_bytes(const rbv_row_filter *filter, ptrdiff_t samples, int columns) {
  return store_entries(filter, samples, columns) * sizeof(double);
}

static void layout_store(row_store *s, const rbv_row_filter *filter, ptrdiff_t samples,
                         const int *columns, int nrow, rbv_arena *a) {
  s->of_row = RBV_TAKE(a, nrow, double *);
  for (int r = 0; r < nrow; r++) {
    double *memory = RBV_TAKE(a, store_entries(filter, samples, columns[r]), double);
    if (a->base) s->of_row[r] = memory;
  }
}

rbv_status rbv_row_store_new(row_store **out, const rbv_row_filter *filter, ptrdiff_t samples,
                             const int *columns, int nrow) {
  *out = NULL;
  row_store sizes = {0};
  row_store *s;
  RBV_CARVE_OBJECT(s, a, layout_store(&sizes, filter, samples, columns, nrow, a));
  if (!s) return RBV_EMEM;
  *s = sizes;
  const rbv_decimate_options o = rbv_row_filter_decimation(filter);
  s->nout = rbv_decimate_count(samples, &o);
  s->columns = columns;
  *out = s;
  return RBV_OK;
}

void rbv_row_store_free(row_store *s) { rbv_free(s); }

bool rbv_row_store_is_filled(const row_store *s) { return s->filled; }

/* Store the last columns of rows first .. first + count - 1, or append them to the computed ones.
 * Returns the complete rows; ld: in and out, their leading dimension. */
static double *with_stored(stream_worker *p, int row, double *Y, ptrdiff_t *ld, ptrdiff_t first,
                           ptrdiff_t count) {
  const row_store *s = p->plan->client->store;
  if (!s) return Y;
  const size_t bytes = (size_t)count * sizeof *Y;
  const int fresh = fresh_of(p->plan, row), stored = s->columns[row];
  if (!s->filled) {
    for (int c = 0; c < stored; c++)
      memcpy(s->of_row[row] + first + c * s->nout, Y + (fresh - stored + c) * *ld, bytes);
    return Y;
  }
  for (int c = 0; c < fresh; c++) memcpy(p->joined + c * count, Y + c * *ld, bytes);
  for (int c = 0; c < stored; c++)
    memcpy(p->joined + (fresh + c) * count, s->of_row[row] + first + c * s->nout, bytes);
  *ld = count;
  return p->joined;
}

/* ---- prefilter ---- */

static rbv_status new_prefilters(stream_worker *p) {
  const rbv_row_filter *f = p->plan->filter;
  for (int r = 0; r < p->plan->m->nrow && f->prefilter; r++) {
    const int memory =
        rbv_transfer_memory(&f->prefilter[r].before) + rbv_transfer_memory(&f->prefilter[r].after);
    const size_t width = (size_t)(width_of(p->plan, r) + p->plan->levels);
    p->past[r] = rbv_alloc(((size_t)memory * width + 1) * sizeof *p->past[r]);
    p->level_sums[r] = rbv_alloc((width * (size_t)p->plan->levels + 1) * sizeof *p->past[r]);
    if (!p->past[r] || !p->level_sums[r]) return RBV_EMEM;
  }
  return RBV_OK;
}

/* filter rows of the stream; starts: the piece is the first one */
static void prefilter(const stream_worker *p, int row, bool after, double *X, ptrdiff_t ld,
                      ptrdiff_t count, bool starts) {
  if (!p->plan->filter->prefilter || count == 0) return;
  const rbv_row_prefilter *s = &p->plan->filter->prefilter[row];
  const rbv_transfer *H = after ? &s->after : &s->before;
  const int width = width_of(p->plan, row) + p->plan->levels;
  double *past = p->past[row] + (after ? rbv_transfer_memory(&s->before) * width : 0);
  if (starts) rbv_transfer_start(past, H, X, ld, width);
  rbv_transfer_continue(X, ld, H, past, X, ld, count, width);
}

/* also mark samples as invalid while the prefilter still depends on an invalid one or
 * on the start */
static void settle(stream_worker *p, ptrdiff_t first, ptrdiff_t count) {
  const ptrdiff_t memory = p->plan->filter->settle;
  for (ptrdiff_t k = 0; k < count && memory > 0; k++) {
    if (!p->valid[k]) p->invalid_at = first + k;
    p->valid[k] = first + k - p->invalid_at > memory;
  }
}

/* ---- rows ---- */

/* fold of row k out of total; below: first row of a fold */
static int fold_of(const stream_worker *p, ptrdiff_t k, ptrdiff_t total) {
  return p->plan->filter->folds > 1 ? (int)(k * p->plan->filter->folds / total) : 0;
}

static ptrdiff_t fold_begin(const stream_worker *p, int fold, ptrdiff_t total) {
  return p->plan->filter->folds > 1
             ? (fold * total + p->plan->filter->folds - 1) / p->plan->filter->folds
         : fold > 0 ? total
                    : 0;
}

/* remove the invalid and masked rows from A, whose velocities are at v, and pass on the rest */
static rbv_status emit(stream_worker *p, int row, int fold, double *A, ptrdiff_t ld,
                       ptrdiff_t count, const bool *valid, const double *v, ptrdiff_t ldv) {
  const int width = width_of(p->plan, row);
  bool slow[MARKED];
  ptrdiff_t kept = 0;
  for (ptrdiff_t k = 0; k < count; k++) {
    if (k % MARKED == 0)
      rbv_mark_slow(slow, p->plan->m, p->plan->filter, row, v + k, ldv,
                    count - k < MARKED ? count - k : MARKED);
    if (!valid[k] || slow[k % MARKED]) continue;
    for (int c = 0; c < width && kept != k; c++) A[kept + c * ld] = A[k + c * ld];
    kept++;
  }
  return p->plan->client->emit(p->client, row, fold, A, ld, kept, count - kept);
}

/* fold of a block: its number, or that of the fold to which it is dealt */
static int dealt(const rbv_row_filter *f, int block) {
  return f->deal.of ? f->deal.of[block] : block;
}

/* pass on rows first .. first + count - 1 of total, fold by fold */
static rbv_status emit_folds(stream_worker *p, int row, double *A, ptrdiff_t ld, ptrdiff_t first,
                             ptrdiff_t count, ptrdiff_t total, const bool *valid, const double *v,
                             ptrdiff_t ldv) {
  for (ptrdiff_t k = first; k < first + count;) {
    const int block = fold_of(p, k, total);
    ptrdiff_t end = fold_begin(p, block + 1, total);
    if (end > first + count) end = first + count;
    RBV_TRY(emit(p, row, dealt(p->plan->filter, block), A + (k - first), ld, end - k,
                 valid + (k - first), v + (k - first), ldv));
    k = end;
  }
  return RBV_OK;
}

/*
 * Mark the decimated rows near an invalid sample. The main lobe of the filter reaches n_d / band
 * (half a period of the cut-off); samples more than 1.2 times that away only contribute through the
 * side lobes. With a prefilter the lobe is shorter, but the same samples are left out.
 */
static void mark_invalid(stream_worker *p, ptrdiff_t first, ptrdiff_t count) {
  const rbv_decimate_options *o = &p->plan->decimate;
  const ptrdiff_t n = o->factor;
  const ptrdiff_t halo = lround(1.2 * (double)n / fmin(o->cutoff_ratio, RBV_ROW_BAND) + 1e-9);
  const ptrdiff_t start = rbv_decimate_index(p->block.begin, o);
  const ptrdiff_t rows = p->block.end - p->block.begin;
  for (ptrdiff_t i = 0; i < count; i++) {
    if (p->valid[i]) continue;
    ptrdiff_t k = (first + i - halo - start) / n;
    for (k = k < 0 ? 0 : k; k < rows && start + k * n <= first + i + halo; k++)
      if (start + k * n >= first + i - halo) p->clean[k] = false;
  }
}

/* store the velocities at the decimated rows of the block that are in this chunk */
static void store_velocities(stream_worker *p, ptrdiff_t first, ptrdiff_t count) {
  const rbv_decimate_options *o = &p->plan->decimate;
  const ptrdiff_t start = rbv_decimate_index(p->block.begin, o), n = o->factor;
  ptrdiff_t k = first > start ? (first - start + n - 1) / n : 0;
  for (; k < p->block.end - p->block.begin && start + k * n < first + count; k++)
    for (int j = 0; j < p->plan->m->njoint; j++)
      p->velocity[k + j * p->plan->stride] = p->speed[start + k * n - first + j * ROW_CHUNK];
}

/* callback of the decimators; outputs in the halo are not used. first counts from the first sample
 * of the block */
static rbv_status emit_decimated(void *self, double *Y, ptrdiff_t ldy, ptrdiff_t first,
                                 ptrdiff_t count) {
  const row_output *o = self;
  stream_worker *p = o->p;
  const rbv_decimate_options *d = &p->plan->decimate;
  first += p->block.low / d->factor - d->drop;
  ptrdiff_t begin = first > p->block.begin ? first : p->block.begin;
  ptrdiff_t end = first + count < p->block.end ? first + count : p->block.end;
  if (begin >= end) return RBV_OK;
  prefilter(p, o->row, true, Y + (begin - first), ldy, end - begin, begin == 0);
  Y = with_stored(p, o->row, Y + (begin - first), &ldy, begin, end - begin);
  first = begin;
  const ptrdiff_t skip = p->plan->skip, kept = p->plan->kept;
  if (begin < skip) begin = skip;
  if (end > skip + kept) end = skip + kept;
  const ptrdiff_t at = begin - p->block.begin;
  if (begin >= end) return RBV_OK;
  return emit_folds(p, o->row, Y + (begin - first), ldy, begin - skip, end - begin, kept,
                    p->clean + at, p->velocity + at, p->plan->stride);
}

/* without decimation the rows of a chunk are complete, except those that are trimmed */
static rbv_status emit_chunk(stream_worker *p, int row, ptrdiff_t first, ptrdiff_t count) {
  const ptrdiff_t trim = p->plan->filter->trim;
  ptrdiff_t from = trim - first, to = p->plan->nout + trim - first;
  if (from < 0) from = 0;
  if (to > count) to = count;
  if (from >= to) return RBV_OK;
  return emit_folds(p, row, p->X + from, ROW_CHUNK, first + from - trim, to - from, p->plan->nout,
                    p->valid + from, p->speed + from, ROW_CHUNK);
}

/* ---- blocks ---- */

static void apply_fade(stream_worker *p, int row, ptrdiff_t count) {
  const stream_plan *plan = p->plan;
  rbv_fade_weights(p->weight, plan->m, plan->filter->fade, row, p->speed, ROW_CHUNK, count);
  for (int c = 0; c < width_of(plan, row); c++)
    for (ptrdiff_t k = 0; k < count; k++) p->X[k + c * ROW_CHUNK] *= p->weight[k];
}

/* eliminate the unknown levels near standstill from the filtered rows of the chunk */
static void eliminate_levels(stream_worker *p, int row, ptrdiff_t first, ptrdiff_t count) {
  const ptrdiff_t trim = p->plan->filter->trim, end = trim + p->plan->nout;
  const int width = width_of(p->plan, row);
  for (ptrdiff_t k = 0; k < count; k++)
    p->used[k] = p->valid[k] && first + k >= trim && first + k < end;
  rbv_level_eliminate(p->X, ROW_CHUNK, width, p->level_sums[row], p->X + width * ROW_CHUNK,
                      &p->level_chunk, &p->level[row], p->used, count);
}

static rbv_status run_chunk(stream_worker *p, ptrdiff_t first, ptrdiff_t count) {
  const stream_plan *plan = p->plan;
  const rbv_samples samples = {.ld = ROW_CHUNK,
                               .q = p->q,
                               .dq = p->dq,
                               .ddq = p->ddq,
                               .torque = p->torque,
                               .valid = p->valid,
                               .contact = p->contacts ? p->contact : NULL};
  const rbv_samples only_valid = {.ld = ROW_CHUNK, .valid = p->valid};
  const bool stored = is_filled(plan);
  RBV_TRY(rbv_motion_read(plan->motion, stored ? &only_valid : &samples, first, count));
  if (!stored) RBV_TRY(rbv_state_cursor_read(p->state, ROW_CHUNK, &p->cursor, first, count, p->dq));
  const rbv_states states = {.count = count,
                             .ld = ROW_CHUNK,
                             .q = p->q,
                             .dq = p->dq,
                             .ddq = p->ddq,
                             .contact = samples.contact,
                             .state = plan->track ? p->state : NULL};
  if (p->contacts && !stored) rbv_contacts_eliminate(p->torque, ROW_CHUNK, 1, p->contacts, &states);
  RBV_TRY(plan->client->chunk(p->client, &states, first));
  p->speed = plan->client->velocity ? plan->client->velocity(p->client) : p->dq;
  settle(p, first, count);
  if (decimates(plan)) store_velocities(p, first, count);
  if (decimates(plan)) mark_invalid(p, first, count);
  for (int r = 0; r < plan->m->nrow; r++) {
    plan->client->fill(p->client, r, p->X, ROW_CHUNK, count, p->torque + r * ROW_CHUNK);
    if (plan->filter->fade) apply_fade(p, r, count);
    if (plan->levels > 0)
      rbv_level_columns(p->X + width_of(plan, r) * ROW_CHUNK, ROW_CHUNK, &p->level_chunk,
                        &p->level[r], p->weight, count);
    prefilter(p, r, false, p->X, ROW_CHUNK, count, first == 0);
    if (!decimates(plan)) prefilter(p, r, true, p->X, ROW_CHUNK, count, first == 0);
    if (plan->levels > 0) eliminate_levels(p, r, first, count);
    RBV_TRY(decimates(plan) ? rbv_decimator_add(p->decimator[r], p->X, ROW_CHUNK, count)
                            : emit_chunk(p, r, first, count));
  }
  return RBV_OK;
}

static range range_of(const stream_plan *p, ptrdiff_t block) {
  range r = {.begin = block * p->stride, .end = (block + 1) * p->stride};
  if (r.end > p->nout) r.end = p->nout;
  if (!decimates(p)) {
    r.low = block == 0 ? 0 : r.begin + p->filter->trim;
    r.high = block == p->nblock - 1 ? p->info->count : r.end + p->filter->trim;
    return r;
  }
  // start at a whole number of outputs, so that the outputs are at the same samples as without
  // blocks
  const ptrdiff_t n = p->decimate.factor, drop = p->decimate.drop;
  const ptrdiff_t low = (r.begin + drop - p->halo) * n, high = (r.end + drop + p->halo) * n;
  r.low = block > 0 && low > 0 ? low : 0;
  r.high = block < p->nblock - 1 && high < p->info->count ? high : p->info->count;
  return r;
}

/* the decimators of a block drop no outputs; range_of selects them */
static rbv_status open_decimators(stream_worker *p) {
  rbv_decimate_options options = p->plan->decimate;
  options.drop = 0;
  for (int r = 0; r < p->plan->m->nrow && decimates(p->plan); r++) {
    rbv_decimator_free(p->decimator[r]);
    p->decimator[r] = NULL;
    p->row_output[r] = (row_output){p, r};
    RBV_TRY(rbv_decimator_stream(&p->decimator[r], p->block.high - p->block.low,
                                 fresh_of(p->plan, r), &options, emit_decimated,
                                 &p->row_output[r]));
  }
  return RBV_OK;
}

/* samples of a chunk: if outputs are dense, the chunk ends with an output, which saves a copy */
static ptrdiff_t chunk_length(const stream_plan *p, bool first) {
  const ptrdiff_t n = p->filter->decimate;
  if (n <= 1 || n > ROW_CHUNK / 2) return ROW_CHUNK;
  return first ? n / 2 + 1 + (ROW_CHUNK / n - 1) * n : ROW_CHUNK / n * n;
}

static rbv_status run_block(rbv_bytes *out, void *worker, void *self, ptrdiff_t index) {
  const stream_plan *plan = self;
  stream_worker *p = worker;
  p->block = range_of(plan, index);
  p->invalid_at = -1;
  RBV_TRY(open_decimators(p));
  plan->client->begin(p->client);
  for (ptrdiff_t k = 0; k < p->block.end - p->block.begin && decimates(plan); k++)
    p->clean[k] = true;
  for (ptrdiff_t first = p->block.low; first < p->block.high;) {
    const ptrdiff_t left = p->block.high - first;
    const ptrdiff_t length = chunk_length(plan, first == p->block.low);
    const ptrdiff_t count = left < length ? left : length;
    RBV_TRY(run_chunk(p, first, count));
    first += count;
  }
  for (int r = 0; r < plan->m->nrow && decimates(plan); r++)
    RBV_TRY(rbv_decimator_finish(NULL, 0, p->decimator[r]));
  plan->client->end(out, p->client);
  return RBV_OK;
}

static rbv_status take_block(void *self, ptrdiff_t index, const void *data, size_t size) {
  const stream_plan *p = self;
  (void)index;
  return p->client->take(p->client->self, data, size);
}

/* ---- workers ---- */

static void close_worker(void *worker, void *self) {
  stream_worker *p = worker;
  const stream_plan *plan = self;
  for (int r = 0; r < plan->m->nrow; r++) {
    rbv_decimator_free(p->decimator[r]);
    rbv_free(p->past[r]);
    rbv_free(p->level_sums[r]);
  }
  if (p->client) plan->client->close(p->client);
  rbv_state_cursor_close(&p->cursor);
  rbv_dynamics_free(p->contacts);
  rbv_free(p);
}

static rbv_status open_worker(void **out, void *self, int thread) {
  const stream_plan *plan = self;
  (void)thread;
  stream_worker sizes = {.plan = plan};
  stream_worker *p;
  rbv_arena a = {0};
  RBV_CARVE(&a, p = layout(&sizes, &a));
  if (!p) return RBV_EMEM;
  *p = sizes;
  rbv_status status = new_prefilters(p);
  if (status == RBV_OK && plan->m->ncontact > 0) status = rbv_dynamics_new(&p->contacts, plan->m);
  if (status == RBV_OK) status = rbv_state_cursor_open(&p->cursor, plan->track);
  if (status == RBV_OK) status = plan->client->open(&p->client, plan->client->self);
  RBV_GIVE(out, p, status, close_worker(p, self));
}

/* ---- run ---- */

static rbv_status check_plan(const stream_plan *p) {
  if (p->info->njoint != p->m->njoint || p->info->ntorque != p->m->nrow)
    return rbv_fail(RBV_EDIM, "'%s' has %d joints and %d torques, the robot '%s' %d and %d",
                    p->info->name, p->info->njoint, p->info->ntorque, p->m->name, p->m->njoint,
                    p->m->nrow);
  if (p->filter->decimate < 0)
    return rbv_fail(RBV_EARG, "a decimation factor of %d is not possible: use 1 or more",
                    p->filter->decimate);
  if (decimates(p) && rbv_decimate_count(p->info->count, &p->decimate) < 1)
    return rbv_fail(RBV_EINPUT, "'%s' has %td samples: too few for a decimation by %d",
                    p->info->name, p->info->count, p->filter->decimate);
  if ((p->info->count - 1) / 2 < p->filter->trim)
    return rbv_fail(RBV_EINPUT, "'%s' has %td samples, but %td are to be dropped at each end",
                    p->info->name, p->info->count, p->filter->trim);
  return RBV_OK;
}

/* exclude decimated outputs at trimmed samples */
static void trim_outputs(stream_plan *p) {
  const ptrdiff_t trim = p->filter->trim, end = p->info->count - trim;
  ptrdiff_t last = p->nout;
  while (p->skip < last && rbv_decimate_index(p->skip, &p->decimate) < trim) p->skip++;
  while (last > p->skip && rbv_decimate_index(last - 1, &p->decimate) >= end) last--;
  p->kept = last - p->skip;
}

/* samples of a decimated block; independent of the number of threads, so that the rows are too */
static ptrdiff_t block_length(ptrdiff_t samples) {
  const ptrdiff_t share = samples / BLOCK_SHARE;
  if (share < BLOCK_SAMPLES) return BLOCK_SAMPLES;
  return share < BLOCK_LONGEST ? share : BLOCK_LONGEST;
}

/* choose the blocks; a prefilter depends on all samples before, so it needs a single block */
static void plan_blocks(stream_plan *p) {
  if (decimates(p)) {
    p->nout = rbv_decimate_count(p->info->count, &p->decimate);
    trim_outputs(p);
    p->halo = rbv_decimate_halo(&p->decimate);
    p->stride = block_length(p->info->count) / p->filter->decimate;
    if (p->stride < BLOCK_HALOS * p->halo) p->stride = BLOCK_HALOS * p->halo;
  } else {
    p->nout = p->info->count - 2 * p->filter->trim;
    p->stride = PLAIN_SAMPLES;
  }
  if (p->stride > p->nout || p->filter->prefilter) p->stride = p->nout;
  // an even number of blocks of nearly equal length, which suits two threads
  p->nblock = (p->nout - 1) / p->stride + 1;
  if (p->nblock > 1) p->nblock += p->nblock % 2;
  p->stride = (p->nout - 1) / p->nblock + 1;
  p->nblock = (p->nout - 1) / p->stride + 1;
}

static rbv_status run_plan(stream_plan *p) {
  const rbv_jobs jobs = {.name = "blocks of a motion",
                         .count = p->nblock,
                         .self = p,
                         .open = open_worker,
                         .close = close_worker,
                         .run = run_block,
                         .take = take_block,
                         .shared = true,
                         .window = WINDOW};
  return rbv_jobs_run(NULL, &jobs, &(rbv_jobs_options){.threads = p->filter->threads});
}

/* the same with the states of the laws */
static rbv_status run_with_states(stream_plan *p) {
  RBV_NEW(state_law, laws, p->m->nstate);
  state_track *track = NULL;
  rbv_state_laws(laws, p->m);
  rbv_status status = rbv_state_track_new(&track, p->motion, laws, p->m->nstate);
  p->track = track;
  if (status == RBV_OK) status = run_plan(p);
  rbv_state_track_free(track);
  rbv_free(laws);
  return status;
}

rbv_decimate_options rbv_row_filter_decimation(const rbv_row_filter *filter) {
  rbv_decimate_options o = rbv_decimate_defaults(filter->decimate > 1 ? filter->decimate : 1);
  o.cutoff_ratio = filter->prefilter  ? RBV_PREFILTER_BAND
                   : filter->band > 0 ? filter->band
                                      : RBV_ROW_BAND;
  return o;
}

rbv_status rbv_row_stream_run(const rbv_model *model, const rbv_row_filter *filter,
                              rbv_motion *motion, const row_client *client) {
  static const rbv_row_filter every_sample = {.decimate = 1};
  if (!filter) filter = &every_sample;
  stream_plan p = {.m = model, .filter = filter, .client = client, .motion = motion};
  p.info = rbv_motion_get_info(motion);
  p.decimate = rbv_row_filter_decimation(filter);
  if (filter->levels && filter->fade && filter->prefilter && !decimates(&p))
    p.levels = LEVEL_COLUMNS;
  RBV_TRY(check_plan(&p));
  plan_blocks(&p);
  for (int r = 0; r < model->nrow; r++)
    if (width_of(&p, r) > p.widest) p.widest = width_of(&p, r);
  const rbv_status status =
      model->nstate > 0 && !is_filled(&p) ? run_with_states(&p) : run_plan(&p);
  if (status == RBV_OK && client->store) client->store->filled = true;
  return status;
}
