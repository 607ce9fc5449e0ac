/*
 * Output error of a drive whose loop is faster than the recorder, with a late command: the
 * recording is a simulation at the rate of the drive, of which every fifth row is kept.
 */
#include <math.h>
#include <roberval/sys/identify.h>
#include <stdlib.h>
#include <string.h>

#include "base/support.h"
#include "control/control.h"
#include "motions.h"
#include "support.h"

#define RATE 200.0  // of the recorder
#define TICKS 5     // of the drive per row
#define COUNT 1600  // 8 s

static const char pendulum[] =
    "joints:\n"
    "  - {name: hinge, mdh: {alpha: pi/2, d: 0, theta: 0, r: 0}, drive: [Ia, Fv, Fc]}\n"
    "friction: {smooth: 0.01}\n"
    "parameters: {ZZ1: 0.02, MX1: 0.2, M1: 1, Ia1: 0.03, Fv1: 0.3, Fc1: 0.4}\n";

typedef struct {
  rbv_model *m;
  rbv_control *control;
  double *q, *held, *reference;
  rbv_sim_reference at;
  rbv_motion *motion;
} fixture;

static rbv_control *new_stiff_law(double rate, int ticks, double command_delay, double stiff) {
  rbv_control_joint j = rbv_control_joint_defaults();
  j.k_p = 40 * stiff;
  j.k_d = 2 * sqrt(stiff);
  j.reference_velocity = 0;
  rbv_control *c;
  assert_ok(rbv_control_new(&c, "pd", rate, RBV_FEEDFORWARD_NONE, &j, 1));
  rbv_control_set_drive(c, ticks, command_delay);
  return c;
}

static rbv_control *new_law(double rate, int ticks, double command_delay) {
  return new_stiff_law(rate, ticks, command_delay, 1);
}

/* the drive sees the reference of a row `late` ticks after it was written; stiff: factor on k_p */
static void record_stiff(fixture *f, int late, double stiff) {
  const int fine = COUNT * TICKS;
  f->m = load_robot(temp_file("pendulum.yaml", pendulum), -1, false);
  f->q = malloc(COUNT * sizeof *f->q);
  f->reference = malloc(COUNT * sizeof *f->reference);
  f->held = malloc((size_t)fine * sizeof *f->held);
  for (int k = 0; k < COUNT; k++) {
    const double t = k / RATE;
    f->reference[k] = (1 - exp(-t)) * (0.4 * sin(4 * t) + 0.2 * sin(11 * t) + 0.1 * sin(23 * t));
  }
  for (int k = 0; k < fine; k++) f->held[k] = f->reference[k < late ? 0 : (k - late) / TICKS];
  rbv_control *drive = new_stiff_law(RATE * TICKS, 1, 0, stiff);
  const rbv_sim_reference fast = {.count = fine, .ld = fine, .q = f->held};
  rbv_sim *sim;
  rbv_sim_trace trace;
  rbv_sim_outcome outcome;
  assert_ok(rbv_sim_trace_new(&trace, 1, fine));
  assert_ok(rbv_sim_new(&sim, f->m, drive, NULL, 1));
  assert_ok(rbv_sim_run(&outcome, sim, &fast, &trace));
  assert_int_equal(outcome.verdict, RBV_SIM_DONE);
  for (int k = 0; k < COUNT; k++) f->q[k] = trace.q[k * TICKS];
  rbv_sim_free(sim);
  rbv_sim_trace_free(&trace);
  rbv_control_free(drive);
  f->at = (rbv_sim_reference){.count = COUNT, .ld = COUNT, .q = f->reference};
  // the motion of the recorder: its own simulation has the positions replaced
  rbv_control *slow = new_law(RATE, 1, 0);
  const rbv_sim_options usual = rbv_sim_defaults();
  f->motion = simulated_motion(f->m, slow, &usual, &(rbv_sim_lane){0}, &f->at);
  rbv_control_free(slow);
}

static void record(fixture *f, int late) { record_stiff(f, late, 1); }

static void forget(fixture *f) {
  rbv_motion_free(f->motion);
  rbv_model_free(f->m);
  free(f->q);
  free(f->held);
  free(f->reference);
}

static rbv_estimate *fit(const fixture *f, const rbv_control *law, const rbv_unknown *unknown) {
  const double *measured = f->q;
  rbv_closed_loop loop = rbv_closed_loop_defaults();
  loop.control = law;
  loop.reference = &f->at;
  loop.measured = &measured;
  loop.start = loop.known = rbv_model_parameters(f->m);
  loop.skip = 20;
  loop.unknown = unknown;
  loop.nunknown = unknown ? 1 : 0;
  rbv_identify_options o = rbv_identify_defaults();
  o.method = "cloe";
  o.loop = &loop;
  rbv_estimate *e;
  assert_ok(rbv_identify(&e, f->m, &f->motion, 1, &o));
  return e;
}

static double value_of(const rbv_estimate *e, const char *name) {
  for (int k = 0; k < e->base->count; k++)
    if (strcmp(e->base->name[k], name) == 0) return e->value[k];
  fail_msg("%s is not estimated", name);
  return NAN;
}

/* at its own rate the drive is found exactly; at the rate of the rows Fv is too large, because the
 * hold delays the law by half a row */
