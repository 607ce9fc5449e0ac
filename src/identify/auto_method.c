/*
 * The method auto: which of the others these data call for. Each question compares two estimates;
 * what counts is a parameter that moves by more than chance and more than a user would shrug at.
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "identify/auto_method.h"
#include "identify/row_statistics.h"

#define MOVE_SIGMA 3     // beyond chance
#define MOVE_SHARE 0.05  // of the value
#define SPIKES 1e-3      // share of a row's torques that stand alone: fewer are not asked about

typedef struct {
  const rbv_model *model;
  rbv_motion *const *motions;
  int nmotion;
  rbv_identify_options options;  // with the method of the moment
  rbv_estimate *best;
  char text[sizeof((rbv_estimate *)NULL)->choice];
} chooser;

typedef struct {
  bool matters;
  int at;        // base parameter that moves furthest
  double sigma;  // how far, in its sigma
  double share;  // and of its value
} move;

static double sigma_of(const rbv_estimate *e, int k) {
  const double inflation = e->diagnostics.sigma_inflation;
  const double s = sqrt(e->covariance[k + (ptrdiff_t)k * e->base->count]);
  return inflation > 1 ? inflation * s : s;
}

/* the parameter that moves furthest in sigma, among those that matter when there are any */
static move largest_move(const rbv_estimate *from, const rbv_estimate *to) {
  move m = {.at = -1};
  for (int k = 0; k < from->base->count; k++) {
    // of the second alone: whatever distorts the first widens its sigma too
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

RBV_PRINTF(2, 3) static void say(chooser *c, const char *format, ...) {
  const size_t used = strlen(c->text), left = sizeof c->text - used;
  va_list args;
  va_start(args, format);
  const int more = vsnprintf(c->text + used, left, format, args);
  va_end(args);
  // a sentence that does not fit is left out
  if (more < 0 || (size_t)more >= left) c->text[used] = 0;
}

static rbv_status try_method(rbv_estimate **out, chooser *c, const char *method) {
  c->options.method = method;
  return rbv_identify(out, c->model, c->motions, c->nmotion, &c->options);
}

static void take(chooser *c, rbv_estimate *e) {
  rbv_estimate_free(c->best);
  c->best = e;
}

static void say_move(chooser *c, const rbv_estimate *to, const move *m) {
  say(c, "%s moves by %.0f %%, %.1f sigma", to->base->name[m->at], 100 * m->share, m->sigma);
}

/* largest share of torques in a row that stand alone, at the full rate */
static rbv_status find_spikes(double *largest, const chooser *c) {
  const rbv_row_filter raw = {.decimate = 1};
  rbv_judge *judge;
  RBV_TRY(rbv_judge_new(&judge, c->model));
  rbv_status status = RBV_OK;
  *largest = 0;
  for (int i = 0; i < c->nmotion && status == RBV_OK; i++)
    status = rbv_judge_motion(judge, c->motions[i], c->best->chi, &raw);
  for (int r = 0; r < rbv_model_row_count(c->model) && status == RBV_OK; r++) {
    double share;
    status = rbv_judge_spikes(&share, judge, r);
    *largest = fmax(*largest, share);
  }
  rbv_judge_free(judge);
  return status;
}

/* do outliers matter? */
static rbv_status ask_outliers(chooser *c) {
  double spikes;
  RBV_TRY(find_spikes(&spikes, c));
  if (spikes < SPIKES) {
    say(c, "there are no outliers; ");
    return RBV_OK;
  }
  rbv_estimate *robust;
  RBV_TRY(try_method(&robust, c, "irls"));
  const move m = largest_move(c->best, robust);
  if (m.matters && robust->converged) {
    say(c, "%.2g %% of the torques are outliers, and they matter (with them held down ",
        100 * spikes);
    say_move(c, robust, &m);
    say(c, "); ");
    take(c, robust);
    return RBV_OK;
  }
  say(c, "%.2g %% of the torques are outliers, but they do not matter; ", 100 * spikes);
  rbv_estimate_free(robust);
  return RBV_OK;
}

/* a method that cannot do its work on these data is no answer; running out of memory is one */
static bool is_answer(rbv_status status, const rbv_estimate *e) {
  return status == RBV_OK && e->converged;
}

/* is least squares biased? */
static rbv_status ask_bias(chooser *c) {
  rbv_estimate *iv = NULL;
  const rbv_status status = try_method(&iv, c, "iv");
  if (status == RBV_EMEM) return status;
  if (!is_answer(status, iv)) {
    say(c,
        "iv did not come to rest: the controller or its reference may not be those of the "
        "recording; ");
    rbv_estimate_free(iv);
    return RBV_OK;
  }
  const rbv_hausman *h = &iv->instruments.hausman;
  if (!h->biased) {
    say(c, "least squares is not biased (no parameter moves by more than %.1f sigma); ", h->shift);
    rbv_estimate_free(iv);
    return RBV_OK;
  }
  say(c, "least squares is biased (%s by %.1f sigma, p = %.2g); ", iv->base->name[h->worst],
      h->shift, h->p);
  take(c, iv);
  return RBV_OK;
}

/* does what happens near standstill distort the rest? */
static rbv_status ask_standstill(chooser *c) {
  rbv_estimate *slide = NULL;
  const rbv_status status = try_method(&slide, c, "slide");
  if (status == RBV_EMEM) return status;
  if (!is_answer(status, slide)) {
    rbv_estimate_free(slide);
    return RBV_OK;
  }
  const move m = largest_move(c->best, slide);
  if (m.matters) {
    say(c, "friction near standstill distorts the fit (without it ");
    say_move(c, slide, &m);
    say(c, "); ");
    take(c, slide);
    return RBV_OK;
  }
  say(c, "friction near standstill does no harm; ");
  rbv_estimate_free(slide);
  return RBV_OK;
}

static rbv_status choose(chooser *c) {
  const bool loop = c->options.loop && !c->options.prior && !c->options.essential;
  RBV_TRY(try_method(&c->best, c, "wls"));
  const rbv_estimate *plain = c->best;
  if (loop) {
    RBV_TRY(ask_bias(c));
    RBV_TRY(ask_standstill(c));
  } else {
    say(c, "whether least squares is biased only the simulated loop can tell%s; ",
        c->options.loop ? ", which does not go with a prior or essential parameters"
                        : " (give its controller)");
  }
  // what distorts the fit near standstill looks like outliers too: they are asked about last
  return c->best == plain ? ask_outliers(c) : RBV_OK;
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
  say(&c, "so: %s", c.best->method);
  memcpy(c.best->choice, c.text, sizeof c.text);
  *out = c.best;
  return RBV_OK;
}
