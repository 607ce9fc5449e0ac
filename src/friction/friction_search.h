/* State and steps of a choice of friction terms. */
#ifndef FRICTION_FRICTION_SEARCH_H
#define FRICTION_FRICTION_SEARCH_H

#include "friction/friction_internal.h"

RBV_THRESHOLDS(FRICTION_CHOOSE);

#define FOLDS RBV_FRICTION_FOLDS

typedef struct {
  const rbv_model *m;
  bool *replaceable;  // njoint: other laws may now replace the Coulomb friction of the plain model
  int nchosen;
  chosen_term chosen[CHOSEN_MOST];  // after the last pass
  candidates all;
  kept_values *kept;  // one per motion
  size_t kept_bytes;
  folds folds;
  subset now, trial, best;
  unsigned family;  // bit of a row of the table of candidates: it was chosen for the whole robot
  double step[CHOSEN_MOST], sigma[CHOSEN_MOST];  // of the shape parameters at the end
} search;

void rbv_search_copy(subset *to, const subset *from, const search *s);

/* Term i of a subset. */
const candidate *rbv_search_term(const search *s, const subset *set, int i);

/* Number of terms that the plain model does not have. */
int rbv_search_term_count(const search *s);

/* Squared error over all folds: of one joint's torques or of all joints (-1), weighted or not. */
double rbv_search_pooled(const search *s, const subset *set, int joint, bool weighted);

/* Log ratio of the squared errors over the folds: mean, standard error, folds that are not better.
 * NaN if the joint does not move in one of them. */
void rbv_search_log_ratio(double *mean, double *sigma, int *worse, const search *s,
                          const subset *with, const subset *without, int joint);

/* Does `with` predict better than `without`? joint: the joint whose terms differ, -1: several. */
bool rbv_search_predicts_better(const search *s, const subset *with, const subset *without,
                                int joint, double errors, double least_fall, int worse_most);

/* Remove term i. The Coulomb friction of the plain model takes the place of a law that replaces it.
 */
void rbv_search_remove_item(const search *s, subset *set, int i);

/* Add all candidates of a kind that are in every fold and independent of the other columns. */
bool rbv_search_add_family(search *s, subset *set, int kind);

/* The plain model; the terms of the last pass. */
void rbv_search_clear(search *s, subset *set);
void rbv_search_restore(search *s);

/* Keep the terms for the next pass; true if one is new or gone, or its value is still refined. */
bool rbv_search_store(search *s);

/* Does a pass add terms? The last passes only refine. */
bool rbv_search_adds_terms(int pass);

/* One pass over the candidates. */
void rbv_search_pass(search *s, int pass);

#endif
