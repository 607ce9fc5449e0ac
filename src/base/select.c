#include <math.h>

#include "base/support.h"

/* Hoare's selection algorithm. */
double rbv_select(double *x, ptrdiff_t n, ptrdiff_t k) {
  ptrdiff_t low = 0, high = n - 1;
  while (low < high) {
    const double pivot = x[low + (high - low) / 2];
    ptrdiff_t i = low, j = high;
    while (i <= j) {
      while (x[i] < pivot) i++;
      while (x[j] > pivot) j--;
      if (i <= j) {
        const double swap = x[i];
        x[i++] = x[j];
        x[j--] = swap;
      }
    }
    if (k <= j)
      high = j;
    else if (k >= i)
      low = i;
    else
      break;
  }
  return x[k];
}

double rbv_median(double *x, ptrdiff_t n) {
  if (n == 0) return NAN;
  const double low = rbv_select(x, n, (n - 1) / 2);
  return n % 2 ? low : (low + rbv_select(x, n, n / 2)) / 2;
}
