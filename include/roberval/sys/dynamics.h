/*
 * dynamics: inverse dynamics (torque of a motion), forward dynamics (acceleration from a torque)
 * and the regressor W of tau = W chi, for one sample and for batches.
 *
 * One kernel source is compiled at several vector widths; batches use the widest that the processor
 * supports, one sample per lane. The results of a sample do not depend on its place in a batch. An
 * rbv_dynamics is scratch memory for one model and one parameter vector: use one per thread. Only
 * rbv_dynamics_new allocates.
 */
#ifndef ROBERVAL_SYS_DYNAMICS_H
#define ROBERVAL_SYS_DYNAMICS_H

#include <stdbool.h>
#include <stdint.h>

#include <roberval/sys/base.h>
#include <roberval/sys/model.h>

RBV_BEGIN_C

typedef struct rbv_dynamics rbv_dynamics;

/* The model is borrowed and must outlive the object. Parameters start at zero. */
RBV_API RBV_MUST_CHECK rbv_status rbv_dynamics_new(rbv_dynamics **out, const rbv_model *model);
RBV_API void rbv_dynamics_free(rbv_dynamics *d);

/* Samples per vector of the batch functions: 1, 2, 4 or 8. */
RBV_API int rbv_dynamics_width(const rbv_dynamics *d);

/* Use at most this width, for comparisons or to exclude instructions of the processor. */
RBV_API void rbv_dynamics_limit_width(rbv_dynamics *d, int width);

/*
 * Set the parameters of all columns (copied). Base parameters may be given at the columns of their
 * names, with zeros elsewhere: the dynamics are the same. Payload parameters act if loaded is set.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_dynamics_set(rbv_dynamics *d, const double *chi, bool loaded);

/*
 * RBV_OK if forward dynamics can be computed. A column that the robot file defines may have ddq in
 * its expression. Torques and regressors can be computed with it, but its part of the mass matrix
 * is not known. If the parameter of such a column is not zero, this returns RBV_EUNSUPPORTED and
 * the message names the column; mass matrix and kinetic energy are NaN, and forward dynamics leaves
 * ddq unchanged and sets regular to false. Laws that depend on the load of the gears are no part of
 * the mass matrix; forward dynamics solves for the load.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_dynamics_check_forward(const rbv_dynamics *d);

/* ---- one sample: q, dq, ddq, tau have njoint elements [rad, N m or m, N] ---- */

/* Torque of the drives (the motor channel, joint-side). */
RBV_API void rbv_dynamics_inverse(double *tau, rbv_dynamics *d, const double *q, const double *dq,
                                  const double *ddq);

/* Torque of every row of the model's sensing: row_count elements. */
RBV_API void rbv_dynamics_rows(double *tau, rbv_dynamics *d, const double *q, const double *dq,
                               const double *ddq);

/* Mass matrix with rotors, njoint x njoint, column-major. */
RBV_API void rbv_dynamics_mass(double *M, rbv_dynamics *d, const double *q);

/* Torque at ddq = 0: Coriolis, centrifugal, gravity, friction, offsets. */
RBV_API void rbv_dynamics_bias(double *N, rbv_dynamics *d, const double *q, const double *dq);

/* ddq from tau. *regular is true if the mass matrix was positive definite; only then ddq is set. */
RBV_API void rbv_dynamics_forward(double *ddq, bool *regular, rbv_dynamics *d, const double *q,
                                  const double *dq, const double *tau);

/*
 * Derivatives of rbv_dynamics_inverse by q, dq and ddq: njoint x njoint, column-major, row i:
 * torque of joint i. By ddq it is the mass matrix. An output may be NULL. The derivatives by the
 * parameters are the columns of rbv_regressor_eval. The slope of sign(dq) counts as zero at its
 * step; formulas of the robot file are differentiated by central differences.
 */
RBV_API void rbv_dynamics_derivatives(double *by_q, double *by_dq, double *by_ddq, rbv_dynamics *d,
                                      const double *q, const double *dq, const double *ddq);

/*
 * Acceleration as by rbv_dynamics_forward, and its derivatives by q, dq and tau (the inverse of the
 * mass matrix), each njoint x njoint or NULL. By the parameters they are -by_tau times the columns
 * of the regressor at this acceleration. Nothing but *regular is set if it is false.
 */
RBV_API void rbv_dynamics_forward_derivatives(double *by_q, double *by_dq, double *by_tau,
                                              double *ddq, bool *regular, rbv_dynamics *d,
                                              const double *q, const double *dq, const double *tau);

/*
 * Kinetic energy (rotors included) and potential energy of gravity (zero at the base origin) [J].
 * Energy that a column of the robot file stores, such as a spring, is not included.
 */
RBV_API void rbv_dynamics_energy(double *kinetic, double *potential, rbv_dynamics *d,
                                 const double *q, const double *dq);

/* Pose of joint frame j in the base: R 3 x 3 column-major, p 3. */
RBV_API void rbv_dynamics_pose(double *R, double *p, rbv_dynamics *d, const double *q, int joint);

/* Jacobian of a point fixed in joint frame j (given there), 6 x njoint column-major: linear
 * velocity of the point, then angular velocity, in base axes. */
RBV_API void rbv_dynamics_jacobian(double *J, rbv_dynamics *d, const double *q, int joint,
                                   const double point[3]);

/* Regressor of all rows: row_count x column_count, column-major, zeros included. States of laws are
 * steady; loads are those of the parameters of the object. */
RBV_API void rbv_regressor_eval(double *W, rbv_dynamics *d, const double *q, const double *dq,
                                const double *ddq, bool loaded);

/* ---- batches: sample k of joint j at [k + j * ld] ---- */

