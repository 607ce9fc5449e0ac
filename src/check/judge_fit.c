/* What the fit says: errors, data that were not used, identifiability, method, consistency. */
#include <math.h>
#include <roberval/sys/identify.h>
#include <string.h>

#include "check/check_thresholds.h"
#include "check/judge.h"
#include "result/result.h"

RBV_THRESHOLDS(CHECK_JUDGE);

static const char *plural(int n) { return n == 1 ? "" : "s"; }

/* the error that is defined alike for all runs; that of the rows as they were used if there is none
 */
static double error_of(const rbv_fit *fit) {
  return fit->comparable > 0 ? fit->comparable : fit->relative_error;
}

static rbv_verdict level_of(double error) {
  return !(error <= ERROR_NO)     ? RBV_VERDICT_NO
         : !(error <= ERROR_CARE) ? RBV_VERDICT_CARE
                                  : RBV_VERDICT_USABLE;
}

/* Consistent bodies that no option asked for: they were taken because they predict left-out data
 * best, which a large change of the fit does not contradict. */
static bool bodies_competed(const judging *g) {
  const rbv_cross_validation *cv = &g->in->result->cross_validation;
  return cv->ncandidate > 0 && cv->candidate[cv->chosen].consistent;
}

/* ---- prediction of torques ---- */

static rbv_status rule_fit(judging *g) {
  const rbv_fit *fit = &g->in->result->fit;
  const double error = fit->left_out > 0 ? fit->left_out : error_of(fit);
  rbv_text text = {0};
  if (!isfinite(error) || !isfinite(error_of(fit))) {
    rbv_text_put(&text, "There is no measured torque to compare with, so the fit has no error.");
    return rbv_judge_add(g, reason_of(RBV_VERDICT_NO, "fit", NAN), &text);
  }
  // that of all samples decides what not to use, see rule_worse
  rbv_verdict level = level_of(error_of(fit));
  if (level == RBV_VERDICT_USABLE && level_of(error) > level) level = RBV_VERDICT_CARE;
  if (fit->left_out > 0)
    rbv_text_print(&text, "The error is %.3g %% on parts that were left out, %.3g %% on all",
                   100 * fit->left_out, 100 * error_of(fit));
  else
    rbv_text_print(&text, "The error is %.3g %% of the torque", 100 * error);
  rbv_text_put(&text, level == RBV_VERDICT_NO
                          ? ": the model lacks an important effect, or the data are wrong. Check "
                            "units, signs, joint order and gear ratios (roberval check)."
                      : level == RBV_VERDICT_CARE
                          ? ", more than usual for rigid links and simple friction."
                          : ".");
  return rbv_judge_add(g, reason_of(level, "fit", error), &text);
}

/* Own data, and blocks of it that were not used: the robot file may predict them better. */
static rbv_status rule_worse(judging *g) {
  const rbv_fit *fit = &g->in->result->fit;
  if (!(fit->baseline > 0)) return RBV_OK;
  const bool own = fit->comparable > WORSE_FILE * fit->baseline,
             held = fit->left_out > WORSE_FILE * fit->baseline &&
                    fit->left_out > fit->baseline + WORSE_LEAST;
  if (!own && !held) return RBV_OK;
  const double error = own ? fit->comparable : fit->left_out;
  rbv_text text = {0};
  rbv_text_print(&text,
                 "%s, the model is %.3g %% wrong, the robot file %.3g %%: do not replace the file. "
                 "Record longer, or a motion of `roberval excite`.",
                 own ? "On all samples of its own recordings" : "On data that was not used",
                 100 * error, 100 * fit->baseline);
  // blocks of a short recording can be predicted badly by what the others leave open; where the
  // file is right, consistent bodies or a fit of positions may cost a little
  const rbv_verdict level = own && error > ERROR_CARE ? RBV_VERDICT_NO : RBV_VERDICT_CARE;
  return rbv_judge_add(g, reason_of(level, "worse", error), &text);
}

