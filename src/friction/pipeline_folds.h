/* Parts of recordings that are left out, and the rule that chooses; not installed. */
#ifndef FRICTION_PIPELINE_FOLDS_H
#define FRICTION_PIPELINE_FOLDS_H

#include "base/support.h"
#include "equations/equations.h"
#include "friction/friction.h"
#include "friction/friction_thresholds.h"
#include "model/model_internal.h"

typedef struct {
  rbv_motion **fit, **left;
  int nfit, nleft;
} pipeline_fold;

typedef struct {
  int count, nmotion;
  pipeline_fold *part;
  rbv_motion **memory;
} pipeline_folds;

/* rbv_pipeline_folds_free also after a failure. The motions are borrowed. */
RBV_MUST_CHECK rbv_status rbv_pipeline_folds_new(pipeline_folds *out, rbv_motion *const *motions,
                                                 int nmotion, double holdout);
void rbv_pipeline_folds_free(pipeline_folds *f);

/* The list "Fl1,Fd1=0.5,Fp1=0.005,..." of the joints that move; empty: none does. */
RBV_MUST_CHECK rbv_status rbv_pipeline_three_terms(rbv_text *list, const rbv_model *model,
                                                   rbv_motion *const *motions, int nmotion,
                                                   int threads);

/*
 * Scores and choice from the errors.
 *
 *   welcome  in  candidate that is taken where it costs nothing; -1: none
 *   scratch      one number per fold
 */
void rbv_pipeline_decide(rbv_cross_validation *cv, int welcome, double *scratch);

#endif
