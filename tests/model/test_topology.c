/* Bodies, coordinates and the choice of the part of a file that becomes the model. */
#include <roberval/sys/dynamics.h>
#include <string.h>

#include "model/model_internal.h"
#include "support.h"

/* a torso with two arms; the right elbow follows the left one, which is listed later */
static const char two_arms[] =
    "name: torso\n"
    "joints:\n"
    "- {name: waist, origin: {xyz: [0, 0, 1]}}\n"
    "- {name: right, origin: {xyz: [0, -0.2, 0.3]}, axis: [0, 1, 0]}\n"
    "- {name: right_elbow, origin: {xyz: [0, 0, -0.3]}, axis: [0, 1, 0],\n"
    "   mimic: {joint: left_elbow, multiplier: -2, offset: 0.25}}\n"
    "- {name: left, parent: waist, origin: {xyz: [0, 0.2, 0.3]}, axis: [0, 1, 0]}\n"
    "- {name: left_elbow, type: prismatic, origin: {xyz: [0, 0, -0.3]}}\n";

static rbv_status parse(rbv_model **m, const char *text) {
  rbv_model_options o = rbv_model_defaults();
  return rbv_model_parse(m, "robot", text, strlen(text), &o);
}

static void test_yaml_tree(void **state) {
  (void)state;
  rbv_model *m;
  assert_ok(parse(&m, two_arms));
  static const int parent[] = {-1, 0, 1, 0, 3};
  assert_int_equal(rbv_model_body_count(m), 5);
  assert_int_equal(rbv_model_joint_count(m), 4);
  for (int i = 0; i < 5; i++) assert_int_equal(rbv_model_parent(m, i), parent[i]);
  assert_int_equal(rbv_model_tip_count(m), 2);
  assert_int_equal(rbv_model_tip_body(m, 0), 2);
  assert_int_equal(rbv_model_tip_body(m, 1), 4);
  // the coordinates are waist, right, left, left_elbow
  double offset;
  assert_true(rbv_model_map(&offset, m, 2, 3) == -2 && offset == 0.25);
  assert_true(rbv_model_map(&offset, m, 4, 3) == 1 && offset == 0);
  assert_true(rbv_model_map(NULL, m, 2, 1) == 0);
  // names count all moving joints; a follower has no drive
  assert_true(rbv_model_find(m, "Fv5") >= 0 && rbv_model_find(m, "XX3") >= 0);
  assert_int_equal(rbv_model_find(m, "Fv3"), -1);
  assert_int_equal(rbv_model_find_joint(m, "5"), 3);
  assert_int_equal(rbv_model_column_count(m), 5 * 10 + 4 * 4);
  rbv_model_free(m);
}

/* which bodies load which coordinate */
static void test_pattern(void **state) {
  (void)state;
  rbv_model *m;
  assert_ok(parse(&m, two_arms));
  static const bool loads[4][5] = {
      {true, true, true, true, true},      // waist: all
      {false, true, true, false, false},   // right
      {false, false, false, true, true},   // left
      {false, false, true, false, true}};  // left_elbow, which right_elbow follows
  for (int r = 0; r < 4; r++)
    for (int b = 0; b < 5; b++) {
      bool found = false;
      for (int k = 0; k < m->row[r].count; k++)
        found = found || m->row[r].columns[k] == m->link_column[b];
      assert_int_equal(found, loads[r][b]);
    }
  rbv_model_free(m);
}

static void test_refusals(void **state) {
  (void)state;
  rbv_model *m;
  assert_ok(parse(&m, two_arms));
  assert_refused(rbv_model_need_chain(m, "The export"), RBV_EUNSUPPORTED,
                 "robot 'torso' has 2 tips, choose one: right_elbow, left_elbow");
  rbv_model_free(m);
  static const char chain[] = "joints: [{name: a}, {name: b, mimic: {joint: a}}]\n";
  assert_ok(parse(&m, chain));
  assert_refused(rbv_model_need_chain(m, "The export"), RBV_EUNSUPPORTED,
                 "does not support joints that mimic others");
  rbv_model_free(m);
  static const struct {
    const char *text, *message;
  } wrong[] = {
      {"joints: [{name: a, parent: b}]\n", "there is no joint 'b' above"},
      {"joints: [{name: a}, {name: b}, {name: c, parent: a}, {name: d, parent: b}]\n",
       "listed after joints of another branch"},
      {"joints: [{name: a, mimic: {joint: b}}, {name: b, mimic: {joint: a}}]\n", "in a circle"},
      {"joints: [{name: a}, {name: b, mimic: {joint: c}}]\n", "no other moving joint 'c'"},
      {"joints: [{name: a}, {name: b, type: fixed, mimic: {joint: a}}]\n", "is fixed"},
      {"payload: true\njoints: [{name: a}, {name: b, parent: base}]\n", "a payload needs one tip"},
  };
  for (int i = 0; i < RBV_COUNT(wrong); i++)
    assert_refused(parse(&m, wrong[i].text), i == 5 ? RBV_EUNSUPPORTED : RBV_EINPUT,
                   wrong[i].message);
}

/* ---- the part of a file ---- */

static const char gripper[] =
    "<robot name='arm'><link name='base'/><link name='l1'/><link name='hand'/>"
    "<link name='f1'/><link name='f2'/>"
    "<joint name='j1' type='revolute'><parent link='base'/><child link='l1'/></joint>"
    "<joint name='j2' type='revolute'><parent link='l1'/><child link='hand'/></joint>"
    "<joint name='j3' type='prismatic'><parent link='hand'/><child link='f1'/></joint>"
    "<joint name='j4' type='prismatic'><parent link='hand'/><child link='f2'/>"
    "<mimic joint='j3'/></joint></robot>";

