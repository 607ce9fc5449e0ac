/* Equations of all motions, weights, selection of excited parameters, solution. */
#include <math.h>
#include <string.h>
#include "stats/stats.h"

#include "equations/kept_rows.h"
#include "identify/block_deletion.h"
#include "identify/closed_loop.h"
#include "identify/identify_internal.h"
#include "identify/linear_solve.h"
#include "identify/noise_model.h"
#include "identify/ridge_prior.h"
#include "linalg/linalg.h"
#include "result/result.h"

#define MOTION_RANK 1e-6   // scaled pivots below this: not excited by the motion
#define FREE_ROW_PASSES 3  // until the weights of zero rows are those of the last fit but one
#define FREE_ROW_LEAST \
  0.01  // smallest sigma of a zero row, as a share of the average of others:
        // heavier rows would hide what only joints show

/* the blocks at the end of every motion are for validation */
static rbv_status choose_training(identify_run *r) {
  const int ngroup = rbv_equations_group_count(r->system);
  rbv_free(r->training);
  r->training = rbv_alloc((size_t)ngroup * sizeof *r->training);
  if (!r->training) return RBV_EMEM;
  for (int g = 0; g < ngroup; g++)
    r->training[g] = rbv_blocks_of(r, rbv_equations_group(r->system, g)) >= 0;
  return RBV_OK;
}

static rbv_status compress(identify_run *r, bool instruments) {
  rbv_equations_set_filter(r->system, &r->filter);
  for (int i = 0; i < r->nmotion; i++) {
    rbv_equations_set_folds(r->system, r->blocks[i].folds);
    switch (r->method->loop) {
      case RBV_LOOP_OPEN:
      case RBV_LOOP_OUTPUT: RBV_TRY(rbv_equations_add(r->system, r->motions[i])); break;
      case RBV_LOOP_DIDIM: RBV_TRY(rbv_equations_add(r->system, r->loop->joined[i])); break;
      case RBV_LOOP_INSTRUMENTS:
        RBV_TRY((instruments ? rbv_equations_add_with : rbv_equations_add_like)(
            r->system, r->loop->measured[i], r->loop->simulated[i]));
    }
  }
  return choose_training(r);
}

rbv_status rbv_run_compress(identify_run *r) { return compress(r, true); }

rbv_status rbv_run_compress_rows(identify_run *r) { return compress(r, false); }

/* the row of a base that moves is zero where nothing touches the base, which is an equation too */
static bool is_free_row(const identify_run *r, int row) {
  return rbv_model_base_moves(r->model) && !(r->sigma[row] > 0) &&
         rbv_model_row(r->model, row)->joint < RBV_BASE_COORDINATES;
}

/* rms residual of a row in the training part */
static double row_residual(const identify_run *r, int row, const double *x) {
  double sum = 0;
  ptrdiff_t rows = 0;
  for (int g = 0; g < rbv_equations_group_count(r->system); g++) {
    const rbv_group *group = rbv_equations_group(r->system, g);
    double rss, yy;
    if (group->row != row || !r->training[g]) continue;
    rbv_equations_residual(&rss, &yy, r->system, g, x);
    sum += rss;
    rows += group->rows;
  }
  return rows > 0 ? sqrt(sum / (double)rows) : 0;
}

/*
 * Weights of zero rows. Alone they are fitted by zero parameters, so their weights are those of
 * their residuals in the fit of all rows: first they weigh as much as the average joint.
 */
static rbv_status weigh_free_rows(identify_run *r) {
  double average = 0;
  int others = 0, rank;
  bool any = false;
  for (int i = 0; i < r->nrow; i++) {
    any = any || is_free_row(r, i);
    if (!(r->sigma[i] > 0)) continue;
    average += log(r->sigma[i]);
    others++;
  }
  if (!any || others == 0) return RBV_OK;
  average = exp(average / others);
  RBV_NEW(bool, zero, r->nrow);
  for (int i = 0; i < r->nrow; i++) zero[i] = is_free_row(r, i);
  for (int i = 0; i < r->nrow; i++)
    if (zero[i]) r->sigma[i] = average;
  double *x = rbv_alloc((size_t)r->n * sizeof *x);
  rbv_status status = x ? RBV_OK : RBV_EMEM;
  for (int pass = 0; pass < FREE_ROW_PASSES && status == RBV_OK; pass++) {
    status = rbv_equations_stack(r->R, &r->rows, r->system, r->sigma, r->training, false);
    if (status == RBV_OK)
      status = rbv_least_squares(x, &rank, NULL, r->R, r->n + 1, r->n, r->n + 1,
                                 r->R + (ptrdiff_t)r->n * (r->n + 1), MOTION_RANK);
    for (int i = 0; i < r->nrow && status == RBV_OK; i++)
      if (zero[i]) r->sigma[i] = fmax(row_residual(r, i, x), FREE_ROW_LEAST * average);
  }
  RBV_FREE_ALL(x, zero);
  return status;
}

