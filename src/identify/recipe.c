/* The methods as rows of a table, and the one loop that runs them. */
#include <math.h>
#include <roberval/identify.h>
#include <roberval/stats.h>
#include <string.h>

#include "identify/judge.h"
#include "identify/linear.h"
#include "identify/loop.h"
#include "identify/prior.h"
#include "identify/run.h"

/* ---- the methods ---- */

typedef struct {
  const char *name, *text;
  bool weighted;  // rows divided by the sigma of their own fit
  bool robust;    // torques clipped around the last estimate, until that rests
  bool total;     // errors in the columns too
  enum { OPEN, DIDIM, INSTRUMENTS } loop;  // where the simulated motion goes: nowhere, W, Z
} recipe;

static const recipe table[] = {
    {"ols", "least squares, every equation counts alike", false, false, false, OPEN},
    {"wls", "least squares, each torque row divided by the sigma of its own fit", true, false,
     false, OPEN},
    {"irls", "wls with outliers held down (Huber), repeated until the estimate rests", true, true,
     false, OPEN},
    {"tls", "total least squares: errors in the columns as in the torque", true, false, true, OPEN},
    {"didim", "wls on the motion of a simulated loop, repeated (000): positions are not needed",
     true, false, false, DIDIM},
    {"iv", "instruments from a simulated loop, repeated (003 section 3.3)", true, false, false,
     INSTRUMENTS},
};

const char *rbv_identify_method(int i) { return i < RBV_COUNT(table) ? table[i].name : NULL; }
const char *rbv_identify_method_text(int i) { return i < RBV_COUNT(table) ? table[i].text : NULL; }

static const recipe *find_recipe(const char *name);

bool rbv_identify_simulates(const char *method) {
  const recipe *found = find_recipe(method);
  return found && found->loop != OPEN;
}

static const recipe *find_recipe(const char *name) {
  for (int i = 0; i < RBV_COUNT(table); i++)
    if (strcmp(table[i].name, name) == 0) return &table[i];
  return NULL;
}

rbv_identify_options rbv_identify_defaults(void) {
  return (rbv_identify_options){.method = "wls", .filter = {.decimate = 1}, .seed = 1};
}

/* ---- what a run works with ---- */

#define BLOCKS 30         // folds of a motion when blocks are asked for: a third is a whole number
#define MOTION_RANK 1e-6  // scaled pivots below this are not excited by the motion
#define IRLS_MOST 50
#define LOOP_RESIDUAL 0.025  // change of the residual and
#define LOOP_STEP 0.1        // of a parameter, in sigma, that end a simulated loop (docs/theory)
#define IRLS_REST 0.01       // largest step of the estimate in sigma that counts as rest

static void layout(identify_run *r, rbv_arena *a) {
  const size_t n = (size_t)r->n;
  r->sigma = RBV_TAKE(a, r->nrow, double);
  r->R = RBV_TAKE(a, (n + 1) * (n + 1), double);
  r->leaned = RBV_TAKE(a, (n + 1) * (n + 1), double);
  r->solution.x = RBV_TAKE(a, n, double);
  r->solution.cov = RBV_TAKE(a, n * n, double);
  r->selection.active = RBV_TAKE(a, n, int);
  r->prior = RBV_TAKE(a, n, double);
  r->prior_scale = RBV_TAKE(a, n, double);
  r->weight = RBV_TAKE(a, n, double);
  r->RZ = RBV_TAKE(a, r->options->loop ? (2 * n + 1) * (2 * n + 1) : 0, double);
}

static void layout_estimate(rbv_estimate *e, int n, int ncolumn, int nrow, rbv_arena *a) {
  e->value = RBV_TAKE(a, n, double);
  e->covariance = RBV_TAKE(a, n * n, double);
  e->status = RBV_TAKE(a, n, rbv_parameter_status);
  e->relation = RBV_TAKE(a, (size_t)n * (size_t)ncolumn, double);
  e->chi = RBV_TAKE(a, ncolumn, double);
  e->bootstrap_sigma = RBV_TAKE(a, n, double);
  e->fit.row = RBV_TAKE(a, nrow, rbv_row_fit);
  e->validation.row = RBV_TAKE(a, nrow, rbv_row_fit);
}

