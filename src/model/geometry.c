#include "model/geometry.h"

#include <math.h>
#include <string.h>

#define FEWEST_DECIMALS 3  // 1.571; two decimals say too little
#define MOST_DECIMALS 15
#define SINGLE_ROUNDING 1.2e-7  // of a number in single precision, relative

const rbv_pose rbv_pose_identity = {.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};

rbv_pose rbv_pose_multiply(const rbv_pose *a, const rbv_pose *b) {
  rbv_pose c = {{0}, {0}};
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 3; k++)
      for (int j = 0; j < 3; j++) c.R[3 * i + j] += a->R[3 * i + k] * b->R[3 * k + j];
    c.p[i] = a->p[i];
    for (int k = 0; k < 3; k++) c.p[i] += a->R[3 * i + k] * b->p[k];
  }
  return c;
}

/* sin(k pi/12), k = 0..6, from closed forms */
static double sine_of_twelfth(int k) {
  switch (k) {
    case 0: return 0;
    case 1: return (sqrt(6) - sqrt(2)) / 4;
    case 2: return 0.5;
    case 3: return sqrt(0.5);
    case 4: return sqrt(0.75);
    case 5: return (sqrt(6) + sqrt(2)) / 4;
    default: return 1;
  }
}

/* any integer k, by symmetry */
static double sine_of_multiple(long k) {
  k = ((k % 24) + 24) % 24;
  if (k >= 12) return -sine_of_multiple(k - 12);
  return sine_of_twelfth((int)(k <= 6 ? k : 12 - k));
}

/* true if the number is the exact value with fewer digits: rounded or cut off after some decimals,
 * or in single precision. A quotient of a whole number and a power of ten is rounded as a literal
 * is. */
static bool is_shortened(double given, double exact) {
  if (fabs(given - exact) <= SINGLE_ROUNDING * fmax(1, fabs(exact))) return true;
  double power = 1;
  for (int d = 1; d <= MOST_DECIMALS && fabs(exact) * power < 1e15; d++) {
    power *= 10;
    if (d >= FEWEST_DECIMALS &&
        (given == rint(exact * power) / power || given == trunc(exact * power) / power))
      return true;
  }
  return false;
}

void rbv_exact_sincos(double *sine, double *cosine, double *angle, bool snap) {
  const double multiple = rint(*angle / (RBV_PI / 12));
  const double exact = multiple * (RBV_PI / 12);
  const bool equal = fabs(*angle - exact) <= 4e-16 * fmax(1, fabs(exact));
  if (fabs(multiple) < 1e6 && (equal || (snap && is_shortened(*angle, exact)))) {
    *angle = exact;
    *sine = sine_of_multiple((long)multiple);
    *cosine = sine_of_multiple((long)multiple + 6);
  } else {
    *sine = sin(*angle);
    *cosine = cos(*angle);
  }
}

void rbv_rotation_rpy(double R[9], const double s[3], const double c[3]) {
  const double sr = s[0], cr = c[0], sp = s[1], cp = c[1], sy = s[2], cy = c[2];
  // clang-format off
  const double out[9] = {
      cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr,
      sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr,
      -sp,     cp * sr,                cp * cr};
  // clang-format on
  memcpy(R, out, sizeof out);
}

void rbv_rotation_to(double R[9], const double z[3]) {
  // the axis of the base that is farthest from z
  int far = 0;
  for (int i = 1; i < 3; i++)
    if (fabs(z[i]) < fabs(z[far])) far = i;
  double x[3] = {-z[far] * z[0], -z[far] * z[1], -z[far] * z[2]}, norm = 0;
  x[far] += 1;
  for (int i = 0; i < 3; i++) norm += x[i] * x[i];
  for (int i = 0; i < 3; i++) {
    const int a = (i + 1) % 3, b = (i + 2) % 3;
    R[3 * i] = x[i] / sqrt(norm);
    R[3 * i + 1] = (z[a] * x[b] - z[b] * x[a]) / sqrt(norm);
    R[3 * i + 2] = z[i];
  }
}

void rbv_rotation_quaternion(double R[9], const double q[4]) {
  const double w = q[0], x = q[1], y = q[2], z = q[3], square = w * w + x * x + y * y + z * z;
  const double s = square > 0 && isfinite(square) ? 2 / square : 0;
  // clang-format off
  const double out[9] = {1 - s * (y * y + z * z), s * (x * y - w * z),     s * (x * z + w * y),
                         s * (x * y + w * z),     1 - s * (x * x + z * z), s * (y * z - w * x),
                         s * (x * z - w * y),     s * (y * z + w * x),     1 - s * (x * x + y * y)};
  // clang-format on
  memcpy(R, out, sizeof out);
}

void rbv_rotation_axis(double R[9], const double axis[3], double angle) {
  const double length = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
  double s, c;
  rbv_exact_sincos(&s, &c, &angle, false);
  memcpy(R, rbv_pose_identity.R, sizeof rbv_pose_identity.R);
  if (!(length > 0)) return;
  const double a[3] = {axis[0] / length, axis[1] / length, axis[2] / length};
  const double cross[9] = {0, -a[2], a[1], a[2], 0, -a[0], -a[1], a[0], 0};
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      R[3 * i + j] = a[i] * a[j] * (1 - c) + (i == j ? c : 0) + cross[3 * i + j] * s;
}

rbv_pose rbv_pose_inverse(const rbv_pose *a) {
  rbv_pose b = {{0}, {0}};
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      b.R[3 * i + j] = a->R[3 * j + i];
      b.p[i] -= a->R[3 * j + i] * a->p[j];
    }
  return b;
}

