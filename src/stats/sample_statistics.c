/* Statistics of one sample: checks, order statistics, robust scale and weights. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "stats/stats_internal.h"

rbv_status rbv_stats_check(const char *name, const double *x, ptrdiff_t n, ptrdiff_t least) {
  if (n < least)
    return rbv_fail(RBV_EDIM, "%s has %td values, at least %td are needed", name, n, least);
  if (!x && n > 0) return rbv_fail(RBV_EARG, "%s is NULL", name);
  // no early exit, so that the compiler can vectorise the usual case
  int bad = 0;
  for (ptrdiff_t i = 0; i < n; i++) bad |= !(fabs(x[i]) <= DBL_MAX);
  if (!bad) return RBV_OK;
  ptrdiff_t i = 0;
  while (isfinite(x[i])) i++;
  return rbv_fail(RBV_ENUM, "%s is not finite at %td", name, i);
}

rbv_status rbv_stats_check_number(const char *name, double x) {
  if (!isfinite(x)) return rbv_fail(RBV_ENUM, "%s is not finite", name);
  return RBV_OK;
}

/* max-heap: move x[i] down to its place among the first n */
static void sift_down(double *x, ptrdiff_t i, ptrdiff_t n) {
  const double value = x[i];
  for (ptrdiff_t child; (child = 2 * i + 1) < n; i = child) {
    if (child + 1 < n && x[child + 1] > x[child]) child++;
    if (x[child] <= value) break;
    x[i] = x[child];
  }
  x[i] = value;
}

void rbv_stats_sort(double *x, ptrdiff_t n) {
  for (ptrdiff_t i = n / 2 - 1; i >= 0; i--) sift_down(x, i, n);
  for (ptrdiff_t end = n - 1; end > 0; end--) {
    const double top = x[0];
    x[0] = x[end];
    x[end] = top;
    sift_down(x, 0, end);
  }
}

/* type 7 quantile of numbers in any order, which changes */
static double select_quantile(double *x, ptrdiff_t n, double p) {
  const double place = p * (double)(n - 1), whole = floor(place);
  const ptrdiff_t k = (ptrdiff_t)whole;
  const double value = rbv_select(x, n, k);
  if (k >= n - 1) return value;
  double next = x[k + 1];
  for (ptrdiff_t i = k + 2; i < n; i++) next = x[i] < next ? x[i] : next;
  return value + (place - whole) * (next - value);
}

rbv_status rbv_stats_quantiles(double *q, double *work, const double *x, ptrdiff_t n,
                               const double *p, int count) {
  if (!q) return rbv_fail(RBV_EARG, "q is NULL");
  RBV_TRY(rbv_stats_check("p", p, count, 0));
  for (int k = 0; k < count; k++)
    if (!(p[k] >= 0 && p[k] <= 1))
      return rbv_fail(RBV_EARG, "p[%d] = %g is not in [0, 1]", k, p[k]);
  if (!work) return rbv_fail(RBV_EARG, "work is NULL");
  RBV_TRY(rbv_stats_check("x", x, n, 1));
  if (work != x) memcpy(work, x, (size_t)n * sizeof *x);
  for (int k = 0; k < count; k++) q[k] = select_quantile(work, n, p[k]);
  return RBV_OK;
}
