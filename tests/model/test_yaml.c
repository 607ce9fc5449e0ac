/* The robot YAML: models from valid files, and refusals. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <roberval/sys/dynamics.h>

#include "base/support.h"
#include "model/geometry.h"
#include "motions.h"
#include "support.h"

static rbv_model *parse(const char *text, const rbv_model_options *options) {
  rbv_model *m;
  assert_ok(rbv_model_parse(&m, "robot.yaml", text, strlen(text), options));
  return m;
}

/* names of all columns in order, separated by spaces */
static void assert_columns(const rbv_model *m, const char *want) {
  rbv_text got = {0};
  for (int c = 0; c < rbv_model_column_count(m); c++)
    rbv_text_print(&got, "%s%s", c ? " " : "", rbv_model_column(m, c)->name);
  assert_string_equal(rbv_text_string(&got), want);
  rbv_text_free(&got);
}

/* ---- good files ---- */

#define LINK(j) "XX" j " XY" j " XZ" j " YY" j " YZ" j " ZZ" j " MX" j " MY" j " MZ" j " M" j

static void test_smallest_robot(void **state) {
  (void)state;
  rbv_model *m = parse("joints: [{mdh: {}}]", NULL);
  assert_string_equal(rbv_model_name(m), "robot.yaml");
  assert_int_equal(rbv_model_joint_count(m), 1);
  assert_string_equal(rbv_model_joint(m, 0)->name, "joint1");
  assert_columns(m, LINK("1") " Ia1 Fv1 Fc1 off1");
  assert_int_equal(rbv_model_sensing(m), RBV_SENSING_MOTOR);
  assert_true(rbv_model_gamma(m) == 0);
  assert_true(rbv_model_gravity(m)[2] == -9.81);
  assert_null(rbv_model_parameters(m));
  assert_null(rbv_model_document(m));
  assert_true(isinf(rbv_model_joint(m, 0)->limits.velocity));
  assert_true(isinf(rbv_model_joint(m, 0)->limits.lower) &&
              rbv_model_joint(m, 0)->limits.lower < 0);
  assert_true(rbv_model_transmission(m)[0] == 1);
  assert_true(rbv_model_transmission_offset(m)[0] == 0);
  rbv_model_free(m);
}

static const char full[] =
    "name: arm\n"
    "gravity: [0, 1, -9]\n"
    "joints:\n"
    "  - {name: turn, mdh: {alpha: pi/2, d: 0.1, theta: -pi/2, r: 0.2},\n"
    "     limits: {lower: -1, upper: 2, velocity: 3, acceleration: 4, jerk: 5, effort: 6},\n"
    "     parameters: {ZZ: 0.5, Fv: 2}}\n"
    "  - {name: slide, type: prismatic, mdh: {r: 0.3}, drive: [Ia, Fcp, Fcn, Fsq, Fcu]}\n"
    "  - {name: wrist, origin: {xyz: [1, 2, 3], rpy: [0, pi/2, 0]}, axis: [0, 2, 0]}\n"
    "transmission:\n"
    "  ratios: [10, -20, 30]\n"
    "  couplings: [{motor: 3, joint: 1, ratio: 15}]\n"
    "  offset: [0, 0.5, -pi/2]\n"
    "sensing: motor\n"
    "friction: {gamma: 150}\n"
    "parameters: {ZZ2R: 0.7, fcm3: 0.1, ML: 3}\n";

