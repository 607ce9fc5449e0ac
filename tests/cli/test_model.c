/* roberval model: counts, categories and relations as JSON. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "document/document.h"
#include "nodes.h"
#include "support.h"
#include "tool.h"

static void count(const char *robot, const char *key, int want) {
  rbv_document *doc = tool_json("model %s --base --json", robot);
  const int got = (int)real_at(rbv_document_root(doc), key);
  if (got != want) fail_msg("%s: %s is %d, want %d", robot, key, got, want);
  rbv_document_free(doc);
}

static void test_counts(void **state) {
  (void)state;
  count("tx40", "standard_count", 86);
  count("tx40", "base_count", 60);
  count("lwr4+ --payload --sensing motor", "base_count", 79);
  count("lwr4+ --payload --sensing joint", "base_count", 74);
  count("lwr4+ --payload --sensing both", "base_count", 102);
  count("lwr4+ --payload --sensing difference", "base_count", 28);
  count("ns16", "base_count", 58);
  count("ns16", "base_count_rigid", 40);
  count("a460", "base_count", 58);
  count("a460", "base_count_rigid", 40);
  count("a460", "base_count_inertial", 36);
}

/* capsules around the geometry of the URDF; a missing mesh is named */
static void test_bodies(void **state) {
  (void)state;
  temp_file("bodies.urdf",
            "<robot name=\"b\"><link name=\"foot\"><collision><geometry><mesh "
            "filename=\"foot.dae\"/></geometry></collision></link><link name=\"arm\"><collision>"
            "<geometry><sphere radius=\"0.5\"/></geometry></collision></link><joint name=\"j\" "
            "type=\"continuous\"><parent link=\"foot\"/><child link=\"arm\"/></joint></robot>");
  char *text = tool_text("model bodies.urdf");
  assert_non_null(strstr(text, " 1  [0, 0, 0]  [0, 0, 0]  0.5\n"));
  assert_non_null(strstr(text, "is not STL, OBJ or DAE): foot\n"));
  free(text);
  rbv_document *doc = tool_json("model bodies.urdf --json");
  assert_near(real_at(rbv_document_root(doc), "collision.0.radius"), 0.5, 0, 0);
  assert_near(real_at(rbv_document_root(doc), "collision.0.link"), 1, 0, 0);
  text_at(rbv_document_root(doc), "without_shape", "foot");
  rbv_document_free(doc);
}

static void test_json_has_documented_keys(void **state) {
  (void)state;
  rbv_document *doc = tool_json("model tx40 --base --json");
  const rbv_node *root = rbv_document_root(doc);
  text_at(root, "schema", "roberval.model/1");
  text_at(root, "version", rbv_version());
  text_at(root, "name", "tx40");
  text_at(root, "sensing", "motor");
  text_at(root, "payload", "false");
  assert_true(real_at(root, "gamma") == 0);
  assert_true(real_at(root, "gravity.2") == -9.81);
  assert_int_equal(rbv_node_count(node_at(root, "joints")), 6);
  text_at(root, "joints.0.name", "joint1");
  text_at(root, "joints.0.type", "revolute");
  assert_true(real_at(root, "joints.5.velocity") == 12.217);
  assert_int_equal(rbv_node_count(node_at(root, "parameters")), 86);
  text_at(root, "parameters.5.name", "ZZ1");
  text_at(root, "parameters.5.unit", "kg m^2");
  assert_true(real_at(root, "parameters.5.value") == 1.25);
  text_at(root, "holds_for", "every motion");
  text_at(root, "frames", "link");
  assert_true(real_at(root, "rank_gap") > 1e6);
  assert_int_equal(rbv_node_count(node_at(root, "base")), 60);
  assert_int_equal(rbv_node_count(node_at(root, "snapped")), 0);

  // every standard parameter has exactly one category
  const int alone = rbv_node_count(node_at(root, "identifiable_alone"));
  const int combined = rbv_node_count(node_at(root, "combined"));
  const int none = rbv_node_count(node_at(root, "unidentifiable"));
  int regrouped = 0;
  for (int k = 0; k < 60; k++) {
    const rbv_node *entry = rbv_node_at(node_at(root, "base"), k);
    assert_true(real_at(entry, "terms.0.coefficient") == 1);
    const bool has_r = strchr(rbv_node_text(node_at(entry, "name")), 'R') != NULL;
    assert_true(has_r == (rbv_node_count(node_at(entry, "terms")) > 1));
    regrouped += has_r;
  }
  assert_int_equal(alone + regrouped, 60);
  assert_int_equal(alone + regrouped + combined + none, 86);
  rbv_document_free(doc);

  doc = tool_json("model tx40 --json");
  assert_null(rbv_node_find(rbv_document_root(doc), "base"));
  assert_int_equal((int)real_at(rbv_document_root(doc), "standard_count"), 86);
  rbv_document_free(doc);
}

