#include "equations/row_stream.h"

#include <math.h>
#include <roberval/sys/signal.h>
#include <string.h>

#define BLOCK_SAMPLES 131072  // of a decimated block at least, unless its halo asks for more
#define BLOCK_SHARE 16        // of a long motion: longer blocks have fewer halos,
#define BLOCK_LONGEST 524288  // but hold what waits for its turn
#define BLOCK_HALOS 30        // a decimated block is this many times as long as its halo
#define PLAIN_SAMPLES 16384   // of a block without decimation, which needs no halo
#define WINDOW 4              // blocks per thread whose results wait for their turn

/* how a motion is cut; all that blocks share */
typedef struct {
  const rbv_model *m;
  const rbv_row_filter *filter;
  const pump_client *client;
  rbv_motion *motion;
  const rbv_motion_info *info;
  rbv_decimate_options decimate;
  ptrdiff_t nout;    // rows per torque row: decimated outputs, or samples that are not trimmed
  ptrdiff_t skip;    // decimated outputs at the start that are trimmed
  ptrdiff_t kept;    // rows that are not trimmed
  ptrdiff_t stride;  // rows of a block
  ptrdiff_t halo;    // decimated outputs beside a cut that do not count
  ptrdiff_t nblock;
  int widest;  // columns of the widest row
} pump_plan;

/* the rows of one block */
typedef struct {
  ptrdiff_t begin, end;  // of the motion's rows
  ptrdiff_t low, high;   // samples that they are made from
} range;

typedef struct pump pump;

/* a torque row's way out of its decimator */
typedef struct {
  pump *p;
  int row;
} outlet;

/* what one thread works with */
struct pump {
  const pump_plan *plan;
  void *client;                   // its worker
  range block;                    // that is pumped
  double *q, *dq, *ddq, *torque;  // a chunk
  double *X;                      // a chunk of the widest row
  double *velocity;               // dq where the decimated rows of the block stand, stride x njoint
  const double *speed;            // velocities of the chunk that tell where joints stand still
  double *weight;                 // of the chunk's equations of a row
  bool *valid;                    // a chunk
  bool *clean;                    // decimated rows without an invalid sample in their support
  rbv_decimator **decimator;      // per row
  outlet *outlet;                 // per row
  double **past;                  // per row: memory of its shape, before and after the decimation
  ptrdiff_t invalid_at;           // the last invalid sample; the one before the first is
};

static pump *layout(pump *p, rbv_arena *a) {
  const pump_plan *plan = p->plan;
  const int n = plan->m->njoint;
  const size_t rows = plan->filter->decimate > 1 ? (size_t)plan->stride : 0;
  pump *place = RBV_TAKE(a, 1, pump);
  p->q = RBV_TAKE(a, PUMP_CHUNK * n, double);
  p->dq = RBV_TAKE(a, PUMP_CHUNK * n, double);
  p->ddq = RBV_TAKE(a, PUMP_CHUNK * n, double);
  p->torque = RBV_TAKE(a, PUMP_CHUNK * plan->m->nrow, double);
  p->X = RBV_TAKE(a, PUMP_CHUNK * plan->widest, double);
  p->velocity = RBV_TAKE(a, rows * (size_t)n, double);
  p->weight = RBV_TAKE(a, PUMP_CHUNK, double);
  p->valid = RBV_TAKE(a, PUMP_CHUNK, bool);
  p->clean = RBV_TAKE(a, rows, bool);
  p->decimator = RBV_TAKE(a, plan->m->nrow, rbv_decimator *);
  p->outlet = RBV_TAKE(a, plan->m->nrow, outlet);
  p->past = RBV_TAKE(a, plan->m->nrow, double *);
  return place;
}

static bool decimates(const pump_plan *p) { return p->filter->decimate > 1; }

static int width_of(const pump_plan *p, int row) { return p->client->width(p->client->self, row); }

/* ---- the shape of rows ---- */