static void test_everything_a_file_may_say(void **state) {
  (void)state;
  rbv_model *m = parse(full, NULL);
  assert_string_equal(rbv_model_name(m), "arm");
  assert_columns(m, LINK("1") " Ia1 Fv1 Fc1 off1 " LINK("2") " Ia2 Fcp2 Fcn2 Fsq2 Fcu2 " LINK(
                        "3") " Ia3 Fv3 Fc3 off3 fvm3 fcm3");
  assert_int_equal(rbv_model_joint(m, 1)->type, RBV_JOINT_PRISMATIC);
  const rbv_limits *l = &rbv_model_joint(m, 0)->limits;
  assert_true(l->lower == -1 && l->upper == 2 && l->velocity == 3 && l->acceleration == 4 &&
              l->jerk == 5 && l->effort == 6);
  assert_true(rbv_model_gravity(m)[1] == 1 && rbv_model_gravity(m)[2] == -9);
  assert_true(rbv_model_gamma(m) == 150);

  // K = [10 0 0; 0 -20 0; 15 0 30], column-major
  const double K[9] = {10, 0, 15, 0, -20, 0, 0, 0, 30};
  assert_memory_equal(rbv_model_transmission(m), K, sizeof K);
  const double *offset = rbv_model_transmission_offset(m);
  assert_true(offset[0] == 0 && offset[1] == 0.5);
  assert_near(offset[2], -acos(0), 0, 1e-15);

  // values by joint, by full name, by the name of a base parameter; the payload's are ignored
  assert_true(prior_value(m, "ZZ1") == 0.5 && prior_value(m, "Fv1") == 2 &&
              prior_value(m, "ZZ2") == 0.7);
  assert_true(prior_value(m, "fcm3") == 0.1 && prior_value(m, "XX3") == 0);
  assert_int_equal(rbv_model_find(m, "ZZ1R"), rbv_model_find(m, "ZZ1"));
  assert_int_equal(rbv_model_find(m, "R"), -1);
  assert_int_equal(rbv_model_find(m, "ML"), -1);
  assert_int_equal(rbv_model_find_joint(m, "slide"), 1);
  assert_int_equal(rbv_model_find_joint(m, "3"), 2);
  assert_int_equal(rbv_model_find_joint(m, "4"), -1);

  const rbv_column *c = rbv_model_column(m, rbv_model_find(m, "Fsq2"));
  assert_string_equal(c->unit, "N s^2/m^2");
  assert_true(rbv_column_has_law(c, "Fsq"));
  assert_int_equal(c->joint, 1);
  assert_int_equal(c->component, -1);
  assert_string_equal(rbv_model_column(m, rbv_model_find(m, "Ia2"))->unit, "kg");
  assert_string_equal(rbv_model_column(m, rbv_model_find(m, "Ia1"))->unit, "kg m^2");
  assert_string_equal(rbv_model_column(m, rbv_model_find(m, "MY3"))->unit, "kg m");
  assert_int_equal(rbv_model_column(m, rbv_model_find(m, "MY3"))->component, 7);
  rbv_model_free(m);

  rbv_model_options options = rbv_model_defaults();
  options.payload = true;
  options.gamma = 0;
  options.sensing = RBV_SENSING_JOINT;
  m = parse(full, &options);
  assert_true(rbv_model_has_payload(m));
  assert_true(prior_value(m, "ML") == 3);
  assert_int_equal(rbv_model_column(m, rbv_model_find(m, "ML"))->joint, 3);
  assert_true(rbv_model_gamma(m) == 0);
  assert_int_equal(rbv_model_sensing(m), RBV_SENSING_JOINT);
  rbv_model_free(m);
}

/* link j loads joints 1..j; the coupled motor's columns act on both of its joints */
static void test_patterns(void **state) {
  (void)state;
  rbv_model *m = parse(full, NULL);
  // inertial 30, Ia1 Ia3 (15/30 of its acceleration), Fv1 Fc1 off1, fvm3 fcm3
  const int counts[3] = {30 + 2 + 3 + 2, 20 + 5, 10 + 4 + 2};
  assert_int_equal(rbv_model_row_count(m), 3);
  int first = 0;
  for (int r = 0; r < 3; r++) {
    const rbv_row *row = rbv_model_row(m, r);
    assert_int_equal(row->torque, RBV_TORQUE_MOTOR);
    assert_int_equal(row->joint, r);
    assert_int_equal(row->first, first);
    assert_int_equal(row->count, counts[r]);
    for (int k = 1; k < row->count; k++) assert_true(row->columns[k - 1] < row->columns[k]);
    first += row->count;
  }
  assert_int_equal(rbv_model_entry_count(m), first);
  assert_int_equal(rbv_model_row(m, 2)->columns[0], rbv_model_find(m, "XX3"));
  rbv_model_free(m);
}

