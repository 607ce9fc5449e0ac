/* roberval payload: a known body on robots whose parameters are known. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "motions.h"
#include "nodes.h"
#include "support.h"
#include "tool.h"

#define COLUMN_MAX 200
#define JOINT_MAX 8

static double chi[COLUMN_MAX];

/* the payload of the last link: mass, centre, inertia about it (xx xy xz yy yz zz) */
static const double mass = 3.2, centre[3] = {0.04, -0.03, 0.12},
                    inertia[6] = {0.05, -0.004, 0.006, 0.04, 0.003, 0.03};

/* the parameters of the body at the origin of the frame, as in the columns */
static void set_payload(const rbv_model *m) {
  static const char *const names[10] = {"XXL", "XYL", "XZL", "YYL", "YZL",
                                        "ZZL", "MXL", "MYL", "MZL", "ML"};
  const double x = centre[0], y = centre[1], z = centre[2];
  const double shift[6] = {y * y + z * z, -x * y, -x * z, x * x + z * z, -y * z, x * x + y * y};
  for (int i = 0; i < 10; i++) {
    double *to = &chi[rbv_model_find(m, names[i])];
    *to = i < 6 ? inertia[i] + mass * shift[i] : i < 9 ? mass * centre[i - 6] : mass;
  }
}

/* 10 s at 500 Hz; channel j divided by gain[j]; noise of 0.05 N m before that */
static void record(const rbv_model *m, const char *name, uint64_t seed, bool loaded,
                   const double *gain, const char *stems) {
  waves w;
  waves_new(&w, m, chi, seed, 5000, 500, loaded);
  waves_add_noise(&w, seed, 0.05);
  for (int r = 0; r < w.nrow && gain; r++)
    for (ptrdiff_t k = 0; k < w.count; k++) w.torque[k + r * w.count] /= gain[r];
  waves_save(&w, temp_file(name, NULL), stems);
  waves_free(&w);
}

/* empty.csv and loaded.csv of a robot with smooth friction, so that noise is the only error */
static void record_pair(const char *robot, int sensing, const double *gain, const char *stems) {
  rbv_model_options o = rbv_model_defaults();
  o.sensing = sensing;
  o.payload = true;
  o.gamma = 20;
  rbv_model *m;
  assert_ok(rbv_model_load(&m, robot, &o));
  random_columns(chi, m, 5);
  set_payload(m);
  record(m, "empty.csv", 1, false, gain, stems);
  record(m, "loaded.csv", 2, true, gain, stems);
  rbv_model_free(m);
}

/* ---- parameters of the payload ---- */

/* ten numbers: one is beyond four sigma once in 1600 times */
static void assert_covered(const rbv_node *root, const char *key, double truth, double most) {
  const rbv_node *entry = node_at(root, key);
  const double sigma = real_at(entry, "sigma");
  assert_near(real_at(entry, "value"), truth, 4 * sigma, 0);
  assert_true(sigma > 0 && sigma < most);
}

static void assert_body(const rbv_node *root) {
  text_at(root, "schema", "roberval.payload/1");
  text_at(root, "version", rbv_version());
  text_at(root, "frame", "that of the last link");
  assert_true(real_at(root, "relative_error") < 0.05);
  assert_covered(root, "mass_kg", mass, 0.05);
  assert_covered(root, "centre_x_m", centre[0], 0.005);
  assert_covered(root, "centre_y_m", centre[1], 0.005);
  assert_covered(root, "centre_z_m", centre[2], 0.005);
  static const char *const key[6] = {"inertia_xx_kg_m2", "inertia_xy_kg_m2", "inertia_xz_kg_m2",
                                     "inertia_yy_kg_m2", "inertia_yz_kg_m2", "inertia_zz_kg_m2"};
  for (int i = 0; i < 6; i++) assert_covered(root, key[i], inertia[i], 0.02);
}

static void test_lwr_by_motors_and_by_sensors(void **state) {
  (void)state;
  record_pair("lwr4+", RBV_SENSING_BOTH, NULL, "q tau tauj");
  const char *const sensing[] = {"motor", "joint", "both"};
  for (int i = 0; i < 3; i++) {
    rbv_document *doc = tool_json(
        "payload lwr4+ empty.csv loaded.csv --gamma 20 --sensing %s -d 5 --json", sensing[i]);
    text_at(rbv_document_root(doc), "robot", "lwr4+");
    assert_body(rbv_document_root(doc));
    rbv_document_free(doc);
  }
}