/* weights of the rows; whitened rows need none */
static rbv_status compute_weights(identify_run *r) {
  const bool weighted = r->method->weighted && !r->filter.prefilter;
  for (int i = 0; i < r->nrow; i++)
    RBV_TRY(rbv_equations_row_sigma(&r->sigma[i], r->system, i, r->training));
  if (weighted) RBV_TRY(weigh_free_rows(r));
  for (int i = 0; i < r->nrow; i++) {
    if (r->options->row_sigma && !r->filter.prefilter) r->sigma[i] = r->options->row_sigma[i];
    if (weighted && !(r->sigma[i] > 0))
      return rbv_fail_option(
          RBV_EINPUT, "method",
          "the torque of joint %d is fitted without any error, so its weight is undefined: either "
          "it is zero throughout and was not recorded, or it is computed, and the method ols can "
          "be used",
          rbv_model_row(r->model, i)->joint + 1);
  }
  r->weights = weighted || (r->options->row_sigma && !r->filter.prefilter) ? r->sigma : NULL;
  return rbv_equations_stack(r->R, &r->rows, r->system, r->weights, r->training, false);
}

/*
 * Scale factors of the columns. A strong prior makes its columns so long that all others would
 * count as zero. No column is left longer than the longest one of the data.
 */
static void scale_columns(double *scale, const identify_run *r) {
  const int n = r->n;
  double longest = 0;
  for (int pass = 0; pass < 2; pass++)
    for (int k = 0; k < n; k++) {
      const double *column = (pass ? r->with_prior : r->R) + (ptrdiff_t)k * (n + 1);
      double length = 0;
      for (int i = 0; i <= k; i++) length = hypot(length, column[i]);
      if (pass == 0) longest = fmax(longest, length);
      if (pass == 1) scale[k] = length > longest && longest > 0 ? longest / length : 1;
    }
}

/*
 * Regroup the columns of R again, because these motions may not excite all base parameters
 * separately; select the kept ones. e->relation becomes the combination that each value represents.
 */
rbv_status rbv_run_select(identify_run *r, rbv_estimate *e) {
  const rbv_base *structure = e->base;
  const int n = r->n, nc = structure->ncolumn;
  RBV_NEW(double, wide, (size_t)nc *(size_t)nc + (size_t)n);
  double *scale = wide + (ptrdiff_t)nc * nc;
  scale_columns(scale, r);
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++)
      wide[i + (ptrdiff_t)structure->kept[k] * nc] =
          scale[k] * r->with_prior[i + (ptrdiff_t)k * (n + 1)];
  rbv_base_options options = rbv_base_defaults();
  options.tolerance = MOTION_RANK;
  rbv_base *excited = NULL;
  RBV_TRY_OR(rbv_base_of_motion(&excited, r->model, wide, &options), rbv_free(wide));

  memset(e->relation, 0, (size_t)n * (size_t)nc * sizeof *e->relation);
  r->selection.n = n;
  r->selection.count = 0;
  for (int k = 0, at = 0; k < n; k++) {
    if (at >= excited->count || excited->kept[at] != structure->kept[k]) continue;
    r->selection.active[r->selection.count++] = k;
    // excited = relation2 * (relation1 * chi)
    for (int i = 0; i < n; i++) {
      const double x = excited->relation[at + (ptrdiff_t)structure->kept[i] * excited->count] *
                       (scale[k] / scale[i]);
      for (int c = 0; c < nc && x != 0; c++)
        e->relation[k + (ptrdiff_t)c * n] += x * structure->relation[i + (ptrdiff_t)c * n];
    }
    at++;
  }
  rbv_base_free(excited);
  rbv_free(wide);
  return RBV_OK;
}

/* the solution of the selected unknowns as a dense vector and matrix */
static void pack(double *x, double *cov, const identify_run *r) {
  const int k = r->selection.count;
  for (int i = 0; i < k; i++) {
    x[i] = r->solution.x[r->selection.active[i]];
    for (int j = 0; j < k; j++)
      cov[i + j * k] =
          r->solution.cov[r->selection.active[i] + (ptrdiff_t)r->selection.active[j] * r->n];
  }
}

