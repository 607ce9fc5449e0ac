/*
 * Method auto: of the estimates that are not biased, the one with the smallest sigma. Hausman's
 * test compares least squares with an estimate that is consistent in a closed loop; the sigma of
 * their difference is that of the jackknife, because differentiated noise is correlated in time.
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "identify/auto_method.h"
#include "identify/row_statistics.h"
#include "result/result.h"
#include "stats/stats.h"

#define BIASED 0.01      // largest p of Hausman's test, over all parameters, that shows a bias
#define MOVE_SIGMA 3     // in sigma: significant
#define MOVE_SHARE 0.05  // of the value: relevant
#define SPIKES 1e-3      // smallest share of isolated torque outliers in a row that is investigated
#define MOST_SPIKES 0.2  // more are not outliers; an outlier and its two neighbours count

typedef struct {
  const rbv_model *model;
  rbv_motion *const *motions;
  int nmotion;
  rbv_identify_options options;  // with the method that is being tried
  rbv_estimate *best;
  char text[sizeof((rbv_estimate *)NULL)->choice];
} chooser;

typedef struct {
  bool matters;
  int at;        // base parameter with the largest move
  double sigma;  // its move in sigma
  double share;  // and as a share of its value
} move;

static double sigma_of(const rbv_estimate *e, int k) {
  return sqrt(e->covariance[k + (ptrdiff_t)k * e->base->count]);
}

/* the parameter with the largest move in sigma, preferably among those that matter */
static move largest_move(const rbv_estimate *from, const rbv_estimate *to) {
  move m = {.at = -1};
  for (int k = 0; k < from->base->count; k++) {
    // sigma of the second estimate, because a disturbance of the first also enlarges its sigma
    const double sigma = sigma_of(to, k);
    const double step = fabs(to->value[k] - from->value[k]);
    if (!isfinite(sigma) || !isfinite(sigma_of(from, k)) || !(sigma > 0)) continue;
    const double share = step / fabs(to->value[k]);
    const bool matters = step > MOVE_SIGMA * sigma && share > MOVE_SHARE;
    if (m.at >= 0 && (m.matters > matters || (m.matters == matters && step / sigma <= m.sigma)))
      continue;
    m = (move){matters, k, step / sigma, share};
  }
  return m;
}

RBV_PRINTF(2, 3) static void add_text(chooser *c, const char *format, ...) {
  const size_t used = strlen(c->text), left = sizeof c->text - used;
  va_list args;
  va_start(args, format);
  const int more = vsnprintf(c->text + used, left, format, args);
  va_end(args);
  // a sentence that does not fit is omitted
  if (more < 0 || (size_t)more >= left) c->text[used] = 0;
}

static rbv_status try_method(rbv_estimate **out, chooser *c, const char *method) {
  c->options.method = method;
  return rbv_identify(out, c->model, c->motions, c->nmotion, &c->options);
}

static void keep(chooser *c, rbv_estimate *e) {
  rbv_estimate_free(c->best);
  c->best = e;
}

static void add_move(chooser *c, const rbv_estimate *to, const move *m) {
  add_text(c, "%s moves by %.0f %%, %.1f sigma", to->base->name[m->at], 100 * m->share, m->sigma);
}

/* largest share of isolated torque outliers of a row, at the full rate. Near reversals they are
 * friction, so they do not count there */
static rbv_status find_spikes(double *largest, const chooser *c) {
  rbv_row_filter raw = {.decimate = 1};
  rbv_row_stats *stats;
  RBV_TRY(rbv_reversal_speed(&raw.mask, c->motions, c->nmotion));
  RBV_TRY(rbv_row_stats_new(&stats, c->model));
  rbv_status status = RBV_OK;
  *largest = 0;
  for (int i = 0; i < c->nmotion && status == RBV_OK; i++)
    status = rbv_row_stats_add(stats, c->motions[i], c->best->chi, &raw);
  for (int r = 0; r < rbv_model_row_count(c->model) && status == RBV_OK; r++) {
    double share;
    status = rbv_row_stats_spikes(&share, stats, r);
    *largest = fmax(*largest, share);
  }
  rbv_row_stats_free(stats);
  return status;
}

