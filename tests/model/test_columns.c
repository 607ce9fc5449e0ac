/* Columns that the robot file defines: values of formulas, and refusals. */
#include <math.h>
#include <string.h>

#include "model/model_internal.h"
#include "support.h"

#define PI 3.14159265358979323846
#define JOINTS \
  "joints: [{name: turn, mdh: {}}, {name: 3, mdh: {}}, {type: fixed}, {name: slide, mdh: {}}]\n"

static rbv_model *parse(const char *text) {
  rbv_model *m;
  assert_ok(rbv_model_parse(&m, "robot.yaml", text, strlen(text), NULL));
  return m;
}

/* ---- values of formulas ---- */

static const double q[3] = {0.3, -0.7, 1.1}, dq[3] = {2, -0.25, 0.5}, ddq[3] = {-3, 4, 0.125};

static double eval(const rbv_model *m, int term) {
  static double registers[EXPRESSION_REGISTERS * EXPRESSION_CHUNK];
  double value;
  rbv_expression_eval(&value, &m->expression[term], registers, q, dq, ddq, 1, 1);
  return value;
}

static rbv_model *with_formula(const char *formula) {
  rbv_text t = {0};
  rbv_text_print(&t, JOINTS "columns: [{name: x, unit: N m, joint: 1, expression: \"%s\"}]\n",
                 formula);
  rbv_model *m = parse(rbv_text_string(&t));
  rbv_text_free(&t);
  return m;
}

static void test_formulas(void **state) {
  (void)state;
  const struct {
    const char *formula;
    double want;
  } cases[] = {
      {"7", 7},
      {".5", 0.5},
      {"2.", 2},
      {"1.5e-3", 1.5e-3},
      {"2E+2", 200},
      {" ( ( 3 ) ) ", 3},
      {"pi", PI},
      // precedence and order
      {"1 + 2 * 3", 7},
      {"10 - 4 - 3", 3},
      {"24 / 4 / 2", 3},
      {"24 / 4 * 2", 12},
      {"2 * 3 ^ 2", 18},
      {"-3 ^ 2", -9},
      {"(-3) ^ 2", 9},
      {"2 ^ 3 ^ 2", 512},
      {"2 ** 3 ** 2", 512},
      {"2 ^ -1", 0.5},
      {"2 * -3", -6},
      {"1 - -1", 2},
      {"--+-1", -1},
      // the same with values known only at run time
      {"q1 + q2 * q3", 0.3 + -0.7 * 1.1},
      {"q1 - q2 - q3", 0.3 - -0.7 - 1.1},
      {"q1 / q2 / q3", 0.3 / -0.7 / 1.1},
      {"-q1 ^ 2", -(0.3 * 0.3)},
      {"dq1 ^ q3 ^ q1", pow(2, pow(1.1, 0.3))},
      {"2 - q1", 2 - 0.3},
      {"q1 - 2", 0.3 - 2},
      {"2 * (q1 + 1) / (3 - q2)", 2 * (0.3 + 1) / (3 - -0.7)},
      {"(q1 + q2) * (q1 - q2) + (q3 + 1) * (q3 - 1)",
       (0.3 + -0.7) * (0.3 - -0.7) + (1.1 + 1) * (1.1 - 1)},
      // states, and names of joints: a number always counts moving joints
      {"q1", 0.3},
      {"dq2", -0.25},
      {"ddq3", 0.125},
      {"q[turn]", 0.3},
      {"q[slide]", 1.1},
      {"ddq[2]", 4},
      {"q[3]", -0.7},  // its name is 3
      {"q3", 1.1},
      {"dq [turn]", 2},
  };
  for (int i = 0; i < RBV_COUNT(cases); i++) {
    rbv_model *m = with_formula(cases[i].formula);
    if (eval(m, 0) != cases[i].want) print_error("%s\n", cases[i].formula);
    assert_true(eval(m, 0) == cases[i].want);
    rbv_model_free(m);
  }
}

