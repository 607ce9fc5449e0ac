/* The table of methods, and the loop that runs them. */
#include <math.h>
#include <roberval/sys/identify.h>
#include <stdio.h>
#include <string.h>

#include "equations/kept_rows.h"
#include "identify/auto_method.h"
#include "identify/block_deletion.h"
#include "identify/clipped_torques.h"
#include "identify/closed_loop.h"
#include "identify/identify_internal.h"
#include "identify/noise_model.h"
#include "identify/surviving_columns.h"
#include "model/model_internal.h"

/* ---- methods ---- */

static const rbv_method table[] = {
    {.name = "ols", .text = "least squares, all equations with the same weight"},
    {.name = "wls",
     .text = "least squares, each torque row divided by the sigma of its own fit",
     .weighted = true},
    {.name = "irls",
     .text = "wls with clipped outliers (Huber), repeated until the estimate converges",
     .weighted = true,
     .robust = true},
    {.name = "tls",
     .text = "total least squares: errors in the columns and in the torque",
     .weighted = true,
     .total = true},
    {.name = "ml",
     .text = "maximum likelihood: torque noise with an autoregressive model, repeated; positions "
             "count as exact (Radkhah 2007 section II.D)",
     .weighted = true,
     .whitened = true,
     .bounded = true},
    {.name = "didim",
     .text = "wls on the motion of a simulated loop, repeated (Gautier 2011); needs no positions",
     .weighted = true,
     .loop = RBV_LOOP_DIDIM},
    {.name = "iv",
     .text = "instruments from a simulated loop, repeated (Brunot 2018 section 3.3)",
     .weighted = true,
     .loop = RBV_LOOP_INSTRUMENTS},
    {.name = "piv",
     .text = "iv on rows at the full rate, filtered to whiten their noise (Brunot 2018 section 4); "
             "without equations near standstill",
     .weighted = true,
     .whitened = true,
     .sliding = true,
     .encoder_safe = true,
     .loop = RBV_LOOP_INSTRUMENTS},
    {.name = "slide",
     .text = "iv without equations near standstill; the friction there is estimated "
             "separately",
     .weighted = true,
     .sliding = true,
     .encoder_safe = true,
     .loop = RBV_LOOP_INSTRUMENTS},
    {.name = "cloe",
     .text = "closed-loop output error: the simulated loop follows the recorded positions; needs "
             "no torques",
     .weighted = true,
     .encoder_safe = true,
     .loop = RBV_LOOP_OUTPUT},
    {.name = "auto",
     .text = "wls, irls, slide or piv: no bias, then the smallest sigma; with the reason",
     .chooses = true},
};

const char *rbv_identify_method(int i) { return i < RBV_COUNT(table) ? table[i].name : NULL; }

const rbv_method *rbv_method_find(const char *name) {
  static const rbv_method none = {.name = NULL};
  if (!name) name = rbv_identify_defaults().method;
  for (int i = 0; i < RBV_COUNT(table); i++)
    if (strcmp(table[i].name, name) == 0) return &table[i];
  return &none;
}

rbv_identify_options rbv_identify_defaults(void) {
  return (rbv_identify_options){.method = "wls", .filter = {.decimate = 1}, .seed = 1};
}

/* ---- memory of a run ---- */

#define IRLS_MOST 50
#define LOOP_RESIDUAL 0.025  // relative change of the residual and
// change of a parameter in sigma at which a simulated loop has converged (docs/theory)
#define LOOP_STEP 0.1
#define SLIDE_SHARE 0.1  // of the top speed of a joint; below it the joint does not slide
#define COLUMN_BYTES ((size_t)128 << 20)  // for filtered columns of the recordings
#define IRLS_REST 0.01                    // largest change of a parameter in sigma at convergence

