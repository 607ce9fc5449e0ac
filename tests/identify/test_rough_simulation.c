/* Instruments from a simulation with steps that are too long for its friction. */
#include <math.h>
#include <roberval/sys/log.h>
#include <stdlib.h>

#include "base/support.h"
#include "bench.h"
#include "support.h"

#define N BENCH_JOINTS
#define EVERY 5  // samples of the reference: 1 kHz
#define RATE (BENCH_RATE / EVERY)
#define COUNT (BENCH_SAMPLES / EVERY)

/* A recording of the TX40 at 1 kHz. Friction changes the speed of a wrist joint by up to 0.1 rad/s
 * in 1 ms, 15 times the smoothing speed of its law: with such steps the speed jumps about zero. */
typedef struct {
  rbv_model *m;
  rbv_control *control;
  double *q;
  rbv_sim_reference reference;
  rbv_motion *motion;
  rbv_sim *sim;  // with long steps
} fixture;

static rbv_sim_options long_steps(void) {
  rbv_sim_options o = rbv_sim_defaults();
  o.integrator = RBV_INTEGRATOR_ROS2;
  o.substeps = 1;
  return o;
}

static rbv_control *make_control(const fixture *f) {
  static const double hz[N] = {12, 12, 16, 24, 24, 40};
  double J[N];
  rbv_control_joint joint[N];
  assert_ok(rbv_sim_inertia(J, f->m, rbv_model_parameters(f->m), false, &f->reference, 10));
  for (int j = 0; j < N; j++) joint[j] = rbv_control_tune(J[j], 2 * RBV_PI * hz[j], 0.2, 10);
  rbv_control *c;
  assert_ok(rbv_control_new(&c, "loop", RATE, RBV_FEEDFORWARD_NONE, joint, N));
  return c;
}

static rbv_motion *record(const fixture *f, uint64_t seed) {
  static const double noise[N] = {0.4, 0.4, 0.2, 0.1, 0.1, 0.1};
  rbv_sim_options so = rbv_sim_defaults();
  so.defects.loop_counts = 20000;
  so.defects.torque_noise = noise;
  const rbv_sim_lane lane = {.seed = seed};
  const rbv_sim_columns columns = {.reference = true};
  rbv_differentiate_options o = rbv_differentiate_defaults();
  o.cutoff_hz = 15;
  rbv_sim *s;
  rbv_sim_trace trace;
  rbv_sim_outcome outcome;
  rbv_log *log;
  rbv_motion *motion;
  assert_ok(rbv_sim_new(&s, f->m, f->control, &so, 1));
  assert_ok(rbv_sim_set(s, 0, &lane));
  assert_ok(rbv_sim_trace_new(&trace, N, COUNT));
  assert_ok(rbv_sim_run(&outcome, s, &f->reference, &trace));
  assert_ok(rbv_sim_log(&log, s, 0, &trace, &outcome, &columns));
  assert_ok(rbv_motion_from_log(&motion, f->m, log, &o));
  rbv_log_free(log);
  rbv_sim_trace_free(&trace);
  rbv_sim_free(s);
  return motion;
}

static void setup(fixture *f, uint64_t seed) {
  const rbv_sim_options coarse = long_steps();
  *f = (fixture){.m = bench_model(), .q = malloc(COUNT * N * sizeof *f->q)};
  double *all = bench_reference();
  for (int j = 0; j < N; j++)
    for (ptrdiff_t k = 0; k < COUNT; k++) f->q[k + j * COUNT] = all[EVERY * k + j * BENCH_SAMPLES];
  free(all);
  f->reference = (rbv_sim_reference){.count = COUNT, .ld = COUNT, .q = f->q};
  f->control = make_control(f);
  f->motion = record(f, seed);
  assert_ok(rbv_sim_new(&f->sim, f->m, f->control, &coarse, 1));
}

static void teardown(fixture *f) {
  rbv_sim_free(f->sim);
  rbv_motion_free(f->motion);
  rbv_control_free(f->control);
  free(f->q);
  rbv_model_free(f->m);
}

