/* URDF: models from valid files, and refusals. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <roberval/sys/dynamics.h>

#include "base/support.h"
#include "document/document.h"
#include "model/geometry.h"
#include "motions.h"
#include "support.h"

static rbv_model *parse(const char *text, const rbv_model_options *options) {
  rbv_model *m;
  assert_ok(rbv_model_parse(&m, "robot.urdf", text, strlen(text), options));
  return m;
}

#define BALL(m) \
  "<inertial><mass value=\"" m "\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\"/></inertial>"

#define JOINT(name, type, parent, child)                                                         \
  "<joint name=\"" name "\" type=\"" type "\"><parent link=\"" parent "\"/><child link=\"" child \
  "\"/></joint>\n"

/* an arm with a gripper: two fingers move, a camera is fixed to the arm */
static const char arm[] =
    "<?xml version=\"1.0\"?>\n"
    "<robot name=\"arm\">\n"
    "<link name=\"base\">" BALL("50") "</link>\n"
    "<joint name=\"slide\" type=\"prismatic\"><origin xyz=\"0 0 1\" rpy=\"1.5708 0 0\"/>\n"
    "  <parent link=\"base\"/><child link=\"carriage\"/><axis xyz=\"0 0 -2\"/>\n"
    "  <limit lower=\"-0.5\" upper=\"0.9\" velocity=\"2\" effort=\"100\" acceleration=\"7\"/>"
    "  <safety_controller k_velocity=\"5\" soft_lower_limit=\"-3\" soft_upper_limit=\"0.7\"/>\n"
    "  <dynamics damping=\"3\" friction=\"4\"/></joint>\n"
    "<link name=\"carriage\"><inertial><origin xyz=\"0.1 0 0\" rpy=\"0 0 1.5708\"/>\n"
    "  <mass value=\"2\"/><inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" iyy=\"2\" iyz=\"0\" izz=\"2.5\"/>\n"
    "  </inertial></link>\n"
    "<joint name=\"turn\" type=\"revolute\"><origin xyz=\"1 0 0\"/><parent link=\"carriage\"/>\n"
    "  <child link=\"hand\"/><limit lower=\"0\" upper=\"0\" velocity=\"0\" effort=\"0\"/></joint>\n"
    "<link name=\"hand\">" BALL("1") "</link>\n"
    "<joint name=\"mount\" type=\"fixed\"><origin xyz=\"0 0.5 0\"/><parent link=\"hand\"/>\n"
    "  <child link=\"camera\"/></joint>\n"
    "<link name=\"camera\"><inertial><mass value=\"0.2\"/></inertial></link>\n"
    "<joint name=\"left\" type=\"prismatic\"><parent link=\"hand\"/><child link=\"finger_l\"/>\n"
    "  <mimic joint=\"right\"/></joint>\n"
    "<joint name=\"right\" type=\"prismatic\"><parent link=\"hand\"/><child link=\"finger_r\"/>\n"
    "  <origin xyz=\"0 0 0.4\"/></joint>\n"
    "<link name=\"finger_l\"/><link name=\"finger_r\">" BALL("0.1") "</link>\n"
    "</robot>\n";

