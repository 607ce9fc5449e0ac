#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "document/document.h"

#include "base/support.h"
#include "support.h"

static rbv_document *parsed(const char *text) {
  rbv_document *doc = NULL;
  assert_ok(rbv_document_parse(&doc, "arm.yaml", text, strlen(text)));
  return doc;
}

/* parse a document that consists of one scalar */
static rbv_status real_of(double *out, const char *text) {
  rbv_document *doc = parsed(text);
  const rbv_status status = rbv_node_real(out, rbv_document_root(doc));
  rbv_document_free(doc);
  return status;
}

static rbv_status int_of(int *out, const char *text) {
  rbv_document *doc = parsed(text);
  const rbv_status status = rbv_node_int(out, rbv_document_root(doc));
  rbv_document_free(doc);
  return status;
}

static void assert_real(const char *text, double want) {
  double x = -99;
  assert_ok(real_of(&x, text));
  assert_true(x == want);
}

static void test_numbers(void **state) {
  (void)state;
  assert_real("0", 0);
  assert_real("-1.5", -1.5);
  assert_real("+2", 2);
  assert_real(".5", 0.5);
  assert_real("5.", 5);
  assert_real("1e3", 1000);
  assert_real("-2.5E-3", -2.5e-3);
  assert_real("010", 10);
  assert_real("4.9e-324", 4.9e-324);
  assert_real("1.7976931348623157e308", 1.7976931348623157e308);
  // in JSON an expression must be in quotes
  assert_real("\"pi/2\"", RBV_PI / 2);
  double x;
  assert_true(rbv_real_parse(&x, "-0") && x == 0 && signbit(x));
}

static void test_multiples_of_pi(void **state) {
  (void)state;
  assert_real("pi", RBV_PI);
  assert_real("-pi", -RBV_PI);
  assert_real("+pi", RBV_PI);
  assert_real("pi/2", RBV_PI / 2);
  assert_real("-pi/2", -RBV_PI / 2);
  assert_real("3*pi/4", 3 * RBV_PI / 4);
  assert_real("-3*pi/4", -3 * RBV_PI / 4);
  assert_real("0.5*pi", 0.5 * RBV_PI);
  assert_real("pi*2", RBV_PI * 2);
  assert_real("3 * pi / 4", 3 * RBV_PI / 4);
}

static void test_invalid_numbers_are_refused(void **state) {
  (void)state;
  const char *const texts[] = {
      "nan", ".nan",  "inf",    ".inf",  "-inf",     "infinity", "0x10", "0x1p3", "1,5",  "1.5 kg",
      "1e",  "1e400", "-1e400", "1_000", ".",        "e5",       "+-1",  "1.2.3", "pi/0", "2pi",
      "pi2", "pi/",   "pi/pi",  "*pi",   "1e308*pi", "RBV_PI",   "1/2",  "--pi"};
  for (int i = 0; i < RBV_COUNT(texts); i++) {
    double x = 7;
    char quoted[32];
    snprintf(quoted, sizeof quoted, "'%s'", texts[i]);
    assert_refused(real_of(&x, quoted), RBV_EINPUT,
                   "arm.yaml:1:1: expected a finite number, found '");
    assert_non_null(strstr(rbv_message(), quoted));
    assert_true(x == 7);
    assert_false(rbv_real_parse(&x, texts[i]));
  }
  double x;
  assert_refused(real_of(&x, "[1]"), RBV_EINPUT,
                 "arm.yaml:1:1: expected a finite number, found a list");
  assert_refused(real_of(&x, "{a: 1}"), RBV_EINPUT, "expected a finite number, found a map");
  assert_refused(real_of(&x, "~"), RBV_EINPUT, "expected a finite number, found nothing");
  assert_refused(rbv_node_real(&x, NULL), RBV_EINPUT,
                 "expected a finite number, but there is no value");
}

static void test_real_parse_refuses_pi_and_blanks(void **state) {
  (void)state;
  double x = 7;
  assert_false(rbv_real_parse(&x, "pi"));
  assert_false(rbv_real_parse(&x, " 1"));
  assert_false(rbv_real_parse(&x, "1 "));
  assert_false(rbv_real_parse(&x, ""));
  assert_false(rbv_real_parse(&x, NULL));
  assert_true(x == 7);
  assert_true(rbv_real_parse(&x, "1.25") && x == 1.25);
}

static void test_locale_with_decimal_comma_has_no_effect(void **state) {
  (void)state;
  comma_locale_begin();
  assert_true(strtod("0,5", NULL) == 0.5);
  assert_real("0.5", 0.5);
  assert_real("0.5*pi", 0.5 * RBV_PI);
  double x;
  assert_refused(real_of(&x, "0,5"), RBV_EINPUT, "found '0,5'");
  // the locale of the caller is unchanged
  assert_true(strtod("0,5", NULL) == 0.5);
  comma_locale_end();
}

