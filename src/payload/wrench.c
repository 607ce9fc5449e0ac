#include "payload/wrench.h"

#include <math.h>
#include <string.h>

#include "model/geometry.h"
#include "payload/payload_internal.h"

/* out += factor * matrix of the cross product with a */
static void add_cross(double out[9], double factor, const double a[3]) {
  const double C[9] = {0, -a[2], a[1], a[2], 0, -a[0], -a[1], a[0], 0};
  for (int i = 0; i < 9; i++) out[i] += factor * C[i];
}

/* the matrix that gives I a from (xx xy xz yy yz zz) */
static void inertia_matrix(double out[18], const double a[3]) {
  const double M[18] = {a[0], a[1], a[2], 0, 0, 0,    0, a[0], 0,
                        a[1], a[2], 0,    0, 0, a[0], 0, a[1], a[2]};
  memcpy(out, M, sizeof M);
}

void rbv_wrench_columns(double Y[60], const frame_motion *f) {
  // force = m a + alpha x h + omega x (omega x h); torque = h x a + I alpha + omega x I omega
  double H[9] = {0}, T[9] = {0}, A[18], B[18];
  const double *w = f->omega;
  add_cross(H, 1, f->alpha);
  const double square = w[0] * w[0] + w[1] * w[1] + w[2] * w[2];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) H[3 * i + j] += w[i] * w[j] - (i == j) * square;
  add_cross(T, -1, f->acceleration);
  inertia_matrix(A, f->alpha);
  inertia_matrix(B, w);
  memset(Y, 0, 60 * sizeof *Y);
  for (int i = 0; i < 3; i++) {
    Y[10 * i + 9] = f->acceleration[i];
    for (int k = 0; k < 3; k++) {
      Y[10 * i + 6 + k] = H[3 * i + k];
      Y[10 * (3 + i) + 6 + k] = T[3 * i + k];
    }
    const int j = (i + 1) % 3, l = (i + 2) % 3;
    for (int c = 0; c < 6; c++)
      Y[10 * (3 + i) + c] = A[6 * i + c] + w[j] * B[6 * l + c] - w[l] * B[6 * j + c];
  }
}

rbv_status rbv_wrench_rows_at_rest(double *X, const rbv_model *m, const double *q) {
  RBV_TRY(rbv_model_need_chain(m, "The payload at the tip"));
  rbv_pose pose = rbv_pose_identity;
  for (int j = 0; j < m->njoint; j++) {
    const joint_geometry *g = &m->geometry[j];
    const double x = q[j] + g->offset;
    const rbv_pose step = rbv_joint_pose(g, x, sin(x), cos(x));
    pose = rbv_pose_multiply(&pose, &step);
  }
  frame_motion f = {0};
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) f.acceleration[i] -= pose.R[3 * k + i] * m->gravity[k];
  double Y[60];
  rbv_wrench_columns(Y, &f);
  for (int r = 0; r < 6; r++) {
    const double weight = r < 3 ? 1 : 10;
    for (int i = 0; i < 4; i++) X[r * 10 + i] = weight * Y[10 * r + 6 + i];
    for (int i = 0; i < 6; i++) X[r * 10 + 4 + i] = i == r ? weight : 0;
  }
  return RBV_OK;
}
