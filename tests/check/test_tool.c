/* The command: exit codes, words and JSON. */
#include "simulate.h"

#include <roberval/doc.h>
#include <sys/wait.h>

static int run(char *out, size_t size, const char *arguments) {
  char command[2048];
  snprintf(command, sizeof command, "%s check %s 2>/dev/null", ROBERVAL_TOOL, arguments);
  FILE *pipe = popen(command, "r");
  assert_non_null(pipe);
  out[fread(out, 1, size - 1, pipe)] = 0;
  const int status = pclose(pipe);
  assert_true(WIFEXITED(status));
  return WEXITSTATUS(status);
}

/* a recording of the TX40 as a file, with one defect */
static void save(char *file, size_t size, const char *name, defect what) {
  rbv_model *robots[ROBOTS];
  for (int i = 0; i < ROBOTS; i++) robots[i] = load_robot(i);
  deed did;
  rbv_log *log = make_log(&did, robots, 0, false, what, 5);
  snprintf(file, size, "%s", temp_file(name, NULL));
  assert_ok(rbv_log_save(log, file));
  rbv_log_free(log);
  for (int i = 0; i < ROBOTS; i++) rbv_model_free(robots[i]);
}

static char text[400000];

static void test_clean_log_exits_0(void **state) {
  (void)state;
  char file[256], arguments[512];
  save(file, sizeof file, "clean.csv", CLEAN);
  snprintf(arguments, sizeof arguments, "tx40 %s", file);
  assert_int_equal(run(text, sizeof text, arguments), 0);
  assert_non_null(strstr(text, "nothing wrong was found"));
  assert_non_null(strstr(text, "identify 60 of the 60 base parameters"));
  assert_non_null(strstr(text, "not by any motion (11): XX1"));
}

static void test_defect_exits_1_and_json_says_why(void **state) {
  (void)state;
  char file[256], arguments[512];
  save(file, sizeof file, "degrees.csv", DEGREES);
  snprintf(arguments, sizeof arguments, "tx40 %s --json", file);
  assert_int_equal(run(text, sizeof text, arguments), 1);
  rbv_doc *doc = NULL;
  assert_ok(rbv_doc_parse(&doc, "json", text, strlen(text)));
  const rbv_node *root = rbv_doc_root(doc);
  assert_string_equal(rbv_node_text(rbv_node_find(root, "schema")), "roberval.check/1");
  assert_string_equal(rbv_node_text(rbv_node_find(root, "unwise")), "true");
  const rbv_node *first = rbv_node_at(rbv_node_find(root, "findings"), 0);
  assert_string_equal(rbv_node_text(rbv_node_find(first, "code")), "degrees");
  assert_string_equal(rbv_node_text(rbv_node_find(first, "severity")), "error");
  assert_true(rbv_node_is_null(rbv_node_find(first, "joint")));
  const rbv_node *table = rbv_node_find(root, "identifiability");
  assert_string_equal(rbv_node_text(rbv_node_find(table, "known")), "false");
  rbv_doc_free(doc);
}

static void test_json_of_a_clean_log(void **state) {
  (void)state;
  char file[256], arguments[512];
  save(file, sizeof file, "clean.csv", CLEAN);
  snprintf(arguments, sizeof arguments, "tx40 %s --json", file);
  assert_int_equal(run(text, sizeof text, arguments), 0);
  rbv_doc *doc = NULL;
  assert_ok(rbv_doc_parse(&doc, "json", text, strlen(text)));
  const rbv_node *root = rbv_doc_root(doc), *table = rbv_node_find(root, "identifiability");
  assert_int_equal(rbv_node_count(rbv_node_find(table, "base")), 60);
  assert_int_equal(rbv_node_count(rbv_node_find(table, "parameters")), 86);
  const rbv_node *input = rbv_node_at(rbv_node_find(root, "inputs"), 0);
  assert_int_equal(strlen(rbv_node_text(rbv_node_find(input, "sha256"))), 64);
  rbv_doc_free(doc);
}

static void test_wrong_usage_and_bad_input(void **state) {
  (void)state;
  assert_int_equal(run(text, sizeof text, "tx40"), 2);
  assert_int_equal(run(text, sizeof text, "tx40 x.csv --tolerance 3"), 2);
  assert_int_equal(run(text, sizeof text, "tx40 /nonexistent.csv"), 3);
  assert_int_equal(run(text, sizeof text, "no-such-robot x.csv"), 3);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_clean_log_exits_0),
      cmocka_unit_test(test_defect_exits_1_and_json_says_why),
      cmocka_unit_test(test_json_of_a_clean_log),
      cmocka_unit_test(test_wrong_usage_and_bad_input),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