static void test_whole_numbers(void **state) {
  (void)state;
  int n;
  assert_ok(int_of(&n, "-12"));
  assert_int_equal(n, -12);
  assert_ok(int_of(&n, "+0012"));
  assert_int_equal(n, 12);
  assert_ok(int_of(&n, "2147483647"));
  assert_int_equal(n, INT_MAX);
  assert_ok(int_of(&n, "-2147483648"));
  assert_int_equal(n, INT_MIN);
  assert_refused(int_of(&n, "2147483648"), RBV_EINPUT,
                 "expected a whole number, found '2147483648'");
  assert_refused(int_of(&n, "-2147483649"), RBV_EINPUT, "expected a whole number");
  assert_refused(int_of(&n, "99999999999999999999999"), RBV_EINPUT, "expected a whole number");
  assert_refused(int_of(&n, "1.0"), RBV_EINPUT,
                 "arm.yaml:1:1: expected a whole number, found '1.0'");
  assert_refused(int_of(&n, "'-'"), RBV_EINPUT, "found '-'");
  assert_refused(int_of(&n, "0x10"), RBV_EINPUT, "found '0x10'");
  assert_refused(int_of(&n, "''"), RBV_EINPUT, "found ''");
  assert_refused(int_of(&n, "[]"), RBV_EINPUT, "found a list");
}

static void test_booleans_strings_and_null(void **state) {
  (void)state;
  rbv_document *doc =
      parsed("- true\n- false\n- yes\n- 'true'\n- null\n- ~\n-\n- 'null'\n- ''\n- 5\n");
  const rbv_node *root = rbv_document_root(doc);
  bool b;
  const char *s;
  assert_ok(rbv_node_bool(&b, rbv_node_at(root, 0)));
  assert_true(b);
  assert_ok(rbv_node_bool(&b, rbv_node_at(root, 1)));
  assert_false(b);
  assert_refused(rbv_node_bool(&b, rbv_node_at(root, 2)), RBV_EINPUT,
                 "arm.yaml:3:3: expected true or false, found 'yes'");
  assert_refused(rbv_node_bool(&b, rbv_node_at(root, 3)), RBV_EINPUT, "found 'true'");
  for (int i = 0; i < 10; i++)
    assert_int_equal(rbv_node_is_null(rbv_node_at(root, i)), i >= 4 && i <= 6);
  assert_false(rbv_node_is_null(root));
  assert_false(rbv_node_is_null(NULL));
  assert_refused(rbv_node_string(&s, rbv_node_at(root, 4)), RBV_EINPUT,
                 "expected a string, found nothing");
  assert_refused(rbv_node_string(&s, root), RBV_EINPUT, "expected a string, found a list");
  assert_ok(rbv_node_string(&s, rbv_node_at(root, 7)));
  assert_string_equal(s, "null");
  assert_ok(rbv_node_string(&s, rbv_node_at(root, 8)));
  assert_string_equal(s, "");
  assert_ok(rbv_node_string(&s, rbv_node_at(root, 9)));
  assert_string_equal(s, "5");
  rbv_document_free(doc);
}

static void test_lists_of_numbers(void **state) {
  (void)state;
  rbv_document *doc = parsed("ok: [1, pi/2, -3]\nshort: [1, 2]\nbad: [1, x, 3]\nno: 5\n");
  const rbv_node *root = rbv_document_root(doc);
  double v[3];
  assert_ok(rbv_node_reals(v, 3, rbv_node_find(root, "ok")));
  assert_true(v[0] == 1 && v[1] == RBV_PI / 2 && v[2] == -3);
  assert_refused(rbv_node_reals(v, 3, rbv_node_find(root, "short")), RBV_EINPUT,
                 "arm.yaml:2:8: expected a list of 3 numbers, found 2 entries");
  assert_refused(rbv_node_reals(v, 3, rbv_node_find(root, "bad")), RBV_EINPUT,
                 "arm.yaml:3:10: expected a finite number, found 'x'");
  assert_refused(rbv_node_reals(v, 3, rbv_node_find(root, "no")), RBV_EINPUT,
                 "arm.yaml:4:5: expected a list of 3 numbers, found '5'");
  assert_refused(rbv_node_reals(v, 3, NULL), RBV_EINPUT, "expected a list of 3 numbers, but");
  rbv_document_free(doc);
}

