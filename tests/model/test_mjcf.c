/* MJCF: what is read, what is refused, and that the rules of MuJoCo's defaults are followed. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <roberval/sys/dynamics.h>
#include <roberval/sys/model.h>

#include "model/model_internal.h"
#include "motions.h"
#include "support.h"

#define HEAD "<mujoco model=\"arm\">"
#define TAIL "</mujoco>"
#define INERTIAL "<inertial pos=\"0.1 0 0\" mass=\"2\" diaginertia=\"0.02 0.03 0.04\"/>"

static rbv_model *load(const char *text) {
  rbv_model *m;
  assert_ok(rbv_model_parse(&m, "arm.xml", text, strlen(text), NULL));
  return m;
}

static void refuse(const char *text, const char *sentence) {
  rbv_model *m;
  assert_int_not_equal(rbv_model_parse(&m, "arm.xml", text, strlen(text), NULL), RBV_OK);
  assert_null(m);
  if (!strstr(rbv_message(), sentence)) fail_msg("%s\nlacks: %s", rbv_message(), sentence);
}

/* torques at rest with these positions */
static void gravity_torque(double *tau, const rbv_model *m, const double *q) {
  const double zero[8] = {0};
  assert_ok(rbv_model_torques(tau, m, NULL, 1, q, zero, zero));
}

/* angles in degrees are the default; classes are inherited, childclass too, own attributes win */
static void test_defaults_and_classes(void **state) {
  (void)state;
  rbv_model *m = load(HEAD
                      "<default><joint damping=\"1\" armature=\"0.5\"/>"
                      "<default class=\"big\"><joint frictionloss=\"3\" range=\"-90 45\"/>"
                      "<default class=\"huge\"><joint damping=\"7\"/></default></default></default>"
                      "<worldbody><body name=\"a\" childclass=\"big\">" INERTIAL
                      "<joint name=\"j1\"/>"
                      "<body name=\"b\">" INERTIAL
                      "<joint name=\"j2\" class=\"huge\" armature=\"0.25\"/>"
                      "<body name=\"c\" childclass=\"main\">" INERTIAL
                      "<joint name=\"j3\" axis=\"0 2 0\"/>"
                      "</body></body></body></worldbody>" TAIL);
  assert_int_equal(rbv_model_joint_count(m), 3);
  assert_string_equal(rbv_model_format(m), "mjcf");
  const double want[3][3] = {{0.5, 1, 3}, {0.25, 7, 3}, {0.5, 1, 0}};
  for (int j = 0; j < 3; j++) {
    static const char *const kind[3] = {"Ia", "Fv", "Fc"};
    for (int k = 0; k < 3; k++) {
      char name[16];
      snprintf(name, sizeof name, "%s%d", kind[k], j + 1);
      assert_near(prior_value(m, name), want[j][k], 0, 0);
    }
  }
  assert_near(rbv_model_joint(m, 1)->limits.lower, -1.5707963267948966, 1e-15, 0);
  assert_near(rbv_model_joint(m, 1)->limits.upper, 0.78539816339744831, 1e-15, 0);
  assert_true(isinf(rbv_model_joint(m, 2)->limits.upper));
  assert_near(prior_value(m, "MX2"), 0.2, 1e-16, 0);
  rbv_model_free(m);
}

/* every way to write the same orientation gives the same torque: a quarter turn about x */
static void test_orientations(void **state) {
  (void)state;
  static const char *const way[] = {
      "quat=\"1 1 0 0\"", "quat=\"0.7071068 0.7071068 0 0\"", "axisangle=\"2 0 0 90\"",
      "euler=\"90 0 0\"", "xyaxes=\"1 0 0 0.3 0 1\"",         "zaxis=\"0 -3 0\"",
  };
  for (size_t k = 0; k < sizeof way / sizeof *way; k++) {
    char text[1024];
    snprintf(text, sizeof text,
             HEAD "<worldbody><body name=\"a\" %s>" INERTIAL
                  "<joint name=\"j\"/></body></worldbody>" TAIL,
             way[k]);
    rbv_model *m = load(text);
    // the axis is horizontal, the centre of mass 0.1 m beside it: m g x
    double tau, q = 0;
    gravity_torque(&tau, m, &q);
    assert_near(tau, 2 * 9.81 * 0.1, 1e-14, 0);
    rbv_model_free(m);
  }
}