static void layout(identify_run *r, rbv_arena *a) {
  const size_t n = (size_t)r->n;
  r->sigma = RBV_TAKE(a, r->nrow, double);
  r->fade = RBV_TAKE(a, rbv_model_joint_count(r->model), double);
  r->R = RBV_TAKE(a, (n + 1) * (n + 1), double);
  r->with_prior = RBV_TAKE(a, (n + 1) * (n + 1), double);
  r->solution.x = RBV_TAKE(a, n, double);
  r->solution.cov = RBV_TAKE(a, n * n, double);
  r->selection.active = RBV_TAKE(a, n, int);
  RBV_TAKE_ALL(a, n, double, &r->prior, &r->prior_scale, &r->weight);
  r->alone = RBV_TAKE(a, n, bool);
  r->blocks = RBV_TAKE(a, r->nmotion, motion_blocks);
  r->RZ = RBV_TAKE(a, r->options->loop ? (2 * n + 1) * (2 * n + 1) : 0, double);
}

static int most_rounds(const rbv_method *method, const rbv_identify_options *o) {
  if (method->robust) return IRLS_MOST;
  if (method->loop == RBV_LOOP_OPEN) return method->whitened ? LOOP_MOST : 1;
  if (!o->loop) return 1;
  if (o->loop->most > 0) return o->loop->most;
  return method->loop == RBV_LOOP_OUTPUT ? OUTPUT_MOST : LOOP_MOST;
}

static void layout_estimate(rbv_estimate *e, int n, int ncolumn, int nrow, int rounds, int parts,
                            rbv_arena *a) {
  rbv_result_loop *l = &e->loop;
  l->output = RBV_TAKE(a, l->noutput, rbv_output_fit);
  l->unknown = RBV_TAKE(a, l->nunknown, rbv_loop_value);
  char *name = RBV_TAKE(a, l->nunknown * LOOP_NAME, char);
  l->influence = RBV_TAKE(a, l->ninfluence, rbv_gain_influence);
  double *shift = RBV_TAKE(a, l->ninfluence * n, double);
  for (int i = 0; i < l->nunknown && a->base; i++) l->unknown[i].name = name + i * LOOP_NAME;
  for (int i = 0; i < l->ninfluence && a->base; i++) l->influence[i].shift = shift + i * n;
  e->value = RBV_TAKE(a, n, double);
  e->free_value = RBV_TAKE(a, n, double);
  e->covariance = RBV_TAKE(a, n * n, double);
  e->status = RBV_TAKE(a, n, rbv_parameter_status);
  e->relation = RBV_TAKE(a, (size_t)n * (size_t)ncolumn, double);
  e->chi = RBV_TAKE(a, ncolumn, double);
  e->sigma_white = RBV_TAKE(a, n, double);
  e->jackknife.deviation = RBV_TAKE(a, (size_t)parts * (size_t)n, double);
  e->bootstrap_sigma = RBV_TAKE(a, n, double);
  e->iteration = RBV_TAKE(a, rounds, rbv_iteration);
  e->fit.row = RBV_TAKE(a, nrow, rbv_row_fit);
  e->validation.row = RBV_TAKE(a, nrow, rbv_row_fit);
}

static rbv_status new_estimate(rbv_estimate **out, const rbv_model *m, const rbv_base *base,
                               const rbv_identify_options *o, const rbv_method *method, int nblock,
                               int nrecording) {
  const int ncolumn = rbv_model_column_count(m), nrow = rbv_model_row_count(m);
  const int rounds = most_rounds(method, o);
  rbv_estimate sizes = {0};
  if (method->loop == RBV_LOOP_OUTPUT && o->loop) {
    // rotor inertias that are regrouped with known links follow the unknowns of the loop
    sizes.loop.nunknown = o->loop->nunknown + (o->loop->known_links ? rbv_model_joint_count(m) : 0);
    sizes.loop.noutput = rbv_model_joint_count(m);
    sizes.loop.ninfluence = OUTPUT_INFLUENCES;
  }
  const int parts = nblock + nrecording;
  rbv_estimate *e;
  RBV_CARVE_OBJECT(e, a, layout_estimate(&sizes, base->count, ncolumn, nrow, rounds, parts, a));
  if (!e) return RBV_EMEM;
  *e = sizes;
  e->jackknife.nblock = nblock;
  e->jackknife.nrecording = nrecording;
  e->jackknife.student = 1;
  e->fit.left_out = e->validation.left_out = e->diagnostics.predicted_error = NAN;
  *out = e;
  return RBV_OK;
}

