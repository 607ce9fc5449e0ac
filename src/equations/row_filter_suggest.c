#include <limits.h>
#include <math.h>
#include <roberval/sys/equations.h>
#include <roberval/sys/stats.h>
#include <string.h>
#include "signal/signal.h"

#include "equations/row_stream.h"
#include "model/model_internal.h"

#define MASK_SHARE 0.02  // share of the typical top speed of the joints
#define EQUATIONS 3      // at least so many for each unknown of a torque row
#define CHUNK 504        // samples read at once
#define SPAN 65520       // samples that one job of a thread covers
#define SPEEDS 65536     // at most so many samples of a motion decide about its speeds
#define TOP_SHARE 0.99   // of the samples are slower than the typical top speed

static rbv_status read_positions(void *self, double *X, ptrdiff_t ldx, ptrdiff_t first,
                                 ptrdiff_t count) {
  return rbv_motion_read(self, &(rbv_samples){.ld = ldx, .q = X}, first, count);
}

/* cut-off frequency of a motion: as used, else as suggested by its recording, else by itself; 0:
 * there is none */
static rbv_status find_cutoff(double *out, rbv_motion *motion, int threads) {
  const rbv_motion_info *info = rbv_motion_get_info(motion);
  const rbv_motion_origin *origin = rbv_motion_get_origin(motion);
  *out = origin && origin->cutoff_hz > 0 ? origin->cutoff_hz : origin ? origin->suggested_hz : 0;
  if (*out > 0 || info->count < 256) return RBV_OK;
  rbv_suggestion s;
  RBV_TRY(rbv_signal_suggest_from(&s, read_positions, motion, info->count, info->njoint,
                                  info->rate_hz, threads));
  *out = s.cutoff_hz;
  return RBV_OK;
}

/* sample rate / cut-off of a motion, the same for all methods of differentiation */
static rbv_status find_ratio(double *out, rbv_motion *motion, int threads) {
  double cutoff_hz;
  RBV_TRY(find_cutoff(&cutoff_hz, motion, threads));
  const double rate_hz = rbv_motion_get_info(motion)->rate_hz;
  *out = cutoff_hz > 0 ? fmax(1, rate_hz / cutoff_hz) : 1;
  return RBV_OK;
}

/* The band of a decimation by `ratio`, which need not be an integer; the factor is rounded down.
 * Products of two signals in the band have no frequency at the rate of the rows, so that the normal
 * equations hardly depend on which rows are kept. */
static void set_decimation(rbv_row_filter *out, double ratio) {
  const double factor = floor(ratio + 1e-9);
  out->decimate = factor > 1 ? (int)fmin(factor, INT_MAX) : 1;
  out->band = factor > 1 ? fmin(RBV_ROW_BAND * factor / ratio, RBV_ROW_BAND) : 0;
}

static double ratio_of(const rbv_row_filter *filter) {
  return filter->band > 0 ? RBV_ROW_BAND * filter->decimate / filter->band : filter->decimate;
}

/* ---- typical top speed of each joint: 99 % of the samples are slower ---- */

typedef struct {
  rbv_motion *motion;
  const rbv_motion_info *info;
  ptrdiff_t stride;  // every stride-th sample is used
  ptrdiff_t kept;    // so many of them
  double *speed;     // kept x njoint
} speeds;

static rbv_status open_speeds(void **out, void *self, int thread) {
  const int n = ((const speeds *)self)->info->njoint;
  (void)thread;
  *out = rbv_alloc(2 * CHUNK * (size_t)n * sizeof(double));
  return *out ? RBV_OK : RBV_EMEM;
}

static void close_speeds(void *worker, void *self) {
  (void)self;
  rbv_free(worker);
}

/* number of the first used sample from this one on, among the used ones */
static ptrdiff_t used_from(const speeds *s, ptrdiff_t sample) {
  return (sample + s->stride - 1) / s->stride;
}

static rbv_status run_span(rbv_bytes *out, void *worker, void *self, ptrdiff_t index) {
  const speeds *s = self;
  const int n = s->info->njoint;
  double *dq = worker, *used = dq + (ptrdiff_t)CHUNK * n;
  const rbv_samples samples = {.ld = CHUNK, .dq = dq};
  const ptrdiff_t begin = index * SPAN, left = s->info->count - begin;
  const ptrdiff_t end = begin + (left < SPAN ? left : SPAN);
  for (ptrdiff_t first = begin; first < end; first += CHUNK) {
    const ptrdiff_t count = end - first < CHUNK ? end - first : CHUNK;
    RBV_TRY(rbv_motion_read(s->motion, &samples, first, count));
    size_t values = 0;
    for (ptrdiff_t k = used_from(s, first) * s->stride; k < first + count; k += s->stride)
      for (int j = 0; j < n; j++) used[values++] = fabs(dq[k - first + j * CHUNK]);
    rbv_bytes_add(out, used, values * sizeof *used);
  }
  return RBV_OK;
}

static rbv_status take_span(void *self, ptrdiff_t index, const void *data, size_t size) {
  const speeds *s = self;
  const int n = s->info->njoint;
  const double *speed = data;
  const ptrdiff_t first = used_from(s, index * SPAN);
  const ptrdiff_t count = (ptrdiff_t)(size / sizeof *speed) / n;
  for (ptrdiff_t k = 0; k < count; k++)
    for (int j = 0; j < n; j++) s->speed[first + k + j * s->kept] = speed[k * n + j];
  return RBV_OK;
}

