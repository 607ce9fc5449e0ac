/* Candidates for a control law, and the search for the best one. */
#ifndef CONTROL_LAW_SEARCH_H
#define CONTROL_LAW_SEARCH_H

#include "control/joint_signals.h"

// a residual below this multiple of the position resolution is measurement noise
#define RESOLVED 2

typedef struct {
  law_structure structure;
  law_side side;
  law_fit fit;
  law_gains gains;
  bool possible;
  double criterion;
  double error;  // |out - simulated| / |out|
  double dependence;
} candidate;

/* Estimate the law of one structure. If it cannot be simulated, RBV_OK is returned and `possible`
 * is false. */
rbv_status search_estimate(candidate *c, joint_data *d, const law_structure *s, law_side side,
                           law_method method, const double *poles);

/* Best candidate by least squares on the equation, over all structures, inputs and delays. */
rbv_status search_ls(candidate *best, joint_data *d);

/* Best candidate by refined instruments: first the side of the noise, then inputs,
 * delay, orders. */
rbv_status search_sriv(candidate *best, joint_data *d);

/* Relative error, mean removed, of a simulation of this side with the law of c. */
rbv_status search_error(double *error, joint_data *d, const candidate *c, law_side side);

/* Norm of a signal of the problem; centred: of its deviation from the mean. */
double search_norm(const law_problem *b, const double *x, bool centred);

#endif