/* an error of a joint with small torques has little effect on the norm of all joints */
static rbv_status rule_joints(judging *g, const rbv_fit *v) {
  rbv_text text = {0}, names = {0};
  int n = 0;
  for (int i = 0; i < v->nrow; i++) {
    const rbv_row_fit *row = &v->row[i];
    const double error = isnan(row->comparable) ? row->relative_error : row->comparable;
    // not finite: there is no torque to compare with
    if (!(error > ERROR_NO && isfinite(error))) continue;
    rbv_text_print(&names, "%s%s (%.0f %%)", n++ ? ", " : "", g->in->result->joint[row->joint],
                   100 * error);
  }
  if (n > 0)
    rbv_text_print(&text,
                   "The prediction is bad for %s: the torque is small, or the model lacks an "
                   "effect.",
                   names.data);
  text.failed = text.failed || names.failed;
  rbv_text_free(&names);
  return n > 0 ? rbv_judge_add(g, reason_of(RBV_VERDICT_CARE, "joints", NAN), &text) : RBV_OK;
}

static rbv_status rule_validation(judging *g) {
  rbv_text text = {0};
  const rbv_fit *v = &g->in->result->validation;
  if (v->nrow == 0) {
    rbv_text_put(&text,
                 "No other recording was predicted: record a second, different motion and validate "
                 "on it (option validate).");
    RBV_TRY(rbv_judge_add(g, note_of("validation"), &text));
    return rule_joints(g, &g->in->result->fit);
  }
  const double error = error_of(v), worse = error / error_of(&g->in->result->fit);
  if (!isfinite(error)) {
    rbv_text_put(&text, "The validation data have no measured torque to compare with.");
    return rbv_judge_add(g, reason_of(RBV_VERDICT_NO, "validation", NAN), &text);
  }
  const bool somewhat_worse = worse > WORSE_CARE && error > ERROR_CARE / 2;
  rbv_text_print(&text, "On data that was not used for the fit, the error is %.2f %%", 100 * error);
  const rbv_verdict level =
      somewhat_worse && level_of(error) < RBV_VERDICT_CARE ? RBV_VERDICT_CARE : level_of(error);
  if (level == RBV_VERDICT_USABLE)
    rbv_text_put(&text, ", close to that of the fit.");
  else if (worse > WORSE_CARE)
    rbv_text_print(&text,
                   ", %.1f times that of the fit: the parameters describe the recorded motion "
                   "better than the robot. Use a more exciting motion, or a prior.",
                   worse);
  else
    rbv_text_print(&text, ", %.1f times that of the fit: the model lacks an effect.", worse);
  RBV_TRY(rbv_judge_add(g, reason_of(level, "validation", NAN), &text));
  return level == RBV_VERDICT_NO ? RBV_OK : rule_joints(g, v);
}

/* ---- prediction of positions, where no torque was recorded ---- */

static rbv_status rule_positions(judging *g) {
  const rbv_result_loop *l = &g->in->result->loop;
  double error = 0, before = 0;
  int worst = 0;
  for (int i = 0; i < l->noutput; i++) {
    const rbv_output_fit *f = &l->output[i];
    const double share = f->rms / f->tracking;
    if (!(share <= error)) {
      error = share;
      worst = i;
    }
    before += f->before * f->before - f->rms * f->rms;
  }
  rbv_text text = {0};
  rbv_text_print(
      &text,
      "The simulated positions of %s, the worst joint, are off by %.2g %% of its tracking "
      "error",
      g->in->result->joint[l->output[worst].joint], 100 * error);
  const rbv_verdict level = !(error <= POSITION_NO) || before < 0 ? RBV_VERDICT_NO
                            : !(error <= POSITION_CARE)           ? RBV_VERDICT_CARE
                                                                  : RBV_VERDICT_USABLE;
  if (before < 0)
    rbv_text_put(&text, ", and those of the robot file are closer: do not replace the file.");
  else if (level == RBV_VERDICT_USABLE)
    rbv_text_put(&text, ".");
  else
    rbv_text_put(&text,
                 ": check gains, the order of the joints, units and the rate of the drive, and "
                 "let the delay be unknown.");
  return rbv_judge_add(g, reason_of(level, "positions", error), &text);
}