/* which column acts in which channel: motor has all, joint the link side, difference the rest */
static void test_channels(void **state) {
  (void)state;
  const char text[] = "joints: [{mdh: {}, drive: [Ia, Fvm, Fcm, offm, Fvl, Fcl, offl]}]";
  const struct {
    rbv_sensing sensing;
    int rows, count[2];
  } cases[] = {{RBV_SENSING_MOTOR, 1, {20 - 3, 0}},
               {RBV_SENSING_JOINT, 1, {13, 0}},
               {RBV_SENSING_BOTH, 2, {17, 13}},
               {RBV_SENSING_DIFFERENCE, 1, {4, 0}}};
  for (int i = 0; i < RBV_COUNT(cases); i++) {
    rbv_model_options options = rbv_model_defaults();
    options.sensing = (int)cases[i].sensing;
    rbv_model *m = parse(text, &options);
    assert_columns(m, LINK("1") " Ia1 Fvm1 Fcm1 offm1 Fvl1 Fcl1 offl1");
    assert_int_equal(rbv_model_row_count(m), cases[i].rows);
    for (int r = 0; r < cases[i].rows; r++)
      assert_int_equal(rbv_model_row(m, r)->count, cases[i].count[r]);
    rbv_sensing again;
    assert_true(rbv_sensing_parse(&again, rbv_sensing_name(cases[i].sensing)));
    assert_int_equal(again, cases[i].sensing);
    rbv_model_free(m);
  }
  rbv_sensing none;
  assert_false(rbv_sensing_parse(&none, "moter"));
}

/* drive columns of one sensor side are listed by block, as in Jubien 2014 */
static void test_split_drives_are_listed_by_block(void **state) {
  (void)state;
  rbv_model *m = parse(
      "joints: [{mdh: {}, drive: [Ia, Fvm, Fvl]}, {mdh: {}, drive: [Ia, Fvm, Fvl]}]\n"
      "payload: true",
      NULL);
  assert_columns(m, LINK("1") " " LINK("2") " Ia1 Ia2 Fvm1 Fvm2 Fvl1 Fvl2 " LINK("L"));
  rbv_model_free(m);
}

static void test_built_in_robots(void **state) {
  (void)state;
  const struct {
    const char *name;
    int joints, columns, with_payload;
  } robots[] = {
      {"a460", 6, 84, 94}, {"lwr4+", 7, 119, 129}, {"ns16", 6, 84, 94}, {"tx40", 6, 86, 96}};
  int count = 0;
  while (rbv_model_builtin(count)) count++;
  assert_int_equal(count, RBV_COUNT(robots));
  for (int i = 0; i < count; i++) {
    rbv_model *m;
    rbv_model_options options = rbv_model_defaults();
    assert_string_equal(rbv_model_builtin(i), robots[i].name);
    assert_ok(rbv_model_load(&m, robots[i].name, NULL));
    assert_string_equal(rbv_model_name(m), robots[i].name);
    assert_int_equal(rbv_model_joint_count(m), robots[i].joints);
    assert_int_equal(rbv_model_column_count(m), robots[i].columns);
    assert_int_equal(rbv_model_snap_count(m), 0);  // the file has pi/2
    assert_int_equal(rbv_model_note_count(m), 0);
    for (int j = 0; j < robots[i].joints; j++) {
      const rbv_limits *l = &rbv_model_joint(m, j)->limits;
      assert_true(l->lower < 0 && l->upper > 0 && isfinite(l->velocity));
    }
    rbv_model_free(m);
    options.payload = true;
    assert_ok(rbv_model_load(&m, robots[i].name, &options));
    assert_int_equal(rbv_model_column_count(m), robots[i].with_payload);
    rbv_model_free(m);
  }
  assert_null(rbv_model_builtin(-1));
}

/* ---- exact angles ---- */

static const joint_geometry *geometry(const rbv_model *m, int j) { return &m->geometry[j]; }

/* 1.5708 and 1.571 are pi/2: cosines of them are exactly 0 and 1, and the file's number is
 * remembered. Digits that pi/2 does not have are kept. */
