/*
 * Linear algebra on the R factor of [W | Y], without the rows. The R factor of n unknowns is (n +
 * 1) square, column-major; the last column is Y.
 */
#ifndef IDENTIFY_LINEAR_SOLVE_H
#define IDENTIFY_LINEAR_SOLVE_H

#include "base/support.h"

/* The selected ones of the n unknowns; the others are zero. */
typedef struct {
  int n;        // unknowns of the R factor
  int count;    // selected unknowns
  int *active;  // count, ascending
} selection;

typedef struct {
  double *x;    // n: the solution, zero where not selected
  double *cov;  // n x n: sigma^2 inv(R'R), zero where not selected
  double rss;
  double sigma2;  // rss / dof
  ptrdiff_t dof;
} solution;

/* Least squares over a selection. rows: number of equations in R. */
RBV_MUST_CHECK rbv_status rbv_linear_solve(solution *out, const double *R, ptrdiff_t rows,
                                           const selection *s);

/* Total least squares with columns scaled to equal norm: errors in W and Y (smallest singular
 * vector). */
RBV_MUST_CHECK rbv_status rbv_linear_total(solution *out, const double *R, ptrdiff_t rows,
                                           const selection *s);

/* Quality of instruments. */
typedef struct {
  double condition;    // of Z'W, columns of Z and W scaled to unit norm
  double strength;     // smallest share of a column of W that Z explains; 1: all of it
  double first_stage;  // smallest F of a column, if all rows contribute to it; infinite: no noise
} instrument_quality;

/*
 * Instrumental variables over a selection: Z'W x = Z'Y from the R factor of [Z | W | Y], which is
 * (2 n + 1) square: R_zw x = R_zy, so that no condition number is squared. The covariance is
 * sigma^2 inv(Z'W) Z'Z inv(W'Z) = sigma^2 inv(R_zw) inv(R_zw)'. quality may be NULL.
 */
RBV_MUST_CHECK rbv_status rbv_linear_instruments(solution *out, instrument_quality *quality,
                                                 const double *R, ptrdiff_t rows,
                                                 const selection *s);

/* R factor of R and the additional rows weight_i (x_i - value_i) = 0 for weight_i > 0; out may be
 * R. */
RBV_MUST_CHECK rbv_status rbv_linear_add_prior(double *out, const double *R, int n,
                                               const double *value, const double *weight);

/*
 * Drop unknowns that are not significant by the F-statistic: first the one with the largest
 * relative sigma, each step against the current model, until the Fisher quantile (5 %) is exceeded
 * (Jubien 2014 section 3.4). The selection shrinks in place; the solution is that of the remaining
 * unknowns.
 *
 *   inflation  in  n: true sigma over that of white noise, by which the test is corrected; NULL: 1
 */
RBV_MUST_CHECK rbv_status rbv_linear_reduce(solution *out, selection *s, const double *R,
                                            ptrdiff_t rows, const double *inflation);

/* Condition numbers of the selected columns of R, raw and scaled to unit norm. */
RBV_MUST_CHECK rbv_status rbv_linear_condition(double *raw, double *scaled, const double *R,
                                               const selection *s);

#endif
