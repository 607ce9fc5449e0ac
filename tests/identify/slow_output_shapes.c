/*
 * Output error with Stribeck friction whose speed v_s is unknown, beside the delay of the torque:
 * do values and sigma hold? A pendulum of our own simulation with disturbances and encoders of 16
 * bits; every run draws motion, noise, gains and the wrong start of v_s (50 % too small or too
 * large).
 */
#include <math.h>
#include <roberval/sys/identify.h>
#include <stdlib.h>
#include <string.h>

#include "base/support.h"
#include "motions.h"
#include "support.h"

#define RATE 500.0
#define COUNT 8000  // 16 s
#define DELAY 0.0033
#define SPEED 0.12  // v_s
#define RUNS 100

static const struct {
  const char *name;
  double value;
} truth[] = {{"stribeck1", SPEED}, {"delay", DELAY}, {"ZZ1R", 0.2602}, {"MX1", 0.6},
             {"Fv1", 0.1},         {"Fc1", 0.3},     {"Fs1", 0.25}};
#define VALUES ((int)(sizeof truth / sizeof *truth))

static rbv_model *pendulum(double v_s) {
  char robot[1024];
  snprintf(robot, sizeof robot,
           "joints:\n"
           "  - {name: hinge, mdh: {alpha: pi/2, d: 0, theta: 0, r: 0}, drive: [Ia, Fv, Fc, Fs]}\n"
           "friction: {smooth: 0.005, stribeck: %.17g}\n"
           "parameters: {XX1: 0.0004, YY1: 0.2402, ZZ1: 0.2402, MX1: 0.6, M1: 2, Ia1: 0.02, "
           "Fv1: 0.1, Fc1: 0.3, Fs1: 0.25}\n",
           v_s);
  return load_robot(temp_file("pendulum.yaml", robot), -1, false);
}

static void draw_reference(double *q, uint64_t seed) {
  for (int k = 0; k < COUNT; k++) {
    const double t = k / RATE;
    double sum = 0;
    for (int i = 0; i < 5; i++) {
      const double phase = 2 * M_PI * rbv_random_uniform(seed, 1, (uint64_t)i);
      sum += sin(2 * M_PI * (0.15 + 0.3 * i) * t + phase) / (1 + 0.5 * i);
    }
    q[k] = 0.4 + 0.3 * (1 - exp(-2 * t * t)) * sum;
  }
}

/* values and sigma of a run; false: it did not converge */
static bool run_once(double value[VALUES], double sigma[VALUES], int run) {
  static double reference[COUNT];
  static const double delay = DELAY, noise = 0.02;
  const uint64_t seed = 3000 + (uint64_t)run;
  rbv_model *robot = pendulum(SPEED), *given = pendulum(run % 2 ? 0.5 * SPEED : 1.5 * SPEED);
  rbv_control_joint j = rbv_control_joint_defaults();
  j.k_p = 40 + 80 * rbv_random_uniform(seed, 9, 0);
  j.k_d = 0.08 * j.k_p;
  j.filter_s = 2e-3;
  rbv_control *c;
  assert_ok(rbv_control_new(&c, "pd", RATE, RBV_FEEDFORWARD_NONE, &j, 1));
  draw_reference(reference, seed);
  const rbv_sim_reference at = {.count = COUNT, .ld = COUNT, .q = reference};
  rbv_sim_options o = rbv_sim_defaults();
  o.longest_delay_s = 0.02;
  o.defects.record_counts = 65536;
  o.defects.disturbance = &noise;
  const rbv_sim_lane lane = {.delay = &delay, .seed = seed};
  rbv_motion *motion = simulated_motion(robot, c, &o, &lane, &at);
  const int nc = rbv_model_column_count(given);
  bool *columns = malloc((size_t)nc * sizeof *columns);
  double *start = malloc((size_t)nc * sizeof *start);
  for (int k = 0; k < nc; k++) {
    columns[k] = strcmp(rbv_model_column(given, k)->name, "MY1") != 0;
    start[k] = 1.3 * rbv_model_parameters(given)[k];
  }
  const rbv_unknown u[] = {{.kind = RBV_UNKNOWN_SHAPE, .joint = 0, .shape = "stribeck"},
                           {.kind = RBV_UNKNOWN_DELAY, .joint = -1}};
  rbv_closed_loop loop = rbv_closed_loop_defaults();
  loop.control = c;
  loop.reference = &at;
  loop.start = start;
  loop.skip = 200;
  loop.unknown = u;
  loop.nunknown = 2;
  loop.longest_delay_s = 0.02;
  rbv_identify_options how = rbv_identify_defaults();
  how.method = "cloe";
  how.loop = &loop;
  how.columns = columns;
  rbv_estimate *e;
  assert_ok(rbv_identify(&e, given, &motion, 1, &how));
  for (int i = 0; i < VALUES; i++) {
    value[i] = sigma[i] = NAN;
    for (int k = 0; k < e->loop.nunknown; k++)
      if (strcmp(e->loop.unknown[k].name, truth[i].name) == 0) {
        value[i] = e->loop.unknown[k].value;
        sigma[i] = e->loop.unknown[k].sigma;
      }
    for (int k = 0; k < e->base->count; k++)
      if (strcmp(e->base->name[k], truth[i].name) == 0) {
        value[i] = e->value[k];
        sigma[i] = sqrt(e->covariance[k + (ptrdiff_t)k * e->base->count]);
      }
    assert_true(isfinite(value[i]) && isfinite(sigma[i]));
  }
  const bool converged = e->converged;
  rbv_estimate_free(e);
  rbv_motion_free(motion);
  rbv_control_free(c);
  rbv_model_free(robot);
  rbv_model_free(given);
  free(columns);
  free(start);
  return converged;
}

static int compare(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static int part = 1;  // of the runs: one of so many

/* Bounds: all converge; 92 to 98 % of all values within 1.96 sigma (700 values: 95 % +- 2.5 would
 * be three deviations); v_s within a few per cent; no bias: the median error of each value is below
 * three of its deviations, 1.25 rms / sqrt(runs). */
static void test_coverage(void **state) {
  (void)state;
  static double error[VALUES][RUNS];
  const int runs = RUNS / part;
  int inside = 0, converged = 0;
  for (int run = 0; run < runs; run++) {
    double value[VALUES], sigma[VALUES];
    converged += run_once(value, sigma, run);
    for (int i = 0; i < VALUES; i++) {
      error[i][run] = value[i] / truth[i].value - 1;
      inside += fabs(value[i] - truth[i].value) < 1.96 * sigma[i];
    }
  }
  print_message("%d of %d converged, %d of %d values within 1.96 sigma\n", converged, runs, inside,
                runs * VALUES);
  bool good = converged == runs;
  for (int i = 0; i < VALUES; i++) {
    double rms = 0;
    for (int run = 0; run < runs; run++) rms += error[i][run] * error[i][run] / runs;
    rms = sqrt(rms);
    qsort(error[i], (size_t)runs, sizeof error[i][0], compare);
    const double median = error[i][runs / 2];
    print_message("%-10s median error %+.3f %%, rms %.3f %%\n", truth[i].name, 100 * median,
                  100 * rms);
    good = good && fabs(median) < 3 * 1.25 * rms / sqrt(runs) && rms < 0.08;
  }
  assert_true(good);
  if (part == 1) assert_in_range(inside, 0.92 * runs * VALUES, 0.98 * runs * VALUES);
}

/* argument: a share of the runs, for instance 10 for a tenth */
int main(int argc, char **argv) {
  if (argc > 1) part = atoi(argv[1]);
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_coverage)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
