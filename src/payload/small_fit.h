/*
 * Weighted least squares with few unknowns. Equations belong to a kind, whose noise is estimated,
 * and to a part of the data. The uncertainty is that of white noise and the spread without each
 * part.
 */
#ifndef PAYLOAD_SMALL_FIT_H
#define PAYLOAD_SMALL_FIT_H

#include <stdbool.h>
#include <stddef.h>

#include <roberval/sys/base.h>

#define SMALL_MAX 16  // unknowns

typedef struct {
  int n, nkind, npart;
  double *sum;  // nkind x npart blocks of n x n + n + 2: normal equations, y y, rows
} small_fit;

RBV_MUST_CHECK rbv_status rbv_small_new(small_fit *out, int n, int nkind, int npart);
void rbv_small_free(small_fit *fit);

/* Add the equation x' unknowns = y. */
void rbv_small_add(small_fit *fit, int kind, int part, const double *x, double y);

/* Add equations by their sums: A = X'X (n x n), b = X'y, yy = y'y. */
void rbv_small_add_sums(small_fit *fit, int kind, int part, const double *A, const double *b,
                        double yy, ptrdiff_t rows);

typedef struct {
  double value[SMALL_MAX];                   // 0: not identifiable
  bool known[SMALL_MAX];                     // identifiable
  double covariance[SMALL_MAX * SMALL_MAX];  // of white noise, n x n
  double inverse[SMALL_MAX * SMALL_MAX];     // inv(X' W X), zero where not identifiable
  double weight[64];                         // of each kind
  double rss, yy;                            // unweighted
  ptrdiff_t rows;
  double *deviation;  // npart x n: estimate without the part minus the estimate; the caller's
} small_solution;

/* Solve. deviation: npart x n, or NULL. */
RBV_MUST_CHECK rbv_status rbv_small_solve(small_solution *out, const small_fit *fit,
                                          double *deviation);

#endif
