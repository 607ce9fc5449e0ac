/* Quality of an estimate: status, sigma, fit and residual statistics. */
#include <math.h>
#include <string.h>

#include "consistency/consistency.h"
#include "identify/block_deletion.h"
#include "identify/clipped_torques.h"
#include "identify/closed_loop.h"
#include "identify/identify_internal.h"
#include "identify/linear_solve.h"
#include "identify/noise_model.h"
#include "identify/ridge_prior.h"
#include "identify/row_statistics.h"
#include "model/model_internal.h"

static void set_parameter_status(const identify_run *r, rbv_estimate *e) {
  const int n = r->n;
  // clipped torques do not react to the parameters (Huber: squared mean slope of psi)
  for (ptrdiff_t i = 0; i < (ptrdiff_t)n * n; i++)
    e->covariance[i] = r->solution.cov[i] / (r->slope * r->slope);
  e->active = r->selection.count;
  for (int k = 0; k < n; k++) {
    // excited parameters that are not selected below were dropped
    const bool excited = e->relation[k + (ptrdiff_t)e->base->kept[k] * n] != 0;
    e->status[k] = excited ? RBV_STATUS_NOT_ESSENTIAL : RBV_STATUS_NOT_IDENTIFIABLE;
    e->covariance[k + (ptrdiff_t)k * n] = INFINITY;
    e->bootstrap_sigma[k] = NAN;
  }
  for (int i = 0; i < r->selection.count; i++) {
    const int k = r->selection.active[i], column = e->base->kept[k];
    bool grouped = false;
    for (int c = 0; c < e->base->ncolumn; c++)
      grouped = grouped || (c != column && e->relation[k + (ptrdiff_t)c * n] != 0);
    e->covariance[k + (ptrdiff_t)k * n] =
        r->solution.cov[k + (ptrdiff_t)k * n] / (r->slope * r->slope);
    e->status[k] = rbv_prior_dominates(r, k) ? RBV_STATUS_PRIOR
                   : grouped                 ? RBV_STATUS_COMBINED
                                             : RBV_STATUS_IDENTIFIED;
  }
}

/* the covariance for white noise: the correlations with sigma_white */
static void white_covariance(double *out, const rbv_estimate *e) {
  const int n = e->base->count;
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++) {
      const double sigma =
          sqrt(e->covariance[i + (ptrdiff_t)i * n]) * sqrt(e->covariance[j + (ptrdiff_t)j * n]);
      const double scale = e->sigma_white[i] * e->sigma_white[j] / sigma;
      out[i + (ptrdiff_t)j * n] =
          e->covariance[i + (ptrdiff_t)j * n] * (isfinite(scale) ? scale : 1);
    }
}

/* how much larger the standard deviations are than with white residuals: by their colour, or by
 * the jackknife, whichever is larger */
static double sigma_inflation(const identify_run *r, const rbv_estimate *e) {
  double variance = 0;
  for (int i = 0; i < r->nrow; i++) {
    const double of_row = e->fit.row[i].inflation;
    variance += (isfinite(of_row) ? of_row * of_row : 1) / r->nrow;
  }
  const double blocks = e->diagnostics.sigma_inflation;
  return fmax(fmax(1, sqrt(variance)), isfinite(blocks) ? blocks : 1);
}

/* errors of the groups that were used (training 1) or held out (0) */
static void compute_fit(rbv_fit *fit, const identify_run *r, const double *x, int training) {
  double total_rss = 0, total_yy = 0;
  for (int i = 0; i < r->nrow; i++) {
    rbv_row_fit *f = &fit->row[i];
    double rss = 0, yy = 0;
    f->rows = 0;
    for (int g = 0; g < rbv_equations_group_count(r->system); g++) {
      const rbv_group *group = rbv_equations_group(r->system, g);
      if (group->row != i || r->training[g] != training) continue;
      double a, b;
      rbv_equations_residual(&a, &b, r->system, g, x);
      rss += a;
      yy += b;
      f->rows += group->rows;
    }
    f->joint = rbv_model_row(r->model, i)->joint;
    f->torque = rbv_model_row(r->model, i)->torque;
    f->relative_error = f->rows > 0 ? sqrt(rss / yy) : 0;
    f->rms = f->rows > 0 ? sqrt(rss / (double)f->rows) : 0;
    f->sigma = r->sigma[i];
    f->comparable = f->durbin_watson = f->ks_p = f->inflation = NAN;
    f->coloured = f->white_at_half = false;
    total_rss += rss;
    total_yy += yy;
  }
  fit->nrow = r->nrow;
  fit->relative_error = sqrt(total_rss / total_yy);
}