static void test_rate(void **state) {
  (void)state;
  fixture f = {0};
  record(&f, 0);
  rbv_control *own = new_law(RATE, TICKS, 0), *rows = new_law(RATE, 1, 0);
  rbv_estimate *right = fit(&f, own, NULL), *wrong = fit(&f, rows, NULL);
  print_message("Fv %.4f at 1000 Hz, %.4f at 200 Hz, true 0.3\n", value_of(right, "Fv1"),
                value_of(wrong, "Fv1"));
  assert_true(right->converged);
  // the smoothed friction reverses within steps of both simulations: 0.1 %
  assert_near(value_of(right, "Fv1"), 0.3, 0, 1e-3);
  assert_near(value_of(right, "Fc1"), 0.4, 0, 1e-3);
  // k_p times two milliseconds
  assert_true(fabs(value_of(wrong, "Fv1") - 0.3) > 0.02);
  rbv_estimate_free(right);
  rbv_estimate_free(wrong);
  rbv_control_free(own);
  rbv_control_free(rows);
  forget(&f);
}

/* a command that is 7 ms late */
static void test_command(void **state) {
  (void)state;
  static const rbv_unknown late = {.kind = RBV_UNKNOWN_COMMAND, .joint = -1};
  fixture f = {0};
  record(&f, 7);
  rbv_control *own = new_law(RATE, TICKS, 0.003);
  rbv_estimate *e = fit(&f, own, &late);
  print_message("command delay %.3f ms +- %.2g, Fv %.4f\n", 1e3 * e->loop.unknown[0].value,
                1e3 * e->loop.unknown[0].sigma, value_of(e, "Fv1"));
  assert_true(e->converged);
  assert_string_equal(e->loop.unknown[0].name, "command_delay");
  assert_near(e->loop.unknown[0].value, 0.007, 2e-5, 0);
  assert_near(value_of(e, "Fv1"), 0.3, 0, 5e-3);
  rbv_estimate_free(e);
  rbv_control_free(own);
  forget(&f);
}

/* both delays from these recordings, which have steps of an encoder of 14 bits */
static rbv_estimate *fit_delays(fixture *f, int count, const double *stiff) {
  static const rbv_unknown late[] = {{.kind = RBV_UNKNOWN_DELAY, .joint = -1},
                                     {.kind = RBV_UNKNOWN_COMMAND, .joint = -1}};
  const double step = 2 * M_PI / 16384;
  const double *measured[2];
  const rbv_control *law[2];
  rbv_sim_reference at[2];
  rbv_motion *motion[2];
  for (int i = 0; i < count; i++) {
    for (int k = 0; k < COUNT; k++) f[i].q[k] = step * nearbyint(f[i].q[k] / step);
    measured[i] = f[i].q;
    at[i] = f[i].at;
    motion[i] = f[i].motion;
    law[i] = new_stiff_law(RATE, TICKS, 0.003, stiff[i]);
  }
  rbv_closed_loop loop = rbv_closed_loop_defaults();
  loop.control = law[0];
  loop.controls = law;
  loop.reference = at;
  loop.measured = measured;
  loop.start = loop.known = rbv_model_parameters(f->m);
  loop.known_links = true;
  loop.skip = 20;
  loop.unknown = late;
  loop.nunknown = 2;
  rbv_identify_options o = rbv_identify_defaults();
  o.method = "cloe";
  o.loop = &loop;
  rbv_estimate *e;
  assert_ok(rbv_identify(&e, f->m, motion, count, &o));
  assert_true(e->converged);
  print_message("%d recordings: delay of the torque %.2f +- %.2f ms, of the command %.2f +- %.2f\n",
                count, 1e3 * e->loop.unknown[0].value, 1e3 * e->loop.unknown[0].sigma,
                1e3 * e->loop.unknown[1].value, 1e3 * e->loop.unknown[1].sigma);
  for (int i = 0; i < count; i++) rbv_control_free((rbv_control *)(uintptr_t)law[i]);
  return e;
}

/* A late command is told from a late torque by two sets of gains. With one, sigma says that both
 * are not determined. */
static void test_which_delay(void **state) {
  (void)state;
  static const double stiff[] = {1, 4};
  fixture f[2] = {{0}};
  for (int i = 0; i < 2; i++) record_stiff(&f[i], 7, stiff[i]);
  rbv_estimate *both = fit_delays(f, 2, stiff), *one = fit_delays(f, 1, stiff);
  const rbv_loop_value *u = both->loop.unknown;
  assert_near(u[0].value, 0, 4 * u[0].sigma, 0);
  assert_near(u[1].value, 0.007, 4 * u[1].sigma, 0);
  assert_true(u[0].sigma < 5e-4 && u[1].sigma < 5e-4);
  // the sum is what one set of gains shows
  const rbv_loop_value *v = one->loop.unknown;
  assert_true(v[1].sigma > 3 * u[1].sigma && fabs(v[1].correlation) > 0.9);
  assert_near(v[1].value, 0.007, 4 * v[1].sigma, 0);
  rbv_estimate_free(both);
  rbv_estimate_free(one);
  for (int i = 0; i < 2; i++) forget(&f[i]);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_rate), cmocka_unit_test(test_command),
                                     cmocka_unit_test(test_which_delay)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
