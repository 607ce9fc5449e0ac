/*
 * May these parameters be used? Each rule looks at one thing and says what it means for the user;
 * the worst one decides. Nothing is repaired here or anywhere: a number that cannot be right is
 * shown as it is and explained.
 */
#include <math.h>
#include <roberval/sys/consistency.h>
#include <stdio.h>
#include <string.h>

#include "report/report_internal.h"

/*
 * Limits. A tenth of the torque norm is what friction models of this form leave on good arms; a
 * quarter means that something else moves the arm. A condition number of 100 after scaling is the
 * usual bound of an exciting trajectory.
 */
#define ERROR_CARE 0.10
#define ERROR_NO 0.25
#define WORSE_CARE 1.5  // validation over fit
#define WORSE_NO 3.0
#define CONDITION_CARE 100.0
#define CONDITION_NO 1e4
#define INFLATION_CARE 1.5
#define MOVE_CARE 3.0        // sigma, that consistency moved a parameter by
#define PRIOR_CARE 4.0       // sigma, between prior and data
#define PRIOR_TOLERANCE 0.3  // of a prior whose sigma nobody knows: share of the smaller value
#define MASKED_CARE 0.6
#define STRENGTH_CARE 0.5

const char *rbv_verdict_name(rbv_verdict verdict) {
  switch (verdict) {
    case RBV_VERDICT_USABLE: return "usable";
    case RBV_VERDICT_CARE: return "with care";
    case RBV_VERDICT_NO: return "do not use";
  }
  return "";
}

rbv_status rbv_report_add(report *r, rbv_verdict level, const char *rule, rbv_text *text) {
  if (r->nreason == r->mreason && !text->failed) {
    const int more = r->mreason ? 2 * r->mreason : 16;
    rbv_reason *grown =
        rbv_realloc(r->reason, (size_t)r->mreason * sizeof *grown, (size_t)more * sizeof *grown);
    if (grown) {
      r->reason = grown;
      r->mreason = more;
    } else {
      text->failed = true;
    }
  }
  if (text->failed) {
    rbv_text_free(text);
    return RBV_EMEM;
  }
  r->reason[r->nreason++] = (rbv_reason){level, rule, text->data};
  return RBV_OK;
}

static const char *plural(int n) { return n == 1 ? "" : "s"; }

/* ---- how well torques are predicted ---- */

static rbv_status judge_fit(report *r) {
  const double error = r->result->fit.relative_error;
  rbv_text text = {0};
  if (!isfinite(error)) {
    rbv_text_put(&text, "No measured torque to compare with: the fit has no error.");
    return rbv_report_add(r, RBV_VERDICT_NO, "fit", &text);
  }
  rbv_text_print(&text, "The fit leaves %.2f %% of the torque norm unexplained", 100 * error);
  const rbv_verdict level = !(error <= ERROR_NO)     ? RBV_VERDICT_NO
                            : !(error <= ERROR_CARE) ? RBV_VERDICT_CARE
                                                     : RBV_VERDICT_USABLE;
  if (level == RBV_VERDICT_NO)
    rbv_text_put(&text,
                 ": something moves this arm that the model does not have. Look for wrong "
                 "units, signs, joint order or gear ratios with roberval check.");
  else if (level == RBV_VERDICT_CARE)
    rbv_text_put(&text, ": more than rigid links and simple friction usually leave.");
  else
    rbv_text_put(&text, ".");
  return rbv_report_add(r, level, "fit", &text);
}

/* a joint that moves little hides in the norm of all */
static rbv_status judge_joints(report *r, const rbv_fit *v) {
  rbv_text text = {0};
  int n = 0;
  rbv_text_put(&text, "On data that the fit has not seen, ");
  for (int i = 0; i < v->nrow; i++) {
    // not finite: there is no torque to compare with
    if (!(v->row[i].relative_error > ERROR_NO && isfinite(v->row[i].relative_error))) continue;
    rbv_text_print(&text, "%s%s (%.0f %%)", n++ ? ", " : "", r->result->joint[v->row[i].joint],
                   100 * v->row[i].relative_error);
  }
  if (n == 0) {
    rbv_text_free(&text);
    return RBV_OK;
  }
  rbv_text_print(&text,
                 " by %s badly predicted: there is little torque to tell, or one that the "
                 "model lacks.",
                 n == 1 ? "itself is" : "themselves are");
  return rbv_report_add(r, RBV_VERDICT_CARE, "joints", &text);
}

