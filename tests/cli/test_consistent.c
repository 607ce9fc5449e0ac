/* roberval identify --consistent with a known total mass and bounds of the bodies. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "consistency/consistency.h"
#include "result/result.h"

#include "arm.h"
#include "motions.h"
#include "support.h"
#include "tool.h"

static const char shapes[] =
    "collision:\n"
    "  - {link: 1, from: [0, 0, 0], to: [0.5, 0, 0], radius: 0.06}\n"
    "  - {link: 2, from: [0, 0, 0], to: [0.4, 0, 0], radius: 0.05}\n";

static int record(void **state) {
  (void)state;
  char text[2048];
  snprintf(text, sizeof text, "%s%s", sound_arm, shapes);
  (void)temp_file("shaped.yaml", text);
  rbv_model *m = load_robot(temp_file("arm.yaml", sound_arm), -1, false);
  waves w;
  waves_new(&w, m, rbv_model_parameters(m), 1, 4000, 400, false);
  waves_add_white(&w, 10, 0.02);
  waves_save(&w, temp_file("log.csv", NULL), "q tau");
  waves_free(&w);
  rbv_model_free(m);
  return 0;
}

static rbv_result *run(const char *arguments) {
  free(tool_text("identify %s -q -o r.json", arguments));
  rbv_result *r;
  assert_ok(rbv_result_load(&r, temp_file("r.json", NULL)));
  assert_true(r->standard.converged && r->standard.nbody == 2);
  for (int b = 0; b < 2; b++) assert_string_equal(r->standard.body[b].state, "consistent");
  return r;
}

static double value(const rbv_result *r, const char *name) {
  for (int i = 0; i < r->standard.count; i++)
    if (strcmp(r->standard.name[i], name) == 0) return r->standard.value[i];
  fail_msg("no %s", name);
  return NAN;
}

static void test_total_mass(void **state) {
  (void)state;
  rbv_result *r = run("arm.yaml log.csv --consistent --known-total-mass 4.5");
  // an equality constraint: it holds up to rounding for any data
  assert_near(value(r, "M1") + value(r, "M2"), 4.5, 1e-9, 0);
  assert_near(rbv_result_number(r, "known-total-mass", 0), 4.5, 0, 0);
  const double free_mass = 3;  // of the robot file, which is the prior
  rbv_result_free(r);
  r = run("arm.yaml log.csv --consistent");
  assert_near(value(r, "M1") + value(r, "M2"), free_mass, 0.5, 0);
  rbv_result_free(r);
}

/* masses and centres in the messages, all parameters with -v */
static void test_messages(void **state) {
  (void)state;
  outcome o = tool("identify arm.yaml log.csv --consistent -o r.json");
  assert_null(strstr(o.err, "XX2"));
  outcome_free(&o);
  o = tool("identify arm.yaml log.csv --consistent -v -o r.json");
  assert_non_null(strstr(o.err, "so a single mass is not a measurement"));
  assert_non_null(strstr(o.err, "XX2"));
  outcome_free(&o);
}

/* mean of (x - c)' E (x - c) over the body's mass, half axes along those of the frame */
static double spread(const rbv_result *r, int link, const double centre[3], const double half[3]) {
  static const char *const stem[RBV_INERTIAL] = {"XX", "XY", "XZ", "YY", "YZ",
                                                 "ZZ", "MX", "MY", "MZ", "M"};
  double phi[RBV_INERTIAL], P[16], mean = 0;
  for (int i = 0; i < RBV_INERTIAL; i++) {
    char name[8];
    snprintf(name, sizeof name, "%s%d", stem[i], link);
    phi[i] = value(r, name);
  }
  rbv_body_pseudo(P, phi);
  for (int i = 0; i < 3; i++)
    mean += (P[5 * i] - 2 * centre[i] * P[12 + i] + centre[i] * centre[i] * P[15]) /
            (half[i] * half[i] * P[15]);
  return mean;
}

static void test_bounds(void **state) {
  (void)state;
  // thinner than the arm: without these bounds the body exceeds them
  const double centre[3] = {0.2, 0, 0}, half[3] = {0.3, 0.05, 0.05};
  (void)temp_file("bounds.yaml",
                  "bounds:\n  - {link: 2, centre: [0.2, 0, 0], half_axes: [0.3, 0.05, 0.05]}\n");
  rbv_result *r = run("arm.yaml log.csv --consistent");
  assert_true(spread(r, 2, centre, half) > 1);
  rbv_result_free(r);
  r = run("arm.yaml log.csv --consistent --bounds bounds.yaml");
  assert_true(spread(r, 2, centre, half) <= 1);
  assert_string_equal(rbv_result_setting(r, "bounds"), "bounds.yaml");
  rbv_result_free(r);
  // around the capsules of the robot file: boxes of 0.62 x 0.12 x 0.12 and 0.5 x 0.1 x 0.1
  r = run("shaped.yaml log.csv --consistent --bounds robot --known-total-mass 3");
  const double root = sqrt(3), one[3] = {0.25, 0, 0}, two[3] = {0.2, 0, 0};
  const double half_one[3] = {0.31 * root, 0.06 * root, 0.06 * root};
  const double half_two[3] = {0.25 * root, 0.05 * root, 0.05 * root};
  assert_true(spread(r, 1, one, half_one) <= 1);
  assert_true(spread(r, 2, two, half_two) <= 1);
  assert_near(value(r, "M1") + value(r, "M2"), 3, 1e-9, 0);
  rbv_result_free(r);
}

static void test_refusals(void **state) {
  (void)state;
  tool_refuses(2, "known-total-mass and bounds need consistent",
               "identify arm.yaml log.csv --known-total-mass 3");
  tool_refuses(2, "known-total-mass and bounds need consistent",
               "identify arm.yaml log.csv --bounds robot");
  tool_refuses(2, "--known-total-mass needs a number above 0",
               "identify arm.yaml log.csv --consistent --known-total-mass -1");
  tool_refuses(2, "no shapes that can be read",
               "identify arm.yaml log.csv --consistent --bounds robot");
  tool_refuses(3, "absent.yaml", "identify arm.yaml log.csv --consistent --bounds absent.yaml");
  (void)temp_file("wrong.yaml",
                  "bounds:\n  - {link: 9, centre: [0, 0, 0], half_axes: [1, 1, 1]}\n");
  tool_refuses(3, "wrong.yaml:2", "identify arm.yaml log.csv --consistent --bounds wrong.yaml");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_total_mass),
      cmocka_unit_test(test_messages),
      cmocka_unit_test(test_bounds),
      cmocka_unit_test(test_refusals),
  };
  return cmocka_run_group_tests(tests, record, NULL);
}