/* each function is C's own, folded at load and evaluated on a motion */
static void test_functions(void **state) {
  (void)state;
  const double a = 0.3, b = 1.1, n = -0.7;
  const struct {
    const char *known, *motion;
    double want;
  } cases[] = {
      {"sin(0.3)", "sin(q1)", sin(a)},
      {"cos(0.3)", "cos(q1)", cos(a)},
      {"tan(0.3)", "tan(q1)", tan(a)},
      {"asin(0.3)", "asin(q1)", asin(a)},
      {"acos(0.3)", "acos(q1)", acos(a)},
      {"atan(0.3)", "atan(q1)", atan(a)},
      {"atan2(0.3, -0.7)", "atan2(q1, q2)", atan2(a, n)},
      {"sinh(0.3)", "sinh(q1)", sinh(a)},
      {"cosh(0.3)", "cosh(q1)", cosh(a)},
      {"tanh(0.3)", "tanh(q1)", tanh(a)},
      {"exp(0.3)", "exp(q1)", exp(a)},
      {"log(0.3)", "log(q1)", log(a)},
      {"sqrt(0.3)", "sqrt(q1)", sqrt(a)},
      {"abs(-0.7)", "abs(q2)", 0.7},
      {"sign(-0.7)", "sign(q2)", -1},
      {"sign(0.3)", "sign(q1)", 1},
      {"min(0.3, -0.7)", "min(q1, q2)", n},
      {"min(-0.7, 0.3)", "min(q2, q1)", n},
      {"max(0.3, -0.7)", "max(q1, q2)", a},
      {"max(-0.7, 1.1)", "max(q2, q3)", b},
      {"pow(1.1, 0.3)", "pow(q3, q1)", pow(b, a)},
      {"pow(1.1, 3)", "q3 ** 3", pow(b, 3)},
  };
  for (int i = 0; i < RBV_COUNT(cases); i++)
    for (int motion = 0; motion < 2; motion++) {
      const char *formula = motion ? cases[i].motion : cases[i].known;
      rbv_model *m = with_formula(formula);
      if (eval(m, 0) != cases[i].want) print_error("%s\n", formula);
      assert_true(eval(m, 0) == cases[i].want);
      // a value that is known at load time needs one instruction
      if (!motion) assert_int_equal(m->expression[0].count, 1);
      rbv_model_free(m);
    }
}

/* sign(0) is 0; undefined values are NaN, and no function hides them */
static void test_values_that_are_none(void **state) {
  (void)state;
  static const char *const none[] = {"sqrt(q2)",         "log(q2)",          "asin(q3)",
                                     "min(sqrt(q2), 1)", "min(1, sqrt(q2))", "max(sqrt(q2), 1)",
                                     "max(1, sqrt(q2))", "sign(sqrt(q2))",   "0 * sqrt(q2)"};
  for (int i = 0; i < RBV_COUNT(none); i++) {
    rbv_model *m = with_formula(none[i]);
    assert_true(isnan(eval(m, 0)));
    rbv_model_free(m);
  }
  rbv_model *m = with_formula("sign(q1 - q1)");
  assert_true(eval(m, 0) == 0);
  rbv_model_free(m);
}

static const char full[] = JOINTS
    "columns:\n"
    "  - name: spring\n"
    "    unit: N m/rad\n"
    "    terms: [{joint: 1, expression: q1-q3}, {joint: slide, expression: q3-q1}]\n"
    "  - name: kcb\n"
    "    unit: N m\n"
    "    joint: 2\n"
    "    side: motor\n"
    "    constants: {D: 0.8, k: D/4, A: pi/4*(k^2 - 0.03^2)}\n"
    "    let:\n"
    "      delta: q2 + 5*pi/180\n"
    "      same: delta\n"
    "      five: 4 + 1\n"
    "      l: >\n"
    "        sqrt(D^2 + k^2\n"
    "             - 2*D*k*cos(same))\n"
    "    expression: A*D*k*sin(delta)/l * five\n"
    "parameters: {spring: 3, kcb: 4}\n";

