/*
 * Estimation of a linear law between recorded signals, in the general form
 *
 *   F(z) out = sum_m G_m(z) in_m,   F = 1 - z^-1 sum_i phi_i d^i,   G_m = sum_i gamma_mi d^i
 *
 * with the difference operator d = 1 - z^-1. Signals change little between two samples; polynomials
 * in d are then better conditioned than polynomials in z^-1.
 */
#ifndef CONTROL_LINEAR_LAW_H
#define CONTROL_LINEAR_LAW_H

#include <roberval/sys/signal.h>

#include "control/control_internal.h"

#define LAW_COEFFICIENTS 5  // largest number of coefficients of one polynomial
#define LAW_INPUTS 3
#define LAW_PARAMETERS (LAW_COEFFICIENTS * (1 + LAW_INPUTS))

/* consecutive samples that are finite and not at a torque limit */
typedef struct {
  ptrdiff_t first, count;
} law_segment;

typedef struct {
  const double *out, *in[LAW_INPUTS];
  int nf, nin, ng[LAW_INPUTS];  // parameters: nf of F, ng[m] of G_m
  const law_segment *segment;
  int nsegment;
  bool step;  // out contains an unknown constant in addition, different in each segment
} law_problem;

typedef enum { LAW_LS, LAW_SRIV, LAW_PEM } law_method;

typedef struct {
  int n;  // parameters: phi, then gamma of each input
  double p[LAW_PARAMETERS];
  double covariance[LAW_PARAMETERS * LAW_PARAMETERS];  // n x n
  double rss;           // sum of squares of out - simulated out, with fitted initial states
  double equation_rss;  // ls only: sum of squares of the equation error
  ptrdiff_t rows;
  int iterations;
  bool converged;
  int noise_order;    // of the AR model that whitens the residual
  double innovation;  // variance of the whitened residual
} law_fit;

typedef struct law_work law_work;

rbv_status law_work_new(law_work **out, ptrdiff_t length);
void law_work_free(law_work *w);

/* least squares on the difference equation */
rbv_status law_solve_ls(law_fit *out, law_work *w, const law_problem *b);

/*
 * Simplified refined instrumental variables, or prediction error minimisation with AR noise.
 *
 *   poles  in  nf start values of phi; NULL: several start values are tried, the best is kept
 */
rbv_status law_solve(law_fit *out, law_work *w, const law_problem *b, law_method method,
                     const double *poles);

/* Compute out - simulated out. The residual stays valid until the next use of the work object. Also
 * sets the noise model in fit. */
rbv_status law_residual(const double **residual, law_fit *fit, law_work *w, const law_problem *b);

/* Sum of the squared correlations of the whitened residual and the first input at positive and
 * negative lags: 0 if they are independent, about 1 if the input carries the noise. Call
 * law_residual before. */
rbv_status law_dependence(double *out, law_work *w, const law_problem *b);

/* coefficients of powers of z^-1 from coefficients of powers of d; the function is
 * its own inverse */
void law_swap_basis(double *out, const double *in, int count);

/* the nf + 1 coefficients of F in powers of z^-1 from phi, and back */
void law_poles_plain(double *F, const double *phi, int nf);
void law_poles_differences(double *phi, const double *F, int nf);

/* Move poles into the unit circle, so that the law can be simulated. */
void law_stabilise(double *phi, int nf);

#endif