static rbv_status new_estimate(rbv_estimate **out, const rbv_model *m, const rbv_base *base) {
  const int ncolumn = rbv_model_column_count(m), nrow = rbv_model_row_count(m);
  rbv_estimate sizes;
  rbv_arena measure = {0};
  (void)RBV_TAKE(&measure, 1, rbv_estimate);
  layout_estimate(&sizes, base->count, ncolumn, nrow, &measure);
  char *memory = rbv_alloc(measure.used);
  if (!memory) return RBV_EMEM;
  rbv_arena carve = {.base = memory};
  rbv_estimate *e = RBV_TAKE(&carve, 1, rbv_estimate);
  layout_estimate(e, base->count, ncolumn, nrow, &carve);
  e->memory = memory;
  *out = e;
  return RBV_OK;
}

void rbv_estimate_free(rbv_estimate *e) {
  if (!e) return;
  rbv_base_free(e->base);
  rbv_standard_free(e->standard);
  rbv_free(e->memory);
}

/* ---- steps ---- */

/* blocks at the end of every motion are for validation */
static rbv_status choose_training(identify_run *r) {
  const int ngroup = rbv_system_group_count(r->system);
  rbv_free(r->training);
  r->training = rbv_alloc((size_t)ngroup * sizeof *r->training);
  if (!r->training) return RBV_EMEM;
  const int first_held = (int)rint(BLOCKS * (1 - r->options->holdout));
  for (int g = 0; g < ngroup; g++)
    r->training[g] =
        !(r->options->holdout > 0) || rbv_system_group(r->system, g)->fold < first_held;
  return RBV_OK;
}

static rbv_status compress(identify_run *r, const recipe *method) {
  rbv_system_clear(r->system);
  for (int i = 0; i < r->nmotion; i++) switch (method->loop) {
      case OPEN: RBV_TRY(rbv_system_add(r->system, r->motions[i])); break;
      case DIDIM: RBV_TRY(rbv_system_add(r->system, r->loop->joined[i])); break;
      case INSTRUMENTS:
        RBV_TRY(rbv_system_add_with(r->system, r->loop->measured[i], r->loop->simulated[i]));
    }
  return choose_training(r);
}

static rbv_status weigh(identify_run *r, const recipe *method) {
  for (int i = 0; i < r->nrow; i++) {
    RBV_TRY(rbv_system_row_sigma(&r->sigma[i], r->system, i, r->training));
    if (r->options->row_sigma) r->sigma[i] = r->options->row_sigma[i];
    if (method->weighted && !(r->sigma[i] > 0))
      return rbv_fail(RBV_ENUM,
                      "torque row %d is fitted without any error, so nothing tells its weight: use "
                      "--method ols",
                      i + 1);
  }
  r->weights = method->weighted || r->options->row_sigma ? r->sigma : NULL;
  return rbv_system_stack(r->R, &r->rows, r->system, r->weights, r->training, false);
}

/*
 * Scales of the columns: a strong prior makes its own so long that beside it all others would count
 * as zero. None is left longer than the longest of the data.
 */
static void scale_columns(double *scale, const identify_run *r) {
  const int n = r->n;
  double longest = 0;
  for (int pass = 0; pass < 2; pass++)
    for (int k = 0; k < n; k++) {
      const double *column = (pass ? r->leaned : r->R) + (ptrdiff_t)k * (n + 1);
      double length = 0;
      for (int i = 0; i <= k; i++) length = hypot(length, column[i]);
      if (pass == 0) longest = fmax(longest, length);
      if (pass == 1) scale[k] = length > longest && longest > 0 ? longest / length : 1;
    }
}

/*
 * What these motions cannot tell apart goes: the columns of the triangle are regrouped once more,
 * and only those that are kept take part. relation becomes what the values stand for.
 */
