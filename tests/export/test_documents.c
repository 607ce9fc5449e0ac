/* URDF, MJCF and YAML: read back by the library; refusals and notes about what they cannot express.
 */
#include "bodies.h"
#include "laws.h"

/* ---- reading back ---- */

/* torques of all rows at random states: the text as a robot against chi of the model */
static void assert_same_rows(const char *name, const rbv_export *e, const rbv_model *m,
                             const double *chi, double bound) {
  rbv_model_options o = rbv_model_defaults();
  rbv_model *back;
  rbv_dynamics *a, *b;
  o.snap = false;
  o.gamma = rbv_model_gamma(m);
  assert_ok(rbv_model_parse(&back, name, e->text, e->size, &o));
  const int n = rbv_model_joint_count(m), nrow = rbv_model_row_count(m);
  assert_int_equal(rbv_model_joint_count(back), n);
  assert_int_equal(rbv_model_row_count(back), nrow);
  assert_ok(rbv_dynamics_new(&a, m));
  assert_ok(rbv_dynamics_new(&b, back));
  assert_ok(rbv_dynamics_set(a, chi, rbv_model_has_payload(m)));
  assert_ok(rbv_dynamics_set(b, rbv_model_parameters(back), rbv_model_has_payload(back)));
  dice d = {.seed = 9};
  for (int k = 0; k < 100; k++) {
    double q[JOINTS_MAX], dq[JOINTS_MAX], ddq[JOINTS_MAX], want[ROWS_MAX], got[ROWS_MAX], size = 0;
    random_state(q, dq, ddq, n, &d);
    rbv_dynamics_rows(want, a, q, dq, ddq);
    rbv_dynamics_rows(got, b, q, dq, ddq);
    for (int r = 0; r < nrow; r++) size = fmax(size, fabs(want[r]));
    for (int r = 0; r < nrow; r++) assert_near(got[r], want[r], bound * size, 0);
  }
  for (int j = 0; j < n; j++) {
    const rbv_joint *x = rbv_model_joint(m, j), *y = rbv_model_joint(back, j);
    assert_string_equal(x->name, y->name);
    assert_int_equal(x->type, y->type);
    assert_true(x->limits.lower == y->limits.lower && x->limits.upper == y->limits.upper);
    assert_true(x->limits.velocity == y->limits.velocity);
    assert_true(x->limits.effort == y->limits.effort);
  }
  rbv_dynamics_free(a);
  rbv_dynamics_free(b);
  rbv_model_free(back);
}

/* what a URDF can express: links, own viscous and Coulomb friction */
static void only_urdf(double *out, const double *chi, const rbv_model *m) {
  for (int c = 0; c < rbv_model_column_count(m); c++) {
    const rbv_column *column = rbv_model_column(m, c);
    const bool said = column->basis == RBV_BASIS_INERTIAL ||
                      ((rbv_column_has_law(column, "Fv") || rbv_column_has_law(column, "Fc")) &&
                       column->name[0] == 'F');
    out[c] = said ? chi[c] : 0;
  }
}

static void test_builtin_robots(void **state) {
  (void)state;
  static const char *const robots[] = {"tx40", "lwr4+", "ns16", "a460"};
  static double chi[COLUMNS_MAX], said[COLUMNS_MAX];
  for (int i = 0; i < 4; i++) {
    // one channel: a URDF has no torque sensor
    rbv_model_options o = rbv_model_defaults();
    o.sensing = RBV_SENSING_MOTOR;
    rbv_model *m;
    assert_ok(rbv_model_load(&m, robots[i], &o));
    random_parameters(chi, m, (uint64_t)i);
    only_urdf(said, chi, m);
    rbv_export *e = export_as(RBV_EXPORT_URDF, m, chi, NULL);
    assert_same_rows("a.urdf", e, m, said, 1e-12);
    rbv_export_free(e);
    e = export_as(RBV_EXPORT_YAML, m, chi, NULL);
    assert_same_rows("a.yaml", e, m, chi, 1e-13);
    assert_int_equal(e->nnote, 0);
    rbv_export_free(e);
    e = export_as(RBV_EXPORT_MJCF, m, chi, NULL);
    assert_true(e->states == 100 && e->difference < 1e-10);
    rbv_export_free(e);
    rbv_model_free(m);
    // the file's own values, both channels, payload: YAML takes base parameters too
    o = rbv_model_defaults();
    o.payload = true;
    assert_ok(rbv_model_load(&m, robots[i], &o));
    if (rbv_model_parameters(m)) {
      e = export_as(RBV_EXPORT_YAML, m, rbv_model_parameters(m), NULL);
      assert_same_rows("a.yaml", e, m, rbv_model_parameters(m), 1e-13);
      rbv_export_free(e);
    }
    rbv_model_free(m);
  }
}

