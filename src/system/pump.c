#include "system/pump.h"

#include <math.h>
#include <roberval/signal.h>
#include <string.h>

typedef struct {
  const rbv_model *m;
  const rbv_row_filter *filter;
  const pump_client *client;
  rbv_motion *motion;
  const rbv_motion_info *info;
  rbv_decimate_options decimate;
  ptrdiff_t nout;                 // decimated rows per torque row
  int widest;                     // columns of the widest row
  double *q, *dq, *ddq, *torque;  // a chunk
  double *X;                      // a chunk of the widest row
  double *out;                    // decimated rows of the widest row
  double *velocity;               // dq where the decimated rows stand, nout x njoint
  const double *speed;            // velocities of the chunk that tell where joints stand still
  double *weight;                 // of the chunk's equations of a row
  bool *valid;                    // a chunk
  bool *clean;                    // decimated rows without an invalid sample in their support
  rbv_decimator **decimator;      // per row
  double **past;                  // per row: memory of its shape, before and after the decimation
  ptrdiff_t invalid_at;           // the last invalid sample; the one before the first is
} pump;

static void layout(pump *p, rbv_arena *a) {
  const int n = p->m->njoint;
  p->q = RBV_TAKE(a, PUMP_CHUNK * n, double);
  p->dq = RBV_TAKE(a, PUMP_CHUNK * n, double);
  p->ddq = RBV_TAKE(a, PUMP_CHUNK * n, double);
  p->torque = RBV_TAKE(a, PUMP_CHUNK * p->m->nrow, double);
  p->X = RBV_TAKE(a, PUMP_CHUNK * p->widest, double);
  p->out = RBV_TAKE(a, (size_t)p->nout * (size_t)p->widest, double);
  p->velocity = RBV_TAKE(a, (size_t)p->nout * (size_t)n, double);
  p->weight = RBV_TAKE(a, PUMP_CHUNK, double);
  p->valid = RBV_TAKE(a, PUMP_CHUNK, bool);
  p->clean = RBV_TAKE(a, p->nout, bool);
  p->decimator = RBV_TAKE(a, p->m->nrow, rbv_decimator *);
  p->past = RBV_TAKE(a, p->m->nrow, double *);
}

static bool decimates(const pump *p) { return p->filter->decimate > 1; }

/* ---- the shape of rows ---- */

static int width_of(const pump *p, int row) { return p->client->width(p->client->self, row); }

static rbv_status new_shapes(pump *p) {
  for (int r = 0; r < p->m->nrow && p->filter->shape; r++) {
    const rbv_row_shape *s = &p->filter->shape[r];
    const int memory = rbv_transfer_memory(&s->before) + rbv_transfer_memory(&s->after);
    p->past[r] = rbv_alloc(((size_t)memory * (size_t)width_of(p, r) + 1) * sizeof *p->past[r]);
    if (!p->past[r]) return RBV_EMEM;
  }
  return RBV_OK;
}

/* rows of the stream through one of the functions; those of the first piece start it */
static void shape(const pump *p, int row, bool after, double *X, ptrdiff_t ld, ptrdiff_t count,
                  bool starts) {
  if (!p->filter->shape || count == 0) return;
  const rbv_row_shape *s = &p->filter->shape[row];
  const rbv_transfer *H = after ? &s->after : &s->before;
  const int width = width_of(p, row);
  double *past = p->past[row] + (after ? rbv_transfer_memory(&s->before) * width : 0);
  if (starts) rbv_transfer_start(past, H, X, ld, width);
  rbv_transfer_continue(X, ld, H, past, X, ld, count, width);
}

/* samples that a shape still remembers an invalid one, or the start, at are invalid too */
static void settle(pump *p, ptrdiff_t first, ptrdiff_t count) {
  for (ptrdiff_t k = 0; k < count && p->filter->settle > 0; k++) {
    if (!p->valid[k]) p->invalid_at = first + k;
    p->valid[k] = first + k - p->invalid_at > p->filter->settle;
  }
}

/* ---- rows ---- */

/* the fold of row k out of total; the first row of a fold */
static int fold_of(const pump *p, ptrdiff_t k, ptrdiff_t total) {
  return p->filter->folds > 1 ? (int)(k * p->filter->folds / total) : 0;
}

