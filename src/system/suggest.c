#include <math.h>
#include <roberval/signal.h>
#include <roberval/stats.h>
#include <roberval/system.h>
#include <string.h>

#include "model/model_internal.h"

#define MASK_SHARE 0.02  // of the joints' typical top speed
#define CHUNK 504        // samples read at a time

/* decimation that goes with a motion: by its cut-off, or by the spectrum of its positions */
static rbv_status suggest_decimation(int *out, rbv_motion *motion) {
  const rbv_motion_info *info = rbv_motion_get_info(motion);
  const rbv_motion_origin *origin = rbv_motion_get_origin(motion);
  *out = 1;
  if (origin && origin->periods > 0) return RBV_OK;  // averaging has filtered already
  if (origin && origin->cutoff_hz > 0) {
    *out = (int)fmax(1, floor(info->rate_hz / origin->cutoff_hz + 1e-9));
    return RBV_OK;
  }
  if (info->count < 256) return RBV_OK;
  double *q = rbv_alloc((size_t)info->count * (size_t)info->njoint * sizeof *q);
  if (!q) return RBV_EMEM;
  const rbv_samples samples = {.ld = info->count, .q = q};
  rbv_suggestion s;
  rbv_status status = rbv_motion_read(motion, &samples, 0, info->count);
  if (status == RBV_OK)
    status = rbv_signal_suggest(&s, q, info->count, info->count, info->njoint, info->rate_hz);
  if (status == RBV_OK) *out = s.decimation;
  rbv_free(q);
  return status;
}

/* largest speed of each joint of a motion, over what is there already */
static rbv_status top_speeds(double *top, rbv_motion *motion) {
  const rbv_motion_info *info = rbv_motion_get_info(motion);
  double *dq = rbv_alloc(CHUNK * (size_t)info->njoint * sizeof *dq);
  if (!dq) return RBV_EMEM;
  const rbv_samples samples = {.ld = CHUNK, .dq = dq};
  rbv_status status = RBV_OK;
  for (ptrdiff_t first = 0; first < info->count && status == RBV_OK; first += CHUNK) {
    const ptrdiff_t left = info->count - first, count = left < CHUNK ? left : CHUNK;
    status = rbv_motion_read(motion, &samples, first, count);
    for (int j = 0; j < info->njoint && status == RBV_OK; j++)
      for (ptrdiff_t k = 0; k < count; k++) top[j] = fmax(top[j], fabs(dq[k + j * CHUNK]));
  }
  rbv_free(dq);
  return status;
}

static bool has_step(const rbv_model *m) {
  for (int t = 0; t < m->nterm; t++)
    if (basis_steps(m->term[t].basis)) return m->gamma == 0;
  return false;
}

rbv_status rbv_row_filter_suggest(rbv_row_filter *out, const rbv_model *m,
                                  rbv_motion *const *motions, int nmotion) {
  *out = (rbv_row_filter){.decimate = 0};
  double *top = rbv_alloc((size_t)m->njoint * sizeof *top);
  if (!top) return RBV_EMEM;
  rbv_status status = RBV_OK;
  for (int i = 0; i < nmotion && status == RBV_OK; i++) {
    int decimate;
    status = suggest_decimation(&decimate, motions[i]);
    if (status == RBV_OK) status = top_speeds(top, motions[i]);
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
  if (nmotion < 1) return rbv_fail(RBV_EARG, "there is no motion to take speeds from");
  const int n = rbv_motion_get_info(motions[0])->njoint;
  memset(fade, 0, (size_t)n * sizeof *fade);
  for (int i = 0; i < nmotion; i++) RBV_TRY(top_speeds(fade, motions[i]));
  for (int j = 0; j < n; j++) fade[j] *= share;
  return RBV_OK;
}
