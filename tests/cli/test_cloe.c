/*
 * roberval identify --method cloe: parameters of the TX40 from positions alone, in a loop of our
 * own, against its true values; messages.
 */
#include <math.h>
#include <roberval/sys/result.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "motions.h"
#include "strip_columns.h"
#include "support.h"
#include "tool.h"

/* four seconds of the TX40 at 1 kHz */
static int record(void **state) {
  (void)state;
  rbv_model *m = load_robot("tx40", -1, false);
  waves w;
  waves_new(&w, m, NULL, 5, 4000, 1000, false);
  waves_save(&w, temp_file("traj.csv", NULL), "q");
  waves_free(&w);
  rbv_model_free(m);
  free(
      tool_text("simulate tx40 traj.csv -q -o log.csv --gamma 150 --encoder 1e6 "
                "--bandwidth 12,12,16,24,24,40 --save-controller pid.yaml"));
  return 0;
}

/* friction and inertia of every joint, from positions alone, start values a few per cent off */
static void test_tx40_from_positions(void **state) {
  (void)state;
  strip_columns("bare.csv", "log.csv", "tau");
  outcome o = tool("identify tx40 bare.csv -m cloe --controller pid.yaml -o tx40.json");
  assert_int_equal(o.code, 0);
  // constant torques are not visible behind the integral of the PID
  assert_non_null(strstr(o.err, "6 parameters left out"));
  outcome_free(&o);
  rbv_result *r = tool_result("tx40.json");
  assert_true(r->converged);
  static const struct {
    const char *name;
    double value;
  } truth[] = {{"ZZ1R", 1.25}, {"Fv1", 7.61}, {"Fc1", 8.33}, {"Fv2", 5.19}, {"Fc2", 8.99},
               {"Fv3", 1.71},  {"Fc3", 7.6},  {"Fv4", 0.85}, {"Fc4", 3.55}, {"Fv5", 1.6},
               {"Fc5", 3.71},  {"Fv6", 0.59}, {"MX2R", 2.16}};
  for (int i = 0; i < (int)(sizeof truth / sizeof *truth); i++) {
    const rbv_parameter *p = parameter_of(r, truth[i].name);
    print_message("%s %.5f +- %.5f, true %.5f\n", p->name, p->value, p->sigma, truth[i].value);
    // the recording has steps of 6e-6 rad, 1 % of the tracking error; sigma is below 2 %
    assert_near(p->value, truth[i].value, 4 * p->sigma, 0);
    assert_near(p->value, truth[i].value, 0, 0.05);
  }
  // everything is relative to the gains
  assert_string_equal(r->loop.influence[0].gains, "all");
  for (int k = 0; k < r->estimate.count; k++)
    if (isfinite(r->estimate.item[k].sigma))
      assert_near(r->loop.influence[0].shift[k], 0.1 * r->estimate.item[k].value, 1e-4, 1e-2);
  rbv_result_free(r);
}

static void test_messages(void **state) {
  (void)state;
  strip_columns("bare.csv", "log.csv", "tau");
  tool_refuses(2, "give its controller", "identify tx40 bare.csv -m cloe");
  tool_refuses(2, "is not an unknown of the loop (choose from delay delays bias k_p",
               "identify tx40 log.csv -m cloe --controller pid.yaml --unknown mass");
  tool_refuses(2, "no law of the controller has the gain k_x",
               "identify tx40 log.csv -m cloe --controller pid.yaml --unknown k_x");
  // other methods still need torques
  tool_refuses(3, "no torque column", "identify tx40 bare.csv -m wls");
  strip_columns("unguided.csv", "log.csv", "qr");
  tool_refuses(3, "without its reference",
               "identify tx40 unguided.csv -m cloe --controller pid.yaml");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_tx40_from_positions),
      cmocka_unit_test(test_messages),
  };
  return cmocka_run_group_tests(tests, record, NULL);
}