static rbv_status select_excited(identify_run *r, rbv_estimate *e) {
  const rbv_base *structure = e->base;
  const int n = r->n, nc = structure->ncolumn;
  double *wide = rbv_alloc(((size_t)nc * (size_t)nc + (size_t)n) * sizeof *wide);
  if (!wide) return RBV_EMEM;
  double *scale = wide + (ptrdiff_t)nc * nc;
  scale_columns(scale, r);
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++)
      wide[i + (ptrdiff_t)structure->kept[k] * nc] =
          scale[k] * r->leaned[i + (ptrdiff_t)k * (n + 1)];
  rbv_base_options options = rbv_base_defaults();
  options.tolerance = MOTION_RANK;
  rbv_base *excited = NULL;
  const rbv_status status = rbv_base_of_motion(&excited, r->model, wide, &options);
  if (status != RBV_OK) {
    rbv_free(wide);
    return status;
  }

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

/* the solution over the selected unknowns alone, side by side */
static void pack(double *x, double *cov, const identify_run *r) {
  const int k = r->selection.count;
  for (int i = 0; i < k; i++) {
    x[i] = r->solution.x[r->selection.active[i]];
    for (int j = 0; j < k; j++)
      cov[i + j * k] =
          r->solution.cov[r->selection.active[i] + (ptrdiff_t)r->selection.active[j] * r->n];
  }
}

/* the estimate by instruments, and whether least squares on the same rows would be biased */
static rbv_status solve_instruments(identify_run *r, rbv_estimate *e) {
  const int k = r->selection.count;
  RBV_TRY(rbv_system_stack_instruments(r->RZ, &r->rows, r->system, r->weights, r->training));
  RBV_TRY(rbv_linear_solve(&r->solution, r->leaned, r->rows, &r->selection));
  double *packed = rbv_alloc((2 * (size_t)k + 2 * (size_t)k * (size_t)k) * sizeof *packed);
  if (!packed) return RBV_EMEM;
  double *x[2] = {packed, packed + k}, *cov[2] = {packed + 2 * k, packed + 2 * k + k * k};
  const double ls_sigma2 = r->solution.sigma2;
  pack(x[0], cov[0], r);
  instrument_quality quality;
  rbv_status status = rbv_linear_instruments(&r->solution, &quality, r->RZ, r->rows, &r->selection);
  if (status == RBV_OK) {
    pack(x[1], cov[1], r);
    // the same noise in both, as the test wants it
    for (int i = 0; i < k * k; i++) cov[0][i] *= r->solution.sigma2 / ls_sigma2;
    status = rbv_stats_hausman(&e->instruments.hausman, x[1], cov[1], x[0], cov[0], k, 0);
    e->instruments.condition = quality.condition;
    e->instruments.strength = quality.strength;
    e->instruments.hausman.worst = r->selection.active[e->instruments.hausman.worst];
  }
  rbv_free(packed);
  return status;
}

static rbv_status solve(identify_run *r, rbv_estimate *e, const recipe *method) {
  memcpy(r->leaned, r->R, (size_t)(r->n + 1) * (size_t)(r->n + 1) * sizeof *r->R);
  if (r->options->prior) RBV_TRY(rbv_prior_lean(r, e));
  RBV_TRY(select_excited(r, e));
  if (r->selection.count == 0)
    return rbv_fail(RBV_EINPUT, "these motions excite no parameter at all");
  const int before = r->selection.count;
  if (method->loop == INSTRUMENTS)
    RBV_TRY(solve_instruments(r, e));
  else if (method->total)
    RBV_TRY(rbv_linear_total(&r->solution, r->leaned, r->rows, &r->selection));
  else if (r->options->essential)
    RBV_TRY(rbv_linear_reduce(&r->solution, &r->selection, r->leaned, r->rows));
  else
    RBV_TRY(rbv_linear_solve(&r->solution, r->leaned, r->rows, &r->selection));
  e->dropped = before - r->selection.count;
  memcpy(e->value, r->solution.x, (size_t)r->n * sizeof *e->value);
  rbv_base_expand(e->chi, e->base, e->value);
  return RBV_OK;
}

