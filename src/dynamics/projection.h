/*
 * Closed loops after the kernel of trees: the positions of all joints, G and the accelerations that
 * the closure adds, per sample, and the products with G. Poses are a function of the driven
 * positions alone: from the reference along a straight line to the nearest point of a lattice, from
 * there to the sample. So a sample does not depend on those before it; points and poses are stored.
 */
#ifndef DYNAMICS_PROJECTION_H
#define DYNAMICS_PROJECTION_H

#include "dynamics/dynamics_internal.h"

typedef struct {
  const double *q;  // nbody
  const double *G;  // nbody x njoint
  double residual;  // largest gap of the closure [m, and differences of unit vectors]
  double ratio;     // smallest over largest singular value of the dependent joints
  bool closed;      // the numbers above are those of the sample
} closure_pose;

/* Pose at the driven positions q[c * ld]; valid until PROJECTION_SAMPLES other poses. */
const closure_pose *rbv_projection_pose(rbv_dynamics *d, const double *q, ptrdiff_t ld);

/* The states of the bodies' joints of `width` samples, in d->body_state as q, dq, ddq with the
 * accelerations of the closure, and G in lanes of d->rates. dq or ddq NULL: zero. A sample that
 * does not close has G = NaN. */
void rbv_projection_states(rbv_dynamics *d, int width, const double *q, const double *dq,
                           const double *ddq, ptrdiff_t ld);

/* to = G' x; to = G' X G; the ten columns of body j in the row of a coordinate. */
void rbv_projection_vector(double *to, ptrdiff_t ldto, const rbv_dynamics *d, const double *x,
                           int width);
void rbv_projection_matrix(double *to, ptrdiff_t ldto, const rbv_dynamics *d, const double *X,
                           int width);
void rbv_projection_block(double *to, ptrdiff_t ldw, const rbv_dynamics *d, int coordinate, int j,
                          int width);

/* x += M times the accelerations of the closure, of bodies: M as of the kernel. */
void rbv_projection_add_bias(double *x, const rbv_dynamics *d, const double *M, int width);

/* Speeds of a passive joint (number from 1), and after the law the factor of a row; in place. */
void rbv_projection_speeds(double *out, rbv_dynamics *d, int passive, const drive_motion *at,
                           ptrdiff_t count);
void rbv_projection_factor(double *out, rbv_dynamics *d, int passive, int row,
                           const drive_motion *at, ptrdiff_t count);

/* The derivatives of rbv_rigid_derivatives, by differences of inverse dynamics. */
void rbv_projection_derivatives(double *const by[3], const ptrdiff_t ldby[3], rbv_dynamics *d,
                                const rbv_kernel *kernel, const double *link, const double *q,
                                const double *dq, const double *ddq, ptrdiff_t ld);

void rbv_projection_layout(rbv_dynamics *d, const rbv_model *m, rbv_arena *a);
#endif