void rbv_estimate_free(rbv_estimate *e) {
  if (!e) return;
  rbv_base_free(e->base);
  rbv_standard_free(e->standard);
  rbv_free(e);
}

/* ---- steps ---- */

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

/* ---- iterations ---- */

/* one iteration: what the method repeats with, then equations, weights, solution */
static rbv_status run_iteration(identify_run *r, rbv_estimate *e) {
  if (r->method->robust && e->iterations > 0) {
    RBV_TRY(rbv_clipping_apply(r, e));
    return rbv_run_solve(r, e);
  }
  if (r->method->loop != RBV_LOOP_OPEN)
    RBV_TRY(rbv_loop_simulate(r->loop, r, e->chi, e->iterations));
  // the noise of the first estimate is unknown: it uses unfiltered rows
  if (r->method->whitened && e->iterations > 0) RBV_TRY(rbv_noise_fit(r->noise, r, e->chi));
  RBV_TRY(rbv_run_compress(r));
  return rbv_run_solve(r, e);
}

/* relative error of the torque with the plain row filter */
static rbv_status residual_of(double *out, identify_run *r, const rbv_estimate *e) {
  if (r->method->whitened) return rbv_noise_residual(out, r, e->chi);
  double rss = 0, yy = 0;
  for (int g = 0; g < rbv_equations_group_count(r->system); g++) {
    double a, b;
    rbv_equations_residual(&a, &b, r->system, g, e->value);
    rss += r->training[g] * a;
    yy += r->training[g] * b;
  }
  *out = sqrt(rss / yy);
  return RBV_OK;
}

static bool is_exact(const identify_run *r) {
  // residual over torque, both weighted: 1e-20 is rounding of some thousand operations
  double yy = 0;
  const double *y = r->R + (ptrdiff_t)r->n * (r->n + 1);
  for (int i = 0; i <= r->n; i++) yy += y[i] * y[i];
  return r->solution.rss <= 1e-20 * yy;
}

static bool scales_gains(const rbv_closed_loop *loop, int round) {
  return loop && loop->inertia && loop->scaled_steps >= 0 && round <= loop->scaled_steps;
}

/*
 * True if the iteration has converged. An exact fit has. A simulated loop: the residual changes by
 * less than 2.5 % and no parameter by more than a tenth of its sigma, with unscaled gains. Gautier
 * 2011 eq. 26 prints a signed difference of the residuals, which any decrease satisfies.
 */
static bool has_converged(const identify_run *r, const rbv_estimate *e) {
  const bool open = r->method->loop == RBV_LOOP_OPEN;
  if (!r->method->robust && !r->method->whitened && open) return true;
  if (e->iterations < 2) return false;
  const rbv_iteration *now = &e->iteration[e->iterations - 1], *last = now - 1;
  if (r->method->robust) return now->change <= IRLS_REST;
  const rbv_closed_loop none = {0}, *loop = open ? &none : r->options->loop;
  if (scales_gains(loop, e->iterations)) return false;
  const double change = (now->residual - last->residual) / last->residual;
  const double residual = loop->stop_residual > 0 ? loop->stop_residual : LOOP_RESIDUAL;
  const double step = loop->stop_step > 0 ? loop->stop_step : LOOP_STEP;
  if (loop->stop_printed) return change <= residual;
  return is_exact(r) || (fabs(change) <= residual && now->change <= step);
}

