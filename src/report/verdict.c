/*
 * The verdict: can these parameters be used? Each rule examines one property of the result and says
 * what it means for the user; the worst level decides. No value is changed: implausible values are
 * shown as estimated and explained.
 */
#include <math.h>
#include <roberval/sys/identify.h>
#include <stdio.h>
#include <string.h>
#include "consistency/consistency.h"
#include "stats/stats.h"

#include "report/report_internal.h"
#include "result/result.h"

/*
 * Limits. With friction models of this form, good arms have a residual of about a tenth of the
 * torque norm; a quarter means that the model lacks an important effect. A scaled condition number
 * of 100 is the usual bound for an exciting trajectory.
 */
#define ERROR_CARE 0.10
#define ERROR_NO 0.25
#define WORSE_CARE 1.5  // error of the validation over error of the fit
#define WORSE_NO 3.0
#define CONDITION_CARE 100.0
#define CONDITION_NO 1e4
#define INFLATION_CARE 1.5
#define MOVE_CARE 3.0        // change of a parameter by consistency [sigma]
#define PRIOR_CARE 4.0       // difference between prior and data [sigma]
#define PRIOR_TOLERANCE 0.3  // of a prior without sigma, relative to the smaller value
#define MASKED_CARE 0.6

const char *rbv_verdict_name(rbv_verdict verdict) {
  switch (verdict) {
    case RBV_VERDICT_USABLE: return "usable";
    case RBV_VERDICT_CARE: return "with care";
    case RBV_VERDICT_NO: return "do not use";
  }
  return "";
}

rbv_status rbv_report_add_reason(report *r, rbv_verdict level, const char *rule, rbv_text *text) {
  if (!text->failed) {
    rbv_reason *grown = rbv_grow(r->reason, r->nreason, &r->mreason, sizeof *grown);
    if (grown) r->reason = grown;
    text->failed = !grown;
  }
  if (text->failed) {
    rbv_text_free(text);
    return RBV_EMEM;
  }
  r->reason[r->nreason++] =
      (rbv_reason){level, rule, text->data, .passed = level == RBV_VERDICT_USABLE};
  return RBV_OK;
}

rbv_status rbv_report_add_note(report *r, const char *rule, rbv_text *text) {
  RBV_TRY(rbv_report_add_reason(r, RBV_VERDICT_USABLE, rule, text));
  r->reason[r->nreason - 1].passed = false;
  return RBV_OK;
}

static const char *plural(int n) { return n == 1 ? "" : "s"; }

/* ---- prediction of torques ---- */

static rbv_status rule_fit(report *r) {
  const double error = r->result->fit.relative_error;
  rbv_text text = {0};
  if (!isfinite(error)) {
    rbv_text_put(&text, "There is no measured torque to compare with, so the fit has no error.");
    return rbv_report_add_reason(r, RBV_VERDICT_NO, "fit", &text);
  }
  rbv_text_print(&text, "The fit leaves %.2f %% of the torque norm unexplained", 100 * error);
  const rbv_verdict level = !(error <= ERROR_NO)     ? RBV_VERDICT_NO
                            : !(error <= ERROR_CARE) ? RBV_VERDICT_CARE
                                                     : RBV_VERDICT_USABLE;
  if (level == RBV_VERDICT_NO)
    rbv_text_put(&text,
                 ": the model lacks an important effect, or the data are wrong. Check units, "
                 "signs, joint order and gear ratios (roberval check).");
  else if (level == RBV_VERDICT_CARE)
    rbv_text_put(&text, ", more than usual for rigid links and simple friction.");
  else
    rbv_text_put(&text, ".");
  return rbv_report_add_reason(r, level, "fit", &text);
}

/* an error of a joint with small torques has little effect on the norm of all joints */
static rbv_status rule_joints(report *r, const rbv_fit *v) {
  rbv_text text = {0};
  int n = 0;
  rbv_text_put(&text, "On data that was not used for the fit, the prediction is bad for ");
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
  rbv_text_put(&text, ": the torque is small, or the model lacks an effect.");
  return rbv_report_add_reason(r, RBV_VERDICT_CARE, "joints", &text);
}