static void test_distal_frames(void **state) {
  (void)state;
  rbv_document *link = tool_json("model tx40 --base --json --frames link");
  rbv_document *distal = tool_json("model tx40 --base --json --frames distal");
  text_at(rbv_document_root(distal), "frames", "distal");
  assert_int_equal((int)real_at(rbv_document_root(distal), "base_count"), 60);
  // the same number of combinations, but of other parameters
  const int a = rbv_node_count(node_at(rbv_document_root(link), "unidentifiable"));
  const int b = rbv_node_count(node_at(rbv_document_root(distal), "unidentifiable"));
  assert_true(a != b);
  rbv_document_free(link);
  rbv_document_free(distal);
}

/* ---- a URDF with a YAML file ---- */

/* the TX40 with angles as a CAD program prints them */
static void write_urdf(void) {
  static const double d[6] = {0, 0, 0.225, 0, 0, 0}, r[6] = {0, 0, 0.035, 0.225, 0, 0};
  static const char *alpha[6] = {"0", "-1.5708", "0", "1.5708", "-1.5708", "1.5708"};
  char text[4096] = "<robot name=\"arm\"><link name=\"l0\"/>\n";
  for (int j = 0; j < 6; j++) {
    // modified DH: rotate by alpha about x, translate by d along the old x and r along the new z
    const double sine = alpha[j][0] == '-' ? -1 : alpha[j][0] == '1' ? 1 : 0;
    const double cosine = sine == 0;
    snprintf(text + strlen(text), sizeof text - strlen(text),
             "<link name=\"l%d\"/><joint name=\"j%d\" type=\"revolute\"><parent link=\"l%d\"/>"
             "<child link=\"l%d\"/><origin xyz=\"%g %g %g\" rpy=\"%s 0 0\"/><axis xyz=\"0 0 1\"/>"
             "<limit lower=\"-3\" upper=\"3\" velocity=\"5\" effort=\"100\"/></joint>\n",
             j + 1, j + 1, j, j + 1, d[j], -sine * r[j], cosine * r[j], alpha[j]);
  }
  strcat(text, "</robot>\n");
  temp_file("arm.urdf", text);
}

static void test_urdf_with_printed_angles(void **state) {
  (void)state;
  write_urdf();
  temp_file("arm.yaml",
            "urdf: arm.urdf\n"
            "transmission:\n"
            "  ratios: [32, 32, 45, -48, 45, 32]\n"
            "  couplings: [{motor: 6, joint: 5, ratio: 32}]\n");
  rbv_document *doc = tool_json("model arm.yaml --base --json");
  const rbv_node *root = rbv_document_root(doc);
  assert_int_equal((int)real_at(root, "standard_count"), 86);
  assert_int_equal((int)real_at(root, "base_count"), 60);
  // angles that were snapped to pi/2 are reported in JSON and in a message
  assert_int_equal(rbv_node_count(node_at(root, "snapped")), 4);
  assert_true(fabs(real_at(root, "snapped.0.given")) == 1.5708);
  assert_near(fabs(real_at(root, "snapped.0.used")), M_PI / 2, 0, 0);
  rbv_document_free(doc);
  outcome o = tool("model arm.yaml --base --json");
  assert_non_null(strstr(o.err, "4 angles or axes"));
  outcome_free(&o);
  // without snapping the axes have an error of 4e-6 rad: no rank, or another one
  o = tool("model arm.yaml --base --json --no-snap");
  assert_true(o.code == 0 || o.code == 4);
  assert_null(strstr(o.err, "angles or axes"));
  outcome_free(&o);
  // the same names as the built-in robot: j6 has its couplings
  doc = tool_json("model arm.urdf --base --json");
  assert_int_equal((int)real_at(rbv_document_root(doc), "standard_count"), 84);
  rbv_document_free(doc);
}

static void test_urdf_tip(void **state) {
  (void)state;
  write_urdf();
  rbv_document *doc = tool_json("model arm.urdf --tip l3 --json");
  assert_int_equal(rbv_node_count(node_at(rbv_document_root(doc), "joints")), 3);
  rbv_document_free(doc);
  tool_refuses(3, "no_such_link", "model arm.urdf --tip no_such_link");
}

