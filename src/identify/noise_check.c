/* The test whether the noise model of piv holds. */
#include <math.h>
#include "motion/motion.h"
#include "stats/stats.h"

#include "identify/noise_model.h"
#include "identify/row_statistics.h"

#define SIGNIFICANT 0.001
#define ROUNDING 1e-9  // relative to the torque: a smaller residual is not noise

/* errors and residual statistics of rows */
static rbv_status replay(rbv_fit *fit, const identify_run *r, const double *chi, int unknowns,
                         rbv_motion *const *motion, const rbv_row_filter *rows) {
  rbv_row_stats *stats;
  RBV_TRY(rbv_row_stats_new(&stats, r->model));
  rbv_status status = RBV_OK;
  for (int i = 0; i < r->nmotion && status == RBV_OK; i++)
    status = rbv_row_stats_add(stats, motion[i], chi, rows);
  if (status == RBV_OK) status = rbv_row_stats_finish(fit, stats, unknowns);
  rbv_row_stats_free(stats);
  return status;
}

/*
 * The rows in which both estimates are compared: the plain ones of the run if they are low-passed.
 * In rows at the full rate noise of the derivatives is most of the error, and an estimate that is
 * biased towards zero has less of it: then those of the usual preparation.
 */
static rbv_status choose_rows(rbv_motion **motion, rbv_row_filter *rows, const identify_run *r) {
  *rows = r->options->filter;
  const bool usual = rows->decimate <= 1;
  for (int i = 0; i < r->nmotion; i++)
    motion[i] = usual ? rbv_motion_standard(r->motions[i]) : rbv_run_motion(r, i);
  if (usual) {
    rbv_row_filter suggested;
    RBV_TRY(rbv_row_filter_suggest(&suggested, r->model, motion, r->nmotion, rows->threads));
    rows->decimate = suggested.decimate;
    rows->band = suggested.band;
  }
  rows->fade = r->filter.fade;
  return RBV_OK;
}

static rbv_status test(noise_check *out, const rbv_fit *piv, const rbv_fit *plain, int unknowns) {
  double increase = 0, rows = 0, variance = 0;
  *out = (noise_check){
      .holds = true, .p = NAN, .error = piv->relative_error, .plain_error = plain->relative_error};
  if (!(piv->relative_error > ROUNDING)) return RBV_OK;
  for (int i = 0; i < plain->nrow; i++) {
    const double ratio = piv->row[i].rms / plain->row[i].rms;
    increase += (double)plain->row[i].rows * (ratio * ratio - 1);
    rows += (double)plain->row[i].rows;
    variance += fmax(1, plain->row[i].inflation * plain->row[i].inflation) / plain->nrow;
  }
  const double f = increase / variance / unknowns, free = rows / variance - unknowns;
  if (!isfinite(f) || !(free >= 1)) return RBV_OK;
  RBV_TRY(rbv_stats_fisher_cdf(NULL, &out->p, fmax(f, 0), unknowns, free));
  out->holds = out->p >= SIGNIFICANT;
  return RBV_OK;
}

rbv_status rbv_noise_check(noise_check *out, const identify_run *r, const double *chi,
                           const double *unfiltered, int unknowns) {
  RBV_NEW(rbv_row_fit, row, 2 * (size_t)r->nrow);
  rbv_fit piv = {.nrow = r->nrow, .row = row}, plain = {.nrow = r->nrow, .row = row + r->nrow};
  rbv_motion **motion = rbv_alloc((size_t)r->nmotion * sizeof *motion);
  rbv_row_filter rows;
  rbv_status status = motion ? choose_rows(motion, &rows, r) : RBV_EMEM;
  if (status == RBV_OK) status = replay(&piv, r, chi, unknowns, motion, &rows);
  if (status == RBV_OK) status = replay(&plain, r, unfiltered, unknowns, motion, &rows);
  if (status == RBV_OK) status = test(out, &piv, &plain, unknowns);
  rbv_free(motion);
  rbv_free(row);
  return status;
}
