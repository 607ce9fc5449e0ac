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
#ifndef PHYSICAL_PROBLEM_H
#define PHYSICAL_PROBLEM_H

#include "physical/cone.h"

typedef struct {
  const rbv_model *model;
  const rbv_physical_input *input;
  rbv_physical_options options;
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

  // where Newton stands
  double *u, *chi, *trial, *trial_chi;  // n
  double *gradient, *step, *along;      // n
  double *H;                            // n x n
  double *X, *U, *Uinv, *half;          // of the largest cone
  double *B;                            // of all columns of one cone: inv(U)' A_k inv(U)
  double *block, *rows, *product;       // Hessian of one cone; its rows of T; their product
} problem;

/* Weights of the terms: the divergence (all but bounds), and -log det of bounds and of the others.
 */
typedef struct {
  double divergence, bound, barrier;
} weights;

/* Everything but the point where Newton starts. */
RBV_MUST_CHECK rbv_status rbv_problem_new(problem **out, const rbv_model *m,
                                          const rbv_physical_input *input, const double *prior,
                                          const rbv_physical_options *options);
void rbv_problem_free(problem *p);

/* Fill p->prior, prior_kind, scale and the matrices of the cones. given may be NULL. */
RBV_MUST_CHECK rbv_status rbv_problem_prior(problem *p, const double *given);

/* chi inside all cones, with the total mass that is known. */
void rbv_problem_start(double *chi, const problem *p);

/* chi = origin + T u; u of chi. */
void rbv_problem_chi(double *chi, const problem *p, const double *u);
void rbv_problem_u(double *u, const problem *p, const double *chi);

/*
 * Objective at u; p->trial_chi becomes its chi. *inside is false outside the cones, and value is
 * then infinite.
 */
RBV_MUST_CHECK rbv_status rbv_problem_value(double *value, bool *inside, problem *p,
                                            const weights *w, const double *u);

/* Gradient and Hessian (lower triangle) at u, which must be inside; p->chi becomes its chi. */
RBV_MUST_CHECK rbv_status rbv_problem_derivatives(problem *p, const weights *w, const double *u);

/* chi-square and divergence at u. */
RBV_MUST_CHECK rbv_status rbv_problem_terms(double *chi2, double *divergence, problem *p,
                                            const double *u);

#endif
