/* What other modules of the library use of friction, beside its public header. */
#ifndef FRICTION_FRICTION_H
#define FRICTION_FRICTION_H

#include <roberval/sys/friction.h>
#include <roberval/sys/identify.h>

/* The candidates, in the order of rbv_cross_validation. */
typedef enum {
  RBV_PIPELINE_PLAIN,         /* least squares with the friction of the robot file */
  RBV_PIPELINE_CHOSEN,        /* and terms that rbv_friction_choose finds */
  RBV_PIPELINE_THREE,         /* and Fl, Fd, Fp at all joints that move, with consistent bodies */
  RBV_PIPELINE_CHOSEN_BODIES, /* terms as in CHOSEN, with consistent bodies */
  RBV_PIPELINE_COUNT
} rbv_pipeline;

/*
 * Compare the candidates on parts of the motions that are left out, and choose one. The terms of
 * each candidate are chosen again without the part. A candidate that cannot be computed has the
 * largest error.
 *
 *   out        out  rbv_pipelines_free it, also after a failure
 *   any_terms  out  terms were chosen without some part; otherwise CHOSEN_BODIES is plain friction
 *                   with consistent bodies
 *   how        in   of the estimates: filter, holdout and seed are used
 */
RBV_MUST_CHECK rbv_status rbv_pipelines_compare(rbv_cross_validation *out, bool *any_terms,
                                                const rbv_model *model, rbv_motion *const *motions,
                                                int nmotion, const rbv_identify_options *how);
void rbv_pipelines_free(rbv_cross_validation *cv);

/*
 * The total friction of each joint at 10, 50 and 100 % of its typical top speed.
 *
 *   out  out  njoint; units are constant texts
 */
RBV_MUST_CHECK rbv_status rbv_friction_speeds(rbv_result_friction_speeds *out,
                                              const rbv_model *model, const rbv_estimate *estimate,
                                              rbv_motion *const *motions, int nmotion, int threads);

#endif
