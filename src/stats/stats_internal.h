/* What the files of this room share; nobody outside src/stats includes this. */
#ifndef STATS_STATS_INTERNAL_H
#define STATS_STATS_INTERNAL_H

#include <roberval/sys/stats.h>

#include "base/support.h"

/* x is not NULL, has at least `least` values, and every one is finite. */
rbv_status rbv_stats_check(const char *name, const double *x, ptrdiff_t n, ptrdiff_t least);

/* One number that is finite; RBV_ENUM with its name when it is not. */
rbv_status rbv_stats_check_number(const char *name, double x);

/* ascending, in place, without recursion or allocation */
void rbv_stats_sort(double *x, ptrdiff_t n);

/* the value at probability p in [0, 1] of n >= 1 sorted ones, type 7 */
double rbv_stats_sorted_quantile(const double *sorted, ptrdiff_t n, double p);

/*
 * The incomplete functions without checks: both tails and the slope d lower / d log x (for beta,
 * d lower / d log(x / y)), which is what Newton's method on a logarithmic scale wants. False when
 * the fraction or series did not settle.
 */
typedef struct {
  double lower, upper, slope;
} rbv_tails;

bool rbv_stats_gamma_tails(rbv_tails *out, double a, double x);

/* x + y = 1, both given so that neither is a difference */
bool rbv_stats_beta_tails(rbv_tails *out, double a, double b, double x, double y);

#endif
