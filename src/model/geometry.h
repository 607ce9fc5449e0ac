/* Rotations, snapping of angles, and the ten inertial parameters under a change of frame. */
#ifndef MODEL_GEOMETRY_H
#define MODEL_GEOMETRY_H

#include "model/model_internal.h"

typedef struct {
  double R[9];  // row-major
  double p[3];
} rbv_pose;

extern const rbv_pose rbv_pose_identity;

/* a then b: x_a = R_a (R_b x + p_b) + p_a */
rbv_pose rbv_pose_multiply(const rbv_pose *a, const rbv_pose *b);

/*
 * Sine and cosine of an angle. If the angle is a multiple of pi/12 up to rounding, or (with snap
 * set) such a multiple with fewer digits, sine and cosine are those of the multiple, exact to the
 * last bit, and *angle is set to the multiple. Fewer digits: rounded or cut off after three or more
 * decimals (1.571, 1.5708, 0.78539), or rounded to single precision. An angle such as 1.570823417
 * has digits that the multiple does not have, and is kept.
 */
void rbv_exact_sincos(double *sine, double *cosine, double *angle, bool snap);

/* R = Rz(yaw) Ry(pitch) Rx(roll), the fixed-axis convention of URDF, from sines and cosines. */
void rbv_rotation_rpy(double R[9], const double sine[3], const double cosine[3]);

/* Rotation by an angle about an axis of any length; the identity for an axis without length. */
void rbv_rotation_axis(double R[9], const double axis[3], double angle);

/* A rotation that turns z into a unit vector. */
void rbv_rotation_to(double R[9], const double z[3]);

/* Rotation of a quaternion (w x y z) of any length; the identity for one without length. */
void rbv_rotation_quaternion(double R[9], const double q[4]);

/* The inverse of a pose. */
rbv_pose rbv_pose_inverse(const rbv_pose *a);

/* Pose of a joint frame in its parent's, at x = q + offset with this sine and cosine. */
rbv_pose rbv_joint_pose(const joint_geometry *g, double x, double sine, double cosine);

/* Fill fixed, cosine, sine, slide and hinge from the rotation at q + offset = 0 and the axis. */
void rbv_joint_compile(joint_geometry *g, const double R[9]);

/* The same joint between frames with their axes in cyclic order, where these axes are the third. */
joint_geometry rbv_joint_ordered(const joint_geometry *from, int parent, int own);

/*
 * Inertial parameters (XX XY XZ YY YZ ZZ MX MY MZ M) of a body given in frame B, in frame A.
 *   pose  in  B in A
 */
void rbv_inertial_transform(double out[RBV_INERTIAL], const double in[RBV_INERTIAL],
                            const rbv_pose *pose);

/* The linear map of rbv_inertial_transform: out = T in, 10 x 10, column-major. */
void rbv_inertial_matrix(double T[RBV_INERTIAL * RBV_INERTIAL], const rbv_pose *pose);

/* Mass, centre, and inertia about the centre (xx, xy, xz, yy, yz, zz) of a body with mass > 0. */
void rbv_inertial_split(double out[RBV_INERTIAL], const double p[RBV_INERTIAL]);

#endif
