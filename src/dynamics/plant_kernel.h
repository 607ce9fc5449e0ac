/*
 * Mass matrix and torques of a plant with base parameters, compiled from one source for several
 * vector widths; each lane is a plant with parameters of its own. Results are equal up to rounding.
 */
#ifndef DYNAMICS_PLANT_KERNEL_H
#define DYNAMICS_PLANT_KERNEL_H

#include "dynamics/axis_chain.h"

#define PLANT_SCRATCH 24  // lane quantities per joint

typedef struct plant_kernel {
  int width;

  /*
   * The rigid bodies of `width` plants.
   *
   *   M        out      njoint x njoint lane quantities, both triangles
   *   bias     out      njoint lane quantities: torque at zero acceleration
   *   scratch  working  njoint x PLANT_SCRATCH lane quantities
   *   link     in       njoint x 10 lane quantities, regrouped: see rbv_axis_regroup
   *   q, dq    in       njoint lane quantities
   */
  void (*system)(double *M, double *bias, const axis_chain *chain, double *scratch,
                 const double *link, const double *q, const double *dq);
} plant_kernel;

/* The kernel of this width, which the processor can run: 1, 2, 4 or 8. */
const plant_kernel *rbv_plant_kernel(int width);

extern const plant_kernel rbv_plant_kernel_w1, rbv_plant_kernel_w2, rbv_plant_kernel_w4,
    rbv_plant_kernel_w8;

#endif
