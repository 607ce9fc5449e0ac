/* One judgement of recordings and fit. */
#include "check/judge.h"
#include <math.h>

#include <stdio.h>
#include <string.h>

/*
 * Rules in the order in which they explain others: the first one of the worst level is the first
 * reason. `most` is the highest level that a finding of this rule can have. Errors of the data that
 * the user accepts (the option unchecked) only ask for care.
 */
static const struct {
  const char *rule;
  rbv_verdict most;
  bool acceptable;
} order[] = {
    {"findings", RBV_VERDICT_NO, true},
    {"channel", RBV_VERDICT_NO, false},
    {"short", RBV_VERDICT_NO, true},
    {"missing", RBV_VERDICT_NO, true},
    {"time", RBV_VERDICT_NO, true},
    {"glitch", RBV_VERDICT_NO, true},
    {"degrees", RBV_VERDICT_NO, true},
    {"order", RBV_VERDICT_NO, true},
    {"sign", RBV_VERDICT_NO, true},
    {"gear", RBV_VERDICT_NO, true},
    {"gravity", RBV_VERDICT_NO, true},
    {"compensated", RBV_VERDICT_NO, true},
    {"torque-unit", RBV_VERDICT_NO, true},
    {"constant", RBV_VERDICT_NO, true},
    {"identifiability", RBV_VERDICT_NO, false},
    {"limits", RBV_VERDICT_NO, true},
    {"aliasing", RBV_VERDICT_NO, true},
    {"velocity", RBV_VERDICT_NO, true},
    {"foreign", RBV_VERDICT_NO, true},
    {"gap", RBV_VERDICT_NO, true},
    {"saturated", RBV_VERDICT_NO, true},
    {"contact", RBV_VERDICT_NO, true},
    {"unexplained", RBV_VERDICT_NO, true},
    {"worse", RBV_VERDICT_NO, false},
    {"weak", RBV_VERDICT_NO, false},
    {"convergence", RBV_VERDICT_NO, false},
    {"consistency", RBV_VERDICT_NO, false},
    {"energy", RBV_VERDICT_NO, true},
    {"validation", RBV_VERDICT_NO, false},
    {"positions", RBV_VERDICT_NO, false},
    {"law", RBV_VERDICT_CARE, false},
    {"fit", RBV_VERDICT_NO, false},
    {"delay", RBV_VERDICT_CARE, false},
    {"payload", RBV_VERDICT_CARE, false},
    {"rank", RBV_VERDICT_CARE, false},
    {"slow", RBV_VERDICT_CARE, false},
    // findings that cost precision, which the predicted error measures, are notes
    {"condition", RBV_VERDICT_USABLE, false},
    {"coupling", RBV_VERDICT_USABLE, false},
    {"jitter", RBV_VERDICT_USABLE, false},
    {"rest", RBV_VERDICT_USABLE, false},
    {"one-way", RBV_VERDICT_USABLE, false},
    {"shared-waveform", RBV_VERDICT_USABLE, false},
    {"repeated", RBV_VERDICT_USABLE, false},
    {"load-friction", RBV_VERDICT_USABLE, false},
    {"friction-drift", RBV_VERDICT_USABLE, false},
};

/* place of a rule; behind all others if it has none */
static int place_of(const char *rule) {
  for (int i = 0; i < RBV_COUNT(order); i++)
    if (strcmp(order[i].rule, rule) == 0) return i;
  return RBV_COUNT(order);
}

rbv_status rbv_judge_add(judging *g, rbv_reason reason, rbv_text *text) {
  if (!text->failed) {
    rbv_reason *grown = rbv_grow(g->out->reason, g->out->nreason, &g->capacity, sizeof *grown);
    if (grown) g->out->reason = grown;
    text->failed = !grown;
  }
  const int place = place_of(reason.rule);
  if (place < RBV_COUNT(order)) {
    const bool accepted = g->in->accepted && order[place].acceptable;
    if (accepted && reason.level == RBV_VERDICT_NO) {
      reason.level = RBV_VERDICT_CARE;
      rbv_text_put(text, " (accepted by the user)");
    }
  }
  if (text->failed || !text->data) {
    rbv_text_free(text);
    rbv_free((void *)(uintptr_t)reason.cure);
    return RBV_EMEM;
  }
  reason.text = text->data;
  g->out->reason[g->out->nreason++] = reason;
  if (reason.level > g->out->level) g->out->level = reason.level;
  return RBV_OK;
}

