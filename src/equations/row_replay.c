#include <roberval/sys/equations.h>
#include <string.h>

#include "dynamics/dynamics.h"
#include "equations/kept_rows.h"
#include "equations/row_stream.h"

typedef struct {
  const rbv_model *model;
  const double *chi;
  bool loaded;
  rbv_replay_visit *visit;
  void *self;
  double *residual;   // rbv_equations_residuals
  ptrdiff_t samples;  // its leading dimension
} replay;

/* working memory of a thread */
typedef struct {
  const replay *r;
  rbv_dynamics *d;
  ptrdiff_t first;    // sample of the chunk
  double *predicted;  // nrow x ROW_CHUNK
  rbv_text rows;      // result of the block so far: headers, each followed by its numbers
} worker;

/* header of rows in the result of a block; count measured torques follow, then count
 * predicted ones */
typedef struct {
  int row, fold;
  ptrdiff_t count;
} result_header;

static int replay_width(const void *self, int row) {
  (void)self;
  (void)row;
  return 2;
}

static void close_worker(void *self) {
  worker *w = self;
  rbv_dynamics_free(w->d);
  rbv_free(w->predicted);
  rbv_text_free(&w->rows);
  rbv_free(w);
}

static rbv_status open_worker(void **out, void *self) {
  const replay *r = self;
  RBV_NEW(worker, w, 1);
  w->r = r;
  w->predicted = rbv_alloc((size_t)r->model->nrow * ROW_CHUNK * sizeof *w->predicted);
  rbv_status status = w->predicted ? rbv_dynamics_new(&w->d, r->model) : RBV_EMEM;
  if (status == RBV_OK) status = rbv_dynamics_set(w->d, r->chi, r->loaded);
  RBV_GIVE(out, w, status, close_worker(w));
}

static void begin_block(void *self) {
  worker *w = self;
  w->rows.size = 0;
}

static rbv_status replay_chunk(void *self, const rbv_states *s, ptrdiff_t first) {
  worker *w = self;
  w->first = first;
  rbv_dynamics_rows_batch(w->predicted, ROW_CHUNK, w->d, s);
  rbv_contacts_eliminate(w->predicted, ROW_CHUNK, 1, w->d, s);
  return RBV_OK;
}

static void replay_fill(void *self, int row, double *X, ptrdiff_t ld, ptrdiff_t count,
                        const double *torque) {
  const worker *w = self;
  const double *predicted = w->predicted + row * ROW_CHUNK;
  memcpy(X, torque, (size_t)count * sizeof *X);
  memcpy(X + ld, predicted, (size_t)count * sizeof *X);
}

static rbv_status replay_emit(void *self, int row, int fold, const double *A, ptrdiff_t ld,
                              ptrdiff_t count, ptrdiff_t masked) {
  worker *w = self;
  (void)masked;
  if (count == 0) return RBV_OK;
  result_header p;
  memset(&p, 0, sizeof p);  // padding bytes are copied too
  p.row = row;
  p.fold = fold;
  p.count = count;
  rbv_text_add(&w->rows, (const char *)&p, sizeof p);
  for (int c = 0; c < 2; c++)
    rbv_text_add(&w->rows, (const char *)(A + c * ld), (size_t)count * sizeof *A);
  return w->rows.failed ? RBV_EMEM : RBV_OK;
}

static void end_block(rbv_bytes *out, void *self) {
  const worker *w = self;
  if (w->rows.size > 0) rbv_bytes_add(out, w->rows.data, w->rows.size);
}

/* copy the numbers, because the result of a block is not aligned */
static rbv_status take_rows(void *self, const void *data, size_t size) {
  const replay *r = self;
  double *pair = NULL;
  ptrdiff_t room = 0;
  for (const char *from = data, *const end = from + size; from < end;) {
    result_header p;
    memcpy(&p, from, sizeof p);
    from += sizeof p;
    const size_t bytes = 2 * (size_t)p.count * sizeof *pair;
    if (p.count > room) {
      rbv_free(pair);
      pair = rbv_alloc(bytes);
      if (!pair) return RBV_EMEM;
      room = p.count;
    }
    memcpy(pair, from, bytes);
    from += bytes;
    r->visit(r->self, p.row, p.fold, pair, pair + p.count, p.count);
  }
  rbv_free(pair);
  return RBV_OK;
}

rbv_status rbv_equations_replay(const rbv_model *model, const rbv_row_filter *filter,
                                rbv_motion *motion, const double *chi, rbv_replay_visit *visit,
                                void *self) {
  replay r = {.model = model,
              .chi = chi,
              .loaded = rbv_motion_get_info(motion)->loaded,
              .visit = visit,
              .self = self};
  const row_client client = {.self = &r,
                             .open = open_worker,
                             .close = close_worker,
                             .width = replay_width,
                             .begin = begin_block,
                             .chunk = replay_chunk,
                             .fill = replay_fill,
                             .emit = replay_emit,
                             .end = end_block,
                             .take = take_rows};
  return rbv_row_stream_run(model, filter, motion, &client);
}

/* ---- residuals of all samples ---- */

/* no rows pass the filter: the residuals are written where they belong */
static int no_width(const void *self, int row) {
  (void)self, (void)row;
  return 0;
}

static void write_residuals(void *self, int row, double *X, ptrdiff_t ld, ptrdiff_t count,
                            const double *torque) {
  const worker *w = self;
  (void)X, (void)ld;
  const double *predicted = w->predicted + row * ROW_CHUNK;
  double *e = w->r->residual + w->first + row * w->r->samples;
  for (ptrdiff_t k = 0; k < count; k++) e[k] = torque[k] - predicted[k];
}

static rbv_status emit_nothing(void *self, int row, int fold, const double *A, ptrdiff_t ld,
                               ptrdiff_t count, ptrdiff_t masked) {
  (void)self, (void)row, (void)fold, (void)A, (void)ld, (void)count, (void)masked;
  return RBV_OK;
}

static rbv_status take_nothing(void *self, const void *data, size_t size) {
  (void)self, (void)data, (void)size;
  return RBV_OK;
}

rbv_status rbv_equations_residuals(double *residual, const rbv_model *model, rbv_motion *motion,
                                   const double *chi, int threads) {
  const rbv_motion_info *info = rbv_motion_get_info(motion);
  const rbv_row_filter every_sample = {.decimate = 1, .threads = threads};
  replay r = {.model = model,
              .chi = chi,
              .loaded = info->loaded,
              .residual = residual,
              .samples = info->count};
  const row_client client = {.self = &r,
                             .open = open_worker,
                             .close = close_worker,
                             .width = no_width,
                             .begin = begin_block,
                             .chunk = replay_chunk,
                             .fill = write_residuals,
                             .emit = emit_nothing,
                             .end = end_block,
                             .take = take_nothing};
  return rbv_row_stream_run(model, &every_sample, motion, &client);
}