static ptrdiff_t fold_begin(const pump *p, int fold, ptrdiff_t total) {
  return p->filter->folds > 1 ? (fold * total + p->filter->folds - 1) / p->filter->folds
         : fold > 0           ? total
                              : 0;
}

/* squeeze the invalid and masked rows out of A, whose velocities are at v, and hand the rest on */
static rbv_status emit(pump *p, int row, int fold, double *A, ptrdiff_t ld, ptrdiff_t count,
                       const bool *valid, const double *v, ptrdiff_t ldv) {
  const int width = width_of(p, row);
  ptrdiff_t kept = 0;
  for (ptrdiff_t k = 0; k < count; k++) {
    if (!valid[k] || rbv_row_is_slow(p->m, p->filter, row, v + k, ldv)) continue;
    for (int c = 0; c < width && kept != k; c++) A[kept + c * ld] = A[k + c * ld];
    kept++;
  }
  return p->client->emit(p->client->self, row, fold, A, ld, kept, count - kept);
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
  const ptrdiff_t n = p->decimate.factor, halo = (3 * (ptrdiff_t)n + 1) / 2;
  const ptrdiff_t start = rbv_decimate_index(0, &p->decimate);
  for (ptrdiff_t i = 0; i < count; i++) {
    if (p->valid[i]) continue;
    ptrdiff_t k = (first + i - halo - start) / n;
    for (k = k < 0 ? 0 : k; k < p->nout && start + k * n <= first + i + halo; k++)
      if (start + k * n >= first + i - halo) p->clean[k] = false;
  }
}

/* velocities of the decimated rows that stand in this chunk */
static void note_velocities(pump *p, ptrdiff_t first, ptrdiff_t count) {
  for (ptrdiff_t k = 0; k < p->nout; k++) {
    const ptrdiff_t at = rbv_decimate_index(k, &p->decimate) - first;
    if (at < 0) continue;
    if (at >= count) break;
    for (int j = 0; j < p->m->njoint; j++)
      p->velocity[k + j * p->nout] = p->speed[at + j * PUMP_CHUNK];
  }
}

/* without decimation a chunk's rows are ready, but for those that are trimmed */
static rbv_status emit_chunk(pump *p, int row, ptrdiff_t first, ptrdiff_t count) {
  ptrdiff_t from = p->filter->trim - first, to = p->info->count - p->filter->trim - first;
  if (from < 0) from = 0;
  if (to > count) to = count;
  if (from >= to) return RBV_OK;
  const ptrdiff_t total = p->info->count - 2 * p->filter->trim;
  return emit_folds(p, row, p->X + from, PUMP_CHUNK, first + from - p->filter->trim, to - from,
                    total, p->valid + from, p->speed + from, PUMP_CHUNK);
}

static void fade_out(pump *p, int row, ptrdiff_t count) {
  const int width = width_of(p, row);
  rbv_fade_weights(p->weight, p->m, p->filter->fade, row, p->speed, PUMP_CHUNK, count);
  for (int c = 0; c < width; c++)
    for (ptrdiff_t k = 0; k < count; k++) p->X[k + c * PUMP_CHUNK] *= p->weight[k];
}

static rbv_status emit_decimated(pump *p, int row) {
  const ptrdiff_t trim = p->filter->trim, end = p->info->count - trim;
  ptrdiff_t first = 0, last = p->nout;
  while (first < last && rbv_decimate_index(first, &p->decimate) < trim) first++;
  while (last > first && rbv_decimate_index(last - 1, &p->decimate) >= end) last--;
  return emit_folds(p, row, p->out + first, p->nout, 0, last - first, last - first,
                    p->clean + first, p->velocity + first, p->nout);
}