static void test_chain_to_a_tip(void **state) {
  (void)state;
  rbv_model_options options = rbv_model_defaults();
  options.tip = "hand";
  rbv_model *m = parse(arm, &options);
  assert_string_equal(rbv_model_name(m), "arm");
  assert_int_equal(rbv_model_joint_count(m), 2);
  assert_int_equal(rbv_model_column_count(m), 28);
  assert_string_equal(rbv_model_joint(m, 0)->name, "slide");
  assert_int_equal(rbv_model_joint(m, 0)->type, RBV_JOINT_PRISMATIC);
  assert_int_equal(rbv_model_joint(m, 1)->type, RBV_JOINT_REVOLUTE);
  assert_string_equal(rbv_model_column(m, 10)->unit, "kg");
  assert_non_null(rbv_model_document(m));
  assert_string_equal(rbv_element_tag(rbv_xml_root(rbv_model_document(m))), "robot");

  // limits, and zeros that mean "not known"
  const rbv_limits *l = &rbv_model_joint(m, 0)->limits;
  assert_true(l->lower == -0.5 && l->upper == 0.7 && l->velocity == 2 && l->effort == 100);
  assert_true(l->acceleration == 7 && isinf(l->jerk));
  l = &rbv_model_joint(m, 1)->limits;
  assert_true(isinf(l->lower) && isinf(l->upper) && isinf(l->velocity) && isinf(l->effort));

  // 1.5708 is pi/2, the axis is a unit one
  const joint_geometry *g = &m->geometry[0];
  assert_true(g->axis[2] == -1 && g->slide[0] == 0 && g->slide[1] == 1 && g->slide[2] == 0);
  assert_int_equal(rbv_model_snap_count(m), 1);
  assert_string_equal(rbv_model_snap(m, 0)->where, "joint slide, roll");
  assert_true(m->geometry[1].axis[0] == 1);  // URDF's default

  // the fingers are merged at their zero position
  assert_int_equal(rbv_model_note_count(m), 2);
  assert_string_equal(rbv_model_note(m, 0),
                      "joint 'left' is not on the chain: its child bodies are treated as rigid, at "
                      "its zero position");
  rbv_model_free(m);
}

/* by hand: turned by 90 degrees about z, then shifted by 0.1 along x, with 2 kg */
static void test_priors(void **state) {
  (void)state;
  rbv_model_options options = rbv_model_defaults();
  options.tip = "hand";
  rbv_model *m = parse(arm, &options);
  // the inertial frame's 1.5708 is used as written: an error of 4e-6 times the difference of the
  // moments
  const double off = 4e-6;
  assert_near(prior_value(m, "XX1"), 2, off, 0);
  assert_near(prior_value(m, "YY1"), 1 + 2 * 0.01, off, 0);
  assert_near(prior_value(m, "ZZ1"), 2.5 + 2 * 0.01, off, 0);
  assert_near(prior_value(m, "XY1"), 0, off, 0);
  assert_near(prior_value(m, "MX1"), 0.2, 1e-15, 0);
  assert_near(prior_value(m, "M1"), 2, 0, 0);
  assert_true(prior_value(m, "Fv1") == 3 && prior_value(m, "Fc1") == 4 &&
              prior_value(m, "Ia1") == 0);

  // hand 1 kg, camera 0.2 kg at y = 0.5, right finger 0.1 kg at z = 0.4
  assert_near(prior_value(m, "M2"), 1.3, 0, 1e-15);
  assert_near(prior_value(m, "MY2"), 0.2 * 0.5, 0, 1e-15);
  assert_near(prior_value(m, "MZ2"), 0.1 * 0.4, 0, 1e-15);
  assert_near(prior_value(m, "XX2"), 2 + 0.2 * 0.25 + 0.1 * 0.16, 0, 1e-15);
  assert_near(prior_value(m, "YY2"), 2 + 0.1 * 0.16, 0, 1e-15);
  assert_near(prior_value(m, "ZZ2"), 2 + 0.2 * 0.25, 0, 1e-15);
  rbv_model_free(m);

  // tip at the carriage: the hand and its parts belong to it, one metre out
  options.tip = "carriage";
  m = parse(arm, &options);
  assert_int_equal(rbv_model_joint_count(m), 1);
  assert_near(prior_value(m, "M1"), 2 + 1.3, 0, 1e-15);
  assert_near(prior_value(m, "MX1"), 0.2 + 1.3, 0, 1e-15);
  assert_int_equal(rbv_model_note_count(m), 3);
  rbv_model_free(m);
}

static void test_snapping_can_be_refused(void **state) {
  (void)state;
  rbv_model_options options = rbv_model_defaults();
  options.tip = "hand";
  options.snap = false;
  rbv_model *m = parse(arm, &options);
  assert_int_equal(rbv_model_snap_count(m), 0);
  assert_near(m->geometry[0].slide[2], -cos(1.5708), 1e-20, 1e-15);
  rbv_model_free(m);
}

