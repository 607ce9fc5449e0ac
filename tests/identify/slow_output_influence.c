/*
 * What output error says about gains: the shift of each parameter if the given gains are 10 %
 * larger. Is it the shift that a fit with such gains has? And is nothing said where torques are
 * fitted and the gains are unknowns, so that the parameters are right with gains that are not? A
 * pendulum of our own simulation with disturbances; every run draws motion, noise and gains.
 */
#include <math.h>
#include <roberval/sys/identify.h>
#include <stdlib.h>
#include <string.h>

#include "base/support.h"
#include "motions.h"
#include "output_robots.h"
#include "support.h"

#define RATE 500.0
#define COUNT 4000  // 8 s
#define RUNS 30
#define DEPENDS 0.02  // of a value: a shift above it is a dependence on the gains

static const char *const names[] = {"ZZ1R", "MX1", "Fv1", "Fc1"};
static const double truth[] = {0.2602, 0.6, 0.1, 0.3};
#define VALUES 4

static rbv_control *law(double k_p, double k_d) {
  rbv_control_joint j = rbv_control_joint_defaults();
  j.k_p = k_p;
  j.k_d = k_d;
  j.filter_s = 2e-3;
  rbv_control *c;
  assert_ok(rbv_control_new(&c, "pd", RATE, RBV_FEEDFORWARD_NONE, &j, 1));
  return c;
}

static void draw_reference(double *q, uint64_t seed) {
  for (int k = 0; k < COUNT; k++) {
    const double t = k / RATE;
    double sum = 0;
    for (int i = 0; i < 5; i++) {
      const double phase = 2 * M_PI * rbv_random_uniform(seed, 0, (uint64_t)i);
      sum += sin(2 * M_PI * (0.3 + 0.5 * i) * t + phase) / (1 + 0.5 * i);
    }
    q[k] = 0.4 + 0.3 * (1 - exp(-2 * t * t)) * sum;
  }
}

static rbv_estimate *fit(const rbv_model *m, rbv_motion *motion, const rbv_sim_reference *at,
                         const rbv_control *given, bool torques) {
  static const rbv_unknown unknown[] = {
      {.kind = RBV_UNKNOWN_GAIN, .joint = 0, .gain = RBV_GAIN_KP},
      {.kind = RBV_UNKNOWN_GAIN, .joint = 0, .gain = RBV_GAIN_KD}};
  bool *columns = malloc((size_t)rbv_model_column_count(m) * sizeof *columns);
  for (int c = 0; c < rbv_model_column_count(m); c++)
    columns[c] = strcmp(rbv_model_column(m, c)->name, "MY1") != 0;
  rbv_closed_loop loop = rbv_closed_loop_defaults();
  loop.control = given;
  loop.reference = at;
  loop.start = rbv_model_parameters(m);
  loop.skip = 200;
  loop.torques = torques;
  loop.unknown = unknown;
  loop.nunknown = torques ? 2 : 0;
  rbv_identify_options o = rbv_identify_defaults();
  o.method = "cloe";
  o.loop = &loop;
  o.columns = columns;
  rbv_estimate *e;
  assert_ok(rbv_identify(&e, m, &motion, 1, &o));
  free(columns);
  return e;
}

static int index_of(const rbv_estimate *e, const char *name) {
  for (int k = 0; k < e->base->count; k++)
    if (strcmp(e->base->name[k], name) == 0) return k;
  fail_msg("no %s", name);
  return -1;
}

static double shift_of(const rbv_estimate *e, const char *gains, int k) {
  for (int i = 0; i < e->loop.ninfluence; i++)
    if (strcmp(e->loop.influence[i].gains, gains) == 0) return e->loop.influence[i].shift[k];
  fail_msg("no %s", gains);
  return NAN;
}

static int part = 1;  // of the runs: one of so many