/*
 * True if the last iterations with instruments did not come closer to a limit: the change of the
 * parameters did not decrease, although instruments hardly depend on them (after two iterations it
 * is usually below 0.01 sigma). since: iterations before the simulation or the noise model changed.
 */
static bool is_stuck(const identify_run *r, const rbv_estimate *e, int since) {
  if (r->method->loop != RBV_LOOP_INSTRUMENTS || e->iterations < since + 3) return false;
  if (scales_gains(r->options->loop, e->iterations - 1)) return false;
  const rbv_iteration *now = &e->iteration[e->iterations - 1], *last = now - 1;
  return now->change >= last->change;
}

/* estimates before the present iteration and after the first one */
typedef struct {
  double *before;  // n
  double *first;   // n
  double *chi;     // ncolumn: all parameters of the first estimate
} round_memory;

/* run one iteration and record it; it counts only if it succeeds */
static rbv_status advance(identify_run *r, rbv_estimate *e, const round_memory *m) {
  rbv_iteration *now = &e->iteration[e->iterations];
  RBV_TRY(rbv_go_on("iterations", NAN));
  if (r->method->robust && e->iterations > 0) RBV_TRY(rbv_clipping_next(r, e));
  memcpy(m->before, e->value, (size_t)r->n * sizeof *m->before);
  RBV_TRY(run_iteration(r, e));
  RBV_TRY(residual_of(&now->residual, r, e));
  now->change = e->iterations > 0 ? step_size(r, m->before) : NAN;
  if (e->iterations == 0) {
    memcpy(m->first, e->value, (size_t)r->n * sizeof *m->first);
    rbv_base_expand(m->chi, e->base, m->first);
  }
  e->iterations++;
  e->converged = has_converged(r, e);
  if (r->options->progress) r->options->progress(r->options->progress_self, e->iterations, now);
  return RBV_OK;
}

/* restart from the first estimate in a limited band, because rows at the full rate did
 * not converge */
static void limit_band(identify_run *r, rbv_estimate *e, const round_memory *m) {
  rbv_noise_limit(r->noise, r);
  memcpy(e->value, m->first, (size_t)r->n * sizeof *e->value);
  rbv_base_expand(e->chi, e->base, e->value);
}

static rbv_status run_rounds(identify_run *r, rbv_estimate *e, const round_memory *m) {
  const int most = most_rounds(r->method, r->options);
  // the first noise models have orders that still change
  int since = r->noise ? NOISE_ORDER_FITS : 0;
  while (e->iterations < most && !e->converged) {
    const rbv_status status = advance(r, e, m);
    const bool failed = status != RBV_OK && r->loop && r->loop->failed;
    if (status != RBV_OK && !failed) return status;
    if (failed && e->iterations == 0) return status;
    // the loop can no longer be simulated, or half of the iterations did not suffice
    const bool limit = failed || (e->iterations >= most / 2 && e->iterations < most);
    if (limit && !e->converged && r->noise && rbv_noise_can_limit(r->noise, r)) {
      limit_band(r, e, m);
      since = e->iterations + NOISE_ORDER_FITS;
    } else if (failed) {
      RBV_TRY(rbv_loop_freeze(r->loop, r));
    } else if (!e->converged && is_stuck(r, e, since)) {
      RBV_TRY(rbv_loop_refine(r->loop, r));
      since = e->iterations - 1;
    }
  }
  if (r->loop && r->loop->frozen) {
    e->converged = false;
    e->kept_iteration = r->loop->good_step + 1;
  }
  return RBV_OK;
}

/* the method whose estimate is returned if a noise model does not hold */
static const char *fallback(const rbv_method *method) {
  return method->loop == RBV_LOOP_OPEN ? "wls" : "iv";
}

