/* Method slide on a TX40 whose friction is higher near standstill. */
#include <math.h>
#include <roberval/sys/sim.h>
#include <roberval/sys/stats.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "support.h"

#define EXCESS 0.3     // relative to the Coulomb friction, at standstill
#define EXCESS_OF 0.1  // rad/s: Stribeck speed of the robot
#define BELIEVED 0.15  // rad/s: Stribeck speed of the model
#define COLUMN_MAX 128

static rbv_model *load(double stribeck) {
  rbv_model_options o = rbv_model_defaults();
  o.gamma = 150;
  o.stribeck = stribeck;
  rbv_model *m;
  assert_ok(rbv_model_load(&m, "tx40", &o));
  return m;
}

static int excess_column(const rbv_model *m, int joint) {
  const char name[] = {'F', 's', (char)('1' + joint), 0};
  return rbv_model_find(m, name);
}

typedef struct {
  rbv_model *plant, *m;
  double chi[COLUMN_MAX];  // of the plant
  bench_run run;
  rbv_control *control;
  rbv_motion *measured, *exact;
} bench;

static void setup(bench *b, bench_options o, double excess, double cutoff_hz) {
  b->plant = load(EXCESS_OF);
  b->m = load(BELIEVED);
  memcpy(b->chi, rbv_model_parameters(b->plant),
         (size_t)rbv_model_column_count(b->plant) * sizeof *b->chi);
  for (int j = 0; j < BENCH_JOINTS; j++) {
    const char coulomb[] = {'F', 'c', (char)('1' + j), 0};
    b->chi[excess_column(b->plant, j)] = excess * b->chi[rbv_model_find(b->plant, coulomb)];
  }
  o.chi = b->chi;
  bench_new(&b->run, b->plant, BENCH_SAMPLES, &o);
  b->control = bench_control(b->run.inertia, &o);
  b->measured = bench_motion(&b->run, b->m, cutoff_hz);
  const rbv_motion_info info = {.name = "exact",
                                .njoint = BENCH_JOINTS,
                                .ntorque = BENCH_JOINTS,
                                .count = BENCH_SAMPLES,
                                .rate_hz = BENCH_RATE};
  const rbv_samples s = {
      .ld = BENCH_SAMPLES, .q = b->run.q, .dq = b->run.dq, .ddq = b->run.ddq, .torque = b->run.tau};
  assert_ok(rbv_motion_from_arrays(&b->exact, &info, &s));
}

static void teardown(bench *b) {
  rbv_motion_free(b->measured);
  rbv_motion_free(b->exact);
  rbv_control_free(b->control);
  bench_free(&b->run);
  rbv_model_free(b->m);
  rbv_model_free(b->plant);
}

/* the parameters that are not zero; with `slow` also those of the friction near standstill */
static rbv_estimate *identify(const bench *b, const char *method, bool slow) {
  const rbv_sim_reference reference = {
      .count = BENCH_SAMPLES, .ld = BENCH_SAMPLES, .q = b->run.reference};
  bool columns[COLUMN_MAX] = {false};
  for (int i = 0; i < BENCH_TRUE; i++) columns[rbv_model_find(b->m, bench_true[i])] = true;
  for (int j = 0; j < BENCH_JOINTS; j++) columns[excess_column(b->m, j)] = slow;
  rbv_closed_loop loop = rbv_closed_loop_defaults();
  loop.control = b->control;
  loop.reference = &reference;
  loop.inertia = b->run.inertia;
  loop.skip = 500;
  rbv_identify_options how = rbv_identify_defaults();
  how.method = method;
  how.filter.decimate = 125;
  how.columns = columns;
  how.loop = &loop;
  rbv_estimate *e;
  assert_ok(rbv_identify(&e, b->m, &b->measured, 1, &how));
  assert_true(e->converged);
  return e;
}

