/* Curves: by hand, their derivatives, their extrema, their files. */
#include "trajectory/trajectory.h"

#include <math.h>
#include <roberval/sys/result.h>
#include <stdlib.h>
#include <string.h>

#include "base/support.h"
#include "document/document.h"
#include "nodes.h"
#include "support.h"
#include "trajectory/classes.h"

#define PI 3.14159265358979323846
#define NJOINT 3

static const double velocity[NJOINT] = {2, 3, 1.5}, acceleration[NJOINT] = {8, 10, 6},
                    jerk[NJOINT] = {60, 90, 50};

static rbv_trajectory_shape shape_of(rbv_trajectory_class kind) {
  rbv_trajectory_shape s = rbv_trajectory_defaults();
  s.kind = kind;
  s.njoint = NJOINT;
  s.velocity = velocity;
  s.acceleration = acceleration;
  s.jerk = jerk;
  return s;
}

/* random coefficients that fit the class */
static rbv_trajectory *random_curve(const rbv_trajectory_shape *s, uint64_t seed) {
  rbv_trajectory *t;
  assert_ok(rbv_trajectory_new(&t, s, NULL));
  const int n = rbv_trajectory_coefficient_count(t);
  double *x = calloc((size_t)n, sizeof *x);
  for (int i = 0; i < n; i++) x[i] = 2 * rbv_random_uniform(seed, 1, (uint64_t)i) - 1;
  for (int j = 0; j < s->njoint; j++) {
    int count;
    const int first = rbv_trajectory_first(t, j, &count);
    const int terms = rbv_trajectory_get_shape(t)->counts[j];
    const int speed = rbv_class_find(NULL, s, terms, ROLE_SPEED);
    const int frequency = rbv_class_find(&count, s, terms, ROLE_FREQUENCY);
    if (speed >= 0) x[first + speed] = 0.4 + 0.2 * j;
    for (int k = 0; frequency >= 0 && k < count; k++) x[first + frequency + k] = 0.5 + k + 0.1 * j;
  }
  assert_ok(rbv_trajectory_set(t, x));
  free(x);
  return t;
}

/* the acceleration may jump: curves of the planner */
static bool has_steps(const rbv_trajectory_shape *s) {
  return !rbv_trajectory_class_smooth(s->kind);
}

/* settings of the classes, then every class of the table as it is */
#define SETTINGS 9
static int variant_count(void) { return SETTINGS + rbv_trajectory_class_count(); }

static rbv_trajectory_shape variant(int i) {
  static const int counts[NJOINT] = {2, 5, 3};
  if (i >= SETTINGS) {
    rbv_trajectory_shape s = shape_of((rbv_trajectory_class)(i - SETTINGS));
    rbv_trajectory_class_terms(s.kind, &s.count, NULL);
    return s;
  }
  rbv_trajectory_shape s = shape_of(i < 2   ? RBV_TRAJECTORY_FOURIER
                                    : i < 4 ? RBV_TRAJECTORY_SINES
                                    : i < 5 ? RBV_TRAJECTORY_BSPLINE
                                            : RBV_TRAJECTORY_VIA);
  if (i == 0) s.counts = counts;
  if (i == 1) s.blend_s = 0.7, s.periods = 2;
  if (i == 3) s.phases = true, s.blend_s = 1;
  if (i == 4) s.counts = counts + 1, s.njoint = 2;
  if (i == 6) s.smooth = true, s.fly_by = 0.5;
  if (i == 7) s.smooth = true, s.synchronised = false, s.duration_s = 0, s.fly_by = 1;
  if (i == 8) s.synchronised = false, s.closed = false, s.duration_s = 0;
  return s;
}

