/* The published experiments, searched anew: minutes, not seconds. */
#include <roberval/linalg.h>
#include <string.h>

#include "designs.h"
#include "motions.h"
#include "nodes.h"

/* search on ns16, check, and score every millisecond by QR */
static double coupling_of(const rbv_trajectory_shape *s, const rbv_search_options *find,
                          bool moving) {
  rbv_model *m = load_robot("ns16", -1, false);
  rbv_excite_options o = rbv_excite_defaults();
  o.criterion = RBV_CRITERION_COUPLING;
  rbv_excite *e;
  assert_ok(rbv_excite_new(&e, m, &o));
  assert_int_equal(rbv_excite_base(e)->count, 58);
  rbv_limits limits[6];
  ns16_limits(limits, moving);
  const rbv_constraints c = {.limits = limits};
  rbv_trajectory *t;
  rbv_search_info info;
  assert_ok(rbv_excite_search(&t, &info, e, &c, s, find));
  assert_true(info.feasible);
  assert_keeps(m, &c, t, 1e-3);
  rbv_motion *motion;
  assert_ok(rbv_trajectory_motion(&motion, t, "design", 1000));
  rbv_score score;
  assert_ok(rbv_excite_score(&score, NULL, NULL, e, &motion, 1));
  print_message("%s: I_c %.2f after %ld candidates in %.1f s\n", rbv_trajectory_class_name(s->kind),
                score.coupling, info.evaluations, info.seconds);
  if (s->kind == RBV_TRAJECTORY_SINES)
    for (int j = 0; j < 6; j++)
      for (int k = 0; k < s->count; k++) {
        const double *x = rbv_trajectory_get(t) + rbv_trajectory_first(t, j, NULL);
        assert_true(fabs(x[1 + k]) <= ns16_position[j] / s->count * (1 + 1e-12));
        if (!find->low_hz) continue;
        const double hz = x[1 + s->count + k] / 6.28318530717958647693;
        assert_true(hz >= find->low_hz[j] * (1 - 1e-9) && hz <= find->high_hz[j] * (1 + 1e-9));
      }
  rbv_motion_free(motion);
  rbv_trajectory_free(t);
  rbv_excite_free(e);
  rbv_model_free(m);
  return score.coupling;
}

/* 001 Table 1 A: three sines over 20 s, 100 individuals, crossover 0.7; 127.9 there */
static void test_sines_of_001(void **state) {
  (void)state;
  static const double most[6] = {0.94, 2.38, 0.53, 0.44, 0.89, 0.44};
  double low[6], high[6];
  for (int j = 0; j < 6; j++) {
    low[j] = 0.314 / 6.28318530717958647693;
    high[j] = most[j] / 6.28318530717958647693;
  }
  rbv_trajectory_shape s = rbv_trajectory_defaults();
  s.kind = RBV_TRAJECTORY_SINES;
  s.njoint = 6;
  s.count = 3;
  s.duration_s = 20;
  rbv_search_options find = rbv_search_defaults();
  find.search = RBV_SEARCH_GA;
  find.threads = 2;
  find.population = 100;
  find.crossover = 0.7;
  find.polish = false;  // the genetic algorithm alone
  find.low_hz = low;
  find.high_hz = high;
  assert_true(coupling_of(&s, &find, false) <= 75);
}

/* 001 Table 1 B: six via points over 16 s, 150 individuals, crossover 0.9; 101.2 there */
static void test_via_points_of_001(void **state) {
  (void)state;
  rbv_trajectory_shape s = rbv_trajectory_defaults();
  s.kind = RBV_TRAJECTORY_VIA;
  s.njoint = 6;
  s.count = 6;
  s.duration_s = 16;
  rbv_search_options find = rbv_search_defaults();
  find.search = RBV_SEARCH_GA;
  find.threads = 2;
  assert_true(coupling_of(&s, &find, true) <= 85);
}