static rbv_status new_shapes(pump *p) {
  const rbv_row_filter *f = p->plan->filter;
  for (int r = 0; r < p->plan->m->nrow && f->shape; r++) {
    const int memory =
        rbv_transfer_memory(&f->shape[r].before) + rbv_transfer_memory(&f->shape[r].after);
    p->past[r] =
        rbv_alloc(((size_t)memory * (size_t)width_of(p->plan, r) + 1) * sizeof *p->past[r]);
    if (!p->past[r]) return RBV_EMEM;
  }
  return RBV_OK;
}

/* rows of the stream through one of the functions; those of the first piece start it */
static void shape(const pump *p, int row, bool after, double *X, ptrdiff_t ld, ptrdiff_t count,
                  bool starts) {
  if (!p->plan->filter->shape || count == 0) return;
  const rbv_row_shape *s = &p->plan->filter->shape[row];
  const rbv_transfer *H = after ? &s->after : &s->before;
  const int width = width_of(p->plan, row);
  double *past = p->past[row] + (after ? rbv_transfer_memory(&s->before) * width : 0);
  if (starts) rbv_transfer_start(past, H, X, ld, width);
  rbv_transfer_continue(X, ld, H, past, X, ld, count, width);
}

/* samples that a shape still remembers an invalid one, or the start, at are invalid too */
static void settle(pump *p, ptrdiff_t first, ptrdiff_t count) {
  const ptrdiff_t memory = p->plan->filter->settle;
  for (ptrdiff_t k = 0; k < count && memory > 0; k++) {
    if (!p->valid[k]) p->invalid_at = first + k;
    p->valid[k] = first + k - p->invalid_at > memory;
  }
}

/* ---- rows ---- */

/* the fold of row k out of total; the first row of a fold */
static int fold_of(const pump *p, ptrdiff_t k, ptrdiff_t total) {
  return p->plan->filter->folds > 1 ? (int)(k * p->plan->filter->folds / total) : 0;
}

static ptrdiff_t fold_begin(const pump *p, int fold, ptrdiff_t total) {
  return p->plan->filter->folds > 1
             ? (fold * total + p->plan->filter->folds - 1) / p->plan->filter->folds
         : fold > 0 ? total
                    : 0;
}

/* squeeze the invalid and masked rows out of A, whose velocities are at v, and hand the rest on */
static rbv_status emit(pump *p, int row, int fold, double *A, ptrdiff_t ld, ptrdiff_t count,
                       const bool *valid, const double *v, ptrdiff_t ldv) {
  const int width = width_of(p->plan, row);
  ptrdiff_t kept = 0;
  for (ptrdiff_t k = 0; k < count; k++) {
    if (!valid[k] || rbv_row_is_slow(p->plan->m, p->plan->filter, row, v + k, ldv)) continue;
    for (int c = 0; c < width && kept != k; c++) A[kept + c * ld] = A[k + c * ld];
    kept++;
  }
  return p->plan->client->emit(p->client, row, fold, A, ld, kept, count - kept);
}

/* rows first .. first + count - 1 of total, fold by fold */
static rbv_status emit_folds(pump *p, int row, double *A, ptrdiff_t ld, ptrdiff_t first,
                             ptrdiff_t count, ptrdiff_t total, const bool *valid, const double *v,
                             ptrdiff_t ldv) {
  for (ptrdiff_t k = first; k < first + count;) {
    const int fold = fold_of(p, k, total);
    ptrdiff_t end = fold_begin(p, fold + 1, total);
    if (end > first + count) end = first + count;
    RBV_TRY(emit(p, row, fold, A + (k - first), ld, end - k, valid + (k - first), v + (k - first),
                 ldv));
    k = end;
  }
  return RBV_OK;
}

/*
 * Decimated rows near an invalid sample go. The filter weighs a sample at most 1.25 n_d away within
 * its main lobe (half a period of the cut-off at 0.8 of the new Nyquist frequency); what lies more
 * than 1.5 n_d away enters through the side lobes only.
 */
