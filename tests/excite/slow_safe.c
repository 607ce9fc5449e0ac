/*
 * Three designs for each of twenty robots whose files have no shapes: at steps of 0.1 ms no link is
 * below the mounting plane and none goes through another. The check shares nothing with the library
 * but the pose of a frame: it has its own links, distances and rules.
 */
#include <math.h>
#include <roberval/sys/design.h>
#include <roberval/sys/dynamics.h>
#include <roberval/sys/report.h>
#include <roberval/sys/result.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/support.h"
#include "job/job.h"
#include "support.h"
#include "trajectory/trajectory.h"

#define JOINTS 8
#define STEP_S 1e-4

/* ---- robots ---- */

static const char puma560[] =
    "name: puma560\n"
    "joints:\n"
    "  - {mdh: {r: 0.672}, limits: {lower: -2.79, upper: 2.79, velocity: 2, acceleration: 6}}\n"
    "  - {mdh: {alpha: pi/2}, limits: {lower: -0.78, upper: 3.92, velocity: 2, acceleration: 6}}\n"
    "  - {mdh: {d: 0.4318, r: 0.15005}, limits: {lower: -3.92, upper: 0.78, velocity: 2, "
    "acceleration: 6}}\n"
    "  - {mdh: {alpha: -pi/2, d: 0.0203, r: 0.4318}, limits: {lower: -1.91, upper: 2.96, velocity: "
    "3, acceleration: 9}}\n"
    "  - {mdh: {alpha: pi/2}, limits: {lower: -1.74, upper: 1.74, velocity: 3, acceleration: 9}}\n"
    "  - {mdh: {alpha: -pi/2}, limits: {lower: -4.6, upper: 4.6, velocity: 3, acceleration: 9}}\n";

static double between(uint64_t seed, uint64_t *k, double low, double high) {
  return low + (high - low) * rbv_random_uniform(seed, 77, (*k)++);
}

/* 3 to 7 axes on a column, every second one across the one before, some of them slides */
static rbv_model *random_arm(uint64_t seed) {
  uint64_t k = 0;
  char text[4096];
  const int n = 3 + (int)(seed % 5);
  int at = snprintf(text, sizeof text, "name: random%d\njoints:\n", (int)seed);
  for (int j = 0; j < n; j++) {
    const double alpha = j == 0 ? 0 : j % 2 ? 1.5707963267948966 : -1.5707963267948966;
    const double d = j == 0 ? 0 : between(seed, &k, 0, 0.4);
    const double r = j == 0 ? between(seed, &k, 0.2, 0.6) : between(seed, &k, 0, 0.3);
    const bool slides = j == n - 1 && seed % 3 == 0;
    const double middle = between(seed, &k, -0.5, 0.5), half = between(seed, &k, 1, 3);
    at += snprintf(text + at, sizeof text - (size_t)at,
                   "  - {type: %s, mdh: {alpha: %.17g, d: %.17g, r: %.17g},\n"
                   "     limits: {lower: %.6f, upper: %.6f, velocity: %.6f, acceleration: %.6f}}\n",
                   slides ? "prismatic" : "revolute", alpha, d, r, slides ? 0 : middle - half,
                   slides ? 0.3 : middle + half, slides ? 0.4 : between(seed, &k, 0.5, 4),
                   slides ? 2 : between(seed, &k, 2, 20));
  }
  rbv_model *m;
  assert_ok(rbv_model_parse(&m, "random", text, (size_t)at, NULL));
  return m;
}

#define ROBOTS 20

static rbv_model *robot_at(int i) {
  static const char *const files[] = {"tx40",
                                      "a460",
                                      "ns16",
                                      "lwr4+",
                                      ROBERVAL_SOURCE "/examples/arm.yaml",
                                      ROBERVAL_SOURCE "/examples/two_link.urdf",
                                      "models/ur10e.urdf",
                                      "models/panda_nohand.urdf",
                                      "models/iiwa14.urdf",
                                      "kuka_kr300/kr300_weigand2021.urdf"};
  rbv_model *m;
  if (i < RBV_COUNT(files)) {
    assert_ok(rbv_model_load(&m, i < 6 ? files[i] : recording(files[i]), NULL));
    return m;
  }
  if (i > RBV_COUNT(files)) return random_arm((uint64_t)i);
  assert_ok(rbv_model_parse(&m, "puma560", puma560, sizeof puma560 - 1, NULL));
  return m;
}

