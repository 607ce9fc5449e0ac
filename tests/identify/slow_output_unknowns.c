/*
 * Output error with further unknowns beside the delay of the torque: the speed v_s of Stribeck
 * friction, and stiffness and damping of an elastic joint. Do values and sigma hold? A pendulum of
 * our own simulation with disturbances and encoders of 16 bits; every run draws motion, noise,
 * gains and a wrong start (v_s or stiffness 50 % too small or too large).
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
#define RUNS 100
#define MOST 7  // true values

typedef struct {
  const char *name;
  double value;
} true_value;

/* One pendulum. */
typedef struct {
  const char *name;
  const char *drive, *friction, *parameters;  // of the robot file
  double v_s;                                 // 0: none
  double stiffness, damping;                  // 0: rigid
  double chirp;                               // of the reference, through the resonance [rad]
  double softest, damping_gain;               // k_p from here to 80 more; k_d over k_p [s]
  rbv_unknown unknown[3];
  int nunknown;
  true_value truth[MOST];
  int ntruth;
  double rms;  // bound of the relative error of every value
} pendulum_case;

static const pendulum_case cases[] = {
    {.name = "Stribeck speed",
     .drive = "Ia, Fv, Fc, Fs",
     .friction = "smooth: 0.005",
     .parameters = "Ia1: 0.02, Fv1: 0.1, Fc1: 0.3, Fs1: 0.25",
     .v_s = 0.12,
     .softest = 40,
     .damping_gain = 0.08,
     .unknown = {{.kind = RBV_UNKNOWN_SHAPE, .joint = 0, .shape = "stribeck"},
                 {.kind = RBV_UNKNOWN_DELAY, .joint = -1}},
     .nunknown = 2,
     .truth = {{"stribeck1", 0.12},
               {"delay", DELAY},
               {"ZZ1R", 0.2602},
               {"MX1", 0.6},
               {"Fv1", 0.1},
               {"Fc1", 0.3},
               {"Fs1", 0.25}},
     .ntruth = 7,
     .rms = 0.08},
    {.name = "elastic joint",
     .drive = "Ia, Fv, Fc",
     .friction = "smooth: 0.01",
     .parameters = "Ia1: 0.1, Fv1: 0.4, Fc1: 0.3",
     .stiffness = 400,
     .damping = 1,
     .chirp = 0.01,
     .softest = 80,
     .damping_gain = 0.08,
     .unknown = {{.kind = RBV_UNKNOWN_STIFFNESS, .joint = 0},
                 {.kind = RBV_UNKNOWN_DAMPING, .joint = 0},
                 {.kind = RBV_UNKNOWN_DELAY, .joint = -1}},
     .nunknown = 3,
     .truth = {{"stiffness1", 400},
               {"damping1", 1},
               {"delay", DELAY},
               {"Ia1", 0.1},
               {"Fv1", 0.4},
               {"Fc1", 0.3}},
     .ntruth = 6,
     .rms = 0.05},
};

static rbv_model *load(const pendulum_case *x, double factor) {
  char stribeck[64] = "", robot[1024];
  if (x->v_s > 0) snprintf(stribeck, sizeof stribeck, ", stribeck: %.17g", factor * x->v_s);
  snprintf(robot, sizeof robot,
           "joints:\n"
           "  - {name: hinge, mdh: {alpha: pi/2, d: 0, theta: 0, r: 0}, drive: [%s]}\n"
           "friction: {%s%s}\n"
           "parameters: {XX1: 0.0004, YY1: 0.2402, ZZ1: 0.2402, MX1: 0.6, M1: 2, %s}\n",
           x->drive, x->friction, stribeck, x->parameters);
  return load_robot(temp_file("pendulum.yaml", robot), -1, false);
}

static void draw_reference(double *q, const pendulum_case *x, uint64_t seed) {
  for (int k = 0; k < COUNT; k++) {
    const double t = k / RATE;
    double sum = 0;
    for (int i = 0; i < 5; i++) {
      const double phase = 2 * M_PI * rbv_random_uniform(seed, 1, (uint64_t)i);
      sum += sin(2 * M_PI * (0.15 + 0.3 * i) * t + phase) / (1 + 0.5 * i);
    }
    const double chirp = x->chirp * sin(2 * M_PI * (2 + 0.9 * t) * t);
    q[k] = 0.4 + (1 - exp(-2 * t * t)) * (0.3 * sum + chirp);
  }
}

/* value and sigma of every true value */
static void take(double *value, double *sigma, const rbv_estimate *e, const pendulum_case *x) {
  for (int i = 0; i < x->ntruth; i++) {
    value[i] = sigma[i] = NAN;
    for (int k = 0; k < e->loop.nunknown; k++)
      if (strcmp(e->loop.unknown[k].name, x->truth[i].name) == 0) {
        value[i] = e->loop.unknown[k].value;
        sigma[i] = e->loop.unknown[k].sigma;
      }
    for (int k = 0; k < e->base->count; k++)
      if (strcmp(e->base->name[k], x->truth[i].name) == 0) {
        value[i] = e->value[k];
        sigma[i] = sqrt(e->covariance[k + (ptrdiff_t)k * e->base->count]);
      }
    assert_true(isfinite(value[i]) && isfinite(sigma[i]));
  }
}