static rbv_status judge_validation(report *r) {
  rbv_text text = {0};
  const rbv_fit *v = &r->result->validation;
  if (v->nrow == 0) {
    rbv_text_put(&text,
                 "Not validated: nothing shows yet that these parameters predict another "
                 "motion. Use --validate LOG or --holdout 0.3.");
    return rbv_report_add(r, RBV_VERDICT_CARE, "validation", &text);
  }
  const double error = v->relative_error, worse = error / r->result->fit.relative_error;
  const bool much_worse = worse > WORSE_NO && error > ERROR_CARE;
  const bool somewhat_worse = worse > WORSE_CARE && error > ERROR_CARE / 2;
  rbv_text_print(&text, "On data that the fit has not seen the error is %.2f %%", 100 * error);
  const rbv_verdict level = !(error <= ERROR_NO) || much_worse         ? RBV_VERDICT_NO
                            : !(error <= ERROR_CARE) || somewhat_worse ? RBV_VERDICT_CARE
                                                                       : RBV_VERDICT_USABLE;
  if (level == RBV_VERDICT_USABLE)
    rbv_text_put(&text, ", not far from that of the fit.");
  else
    rbv_text_print(&text,
                   ", %.1f times that of the fit: the parameters follow the motion that they came "
                   "from, and less so the robot. Excite more, or lean on a prior.",
                   worse);
  RBV_TRY(rbv_report_add(r, level, "validation", &text));
  return level == RBV_VERDICT_NO ? RBV_OK : judge_joints(r, v);
}

/* ---- how much the data tell ---- */

static rbv_status judge_identifiability(report *r) {
  rbv_text text = {0}, names = {0};
  int open = 0, held = 0;
  const rbv_parameters *e = &r->result->estimate;
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
                   "values are not estimates and their intervals infinite.",
                   open, e->count, names.data ? names.data : "");
  else
    rbv_text_print(&text, "All %d base parameters have an estimate.", e->count);
  if (held > 0)
    rbv_text_print(&text, " %d %s held by the prior, the data say little about %s.", held,
                   held == 1 ? "is" : "are", held == 1 ? "it" : "them");
  rbv_text_free(&names);
  return rbv_report_add(r, level, "identifiability", &text);
}

rbv_status rbv_report_judge_condition(report *r, double c, double plain) {
  rbv_text text = {0};
  const rbv_verdict level = !(c <= CONDITION_NO)     ? RBV_VERDICT_NO
                            : !(c <= CONDITION_CARE) ? RBV_VERDICT_CARE
                                                     : RBV_VERDICT_USABLE;
  // as people write them: 1460, not 1.46e+03
  rbv_text_print(&text, c < 1e5 ? "The condition number is %.0f" : "The condition number is %.2g",
                 c);
  rbv_text_print(
      &text,
      plain < 1e6 ? " (%.0f before columns are scaled)" : " (%.2g before columns are scaled)",
      plain);
  rbv_text_put(&text, level == RBV_VERDICT_USABLE
                          ? ": the motion tells the parameters apart."
                          : ": the motion hardly tells some parameters apart, and small errors of "
                            "the data become large ones of these. Use a better trajectory "
                            "(roberval excite).");
  return rbv_report_add(r, level, "condition", &text);
}

static rbv_status judge_colour(report *r) {
  const double given = r->result->diagnostics.sigma_inflation;
  const double inflation = isfinite(given) ? given : 1;
  rbv_text text = {0};
  int n = 0;
  for (int i = 0; i < r->result->fit.nrow; i++) n += r->result->fit.row[i].coloured;
  if (n == 0) {
    rbv_text_put(&text,
                 "The residual is white as far as can be seen, so the standard deviations "
                 "mean what they say.");
    return rbv_report_add(r, RBV_VERDICT_USABLE, "residual", &text);
  }
  rbv_text_put(&text, "The residual is coloured in ");
  int named = 0;
  for (int i = 0; i < r->result->fit.nrow; i++)
    if (r->result->fit.row[i].coloured)
      rbv_text_print(&text, "%s%s", named++ ? ", " : "",
                     r->result->joint[r->result->fit.row[i].joint]);
  const rbv_verdict level = inflation > INFLATION_CARE ? RBV_VERDICT_CARE : RBV_VERDICT_USABLE;
  if (inflation > 1)
    rbv_text_print(&text,
                   ": the true standard deviations are about %.1f times those given. Decimate "
                   "further to have them right.",
                   inflation);
  else
    rbv_text_put(&text, ": what is left is not noise alone.");
  return rbv_report_add(r, level, "residual", &text);
}