static void test_a_model_with_columns(void **state) {
  (void)state;
  rbv_model_options options = rbv_model_defaults();
  options.payload = true;
  options.sensing = RBV_SENSING_BOTH;
  rbv_model *m;
  assert_ok(rbv_model_parse(&m, "robot.yaml", full, strlen(full), &options));
  // after the drives, before the payload
  const int spring = 3 * 14, kcb = spring + 1;
  assert_int_equal(rbv_model_column_count(m), 3 * 14 + 2 + 10);
  assert_int_equal(rbv_model_find(m, "spring"), spring);
  assert_int_equal(rbv_model_find(m, "kcb"), kcb);
  assert_int_equal(rbv_model_find(m, "kcbR"), kcb);
  const rbv_column *c = rbv_model_column(m, spring);
  assert_string_equal(c->unit, "N m/rad");
  assert_int_equal(c->basis, RBV_BASIS_EXPRESSION);
  assert_int_equal(c->side, RBV_SIDE_LINK);
  assert_int_equal(c->joint, 0);
  assert_int_equal(c->component, -1);
  c = rbv_model_column(m, kcb);
  assert_string_equal(c->unit, "N m");
  assert_int_equal(c->side, RBV_SIDE_MOTOR);
  assert_int_equal(c->joint, 1);
  assert_true(rbv_model_parameters(m)[spring] == 3 && rbv_model_parameters(m)[kcb] == 4);

  // motor rows include both sides, joint rows the link side
  const bool acts[6][2] = {{1, 0}, {0, 1}, {1, 0}, {1, 0}, {0, 0}, {1, 0}};
  for (int r = 0; r < 6; r++) {
    const rbv_row *row = rbv_model_row(m, r);
    bool found[2] = {0};
    for (int k = 0; k < row->count; k++) {
      found[0] = found[0] || row->columns[k] == spring;
      found[1] = found[1] || row->columns[k] == kcb;
    }
    assert_memory_equal(found, acts[r], sizeof found);
  }

  assert_true(eval(m, 0) == 0.3 - 1.1 && eval(m, 1) == 1.1 - 0.3);
  const double D = 0.8, k = D / 4, A = PI / 4 * (k * k - 0.03 * 0.03), delta = -0.7 + 5 * PI / 180;
  const double l = sqrt(D * D + k * k - 2 * D * k * cos(delta));
  // constants are multiplied in another order: about ten roundings
  assert_near(eval(m, 2), A * D * k * sin(delta) / l * 5, 0, 1e-15);
  for (int i = 0; i < 3; i++) assert_false(m->expression[i].uses_ddq);
  rbv_model_free(m);

  m = with_formula("q1 + 0*ddq2");
  assert_true(m->expression[0].uses_ddq);
  rbv_model_free(m);
  m = parse(JOINTS "columns: []\n");
  assert_int_equal(rbv_model_column_count(m), 3 * 14);
  rbv_model_free(m);
}

/* ---- refusals ---- */

/* line 2 of the file; the formula begins in column 55, behind its quote */
#define FORMULA(text) JOINTS "columns: [{name: x, unit: N m, joint: 1, expression: \"" text "\"}]\n"
#define COLUMN(text) JOINTS "columns: [{name: x, unit: N m, joint: 1, " text "}]\n"
#define AT(column) "robot.yaml:2:" #column ": "

