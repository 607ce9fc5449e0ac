/* The judgement of recordings and fit: one function, whose answer every output shows. */
#ifndef CHECK_JUDGE_H
#define CHECK_JUDGE_H

#include <math.h>
#include <roberval/sys/check.h>

#include "base/support.h"

/* Everything is borrowed for the call. */
typedef struct {
  const rbv_model *model;
  int nfinding;
  const rbv_finding *const *finding; /* of the recordings and of the fit */
  const rbv_result *result;          /* NULL: nothing was fitted */
  bool accepted;                     /* the user accepts errors of the recordings */
} rbv_evidence;

/*
 * Judge the evidence. The worst reason is the verdict; reasons are sorted by their level, then by
 * how well they explain the others.
 *
 *   out  out  rbv_judgement_free it
 */
RBV_MUST_CHECK rbv_status rbv_judge(rbv_judgement *out, const rbv_evidence *in);
void rbv_judgement_free(rbv_judgement *judgement);

/* ---- shared by the rules ---- */

typedef struct {
  const rbv_evidence *in;
  rbv_judgement *out;
  int capacity;
} judging;

/* Add a reason, with its text, which is taken over; a usable one has passed unless it is a note. */
rbv_status rbv_judge_add(judging *g, rbv_reason reason, rbv_text *text);

static inline rbv_reason reason_of(rbv_verdict level, const char *rule, double value) {
  return (rbv_reason){.level = level,
                      .rule = rule,
                      .passed = level == RBV_VERDICT_USABLE,
                      .value = value,
                      .sigma = NAN};
}

static inline rbv_reason note_of(const char *rule) {
  return (rbv_reason){.rule = rule, .value = NAN, .sigma = NAN};
}

/* What the fit says. */
rbv_status rbv_judge_fit(judging *g);

#endif