/* Table I of Radkhah 2007 against numbers of another program */
static void test_fourier_series_of_002(void **state) {
  (void)state;
  rbv_document *doc;
  assert_ok(rbv_document_load(&doc, TEST_DATA "/fourier_002.json"));
  const rbv_node *root = rbv_document_root(doc);
  rbv_trajectory_shape s = rbv_trajectory_defaults();
  s.njoint = 6;
  s.duration_s = 2 * PI / real_at(root, "wf");
  double x[66], want[6], got[3][6];
  for (int j = 0; j < 6; j++) {
    assert_ok(rbv_node_real(&x[11 * j], rbv_node_at(node_at(root, "q0"), j)));
    for (int l = 0; l < 5; l++) {
      double row[6];
      assert_ok(rbv_node_reals(row, 6, rbv_node_at(node_at(root, "a"), l)));
      x[11 * j + 1 + l] = row[j];
      assert_ok(rbv_node_reals(row, 6, rbv_node_at(node_at(root, "b"), l)));
      x[11 * j + 6 + l] = row[j];
    }
  }
  rbv_trajectory *t;
  assert_ok(rbv_trajectory_new(&t, &s, x));
  static const char *const keys[] = {"q", "qd", "qdd"};
  for (int k = 0; k < 11; k++) {
    rbv_trajectory_eval(got[0], got[1], got[2], NULL, t, k);
    for (int i = 0; i < 3; i++) {
      assert_ok(rbv_node_reals(want, 6, rbv_node_at(node_at(root, keys[i]), k)));
      // ten terms up to 5; at t = 10 s the angle 10 pi carries 1e-15
      for (int j = 0; j < 6; j++) assert_near(got[i][j], want[j], 2e-13, 0);
    }
  }
  rbv_trajectory_free(t);
  rbv_document_free(doc);
}

/* each derivative is the slope of the one before, away from steps */
static void test_derivatives(void **state) {
  (void)state;
  for (int v = 0; v < variant_count(); v++) {
    const rbv_trajectory_shape s = variant(v);
    rbv_trajectory *t = random_curve(&s, 7);
    assert_ok(rbv_trajectory_set_speed(t, 0.8));
    const double T = rbv_trajectory_duration(t), h = 1e-5;
    int compared = 0;
    for (int k = 1; k < 200; k++) {
      const double time = T * k / 200 + 1e-3;
      double low[4][NJOINT], high[4][NJOINT], at[4][NJOINT];
      rbv_trajectory_eval(low[0], low[1], low[2], low[3], t, time - h);
      rbv_trajectory_eval(at[0], at[1], at[2], at[3], t, time);
      rbv_trajectory_eval(high[0], high[1], high[2], high[3], t, time + h);
      for (int j = 0; j < s.njoint; j++) {
        // a step within the difference
        if (has_steps(&s) && fabs(low[3][j] - high[3][j]) > 1e-9) continue;
        if (has_steps(&s) && fabs(low[2][j] - high[2][j]) > 0.1) continue;
        compared++;
        // truncation h^2/6 times a third derivative below 1e3, rounding eps * 10 / h
        for (int i = 0; i < 3; i++)
          assert_near((high[i][j] - low[i][j]) / (2 * h), at[i + 1][j], 1e-6, 1e-6);
      }
    }
    assert_true(compared > 300);
    rbv_trajectory_free(t);
  }
}

static void test_gradients(void **state) {
  (void)state;
  for (int v = 0; v < variant_count(); v++) {
    const rbv_trajectory_shape s = variant(v);
    if (!rbv_trajectory_class_smooth(s.kind)) continue;
    rbv_trajectory *t = random_curve(&s, 11), *moved;
    assert_ok(rbv_trajectory_set_speed(t, 1.25));
    assert_ok(rbv_trajectory_clone(&moved, t));
    const int n = rbv_trajectory_coefficient_count(t);
    double *x = malloc((size_t)n * sizeof *x), g[64];
    memcpy(x, rbv_trajectory_get(t), (size_t)n * sizeof *x);
    for (int j = 0; j < s.njoint; j++) {
      int count;
      const int first = rbv_trajectory_first(t, j, &count);
      for (int p = 0; p < count; p++)
        for (int k = 0; k < 12; k++)
          for (int order = 0; order < 4; order++) {
            const double time = rbv_trajectory_duration(t) * (k + 0.3) / 12, h = 1e-6;
            double value[2][4][NJOINT];
            for (int side = 0; side < 2; side++) {
              const double keep = x[first + p];
              x[first + p] += side ? h : -h;
              assert_ok(rbv_trajectory_set(moved, x));
              rbv_trajectory_eval(value[side][0], value[side][1], value[side][2], value[side][3],
                                  moved, time);
              x[first + p] = keep;
            }
            assert_ok(rbv_trajectory_gradient(g, t, j, order, time));
            const double slope = (value[1][order][j] - value[0][order][j]) / (2 * h);
            assert_near(g[p], slope, 1e-6, 1e-6);
          }
    }
    free(x);
    rbv_trajectory_free(t);
    rbv_trajectory_free(moved);
  }
}

