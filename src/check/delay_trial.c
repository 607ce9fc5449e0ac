#include "check/delay_trial.h"

#include <math.h>
#include <roberval/sys/identify.h>
#include <roberval/sys/prepare.h>
#include "equations/equations.h"

// shares of the recording; of 8 s of moves, ends whose lengths differ by 5 % can behave differently
static const double held_out[] = {0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5};
RBV_THRESHOLDS(CHECK_DELAY_TRIAL);

/* the rows that an identification chooses */
static rbv_status choose_rows(rbv_row_filter *out, const rbv_model *m, rbv_motion *motion,
                              const int *unknowns, double share) {
  RBV_TRY(rbv_row_filter_suggest(out, m, &motion, 1, 1));
  RBV_TRY(rbv_find_still_joints(&out->still, &motion, 1));
  return rbv_row_filter_limit(out, m, &motion, 1, unknowns, share);
}

static rbv_status predict_ends(double error[SHARES], const rbv_model *m, rbv_motion *motion,
                               const int *unknowns) {
  for (int i = 0; i < SHARES; i++) {
    rbv_identify_options how = rbv_identify_defaults();
    rbv_estimate *e = NULL;
    how.holdout = held_out[i];
    RBV_TRY(choose_rows(&how.filter, m, motion, unknowns, 1 - how.holdout));
    RBV_TRY(rbv_identify(&e, m, &motion, 1, &how));
    error[i] = e->validation.relative_error;
    rbv_estimate_free(e);
  }
  return RBV_OK;
}

static rbv_status predict_with(double error[SHARES], const rbv_model *m, const view *v,
                               rbv_log *log, const int *unknowns, double delay) {
  rbv_differentiate_options o = rbv_differentiate_defaults();
  o.torque_delay_s = delay;
  o.loaded = v->loaded;
  rbv_motion *motion = NULL;
  rbv_status status = rbv_motion_from_log(&motion, m, log, &o);
  if (status == RBV_OK) status = predict_ends(error, m, motion, unknowns);
  rbv_motion_free(motion);
  return status;
}

/* false for errors of zero, too */
static bool is_harmless(const double before[SHARES], const double after[SHARES]) {
  double sum = 0, worst = 0;
  for (int i = 0; i < SHARES; i++) {
    sum += log(after[i] / before[i]);
    worst = fmax(worst, after[i] / before[i]);
  }
  return sum <= 0 && worst <= MOST_WORSE;
}

rbv_status rbv_try_delay(bool *harmless, const rbv_model *m, const view *v, double delay_s) {
  double before[SHARES], after[SHARES];
  rbv_base *base = NULL;
  rbv_log *log = NULL;  // a copy, whose joints are put in order
  int *unknowns = rbv_alloc((size_t)v->nrow * sizeof *unknowns);
  rbv_status status = unknowns ? rbv_base_new(&base, m, NULL) : RBV_EMEM;
  if (status == RBV_OK) rbv_base_row_counts(unknowns, base, m);
  if (status == RBV_OK) status = rbv_log_every(&log, v->log, 1);
  if (status == RBV_OK) status = predict_with(before, m, v, log, unknowns, 0);
  if (status == RBV_OK) status = predict_with(after, m, v, log, unknowns, delay_s);
  rbv_log_free(log);
  rbv_base_free(base);
  rbv_free(unknowns);
  *harmless = status == RBV_OK && is_harmless(before, after);
  return status == RBV_EMEM ? status : RBV_OK;
}