static rbv_status run_chunk(pump *p, ptrdiff_t first, ptrdiff_t count) {
  const rbv_samples samples = {PUMP_CHUNK, p->q, p->dq, p->ddq, p->torque, p->valid};
  RBV_TRY(rbv_motion_read(p->motion, &samples, first, count));
  const rbv_states states = {count, PUMP_CHUNK, p->q, p->dq, p->ddq};
  p->client->chunk(p->client->self, &states, p->info->loaded);
  p->speed = p->client->velocity ? p->client->velocity(p->client->self) : p->dq;
  settle(p, first, count);
  if (decimates(p)) note_velocities(p, first, count);
  if (decimates(p)) note_invalid(p, first, count);
  for (int r = 0; r < p->m->nrow; r++) {
    p->client->fill(p->client->self, r, p->X, PUMP_CHUNK, count, p->torque + r * PUMP_CHUNK);
    if (p->filter->fade) fade_out(p, r, count);
    shape(p, r, false, p->X, PUMP_CHUNK, count, first == 0);
    if (!decimates(p)) shape(p, r, true, p->X, PUMP_CHUNK, count, first == 0);
    RBV_TRY(decimates(p) ? rbv_decimator_add(p->decimator[r], p->X, PUMP_CHUNK, count)
                         : emit_chunk(p, r, first, count));
  }
  return RBV_OK;
}

static rbv_status run(pump *p) {
  for (int r = 0; r < p->m->nrow && decimates(p); r++)
    RBV_TRY(rbv_decimator_new(&p->decimator[r], p->info->count, width_of(p, r), &p->decimate));
  RBV_TRY(new_shapes(p));
  p->invalid_at = -1;
  for (ptrdiff_t k = 0; k < p->nout; k++) p->clean[k] = true;
  for (ptrdiff_t first = 0; first < p->info->count; first += PUMP_CHUNK) {
    const ptrdiff_t left = p->info->count - first;
    RBV_TRY(run_chunk(p, first, left < PUMP_CHUNK ? left : PUMP_CHUNK));
  }
  for (int r = 0; r < p->m->nrow && decimates(p); r++) {
    RBV_TRY(rbv_decimator_finish(p->out, p->nout, p->decimator[r]));
    shape(p, r, true, p->out, p->nout, p->nout, true);
    RBV_TRY(emit_decimated(p, r));
  }
  return RBV_OK;
}

static rbv_status check(const pump *p) {
  if (p->info->njoint != p->m->njoint || p->info->ntorque != p->m->nrow)
    return rbv_fail(RBV_EDIM, "'%s' has %d joints and %d torques, the robot '%s' %d and %d",
                    p->info->name, p->info->njoint, p->info->ntorque, p->m->name, p->m->njoint,
                    p->m->nrow);
  if (p->filter->decimate < 1)
    return rbv_fail(RBV_EARG, "a decimation by %d is not possible", p->filter->decimate);
  if (decimates(p) && p->nout < 1)
    return rbv_fail(RBV_EINPUT, "'%s' has %td samples: too few for a decimation by %d",
                    p->info->name, p->info->count, p->filter->decimate);
  if ((p->info->count - 1) / 2 < p->filter->trim)
    return rbv_fail(RBV_EINPUT, "'%s' has %td samples, of which %td are dropped at each end",
                    p->info->name, p->info->count, p->filter->trim);
  return RBV_OK;
}

rbv_status rbv_pump_run(const rbv_model *model, const rbv_row_filter *filter, rbv_motion *motion,
                        const pump_client *client) {
  pump p = {.m = model, .filter = filter, .client = client, .motion = motion};
  p.info = rbv_motion_get_info(motion);
  p.decimate = rbv_decimate_defaults(filter->decimate);
  if (filter->shape) p.decimate.cutoff_ratio = RBV_SHAPED_BAND;
  if (decimates(&p)) p.nout = rbv_decimate_count(p.info->count, &p.decimate);
  RBV_TRY(check(&p));
  for (int r = 0; r < model->nrow; r++) {
    if (width_of(&p, r) > p.widest) p.widest = width_of(&p, r);
  }
  rbv_arena measure = {0};
  layout(&p, &measure);
  char *memory = rbv_alloc(measure.used);
  if (!memory) return RBV_EMEM;
  rbv_arena carve = {.base = memory};
  layout(&p, &carve);
  const rbv_status status = run(&p);
  for (int r = 0; r < model->nrow; r++) {
    rbv_decimator_free(p.decimator[r]);
    rbv_free(p.past[r]);
  }
  rbv_free(memory);
  return status;
}