/* the law of friction is chosen from the speeds, as in `identify` */
static void test_law_is_that_of_identify(void **state) {
  (void)state;
  record_pair("lwr4+", RBV_SENSING_MOTOR, NULL, "q tau");
  outcome p = tool("payload lwr4+ empty.csv loaded.csv --sensing motor -d 5"),
          i = tool("identify lwr4+ empty.csv --sensing motor -d 5 -o empty.json");
  const char *law = strstr(i.err, "Coulomb friction is smoothed below");
  assert_non_null(law);
  assert_non_null(strstr(p.err, "0.1 % of each joint's typical top speed"));
  outcome_free(&p);
  outcome_free(&i);
}

/* a six-axis arm with a common type of wrist */
static const char urdf[] = "<robot name=\"six\"><link name=\"l0\"/>"
#define JOINT(n, before, xyz, axis)                                                             \
  "<joint name=\"a" n "\" type=\"revolute\"><parent link=\"l" before "\"/><child link=\"l" n    \
  "\"/><origin xyz=\"" xyz "\"/><axis xyz=\"" axis                                              \
  "\"/><limit effort=\"100\" velocity=\"5\" lower=\"-3\" upper=\"3\"/></joint><link name=\"l" n \
  "\"/>"
    JOINT("1", "0", "0 0 0.3", "0 0 1") JOINT("2", "1", "0.1 0 0.1", "0 1 0")
        JOINT("3", "2", "0 0 0.6", "0 1 0") JOINT("4", "3", "0.2 0 0.05", "1 0 0")
            JOINT("5", "4", "0.4 0 0", "0 1 0") JOINT("6", "5", "0.1 0 0", "1 0 0") "</robot>";

static void test_six_axes_from_a_urdf(void **state) {
  (void)state;
  record_pair(temp_file("six.urdf", urdf), RBV_SENSING_MOTOR, NULL, "q tau");
  rbv_document *doc = tool_json("payload six.urdf empty.csv loaded.csv --gamma 20 -d 5 --json");
  text_at(rbv_document_root(doc), "robot", "six");
  assert_body(rbv_document_root(doc));
  rbv_document_free(doc);
  char *words = tool_text("payload six.urdf empty.csv loaded.csv --gamma 20 -m ols");
  const char *const lines[] = {
      "mass ",      "centre x", "centre z", "inertia xx", "inertia yz",
      "inertia zz", " +- ",     "kg\n",     "m\n",        "kg m^2 about the centre"};
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
    assert_non_null(strstr(words, lines[i]));
  free(words);
}

/* on a turntable only the inertia about its axis is identifiable */
static void test_unidentifiable_parameters(void **state) {
  (void)state;
  record_pair(temp_file("table.yaml", "joints: [{mdh: {}}]\n"), RBV_SENSING_MOTOR, NULL, "q tau");
  outcome o = tool("payload table.yaml empty.csv loaded.csv --gamma 20");
  assert_int_equal(o.code, 1);
  assert_non_null(strstr(o.out, "mass       not identifiable from these motions"));
  outcome_free(&o);
  o = tool("payload table.yaml empty.csv loaded.csv --gamma 20 -q --json");
  assert_int_equal(o.code, 1);
  assert_string_equal(o.err, "");
  rbv_document *doc;
  assert_ok(rbv_document_parse(&doc, "stdout", o.out, strlen(o.out)));
  assert_true(rbv_node_is_null(node_at(rbv_document_root(doc), "mass_kg.value")));
  assert_true(rbv_node_is_null(node_at(rbv_document_root(doc), "mass_kg.sigma")));
  text_at(rbv_document_root(doc), "mass_kg.reason", "not identifiable from these motions");
  rbv_document_free(doc);
  outcome_free(&o);
}

/* ---- drive gains ---- */

static const double gains[JOINT_MAX] = {2, 0.5, 12, 1, 0.1, 3, 0.7};