/* without a tip the only moving chain is the arm; flanges behind it are merged */
static void test_tip_is_found(void **state) {
  (void)state;
  rbv_model *m = parse(
      "<robot name=\"r\">" JOINT("tool", "fixed", "b", "flange") JOINT("j2", "revolute", "a", "b")
          JOINT("j1", "continuous", "ground", "a") "<link name=\"flange\">" BALL(
              "1") "</link><link name=\"b\"/><link name=\"a\"/><link name=\"ground\"/></robot>",
      NULL);
  assert_int_equal(rbv_model_joint_count(m), 2);
  assert_string_equal(rbv_model_joint(m, 0)->name, "j1");
  assert_true(prior_value(m, "M2") == 1 && prior_value(m, "M1") == 0);
  rbv_model_free(m);
}

static void test_friction_alone_is_a_prior(void **state) {
  (void)state;
  rbv_model *m = parse(
      "<robot name=\"r\"><link name=\"a\"/><link name=\"b\"/><joint name=\"j\" type=\"revolute\">"
      "<parent link=\"a\"/><child link=\"b\"/><dynamics damping=\"2\"/><limit upper=\"1\"/></joint>"
      "</robot>",
      NULL);
  assert_true(prior_value(m, "Fv1") == 2 && prior_value(m, "M1") == 0);
  // URDF: a limit that is left out is 0
  assert_true(rbv_model_joint(m, 0)->limits.lower == 0 && rbv_model_joint(m, 0)->limits.upper == 1);
  rbv_model_free(m);
}

#define ONE_JOINT(inertia) \
  "<robot name=\"r\"><link name=\"a\"/>" JOINT("j", "revolute", "a", "b") "<link name=\"b\">" \
  "<inertial><mass value=\"1\"/><inertia " inertia "/></inertial></link></robot>"

static void test_doubtful_inertias_are_remarked(void **state) {
  (void)state;
  const struct {
    const char *text, *note;
  } cases[] = {
      {ONE_JOINT("ixx=\"1\" iyy=\"1\" izz=\"3\""), "violate the triangle inequality"},
      {ONE_JOINT("ixx=\"1\" iyy=\"1\" izz=\"-1\""),
       "link 'b': its inertia is not positive definite"},
      {ONE_JOINT("ixx=\"1\" iyy=\"1\" izz=\"1\" ixy=\"1.5\""), "not positive definite"},
  };
  for (int i = 0; i < RBV_COUNT(cases); i++) {
    rbv_model *m = parse(cases[i].text, NULL);
    assert_int_equal(rbv_model_note_count(m), 1);
    assert_non_null(strstr(rbv_model_note(m, 0), cases[i].note));
    rbv_model_free(m);
  }
}

/* tags of other programs are ignored, and so are their joints */
static void test_foreign_elements_are_ignored(void **state) {
  (void)state;
  rbv_model *m = parse(
      "\xef\xbb\xbf<robot><link name=\"a\"><visual/></link><link name=\"b\"/>\n" JOINT(
          "j", "revolute", "a", "b") "<transmission><joint name=\"j\"/></transmission><gazebo>"
                                     "<link name=\"a\"/></gazebo></robot>",
      NULL);
  assert_int_equal(rbv_model_joint_count(m), 1);
  assert_string_equal(rbv_model_name(m), "robot.urdf");
  assert_null(rbv_model_parameters(m));
  rbv_model_free(m);
}

/* ---- refusals ---- */

#define LINKS "<robot name=\"r\">\n<link name=\"a\"/>\n<link name=\"b\"/>\n<link name=\"c\"/>\n"

/* two arms on one body: no gripper */
#define ARMS                                                                                     \
  LINKS "<link name=\"d\"/>\n" JOINT("i", "revolute", "a", "b") JOINT("j", "revolute", "b", "c") \
      JOINT("k", "revolute", "b", "d")