/* the axis of the parent that z coincides with, to the last bit */
static int find_hinge(const joint_geometry *g, const double R[9]) {
  if (g->type != RBV_JOINT_REVOLUTE || g->axis[0] != 0 || g->axis[1] != 0 || g->axis[2] != 1)
    return -1;
  for (int i = 0; i < 3; i++)
    if (fabs(R[3 * i + 2]) == 1 && R[3 * i] == 0 && R[3 * i + 1] == 0 &&
        R[3 * ((i + 1) % 3) + 2] == 0 && R[3 * ((i + 2) % 3) + 2] == 0)
      return i;
  return -1;
}

void rbv_joint_compile(joint_geometry *g, const double R[9]) {
  const double *a = g->axis;
  // rotation about a: a a' + (I - a a') cos + [a]x sin
  const double cross[9] = {0, -a[2], a[1], a[2], 0, -a[0], -a[1], a[0], 0};
  memset(g->fixed, 0, sizeof g->fixed);
  memset(g->cosine, 0, sizeof g->cosine);
  memset(g->sine, 0, sizeof g->sine);
  memset(g->slide, 0, sizeof g->slide);
  g->hinge = find_hinge(g, R);
  g->meets = g->hinge >= 0 && g->origin[0] == 0 && g->origin[1] == 0 && g->origin[2] == 0;
  if (g->type == RBV_JOINT_PRISMATIC) {
    memcpy(g->fixed, R, sizeof g->fixed);
    for (int i = 0; i < 3; i++)
      for (int k = 0; k < 3; k++) g->slide[i] += R[3 * i + k] * a[k];
    return;
  }
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      for (int k = 0; k < 3; k++) {
        g->fixed[3 * i + j] += R[3 * i + k] * a[k] * a[j];
        g->cosine[3 * i + j] += R[3 * i + k] * ((k == j) - a[k] * a[j]);
        g->sine[3 * i + j] += R[3 * i + k] * cross[3 * k + j];
      }
}

void rbv_inertial_transform(double out[RBV_INERTIAL], const double in[RBV_INERTIAL],
                            const rbv_pose *pose) {
  const double *R = pose->R, *p = pose->p, m = in[9];
  const double I[9] = {in[0], in[1], in[2], in[1], in[3], in[4], in[2], in[4], in[5]};

  // turn: I' = R I R', h' = R h
  double RI[9] = {0}, J[9] = {0}, h[3] = {0};
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) {
      h[i] += R[3 * i + k] * in[6 + k];
      for (int j = 0; j < 3; j++) RI[3 * i + j] += R[3 * i + k] * I[3 * k + j];
    }
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      for (int k = 0; k < 3; k++) J[3 * i + j] += RI[3 * i + k] * R[3 * j + k];

  // shift the origin by p: the body's first moment about the old one is h'
  const double trace =
      2 * (p[0] * h[0] + p[1] * h[1] + p[2] * h[2]) + m * (p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      J[3 * i + j] += (i == j) * trace - p[i] * h[j] - h[i] * p[j] - m * p[i] * p[j];

  const double result[RBV_INERTIAL] = {
      J[0], J[1], J[2], J[4], J[5], J[8], h[0] + m * p[0], h[1] + m * p[1], h[2] + m * p[2], m};
  memcpy(out, result, sizeof result);
}

void rbv_inertial_matrix(double T[RBV_INERTIAL * RBV_INERTIAL], const rbv_pose *pose) {
  for (int c = 0; c < RBV_INERTIAL; c++) {
    double unit[RBV_INERTIAL] = {0};
    unit[c] = 1;
    rbv_inertial_transform(T + RBV_INERTIAL * c, unit, pose);
  }
}

void rbv_inertial_split(double out[RBV_INERTIAL], const double p[RBV_INERTIAL]) {
  const double m = p[9], c[3] = {p[6] / m, p[7] / m, p[8] / m};
  const double square = c[0] * c[0] + c[1] * c[1] + c[2] * c[2];
  static const int row[6] = {0, 0, 0, 1, 1, 2}, column[6] = {0, 1, 2, 1, 2, 2};
  out[0] = m;
  for (int i = 0; i < 3; i++) out[1 + i] = c[i];
  for (int i = 0; i < 6; i++)
    out[4 + i] = p[i] - m * ((row[i] == column[i]) * square - c[row[i]] * c[column[i]]);
}

rbv_pose rbv_joint_pose(const joint_geometry *g, double x, double sine, double cosine) {
  rbv_pose pose;
  for (int i = 0; i < 9; i++) pose.R[i] = g->fixed[i] + g->cosine[i] * cosine + g->sine[i] * sine;
  for (int i = 0; i < 3; i++) pose.p[i] = g->origin[i] + g->slide[i] * x;
  return pose;
}

/* axis i of the order in which axis `last` is the third */
static int in_order(int i, int last) { return (i + last + 1) % 3; }

joint_geometry rbv_joint_ordered(const joint_geometry *from, int parent, int own) {
  joint_geometry g = *from;
  double R[9];  // at q + offset = 0
  for (int i = 0; i < 3; i++) {
    g.axis[i] = from->axis[in_order(i, own)];
    g.origin[i] = from->origin[in_order(i, parent)];
    for (int k = 0; k < 3; k++) {
      const int at = 3 * in_order(i, parent) + in_order(k, own);
      R[3 * i + k] = from->fixed[at] + from->cosine[at];
    }
  }
  rbv_joint_compile(&g, R);
  return g;
}
