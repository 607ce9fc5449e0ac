/* roberval report and identify --report: files, errors, exit codes, moved recordings. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arm.h"
#include "document/document.h"
#include "motions.h"
#include "nodes.h"
#include "support.h"
#include "tool.h"

static void write_log(const char *name, uint64_t seed) {
  rbv_model *m = load_robot(temp_file("arm.yaml", sound_arm), -1, false);
  waves w;
  waves_new(&w, m, rbv_model_parameters(m), seed, 4000, 400, false);
  waves_add_white(&w, seed + 9, 0.01);
  waves_save(&w, temp_file(name, NULL), "q tau");
  waves_free(&w);
  rbv_model_free(m);
}

static int make_logs(void **state) {
  (void)state;
  write_log("a.csv", 1);
  write_log("b.csv", 2);
  return 0;
}

static char *text_of(const char *name) { return read_text(temp_file(name, NULL), NULL); }

/* `report` reads the same recordings and writes the same page */
static void test_same_page(void **state) {
  (void)state;
  free(tool_text(
      "identify arm.yaml a.csv --validate b.csv -q -o r.json --report one.html --plots one"));
  rbv_document *doc = tool_json("report r.json -o two.html --plots two --json -q");
  const rbv_node *root = rbv_document_root(doc);
  text_at(root, "schema", "roberval.report/1");
  text_at(root, "file", "two.html");
  assert_non_null(node_at(root, "reasons.0.rule"));
  char *a = text_of("one.html"), *b = text_of("two.html");
  assert_string_equal(a, b);
  assert_true(real_at(root, "bytes") == (double)strlen(a));
  free(a);
  free(b);
  const rbv_node *figures = node_at(root, "figures");
  for (int i = 0; i < rbv_node_count(figures); i++) {
    char path[256];
    snprintf(path, sizeof path, "one/%s", rbv_node_text(rbv_node_at(figures, i)));
    a = text_of(path);
    assert_int_equal(strncmp(a, "<svg", 4), 0);
    free(a);
  }
  rbv_document_free(doc);
  // validation recordings are named in the result, with their hash
  doc = tool_json("identify arm.yaml a.csv --validate b.csv -q --json");
  text_at(rbv_document_root(doc), "validation_logs.0.file", "b.csv");
  rbv_document_free(doc);
}

/* the page has its date, and the command that repeats the run: the same result, byte for byte */
static void test_date_and_command(void **state) {
  (void)state;
  (void)temp_file("it's a prior.yaml", "{Fv1: {value: 9, sigma: 0.01}}\n");
  free(
      tool_text("identify arm.yaml a.csv --validate b.csv --prior \"it's a prior.yaml\" --method "
                "irls --decimate 5 --no-snap --holdout 0 -q -o first.json --report dated.html"));
  char *page = text_of("dated.html");
  // the date of SOURCE_DATE_EPOCH=86400, which every test has
  assert_non_null(strstr(page, "Page of 1970-01-02. Identified by Roberval " RBV_VERSION_TEXT));
  char *from = strstr(page, "<code>roberval identify ");
  assert_non_null(from);
  from += strlen("<code>roberval ");
  *strstr(from, "</code>") = 0;
  // back from HTML: the only escaped character of this command
  char command[1024];
  size_t used = 0;
  for (const char *c = from; *c && used < sizeof command - 1;) {
    const bool quote = strncmp(c, "&#39;", 5) == 0;
    command[used++] = quote ? '\'' : *c;
    c += quote ? 5 : 1;
  }
  command[used] = 0;
  assert_non_null(strstr(command, "--validate b.csv"));
  assert_non_null(strstr(command, "--prior 'it'\\''s a prior.yaml'"));
  assert_non_null(strstr(command, "--no-snap"));
  assert_null(strstr(command, "--seed"));
  assert_null(strstr(command, "--unchecked"));
  assert_int_equal(strncmp(command, "identify ", 9), 0);
  free(tool_text("identify %s -q -o second.json", command + 9));
  char *a = text_of("first.json"), *b = text_of("second.json");
  assert_string_equal(a, b);
  free(a);
  free(b);
  free(page);
}

