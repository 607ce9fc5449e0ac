/* Data of one choice of friction terms, shared by the files of this module. */
#ifndef FRICTION_FRICTION_INTERNAL_H
#define FRICTION_FRICTION_INTERNAL_H

#include <roberval/sys/friction.h>

#include "equations/extra_columns.h"
#include "equations/state_track.h"
#include "friction/friction_thresholds.h"
#include "model/model_internal.h"

RBV_THRESHOLDS(FRICTION_SHARED);

/* ---- friction_candidates.c ---- */

/* What the motions of a joint allow. */
typedef struct {
  double top;     // typical top speed
  double travel;  // largest minus smallest position
  int reversals;
  bool eligible;
} joint_facts;

/* Read the motions without the share that is held out, and decide which joints are eligible. */
RBV_MUST_CHECK rbv_status rbv_friction_facts(joint_facts *facts, const rbv_model *model,
                                             rbv_motion *const *motions, int nmotion,
                                             double holdout, int threads);

/* A term that was chosen so far. */
typedef struct {
  int row;  // of the table of laws
  int joint;
  double own;   // value of the own shape parameter, NaN: it has none
  double step;  // ratio of neighbouring values that were tried; 1: it is not refined
} chosen_term;

/*
 * A law with given shape parameters. Candidates of the same kind at all joints are a family.
 * Candidates with values near that of a chosen term belong to it.
 */
typedef struct {
  int kind;        // -1: values near that of a chosen term
  int of;          // index of this term, -1: none
  bool is_term;    // the term itself
  bool is_plain;   // Coulomb friction of the plain model, where no law that replaces it is chosen
  chosen_term as;  // if it is chosen
  const rbv_law *law;
  const rbv_law *after;  // only beside this law, NULL: always
  int joint;
  int row;  // torque row of the model
  double shape[LAW_SHAPES];
  double low, high;  // bounds of its own shape parameter when that is refined
  bool lowest;       // the smallest value of its shape parameter that is tried
  bool nonnegative;  // a negative coefficient has no physical meaning
  // of the motion that is being read
  int state;     // index of its state, -1: none
  double *kept;  // its values at all samples, NULL: they are not kept
  bool known;    // they were computed in an earlier pass
} candidate;

typedef struct {
  int count, nkind, nstate;
  candidate *item;
  const rbv_model *model;
  int *row;        // count
  state_law *law;  // nstate, at most one per candidate
  extra_columns columns;
  const state_track *track;  // of the motion that is being read
} candidates;

/*
 * Candidates: the chosen terms, values near theirs, and if `adds` those of the table at the joints
 * that may get a term.
 *
 *   replaceable  in  njoint: the Coulomb friction of the plain model is a candidate, too, and other
 *                    laws may replace it
 *   only         in  other laws are left out, NULL: none is
 */
RBV_MUST_CHECK rbv_status rbv_friction_candidates(candidates *out, const rbv_model *model,
                                                  const joint_facts *facts,
                                                  const chosen_term *chosen, int nchosen, bool adds,
                                                  const bool *replaceable, const rbv_law *only);
void rbv_friction_candidates_free(candidates *all);

/* ---- friction_columns.c ---- */

/* Values of candidates along one motion, for all passes. */
typedef struct kept_column kept_column;
typedef struct {
  int count;
  kept_column *column;
} kept_values;

void rbv_kept_values_free(kept_values *values, int nmotion);

/*
 * Before a motion is read: which values are known, which ones are kept, and the states that are
 * needed for the others.
 *
 *   used  in, out  memory of kept values of all motions [bytes]
 */
RBV_MUST_CHECK rbv_status rbv_friction_columns_begin(candidates *all, kept_values *values,
                                                     size_t *used, const rbv_motion *motion);

/* The columns of all candidates. `all` must not move. */
extra_columns rbv_friction_columns(candidates *all);

/* ---- friction_blocks.c ---- */

/* The folds of one motion. */
typedef struct {
  int npiece;           // pieces of equal length
  unsigned char *fold;  // of each piece; RBV_FRICTION_FOLDS: it is held out
  int blocks;
} motion_deal;

/*
 *   out      out  nmotion, zero at first; free with rbv_friction_deal_free also on failure
 *   block_s  out  moving time of a block
 */
RBV_MUST_CHECK rbv_status rbv_friction_deal(motion_deal *out, double *block_s,
                                            const joint_facts *facts, rbv_motion *const *motions,
                                            int nmotion, double holdout);
void rbv_friction_deal_free(motion_deal *deal, int nmotion);

/* ---- friction_folds.c ---- */

/*
 * The equations, reduced to the candidates. For the fold f that is left out, the other parameters
 * are eliminated: |T_f c - t_f|^2 is minimised over the coefficients c of the chosen candidates,
 * and the squared error of torque row r in fold f is |D_rf c - d_rf|^2. Both are kept as products
 * [T t]'[T t] and [D d]'[D d], (count + 1) square. T has few columns at a time and no dependent
 * ones (rbv_folds_independence), so that these products are accurate enough for comparisons.
 */
typedef struct {
  int count;        // candidates
  int nrow;         // torque rows
  double *fit;      // FOLDS x (count + 1)^2
  double *error;    // FOLDS x nrow x (count + 1)^2
  double *whole;    // (count + 1)^2: as fit, of all folds, friction of the model eliminated
  double *length;   // count: squared length of the columns before elimination, of all folds
  double *sigma;    // nrow: weights
  double *torque;   // nrow: sum of squared torques
  double *rows;     // FOLDS x nrow: number of equations
  double *scratch;  // working memory of rbv_folds_evaluate
  void *memory;
} folds;

RBV_MUST_CHECK rbv_status rbv_folds_new(folds *out, const rbv_equations *system, int nmodel,
                                        const bool *used, const bool *friction, const double *sigma,
                                        int count, int nrow);
void rbv_folds_free(folds *f);

/* Candidates that are chosen, and how they predict what was left out. */
typedef struct {
  int count;
  int item[CHOSEN_MOST];
  double *coefficient;  // FOLDS x CHOSEN_MOST
  double *rss;          // FOLDS x nrow
} subset;

/* False if the columns are dependent. */
bool rbv_folds_evaluate(subset *s, const folds *f);

/* 1 - R^2 of candidate s->item[at] against the friction of the model and of the subset. */
double rbv_folds_independence(const subset *s, const folds *f, int at);

/* ---- friction_shapes.c ---- */

/*
 * The step from the value of each shape parameter to the best one, and its standard error; NaN:
 * there is none. Both have one element per term of the subset.
 */
RBV_MUST_CHECK rbv_status rbv_friction_shapes(double *step, double *sigma, const subset *set,
                                              const folds *f, const candidates *all);

#endif