static rbv_status judge_mask(report *r) {
  const double share = r->result->masked_fraction;
  if (!(share > MASKED_CARE)) return RBV_OK;
  rbv_text text = {0};
  rbv_text_print(&text,
                 "%.0f %% of the rows were left out because a joint was too slow for the friction "
                 "law, or because samples were missing.",
                 100 * share);
  return rbv_report_add(r, RBV_VERDICT_CARE, "mask", &text);
}

/* ---- the method ---- */

/* why this method, and what it could do without */
static rbv_status tell_method(report *r) {
  if (r->result->choice && r->result->choice[0]) {
    rbv_text text = {0};
    rbv_text_print(&text, "The method was chosen by the data: %s.", r->result->choice);
    RBV_TRY(rbv_report_add(r, RBV_VERDICT_USABLE, "choice", &text));
  }
  if (!rbv_report_from_reference(r)) return RBV_OK;
  rbv_text text = {0};
  rbv_text_print(&text,
                 "No positions were recorded: %s has simulated them, and it stands and falls with "
                 "the controller that it was given. The arm, torques and residuals of this page "
                 "are those along the reference.",
                 r->result->method);
  return rbv_report_add(r, RBV_VERDICT_CARE, "reference", &text);
}

static rbv_status judge_method(report *r) {
  const rbv_instruments *i = &r->result->instruments;
  if (r->result->iterations > 0 && !r->result->converged) {
    rbv_text text = {0};
    rbv_text_print(&text,
                   "%s did not come to rest within %d iteration%s: the parameters still move, and "
                   "their standard deviations are not those of an optimum.",
                   r->result->method, r->result->iterations, plural(r->result->iterations));
    RBV_TRY(rbv_report_add(r, RBV_VERDICT_NO, "convergence", &text));
  }
  if (i->strength > 0 && i->strength < STRENGTH_CARE) {
    rbv_text text = {0};
    rbv_text_print(&text,
                   "The instruments are weak: of one column they explain only %.0f %%. Is it the "
                   "right controller?",
                   100 * i->strength);
    RBV_TRY(rbv_report_add(r, RBV_VERDICT_CARE, "instruments", &text));
  }
  return RBV_OK;
}

/* ---- what cannot be ---- */

static rbv_status judge_bodies(report *r) {
  const rbv_result_standard *s = &r->result->standard;
  rbv_text text = {0};
  if (s->count == 0) {
    rbv_text_put(&text,
                 "Whether such bodies can exist was not asked: base parameters do not tell "
                 "bodies apart. Use --consistent for standard parameters.");
    return rbv_report_add(r, RBV_VERDICT_USABLE, "consistency", &text);
  }
  rbv_verdict level = RBV_VERDICT_USABLE;
  if (!s->converged) {
    level = RBV_VERDICT_NO;
    rbv_text_print(&text,
                   "No certified optimum among consistent parameters was found in %d steps. ",
                   s->iterations);
  }
  for (int b = 0; b < s->nbody; b++) {
    if (strcmp(s->body[b].state, "consistent") == 0) continue;
    level = RBV_VERDICT_NO;
    rbv_text_print(&text, "The link of %s cannot exist (%s). ", s->body[b].name, s->body[b].state);
  }
  if (s->largest_move_sigma > MOVE_CARE) {
    if (level < RBV_VERDICT_CARE) level = RBV_VERDICT_CARE;
    rbv_text_print(&text,
                   "To be consistent, a parameter had to move by %.1f sigma: the data want a body "
                   "that cannot exist, so the model or the data are wrong somewhere.",
                   s->largest_move_sigma);
  } else {
    rbv_text_print(&text,
                   "All bodies can exist; consistency moved no parameter by more than %.2g "
                   "sigma.",
                   s->largest_move_sigma);
  }
  return rbv_report_add(r, level, "consistency", &text);
}

