/*
 * Steps of the linear equations of the sensitivities, compiled from one source for several vector
 * widths. Results of the widths are equal up to rounding.
 */
#ifndef SIM_STEP_KERNEL_H
#define SIM_STEP_KERNEL_H

#include <stddef.h>

#define STEP_LANES 8  // of the widest kernel: directions and steps are padded to a multiple of it

typedef struct step_kernel {
  int width;

  /*
   * The matrices of `width` steps of length h: E = inv(M + h g D + (h g)^2 K), E K and E D, each
   * n x n, row-major, one after the other; step k at [k * 3 n^2].
   *
   *   K, D, M  in       entry (r, c) of step k at [k + (r + c n) ld]
   *   scratch  working  n^2 lane quantities
   */
  void (*prepare)(double *out, double *scratch, const double *K, const double *D, const double *M,
                  ptrdiff_t ld, int n, double h);

  /*
   * One step of length h of all directions. Direction k of row r at [r * lanes + k].
   *
   *   q, v     in out   directions of positions and velocities
   *   drive    in       torques that do not depend on them
   *   matrix   in       of this step
   *   scratch  working  2 n lanes
   *   lanes    in       a multiple of STEP_LANES
   */
  void (*advance)(double *q, double *v, const double *drive, const double *matrix, double *scratch,
                  int n, int lanes, double h);
} step_kernel;

/* The widest kernel that this processor can run. */
const step_kernel *rbv_step_kernel(void);

extern const step_kernel rbv_step_kernel_w2, rbv_step_kernel_w4, rbv_step_kernel_w8;

#endif