/* median error of the friction parameters, relative */
static double friction_error(const bench *b, const rbv_estimate *e) {
  double error[BENCH_TRUE], median;
  int n = 0;
  for (int i = 0; i < BENCH_TRUE; i++) {
    if (bench_true[i][0] != 'F' && bench_true[i][0] != 'f') continue;
    const double truth = b->chi[rbv_model_find(b->plant, bench_true[i])];
    error[n++] = fabs(e->chi[rbv_model_find(b->m, bench_true[i])] / truth - 1);
  }
  const double half = 0.5;
  assert_ok(rbv_stats_quantiles(&median, error, error, n, &half, 1));
  return median;
}

/* torque error along the motion of the robot, without sensors */
static double torque_error(const bench *b, const rbv_estimate *e) {
  rbv_prediction *p;
  const rbv_row_filter filter = {.decimate = 125};
  rbv_motion *exact = b->exact;
  assert_ok(rbv_predict(&p, b->m, &exact, 1, e->chi, &filter));
  const double error = p->fit.relative_error;
  rbv_prediction_free(p);
  return error;
}

/* exact sensors, and friction as in the model: nothing is lost by the equations left out */
static void test_exact(void **state) {
  (void)state;
  bench b;
  setup(&b, bench_defaults(), 0, 50);
  rbv_estimate *e = identify(&b, "slide", true);
  print_message("exact: friction %.3f %%, torque %.3f %%\n", 100 * friction_error(&b, e),
                100 * torque_error(&b, e));
  assert_true(friction_error(&b, e) < 1e-3);
  assert_true(torque_error(&b, e) < 1e-3);
  for (int k = 0; k < e->base->count; k++) {
    const int c = e->base->kept[k];
    if (!rbv_column_has_law(rbv_model_column(b.m, c), "Fs")) continue;
    assert_int_equal(e->status[k], RBV_STATUS_MEAN_RESIDUAL);
    // the true value is zero: the estimate is within its own uncertainty
    assert_true(fabs(e->value[k]) <
                4 * sqrt(e->covariance[k + (ptrdiff_t)k * e->base->count]) + 0.05);
  }
  rbv_estimate_free(e);
  teardown(&b);
}

/* Encoders of 3600 counts, a disturbance, and friction that is not in the model: iv attributes the
 * friction near standstill to Coulomb friction, slide does not. */
static void test_wrong_friction(void **state) {
  (void)state;
  const bench_options modes[] = {bench_offline(3), bench_in_loop(3)};
  for (int i = 0; i < 2; i++) {
    bench b;
    setup(&b, modes[i], EXCESS, 50);
    rbv_estimate *iv = identify(&b, "iv", false), *slide = identify(&b, "slide", true);
    print_message("%s: friction iv %.2f %%, slide %.2f %%; torque %.2f %%, %.2f %%\n",
                  i == 0 ? "offline" : "in loop", 100 * friction_error(&b, iv),
                  100 * friction_error(&b, slide), 100 * torque_error(&b, iv),
                  100 * torque_error(&b, slide));
    assert_true(friction_error(&b, slide) < friction_error(&b, iv) / 3);
    assert_true(torque_error(&b, slide) < torque_error(&b, iv));
    rbv_estimate_free(iv);
    rbv_estimate_free(slide);
    teardown(&b);
  }
}

/* auto finds the bias, selects a method that has none, and says why */
static void test_auto(void **state) {
  (void)state;
  bench b;
  setup(&b, bench_in_loop(5), EXCESS, 50);
  rbv_estimate *e = identify(&b, "auto", false);
  print_message("auto: %s\n", e->choice);
  assert_true(strcmp(e->method, "slide") == 0 || strcmp(e->method, "piv") == 0);
  assert_non_null(strstr(e->choice, "least squares is biased"));
  assert_non_null(strstr(e->choice, " % larger; chosen method: "));
  rbv_estimate_free(e);
  teardown(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_exact),
      cmocka_unit_test(test_wrong_friction),
      cmocka_unit_test(test_auto),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
