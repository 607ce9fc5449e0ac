/* Repair on a grid by the sources of the device library, in plain C, beside the repair of the CPU;
 * searches that use it. */
#include <math.h>
#include <roberval/sys/trajectory.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "designs.h"
#include "device/device.h"
#include "device/device_internal.h"
#include "device/plain_device.h"
#include "excite/flat_constraints.h"
#include "motions.h"
#include "odd_arm.h"

enum { MOTIONS = 40, GRID_HZ = 100 };

typedef struct {
  int whole;      // both leave the motion as large as its joints allow
  int same;       // factors that differ by at most two units
  int other;      // factors that differ by more
  int unchanged;  // motions of the device that the CPU leaves as they are
} tally;

typedef struct {
  keeper k;
  rbv_trajectory *t;
  int n, total, each;  // joints, coefficients of all, of one
  flat_constraints f;
  double *x;                     // MOTIONS x total
  device_repaired out[MOTIONS];  // as the stand-in finds them
} repairs;

/* motions about means around the centre, of increasing size; those of `size` 1 move 0.2 rad or m */
static void draw(repairs *r, double size, bool mean) {
  r->x = malloc((size_t)(MOTIONS * r->total) * sizeof *r->x);
  for (int i = 0; i < MOTIONS; i++)
    for (int p = 0; p < r->total; p++) {
      const double z = rbv_random_normal(5, (uint64_t)i, (uint64_t)p);
      const bool position = !mean || p % r->each == 0;
      r->x[i * r->total + p] = (position ? r->k.center[p / r->each] : 0) +
                               z * (mean && position ? 0.3 : size * (0.2 + 0.05 * (i % 20)));
    }
}

static void repairs_new(repairs *r, const rbv_model *m, const rbv_constraints *c,
                        rbv_trajectory_class kind, double size) {
  assert_ok(rbv_keeper_new(&r->k, m, c));
  assert_ok(rbv_keeper_center(&r->k));
  rbv_trajectory_shape shape = rbv_trajectory_defaults();
  shape.njoint = r->n = rbv_model_joint_count(m);
  shape.kind = kind;
  rbv_trajectory_class_terms(kind, &shape.count, NULL);
  assert_ok(rbv_trajectory_new(&r->t, &shape, NULL));
  r->total = rbv_trajectory_coefficient_count(r->t);
  r->each = r->total / r->n;
  draw(r, size, kind == RBV_TRAJECTORY_FOURIER);
  assert_ok(rbv_flat_constraints(&r->f, &r->k, r->t, 1. / GRID_HZ, shape.count));
  r->f.repair.individuals = MOTIONS;
  for (int i = 0; i < MOTIONS; i++) rbv_repair_means(r->x + i * r->total, r->t, &r->k);
  device_repaired again[MOTIONS];
  device_repair_arrays a = {r->f.basis, r->x, r->f.values, r->out};
  char text[200];
  assert_int_equal(rbv_plain_device.repair(&r->f.repair, &a, NULL, NULL, text, sizeof text), 0);
  // again: the same bits
  a.repaired = again;
  assert_int_equal(rbv_plain_device.repair(&r->f.repair, &a, NULL, NULL, text, sizeof text), 0);
  assert_memory_equal(r->out, again, sizeof again);
}

static void repairs_free(repairs *r) {
  rbv_flat_constraints_free(&r->f);
  rbv_trajectory_free(r->t);
  rbv_keeper_free(&r->k);
  free(r->x);
}

/* units by which the CPU scaled joint j beyond its own factor: from its largest coefficient, but
 * the mean */
static double units_of(const repairs *r, const double *after, const double *before, int j,
                       double own) {
  const bool mean = r->f.repair.mean >= 0;
  const double at = mean ? 0 : r->k.center[j];
  int most = mean;
  for (int p = most; p < r->each; p++)
    if (fabs(before[j * r->each + p] - at) > fabs(before[j * r->each + most] - at)) most = p;
  most += j * r->each;
  return (after[most] - at) / (before[most] - at) / own * DEVICE_UNITS;
}

