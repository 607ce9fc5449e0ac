#include "trials.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "stats/stats.h"

#include "motions.h"
#include "support.h"

#define MAX_PARAMETERS 80  // largest number of parameters

/* sums over the runs, one per parameter */
typedef struct {
  int n, inside, inside_white, coloured, rows;
  double sum[MAX_PARAMETERS], square[MAX_PARAMETERS], sigma[MAX_PARAMETERS], white[MAX_PARAMETERS],
      bootstrap[MAX_PARAMETERS];
  double inflation;
} run_sums;

static void add(run_sums *t, const rbv_estimate *e, const double *chi) {
  double truth[MAX_PARAMETERS], quantile;
  t->n = e->base->count;
  rbv_base_values(truth, e->base, chi);
  assert_ok(
      rbv_stats_student_quantile(&quantile, 0.025, RBV_TAIL_UPPER, (double)e->diagnostics.dof));
  for (int k = 0; k < t->n; k++) {
    const double error = e->value[k] - truth[k], sigma = sqrt(e->covariance[k + k * t->n]);
    t->sum[k] += error;
    t->square[k] += error * error;
    t->sigma[k] += sigma;
    t->bootstrap[k] += e->bootstrap_sigma[k];
    t->inside += fabs(error) <= quantile * sigma;
    t->inside_white += fabs(error) <= quantile * e->sigma_white[k];
    t->white[k] += e->sigma_white[k];
  }
  for (int r = 0; r < e->fit.nrow; r++) t->coloured += e->fit.row[r].coloured;
  t->rows += e->fit.nrow;
  t->inflation += e->diagnostics.sigma_inflation;
}

static trial_report summarise(const run_sums *t, int runs) {
  double ratio[MAX_PARAMETERS], white[MAX_PARAMETERS], strap[MAX_PARAMETERS];
  for (int k = 0; k < t->n; k++) {
    const double mean = t->sum[k] / runs;
    const double spread = sqrt((t->square[k] - runs * mean * mean) / (runs - 1));
    ratio[k] = t->sigma[k] / runs / spread;
    white[k] = t->white[k] / runs / spread;
    strap[k] = t->bootstrap[k] / t->sigma[k];
  }
  const double tested = (double)t->n * runs, half = 0.5;
  trial_report r = {.coverage = t->inside / tested,
                    .coverage_white = t->inside_white / tested,
                    .inflation = t->inflation / runs,
                    .coloured = (double)t->coloured / t->rows,
                    .bootstrap = NAN};
  const double places[] = {0, 0.5, 1};
  double order[3];
  assert_ok(rbv_stats_quantiles(order, ratio, ratio, t->n, places, 3));
  r.low = order[0];
  r.median = order[1];
  r.high = order[2];
  assert_ok(rbv_stats_quantiles(&r.white, white, white, t->n, &half, 1));
  if (isfinite(strap[0]))
    assert_ok(rbv_stats_quantiles(&r.bootstrap, strap, strap, t->n, &half, 1));
  return r;
}

trial_report trials(const trial_plan *p) {
  rbv_model *m = load_robot("tx40", -1, false);
  double chi[128];
  random_columns(chi, m, 1);
  waves clean;
  waves_new(&clean, m, chi, 2, (ptrdiff_t)(p->seconds * p->rate_hz), p->rate_hz, false);
  const size_t size = (size_t)(clean.count * clean.nrow) * sizeof(double);
  double *torque = malloc(size);
  memcpy(torque, clean.torque, size);
  run_sums t = {0};
  for (int i = 0; i < p->runs; i++) {
    memcpy(clean.torque, torque, size);
    const uint64_t seed = (uint64_t)(1000 + i);
    if (p->noise_hz > 0)
      waves_add_coloured(&clean, m, seed, p->noise_hz, p->noise, p->noise);
    else
      waves_add_white(&clean, seed, p->noise);
    if (p->outliers > 0) waves_add_outliers(&clean, seed, p->outliers);
    rbv_motion *motion = waves_motion(&clean);
    rbv_identify_options o = rbv_identify_defaults();
    o.filter.decimate = p->decimate;
    if (p->method) o.method = p->method;
    o.bootstrap = p->bootstrap;
    o.seed = seed;
    rbv_estimate *e;
    assert_ok(rbv_identify(&e, m, &motion, 1, &o));
    add(&t, e, chi);
    rbv_estimate_free(e);
    rbv_motion_free(motion);
  }
  free(torque);
  waves_free(&clean);
  rbv_model_free(m);
  const trial_report r = summarise(&t, p->runs);
  print_message(
      "%s, %d runs, noise %g Hz, outliers %g, decimated by %d: coverage %.3f (white %.3f), "
      "sigma over spread "
      "%.2f (%.2f to %.2f; white %.2f), inflation %.2f, coloured rows %.2f, bootstrap over sigma "
      "%.2f\n",
      p->method ? p->method : "wls", p->runs, p->noise_hz, p->outliers, p->decimate, r.coverage,
      r.coverage_white, r.median, r.low, r.high, r.white, r.inflation, r.coloured, r.bootstrap);
  return r;
}
