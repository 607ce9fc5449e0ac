#include "identify/row_statistics.h"

#include <math.h>
#include <string.h>
#include "stats/stats.h"

#include "equations/equations.h"
#include "identify/residual_colour.h"
#include "signal/signal.h"

#define SAMPLE 16384  // residuals kept per row for statistics that need a sample
#define BLOCK 2048    // consecutive residuals

#define SPIKE_SIGMA 6
#define SPIKE_SHARE 0.02  // of the rms torque

/* one torque row; sums are over all residuals; if the sample is full, every second
 * block is removed */
typedef struct {
  ptrdiff_t count;
  ptrdiff_t here;  // number in this motion; differences do not cross motions
  double rss, yy;
  double steps;  // sum of squared differences of neighbours
  double last;
  ptrdiff_t stride;  // one of this many blocks is kept
  bool keeps;        // the present block
  int kept;
  double *sample, *predicted;  // SAMPLE: residuals and predicted torques
} row_sums;

struct rbv_row_stats {
  const rbv_model *model;
  int nrow;
  rbv_decimate_options decimation;  // of the last motion
  int threads;                      // for the statistics
  row_sums *row;
  double *work;  // SAMPLE
};

static void layout(rbv_row_stats *j, int nrow, rbv_arena *a) {
  j->row = RBV_TAKE(a, nrow, row_sums);
  j->work = RBV_TAKE(a, SAMPLE, double);
}

rbv_status rbv_row_stats_new(rbv_row_stats **out, const rbv_model *model) {
  *out = NULL;
  const int nrow = rbv_model_row_count(model);
  double *samples;
  rbv_row_stats sizes = {.model = model, .nrow = nrow}, *j;
  RBV_CARVE_OBJECT(j, a, {
    layout(&sizes, nrow, a);
    samples = RBV_TAKE(a, 2 * SAMPLE * nrow, double);
  });
  if (!j) return RBV_EMEM;
  *j = sizes;
  for (int r = 0; r < nrow; r++) {
    j->row[r].stride = 1;
    j->row[r].sample = samples + 2 * SAMPLE * r;
    j->row[r].predicted = j->row[r].sample + SAMPLE;
  }
  *out = j;
  return RBV_OK;
}

void rbv_row_stats_free(rbv_row_stats *j) { rbv_free(j); }

static void thin(double *sample) {
  for (int b = 1; b < SAMPLE / BLOCK / 2; b++)
    memcpy(sample + (ptrdiff_t)b * BLOCK, sample + (ptrdiff_t)2 * b * BLOCK,
           BLOCK * sizeof *sample);
}

static void keep(row_sums *s, double e, double predicted) {
  if (s->count % BLOCK == 0) {
    const ptrdiff_t block = s->count / BLOCK;
    if (s->kept == SAMPLE && block % s->stride == 0) {
      thin(s->sample);
      thin(s->predicted);
      s->kept = SAMPLE / 2;
      s->stride *= 2;
    }
    s->keeps = block % s->stride == 0;
  }
  if (!s->keeps) return;
  s->sample[s->kept] = e;
  s->predicted[s->kept++] = predicted;
}

static void add_one(row_sums *s, double e, double measured, double predicted) {
  s->rss += e * e;
  s->yy += measured * measured;
  if (s->here > 0) s->steps += (e - s->last) * (e - s->last);
  s->last = e;
  s->here++;
  keep(s, e, predicted);
  s->count++;
}

static void add_residuals(void *self, int row, int fold, const double *measured,
                          const double *predicted, ptrdiff_t count) {
  (void)fold;
  row_sums *s = &((rbv_row_stats *)self)->row[row];
  for (ptrdiff_t k = 0; k < count; k++)
    add_one(s, measured[k] - predicted[k], measured[k], predicted[k]);
}

void rbv_row_stats_add_residuals(rbv_row_stats *j, const double *residual, const double *torque,
                                 const bool *valid, ptrdiff_t count) {
  for (int r = 0; r < j->nrow; r++) {
    row_sums *s = &j->row[r];
    const double *e = residual + r * count, *y = torque + r * count;
    s->here = 0;
    for (ptrdiff_t k = 0; k < count; k++)
      if (valid[k]) add_one(s, e[k], y[k], y[k] - e[k]);
  }
}

rbv_status rbv_row_stats_add(rbv_row_stats *j, rbv_motion *motion, const double *chi,
                             const rbv_row_filter *filter) {
  for (int r = 0; r < j->nrow; r++) j->row[r].here = 0;
  // with a noise model, the AR model already contains the effect of the decimation
  j->decimation = filter->prefilter ? rbv_decimate_defaults(1) : rbv_row_filter_decimation(filter);
  j->threads = filter->threads;
  return rbv_equations_replay(j->model, filter, motion, chi, add_residuals, j);
}

/* half: SAMPLE numbers of working memory */
static rbv_status test_colour(rbv_row_fit *f, const row_sums *s, const colour_white *white,
                              double unknowns, double *half) {
  colour_series series = {s->sample, s->predicted, s->kept, s->stride > 1 ? BLOCK : SAMPLE,
                          white,     unknowns};
  colour_result verdict;
  RBV_TRY(rbv_colour_test(&verdict, &series));
  f->coloured = verdict.coloured;
  f->inflation = verdict.inflation;
  if (!f->coloured) return RBV_OK;
  // would twice the decimation help?
  const int count = s->kept / 2;
  double *predicted = half + SAMPLE / 2;
  for (int i = 0; i < count; i++) {
    half[i] = s->sample[2 * i];
    predicted[i] = s->predicted[2 * i];
  }
  const colour_white thinned = rbv_colour_every_second(white);
  series = (colour_series){half, predicted, count, series.piece / 2, &thinned, unknowns};
  RBV_TRY(rbv_colour_test(&verdict, &series));
  f->white_at_half = isfinite(verdict.p) && !verdict.coloured;
  return RBV_OK;
}