static const struct {
  const char *text;
  rbv_status status;
  const char *message;
} bad[] = {
    {"<robot name=\"r\">\n<link name=\"a\">\n</robot>", RBV_EINPUT, "robot.urdf:3: "},
    {"<", RBV_EINPUT, "robot.urdf:1: "},
    {"<robot/>", RBV_EINPUT, "robot.urdf: the URDF has no link"},
    {"<mujoco/>", RBV_EINPUT, "robot.urdf: the robot has no moving joint"},
    {"<sdf/>", RBV_EINPUT,
     "robot.urdf:1: the root is <sdf>; a robot file begins with <robot> (URDF) or <mujoco> (MJCF)"},
    {"<!DOCTYPE r [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;\">]>\n<robot>&b;"
     "</robot>",
     RBV_EUNSUPPORTED, "robot.urdf:1: a DOCTYPE is not supported"},
    {LINKS "</robot>", RBV_EINPUT, "robot.urdf:3: the links are not connected: 'a' and 'b'"},
    {"<robot><link name=\"a\"/></robot>", RBV_EINPUT, "the robot has no moving joint"},
    {"<robot>\n<link/></robot>", RBV_EINPUT, "robot.urdf:2: <link> needs the attribute 'name'"},
    {"<robot>\n<link name=\"a\"/>\n<link name=\"a\"/></robot>", RBV_EINPUT,
     "robot.urdf:3: two links are called 'a'"},
    {LINKS JOINT("j", "revolute", "a", "b") JOINT("j", "revolute", "b", "c") "</robot>", RBV_EINPUT,
     "robot.urdf:6: two joints are called 'j'"},
    {LINKS JOINT("j", "revolute", "a", "d") "</robot>", RBV_EINPUT,
     "robot.urdf:5: joint 'j' names link 'd', which does not exist"},
    {LINKS "<joint name=\"j\" type=\"revolute\"><parent link=\"a\"/></joint></robot>", RBV_EINPUT,
     "robot.urdf:5: joint 'j' has no <child>"},
    {LINKS "<joint name=\"j\" type=\"revolute\"><parent/></joint></robot>", RBV_EINPUT,
     "robot.urdf:5: <parent> needs the attribute 'link'"},
    {LINKS "<joint name=\"j\"/></robot>", RBV_EINPUT,
     "robot.urdf:5: <joint> needs the attribute 'type'"},
    {LINKS JOINT("j", "revolute", "a", "c") JOINT("k", "revolute", "b", "c") "</robot>", RBV_EINPUT,
     "robot.urdf:6: link 'c' has two parents"},
    {LINKS JOINT("j", "revolute", "b", "c") JOINT("k", "revolute", "c", "b") "</robot>", RBV_EINPUT,
     "robot.urdf:3: the joints form a loop through link 'b'"},
    {LINKS JOINT("j", "revolute", "b", "b") "</robot>", RBV_EINPUT, "form a loop through link 'b'"},
    {"<robot xmlns:xacro=\"http://www.ros.org/wiki/xacro\">\n<link name=\"a\"/>\n"
     "<xacro:include filename=\"arm.xacro\"/>\n</robot>",
     RBV_EINPUT,
     "robot.urdf:3: <xacro:include> is a macro that is not expanded; run `xacro robot.urdf > "
     "robot.urdf`"},
    {"<robot xmlns:xacro=\"x\"><link name=\"a\"><visual><xacro:shape/></visual></link></robot>",
     RBV_EINPUT, "<xacro:shape> is a macro"},
    {LINKS JOINT("j", "floating", "a", "b") JOINT("k", "fixed", "b", "c") "</robot>", RBV_EINPUT,
     "the robot has no moving joint"},
    {LINKS JOINT("j", "planar", "a", "b") JOINT("k", "fixed", "b", "c") "</robot>",
     RBV_EUNSUPPORTED, "is of type 'planar'"},
    {LINKS JOINT("j", "Revolute", "a", "b") JOINT("k", "fixed", "b", "c") "</robot>",
     RBV_EUNSUPPORTED, "is of type 'Revolute'"},
    {LINKS JOINT("j", "fixed", "a",
                 "b") "\n<joint name=\"k\" type=\"revolute\"><mimic joint=\"j\"/>"
                      "<parent link=\"b\"/><child link=\"c\"/></joint></robot>",
     RBV_EUNSUPPORTED, "robot.urdf:7: joint 'k' mimics joint 'j', which is no part of the model"},
    {LINKS "<joint name=\"j\" type=\"revolute\"><parent link=\"a\"/><child link=\"b\"/>\n"
           "<axis xyz=\"0 0 0\"/></joint></robot>",
     RBV_EINPUT, "robot.urdf:6: the axis of joint 'j' has no length"},
    {LINKS "<joint name=\"j\" type=\"revolute\"><parent link=\"a\"/><child link=\"b\"/>\n"
           "<axis xyz=\"0 0 nan\"/></joint></robot>",
     RBV_EINPUT, "robot.urdf:6: xyz of <axis>: expected a finite number, found 'nan'"},
    {LINKS "<joint name=\"j\" type=\"revolute\"><parent link=\"a\"/><child link=\"b\"/>\n"
           "<origin rpy=\"0 0\"/></joint></robot>",
     RBV_EINPUT, "robot.urdf:6: rpy of <origin>: expected 3 numbers, found 2"},
    {LINKS "<joint name=\"j\" type=\"revolute\"><parent link=\"a\"/><child link=\"b\"/>\n"
           "<limit lower=\"2\" upper=\"1\"/></joint>" JOINT("k", "fixed", "b", "c") "</robot>",
     RBV_EINPUT, "robot.urdf:6: joint 'j': the lower limit is above the upper"},
    {"<robot><link name=\"a\"/>" JOINT(
         "j", "revolute", "a",
         "b") "<link name=\"b\"><inertial>\n<mass value=\"-2\"/></inertial></link></robot>",
     RBV_EINPUT, "robot.urdf:3: link 'b' has the mass -2 kg"},
    {"<robot><link name=\"a\"/>" JOINT(
         "j", "revolute", "a", "b") "<link name=\"b\"><inertial><mass value=\"1\"/>\n<inertia "
                                    "ixx=\"inf\"/></inertial></link></robot>",
     RBV_EINPUT, "robot.urdf:3: ixx of <inertia>: expected a finite number, found 'inf'"},
};