static tally compare(const rbv_model *m, const rbv_constraints *c, rbv_trajectory_class kind,
                     double size) {
  tally seen = {0};
  repairs r;
  repairs_new(&r, m, c, kind, size);
  double *y = malloc(2 * (size_t)r.total * sizeof *y), *z = y + r.total;
  for (int i = 0; i < MOTIONS; i++) {
    const double *x = r.x + i * r.total;
    const device_repaired *out = &r.out[i];
    memcpy(y, x, (size_t)r.total * sizeof *y);
    assert_true(rbv_keeper_repair(r.t, y, &r.k, true, 0.02));
    for (int j = 0; j < r.n; j++) {
      const double units = units_of(&r, y, x, j, out->own[j]);
      // the own factor is smaller than that of the CPU by the margin, which is below 0.03 units
      const double off = units - out->share;
      if (out->share == DEVICE_UNITS && fabs(off) < 0.1)
        seen.whole += j == 0;
      else if (fabs(off) < 2.1)
        seen.same += j == 0;
      else
        seen.other++;
    }
    assert_true(out->share > 0);
    memcpy(y, x, (size_t)r.total * sizeof *y);
    rbv_repair_scale(y, r.t, &r.k, out->own, out->share, out->about_mean);
    memcpy(z, y, (size_t)r.total * sizeof *z);
    assert_true(rbv_keeper_repair(r.t, z, &r.k, true, 0.02));
    seen.unchanged += memcmp(y, z, (size_t)r.total * sizeof *y) == 0;
  }
  free(y);
  repairs_free(&r);
  return seen;
}

/* limits, distances, the floor, torques and the speed of the tool of random robots */
static void test_factors_of_random_robots(void **state) {
  (void)state;
  tally all = {0};
  for (uint64_t seed = 0; seed < 8; seed++) {
    any_robot r;
    any_robot_new(&r, seed, 0.27);
    const rbv_trajectory_class kind =
        seed % 3 == 2 ? RBV_TRAJECTORY_BSPLINE : RBV_TRAJECTORY_FOURIER;
    const tally seen = compare(r.m, &r.c, kind, seed < 4 ? 1 : 6);
    all.same += seen.same;
    all.other += seen.other;
    all.unchanged += seen.unchanged;
    rbv_model_free(r.m);
  }
  // 320 motions; a quarter of them is limited by a constraint that couples joints
  assert_true(all.same > 80);
  assert_int_equal(all.other, 0);
  // one in a hundred may touch something between two samples
  assert_true(all.unchanged >= 317);
}

/* torques alone, of three robots */
static void test_torques_of_any_chain(void **state) {
  (void)state;
  rbv_model *m;
  assert_ok(rbv_model_parse(&m, "odd", odd_arm, strlen(odd_arm), NULL));
  const int columns = rbv_model_column_count(m);
  double value[3 * 100];
  assert_true(columns <= 100);
  for (int i = 0; i < 3 * columns; i++) {
    const rbv_column *c = rbv_model_column(m, i % columns);
    // masses of a few kilograms with consistent inertias, a little friction
    value[i] = c->component == 9 ? 3 : c->component >= 6 ? 0.1 : 0.05;
    if (c->component == 0 || c->component == 3 || c->component == 5) value[i] = 0.3;
    value[i] *= 1 + 0.2 * (i / columns) * rbv_random_normal(3, 1, (uint64_t)i);
  }
  rbv_limits limits[4];
  for (int j = 0; j < 4; j++)
    limits[j] = (rbv_limits){-2, 2, 4, INFINITY, INFINITY, j == 1 ? 90 : 60};
  const rbv_constraints c = {
      .limits = limits, .prior = value, .robots = value + columns, .nrobot = 2};
  const tally seen = compare(m, &c, RBV_TRAJECTORY_FOURIER, 4);
  // torques bind in every motion
  assert_int_equal(seen.same, MOTIONS);
  assert_int_equal(seen.other, 0);
  assert_int_equal(seen.unchanged, MOTIONS);
  rbv_model_free(m);
}

/* ---- searches ---- */

typedef struct {
  any_robot r;
  rbv_excite *e;
  rbv_trajectory_shape s;
  rbv_search_options find;
} setting;