/* intrinsic and extrinsic sequences: x then y about turned axes is y then x about fixed ones */
static void test_euler_sequences(void **state) {
  (void)state;
  static const char *const way[][2] = {{"xyz", "30 50 70"}, {"ZYX", "70 50 30"}};
  double first = 0;
  for (int k = 0; k < 2; k++) {
    char text[1024];
    snprintf(text, sizeof text,
             HEAD "<compiler eulerseq=\"%s\"/><worldbody><body name=\"a\" euler=\"%s\">" INERTIAL
                  "<joint name=\"j\" axis=\"0 1 1\"/></body></worldbody>" TAIL,
             way[k][0], way[k][1]);
    rbv_model *m = load(text);
    double tau, q = 0.3;
    gravity_torque(&tau, m, &q);
    if (k == 0) first = tau;
    assert_true(fabs(tau) > 0.1);
    assert_near(tau, first, 1e-14, 0);
    rbv_model_free(m);
  }
}

/* a pendulum whose joint is not at the origin of its body, with a reference position */
static void test_joint_position_and_reference(void **state) {
  (void)state;
  rbv_model *m = load(HEAD
                      "<compiler angle=\"radian\"/><worldbody>"
                      "<body name=\"a\" pos=\"5 0 0\">" INERTIAL
                      "<joint name=\"j\" axis=\"0 1 0\" pos=\"-0.4 0 0\" ref=\"0.2\"/>"
                      "<site name=\"flange\" pos=\"0.6 0 0\"/></body></worldbody>" TAIL);
  // 0.5 m from the axis, horizontal at q = 0.2
  double tau, q = 0.2 + 0.3;
  gravity_torque(&tau, m, &q);
  assert_near(fabs(tau), 2 * 9.81 * 0.5 * cos(0.3), 1e-13, 0);
  assert_near(prior_value(m, "YY1"), 0.03 + 2 * 0.25, 1e-15, 0);
  double R[9], p[3];
  assert_int_equal(rbv_model_frame(R, p, m, "flange"), 1);
  assert_near(p[0], 1.0, 1e-15, 0);
  assert_int_equal(rbv_model_frame(R, p, m, "a"), 1);
  assert_near(p[0], 0.4, 1e-15, 0);
  assert_int_equal(rbv_model_frame(R, p, m, "nothing"), -1);
  rbv_model_free(m);
}

/* inertia from shapes: a box of water, and twice the same with the mass given */
static void test_inertia_from_shapes(void **state) {
  (void)state;
  rbv_model *m = load(HEAD
                      "<worldbody><body name=\"a\"><joint name=\"j\"/>"
                      "<geom type=\"box\" size=\"0.1 0.2 0.3\" pos=\"1 0 0\"/></body>"
                      "</worldbody>" TAIL);
  const double mass = 1000 * 8 * 0.1 * 0.2 * 0.3;
  assert_near(prior_value(m, "M1"), mass, 1e-12, 0);
  assert_near(prior_value(m, "MX1"), mass, 1e-12, 0);
  assert_near(prior_value(m, "XX1"), mass * (0.04 + 0.09) / 3, 1e-12, 0);
  assert_near(prior_value(m, "ZZ1"), mass * ((0.01 + 0.04) / 3 + 1), 1e-12, 0);
  rbv_model_free(m);
  // an inertial decides unless inertiafromgeom is true
  static const char both[] = HEAD
      "<compiler inertiafromgeom=\"%s\"/><worldbody><body name=\"a\">"
      "<joint name=\"j\"/>" INERTIAL
      "<geom type=\"sphere\" size=\"0.1\" mass=\"3\"/>"
      "</body></worldbody>" TAIL;
  static const struct {
    const char *source;
    double mass;
  } row[] = {{"auto", 2}, {"false", 2}, {"true", 3}};
  for (int k = 0; k < 3; k++) {
    char text[1024];
    snprintf(text, sizeof text, both, row[k].source);
    m = load(text);
    assert_near(prior_value(m, "M1"), row[k].mass, 1e-15, 0);
    assert_int_equal(rbv_model_capsule_count(m), 1);
    rbv_model_free(m);
  }
}

