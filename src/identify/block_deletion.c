#include "identify/block_deletion.h"

#include <math.h>
#include <string.h>
#include "linalg/linalg.h"
#include "result/result.h"
#include "stats/stats.h"

#define HELD_TOLERANCE 0.02  // accepted difference of the share that is held out
#define PULL 1e-7            // of the length of a column: rows that keep every solution regular
#define INFORMATION 10.0     // ratio of variances above which a parameter depends on one part alone

/* ---- blocks ---- */

static ptrdiff_t samples_of(rbv_motion *motion) { return rbv_motion_get_info(motion)->count; }

/* folds of one motion with this number of blocks */
static motion_blocks divide(int blocks, double holdout) {
  motion_blocks b = {.folds = blocks, .used = blocks, .span = 1};
  for (; holdout > 0; b.span++) {
    b.used = blocks * b.span;
    b.folds = (int)fmin(rint(b.used / (1 - holdout)), 1e6);
    if (b.folds == b.used) b.folds++;
    if (fabs(1 - (double)b.used / b.folds - holdout) <= HELD_TOLERANCE || b.used > 1000) break;
  }
  return b;
}

/* blocks of all motions together: as many as their duration allows */
static int block_count(rbv_motion *const *motions, int nmotion, bool whitened) {
  double duration = 0;
  for (int i = 0; i < nmotion; i++)
    duration += (double)samples_of(motions[i]) / rbv_motion_get_info(motions[i])->rate_hz;
  const double count =
      floor(duration / (whitened ? JACKKNIFE_WHITENED_SECONDS : JACKKNIFE_SECONDS));
  const int least = JACKKNIFE_PER_MOTION * nmotion;
  const int blocks = count >= JACKKNIFE_MOST    ? JACKKNIFE_MOST
                     : count >= JACKKNIFE_LEAST ? (int)count
                                                : JACKKNIFE_LEAST;
  return blocks > least ? blocks : least;
}

int rbv_blocks_plan(motion_blocks *out, rbv_motion *const *motions, int nmotion, double holdout,
                    bool whitened) {
  // a part that is held out is the same for all methods
  const ptrdiff_t all = block_count(motions, nmotion, whitened && !(holdout > 0));
  ptrdiff_t total = 0;
  for (int i = 0; i < nmotion; i++) total += samples_of(motions[i]);
  int count = 0;
  for (int i = 0; i < nmotion; i++) {
    // rounded up, so that there are at least that many
    const int share = (int)((all * samples_of(motions[i]) + total - 1) / total);
    const int blocks = share > JACKKNIFE_PER_MOTION ? share : JACKKNIFE_PER_MOTION;
    if (out) {
      out[i] = divide(blocks, holdout);
      out[i].first = count;
    }
    count += blocks;
  }
  return count;
}

int rbv_blocks_recordings(int nmotion) { return nmotion >= JACKKNIFE_RECORDINGS ? nmotion : 0; }

int rbv_blocks_of(const identify_run *r, const rbv_group *group) {
  const motion_blocks *b = &r->blocks[group->motion];
  return group->fold < b->used ? b->first + group->fold / b->span : -1;
}

/* ---- estimates without one part ---- */

typedef struct {
  identify_run *r;
  int width;       // columns of an R factor: [W | Y], or with instruments [Z | W | Y]
  double *part;    // nblock R factors: of each block
  double *after;   // nblock + 1 R factors: of a block and all after it
  double *before;  // R factor of what is never left out and of all blocks before the present one
  double *without;
  int *count;  // per group
  rbv_qr *qr;
  solution again;
} deletion;

static size_t square(const deletion *d) { return (size_t)d->width * (size_t)d->width; }

static bool has_instruments(const identify_run *r) {
  return r->method->loop == RBV_LOOP_INSTRUMENTS;
}

static void close_deletion(deletion *d) {
  RBV_FREE_ALL(d->part, d->after, d->before, d->without, d->count, d->again.x, d->again.cov);
  rbv_qr_free(d->qr);
}

