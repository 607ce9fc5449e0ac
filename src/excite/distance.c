#include "excite/distance.h"

#include <math.h>

static double dot(const double a[3], const double b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static double unit(double x) { return x < 0 ? 0 : x > 1 ? 1 : x; }

/* nearest points a + s (b - a), c + t (d - c), each clamped in turn */
double rbv_segment_distance(const double a[3], const double b[3], const double c[3],
                            const double d[3]) {
  double u[3], v[3], r[3], e[3];
  for (int i = 0; i < 3; i++) {
    u[i] = b[i] - a[i];
    v[i] = d[i] - c[i];
    r[i] = a[i] - c[i];
  }
  const double uu = dot(u, u), vv = dot(v, v), uv = dot(u, v), ur = dot(u, r), vr = dot(v, r);
  double s = 0, t = 0;
  if (uu > 0 && vv > 0) {
    const double det = uu * vv - uv * uv;
    s = det > 1e-14 * uu * vv ? unit((uv * vr - ur * vv) / det) : 0;
    t = unit((uv * s + vr) / vv);
    s = unit((uv * t - ur) / uu);
  } else if (uu > 0) {
    s = unit(-ur / uu);
  } else if (vv > 0) {
    t = unit(vr / vv);
  }
  for (int i = 0; i < 3; i++) e[i] = r[i] + s * u[i] - t * v[i];
  return sqrt(dot(e, e));
}

static double point_box(const double a[3], const double b[3], double s, const double min[3],
                        const double max[3]) {
  double sum = 0;
  for (int i = 0; i < 3; i++) {
    const double x = a[i] + s * (b[i] - a[i]), e = fmax(0, fmax(min[i] - x, x - max[i]));
    sum += e * e;
  }
  return sqrt(sum);
}

/* the distance of a point from a box is convex along a line */
double rbv_box_distance(const double a[3], const double b[3], const double min[3],
                        const double max[3]) {
  double low = 0, high = 1;
  for (int i = 0; i < 60; i++) {
    const double x = low + (high - low) / 3, y = high - (high - low) / 3;
    if (point_box(a, b, x, min, max) <= point_box(a, b, y, min, max))
      high = y;
    else
      low = x;
  }
  return point_box(a, b, low, min, max);
}