/* the extremum is reached, and nothing anywhere is beyond it */
static void test_extrema_hold_between_samples(void **state) {
  (void)state;
  for (int v = 0; v < variant_count(); v++) {
    const rbv_trajectory_shape s = variant(v);
    rbv_trajectory *t = random_curve(&s, 13);
    assert_ok(rbv_trajectory_set_speed(t, 0.9));
    const double T = rbv_trajectory_duration(t);
    for (int order = 0; order < 4; order++)
      for (int j = 0; j < s.njoint; j++) {
        const rbv_extreme e = rbv_trajectory_extreme(t, j, order);
        double seen_min = INFINITY, seen_max = -INFINITY;
        for (int k = 0; k <= 20000; k++) {
          double x[4][NJOINT];
          rbv_trajectory_eval(x[0], x[1], x[2], x[3], t, T * k / 20000);
          seen_min = fmin(seen_min, x[order][j]);
          seen_max = fmax(seen_max, x[order][j]);
        }
        const double size = 1 + fabs(e.min) + fabs(e.max);
        assert_true(seen_max <= e.max + 1e-11 * size && seen_min >= e.min - 1e-11 * size);
        // samples come close: half a step of 0.5 ms times slopes below 1e3
        if (!(has_steps(&s) && order > 1)) {
          assert_near(seen_max, e.max, 0.05, 0.01);
          assert_near(seen_min, e.min, 0.05, 0.01);
        }
        // and at its own time the curve is there, unless it jumps
        double x[4][NJOINT];
        rbv_trajectory_eval(x[0], x[1], x[2], x[3], t, e.max_time);
        if (order < 2) assert_near(x[order][j], e.max, 1e-11 * size, 0);
      }
    rbv_trajectory_free(t);
  }
}

/* one joint, one move: a trapezoid whose numbers can be read off */
/* positions at any times, the transpose of sampling, and ranges that contain the curve */
static void test_positions_pulls_and_ranges(void **state) {
  (void)state;
  enum { COUNT = 40 };
  for (int i = 0; i < variant_count(); i++) {
    const rbv_trajectory_shape s = variant(i);
    rbv_trajectory *t = random_curve(&s, (uint64_t)i);
    const double T = rbv_trajectory_duration(t), step = T / COUNT;
    double time[COUNT], q[NJOINT * COUNT], one[NJOINT];
    for (int k = 0; k < COUNT; k++) time[k] = T * rbv_random_uniform(7, (uint64_t)i, (uint64_t)k);
    rbv_trajectory_positions(q, COUNT, t, time, COUNT);
    for (int k = 0; k < COUNT; k++) {
      rbv_trajectory_eval(one, NULL, NULL, NULL, t, time[k]);
      for (int j = 0; j < s.njoint; j++) assert_near(q[k + j * COUNT], one[j], 1e-12, 0);
    }
    for (int j = 0; j < s.njoint; j++)
      for (int order = 0; order < 3; order++) {
        const rbv_extreme exact = rbv_trajectory_extreme(t, j, order);
        const rbv_extreme range = rbv_curve_range(t, j, order, 1e-7);
        assert_true(range.max >= exact.max && range.min <= exact.min);
        assert_near(range.max, exact.max, 1e-4 * (1 + fabs(exact.max)), 0);
      }
    const int n = rbv_trajectory_coefficient_count(t);
    double *by[3], *g = calloc(2 * (size_t)n, sizeof *g), *want = g + n, basis[512];
    for (int d = 0; d < 3; d++) {
      by[d] = calloc(NJOINT * COUNT, sizeof *by[d]);
      for (int k = 0; k < NJOINT * COUNT; k++)
        by[d][k] = rbv_random_uniform(8, (uint64_t)d, (uint64_t)k) - 0.5;
    }
    if (rbv_trajectory_class_smooth(s.kind)) {
      assert_ok(rbv_trajectory_pull(g, t, by, COUNT, step / 2, step, COUNT));
      for (int k = 0; k < COUNT; k++)
        for (int j = 0; j < s.njoint; j++)
          for (int d = 0; d < 3; d++) {
            int count;
            const int first = rbv_trajectory_first(t, j, &count);
            assert_ok(rbv_trajectory_gradient(basis, t, j, d, (k + 0.5) * step));
            for (int p = 0; p < count; p++) want[first + p] += by[d][k + j * COUNT] * basis[p];
          }
      // rounding of sums of COUNT terms
      for (int p = 0; p < n; p++) assert_near(g[p], want[p], 1e-11 * (1 + fabs(want[p])), 0);
    } else {
      assert_refused(rbv_trajectory_pull(g, t, by, COUNT, step / 2, step, COUNT), RBV_EUNSUPPORTED,
                     "gradient");
    }
    for (int d = 0; d < 3; d++) free(by[d]);
    free(g);
    rbv_trajectory_free(t);
  }
}