/* parameters that depend on how the drive computes its law, which positions do not show */
static rbv_status rule_law(judging *g) {
  const rbv_result *r = g->in->result;
  rbv_text text = {0};
  int n = 0;
  for (int k = 0; k < r->estimate.count; k++) {
    const rbv_parameter *p = &r->estimate.item[k];
    const char *why = NULL;
    double most = LAW_CARE * fabs(p->value), shift = 0;
    for (int i = 0; i < r->loop.ninfluence; i++) {
      const rbv_gain_influence *f = &r->loop.influence[i];
      bool law;
      const char *name = rbv_influence_text(&law, f->gains);
      if (!name || !law || !(fabs(f->shift[k]) > fmax(most, p->sigma)) ||
          !(p->sigma < fabs(p->value) / 2))
        continue;
      shift = f->shift[k];
      most = fabs(shift);
      why = name;
    }
    if (!why || p->status != RBV_STATUS_IDENTIFIED) continue;
    if (n++ < 4)
      rbv_text_print(&text, "%s%s %+.2g %% %s",
                     n > 1 ? "; "
                           : "The positions do not show how the "
                             "drive computes its law, and sigma does not contain it: ",
                     p->name, 100 * shift / p->value, why);
  }
  if (n == 0) {
    rbv_text_free(&text);
    return RBV_OK;
  }
  if (n > 4) rbv_text_print(&text, "; and %d more", n - 4);
  rbv_text_put(&text,
               ". State rate, delay and filter of the drive in the controller file, or record with "
               "two sets of gains.");
  return rbv_judge_add(g, reason_of(RBV_VERDICT_CARE, "law", NAN), &text);
}

/* ---- information in the data ---- */

static rbv_status rule_identifiability(judging *g) {
  rbv_text text = {0}, names = {0};
  int open = 0, held = 0;
  const rbv_parameters *e = &g->in->result->estimate;
  for (int k = 0; k < e->count; k++) {
    held += e->item[k].status == RBV_STATUS_PRIOR;
    if (e->item[k].status != RBV_STATUS_NOT_IDENTIFIABLE) continue;
    if (open++ < 12) rbv_text_print(&names, "%s%s", open > 1 ? ", " : "", e->item[k].name);
  }
  if (open > 12) rbv_text_print(&names, " and %d more", open - 12);
  const rbv_verdict level = 2 * open > e->count ? RBV_VERDICT_NO
                            : open > 0          ? RBV_VERDICT_CARE
                                                : RBV_VERDICT_USABLE;
  if (open > 0)
    rbv_text_print(&text,
                   "%d of %d base parameters cannot be identified from this motion (%s): their "
                   "values are not estimates and their intervals are infinite.",
                   open, e->count, names.data ? names.data : "");
  else
    rbv_text_print(&text, "All %d base parameters have an estimate.", e->count);
  if (held > 0)
    rbv_text_print(&text,
                   " %d of them %s determined by the prior: the data contain little about %s.",
                   held, held == 1 ? "is" : "are", held == 1 ? "it" : "them");
  rbv_text_free(&names);
  // what only the prior determines has not passed
  if (open == 0 && held > 0) return rbv_judge_add(g, note_of("identifiability"), &text);
  return rbv_judge_add(g, reason_of(level, "identifiability", NAN), &text);
}

/* Errors that other motions would have because of the covariance; a condition number does not show
 * them. A finding of the checks says it if it is large. */
