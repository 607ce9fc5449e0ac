/* The command: exit codes, text output and JSON. */
#include "simulate.h"

#include "document/document.h"
#include "tool.h"

/* a recording of the TX40 as a file in the test's directory, with one defect */
static void save(const char *name, defect what) {
  rbv_model *robots[ROBOTS];
  for (int i = 0; i < ROBOTS; i++) robots[i] = load_robot(i);
  defect_info info;
  rbv_log *log = make_log(&info, robots, 0, false, what, 5);
  assert_ok(rbv_log_save(log, temp_file(name, NULL)));
  rbv_log_free(log);
  for (int i = 0; i < ROBOTS; i++) rbv_model_free(robots[i]);
}

static const char *text_of(const rbv_node *map, const char *key) {
  return rbv_node_text(rbv_node_find(map, key));
}

static void test_clean_log_exits_0(void **state) {
  (void)state;
  save("clean.csv", CLEAN);
  char *text = tool_text("check tx40 clean.csv");
  assert_non_null(strstr(text, "no errors were found"));
  assert_non_null(strstr(text, "identify 60 of the 60 base parameters"));
  assert_non_null(strstr(text, "not identifiable from any motion (11): XX1"));
  free(text);
  text = tool_text("check tx40 clean.csv -v");
  assert_non_null(strstr(text, "ZZ1R"));
  free(text);
}

static void test_defect_exits_1_and_json_says_why(void **state) {
  (void)state;
  save("degrees.csv", DEGREES);
  outcome o = tool("check tx40 degrees.csv --json");
  assert_int_equal(o.code, 1);
  rbv_document *doc = NULL;
  assert_ok(rbv_document_parse(&doc, "json", o.out, strlen(o.out)));
  const rbv_node *root = rbv_document_root(doc);
  assert_string_equal(text_of(root, "schema"), "roberval.check/1");
  assert_string_equal(text_of(root, "unwise"), "true");
  const rbv_node *first = rbv_node_at(rbv_node_find(root, "findings"), 0);
  assert_string_equal(text_of(first, "code"), "degrees");
  assert_string_equal(text_of(first, "severity"), "error");
  assert_true(rbv_node_is_null(rbv_node_find(first, "joint")));
  assert_string_equal(text_of(rbv_node_find(root, "identifiability"), "known"), "false");
  rbv_document_free(doc);
  outcome_free(&o);
}

static void test_json_of_a_clean_log(void **state) {
  (void)state;
  save("clean.csv", CLEAN);
  rbv_document *doc = tool_json("check tx40 clean.csv --json");
  const rbv_node *root = rbv_document_root(doc), *table = rbv_node_find(root, "identifiability");
  assert_int_equal(rbv_node_count(rbv_node_find(table, "base")), 60);
  assert_int_equal(rbv_node_count(rbv_node_find(table, "parameters")), 86);
  const rbv_node *input = rbv_node_at(rbv_node_find(root, "inputs"), 0);
  assert_int_equal(strlen(text_of(input, "sha256")), 64);
  assert_string_equal(text_of(input, "loaded"), "false");
  rbv_document_free(doc);
}

/* the option that corrects a delay, and its value */
static void test_option_of_a_finding(void **state) {
  (void)state;
  save("late.csv", DELAYED);
  outcome o = tool("check tx40 late.csv");
  assert_non_null(strstr(o.out, " (--delay "));
  outcome_free(&o);
  o = tool("check tx40 late.csv --json");
  rbv_document *doc = NULL;
  assert_ok(rbv_document_parse(&doc, "json", o.out, strlen(o.out)));
  const rbv_node *list = rbv_node_find(rbv_document_root(doc), "findings");
  double delay = NAN, value = NAN;
  for (int i = 0; i < rbv_node_count(list); i++) {
    const rbv_node *f = rbv_node_at(list, i);
    if (strcmp(text_of(f, "code"), "delay") != 0) continue;
    assert_string_equal(text_of(f, "option"), "delay");
    delay = strtod(text_of(f, "option_value"), NULL);
    assert_ok(rbv_node_real(&value, rbv_node_find(f, "value")));
  }
  // printed with four digits
  assert_near(delay, value, 0, 1e-3);
  rbv_document_free(doc);
  outcome_free(&o);
}

/* a payload needs a recording with it and one without */
static void test_payload_needs_a_loaded_log(void **state) {
  (void)state;
  save("clean.csv", CLEAN);
  char *text = tool_text("check tx40 clean.csv --payload -q");
  assert_non_null(strstr(text, "not identifiable from these motions (10): XXL"));
  free(text);
  text = tool_text("check tx40 clean.csv --payload --loaded clean.csv -q");
  assert_null(strstr(text, "not identifiable from these motions"));
  free(text);
}

static void test_wrong_usage_and_bad_input(void **state) {
  (void)state;
  tool_refuses(2, "missing", "check tx40");
  tool_refuses(2, "--tolerance needs a number above 0", "check tx40 x.csv --tolerance 3");
  tool_refuses(2, "--payload", "check tx40 x.csv --loaded y.csv");
  tool_refuses(3, "nonexistent.csv", "check tx40 nonexistent.csv");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_clean_log_exits_0),
      cmocka_unit_test(test_defect_exits_1_and_json_says_why),
      cmocka_unit_test(test_json_of_a_clean_log),
      cmocka_unit_test(test_option_of_a_finding),
      cmocka_unit_test(test_payload_needs_a_loaded_log),
      cmocka_unit_test(test_wrong_usage_and_bad_input),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