/* estimate with instruments, and test whether least squares on the same rows is biased */
static rbv_status solve_instruments(identify_run *r, rbv_estimate *e) {
  const int k = r->selection.count;
  RBV_TRY(rbv_equations_stack_instruments(r->RZ, &r->rows, r->system, r->weights, r->training));
  RBV_TRY(rbv_linear_solve(&r->solution, r->with_prior, r->rows, &r->selection));
  RBV_NEW(double, packed, 2 * (size_t)k + 2 * (size_t)k * (size_t)k);
  double *x[2] = {packed, packed + k}, *cov[2] = {packed + 2 * k, packed + 2 * k + k * k};
  const double ls_sigma2 = r->solution.sigma2;
  pack(x[0], cov[0], r);
  instrument_quality quality;
  rbv_status status = rbv_linear_instruments(&r->solution, &quality, r->RZ, r->rows, &r->selection);
  if (status == RBV_OK) {
    pack(x[1], cov[1], r);
    // the test needs the same noise variance in both
    for (int i = 0; i < k * k; i++) cov[0][i] *= r->solution.sigma2 / ls_sigma2;
    status = rbv_stats_hausman(&e->instruments.hausman, x[1], cov[1], x[0], cov[0], k, 0);
    e->instruments.condition = quality.condition;
    e->instruments.strength = quality.strength;
    // a column may be zero in all torques but one
    e->instruments.first_stage = quality.first_stage / rbv_model_row_count(r->model);
    e->instruments.hausman.worst = r->selection.active[e->instruments.hausman.worst];
  }
  rbv_free(packed);
  return status;
}

/* drop parameters that are not significant; sigma is that of the jackknife of all parameters */
static rbv_status drop_inessential(identify_run *r, rbv_estimate *e) {
  RBV_TRY(rbv_linear_solve(&r->solution, r->with_prior, r->rows, &r->selection));
  RBV_TRY(rbv_jackknife_solve(&e->jackknife, r));
  RBV_NEW(double, inflation, r->n);
  for (int k = 0; k < r->n; k++) {
    const double white = sqrt(r->solution.cov[k + (ptrdiff_t)k * r->n]) / r->slope;
    const double ratio = rbv_jackknife_sigma(&e->jackknife, r->n, k) / white;
    inflation[k] = isfinite(ratio) ? fmax(ratio, 1) : 1;
  }
  RBV_FINISH(rbv_linear_reduce(&r->solution, &r->selection, r->with_prior, r->rows, inflation),
             rbv_free(inflation));
}

/* exclude the columns that the row filter removes */
static void exclude_hidden(identify_run *r, const rbv_estimate *e) {
  for (int k = 0; k < r->n; k++)
    if (rbv_run_is_hidden(r, e->base->kept[k]))
      memset(r->with_prior + (ptrdiff_t)k * (r->n + 1), 0,
             (size_t)(r->n + 1) * sizeof *r->with_prior);
}

rbv_status rbv_run_solve(identify_run *r, rbv_estimate *e) {
  RBV_TRY(compute_weights(r));
  memcpy(r->with_prior, r->R, (size_t)(r->n + 1) * (size_t)(r->n + 1) * sizeof *r->R);
  if (r->options->prior) RBV_TRY(rbv_prior_apply(r, e));
  exclude_hidden(r, e);
  RBV_TRY(rbv_run_select(r, e));
  if (r->selection.count == 0) return rbv_fail(RBV_EINPUT, "these motions excite no parameter");
  const int before = r->selection.count;
  if (r->method->loop == RBV_LOOP_INSTRUMENTS)
    RBV_TRY(solve_instruments(r, e));
  else if (r->method->total)
    RBV_TRY(rbv_linear_total(&r->solution, r->with_prior, r->rows, &r->selection));
  else if (r->options->essential)
    RBV_TRY(drop_inessential(r, e));
  else
    RBV_TRY(rbv_linear_solve(&r->solution, r->with_prior, r->rows, &r->selection));
  e->dropped = before - r->selection.count;
  // a removed column keeps its value
  for (int k = 0; k < r->n; k++)
    if (!rbv_run_is_hidden(r, e->base->kept[k])) e->value[k] = r->solution.x[k];
  rbv_base_expand(e->chi, e->base, e->value);
  return RBV_OK;
}
