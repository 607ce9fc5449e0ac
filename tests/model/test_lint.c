/* Lint of robot files: sound ones have no finding, and each spoiled one has the finding of its
 * defect. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <roberval/sys/model.h>

#include "support.h"

/* A cylinder of aluminium, 0.3 m long, 0.04 m in radius, about its centre: 4.07 kg. */
#define SOUND_BODY                                                                            \
  "<inertial><origin xyz='0 0 0.15'/><mass value='4.07'/><inertia ixx='0.0322' iyy='0.0322' " \
  "izz='0.00326'/></inertial>"
#define LIMIT "<limit lower='-2' upper='2' velocity='2' effort='80'/>"

/* two legs of two links each */
static void write_robot(char text[8192], const char *left_knee, const char *thigh,
                        const char *limit) {
  static const char *const side[] = {"left", "right"};
  int used = snprintf(text, 8192,
                      "<robot name='legs'><link name='base'><inertial><mass value='5'/>"
                      "<inertia ixx='0.03' iyy='0.03' izz='0.02'/></inertial></link>");
  for (int i = 0; i < 2; i++)
    used += snprintf(
        text + used, 8192 - (size_t)used,
        "<link name='%s_thigh'>%s</link><link name='%s_knee'>%s</link>"
        "<joint name='%s_hip' type='revolute'><parent link='base'/><child link='%s_thigh'/>"
        "<axis xyz='0 1 0'/>%s</joint>"
        "<joint name='%s_shin' type='revolute'><parent link='%s_thigh'/><child link='%s_knee'/>"
        "<origin xyz='0 0 0.3'/><axis xyz='0 1 0'/>%s</joint>",
        side[i], i == 0 ? thigh : SOUND_BODY, side[i], i == 0 ? left_knee : SOUND_BODY, side[i],
        side[i], i == 0 ? limit : LIMIT, side[i], side[i], side[i], LIMIT);
  snprintf(text + used, 8192 - (size_t)used, "</robot>");
}

static rbv_lint *lint_of(const char *name, const char *text) {
  rbv_model *m;
  rbv_lint *l;
  rbv_model_options o = rbv_model_defaults();
  o.describe = true;
  assert_ok(rbv_model_parse(&m, name, text, strlen(text), &o));
  assert_ok(rbv_lint_new(&l, m, &o));
  rbv_model_free(m);
  return l;
}

static bool has(const rbv_lint *l, const char *rule, const char *where) {
  for (int i = 0; i < l->nfinding; i++)
    if (strcmp(l->finding[i].rule, rule) == 0 && strcmp(l->finding[i].where, where) == 0)
      return true;
  return false;
}

static void test_sound(void **state) {
  (void)state;
  char text[8192];
  write_robot(text, SOUND_BODY, SOUND_BODY, LIMIT);
  rbv_lint *l = lint_of("legs.urdf", text);
  for (int i = 0; i < l->nfinding; i++) fail_msg("%s: %s", l->finding[i].where, l->finding[i].text);
  assert_near(l->mass, 5 + 4 * 4.07, 1e-12, 0);
  assert_near(l->moving_mass, 4 * 4.07, 1e-12, 0);
  assert_int_equal(l->nlink, 5);
  assert_string_equal(l->link[1].name, "left_thigh");
  // a cylinder of 2699 kg/m^3: its ellipsoid has 5/3 sqrt(5/12) of its volume; the file has 3
  // digits
  assert_near(l->link[1].density, 2699 / 1.0758, 10, 0);
  assert_true(l->link[1].moves && !l->link[0].moves);
  rbv_lint_free(l);
  rbv_lint_free(NULL);
}

