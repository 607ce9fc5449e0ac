/* Shared by the files of src/stats; not included from outside. */
#ifndef STATS_STATS_INTERNAL_H
#define STATS_STATS_INTERNAL_H

#include "stats/stats.h"

#include "base/support.h"

/* Refuse x if it is NULL, has fewer than `least` values, or contains a value that is not finite. */
rbv_status rbv_stats_check(const char *name, const double *x, ptrdiff_t n, ptrdiff_t least);

/* Refuse a number that is not finite, with RBV_ENUM and its name. */
rbv_status rbv_stats_check_number(const char *name, double x);

/* Sort in ascending order, in place, without recursion or allocation. */
void rbv_stats_sort(double *x, ptrdiff_t n);

/*
 * The incomplete functions without argument checks: both tails and the slope d lower / d log x (for
 * beta: d lower / d log(x / y)), as Newton's method on a logarithmic scale needs it. Returns false
 * if the fraction or series did not converge.
 */
typedef struct {
  double lower, upper, slope;
} rbv_tails;

bool rbv_stats_gamma_tails(rbv_tails *out, double a, double x);

/* x + y = 1; both are passed, so that neither is computed as a difference */
bool rbv_stats_beta_tails(rbv_tails *out, double a, double b, double x, double y);

#endif
