/*
 * Method auto: selects one of the other methods by comparing estimates. A difference counts if a
 * parameter moves significantly (in sigma) and by a relevant share of its value.
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "identify/auto_method.h"
#include "identify/row_statistics.h"

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

/* a method that does not work on these data is not an answer; lack of memory is a failure */
static bool is_answer(rbv_status status, const rbv_estimate *e) {
  return status == RBV_OK && e->converged;
}

/* check whether least squares is biased */
static rbv_status check_bias(chooser *c) {
  rbv_estimate *iv = NULL;
  const rbv_status status = try_method(&iv, c, "iv");
  if (status == RBV_EMEM) return status;
  if (!is_answer(status, iv)) {
    add_text(c,
             "iv did not converge: the controller or its reference may not be those of the "
             "recording; ");
    rbv_estimate_free(iv);
    return RBV_OK;
  }
  const rbv_hausman *h = &iv->instruments.hausman;
  if (!h->biased) {
    add_text(c, "least squares is not biased (no parameter moves by more than %.1f sigma); ",
             h->shift);
    rbv_estimate_free(iv);
    return RBV_OK;
  }
  add_text(c, "least squares is biased (%s by %.1f sigma, p = %.2g); ", iv->base->name[h->worst],
           h->shift, h->p);
  keep(c, iv);
  return RBV_OK;
}

/* check whether friction near standstill distorts the estimate */
static rbv_status check_standstill(chooser *c) {
  rbv_estimate *slide = NULL;
  const rbv_status status = try_method(&slide, c, "slide");
  if (status == RBV_EMEM) return status;
  if (!is_answer(status, slide)) {
    rbv_estimate_free(slide);
    return RBV_OK;
  }
  const move m = largest_move(c->best, slide);
  if (m.matters) {
    add_text(c, "friction near standstill distorts the fit (without it ");
    add_move(c, slide, &m);
    add_text(c, "); ");
    keep(c, slide);
    return RBV_OK;
  }
  add_text(c, "friction near standstill does not distort the fit; ");
  rbv_estimate_free(slide);
  return RBV_OK;
}

static rbv_status choose(chooser *c) {
  const bool loop = c->options.loop && !c->options.prior && !c->options.essential;
  RBV_TRY(try_method(&c->best, c, "wls"));
  const rbv_estimate *plain = c->best;
  if (loop) {
    RBV_TRY(check_bias(c));
    RBV_TRY(check_standstill(c));
  } else {
    add_text(c, "a bias of least squares can only be detected with the simulated loop%s; ",
             c->options.loop ? ", which excludes a prior and essential parameters"
                             : " (give its controller)");
  }
  // disturbances near standstill also look like outliers, so outliers are checked last
  return c->best == plain ? check_outliers(c) : RBV_OK;
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
