/*
 * Forward dynamics of several robots of one model side by side, each lane with parameters of its
 * own: what a simulation integrates. A quantity of joint j in lane k is at [j * width + k].
 *
 * Friction is told apart from the rest, because it is stiff: rbv_lanes_linearise also prepares the
 * operator inv(M + c D) M, with D the (symmetric, positive) slope of the friction over the
 * velocities, which a linearly implicit integrator needs.
 */
#ifndef DYNAMICS_LANES_H
#define DYNAMICS_LANES_H

#include <roberval/sys/dynamics.h>

#define LANES_WIDTH 8  // of the widest kernel

typedef struct rbv_lanes rbv_lanes;

/*
 * As wide as count needs, or as this processor has it. gamma: of the Coulomb law, > 0: a simulation
 * cannot use sign(). The model is borrowed. Parameters start at zero.
 */
RBV_MUST_CHECK rbv_status rbv_lanes_new(rbv_lanes **out, const rbv_model *model, int count,
                                        double gamma);
void rbv_lanes_free(rbv_lanes *l);
int rbv_lanes_width(const rbv_lanes *l);

/* Parameters of a lane (copied). Refused: not finite, or a column whose expression has ddq. */
RBV_MUST_CHECK rbv_status rbv_lanes_set(rbv_lanes *l, int lane, const double *chi, bool loaded);

/* Multiply all friction that depends on velocity, but not the file's own expressions. */
void rbv_lanes_set_friction(rbv_lanes *l, double factor);

/* ddq from tau; regular[lane]: the mass matrix was positive definite. */
void rbv_lanes_forward(double *ddq, bool *regular, rbv_lanes *l, const double *q, const double *dq,
                       const double *tau);

/* The same, and prepare the operator for this state and this c. */
void rbv_lanes_linearise(double *ddq, bool *regular, rbv_lanes *l, const double *q,
                         const double *dq, const double *tau, double c);

/* x <- inv(M + c D) M x of the last rbv_lanes_linearise */
void rbv_lanes_apply(double *x, rbv_lanes *l);

#endif