double rbv_row_stats_error(const rbv_row_stats *j) {
  double rss = 0, yy = 0;
  for (int r = 0; r < j->nrow; r++) {
    rss += j->row[r].rss;
    yy += j->row[r].yy;
  }
  return sqrt(rss / yy);
}

/* the rows of a fit; each is processed by one thread */
typedef struct {
  const rbv_row_stats *j;
  rbv_fit *fit;
  colour_white white;
  double unknowns;  // per row
} row_fits;

static rbv_status open_work(void **out, void *self, int thread) {
  (void)self, (void)thread;
  *out = rbv_alloc(SAMPLE * sizeof(double));
  return *out ? RBV_OK : RBV_EMEM;
}

static void close_work(void *work, void *self) {
  (void)self;
  rbv_free(work);
}

static rbv_status compute_row(rbv_bytes *out, void *work, void *self, ptrdiff_t r) {
  const row_fits *v = self;
  const row_sums *s = &v->j->row[r];
  const rbv_row *row = rbv_model_row(v->j->model, (int)r);
  rbv_row_fit f = {.joint = row->joint,
                   .torque = row->torque,
                   .rows = s->count,
                   .relative_error = s->count > 0 ? sqrt(s->rss / s->yy) : 0,
                   .rms = s->count > 0 ? sqrt(s->rss / (double)s->count) : 0,
                   .durbin_watson = s->steps / s->rss,
                   .ks_p = NAN};
  rbv_normality normality;
  // an exact fit has no distribution
  if (s->kept >= 8 && s->rss > 0 &&
      rbv_stats_normality(&normality, work, s->sample, s->kept) == RBV_OK)
    f.ks_p = normality.p_lilliefors;
  // a joint that never moves has no rows
  if (s->count > 0) RBV_TRY(test_colour(&f, s, &v->white, v->unknowns, work));
  rbv_bytes_add(out, &f, sizeof f);
  return RBV_OK;
}

static rbv_status take_row(void *self, ptrdiff_t r, const void *data, size_t size) {
  const row_fits *v = self;
  memcpy(&v->fit->row[r], data, size);
  return RBV_OK;
}

rbv_status rbv_row_stats_finish(rbv_fit *fit, rbv_row_stats *j, int unknowns) {
  row_fits v = {.j = j, .fit = fit, .unknowns = (double)unknowns / j->nrow};
  RBV_TRY(rbv_colour_white(&v.white, &j->decimation));
  const rbv_jobs jobs = {.name = "rows of a fit",
                         .count = j->nrow,
                         .self = &v,
                         .open = open_work,
                         .close = close_work,
                         .run = compute_row,
                         .take = take_row,
                         .shared = true};
  RBV_TRY(rbv_jobs_run(NULL, &jobs, &(rbv_jobs_options){.threads = j->threads}));
  fit->nrow = j->nrow;
  fit->relative_error = rbv_row_stats_error(j);
  return RBV_OK;
}

/* the numbers are reordered */
static double median(double *x, ptrdiff_t n) {
  const ptrdiff_t k = (n - 1) / 2;
  const double low = rbv_select(x, n, k);
  if (n % 2 == 1) return low;
  double high = x[k + 1];
  for (ptrdiff_t i = k + 2; i < n; i++) high = fmin(high, x[i]);
  return low + 0.5 * (high - low);
}

rbv_status rbv_row_stats_spread(double *sigma, rbv_row_stats *j, int row) {
  const row_sums *s = &j->row[row];
  *sigma = 1;
  if (s->count == 0) return RBV_OK;
  for (int i = 0; i < s->kept; i++) {
    j->work[i] = fabs(s->sample[i]);
    if (!isfinite(j->work[i])) return rbv_fail(RBV_ENUM, "a residual is not finite");
  }
  *sigma = median(j->work, s->kept);
  // an exact fit leaves only rounding errors, which contain no outliers
  const double rounding = 1e-12 * sqrt(s->yy / (double)s->count);
  *sigma = fmax(*sigma * RBV_STATS_MAD_TO_SIGMA, rounding);
  return RBV_OK;
}

double rbv_row_stats_share(const rbv_row_stats *j, int row, double limit) {
  const row_sums *s = &j->row[row];
  int inside = 0;
  for (int i = 0; i < s->kept; i++) inside += fabs(s->sample[i]) <= limit;
  return s->kept > 0 ? (double)inside / s->kept : 1;
}

static double deviation_from_neighbours(const row_sums *s, int i) {
  return fabs(s->sample[i] - (s->sample[i - 1] + s->sample[i + 1]) / 2);
}

rbv_status rbv_row_stats_spikes(double *share, rbv_row_stats *j, int row) {
  const row_sums *s = &j->row[row];
  *share = 0;
  if (s->kept < 3) return RBV_OK;
  for (int i = 1; i < s->kept - 1; i++) j->work[i - 1] = deviation_from_neighbours(s, i);
  const double half = 0.5;
  double usual;
  RBV_TRY(rbv_stats_quantiles(&usual, j->work, j->work, s->kept - 2, &half, 1));
  const double limit = fmax(SPIKE_SIGMA * RBV_STATS_MAD_TO_SIGMA * usual,
                            SPIKE_SHARE * sqrt(s->yy / (double)s->count));
  int spikes = 0;
  for (int i = 1; i < s->kept - 1; i++) spikes += deviation_from_neighbours(s, i) > limit;
  *share = (double)spikes / (s->kept - 2);
  return RBV_OK;
}