/*
 * Predicted against found shifts for all gains, k_p and k_d 10 % too large. The prediction is
 * linear: terms of second order are a tenth of it, doubled for a margin; and the noise of the two
 * fits, which are of the same recording, is below three sigma. A dependence is a shift above 2 % of
 * the true value.
 */
static void test_shifts(void **state) {
  (void)state;
  static const char *const gains[] = {"all", "k_p", "k_d"};
  static double reference[COUNT];
  static const double noise = 0.02;
  rbv_model *m = load_robot(temp_file("pendulum.yaml", PENDULUM), -1, false);
  const rbv_sim_reference at = {.count = COUNT, .ld = COUNT, .q = reference};
  int close = 0, all = 0, depends = 0, told = 0, free_of = 0, false_alarms = 0, beside = 0,
      tables = 0;
  for (int run = 0; run < RUNS / part; run++) {
    const uint64_t seed = 5000 + (uint64_t)run;
    const double k_p = 40 + 80 * rbv_random_uniform(seed, 9, 0), k_d = 0.08 * k_p;
    rbv_control *real = law(k_p, k_d);
    draw_reference(reference, seed);
    rbv_sim_options o = rbv_sim_defaults();
    o.defects.record_counts = 65536;
    o.defects.disturbance = &noise;
    const rbv_sim_lane lane = {.seed = seed};
    rbv_motion *motion = simulated_motion(m, real, &o, &lane, &at);
    rbv_estimate *right = fit(m, motion, &at, real, false);
    for (int g = 0; g < 3; g++) {
      rbv_control *wrong = law(g == 2 ? k_p : 1.1 * k_p, g == 1 ? k_d : 1.1 * k_d);
      rbv_estimate *e = fit(m, motion, &at, wrong, false);
      for (int i = 0; i < VALUES; i++) {
        const int k = index_of(right, names[i]);
        const double sigma = sqrt(right->covariance[k + (ptrdiff_t)k * right->base->count]);
        const double predicted = shift_of(right, gains[g], k);
        const double found = e->value[index_of(e, names[i])] - right->value[k];
        const bool real_one = fabs(found) > DEPENDS * truth[i];
        const bool said = fabs(predicted) > DEPENDS * truth[i];
        all++;
        close += fabs(found - predicted) <= 0.2 * fabs(predicted) + 3 * sigma;
        depends += real_one;
        told += real_one && said;
        free_of += !real_one;
        false_alarms += !real_one && said;
      }
      rbv_estimate_free(e);
      rbv_control_free(wrong);
    }
    // torques show the gains: with gains that are 10 % too large the parameters stay, and no
    // dependence is told
    rbv_control *wrong = law(1.1 * k_p, 1.1 * k_d);
    rbv_estimate *both = fit(m, motion, &at, wrong, true);
    for (int i = 0; i < VALUES; i++) {
      const int k = index_of(both, names[i]);
      const double sigma = sqrt(both->covariance[k + (ptrdiff_t)k * both->base->count]);
      beside += fabs(both->value[k] - truth[i]) > DEPENDS * truth[i] + 3 * sigma;
    }
    tables += both->loop.ninfluence > 0;
    rbv_estimate_free(both);
    rbv_control_free(wrong);
    rbv_estimate_free(right);
    rbv_motion_free(motion);
    rbv_control_free(real);
  }
  print_message("%d of %d shifts as predicted; %d of %d dependences told, %d of %d others told\n",
                close, all, told, depends, false_alarms, free_of);
  print_message(
      "torques fitted, gains unknown: a dependence told in %d of %d runs, %d values off\n", tables,
      RUNS / part, beside);
  rbv_model_free(m);
  assert_true(close >= 0.95 * all);
  assert_true(told >= 0.95 * depends && depends > 0);
  assert_true(false_alarms <= 0.05 * all);
  assert_true(tables == 0 && beside == 0);
}

/* argument: a share of the runs, for instance 10 for a tenth */
int main(int argc, char **argv) {
  if (argc > 1) part = atoi(argv[1]);
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_shifts)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
