/* Two methods for the minimum of the objective: path following to its neighbourhood,
 * then Newton. */
#ifndef CONSISTENCY_INTERIOR_POINT_H
#define CONSISTENCY_INTERIOR_POINT_H

#include "consistency/consistency_problem.h"

typedef struct {
  int left;          // steps that are still allowed
  int taken;         // steps so far
  double decrement;  // squared Newton decrement of objective / smallest weight of a -log det
} iteration;

/*
 * Primal-dual method from the prior to the neighbourhood of the minimum. p->u always stays
 * feasible. rbv_newton_centre continues from there in any case. smallest: smallest weight of a -log
 * det.
 */
RBV_MUST_CHECK rbv_status rbv_follow_path(iteration *m, problem *p, double barrier,
                                          double smallest);

/* Damped Newton method from p->u until only rounding errors are left. */
RBV_MUST_CHECK rbv_status rbv_newton_centre(iteration *m, problem *p, double barrier,
                                            double smallest);

#endif
