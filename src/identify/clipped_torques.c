#include "identify/clipped_torques.h"

#include <math.h>
#include "stats/stats.h"

#include "equations/kept_rows.h"
#include "equations/row_stream.h"
#include "identify/fixed_point.h"
#include "identify/row_statistics.h"
#include "model/model_internal.h"

#define MEMORY ((size_t)128 << 20)  // for rows, torques and residuals that are stored [bytes]
#define PIECE 504                   // samples that are visited together

/* all samples of a motion */
typedef struct {
  double *torque, *residual;  // count x nrow
  bool *valid;                // count
} torque_memory;

struct identify_clipping {
  fixed_point *points;     // estimates of the iterations
  torque_memory *torques;  // per motion; NULL: not stored
  double *limit;           // nrow
  double *spread;          // nrow: sigma of the residuals
  double share;            // of the torques that are not clipped
};

static ptrdiff_t samples_of(const identify_run *r, int i) {
  return rbv_motion_get_info(r->motions[i])->count;
}

/* Store torques, if these, residuals and rows together are not too large. Laws with a load predict
 * with the load of the equations, which is not known here. */
static rbv_status store_torques(identify_run *r) {
  size_t bytes = 0;
  for (int i = 0; i < r->nmotion; i++)
    bytes += 2 * (size_t)r->nrow * (size_t)samples_of(r, i) * sizeof(double);
  if (r->model->uses_torque || bytes > MEMORY / 2) return RBV_OK;
  RBV_NEW(torque_memory, all, r->nmotion);
  r->clipping->torques = all;
  for (int i = 0; i < r->nmotion; i++) {
    torque_memory *t = &all[i];
    const ptrdiff_t count = samples_of(r, i);
    const size_t size = (size_t)r->nrow * (size_t)count * sizeof *t->torque;
    t->torque = rbv_alloc(size);
    t->residual = rbv_alloc(size);
    t->valid = rbv_alloc((size_t)count * sizeof *t->valid);
    if (!t->torque || !t->residual || !t->valid) return RBV_EMEM;
    const rbv_samples samples = {.ld = count, .torque = t->torque, .valid = t->valid};
    RBV_TRY(rbv_motion_read(r->motions[i], &samples, 0, count));
  }
  rbv_equations_keep_rows(r->system, MEMORY - bytes);
  return RBV_OK;
}

rbv_status rbv_clipping_new(identify_run *r) {
  RBV_NEW(identify_clipping, c, 1);
  r->clipping = c;
  c->limit = rbv_alloc(2 * (size_t)r->nrow * sizeof *c->limit);
  if (!c->limit) return RBV_EMEM;
  c->spread = c->limit + r->nrow;
  RBV_TRY(rbv_fixed_point_new(&c->points, r->n));
  return store_torques(r);
}

void rbv_clipping_free(identify_run *r) {
  identify_clipping *c = r->clipping;
  if (!c) return;
  for (int i = 0; i < r->nmotion && c->torques; i++) {
    RBV_FREE_ALL(c->torques[i].torque, c->torques[i].residual, c->torques[i].valid);
  }
  rbv_free(c->torques);
  rbv_fixed_point_free(c->points);
  rbv_free(c->limit);
  rbv_free(c);
  r->clipping = NULL;
}

rbv_status rbv_clipping_next(identify_run *r, rbv_estimate *e) {
  RBV_TRY(rbv_fixed_point_next(e->value, r->clipping->points, r->R, r->n + 1));
  rbv_base_expand(e->chi, e->base, e->value);
  return RBV_OK;
}

/* residuals of all samples of a motion */
static rbv_status add_motion(rbv_row_stats *stats, identify_run *r, const double *chi, int i) {
  const rbv_row_filter raw = {.decimate = 1, .threads = r->filter.threads};
  if (!r->clipping->torques) return rbv_row_stats_add(stats, r->motions[i], chi, &raw);
  const torque_memory *t = &r->clipping->torques[i];
  RBV_TRY(rbv_equations_residuals(t->residual, r->model, r->motions[i], chi, r->filter.threads));
  rbv_row_stats_add_residuals(stats, t->residual, t->torque, t->valid, samples_of(r, i));
  return RBV_OK;
}