/* false: it did not converge */
static bool run_once(double *value, double *sigma, const pendulum_case *x, int run) {
  static double reference[COUNT];
  static const double delay = DELAY, noise = 0.02;
  const uint64_t seed = 3000 + (uint64_t)run;
  const double factor = run % 2 ? 0.5 : 1.5;
  const bool elastic = x->stiffness > 0;
  rbv_model *robot = load(x, 1), *given = load(x, factor);
  rbv_control_joint j = rbv_control_joint_defaults();
  j.k_p = x->softest + 80 * rbv_random_uniform(seed, 9, 0);
  j.k_d = x->damping_gain * j.k_p;
  j.filter_s = 2e-3;
  rbv_control *c;
  assert_ok(rbv_control_new(&c, "pd", RATE, RBV_FEEDFORWARD_NONE, &j, 1));
  draw_reference(reference, x, seed);
  const rbv_sim_reference at = {.count = COUNT, .ld = COUNT, .q = reference};
  rbv_sim_options o = rbv_sim_defaults();
  o.longest_delay_s = 0.02;
  o.defects.record_counts = 65536;
  o.defects.disturbance = &noise;
  o.elastic = elastic;
  o.substeps = elastic ? 16 : 0;  // finer than the identification
  const rbv_sim_lane lane = {.delay = &delay,
                             .seed = seed,
                             .stiffness = elastic ? &x->stiffness : NULL,
                             .damping = elastic ? &x->damping : NULL};
  rbv_motion *motion = simulated_motion(robot, c, &o, &lane, &at);
  bool columns[64];
  double start[64];
  const double stiffness = factor * x->stiffness, damping = 2 * x->damping;
  for (int k = 0; k < rbv_model_column_count(given); k++) {
    const bool link = rbv_model_column(given, k)->basis == RBV_BASIS_INERTIAL;
    columns[k] = elastic || strcmp(rbv_model_column(given, k)->name, "MY1") != 0;
    start[k] = (elastic && link ? 1 : 1.3) * rbv_model_parameters(given)[k];
  }
  rbv_closed_loop loop = rbv_closed_loop_defaults();
  loop.control = c;
  loop.reference = &at;
  loop.start = start;
  loop.skip = 200;
  loop.unknown = x->unknown;
  loop.nunknown = x->nunknown;
  loop.longest_delay_s = 0.02;
  loop.known = rbv_model_parameters(given);
  loop.known_links = elastic;
  loop.stiffness = elastic ? &stiffness : NULL;
  loop.damping = elastic ? &damping : NULL;
  rbv_identify_options how = rbv_identify_defaults();
  how.method = "cloe";
  how.loop = &loop;
  how.columns = columns;
  rbv_estimate *e;
  assert_ok(rbv_identify(&e, given, &motion, 1, &how));
  take(value, sigma, e, x);
  const bool converged = e->converged;
  rbv_estimate_free(e);
  rbv_motion_free(motion);
  rbv_control_free(c);
  rbv_model_free(robot);
  rbv_model_free(given);
  return converged;
}

static int compare(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static int part = 1;  // of the runs: one of so many

/* Bounds: all converge; 92 to 98 % of all values within 1.96 sigma (600 values: 95 % +- 2.7 would
 * be three deviations); errors of a few per cent; no bias: the median error of each value is below
 * three of its deviations, 1.25 rms / sqrt(runs). */
static void check_coverage(const pendulum_case *x) {
  static double error[MOST][RUNS];
  const int runs = RUNS / part, all = runs * x->ntruth;
  int inside = 0, converged = 0;
  for (int run = 0; run < runs; run++) {
    double value[MOST], sigma[MOST];
    converged += run_once(value, sigma, x, run);
    for (int i = 0; i < x->ntruth; i++) {
      error[i][run] = value[i] / x->truth[i].value - 1;
      inside += fabs(value[i] - x->truth[i].value) < 1.96 * sigma[i];
    }
  }
  print_message("%s: %d of %d converged, %d of %d values within 1.96 sigma\n", x->name, converged,
                runs, inside, all);
  bool good = converged == runs;
  for (int i = 0; i < x->ntruth; i++) {
    double rms = 0;
    for (int run = 0; run < runs; run++) rms += error[i][run] * error[i][run] / runs;
    rms = sqrt(rms);
    qsort(error[i], (size_t)runs, sizeof error[i][0], compare);
    const double median = error[i][runs / 2];
    print_message("%-10s median error %+.3f %%, rms %.3f %%\n", x->truth[i].name, 100 * median,
                  100 * rms);
    good = good && fabs(median) < 3 * 1.25 * rms / sqrt(runs) && rms < x->rms;
  }
  assert_true(good);
  if (part == 1) assert_true(inside >= 0.92 * all && inside <= 0.98 * all);
}

static void test_stribeck(void **state) {
  (void)state;
  check_coverage(&cases[0]);
}

static void test_elastic(void **state) {
  (void)state;
  check_coverage(&cases[1]);
}

/* arguments: a share of the runs, for instance 10 for a tenth; the name of a test */
int main(int argc, char **argv) {
  if (argc > 1) part = atoi(argv[1]);
  if (argc > 2) cmocka_set_test_filter(argv[2]);
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_stribeck),
                                     cmocka_unit_test(test_elastic)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
