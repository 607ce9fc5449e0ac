/* What the delay detector says about a log, and what its advice does to held-out data. */
#ifndef TEST_CHECK_DELAY_STUDY_H
#define TEST_CHECK_DELAY_STUDY_H

#include "support.h"

#include <math.h>
#include <roberval/sys/baseparam.h>
#include <roberval/sys/identify.h>
#include <roberval/sys/prepare.h>
#include <stdlib.h>
#include "equations/equations.h"

#include "check/delay_fit.h"

/* relative error on a share at the end of a log, identified from the rest with the rows that an
 * identification chooses */
static inline double held_out(const rbv_model *m, rbv_log *log, double delay, double share) {
  rbv_differentiate_options o = rbv_differentiate_defaults();
  o.torque_delay_s = delay;
  rbv_motion *motion = NULL;
  rbv_estimate *e = NULL;
  rbv_identify_options how = rbv_identify_defaults();
  assert_ok(rbv_motion_from_log(&motion, m, log, &o));
  assert_ok(rbv_row_filter_suggest(&how.filter, m, &motion, 1, 1));
  how.holdout = share;
  rbv_base *base = NULL;
  int unknowns[64];
  assert_ok(rbv_base_new(&base, m, NULL));
  rbv_base_row_counts(unknowns, base, m);
  rbv_base_free(base);
  assert_ok(rbv_row_filter_limit(&how.filter, m, &motion, 1, unknowns, 1 - how.holdout));
  assert_ok(rbv_identify(&e, m, &motion, 1, &how));
  const double error = e->validation.relative_error;
  rbv_estimate_free(e);
  rbv_motion_free(motion);
  return error;
}

typedef struct {
  delay_fit fit;
  bool advised, noted;  // a warning with a value; a note
  double worse;         // held-out error with the advice over that without; 0: no advice
} verdict;

/* the larger factor of two ends; the detector itself tries ends of other lengths */
static inline double factor_of_advice(const rbv_model *m, rbv_log *log, double delay) {
  static const double share[] = {0.275, 0.375};
  double worst = 0;
  for (int i = 0; i < 2; i++)
    worst = fmax(worst, held_out(m, log, delay, share[i]) / held_out(m, log, 0, share[i]));
  return worst;
}

static inline verdict examine(const rbv_model *m, rbv_log *log) {
  verdict out = {.advised = false};
  view v;
  examination x = {.model = m, .options = rbv_check_defaults(), .nlog = 1, .view = &v};
  assert_ok(rbv_view_build(&v, &x, log, 0));
  assert_true(v.usable);
  assert_ok(rbv_fit_delay(&out.fit, m, &v));
  assert_ok(rbv_detect_delay(&x, &v));
  for (int i = 0; i < x.nfinding; i++) {
    const rbv_finding *f = &x.finding[i];
    if (f->code != RBV_FINDING_DELAY) continue;
    out.advised = f->option_value[0] != 0;
    out.noted = !out.advised;
    if (out.advised) out.worse = factor_of_advice(m, log, strtod(f->option_value, NULL));
  }
  rbv_findings_free(x.finding, x.nfinding);
  rbv_view_free(&v);
  return out;
}

#endif
