/* Reader of tests/data/signal.txt: lines "key n", then n numbers. */
#ifndef SIGNAL_REFERENCE_H
#define SIGNAL_REFERENCE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"

/* The numbers of one key, to be freed with free(). The test fails if the key does not exist. */
static inline double *reference(const char *key, ptrdiff_t *count) {
  if (count) *count = 0;
  FILE *f = fopen(TEST_DATA "/signal.txt", "r");
  if (!f) fail_msg("cannot open %s", TEST_DATA "/signal.txt");
  char name[64];
  long n = 0;
  while (fscanf(f, "%63s %ld", name, &n) == 2) {
    double *values = malloc((size_t)n * sizeof *values);
    for (long k = 0; k < n; k++)
      if (fscanf(f, "%lf", &values[k]) != 1) fail_msg("%s: numbers are missing", key);
    if (strcmp(name, key) == 0) {
      fclose(f);
      if (count) *count = n;
      return values;
    }
    free(values);
  }
  fclose(f);
  fail_msg("key %s not found", key);
  return NULL;
}

static inline double reference_scalar(const char *key) {
  double *v = reference(key, NULL);
  const double value = v[0];
  free(v);
  return value;
}

/* largest |a - b| */
static inline double distance(const double *a, const double *b, ptrdiff_t n) {
  double worst = 0;
  for (ptrdiff_t k = 0; k < n; k++) {
    const double e = a[k] > b[k] ? a[k] - b[k] : b[k] - a[k];
    if (!(e <= worst)) worst = e;
  }
  return worst;
}

#endif
