#include "identify/ridge_prior.h"
#include "equations/equations.h"

#include <math.h>
#include <roberval/sys/stats.h>
#include <string.h>

#define SPLITS 5       // parts for cross-validation, consecutive in time
#define CANDIDATES 17  // weights 10^-4 ... 10^4 in half decades

/* typical size of a parameter whose prior is near zero: median of those with the same unit */
static rbv_status typical(double *size, const identify_run *r, const rbv_base *b, int k) {
  RBV_NEW(double, same, r->n);
  const char *unit = rbv_model_column(r->model, b->kept[k])->unit;
  int count = 0;
  for (int i = 0; i < r->n; i++)
    if (r->prior[i] != 0 && strcmp(rbv_model_column(r->model, b->kept[i])->unit, unit) == 0)
      same[count++] = fabs(r->prior[i]);
  *size = 0;
  const double half = 0.5;
  RBV_FINISH(count > 0 ? rbv_stats_quantiles(size, same, same, count, &half, 1) : RBV_OK,
             rbv_free(same));
}

/*
 * Sigma of a base parameter from those of its terms; NaN if one is not known. If only the kept
 * column has a value or sigma, it is that of the base parameter itself.
 */
static double combined_sigma(const identify_run *r, const rbv_base *b, int k) {
  const double *sigma = r->options->prior_sigma, *value = r->options->prior;
  if (!sigma) return NAN;
  double sum = 0;
  bool alone = true;
  for (int c = 0; c < b->ncolumn; c++) {
    const double x = b->relation[k + (ptrdiff_t)c * b->count];
    if (x == 0) continue;
    sum += x * x * sigma[c] * sigma[c];
    alone = alone && (c == b->kept[k] || (value[c] == 0 && isnan(sigma[c])));
  }
  return alone ? sigma[b->kept[k]] : sqrt(sum);
}

/* size of the errors in the stacked rows: 1 if they are divided by their sigma */
static double row_error(const identify_run *r) {
  double sum = 0;
  for (int i = 0; i < r->nrow; i++) sum += r->sigma[i] * r->sigma[i] / r->nrow;
  return r->weights ? 1 : sqrt(sum);
}

/* set base values, scales and weights of the prior; other parameters than those of links need a
 * value */
static rbv_status prepare(identify_run *r, const rbv_base *b, bool *scaled) {
  rbv_base_values(r->prior, b, r->options->prior);
  *scaled = false;
  for (int k = 0; k < r->n; k++) {
    const double known = combined_sigma(r, b, k);
    const bool of_link = rbv_model_column(r->model, b->kept[k])->basis == RBV_BASIS_INERTIAL;
    r->prior_scale[k] = 0;
    r->weight[k] = 0;
    if (isfinite(known) && known > 0) {
      r->weight[k] = row_error(r) / known;
    } else if (of_link || r->prior[k] != 0) {
      double size;
      RBV_TRY(typical(&size, r, b, k));
      r->prior_scale[k] = fmax(fabs(r->prior[k]), size);
      *scaled = *scaled || r->prior_scale[k] > 0;
    }
  }
  return RBV_OK;
}

/* set the weights of priors whose sigma is not known: strength / scale */
static void set_weights(identify_run *r, double strength) {
  for (int k = 0; k < r->n; k++)
    if (r->prior_scale[k] > 0) r->weight[k] = strength * row_error(r) / r->prior_scale[k];
}

/* ---- cross-validation ---- */

/* add the error on the groups of one part that was left out of the fit */
static rbv_status error_left_out(double *error, identify_run *r, const double *R,
                                 const int *left_out) {
  selection all = {.n = r->n, .count = r->n, .active = r->selection.active};
  for (int k = 0; k < r->n; k++) all.active[k] = k;
  RBV_TRY(rbv_linear_add_prior(r->with_prior, R, r->n, r->prior, r->weight));
  RBV_TRY(rbv_linear_solve(&r->solution, r->with_prior, r->rows, &all));
  for (int g = 0; g < rbv_equations_group_count(r->system); g++) {
    if (!left_out[g]) continue;
    double rss, yy;
    rbv_equations_residual(&rss, &yy, r->system, g, r->solution.x);
    const double sigma = r->weights ? r->weights[rbv_equations_group(r->system, g)->row] : 1;
    *error += rss / (sigma * sigma);
  }
  return RBV_OK;
}

