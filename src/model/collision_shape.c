#include "model/collision_shape.h"

#include <math.h>
#include <string.h>

rbv_rod rbv_rod_of_box(const double low[3], const double high[3]) {
  double side[3];
  rbv_rod rod = {0};
  for (int i = 0; i < 3; i++) {
    side[i] = (high[i] - low[i]) / 2;
    rod.center[i] = (high[i] + low[i]) / 2;
    if (side[i] > side[rod.axis]) rod.axis = i;
  }
  rod.half = side[rod.axis];
  rod.radius = hypot(side[(rod.axis + 1) % 3], side[(rod.axis + 2) % 3]);
  return rod;
}

/*
 * Distance d from the end of the rod to the end of the capsule's segment. The sphere must reach the
 * rim, R^2 = r^2 + d^2. The volume 2 pi R^2 (l - d) + 4/3 pi R^3 is stationary where R^2 = 2 d (l -
 * d + R). A flat rod has no such d; a sphere encloses it.
 */
static double set_back(double l, double r) {
  if (hypot(r, l) >= 2 * l) return l;
  double low = 0, high = l;
  for (int i = 0; i < 60; i++) {
    const double d = (low + high) / 2, R = hypot(r, d);
    if (2 * d * (l - d + R) < R * R)
      low = d;
    else
      high = d;
  }
  return (low + high) / 2;
}

void rbv_rod_capsule(rbv_capsule *out, const rbv_rod *rod, const rbv_pose *pose) {
  const double d = set_back(rod->half, rod->radius);
  double *const end[2] = {out->from, out->to};
  for (int e = 0; e < 2; e++) {
    double x[3];
    memcpy(x, rod->center, sizeof x);
    x[rod->axis] += (e ? 1 : -1) * (rod->half - d);
    for (int i = 0; i < 3; i++)
      end[e][i] = pose->p[i] + pose->R[3 * i] * x[0] + pose->R[3 * i + 1] * x[1] +
                  pose->R[3 * i + 2] * x[2];
  }
  out->radius = hypot(rod->radius, d);
}
