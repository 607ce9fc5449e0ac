/*
 * A recorded KUKA KR300: 10 s of motion mostly in one direction, a counterbalance described by a
 * user-defined column, and the values of the manufacturer as prior.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "document/document.h"
#include "nodes.h"
#include "support.h"
#include "tool.h"

#define JOINTS 6

static char log_a[1024], log_b[1024], log_c[1024];

/* gears and rotor inertias as published with the recording */
static const double u[JOINTS] = {1798 / 7.0, 1872 / 7.0,  757 / 3.0,
                                 221,        5032 / 21.0, 206793 / 1340.0};
static const double Jm[JOINTS] = {0.00923, 0.0118, 0.0118, 0.00173, 0.00173, 0.00173};

/* Weigand, Ulmen, Janot and Ruskowski (2021); kcb is 1 when the pressure is as published */
static const char counterbalance[] =
    "columns:\n"
    "  - name: kcb\n"
    "    unit: \"1\"\n"
    "    joint: 2\n"
    "    constants: {D: 0.8, k: 0.2, A: pi/4*(0.055^2 - 0.03^2),\n"
    "                pV: 1.01*296.8*328*2*0.0795, V: 2*0.00048}\n"
    "    let:\n"
    "      delta: q2 - pi/2 + 95*pi/180\n"
    "      dl: sqrt(D^2 + k^2 - 2*D*k*cos(delta)) - (D - k)\n"
    "      h: D*k*sin(delta)/(dl + D - k)\n"
    "      p: pV/(V - dl*A)\n"
    "    expression: h*p*A\n";

static int write_files(void **state) {
  (void)state;
  strcpy(log_a, recording("kuka_kr300/kr300_traj_A.csv"));
  strcpy(log_b, recording("kuka_kr300/kr300_traj_B.csv"));
  strcpy(log_c, recording("kuka_kr300/kr300_traj_C.csv"));
  char map[1024] = "time: t\nsensing: motor\njoints:\n", loop[1024], robot[4096];
  strcpy(loop, map);
  snprintf(robot, sizeof robot, "name: kr300\nurdf: %s\nparameters:\n  kcb: 1\n",
           recording("kuka_kr300/kr300_weigand2021.urdf"));
  for (int j = 0; j < JOINTS; j++) {
    snprintf(map + strlen(map), sizeof map - strlen(map),
             "  - {q: q_mot%d, tau: {column: tau_mot%d, ratio: %.17g}}\n", j + 1, j + 1, u[j]);
    snprintf(loop + strlen(loop), sizeof loop - strlen(loop),
             "  - {q: q_mot%d, qr: q_ref%d, tau: {column: tau_mot%d, ratio: %.17g}}\n", j + 1,
             j + 1, j + 1, u[j]);
    snprintf(robot + strlen(robot), sizeof robot - strlen(robot), "  Ia%d: %.17g\n", j + 1,
             Jm[j] * u[j] * u[j]);
  }
  strcat(robot, counterbalance);
  temp_file("kr300.yaml", robot);
  temp_file("map.yaml", map);
  temp_file("loop.yaml", loop);
  return 0;
}

static void assert_below(const char *result, const char *log, double filtered, double raw) {
  rbv_document *doc = tool_json("validate %s '%s' -q --json", result, log);
  assert_true(real_at(rbv_document_root(doc), "validation.relative_error") <= filtered);
  assert_true(real_at(rbv_document_root(doc), "validation.relative_error_unfiltered") <= raw);
  rbv_document_free(doc);
}

/* 18 % is required; 5.2 and 5.4 % (unfiltered 15.5 and 15.2 %) when this was written */
static void test_prior_and_counterbalance(void **state) {
  (void)state;
  rbv_document *doc = tool_json(
      "identify kr300.yaml '%s' --map map.yaml --prior robot -q --json -o kr.json", log_a);
  const rbv_node *list = node_at(rbv_document_root(doc), "estimate.parameters");
  bool found = false;
  for (int k = 0; k < rbv_node_count(list); k++) {
    const rbv_node *p = rbv_node_at(list, k);
    if (strcmp(rbv_node_text(node_at(p, "name")), "kcb") != 0) continue;
    // a pressure as published; 0.969 +- 0.013 when this was written
    assert_near(real_at(p, "value"), 1, 0.1, 0);
    found = true;
  }
  assert_true(found);
  rbv_document_free(doc);
  assert_below("kr.json", log_b, 0.07, 0.18);
  assert_below("kr.json", log_c, 0.07, 0.18);
}

/* without the prior the error is three times larger: 16.1 and 14.3 % when this was written */
static void test_without_prior(void **state) {
  (void)state;
  outcome o = tool("identify kr300.yaml '%s' --map map.yaml -q -o alone.json", log_a);
  outcome_free(&o);
  o = tool("validate alone.json '%s' '%s' -q --max-error 10%%", log_b, log_c);
  assert_int_equal(o.code, 1);
  outcome_free(&o);
}

/* its drives follow a model, not a linear law of the tracking error: that is said, not an invalid
 * law */
static void test_no_linear_law(void **state) {
  (void)state;
  outcome o = tool("controller '%s' '%s' --map loop.yaml -q -o law.yaml",
                   recording("kuka_kr300/kr300_weigand2021.urdf"), log_a);
  assert_int_equal(o.code, 1);
  assert_non_null(strstr(o.err, "joint_a2: no linear law explains its torque"));
  outcome_free(&o);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_prior_and_counterbalance),
      cmocka_unit_test(test_without_prior),
      cmocka_unit_test(test_no_linear_law),
  };
  return cmocka_run_group_tests(tests, write_files, NULL);
}