/* a spring is a column with its stiffness as value: torque k (q - rest) */
static void test_spring(void **state) {
  (void)state;
  rbv_model *m = load(HEAD
                      "<compiler angle=\"radian\"/><option gravity=\"0 0 0\"/><worldbody>"
                      "<body name=\"a\">" INERTIAL
                      "<joint name=\"j\" stiffness=\"12\" springref=\"0.25\"/></body>"
                      "</worldbody>" TAIL);
  assert_near(prior_value(m, "Ks1"), 12, 0, 0);
  double tau, q = 0.75;
  gravity_torque(&tau, m, &q);
  assert_near(tau, 6, 1e-15, 0);
  rbv_model_free(m);
}

/* two joints in one body are two joints of the arm */
static void test_two_joints_in_a_body(void **state) {
  (void)state;
  rbv_model *m =
      load(HEAD "<worldbody><body name=\"a\">" INERTIAL
                "<joint name=\"pan\" axis=\"0 0 1\"/><joint name=\"tilt\" axis=\"0 1 0\"/>"
                "</body></worldbody>" TAIL);
  assert_int_equal(rbv_model_joint_count(m), 2);
  assert_near(prior_value(m, "M1"), 0, 0, 0);
  assert_near(prior_value(m, "M2"), 2, 0, 0);
  rbv_model_free(m);
}

/* a gripper is rigid, an object that floats is left out, another branch makes a tree */
static void test_gripper_and_objects(void **state) {
  (void)state;
#define ARM(behind)                                           \
  HEAD "<worldbody><body name=\"cube\"><freejoint/>" INERTIAL \
       "</body>"                                              \
       "<body name=\"upper\">" INERTIAL                       \
       "<joint name=\"j1\"/>"                                 \
       "<body name=\"hand\">" INERTIAL                        \
       "<joint name=\"j2\" axis=\"0 1 0\"/>"                  \
       "<body name=\"f1\">" INERTIAL                          \
       "<joint name=\"a\"/></body>"                           \
       "<body name=\"f2\">" INERTIAL                          \
       "<joint name=\"b\"/></body></body></body></worldbody>" behind TAIL
  rbv_model *m = load(ARM("<equality><joint joint1=\"a\" joint2=\"b\"/></equality>"));
  assert_int_equal(rbv_model_joint_count(m), 2);
  assert_near(prior_value(m, "M2"), 6, 1e-15, 0);
  rbv_model_free(m);
  m = load(ARM("<equality><connect body1=\"f1\" body2=\"f2\" anchor=\"0 0 0\"/></equality>"));
  assert_int_equal(rbv_model_joint_count(m), 2);
  rbv_model_free(m);
  m = load(ARM("<equality><weld body1=\"f1\" body2=\"f2\"/></equality>"));
  assert_int_equal(rbv_model_joint_count(m), 2);
  rbv_model_free(m);
  m = load(ARM(""));
  assert_int_equal(rbv_model_tip_count(m), 2);
  assert_refused(rbv_model_need_chain(m, "The export"), RBV_EUNSUPPORTED, "choose one: f1, f2");
  rbv_model_free(m);
}

