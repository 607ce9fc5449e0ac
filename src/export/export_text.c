/* Poses, angles and numbers for the formats. */
#include <math.h>
#include <string.h>

#include <roberval/sys/linalg.h>

#include "export/export_internal.h"

rbv_pose rbv_joint_zero(const joint_geometry *g) {
  double s, c, x = g->offset;
  rbv_exact_sincos(&s, &c, &x, false);
  return rbv_joint_pose(g, g->offset, s, c);
}

/* yaw from the first column; the remaining Ry Rx gives the other two angles without loss */
void rbv_angles_of(double rpy[3], const double R[9]) {
  const double yaw = atan2(R[3], R[0]), s = sin(yaw), c = cos(yaw);
  rpy[0] = atan2(s * R[2] - c * R[5], c * R[4] - s * R[1]);
  rpy[1] = atan2(-R[6], c * R[0] + s * R[3]);
  rpy[2] = yaw;
  // write 0 instead of -0
  for (int i = 0; i < 3; i++) rpy[i] += 0.0;
}

/* divide by the largest of the four */
void rbv_quaternion_of(double q[4], const double R[9]) {
  const double four[4] = {1 + R[0] + R[4] + R[8], 1 + R[0] - R[4] - R[8], 1 - R[0] + R[4] - R[8],
                          1 - R[0] - R[4] + R[8]};
  int k = 0;
  for (int i = 1; i < 4; i++)
    if (four[i] > four[k]) k = i;
  // four times the products of its elements, row k
  const double wx = R[7] - R[5], wy = R[2] - R[6], wz = R[3] - R[1];
  const double xy = R[1] + R[3], xz = R[2] + R[6], yz = R[5] + R[7];
  const double row[4][4] = {
      {four[0], wx, wy, wz}, {wx, four[1], xy, xz}, {wy, xy, four[2], yz}, {wz, xz, yz, four[3]}};
  double norm = 0;
  for (int i = 0; i < 4; i++) norm += row[k][i] * row[k][i];
  for (int i = 0; i < 4; i++) q[i] = row[k][i] / sqrt(norm) + 0.0;
}

/* assign eigenvectors to x, y and z: the order with the largest sum of diagonal components */
static const int *nearest_order(const double V[9]) {
  static const int order[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  const int *best = order[0];
  double most = 0;
  for (int i = 0; i < 6; i++) {
    double sum = 0;
    for (int k = 0; k < 3; k++) sum += fabs(V[k + 3 * order[i][k]]);
    if (sum > most) best = order[i];
    most = fmax(most, sum);
  }
  return best;
}

rbv_status rbv_principal(double moment[3], double R[9], const double inertia[6]) {
  const double I[9] = {inertia[0], inertia[1], inertia[2], inertia[1], inertia[3],
                       inertia[4], inertia[2], inertia[4], inertia[5]};
  if (inertia[1] == 0 && inertia[2] == 0 && inertia[4] == 0) {
    for (int i = 0; i < 3; i++) moment[i] = I[4 * i];
    memcpy(R, rbv_pose_identity.R, sizeof rbv_pose_identity.R);
    return RBV_OK;
  }
  double value[3], V[9];
  RBV_TRY(rbv_eigen_symmetric(value, V, I, 3, 3));
  const int *order = nearest_order(V);
  int least = 0;
  for (int k = 0; k < 3; k++) {
    const double *v = V + 3 * order[k], sign = v[k] < 0 ? -1 : 1;
    moment[k] = value[order[k]];
    for (int i = 0; i < 3; i++) R[3 * i + k] = sign * v[i];
    if (R[4 * k] < R[4 * least]) least = k;
  }
  // a reflection is not a rotation: reverse the axis with the smallest diagonal component
  const double det = R[0] * (R[4] * R[8] - R[5] * R[7]) - R[1] * (R[3] * R[8] - R[5] * R[6]) +
                     R[2] * (R[3] * R[7] - R[4] * R[6]);
  for (int i = 0; i < 3 && det < 0; i++) R[3 * i + least] *= -1;
  return RBV_OK;
}

void rbv_put_numbers(rbv_text *text, const double *x, int n) {
  for (int i = 0; i < n; i++) {
    char digits[32];
    rbv_format_double(digits, x[i]);
    rbv_text_print(text, "%s%s", i ? " " : "", digits);
  }
}

void rbv_put_attribute(rbv_text *text, const char *name, const double *x, int n) {
  rbv_text_print(text, " %s=\"", name);
  rbv_put_numbers(text, x, n);
  rbv_text_put(text, "\"");
}

void rbv_put_quoted(rbv_text *t, const char *s) {
  rbv_text_put(t, "\"");
  for (; *s; s++) {
    const unsigned char c = (unsigned char)*s;
    if (c == '"' || c == '\\')
      rbv_text_print(t, "\\%c", c);
    else if (c < ' ' || c == 127)
      rbv_text_print(t, "\\x%02x", c);
    else
      rbv_text_add(t, s, 1);
  }
  rbv_text_put(t, "\"");
}

void rbv_put_list(rbv_text *t, const double *x, int n, int step) {
  rbv_text_put(t, "[");
  for (int i = 0; i < n; i++) {
    if (i) rbv_text_put(t, ", ");
    rbv_put_numbers(t, &x[i * step], 1);
  }
  rbv_text_put(t, "]");
}