static rbv_status rule_predicted(judging *g) {
  const rbv_diagnostics *d = &g->in->result->diagnostics;
  rbv_text text = {0};
  if (isnan(d->predicted_error)) {
    rbv_text_print(&text, "The condition number is %.0f (%.0f before columns are scaled).",
                   d->condition_number_scaled, d->condition_number);
    return rbv_judge_add(g, note_of("condition"), &text);
  }
  if (d->predicted_error > PREDICTED_CARE) return RBV_OK;
  rbv_text_print(&text,
                 "The uncertainty of the parameters adds %.2g %% to the error on other motions.",
                 100 * d->predicted_error);
  return rbv_judge_add(g, reason_of(RBV_VERDICT_USABLE, "weak", d->predicted_error), &text);
}

static rbv_status rule_colour(judging *g) {
  const double inflation = g->in->result->diagnostics.sigma_inflation;
  const int blocks = g->in->result->jackknife.nblock;
  rbv_text text = {0};
  int n = 0, cured = 0;
  for (int i = 0; i < g->in->result->fit.nrow; i++) {
    n += g->in->result->fit.row[i].coloured;
    cured += g->in->result->fit.row[i].coloured && g->in->result->fit.row[i].white_at_half;
  }
  if (n == 0) {
    rbv_text_put(&text, "The residual is white as far as the tests show.");
    return rbv_judge_add(g, reason_of(RBV_VERDICT_USABLE, "residual", NAN), &text);
  }
  rbv_text_put(&text, "The residual is coloured in ");
  int named = 0;
  for (int i = 0; i < g->in->result->fit.nrow; i++)
    if (g->in->result->fit.row[i].coloured)
      rbv_text_print(&text, "%s%s", named++ ? ", " : "",
                     g->in->result->joint[g->in->result->fit.row[i].joint]);
  rbv_text_put(&text, ": the model lacks an effect, or the noise has a memory.");
  if (blocks > 0 && isfinite(inflation))
    rbv_text_print(&text,
                   " The standard deviations take this into account: they come from %d blocks of "
                   "time and are typically %.1f times those of white noise.",
                   blocks, inflation);
  if (cured == n) rbv_text_put(&text, " With twice the decimation the residual would be white.");
  return rbv_judge_add(g, note_of("residual"), &text);
}

/* what the standard deviations do not contain */
static rbv_status rule_motions(judging *g) {
  if (g->in->result->ninput != 1) return RBV_OK;
  rbv_text text = {0};
  rbv_text_put(&text,
               "One motion was recorded. The standard deviations hold for this kind of motion: an "
               "error of the model that is the same throughout it is not in them. ");
  if (g->in->result->nvalidation_input == 0)
    rbv_text_put(&text, "Record a second, different motion and identify with both.");
  else
    rbv_text_put(&text, "Identify with the recordings of the validation too, and compare.");
  return rbv_judge_add(g, note_of("motions"), &text);
}

static rbv_status rule_mask(judging *g) {
  const double share = g->in->result->masked_fraction;
  if (!(share > MASKED_CARE)) return RBV_OK;
  rbv_text text = {0};
  rbv_text_print(&text,
                 "%.0f %% of the rows were left out because a joint moved too slowly for the "
                 "friction law, or because samples were missing.",
                 100 * share);
  return rbv_judge_add(g, note_of("mask"), &text);
}

/* ---- the method ---- */

/* why this method was chosen, and whether it worked without recorded positions */
static rbv_status rule_choice(judging *g) {
  if (g->in->result->choice && g->in->result->choice[0]) {
    rbv_text text = {0};
    rbv_text_print(&text, "The method was chosen from the data: %s.", g->in->result->choice);
    RBV_TRY(rbv_judge_add(g, note_of("choice"), &text));
  }
  if (!(rbv_result_chosen(g->in->result, "from_reference", 0) != 0)) return RBV_OK;
  rbv_text text = {0};
  rbv_text_print(&text,
                 "No positions were recorded. %s simulated them, so the result depends on the "
                 "controller that was given. The arm, torques and residuals on this page follow "
                 "the reference.",
                 g->in->result->method);
  return rbv_judge_add(g, reason_of(RBV_VERDICT_CARE, "reference", NAN), &text);
}

