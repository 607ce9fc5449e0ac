/*
 * friction: choose friction terms beside Fv and Fc from the recordings themselves, joint by joint.
 * Candidates are laws of the table in roberval/sys/law.h with given shape parameters. A term is
 * kept only if it predicts blocks of time better that were not used to estimate it
 * (cross-validation).
 */
#ifndef ROBERVAL_SYS_FRICTION_H
#define ROBERVAL_SYS_FRICTION_H

#include <roberval/sys/base.h>
#include <roberval/sys/equations.h>
#include <roberval/sys/law.h>
#include <roberval/sys/model.h>
#include <roberval/sys/motion.h>

RBV_BEGIN_C

#define RBV_FRICTION_FOLDS 6     /* of the cross-validation */
#define RBV_FRICTION_BLOCK_S 2.0 /* length of a block; blocks are dealt to the folds in turn */

/* A chosen term. */
typedef struct {
  const rbv_law *law;
  int joint;               /* from 0 */
  double shape;            /* value of the law's own shape parameter; NaN: it has none */
  double shape_sigma;      /* its standard error, NaN: not known */
  bool at_bound;           /* the smallest value that was tried: it is not identified */
  double gain, gain_sigma; /* fall of the held-out error of this joint's torque due to the term, as
                              a fraction of it, and its standard error over the folds */
} rbv_friction_term;

/* Read-only for the user. */
typedef struct {
  int nterm;
  rbv_friction_term *term; /* in the order of the joints */
  char *list;              /* the terms for friction of rbv_model_options; "" if there are none */
  double gain, gain_sigma; /* of all terms together on the weighted held-out error of all torques */
  double plain, chosen;    /* held-out error |Y - W chi| / |Y| without and with the terms */
  int njoint;
  bool *eligible;     /* per joint: it moves enough for a choice */
  int blocks;         /* blocks of time */
  const char *reason; /* why there is no choice, NULL: there is one (it may be empty) */
  void *memory;
} rbv_friction_choice;

/*
 * Choose terms.
 *
 *   motions  in  nmotion motions of the same robot
 *   filter   in  of the rows; folds is not used
 *   holdout  in  share of each motion, at its end, that is not used [0, 1)
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_friction_choose(rbv_friction_choice **out,
                                                      const rbv_model *model,
                                                      rbv_motion *const *motions, int nmotion,
                                                      const rbv_row_filter *filter, double holdout);

/*
 * Test one law against Fv and Fc: one comparison by cross-validation instead of the search. The
 * terms are those of the joints that show the law.
 *
 *   law  in  without shape parameter: "Fl"
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_friction_test(rbv_friction_choice **out,
                                                    const rbv_model *model,
                                                    rbv_motion *const *motions, int nmotion,
                                                    const rbv_row_filter *filter, const char *law);
RBV_API void rbv_friction_choice_free(rbv_friction_choice *choice);

RBV_END_C
#endif