static void test_includes(void **state) {
  (void)state;
  char folder[512];
  const char *body =
      temp_file("arm_body.xml", "<mujocoinclude><body name=\"a\">" INERTIAL
                                "<joint name=\"j\" class=\"fine\"/></body></mujocoinclude>");
  snprintf(folder, sizeof folder, "%s", body);
  temp_file("arm_class.xml",
            "<mujocoinclude><default><default class=\"fine\"><joint damping=\"4\"/></default>"
            "</default></mujocoinclude>");
  const char *scene = temp_file("scene.xml", HEAD
                                "<include file=\"arm_class.xml\"/><worldbody>"
                                "<include file=\"arm_body.xml\"/></worldbody>" TAIL);
  rbv_model *m;
  assert_ok(rbv_model_load(&m, scene, NULL));
  assert_near(prior_value(m, "Fv1"), 4, 0, 0);
  rbv_model_free(m);
  static const char *const bad[][2] = {
      {"../arm_body.xml", "must be in the folder of the main file"},
      {"/etc/passwd", "must be in the folder of the main file"},
      {"x/../../arm_body.xml", "must be in the folder of the main file"},
      {"again.xml", "already included"},
      {"missing.xml", "missing.xml"},
  };
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
    char text[512];
    snprintf(text, sizeof text, HEAD "<include file=\"%s\"/>" TAIL, bad[k][0]);
    const char *path = temp_file("again.xml", text);
    assert_int_not_equal(rbv_model_load(&m, path, NULL), RBV_OK);
    if (!strstr(rbv_message(), bad[k][1])) fail_msg("%s", rbv_message());
  }
}

static void test_refusals(void **state) {
  (void)state;
#define ONE(joint, rest) \
  HEAD "<worldbody><body name=\"a\">" INERTIAL joint "</body></worldbody>" rest TAIL
  static const char *const bad[][2] = {
      {ONE("<joint name=\"j\" type=\"ball\"/>", ""), "of type 'ball'"},
      {ONE("<freejoint/>", ""), "floats freely"},
      {ONE("<joint name=\"j\" class=\"none\"/>", ""), "there is no default class 'none'"},
      {ONE("<joint name=\"j\" axis=\"0 0 0\"/>", ""), "has no length"},
      {ONE("<joint name=\"j\"/><joint name=\"j\"/>", ""), "two joints are called 'j'"},
      {ONE("<joint name=\"j\"/>", "<compiler eulerseq=\"abc\"/>"), "eulerseq"},
      {ONE("<joint name=\"j\"/>", "<compiler coordinate=\"global\"/>"), "global coordinates"},
      {ONE("<joint name=\"j\"/><replicate count=\"3\"/>", ""), "<replicate> makes bodies"},
      {ONE("", ""), "no moving joint"},
      {HEAD "<worldbody><body name=\"a\" quat=\"0 0 0 0\"><joint/></body></worldbody>" TAIL,
       "quat of <body> has no direction"},
      {HEAD "<worldbody><body name=\"a\"><joint name=\"j\"/><geom type=\"box\" size=\"1\"/>"
            "</body></worldbody>" TAIL,
       "size of a box"},
      {"<sdf/>", "begins with <robot> (URDF) or <mujoco> (MJCF)"},
  };
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) refuse(bad[k][0], bad[k][1]);
}

/* a body from its mesh: a box of 0.2 x 0.4 x 0.6 m beside the joint, as OBJ with quadrangles and as
 * STL; the mass follows from the density or is given; a mesh that is not there is left out */