/* the first iteration uses unfiltered rows */
static rbv_status check_noise(identify_run *r, rbv_estimate *e, const round_memory *m) {
  noise_check c;
  if (!r->noise || e->iterations < 2) return RBV_OK;
  RBV_TRY(rbv_noise_check(&c, r, e->chi, m->chi, r->selection.count));
  r->refused = !c.holds;
  if (r->refused)
    snprintf(e->choice, sizeof e->choice,
             "the noise model of %s does not hold: its estimate has an error of %.3g %% on rows "
             "that are not whitened, an estimate from these rows %.3g %% (p = %.2g), so the "
             "residual is not noise but missing in the model; chosen method: %s",
             r->method->name, 100 * c.error, 100 * c.plain_error, c.p, fallback(r->method));
  return RBV_OK;
}

rbv_status rbv_identify_fade(double *fade, const char *method, rbv_motion *const *motions,
                             int nmotion) {
  if (rbv_method_find(method)->sliding)
    return rbv_row_filter_fade(fade, motions, nmotion, SLIDE_SHARE);
  const int n = nmotion > 0 ? rbv_motion_get_info(motions[0])->njoint : 0;
  for (int j = 0; j < n; j++) fade[j] = 0;
  return RBV_OK;
}

static rbv_status iterate(identify_run *r, rbv_estimate *e) {
  if (r->method->sliding && !r->filter.fade) {
    RBV_TRY(rbv_identify_fade(r->fade, r->method->name, r->motions, r->nmotion));
    r->filter.fade = r->fade;
  }
  if (r->method->loop != RBV_LOOP_OPEN) {
    RBV_TRY(rbv_loop_new(&r->loop, r));
    rbv_loop_start(e->chi, r->loop, r);
  }
  if (r->method->loop == RBV_LOOP_INSTRUMENTS) rbv_equations_keep_columns(r->system, COLUMN_BYTES);
  if (r->method->whitened) RBV_TRY(rbv_noise_new(&r->noise, r));
  if (r->method->robust) RBV_TRY(rbv_clipping_new(r));
  const int nc = rbv_model_column_count(r->model);
  RBV_NEW(double, block, 2 * r->n + nc);
  const round_memory m = {block, block + r->n, block + 2 * r->n};
  rbv_status status = run_rounds(r, e, &m);
  if (status == RBV_OK) status = check_noise(r, e, &m);
  rbv_free(block);
  return status;
}

/* the options, with defaults for what is missing or zero */
static rbv_identify_options complete(const rbv_identify_options *options) {
  rbv_identify_options o = options ? *options : rbv_identify_defaults();
  if (!o.method) o.method = rbv_identify_defaults().method;
  if (o.filter.decimate == 0) o.filter.decimate = 1;
  return o;
}

static rbv_status check(const rbv_identify_options *o, int nmotion) {
  const rbv_method *method = rbv_method_find(o->method);
  if (!method->name) return rbv_fail(RBV_EARG, "there is no method '%s'", o->method);
  if (o->consistent && o->essential)
    return rbv_fail(RBV_EARG,
                    "consistent and essential exclude each other: the uncertainty of dropped "
                    "parameters is not known");
  const bool output = method->loop == RBV_LOOP_OUTPUT;
  if (output && (o->essential || o->bootstrap > 0))
    return rbv_fail_option(RBV_EARG, "method", "method %s cannot %s", o->method,
                           o->essential ? "drop parameters by the F-statistic" : "resample blocks");
  if ((method->loop == RBV_LOOP_INSTRUMENTS || output) && o->prior)
    return rbv_fail_option(RBV_EARG, "start",
                           "method %s cannot use a prior: use these values as start values instead",
                           o->method);
  if (nmotion < 1) return rbv_fail(RBV_EARG, "no motion is given");
  if (!(o->holdout >= 0 && o->holdout < 1))
    return rbv_fail(RBV_EARG,
                    "a share of %g cannot be held out for validation: use 0 to less than 1",
                    o->holdout);
  return RBV_OK;
}