static void test_prior_is_read_again(void **state) {
  (void)state;
  (void)temp_file("prior.yaml", "{Fv1: {value: 1.1, sigma: 0.01}}\n");
  outcome o =
      tool("identify arm.yaml a.csv --validate b.csv --prior prior.yaml -o p.json --report p.html");
  assert_int_equal(o.code, 0);
  outcome_free(&o);
  char *a = text_of("p.html");
  assert_non_null(strstr(a, "data-rule=\"prior\""));
  assert_non_null(strstr(a, "The prior contradicts the data in 1 of 1 parameters: Fv1 (prior 1.1"));
  o = tool("report p.json -o p2.html");
  assert_int_equal(o.code, 0);
  outcome_free(&o);
  char *b = text_of("p2.html");
  assert_string_equal(a, b);
  free(a);
  free(b);
  unlink(temp_file("prior.yaml", NULL));
  o = tool("report p.json -o p2.html");
  outcome_free(&o);
  a = text_of("p2.html");
  assert_non_null(strstr(a, "The prior &#39;prior.yaml&#39; cannot be read"));
  free(a);
}

static void test_moved_recordings(void **state) {
  (void)state;
  write_log("c.csv", 3);
  write_log("d.csv", 4);
  free(tool_text("identify arm.yaml c.csv --validate d.csv -q -o m.json"));
  write_log("c.csv", 5);
  outcome o = tool("report m.json -o m.html");
  assert_int_equal(o.code, 0);
  outcome_free(&o);
  char *page = text_of("m.html");
  assert_non_null(strstr(page, "The recording &#39;c.csv&#39; has changed"));
  assert_non_null(strstr(page, "The recordings of the fit are not available"));
  assert_non_null(strstr(page, "figure-torque-validation-1"));
  assert_null(strstr(page, "figure-torque-fit-1"));
  free(page);
  unlink(temp_file("d.csv", NULL));
  o = tool("report m.json -o m.html");
  assert_int_equal(o.code, 0);
  outcome_free(&o);
  page = text_of("m.html");
  assert_non_null(strstr(page, "The recording &#39;d.csv&#39; was not found"));
  assert_non_null(strstr(page, "The recordings of the validation are not available"));
  free(page);
}

/* exit code 1 for a result that must not be used */
static void test_bad_result(void **state) {
  (void)state;
  // the torque of the elbow with the wrong sign: its friction is negative
  rbv_model *m = load_robot(temp_file("arm.yaml", sound_arm), -1, false);
  waves w;
  waves_new(&w, m, rbv_model_parameters(m), 6, 4000, 400, false);
  for (ptrdiff_t k = 0; k < w.count; k++) w.torque[k + w.count] *= -1;
  waves_save(&w, temp_file("wrong.csv", NULL), "q tau");
  waves_free(&w);
  rbv_model_free(m);
  outcome o = tool("identify arm.yaml wrong.csv -o wrong.json");
  assert_non_null(strstr(o.err, "do not use: "));
  assert_non_null(strstr(o.err, "the sign of the torque of joint 2"));
  outcome_free(&o);
  o = tool("report wrong.json -o wrong.html");
  assert_int_equal(o.code, 1);
  assert_non_null(strstr(o.err, "do not use: "));
  outcome_free(&o);
  char *page = text_of("wrong.html");
  assert_non_null(strstr(page, "Do not use</h2>"));
  free(page);
}

static void test_refusals(void **state) {
  (void)state;
  free(tool_text("identify arm.yaml a.csv -q -o r.json"));
  tool_refuses(2, "use -o FILE.html, --plots DIR, or both", "report r.json");
  tool_refuses(2, "missing", "report -o x.html");
  tool_refuses(3, "nowhere.json", "report nowhere.json -o x.html");
  tool_refuses(3, "not a result", "report arm.yaml -o x.html");
  (void)temp_file("file", "x");
  outcome o = tool("report r.json --plots file/deep -q");
  assert_int_equal(o.code, 4);
  assert_non_null(strstr(o.err, "cannot be created"));
  outcome_free(&o);
  o = tool("identify arm.yaml a.csv -q --report nowhere/x.html");
  assert_int_equal(o.code, 4);
  outcome_free(&o);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_same_page),           cmocka_unit_test(test_date_and_command),
      cmocka_unit_test(test_prior_is_read_again), cmocka_unit_test(test_moved_recordings),
      cmocka_unit_test(test_bad_result),          cmocka_unit_test(test_refusals),
  };
  return cmocka_run_group_tests(tests, make_logs, NULL);
}