static rbv_status rule_validation(report *r) {
  rbv_text text = {0};
  const rbv_fit *v = &r->result->validation;
  if (v->nrow == 0) {
    rbv_text_put(&text,
                 "Not validated: it is not known how well these parameters predict another motion. "
                 "Validate on another recording (option validate), or hold out a share of the data "
                 "(option holdout).");
    return rbv_report_add_reason(r, RBV_VERDICT_CARE, "validation", &text);
  }
  const double error = v->relative_error, worse = error / r->result->fit.relative_error;
  if (!isfinite(error)) {
    rbv_text_put(&text, "The validation data have no measured torque to compare with.");
    return rbv_report_add_reason(r, RBV_VERDICT_NO, "validation", &text);
  }
  const bool much_worse = worse > WORSE_NO && error > ERROR_CARE;
  const bool somewhat_worse = worse > WORSE_CARE && error > ERROR_CARE / 2;
  rbv_text_print(&text, "On data that was not used for the fit, the error is %.2f %%", 100 * error);
  if (isfinite(v->comparable))
    rbv_text_print(&text, " (comparable error %.2f %%)", 100 * v->comparable);
  const rbv_verdict level = !(error <= ERROR_NO) || much_worse         ? RBV_VERDICT_NO
                            : !(error <= ERROR_CARE) || somewhat_worse ? RBV_VERDICT_CARE
                                                                       : RBV_VERDICT_USABLE;
  if (level == RBV_VERDICT_USABLE)
    rbv_text_put(&text, ", close to that of the fit.");
  else if (worse > WORSE_CARE)
    rbv_text_print(&text,
                   ", %.1f times that of the fit: the parameters describe the recorded motion "
                   "better than the robot. Use a more exciting motion, or a prior.",
                   worse);
  else
    rbv_text_print(&text, ", %.1f times that of the fit: the model lacks an effect.", worse);
  RBV_TRY(rbv_report_add_reason(r, level, "validation", &text));
  return level == RBV_VERDICT_NO ? RBV_OK : rule_joints(r, v);
}

/* ---- information in the data ---- */

static rbv_status rule_identifiability(report *r) {
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
  if (open == 0 && held > 0) return rbv_report_add_note(r, "identifiability", &text);
  return rbv_report_add_reason(r, level, "identifiability", &text);
}

/* 1460, not 1.46e+03, up to a limit */
static void put_large(rbv_text *text, double x, double limit) {
  if (isfinite(x))
    rbv_text_print(text, x < limit ? "%.0f" : "%.2g", x);
  else
    rbv_text_put(text, "infinite");
}

rbv_status rbv_report_rule_condition(report *r, double c, double plain, const char *advice) {
  rbv_text text = {0};
  const rbv_verdict level = !(c <= CONDITION_NO)     ? RBV_VERDICT_NO
                            : !(c <= CONDITION_CARE) ? RBV_VERDICT_CARE
                                                     : RBV_VERDICT_USABLE;
  rbv_text_put(&text, "The condition number is ");
  put_large(&text, c, 1e5);
  rbv_text_put(&text, " (");
  put_large(&text, plain, 1e6);
  rbv_text_put(&text, " before columns are scaled)");
  if (level == RBV_VERDICT_USABLE)
    rbv_text_put(&text, ": the motion separates the parameters well.");
  else
    rbv_text_print(&text,
                   ": the motion hardly separates some parameters, and small errors of the data "
                   "cause large errors of these. %s",
                   advice);
  return rbv_report_add_reason(r, level, "condition", &text);
}

static rbv_status rule_colour(report *r) {
  const double inflation = r->result->diagnostics.sigma_inflation;
  const int blocks = r->result->jackknife.nblock;
  rbv_text text = {0};
  int n = 0, cured = 0;
  for (int i = 0; i < r->result->fit.nrow; i++) {
    n += r->result->fit.row[i].coloured;
    cured += r->result->fit.row[i].coloured && r->result->fit.row[i].white_at_half;
  }
  if (n == 0) {
    rbv_text_put(&text, "The residual is white as far as the tests show.");
    return rbv_report_add_reason(r, RBV_VERDICT_USABLE, "residual", &text);
  }
  rbv_text_put(&text, "The residual is coloured in ");
  int named = 0;
  for (int i = 0; i < r->result->fit.nrow; i++)
    if (r->result->fit.row[i].coloured)
      rbv_text_print(&text, "%s%s", named++ ? ", " : "",
                     r->result->joint[r->result->fit.row[i].joint]);
  rbv_text_put(&text, ": the model lacks an effect, or the noise has a memory.");
  if (blocks > 0 && isfinite(inflation))
    rbv_text_print(&text,
                   " The standard deviations take this into account: they come from %d blocks of "
                   "time and are typically %.1f times those of white noise.",
                   blocks, inflation);
  if (cured == n) rbv_text_put(&text, " With twice the decimation the residual would be white.");
  if (inflation > INFLATION_CARE)
    return rbv_report_add_reason(r, RBV_VERDICT_CARE, "residual", &text);
  return rbv_report_add_note(r, "residual", &text);
}

