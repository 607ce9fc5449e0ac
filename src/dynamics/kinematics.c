/* Frames, Jacobians and energy: one sample at a time, in base axes. */
#include <math.h>
#include <string.h>

#include "dynamics/dynamics.h"
#include "dynamics/projection.h"
#include "model/geometry.h"

static rbv_pose joint_pose(const joint_geometry *g, double q) {
  const double x = q + g->offset, c = cos(x), s = sin(x);
  rbv_pose pose;
  for (int i = 0; i < 9; i++) pose.R[i] = g->fixed[i] + g->cosine[i] * c + g->sine[i] * s;
  for (int i = 0; i < 3; i++) pose.p[i] = g->origin[i] + g->slide[i] * x;
  return pose;
}

/* position of the joint of a body */
static double joint_position(rbv_dynamics *d, const double *q, int body) {
  const rbv_model *m = d->model;
  if (!m->map) return q[body];
  if (d->projection) return rbv_projection_pose(d, q, 1)->q[body];
  double x = m->map_offset[body];
  for (int c = 0; c < m->njoint; c++) x += m->map[body + c * m->nbody] * q[c];
  return x;
}

/* of a body from that of its parent */
static rbv_pose next_pose(rbv_dynamics *d, const double *q, int body, const rbv_pose *parent) {
  const rbv_pose step = joint_pose(&d->chain.joint[body], joint_position(d, q, body));
  return rbv_pose_multiply(parent, &step);
}

/* the body on the way to another one that follows `at`, which is above it; -1: the base */
static int next_towards(const rbv_model *m, int at, int body) {
  while (m->parent[body] != at) body = m->parent[body];
  return body;
}

static rbv_pose frame_pose(rbv_dynamics *d, const double *q, int body) {
  rbv_pose pose = rbv_pose_identity;
  for (int at = -1; at != body;) {
    at = next_towards(d->model, at, body);
    pose = next_pose(d, q, at, &pose);
  }
  return pose;
}

void rbv_dynamics_pose(double *R, double *p, rbv_dynamics *d, const double *q, int body) {
  const rbv_pose pose = frame_pose(d, q, body);
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 3; k++) R[i + 3 * k] = pose.R[3 * i + k];
    p[i] = pose.p[i];
  }
}

static void rotate(double out[3], const double R[9], const double a[3]) {
  for (int i = 0; i < 3; i++) out[i] = R[3 * i] * a[0] + R[3 * i + 1] * a[1] + R[3 * i + 2] * a[2];
}

/* motion of a point by the joint of a body: linear, then angular */
static void joint_column(double column[6], const joint_geometry *g, const rbv_pose *pose,
                         const double target[3]) {
  double a[3];
  rotate(a, pose->R, g->axis);
  memset(column, 0, 6 * sizeof *column);
  if (g->type == RBV_JOINT_PRISMATIC) {
    memcpy(column, a, sizeof a);
    return;
  }
  const double r[3] = {target[0] - pose->p[0], target[1] - pose->p[1], target[2] - pose->p[2]};
  column[0] = a[1] * r[2] - a[2] * r[1];
  column[1] = a[2] * r[0] - a[0] * r[2];
  column[2] = a[0] * r[1] - a[1] * r[0];
  memcpy(column + 3, a, sizeof a);
}

void rbv_dynamics_jacobian(double *J, rbv_dynamics *d, const double *q, int body,
                           const double point[3]) {
  const rbv_model *m = d->model;
  const int n = m->njoint;
  memset(J, 0, (size_t)(6 * n) * sizeof *J);
  const rbv_pose end = frame_pose(d, q, body);
  double target[3];
  rotate(target, end.R, point);
  for (int i = 0; i < 3; i++) target[i] += end.p[i];

  const double *G = d->projection ? rbv_projection_pose(d, q, 1)->G : NULL;
  rbv_pose pose = rbv_pose_identity;
  for (int at = -1; at != body;) {
    at = next_towards(m, at, body);
    pose = next_pose(d, q, at, &pose);
    double column[6];
    joint_column(column, &d->chain.joint[at], &pose, target);
    if (!m->map) memcpy(J + 6 * at, column, sizeof column);
    for (int c = 0; c < n && m->map; c++)
      for (int i = 0; i < 6; i++) J[i + 6 * c] += (G ? G : m->map)[at + c * m->nbody] * column[i];
  }
}

/* v of a point at a distance r from one with v, of a body that turns with w */
static void carry(double v[3], const double w[3], const double r[3]) {
  v[0] += w[1] * r[2] - w[2] * r[1];
  v[1] += w[2] * r[0] - w[0] * r[2];
  v[2] += w[0] * r[1] - w[1] * r[0];
}

static double square(const double v[3]) { return v[0] * v[0] + v[1] * v[1] + v[2] * v[2]; }

double rbv_dynamics_top_speed(rbv_dynamics *d, const double *q, const double *dq,
                              const double point[3]) {
  rbv_pose pose = rbv_pose_identity;
  double v[3] = {0}, w[3] = {0}, r[3], most = 0;
  for (int j = 0; j < d->model->njoint; j++) {
    const rbv_pose before = pose;
    pose = next_pose(d, q, j, &before);
    for (int i = 0; i < 3; i++) r[i] = pose.p[i] - before.p[i];
    carry(v, w, r);
    double column[6];
    joint_column(column, &d->chain.joint[j], &pose, pose.p);
    for (int i = 0; i < 3; i++) {
      v[i] += column[i] * dq[j];
      w[i] += column[3 + i] * dq[j];
    }
    most = fmax(most, square(v));
  }
  rotate(r, pose.R, point);
  carry(v, w, r);
  return sqrt(fmax(most, square(v)));
}

void rbv_dynamics_energy(double *kinetic, double *potential, rbv_dynamics *d, const double *q,
                         const double *dq) {
  const rbv_model *m = d->model;
  const int n = m->njoint;
  rbv_dynamics_mass(d->mass, d, q);
  *kinetic = 0;
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++) *kinetic += 0.5 * dq[i] * d->mass[i + j * n] * dq[j];

  *potential = 0;
  rbv_pose pose = rbv_pose_identity;
  for (int j = 0; j < m->nbody; j++) {
    // along a branch from the body before, at the beginning of a branch from the base
    const rbv_pose before = pose;
    pose = m->parent[j] == j - 1 ? next_pose(d, q, j, &before) : frame_pose(d, q, j);
    const double *link = d->link + j * RBV_INERTIAL;
    double h[3];
    rotate(h, pose.R, link + 6);
    for (int i = 0; i < 3; i++) *potential -= d->chain.gravity[i] * (h[i] + link[9] * pose.p[i]);
  }
}