/* limits of the torque residual at full rate, from its spread, which outliers do not move */
static rbv_status clip_around(identify_run *r, const rbv_estimate *e, double *limit) {
  rbv_judge *judge;
  RBV_TRY(rbv_judge_new(&judge, r->model));
  const rbv_row_filter raw = {.decimate = 1, .threads = r->filter.threads};
  rbv_status status = RBV_OK;
  double share = 0;
  for (int i = 0; i < r->nmotion && status == RBV_OK; i++)
    status = rbv_judge_motion(judge, r->motions[i], e->chi, &raw);
  for (int i = 0; i < r->nrow && status == RBV_OK; i++) {
    double spread;
    status = rbv_judge_spread(&spread, judge, i);
    limit[i] = fmax(RBV_STATS_HUBER * spread, 1e-300);
    share += rbv_judge_share(judge, i, limit[i]) / r->nrow;
  }
  rbv_judge_free(judge);
  r->slope = share;
  return status == RBV_OK ? rbv_system_clip(r->system, e->chi, limit) : status;
}

/* largest change of an estimated parameter, in its sigma */
static double step_size(const identify_run *r, const double *before) {
  double largest = 0;
  for (int i = 0; i < r->selection.count; i++) {
    const ptrdiff_t k = r->selection.active[i];
    const double sigma = sqrt(r->solution.cov[k + k * r->n]);
    largest = fmax(largest, fabs(r->solution.x[k] - before[k]) / sigma);
  }
  return largest;
}

/* ---- the loop ---- */

/* one round: what the method repeats with, then rows, weights, solution */
static rbv_status round_of(identify_run *r, rbv_estimate *e, const recipe *method, double *limit) {
  if (method->robust && e->iterations > 0) RBV_TRY(clip_around(r, e, limit));
  if (method->loop != OPEN) RBV_TRY(rbv_loop_simulate(r->loop, r, e->chi, e->iterations));
  RBV_TRY(compress(r, method));
  RBV_TRY(weigh(r, method));
  return solve(r, e, method);
}

static bool is_exact(const identify_run *r) {
  // residual over torque, both weighted: rounding through some thousand operations
  double yy = 0;
  const double *y = r->R + (ptrdiff_t)r->n * (r->n + 1);
  for (int i = 0; i <= r->n; i++) yy += y[i] * y[i];
  return r->solution.rss <= 1e-20 * yy;
}

/*
 * Has it come to rest? An exact fit has. With a simulated loop: residual within 2.5 % of the last
 * one and no parameter moved by more than a tenth of its sigma (000 eq. 26 compares a signed
 * difference, which any decrease satisfies), with the gains as they are.
 */
static bool rests(const identify_run *r, const rbv_estimate *e, const recipe *method,
                  const double *before, double rss_before) {
  if (!method->robust && method->loop == OPEN) return true;
  if (e->iterations < 2) return false;
  if (method->robust) return step_size(r, before) <= IRLS_REST;
  const rbv_closed_loop *loop = r->options->loop;
  const bool scaled = loop->inertia && e->iterations <= loop->scaled_steps;
  const double change = fabs(sqrt(r->solution.rss) - sqrt(rss_before)) / sqrt(rss_before);
  return !scaled && (is_exact(r) || (change <= LOOP_RESIDUAL && step_size(r, before) <= LOOP_STEP));
}

static int most_rounds(const identify_run *r, const recipe *method) {
  if (method->robust) return IRLS_MOST;
  return method->loop != OPEN ? r->options->loop->most : 1;
}

static rbv_status iterate(identify_run *r, rbv_estimate *e, const recipe *method) {
  if (method->loop != OPEN) {
    RBV_TRY(rbv_loop_new(&r->loop, r));
    rbv_loop_start(e->chi, r->loop, r);
  }
  double *limit = rbv_alloc((size_t)(r->nrow + r->n) * sizeof *limit);
  if (!limit) return RBV_EMEM;
  double *before = limit + r->nrow, rss = NAN;
  rbv_status status = RBV_OK;
  const int most = most_rounds(r, method);
  for (e->iterations = 0; e->iterations < most && status == RBV_OK && !e->converged;) {
    memcpy(before, e->value, (size_t)r->n * sizeof *before);
    const double rss_before = rss;
    status = round_of(r, e, method, limit);
    rss = r->solution.rss;
    e->iterations++;
    e->converged = rests(r, e, method, before, rss_before);
  }
  rbv_free(limit);
  return status;
}