static double candidate(int i) { return pow(10, 0.5 * i - 0.25 * (CANDIDATES - 1)); }

/*
 * The strongest prior whose error is not larger than the smallest one beyond the standard error of
 * their difference over the parts. Where the parts disagree about the best weight, the data do not
 * know better than the prior.
 */
static int choose_candidate(const double error[SPLITS][CANDIDATES]) {
  double total[CANDIDATES] = {0};
  for (int p = 0; p < SPLITS; p++)
    for (int i = 0; i < CANDIDATES; i++) total[i] += error[p][i];
  int best = CANDIDATES - 1;
  for (int i = CANDIDATES - 1; i >= 0; i--)
    if (total[i] < total[best]) best = i;
  for (int i = CANDIDATES - 1; i > best; i--) {
    const double mean = (total[i] - total[best]) / SPLITS;
    double square = 0;
    for (int p = 0; p < SPLITS; p++) {
      const double difference = error[p][i] - error[p][best] - mean;
      square += difference * difference;
    }
    if (mean <= sqrt(square / (SPLITS * (SPLITS - 1.0)))) return i;
  }
  return best;
}

static rbv_status cross_validate(double *strength, identify_run *r) {
  const int ngroup = rbv_equations_group_count(r->system);
  int *in = rbv_alloc(2 * (size_t)ngroup * sizeof *in), *out = in ? in + ngroup : NULL;
  double *R = rbv_alloc((size_t)(r->n + 1) * (size_t)(r->n + 1) * sizeof *R);
  double error[SPLITS][CANDIDATES] = {{0}};
  rbv_status status = in && R ? RBV_OK : RBV_EMEM;
  for (int part = 0; part < SPLITS && status == RBV_OK; part++) {
    for (int g = 0; g < ngroup; g++) {
      const rbv_group *group = rbv_equations_group(r->system, g);
      const bool here = group->fold * SPLITS / r->blocks[group->motion].used == part;
      in[g] = r->training[g] && !here;
      out[g] = r->training[g] && here;
    }
    status = rbv_equations_stack(R, NULL, r->system, r->weights, in, false);
    for (int i = 0; i < CANDIDATES && status == RBV_OK; i++) {
      set_weights(r, candidate(i));
      const rbv_status solved = error_left_out(&error[part][i], r, R, out);
      // the prior is too weak to make the system regular: exclude this candidate
      if (solved == RBV_ENUM)
        error[part][i] = INFINITY;
      else
        status = solved;
    }
  }
  *strength = candidate(choose_candidate(error));
  rbv_free(in);
  rbv_free(R);
  return status;
}

rbv_status rbv_prior_apply(identify_run *r, rbv_estimate *e) {
  bool scaled;
  RBV_TRY(prepare(r, e->base, &scaled));
  e->prior_weight = r->options->prior_weight > 0 ? r->options->prior_weight : 1;
  if (scaled) {
    if (!(r->options->prior_weight > 0)) RBV_TRY(cross_validate(&e->prior_weight, r));
    set_weights(r, e->prior_weight);
  }
  return rbv_linear_add_prior(r->with_prior, r->R, r->n, r->prior, r->weight);
}

bool rbv_prior_dominates(const identify_run *r, int k) {
  if (!r->options->prior || !(r->weight[k] > 0)) return false;
  // posterior variance in units of the whitened residual, relative to that of the prior alone
  const double variance = r->solution.cov[k + (ptrdiff_t)k * r->n] / r->solution.sigma2;
  return variance * r->weight[k] * r->weight[k] > 0.5;
}