static void test_unknown_keys_are_refused_with_a_suggestion(void **state) {
  (void)state;
  const char *const known[] = {"mass", "com", "inertia", "friction", NULL};
  const char *const none[] = {NULL};
  rbv_document *doc = parsed("mass: 1\ninertai: 2\n");
  const rbv_node *root = rbv_document_root(doc);
  assert_refused(rbv_node_only_keys(root, known), RBV_EINPUT,
                 "arm.yaml:2:1: unknown key 'inertai'; the nearest known one is 'inertia'");
  assert_refused(rbv_node_only_keys(root, none), RBV_EINPUT,
                 "arm.yaml:1:1: unknown key 'mass'; no keys are allowed here");
  assert_refused(rbv_node_only_keys(rbv_node_at(root, 0), known), RBV_EINPUT,
                 "arm.yaml:1:7: expected a map, found '1'");
  assert_refused(rbv_node_only_keys(NULL, known), RBV_EINPUT, "expected a map");
  rbv_document_free(doc);
  // no similar key
  doc = parsed("mass: 1\ntorque: 2\n");
  assert_refused(rbv_node_only_keys(rbv_document_root(doc), known), RBV_EINPUT,
                 "arm.yaml:2:1: unknown key 'torque'; known keys: mass, com, inertia, friction");
  const char *many[102] = {NULL};
  for (int i = 0; i < 101; i++) many[i] = "abcdefgh";
  assert_refused(rbv_node_only_keys(rbv_document_root(doc), many), RBV_EINPUT, "abcdefgh, ...");
  rbv_document_free(doc);
  doc = parsed("{com: 1, friction: 2}");
  assert_ok(rbv_node_only_keys(rbv_document_root(doc), known));
  rbv_document_free(doc);
}

static void test_long_values_are_cut_between_characters(void **state) {
  (void)state;
  // 39 bytes, then a character of two bytes, which would cross the limit of 40
  const char *text = "'123456789012345678901234567890123456789\xc3\xa4 and more'";
  int n;
  assert_refused(int_of(&n, text), RBV_EINPUT,
                 "found '123456789012345678901234567890123456789...'");
  assert_refused(int_of(&n, "\"a\\nb\""), RBV_EINPUT, "found 'a b'");
  // a key longer than the part that is compared
  char key[201] = {0};
  memset(key, 'm', 200);
  rbv_document *doc = NULL;
  char line[256];
  snprintf(line, sizeof line, "{%s: 1}", key);
  assert_ok(rbv_document_parse(&doc, "n", line, strlen(line)));
  assert_refused(
      rbv_node_only_keys(rbv_document_root(doc), (const char *const[]){"x", "mmm", NULL}),
      RBV_EINPUT, "...'; known keys: x, mmm");
  rbv_document_free(doc);
}

/* the column of a byte is its column in the file, unless the file uses escapes or several lines */
static void test_columns_within_a_scalar(void **state) {
  (void)state;
  const struct {
    const char *text;
    ptrdiff_t offset;
    const char *place;
  } cases[] = {
      {"a: b + c", 4, "arm.yaml:1:8: here"},
      {"a: 'b + c'", 4, "arm.yaml:1:9: here"},
      {"a: \"b + c\"", 4, "arm.yaml:1:9: here"},
      {"a: \xc3\xa4 + c", 5, "arm.yaml:1:8: here"},  // a character of two bytes
      {"a: b", 99, "arm.yaml:1:5: here"},            // not beyond the end of the text
      {"a: \"b\\t+ c\"", 4, "arm.yaml:1:4: here"},
      {"a: 'it''s'", 4, "arm.yaml:1:4: here"},
      {"a: b +\n   c", 4, "arm.yaml:1:4: here"},
      {"a: |\n  b + c\n", 4, "arm.yaml:1:4: here"},
      {"a: [b]", 4, "arm.yaml:1:4: here"},
  };
  for (int i = 0; i < RBV_COUNT(cases); i++) {
    rbv_document *doc = parsed(cases[i].text);
    const rbv_node *node = rbv_node_find(rbv_document_root(doc), "a");
    assert_refused(rbv_node_fail_at(RBV_EINPUT, node, cases[i].offset, "h%s", "ere"), RBV_EINPUT,
                   cases[i].place);
    rbv_document_free(doc);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_numbers),
      cmocka_unit_test(test_multiples_of_pi),
      cmocka_unit_test(test_invalid_numbers_are_refused),
      cmocka_unit_test(test_real_parse_refuses_pi_and_blanks),
      cmocka_unit_test(test_locale_with_decimal_comma_has_no_effect),
      cmocka_unit_test(test_whole_numbers),
      cmocka_unit_test(test_booleans_strings_and_null),
      cmocka_unit_test(test_lists_of_numbers),
      cmocka_unit_test(test_unknown_keys_are_refused_with_a_suggestion),
      cmocka_unit_test(test_long_values_are_cut_between_characters),
      cmocka_unit_test(test_columns_within_a_scalar),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