static void judge_parameters(const identify_run *r, rbv_estimate *e) {
  const int n = r->n;
  // clipped torques do not answer to the parameters (Huber: the mean slope of psi, squared)
  for (ptrdiff_t i = 0; i < (ptrdiff_t)n * n; i++)
    e->covariance[i] = r->solution.cov[i] / (r->slope * r->slope);
  e->active = r->selection.count;
  for (int k = 0; k < n; k++) {
    // what the motion shows and is not kept below was dropped
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
    e->status[k] = rbv_prior_holds(r, k) ? RBV_STATUS_PRIOR
                   : grouped             ? RBV_STATUS_COMBINED
                                         : RBV_STATUS_IDENTIFIED;
  }
}

/*
 * Parameters that can exist: the cost of the fit rises by (x - K chi)' inv(C) (x - K chi), which is
 * what is minimised here, so this is the method's own constrained optimum.
 */
static rbv_status make_consistent(identify_run *r, rbv_estimate *e) {
  const rbv_physical_input input = {r->n, e->value, e->covariance, e->relation};
  const double *prior = r->options->prior ? r->options->prior : rbv_model_parameters(r->model);
  RBV_TRY(rbv_physical_solve(&e->standard, r->model, &input, prior, NULL));
  for (int k = 0; k < r->n; k++)
    if (isfinite(e->covariance[k + (ptrdiff_t)k * r->n])) e->value[k] = e->standard->value[k];
  rbv_base_expand(e->chi, e->base, e->value);
  return RBV_OK;
}

/* rows and errors of the groups that were, or were not, used */
static void judge_groups(rbv_fit *fit, const identify_run *r, const double *x, int training) {
  double total_rss = 0, total_yy = 0;
  for (int i = 0; i < r->nrow; i++) {
    rbv_row_fit *f = &fit->row[i];
    double rss = 0, yy = 0;
    f->rows = 0;
    for (int g = 0; g < rbv_system_group_count(r->system); g++) {
      const rbv_group *group = rbv_system_group(r->system, g);
      if (group->row != i || r->training[g] != training) continue;
      double a, b;
      rbv_system_residual(&a, &b, r->system, g, x);
      rss += a;
      yy += b;
      f->rows += group->rows;
    }
    f->joint = rbv_model_row(r->model, i)->joint;
    f->torque = rbv_model_row(r->model, i)->torque;
    f->relative_error = sqrt(rss / yy);
    f->rms = sqrt(rss / (double)f->rows);
    f->sigma = r->sigma[i];
    f->durbin_watson = f->ks_p = f->inflation = NAN;
    f->coloured = false;
    total_rss += rss;
    total_yy += yy;
  }
  fit->nrow = r->nrow;
  fit->relative_error = sqrt(total_rss / total_yy);
}

/* the rows that a method was solved on */
static rbv_motion *judged_motion(const identify_run *r, const recipe *method, int i) {
  return method->loop == OPEN    ? r->motions[i]
         : method->loop == DIDIM ? r->loop->joined[i]
                                 : r->loop->measured[i];
}

/* residual statistics need rows: replay. With a holdout they are of all rows, used or not */
static rbv_status judge_residuals(identify_run *r, rbv_estimate *e, const recipe *method) {
  rbv_judge *judge;
  RBV_TRY(rbv_judge_new(&judge, r->model));
  rbv_row_fit *row = rbv_alloc((size_t)r->nrow * sizeof *row);
  rbv_fit all = {.row = row};
  rbv_status status = row ? RBV_OK : RBV_EMEM;
  for (int i = 0; i < r->nmotion && status == RBV_OK; i++)
    status = rbv_judge_motion(judge, judged_motion(r, method, i), e->chi, &r->filter);
  if (status == RBV_OK) status = rbv_judge_finish(&all, judge, e->active);
  double variance = 0;
  for (int i = 0; i < r->nrow && status == RBV_OK; i++) {
    rbv_row_fit *f = &e->fit.row[i];
    f->durbin_watson = row[i].durbin_watson;
    f->ks_p = row[i].ks_p;
    f->coloured = row[i].coloured;
    f->inflation = row[i].inflation;
    variance += f->inflation * f->inflation / r->nrow;
  }
  e->diagnostics.sigma_inflation = sqrt(variance);
  rbv_free(row);
  rbv_judge_free(judge);
  return status;
}