static void test_snapping(void **state) {
  (void)state;
  const char text[] =
      "joints:\n"
      " - {mdh: {alpha: 1.5708, theta: -0.52359}}\n"
      " - {origin: {rpy: [0, 0.7854, 3.14159]}, axis: [3.6732e-6, 1, 0]}\n"
      " - {mdh: {alpha: 1.571}}\n"
      " - {mdh: {alpha: 1.570823417}}\n"
      " - {origin: {rpy: [0, 0.78545, 1.5709]}, axis: [0.00005, 1, 0]}\n";
  rbv_model *m = parse(text, NULL);
  const joint_geometry *g = geometry(m, 0);
  assert_true(g->mdh_alpha_sin == 1 && g->mdh_alpha_cos == 0 && g->has_mdh);
  // fixed + cosine + sine: the z axis of the joint is -y of the parent, exactly
  assert_true(g->fixed[2] == 0 && g->fixed[5] == -1 && g->fixed[8] == 0);
  assert_near(g->offset, -acos(-1) / 6, 0, 1e-15);
  g = geometry(m, 1);
  assert_true(g->axis[0] == 0 && g->axis[1] == 1 && g->axis[2] == 0 && !g->has_mdh);
  // R = Rz(pi) Ry(pi/4): its second column is exactly -y
  assert_true(g->fixed[1] == 0 && g->fixed[4] == -1 && g->fixed[7] == 0);

  assert_int_equal(rbv_model_snap_count(m), 7);  // five angles, two components of an axis
  assert_string_equal(rbv_model_snap(m, 0)->where, "joint joint1, mdh alpha");
  assert_true(rbv_model_snap(m, 0)->given == 1.5708);
  assert_near(rbv_model_snap(m, 0)->used, acos(-1) / 2, 0, 1e-15);
  assert_string_equal(rbv_model_snap(m, 2)->where, "joint joint2, pitch");
  assert_string_equal(rbv_model_snap(m, 4)->where, "joint joint2, axis x");
  assert_string_equal(rbv_model_snap(m, 6)->where, "joint joint3, mdh alpha");
  assert_true(geometry(m, 2)->mdh_alpha_cos == 0);
  // 2.7e-5 off: a calibrated angle
  assert_true(geometry(m, 3)->mdh_alpha_cos == cos(1.570823417));
  assert_true(geometry(m, 4)->axis[0] > 0 && geometry(m, 4)->fixed[1] != 0);
  rbv_model_free(m);

  rbv_model_options options = rbv_model_defaults();
  options.snap = false;
  m = parse(text, &options);
  assert_int_equal(rbv_model_snap_count(m), 0);
  assert_true(geometry(m, 0)->mdh_alpha_cos == cos(1.5708));
  assert_true(geometry(m, 1)->axis[0] > 0);
  rbv_model_free(m);

  // pi/2 to the last digit is exact without snapping
  m = parse("joints: [{mdh: {alpha: 1.5707963267948966}}, {mdh: {alpha: -pi/2}}]", &options);
  assert_true(geometry(m, 0)->mdh_alpha_cos == 0 && geometry(m, 0)->mdh_alpha_sin == 1);
  assert_true(geometry(m, 1)->mdh_alpha_cos == 0 && geometry(m, 1)->mdh_alpha_sin == -1);
  rbv_model_free(m);
}

/* all multiples of pi/12 against libm, and exact where the result is a short decimal number */
static void test_exact_sines(void **state) {
  (void)state;
  for (int k = -50; k <= 50; k++) {
    // five decimals
    double s, c, angle = rint(1e5 * (k * acos(-1) / 12)) / 1e5;
    rbv_exact_sincos(&s, &c, &angle, true);
    // angle itself is rounded to half a unit
    assert_near(s, sin(k * acos(-1) / 12), 1e-15 * (1 + abs(k)), 0);
    assert_near(c, cos(k * acos(-1) / 12), 1e-15 * (1 + abs(k)), 0);
    if (k % 6 == 0) assert_true(s * c == 0 && s * s + c * c == 1);
    if (k % 12 == 2 || k % 12 == 10) assert_true(fabs(s) == 0.5);
    if (k % 12 == 4 || k % 12 == 8) assert_true(fabs(c) == 0.5);
  }
}

/* ---- fixed joints ---- */

/*
 * A point mass of 2 kg on a flange at (0, 0, 0.5), 0.1 along the flange's x, which is turned to y:
 * it is at (0, 0.1, 0.5) of the last link and adds to its parameters.
 */