static void setting_new(setting *x, uint64_t seed, const device_table *table) {
  any_robot_new(&x->r, seed, 0.27);
  rbv_excite_options o = rbv_excite_defaults();
  o.columns = RBV_COLUMNS_RIGID;
  assert_ok(rbv_excite_new(&x->e, x->r.m, &o));
  x->s = rbv_trajectory_defaults();
  x->s.njoint = x->r.n;
  x->s.blend_s = 0.5;
  x->find = rbv_search_defaults();
  x->find.search = RBV_SEARCH_GA;
  x->find.population = 10;
  x->find.generations = 3;
  x->find.polish = false;
  x->find.seed = seed;
  assert_ok(rbv_device_of_table(&x->find.device, table));
}

static void setting_free(setting *x) {
  rbv_device_close(x->find.device);
  rbv_excite_free(x->e);
  rbv_model_free(x->r.m);
}

static rbv_status run(rbv_trajectory **t, rbv_search_info *info, const setting *x) {
  return rbv_excite_search(t, info, x->e, &x->r.c, &x->s, &x->find);
}

/* what is reported keeps all constraints at a step that no search looks at, for curves of both
 * classes, with two trajectories and with gradients from the best individual */
static void test_designs_keep_all_constraints(void **state) {
  (void)state;
  for (uint64_t seed = 0; seed < 4; seed++) {
    setting x;
    setting_new(&x, seed + 4, &rbv_plain_device);
    if (seed % 2) {
      x.s.kind = RBV_TRAJECTORY_BSPLINE;
      rbv_trajectory_class_terms(x.s.kind, &x.s.count, NULL);
    }
    x.find.trajectories = seed == 2 ? 2 : 1;
    x.find.polish = seed == 0;
    x.find.starts = 1;
    x.find.iterations = 3;
    rbv_trajectory *t[2];
    rbv_search_info info;
    assert_ok(run(t, &info, &x));
    assert_true(info.feasible && info.best <= info.first);
    for (int i = 0; i < x.find.trajectories; i++) {
      assert_keeps(x.r.m, &x.r.c, t[i], 5e-3);
      rbv_trajectory_free(t[i]);
    }
    setting_free(&x);
  }
}

/* the same bits on one thread, on two, and again */
static void test_searches_repeat(void **state) {
  (void)state;
  setting x;
  setting_new(&x, 3, &rbv_plain_device);
  rbv_trajectory *t[2];
  rbv_search_info info[2];
  for (int i = 0; i < 2; i++) {
    x.find.threads = 1 + i;
    assert_ok(run(&t[i], &info[i], &x));
  }
  assert_true(info[0].best == info[1].best && info[0].evaluations == info[1].evaluations);
  assert_memory_equal(rbv_trajectory_get(t[0]), rbv_trajectory_get(t[1]),
                      (size_t)rbv_trajectory_coefficient_count(t[0]) * sizeof(double));
  rbv_trajectory_free(t[0]);
  rbv_trajectory_free(t[1]);
  setting_free(&x);
}

static bool stop_after(void *payload, double seconds, double best, long evaluations) {
  (void)seconds, (void)best, (void)evaluations;
  return --*(int *)payload > 0;
}

/* stopped at any place: the best so far, which keeps all constraints */
static void test_stopping_keeps_the_best(void **state) {
  (void)state;
  for (int calls = 1; calls < 40; calls += 12) {
    setting x;
    setting_new(&x, 7, &rbv_plain_device);
    int left = calls;
    x.find.progress = stop_after;
    x.find.payload = &left;
    rbv_trajectory *t;
    rbv_search_info info;
    assert_ok(run(&t, &info, &x));
    assert_true(info.stopped && info.feasible);
    assert_keeps(x.r.m, &x.r.c, t, 1e-2);
    rbv_trajectory_free(t);
    setting_free(&x);
  }
}

static int broken_repair(const device_repair *repair, const device_repair_arrays *arrays,
                         device_continue *go, void *self, char *text, size_t size) {
  (void)repair, (void)arrays, (void)go, (void)self;
  snprintf(text, size, "out of memory on the device");
  return 2;
}