/* ---- the independent check ---- */

static double distance(const double a[3], const double b[3]) {
  double sum = 0;
  for (int i = 0; i < 3; i++) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sqrt(sum);
}

/* from a point to a segment */
static double to_segment(const double x[3], const double a[3], const double b[3]) {
  double along = 0, length = 0, p[3];
  for (int i = 0; i < 3; i++) {
    along += (x[i] - a[i]) * (b[i] - a[i]);
    length += (b[i] - a[i]) * (b[i] - a[i]);
  }
  const double s = length > 0 ? fmin(1, fmax(0, along / length)) : 0;
  for (int i = 0; i < 3; i++) p[i] = a[i] + s * (b[i] - a[i]);
  return distance(x, p);
}

/* between two segments: convex along the first one */
static double segments(const double a[3], const double b[3], const double c[3], const double d[3]) {
  double low = 0, high = 1, p[3], best = INFINITY;
  for (int k = 0; k < 40; k++) {
    const double s[2] = {low + (high - low) / 3, high - (high - low) / 3};
    double f[2];
    for (int e = 0; e < 2; e++) {
      for (int i = 0; i < 3; i++) p[i] = a[i] + s[e] * (b[i] - a[i]);
      f[e] = to_segment(p, c, d);
      best = fmin(best, f[e]);
    }
    if (f[0] <= f[1])
      high = s[1];
    else
      low = s[0];
  }
  return best;
}

/* origins of the base and of all joints: link j is the segment from origin j to origin j + 1 */
static void origins(double p[JOINTS + 1][3], rbv_dynamics *d, const double *q, int n,
                    double floor) {
  double R[9];
  p[0][0] = p[0][1] = 0;
  p[0][2] = floor;
  for (int j = 0; j < n; j++) rbv_dynamics_pose(R, p[j + 1], d, q, j);
}

/* The same with the last joint at zero if it slides. Its rod is straight: before it, link n - 1
 * ends where the retracted rod does. */
static void retracted(double p[JOINTS + 1][3], const rbv_model *m, rbv_dynamics *d, const double *q,
                      int n, double floor) {
  double still[JOINTS];
  memcpy(still, q, (size_t)n * sizeof *q);
  if (rbv_model_joint(m, n - 1)->type == RBV_JOINT_PRISMATIC) still[n - 1] = 0;
  origins(p, d, still, n, floor);
}

typedef struct {
  double lowest;   // height of a link above the plane, minus its radius
  double closest;  // distance of two links, as a share of what they must keep
  int far_pairs;   // pairs with whole radii
} verdict;

static verdict look(const rbv_model *m, const rbv_trajectory *t, double radius) {
  const int n = rbv_model_joint_count(m);
  const double floor = rbv_model_floor(m);
  double first[JOINTS + 1][3], p[JOINTS + 1][3], from[JOINTS + 1][3], q[JOINTS] = {0};
  double length[JOINTS + 1] = {0}, rest[JOINTS + 1] = {0};
  bool moves[JOINTS + 1] = {false};
  verdict v = {INFINITY, INFINITY, 0};
  rbv_dynamics *d;
  assert_true(n <= JOINTS);
  assert_ok(rbv_dynamics_new(&d, m));
  // lengths that links always have: slides are retracted at zero
  origins(p, d, q, n, floor);
  for (int j = 0; j < n; j++) rest[j] = distance(p[j], p[j + 1]);
  const ptrdiff_t count = (ptrdiff_t)(rbv_trajectory_duration(t) / STEP_S) + 1;
  for (ptrdiff_t k = 0; k <= count; k++) {
    rbv_trajectory_eval(q, NULL, NULL, NULL, t, (double)k * STEP_S);
    origins(p, d, q, n, floor);
    retracted(from, m, d, q, n, floor);
    if (k == 0) memcpy(first, p, sizeof p);
    for (int j = 0; j <= n; j++) {
      // the column: origins whose height does not change
      moves[j] = moves[j] || fabs(p[j][2] - first[j][2]) > 1e-5;
      if (moves[j]) v.lowest = fmin(v.lowest, p[j][2] - floor - radius);
      if (j < n) length[j] = distance(p[j], p[j + 1]);
    }
    for (int a = 0; a < n; a++)
      for (int b = a + 2; b <= n; b++) {
        double way = 0;
        for (int link = a + 1; link < b; link++) way += rest[link];
        // links that a short one joins are close in every pose
        const bool far = way > 4.01 * radius;
        const double need = far ? 2 * radius : 0.45 * way;
        if (need < 5e-3) continue;
        if (k == 0) v.far_pairs += far;
        double middle[2][3], half = (length[a] + (b < n ? length[b] : 0)) / 2;
        for (int i = 0; i < 3; i++) {
          middle[0][i] = (p[a][i] + p[a + 1][i]) / 2;
          middle[1][i] = b < n ? (p[b][i] + p[b + 1][i]) / 2 : p[b][i];
        }
        if (distance(middle[0], middle[1]) - half > 2 * need) continue;
        // a rod in front of the last link
        double gap = segments(p[a], p[a + 1], p[b], b < n ? from[b + 1] : from[b]);
        if (b >= n - 1) gap = fmin(gap, segments(p[a], p[a + 1], from[n], p[n]));
        v.closest = fmin(v.closest, gap / need);
      }
  }
  rbv_dynamics_free(d);
  return v;
}