static void test_fixed_joint_is_merged(void **state) {
  (void)state;
  rbv_model *m = parse(
      "joints:\n"
      "  - {type: fixed, origin: {xyz: [0, 0, 1]}, parameters: {M: 100}}\n"
      "  - {mdh: {}, parameters: {M: 3, ZZ: 0.5, XX: 0.25}}\n"
      "  - {type: fixed, origin: {xyz: [0, 0, 0.5], rpy: [0, 0, pi/2]},\n"
      "     parameters: {M: 2, MX: 0.2, YY: 0.02, ZZ: 0.02}}\n"
      "  - {type: fixed, origin: {xyz: [0.1, 0, 0]}, parameters: {M: 1}}\n"
      "  - {mdh: {d: 0.1}}\n",
      NULL);
  assert_int_equal(rbv_model_joint_count(m), 2);
  // the second flange is at (0, 0.1, 0.5) too: 3 kg together
  const double y = 0.1, z = 0.5, mass = 3;
  const double want[RBV_INERTIAL] = {0.25 + mass * (y * y + z * z),
                                     0,
                                     0,
                                     mass * z * z,
                                     -mass * y * z,
                                     0.5 + mass * y * y,
                                     0,
                                     mass * y,
                                     mass * z,
                                     3 + mass};
  static const char *const names[RBV_INERTIAL] = {"XX1", "XY1", "XZ1", "YY1", "YZ1",
                                                  "ZZ1", "MX1", "MY1", "MZ1", "M1"};
  for (int c = 0; c < RBV_INERTIAL; c++)
    assert_near(prior_value(m, names[c]), want[c], 1e-15, 1e-15);
  assert_true(prior_value(m, "M2") == 0);

  // the pedestal raises the arm, the flange shifts the next joint
  rbv_dynamics *d;
  double R[9], p[3];
  const double q[2] = {0};
  assert_ok(rbv_dynamics_new(&d, m));
  rbv_dynamics_pose(R, p, d, q, 0);
  assert_near(p[2], 1, 0, 0);
  rbv_dynamics_pose(R, p, d, q, 1);
  const double at[3] = {0, 0.2, 1.5};
  for (int i = 0; i < 3; i++) assert_near(p[i], at[i], 1e-15, 0);
  assert_false(geometry(m, 1)->has_mdh);
  rbv_dynamics_free(d);
  rbv_model_free(m);
}

/* ---- a URDF beside the YAML ---- */

static const char little_urdf[] =
    "<robot name=\"little\"><link name=\"base\"/><link name=\"arm\"><inertial><mass value=\"2\"/>"
    "<inertia ixx=\"1\" iyy=\"1\" izz=\"1\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial></link>"
    "<joint name=\"shoulder\" type=\"continuous\"><parent link=\"base\"/><child link=\"arm\"/>"
    "</joint></robot>";

/* joints with Coulomb friction get the Stribeck column, from the file or from the options */
static void test_stribeck(void **state) {
  (void)state;
  static const char text[] =
      "joints: [{mdh: {}}, {mdh: {}, drive: [Fs, Fc]}, {mdh: {}, drive: [Fv]}]\n"
      "friction: {stribeck: 0.2}\n";
  rbv_model_options o = rbv_model_defaults();
  for (int i = 0; i < 2; i++, o.stribeck = 0.3) {
    rbv_model *m;
    assert_ok(rbv_model_parse(&m, "s", text, sizeof text - 1, &o));
    assert_columns(m, LINK("1") " Ia1 Fv1 Fc1 off1 Fs1 " LINK("2") " Fs2 Fc2 " LINK("3") " Fv3");
    assert_true(rbv_model_stribeck(m) == (i == 0 ? 0.2 : 0.3));
    rbv_model_free(m);
  }
  rbv_model *m;
  assert_ok(rbv_model_load(&m, "tx40", NULL));
  assert_true(rbv_model_stribeck(m) == 0 && rbv_model_find(m, "Fs1") == -1);
  rbv_model_free(m);
  o.stribeck = -1;
  assert_refused(rbv_model_load(&m, "tx40", &o), RBV_EARG, "Stribeck");
}

static void test_yaml_amends_a_urdf(void **state) {
  (void)state;
  rbv_model *m;
  (void)temp_file("little.urdf", little_urdf);
  assert_ok(rbv_model_load(&m,
                           temp_file("amend.yaml",
                                     "urdf: little.urdf\n"
                                     "joints: [{name: shoulder, drive: [Ia, Fv, Fc, Fcu],\n"
                                     "          limits: {velocity: 2}, parameters: {Fcu: 4}}]\n"
                                     "parameters: {XX1: 7}\n"),
                           NULL));
  assert_string_equal(rbv_model_name(m), "little");
  assert_columns(m, LINK("1") " Ia1 Fv1 Fc1 Fcu1");
  assert_true(rbv_model_joint(m, 0)->limits.velocity == 2);
  assert_true(prior_value(m, "Fcu1") == 4 && prior_value(m, "M1") == 2 &&
              prior_value(m, "XX1") == 7);
  assert_non_null(rbv_model_document(m));
  rbv_model_free(m);

  m = NULL;
  assert_refused(rbv_model_load(&m,
                                temp_file("amend.yaml",
                                          "urdf: little.urdf\n"
                                          "joints: [{name: elbow}]\n"),
                                NULL),
                 RBV_EINPUT, "amend.yaml:2:10: the arm has no moving joint 'elbow'");
  assert_refused(rbv_model_load(&m, temp_file("amend.yaml", "urdf: nowhere.urdf\n"), NULL),
                 RBV_EREAD, "nowhere.urdf");
  assert_null(m);
}

