/* The page of a design job: how the motion was found, and what it is worth. */
#include "report/report_internal.h"

#define FACTS 12

static int facts_of(rbv_setting *fact, const rbv_design *d) {
  int n = 0;
  if (d->trajectory) {
    fact[n++] = (rbv_setting){.key = "class", .text = d->options.kind};
    fact[n++] = (rbv_setting){.key = "search", .text = d->options.search};
    fact[n++] = (rbv_setting){.key = "criterion", .text = d->options.criterion};
    fact[n++] = (rbv_setting){.key = "its first value", .number = d->info.first};
    fact[n++] = (rbv_setting){.key = "its value", .number = d->info.best};
    fact[n++] = (rbv_setting){.key = "candidates", .number = (double)d->info.evaluations};
  }
  fact[n++] = (rbv_setting){.key = "samples", .number = (double)d->score.samples};
  fact[n++] = (rbv_setting){.key = "condition", .number = d->score.condition};
  fact[n++] = (rbv_setting){.key = "condition, scaled", .number = d->score.condition_scaled};
  fact[n++] = (rbv_setting){.key = "coupling", .number = d->score.coupling};
  fact[n++] = (rbv_setting){.key = "-log det", .number = d->score.dopt};
  return n;
}

rbv_status rbv_report_design(rbv_report **out, const rbv_design *d) {
  if (!out || !d) return rbv_fail(RBV_EARG, "a report needs a motion and its design");
  *out = NULL;
  rbv_setting fact[FACTS];
  const rbv_design_page page = {.model = d->model,
                                .nmotion = d->count,
                                .motion = d->motion,
                                .limits = d->constraints->limits,
                                .chi = d->prior,
                                .base = d->base,
                                .sigma = d->sigma,
                                .score = &d->score,
                                .coupling = d->coupling,
                                .noise_known = d->noise != NULL,
                                .ncheck = RBV_DESIGN_CHECKS,
                                .check = d->check,
                                .used = d->used,
                                .constraints = &d->constraints->value,
                                .nfact = facts_of(fact, d),
                                .fact = fact};
  return rbv_report_design_page(out, &page);
}
