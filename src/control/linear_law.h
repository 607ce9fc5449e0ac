/*
 * A linear law between recorded signals, in free form, and its estimation:
 *
 *   F(z) out = sum_m G_m(z) in_m,   F = 1 - z^-1 sum_i phi_i d^i,   G_m = sum_i gamma_mi d^i
 *
 * with the difference d = 1 - z^-1, in which polynomials of signals that change little between two
 * samples stay well conditioned.
 */
#ifndef CONTROL_LINEAR_LAW_H
#define CONTROL_LINEAR_LAW_H

#include <roberval/sys/signal.h>

#include "control/control_internal.h"

#define LAW_COEFFICIENTS 5  // of one polynomial, at most
#define LAW_INPUTS 3
#define LAW_PARAMETERS (LAW_COEFFICIENTS * (1 + LAW_INPUTS))

/* samples in a row without a saturated or missing one */
typedef struct {
  ptrdiff_t first, count;
} law_stretch;

typedef struct {
  const double *out, *in[LAW_INPUTS];
  int nf, nin, ng[LAW_INPUTS];  // parameters: nf of F, ng[m] of G_m
  const law_stretch *stretch;
  int nstretch;
  bool step;  // out has an unknown constant besides, another one in each stretch
} law_problem;

typedef enum { LAW_LS, LAW_SRIV, LAW_PEM } law_method;

typedef struct {
  int n;                                               // parameters: phi, then gamma of each input
  double p[LAW_PARAMETERS];                            //
  double covariance[LAW_PARAMETERS * LAW_PARAMETERS];  // n x n
  double rss;           // of out - simulated out, initial states fitted
  double equation_rss;  // ls: of the equation itself
  ptrdiff_t rows;
  int iterations;
  bool converged;
  int noise_order;    // of the AR model that whitens the residual
  double innovation;  // variance of the whitened residual
} law_fit;

typedef struct law_work law_work;

rbv_status law_work_new(law_work **out, ptrdiff_t length);
void law_work_free(law_work *w);

/* by least squares on the equation */
rbv_status law_solve_ls(law_fit *out, law_work *w, const law_problem *b);

/*
 * Simplified refined instrumental variables, or prediction-error minimisation with AR noise.
 *
 *   poles  in  nf: phi of a law nearby; NULL: poles at several frequencies, the best is kept
 */
rbv_status law_solve(law_fit *out, law_work *w, const law_problem *b, law_method method,
                     const double *poles);

/* out - simulated out, in the work object until its next use; noise of the fit is set */
rbv_status law_residual(const double **residual, law_fit *fit, law_work *w, const law_problem *b);

/* sum of the squared correlations of whitened residual and input at lags to and fro: 0 when they
 * know nothing of each other, about 1 when the input carries the noise; after law_residual */
rbv_status law_dependence(double *out, law_work *w, const law_problem *b);

/* plain coefficients of z^-j from those of differences; its own inverse */
void law_swap_basis(double *out, const double *in, int count);

/* F: nf + 1 plain coefficients from phi, and back */
void law_poles_plain(double *F, const double *phi, int nf);
void law_poles_differences(double *phi, const double *F, int nf);

#endif
