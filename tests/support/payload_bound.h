/*
 * Bound of Cramer and Rao on mass and centre of a payload, from all samples since it was picked up:
 * the least covariance that an unbiased estimate can have, for the true noise. What an estimator
 * does not know can be added: the inertia about the centre, up to a prior, and the arm, which was
 * identified and has errors.
 */
#ifndef TEST_PAYLOAD_BOUND_H
#define TEST_PAYLOAD_BOUND_H

#include "stream.h"

#define BOUND_UNKNOWNS 10
#define BOUND_PARTS 64

typedef struct {
  double information[BOUND_UNKNOWNS][BOUND_UNKNOWNS];
  double part[BOUND_UNKNOWNS][BOUND_PARTS];  // X' noise^-1 (torque of the arm's deviations)
  double before[STREAM_JOINTS][BOUND_UNKNOWNS], part_before[STREAM_JOINTS][BOUND_PARTS];
  int nparts;
  bool any;
} payload_bound;

/* What is not known beside mass and centre. */
typedef struct {
  double inertia;  // sigma of the inertia about the centre [kg m^2]; 0: it is known
  bool arm;        // the arm has the errors of its identification
} bound_unknown;

/* Add the sample of a stream. W: scratch, row_count x column_count of the model. */
void bound_add(payload_bound *b, const stream *s, const rbv_known_arm *arm, double *W);

/* Probability that an estimate with this bound is within 3 % and 1 cm. */
double bound_share(const payload_bound *b, bound_unknown unknown, double mass,
                   const double centre[3], uint64_t seed);

#endif