/* keep the robust estimate if the outliers matter, and if they are outliers */
static void judge_robust(chooser *c, rbv_estimate *robust, double spikes) {
  char doubt[320];
  const move m = largest_move(c->best, robust);
  if (!m.matters || !robust->converged) {
    add_text(c, "%.2g %% of the torques are outliers, but they do not matter; ", 100 * spikes);
  } else if (!rbv_clipping_is_sound(doubt, sizeof doubt, &robust->clipping)) {
    add_text(c, "clipping outliers is not an answer: %s; ", doubt);
  } else {
    add_text(c, "%.2g %% of the torques are outliers, and they matter (with clipped outliers ",
             100 * spikes);
    add_move(c, robust, &m);
    add_text(c, "); ");
    keep(c, robust);
    return;
  }
  rbv_estimate_free(robust);
}

/* check whether outliers matter */
static rbv_status check_outliers(chooser *c) {
  double spikes;
  RBV_TRY(find_spikes(&spikes, c));
  if (spikes < SPIKES) {
    add_text(c, "there are no outliers; ");
    return RBV_OK;
  }
  if (spikes > MOST_SPIKES) {
    add_text(c, "%.2g %% of the torques differ from their neighbours: noise, not outliers; ",
             100 * spikes);
    return RBV_OK;
  }
  rbv_estimate *robust;
  RBV_TRY(try_method(&robust, c, "irls"));
  judge_robust(c, robust, spikes);
  return RBV_OK;
}

/* ---- methods with instruments ---- */

/* The estimate of a method, NULL if the method does not work on these data. Lack of memory is a
 * failure. */
static rbv_status try_instruments(rbv_estimate **out, chooser *c, const char *method) {
  // a noise model needs an unbroken sequence of rows
  const double mask = c->options.filter.mask;
  if (rbv_method_find(method)->whitened) c->options.filter.mask = 0;
  const rbv_status status = try_method(out, c, method);
  c->options.filter.mask = mask;
  if (status == RBV_EMEM || status == RBV_ECANCELLED) return status;
  // the estimate has another name if a noise model does not hold
  if (status == RBV_OK && (*out)->converged && strcmp((*out)->method, method) == 0) return RBV_OK;
  if (status == RBV_OK) rbv_estimate_free(*out);
  *out = NULL;
  return RBV_OK;
}

static bool are_known(const rbv_estimate *a, const rbv_estimate *b, int k) {
  return isfinite(sigma_of(a, k)) && isfinite(sigma_of(b, k)) && sigma_of(b, k) > 0;
}

typedef struct {
  double p;      // of the largest difference, times the number of parameters; NaN: no test
  double sigma;  // this difference in sigma of the consistent estimate
  int at;
} bias_test;

/* Hausman's test, parameter by parameter, with the jackknife of the difference */
static rbv_status test_bias(bias_test *out, const rbv_estimate *ls, const rbv_estimate *iv) {
  const int n = ls->base->count, parts = ls->jackknife.nblock + ls->jackknife.nrecording;
  *out = (bias_test){.p = NAN};
  if (iv->jackknife.nblock != ls->jackknife.nblock || parts < 2) return RBV_OK;
  double *difference = rbv_alloc((size_t)n * (size_t)parts * sizeof *difference), largest = -1;
  if (!difference) return RBV_EMEM;
  for (ptrdiff_t i = 0; i < (ptrdiff_t)n * parts; i++)
    difference[i] = ls->jackknife.deviation[i] - iv->jackknife.deviation[i];
  const rbv_jackknife both = {.nblock = ls->jackknife.nblock,
                              .nrecording = ls->jackknife.nrecording,
                              .student = 1,
                              .deviation = difference};
  int tested = 0;
  for (int k = 0; k < n; k++) {
    const double step = fabs(ls->value[k] - iv->value[k]);
    const double t = step / rbv_jackknife_sigma(&both, n, k);
    if (!are_known(ls, iv, k) || !isfinite(t)) continue;
    tested++;
    if (!(t > largest)) continue;
    largest = t;
    *out = (bias_test){NAN, step / sigma_of(iv, k), k};
  }
  rbv_free(difference);
  if (tested == 0) return RBV_OK;
  RBV_TRY(rbv_stats_student_cdf(NULL, &out->p, largest, both.nblock - 1));
  out->p = fmin(1, 2 * tested * out->p);
  return RBV_OK;
}

