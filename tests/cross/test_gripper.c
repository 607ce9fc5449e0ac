/*
 * An arm with a hand and two fingers, one of which mimics the other, exported and loaded by MuJoCo.
 * The fingers' joints are not part of the model: their links must keep their inertials, or MuJoCo
 * refuses them ("mass and inertia of moving bodies must be larger than mjMINVAL").
 */
#include "motions.h"
#include "simulated.h"
#include "tool.h"

#define AGREE 1e-8  // fraction of the largest torque
#define ARM 2
#define ALL 4  // with the fingers

#define BODY(mass, x, y, z, inertia)                                               \
  "<inertial><origin xyz=\"" x " " y " " z "\" rpy=\"0 0 0\"/><mass value=\"" mass \
  "\"/><inertia ixx=\"" inertia "\" ixy=\"0\" ixz=\"0\" iyy=\"" inertia            \
  "\" iyz=\"0\" izz=\"" inertia "\"/></inertial>"

static const char gripper[] =
    "<robot name=\"arm\"><link name=\"base\"/>\n"
    "<joint name=\"shoulder\" type=\"revolute\"><parent link=\"base\"/><child link=\"upper\"/>\n"
    "<origin xyz=\"0 0 0.4\" rpy=\"0 0 0\"/><axis xyz=\"0 0 1\"/>\n"
    "<limit lower=\"-2\" upper=\"2\" velocity=\"3\" effort=\"90\"/></joint>\n"
    "<link name=\"upper\">" BODY("4", "0.1", "0.02", "0.1", "0.05") "</link>\n"
    "<joint name=\"elbow\" type=\"revolute\"><parent link=\"upper\"/><child link=\"fore\"/>\n"
    "<origin xyz=\"0.1 0 0.3\" rpy=\"1.5707963267948966 0 0\"/><axis xyz=\"0 0 1\"/>\n"
    "<limit lower=\"-2\" upper=\"2\" velocity=\"3\" effort=\"40\"/></joint>\n"
    "<link name=\"fore\">" BODY("2", "0.15", "0.01", "0", "0.02") "</link>\n"
    "<joint name=\"wrist\" type=\"fixed\"><parent link=\"fore\"/><child link=\"hand\"/>\n"
    "<origin xyz=\"0.3 0 0\" rpy=\"0 0.3 0\"/></joint>\n"
    "<link name=\"hand\">" BODY("0.7", "0.03", "0", "0", "0.001") "</link>\n"
    "<joint name=\"left\" type=\"prismatic\"><parent link=\"hand\"/><child link=\"f1\"/>\n"
    "<origin xyz=\"0.06 0 0\" rpy=\"0 0 0\"/><axis xyz=\"0 1 0\"/>\n"
    "<limit lower=\"0\" upper=\"0.04\" velocity=\"1\" effort=\"9\"/></joint>\n"
    "<link name=\"f1\">" BODY("0.05", "0.02", "0.01", "0", "0.0001") "</link>\n"
    "<joint name=\"right\" type=\"prismatic\"><parent link=\"hand\"/><child link=\"f2\"/>\n"
    "<origin xyz=\"0.06 0 0\" rpy=\"0 0 0\"/><axis xyz=\"0 -1 0\"/>\n"
    "<limit lower=\"0\" upper=\"0.04\" velocity=\"1\" effort=\"9\"/><mimic joint=\"left\"/></joint>\n"
    "<link name=\"f2\">" BODY("0.05", "0.02", "-0.01", "0", "0.0001") "</link>\n"
    "</robot>\n";

/* torques of the arm with closed fingers at rest */
static void compare_arm(const oracle *o, const rbv_model *m, const double *chi) {
  rbv_dynamics *d;
  assert_int_equal(o->m->nv, ALL);
  assert_ok(rbv_dynamics_new(&d, m));
  assert_ok(rbv_dynamics_set(d, chi, false));
  dice chance = {.seed = 8};
  for (int k = 0; k < 50; k++) {
    double q[ALL] = {0}, dq[ALL] = {0}, ddq[ALL] = {0}, tau[ARM], want[ALL];
    random_state(q, dq, ddq, ARM, &chance);
    oracle_inverse(want, o, q, dq, ddq);
    rbv_dynamics_inverse(tau, d, q, dq, ddq);
    assert_agrees(tau, want, ARM, AGREE);
  }
  rbv_dynamics_free(d);
}

static double mass_of(const oracle *o, const char *body) {
  const int id = mj_name2id(o->m, mjOBJ_BODY, body);
  assert_true(id >= 0);
  return o->m->body_mass[id];
}

/* export with every inertial parameter of the last link multiplied by scale; mass: of the fingers
 */