static void note_invalid(pump *p, ptrdiff_t first, ptrdiff_t count) {
  const rbv_decimate_options *o = &p->plan->decimate;
  const ptrdiff_t n = o->factor, halo = (3 * n + 1) / 2;
  const ptrdiff_t start = rbv_decimate_index(p->block.begin, o);
  const ptrdiff_t rows = p->block.end - p->block.begin;
  for (ptrdiff_t i = 0; i < count; i++) {
    if (p->valid[i]) continue;
    ptrdiff_t k = (first + i - halo - start) / n;
    for (k = k < 0 ? 0 : k; k < rows && start + k * n <= first + i + halo; k++)
      if (start + k * n >= first + i - halo) p->clean[k] = false;
  }
}

/* velocities of the block's decimated rows that stand in this chunk */
static void note_velocities(pump *p, ptrdiff_t first, ptrdiff_t count) {
  const rbv_decimate_options *o = &p->plan->decimate;
  const ptrdiff_t start = rbv_decimate_index(p->block.begin, o), n = o->factor;
  ptrdiff_t k = first > start ? (first - start + n - 1) / n : 0;
  for (; k < p->block.end - p->block.begin && start + k * n < first + count; k++)
    for (int j = 0; j < p->plan->m->njoint; j++)
      p->velocity[k + j * p->plan->stride] = p->speed[start + k * n - first + j * PUMP_CHUNK];
}

/* decimated rows come out; those of the halo are not the block's. first counts from its low end */
static rbv_status emit_decimated(void *self, double *Y, ptrdiff_t ldy, ptrdiff_t first,
                                 ptrdiff_t count) {
  const outlet *o = self;
  pump *p = o->p;
  const rbv_decimate_options *d = &p->plan->decimate;
  first += p->block.low / d->factor - d->drop;
  ptrdiff_t begin = first > p->block.begin ? first : p->block.begin;
  ptrdiff_t end = first + count < p->block.end ? first + count : p->block.end;
  if (begin >= end) return RBV_OK;
  shape(p, o->row, true, Y + (begin - first), ldy, end - begin, begin == 0);
  const ptrdiff_t skip = p->plan->skip, kept = p->plan->kept;
  if (begin < skip) begin = skip;
  if (end > skip + kept) end = skip + kept;
  const ptrdiff_t at = begin - p->block.begin;
  if (begin >= end) return RBV_OK;
  return emit_folds(p, o->row, Y + (begin - first), ldy, begin - skip, end - begin, kept,
                    p->clean + at, p->velocity + at, p->plan->stride);
}

/* without decimation a chunk's rows are ready, but for those that are trimmed */
static rbv_status emit_chunk(pump *p, int row, ptrdiff_t first, ptrdiff_t count) {
  const ptrdiff_t trim = p->plan->filter->trim;
  ptrdiff_t from = trim - first, to = p->plan->nout + trim - first;
  if (from < 0) from = 0;
  if (to > count) to = count;
  if (from >= to) return RBV_OK;
  return emit_folds(p, row, p->X + from, PUMP_CHUNK, first + from - trim, to - from, p->plan->nout,
                    p->valid + from, p->speed + from, PUMP_CHUNK);
}

/* ---- blocks ---- */

static void fade_out(pump *p, int row, ptrdiff_t count) {
  const pump_plan *plan = p->plan;
  rbv_fade_weights(p->weight, plan->m, plan->filter->fade, row, p->speed, PUMP_CHUNK, count);
  for (int c = 0; c < width_of(plan, row); c++)
    for (ptrdiff_t k = 0; k < count; k++) p->X[k + c * PUMP_CHUNK] *= p->weight[k];
}