/* rbv_simulator whose steps cannot be changed */
static rbv_status simulate(rbv_sim_outcome *outcome, void *self, int motion,
                           const rbv_sim_lane *lane, const rbv_sim_trace *trace) {
  const fixture *f = self;
  (void)motion;
  const rbv_status status = rbv_sim_set(f->sim, 0, lane);
  return status == RBV_OK ? rbv_sim_run(outcome, f->sim, &f->reference, trace) : status;
}

static rbv_estimate *estimate(fixture *f, const rbv_sim_options *sim, bool fixed) {
  rbv_closed_loop loop = rbv_closed_loop_defaults();
  loop.control = f->control;
  loop.reference = &f->reference;
  loop.start = rbv_model_parameters(f->m);
  loop.sim = sim;
  loop.skip = 200;
  loop.simulator = fixed ? simulate : NULL;
  loop.simulator_self = f;
  rbv_identify_options how = rbv_identify_defaults();
  how.method = "iv";
  how.filter.decimate = 60;
  how.loop = &loop;
  rbv_estimate *e;
  assert_ok(rbv_identify(&e, f->m, &f->motion, 1, &how));
  print_message("%d iterations, %s:", e->iterations, e->converged ? "converged" : "not converged");
  for (int i = 1; i < e->iterations; i++) print_message(" %.3f", e->iteration[i].change);
  print_message("\n");
  return e;
}

#define SETTLED 4  // iterations after which changes are far below 0.1 sigma if the steps are short

/* largest change of a parameter in an iteration after the first ones, in its sigma */
static double late_change(const rbv_estimate *e) {
  double largest = 0;
  for (int i = SETTLED; i < e->iterations; i++) largest = fmax(largest, e->iteration[i].change);
  return largest;
}

/*
 * With long steps the instruments are no smooth function of the parameters, and the changes do not
 * decrease; that the iteration ends is chance. With steps that are divided in this case it
 * converges soon, and the estimate is that of a simulation with short steps: each of the two may be
 * 0.1 sigma from its limit.
 */
static void test_iteration_divides_steps(void **state) {
  (void)state;
  const rbv_sim_options coarse = long_steps();
  static const uint64_t seeds[] = {1, 3, 5};
  for (int i = 0; i < RBV_COUNT(seeds); i++) {
    fixture f;
    setup(&f, seeds[i]);
    rbv_estimate *fixed = estimate(&f, &coarse, true), *own = estimate(&f, &coarse, false),
                 *fine = estimate(&f, NULL, false);
    assert_true(late_change(fixed) > 0.5 && fixed->iterations > own->iterations);
    assert_true(own->converged && fine->converged && fine->iterations <= SETTLED);
    const ptrdiff_t n = own->base->count;
    double largest = 0;
    for (int k = 0; k < n; k++)
      largest =
          fmax(largest, fabs(own->value[k] - fine->value[k]) / sqrt(fine->covariance[k + k * n]));
    print_message("largest difference: %.3f sigma\n", largest);
    assert_near(largest, 0, 0.2, 0);
    rbv_estimate_free(fixed);
    rbv_estimate_free(own);
    rbv_estimate_free(fine);
    teardown(&f);
  }
}

/* steps that are short enough are not divided: the estimate is that of fixed steps, to the bit */
static void test_smooth_simulation_keeps_its_steps(void **state) {
  (void)state;
  rbv_sim_options fine = rbv_sim_defaults();
  fixture f;
  setup(&f, 1);
  rbv_sim_free(f.sim);
  assert_ok(rbv_sim_new(&f.sim, f.m, f.control, &fine, 1));
  rbv_estimate *fixed = estimate(&f, &fine, true), *own = estimate(&f, &fine, false);
  assert_true(fixed->converged && own->converged);
  assert_memory_equal(fixed->value, own->value, (size_t)own->base->count * sizeof *own->value);
  rbv_estimate_free(fixed);
  rbv_estimate_free(own);
  teardown(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_iteration_divides_steps),
      cmocka_unit_test(test_smooth_simulation_keeps_its_steps),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