static void check(double scale, double mass, const char *note) {
  rbv_model *m;
  assert_ok(rbv_model_parse(&m, "arm.urdf", gripper, strlen(gripper), NULL));
  assert_int_equal(rbv_model_joint_count(m), ARM);
  double chi[64] = {0};
  const int n = rbv_model_column_count(m);
  for (int c = 0; c < n; c++) {
    const rbv_column *column = rbv_model_column(m, c);
    if (column->basis == RBV_BASIS_INERTIAL)
      chi[c] = rbv_model_parameters(m)[c] * (column->joint == 1 ? scale : 1.2);
  }
  rbv_export *e = export_as(RBV_EXPORT_URDF, m, chi, NULL);
  bool noted = false;
  for (int i = 0; i < e->nnote; i++) noted = noted || strstr(e->note[i], note);
  for (int i = 0; i < e->nnote && !noted; i++) print_error("note: %s\n", e->note[i]);
  assert_true(noted);
  oracle o = oracle_load(temp_file("out.urdf", e->text));
  compare_arm(&o, m, chi);
  assert_near(mass_of(&o, "f1"), mass, 0, 1e-12);
  assert_near(mass_of(&o, "f2"), mass, 0, 1e-12);
  // all links and the mimic are still there, the hand's body is part of the forearm
  const char *const kept[] = {"<link name=\"hand\">", "<mimic joint=\"left\"/>", "name=\"wrist\""};
  for (int i = 0; i < 3; i++) assert_non_null(strstr(e->text, kept[i]));
  oracle_free(&o);
  rbv_export_free(e);
  rbv_model_free(m);
}

static void test_fingers_keep_their_inertials(void **state) {
  (void)state;
  check(1.1, 0.05,
        "link 'f1' keeps its inertial, which is subtracted from the link that joint "
        "'elbow' moves");
}

/* the identified forearm, hand and fingers together weigh less than the fingers of the file */
static void test_fingers_that_are_too_heavy(void **state) {
  (void)state;
  // a quarter of the fingers would leave a mass, but no possible inertia: they are at its end
  check(0.03, 0.05 / 8, "the inertial of link 'f1' is multiplied by 0.125");
}

/* from a recording to the URDF in the simulator */
static void test_identified_and_exported(void **state) {
  (void)state;
  rbv_model *m;
  char path[512];
  snprintf(path, sizeof path, "%s", temp_file("arm.urdf", gripper));
  assert_ok(rbv_model_load(&m, path, NULL));
  double chi[64] = {0};
  for (int c = 0; c < rbv_model_column_count(m); c++) {
    const rbv_column *column = rbv_model_column(m, c);
    chi[c] = column->basis == RBV_BASIS_INERTIAL ? 1.15 * rbv_model_parameters(m)[c]
             : rbv_column_has_law(column, "Fv")  ? 2
             : rbv_column_has_law(column, "Fc")  ? 1.5
                                                 : 0;
  }
  waves w;
  waves_new_within_limits(&w, m, chi, 1, 5000, 500, false, 1);
  waves_add_noise(&w, 1, 0.02);
  waves_save(&w, temp_file("log.csv", NULL), "q tau");
  waves_free(&w);
  outcome o = tool("identify arm.urdf log.csv --consistent -o arm.json");
  if (o.code > 1) fail_msg("%s", o.err);
  outcome_free(&o);
  o = tool("export arm.json --format urdf -o identified.urdf");
  if (o.code) fail_msg("%s", o.err);
  outcome_free(&o);
  oracle x = oracle_load(temp_file("identified.urdf", NULL));
  assert_int_equal(x.m->nv, ALL);
  // MuJoCo merges the hand, which is fixed, into the forearm
  static const char *const body[] = {"upper", "fore", "f1", "f2"};
  double total = 0;
  for (int i = 0; i < 4; i++) total += mass_of(&x, body[i]);
  assert_true(total > 0);
  char *text = read_text(temp_file("identified.urdf", NULL), NULL);
  static const char *const link[] = {"base", "upper", "fore", "hand", "f1", "f2"};
  for (int i = 0; i < 6; i++) {
    char tag[64];
    snprintf(tag, sizeof tag, "<link name=\"%s\"", link[i]);
    assert_non_null(strstr(text, tag));
  }
  free(text);
  // gravity at some poses, as in the arm that was recorded: 2 % of the largest
  rbv_dynamics *d;
  assert_ok(rbv_dynamics_new(&d, m));
  for (int c = 0; c < rbv_model_column_count(m); c++)
    if (rbv_model_column(m, c)->basis != RBV_BASIS_INERTIAL) chi[c] = 0;
  assert_ok(rbv_dynamics_set(d, chi, false));
  dice chance = {.seed = 8};
  for (int k = 0; k < 20; k++) {
    double q[ALL] = {0}, dq[ALL] = {0}, ddq[ALL] = {0}, zero[ALL] = {0}, tau[ARM], want[ALL];
    random_state(q, dq, ddq, ARM, &chance);
    oracle_inverse(want, &x, q, zero, zero);
    rbv_dynamics_inverse(tau, d, q, zero, zero);
    for (int j = 0; j < ARM; j++) assert_near(want[j], tau[j], 0.02 * 20, 0);
  }
  rbv_dynamics_free(d);
  oracle_free(&x);
  rbv_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_fingers_keep_their_inertials),
      cmocka_unit_test(test_fingers_that_are_too_heavy),
      cmocka_unit_test(test_identified_and_exported),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