static rbv_status run_chunk(pump *p, ptrdiff_t first, ptrdiff_t count) {
  const pump_plan *plan = p->plan;
  const rbv_samples samples = {PUMP_CHUNK, p->q, p->dq, p->ddq, p->torque, p->valid};
  RBV_TRY(rbv_motion_read(plan->motion, &samples, first, count));
  const rbv_states states = {count, PUMP_CHUNK, p->q, p->dq, p->ddq};
  RBV_TRY(plan->client->chunk(p->client, &states, first));
  p->speed = plan->client->velocity ? plan->client->velocity(p->client) : p->dq;
  settle(p, first, count);
  if (decimates(plan)) note_velocities(p, first, count);
  if (decimates(plan)) note_invalid(p, first, count);
  for (int r = 0; r < plan->m->nrow; r++) {
    plan->client->fill(p->client, r, p->X, PUMP_CHUNK, count, p->torque + r * PUMP_CHUNK);
    if (plan->filter->fade) fade_out(p, r, count);
    shape(p, r, false, p->X, PUMP_CHUNK, count, first == 0);
    if (!decimates(plan)) shape(p, r, true, p->X, PUMP_CHUNK, count, first == 0);
    RBV_TRY(decimates(plan) ? rbv_decimator_add(p->decimator[r], p->X, PUMP_CHUNK, count)
                            : emit_chunk(p, r, first, count));
  }
  return RBV_OK;
}

static range range_of(const pump_plan *p, ptrdiff_t block) {
  range r = {.begin = block * p->stride, .end = (block + 1) * p->stride};
  if (r.end > p->nout) r.end = p->nout;
  if (!decimates(p)) {
    r.low = block == 0 ? 0 : r.begin + p->filter->trim;
    r.high = block == p->nblock - 1 ? p->info->count : r.end + p->filter->trim;
    return r;
  }
  // from a whole number of outputs on, so that they stand where they would
  const ptrdiff_t n = p->decimate.factor, drop = p->decimate.drop;
  const ptrdiff_t low = (r.begin + drop - p->halo) * n, high = (r.end + drop + p->halo) * n;
  r.low = block > 0 && low > 0 ? low : 0;
  r.high = block < p->nblock - 1 && high < p->info->count ? high : p->info->count;
  return r;
}

/* outputs of the block's own samples are counted without dropping any: that is done by range */
static rbv_status open_decimators(pump *p) {
  rbv_decimate_options options = p->plan->decimate;
  options.drop = 0;
  for (int r = 0; r < p->plan->m->nrow && decimates(p->plan); r++) {
    rbv_decimator_free(p->decimator[r]);
    p->decimator[r] = NULL;
    p->outlet[r] = (outlet){p, r};
    RBV_TRY(rbv_decimator_stream(&p->decimator[r], p->block.high - p->block.low,
                                 width_of(p->plan, r), &options, emit_decimated, &p->outlet[r]));
  }
  return RBV_OK;
}

/* samples of a chunk: where outputs are dense it ends with one, which saves a copy */
static ptrdiff_t chunk_length(const pump_plan *p, bool first) {
  const ptrdiff_t n = p->filter->decimate;
  if (n <= 1 || n > PUMP_CHUNK / 2) return PUMP_CHUNK;
  return first ? n / 2 + 1 + (PUMP_CHUNK / n - 1) * n : PUMP_CHUNK / n * n;
}

static rbv_status run_block(rbv_bytes *out, void *worker, void *self, ptrdiff_t index) {
  const pump_plan *plan = self;
  pump *p = worker;
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
  const pump_plan *p = self;
  (void)index;
  return p->client->take(p->client->self, data, size);
}

/* ---- workers ---- */

static void close_worker(void *worker, void *self) {
  pump *p = worker;
  const pump_plan *plan = self;
  for (int r = 0; r < plan->m->nrow; r++) {
    rbv_decimator_free(p->decimator[r]);
    rbv_free(p->past[r]);
  }
  if (p->client) plan->client->close(p->client);
  rbv_free(p);
}

