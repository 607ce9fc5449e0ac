/* All experiments with the differences that docs/cli/reproduce.md lists, and the same numbers on
 * one thread and on two. */
#include <stdlib.h>
#include <string.h>

#include "reproduced.h"
#include "tool.h"

/* rows that are known to differ, with the beginning of their names; the public recordings included
 */
static const char *const known[] = {
    "B predicts axis 5 better", "LS misses ZZ1 and ZZ3",
    "ZZ1, Brunot 2018, LS",     "ZZ2, Brunot 2018, LS",
    "Ia3, Brunot 2018, LS",     "axes of the second half that PIV fits as well as IV",
};

static bool is_known(const char *what) {
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (strncmp(what, known[i], strlen(known[i])) == 0) return true;
  return false;
}

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

static void test_all(void **state) {
  (void)state;
  outcome o = tool("reproduce all --threads 2 --json -q -o all.html");
  assert_int_equal(o.code, 1);
  rbv_document *doc = parse_json(o.out);
  const rbv_node *root = rbv_document_root(doc), *list = node_at(root, "experiments");
  assert_int_equal(rbv_node_count(list), 7);
  double agrees = 0, recovered = 0;
  int figures = 0;
  for (int i = 0; i < 7; i++) {
    const rbv_node *one = rbv_node_at(list, i), *rows = node_at(one, "rows");
    for (int k = 0; k < rbv_node_count(rows); k++) {
      const rbv_node *row = rbv_node_at(rows, k);
      check_row(row);
      const char *what = rbv_node_text(node_at(row, "what"));
      if (verdict_is(row, "differs") && !is_known(what)) fail_msg("'%s' differs", what);
    }
    // the first five need no recordings
    if (i < 5) assert_true(real_at(one, "agrees") > 0 && real_at(one, "recovered") > 0);
    agrees += real_at(one, "agrees");
    recovered += real_at(one, "recovered");
    figures += rbv_node_count(node_at(one, "figures"));
  }
  assert_true(real_at(root, "agrees") == agrees);
  assert_true(real_at(root, "recovered") == recovered);
  assert_true(figures >= 25);
  rbv_document_free(doc);
  outcome_free(&o);
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
      cmocka_unit_test(test_searches_do_not_depend_on_threads),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
