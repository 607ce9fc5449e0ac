/*
 * Output error from two recordings under different gains: how often the comparison of both calls
 * the given law wrong, if it is right, and if a gain, the filter or the delay is not that of the
 * robot. A pendulum of our own simulation; every run draws motion, disturbance and gains.
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
#define DELAY 0.0033
#define FILTER 2e-3

/* What is given differs from the robot by these factors on the gains of both recordings. */
typedef struct {
  const char *name;
  double k_p[2], k_d[2], filter;
  bool no_delay;  // the delay of the robot is not an unknown
  int runs;
  int least, most;  // alarms
} law_case;

/* The bounds: 1 % of 200 right laws; a wrong gain or filter in 90 % of the runs. A common factor on
 * all gains is not visible. A delay that is missing leaves a residual that depends on the motion,
 * with a sigma as large as the differences: no bound; it must be an unknown. */
static const law_case cases[] = {
    {"right law", {1, 1}, {1, 1}, 1, false, 200, 0, 2},
    {"all gains 10 % too large", {1.1, 1.1}, {1.1, 1.1}, 1, false, 50, 0, 1},
    {"k_d 10 % too large in both", {1, 1}, {1.1, 1.1}, 1, false, 50, 45, 50},
    {"k_d 10 % too large in one", {1, 1}, {1.1, 1}, 1, false, 50, 45, 50},
    {"k_p 10 % too large in one", {1.1, 1}, {1, 1}, 1, false, 50, 45, 50},
    {"no filter given", {1, 1}, {1, 1}, 0, false, 50, 45, 50},
    {"no delay given", {1, 1}, {1, 1}, 1, true, 50, 0, 50},
};

static rbv_control *law(double k_p, double k_d, double filter_s) {
  rbv_control_joint j = rbv_control_joint_defaults();
  j.k_p = k_p;
  j.k_d = k_d;
  j.filter_s = filter_s;
  rbv_control *c;
  assert_ok(rbv_control_new(&c, "pd", RATE, RBV_FEEDFORWARD_NONE, &j, 1));
  return c;
}

static double *draw_reference(uint64_t seed, uint64_t number) {
  double *q = malloc(COUNT * sizeof *q);
  for (int k = 0; k < COUNT; k++) {
    const double t = k / RATE;
    double sum = 0;
    for (int i = 0; i < 5; i++) {
      const double phase = 2 * M_PI * rbv_random_uniform(seed, number, (uint64_t)i);
      sum += sin(2 * M_PI * (0.3 + 0.5 * i) * t + phase) / (1 + 0.5 * i);
    }
    q[k] = 0.4 + 0.3 * (1 - exp(-2 * t * t)) * sum;
  }
  return q;
}

static rbv_motion *record(const rbv_model *m, const rbv_control *c, const double *reference,
                          uint64_t seed) {
  static const double delay = DELAY, noise = 0.02;
  rbv_sim_options o = rbv_sim_defaults();
  o.longest_delay_s = 0.02;
  o.defects.record_counts = 65536;
  o.defects.disturbance = &noise;
  const rbv_sim_lane lane = {.delay = &delay, .seed = seed};
  const rbv_sim_reference at = {.count = COUNT, .ld = COUNT, .q = reference};
  return simulated_motion(m, c, &o, &lane, &at);
}

/* one run: do the recordings disagree? */
static bool disagree(const rbv_model *m, const law_case *x, int run) {
  static const rbv_unknown late = {.kind = RBV_UNKNOWN_DELAY, .joint = -1};
  const uint64_t seed = 1000 + (uint64_t)run;
  const double soft = 40 + 40 * rbv_random_uniform(seed, 9, 0);
  const double stiff = soft * (2 + rbv_random_uniform(seed, 9, 1));
  const double k_p[2] = {soft, stiff}, k_d[2] = {0.1 * soft, 0.06 * stiff};
  rbv_control *given[2];
  rbv_motion *motion[2];
  rbv_sim_reference at[2];
  double *reference[2];
  for (int i = 0; i < 2; i++) {
    rbv_control *real = law(k_p[i], k_d[i], FILTER);
    given[i] = law(x->k_p[i] * k_p[i], x->k_d[i] * k_d[i], x->filter * FILTER);
    reference[i] = draw_reference(seed, (uint64_t)i);
    at[i] = (rbv_sim_reference){.count = COUNT, .ld = COUNT, .q = reference[i]};
    motion[i] = record(m, real, reference[i], 2 * seed + (uint64_t)i);
    rbv_control_free(real);
  }
  bool *columns = malloc((size_t)rbv_model_column_count(m) * sizeof *columns);
  for (int c = 0; c < rbv_model_column_count(m); c++)
    columns[c] = strcmp(rbv_model_column(m, c)->name, "MY1") != 0;
  rbv_closed_loop loop = rbv_closed_loop_defaults();
  loop.control = given[0];
  loop.controls = (const rbv_control *const *)given;
  loop.reference = at;
  loop.start = rbv_model_parameters(m);
  loop.skip = 200;
  loop.unknown = &late;
  loop.nunknown = x->no_delay ? 0 : 1;
  loop.longest_delay_s = 0.02;
  rbv_identify_options o = rbv_identify_defaults();
  o.method = "cloe";
  o.loop = &loop;
  o.columns = columns;
  rbv_estimate *e;
  assert_ok(rbv_identify(&e, m, motion, 2, &o));
  assert_int_equal(e->loop.agreement.laws, 2);
  const bool alarm = e->loop.agreement.p < RBV_AGREEMENT_P;
  rbv_estimate_free(e);
  for (int i = 0; i < 2; i++) {
    rbv_motion_free(motion[i]);
    rbv_control_free(given[i]);
    free(reference[i]);
  }
  free(columns);
  return alarm;
}

static int part = 1;  // of the runs: one of so many

static void test_laws(void **state) {
  (void)state;
  rbv_model *m = load_robot(temp_file("pendulum.yaml", PENDULUM), -1, false);
  bool good = true;
  for (int i = 0; i < (int)(sizeof cases / sizeof *cases); i++) {
    const law_case *x = &cases[i];
    const int runs = x->runs / part;
    int alarms = 0;
    for (int run = 0; run < runs; run++) alarms += disagree(m, x, run);
    print_message("%-28s %d of %d runs disagree\n", x->name, alarms, runs);
    good = good && alarms >= x->least / part && alarms <= x->most;
  }
  rbv_model_free(m);
  assert_true(good);
}

/* argument: a share of the runs, for instance 10 for a tenth */
int main(int argc, char **argv) {
  if (argc > 1) part = atoi(argv[1]);
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_laws)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
