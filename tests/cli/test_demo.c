/* roberval demo: the table, the commands that it shows, the folder, Ctrl-C. */
#include <math.h>
#include <roberval/sys/baseparam.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "document/document.h"
#include "nodes.h"
#include "support.h"
#include "tool.h"

static char *text_of(const char *name) { return read_text(temp_file(name, NULL), NULL); }

/* run a command in the temporary directory with the tool in PATH; returns the exit code */
static int shell(const char *script) {
  char command[4096];
  snprintf(command, sizeof command,
           "cd '%s' && export SOURCE_DATE_EPOCH=86400 PATH=\"$(dirname '%s'):$PATH\" && { %s; } "
           ">.shell 2>&1",
           temp_directory(), ROBERVAL_TOOL, script);
  const int status = system(command);
  assert_true(WIFEXITED(status));
  return WEXITSTATUS(status);
}

static void assert_same_file(const char *a, const char *b) {
  char *x = text_of(a), *y = text_of(b);
  if (strcmp(x, y) != 0) fail_msg("%s and %s differ", a, b);
  free(x);
  free(y);
}

/* the lines "$ roberval ..." of the output are exactly the lines of the script, in order */
static void assert_script(const char *words, const char *script) {
  int count = 0;
  const char *line = strchr(script, '\n') + 1;
  for (const char *at = words; (at = strstr(at, "\n$ ")); at++, count++) {
    const size_t length = strcspn(at + 3, "\n") + 1;
    if (strncmp(at + 3, line, length) != 0)
      fail_msg("not in the script: %.*s", (int)length, at + 3);
    line += length;
  }
  assert_int_equal(*line, 0);
  assert_true(count > 10);
}

/* the commands that the demo shows make the same files in an empty folder */
static void test_commands_make_the_same_files(void **state) {
  (void)state;
  outcome o = tool("demo --quick -o first");
  if (o.code != 0) fail_msg("exit code %d: %s", o.code, o.err);
  char *script = text_of("first/commands.sh");
  assert_script(o.err, script);
  assert_non_null(strstr(o.err, "first/report.html"));
  assert_non_null(strstr(o.out, "sigma: of wls"));
  assert_non_null(strstr(o.out, "\nIa6 "));
  free(script);
  outcome_free(&o);
  if (shell("mkdir again && cp first/commands.sh first/cell.yaml again && cd again && sh -e "
            "commands.sh") != 0)
    fail_msg("%s", text_of(".shell"));
  static const char *const made[] = {"exciting.csv", "other.csv", "log.csv",    "second.csv",
                                     "pid.yaml",     "wls.json",  "iv.json",    "didim.json",
                                     "slide.json",   "piv.json",  "arm.urdf",   "arm.xml",
                                     "arm.c",        "arm.h",     "report.html"};
  for (int i = 0; i < (int)(sizeof made / sizeof *made); i++) {
    char a[64], b[64];
    snprintf(a, sizeof a, "first/%s", made[i]);
    snprintf(b, sizeof b, "again/%s", made[i]);
    assert_same_file(a, b);
  }
}

/* the true values are those of the robot; methods with a correct noise model find them */
static void test_table(void **state) {
  (void)state;
  // in the folder of the previous test: its files are replaced, other files stay
  assert_int_equal(shell("echo mine > first/notes.txt && : > first/wls.json"), 0);
  rbv_document *doc = tool_json("demo --quick --json -q -o first");
  const rbv_node *root = rbv_document_root(doc);
  char *notes = text_of("first/notes.txt");
  assert_string_equal(notes, "mine\n");
  free(notes);
  assert_same_file("first/wls.json", "again/wls.json");
  text_at(root, "schema", "roberval.demo/2");
  text_at(root, "passed", "true");
  rbv_model *m;
  rbv_base *b;
  const rbv_base_options how = rbv_base_defaults();
  assert_ok(rbv_model_load(&m, "tx40", NULL));
  assert_ok(rbv_base_new(&b, m, &how));
  double *truth = calloc((size_t)b->count, sizeof *truth);
  rbv_base_values(truth, b, rbv_model_parameters(m));
  const rbv_node *parameters = node_at(root, "parameters"), *methods = node_at(root, "methods");
  assert_int_equal(rbv_node_count(parameters), b->count);
  assert_int_equal(rbv_node_count(methods), 5);
  static const char *const method[] = {"wls", "iv", "didim", "slide"};
  enum { METHODS = sizeof method / sizeof *method };
  int near[METHODS] = {0};
  for (int k = 0; k < b->count; k++) {
    const rbv_node *p = rbv_node_at(parameters, k);
    text_at(p, "name", b->name[k]);
    assert_true(real_at(p, "true") == truth[k]);
    for (int i = 0; i < METHODS; i++) {
      const rbv_node *e = node_at(p, method[i]);
      near[i] += fabs(real_at(e, "value") - truth[k]) < 3 * real_at(e, "sigma");
    }
  }
  // the sigmas assume white residuals; these are coloured, so that the true sigmas are up to 1.5
  // times larger and 95 of 100 are expected within three. Fewer than 50 of 60: once in 8,000
  for (int i = 0; i < METHODS; i++)
    if (near[i] < 50)
      fail_msg("%s: only %d of %d are near the truth", method[i], near[i], b->count);
  for (int i = 0; i < 5; i++) {
    const rbv_node *done = rbv_node_at(methods, i);
    text_at(done, "converged", "true");
    // two defects of 1 % of the torque each
    assert_true(real_at(done, "validation_relative_error") < 0.02);
  }
  free(truth);
  rbv_base_free(b);
  rbv_model_free(m);
  rbv_document_free(doc);
}

static void test_foreign_folders_are_refused(void **state) {
  (void)state;
  assert_int_equal(shell("mkdir foreign && echo mine > foreign/log.csv && : > plain"), 0);
  tool_refuses(2, "'foreign' exists and was not made by a demo", "demo -o foreign");
  tool_refuses(3, "'plain' is a file; a directory is needed", "demo -o plain");
  tool_refuses(4, "the directory 'no/such' cannot be created", "demo -o no/such");
  char *text = text_of("foreign/log.csv");
  assert_string_equal(text, "mine\n");
  free(text);
}

/* Ctrl-C ends the demo after the current step; the files of finished steps are complete */
static void test_interrupted(void **state) {
  (void)state;
  assert_int_equal(shell("mkdir stopped && roberval demo --quick -o stopped & "
                         "while [ ! -e stopped/pid.yaml ]; do sleep 0.05; done; "
                         "kill -INT $!; wait $!"),
                   130);
  char *words = text_of(".shell");
  assert_non_null(strstr(words, "interrupted: the finished steps are in stopped"));
  free(words);
  assert_int_equal(shell("test -s stopped/log.csv && test ! -e stopped/report.html"), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_commands_make_the_same_files),
      cmocka_unit_test(test_table),
      cmocka_unit_test(test_foreign_folders_are_refused),
      cmocka_unit_test(test_interrupted),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
