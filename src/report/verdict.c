/*
 * The verdict of a page: the judgement that the library made of the result, and what only a page
 * knows: missing inputs, a prior beside the data, gaps of the recordings.
 */
#include <math.h>
#include <roberval/sys/identify.h>
#include <stdio.h>
#include <string.h>
#include "check/judge.h"
#include "consistency/consistency.h"

#include "report/report_internal.h"
#include "result/result.h"

#define CONDITION_CARE 100.0
#define CONDITION_NO 1e4
#define PRIOR_CARE 4.0       // difference between prior and data [sigma]
#define PRIOR_TOLERANCE 0.3  // of a prior without sigma, relative to the smaller value

/* The rule is kept behind the text: that of a result that was read ends with the result. */
rbv_status rbv_report_add_reason(report *r, rbv_verdict level, const char *rule, rbv_text *text) {
  const size_t length = text->size;
  rbv_text_add(text, "", 1);
  rbv_text_put(text, rule);
  if (!text->failed) {
    rbv_reason *grown = rbv_grow(r->reason, r->nreason, &r->mreason, sizeof *grown);
    if (grown) r->reason = grown;
    text->failed = !grown;
  }
  if (text->failed) {
    rbv_text_free(text);
    return RBV_EMEM;
  }
  r->reason[r->nreason++] = (rbv_reason){level, text->data + length + 1, text->data,
                                         .passed = level == RBV_VERDICT_USABLE};
  return RBV_OK;
}

rbv_status rbv_report_add_note(report *r, const char *rule, rbv_text *text) {
  RBV_TRY(rbv_report_add_reason(r, RBV_VERDICT_USABLE, rule, text));
  r->reason[r->nreason - 1].passed = false;
  return RBV_OK;
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

/* links whose values in the URDF are physically impossible */
static rbv_status rule_urdf(report *r) {
  const double *own = rbv_model_parameters(r->m);
  if (!own || !rbv_model_document(r->m)) return RBV_OK;
  rbv_consistency *c;
  RBV_TRY(rbv_consistency_new(&c, r->m, own));
  rbv_text text = {0};
  int n = 0;
  for (int b = 0; b < r->m->nbody; b++) {
    if (!has_parameters(r->m, b)) continue;
    const rbv_body_fault fault = c->body[inertial_place(r->m, b)].fault;
    if (fault == RBV_BODY_CONSISTENT) continue;
    const double *phi = own + r->m->link_column[b];
    bool zero = true;
    for (int i = 0; i < RBV_INERTIAL; i++) zero = zero && phi[i] == 0;
    if (zero && r->result->standard.count > 0) continue;  // said of the assumed bodies
    rbv_text_print(&text, "%s%s (%s)", n++ ? ", " : "", rbv_model_body_joint(r->m, b),
                   zero ? "mass and inertia are zero" : rbv_body_fault_text(fault));
  }
  rbv_consistency_free(c);
  if (n == 0) return RBV_OK;
  rbv_text whole = {0};
  rbv_text_print(&whole,
                 "The URDF has physically impossible values for the link%s moved by %s. They were "
                 "not used in the estimate%s; a simulator may reject this URDF or become "
                 "unstable.",
                 n == 1 ? "" : "s", text.data ? text.data : "",
                 r->in->prior ? " except as its prior" : "");
  if (text.failed) whole.failed = true;
  rbv_text_free(&text);
  return rbv_report_add_note(r, "urdf", &whole);
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
  return n > 0 ? rbv_report_add_note(r, "prior", &whole)
               : rbv_report_add_reason(r, RBV_VERDICT_USABLE, "prior", &whole);
}

/* ---- the recordings ---- */

static rbv_status rule_recordings(report *r) {
  rbv_text text = {0};
  for (int i = 0; i < r->in->nremark; i++)
    rbv_text_print(&text, "%s%s", i ? " " : "", r->in->remark[i]);
  if (r->in->nremark > 0) RBV_TRY(rbv_report_add_note(r, "recordings", &text));
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

/* ---- the judgement ---- */

static rbv_status take_judgement(report *r, const rbv_judgement *judgement) {
  for (int i = 0; i < judgement->nreason; i++) {
    const rbv_reason *from = &judgement->reason[i];
    rbv_text text = {0};
    rbv_text_put(&text, from->text);
    RBV_TRY(rbv_report_add_reason(r, from->level, from->rule, &text));
    rbv_reason *to = &r->reason[r->nreason - 1];
    const rbv_reason own = *to;
    *to = *from;
    to->rule = own.rule;
    to->text = own.text;
    to->cure = NULL;
  }
  return RBV_OK;
}

/* results of older versions have none */
static rbv_status judge_again(report *r) {
  rbv_judgement own;
  RBV_TRY(rbv_judge(
      &own, &(rbv_evidence){.model = r->m,
                            .result = r->result,
                            .accepted = rbv_result_number(r->result, "unchecked", 0) != 0}));
  const rbv_status status = take_judgement(r, &own);
  rbv_judgement_free(&own);
  return status;
}

rbv_status rbv_report_apply_rules(report *r) {
  if (r->result->verdict.nreason > 0)
    RBV_TRY(take_judgement(r, &r->result->verdict));
  else
    RBV_TRY(judge_again(r));
  RBV_TRY(rule_prior(r));
  RBV_TRY(rule_urdf(r));
  return rule_recordings(r);
}