static double masked_share(const rbv_system *s) {
  double rows = 0, masked = 0;
  for (int g = 0; g < rbv_system_group_count(s); g++) {
    rows += (double)rbv_system_group(s, g)->rows;
    masked += (double)rbv_system_group(s, g)->masked;
  }
  return masked / (rows + masked);
}

static rbv_status finish(identify_run *r, rbv_estimate *e, const recipe *method) {
  judge_parameters(r, e);
  e->bootstrapped = r->options->bootstrap > 0;
  if (e->bootstrapped) RBV_TRY(rbv_bootstrap(r, e));
  if (r->options->consistent) RBV_TRY(make_consistent(r, e));
  if (method->robust) {
    // errors are those of the torques as they were measured
    RBV_TRY(rbv_system_clip(r->system, NULL, NULL));
    RBV_TRY(compress(r, method));
  }
  RBV_TRY(rbv_linear_condition(&e->diagnostics.condition_number,
                               &e->diagnostics.condition_number_scaled, r->R, &r->selection));
  e->diagnostics.dof = r->solution.dof;
  e->diagnostics.sigma = sqrt(r->solution.sigma2);
  e->masked_fraction = masked_share(r->system);
  judge_groups(&e->fit, r, e->value, 1);
  if (r->options->holdout > 0) judge_groups(&e->validation, r, e->value, 0);
  return judge_residuals(r, e, method);
}

static rbv_status check(const rbv_identify_options *o, int nmotion) {
  if (!find_recipe(o->method)) return rbv_fail(RBV_EARG, "there is no method '%s'", o->method);
  if (o->consistent && o->essential)
    return rbv_fail(RBV_EARG,
                    "consistent and essential exclude each other: the uncertainty of dropped "
                    "parameters is not known");
  if (nmotion < 1) return rbv_fail(RBV_EARG, "there is no motion to identify from");
  if (!(o->holdout >= 0 && o->holdout < 1))
    return rbv_fail(RBV_EARG, "a share of %g cannot be held out", o->holdout);
  return RBV_OK;
}

static rbv_status run_in(identify_run *r, rbv_estimate *e, const recipe *method) {
  RBV_TRY(rbv_system_new(&r->system, r->model, e->base->kept, r->n, &r->filter));
  RBV_TRY(iterate(r, e, method));
  return finish(r, e, method);
}

rbv_status rbv_identify(rbv_estimate **out, const rbv_model *m, rbv_motion *const *motions,
                        int nmotion, const rbv_identify_options *options) {
  *out = NULL;
  RBV_TRY(check(options, nmotion));
  rbv_base *base;
  rbv_estimate *e = NULL;
  RBV_TRY(rbv_base_new(&base, m, NULL));
  rbv_status status = new_estimate(&e, m, base);
  if (status != RBV_OK) {
    rbv_base_free(base);
    return status;
  }
  const recipe *method = find_recipe(options->method);
  e->base = base;
  e->method = method->name;
  identify_run r = {.model = m, .motions = motions, .nmotion = nmotion, .options = options};
  r.filter = options->filter;
  r.filter.folds = options->holdout > 0 || options->prior || options->bootstrap > 0 ? BLOCKS : 1;
  r.slope = 1;
  r.nrow = rbv_model_row_count(m);
  r.n = base->count;
  rbv_arena measure = {0};
  layout(&r, &measure);
  char *memory = rbv_alloc(measure.used);
  rbv_arena carve = {.base = memory};
  layout(&r, &carve);
  status = memory ? run_in(&r, e, method) : RBV_EMEM;
  rbv_loop_free(r.loop, &r);
  rbv_system_free(r.system);
  rbv_free(r.training);
  rbv_free(memory);
  if (status == RBV_OK)
    *out = e;
  else
    rbv_estimate_free(e);
  return status;
}