static void test_planner_by_hand(void **state) {
  (void)state;
  const double v = 2, a = 4, j = 16;
  rbv_trajectory_shape s = {
      .kind = RBV_TRAJECTORY_VIA, .njoint = 1, .count = 2, .synchronised = true};
  s.velocity = &v;
  s.acceleration = &a;
  s.jerk = &j;
  const double x[] = {1, 4, 1};
  rbv_trajectory *t;
  double q, dq;
  // 3 rad: half a second up, one at 2 rad/s, half a second down
  assert_ok(rbv_trajectory_new(&t, &s, x));
  assert_near(rbv_trajectory_duration(t), 2, 1e-15, 0);
  rbv_trajectory_eval(&q, &dq, NULL, NULL, t, 1);
  assert_near(q, 2.5, 1e-15, 0);
  assert_near(dq, 2, 1e-15, 0);
  rbv_trajectory_eval(&q, &dq, NULL, NULL, t, 5);
  assert_near(q, 4, 1e-15, 0);
  assert_near(dq, 0, 0, 0);
  rbv_trajectory_free(t);
  // with jerk: a quarter of a second to 4 rad/s^2, ramps of 0.75 s, cruise 1.5 - 0.75
  s.smooth = true;
  assert_ok(rbv_trajectory_new(&t, &s, x));
  assert_near(rbv_trajectory_duration(t), 2.25, 1e-15, 0);
  assert_near(rbv_trajectory_extreme(t, 0, 1).max, 2, 1e-14, 0);
  assert_near(rbv_trajectory_extreme(t, 0, 2).max, 4, 1e-14, 0);
  assert_near(rbv_trajectory_extreme(t, 0, 3).max, 16, 1e-13, 0);
  rbv_trajectory_free(t);
  // too short for either: 2 j s^3 = 0.004
  const double near[] = {0, 0.004, 1};
  assert_ok(rbv_trajectory_new(&t, &s, near));
  assert_near(rbv_trajectory_duration(t), 4 * cbrt(0.004 / 32), 1e-15, 0);
  rbv_trajectory_eval(&q, &dq, NULL, NULL, t, 1);
  assert_near(q, 0.004, 1e-16, 0);
  rbv_trajectory_free(t);
}

/* moves keep the maxima and reach their points; joints arrive together or not */
static void test_planner_keeps_its_maxima(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 20; seed++)
    for (int v = 0; v < 4; v++) {
      rbv_trajectory_shape s = shape_of(RBV_TRAJECTORY_VIA);
      s.duration_s = 0;
      s.smooth = v & 1;
      s.synchronised = v & 2;
      rbv_trajectory *t = random_curve(&s, seed);
      for (int j = 0; j < NJOINT; j++) {
        const double *x = rbv_trajectory_get(t) + rbv_trajectory_first(t, j, NULL);
        const rbv_extreme vel = rbv_trajectory_extreme(t, j, 1),
                          acc = rbv_trajectory_extreme(t, j, 2);
        const double most = velocity[j] * x[s.count];
        assert_true(fmax(vel.max, -vel.min) <= most * (1 + 1e-12));
        assert_true(fmax(acc.max, -acc.min) <= acceleration[j] * (1 + 1e-12));
        const rbv_extreme third = rbv_trajectory_extreme(t, j, 3);
        if (s.smooth) assert_true(fmax(third.max, -third.min) <= jerk[j] * (1 + 1e-10));
        // the furthest points are reached and not passed
        double low = x[0], high = x[0];
        for (int k = 1; k < s.count; k++) low = fmin(low, x[k]), high = fmax(high, x[k]);
        assert_near(rbv_trajectory_extreme(t, j, 0).min, low, 1e-12, 0);
        assert_near(rbv_trajectory_extreme(t, j, 0).max, high, 1e-12, 0);
      }
      rbv_trajectory_free(t);
    }
}