static void test_known_mass_gives_gains(void **state) {
  (void)state;
  record_pair("lwr4+", RBV_SENSING_MOTOR, gains, "q tau");
  rbv_document *doc = tool_json(
      "payload lwr4+ empty.csv loaded.csv --gamma 20 --sensing motor -d 5 --known-mass %.17g "
      "--json",
      mass);
  const rbv_node *root = rbv_document_root(doc);
  text_at(root, "schema", "roberval.gains/1");
  assert_true(real_at(root, "known_mass_kg") == mass);
  assert_int_equal(rbv_node_count(node_at(root, "drives")), 7);
  for (int j = 0; j < 7; j++) {
    const rbv_node *drive = rbv_node_at(node_at(root, "drives"), j);
    const double sigma = real_at(drive, "sigma");
    // the payload's weight is a few N m against noise of 0.05: a few per cent at most
    assert_near(real_at(drive, "gain"), gains[j], 4 * sigma, 0);
    assert_true(sigma > 0 && sigma < 0.05 * gains[j]);
  }
  text_at(root, "drives.0.joint", "joint1");
  rbv_document_free(doc);
  char *words = tool_text(
      "payload lwr4+ empty.csv loaded.csv --gamma 20 --sensing motor -d 5 --known-mass 3.2");
  assert_non_null(strstr(words, "drive "));
  assert_non_null(strstr(words, "joint7"));
  free(words);
}

/* identified gains and the same gains given as an option lead to the same parameters */
static void test_identify_with_a_known_mass(void **state) {
  (void)state;
  record_pair("lwr4+", RBV_SENSING_MOTOR, gains, "q tau");
  static const char how[] =
      "identify lwr4+ empty.csv --sensing motor --payload --loaded loaded.csv --gamma 20 -d 5";
  rbv_document *doc = tool_json("%s --known-mass %.17g --json", how, mass);
  const rbv_node *root = rbv_document_root(doc);
  const char *found = rbv_node_text(node_at(root, "chosen.drive_gains"));
  rbv_document *given = tool_json("%s --gains '%s' --json", how, found);
  const rbv_node *a = node_at(root, "estimate.parameters"),
                 *b = node_at(rbv_document_root(given), "estimate.parameters");
  for (int k = 0; k < rbv_node_count(a); k++) {
    assert_true(real_at(rbv_node_at(a, k), "value") == real_at(rbv_node_at(b, k), "value"));
    // total least squares uses the known mass; least squares then estimates it again
    if (strcmp(rbv_node_text(rbv_node_find(rbv_node_at(a, k), "name")), "ML") == 0)
      assert_near(real_at(rbv_node_at(a, k), "value"), mass, 0, 0.01);
  }
  outcome o = tool("%s --known-mass 3.2 -o x.json", how);
  assert_int_equal(o.code, 0);
  assert_non_null(strstr(o.err, "drive gains: "));
  outcome_free(&o);
  rbv_document_free(given);
  rbv_document_free(doc);
}

static void test_refusals(void **state) {
  (void)state;
  record_pair("lwr4+", RBV_SENSING_BOTH, NULL, "q tau tauj");
  tool_refuses(2, "an argument is missing", "payload lwr4+ empty.csv");
  tool_refuses(2, "unexpected argument 'loaded.csv'",
               "payload lwr4+ empty.csv loaded.csv loaded.csv");
  tool_refuses(2, "--method cannot be 'magic' (choose from ols, wls, ",
               "payload lwr4+ empty.csv loaded.csv -m magic");
  tool_refuses(2, "--mask", "payload lwr4+ empty.csv loaded.csv --mask=-1");
  tool_refuses(2, "--known-mass needs a number above 0",
               "payload lwr4+ empty.csv loaded.csv --known-mass=-1");
  tool_refuses(2, "use --sensing motor",
               "payload lwr4+ empty.csv loaded.csv --sensing joint --known-mass 1");
  tool_refuses(2, "--sensing cannot be 'ear' (choose from motor, joint, both, difference)",
               "payload lwr4+ empty.csv loaded.csv --sensing ear");
  tool_refuses(2, "known-mass needs the option payload",
               "identify lwr4+ empty.csv --sensing motor --known-mass 1");
  tool_refuses(2, "only one of known-mass, back-emf and gains can be given",
               "identify lwr4+ empty.csv --known-mass 1 --gains 1,1,1,1,1,1,1");
  tool_refuses(3, "absent.csv", "payload lwr4+ empty.csv absent.csv");
  tool_refuses(3, "no.yaml", "payload no.yaml empty.csv loaded.csv");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_law_is_that_of_identify),
      cmocka_unit_test(test_lwr_by_motors_and_by_sensors),
      cmocka_unit_test(test_six_axes_from_a_urdf),
      cmocka_unit_test(test_unidentifiable_parameters),
      cmocka_unit_test(test_known_mass_gives_gains),
      cmocka_unit_test(test_identify_with_a_known_mass),
      cmocka_unit_test(test_refusals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