static const struct {
  const char *text, *message;
} bad[] = {
    // formulas
    {FORMULA(""), AT(55) "expected a value, found the end"},
    {FORMULA("q1 +"), AT(59) "expected a value, found the end"},
    {FORMULA("q1 + * 2"), AT(60) "expected a value, found '*'"},
    {FORMULA("(q1 + 2"), AT(55) "this '(' is never closed"},
    {FORMULA("1 + (q1 + (2)"), AT(59) "this '(' is never closed"},
    {FORMULA("q1 + 2)"), AT(61) "this ')' was never opened"},
    {FORMULA("(q1 q2)"), AT(59) "expected an operator or ')', found 'q2'"},
    {FORMULA("2q1"), AT(56) "expected an operator, found 'q1'"},
    {FORMULA("q1 % 2"), AT(58) "expected an operator, found '%'"},
    {FORMULA("q1 \u00b7 2"), AT(58) "expected an operator, found '\u00b7'"},
    {FORMULA("q1*()"), AT(59) "expected a value, found ')'"},
    {FORMULA("0x10"), AT(56) "expected an operator, found 'x10'"},
    {FORMULA("1.2.3"), AT(58) "expected an operator, found '.'"},
    {FORMULA("1e999"), AT(55) "this is not a finite number"},
    {FORMULA("2*qq"), AT(57) "'qq' is not known: it is neither q, dq or ddq of a joint nor"},
    {FORMULA("2*dddq1"), AT(57) "'dddq1' is not known"},
    {FORMULA("2*sin + 1"), AT(57) "'sin' is a function: write sin(...)"},
    {FORMULA("sine(q1)"), AT(55) "there is no function 'sine'; there are sin cos tan"},
    {FORMULA("1 + sin()"), AT(59) "sin takes 1 argument, found 0"},
    {FORMULA("1 + sin(q1, q2)"), AT(59) "sin takes 1 argument, found 2"},
    {FORMULA("1 + atan2(q1)"), AT(59) "atan2 takes 2 arguments, found 1"},
    {FORMULA("max(q1, q2, q3)"), AT(55) "max takes 2 arguments, found 3"},
    {FORMULA("max(q1, )"), AT(63) "expected a value, found ')'"},
    {FORMULA("max(q1 q2)"), AT(62) "expected an operator, ',' or ')', found 'q2'"},
    {FORMULA("max(q1, q2"), AT(58) "this '(' is never closed"},
    {FORMULA("1 + q4"), AT(59) "there is no joint '4'; the robot has 3 moving joints"},
    {FORMULA("1 + q0"), AT(59) "there is no joint '0'"},
    {FORMULA("dq99999999999"), AT(55) "there is no joint '99999999999'"},
    {FORMULA("1 + dq[elbow]"), AT(59) "there is no joint 'elbow'; the robot has 3 moving joints"},
    {FORMULA("q[turn"), AT(56) "this '[' is never closed"},
    {FORMULA("1 + dq"), AT(59) "'dq' of which joint? Write dq1 or dq[name]"},
    {FORMULA("q1 + 1/0"), AT(61) "this is not a finite number"},
    {FORMULA("q1 + sqrt(-1)"), AT(60) "this is not a finite number"},
    {FORMULA("10^400*q1"), AT(57) "this is not a finite number"},
    // escapes and folded lines: the place of the text itself
    {FORMULA("q1\\t+ x"), AT(54) "'x' is not known"},
    {JOINTS
     "columns:\n - name: x\n   unit: N m\n   joint: 1\n   expression: >\n      1 +\n      x\n",
     "robot.yaml:6:16: 'x' is not known"},
    {JOINTS "columns:\n - name: x\n   unit: N m\n   joint: 1\n   expression: 1 + x\n",
     "robot.yaml:6:20: 'x' is not known"},
    // constants and let
    {COLUMN("constants: {a: b, b: 1}, expression: a"), AT(57) "'b' is not known"},
    {COLUMN("constants: {a: 1/0}, expression: a"), AT(58) "this is not a finite number"},
    {COLUMN("constants: {a: 2*q1}, expression: a"),
     AT(57) "constant 'a' depends on the motion: put it under let"},
    {COLUMN("constants: {pi: 3}, expression: pi"), AT(58) "'pi' is a reserved name"},
    {COLUMN("constants: {sin: 3}, expression: pi"), AT(59) "'sin' is a reserved name"},
    {COLUMN("constants: {q7: 3}, expression: pi"), AT(58) "'q7' is a reserved name"},
    {COLUMN("let: {dq: 3}, expression: pi"), AT(52) "'dq' is a reserved name"},
    {COLUMN("constants: {a: 1}, let: {a: q1}, expression: a"), AT(70) "'a' is given twice"},
    {COLUMN("let: {a: c, c: q1}, expression: a"), AT(51) "'c' is not known"},
    {COLUMN("let: {2a: q1}, expression: a"), AT(52) "'2a' cannot be a name"},
    {COLUMN("let: {a-b: q1}, expression: a"), AT(53) "'a-b' cannot be a name"},
    {COLUMN("let: [q1], expression: q1"), AT(47) "let must be a map from names to formulas"},
    {COLUMN("constants: 5, expression: q1"), AT(53) "constants must be a map"},
    {COLUMN("constants: {a: [1]}, expression: a"), AT(57) "expected a string, found a list"},
    // the column
    {JOINTS "columns: {}\n", AT(10) "columns must be a list"},
    {JOINTS "columns: [x]\n", AT(11) "expected a map"},
    {JOINTS "columns: [{nam: x}]\n", AT(12) "unknown key 'nam'; the nearest known one is 'name'"},
    {JOINTS "columns: [{name: x}]\n", AT(11) "a column needs a name and a unit"},
    {JOINTS "columns: [{unit: x}]\n", AT(11) "a column needs a name and a unit"},
    {JOINTS "columns: [{name: x y, unit: N m}]\n", AT(18) "'x y' cannot be a name"},
    {JOINTS "columns: [{name: x, unit: N m}]\n", AT(11) "a column needs joint and expression, or"},
    {JOINTS "columns: [{name: x, unit: N m, joint: 1}]\n", AT(11) "a column needs joint and"},
    {JOINTS "columns: [{name: x, unit: N m, expression: 1}]\n", AT(11) "a column needs joint and"},
    {JOINTS "columns: [{name: x, unit: N m, joint: 4, expression: 1}]\n",
     AT(39) "there is no joint '4'; the robot has 3 moving joints"},
    {JOINTS "columns: [{name: x, unit: N m, joint: elbow, expression: 1}]\n",
     AT(39) "there is no joint 'elbow'"},
    {COLUMN("side: sensor, expression: 1"),
     AT(48) "side 'sensor' is not known: it can be link or motor"},
    {COLUMN("terms: [{joint: 1, expression: 1}]"),
     AT(11) "give either joint and expression, or terms"},
    {JOINTS "columns: [{name: x, unit: N m, terms: []}]\n", AT(39) "terms must be a list of joint"},
    {JOINTS "columns: [{name: x, unit: N m, terms: [{joint: 1}]}]\n",
     AT(40) "a column needs joint and expression"},
    {JOINTS "columns: [{name: x, unit: N m, terms: [{joint: 1, side: link}]}]\n",
     AT(51) "unknown key 'side'"},
    {JOINTS "columns: [{name: x, unit: m, terms: [{joint: 1, expression: 1},\n"
            "  {joint: turn, expression: 1}]}]\n",
     "robot.yaml:3:11: column 'x' has two terms for joint 1: add them up"},
    // names that exist already
    {JOINTS "columns: [{name: Fv2, unit: N m, joint: 1, expression: 1}]\n",
     AT(18) "the robot has a column 'Fv2' already"},
    {JOINTS "columns: [{name: ZZ1R, unit: N m, joint: 1, expression: 1}]\n",
     AT(18) "'ZZ1R' and 'ZZ1' cannot both be columns: a name that ends in R is the base parameter "
            "of"},
    {JOINTS "columns: [{name: ML, unit: N m, joint: 1, expression: 1}]\n",
     AT(18) "the robot has a column 'ML' already"},
    {JOINTS "columns: [{name: x, unit: m, joint: 1, expression: 1},\n"
            "  {name: x, unit: m, joint: 2, expression: 1}]\n",
     "robot.yaml:3:10: the robot has a column 'x' already"},
    {JOINTS "columns: [{name: xR, unit: m, joint: 1, expression: 1},\n"
            "  {name: x, unit: m, joint: 2, expression: 1}]\n",
     "robot.yaml:3:10: 'x' and 'xR' cannot both be columns: a name that ends in R"},
};

