/* roberval reproduce: the experiments that take seconds, with the verdicts of
 * docs/cli/reproduce.md. The others are in slow_reproduce. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "reproduced.h"
#include "tool.h"

static void test_a460(void **state) {
  (void)state;
  static const expected others[] = {
      {"start of joint 1", "explained"},
      {"start of joint 3", "explained"},
      {"condition number of the motion", "remark"},
      {"poses of 1000 with a positive mass matrix", "explained"},
      {"labels that are base parameters", "explained"},
      {"condition number of a motion by cond", "remark"},
      {"condition number of a motion by d-opt", "remark"},
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
  assert_true(strncmp(page, "<!doctype html>", 15) == 0);
  assert_non_null(
      strstr(page, "agrees 10, recovered 32, explained 4, differs 0, cannot 0, remark 3"));
  assert_non_null(strstr(page, "<td>Iyy1</td>"));
  // nothing that a browser would load from a network
  assert_null(strstr(page, "=\"http"));
  assert_null(strstr(page, "url(http"));
  assert_non_null(strstr(page, "default-src 'none'"));
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
      {"median of our %sigma over printed, DIDIM", "remark"},
      {"rank correlation of %sigma, DIDIM", "remark"},
      {"relative error after the first step", "remark"},
  };
  rbv_document *doc = tool_json("reproduce didim --json -q");
  CHECK(doc, "didim", 35, others);
  rbv_document_free(doc);
}

/* without the recordings the real robots cannot be compared */
static void test_no_recordings(void **state) {
  (void)state;
  static const char *const names[] = {"tx40", "emps"};
  for (int i = 0; i < 2; i++) {
    rbv_document *doc = tool_json("reproduce %s --data no/such/place --json -q", names[i]);
    const rbv_node *rows = rows_of(doc, names[i]);
    assert_int_equal(rbv_node_count(rows), 1);
    assert_true(verdict_is(rbv_node_at(rows, 0), "cannot"));
    rbv_document_free(doc);
  }
}

/* the real TX40: independent numbers; the column LS of Brunot 2018 is that of rows without the
 * parallel low-pass */
static void test_tx40(void **state) {
  (void)state;
  const char *data = getenv("ROBERVAL_DATA");
  if (!data || access(data, R_OK) != 0) skip();
  rbv_document *doc = tool_json("reproduce tx40 --json -q");
  const rbv_node *rows = rows_of(doc, "tx40");
  int inertias = 0, of_ls = 0;
  for (int i = 0; i < rbv_node_count(rows); i++) {
    const rbv_node *row = rbv_node_at(rows, i);
    check_row(row);
    assert_false(verdict_is(row, "recovered"));
    const char *what = rbv_node_text(node_at(row, "what"));
    assert_false(verdict_is(row, "differs"));
    of_ls += verdict_is(row, "explained") && strstr(what, "LS");
    if (strcmp(what, "ZZ3 without the low-pass") == 0)
      // the paper: -0.01 with a sigma of 265 %
      assert_near(real_at(row, "ours"), 0.0192, 0.0005, 0);
    // two tables print the inertia about the first axis
    if (strncmp(what, "ZZ1, ", 5) == 0 && !strstr(what, "LS")) inertias += same(row);
  }
  assert_int_equal(inertias, 2);
  // ZZ1, ZZ2, Ia3, and the loss of ZZ3
  assert_int_equal(of_ls, 4);
  rbv_document_free(doc);
}

static void test_text_output(void **state) {
  (void)state;
  char *words = tool_text("reproduce tx40 --data no/such/place -q");
  assert_non_null(strstr(words, "\n[1] the recording is not there"));
  assert_non_null(strstr(words,
                         "tx40: agrees 0, recovered 0, explained 0, differs 0, cannot 1, remark "
                         "0; 0 figures\n"));
  free(words);
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
  tool_refuses(4, "no/such/page.html",
               "reproduce tx40 --data no/such/place -q -o no/such/page.html");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_a460),     cmocka_unit_test(test_didim),
      cmocka_unit_test(test_tx40),     cmocka_unit_test(test_no_recordings),
      cmocka_unit_test(test_list),     cmocka_unit_test(test_text_output),
      cmocka_unit_test(test_refusals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