/* prismatic and fixed joints, bodies merged into links */
static void test_random_chains(void **state) {
  (void)state;
  static double chi[COLUMNS_MAX], said[COLUMNS_MAX];
  rbv_model_options o = rbv_model_defaults();
  o.snap = false;
  for (uint64_t seed = 0; seed < 60; seed++) {
    rbv_text urdf = {0};
    rbv_model *m;
    put_random_urdf(&urdf, seed);
    assert_ok(rbv_model_parse(&m, "random.urdf", urdf.data, urdf.size, &o));
    random_parameters(chi, m, seed);
    only_urdf(said, chi, m);
    rbv_export_options x = rbv_export_defaults();
    x.loaded = o;
    rbv_export *e;
    assert_ok(rbv_export_new(&e, m, chi, &x));
    assert_false(e->refused);
    assert_same_rows("a.urdf", e, m, said, 1e-12);
    rbv_export_free(e);
    e = export_as(RBV_EXPORT_YAML, m, chi, NULL);
    assert_same_rows("a.yaml", e, m, chi, 1e-12);
    rbv_export_free(e);
    e = export_as(RBV_EXPORT_MJCF, m, chi, NULL);
    assert_true(e->difference < 1e-10);
    rbv_export_free(e);
    // the document's own values: no byte changes
    assert_ok(rbv_export_new(&e, m, rbv_model_parameters(m), &x));
    assert_int_equal(e->size, urdf.size);
    assert_memory_equal(e->text, urdf.data, urdf.size);
    rbv_export_free(e);
    rbv_model_free(m);
    rbv_text_free(&urdf);
  }
}

/* ---- only inertial and dynamics change ---- */

/* the text without the elements <tag ...>...</tag>, <tag .../> and the white space before them */
static char *without(const char *text, const char *const *tags) {
  char *out = malloc(strlen(text) + 1);
  size_t n = 0;
  while (*text) {
    const char *end = NULL;
    for (int i = 0; tags[i] && !end; i++) {
      const size_t length = strlen(tags[i]);
      if (text[0] != '<' || strncmp(text + 1, tags[i], length) != 0 ||
          !strchr(" >", text[length + 1]))
        continue;
      char close[32];
      snprintf(close, sizeof close, "</%s>", tags[i]);
      const char *bracket = strchr(text, '>');
      end = bracket[-1] == '/' ? bracket + 1 : strstr(text, close) + strlen(close);
    }
    if (!end) {
      out[n++] = *text++;
      continue;
    }
    while (n > 0 && strchr(" \t\r\n", out[n - 1])) n--;
    text = end;
  }
  out[n] = 0;
  return out;
}

static void test_all_other_bytes_stay(void **state) {
  (void)state;
  static const char *const tags[] = {"inertial", "dynamics", NULL};
  static double chi[COLUMNS_MAX];
  for (uint64_t seed = 0; seed < 40; seed++) {
    rbv_text urdf = {0};
    rbv_model *m;
    put_random_urdf(&urdf, seed);
    assert_ok(rbv_model_parse(&m, "random.urdf", urdf.data, urdf.size, NULL));
    random_parameters(chi, m, seed);
    rbv_export *e = export_as(RBV_EXPORT_URDF, m, chi, NULL);
    char *before = without(urdf.data, tags), *after = without(e->text, tags);
    assert_string_equal(before, after);
    // the comment within the first link's inertial is still there
    assert_non_null(strstr(e->text, "weighed by hand"));
    free(before);
    free(after);
    rbv_export_free(e);
    rbv_model_free(m);
    rbv_text_free(&urdf);
  }
}

