/* Levels of alarms from a chosen rate. */
#include <math.h>
#include <stdlib.h>

#include "follow/follow_internal.h"

#define EULER 0.57721566490153286

static int by_size(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

double rbv_alarm_level(double *maxima, int count, double share) {
  qsort(maxima, (size_t)count, sizeof *maxima, by_size);
  // L-moments: mean, and half the mean difference of two values
  double mean = 0, weighted = 0;
  for (int i = 0; i < count; i++) {
    mean += maxima[i] / count;
    weighted += maxima[i] * i / (count - 1) / count;
  }
  const double scale = (2 * weighted - mean) / log(2), location = mean - EULER * scale;
  // quantile of the largest value of a block
  const double y = -log(-log1p(-share));
  // variance of this quantile over scale^2 (Gumbel, maximum likelihood); the expected rate is that
  // of a level raised by half the variance
  const double variance = (1.11 + 0.52 * y + 0.61 * y * y) / count;
  return location + scale * (y + 0.5 * variance);
}

double rbv_alarm_level_normal(double crossings, double rate) {
  return rate < 2 * crossings ? sqrt(2 * log(2 * crossings / rate)) : 0;
}
