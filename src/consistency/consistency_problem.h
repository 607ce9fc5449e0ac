/*
 * The optimisation problem in suitable coordinates. With x = K chi of the base parameters in use
 * and their covariance C = F F' (with the factor of the options), the unknowns are
 *
 *     u = (w, r):   w = inv(F) (K chi - x),   r = the columns that belong to no base parameter
 *
 * so that chi = origin + T u, the misfit is w'w, and the base values are x + F w. Even if the
 * sigmas differ by orders of magnitude, nothing is squared and no digits cancel.
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
  int nbase;       // base parameters in use
  int *used;       // nbase: their indices in the input
  int *kept;       // nbase: the column of each
  int *rest;       // n - nbase: the other columns
  double *sigma;   // nbase
  double *F;       // nbase square, lower triangle: C = F F'
  double *origin;  // n
  double *T;       // n x n
  double *prior;   // n
  double *scale;   // n: scale of a column that nothing else determines; 0: a cone or the estimate
                   // determines it; weight: drive_weight of the options
  double *mass;    // n: gradient of the total mass in u; used only if the total mass is known
  rbv_prior_kind *prior_kind;  // per body

  double *rows;  // rows of T that belong to the cones: count x n each, in the order of the cones
  double *prior_gradient;  // n: gradient of weight tr(inv(X0) X) in u, sum over all cones
  int nrow;                // rows of V: packed matrices of all cones, columns with a scale, w

  // state of the iteration
  double *u, *chi, *trial, *trial_chi;  // n
  double *best;                         // n: best u so far
  double *gradient, *step, *along;      // n
  double *V;                            // nrow x n, scaled: the Hessian is V'V
  rbv_qr *qr;                           // of V
  double *R;                            // n x n: lower triangle with R R' = V'V
  double *X, *L, *Linv, *S;             // room for the largest cone
  double *K;                            // packed maps of one cone
  double *pulled;                       // nrow: argument of V'
} problem;

/* Create the problem completely, except for the start values. */
RBV_MUST_CHECK rbv_status rbv_problem_new(problem **out, const rbv_model *m,
                                          const rbv_consistency_input *input, const double *prior,
                                          const rbv_consistency_options *options);
void rbv_problem_free(problem *p);

/* Fill p->prior, prior_kind, scale, and the matrices and weights of the cones. given may be NULL.
 */
RBV_MUST_CHECK rbv_status rbv_problem_prior(problem *p, const double *given);

/* Start values: chi inside all cones, with the known total mass. */
void rbv_problem_start(double *chi, const problem *p);

/* chi = origin + T u, and the inverse. */
void rbv_problem_chi(double *chi, const problem *p, const double *u);
void rbv_problem_u(double *u, const problem *p, const double *chi);

/* The functions below take the weight `barrier` of -log det that is added to every cone. The
 * divergence of a cone contains another -log det with the weight of the cone. */

/* Objective with barrier at u; infinite outside the cones. Sets p->trial_chi. */
double rbv_problem_value(problem *p, double barrier, const double *u);

/* Misfit w'w and the weighted sum of the divergences at u. Sets p->chi. */
void rbv_problem_terms(double *misfit, double *prior_cost, problem *p, const double *u);

/* Gradient of all terms except -log det at u, and their rows of V. Sets p->chi. */
void rbv_problem_smooth(problem *p, const double *u);

/* Compute the rows of V of one cone: derivative of S X S' by u, packed. */
void rbv_problem_scale(problem *p, const cone *c, const double *S);

/* out = V x; out += V' y. */
void rbv_problem_push(double *out, const problem *p, const double *x);
void rbv_problem_pull(double *out, const problem *p, const double *y);

/* Gradient of the objective at a feasible u, and V. Sets p->chi. */
RBV_MUST_CHECK rbv_status rbv_problem_derivatives(problem *p, double barrier, const double *u);

/* R of V. *definite is false if a diagonal element is zero. */
RBV_MUST_CHECK rbv_status rbv_problem_factor(bool *definite, problem *p);

/* Replace the right-hand side in p->step by inv(V'V) times it, subject to the known total mass. */
RBV_MUST_CHECK rbv_status rbv_problem_solve(problem *p);

#endif
