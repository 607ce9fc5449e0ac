/* The published experiments, searched anew: minutes, not seconds. */
#include <roberval/sys/equations.h>
#include <roberval/sys/identify.h>
#include <roberval/sys/prepare.h>
#include <roberval/sys/sim.h>
#include <string.h>

#include "designs.h"
#include "motions.h"

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

/* Villagrossi 2014 Table 1 A: three sines over 20 s, 100 individuals, crossover 0.7; 127.9 there */
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

/* Villagrossi 2014 Table 1 B: six via points over 16 s, 150 individuals, crossover 0.9; 101.2 there
 */
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

/* ---- Radkhah 2007 ---- */

#define BASE 36
#define RATE 250.0
#define RUNS 480  // a spread is known to 3 %, the median of ratios to 2 %
#define LANES 8
#define DECIMATE 5

/* of the torques of the joints [N m]; a D-optimal design knows it, as in Radkhah 2007 section II.D
 */
static const double noise[6] = {1, 1.5, 0.8, 0.3, 0.3, 0.1};

/*
 * The A460 without drives, as Radkhah 2007 had it, and bodies that can exist: its own Table II
 * cannot (see robots/a460.yaml). Thin rods along the links, heavier towards the base.
 */
static rbv_model *a460_without_drives(double *chi) {
  static const double mass[6] = {12, 8, 5, 2, 1, 0.5};
  char *text = read_text(ROBERVAL_SOURCE "/robots/a460.yaml", NULL);
  rbv_text bare = {0};
  for (const char *line = text; *line;) {
    const size_t length = strcspn(line, "\n") + 1;
    rbv_text_add(&bare, line, length);
    if (strncmp(line, "    mdh:", 8) == 0) rbv_text_put(&bare, "    drive: []\n");
    line += length;
  }
  rbv_model *m;
  assert_ok(rbv_model_parse(&m, "a460", bare.data, bare.size, NULL));
  rbv_text_free(&bare);
  free(text);
  for (int c = 0; c < rbv_model_column_count(m); c++) {
    const rbv_column *column = rbv_model_column(m, c);
    const double M = mass[column->joint], x = 0.1, y = 0.02, z = 0.03, I = 0.01 * M;
    const double values[10] = {I + M * (y * y + z * z),
                               -M * x * y,
                               -M * x * z,
                               I + M * (x * x + z * z),
                               -M * y * z,
                               I + M * (x * x + y * y),
                               M * x,
                               M * y,
                               M * z,
                               M};
    chi[c] = values[column->component];
  }
  return m;
}

/* simulated logs to estimates: positions of a coarse encoder, noisy torques, weighted LS */
static void spread_of(double *spread, const rbv_model *m, const double *chi,
                      const rbv_control *control, const rbv_trajectory *t) {
  const ptrdiff_t count = rbv_trajectory_samples(t, RATE);
  double *state = malloc(3 * 6 * (size_t)count * sizeof *state), q0[6], dq0[6];
  const rbv_samples s = {
      .ld = count, .q = state, .dq = state + 6 * count, .ddq = state + 12 * count};
  rbv_trajectory_sample(&s, t, 0, 1 / RATE, count);
  rbv_trajectory_eval(q0, dq0, NULL, NULL, t, 0);
  const rbv_sim_reference r = {.count = count, .ld = count, .q = s.q, .q0 = q0, .dq0 = dq0};
  rbv_sim_options options = rbv_sim_defaults();
  options.defects.torque_noise = noise;
  options.defects.record_counts = 65536;
  rbv_sim *sim;
  assert_ok(rbv_sim_new(&sim, m, control, &options, LANES));
  rbv_sim_trace trace[LANES];
  rbv_sim_outcome outcome[LANES];
  for (int l = 0; l < LANES; l++) assert_ok(rbv_sim_trace_new(&trace[l], 6, count));
  double sum[BASE] = {0}, square[BASE] = {0};
  for (int first = 0; first < RUNS; first += LANES) {
    for (int l = 0; l < LANES; l++) {
      const rbv_sim_lane lane = {.chi = chi, .seed = (uint64_t)(1000 + first + l)};
      assert_ok(rbv_sim_set(sim, l, &lane));
    }
    assert_ok(rbv_sim_run(outcome, sim, &r, trace));
    for (int l = 0; l < LANES; l++) {
      assert_int_equal(outcome[l].verdict, RBV_SIM_DONE);
      rbv_log *log;
      rbv_motion *motion;
      rbv_estimate *e;
      const rbv_sim_columns none = {0};
      const rbv_differentiate_options how = {.cutoff_hz = 25};
      rbv_identify_options o = rbv_identify_defaults();
      o.filter.decimate = DECIMATE;
      assert_ok(rbv_sim_log(&log, sim, l, &trace[l], &outcome[l], &none));
      assert_ok(rbv_motion_from_log(&motion, m, log, &how));
      assert_ok(rbv_identify(&e, m, &motion, 1, &o));
      assert_int_equal(e->base->count, BASE);
      assert_int_equal(e->active, BASE);
      for (int b = 0; b < BASE; b++) {
        sum[b] += e->value[b];
        square[b] += e->value[b] * e->value[b];
      }
      rbv_estimate_free(e);
      rbv_motion_free(motion);
      rbv_log_free(log);
    }
  }
  for (int b = 0; b < BASE; b++)
    spread[b] = sqrt((square[b] - sum[b] * sum[b] / RUNS) / (RUNS - 1));
  for (int l = 0; l < LANES; l++) rbv_sim_trace_free(&trace[l]);
  rbv_sim_free(sim);
  free(state);
}

