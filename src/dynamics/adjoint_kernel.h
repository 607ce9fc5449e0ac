/*
 * Gradient of the rigid bodies' regressor by the state, compiled from one source for several vector
 * widths; each lane is a sample. Results are equal up to rounding.
 */
#ifndef DYNAMICS_ADJOINT_KERNEL_H
#define DYNAMICS_ADJOINT_KERNEL_H

#include "dynamics/kernel.h"

#define ADJOINT_LANES 8  // of the widest kernel

/* lane quantities of the sweeps of n joints: frames, motions, screws in the frames that they
 * move, and their adjoints */
#define ADJOINT_SCRATCH(n) (12 * (n) + 9 * ((n) + 1) + 3 * (n) * ((n) + 1) + 6 * (n))

/* Weights of the entries of a regressor. */
typedef struct {
  const double *P;  // entry e of a sample at [e * ld]
  ptrdiff_t ld;
  /* first entries of the `blocks` blocks of ten that belong to link j in row r, at
   * [blocks (r + j njoint)]; -1: none */
  const int *block;
  int blocks;
} adjoint_weights;

typedef struct {
  int width;

  /*
   * Gradient of the sum of weights times entries by q, dq and ddq (g), of `width` samples.
   *
   *   g        out  joint j at [j * ld]
   *   scratch  -    ADJOINT_SCRATCH(njoint) lane quantities, aligned to 64 bytes
   *   state    in   q, dq, ddq as g
   */
  void (*rigid)(double *const g[3], const kernel_chain *chain, double *scratch,
                const adjoint_weights *weights, const double *const state[3], ptrdiff_t ld);
} adjoint_kernel;

/* The widest kernel of at most max lanes that this processor can run. */
const adjoint_kernel *rbv_adjoint_kernel(int max);

extern const adjoint_kernel rbv_adjoint_kernel_w1, rbv_adjoint_kernel_w2, rbv_adjoint_kernel_w4,
    rbv_adjoint_kernel_w8;

#endif
