/* Elastic joints on the command line: simulated, identified from both encoders, shown, exported. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "document/document.h"
#include "nodes.h"
#include "support.h"
#include "tool.h"

/* joint a is elastic, b is rigid */
static const char robot[] =
    "gravity: [0, 0, -9.81]\n"
    "joints:\n"
    "  - {name: a, mdh: {alpha: pi/2}, elastic: {stiffness: 900, damping: 1.2}}\n"
    "  - {name: b, mdh: {d: 0.4}}\n"
    "parameters: {XX1: 0.01, YY1: 0.3, ZZ1: 0.3, MX1: 0.8, M1: 4, Ia1: 0.2, Fv1: 0.6, Fc1: 0.5,\n"
    "  XX2: 0.004, YY2: 0.08, ZZ2: 0.08, MX2: 0.3, M2: 1.5, Ia2: 0.05, Fv2: 0.2, Fc2: 0.2}\n";

static int record(void **state) {
  (void)state;
  temp_file("arm.yaml", robot);
  char motion[200000];
  size_t used = (size_t)snprintf(motion, sizeof motion, "t,q1,q2\n");
  for (int k = 0; k < 4000; k++) {
    const double t = k / 500.0, grown = 1 - exp(-2 * t);
    used += (size_t)snprintf(motion + used, sizeof motion - used, "%.3f,%.7f,%.7f\n", t,
                             0.4 + grown * (0.5 * sin(3 * t) + 0.15 * sin(9 * t)),
                             0.3 + grown * (0.4 * sin(4 * t) + 0.15 * sin(11 * t)));
  }
  temp_file("motion.csv", motion);
  free(tool_text(
      "simulate arm.yaml motion.csv --encoder 1048576 --torque-noise 0.05 -q -o log.csv"));
  return 0;
}

static void test_simulated_links(void **state) {
  (void)state;
  char *text = read_text(temp_file("log.csv", NULL), NULL);
  csv log = csv_parse(text);
  const int q1 = csv_find(&log, "q1"), ql1 = csv_find(&log, "ql1"), q2 = csv_find(&log, "q2");
  const int ql2 = csv_find(&log, "ql2");
  double bend = 0, rigid = 0;
  for (int k = 0; k < log.nrow; k++) {
    const double *row = log.value + k * log.ncolumn;
    bend = fmax(bend, fabs(row[q1] - row[ql1]));
    rigid = fmax(rigid, fabs(row[q2] - row[ql2]));
  }
  // torques of 10 to 20 N m on 900 N m/rad; half a step of the encoder of q2
  assert_true(bend > 0.01 && bend < 0.05);
  assert_near(rigid, 0, 4e-6, 0);
  csv_free(&log);
}

static void test_identified_spring(void **state) {
  (void)state;
  rbv_document *doc = tool_json("identify arm.yaml log.csv -q --json -o result.json");
  const rbv_node *root = rbv_document_root(doc);
  const double k = real_at(root, "springs.0.stiffness"), sigma = real_at(root, "springs.0.sigma");
  print_message("stiffness %.2f +- %.2f, rotor %.4f\n", k, sigma,
                real_at(root, "springs.0.inertia"));
  text_at(root, "springs.0.joint", "a");
  assert_true(fabs(k - 900) <= 0.02 * 900 && sigma < 0.01 * 900);
  assert_near(real_at(root, "springs.0.inertia"), 0.2, 0.01, 0);
  rbv_document_free(doc);
  // the rigid joint has no stiffness
  char *text = tool_text("show result.json");
  assert_non_null(strstr(text, "spring of"));
  assert_non_null(strstr(text, "not identified: the deflection does not follow the torque"));
  free(text);
  // an export of the result has the spring that was found, not that of the robot file
  doc = tool_json("export result.json --format yaml -q -o found.yaml --json");
  rbv_document_free(doc);
  text = read_text(temp_file("found.yaml", NULL), NULL);
  const char *at = strstr(text, "\n  Kj1: ");
  assert_non_null(at);
  assert_near(strtod(at + 8, NULL), k, 1e-6, 0);
  free(text);
  doc = tool_json("validate result.json log.csv -q --json");
  const double rigid = real_at(rbv_document_root(doc), "links.0.rms_error_rigid");
  const double elastic = real_at(rbv_document_root(doc), "links.0.rms_error_elastic");
  assert_true(elastic < 0.1 * rigid);
  rbv_document_free(doc);
}

static void test_check_names_the_resonance(void **state) {
  (void)state;
  rbv_document *doc = tool_json("check arm.yaml log.csv -q --json");
  const rbv_node *root = rbv_document_root(doc);
  const double hz = real_at(root, "elastic_joints.first_resonance_hz");
  // joint b is held: sqrt(K / J) / 2 pi with J of both links at q2 between 0 and 0.9 rad
  assert_true(hz > sqrt(900 / 1.0) / (2 * M_PI) && hz < sqrt(900 / 0.6) / (2 * M_PI));
  assert_near(real_at(root, "elastic_joints.rigid_up_to_hz"), hz / 2, 1e-9, 0);
  rbv_document_free(doc);
}

static void test_exports(void **state) {
  (void)state;
  free(tool_text("export arm.yaml --format mjcf -q -o arm.xml"));
  char *text = read_text(temp_file("arm.xml", NULL), NULL);
  assert_non_null(strstr(text, "name=\"a_spring\" type=\"hinge\""));
  assert_null(strstr(text, "b_spring"));
  free(text);
  free(tool_text("export arm.yaml --format yaml -q -o again.yaml"));
  text = read_text(temp_file("again.yaml", NULL), NULL);
  assert_non_null(strstr(text, "Kj1: 900"));
  assert_non_null(strstr(text, "Dj1: 1.2"));
  free(text);
}

static void test_refusals(void **state) {
  (void)state;
  temp_file("soft.yaml", "joints: [{mdh: {}, elastic: {stiffness: -1}}]\n");
  tool_refuses(3, "above zero", "model soft.yaml");
  // cloe: all joints are elastic, or none
  temp_file("law.yaml", "rate_hz: 500\njoints: [{k_p: 300, k_d: 25}, {k_p: 80, k_d: 5}]\n");
  tool_refuses(3, "all joints are elastic, or none",
               "identify arm.yaml log.csv --method cloe --controller law.yaml --known-links");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_simulated_links),
      cmocka_unit_test(test_identified_spring),
      cmocka_unit_test(test_check_names_the_resonance),
      cmocka_unit_test(test_exports),
      cmocka_unit_test(test_refusals),
  };
  return cmocka_run_group_tests(tests, record, NULL);
}