/* ---- refusals ---- */

#define JOINT "joints: [{mdh: {}}]\n"
#define TWO "joints: [{mdh: {}}, {mdh: {}}]\n"

static const struct {
  const char *text;
  rbv_status status;
  const char *message;
} bad[] = {
    {"", RBV_EINPUT, "robot.yaml"},
    {"[1, 2]", RBV_EINPUT, "a robot file must be a map"},
    {"name: x\njoints: [}\n", RBV_EINPUT, "robot.yaml:2"},
    {"name: x\n", RBV_EINPUT, "robot.yaml:1:1: the robot has neither joints nor urdf"},
    {"name: x\njoint: []\n", RBV_EINPUT,
     "robot.yaml:2:1: unknown key 'joint'; the nearest known one is 'joints'"},
    {"joints: []\n", RBV_EINPUT, "robot.yaml:1:9: joints must be a list with at least one joint"},
    {"joints: 3\n", RBV_EINPUT, "robot.yaml:1:9: joints must be a list"},
    {"joints: [3]\n", RBV_EINPUT, "robot.yaml:1:10: a joint must be a map"},
    {"joints: [{type: fixed}]\n", RBV_EINPUT, "robot.yaml: the robot has no moving joint"},
    {"joints:\n  - {mdh: {alfa: 1}}\n", RBV_EINPUT,
     "robot.yaml:2:12: unknown key 'alfa'; the nearest known one is 'alpha'"},
    {"joints:\n  - {mdh: {d: .nan}}\n", RBV_EINPUT,
     "robot.yaml:2:15: expected a finite number, found '.nan'"},
    {"joints:\n  - {mdh: {d: 1e999}}\n", RBV_EINPUT, "robot.yaml:2:15: expected a finite number"},
    {"joints:\n  - {mdh: {d: far}}\n", RBV_EINPUT, "found 'far'"},
    {"joints:\n  - {mdh: [1, 2, 3, 4]}\n", RBV_EINPUT, "robot.yaml:2:11: expected a map"},
    {"joints:\n  - {mdh: {}, origin: {}}\n", RBV_EINPUT,
     "robot.yaml:2:5: joint 'joint1' has both mdh and origin"},
    {"joints:\n  - {mdh: {}, axis: [0, 0, 1]}\n", RBV_EINPUT, "has both mdh and axis"},
    {"joints:\n  - {type: hinge}\n", RBV_EINPUT,
     "robot.yaml:2:12: joint type 'hinge' is not known"},
    {"joints:\n  - {axis: [0, 0, 0]}\n", RBV_EINPUT,
     "robot.yaml:2: the axis of joint 'joint1' has no length"},
    {"joints:\n  - {axis: [0, 0]}\n", RBV_EINPUT,
     "robot.yaml:2:12: expected a list of 3 numbers, found 2 entries"},
    {"joints:\n  - {origin: {xyz: 1}}\n", RBV_EINPUT, "expected a list of 3 numbers"},
    {"joints:\n  - {name: a}\n  - {name: a}\n", RBV_EINPUT,
     "robot.yaml:3:5: two joints are called 'a'"},
    {"joints: [{mdh: {}, drive: Ia}]", RBV_EINPUT, "drive must be a list such as"},
    {"joints: [{mdh: {}, drive: [Ia, Fx]}]", RBV_EINPUT,
     "robot.yaml:1:32: 'Fx' is not a drive column; there are Ia Fv Fc"},
    {"joints: [{mdh: {}, drive: [Ia, Ia]}]", RBV_EINPUT, "robot.yaml:1:32: 'Ia' is listed twice"},
    {"joints: [{mdh: {}, limits: {lower: 1, upper: 1}}]", RBV_EINPUT,
     "the lower limit is not below the upper one"},
    {"joints: [{mdh: {}, limits: {velocity: 0}}]", RBV_EINPUT,
     "robot.yaml:1:39: limit 'velocity' must be positive"},
    {"joints: [{mdh: {}, parameters: {QQ: 1}}]", RBV_EINPUT,
     "robot.yaml:1:37: the robot has no parameter 'QQ1'"},
    {"joints: [{mdh: {}, parameters: 5}]", RBV_EINPUT, "parameters must be a map"},
    {"joints: [{mdh: {}}, {type: fixed, parameters: {Fv: 5}}]", RBV_EINPUT, "unknown key 'Fv'"},
    {JOINT "parameters: {XX2: 1}\n", RBV_EINPUT,
     "robot.yaml:2:19: the robot has no parameter 'XX2'"},
    {JOINT "gravity: [0, 0]\n", RBV_EINPUT, "robot.yaml:2:10: expected a list of 3 numbers"},
    {JOINT "sensing: torque\n", RBV_EINPUT, "robot.yaml:2:10: sensing 'torque' is not known"},
    {JOINT "payload: maybe\n", RBV_EINPUT, "robot.yaml:2:10: expected true or false"},
    {JOINT "friction: {gamma: -1}\n", RBV_EINPUT, "gamma must not be negative"},
    {JOINT "friction: 5\n", RBV_EINPUT, "robot.yaml:2:11: expected a map"},
    {JOINT "friction: {stribeck: 0}\n", RBV_EINPUT, "stribeck must be above zero"},
    {"joints: [{mdh: {}, drive: [Fs]}]\n", RBV_EINPUT, "friction: {stribeck: 0.1}"},
    {JOINT "friction: {gama: 5}\n", RBV_EINPUT, "the nearest known one is 'gamma'"},
    {TWO "transmission: {matrix: [[1, 0]]}\n", RBV_EINPUT,
     "robot.yaml:2:24: the matrix must have 2 rows"},
    {TWO "transmission: {matrix: [[1, 0], [1]]}\n", RBV_EINPUT,
     "robot.yaml:2:33: a row of the matrix must have 2 numbers"},
    {TWO "transmission: {matrix: [[1, 0], [0, x]]}\n", RBV_EINPUT, "found 'x'"},
    {TWO "transmission: {matrix: [[0, 1], [1, 0]]}\n", RBV_EINPUT,
     "robot.yaml:2:15: the transmission does not connect motor 1 with joint 1"},
    {TWO "transmission: {matrix: [[1, 0], [0, 1]], ratios: [1, 1]}\n", RBV_EINPUT,
     "give either matrix or ratios and couplings"},
    {TWO "transmission: {ratios: [1]}\n", RBV_EINPUT, "ratios must be a list of 2 numbers"},
    {TWO "transmission: {offset: [1]}\n", RBV_EINPUT,
     "robot.yaml:2:24: offset must be a list of 2 joint positions"},
    {TWO "transmission: {offset: [1, x]}\n", RBV_EINPUT, "found 'x'"},
    {TWO "transmission: {couplings: 7}\n", RBV_EINPUT, "robot.yaml:2:27: couplings must be a list"},
    {TWO "transmission: {couplings: [{motor: 1, joint: 3, ratio: 1}]}\n", RBV_EINPUT,
     "robot.yaml:2:46: joint 3 is not among the 2 joints"},
    {TWO "transmission: {couplings: [{motor: 1, joint: 1, ratio: 1}]}\n", RBV_EINPUT,
     "a coupling connects a motor with the joint of another motor"},
    {TWO "transmission: {couplings: [{motor: 1, joint: 2}]}\n", RBV_EINPUT,
     "a coupling needs motor, joint and ratio"},
    {TWO "transmission: {couplings: [{motor: 1, ratio: 2}]}\n", RBV_EINPUT,
     "a coupling needs motor, joint and ratio"},
    {TWO "transmission: {couplings: [{motor: 1.5, joint: 2, ratio: 2}]}\n", RBV_EINPUT,
     "expected a whole number"},
    {TWO "transmission: {parametrisation: rotor}\n", RBV_EINPUT,
     "parametrisation 'rotor' is not known: it can be joint, motor"},
    {TWO "transmission: {coulomb: paper}\n", RBV_EINPUT, "it can be motor, printed"},
    {"name: a\nname: b\n", RBV_EINPUT, "robot.yaml:2"},
    {"a: &x 1\nb: *x\n", RBV_EUNSUPPORTED, "robot.yaml"},
};