static rbv_status run_in(identify_run *r, rbv_estimate *e) {
  RBV_TRY(rbv_equations_new(&r->system, r->model, e->base->kept, r->n, &r->filter));
  if (r->method->loop == RBV_LOOP_OUTPUT) return rbv_output_error(r, e);
  if (r->options->load) RBV_TRY(rbv_equations_set_load(r->system, r->options->load));
  RBV_TRY(iterate(r, e));
  return r->refused || r->options->rough ? RBV_OK : rbv_run_finish(r, e);
}

static void free_run(identify_run *r) {
  rbv_loop_free(r->loop, r);
  rbv_noise_free(r->noise);
  rbv_clipping_free(r);
  rbv_equations_free(r->system);
  rbv_model_free(r->own_model);
  rbv_free(r->training);
}

/* the estimate of the other method, with the reason */
static rbv_status fall_back(rbv_estimate **out, const identify_run *r,
                            const rbv_estimate *refused) {
  rbv_identify_options options = *r->options;
  options.method = fallback(r->method);
  RBV_TRY(rbv_identify(out, r->model, r->motions, r->nmotion, &options));
  memcpy((*out)->choice, refused->choice, sizeof refused->choice);
  return RBV_OK;
}

static rbv_status identify_once(rbv_estimate **out, const rbv_model *m, rbv_motion *const *motions,
                                int nmotion, const rbv_identify_options *options) {
  const rbv_method *method = rbv_method_find(options->method);
  rbv_base *base;
  rbv_estimate *e = NULL;
  *out = NULL;
  RBV_TRY(rbv_base_new(&base, m, NULL));
  const int all = base->count;
  if (options->columns) rbv_base_restrict(base, options->columns);
  const int nblock = rbv_blocks_plan(NULL, motions, nmotion, options->holdout, method->whitened);
  rbv_status status = method->loop == RBV_LOOP_OUTPUT
                          ? rbv_output_restrict(base, m, options->loop, nmotion)
                          : RBV_OK;
  if (status == RBV_OK)
    status = new_estimate(&e, m, base, options, method, nblock, rbv_blocks_recordings(nmotion));
  if (status != RBV_OK) {
    rbv_base_free(base);
    return status;
  }
  e->base = base;
  e->method = method->name;
  e->motions = nmotion;
  e->left_out = all - base->count;
  identify_run r = {.model = m,
                    .given = m,
                    .motions = motions,
                    .nmotion = nmotion,
                    .options = options,
                    .method = method,
                    .filter = options->filter,
                    .slope = 1,
                    .nblock = nblock,
                    .nrow = rbv_model_row_count(m),
                    .n = base->count};
  rbv_arena a = {0};
  RBV_CARVE(&a, layout(&r, &a));
  if (a.base) rbv_blocks_plan(r.blocks, motions, nmotion, options->holdout, method->whitened);
  status = a.base ? run_in(&r, e) : RBV_EMEM;
  free_run(&r);
  rbv_free(a.base);
  if (status == RBV_OK && !r.refused) {
    *out = e;
    return RBV_OK;
  }
  if (status == RBV_OK) status = fall_back(out, &r, e);
  rbv_estimate_free(e);
  return status;
}

/* ---- load of the gears ---- */

#define LOAD_ROUNDS 8   // estimates that only give the load, at most
#define LOAD_REST 1e-3  // largest relative change of a coefficient at which the load is known

static bool uses_load(const rbv_column *c) { return c->law && c->law->uses_torque; }

/* take the parameters of an estimate as load; true if a coefficient of a load has changed */
static bool take_load(double *load, const rbv_model *m, rbv_estimate *e) {
  bool changed = false;
  for (int c = 0; c < m->ncolumn; c++)
    if (uses_load(&m->column[c]))
      changed = changed || !(fabs(e->chi[c] - load[c]) <= LOAD_REST * fabs(e->chi[c]));
  memcpy(load, e->chi, (size_t)m->ncolumn * sizeof *load);
  rbv_estimate_free(e);
  return changed;
}