/* by hand: a point of 2 kg and a ball; quotes, line ends and an empty-element tag */
static void test_edit_by_hand(void **state) {
  (void)state;
  static const char before[] =
      "<robot name='r'>\r\n"
      "  <link name=\"base\"/>\r\n"
      "  <link name=\"arm\" />\r\n"
      "  <joint name=\"j\" type=\"continuous\">\r\n"
      "    <parent link=\"base\"/><child link=\"arm\"/>\r\n"
      "    <dynamics friction='1' ><!-- kept --></dynamics>\r\n"
      "  </joint>\r\n"
      "  <link name='tool'><inertial><mass value='1'/></inertial></link>\r\n"
      "  <joint name='f' type='fixed'><parent link='arm'/><child link='tool'/></joint>\r\n"
      "</robot>\r\n";
  static const char after[] =
      "<robot name='r'>\r\n"
      "  <link name=\"base\"/>\r\n"
      "  <link name=\"arm\" >\r\n"
      "    <inertial><origin xyz=\"0.5 0 0\" rpy=\"0 0 0\"/><mass value=\"2\"/>"
      "<inertia ixx=\"0.25\" ixy=\"0\" ixz=\"0\" iyy=\"0.25\" iyz=\"0\" "
      "izz=\"0.25\"/></inertial>\r\n"
      "  </link>\r\n"
      "  <joint name=\"j\" type=\"continuous\">\r\n"
      "    <parent link=\"base\"/><child link=\"arm\"/>\r\n"
      "    <dynamics friction='3' damping=\"0.5\" ><!-- kept --></dynamics>\r\n"
      "  </joint>\r\n"
      "  <link name='tool'></link>\r\n"
      "  <joint name='f' type='fixed'><parent link='arm'/><child link='tool'/></joint>\r\n"
      "</robot>\r\n";
  rbv_model *m;
  assert_ok(rbv_model_parse(&m, "r.urdf", before, strlen(before), NULL));
  // about the origin: I + m d^2 across the arm, d = 0.5
  double chi[14] = {0.25, 0, 0, 0.75, 0, 0.75, 1, 0, 0, 2, 0, 0.5, 3, 0};
  rbv_export *e = export_as(RBV_EXPORT_URDF, m, chi, NULL);
  assert_string_equal(e->text, after);
  assert_int_equal(e->nnote, 1);
  assert_non_null(strstr(e->note[0], "link 'tool' is part of the link that joint 'j' moves"));
  rbv_export_free(e);
  // rotor inertia and offset are listed
  chi[10] = 0.1;
  chi[13] = 4;
  e = export_as(RBV_EXPORT_URDF, m, chi, NULL);
  assert_string_equal(e->text, after);
  assert_int_equal(e->nnote, 3);
  assert_non_null(
      strstr(e->note[0], "Ia1 = 0.1 kg m^2 cannot be expressed: the format has no rotor"));
  assert_non_null(strstr(e->note[1], "off1 = 4 N m cannot be expressed"));
  rbv_export_free(e);
  rbv_model_free(m);
}

/* ---- what cannot be expressed ---- */

static bool has_note(const rbv_export *e, const char *column, const char *reason) {
  for (int i = 0; i < e->nnote; i++)
    if (strncmp(e->note[i], column, strlen(column)) == 0 && strstr(e->note[i], reason)) return true;
  return false;
}

