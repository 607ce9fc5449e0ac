/* Levels of alarms from a chosen rate. */
#include <math.h>
#include <stdlib.h>

#include "follow/follow_internal.h"

#define FEWEST 10  // values in a tail, if there are as many in half of all

static int by_size(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

double rbv_alarm_level(double *maxima, int count, double share) {
  qsort(maxima, (size_t)count, sizeof *maxima, by_size);
  // the largest squares: a quarter of them, more if there are few
  const int few = count / 2 < FEWEST ? count / 2 : FEWEST, k = count / 4 > few ? count / 4 : few;
  const double start = maxima[count - k - 1], u = start * start, tail = (double)k / count;
  if (share >= tail) return maxima[count - 1 - (int)fmin(share * count, count - 1)];
  double excess = 0;
  for (int i = count - k; i < count; i++) excess += (maxima[i] * maxima[i] - u) / k;
  // with the mean of k excesses, the next one is beyond x with probability (1 + x / (k mean))^-k
  return sqrt(u + k * excess * (pow(tail / share, 1.0 / k) - 1));
}

double rbv_alarm_level_normal(double crossings, double rate) {
  return rate < 2 * crossings ? sqrt(2 * log(2 * crossings / rate)) : 0;
}