static void test_a_device_that_fails(void **state) {
  (void)state;
  device_table table = rbv_plain_device;
  table.repair = broken_repair;
  setting x;
  setting_new(&x, 3, &table);
  rbv_trajectory *t;
  rbv_search_info info;
  assert_refused(run(&t, &info, &x), RBV_ENUM, "the device failed: out of memory on the device");
  assert_null(t);
  // boxes are not on devices: the CPU repairs, and the device is not asked
  const rbv_box far = {{5, 5, 5}, {6, 6, 6}};
  x.r.c.box = &far;
  x.r.c.nbox = 1;
  x.find.population = 3;
  x.find.generations = 1;
  assert_ok(run(&t, &info, &x));
  assert_true(info.feasible);
  rbv_trajectory_free(t);
  setting_free(&x);
}

/* a device stops between two motions */
static void test_a_repair_can_be_cancelled(void **state) {
  (void)state;
  any_robot robot;
  any_robot_new(&robot, 3, 0.27);
  repairs r;
  repairs_new(&r, robot.m, &robot.c, RBV_TRAJECTORY_FOURIER, 1);
  rbv_device *d;
  assert_ok(rbv_device_of_table(&d, &rbv_plain_device));
  const device_repair_arrays a = {r.f.basis, r.x, r.f.values, r.out};
  memset(r.out, 0xff, sizeof r.out);
  bool stopped;
  int cancel = 0;
  rbv_cancel(&cancel);
  assert_ok(rbv_device_repair(&stopped, d, &r.f.repair, &a, &cancel));
  assert_true(stopped);
  assert_true(r.out[0].share > 0 && r.out[1].share == -1);
  rbv_device_close(d);
  repairs_free(&r);
  rbv_model_free(robot.m);
}

static void test_refusals(void **state) {
  (void)state;
  any_robot robot;
  any_robot_new(&robot, 3, 0.27);
  keeper k;
  assert_ok(rbv_keeper_new(&k, robot.m, &robot.c));
  assert_ok(rbv_keeper_center(&k));
  rbv_trajectory_shape shape = rbv_trajectory_defaults();
  shape.njoint = robot.n;
  shape.kind = RBV_TRAJECTORY_SINES;
  rbv_trajectory *t;
  flat_constraints f;
  assert_ok(rbv_trajectory_new(&t, &shape, NULL));
  assert_refused(rbv_flat_constraints(&f, &k, t, 0.01, 5), RBV_EUNSUPPORTED, "linear");
  rbv_trajectory_free(t);
  shape.kind = RBV_TRAJECTORY_FOURIER;
  assert_ok(rbv_trajectory_new(&t, &shape, NULL));
  assert_refused(rbv_flat_constraints(&f, &k, t, 1e-9, 5), RBV_EUNSUPPORTED, "samples");
  k.space.npair = DEVICE_BODY_PAIRS + 1;
  assert_refused(rbv_flat_constraints(&f, &k, t, 0.01, 5), RBV_EUNSUPPORTED, "room for");
  assert_null(f.basis);
  rbv_trajectory_free(t);
  rbv_keeper_free(&k);
  rbv_model_free(robot.m);
}

/* ---- each allocation fails once ---- */

static rbv_status search_once(void *self) {
  const setting *x = self;
  rbv_trajectory *t;
  rbv_search_info info;
  const rbv_status status = run(&t, &info, x);
  rbv_trajectory_free(t);
  return status;
}

static void test_each_allocation_may_fail(void **state) {
  (void)state;
  setting x;
  setting_new(&x, 0, &rbv_plain_device);
  x.find.population = 2;
  x.find.generations = 1;
  fail_each_allocation(search_once, &x);
  setting_free(&x);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_factors_of_random_robots),
      cmocka_unit_test(test_torques_of_any_chain),
      cmocka_unit_test(test_designs_keep_all_constraints),
      cmocka_unit_test(test_searches_repeat),
      cmocka_unit_test(test_stopping_keeps_the_best),
      cmocka_unit_test(test_a_device_that_fails),
      cmocka_unit_test(test_a_repair_can_be_cancelled),
      cmocka_unit_test(test_refusals),
      cmocka_unit_test(test_each_allocation_may_fail),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