static rbv_model *part(const char *text, const char *root, const char *tip) {
  rbv_model_options o = rbv_model_defaults();
  o.root = root;
  o.tip = tip;
  rbv_model *m;
  assert_ok(rbv_model_parse(&m, "robot", text, strlen(text), &o));
  return m;
}

static void test_parts(void **state) {
  (void)state;
  static const struct {
    const char *root, *tip;
    int bodies, joints, tips;
  } row[] = {{NULL, NULL, 2, 2, 1}, {"base", NULL, 4, 3, 2}, {"l1", NULL, 3, 2, 2},
             {NULL, "f1", 3, 3, 1}, {"hand", "f1", 1, 1, 1}, {"hand", NULL, 2, 1, 2}};
  for (int i = 0; i < RBV_COUNT(row); i++) {
    rbv_model *m = part(gripper, row[i].root, row[i].tip);
    assert_int_equal(rbv_model_body_count(m), row[i].bodies);
    assert_int_equal(rbv_model_joint_count(m), row[i].joints);
    assert_int_equal(rbv_model_tip_count(m), row[i].tips);
    if (i == 0) assert_non_null(strstr(rbv_model_note(m, 0), "choose the root 'base'"));
    rbv_model_free(m);
  }
  rbv_model_options o = rbv_model_defaults();
  o.tip = "f2";
  rbv_model *m;
  assert_refused(rbv_model_parse(&m, "robot", gripper, strlen(gripper), &o), RBV_EUNSUPPORTED,
                 "mimics joint 'j3', which is no part of the model");
}

/* several tips: the joints on the way to them */
static void test_tips(void **state) {
  (void)state;
  rbv_model *m = part(gripper, NULL, "f1,f2");
  assert_int_equal(rbv_model_body_count(m), 4);
  assert_string_equal(rbv_model_body_link(m, 2), "f1");
  rbv_model_free(m);
  rbv_model_options o = rbv_model_defaults();
  o.tip = "f1,f3";
  assert_refused(rbv_model_parse(&m, "robot", gripper, strlen(gripper), &o), RBV_EINPUT,
                 "there is no link 'f3'");
  // a base that moves: the link that floats, or the root
  o.tip = NULL;
  o.free_base = true;
  assert_ok(rbv_model_parse(&m, "robot", gripper, strlen(gripper), &o));
  assert_int_equal(rbv_model_joint_count(m), 8);
  assert_true(rbv_model_base_moves(m) && !rbv_model_has_free_base(m));
  assert_refused(rbv_model_need_chain(m, "The export"), RBV_EUNSUPPORTED, "a base that moves");
  rbv_model_free(m);
}

static const char floating[] =
    "<mujoco><worldbody><body name='trunk'><freejoint/>"
    "<body name='a'><joint name='ja'/></body><body name='b'><joint name='jb' ref='90'/></body>"
    "</body><body name='cube'><freejoint/></body></worldbody><equality>"
    "<joint joint1='jb' joint2='ja' polycoef='0.5 -2 0 0 0'/></equality></mujoco>";

static void test_mjcf(void **state) {
  (void)state;
  rbv_model *m = part(floating, NULL, NULL);
  assert_true(rbv_model_has_free_base(m));
  assert_int_equal(rbv_model_body_count(m), 2);
  assert_int_equal(rbv_model_joint_count(m), 1);
  // qpos_b - 90 deg = 0.5 - 2 (qpos_a - 0)
  double offset;
  assert_near(rbv_model_map(&offset, m, 1, 0), -2, 0, 0);
  assert_near(offset, 0.5 + RBV_PI / 2, 1e-15, 0);
  rbv_model_free(m);
}

/* a file without its include, for a description; a polynomial of degree 2 couples two joints */
static void test_description(void **state) {
  (void)state;
  static const char text[] =
      "<mujoco><include file='none.xml'/><worldbody>"
      "<body name='a'><joint name='ja'/></body><body name='b'><joint name='jb'/></body>"
      "</worldbody><tendon><fixed name='cable'/></tendon><equality>"
      "<joint joint1='jb' joint2='ja' polycoef='0 1 3 0 0'/></equality></mujoco>";
  rbv_model_options o = rbv_model_defaults();
  rbv_model *m;
  assert_refused(parse(&m, text), RBV_EREAD, "none.xml");
  o.describe = true;
  assert_ok(rbv_model_parse(&m, "robot", text, strlen(text), &o));
  assert_int_equal(rbv_model_note_count(m), 3);
  assert_non_null(strstr(rbv_model_note(m, 0), "'none.xml' is missing"));
  assert_non_null(strstr(rbv_model_note(m, 1), "tendons are ignored: cable"));
  assert_non_null(strstr(rbv_model_note(m, 2), "taken as driven: ja"));
  assert_int_equal(rbv_model_joint_count(m), 1);
  assert_int_equal(rbv_model_loop_count(m), 1);
  assert_true(rbv_model_is_passive(m, 1));
  rbv_model_free(m);
}

static rbv_status build(void *text) {
  rbv_model *m;
  const rbv_status status = parse(&m, text);
  rbv_model_free(m);
  return status;
}

static void test_out_of_memory(void **state) {
  (void)state;
  fail_each_allocation(build, (void *)(uintptr_t)two_arms);
  fail_each_allocation(build, (void *)(uintptr_t)floating);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_yaml_tree),   cmocka_unit_test(test_pattern),
      cmocka_unit_test(test_refusals),    cmocka_unit_test(test_parts),
      cmocka_unit_test(test_tips),        cmocka_unit_test(test_mjcf),
      cmocka_unit_test(test_description), cmocka_unit_test(test_out_of_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
