/* Are the torques that irls clips outliers, or does the model miss something? */
#include <math.h>
#include <stdio.h>
#include "stats/stats.h"

#include "equations/equations.h"
#include "identify/clipped_torques.h"
#include "identify/row_statistics.h"

#define SLOW 0.1       // of the typical top speed: near a reversal
#define FAR 6.0        // sigma of an outlier
#define FEWEST 0.10    // clipped share of noise that has no tails; normal noise has 0.18
#define MOST 0.30      // more cannot be outliers
#define RELEVANT 1e-3  // share of outliers that may be real ones

typedef struct {
  double all, clipped, far;
} counts;

typedef struct {
  const double *spread;  // nrow: sigma of the residuals that outliers do not affect
  counts *row;           // nrow
} counter;

static void add_up(void *self, int row, int fold, const double *measured, const double *predicted,
                   ptrdiff_t count) {
  const counter *c = self;
  (void)fold;
  const double limit = RBV_STATS_HUBER * c->spread[row];
  for (ptrdiff_t k = 0; k < count; k++) {
    const double e = fabs(measured[k] - predicted[k]);
    c->row[row].clipped += e > limit;
    c->row[row].far += e > FAR * c->spread[row];
  }
  c->row[row].all += (double)count;
}

static rbv_status count_rows(counts *row, const identify_run *r, const double *chi, double mask) {
  counter c = {rbv_clipping_spread(r), row};
  return rbv_clipping_replay(r, chi, mask, add_up, &c);
}

rbv_status rbv_reversal_speed(double *speed, rbv_motion *const *motions, int nmotion) {
  const int n = rbv_motion_get_info(motions[0])->njoint;
  double *top = rbv_alloc((size_t)n * sizeof *top);
  const double half = 0.5;
  rbv_status status = top ? rbv_typical_speeds(top, motions, nmotion, 1) : RBV_EMEM;
  if (status == RBV_OK) status = rbv_stats_quantiles(speed, top, top, n, &half, 1);
  *speed *= SLOW;
  rbv_free(top);
  return status;
}

/* shares of all rows together */
static rbv_clipping summarise(const counts *all, const counts *fast, int nrow) {
  counts every = {0}, away = {0};
  for (int i = 0; i < nrow; i++) {
    every.all += all[i].all;
    every.clipped += all[i].clipped;
    every.far += all[i].far;
    away.all += fast[i].all;
    away.far += fast[i].far;
  }
  return (rbv_clipping){.share = every.clipped / every.all,
                        .near_reversals = (every.far - away.far) / (every.all - away.all),
                        .elsewhere = away.far / away.all};
}

rbv_status rbv_run_check_clipping(identify_run *r, rbv_estimate *e) {
  const int n = r->nrow;
  double slow;
  counts *row = rbv_alloc(2 * (size_t)n * sizeof *row);
  rbv_status status = row ? rbv_reversal_speed(&slow, r->motions, r->nmotion) : RBV_EMEM;
  if (status == RBV_OK) status = rbv_clipping_predict(r, e->chi);
  if (status == RBV_OK) status = count_rows(row, r, e->chi, 0);
  if (status == RBV_OK) status = count_rows(row + n, r, e->chi, slow);
  if (status == RBV_OK) e->clipping = summarise(row, row + n, n);
  rbv_free(row);
  return status;
}

bool rbv_clipping_is_sound(char *sentence, size_t size, const rbv_clipping *c) {
  *sentence = 0;
  if (!(c->share > 0)) return true;
  if (c->share < FEWEST)
    snprintf(sentence, size,
             "only %.0f %% of the torques were clipped, 18 %% of normal noise would be: the noise "
             "is bounded, as of a coarse encoder in the loop, and clipping biases the friction",
             100 * c->share);
  else if (c->share > MOST)
    snprintf(sentence, size,
             "%.0f %% of the torques were clipped, 18 %% of normal noise would be: so many are not "
             "outliers, and clipping biases the estimate",
             100 * c->share);
  else if (c->near_reversals > RELEVANT && c->elsewhere < RELEVANT)
    snprintf(sentence, size,
             "%.2g %% of the torques near reversals are outliers, but only %.2g %% of the others: "
             "this is friction rather than outliers, and clipping may bias it",
             100 * c->near_reversals, 100 * c->elsewhere);
  return *sentence == 0;
}