static void test_fly_by_saves_time_and_duration_is_kept(void **state) {
  (void)state;
  rbv_trajectory_shape s = shape_of(RBV_TRAJECTORY_VIA);
  s.duration_s = 0;
  rbv_trajectory *stop = random_curve(&s, 3);
  s.fly_by = 1;
  rbv_trajectory *fly = random_curve(&s, 3);
  assert_true(rbv_trajectory_duration(fly) < rbv_trajectory_duration(stop) - 0.5);
  s.duration_s = 16;
  rbv_trajectory *timed = random_curve(&s, 3);
  assert_near(rbv_trajectory_duration(timed), 16, 1e-13, 0);
  // the same path: a position of one is one of the other at the same fraction of the time
  for (int k = 0; k <= 100; k++) {
    double a[NJOINT], b[NJOINT];
    rbv_trajectory_eval(a, NULL, NULL, NULL, fly, rbv_trajectory_duration(fly) * k / 100);
    rbv_trajectory_eval(b, NULL, NULL, NULL, timed, 16. * k / 100);
    for (int j = 0; j < NJOINT; j++) assert_near(a[j], b[j], 1e-12, 0);
  }
  rbv_trajectory_free(stop);
  rbv_trajectory_free(fly);
  rbv_trajectory_free(timed);
}

static void test_starts_and_stops_at_rest(void **state) {
  (void)state;
  static const int rests[] = {1, 3, 4, 5, 6, 7, 8};
  for (int i = 0; i < RBV_COUNT(rests); i++) {
    const rbv_trajectory_shape s = variant(rests[i]);
    rbv_trajectory *t = random_curve(&s, 5);
    for (int end = 0; end < 2; end++) {
      double dq[NJOINT], ddq[NJOINT];
      rbv_trajectory_eval(NULL, dq, ddq, NULL, t, end ? rbv_trajectory_duration(t) : 0);
      for (int j = 0; j < s.njoint; j++) {
        assert_near(dq[j], 0, 1e-12, 0);
        if (!has_steps(&s)) assert_near(ddq[j], 0, 1e-11, 0);
      }
    }
    rbv_trajectory_free(t);
  }
}

/* samples, motion and single values are the same numbers */
static void test_motion_and_samples(void **state) {
  (void)state;
  for (int v = 0; v < variant_count(); v++) {
    const rbv_trajectory_shape s = variant(v);
    rbv_trajectory *t = random_curve(&s, 17);
    rbv_motion *motion;
    assert_ok(rbv_trajectory_motion(&motion, t, "design", 333));
    const ptrdiff_t count = rbv_motion_get_info(motion)->count;
    assert_int_equal(count, rbv_trajectory_samples(t, 333));
    double *all = malloc(3 * NJOINT * (size_t)count * sizeof *all);
    const rbv_samples out = {
        .ld = count, .q = all, .dq = all + NJOINT * count, .ddq = all + 2 * NJOINT * count};
    assert_ok(rbv_motion_read(motion, &out, 0, count));
    for (ptrdiff_t k = 0; k < count; k++) {
      double x[3][NJOINT];
      rbv_trajectory_eval(x[0], x[1], x[2], NULL, t, (double)k / 333);
      for (int j = 0; j < s.njoint; j++) {
        // a wave turned 32 times; 1e-15 of time at a step of the acceleration is another piece
        assert_near(out.q[k + j * count], x[0][j], 1e-12, 0);
        assert_near(out.dq[k + j * count], x[1][j], 1e-12, 1e-12);
        if (!has_steps(&s)) assert_near(out.ddq[k + j * count], x[2][j], 1e-11, 0);
      }
    }
    free(all);
    rbv_motion_free(motion);
    rbv_trajectory_free(t);
  }
}

