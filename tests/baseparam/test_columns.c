/* Base parameters of robots whose file defines columns. */
#include <math.h>
#include <roberval/sys/baseparam.h>
#include <stdio.h>
#include <string.h>

#include "support.h"

#define ARM "joints: [{mdh: {}%s}, {mdh: {alpha: pi/2, d: 0.3}%s}, {mdh: {d: 0.4}}]\n"

static rbv_model *model(const char *limits, const char *columns) {
  char text[2048];
  snprintf(text, sizeof text, ARM "columns:\n%s", limits, limits, columns);
  rbv_model *m;
  assert_ok(rbv_model_parse(&m, "arm.yaml", text, strlen(text), NULL));
  return m;
}

static rbv_base *base_of(const rbv_model *m) {
  rbv_base *b;
  assert_ok(rbv_base_new(&b, m, NULL));
  return b;
}

/* base parameters of the same arm without columns */
static int plain_count(void) {
  rbv_model *m = model("", "  []\n");
  rbv_base *b = base_of(m);
  const int count = b->count;
  rbv_base_free(b);
  rbv_model_free(m);
  return count;
}

/* one more parameter by itself, the others unchanged */
static void test_a_column_of_its_own(void **state) {
  (void)state;
  static const char *const columns[] = {
      " - {name: x, unit: N m/rad, terms: [{joint: 1, expression: q1-q2},\n"
      "    {joint: 2, expression: q2-q1}]}\n",
      " - {name: x, unit: N m, joint: 2, expression: tanh(4*dq2)}\n",
      " - {name: x, unit: N m, joint: 2, expression: sin(q2+0.1)/sqrt(0.68-0.32*cos(q2+0.1))}\n",
      " - {name: x, unit: kg m^2, joint: 1, expression: ddq3}\n",
      // units of all sizes
      " - {name: x, unit: nN m, joint: 1, expression: 1e-9*q1^2}\n",
      " - {name: x, unit: GN m, joint: 1, expression: 1e9*q1^2}\n",
  };
  const int plain = plain_count();
  for (int i = 0; i < (int)(sizeof columns / sizeof *columns); i++) {
    rbv_model *m = model("", columns[i]);
    rbv_base *b = base_of(m);
    assert_int_equal(b->count, plain + 1);
    assert_int_equal(b->category[rbv_model_find(m, "x")], RBV_CATEGORY_ALONE);
    assert_string_equal(b->name[plain], "x");
    rbv_base_free(b);
    rbv_model_free(m);
  }
}

/* a column equal to existing ones is regrouped; a column that is only rounding has no effect */
static void test_a_column_that_others_have(void **state) {
  (void)state;
  rbv_model *m =
      model("",
            " - {name: x, unit: N m, joint: 1, expression: 3*dq1 - 2}\n"
            " - {name: y, unit: N m, terms: [{joint: 2, expression: 9.81*cos(q2+q3)},\n"
            "    {joint: 3, expression: 9.81*cos(q2+q3)}]}\n"
            " - {name: z, unit: N m, joint: 3, expression: sin(q1)^2 + cos(q1)^2 - 1}\n");
  rbv_base *b = base_of(m);
  const int x = rbv_model_find(m, "x");
  assert_int_equal(b->category[x], RBV_CATEGORY_COMBINED);
  for (int k = 0; k < b->count; k++) {
    const char *name = b->name[k];
    const double want = strcmp(name, "Fv1R") == 0 ? 3 : strcmp(name, "off1R") == 0 ? -2 : 0;
    // both sides solve a system of condition below 1e3 in double precision
    assert_near(b->relation[k + x * b->count], want, 1e-11, 0);
  }
  // y is gravity without the inertia that belongs to MX3: it is a parameter by itself
  assert_int_equal(b->category[rbv_model_find(m, "y")], RBV_CATEGORY_ALONE);
  assert_int_equal(b->category[rbv_model_find(m, "z")], RBV_CATEGORY_UNIDENTIFIABLE);
  assert_int_equal(b->count, plain_count() + 1);
  rbv_base_free(b);
  rbv_model_free(m);
}

/* roots of what is positive within the limits only */
static void test_states_without_a_value(void **state) {
  (void)state;
  const char *root = " - {name: x, unit: N m, joint: 2, expression: sqrt(q1 - 1)}\n";
  rbv_model *m = model(", limits: {lower: 1, upper: 1.5}", root);
  rbv_base *b = base_of(m);
  assert_int_equal(b->count, plain_count() + 1);
  assert_int_equal(b->category[rbv_model_find(m, "x")], RBV_CATEGORY_ALONE);
  rbv_base_free(b);
  rbv_model_free(m);

  m = model("", root);
  b = (rbv_base *)(uintptr_t)1;
  assert_refused(rbv_base_new(&b, m, NULL), RBV_EINPUT,
                 "column 'x' has no finite value in a random state: give the joints limits");
  assert_null(b);
  rbv_model_free(m);

  m = model(", limits: {lower: -1, upper: 0.9}", root);
  assert_refused(rbv_base_new(&b, m, NULL), RBV_EINPUT,
                 "column 'x' has no finite value in 100 random states within the joints' limits");
  rbv_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_a_column_of_its_own),
      cmocka_unit_test(test_a_column_that_others_have),
      cmocka_unit_test(test_states_without_a_value),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