static void test_inertia_from_a_mesh(void **state) {
  (void)state;
  static const int face[6][4] = {{1, 3, 4, 2}, {5, 6, 8, 7}, {1, 2, 6, 5},
                                 {3, 7, 8, 4}, {1, 5, 7, 3}, {2, 4, 8, 6}};
  const double half[3] = {0.1, 0.2, 0.3};
  char folder[] = "/tmp/roberval-mesh-XXXXXX", path[3][64], text[1024];
  assert_non_null(mkdtemp(folder));
  static const char *const name[] = {"robot.xml", "box.obj", "box.stl"};
  for (int i = 0; i < 3; i++) snprintf(path[i], sizeof path[i], "%s/%s", folder, name[i]);
  FILE *obj = fopen(path[1], "w"), *stl = fopen(path[2], "w");
  fputs("solid box\n", stl);
  for (int v = 0; v < 8; v++)
    fprintf(obj, "v %g %g %g\n", (v & 1 ? 100 : -100.), (v & 2 ? 200 : -200.),
            (v & 4 ? 300 : -300.));
  for (int f = 0; f < 6; f++) {
    fprintf(obj, "f %d/1 %d/1 %d/1 %d/1\n", face[f][0], face[f][1], face[f][2], face[f][3]);
    for (int k = 0; k < 6; k++) {
      const int v = face[f][(int[]){0, 1, 2, 0, 2, 3}[k]] - 1;
      fprintf(stl, "vertex %g %g %g\n", (v & 1 ? 100 : -100.), (v & 2 ? 200 : -200.),
              (v & 4 ? 300 : -300.));
    }
  }
  assert_int_equal(fclose(obj) | fclose(stl), 0);
  for (int k = 0; k < 4; k++) {
    snprintf(text, sizeof text,
             HEAD
             "<asset><mesh name=\"m\" file=\"%s\" scale=\"0.001 0.001 0.001\"/></asset>"
             "<worldbody><body name=\"a\"><joint name=\"j\"/>"
             "<geom type=\"mesh\" mesh=\"m\" pos=\"1 0 0\" %s/>"
             "<geom type=\"sphere\" size=\"0.1\" mass=\"0.25\"/></body></worldbody>" TAIL,
             k == 3 ? "none.stl" : name[1 + k % 2], k == 2 ? "mass=\"5\"" : "density=\"500\"");
    FILE *robot = fopen(path[0], "w");
    fputs(text, robot);
    assert_int_equal(fclose(robot), 0);
    rbv_model *m;
    assert_ok(rbv_model_load(&m, path[0], NULL));
    const double mass = k == 3 ? 0 : k == 2 ? 5 : 500 * 8 * half[0] * half[1] * half[2];
    const double ball = 0.4 * 0.25 * 0.01;
    // a motion about z: only ZZ, MX and MY of the first body matter, the others are there as well
    assert_near(prior_value(m, "M1"), mass + 0.25, 1e-9, 0);
    assert_near(prior_value(m, "MX1"), mass, 1e-9, 0);
    assert_near(prior_value(m, "ZZ1"), mass * (1 + (0.01 + 0.04) / 3) + ball, 1e-9, 0);
    assert_near(prior_value(m, "XX1"), mass * (0.04 + 0.09) / 3 + ball, 1e-9, 0);
    assert_int_equal(rbv_model_note_count(m), k == 3);
    if (k == 3) assert_non_null(strstr(rbv_model_note(m, 0), "its mass is left out"));
    rbv_model_free(m);
  }
  for (int i = 0; i < 3; i++) assert_int_equal(remove(path[i]), 0);
  assert_int_equal(remove(folder), 0);
}

/*
 * Limits of actuators, by hand: forces times gears, of several actuators added, at most what the
 * joint allows; the control of a motor is a force, that of a servo a position or a velocity.
 */