static void refuse(const char *text, const char *message) {
  rbv_model *m = (rbv_model *)(uintptr_t)1;
  const rbv_status status = rbv_model_parse(&m, "robot.yaml", text, strlen(text), NULL);
  if (status != RBV_EINPUT || !strstr(rbv_message(), message)) print_error("case: %s\n", text);
  assert_refused(status, RBV_EINPUT, message);
  assert_null(m);
}

static void test_refusals(void **state) {
  (void)state;
  for (int i = 0; i < RBV_COUNT(bad); i++) refuse(bad[i].text, bad[i].message);
}

/* a formula that opens and closes count times around its middle */
static void refuse_formula(const char *open, int count, const char *middle, const char *close,
                           const char *message) {
  rbv_text t = {0};
  rbv_text_put(&t, JOINTS "columns: [{name: x, unit: N m, joint: 1, expression: \"");
  for (int i = 0; i < count; i++) rbv_text_put(&t, open);
  rbv_text_put(&t, middle);
  for (int i = 0; i < count; i++) rbv_text_put(&t, close);
  rbv_text_put(&t, "\"}]\n");
  refuse(rbv_text_string(&t), message);
  rbv_text_free(&t);
}

static void test_absurd_sizes(void **state) {
  (void)state;
  refuse_formula("(", 64, "q1", ")", AT(119) "the formula is nested deeper than 64");
  refuse_formula("-", 1000, "q1", "", AT(119) "the formula is nested deeper than 64");
  refuse_formula("2^", 1000, "q1", "", AT(183) "the formula is nested deeper than 64");
  refuse_formula("sin(", 500, "q1", ")", "the formula is nested deeper than 64");
  refuse_formula("q1+", 1400, "q1", "",
                 AT(54) "the formula has 4202 characters; the limit is 4096");
  // two intermediate values at each bracket
  refuse_formula("q1+q1*(", 50, "q1", ")", "the formula needs more than 96 intermediate values");
  refuse_formula("x", 64, "", "", AT(55) "a name has at most 63 characters");
  refuse_formula("1", 64, "", "", AT(55) "this is not a finite number");

  rbv_text t = {0};
  rbv_text_put(&t, JOINTS "columns:\n - {name: x, unit: N m, joint: 1, expression: 1,\n    let: {");
  for (int i = 0; i < 65; i++) rbv_text_print(&t, "%sv%d: 1", i ? ", " : "", i);
  rbv_text_put(&t, "}}\n");
  refuse(rbv_text_string(&t), "more than 64 constants and lets are not allowed");
  rbv_text_free(&t);
  rbv_text_put(&t, JOINTS "columns:\n");
  for (int i = 0; i < 101; i++)
    rbv_text_print(&t, " - {name: x%d, unit: N m, joint: 1, expression: 1}\n", i);
  refuse(rbv_text_string(&t), "robot.yaml:3:2: 101 columns; the limit is 100");
  rbv_text_free(&t);
}