static rbv_status open_worker(void **out, void *self, int thread) {
  const pump_plan *plan = self;
  (void)thread;
  pump sizes = {.plan = plan};
  rbv_arena measure = {0};
  (void)layout(&sizes, &measure);
  rbv_arena carve = {.base = rbv_alloc(measure.used)};
  if (!carve.base) return RBV_EMEM;
  pump *p = layout(&sizes, &carve);
  *p = sizes;
  rbv_status status = new_shapes(p);
  if (status == RBV_OK) status = plan->client->open(&p->client, plan->client->self);
  if (status == RBV_OK)
    *out = p;
  else
    close_worker(p, self);
  return status;
}

/* ---- the run ---- */

static rbv_status check(const pump_plan *p) {
  if (p->info->njoint != p->m->njoint || p->info->ntorque != p->m->nrow)
    return rbv_fail(RBV_EDIM, "'%s' has %d joints and %d torques, the robot '%s' %d and %d",
                    p->info->name, p->info->njoint, p->info->ntorque, p->m->name, p->m->njoint,
                    p->m->nrow);
  if (p->filter->decimate < 1)
    return rbv_fail(RBV_EARG, "a decimation by %d is not possible", p->filter->decimate);
  if (decimates(p) && rbv_decimate_count(p->info->count, &p->decimate) < 1)
    return rbv_fail(RBV_EINPUT, "'%s' has %td samples: too few for a decimation by %d",
                    p->info->name, p->info->count, p->filter->decimate);
  if ((p->info->count - 1) / 2 < p->filter->trim)
    return rbv_fail(RBV_EINPUT, "'%s' has %td samples, of which %td are dropped at each end",
                    p->info->name, p->info->count, p->filter->trim);
  return RBV_OK;
}

/* decimated outputs that stand among the trimmed samples */
static void trim_outputs(pump_plan *p) {
  const ptrdiff_t trim = p->filter->trim, end = p->info->count - trim;
  ptrdiff_t last = p->nout;
  while (p->skip < last && rbv_decimate_index(p->skip, &p->decimate) < trim) p->skip++;
  while (last > p->skip && rbv_decimate_index(last - 1, &p->decimate) >= end) last--;
  p->kept = last - p->skip;
}

/* samples of a decimated block; not a matter of threads, so that rows are not either */
static ptrdiff_t block_length(ptrdiff_t samples) {
  const ptrdiff_t share = samples / BLOCK_SHARE;
  if (share < BLOCK_SAMPLES) return BLOCK_SAMPLES;
  return share < BLOCK_LONGEST ? share : BLOCK_LONGEST;
}

/* where to cut; a shape remembers what was before, so that nothing is */
static void cut(pump_plan *p) {
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
  if (p->stride > p->nout || p->filter->shape) p->stride = p->nout;
  // as many for one thread as for another, and none that is much shorter
  p->nblock = (p->nout - 1) / p->stride + 1;
  if (p->nblock > 1) p->nblock += p->nblock % 2;
  p->stride = (p->nout - 1) / p->nblock + 1;
  p->nblock = (p->nout - 1) / p->stride + 1;
}

rbv_status rbv_pump_run(const rbv_model *model, const rbv_row_filter *filter, rbv_motion *motion,
                        const pump_client *client) {
  pump_plan p = {.m = model, .filter = filter, .client = client, .motion = motion};
  p.info = rbv_motion_get_info(motion);
  p.decimate = rbv_decimate_defaults(filter->decimate);
  if (filter->shape) p.decimate.cutoff_ratio = RBV_SHAPED_BAND;
  RBV_TRY(check(&p));
  cut(&p);
  for (int r = 0; r < model->nrow; r++)
    if (width_of(&p, r) > p.widest) p.widest = width_of(&p, r);
  const rbv_jobs jobs = {.name = "blocks of a motion",
                         .count = p.nblock,
                         .self = &p,
                         .open = open_worker,
                         .close = close_worker,
                         .run = run_block,
                         .take = take_block,
                         .window = WINDOW};
  return rbv_jobs_run(NULL, &jobs, &(rbv_jobs_options){.threads = filter->threads});
}
