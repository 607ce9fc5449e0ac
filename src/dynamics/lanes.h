/*
 * Forward dynamics of several robots of one model in parallel lanes, each lane with its own
 * parameters, for simulations. A quantity of joint j in lane k is at [j * width + k].
 *
 * Friction is stiff and needs implicit integration: rbv_lanes_linearise also prepares the operator
 * inv(M + c D) M of a linearly implicit integrator, where D is the (symmetric, positive) slope of
 * the friction by the velocities.
 */
#ifndef DYNAMICS_LANES_H
#define DYNAMICS_LANES_H

#include <roberval/sys/dynamics.h>

#define LANES_WIDTH 8        // of the widest kernel
#define RBV_LANES_GAMMA 150  // for signs that nothing smooths: Brunot 2018 section 5.2

typedef struct rbv_lanes rbv_lanes;

/*
 * The width is that of count lanes, or the largest of this processor. gamma > 0: smoothing of the
 * sign in friction laws, except at joints with a smoothing of their own; 0: as the model has it.
 * Signs that nothing smooths get RBV_LANES_GAMMA, because a simulation cannot integrate over a
 * step. The model is borrowed. Parameters start at zero.
 */
RBV_MUST_CHECK rbv_status rbv_lanes_new(rbv_lanes **out, const rbv_model *model, int count,
                                        double gamma);
void rbv_lanes_free(rbv_lanes *l);

/* Smoothing of the sign at a joint, as in use. Both members 0: no law of the joint has a sign. */
rbv_smoothing rbv_lanes_smoothing(const rbv_lanes *l, int joint);
int rbv_lanes_width(const rbv_lanes *l);

/* Parameters of a lane (copied). Values that are not finite are refused, and columns whose
 * expression has ddq. */
RBV_MUST_CHECK rbv_status rbv_lanes_set(rbv_lanes *l, int lane, const double *chi, bool loaded);

/* Factor of all friction that depends on velocity, except expressions of the robot file. */
void rbv_lanes_set_friction(rbv_lanes *l, double factor);

/* Set the states of laws, and the loads of the gears, to zero. */
void rbv_lanes_reset(rbv_lanes *l);

/* Advance the states of laws by dt at these velocities. */
void rbv_lanes_step_states(rbv_lanes *l, const double *dq, double dt);

/*
 * ddq from tau; regular[lane]: the mass matrix was positive definite. Laws that depend on the
 * torque that a gear transmits need no iteration: its sign decides, and the sign is that of the
 * last call, corrected if the solution has another one.
 */
void rbv_lanes_forward(double *ddq, bool *regular, rbv_lanes *l, const double *q, const double *dq,
                       const double *tau);

/* The same, and prepare the operator for this state and this c. */
void rbv_lanes_linearise(double *ddq, bool *regular, rbv_lanes *l, const double *q,
                         const double *dq, const double *tau, double c);

/* x <- inv(M + c D) M x of the last rbv_lanes_linearise */
void rbv_lanes_apply(double *x, rbv_lanes *l);

/*
 * One stage of a linearly implicit integrator in a single solution:
 *
 *   u = inv(M + c D) (h F + M s)    with the forces F = M ddq at this state.
 *
 *   ddq, regular  out  as rbv_lanes_forward; ddq NULL: both are not computed, which saves a
 *                      factorisation
 *   s             in   NULL: zero, at the first stage of a step. D is then evaluated at this state
 *                      and kept for the stages that follow.
 */
void rbv_lanes_stage(double *u, double *ddq, bool *regular, rbv_lanes *l, const double *q,
                     const double *dq, const double *tau, double h, double c, const double *s);

#endif