/* what the standard deviations do not contain */
static rbv_status rule_motions(report *r) {
  if (r->result->ninput != 1) return RBV_OK;
  rbv_text text = {0};
  rbv_text_put(&text,
               "One motion was recorded. The standard deviations hold for this kind of motion: an "
               "error of the model that is the same throughout it is not in them. ");
  if (r->result->nvalidation_input == 0)
    rbv_text_put(&text, "Record a second, different motion and identify with both.");
  else
    rbv_text_put(&text, "Identify with the recordings of the validation too, and compare.");
  return rbv_report_add_note(r, "motions", &text);
}

static rbv_status rule_mask(report *r) {
  const double share = r->result->masked_fraction;
  if (!(share > MASKED_CARE)) return RBV_OK;
  rbv_text text = {0};
  rbv_text_print(&text,
                 "%.0f %% of the rows were left out because a joint moved too slowly for the "
                 "friction law, or because samples were missing.",
                 100 * share);
  return rbv_report_add_reason(r, RBV_VERDICT_CARE, "mask", &text);
}

/* ---- the method ---- */

/* why this method was chosen, and whether it worked without recorded positions */
static rbv_status rule_choice(report *r) {
  if (r->result->choice && r->result->choice[0]) {
    rbv_text text = {0};
    rbv_text_print(&text, "The method was chosen from the data: %s.", r->result->choice);
    RBV_TRY(rbv_report_add_note(r, "choice", &text));
  }
  if (!rbv_report_from_reference(r)) return RBV_OK;
  rbv_text text = {0};
  rbv_text_print(&text,
                 "No positions were recorded. %s simulated them, so the result depends on the "
                 "controller that was given. The arm, torques and residuals on this page follow "
                 "the reference.",
                 r->result->method);
  return rbv_report_add_reason(r, RBV_VERDICT_CARE, "reference", &text);
}

/* friction from positions of a coarse encoder that the controller reacts to */
static rbv_status rule_loop_encoder(report *r) {
  const double step = rbv_result_chosen(r->result, "loop_encoder_step", 0);
  if (!(step > 0) || rbv_method_find(r->result->method)->encoder_safe) return RBV_OK;
  rbv_text text = {0};
  rbv_text_print(
      &text,
      "The controller reacts to the steps of a coarse encoder (%.3g rad). Friction may be "
      "several sigma off, and the standard deviations do not show it. The method slide "
      "is not affected.",
      step);
  return rbv_report_add_reason(r, RBV_VERDICT_CARE, "encoder", &text);
}

static rbv_status rule_method(report *r) {
  const rbv_instruments *i = &r->result->instruments;
  if (r->result->iterations > 0 && !r->result->converged) {
    rbv_text text = {0};
    if (r->result->kept_iteration > 0)
      rbv_text_print(
          &text,
          "%s did not converge: after iteration %d the simulated loop no longer followed "
          "its reference. The estimate uses the simulated motion of that iteration.",
          r->result->method, r->result->kept_iteration);
    else
      rbv_text_print(
          &text,
          "%s did not converge within %d iteration%s: the parameters still change, and their "
          "standard deviations are not valid.",
          r->result->method, r->result->iterations, plural(r->result->iterations));
    RBV_TRY(rbv_report_add_reason(r, RBV_VERDICT_NO, "convergence", &text));
  }
  if (i->strength > 0 && i->strength < RBV_WEAK_INSTRUMENTS) {
    rbv_text text = {0};
    rbv_text_print(
        &text,
        "The instruments are weak: they explain only %.0f %% of one column. Check that the "
        "controller is the one of the recording, and that the motion excites all parameters.",
        100 * i->strength);
    RBV_TRY(rbv_report_add_reason(r, RBV_VERDICT_CARE, "instruments", &text));
  }
  return RBV_OK;
}

/* ---- physical consistency ---- */

