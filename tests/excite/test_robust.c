/* Designs that keep the torque limits of all possible robots. */
#include <math.h>
#include <roberval/sys/design.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/support.h"
#include "job/job.h"
#include "model/model_internal.h"
#include "support.h"

#define FRESH 200

/* three joints whose motion torques limit, with values of the parameters */
static const char arm[] =
    "joints:\n"
    "  - {mdh: {r: 0.3}, limits: {lower: -2, upper: 2, velocity: 9, effort: 12}}\n"
    "  - {mdh: {alpha: pi/2}, limits: {lower: 0.3, upper: 2.8, velocity: 9, effort: 25}}\n"
    "  - {mdh: {d: 0.4}, limits: {lower: -2, upper: 2, velocity: 9, effort: 8}}\n"
    "parameters: {ZZ1: 0.4, Fv1: 1, Fc1: 2, M2: 3, MX2: 0.6, XX2: 0.01, YY2: 0.2, ZZ2: 0.2, Fv2: "
    "1, "
    "Fc2: 2, M3: 1, MX3: 0.2, XX3: 0.005, YY3: 0.05, ZZ3: 0.05, Fv3: 0.5, Fc3: 1}\n";

/* share of robots drawn with a relative sigma that need more torque than the limits allow */
static double share_beyond(const rbv_design *d, double sigma) {
  const int n = rbv_model_column_count(d->model);
  double *chi = calloc((size_t)n, sizeof *chi);
  int beyond = 0;
  for (int i = 0; i < FRESH; i++) {
    for (int c = 0; c < n; c++)
      chi[c] = d->prior[c] * (1 + sigma * rbv_random_normal(99, (uint64_t)c, (uint64_t)i));
    rbv_constraints one = d->constraints->value;
    one.prior = chi;
    one.nrobot = 0;
    rbv_usage_info info;
    assert_ok(rbv_constraints_check(&info, NULL, d->model, &one, d->trajectory[0], 2e-3));
    beyond += !info.feasible;
  }
  free(chi);
  return (double)beyond / FRESH;
}

static rbv_design *solve(const rbv_model *m, int robust, double uncertainty) {
  rbv_design_options o = rbv_design_defaults();
  o.robust = robust;
  o.uncertainty = uncertainty;
  o.period_s = 4;
  o.harmonics = 3;
  o.starts = 2;
  o.budget_s = 0;
  o.floor = false;
  // torque alone limits the motion
  o.velocity = "100";
  o.acceleration = "1e4";
  o.tool_speed = 100;
  rbv_design *d;
  assert_ok(rbv_design_new(&d, m, &o, NULL));
  assert_ok(rbv_design_solve(d, NULL));
  assert_true(d->info.feasible);
  return d;
}

/*
 * Torques limit the motion. A design for one robot uses 99 % of them. Errors of 10 % have both
 * signs: nearly half of the other robots exceed the limit of a joint that is used up. With 40
 * robots of the same distribution, a new one exceeds the largest of them in one case of 41, for
 * each of the three joints.
 */
static void test_fresh_robots(void **state) {
  (void)state;
  rbv_model *m;
  assert_ok(rbv_model_parse(&m, "arm", arm, strlen(arm), NULL));
  rbv_design *plain = solve(m, 0, 0), *robust = solve(m, 40, 0.1);
  const double before = share_beyond(plain, 0.1), after = share_beyond(robust, 0.1);
  print_message("beyond the limits: %.3f of the robots, robust %.3f; criterion %.2f and %.2f\n",
                before, after, plain->info.best, robust->info.best);
  assert_true(before > 0.3);
  assert_true(after < 0.15);
  // safety has a price, and it is not more than a motion can pay
  assert_true(robust->info.best > plain->info.best);
  // the usage is that of the robot that needs most
  for (int j = 0; j < 3; j++) assert_true(robust->usage[j].torque <= m->joint[j].limits.effort);
  rbv_design_free(plain);
  rbv_design_free(robust);
  rbv_model_free(m);
}

static void test_refusals(void **state) {
  (void)state;
  rbv_model *m;
  rbv_design *d;
  rbv_design_options o = rbv_design_defaults();
  o.robust = 5;
  assert_ok(rbv_model_parse(&m, "arm", arm, strlen(arm), NULL));
  assert_refused(rbv_design_new(&d, m, &o, NULL), RBV_EOPTION, "no sigma");
  rbv_model_free(m);
  static const char bare[] = "joints: [{mdh: {}}, {mdh: {d: 1}}]\n";
  assert_ok(rbv_model_parse(&m, "bare", bare, strlen(bare), NULL));
  o.uncertainty = 0.1;
  assert_refused(rbv_design_new(&d, m, &o, NULL), RBV_EOPTION, "values of the parameters");
  rbv_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_fresh_robots),
                                     cmocka_unit_test(test_refusals)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
