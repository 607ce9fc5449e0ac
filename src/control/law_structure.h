/*
 * Shapes that a control law may have, and the way between its free form and the gains of a
 * controller. With d = 1 - z^-1, x the further inputs and everything on the right late by `delay`:
 *
 *   A(z) tau = B(z) e + sum_m H_m(z) x_m,       or with an integrator   A(z) d tau = ...
 */
#ifndef CONTROL_LAW_STRUCTURE_H
#define CONTROL_LAW_STRUCTURE_H

#include "control/linear_law.h"

typedef enum {
  EXTRA_NONE,
  EXTRA_VELOCITY,      // feed-forward of dq_r
  EXTRA_ACCELERATION,  // and of ddq_r
  EXTRA_CASCADE        // dq_r has a share of its own in the velocity loop
} shape_extra;

typedef struct {
  bool integrates;  // a pole at 1 exactly
  int na, nb;       // orders of A and B
  shape_extra extra;
  int delay;
} law_shape;

/* Which signal is simulated, so which one carries the noise: torque, or tracking error. */
typedef enum { SIDE_EQUATION, SIDE_TORQUE, SIDE_ERROR } law_side;

/* plain coefficients, A[0] = 1 */
typedef struct {
  double A[LAW_COEFFICIENTS], B[LAW_COEFFICIENTS], H[2][LAW_COEFFICIENTS];
} law_plain;

int shape_extra_count(const law_shape *s);         // further inputs
int shape_extra_coefficients(const law_shape *s);  // of each of them
int shape_parameter_count(const law_shape *s);     // of the free form

/* parameters of the problem that a side poses, and back */
void shape_read(law_plain *out, const law_shape *s, law_side side, const double *p);
void shape_write(double *p, const law_shape *s, law_side side, const law_plain *law);

#define SHAPE_GAINS 12

typedef struct {
  rbv_control_kind kind;
  int count;
  double value[SHAPE_GAINS], sigma[SHAPE_GAINS];
  char name[SHAPE_GAINS][12];
  double misfit;  // chi-square of the gains against the free form
  int dof;        // its degrees of freedom: 0 when they are the same
} law_gains;

/*
 * The gains closest to an estimate in the metric of its covariance (minimum chi-square): those of a
 * PID or cascade when the shape has them and they make sense, else a transfer function. *possible:
 * false when no controller of this library is such a law.
 */
rbv_status shape_gains(law_gains *out, bool *possible, const law_shape *s, law_side side,
                       const law_fit *fit, double period_s);

/* The controller of these gains. */
rbv_control_joint shape_joint(const law_gains *g, const law_shape *s, double period_s);

#endif