/* friction from positions of a coarse encoder that the controller reacts to */
static rbv_status rule_loop_encoder(judging *g) {
  const double step = rbv_result_chosen(g->in->result, "loop_encoder_step", 0);
  if (!(step > 0) || rbv_method_find(g->in->result->method)->encoder_safe) return RBV_OK;
  rbv_text text = {0};
  rbv_text_print(
      &text,
      "The controller reacts to the steps of a coarse encoder (%.3g rad). Friction may be "
      "several sigma off, and the standard deviations do not show it. The method slide "
      "is not affected.",
      step);
  return rbv_judge_add(g, reason_of(RBV_VERDICT_CARE, "encoder", NAN), &text);
}

static rbv_status rule_method(judging *g) {
  const rbv_instruments *i = &g->in->result->instruments;
  if (g->in->result->iterations > 0 && !g->in->result->converged) {
    rbv_text text = {0};
    if (g->in->result->kept_iteration > 0)
      rbv_text_print(
          &text,
          "%s did not converge: after iteration %d the simulated loop no longer followed "
          "its reference. The estimate uses the simulated motion of that iteration.",
          g->in->result->method, g->in->result->kept_iteration);
    else
      rbv_text_print(
          &text,
          "%s did not converge within %d iteration%s: the parameters still change, and their "
          "standard deviations are not valid.",
          g->in->result->method, g->in->result->iterations, plural(g->in->result->iterations));
    RBV_TRY(rbv_judge_add(g, reason_of(RBV_VERDICT_NO, "convergence", NAN), &text));
  }
  if (rbv_instruments_are_weak(i)) {
    rbv_text text = {0};
    rbv_text_print(
        &text,
        "The instruments are weak: they explain only %.2g %% of one column. Check that the "
        "controller is the one of the recording, and that the motion excites all parameters.",
        100 * i->strength);
    RBV_TRY(rbv_judge_add(g, reason_of(RBV_VERDICT_CARE, "instruments", NAN), &text));
  }
  return RBV_OK;
}

/* ---- physical consistency ---- */

static rbv_status rule_bodies(judging *g) {
  const rbv_result_standard *s = &g->in->result->standard;
  rbv_text text = {0};
  if (s->count == 0) {
    rbv_text_put(&text,
                 "Physical consistency was not checked: base parameters do not determine single "
                 "links. Estimate consistent standard parameters to check it (option "
                 "consistent).");
    return rbv_judge_add(g, note_of("consistency"), &text);
  }
  rbv_verdict level = RBV_VERDICT_USABLE;
  if (!s->converged) {
    level = RBV_VERDICT_NO;
    rbv_text_print(&text,
                   "No certified optimum among physically consistent parameters was found in %d "
                   "steps. ",
                   s->iterations);
  }
  int impossible = 0;
  for (int b = 0; b < s->nbody; b++) {
    if (strcmp(s->body[b].state, "consistent") == 0) continue;
    level = RBV_VERDICT_NO;
    impossible++;
    rbv_text_print(&text, "The link of %s is physically impossible (%s). ", s->body[b].name,
                   s->body[b].state);
  }
  if (impossible == 0) rbv_text_put(&text, "All links are physically possible. ");
  const double move = s->largest_move_sigma;
  if (isfinite(move) && move > MOVE_CARE) {
    if (level < RBV_VERDICT_CARE) level = RBV_VERDICT_CARE;
    rbv_text_print(&text,
                   "Consistency and the prior changed a base parameter by %.1f sigma: the data fit "
                   "an impossible or unlikely body better, so the model or the data contain an "
                   "error. ",
                   move);
  } else if (isfinite(move)) {
    rbv_text_print(&text,
                   "Consistency and the prior changed no base parameter by more than %.2g sigma. ",
                   move);
  }
  double least = 1, most = 0;
  for (int b = 0; b < s->nbody; b++) {
    least = fmin(least, s->body[b].mass_known);
    most = fmax(most, s->body[b].mass_known);
  }
  if (s->failed) {
    // of no weight where the torques are predicted well all the same
    const bool bad = !(error_of(&g->in->result->fit) <= ERROR_CARE);
    level = bad ? RBV_VERDICT_NO : level > RBV_VERDICT_CARE ? level : RBV_VERDICT_CARE;
    rbv_text_print(&text,
                   "Consistency failed: consistent bodies leave %.1f %% of the torque unexplained, "
                   "free parameters %.1f %%. Do not use masses and centres: give masses in the "
                   "robot file, or identify without consistency. ",
                   100 * g->in->result->fit.relative_error, 100 * s->free_error);
  }
  rbv_text_print(&text,
                 "Single masses are not measurements: the data know %.0f to %.0f %% of them, the "
                 "rest is the prior.",
                 100 * least, 100 * most);
  if (bodies_competed(g) && level > RBV_VERDICT_USABLE)
    return rbv_judge_add(g, note_of("consistency"), &text);
  return rbv_judge_add(g, reason_of(level, "consistency", NAN), &text);
}

