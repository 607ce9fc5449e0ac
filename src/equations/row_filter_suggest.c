#include <math.h>
#include <roberval/sys/equations.h>
#include <roberval/sys/signal.h>
#include <roberval/sys/stats.h>
#include <string.h>

#include "model/model_internal.h"

#define MASK_SHARE 0.02  // share of the typical top speed of the joints
#define CHUNK 504        // samples read at once
#define SPAN 65520       // samples that one job of a thread covers

static rbv_status read_positions(void *self, double *X, ptrdiff_t ldx, ptrdiff_t first,
                                 ptrdiff_t count) {
  return rbv_motion_read(self, &(rbv_samples){.ld = ldx, .q = X}, first, count);
}

/* decimation factor for a motion: from its cut-off, or from the spectrum of its positions */
static rbv_status suggest_decimation(int *out, rbv_motion *motion, int threads) {
  const rbv_motion_info *info = rbv_motion_get_info(motion);
  const rbv_motion_origin *origin = rbv_motion_get_origin(motion);
  *out = 1;
  if (origin && origin->periods > 0) return RBV_OK;  // averaging over periods has already filtered
  if (origin && origin->cutoff_hz > 0) {
    *out = (int)fmax(1, floor(info->rate_hz / origin->cutoff_hz + 1e-9));
    return RBV_OK;
  }
  if (info->count < 256) return RBV_OK;
  rbv_suggestion s;
  RBV_TRY(rbv_signal_suggest_from(&s, read_positions, motion, info->count, info->njoint,
                                  info->rate_hz, threads));
  *out = s.decimation;
  return RBV_OK;
}

/* ---- largest speed of each joint of a motion, combined with the values in `top` ---- */

typedef struct {
  rbv_motion *motion;
  const rbv_motion_info *info;
  double *top;
} speeds;

static rbv_status open_speeds(void **out, void *self, int thread) {
  const int n = ((const speeds *)self)->info->njoint;
  (void)thread;
  *out = rbv_alloc((CHUNK + 1) * (size_t)n * sizeof(double));
  return *out ? RBV_OK : RBV_EMEM;
}

static void close_speeds(void *worker, void *self) {
  (void)self;
  rbv_free(worker);
}

static rbv_status run_span(rbv_bytes *out, void *worker, void *self, ptrdiff_t index) {
  const speeds *s = self;
  const int n = s->info->njoint;
  double *dq = worker, *top = dq + (ptrdiff_t)CHUNK * n;
  const rbv_samples samples = {.ld = CHUNK, .dq = dq};
  const ptrdiff_t begin = index * SPAN, left = s->info->count - begin;
  const ptrdiff_t end = begin + (left < SPAN ? left : SPAN);
  for (int j = 0; j < n; j++) top[j] = 0;
  for (ptrdiff_t first = begin; first < end; first += CHUNK) {
    const ptrdiff_t count = end - first < CHUNK ? end - first : CHUNK;
    RBV_TRY(rbv_motion_read(s->motion, &samples, first, count));
    for (int j = 0; j < n; j++)
      for (ptrdiff_t k = 0; k < count; k++) top[j] = fmax(top[j], fabs(dq[k + j * CHUNK]));
  }
  rbv_bytes_add(out, top, (size_t)n * sizeof *top);
  return RBV_OK;
}

static rbv_status take_span(void *self, ptrdiff_t index, const void *data, size_t size) {
  const speeds *s = self;
  const double *top = data;
  (void)index;
  (void)size;
  for (int j = 0; j < s->info->njoint; j++) s->top[j] = fmax(s->top[j], top[j]);
  return RBV_OK;
}

static rbv_status top_speeds(double *top, rbv_motion *motion, int threads) {
  speeds s = {motion, rbv_motion_get_info(motion), top};
  const rbv_jobs jobs = {.name = "speeds of a motion",
                         .count = (s.info->count - 1) / SPAN + 1,
                         .self = &s,
                         .open = open_speeds,
                         .close = close_speeds,
                         .run = run_span,
                         .take = take_span,
                         .shared = true};
  return rbv_jobs_run(NULL, &jobs, &(rbv_jobs_options){.threads = threads});
}

/* ---- suggestions ---- */

static bool has_step(const rbv_model *m) {
  for (int t = 0; t < m->nterm; t++)
    if (m->term[t].law && m->term[t].law->steps && m->term[t].gamma == 0) return true;
  return false;
}

rbv_status rbv_row_filter_suggest(rbv_row_filter *out, const rbv_model *m,
                                  rbv_motion *const *motions, int nmotion, int threads) {
  *out = (rbv_row_filter){.threads = threads};
  double *top = rbv_alloc((size_t)m->njoint * sizeof *top);
  if (!top) return RBV_EMEM;
  rbv_status status = RBV_OK;
  for (int i = 0; i < nmotion && status == RBV_OK; i++) {
    int decimate;
    status = suggest_decimation(&decimate, motions[i], threads);
    if (status == RBV_OK && has_step(m)) status = top_speeds(top, motions[i], threads);
    if (out->decimate == 0 || decimate < out->decimate) out->decimate = decimate;
  }
  if (status == RBV_OK && has_step(m)) {
    const double half = 0.5;
    status = rbv_stats_quantiles(&out->mask, top, top, m->njoint, &half, 1);
    out->mask *= MASK_SHARE;
  }
  if (out->decimate < 1) out->decimate = 1;
  rbv_free(top);
  return status;
}

rbv_status rbv_row_filter_fade(double *fade, rbv_motion *const *motions, int nmotion,
                               double share) {
  if (nmotion < 1)
    return rbv_fail(RBV_EARG, "at least one motion is needed to find the top speeds");
  const int n = rbv_motion_get_info(motions[0])->njoint;
  memset(fade, 0, (size_t)n * sizeof *fade);
  for (int i = 0; i < nmotion; i++) RBV_TRY(top_speeds(fade, motions[i], 1));
  for (int j = 0; j < n; j++) fade[j] *= share;
  return RBV_OK;
}