static rbv_status rule_bodies(report *r) {
  const rbv_result_standard *s = &r->result->standard;
  rbv_text text = {0};
  if (s->count == 0) {
    rbv_text_put(&text,
                 "Physical consistency was not checked: base parameters do not determine single "
                 "links. Estimate consistent standard parameters to check it (option "
                 "consistent).");
    return rbv_report_add_note(r, "consistency", &text);
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
  rbv_text_print(&text,
                 "Single masses are not measurements: the data know %.0f to %.0f %% of them, the "
                 "rest is the prior.",
                 100 * least, 100 * most);
  return rbv_report_add_reason(r, level, "consistency", &text);
}

/* number of sigmas below zero that chance does not explain: 5 % for all drive parameters together,
 * sigma from few blocks */
static rbv_status negative_limit(double *limit, const report *r, int ndrive) {
  const int blocks = r->result->jackknife.nblock;
  const double dof = blocks > 1 ? blocks - 1 : fmax(1, (double)r->result->diagnostics.dof);
  double quantile;
  RBV_TRY(rbv_stats_student_quantile(&quantile, 0.05 / ndrive, RBV_TAIL_UPPER, dof));
  // sigma already contains the factor of Student's distribution for one parameter
  *limit = fmax(2, quantile / (blocks > 1 ? r->result->jackknife.student : 1));
  return RBV_OK;
}

/* negative estimates of rotor inertia and friction */
static rbv_status rule_drives(report *r) {
  rbv_consistency *c;
  RBV_TRY(rbv_consistency_new(&c, r->m, r->chi));
  rbv_text text = {0};
  int n = 0, sure = 0;
  double limit = 2;
  const rbv_status status = negative_limit(&limit, r, c->ndrive > 0 ? c->ndrive : 1);
  if (status != RBV_OK) {
    rbv_consistency_free(c);
    return status;
  }
  for (int i = 0; i < c->ndrive; i++) {
    const rbv_drive *d = &c->drive[i];
    if (d->consistent) continue;
    const rbv_column *column = rbv_model_column(r->m, d->column);
    double sigma = NAN;
    for (int k = 0; k < r->result->estimate.count; k++)
      if (rbv_model_find(r->m, r->result->estimate.item[k].name) == d->column)
        sigma = r->result->estimate.item[k].sigma;
    // for coupled columns the matrix is not positive, which says nothing about a single one
    sure += !d->coupled && d->value < -limit * sigma;
    rbv_text_print(&text, "%s%s = %.3g", n++ ? ", " : "", column->name, d->value);
    if (isfinite(sigma)) rbv_text_print(&text, " +- %.2g", sigma);
    rbv_text_print(&text, " %s", column->unit);
  }
  rbv_consistency_free(c);
  if (n == 0) return RBV_OK;
  if (sure > 0)
    rbv_text_print(&text,
                   ": negative%s beyond %s uncertainty. Friction and inertia cannot be negative; "
                   "the usual causes are a wrong sign, a delay, an offset or a term that the model "
                   "lacks. The value was not corrected: in a simulation it adds energy.",
                   sure < n ? ", some" : "", n == 1 ? "its" : "their");
  else
    rbv_text_put(
        &text,
        ": negative, but compatible with zero: among so many parameters such a value can be "
        "chance. The value was not corrected. Require physical consistency (option consistent), or "
        "remove parameters "
        "without effect (option essential).");
  return rbv_report_add_reason(r, sure > 0 ? RBV_VERDICT_NO : RBV_VERDICT_CARE, "negative", &text);
}

/* ---- prior knowledge ---- */

/* links whose values in the URDF are physically impossible */
static rbv_status rule_urdf(report *r) {
  const double *own = rbv_model_parameters(r->m);
  if (!own || !rbv_model_document(r->m)) return RBV_OK;
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
    if (zero && r->result->standard.count > 0) continue;  // said of the assumed bodies
    rbv_text_print(&text, "%s%s (%s)", n++ ? ", " : "", rbv_model_joint(r->m, b)->name,
                   zero ? "mass and inertia are zero" : rbv_body_fault_text(fault));
  }
  rbv_consistency_free(c);
  if (n == 0) return RBV_OK;
  rbv_text whole = {0};
  rbv_text_print(&whole,
                 "The URDF has physically impossible values for the link%s moved by %s. They were "
                 "not used in the estimate%s; a simulator may reject this URDF or become "
                 "unstable.",
                 plural(n), text.data ? text.data : "", r->in->prior ? " except as its prior" : "");
  if (text.failed) whole.failed = true;
  rbv_text_free(&text);
  return rbv_report_add_reason(r, RBV_VERDICT_CARE, "urdf", &whole);
}

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

static rbv_status rule_prior_source(report *r, int i) {
  const rbv_result_standard *s = &r->result->standard;
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
  return rbv_report_add_reason(r, RBV_VERDICT_CARE, prior_source[i].kind, &whole);
}