static void test_actuator_limits(void **state) {
  (void)state;
  static const char *const row[][2] = {
      {"<motor %s gear=\"25 0 0 0 0 0\" ctrlrange=\"-4.5 4\"/>", "112.5"},
      {"<position %s forcerange=\"-105 90\" ctrlrange=\"-2 1\"/>", "105"},
      {"<position class=\"big\" %s/>", "39"},
      {"<general %s gear=\"-2\" forcerange=\"-5 5\" biastype=\"affine\" gainprm=\"9\" biasprm=\"0 "
       "-9 -1\"/>",
       "10"},
      {"<general %s gainprm=\"3\" ctrlrange=\"-2 2\"/>", "6"},
      {"<motor %s ctrlrange=\"-2 2\"/><motor %s forcerange=\"-3 3\"/>", "5"},
      {"<motor %s ctrlrange=\"-2 2\" ctrllimited=\"false\"/>", "inf"},
      {"<motor %s ctrlrange=\"-300 300\"/>", "250"},
      {"<velocity %s gear=\"2\" ctrlrange=\"-3 3\"/>", "inf"},
      {"<motor tendon=\"cord\" forcerange=\"-1 1\"/>", "inf"},
  };
  for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
    char text[2048], actuator[600];
    snprintf(actuator, sizeof actuator, row[k][0], "joint=\"j\"", "joint=\"j\"");
    snprintf(
        text, sizeof text,
        HEAD
        "<default><general forcerange=\"-39 39\" forcelimited=\"false\"/><default class=\"big\">"
        "<position forcelimited=\"true\"/></default></default><worldbody><body name=\"a\">" INERTIAL
        "<joint name=\"j\" range=\"-90 90\" %s/></body></worldbody><actuator>%s</actuator>" TAIL,
        k == 7 ? "actuatorfrcrange=\"-250 250\"" : "", actuator);
    // only the row with a class has the limit of the defaults
    if (strstr(actuator, "forcerange"))
      snprintf(
          text, sizeof text,
          HEAD
          "<worldbody><body name=\"a\">" INERTIAL
          "<joint name=\"j\" range=\"-90 90\"/></body></worldbody><actuator>%s</actuator>" TAIL,
          actuator);
    rbv_model *m = load(text);
    const rbv_limits *l = &rbv_model_joint(m, 0)->limits;
    if (l->effort != strtod(row[k][1], NULL))
      fail_msg("%s: %g instead of %s", actuator, l->effort, row[k][1]);
    assert_true(l->velocity == (k == 8 ? 1.5 : INFINITY));
    assert_near(l->upper, k == 1 ? 1 : 1.5707963267948966, 1e-15, 0);
    rbv_model_free(m);
  }
}

/* classes, a spring, shapes and a gripper */
static rbv_status load_and_free(void *unused) {
  (void)unused;
  static const char text[] = HEAD
      "<default><default class=\"c\"><joint damping=\"1\"/></default></default><worldbody>"
      "<body name=\"a\" childclass=\"c\">" INERTIAL
      "<joint name=\"j\" stiffness=\"2\"/>"
      "<body name=\"b\" euler=\"1 2 3\"><joint name=\"k\"/><geom type=\"box\" size=\"1 2 3\"/>"
      "<site name=\"s\"/><body name=\"f\">" INERTIAL
      "<joint name=\"x\" type=\"slide\"/></body>"
      "<body name=\"g\">" INERTIAL
      "<joint name=\"y\" type=\"slide\"/></body></body></body>"
      "</worldbody>" TAIL;
  rbv_model *m;
  const rbv_status status = rbv_model_parse(&m, "arm.xml", text, strlen(text), NULL);
  if (status != RBV_OK) assert_null(m);
  rbv_model_free(m);
  return status;
}

static void test_each_allocation_may_fail(void **state) {
  (void)state;
  fail_each_allocation(load_and_free, NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_defaults_and_classes),
      cmocka_unit_test(test_orientations),
      cmocka_unit_test(test_euler_sequences),
      cmocka_unit_test(test_joint_position_and_reference),
      cmocka_unit_test(test_inertia_from_shapes),
      cmocka_unit_test(test_spring),
      cmocka_unit_test(test_two_joints_in_a_body),
      cmocka_unit_test(test_gripper_and_objects),
      cmocka_unit_test(test_includes),
      cmocka_unit_test(test_refusals),
      cmocka_unit_test(test_actuator_limits),
      cmocka_unit_test(test_inertia_from_a_mesh),
      cmocka_unit_test(test_each_allocation_may_fail),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