/* ---- one motion ---- */

/* joint 1 does not move: parameters that need its motion are not identifiable */
static void test_base_of_a_motion(void **state) {
  (void)state;
  char text[20000] = "q1,q2,q3,q4,q5,q6,dq1,dq2,dq3,dq4,dq5,dq6,ddq1,ddq2,ddq3,ddq4,ddq5,ddq6\n";
  for (int k = 0; k < 50; k++)
    for (int i = 0; i < 18; i++) {
      const double x = i % 6 == 0 ? 0 : 4 * rbv_random_uniform(1, 0, (uint64_t)(18 * k + i)) - 2;
      snprintf(text + strlen(text), sizeof text - strlen(text), "%.6g%s", x, i < 17 ? "," : "\n");
    }
  temp_file("still.csv", text);
  rbv_document *doc = tool_json("model tx40 --base --motion still.csv --json");
  const rbv_node *root = rbv_document_root(doc);
  text_at(root, "holds_for", "still.csv");
  const int seen = (int)real_at(root, "base_count");
  assert_true(seen > 40 && seen < 60);
  const rbv_node *lost = node_at(root, "unidentifiable");
  bool fv1 = false;
  for (int i = 0; i < rbv_node_count(lost); i++)
    fv1 = fv1 || strcmp(rbv_node_text(rbv_node_at(lost, i)), "Fv1") == 0;
  assert_true(fv1);
  rbv_document_free(doc);
}

static void test_text_output(void **state) {
  (void)state;
  char *text = tool_text("model tx40 --base");
  assert_non_null(strstr(text, "86 standard parameters, 60 base parameters in any motion"));
  assert_non_null(strstr(text, "ZZ1R"));
  free(text);
}

/* the file alone: exit code 1 with a finding, 0 without; JSON as the task writes it */
static void test_lint(void **state) {
  (void)state;
  temp_file("doubtful.urdf",
            "<robot name='one'><link name='base'/><link name='arm'><inertial><mass value='1e-6'/>"
            "</inertial></link><joint name='j' type='continuous'><parent link='base'/><child "
            "link='arm'/><limit velocity='1' effort='2'/></joint></robot>");
  outcome o = tool("model doubtful.urdf --lint");
  assert_int_equal(o.code, 1);
  assert_non_null(
      strstr(o.out, "placeholder arm: its mass of 1e-06 kg is a placeholder\n1 finding\n"));
  outcome_free(&o);
  char *sound = tool_text("model '" ROBERVAL_SOURCE "/examples/two_link.urdf' --lint");
  assert_non_null(strstr(sound, "4.2 kg, of which 4.2 kg move"));
  assert_non_null(strstr(sound, "\n0 findings\n"));
  free(sound);
  rbv_document *doc = tool_json("model '" ROBERVAL_SOURCE "/examples/two_link.urdf' --lint --json");
  text_at(rbv_document_root(doc), "schema", "roberval.lint/1");
  assert_near(real_at(rbv_document_root(doc), "mass_kg"), 4.2, 1e-12, 0);
  assert_near(real_at(rbv_document_root(doc), "links.1.mass_kg"), 1.8, 2, 0);
  rbv_document_free(doc);
  tool_refuses(2, "two questions", "model tx40 --lint --base");
}

/* a robot from a pipe is the robot of the file */
static void test_robot_from_a_pipe(void **state) {
  (void)state;
  char *file = tool_text("model '" ROBERVAL_SOURCE "/examples/two_link.urdf' -q");
  char *pipe = tool_text("model - -q <'" ROBERVAL_SOURCE "/examples/two_link.urdf'");
  assert_string_equal(file, pipe);
  free(file);
  free(pipe);
  tool_refuses(3, "standard input:1:1: the document is empty", "model - </dev/null");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_counts),
      cmocka_unit_test(test_bodies),
      cmocka_unit_test(test_json_has_documented_keys),
      cmocka_unit_test(test_distal_frames),
      cmocka_unit_test(test_urdf_with_printed_angles),
      cmocka_unit_test(test_urdf_tip),
      cmocka_unit_test(test_base_of_a_motion),
      cmocka_unit_test(test_text_output),
      cmocka_unit_test(test_lint),
      cmocka_unit_test(test_robot_from_a_pipe),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