typedef struct {
  ptrdiff_t count;            /* samples */
  ptrdiff_t ld;               /* distance from one joint's samples to the next's, >= count */
  const double *q, *dq, *ddq; /* ddq is ignored by rbv_dynamics_forward_batch */

  /* Torque that the gear of each joint transmits; NULL: that of the links with the parameters of
   * the object (see rbv_dynamics_load_batch). Used by laws that depend on it. */
  const double *load;
  /* Bit i of sample k: a force may act at contact point i of the model; NULL: at all of them. The
   * functions of this header compute without these forces; equations eliminate them. */
  const uint32_t *contact;
  const double *state; /* state i of the laws at [k + i * ld]; NULL: the steady state at dq */
} rbv_states;

/*
 * Load of the gears: the torque of the links with the parameters of the object. Rotors and friction
 * are on the other side of the gear, so they are no load.
 *
 *   load  out  njoint, as q of the states, with leading dimension ldload
 */
RBV_API void rbv_dynamics_load_batch(double *load, ptrdiff_t ldload, rbv_dynamics *d,
                                     const rbv_states *s);

RBV_API void rbv_dynamics_inverse_batch(double *tau, ptrdiff_t ldtau, rbv_dynamics *d,
                                        const rbv_states *s);

/* The same for every row of the model's sensing. */
RBV_API void rbv_dynamics_rows_batch(double *tau, ptrdiff_t ldtau, rbv_dynamics *d,
                                     const rbv_states *s);

/*
 * Derivative of the motor torques by a shape parameter of a joint's friction
 * (rbv_shape_value).
 *
 *   by  out  njoint, as q of the states, with leading dimension ldby
 */
RBV_API void rbv_dynamics_by_shape_batch(double *by, ptrdiff_t ldby, rbv_dynamics *d,
                                         const rbv_states *s, int joint, const char *shape);

/* Derivatives of the torques: entry (i, j) of sample k at [k + (i + j njoint) ldby], see
 * rbv_dynamics_derivatives. */
RBV_API void rbv_dynamics_derivatives_batch(double *by_q, double *by_dq, double *by_ddq,
                                            ptrdiff_t ldby, rbv_dynamics *d, const rbv_states *s);

/* regular[k] is true if ddq of sample k was set. */
RBV_API void rbv_dynamics_forward_batch(double *ddq, ptrdiff_t ldddq, bool *regular,
                                        rbv_dynamics *d, const rbv_states *s, const double *tau,
                                        ptrdiff_t ldtau);

/*
 * The structurally non-zero entries of the regressor (see rbv_row): entry e of sample k at
 * W[k + e * ldw], so that a row group is a column-major matrix with samples as rows. Payload
 * columns are zero unless loaded.
 */
RBV_API void rbv_regressor_batch(double *W, ptrdiff_t ldw, rbv_dynamics *d, const rbv_states *s,
                                 bool loaded);

/*
 * Compute only these columns of the regressor from now on, which takes less time; the entries of
 * other columns have any values. For objects whose rbv_regressor_adjoint is not used.
 */
RBV_API void rbv_regressor_select(rbv_dynamics *d, const int *columns, int count);

/* The same for one sample (s->count 1), as rbv_regressor_eval writes it. */
RBV_API void rbv_regressor_sample(double *W, rbv_dynamics *d, const rbv_states *s, bool loaded);

/*
 * Gradient of the regressor by the state: for weights P of its entries, the gradient of sum_e P_e
 * W_e of each sample. With P = W Gamma this is half the gradient of any function f of W'W with the
 * symmetric Gamma = df/d(W'W). The slope of sign(dq) counts as zero at its step; formulas of the
 * robot file are differentiated by central differences.
 *
 *   gq, gdq, gddq  out  as q, dq, ddq of the states, with their leading dimension
 *   P              in   entry e of sample k at [k + e * ldp]
 */
RBV_API void rbv_regressor_adjoint(double *gq, double *gdq, double *gddq, rbv_dynamics *d,
                                   const rbv_states *s, const double *P, ptrdiff_t ldp,
                                   bool loaded);

/* ---- closed loops ---- */

/* How surely the loops of a robot are closed at positions of the driven joints. */
typedef struct {
  bool closed;      /* the other joints are known; otherwise torques and regressors are NaN */
  double residual;  /* largest gap of the frames that meet [m]; NaN: no pose was found */
  double condition; /* of the equations for the other joints; infinite: singular */
} rbv_loop_pose;

/*
 * The joints of all bodies for a motion of the driven joints (njoint each).
 *
 *   body_q, body_dq, body_ddq  out  number of bodies each; NULL: not wanted; defined if it returns
 *                                   true
 *   dq, ddq                    in   NULL: zero
 *
 * Returns whether the loops are closed. The pose is a function of q alone: that which is reached
 * from the robot's reference pose along a straight line of the driven joints to the nearest point
 * of a lattice (0.25 rad), and from there to q. Without loops it is the map to the bodies.
 */
RBV_API bool rbv_dynamics_loops(rbv_loop_pose *out, double *body_q, double *body_dq,
                                double *body_ddq, rbv_dynamics *d, const double *q,
                                const double *dq, const double *ddq);

/*
 * The movement of the joints of all bodies, of length one, that the loops resist least while the
 * driven joints are held: at a singular pose they do not resist it. False without loops, or if no
 * pose was found.
 */
RBV_API bool rbv_dynamics_loose(double *movement, rbv_dynamics *d, const double *q);

/* Move q towards the reference pose, along a straight line, until the loops close far from singular
 * poses. share: of the distance to the end of the line that is kept, up to 1. */
RBV_API void rbv_dynamics_reach(double *q, rbv_dynamics *d, double share);

RBV_END_C
#endif