/* median of sigma over sigma of another estimate; NaN: no parameter is known in both */
static rbv_status relative_sigma(double *out, const rbv_estimate *e, const rbv_estimate *other) {
  const double half = 0.5;
  int count = 0;
  *out = NAN;
  double *ratio = rbv_alloc((size_t)e->base->count * sizeof *ratio);
  if (!ratio) return RBV_EMEM;
  for (int k = 0; k < e->base->count; k++)
    if (are_known(e, other, k)) ratio[count++] = sigma_of(e, k) / sigma_of(other, k);
  const rbv_status status =
      count > 0 ? rbv_stats_quantiles(out, ratio, ratio, count, &half, 1) : RBV_OK;
  rbv_free(ratio);
  return status;
}

enum { WLS, SLIDE, PIV, CANDIDATES };
static const char *const candidate[CANDIDATES] = {"wls", "slide", "piv"};

/* select by sigma, and say how much larger the sigma of each other one is */
static rbv_status select_smallest(int *best, chooser *c, rbv_estimate *const e[CANDIDATES],
                                  bool biased) {
  double sigma[CANDIDATES];
  const int reference = e[SLIDE] ? SLIDE : PIV;
  *best = reference;
  for (int i = 0; i < CANDIDATES; i++) {
    if (!e[i]) continue;
    RBV_TRY(relative_sigma(&sigma[i], e[i], e[reference]));
    if (i != WLS || !biased) *best = sigma[i] < sigma[*best] ? i : *best;
  }
  for (int i = 0; i < CANDIDATES; i++) {
    if (!e[i])
      add_text(c, ", %s gives no estimate", candidate[i]);
    else if (i != *best && (i != WLS || !biased))
      add_text(c, ", sigma of %s is %.0f %% larger", candidate[i],
               100 * (sigma[i] / sigma[*best] - 1));
  }
  return RBV_OK;
}

static rbv_status choose_among(int *best, chooser *c, rbv_estimate *const e[CANDIDATES]) {
  bias_test t;
  *best = WLS;
  if (!e[SLIDE] && !e[PIV]) {
    add_text(c,
             "neither slide nor piv gives an estimate, so that a bias of least squares cannot be "
             "tested: the controller or its reference may not be those of the recording");
    return RBV_OK;
  }
  RBV_TRY(test_bias(&t, e[WLS], e[SLIDE] ? e[SLIDE] : e[PIV]));
  const bool biased = t.p < BIASED;
  if (biased)
    add_text(c, "least squares is biased (%s by %.1f sigma, p = %.2g)", e[WLS]->base->name[t.at],
             t.sigma, t.p);
  else if (isfinite(t.p))
    add_text(c, "no bias of least squares is significant (p = %.2g)", t.p);
  else
    add_text(c, "a bias of least squares was not tested");
  return select_smallest(best, c, e, biased);
}

/* keep the best of least squares and of the methods that use the simulated loop */
static rbv_status choose_with_loop(chooser *c) {
  rbv_estimate *e[CANDIDATES] = {c->best};
  int best = WLS;
  rbv_status status = RBV_OK;
  for (int i = SLIDE; i < CANDIDATES && status == RBV_OK; i++)
    status = try_instruments(&e[i], c, candidate[i]);
  if (status == RBV_OK) status = choose_among(&best, c, e);
  c->best = e[best];
  for (int i = 0; i < CANDIDATES; i++)
    if (i != best) rbv_estimate_free(e[i]);
  add_text(c, "; ");
  // disturbances near standstill also look like outliers
  return status == RBV_OK && best == WLS ? check_outliers(c) : status;
}

static rbv_status choose(chooser *c) {
  RBV_TRY(try_method(&c->best, c, "wls"));
  if (c->options.loop && !c->options.prior && !c->options.essential) return choose_with_loop(c);
  add_text(c, "a bias of least squares can only be detected with the simulated loop, which %s; ",
           c->options.loop ? "excludes a prior and essential parameters"
                           : "needs controller and reference of the recording");
  return check_outliers(c);
}

rbv_status rbv_identify_choose(rbv_estimate **out, const rbv_model *model,
                               rbv_motion *const *motions, int nmotion,
                               const rbv_identify_options *options) {
  chooser c = {.model = model, .motions = motions, .nmotion = nmotion, .options = *options};
  const rbv_status status = choose(&c);
  if (status != RBV_OK) {
    rbv_estimate_free(c.best);
    return status;
  }
  add_text(&c, "chosen method: %s", c.best->method);
  memcpy(c.best->choice, c.text, sizeof c.text);
  *out = c.best;
  return RBV_OK;
}