/* one controller for both: tuned for the largest inertia along Table I */
static rbv_control *a460_control(const rbv_model *m, const double *chi, const rbv_trajectory *t) {
  const ptrdiff_t count = rbv_trajectory_samples(t, RATE);
  double *q = malloc(6 * (size_t)count * sizeof *q), J[6];
  const rbv_samples s = {.ld = count, .q = q};
  rbv_trajectory_sample(&s, t, 0, 1 / RATE, count);
  const rbv_sim_reference r = {.count = count, .ld = count, .q = q};
  assert_ok(rbv_sim_inertia(J, m, chi, false, &r, 10));
  rbv_control_joint joint[6];
  for (int j = 0; j < 6; j++) joint[j] = rbv_control_tune(J[j], 20, 0.2, 10);
  rbv_control *c;
  assert_ok(rbv_control_new(&c, NULL, RATE, RBV_FEEDFORWARD_NONE, joint, 6));
  free(q);
  return c;
}

static int ascending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* the same length, harmonics and maxima of q, dq, ddq as Table I's own trajectory */
static rbv_trajectory *better_than(rbv_score *score, const rbv_trajectory *theirs,
                                   rbv_criterion criterion) {
  rbv_model *m = load_robot("a460", -1, false);
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
  find.starts = 60;  // half a minute; the sigma of twenty are 2 % larger in the mean
  rbv_excite_options o = rbv_excite_defaults();
  o.columns = RBV_COLUMNS_INERTIAL;
  o.criterion = criterion;
  o.noise = noise;
  rbv_excite *e;
  assert_ok(rbv_excite_new(&e, m, &o));
  rbv_trajectory *ours;
  rbv_search_info info;
  assert_ok(rbv_excite_search(&ours, &info, e, &c, &s, &find));
  assert_true(info.feasible);
  assert_keeps(m, &c, ours, 1e-3);
  rbv_motion *motion;
  assert_ok(rbv_trajectory_motion(&motion, ours, "design", 100));
  assert_ok(rbv_excite_score(score, NULL, NULL, e, &motion, 1));
  print_message("a460 by %s: condition %.2f, scaled %.3f, I_c %.2f in %.1f s\n",
                rbv_criterion_name(o.criterion), score->condition, score->condition_scaled,
                score->coupling, info.seconds);
  rbv_motion_free(motion);
  rbv_excite_free(e);
  rbv_model_free(m);
  return ours;
}

static void test_condition_against_table_one(void **state) {
  (void)state;
  rbv_trajectory *theirs = table_one();
  rbv_score score;
  rbv_trajectory_free(better_than(&score, theirs, RBV_CRITERION_COND));
  assert_true(score.condition_scaled <= 4.7);
  rbv_trajectory_free(theirs);
}

/* Monte Carlo on closed-loop logs: how far estimates scatter after either trajectory */
static void test_spread_against_table_one(void **state) {
  (void)state;
  rbv_trajectory *theirs = table_one();
  rbv_score score;
  rbv_trajectory *ours = better_than(&score, theirs, RBV_CRITERION_DOPT);
  double chi[60], a[BASE], b[BASE];
  rbv_model *m = a460_without_drives(chi);
  rbv_control *control = a460_control(m, chi, theirs);
  spread_of(a, m, chi, control, theirs);
  spread_of(b, m, chi, control, ours);
  for (int i = 0; i < BASE; i++) a[i] /= b[i];
  qsort(a, BASE, sizeof *a, ascending);
  const double median = (a[BASE / 2 - 1] + a[BASE / 2]) / 2;
  print_message("spread of Table I over ours: median %.2f, from %.2f to %.2f\n", median, a[0],
                a[BASE - 1]);
  assert_true(median >= 1.4);
  rbv_control_free(control);
  rbv_model_free(m);
  rbv_trajectory_free(ours);
  rbv_trajectory_free(theirs);
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
      cmocka_unit_test(test_sines_of_001),
      cmocka_unit_test(test_via_points_of_001),
      cmocka_unit_test(test_best_of_all_classes),
      cmocka_unit_test(test_condition_against_table_one),
      cmocka_unit_test(test_spread_against_table_one),
      cmocka_unit_test(test_fifty_random_robots),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