static void test_files_give_the_same_curve_back(void **state) {
  (void)state;
  for (int v = 0; v < variant_count(); v++) {
    const rbv_trajectory_shape s = variant(v);
    rbv_trajectory *t = random_curve(&s, 19), *back;
    assert_ok(rbv_trajectory_set_speed(t, 0.3));
    char *text;
    size_t size;
    static const char *const names[] = {"a", "b \"x\"", "c: d"};
    assert_ok(rbv_trajectory_write(&text, &size, t, v % 2 ? names : NULL));
    assert_ok(rbv_trajectory_load(&back, temp_file("curve.yaml", text)));
    assert_near(rbv_trajectory_duration(back), rbv_trajectory_duration(t), 0, 0);
    for (int k = 0; k < 50; k++) {
      double a[2][NJOINT], b[2][NJOINT];
      rbv_trajectory_eval(a[0], NULL, a[1], NULL, t, k * 0.7);
      rbv_trajectory_eval(b[0], NULL, b[1], NULL, back, k * 0.7);
      assert_memory_equal(a[0], b[0], (size_t)s.njoint * sizeof(double));
      assert_memory_equal(a[1], b[1], (size_t)s.njoint * sizeof(double));
    }
    rbv_text_release(text);
    rbv_trajectory_free(t);
    rbv_trajectory_free(back);
  }
}

static void test_refusals(void **state) {
  (void)state;
  rbv_trajectory *t;
  rbv_trajectory_shape s = shape_of(RBV_TRAJECTORY_FOURIER);
  s.duration_s = 0;
  assert_refused(rbv_trajectory_new(&t, &s, NULL), RBV_EARG, "0 s");
  s = shape_of(RBV_TRAJECTORY_VIA);
  s.count = 1;
  assert_refused(rbv_trajectory_new(&t, &s, NULL), RBV_EARG, "1 via points");
  s.count = 3;
  s.acceleration = NULL;
  assert_refused(rbv_trajectory_new(&t, &s, NULL), RBV_EARG, "maxima");
  s = shape_of(RBV_TRAJECTORY_VIA);
  s.count = 2;
  assert_ok(rbv_trajectory_new(&t, &s, NULL));
  const double fast[9] = {0, 1, 1, 0, 1, 2, 0, 1, 1};
  assert_refused(rbv_trajectory_set(t, fast), RBV_EARG, "joint 2 has speed 2");
  double g[8];
  assert_refused(rbv_trajectory_gradient(g, t, 0, 0, 0), RBV_EUNSUPPORTED, "planner");
  assert_refused(rbv_trajectory_set_speed(t, 0), RBV_EARG, "0 of its speed");
  rbv_trajectory_free(t);
  static const struct {
    const char *text, *message;
  } bad[] = {
      {"joints: []", "no key 'trajectory'"},
      {"trajectory: circle", "not 'circle'"},
      {"trajectory: fourier\nwild: 1", "wild"},
      {"trajectory: fourier", "'joints' must be a list"},
      {"trajectory: fourier\njoints: [{q0: 0, a: [1, 2], b: [1]}]", "'b' has 1 numbers, not 2"},
      {"trajectory: sines\njoints: [{q0: 0, a: [1]}]", "no 'w'"},
      {"trajectory: via\njoints: [{points: [0, 1], speed: 2, velocity: 1, acceleration: 1}]",
       "speed 2"},
      {"trajectory: fourier\njoints: [{q0: 0, a: [1e308, 1e308], b: [1e308, 0]}]",
       "bad.yaml:2:10: the coefficients of joint 1 are too large"},
      {"trajectory: fourier\nblend_s: 1e-200\njoints: [{q0: 0, a: [1, 1], b: [1, 0]}]",
       "the coefficients of joint 1 are too large"},
      {"trajectory: sines\njoints: [{q0: 0, a: [1], w: [1e200]}]", "are too large"},
      {"trajectory: sines\njoints: [{q0: .nan, a: [1], w: [1]}]", "finite"},
      {"trajectory: sines\nspeed: .inf\njoints: [{q0: 0, a: [1], w: [1]}]", ""},
      {"trajectory: bspline\nspeed: 0\njoints: [{points: [0, 1]}]", "speed must be positive"},
  };
  for (int i = 0; i < RBV_COUNT(bad); i++)
    assert_refused(rbv_trajectory_parse(&t, "bad.yaml", bad[i].text, strlen(bad[i].text)),
                   RBV_EINPUT, bad[i].message);
}