/* combined with the values in top */
static rbv_status top_speeds(double *top, rbv_motion *motion, int threads) {
  const rbv_motion_info *info = rbv_motion_get_info(motion);
  speeds s = {.motion = motion, .info = info, .stride = (info->count - 1) / SPEEDS + 1};
  s.kept = used_from(&s, info->count);
  s.speed = rbv_alloc((size_t)s.kept * (size_t)info->njoint * sizeof *s.speed);
  if (!s.speed) return RBV_EMEM;
  const rbv_jobs jobs = {.name = "speeds of a motion",
                         .count = (info->count - 1) / SPAN + 1,
                         .self = &s,
                         .open = open_speeds,
                         .close = close_speeds,
                         .run = run_span,
                         .take = take_span,
                         .shared = true};
  const rbv_status status = rbv_jobs_run(NULL, &jobs, &(rbv_jobs_options){.threads = threads});
  for (int j = 0; j < info->njoint && status == RBV_OK; j++)
    top[j] = fmax(top[j], rbv_select(s.speed + j * s.kept, s.kept,
                                     (ptrdiff_t)(TOP_SHARE * (double)(s.kept - 1))));
  rbv_free(s.speed);
  return status;
}

rbv_status rbv_typical_speeds(double *top, rbv_motion *const *motions, int nmotion, int threads) {
  if (nmotion < 1)
    return rbv_fail(RBV_EARG, "at least one motion is needed to find the top speeds");
  const int n = rbv_motion_get_info(motions[0])->njoint;
  memset(top, 0, (size_t)n * sizeof *top);
  for (int i = 0; i < nmotion; i++) RBV_TRY(top_speeds(top, motions[i], threads));
  return RBV_OK;
}

/* ---- suggestions ---- */

static bool has_step(const rbv_model *m) {
  for (int t = 0; t < m->nterm; t++)
    if (m->term[t].law && (m->term[t].law->steps || m->term[t].law->uncertain_at_rest)) return true;
  return false;
}

rbv_status rbv_row_filter_suggest(rbv_row_filter *out, const rbv_model *m,
                                  rbv_motion *const *motions, int nmotion, int threads) {
  *out = (rbv_row_filter){.threads = threads};
  RBV_NEW(double, top, m->njoint);
  rbv_status status = RBV_OK;
  double least = INFINITY;
  for (int i = 0; i < nmotion && status == RBV_OK; i++) {
    double ratio = 1;
    status = find_ratio(&ratio, motions[i], threads);
    if (status == RBV_OK && has_step(m)) status = top_speeds(top, motions[i], threads);
    least = fmin(least, ratio);
  }
  set_decimation(out, isfinite(least) ? least : 1);
  if (status == RBV_OK && has_step(m)) {
    const double half = 0.5;
    status = rbv_stats_quantiles(&out->mask, top, top, m->njoint, &half, 1);
    out->mask *= MASK_SHARE;
  }
  rbv_free(top);
  return status;
}

/* ---- enough equations ---- */

/* add the samples of a motion at which the mask keeps each torque row */
static rbv_status count_moving(double *moving, const rbv_model *m, rbv_motion *motion,
                               const rbv_row_filter *filter) {
  const rbv_motion_info *info = rbv_motion_get_info(motion);
  const ptrdiff_t stride = (info->count - 1) / SPEEDS + 1;
  RBV_NEW(double, dq, CHUNK *(size_t)m->njoint);
  const rbv_samples samples = {.ld = CHUNK, .dq = dq};
  rbv_status status = RBV_OK;
  for (ptrdiff_t first = 0; first < info->count && status == RBV_OK; first += CHUNK) {
    const ptrdiff_t count = info->count - first < CHUNK ? info->count - first : CHUNK;
    ptrdiff_t k = (first + stride - 1) / stride * stride;
    if (k >= first + count) continue;
    status = rbv_motion_read(motion, &samples, first, count);
    // the used samples, one after the other
    ptrdiff_t used = 0;
    for (; k < first + count; k += stride, used++)
      for (int j = 0; j < m->njoint; j++) dq[used + j * CHUNK] = dq[k - first + j * CHUNK];
    for (int r = 0; r < m->nrow && status == RBV_OK; r++) {
      bool slow[CHUNK];
      rbv_mark_slow(slow, m, filter, r, dq, CHUNK, used);
      for (ptrdiff_t i = 0; i < used; i++) moving[r] += slow[i] ? 0 : (double)stride;
    }
  }
  rbv_free(dq);
  return status;
}

rbv_status rbv_row_filter_limit(rbv_row_filter *filter, const rbv_model *m,
                                rbv_motion *const *motions, int nmotion, const int *unknowns,
                                double share) {
  double *moving = rbv_alloc((size_t)m->nrow * sizeof *moving);
  rbv_status status = moving ? RBV_OK : RBV_EMEM;
  for (int i = 0; i < nmotion && status == RBV_OK; i++)
    status = count_moving(moving, m, motions[i], filter);
  double most = INFINITY;
  for (int r = 0; r < m->nrow && status == RBV_OK; r++) {
    // a decimation drops three rows at each end of a motion
    const double rows = EQUATIONS * unknowns[r] / share + 6 * nmotion;
    most = fmin(most, fmax(1, moving[r] / rows));
  }
  if (filter->decimate > 1 && ratio_of(filter) > most) set_decimation(filter, most);
  rbv_free(moving);
  return status;
}

rbv_status rbv_row_filter_fade(double *fade, rbv_motion *const *motions, int nmotion,
                               double share) {
  RBV_TRY(rbv_typical_speeds(fade, motions, nmotion, 1));
  for (int j = 0; j < rbv_motion_get_info(motions[0])->njoint; j++) fade[j] *= share;
  return RBV_OK;
}
