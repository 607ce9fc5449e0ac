/* roberval reproduce: the experiments that take seconds, with the verdicts of
 * docs/cli/reproduce.md. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nodes.h"
#include "support.h"
#include "tool.h"

/* rows whose verdict is not "agrees", in their order */
typedef struct {
  const char *what, *verdict;
} expected;

static const rbv_node *rows_of(const rbv_document *doc, const char *name) {
  const rbv_node *root = rbv_document_root(doc);
  text_at(root, "schema", "roberval.reproduction/1");
  text_at(root, "version", rbv_version());
  assert_true(real_at(root, "differs") == 0);
  text_at(root, "experiments.0.name", name);
  return node_at(root, "experiments.0.rows");
}

/* the verdict of a row agrees with its numbers */
static void check_row(const rbv_node *row) {
  const char *verdict = rbv_node_text(node_at(row, "verdict"));
  if (strcmp(verdict, "cannot") != 0) {
    const double distance = fabs(real_at(row, "paper") - real_at(row, "ours"));
    const bool within = distance <= real_at(row, "tolerance");
    assert_true(within == (strcmp(verdict, "agrees") == 0));
    assert_true(strlen(rbv_node_text(node_at(row, "tolerance_basis"))) > 0);
  }
  if (strcmp(verdict, "agrees") != 0) assert_false(rbv_node_is_null(node_at(row, "why")));
}

static void check(const rbv_document *doc, const char *name, int count, const expected *others,
                  int nother) {
  const rbv_node *rows = rows_of(doc, name);
  int at = 0;
  assert_int_equal(rbv_node_count(rows), count);
  for (int i = 0; i < count; i++) {
    const rbv_node *row = rbv_node_at(rows, i);
    check_row(row);
    const char *what = rbv_node_text(node_at(row, "what"));
    const char *verdict = rbv_node_text(node_at(row, "verdict"));
    if (strcmp(verdict, "agrees") == 0) continue;
    if (at == nother || strcmp(others[at].what, what) != 0)
      fail_msg("%s: '%s' is %s", name, what, verdict);
    assert_string_equal(verdict, others[at++].verdict);
  }
  assert_int_equal(at, nother);
}

#define CHECK(doc, name, count, others) \
  check(doc, name, count, others, (int)(sizeof(others) / sizeof *(others)))

static void test_a460(void **state) {
  (void)state;
  static const expected others[] = {
      {"start of joint 1", "explained"},
      {"start of joint 3", "explained"},
      {"condition number of the motion", "cannot"},
      {"poses of 1000 with a positive mass matrix", "explained"},
      {"labels that are base parameters", "explained"},
  };
  rbv_document *doc = tool_json("reproduce a460 --json -q -o a460.html");
  CHECK(doc, "a460", 46, others);
  const rbv_node *rows = rows_of(doc, "a460");
  static const double counts[] = {60, 9, 15, 36};
  for (int i = 0; i < 4; i++) assert_true(real_at(rbv_node_at(rows, i), "ours") == counts[i]);
  rbv_document_free(doc);

  char *page = read_text(temp_file("a460.html", NULL), NULL);
  assert_true(strncmp(page, "<!DOCTYPE html>", 15) == 0);
  assert_non_null(strstr(page, "41 numbers agree, 4 differ for a known reason"));
  assert_non_null(strstr(page, "<td>Iyy1</td>"));
  assert_null(strstr(page, "http"));
  int cells = 0;
  for (const char *c = page; (c = strstr(c, "<tr class=")); c++) cells++;
  assert_int_equal(cells, 46);
  free(page);
}

static void test_didim(void **state) {
  (void)state;
  static const expected others[] = {
      {"essential parameters in Table 2", "explained"},
      {"steps of DIDIM", "explained"},
      {"steps of DIDIM, eq. 26 as printed", "explained"},
      {"relative error of DIDIM", "cannot"},
      {"relative error of IDIM-LS", "cannot"},
  };
  rbv_document *doc = tool_json("reproduce didim --json -q");
  CHECK(doc, "didim", 31, others);
  rbv_document_free(doc);
}

/* models A to D: counts and relations; where the paper's own columns differ, so do ours */
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
    const bool agrees = strcmp(rbv_node_text(node_at(row, "verdict")), "agrees") == 0;
    if (strncmp(what, "base parameters, model", 22) == 0) models += agrees;
    // the simulated robot has the values of column C, so that its rows must agree
    if (strstr(what, ", model C") && !strstr(what, "relative") && !strstr(what, "essential"))
      assert_true(agrees);
    if (strncmp(what, "error of the payload's mass", 27) == 0) assert_true(agrees);
    for (int k = 0; k < 4; k++)
      explained += strncmp(what, misprints[k], strlen(misprints[k])) == 0 && !agrees;
  }
  assert_int_equal(models, 4);
  assert_int_equal(explained, 4);
  rbv_document_free(doc);
}

static void test_text_output(void **state) {
  (void)state;
  char *words = tool_text("reproduce a460 -q");
  assert_non_null(strstr(words, "\n[1] a count is exact\n"));
  assert_non_null(strstr(words,
                         "a460: 41 agree, 4 differ for a known reason, 1 cannot be "
                         "compared, 0 disagree\n"));
  free(words);
  char *other = tool_text("reproduce a460 -q --seed 2");
  assert_non_null(strstr(other, ", 0 disagree\n"));
  free(other);
}

static void test_list(void **state) {
  (void)state;
  char *list = tool_text("reproduce");
  static const char *const names[] = {"didim", "coupling", "a460", "piv", "lwr", "all"};
  for (int i = 0; i < 6; i++) assert_non_null(strstr(list, names[i]));
  free(list);
  rbv_document *doc = tool_json("reproduce --json");
  text_at(rbv_document_root(doc), "schema", "roberval.experiments/1");
  assert_int_equal(rbv_node_count(node_at(rbv_document_root(doc), "experiments")), 5);
  rbv_document_free(doc);
}

static void test_refusals(void **state) {
  (void)state;
  tool_refuses(2, "there is no experiment 'dimdim'", "reproduce dimdim");
  tool_refuses(2, "x.html", "reproduce -o x.html");
  tool_refuses(4, "no/such/page.html", "reproduce a460 -q -o no/such/page.html");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_a460), cmocka_unit_test(test_didim),
      cmocka_unit_test(test_lwr),  cmocka_unit_test(test_text_output),
      cmocka_unit_test(test_list), cmocka_unit_test(test_refusals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
