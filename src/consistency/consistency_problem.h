/*
 * The problem in coordinates that suit it. With x = K chi of the base parameters that take part and
 * C = F F' their covariance, the unknowns are
 *
 *     u = (w, r):   w = inv(F) (K chi - x),   r = the columns that do not stand for a base
 * parameter
 *
 * so that chi = origin + T u, the misfit is w'w, and base values come out as x + F w: however
 * different the sizes of sigma are, nothing is squared and nothing cancels.
 */
#ifndef CONSISTENCY_CONSISTENCY_PROBLEM_H
#define CONSISTENCY_CONSISTENCY_PROBLEM_H

#include <roberval/sys/linalg.h>

#include "consistency/cone.h"

typedef struct {
  const rbv_model *model;
  const rbv_consistency_input *input;
  rbv_consistency_options options;
  cone_set cones;
  char *cone_memory;
  int n;           // unknowns: columns of the model
  int nbase;       // base parameters that take part
  int *used;       // nbase: which of the input
  int *kept;       // nbase: the column that stands for it
  int *rest;       // n - nbase: the other columns
  double *sigma;   // nbase
  double *F;       // nbase square, lower triangle: C = F F'
  double *origin;  // n
  double *T;       // n x n
  double *prior;   // n
  double *scale;   // n: of a column that nothing else holds; 0: held by a cone or by the estimate
  double *mass;    // n: gradient of the total mass in u; not used when that is not known
  rbv_prior_kind *prior_kind;  // bodies

  double *rows;  // of T, those of every cone: count x n, one cone after the other
  double *lean;  // n: gradient of tr(inv(X0) X) in u, all cones together
  int nrow;      // of V: packed matrices of all cones, columns that have a scale, w

  // where Newton stands
  double *u, *chi, *trial, *trial_chi;  // n
  double *best;                         // n: u that came nearest
  double *gradient, *step, *along;      // n
  double *V;                            // nrow x n, scaled: the Hessian is V'V
  rbv_qr *qr;                           // of V
  double *R;                            // n x n: what is left of V, lower triangle of R R' = V'V
  double *X, *L, *Linv, *S;             // of the largest cone
  double *K;                            // packed maps of one cone
  double *pulled;                       // nrow: what V' is applied to
} problem;

/* Weights of the terms: the divergence (all but bounds), and -log det of bounds and of the others.
 */
typedef struct {
  double divergence, bound, barrier;
} weights;

/* Everything but the point where Newton starts. */
RBV_MUST_CHECK rbv_status rbv_problem_new(problem **out, const rbv_model *m,
                                          const rbv_consistency_input *input, const double *prior,
                                          const rbv_consistency_options *options);
void rbv_problem_free(problem *p);

/* Fill p->prior, prior_kind, scale and the matrices of the cones. given may be NULL. */
RBV_MUST_CHECK rbv_status rbv_problem_prior(problem *p, const double *given);

/* chi inside all cones, with the total mass that is known. */
void rbv_problem_start(double *chi, const problem *p);

/* chi = origin + T u; u of chi. */
void rbv_problem_chi(double *chi, const problem *p, const double *u);
void rbv_problem_u(double *u, const problem *p, const double *chi);

/* Of -log det of a cone: a divergence has one of its own. */
double rbv_log_weight(const weights *w, const cone *c);

/* Objective at u; p->trial_chi becomes its chi. Infinite outside the cones. */
double rbv_problem_value(problem *p, const weights *w, const double *u);

/* chi-square and divergence at u; p->chi becomes its chi. */
void rbv_problem_terms(double *chi2, double *divergence, problem *p, const double *u);

/* Gradient of all terms but -log det at u, and their rows of V; p->chi becomes the chi of u. */
void rbv_problem_smooth(problem *p, double divergence, const double *u);

/* The rows of V of one cone: its matrix by u, packed, as S sees it (S X S'). */
void rbv_problem_scale(problem *p, const cone *c, const double *S);

/* out = V x; out += V' y. */
void rbv_problem_push(double *out, const problem *p, const double *x);
void rbv_problem_pull(double *out, const problem *p, const double *y);

/* Gradient of the objective at u, which must be inside, and V; p->chi becomes its chi. */
RBV_MUST_CHECK rbv_status rbv_problem_derivatives(problem *p, const weights *w, const double *u);

/* R of V. *definite is false when it has a zero on its diagonal. */
RBV_MUST_CHECK rbv_status rbv_problem_factor(bool *definite, problem *p);

/* p->step: from a right-hand side to inv(V'V) of it, kept on the plane of the known mass. */
RBV_MUST_CHECK rbv_status rbv_problem_solve(problem *p);

#endif
