/* An output is never an input, and two outputs are never one file. */
#include "output_matrix.h"

static void test_no_input_is_replaced(void **state) {
  (void)state;
  assert_true(try_outputs(false) > 40);
}

/* the whole text of a file of the temporary directory */
static void assert_unchanged(const char *name, const char *text) {
  char *now = read_text(temp_file(name, NULL), NULL);
  assert_string_equal(now, text);
  free(now);
}

/* inputs that no word of the command line names: from a result, from a manifest */
static void test_inputs_behind_inputs(void **state) {
  (void)state;
  char *log = read_text(temp_file("log.csv", NULL), NULL);
  tool_refuses(3, "log.csv: is an input and is not replaced", "report result.json -o log.csv");
  tool_refuses(3, "log.csv: is an input and is not replaced",
               "compare result.json result.json --report log.csv");
  tool_refuses(2, "log.csv is an input and is not replaced: write to another file (--output)",
               "follow pendulum.yaml result.json - -o log.csv < '%s'", temp_file("log.csv", NULL));
  assert_unchanged("log.csv", log);
  // the result of a robot would replace its recording
  assert_int_equal(run_in_temp("mkdir -p fleet && cp log.csv fleet/a.json"), 0);
  temp_file("fleet.yaml", "robots:\n  - {name: a, robot: pendulum.yaml, logs: [fleet/a.json]}\n");
  outcome o = tool("identify --fleet fleet.yaml -o fleet -q");
  assert_int_not_equal(o.code, 0);
  outcome_free(&o);
  assert_unchanged("fleet/a.json", log);
  free(log);
}

static void test_two_outputs_in_one_file(void **state) {
  (void)state;
  tool_refuses(2, "(output)", "identify pendulum.yaml log.csv -o x.html --report x.html");
  tool_refuses(2, "(output)", "identify pendulum.yaml log.csv -o x.html --report ./x.html");
  // standard output and devices may be given twice; a state is read and written
  free(tool_text("identify pendulum.yaml log.csv -q -o /dev/null --report /dev/null || true"));
  for (int i = 0; i < 2; i++)
    free(tool_text("follow pendulum.yaml result.json log.csv --state follow.state -q"));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_no_input_is_replaced),
                                     cmocka_unit_test(test_inputs_behind_inputs),
                                     cmocka_unit_test(test_two_outputs_in_one_file)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
