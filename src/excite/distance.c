#include "excite/distance.h"

#include <math.h>

#include "device/point_math.h"

double rbv_segment_distance(const double a[3], const double b[3], const double c[3],
                            const double d[3]) {
  return sqrt(segment_square(constant(a), constant(b), constant(c), constant(d)));
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
