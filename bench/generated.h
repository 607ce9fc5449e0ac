/* The inverse dynamics of an arm as `export --format c` writes it, compiled and loaded. */
#ifndef BENCH_GENERATED_H
#define BENCH_GENERATED_H

#include "arm.h"

typedef void generated_inverse(double *tau, const double *q, const double *dq, const double *ddq);

typedef struct {
  void *library;
  generated_inverse *inverse;
  int multiplications, additions, calls;  // as export counts them
} generated;

/* Compiled with cc -O2, as a user would. Says why and exits when it cannot. */
generated generated_new(const arm *a);
void generated_free(generated *g);

#endif