/*
 * Make the parameters consistent. The cost of the fit rises by (x - K chi)' inv(C) (x - K chi),
 * which is minimised here together with the divergence from the prior bodies. C is the covariance
 * for white noise with one common factor: factors that differ between parameters would change
 * which combinations of them the rows determine.
 */
static rbv_status make_consistent(identify_run *r, rbv_estimate *e) {
  const double inflation = sigma_inflation(r, e);
  compute_fit(&e->fit, r, e->value, 1);
  e->free_error = e->fit.relative_error;
  memcpy(e->free_value, e->value, (size_t)r->n * sizeof *e->value);
  RBV_NEW(double, white, (size_t)r->n *(size_t)r->n);
  white_covariance(white, e);
  const rbv_consistency_input input = {r->n, e->value, white, e->relation};
  const double *prior = r->options->prior ? r->options->prior : rbv_model_parameters(r->model);
  rbv_consistency_options options = rbv_consistency_defaults();
  options.total_mass = r->options->total_mass;
  options.bound = r->options->bound;
  const rbv_status status =
      rbv_consistency_bodies(&e->standard, r->model, &input, inflation, prior, &options);
  rbv_free(white);
  if (status != RBV_OK) return status;
  for (int k = 0; k < r->n; k++)
    if (isfinite(e->covariance[k + (ptrdiff_t)k * r->n])) e->value[k] = e->standard->value[k];
  rbv_base_expand(e->chi, e->base, e->value);
  return RBV_OK;
}

/* the motion from which the rows of a method are made */
rbv_motion *rbv_run_motion(const identify_run *r, int i) {
  switch (r->method->loop) {
    case RBV_LOOP_DIDIM: return r->loop->joined[i];
    case RBV_LOOP_INSTRUMENTS: return r->loop->measured[i];
    case RBV_LOOP_OPEN:
    case RBV_LOOP_OUTPUT: break;
  }
  return r->motions[i];
}

/* residual statistics, from a replay of all rows, including those held out */
static rbv_status compute_residual_statistics(identify_run *r, rbv_estimate *e,
                                              const rbv_row_filter *filter) {
  rbv_row_stats *stats;
  RBV_TRY(rbv_row_stats_new(&stats, r->model));
  rbv_row_fit *row = rbv_alloc((size_t)r->nrow * sizeof *row);
  rbv_fit all = {.row = row};
  rbv_status status = row ? RBV_OK : RBV_EMEM;
  for (int i = 0; i < r->nmotion && status == RBV_OK; i++)
    status = rbv_row_stats_add(stats, rbv_run_motion(r, i), e->chi, filter);
  if (status == RBV_OK) status = rbv_row_stats_finish(&all, stats, e->active);
  for (int i = 0; i < r->nrow && status == RBV_OK; i++) {
    rbv_row_fit *f = &e->fit.row[i];
    f->durbin_watson = row[i].durbin_watson;
    f->ks_p = row[i].ks_p;
    f->coloured = row[i].coloured;
    f->inflation = row[i].inflation;
    f->white_at_half = row[i].white_at_half;
  }
  rbv_free(row);
  rbv_row_stats_free(stats);
  return status;
}

static double masked_share(const rbv_equations *s) {
  double rows = 0, masked = 0;
  for (int g = 0; g < rbv_equations_group_count(s); g++) {
    rows += (double)rbv_equations_group(s, g)->rows;
    masked += (double)rbv_equations_group(s, g)->masked;
  }
  return masked / (rows + masked);
}

/* report the noise model, and errors of the rows without whitening: in N m, as for other methods */
static rbv_status report_noise(identify_run *r, rbv_estimate *e, const double *fade) {
  r->filter = r->options->filter;
  r->filter.fade = fade;
  RBV_TRY(rbv_run_compress_rows(r));
  for (int i = 0; i < r->nrow; i++)
    RBV_TRY(rbv_equations_row_sigma(&r->sigma[i], r->system, i, r->training));
  for (int i = 0; i < r->nrow; i++) {
    e->fit.row[i].noise_order = r->noise->ar[i].order;
    e->fit.row[i].noise_variance = r->noise->ar[i].variance;
  }
  if (r->noise->limited > 1) e->band_hz = rbv_noise_band_hz(r->noise, r);
  return RBV_OK;
}

