/* roberval reproduce: the experiments that take seconds, with the verdicts of
 * docs/cli/reproduce.md. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nodes.h"
#include "support.h"
#include "tool.h"

/* rows whose verdict is neither "agrees" nor "recovered", in their order */
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

static bool verdict_is(const rbv_node *row, const char *verdict) {
  return strcmp(rbv_node_text(node_at(row, "verdict")), verdict) == 0;
}

/* the paper's number was found: by an independent number, or by the simulation of its value */
static bool same(const rbv_node *row) {
  return verdict_is(row, "agrees") || verdict_is(row, "recovered");
}

/* the verdict of a row agrees with its numbers */
static void check_row(const rbv_node *row) {
  if (!verdict_is(row, "cannot")) {
    const double distance = fabs(real_at(row, "paper") - real_at(row, "ours"));
    assert_true((distance <= real_at(row, "tolerance")) == same(row));
    assert_true(strlen(rbv_node_text(node_at(row, "tolerance_basis"))) > 0);
  }
  bool simulated;
  assert_ok(rbv_node_bool(&simulated, node_at(row, "simulated")));
  if (same(row))
    assert_true(verdict_is(row, "recovered") == simulated);
  else
    assert_false(rbv_node_is_null(node_at(row, "why")));
  if (verdict_is(row, "explained")) assert_false(rbv_node_is_null(node_at(row, "shown_by")));
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
    if (same(row)) continue;
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
      {"condition number of a motion by cond", "cannot"},
      {"condition number of a motion by d-opt", "cannot"},
  };
  rbv_document *doc = tool_json("reproduce a460 --json -q -o a460.html --plots a460-plots");
  CHECK(doc, "a460", 49, others);
  const rbv_node *rows = rows_of(doc, "a460");
  static const double counts[] = {60, 9, 15, 36};
  for (int i = 0; i < 4; i++) assert_true(real_at(rbv_node_at(rows, i), "ours") == counts[i]);
  // three figures of the motion, six torques; each is a file
  const rbv_node *figures = node_at(rbv_document_root(doc), "experiments.0.figures");
  assert_int_equal(rbv_node_count(figures), 9);
  for (int i = 0; i < 9; i++) {
    char name[128];
    const rbv_node *figure = rbv_node_at(figures, i);
    snprintf(name, sizeof name, "a460-plots/%s.svg", rbv_node_text(node_at(figure, "name")));
    char *svg = read_text(temp_file(name, NULL), NULL);
    assert_true(strncmp(svg, "<svg", 4) == 0);
    assert_non_null(strstr(svg, "data-axis=\"y\""));
    free(svg);
  }
  rbv_document_free(doc);

  char *page = read_text(temp_file("a460.html", NULL), NULL);
  assert_true(strncmp(page, "<!DOCTYPE html>", 15) == 0);
  assert_non_null(strstr(page, "agrees 10, recovered 32, explained 4, differs 0, cannot 3"));
  assert_non_null(strstr(page, "<td>Iyy1</td>"));
  assert_null(strstr(page, "http"));
  int cells = 0, drawn = 0;
  for (const char *c = page; (c = strstr(c, "<tr class=")); c++) cells++;
  for (const char *c = page; (c = strstr(c, "<figure ")); c++) drawn++;
  assert_int_equal(cells, 49);
  assert_int_equal(drawn, 9);
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
      {"median of our %sigma over printed, DIDIM", "cannot"},
  };
  rbv_document *doc = tool_json("reproduce didim --json -q");
  CHECK(doc, "didim", 33, others);
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
    const bool agrees = same(row);
    if (strncmp(what, "base parameters, model", 22) == 0) models += agrees;
    if (strncmp(what, "Durbin-Watson", 13) == 0) assert_true(agrees);
    // the simulated robot has the values of column C, so that its rows must agree, except for
    // Coulomb friction, which the filter of the velocities changes
    if (strstr(what, ", model C") && what[0] != 'F' && what[0] != 'e' && what[0] != 'm' &&
        !strstr(what, "relative"))
      assert_true(agrees);
    if (strcmp(what, "Coulomb friction recovered from exact states") == 0) assert_true(agrees);
    if (strncmp(what, "error of the payload's mass", 27) == 0) assert_true(agrees);
    for (int k = 0; k < 4; k++)
      explained += strncmp(what, misprints[k], strlen(misprints[k])) == 0 && !agrees;
  }
  assert_int_equal(models, 4);
  assert_int_equal(explained, 4);
  rbv_document_free(doc);
}

