/*
 * Designs for an identification from positions: constraints, choice among the candidates, and the
 * expected sigma against that of an identification from a simulated recording.
 */
#include <math.h>
#include <roberval/sys/design.h>
#include <roberval/sys/identify.h>
#include <stdlib.h>
#include <string.h>

#include "base/support.h"
#include "control/control.h"
#include "job/job.h"
#include "support.h"

#define COUNTS 65536.0

static const char robot[] =
    "joints:\n"
    "  - {name: hinge, mdh: {alpha: pi/2, d: 0, theta: 0, r: 0}, drive: [Ia, Fv, Fc],\n"
    "     limits: {lower: -1.2, upper: 1.2, velocity: 3, acceleration: 30}}\n"
    "friction: {smooth: 0.005}\n"
    "parameters: {XX1: 0.0004, YY1: 0.2402, ZZ1: 0.2402, MX1: 0.6, M1: 2, Ia1: 0.02, Fv1: 0.1, "
    "Fc1: 0.3}\n";

typedef struct {
  rbv_model *m;
  rbv_design_options options;
  char soft[1024], stiff[1024];
} fixture;

static int set_up(void **state) {
  static fixture f;
  assert_ok(rbv_model_parse(&f.m, "pendulum", robot, sizeof robot - 1, NULL));
  strcpy(f.soft,
         temp_file("soft.yaml",
                   "rate_hz: 500\njoints: [{kind: pid, k_p: 60, k_d: 6, filter_s: 2e-3}]\n"));
  strcpy(f.stiff,
         temp_file("stiff.yaml",
                   "rate_hz: 500\njoints: [{kind: pid, k_p: 150, k_d: 9, filter_s: 2e-3}]\n"));
  f.options = rbv_design_defaults();
  f.options.target = "positions";
  f.options.budget_s = 0;
  f.options.starts = 1;
  f.options.period_s = 4;
  f.options.encoder = COUNTS;
  f.options.unknown = "delay,bias";
  f.options.known_links = true;
  f.options.floor = false;
  f.options.controllers.count = 1;
  f.options.controllers.item[0] = f.soft;
  *state = &f;
  return 0;
}

static int tear_down(void **state) {
  fixture *f = *state;
  rbv_model_free(f->m);
  return 0;
}

static rbv_design *solve(const fixture *f, const rbv_design_options *o) {
  rbv_design *d;
  assert_ok(rbv_design_new(&d, f->m, o, NULL));
  assert_ok(rbv_design_solve(d, NULL));
  assert_true(d->info.feasible && d->count == 1 && d->chosen >= 0);
  return d;
}

static int base_of(const rbv_design *d, const char *name) {
  for (int b = 0; b < d->base->count; b++)
    if (strcmp(d->base->name[b], name) == 0) return b;
  fail_msg("no base parameter %s", name);
  return -1;
}

/* three numbers of harmonics, a multisine and a chirp each; the best one is chosen */
static void test_choice(void **state) {
  const fixture *f = *state;
  rbv_design *d = solve(f, &f->options);
  assert_int_equal(d->ncandidate, 6);
  for (int i = 0; i < d->ncandidate; i++) {
    const rbv_design_candidate *c = &d->candidate[i];
    print_message("%s: %.3f, %d\n", c->name, c->mean_log, c->open);
    assert_true(c->possible && c->open == 0);
    assert_true(c->mean_log >= d->candidate[d->chosen].mean_log);
  }
  assert_non_null(strstr(d->candidate[1].name, "chirp of 5"));
  // limits of the robot file, and a start from rest
  assert_true(d->used[0].feasible);
  assert_true(d->usage[0].velocity <= 3 && d->usage[0].acceleration <= 30);
  double dq;
  rbv_trajectory_eval(NULL, &dq, NULL, NULL, d->trajectory[0], 0);
  assert_near(dq, 0, 1e-12, 0);
  assert_true(d->options.rate_hz == 500);
  assert_int_equal(d->nunknown, 3);  // delay, bias1, and Ia1, which is regrouped with known links
  rbv_design_free(d);
}

/* a second law adds information: sigma of every value decreases, by about the square root of 2 if
 * both laws showed the same */
static void test_second_gains(void **state) {
  const fixture *f = *state;
  rbv_design_options o = f->options;
  o.harmonics = 5;
  rbv_design *one = solve(f, &o);
  o.controllers.count = 2;
  o.controllers.item[1] = f->stiff;
  rbv_design *two = solve(f, &o);
  const int Fc = base_of(one, "Fc1");
  print_message("Fc1 %.3g, with a second law %.3g\n", one->sigma[Fc], two->sigma[Fc]);
  assert_true(two->sigma[Fc] < one->sigma[Fc]);
  rbv_design_free(two);
  rbv_design_free(one);
}