/*
 * Estimate the columns that the row filter removed, from plain rows. Near standstill the sign of a
 * measured velocity is unreliable: if there is a simulated motion, its rows are used.
 */
static rbv_status find_hidden(identify_run *r, rbv_estimate *e, const bool *hidden) {
  const rbv_method *method = r->method;
  rbv_method simulated = *method;
  if (method->loop != RBV_LOOP_OPEN) simulated.loop = RBV_LOOP_DIDIM;
  r->filter = r->options->filter;
  r->filter.fade = NULL;
  r->method = &simulated;
  rbv_status status = rbv_run_compress(r);
  if (status == RBV_OK) status = rbv_run_solve_hidden(r, e, hidden);
  r->method = method;
  return status;
}

/* complete the estimate with plain rows; the system then has the rows whose errors are reported:
 * those used for the estimate, without whitening */
static rbv_status use_plain_rows(identify_run *r, rbv_estimate *e, const rbv_row_filter *solved) {
  bool *hidden = rbv_alloc((size_t)r->n * sizeof *hidden), any = false;
  if (!hidden) return RBV_EMEM;
  for (int k = 0; k < r->n; k++) any = (hidden[k] = rbv_run_is_hidden(r, e->base->kept[k])) || any;
  rbv_status status = any ? find_hidden(r, e, hidden) : RBV_OK;
  rbv_free(hidden);
  if (status != RBV_OK) return status;
  if (solved->prefilter) return report_noise(r, e, solved->fade);
  if (!any) return RBV_OK;
  r->filter = *solved;
  return rbv_run_compress_rows(r);
}

rbv_status rbv_run_finish(identify_run *r, rbv_estimate *e) {
  const rbv_row_filter solved = r->filter;
  set_parameter_status(r, e);
  e->bootstrapped = r->options->bootstrap > 0;
  if (e->bootstrapped) RBV_TRY(rbv_bootstrap(r, e));
  RBV_TRY(rbv_jackknife_solve(&e->jackknife, r));
  if (r->method->robust) {
    // errors are those of the measured torques, without clipping
    RBV_TRY(rbv_run_check_clipping(r, e));
    RBV_TRY(rbv_clipping_remove(r));
  }
  RBV_TRY(rbv_linear_condition(&e->diagnostics.condition_number,
                               &e->diagnostics.condition_number_scaled, r->R, &r->selection));
  e->diagnostics.dof = r->solution.dof;
  e->diagnostics.sigma = sqrt(r->solution.sigma2);
  e->masked_fraction = masked_share(r->system);
  RBV_TRY(use_plain_rows(r, e, &solved));
  // the colour of the residuals is that of the estimate without constraints
  if (r->options->consistent) RBV_TRY(compute_residual_statistics(r, e, &solved));
  RBV_TRY(rbv_jackknife_finish(e, r->alone));
  if (r->options->consistent) RBV_TRY(make_consistent(r, e));
  compute_fit(&e->fit, r, e->value, 1);
  e->fit.left_out = r->block_ratio * e->fit.relative_error;
  if (r->options->holdout > 0) compute_fit(&e->validation, r, e->value, 0);
  return r->options->brief ? RBV_OK : compute_residual_statistics(r, e, &solved);
}

rbv_status rbv_run_finish_output(identify_run *r, rbv_estimate *e) {
  set_parameter_status(r, e);
  RBV_TRY(rbv_linear_condition(&e->diagnostics.condition_number,
                               &e->diagnostics.condition_number_scaled, r->R, &r->selection));
  e->diagnostics.dof = r->solution.dof;
  e->diagnostics.sigma = sqrt(r->solution.sigma2);
  if (r->model->uses_torque) RBV_TRY(rbv_equations_set_load(r->system, e->chi));
  RBV_TRY(rbv_run_compress(r));
  for (int i = 0; i < r->nrow; i++)
    RBV_TRY(rbv_equations_row_sigma(&r->sigma[i], r->system, i, r->training));
  e->masked_fraction = masked_share(r->system);
  if (r->options->consistent) RBV_TRY(compute_residual_statistics(r, e, &r->filter));
  RBV_TRY(rbv_jackknife_finish(e, r->alone));
  if (r->options->consistent) RBV_TRY(make_consistent(r, e));
  compute_fit(&e->fit, r, e->value, 1);
  if (r->options->holdout > 0) compute_fit(&e->validation, r, e->value, 0);
  return compute_residual_statistics(r, e, &r->filter);
}