/*
 * With laws that depend on the load of the gears: the load is that of an estimate without them,
 * then that of estimates with them, until their coefficients rest.
 */
static rbv_status identify_with_load(rbv_estimate **out, const rbv_model *m,
                                     rbv_motion *const *motions, int nmotion,
                                     const rbv_identify_options *given) {
  rbv_identify_options options = *given, rough = *given;
  const int nc = m->ncolumn;
  bool *without = rbv_alloc((size_t)nc * sizeof *without);
  double *load = rbv_alloc((size_t)nc * sizeof *load);
  rbv_status status = without && load ? RBV_OK : RBV_EMEM;
  for (int c = 0; c < nc && status == RBV_OK; c++)
    without[c] = (!given->columns || given->columns[c]) && !uses_load(&m->column[c]);
  if (rbv_method_find(given->method)->weighted) rough.method = "wls";
  rough.consistent = rough.essential = false;
  rough.bootstrap = 0;
  rough.progress = NULL;
  rough.rough = true;
  options.load = rough.load = load;
  bool changed = true;
  for (int i = 0; i < LOAD_ROUNDS && changed && status == RBV_OK; i++) {
    // the first one has no such column, so that its load does not matter
    rough.columns = i == 0 ? without : given->columns;
    rbv_estimate *e;
    status = identify_once(&e, m, motions, nmotion, &rough);
    if (status == RBV_OK) changed = take_load(load, m, e) || i == 0;
  }
  if (status == RBV_OK) status = identify_once(out, m, motions, nmotion, &options);
  rbv_free(load);
  rbv_free(without);
  return status;
}

/* A simulated loop starts cold and does not know temperatures. */
static rbv_status check_conditions(const rbv_model *m, rbv_motion *const *motions, int nmotion,
                                   const char *method) {
  bool warm = false;
  for (int i = 0; i < nmotion; i++) warm = warm || rbv_motion_get_info(motions[i])->uptime_s > 0;
  for (int t = 0; t < m->nterm && rbv_method_find(method)->loop != RBV_LOOP_OPEN; t++) {
    const rbv_law *law = m->term[t].law;
    if (law && (law->state_recorded || (law->ages && warm)))
      return rbv_fail_option(RBV_EUNSUPPORTED, "method",
                             "the simulated loop of %s starts with the cold robot and has no "
                             "temperatures, which %s needs: use wls or irls",
                             method, m->column[m->term[t].column].name);
    if (law && law->state_count > 0 && rbv_method_find(method)->loop == RBV_LOOP_OUTPUT)
      return rbv_fail_option(RBV_EUNSUPPORTED, "method",
                             "%s does not estimate friction with a state, which %s has: leave the "
                             "term out, or use wls or irls",
                             method, m->column[m->term[t].column].name);
  }
  return RBV_OK;
}

rbv_status rbv_identify(rbv_estimate **out, const rbv_model *m, rbv_motion *const *motions,
                        int nmotion, const rbv_identify_options *given) {
  *out = NULL;
  if (!m) return rbv_fail(RBV_EARG, "no model is given");
  const rbv_identify_options complete_options = complete(given), *const options = &complete_options;
  RBV_TRY(check(options, motions ? nmotion : 0));
  RBV_TRY(check_conditions(m, motions, nmotion, options->method));
  const rbv_method *method = rbv_method_find(options->method);
  if (method->chooses) return rbv_identify_choose(out, m, motions, nmotion, options);
  if (method->loop == RBV_LOOP_INSTRUMENTS && options->essential)
    return rbv_identify_survivors(out, m, motions, nmotion, options);
  // output error has the load in its simulations
  if (m->uses_torque && !options->load && method->loop != RBV_LOOP_OUTPUT)
    return identify_with_load(out, m, motions, nmotion, options);
  return identify_once(out, m, motions, nmotion, options);
}