static void test_refusals(void **state) {
  (void)state;
  for (int i = 0; i < RBV_COUNT(bad); i++) {
    rbv_model *m = (rbv_model *)(uintptr_t)1;
    const rbv_status status =
        rbv_model_parse(&m, "robot.yaml", bad[i].text, strlen(bad[i].text), NULL);
    if (status != bad[i].status || !strstr(rbv_message(), bad[i].message))
      print_error("case %d: %s\n", i, bad[i].text);
    assert_refused(status, bad[i].status, bad[i].message);
    assert_null(m);
  }
}

static void test_files_that_cannot_be_read(void **state) {
  (void)state;
  rbv_model *m = NULL;
  assert_refused(rbv_model_load(&m, "./nowhere.yaml", NULL), RBV_EREAD, "./nowhere.yaml");
  assert_refused(rbv_model_load(&m, "tx41", NULL), RBV_EREAD,
                 "there is no file 'tx41' and no built-in robot of that name (a460, lwr4+, ns16, "
                 "tx40)");
  assert_refused(rbv_model_load(&m, TEST_DATA, NULL), RBV_EREAD, TEST_DATA);
  assert_refused(rbv_model_load(&m, NULL, NULL), RBV_EARG, "no robot is named");
  assert_refused(rbv_model_parse(&m, NULL, "", 0, NULL), RBV_EARG, "name and text");
  rbv_model_options options = rbv_model_defaults();
  options.sensing = 4;
  assert_refused(rbv_model_load(&m, "tx40", &options), RBV_EARG, "no such sensing (4)");
  options = rbv_model_defaults();
  options.gamma = INFINITY;
  assert_refused(rbv_model_load(&m, "tx40", &options), RBV_EARG, "gamma (inf)");
  assert_null(m);
  rbv_model_free(NULL);
}