/* numbers that overflow, and more waves than can be looked at: a bound, and an end */
static void test_extrema_of_extreme_curves(void **state) {
  (void)state;
  static const double big[] = {1e308, 1e300, 1e12};
  for (int i = 0; i < RBV_COUNT(big); i++)
    for (int kind = 0; kind < 2; kind++) {
      rbv_trajectory_shape s = rbv_trajectory_defaults();
      s.njoint = 1;
      s.count = 2;
      s.kind = kind ? RBV_TRAJECTORY_SINES : RBV_TRAJECTORY_FOURIER;
      // sines: amplitudes 1 with this frequency; series: this amplitude
      const double x[5] = {0.5, kind ? 1 : big[i], kind ? 1 : big[i], big[i], big[i]};
      rbv_trajectory *t;
      assert_ok(rbv_trajectory_new(&t, &s, x));
      for (int order = 0; order < 4; order++) {
        const rbv_extreme e = rbv_trajectory_extreme(t, 0, order);
        double v[4];
        rbv_trajectory_eval(&v[0], &v[1], &v[2], &v[3], t, 1.234);
        assert_false(isnan(e.min) || isnan(e.max));
        if (isfinite(v[order])) assert_true(e.min <= v[order] && v[order] <= e.max);
      }
      rbv_trajectory_free(t);
    }
}

static rbv_status all_of_it(void *state) {
  (void)state;
  rbv_trajectory_shape s = variant(6);
  rbv_trajectory *t = NULL, *back = NULL;
  rbv_motion *motion = NULL;
  char *text = NULL;
  size_t size;
  rbv_status status = rbv_trajectory_new(&t, &s, NULL);
  if (status == RBV_OK) status = rbv_trajectory_motion(&motion, t, "x", 100);
  if (status == RBV_OK) status = rbv_trajectory_write(&text, &size, t, NULL);
  if (status == RBV_OK) status = rbv_trajectory_parse(&back, "x", text, size);
  rbv_text_release(text);
  rbv_motion_free(motion);
  rbv_trajectory_free(t);
  rbv_trajectory_free(back);
  return status;
}

static void test_allocations_fail_well(void **state) {
  (void)state;
  fail_each_allocation(all_of_it, NULL);
}

static void test_eval_allocates_nothing(void **state) {
  (void)state;
  const rbv_trajectory_shape s = variant(7);
  rbv_trajectory *t = random_curve(&s, 1);
  const long before = rbv_alloc_count();
  double q[NJOINT];
  assert_ok(rbv_trajectory_set(t, rbv_trajectory_get(t)));
  rbv_trajectory_eval(q, NULL, NULL, NULL, t, 1);
  (void)rbv_trajectory_extreme(t, 0, 2);
  assert_int_equal(rbv_alloc_count(), before);
  rbv_trajectory_free(t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_fourier_series_of_002),
      cmocka_unit_test(test_derivatives),
      cmocka_unit_test(test_gradients),
      cmocka_unit_test(test_extrema_hold_between_samples),
      cmocka_unit_test(test_positions_pulls_and_ranges),
      cmocka_unit_test(test_planner_by_hand),
      cmocka_unit_test(test_planner_keeps_its_maxima),
      cmocka_unit_test(test_fly_by_saves_time_and_duration_is_kept),
      cmocka_unit_test(test_starts_and_stops_at_rest),
      cmocka_unit_test(test_motion_and_samples),
      cmocka_unit_test(test_files_give_the_same_curve_back),
      cmocka_unit_test(test_refusals),
      cmocka_unit_test(test_extrema_of_extreme_curves),
      cmocka_unit_test(test_allocations_fail_well),
      cmocka_unit_test(test_eval_allocates_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