/* without the recordings the real robots cannot be compared; with them nothing differs */
static void test_recordings(void **state) {
  (void)state;
  static const char *const names[] = {"tx40", "emps"};
  for (int i = 0; i < 2; i++) {
    rbv_document *doc = tool_json("reproduce %s --data no/such/place --json -q", names[i]);
    const rbv_node *rows = rows_of(doc, names[i]);
    assert_int_equal(rbv_node_count(rows), 1);
    assert_true(verdict_is(rbv_node_at(rows, 0), "cannot"));
    rbv_document_free(doc);
  }
  if (!getenv("ROBERVAL_DATA")) return;
  rbv_document *doc = tool_json("reproduce tx40 --json -q");
  const rbv_node *rows = rows_of(doc, "tx40");
  int inertias = 0;
  for (int i = 0; i < rbv_node_count(rows); i++) {
    const rbv_node *row = rbv_node_at(rows, i);
    check_row(row);
    assert_false(verdict_is(row, "recovered"));
    const char *what = rbv_node_text(node_at(row, "what"));
    // two tables print the inertia about the first axis
    if (strncmp(what, "ZZ1, ", 5) == 0 && !strstr(what, "LS")) inertias += same(row);
  }
  assert_int_equal(inertias, 2);
  rbv_document_free(doc);
  doc = tool_json("reproduce emps --json -q");
  rows = rows_of(doc, "emps");
  for (int i = 0; i < rbv_node_count(rows); i++) {
    const rbv_node *row = rbv_node_at(rows, i);
    check_row(row);
    if (!strstr(rbv_node_text(node_at(row, "what")), "PIV")) assert_true(same(row));
  }
  rbv_document_free(doc);
}

static void test_text_output(void **state) {
  (void)state;
  char *words = tool_text("reproduce a460 -q");
  assert_non_null(strstr(words, "\n[1] a count is exact\n"));
  assert_non_null(strstr(words,
                         "a460: agrees 10, recovered 32, explained 4, differs 0, cannot 3; "
                         "9 figures\n"));
  free(words);
  char *other = tool_text("reproduce a460 -q --seed 2");
  assert_non_null(strstr(other, ", differs 0, "));
  free(other);
}

static void test_list(void **state) {
  (void)state;
  char *list = tool_text("reproduce");
  static const char *const names[] = {"didim", "coupling", "a460", "piv",
                                      "lwr",   "tx40",     "emps", "all"};
  for (int i = 0; i < 8; i++) assert_non_null(strstr(list, names[i]));
  free(list);
  rbv_document *doc = tool_json("reproduce --json");
  text_at(rbv_document_root(doc), "schema", "roberval.experiments/1");
  assert_int_equal(rbv_node_count(node_at(rbv_document_root(doc), "experiments")), 7);
  rbv_document_free(doc);
}

static void test_refusals(void **state) {
  (void)state;
  tool_refuses(2, "there is no experiment 'dimdim'", "reproduce dimdim");
  tool_refuses(2, "x.html", "reproduce -o x.html");
  tool_refuses(2, "some-plots", "reproduce --plots some-plots");
  tool_refuses(4, "no/such/page.html", "reproduce a460 -q -o no/such/page.html");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_a460),       cmocka_unit_test(test_didim),
      cmocka_unit_test(test_lwr),        cmocka_unit_test(test_text_output),
      cmocka_unit_test(test_recordings), cmocka_unit_test(test_list),
      cmocka_unit_test(test_refusals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