static rbv_status open_deletion(deletion *d) {
  const identify_run *r = d->r;
  const size_t bytes = square(d) * sizeof(double), n = (size_t)r->n;
  d->part = rbv_alloc((size_t)r->nblock * bytes);
  d->after = rbv_alloc((size_t)(r->nblock + 1) * bytes);
  d->before = rbv_alloc(bytes);
  d->without = rbv_alloc(bytes);
  d->count = rbv_alloc((size_t)rbv_equations_group_count(r->system) * sizeof *d->count);
  d->again.x = rbv_alloc(n * sizeof(double));
  d->again.cov = rbv_alloc(n * n * sizeof(double));
  if (!d->part || !d->after || !d->before || !d->without || !d->count || !d->again.x ||
      !d->again.cov)
    return RBV_EMEM;
  return rbv_qr_new(&d->qr, d->width);
}

/* R factor of the rows of two R factors; out may be one of them */
static rbv_status merge(double *out, deletion *d, const double *a, const double *b) {
  rbv_qr_start(d->qr, a);
  RBV_TRY(rbv_qr_add(d->qr, b, d->width, d->width));
  rbv_qr_get(out, d->qr);
  return RBV_OK;
}

static rbv_status stack_block(double *out, deletion *d, int block) {
  const identify_run *r = d->r;
  for (int g = 0; g < rbv_equations_group_count(r->system); g++)
    d->count[g] = rbv_blocks_of(r, rbv_equations_group(r->system, g)) == block;
  if (has_instruments(r))
    return rbv_equations_stack_instruments(out, NULL, r->system, r->weights, d->count);
  return rbv_equations_stack(out, NULL, r->system, r->weights, d->count, false);
}

/*
 * Rows that are never left out: the prior, and rows w (x - solution) = 0 whose weight is
 * negligible. They keep the solution where only the part that is left out contains a parameter.
 */
static rbv_status stack_frozen(deletion *d) {
  const identify_run *r = d->r;
  const int n = r->n;
  RBV_NEW(double, rows, (size_t)n *(size_t)d->width);
  for (int k = 0; k < n; k++) {
    double length = 0;
    for (int i = 0; i <= k; i++) length = hypot(length, r->with_prior[i + (ptrdiff_t)k * (n + 1)]);
    rows[k + (ptrdiff_t)k * n] = PULL * length;
    if (has_instruments(r)) rows[k + (ptrdiff_t)(n + k) * n] = PULL * length;
    rows[k + (ptrdiff_t)(d->width - 1) * n] = PULL * length * r->solution.x[k];
  }
  rbv_qr_reset(d->qr);
  const rbv_status status = rbv_qr_add(d->qr, rows, n, n);
  if (status == RBV_OK) rbv_qr_get(d->before, d->qr);
  rbv_free(rows);
  if (status != RBV_OK || !r->options->prior) return status;
  return rbv_linear_add_prior(d->before, d->before, n, r->prior, r->weight);
}

/* the estimate from d->without as deviations from the solution */
static rbv_status repeat(double *deviation, deletion *d) {
  identify_run *r = d->r;
  const selection *s = &r->selection;
  // the number of rows only scales the covariance, which is compared without its scale
  const rbv_status status =
      has_instruments(r) ? rbv_linear_instruments(&d->again, NULL, d->without, r->rows, s)
      : r->method->total ? rbv_linear_total(&d->again, d->without, r->rows, s)
                         : rbv_linear_solve(&d->again, d->without, r->rows, s);
  memset(deviation, 0, (size_t)r->n * sizeof *deviation);
  if (status == RBV_ENUM) return RBV_OK;  // without this part there is no solution
  RBV_TRY(status);
  for (int i = 0; i < s->count; i++) {
    const int k = s->active[i];
    const ptrdiff_t kk = k + (ptrdiff_t)k * r->n;
    const double all = r->solution.cov[kk] / r->solution.sigma2;
    const double rest = d->again.cov[kk] / d->again.sigma2;
    const bool alone = rest > INFORMATION * all;
    r->alone[k] = r->alone[k] || alone;
    // clipped torques stay clipped: corrected by the slope, as in the covariance
    deviation[k] = (d->again.x[k] - r->solution.x[k]) / r->slope;
    if (alone) deviation[k] *= sqrt(INFORMATION * all / rest);
  }
  return RBV_OK;
}

/* squares of the residuals of a block: of the estimate, and of the one without it */
static void add_residuals(double *with, double *without, const deletion *d, int block) {
  const identify_run *r = d->r;
  for (int g = 0; g < rbv_equations_group_count(r->system); g++) {
    if (rbv_blocks_of(r, rbv_equations_group(r->system, g)) != block) continue;
    double rss, yy;
    rbv_equations_residual(&rss, &yy, r->system, g, r->solution.x);
    *with += rss;
    rbv_equations_residual(&rss, &yy, r->system, g, d->again.x);
    *without += rss;
  }
}