/* ---- designs ---- */

static void assert_amber(const rbv_design *d) {
  rbv_report *page;
  assert_ok(rbv_report_design(&page, d));
  assert_true(page->verdict >= RBV_VERDICT_CARE);
  rbv_report_free(page);
}

/* what the formats that a robot runs get; the others are always allowed */
static void assert_robot_files(const rbv_design *d, rbv_status status) {
  for (int f = 0; rbv_trajectory_format_at(f); f++)
    assert_int_equal(rbv_design_allows(d, f), rbv_trajectory_format_at(f)->robot ? status : RBV_OK);
}

static void design(int robot, int number) {
  static const char *const kinds[] = {"fourier", "bspline", "sines"};
  rbv_model *m = robot_at(robot);
  rbv_design_options o = rbv_design_defaults();
  o.kind = kinds[number];
  o.columns = "rigid";
  o.seed = (uint64_t)(100 * robot + number);
  o.starts = 1;
  o.budget_s = 120;  // never used up: one start takes a second
  o.period_s = 6;
  o.blend_s = 0.5;
  o.search = number == 2 ? "ga" : NULL;
  o.population = 20;
  o.generations = 4;
  o.rate_hz = 100;
  rbv_design *d;
  assert_ok(rbv_design_new(&d, m, &o, NULL));
  assert_true(d->check[3].done && d->check[3].assumed && d->check[4].done);
  assert_ok(rbv_design_solve(d, NULL));
  if (!d->info.feasible) fail_msg("%s: %s", rbv_model_name(m), d->info.reason);
  assert_true(d->used[0].feasible);
  const verdict v = look(m, d->trajectory[0], d->constraints->radius);
  print_message(
      "%-12s %-8s radius %.3f: %.4f m above the plane, %.3f of the distance, %d pairs; "
      "condition %.0f\n",
      rbv_model_name(m), o.kind, d->constraints->radius, v.lowest, v.closest, v.far_pairs,
      d->score.condition_scaled);
  assert_true(v.lowest >= 0);
  assert_true(v.closest >= 1);
  // the shapes are assumed: amber, and no file for robots
  assert_amber(d);
  assert_robot_files(d, RBV_EOPTION);
  const double radius = d->constraints->radius;
  rbv_design_free(d);

  // the radius is given by the user
  o.link_radius = radius;
  assert_ok(rbv_design_new(&d, m, &o, NULL));
  assert_true(d->check[3].done && !d->check[3].assumed);
  assert_robot_files(d, RBV_OK);
  rbv_design_free(d);

  // the same without the plane: amber, and no file for robots
  o.floor = false;
  assert_ok(rbv_design_new(&d, m, &o, NULL));
  assert_robot_files(d, RBV_EOPTION);
  if (number == 0) {
    assert_ok(rbv_design_solve(d, NULL));
    assert_true(d->info.feasible);
    assert_amber(d);
  }
  rbv_design_free(d);
  rbv_model_free(m);
}

static void test_sixty_designs(void **state) {
  (void)state;
  for (int robot = 0; robot < ROBOTS; robot++)
    for (int number = 0; number < 3; number++) design(robot, number);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_sixty_designs)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
