/*
 * Delete-a-block jackknife: s^2 = (B - 1) / B sum (x_b - mean)^2 over the estimates x_b without
 * block b. Neighbouring residuals may be correlated in any way that is shorter than a block. The
 * spread of B values is uncertain itself, which the factor `student` takes into account.
 */
#include <math.h>
#include "result/result.h"

#include "base/support.h"

double rbv_jackknife_spread(const double *x, int count, int stride) {
  double mean = 0, sum = 0;
  for (int b = 0; b < count; b++) mean += x[(ptrdiff_t)b * stride] / count;
  for (int b = 0; b < count; b++)
    sum += (x[(ptrdiff_t)b * stride] - mean) * (x[(ptrdiff_t)b * stride] - mean);
  return sqrt((count - 1.0) / count * sum);
}

/* the larger spread of blocks and recordings */
static double larger(const rbv_jackknife *j, const double *x, int stride) {
  if (j->nblock < 2) return NAN;
  const double blocks = j->student * rbv_jackknife_spread(x, j->nblock, stride);
  if (j->nrecording < 2) return blocks;
  return fmax(blocks,
              rbv_jackknife_spread(x + (ptrdiff_t)j->nblock * stride, j->nrecording, stride));
}

double rbv_jackknife_sigma(const rbv_jackknife *j, int n, int k) {
  return larger(j, j->deviation + k, n);
}

rbv_status rbv_jackknife_function(double *sigma, const rbv_jackknife *j, int n, const double *value,
                                  rbv_parameter_function *f, void *self) {
  const int parts = j->nblock + j->nrecording;
  double *y = rbv_alloc((size_t)(parts + n) * sizeof *y), *x = y ? y + parts : NULL;
  if (!y) return RBV_EMEM;
  for (int b = 0; b < parts; b++) {
    for (int k = 0; k < n; k++) x[k] = value[k] + j->deviation[k + (ptrdiff_t)b * n];
    y[b] = f(self, x);
  }
  *sigma = larger(j, y, 1);
  rbv_free(y);
  return RBV_OK;
}