rbv_status rbv_clipping_predict(identify_run *r, const double *chi) {
  identify_clipping *c = r->clipping;
  rbv_row_stats *stats;
  RBV_TRY(rbv_row_stats_new(&stats, r->model));
  rbv_status status = RBV_OK;
  double share = 0;
  for (int i = 0; i < r->nmotion && status == RBV_OK; i++) status = add_motion(stats, r, chi, i);
  for (int i = 0; i < r->nrow && status == RBV_OK; i++) {
    status = rbv_row_stats_spread(&c->spread[i], stats, i);
    c->limit[i] = fmax(RBV_STATS_HUBER * c->spread[i], 1e-300);
    share += rbv_row_stats_share(stats, i, c->limit[i]) / r->nrow;
  }
  rbv_row_stats_free(stats);
  c->share = share;
  return status;
}

const double *rbv_clipping_spread(const identify_run *r) { return r->clipping->spread; }

/* the equations with torques clipped to these limits around the last prediction */
static rbv_status clip_again(identify_run *r, const double *limit) {
  for (int i = 0; i < r->nmotion; i++)
    RBV_TRY(rbv_equations_clip_again(r->system, i, r->motions[i], r->clipping->torques[i].residual,
                                     limit));
  return RBV_OK;
}

static bool has_rows(const identify_run *r) {
  return r->clipping->torques && rbv_equations_has_rows(r->system);
}

rbv_status rbv_clipping_apply(identify_run *r, const rbv_estimate *e) {
  const identify_clipping *c = r->clipping;
  RBV_TRY(rbv_clipping_predict(r, e->chi));
  r->slope = c->share;
  RBV_TRY(rbv_equations_clip(r->system, e->chi, c->limit));
  return has_rows(r) ? clip_again(r, c->limit) : rbv_run_compress(r);
}

rbv_status rbv_clipping_remove(identify_run *r) {
  RBV_TRY(rbv_equations_clip(r->system, NULL, NULL));
  if (!has_rows(r)) return rbv_run_compress(r);
  for (int i = 0; i < r->nrow; i++) r->clipping->limit[i] = INFINITY;
  return clip_again(r, r->clipping->limit);
}

/* the valid samples of a motion that are not slow, from the stored torques */
static rbv_status visit_stored(const identify_run *r, int i, double mask, rbv_replay_visit *visit,
                               void *self) {
  const torque_memory *t = &r->clipping->torques[i];
  const rbv_row_filter filter = {.decimate = 1, .mask = mask};
  const ptrdiff_t all = samples_of(r, i);
  double *dq = rbv_alloc((size_t)r->model->njoint * PIECE * sizeof *dq);
  rbv_status status = dq ? RBV_OK : RBV_EMEM;
  for (ptrdiff_t first = 0; first < all && status == RBV_OK; first += PIECE) {
    const ptrdiff_t count = all - first < PIECE ? all - first : PIECE;
    status = rbv_motion_read(r->motions[i], &(rbv_samples){.ld = PIECE, .dq = dq}, first, count);
    for (int row = 0; row < r->nrow && status == RBV_OK; row++) {
      const double *y = t->torque + first + row * all, *e = t->residual + first + row * all;
      double measured[PIECE], predicted[PIECE];
      bool slow[PIECE];
      ptrdiff_t kept = 0;
      rbv_mark_slow(slow, r->model, &filter, row, dq, PIECE, count);
      for (ptrdiff_t k = 0; k < count; k++) {
        if (!t->valid[first + k] || slow[k]) continue;
        measured[kept] = y[k];
        predicted[kept++] = y[k] - e[k];
      }
      visit(self, row, 0, measured, predicted, kept);
    }
  }
  rbv_free(dq);
  return status;
}

rbv_status rbv_clipping_replay(const identify_run *r, const double *chi, double mask,
                               rbv_replay_visit *visit, void *self) {
  const rbv_row_filter filter = {.decimate = 1, .mask = mask, .threads = r->filter.threads};
  for (int i = 0; i < r->nmotion; i++)
    RBV_TRY(r->clipping->torques
                ? visit_stored(r, i, mask, visit, self)
                : rbv_equations_replay(r->model, &filter, r->motions[i], chi, visit, self));
  return RBV_OK;
}