/* each law of the table is an attribute of the joint, or a note gives the reason of the table */
static void test_every_law(void **state) {
  (void)state;
  static double chi[COLUMNS_MAX];
  rbv_model *m = robot_with_every_law(30);
  random_parameters(chi, m, 21);
  for (int mjcf = 0; mjcf < 2; mjcf++) {
    rbv_export *e = export_as(mjcf ? RBV_EXPORT_MJCF : RBV_EXPORT_URDF, m, chi, NULL);
    for (int c = 0; c < rbv_model_column_count(m); c++) {
      const rbv_column *column = rbv_model_column(m, c);
      if (!column->law) continue;
      const char *attribute = mjcf ? column->law->mjcf : column->law->urdf;
      // springs of an MJCF are joints of their own
      const bool spring = mjcf && rbv_column_is_spring(column) && column->law->name[1] == 'j';
      if (spring)
        assert_non_null(strstr(e->text, "_spring"));
      else if (attribute)
        assert_non_null(strstr(e->text, attribute));
      else
        assert_true(has_note(e, column->name, column->law->reason));
    }
    // both joints are smoothed, each in its own way
    assert_true(has_note(e, "Coulomb friction follows", "atan(gamma dq)"));
    rbv_export_free(e);
  }
  // YAML has them all, with the shape parameters of each joint
  rbv_export *e = export_as(RBV_EXPORT_YAML, m, chi, NULL);
  assert_non_null(strstr(e->text, "\n    friction: {gamma: 60, smooth: 0.03, "));
  assert_non_null(strstr(e->text, "knee: 1.5, stribeck: 0.15"));
  assert_non_null(strstr(e->text, "\nfriction: {gamma: 30, smooth: 0.02, "));
  assert_non_null(strstr(e->text, "knee: 1, stribeck: 0.1"));
  assert_same_rows("a.yaml", e, m, chi, 1e-13);
  assert_int_equal(e->nnote, 0);
  rbv_export_free(e);
  rbv_model_free(m);
}

static void test_couplings_in_mjcf(void **state) {
  (void)state;
  static double chi[COLUMNS_MAX];
  rbv_model *m;
  assert_ok(rbv_model_load(&m, "tx40", NULL));
  random_parameters(chi, m, 1);
  for (int c = 0; c < rbv_model_column_count(m); c++)
    if (rbv_column_has_law(rbv_model_column(m, c), "off")) chi[c] = 0;
  rbv_export *e = export_as(RBV_EXPORT_MJCF, m, chi, NULL);
  // friction of the coupled motor is a tendon, its rotor is not
  assert_int_equal(e->nnote, 1);
  assert_non_null(strstr(e->note[0], "Ia6"));
  assert_non_null(strstr(e->note[0], "cannot be expressed"));
  assert_non_null(strstr(e->text, "<fixed name=\"motor6\""));
  assert_non_null(strstr(e->text, "<joint joint=\"joint5\" coef=\"1\"/>"));
  rbv_export_free(e);
  e = export_as(RBV_EXPORT_URDF, m, chi, NULL);
  bool viscous = false, coulomb = false;
  for (int i = 0; i < e->nnote; i++) {
    viscous = viscous || strstr(e->note[i], "fvm6");
    coulomb = coulomb || strstr(e->note[i], "fcm6");
  }
  assert_true(viscous && coulomb);
  rbv_export_free(e);
  rbv_model_free(m);
}

/* a spring of an MJCF is written back as its stiffness; nothing else changes */
static void test_spring_in_its_own_mjcf(void **state) {
  (void)state;
#define SPRING_HEAD                                                                     \
  "<mujoco>\n  <compiler angle=\"radian\"/>\n  <worldbody>\n    <body name=\"a\">\n"    \
  "      <inertial pos=\"0.3 0 0\" mass=\"2\" fullinertia=\"0.02 0.03 0.03 0 0 0\"/>\n" \
  "      <joint name=\"j\" axis=\"0 1 0\" stiffness=\""
#define SPRING_TAIL \
  "\" springref=\"0.25\" damping=\"0.5\"/>\n    </body>\n  </worldbody>\n</mujoco>\n"
  static const char text[] = SPRING_HEAD "12" SPRING_TAIL, want[] = SPRING_HEAD "17.5" SPRING_TAIL;
  static double chi[COLUMNS_MAX];
  rbv_model *m;
  assert_ok(rbv_model_parse(&m, "spring.xml", text, sizeof text - 1, NULL));
  memcpy(chi, rbv_model_parameters(m), sizeof *chi * (size_t)rbv_model_column_count(m));
  int spring = -1;
  for (int c = 0; c < rbv_model_column_count(m); c++)
    if (strcmp(rbv_model_column(m, c)->name, "Ks1") == 0) spring = c;
  assert_true(spring >= 0);
  rbv_export *e = export_as(RBV_EXPORT_MJCF, m, chi, NULL);
  assert_string_equal(e->text, text);
  rbv_export_free(e);
  chi[spring] = 17.5;
  e = export_as(RBV_EXPORT_MJCF, m, chi, NULL);
  assert_string_equal(e->text, want);
  for (int i = 0; i < e->nnote; i++) assert_null(strstr(e->note[i], "Ks1"));
  rbv_export_free(e);
  // a URDF has no springs: that is said
  e = export_as(RBV_EXPORT_URDF, m, chi, NULL);
  bool said = false;
  for (int i = 0; i < e->nnote; i++) said |= strstr(e->note[i], "Ks1 = 17.5") != NULL;
  assert_true(said);
  rbv_export_free(e);
  rbv_model_free(m);
}

