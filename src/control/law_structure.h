/*
 * Structures of a control law, and the conversion between the coefficients of its general form and
 * the gains of a controller. With d = 1 - z^-1, x the additional inputs and all signals on the
 * right delayed by `delay`:
 *
 *   A(z) tau = B(z) e + sum_m H_m(z) x_m,       or with an integrator   A(z) d tau = ...
 */
#ifndef CONTROL_LAW_STRUCTURE_H
#define CONTROL_LAW_STRUCTURE_H

#include "control/linear_law.h"

typedef enum {
  EXTRA_NONE,
  EXTRA_VELOCITY,      // feed-forward of dq_r
  EXTRA_ACCELERATION,  // feed-forward of dq_r and ddq_r
  EXTRA_CASCADE        // dq_r with its own factor in the velocity loop
} extra_input;

typedef struct {
  bool integrates;  // pole at exactly 1
  int na, nb;       // orders of A and B
  extra_input extra;
  int delay;
} law_structure;

/* Which signal is simulated, and so carries the noise: torque or tracking error. SIDE_EQUATION:
 * least squares on the equation. */
typedef enum { SIDE_EQUATION, SIDE_TORQUE, SIDE_ERROR } law_side;

/* coefficients of powers of z^-1, A[0] = 1 */
typedef struct {
  double A[LAW_COEFFICIENTS], B[LAW_COEFFICIENTS], H[2][LAW_COEFFICIENTS];
} law_plain;

int structure_extra_count(const law_structure *s);         // number of additional inputs
int structure_extra_coefficients(const law_structure *s);  // coefficients of each additional input
int structure_parameter_count(const law_structure *s);     // parameters of the general form

/* convert the parameters of the estimation problem of a side to coefficients, and back */
void structure_read(law_plain *out, const law_structure *s, law_side side, const double *p);
void structure_write(double *p, const law_structure *s, law_side side, const law_plain *law);

#define STRUCTURE_GAINS 12

typedef struct {
  rbv_control_kind kind;
  int count;
  double value[STRUCTURE_GAINS], sigma[STRUCTURE_GAINS];
  char name[STRUCTURE_GAINS][12];
  double misfit;  // chi-square of the gains against the general form
  int dof;        // its degrees of freedom; 0: gains and general form are equivalent
} law_gains;

/*
 * Find the gains that are closest to an estimate in the metric of its covariance (minimum
 * chi-square): those of a PID or cascade if the structure has them and they are plausible,
 * otherwise those of a transfer function. *possible: false if no controller of this library has
 * this law.
 */
rbv_status structure_gains(law_gains *out, bool *possible, const law_structure *s, law_side side,
                           const law_fit *fit, double period_s);

/* The joint controller with these gains. */
rbv_control_joint structure_joint(const law_gains *g, const law_structure *s, double period_s);

#endif
