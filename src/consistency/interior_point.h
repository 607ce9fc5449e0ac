/* Two ways towards the minimum of one objective: the long one, and the last steps of it. */
#ifndef CONSISTENCY_INTERIOR_POINT_H
#define CONSISTENCY_INTERIOR_POINT_H

#include "consistency/consistency_problem.h"

typedef struct {
  int left;          // steps that may still be taken
  int taken;         // so far
  double decrement;  // squared, of the objective over its smallest weight of a -log det
} march;

/*
 * From the prior to near the minimum by a primal-dual method, in p->u, which stays inside. However
 * it ends, the other one takes over. smallest: of the weights of -log det.
 */
RBV_MUST_CHECK rbv_status rbv_march_path(march *m, problem *p, const weights *w, double smallest);

/* Damped Newton from p->u until nothing but rounding is left. */
RBV_MUST_CHECK rbv_status rbv_march_centre(march *m, problem *p, const weights *w, double smallest);

#endif