/* ---- refusals ---- */

static rbv_export *try_export(const rbv_model *m, const double *chi, rbv_export_format format,
                              bool force) {
  rbv_export_options o = rbv_export_defaults();
  rbv_export *e;
  o.format = format;
  o.force = force;
  assert_ok(rbv_export_new(&e, m, chi, &o));
  assert_true(e->refused == (e->text == NULL));
  return e;
}

static void assert_reason(const rbv_model *m, const double *chi, bool force, const char *reason) {
  for (int f = RBV_EXPORT_URDF; f <= RBV_EXPORT_MJCF; f++) {
    rbv_export *e = try_export(m, chi, (rbv_export_format)f, force);
    if (!e->refused || !strstr(e->reason, reason))
      fail_msg("reason '%s', want '%s'", e->refused ? e->reason : "", reason);
    rbv_export_free(e);
  }
}

static void test_bodies_that_cannot_exist(void **state) {
  (void)state;
  static const char text[] = "joints: [{name: elbow, mdh: {alpha: 0}}]\n";
  rbv_model *m;
  assert_ok(rbv_model_parse(&m, "one.yaml", text, strlen(text), NULL));
  // a ball of 1 kg and 0.1 kg m^2, centre at x = 0.1
  const double good[14] = {0.1, 0, 0, 0.11, 0, 0.11, 0.1, 0, 0, 1, 0.1, 1, 1, 0};
  rbv_export_free(export_as(RBV_EXPORT_URDF, m, good, NULL));
  const struct {
    int column;
    double value;
    bool lifted;  // by force
    const char *reason;
  } cases[] = {
      {9, 0, false, "no centre of mass to write"},
      {9, -1, false, "no centre of mass to write"},
      {0, 0.3, true, "'elbow' cannot exist"},   // Ixx > Iyy + Izz
      {5, -0.1, true, "'elbow' cannot exist"},  // negative
      {1, 0.2, true, "'elbow' cannot exist"},   // product of inertia larger than the moments
      {6, 0.9, true,
       "'elbow' cannot exist"},  // the centre so far out that no inertia is left about it
      {11, -1, true, "negative armature, damping or friction"},
      {12, -1, true, "negative armature, damping or friction"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    double chi[14];
    memcpy(chi, good, sizeof chi);
    chi[cases[i].column] = cases[i].value;
    assert_reason(m, chi, false, cases[i].reason);
    if (!cases[i].lifted) {
      assert_reason(m, chi, true, cases[i].reason);
      continue;
    }
    rbv_export *e = try_export(m, chi, RBV_EXPORT_MJCF, true);
    assert_false(e->refused);
    assert_non_null(strstr(e->note[e->nnote - 1], cases[i].reason));
    rbv_export_free(e);
    // YAML and C accept any parameters
    rbv_export_free(export_as(RBV_EXPORT_YAML, m, chi, NULL));
  }
  double bad[14] = {NAN};
  rbv_export *e;
  assert_refused(rbv_export_new(&e, m, bad, NULL), RBV_EARG,
                 "parameter XX1 is not a finite number");
  assert_null(e);
  assert_refused(rbv_export_new(&e, NULL, bad, NULL), RBV_EARG, "no model");
  rbv_model_free(m);
}

/* columns of the file: formulas written back, too long ones refused */
static void test_columns_in_yaml(void **state) {
  (void)state;
  static const char text[] =
      "joints:\n  - {name: \"a \\\"b\\\"\", type: prismatic, mdh: {alpha: 0.1, d: 0.2, theta: 0.3, "
      "r: 0.4}}\n"
      "  - {type: fixed, mdh: {alpha: 0.3, r: 0.1}}\n"
      "  - {name: c, mdh: {alpha: 0.5, d: 0.6, theta: 0.7, r: 0.8}}\n"
      "transmission: {matrix: [[2, 0], [1, 3]], offset: [0.1, 0], parametrisation: motor, coulomb: "
      "printed}\n"
      "friction: {gamma: 3}\n"
      "columns:\n"
      "  - {name: s, unit: N m, side: motor, joint: c, constants: {k: 3}, let: {u: q2 - k*q1},\n"
      "     expression: \"-u^3 + atan2(u, 2)*max(dq1, 0) - exp(-ddq2^2)\"}\n"
      "  - {name: w, unit: \"1\", joint: 1, expression: \"2\"}\n";
  static double chi[COLUMNS_MAX];
  rbv_model *m;
  assert_ok(rbv_model_parse(&m, "c.yaml", text, strlen(text), NULL));
  random_parameters(chi, m, 2);
  rbv_export *e = export_as(RBV_EXPORT_YAML, m, chi, NULL);
  assert_same_rows("a.yaml", e, m, chi, 1e-13);
  assert_non_null(strstr(e->text, "parametrisation: motor\n  coulomb: printed\n"));
  rbv_export_free(e);
  rbv_model_free(m);

  // u doubled eight times is 2^8 copies of its formula
  rbv_text many = {0};
  rbv_text_put(&many,
               "joints: [{mdh: {alpha: 0}}]\ncolumns:\n  - name: s\n    unit: \"1\"\n    joint: 1\n"
               "    let:\n      u0: sin(q1)\n");
  for (int i = 1; i <= 12; i++) rbv_text_print(&many, "      u%d: u%d*u%d\n", i, i - 1, i - 1);
  rbv_text_put(&many, "    expression: u12\n");
  assert_ok(rbv_model_parse(&m, "m.yaml", many.data, many.size, NULL));
  random_parameters(chi, m, 2);
  rbv_export_options o = rbv_export_defaults();
  o.format = RBV_EXPORT_YAML;
  assert_refused(rbv_export_new(&e, m, chi, &o), RBV_EUNSUPPORTED, "formula of column 's'");
  rbv_model_free(m);
  rbv_text_free(&many);
}

/* ---- a YAML beside a URDF has more than the document ---- */

static void test_urdf_beside_yaml(void **state) {
  (void)state;
  rbv_text urdf = {0};
  put_random_urdf(&urdf, 2);
  (void)temp_file("arm.urdf", urdf.data);
  const char *path =
      temp_file("arm.yaml", "urdf: arm.urdf\ngravity: [0, 0, 9.81]\nparameters: {M1: 100}\n");
  rbv_model *m;
  assert_ok(rbv_model_load(&m, path, NULL));
  rbv_export *e = export_as(RBV_EXPORT_URDF, m, rbv_model_parameters(m), NULL);
  assert_non_null(strstr(e->text, "<mass value=\"100\"/>"));
  assert_non_null(strstr(e->note[e->nnote - 1], "gravity (0, 0, 9.81) cannot be expressed") ||
                          strstr(e->note[0], "gravity (0, 0, 9.81) cannot be expressed")
                      ? "said"
                      : NULL);
  rbv_export_free(e);
  rbv_model_free(m);
  rbv_text_free(&urdf);
}

/* ---- memory ---- */

typedef struct {
  const rbv_model *m;
  const double *chi;
  rbv_export_format format;
} attempt;

static rbv_status run_attempt(void *state) {
  const attempt *a = state;
  rbv_export *e = NULL;
  rbv_export_options o = rbv_export_defaults();
  o.format = a->format;
  const rbv_status status = rbv_export_new(&e, a->m, a->chi, &o);
  if (status != RBV_OK) assert_null(e);
  rbv_export_free(e);
  return status;
}

static void test_each_allocation_may_fail(void **state) {
  (void)state;
  static double chi[COLUMNS_MAX];
  rbv_text urdf = {0};
  rbv_model *m[2];
  put_random_urdf(&urdf, 3);
  assert_ok(rbv_model_parse(&m[0], "random.urdf", urdf.data, urdf.size, NULL));
  static const char text[] =
      "joints: [{mdh: {alpha: 0}}, {mdh: {alpha: pi/2, d: 1}}]\n"
      "transmission: {couplings: [{motor: 2, joint: 1, ratio: 1}]}\n"
      "columns: [{name: s, unit: N m, joint: 1, expression: q1 + q2}]\n";
  assert_ok(rbv_model_parse(&m[1], "two.yaml", text, strlen(text), NULL));
  for (int i = 0; i < 2; i++) {
    random_parameters(chi, m[i], 4);
    // C code: in test_code.c
    for (int f = 0; rbv_export_format_at(f); f++) {
      if (rbv_export_format_has_header((rbv_export_format)f)) continue;
      attempt a = {m[i], chi, (rbv_export_format)f};
      fail_each_allocation(run_attempt, &a);
    }
    rbv_model_free(m[i]);
  }
  rbv_text_free(&urdf);
}

/*
 * A pendulum with 10 % load friction: |L| = 19.62 |cos q| at rest, uniform over whole turns, has
 * the mean 19.62 * 2/pi = 12.49, so that the nearest friction is 1.249 and |cos| differs from its
 * mean by sqrt(1 - 8/pi^2) = 43.5 % of its rms. 40 poses know the mean to 5 %. Presliding becomes
 * LuGre.
 */
static void test_nearest_pair_of_load_friction(void **state) {
  (void)state;
  static const char text[] =
      "joints: [{mdh: {alpha: pi/2}, drive: [Fv, Fc, Fl, Fp], friction: {presliding: 0.02},\n"
      "  limits: {lower: -3.14159, upper: 3.14159, velocity: 2}}]\n"
      "parameters: {XX1: 1, YY1: 2, ZZ1: 2, MX1: 2, M1: 4, Fv1: 0.3, Fc1: 0.5, Fl1: 0.1, Fp1: "
      "0.4}\n";
  rbv_model *m;
  assert_ok(rbv_model_parse(&m, "pendulum.yaml", text, sizeof text - 1, NULL));
  for (int mjcf = 0; mjcf < 2; mjcf++) {
    rbv_export *e =
        export_as(mjcf ? RBV_EXPORT_MJCF : RBV_EXPORT_URDF, m, rbv_model_parameters(m), NULL);
    const char *at = strstr(e->text, mjcf ? "frictionloss=\"" : " friction=\"");
    assert_non_null(at);
    assert_near(atof(strchr(at, '"') + 1), 0.5 + 0.4 + 1.249, 0.13, 0);
    assert_non_null(strstr(e->text, "<!-- Fl1 = 0.1"));
    const char *differ = strstr(strstr(e->text, "Fl1 = 0.1"), "differ by ");
    assert_near(atof(differ + 10), 43.5, 7, 0);
    bool lugre = false;
    for (int i = 0; i < e->nnote; i++)
      lugre = lugre || strstr(e->note[i], "lugre=\"20 0 0.4 0.4 0.1\"");
    assert_int_equal(lugre, mjcf);
    rbv_export_free(e);
  }
  rbv_model_free(m);
}

static void test_names_of_formats(void **state) {
  (void)state;
  assert_true(RBV_EXPORT_C == 3 && rbv_export_format_at(RBV_EXPORT_C));
  for (int f = 0; rbv_export_format_at(f); f++) {
    rbv_export_format back;
    assert_non_null(rbv_export_format_text((rbv_export_format)f));
    assert_true(rbv_export_format_parse(&back, rbv_export_format_name((rbv_export_format)f)));
    assert_int_equal(back, f);
  }
  rbv_export_format none;
  assert_false(rbv_export_format_parse(&none, "sdf"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_builtin_robots),
      cmocka_unit_test(test_random_chains),
      cmocka_unit_test(test_all_other_bytes_stay),
      cmocka_unit_test(test_edit_by_hand),
      cmocka_unit_test(test_every_law),
      cmocka_unit_test(test_couplings_in_mjcf),
      cmocka_unit_test(test_spring_in_its_own_mjcf),
      cmocka_unit_test(test_bodies_that_cannot_exist),
      cmocka_unit_test(test_columns_in_yaml),
      cmocka_unit_test(test_urdf_beside_yaml),
      cmocka_unit_test(test_each_allocation_may_fail),
      cmocka_unit_test(test_nearest_pair_of_load_friction),
      cmocka_unit_test(test_names_of_formats),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
