/* What other modules of the library use of control, beside its public header. */
#ifndef CONTROL_CONTROL_H
#define CONTROL_CONTROL_H

#include <roberval/sys/control.h>

/* See <roberval/sys/control.h>. */
RBV_MUST_CHECK rbv_status rbv_control_load(rbv_control **out, const char *path,
                                           const rbv_control_options *options);

/* See <roberval/sys/control.h>. */
RBV_MUST_CHECK rbv_status rbv_control_save(const rbv_control *control, const char *path);

/* See <roberval/sys/control.h>. */
int rbv_control_joint_count(const rbv_control *control);
const rbv_control_joint *rbv_control_get_joint(const rbv_control *control, int joint);

/*
 * A drive can compute its law more often than a recorder writes rows: ticks of the law per row, 1
 * by default. The reference is held between two rows, and late by the delay. rbv_control_rate_hz is
 * the rate of the law.
 */
int rbv_control_ticks(const rbv_control *control);
double rbv_control_command_delay(const rbv_control *control);
void rbv_control_set_drive(rbv_control *control, int ticks, double command_delay_s);

/* The same controller with other laws of its joints. */
RBV_MUST_CHECK rbv_status rbv_control_variant(rbv_control **out, const rbv_control *given,
                                              const rbv_control_joint *joint);

/* True if two laws have the same kinds, gains, filters and delays at all joints. */
bool rbv_control_same(const rbv_control *a, const rbv_control *b);

/*
 * The inertia for which the gains of a joint give a double pole (k_p = J w^2, k_d = 2 J w, as
 * rbv_control_tune has them), and w [rad/s]. Integral action is ignored. Returns false if the law
 * does not say it: a transfer function, or a gain that is not positive.
 */
bool rbv_control_tuning(double *inertia, double *frequency, const rbv_control *control, int joint);

rbv_feedforward rbv_control_get_feedforward(const rbv_control *control);

/* True if any joint uses dq_r (ddq_r). */
bool rbv_control_needs_velocity(const rbv_control *control);
bool rbv_control_needs_acceleration(const rbv_control *control);

/* ---- running a controller: arrays hold joint j of lane k at [j * lanes + k] ---- */

/* Set the factor on u + k_v dq_r + k_a ddq_r of one joint in one lane (DIDIM: inertia of the model
 * divided by inertia of the robot). */
void rbv_control_set_scale(rbv_control_state *state, int lane, int joint, double scale);

/* Set the factor on one gain of a joint in one lane. A gain that the law does not have, such as
 * those of a transfer function: ignored. */
void rbv_control_set_gain(rbv_control_state *state, int lane, int joint, rbv_gain gain,
                          double factor);

/* Set the integral of a joint, after a reset: a robot that holds its position against gravity has
 * one. A transfer function has no such value: ignored. */
void rbv_control_set_integral(rbv_control_state *state, int lane, int joint, double integral);

/* ---- derivatives of a running controller ---- */

const char *rbv_gain_name(int i);
bool rbv_gain_parse(rbv_gain *out, const char *name);

/* The value of a gain of a law; NULL if a law of this kind does not have it, or if the torque has
 * no limit. */
double *rbv_gain_of(rbv_control_joint *joint, rbv_gain gain);

/*
 * One control loop together with the derivatives of its torque in several directions (lanes). A
 * direction is a change of the measured positions, of the reference and of gains. The derivative
 * follows the branch that the loop takes: a limited torque changes with its limit only, anti-windup
 * acts on the derivative of the integral as it acts on the integral.
 */
typedef struct rbv_control_tangent rbv_control_tangent;

/* The controller is borrowed. No direction changes a gain. */
RBV_MUST_CHECK rbv_status rbv_control_tangent_new(rbv_control_tangent **out,
                                                  const rbv_control *control, int lanes);
void rbv_control_tangent_free(rbv_control_tangent *tangent);

/* Rate at which a gain changes along the direction of a lane. Refused with RBV_EINPUT: a gain that
 * the law of the joint does not have. */
RBV_MUST_CHECK rbv_status rbv_control_tangent_set_gain(rbv_control_tangent *tangent, int lane,
                                                       int joint, rbv_gain gain, double rate);

/* Clear the memory of the loop and of its derivatives. */
void rbv_control_tangent_reset(rbv_control_tangent *tangent);

/* Set the integral of a joint, or its derivative in a lane, after a reset; lane -1: of the loop. */
void rbv_control_tangent_set_integral(rbv_control_tangent *tangent, int lane, int joint,
                                      double integral);

/*
 * Compute one tick. Allocates nothing.
 *
 *   tau   out  njoint: torque, as rbv_control_step with one lane
 *   dtau  out  njoint x lanes, lane k of joint j at [j * lanes + k]
 *   in    in   of the loop: njoint values each
 *   dqm   in   as dtau: derivatives of the measured positions
 *   dqr   in   as dtau: derivatives of the reference positions; NULL: zero
 */
void rbv_control_tangent_step(double *tau, double *dtau, rbv_control_tangent *tangent,
                              const rbv_control_input *in, const double *dqm, const double *dqr);

/* ---- transfer functions ---- */

/* Largest modulus of the zeros and of the poles; 0 if there are none. */
void rbv_transfer_extent(double *zero, double *pole, const rbv_transfer *H);

/* Divide out of H all zeros whose modulus is at least this; returns how many. */
int rbv_transfer_drop_zeros(rbv_transfer *H, double modulus);

/*
 * Filter a stream piece by piece. The advance is ignored: it shifts all columns that pass through
 * the same function by the same number of samples. y may be x. Allocates nothing.
 *
 *   past  in/out  rbv_transfer_memory(H) numbers per column: the last inputs and outputs.
 *                 rbv_transfer_start sets them as if the first sample had always been
 *                 present; all poles must be inside the unit circle.
 */
int rbv_transfer_memory(const rbv_transfer *H);
void rbv_transfer_start(double *past, const rbv_transfer *H, const double *x, ptrdiff_t ldx,
                        int columns);
void rbv_transfer_continue(double *y, ptrdiff_t ldy, const rbv_transfer *H, double *past,
                           const double *x, ptrdiff_t ldx, ptrdiff_t count, int columns);

const char *rbv_control_kind_name(rbv_control_kind kind); /* "pid" */

/* See <roberval/sys/control.h>. */
const char *rbv_control_name(const rbv_control *control);

/* ---- identification from recordings (Brunot 2018 sections 4.5 and 5.3) ---- */

/* See <roberval/sys/control.h>. */
bool rbv_control_id_method_parse(rbv_control_id_method *out, const char *name);

#endif
