/* All experiments: one row differs, the verdicts of docs/cli/reproduce.md on any processor, and the
 * same numbers on one thread and on two. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "reproduced.h"
#include "tool.h"

/* models A to D: counts and relations; nothing differs */
static void test_lwr(void **state) {
  (void)state;
  rbv_document *doc = tool_json("reproduce lwr --json -q");
  const rbv_node *rows = rows_of(doc, "lwr");
  static const char *const misprints[] = {"terms of Fcm1", "terms of XX4", "terms of ZZ4",
                                          "terms of MY4"};
  int models = 0, explained = 0;
  for (int i = 0; i < rbv_node_count(rows); i++) {
    const rbv_node *row = rbv_node_at(rows, i);
    check_row(row);
    const char *what = rbv_node_text(node_at(row, "what"));
    const bool agrees = same(row);
    if (strncmp(what, "base parameters, model", 22) == 0) models += agrees;
    if (strncmp(what, "Durbin-Watson", 13) == 0) assert_true(agrees);
    assert_false(verdict_is(row, "differs"));
    if (strncmp(what, "error of the payload's mass", 27) == 0) assert_true(agrees);
    for (int k = 0; k < 4; k++)
      explained += strncmp(what, misprints[k], strlen(misprints[k])) == 0 && !agrees;
  }
  assert_int_equal(models, 4);
  assert_int_equal(explained, 4);
  rbv_document_free(doc);
}

/* the row of docs/cli/reproduce.md with the numbers of verdicts and figures */
static void check_page(const rbv_node *root, int figures, bool recordings) {
  static const char *const verdict[] = {"agrees",  "recovered", "explained",
                                        "differs", "cannot",    "remark"};
  char row[128];
  int n = snprintf(row, sizeof row, "| %s |", recordings ? "with" : "without");
  for (int i = 0; i < 6; i++)
    n += snprintf(row + n, sizeof row - (size_t)n, " %.0f |", real_at(root, verdict[i]));
  snprintf(row + n, sizeof row - (size_t)n, " %d |", figures);
  char *page = read_text(ROBERVAL_SOURCE "/docs/cli/reproduce.md", NULL);
  if (!strstr(page, row)) fail_msg("docs/cli/reproduce.md has no row '%s'", row);
  free(page);
}

static const char open_question[] = "axes of the second half that PIV fits as well as IV";

/* a difference is exit code 1 */
static rbv_document *reproduced(const char *name, int code) {
  outcome o = tool("reproduce %s --threads 2 --json -q -o %s.html", name, name);
  assert_int_equal(o.code, code);
  rbv_document *doc;
  assert_ok(rbv_document_parse(&doc, name, o.out, strlen(o.out)));
  outcome_free(&o);
  return doc;
}

/* one statement that is known to differ, and the page has the numbers of verdicts */
static void test_all(void **state) {
  (void)state;
  const char *data = getenv("ROBERVAL_DATA");
  rbv_document *doc = reproduced("all", 1);
  const rbv_node *root = rbv_document_root(doc), *list = node_at(root, "experiments");
  assert_int_equal(rbv_node_count(list), 7);
  int figures = 0;
  for (int i = 0; i < 7; i++) {
    const rbv_node *one = rbv_node_at(list, i), *rows = node_at(one, "rows");
    for (int k = 0; k < rbv_node_count(rows); k++) {
      const rbv_node *row = rbv_node_at(rows, k);
      check_row(row);
      const char *what = rbv_node_text(node_at(row, "what"));
      if (verdict_is(row, "differs") && strcmp(what, open_question) != 0)
        fail_msg("'%s' differs", what);
    }
    // the first five need no recordings
    if (i < 5) assert_true(real_at(one, "agrees") > 0 && real_at(one, "recovered") > 0);
    figures += rbv_node_count(node_at(one, "figures"));
  }
  assert_true(real_at(root, "cannot") <= 45);
  check_page(root, figures, data && access(data, R_OK) == 0);
  rbv_document_free(doc);
}

/* searches and searched motions depend on rounding, verdicts do not: another kernel of OpenBLAS */
static void test_verdicts_do_not_depend_on_the_kernel(void **state) {
  (void)state;
  static const char *const name[] = {"piv", "coupling"};
  for (int i = 0; i < 2; i++) {
    const int code = i == 0 ? 1 : 0;  // piv has the open question
    rbv_document *own = reproduced(name[i], code);
    assert_int_equal(setenv("OPENBLAS_CORETYPE", "Nehalem", 1), 0);
    rbv_document *other = reproduced(name[i], code);
    assert_int_equal(unsetenv("OPENBLAS_CORETYPE"), 0);
    const rbv_node *a = rows_of(own, name[i]), *b = rows_of(other, name[i]);
    assert_int_equal(rbv_node_count(a), rbv_node_count(b));
    for (int k = 0; k < rbv_node_count(a); k++)
      assert_string_equal(rbv_node_text(node_at(rbv_node_at(a, k), "verdict")),
                          rbv_node_text(node_at(rbv_node_at(b, k), "verdict")));
    rbv_document_free(own);
    rbv_document_free(other);
  }
}

static void test_searches_do_not_depend_on_threads(void **state) {
  (void)state;
  outcome one = tool("reproduce coupling --json -q --threads 1");
  outcome two = tool("reproduce coupling --json -q --threads 2");
  assert_string_equal(one.out, two.out);
  outcome_free(&one);
  outcome_free(&two);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_lwr),
      cmocka_unit_test(test_all),
      cmocka_unit_test(test_verdicts_do_not_depend_on_the_kernel),
      cmocka_unit_test(test_searches_do_not_depend_on_threads),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