/* values just below the limits are accepted */
static void test_large_formulas(void **state) {
  (void)state;
  rbv_text t = {0};
  for (int i = 0; i < 63; i++) rbv_text_put(&t, "(");
  rbv_text_put(&t, "q1");
  for (int i = 0; i < 63; i++) rbv_text_put(&t, ")");
  rbv_model *m = with_formula(rbv_text_string(&t));
  assert_true(eval(m, 0) == 0.3);
  rbv_model_free(m);
  rbv_text_free(&t);

  // 0.3 + 0.3 * (0.3 + 0.3 * (...)), 47 levels: 95 intermediate values
  double want = 0.3;
  for (int i = 0; i < 47; i++) rbv_text_put(&t, "q1+q1*(");
  rbv_text_put(&t, "q1");
  for (int i = 0; i < 47; i++) rbv_text_put(&t, ")");
  for (int i = 0; i < 47; i++) want = 0.3 + 0.3 * want;
  m = with_formula(rbv_text_string(&t));
  assert_true(eval(m, 0) == want);
  assert_int_equal(m->nregister, 95);
  rbv_model_free(m);
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

static void test_each_allocation_may_fail(void **state) {
  (void)state;
  char text[sizeof full];
  memcpy(text, full, sizeof full);
  fail_each_allocation(load_and_free, text);
  // a program that grows
  char longer[] = FORMULA("q1+q2+q3+q1+q2+q3+q1+q2+q3+q1+q2+q3+q1+q2+q3+q1+q2+q3+q1+q2+q3");
  fail_each_allocation(load_and_free, longer);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_formulas),
      cmocka_unit_test(test_functions),
      cmocka_unit_test(test_values_that_are_none),
      cmocka_unit_test(test_a_model_with_columns),
      cmocka_unit_test(test_refusals),
      cmocka_unit_test(test_absurd_sizes),
      cmocka_unit_test(test_large_formulas),
      cmocka_unit_test(test_each_allocation_may_fail),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
