/* Poses, angles and numbers as the formats want them. */
#include <math.h>
#include <string.h>

#include "export/export_internal.h"

rbv_pose rbv_joint_zero(const joint_geometry *g) {
  double s, c, x = g->offset;
  rbv_exact_sincos(&s, &c, &x, false);
  rbv_pose pose;
  for (int i = 0; i < 9; i++) pose.R[i] = g->fixed[i] + g->cosine[i] * c + g->sine[i] * s;
  for (int i = 0; i < 3; i++) pose.p[i] = g->origin[i] + g->slide[i] * g->offset;
  return pose;
}

/* yaw from the first column; what it leaves, Ry Rx, gives the other two without loss */
void rbv_angles_of(double rpy[3], const double R[9]) {
  const double yaw = atan2(R[3], R[0]), s = sin(yaw), c = cos(yaw);
  rpy[0] = atan2(s * R[2] - c * R[5], c * R[4] - s * R[1]);
  rpy[1] = atan2(-R[6], c * R[0] + s * R[3]);
  rpy[2] = yaw;
  // -0 reads no better than 0
  for (int i = 0; i < 3; i++) rpy[i] += 0.0;
}

/* by the largest of the four, so that nothing small is divided by */
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