static void test_defects(void **state) {
  (void)state;
#define BODY(mass, x, y, z)                                                                \
  "<inertial><origin xyz='0 0 0.15'/><mass value='" mass "'/><inertia ixx='" x "' iyy='" y \
  "' izz='" z "'/></inertial>"
  static const struct {
    const char *knee, *thigh, *limit, *rule, *where;
  } row[] = {
      {BODY("1e-6", "1e-6", "1e-6", "1e-6"), SOUND_BODY, LIMIT, "placeholder", "left_knee"},
      {BODY("4.07", "1", "1", "1"), SOUND_BODY, LIMIT, "placeholder", "left_knee"},
      {BODY("4.07", "0", "0", "0"), SOUND_BODY, LIMIT, "placeholder", "left_knee"},
      {BODY("4.07", "0.0322", "0.0322", "-0.003"), SOUND_BODY, LIMIT, "inertia", "left_knee"},
      {BODY("4.07", "0.0322", "0.01", "0.003"), SOUND_BODY, LIMIT, "triangle", "left_knee"},
      // g instead of kg, and kg mm^2 instead of kg m^2
      {BODY("4070", "0.0322", "0.0322", "0.00326"), SOUND_BODY, LIMIT, "density", "left_knee"},
      {BODY("4.07", "32200", "32200", "3260"), SOUND_BODY, LIMIT, "density", "left_knee"},
      {BODY("4.5", "0.0322", "0.0322", "0.00326"), SOUND_BODY, LIMIT, "mirror", "left_knee"},
      {BODY("4.07", "0.0362", "0.0322", "0.00526"), SOUND_BODY, LIMIT, "mirror", "left_knee"},
      {"", SOUND_BODY, LIMIT, "mirror", "left_knee"},
      {SOUND_BODY, SOUND_BODY, "<limit lower='-1' upper='2' velocity='2' effort='80'/>", "mirror",
       "left_hip"},
      {SOUND_BODY, SOUND_BODY, "<limit lower='-2' upper='2' velocity='2'/>", "limits", "robot"},
  };
  for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
    char text[8192];
    write_robot(text, row[k].knee, row[k].thigh, row[k].limit);
    rbv_lint *l = lint_of("legs.urdf", text);
    if (!has(l, row[k].rule, row[k].where)) fail_msg("row %zu: no %s", k, row[k].rule);
    rbv_lint_free(l);
  }
}

/* three equal links of one chain, in a YAML file; two of different length */
static void test_copies(void **state) {
  (void)state;
#define JOINT(d) "  - {mdh: {d: " d "}, limits: {lower: -1, upper: 1, velocity: 1, effort: 9}}\n"
#define VALUES(j, mass) "XX" j ": 0.03, YY" j ": 0.04, ZZ" j ": 0.014, MX" j ": 0.2, M" j ": " mass
  static const char *const text[] = {
      "joints:\n" JOINT("0") JOINT("0.3") JOINT("0.3") "parameters: {" VALUES("1", "4") ", " VALUES(
          "2", "4") ", " VALUES("3", "4") "}\n",
      "joints:\n" JOINT("0") JOINT("0.3") JOINT("0.5") "parameters: {" VALUES("1", "4") ", " VALUES(
          "2", "4") ", " VALUES("3", "5") "}\n",
      "joints:\n" JOINT("0") JOINT("0.3") JOINT("0.3") "parameters: {" VALUES("1", "4") ", " VALUES(
          "2", "4") ", " VALUES("3", "5") "}\n",
      "joints:\n" JOINT("0")};
  static const char *const rule[] = {"copy", "copy", NULL, "mass"};
  for (int k = 0; k < 4; k++) {
    rbv_lint *l = lint_of("arm", text[k]);
    assert_int_equal(l->nfinding, rule[k] != NULL);
    if (rule[k]) assert_string_equal(l->finding[0].rule, rule[k]);
    rbv_lint_free(l);
  }
}

static rbv_status lint_and_free(void *model) {
  rbv_lint *l;
  const rbv_status status = rbv_lint_new(&l, model, NULL);
  if (status != RBV_OK) assert_null(l);
  rbv_lint_free(l);
  return status;
}

static void test_each_allocation_may_fail(void **state) {
  (void)state;
  rbv_model *m;
  static const char text[] = "joints:\n" JOINT("0") "parameters: {" VALUES("1", "1e-6") "}\n";
  assert_ok(rbv_model_parse(&m, "arm", text, strlen(text), NULL));
  fail_each_allocation(lint_and_free, m);
  rbv_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_sound),
      cmocka_unit_test(test_defects),
      cmocka_unit_test(test_copies),
      cmocka_unit_test(test_each_allocation_may_fail),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