/* whatever class is best under the limits of the via points */
static void test_best_of_all_classes(void **state) {
  (void)state;
  rbv_trajectory_shape s = rbv_trajectory_defaults();
  s.njoint = 6;
  s.duration_s = 20;
  rbv_search_options find = rbv_search_defaults();
  find.threads = 2;
  assert_true(coupling_of(&s, &find, true) <= 62);
}

/* ---- 002 ---- */

static rbv_trajectory *table_one(void) {
  rbv_doc *doc;
  assert_ok(rbv_doc_load(&doc, TEST_DATA "/fourier_002.json"));
  const rbv_node *root = rbv_doc_root(doc);
  rbv_trajectory_shape s = rbv_trajectory_defaults();
  s.njoint = 6;
  double x[66], row[6];
  for (int j = 0; j < 6; j++) {
    assert_ok(rbv_node_real(&x[11 * j], rbv_node_at(node_at(root, "q0"), j)));
    for (int l = 0; l < 5; l++) {
      assert_ok(rbv_node_reals(row, 6, rbv_node_at(node_at(root, "a"), l)));
      x[11 * j + 1 + l] = row[j];
      assert_ok(rbv_node_reals(row, 6, rbv_node_at(node_at(root, "b"), l)));
      x[11 * j + 6 + l] = row[j];
    }
  }
  rbv_trajectory *t;
  assert_ok(rbv_trajectory_new(&t, &s, x));
  rbv_doc_free(doc);
  return t;
}

#define BASE 36
#define COUNT 500
#define RUNS 100

/* spread of weighted least squares over runs with fresh torque noise; joints differ in theirs */
static void spread_of(double *spread, const rbv_model *m, const rbv_base *base,
                      const rbv_trajectory *t, uint64_t seed) {
  static const double noise[6] = {1, 1.5, 0.8, 0.3, 0.3, 0.1};
  rbv_dynamics *d;
  assert_ok(rbv_dynamics_new(&d, m));
  const int nc = rbv_model_column_count(m), rows = 6 * COUNT;
  double *W = malloc((size_t)(6 * nc) * sizeof *W), *A = malloc((size_t)(rows * BASE) * sizeof *A);
  double *R = malloc(BASE * BASE * sizeof *R), *y = malloc((size_t)rows * sizeof *y);
  for (int k = 0; k < COUNT; k++) {
    double q[6], dq[6], ddq[6];
    rbv_trajectory_eval(q, dq, ddq, NULL, t, rbv_trajectory_duration(t) * k / COUNT);
    rbv_regressor_eval(W, d, q, dq, ddq, false);
    for (int j = 0; j < 6; j++)
      for (int b = 0; b < BASE; b++) A[k * 6 + j + b * rows] = W[j + base->kept[b] * 6] / noise[j];
  }
  rbv_qr *qr;
  assert_ok(rbv_qr_new(&qr, BASE));
  assert_ok(rbv_qr_add(qr, A, rows, rows));
  rbv_qr_get(R, qr);
  double sum[BASE] = {0};
  for (int run = 0; run < RUNS; run++) {
    // the error of the estimate is that of weighted least squares on noise alone:
    // solve R'R x = A'y in two steps
    double x[BASE];
    for (int i = 0; i < rows; i++) y[i] = rbv_random_normal(seed, (uint64_t)run, (uint64_t)i);
    for (int b = 0; b < BASE; b++) {
      x[b] = 0;
      for (int i = 0; i < rows; i++) x[b] += A[i + b * rows] * y[i];
    }
    for (int b = 0; b < BASE; b++) {
      for (int i = 0; i < b; i++) x[b] -= R[i + b * BASE] * x[i];
      x[b] /= R[b + b * BASE];
    }
    assert_ok(rbv_solve_upper(x, 1, BASE, R, BASE, BASE));
    for (int b = 0; b < BASE; b++) sum[b] += x[b] * x[b];
  }
  for (int b = 0; b < BASE; b++) spread[b] = sqrt(sum[b] / RUNS);
  rbv_qr_free(qr);
  free(W);
  free(A);
  free(R);
  free(y);
  rbv_dynamics_free(d);
}