static void test_refusals(void **state) {
  (void)state;
  for (int i = 0; i < RBV_COUNT(bad); i++) {
    rbv_model *m = (rbv_model *)(uintptr_t)1;
    const rbv_status status =
        rbv_model_parse(&m, "robot.urdf", bad[i].text, strlen(bad[i].text), NULL);
    if (status != bad[i].status || !strstr(rbv_message(), bad[i].message))
      print_error("case %d: %s\n", i, bad[i].text);
    assert_refused(status, bad[i].status, bad[i].message);
    assert_null(m);
  }
  rbv_model *m;
  rbv_model_options options = rbv_model_defaults();
  options.tip = "elbow";
  assert_refused(rbv_model_parse(&m, "robot.urdf", arm, strlen(arm), &options), RBV_EINPUT,
                 "robot.urdf: there is no link 'elbow' for the end of the chain");
  options.tip = "finger_l";
  assert_refused(rbv_model_parse(&m, "robot.urdf", arm, strlen(arm), &options), RBV_EUNSUPPORTED,
                 "robot.urdf:17: joint 'left' mimics joint 'right', which is no part");
  options.tip = "base";
  assert_refused(rbv_model_parse(&m, "robot.urdf", arm, strlen(arm), &options), RBV_EINPUT,
                 "robot.urdf: the robot has no moving joint");
}