/* first block after those of a motion */
static int end_of(const identify_run *r, int motion) {
  return motion + 1 < r->nmotion ? r->blocks[motion + 1].first : r->nblock;
}

/* prefixes and suffixes: the R factor of all blocks before and after the one that is left out */
static rbv_status delete_all(rbv_jackknife *out, deletion *d) {
  const identify_run *r = d->r;
  const ptrdiff_t size = (ptrdiff_t)square(d);
  for (int b = r->nblock - 1; b >= 0; b--) {
    RBV_TRY(stack_block(d->part + b * size, d, b));
    RBV_TRY(merge(d->after + b * size, d, d->part + b * size, d->after + (b + 1) * size));
  }
  RBV_TRY(stack_frozen(d));
  double with = 0, without = 0;
  for (int b = 0, m = 0; b < r->nblock; b++) {
    RBV_TRY(merge(d->without, d, d->before, d->after + (b + 1) * size));
    RBV_TRY(repeat(out->deviation + (ptrdiff_t)b * r->n, d));
    add_residuals(&with, &without, d, b);
    if (out->nrecording > 0 && m < r->nmotion && b == r->blocks[m].first) {
      RBV_TRY(merge(d->without, d, d->before, d->after + end_of(r, m) * size));
      RBV_TRY(repeat(out->deviation + (ptrdiff_t)(r->nblock + m) * r->n, d));
      m++;
    }
    RBV_TRY(merge(d->before, d, d->before, d->part + b * size));
  }
  d->r->block_ratio = with > 0 ? sqrt(without / with) : NAN;
  return RBV_OK;
}

rbv_status rbv_jackknife_solve(rbv_jackknife *out, identify_run *r) {
  double t, normal;
  RBV_TRY(rbv_stats_student_quantile(&t, 0.025, RBV_TAIL_UPPER, out->nblock - 1));
  RBV_TRY(rbv_stats_normal_quantile(&normal, 0.025, RBV_TAIL_UPPER));
  out->student = t / normal;
  deletion d = {.r = r, .width = (has_instruments(r) ? 2 : 1) * r->n + 1};
  memset(r->alone, 0, (size_t)r->n * sizeof *r->alone);
  rbv_status status = open_deletion(&d);
  if (status == RBV_OK) status = delete_all(out, &d);
  close_deletion(&d);
  return status;
}

/* ---- sigmas ---- */

/* median of sigma / sigma of white noise; NaN: no parameter has both */
static rbv_status median_ratio(double *out, const double *sigma, const rbv_estimate *e,
                               const bool *left_out) {
  const int n = e->base->count;
  RBV_NEW(double, ratio, n);
  int count = 0;
  for (int k = 0; k < n; k++) {
    const double x = sigma[k] / e->sigma_white[k];
    if (isfinite(x) && !(left_out && left_out[k])) ratio[count++] = x;
  }
  *out = NAN;
  const double half = 0.5;
  RBV_FINISH(count > 0 ? rbv_stats_quantiles(out, ratio, ratio, count, &half, 1) : RBV_OK,
             rbv_free(ratio));
}

rbv_status rbv_jackknife_finish(rbv_estimate *e, const bool *alone) {
  const int n = e->base->count;
  RBV_NEW(double, sigma, n);
  for (int k = 0; k < n; k++) {
    e->sigma_white[k] = sqrt(e->covariance[k + (ptrdiff_t)k * n]);
    sigma[k] = fmax(rbv_jackknife_sigma(&e->jackknife, n, k), e->sigma_white[k]);
  }
  double usual;
  rbv_status status = median_ratio(&usual, sigma, e, alone);
  for (int k = 0; k < n && status == RBV_OK; k++)
    if (alone[k] && isfinite(usual)) sigma[k] = fmax(sigma[k], usual * e->sigma_white[k]);
  if (status == RBV_OK) status = median_ratio(&e->diagnostics.sigma_inflation, sigma, e, NULL);
  for (int j = 0; j < n && status == RBV_OK; j++)
    for (int i = 0; i < n; i++) {
      const double scale = (sigma[i] / e->sigma_white[i]) * (sigma[j] / e->sigma_white[j]);
      if (isfinite(scale)) e->covariance[i + (ptrdiff_t)j * n] *= scale;
    }
  rbv_free(sigma);
  return status;
}