/* negative rotor inertia and friction, as estimated */
static rbv_status judge_drives(report *r) {
  rbv_consistency *c;
  RBV_TRY(rbv_consistency_new(&c, r->m, r->chi));
  rbv_text text = {0};
  int n = 0, sure = 0;
  for (int i = 0; i < c->ndrive; i++) {
    const rbv_drive *d = &c->drive[i];
    if (d->consistent) continue;
    const rbv_column *column = rbv_model_column(r->m, d->column);
    double sigma = NAN;
    for (int k = 0; k < r->result->estimate.count; k++)
      if (rbv_model_find(r->m, r->result->estimate.item[k].name) == d->column)
        sigma = r->result->estimate.item[k].sigma;
    // of coupled columns it is the matrix that is negative somewhere, not each of them
    sure += !d->coupled && d->value < -2 * sigma;
    rbv_text_print(&text, "%s%s = %.3g", n++ ? ", " : "", column->name, d->value);
    if (isfinite(sigma)) rbv_text_print(&text, " +- %.2g", sigma);
    rbv_text_print(&text, " %s", column->unit);
  }
  rbv_consistency_free(c);
  if (n == 0) return RBV_OK;
  if (sure > 0)
    rbv_text_print(&text,
                   ": negative%s beyond %s uncertainty. Friction that drives and inertia below "
                   "zero do not exist; a sign, a delay, an offset or a term that the model lacks "
                   "shows up here. The value is as estimated, not repaired: in a simulation it "
                   "feeds energy.",
                   sure < n ? ", some" : "", n == 1 ? "its" : "their");
  else
    rbv_text_put(&text,
                 ": negative, but compatible with zero within two sigma. The value is as "
                 "estimated, not repaired; --consistent or --essential would settle it.");
  return rbv_report_add(r, sure > 0 ? RBV_VERDICT_NO : RBV_VERDICT_CARE, "negative", &text);
}

/* ---- what was known before ---- */

/* links whose values in the URDF no body has */
static rbv_status judge_urdf(report *r) {
  const double *own = rbv_model_parameters(r->m);
  if (!own || !rbv_model_urdf(r->m)) return RBV_OK;
  rbv_consistency *c;
  RBV_TRY(rbv_consistency_new(&c, r->m, own));
  rbv_text text = {0};
  int n = 0;
  for (int b = 0; b < r->m->njoint && b < c->nbody; b++) {
    const rbv_body_fault fault = c->body[b].fault;
    if (fault == RBV_BODY_CONSISTENT) continue;
    const double *phi = own + r->m->link_column[b];
    bool zero = true;
    for (int i = 0; i < RBV_INERTIAL; i++) zero = zero && phi[i] == 0;
    rbv_text_print(&text, "%s%s (%s)", n++ ? ", " : "", rbv_model_joint(r->m, b)->name,
                   zero ? "mass and inertia are zero" : rbv_body_fault_text(fault));
  }
  rbv_consistency_free(c);
  if (n == 0) return RBV_OK;
  rbv_text whole = {0};
  rbv_text_print(&whole,
                 "The URDF gives values that no body has to the link%s moved by %s. They did not "
                 "enter the estimate%s; a simulator that loads this URDF may refuse it or blow up.",
                 plural(n), text.data ? text.data : "", r->in->prior ? " except as its prior" : "");
  if (text.failed) whole.failed = true;
  rbv_text_free(&text);
  return rbv_report_add(r, RBV_VERDICT_CARE, "urdf", &whole);
}

static rbv_status judge_replaced(report *r) {
  const rbv_result_standard *s = &r->result->standard;
  rbv_text text = {0};
  int n = 0;
  for (int b = 0; b < s->nbody; b++)
    if (strcmp(s->body[b].prior, "replaced") == 0)
      rbv_text_print(&text, "%s%s", n++ ? ", " : "", s->body[b].name);
  if (n == 0) return RBV_OK;
  rbv_text whole = {0};
  rbv_text_print(&whole,
                 "No body has the values given beforehand for the link%s of %s: solids of the "
                 "links' size stand in for what the data leave open.",
                 plural(n), text.data ? text.data : "");
  if (text.failed) whole.failed = true;
  rbv_text_free(&text);
  return rbv_report_add(r, RBV_VERDICT_CARE, "replaced", &whole);
}