static int ascending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* the same length, harmonics and maxima of q, dq, ddq as Table I's own trajectory */
static void test_against_table_one(void **state) {
  (void)state;
  rbv_model *m = load_robot("a460", -1, false);
  rbv_trajectory *theirs = table_one();
  rbv_limits limits[6];
  for (int j = 0; j < 6; j++) {
    const rbv_extreme q = rbv_trajectory_extreme(theirs, j, 0),
                      v = rbv_trajectory_extreme(theirs, j, 1),
                      a = rbv_trajectory_extreme(theirs, j, 2);
    limits[j] = (rbv_limits){.lower = q.min,
                             .upper = q.max,
                             .velocity = fmax(v.max, -v.min),
                             .acceleration = fmax(a.max, -a.min),
                             .jerk = INFINITY,
                             .effort = INFINITY};
  }
  const rbv_constraints c = {.limits = limits};
  rbv_trajectory_shape s = rbv_trajectory_defaults();
  s.njoint = 6;
  rbv_search_options find = rbv_search_defaults();
  find.threads = 2;
  for (int k = 0; k < 2; k++) {
    rbv_excite_options o = rbv_excite_defaults();
    o.columns = RBV_COLUMNS_INERTIAL;
    o.criterion = k ? RBV_CRITERION_DOPT : RBV_CRITERION_COND;
    rbv_excite *e;
    assert_ok(rbv_excite_new(&e, m, &o));
    rbv_trajectory *ours;
    rbv_search_info info;
    assert_ok(rbv_excite_search(&ours, &info, e, &c, &s, &find));
    assert_true(info.feasible);
    assert_keeps(m, &c, ours, 1e-3);
    rbv_motion *motion;
    assert_ok(rbv_trajectory_motion(&motion, ours, "design", 100));
    rbv_score score;
    assert_ok(rbv_excite_score(&score, NULL, NULL, e, &motion, 1));
    print_message("a460 by %s: condition %.2f, scaled %.3f, I_c %.2f in %.1f s\n",
                  rbv_criterion_name(o.criterion), score.condition, score.condition_scaled,
                  score.coupling, info.seconds);
    if (k == 0) {
      assert_true(score.condition_scaled <= 4.7);
    } else {
      double a[BASE], b[BASE];
      const rbv_base *base = rbv_excite_base(e);
      assert_int_equal(base->count, BASE);
      spread_of(a, m, base, theirs, 1);
      spread_of(b, m, base, ours, 2);
      for (int i = 0; i < BASE; i++) a[i] /= b[i];
      qsort(a, BASE, sizeof *a, ascending);
      print_message("spread of Table I over ours: median %.2f, from %.2f to %.2f\n",
                    (a[BASE / 2 - 1] + a[BASE / 2]) / 2, a[0], a[BASE - 1]);
      assert_true((a[BASE / 2 - 1] + a[BASE / 2]) / 2 >= 1.4);
    }
    rbv_motion_free(motion);
    rbv_trajectory_free(ours);
    rbv_excite_free(e);
  }
  rbv_trajectory_free(theirs);
  rbv_model_free(m);
}

/* ---- many robots ---- */

static void test_fifty_random_robots(void **state) {
  (void)state;
  int found = 0;
  for (uint64_t seed = 0; seed < 50; seed++, found++) design_any(seed, 5, 1e-4, false);
  print_message("%d of 50 random robots have a design\n", found);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_sines_of_001),        cmocka_unit_test(test_via_points_of_001),
      cmocka_unit_test(test_best_of_all_classes), cmocka_unit_test(test_against_table_one),
      cmocka_unit_test(test_fifty_random_robots),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