/* value and sigma from the data without a prior; those of the result where they are not known */
static void data_alone(double *value, double *sigma, const report *r, int k) {
  *value = r->result->estimate.item[k].value;
  *sigma = r->result->estimate.item[k].sigma;
  for (int i = 0; i < r->information.count; i++)
    if (r->information.index[i] == k) {
      *value = r->information.value[i];
      // these are sigmas of white noise
      const double inflation = r->result->diagnostics.sigma_inflation;
      *sigma = r->information.sigma[i] * (inflation > 1 ? inflation : 1);
    }
}

static rbv_status rule_prior(report *r) {
  if (!r->in->prior) return RBV_OK;
  const rbv_parameters *e = &r->result->estimate;
  rbv_text text = {0};
  int n = 0, compared = 0;
  for (int k = 0; k < e->count; k++) {
    double value, sigma;
    data_alone(&value, &sigma, r, k);
    const double prior = r->prior[k], own = r->prior_sigma[k];
    // a zero without sigma means that the value is not known
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
                   "The prior contradicts the data in %d of %d parameters: %s. The estimate is a "
                   "compromise between both. Reduce the weight of the prior, or correct it.",
                   n, compared, text.data ? text.data : "");
  else
    rbv_text_print(&whole,
                   "The prior agrees with the data in all %d parameters that both determine.",
                   compared);
  if (text.failed) whole.failed = true;
  rbv_text_free(&text);
  return rbv_report_add_reason(r, n > 0 ? RBV_VERDICT_CARE : RBV_VERDICT_USABLE, "prior", &whole);
}

/* ---- the recordings ---- */

/* the sentences are in the section of the findings */
static rbv_status rule_findings(report *r) {
  const int errors = r->result->nfinding, advice = r->result->nadvice;
  const bool accepted = rbv_result_number(r->result, "unchecked", 0) != 0;
  if (errors > 0) {
    rbv_text text = {0};
    rbv_text_print(&text, "The checks found %d error%s in the recordings or in how they fit%s",
                   errors, plural(errors),
                   accepted ? ", which the user accepted (option unchecked)."
                            : ": correct them, then identify again.");
    RBV_TRY(
        rbv_report_add_reason(r, accepted ? RBV_VERDICT_CARE : RBV_VERDICT_NO, "findings", &text));
  }
  if (advice == 0) return RBV_OK;
  rbv_text text = {0};
  rbv_text_print(&text, "There is advice about the robot file or the recordings (%d).", advice);
  return rbv_report_add_reason(r, RBV_VERDICT_CARE, "advice", &text);
}

static rbv_status rule_recordings(report *r) {
  rbv_text text = {0};
  for (int i = 0; i < r->in->nremark; i++)
    rbv_text_print(&text, "%s%s", i ? " " : "", r->in->remark[i]);
  if (r->in->nremark > 0) RBV_TRY(rbv_report_add_reason(r, RBV_VERDICT_CARE, "recordings", &text));
  rbv_text gaps = {0};
  int n = 0;
  for (int i = 0; i < r->result->ninput; i++) {
    const rbv_input *in = &r->result->input[i];
    if (!in->differentiation || (in->gaps == 0 && !in->resampled)) continue;
    rbv_text_print(&gaps, "%s%s: %s%td gap%s bridged, %td samples left out", n++ ? "; " : "",
                   in->path, in->resampled ? "resampled because of irregular time stamps; " : "",
                   in->gaps, in->gaps == 1 ? "" : "s", in->invalid);
  }
  if (n == 0) return RBV_OK;
  rbv_text_put(&gaps, ".");
  return rbv_report_add_note(r, "gaps", &gaps);
}

rbv_status rbv_report_apply_rules(report *r) {
  RBV_TRY(rule_findings(r));
  RBV_TRY(rule_validation(r));
  RBV_TRY(rule_fit(r));
  RBV_TRY(rule_choice(r));
  RBV_TRY(rule_method(r));
  RBV_TRY(rule_loop_encoder(r));
  RBV_TRY(rule_identifiability(r));
  RBV_TRY(rule_drives(r));
  RBV_TRY(rule_prior(r));
  for (int i = 0; i < RBV_COUNT(prior_source); i++) RBV_TRY(rule_prior_source(r, i));
  RBV_TRY(rule_urdf(r));
  RBV_TRY(rbv_report_rule_condition(r, r->result->diagnostics.condition_number_scaled,
                                    r->result->diagnostics.condition_number,
                                    "Use a better trajectory (roberval excite)."));
  RBV_TRY(rule_colour(r));
  RBV_TRY(rule_motions(r));
  RBV_TRY(rule_mask(r));
  RBV_TRY(rule_bodies(r));
  return rule_recordings(r);
}