/* ---- prior knowledge ---- */

/* sources of a prior that are not a given body: name, and the sentence around the links */
static const struct {
  const char *kind, *before, *after;
  double known;  // share of the mass that the data know, from which on the prior does not matter
} prior_source[] = {
    {"replaced", "The prior values",
     " are physically impossible. Solid bodies of the links' size replace them where the data "
     "leave "
     "parameters open.",
     INFINITY},
    {"assumed", "There are no prior values",
     ". Solid bodies of the links' size were assumed where the data leave parameters open: their "
     "masses may be wrong by a factor of two and more.",
     0.9},
};

static rbv_status rule_prior_source(judging *g, int i) {
  const rbv_result_standard *s = &g->in->result->standard;
  rbv_text text = {0};
  int n = 0;
  for (int b = 0; b < s->nbody; b++)
    if (strcmp(s->body[b].prior, prior_source[i].kind) == 0 &&
        s->body[b].mass_known < prior_source[i].known)
      rbv_text_print(&text, "%s%s", n++ ? ", " : "", s->body[b].name);
  if (n == 0) return RBV_OK;
  rbv_text whole = {0};
  rbv_text_print(&whole, "%s for the link%s of %s%s", prior_source[i].before, plural(n),
                 text.data ? text.data : "", prior_source[i].after);
  if (text.failed) whole.failed = true;
  rbv_text_free(&text);
  return rbv_judge_add(g,
                       bodies_competed(g) ? note_of(prior_source[i].kind)
                                          : reason_of(RBV_VERDICT_CARE, prior_source[i].kind, NAN),
                       &whole);
}

rbv_status rbv_judge_fit(judging *g) {
  if (rbv_result_chosen(g->in->result, "positions_only", 0) != 0) {
    RBV_TRY(rule_positions(g));
    RBV_TRY(rule_law(g));
  } else {
    RBV_TRY(rule_fit(g));
    RBV_TRY(rule_worse(g));
    RBV_TRY(rule_validation(g));
  }
  RBV_TRY(rule_choice(g));
  RBV_TRY(rule_method(g));
  RBV_TRY(rule_loop_encoder(g));
  RBV_TRY(rule_identifiability(g));
  for (int i = 0; i < RBV_COUNT(prior_source); i++) RBV_TRY(rule_prior_source(g, i));
  RBV_TRY(rule_predicted(g));
  RBV_TRY(rule_colour(g));
  RBV_TRY(rule_motions(g));
  RBV_TRY(rule_mask(g));
  return rule_bodies(g);
}
