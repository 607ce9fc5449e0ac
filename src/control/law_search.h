/* Candidates for a law, and the search among them. */
#ifndef CONTROL_LAW_SEARCH_H
#define CONTROL_LAW_SEARCH_H

#include "control/joint_signals.h"

#define RESOLVED 2  // residuals below so many times the position's resolution are its noise

typedef struct {
  law_shape shape;
  law_side side;
  law_fit fit;
  law_gains gains;
  bool possible;
  double criterion;
  double error;  // |out - simulated| / |out|
  double dependence;
} candidate;

/* Estimate one shape. What cannot be simulated is no failure: it is not possible. */
rbv_status search_try(candidate *c, joint_data *d, const law_shape *s, law_side side,
                      law_method method, const double *poles);

/* The best by least squares on the equation, over all shapes, inputs and delays. */
rbv_status search_ls(candidate *best, joint_data *d);

/* The best by refined instruments: the side of the noise, then inputs, delay, orders in turn. */
rbv_status search_sriv(candidate *best, joint_data *d);

/* Relative error, mean removed, of a law when this side is simulated with it. */
rbv_status search_error(double *error, joint_data *d, const candidate *c, law_side side);

/* Norm of a signal of the problem, perhaps about its mean. */
double search_norm(const law_problem *b, const double *x, bool centred);

#endif