/* ---- findings of the checks ---- */

/* "delay 0.0287"; NULL: no option helps, or no memory */
static const char *cure_of(const rbv_finding *f) {
  char text[96];
  if (!f->option) return NULL;
  snprintf(text, sizeof text, "%s%s%s", f->option, f->option_value[0] ? " " : "", f->option_value);
  return rbv_strdup(text);
}

static rbv_status judge_finding(judging *g, const rbv_finding *f) {
  static const rbv_verdict level[] = {RBV_VERDICT_USABLE, RBV_VERDICT_CARE, RBV_VERDICT_NO};
  rbv_reason reason = reason_of(level[f->severity], rbv_finding_name(f->code), f->value);
  reason.passed = false;
  const int place = place_of(reason.rule);
  if (place < RBV_COUNT(order) && reason.level > order[place].most)
    reason.level = order[place].most;
  reason.sigma = f->sigma > 0 ? f->sigma : NAN;
  reason.joint = f->joint + 1;
  reason.cure = cure_of(f);
  rbv_text text = {0};
  rbv_text_put(&text, f->sentence);
  if (f->option && !reason.cure) text.failed = true;
  return rbv_judge_add(g, reason, &text);
}

/* what a stored result of a version without judgement says about its recordings */
static rbv_status judge_stored(judging *g) {
  const rbv_result *r = g->in->result;
  for (int i = 0; i < r->nfinding; i++) {
    rbv_text text = {0};
    rbv_text_put(&text, r->finding[i].sentence);
    RBV_TRY(rbv_judge_add(g, reason_of(RBV_VERDICT_NO, r->finding[i].code, NAN), &text));
  }
  return RBV_OK;
}

static rbv_status judge_advice(judging *g) {
  const rbv_result *r = g->in->result;
  for (int i = 0; i < r->nadvice; i++) {
    rbv_text text = {0};
    rbv_text_put(&text, r->advice[i].sentence);
    const bool doubt = strcmp(r->advice[i].code, "not questioned") != 0;
    RBV_TRY(rbv_judge_add(
        g, doubt ? reason_of(RBV_VERDICT_CARE, r->advice[i].code, NAN) : note_of(r->advice[i].code),
        &text));
  }
  return RBV_OK;
}

/* ---- the judgement ---- */

/* worst first, then by the order of the rules, then what passed before notes; stable otherwise */
static bool comes_before(const rbv_reason *a, const rbv_reason *b) {
  if (a->level != b->level) return a->level > b->level;
  if (a->level > RBV_VERDICT_USABLE) return place_of(a->rule) < place_of(b->rule);
  return a->passed && !b->passed;
}

static void sort(rbv_judgement *out) {
  for (int i = 1; i < out->nreason; i++)
    for (int k = i; k > 0 && comes_before(&out->reason[k], &out->reason[k - 1]); k--) {
      const rbv_reason swap = out->reason[k];
      out->reason[k] = out->reason[k - 1];
      out->reason[k - 1] = swap;
    }
}

static rbv_status judge_all(judging *g) {
  for (int i = 0; i < g->in->nfinding; i++) RBV_TRY(judge_finding(g, g->in->finding[i]));
  if (!g->in->result) return RBV_OK;
  if (g->in->nfinding == 0) RBV_TRY(judge_stored(g));
  RBV_TRY(judge_advice(g));
  return rbv_judge_fit(g);
}

rbv_status rbv_judge(rbv_judgement *out, const rbv_evidence *in) {
  *out = (rbv_judgement){0};
  judging g = {.in = in, .out = out};
  const rbv_status status = judge_all(&g);
  if (status == RBV_OK)
    sort(out);
  else
    rbv_judgement_free(out);
  return status;
}

void rbv_judgement_free(rbv_judgement *j) {
  for (int i = 0; i < j->nreason; i++) {
    rbv_free((void *)(uintptr_t)j->reason[i].text);
    rbv_free((void *)(uintptr_t)j->reason[i].cure);
  }
  rbv_free(j->reason);
  *j = (rbv_judgement){0};
}