/* record the motion with encoder steps, identify: sigma is what the design expects */
static void test_sigma(void **state) {
  const fixture *f = *state;
  const double delay = 0, bias = 0;
  rbv_design *d = solve(f, &f->options);
  const rbv_motion_info *info = rbv_motion_get_info(d->motion[0]);
  double *q = malloc((size_t)info->count * sizeof *q);
  const rbv_samples to = {.ld = info->count, .q = q};
  assert_ok(rbv_motion_read(d->motion[0], &to, 0, info->count));
  const rbv_sim_reference r = {.count = info->count, .ld = info->count, .q = q};
  rbv_control *c;
  rbv_sim *s;
  rbv_sim_trace t;
  rbv_sim_outcome outcome;
  assert_ok(rbv_control_load(&c, f->soft, NULL));
  rbv_sim_options o = rbv_sim_defaults();
  o.longest_delay_s = 0.02;
  o.defects.record_counts = COUNTS;
  assert_ok(rbv_sim_new(&s, f->m, c, &o, 1));
  const rbv_sim_lane lane = {.delay = &delay, .bias = &bias};
  assert_ok(rbv_sim_set(s, 0, &lane));
  assert_ok(rbv_sim_trace_new(&t, 1, info->count));
  assert_ok(rbv_sim_run(&outcome, s, &r, &t));
  assert_int_equal(outcome.verdict, RBV_SIM_DONE);
  const rbv_samples samples = {
      .ld = info->count, .q = t.recorded_q, .dq = t.dq, .ddq = t.ddq, .torque = t.tau};
  const rbv_motion_info recorded = {
      .name = "recording", .njoint = 1, .ntorque = 1, .count = info->count, .rate_hz = 500};
  rbv_motion *motion;
  assert_ok(rbv_motion_from_arrays(&motion, &recorded, &samples));
  const rbv_unknown u[] = {{.kind = RBV_UNKNOWN_DELAY, .joint = -1},
                           {.kind = RBV_UNKNOWN_BIAS, .joint = 0}};
  rbv_closed_loop loop = rbv_closed_loop_defaults();
  loop.control = c;
  loop.reference = &r;
  loop.start = loop.known = rbv_model_parameters(f->m);
  loop.known_links = true;
  loop.unknown = u;
  loop.nunknown = 2;
  rbv_identify_options how = rbv_identify_defaults();
  how.method = "cloe";
  how.loop = &loop;
  how.filter.decimate = 2;
  rbv_estimate *e;
  assert_ok(rbv_identify(&e, f->m, &motion, 1, &how));
  assert_true(e->converged);
  const int n = e->base->count;
  for (int k = 0; k < n; k++) {
    if (e->status[k] == RBV_STATUS_PRIOR) continue;
    const double white = e->sigma_white[k], expected = d->sigma[base_of(d, e->base->name[k])];
    print_message("%s: sigma %.3g, expected %.3g\n", e->base->name[k], white, expected);
    // encoder steps are nearly white here; the level of the noise is estimated from 900 rows
    assert_near(white, expected, 0, 0.25);
  }
  for (int i = 0; i < 2; i++) {
    print_message("%s: sigma %.3g, expected %.3g\n", e->loop.unknown[i].name,
                  e->loop.unknown[i].sigma, d->unknown[i].sigma);
    // with the jackknife, which has 19 degrees of freedom
    assert_near(log(e->loop.unknown[i].sigma / d->unknown[i].sigma), 0, log(2), 0);
  }
  rbv_estimate_free(e);
  rbv_motion_free(motion);
  rbv_sim_trace_free(&t);
  rbv_sim_free(s);
  rbv_control_free(c);
  free(q);
  rbv_design_free(d);
}

static void test_refusals(void **state) {
  const fixture *f = *state;
  rbv_design *d;
  rbv_design_options o = f->options;
  o.controllers.count = 0;
  assert_refused(rbv_design_new(&d, f->m, &o, NULL), RBV_EOPTION, "needs the controller");
  o = f->options;
  o.target = "torques";
  assert_refused(rbv_design_new(&d, f->m, &o, NULL), RBV_EOPTION, "are for positions");
  o = f->options;
  o.trajectories = 2;
  assert_refused(rbv_design_new(&d, f->m, &o, NULL), RBV_EOPTION, "one trajectory");
  o = f->options;
  o.unknown = "mass";
  assert_refused(rbv_design_new(&d, f->m, &o, NULL), RBV_EOPTION, "'mass' is not an unknown");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_choice),
      cmocka_unit_test(test_second_gains),
      cmocka_unit_test(test_sigma),
      cmocka_unit_test(test_refusals),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