/* a chain of so many joints of one type */
static void write_chain(rbv_text *t, int count, const char *type) {
  rbv_text_put(t, "<robot name=\"r\"><link name=\"l0\"/>\n");
  for (int i = 1; i <= count; i++)
    rbv_text_print(t,
                   "<link name=\"l%d\"/><joint name=\"j%d\" type=\"%s\"><parent link=\"l%d\"/>"
                   "<child link=\"l%d\"/></joint>\n",
                   i, i, type, i - 1, i);
  rbv_text_put(t, "</robot>");
}

static void test_absurd_sizes(void **state) {
  (void)state;
  rbv_model *m;
  rbv_text t = {0};
  write_chain(&t, 101, "revolute");
  assert_refused(rbv_model_parse(&m, "robot.urdf", t.data, t.size, NULL), RBV_EUNSUPPORTED,
                 "robot.urdf: 101 joints move; the limit is 100");
  rbv_text_free(&t);

  t = (rbv_text){0};
  write_chain(&t, 2000, "fixed");
  assert_refused(rbv_model_parse(&m, "robot.urdf", t.data, t.size, NULL), RBV_EINPUT,
                 "robot.urdf: 2001 links and 2000 joints; the limit is 2000");
  rbv_text_free(&t);

  t = (rbv_text){0};
  for (int i = 0; i < 300; i++) rbv_text_put(&t, "<robot>");
  assert_refused(rbv_model_parse(&m, "robot.urdf", t.data, t.size, NULL), RBV_EUNSUPPORTED,
                 "nested deeper than 256");
  rbv_text_free(&t);

  // the largest accepted size
  t = (rbv_text){0};
  write_chain(&t, 100, "revolute");
  assert_ok(rbv_model_parse(&m, "robot.urdf", t.data, t.size, NULL));
  assert_int_equal(rbv_model_column_count(m), 1400);
  rbv_model_free(m);
  rbv_text_free(&t);
}

/* ---- memory ---- */

static rbv_status load_and_free(void *tip) {
  rbv_model *m;
  rbv_model_options options = rbv_model_defaults();
  options.tip = tip;
  const rbv_status status = rbv_model_parse(&m, "robot.urdf", arm, strlen(arm), &options);
  if (status != RBV_OK) assert_null(m);
  rbv_model_free(m);
  return status;
}

static void test_each_allocation_may_fail(void **state) {
  (void)state;
  char tip[] = "hand";
  fail_each_allocation(load_and_free, tip);
}

/* without a tip, the arm ends where its gripper begins */
static void test_arm_ends_before_its_gripper(void **state) {
  (void)state;
  rbv_model_options options = rbv_model_defaults();
  rbv_model *m = parse(arm, NULL);
  options.tip = "hand";
  rbv_model *chosen = parse(arm, &options);
  assert_int_equal(rbv_model_joint_count(m), 2);
  assert_string_equal(
      rbv_model_note(m, 0),
      "the arm ends at link 'hand'; the joints behind it are a gripper's: to include "
      "them, choose the root 'base'");
  assert_int_equal(rbv_model_note_count(m), 1 + rbv_model_note_count(chosen));
  for (int c = 0; c < rbv_model_column_count(m); c++)
    assert_true(rbv_model_parameters(m)[c] == rbv_model_parameters(chosen)[c]);
  rbv_model_free(m);
  rbv_model_free(chosen);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_chain_to_a_tip),
      cmocka_unit_test(test_priors),
      cmocka_unit_test(test_snapping_can_be_refused),
      cmocka_unit_test(test_tip_is_found),
      cmocka_unit_test(test_friction_alone_is_a_prior),
      cmocka_unit_test(test_doubtful_inertias_are_remarked),
      cmocka_unit_test(test_foreign_elements_are_ignored),
      cmocka_unit_test(test_refusals),
      cmocka_unit_test(test_absurd_sizes),
      cmocka_unit_test(test_each_allocation_may_fail),
      cmocka_unit_test(test_arm_ends_before_its_gripper),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