static void refuse_list(int count, const char *entry, rbv_status status, const char *message) {
  rbv_text t = {0};
  rbv_model *m;
  rbv_text_put(&t, "joints:\n");
  for (int i = 0; i < count; i++) rbv_text_print(&t, "  - %s\n", entry);
  assert_refused(rbv_model_parse(&m, "robot.yaml", t.data, t.size, NULL), status, message);
  rbv_text_free(&t);
}

static void test_absurd_sizes(void **state) {
  (void)state;
  refuse_list(101, "mdh: {}", RBV_EUNSUPPORTED, "101 joints move; the limit is 100");
  refuse_list(1001, "type: fixed", RBV_EINPUT, "1001 joints; the limit is 1000");
  rbv_text t = {0};
  rbv_model *m;
  rbv_text_put(&t, "joints: ");
  for (int i = 0; i < 10000; i++) rbv_text_put(&t, "[");
  assert_refused(rbv_model_parse(&m, "robot.yaml", t.data, t.size, NULL), RBV_EUNSUPPORTED,
                 "robot.yaml:1");
  rbv_text_free(&t);
}

/* ---- memory ---- */

static rbv_status load_and_free(void *text) {
  rbv_model *m;
  const rbv_status status = rbv_model_parse(&m, "robot.yaml", text, strlen(text), NULL);
  if (status != RBV_OK) assert_null(m);
  rbv_model_free(m);
  return status;
}

static rbv_status load_path_and_free(void *path) {
  rbv_model *m;
  const rbv_status status = rbv_model_load(&m, path, NULL);
  rbv_model_free(m);
  return status;
}

static void test_each_allocation_may_fail(void **state) {
  (void)state;
  char text[sizeof full];
  memcpy(text, full, sizeof full);
  fail_each_allocation(load_and_free, text);
  char snapped[] =
      "joints: [{origin: {rpy: [1.5708, 0, 0]}, axis: [0, 0.00001, 1]}, {type: fixed,"
      " parameters: {M: 1}}]";
  fail_each_allocation(load_and_free, snapped);
  char path[256];
  (void)temp_file("little.urdf", little_urdf);
  snprintf(path, sizeof path, "%s",
           temp_file("amend.yaml", "urdf: little.urdf\njoints: [{name: shoulder}]\n"));
  fail_each_allocation(load_path_and_free, path);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_smallest_robot),
      cmocka_unit_test(test_everything_a_file_may_say),
      cmocka_unit_test(test_patterns),
      cmocka_unit_test(test_channels),
      cmocka_unit_test(test_split_drives_are_listed_by_block),
      cmocka_unit_test(test_built_in_robots),
      cmocka_unit_test(test_snapping),
      cmocka_unit_test(test_exact_sines),
      cmocka_unit_test(test_fixed_joint_is_merged),
      cmocka_unit_test(test_stribeck),
      cmocka_unit_test(test_yaml_amends_a_urdf),
      cmocka_unit_test(test_refusals),
      cmocka_unit_test(test_files_that_cannot_be_read),
      cmocka_unit_test(test_absurd_sizes),
      cmocka_unit_test(test_each_allocation_may_fail),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
