/* Frames, Jacobians and energy: one sample at a time, in base axes. */
#include <math.h>
#include <string.h>

#include "dynamics/dynamics_internal.h"
#include "model/geometry.h"

static rbv_pose joint_pose(const joint_geometry *g, double q) {
  const double x = q + g->offset, c = cos(x), s = sin(x);
  rbv_pose pose;
  for (int i = 0; i < 9; i++) pose.R[i] = g->fixed[i] + g->cosine[i] * c + g->sine[i] * s;
  for (int i = 0; i < 3; i++) pose.p[i] = g->origin[i] + g->slide[i] * x;
  return pose;
}

static rbv_pose frame_pose(const rbv_dynamics *d, const double *q, int joint) {
  rbv_pose pose = rbv_pose_identity;
  for (int j = 0; j <= joint; j++) {
    const rbv_pose step = joint_pose(&d->chain.joint[j], q[j]);
    pose = rbv_pose_multiply(&pose, &step);
  }
  return pose;
}

void rbv_dynamics_pose(double *R, double *p, rbv_dynamics *d, const double *q, int joint) {
  const rbv_pose pose = frame_pose(d, q, joint);
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 3; k++) R[i + 3 * k] = pose.R[3 * i + k];
    p[i] = pose.p[i];
  }
}

static void rotate(double out[3], const double R[9], const double a[3]) {
  for (int i = 0; i < 3; i++) out[i] = R[3 * i] * a[0] + R[3 * i + 1] * a[1] + R[3 * i + 2] * a[2];
}

void rbv_dynamics_jacobian(double *J, rbv_dynamics *d, const double *q, int joint,
                           const double point[3]) {
  const int n = d->chain.njoint;
  memset(J, 0, (size_t)(6 * n) * sizeof *J);
  const rbv_pose end = frame_pose(d, q, joint);
  double target[3];
  rotate(target, end.R, point);
  for (int i = 0; i < 3; i++) target[i] += end.p[i];

  rbv_pose pose = rbv_pose_identity;
  for (int j = 0; j <= joint; j++) {
    const joint_geometry *g = &d->chain.joint[j];
    const rbv_pose step = joint_pose(g, q[j]);
    pose = rbv_pose_multiply(&pose, &step);
    double a[3], *column = J + 6 * j;
    rotate(a, pose.R, g->axis);
    if (g->type == RBV_JOINT_PRISMATIC) {
      memcpy(column, a, sizeof a);
      continue;
    }
    const double r[3] = {target[0] - pose.p[0], target[1] - pose.p[1], target[2] - pose.p[2]};
    column[0] = a[1] * r[2] - a[2] * r[1];
    column[1] = a[2] * r[0] - a[0] * r[2];
    column[2] = a[0] * r[1] - a[1] * r[0];
    memcpy(column + 3, a, sizeof a);
  }
}

void rbv_dynamics_energy(double *kinetic, double *potential, rbv_dynamics *d, const double *q,
                         const double *dq) {
  const int n = d->chain.njoint;
  rbv_dynamics_mass(d->mass, d, q);
  *kinetic = 0;
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++) *kinetic += 0.5 * dq[i] * d->mass[i + j * n] * dq[j];

  *potential = 0;
  rbv_pose pose = rbv_pose_identity;
  for (int j = 0; j < n; j++) {
    const rbv_pose step = joint_pose(&d->chain.joint[j], q[j]);
    pose = rbv_pose_multiply(&pose, &step);
    const double *link = d->link + j * RBV_INERTIAL;
    double h[3];
    rotate(h, pose.R, link + 6);
    for (int i = 0; i < 3; i++) *potential -= d->chain.gravity[i] * (h[i] + link[9] * pose.p[i]);
  }
}