/* value and sigma that the data alone give to a parameter; the result's own where they do not */
static void data_alone(double *value, double *sigma, const report *r, int k) {
  *value = r->result->estimate.item[k].value;
  *sigma = r->result->estimate.item[k].sigma;
  for (int i = 0; i < r->information.count; i++)
    if (r->information.index[i] == k) {
      *value = r->information.value[i];
      *sigma = r->information.sigma[i];
    }
}

static rbv_status judge_prior(report *r) {
  if (!r->in->prior) return RBV_OK;
  const rbv_parameters *e = &r->result->estimate;
  rbv_text text = {0};
  int n = 0, compared = 0;
  for (int k = 0; k < e->count; k++) {
    double value, sigma;
    data_alone(&value, &sigma, r, k);
    const double prior = r->prior[k], own = r->prior_sigma[k];
    // a zero without sigma says that nobody knew, not that it is zero
    if (!isfinite(sigma) || !isfinite(prior) || (prior == 0 && !isfinite(own))) continue;
    compared++;
    const double tolerance = isfinite(own) ? own : PRIOR_TOLERANCE * fmin(fabs(prior), fabs(value));
    const double z = fabs(value - prior) / hypot(sigma, tolerance);
    if (!(z > PRIOR_CARE)) continue;
    if (n++ < 6)
      rbv_text_print(&text, "%s%s (prior %.3g, data %.3g +- %.2g)", n > 1 ? ", " : "",
                     e->item[k].name, prior, value, sigma);
  }
  if (n > 6) rbv_text_print(&text, " and %d more", n - 6);
  rbv_text whole = {0};
  if (n > 0)
    rbv_text_print(&whole,
                   "The prior contradicts the data in %d of %d parameters: %s. Both cannot be "
                   "right, and the estimate stands between them. Trust the prior less, or find "
                   "out what is wrong with it.",
                   n, compared, text.data ? text.data : "");
  else
    rbv_text_print(&whole, "The prior agrees with the data in all %d parameters that both know.",
                   compared);
  if (text.failed) whole.failed = true;
  rbv_text_free(&text);
  return rbv_report_add(r, n > 0 ? RBV_VERDICT_CARE : RBV_VERDICT_USABLE, "prior", &whole);
}

/* ---- the recordings ---- */

static rbv_status judge_recordings(report *r) {
  rbv_text text = {0};
  for (int i = 0; i < r->in->nremark; i++)
    rbv_text_print(&text, "%s%s", i ? " " : "", r->in->remark[i]);
  if (r->in->nremark > 0) RBV_TRY(rbv_report_add(r, RBV_VERDICT_CARE, "recordings", &text));
  rbv_text gaps = {0};
  int n = 0;
  for (int i = 0; i < r->result->ninput; i++) {
    const rbv_input *in = &r->result->input[i];
    if (!in->differentiation || (in->gaps == 0 && !in->resampled)) continue;
    rbv_text_print(&gaps, "%s%s: %s%td gap%s bridged, %td samples left out", n++ ? "; " : "",
                   in->path, in->resampled ? "resampled, because its stamps were irregular; " : "",
                   in->gaps, in->gaps == 1 ? "" : "s", in->invalid);
  }
  if (n == 0) return RBV_OK;
  rbv_text_put(&gaps, ".");
  return rbv_report_add(r, RBV_VERDICT_USABLE, "gaps", &gaps);
}

rbv_status rbv_report_judge(report *r) {
  RBV_TRY(judge_validation(r));
  RBV_TRY(judge_fit(r));
  RBV_TRY(tell_method(r));
  RBV_TRY(judge_method(r));
  RBV_TRY(judge_identifiability(r));
  RBV_TRY(judge_drives(r));
  RBV_TRY(judge_prior(r));
  RBV_TRY(judge_replaced(r));
  RBV_TRY(judge_urdf(r));
  RBV_TRY(rbv_report_judge_condition(r, r->result->diagnostics.condition_number_scaled,
                                     r->result->diagnostics.condition_number));
  RBV_TRY(judge_colour(r));
  RBV_TRY(judge_mask(r));
  RBV_TRY(judge_bodies(r));
  return judge_recordings(r);
}
