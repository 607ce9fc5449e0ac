/* Trajectory class bspline: uniform cubic B-splines. */
#include "trajectory/classes.h"

/* control point i of a uniform cubic B-spline; the first and the last are repeated three times, so
 * that the curve is at rest at both ends */
static double control(const double *x, int count, int i) {
  return x[i < 2 ? 0 : i - 2 < count ? i - 2 : count - 1];
}

static void build(rbv_trajectory *t) {
  for (int j = 0; j < t->shape.njoint; j++) {
    curve *c = &t->curve[j];
    const double *x = t->x + c->first;
    const int n = t->counts[j];
    const double h = t->shape.duration_s / (n + 1);
    c->npiece = n + 1;
    for (int i = 0; i <= n; i++) {
      const double a = control(x, n, i), b = control(x, n, i + 1), d = control(x, n, i + 2),
                   e = control(x, n, i + 3);
      c->piece[i] =
          (piece){.start = i * h,
                  .c = {(a + 4 * b + d) / 6, (d - a) / (2 * h), (a - 2 * b + d) / (2 * h * h),
                        (e - 3 * d + 3 * b - a) / (6 * h * h * h)}};
    }
  }
  t->end = t->shape.duration_s;
}

static void gradient(double *g, const rbv_trajectory *t, int joint, int order, double time) {
  const curve *c = &t->curve[joint];
  const int n = t->counts[joint], i = rbv_find_piece(c, time);
  const double h = t->shape.duration_s / (n + 1);
  const double u = time - c->piece[i].start;
  for (int p = 0; p < n; p++) g[p] = 0;
  for (int k = 0; k < 4; k++) {
    const double e[4] = {k == 0, k == 1, k == 2, k == 3};
    const double basis[DEGREE + 1] = {(e[0] + 4 * e[1] + e[2]) / 6, (e[2] - e[0]) / (2 * h),
                                      (e[0] - 2 * e[1] + e[2]) / (2 * h * h),
                                      (e[3] - 3 * e[2] + 3 * e[1] - e[0]) / (6 * h * h * h)};
    const int at = i + k < 2 ? 0 : i + k - 2 < n ? i + k - 2 : n - 1;
    g[at] += rbv_power_eval(basis, order, u);
  }
}

static int pieces(const rbv_trajectory_shape *s, int count) {
  (void)s;
  return count + 1;
}

static const coefficient_group groups[] = {{"points", ROLE_POINT, true, false}, {0}};

const trajectory_class rbv_class_bspline = {.terms = "control points",
                                            .usual = 12,
                                            .least = 1,
                                            .group = groups,
                                            .pieces = pieces,
                                            .build = build,
                                            .gradient = gradient,
                                            .samples_per_term = 16,
                                            .waves_per_term = 0.5,
                                            .more_waves = 0.5,
                                            .widen = 1};
