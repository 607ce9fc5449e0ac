/* Exit codes, one message on stderr, and output that cannot be written. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "motions.h"
#include "support.h"
#include "tool.h"

static void write_motion(void) {
  rbv_model *m = load_robot("tx40", -1, false);
  waves w;
  waves_new(&w, m, rbv_model_parameters(m), 3, 200, 100, false);
  waves_save(&w, temp_file("motion.csv", NULL), "q dq ddq tau");
  waves_free(&w);
  rbv_model_free(m);
}

static void test_wrong_usage_is_2(void **state) {
  (void)state;
  write_motion();
  outcome o = tool("%s", "");
  assert_int_equal(o.code, 2);
  assert_string_equal(o.out, "");
  // the list of commands is a message
  assert_non_null(strstr(o.err, "usage: roberval COMMAND"));
  assert_non_null(strstr(o.err, "\n  identify "));
  outcome_free(&o);
  // shares in percent, within their range
  tool_refuses(2, "--holdout needs a number from 0 to 0.99, or in percent, not '130%'",
               "identify tx40 log.csv --holdout 130%%");
  tool_refuses(2, "not '5%'", "identify tx40 log.csv --cutoff 5%%");
  tool_refuses(3, "nothing.csv", "identify tx40 nothing.csv --holdout 30%%");
  // robot and recording exchanged
  temp_file("exchanged.csv", "t,q1,tau1\n0,1,2\n");
  tool_refuses(3, "this is a recording or another table, not a robot file",
               "identify exchanged.csv tx40");
  // the columns of one joint for a robot with two
  FILE *one = fopen(temp_file("one.csv", NULL), "w");
  fputs("time,position_1,effort_1\n", one);
  for (int k = 0; k < 400; k++)
    fprintf(one, "%.3f,%.5f,%.5f\n", 0.01 * k, sin(0.05 * k), cos(0.03 * k));
  assert_int_equal(fclose(one), 0);
  tool_refuses(3, "are those of 1 joint, the robot has 2: the recording is incomplete",
               "identify '" ROBERVAL_SOURCE "/examples/two_link.urdf' one.csv");
  tool_refuses(2, "there is no command 'weigh'", "weigh");
  tool_refuses(2, "there is no command 'weigh'", "help weigh");
  tool_refuses(2, "there is no option '--heavy'", "model tx40 --heavy");
  tool_refuses(2, "there is no option '-z'", "model tx40 -z");
  tool_refuses(2, "is missing", "model");
  tool_refuses(2, "is missing", "dynamics tx40");
  tool_refuses(2, "unexpected argument 'more'", "model tx40 more");
  tool_refuses(2, "unexpected argument 'model'", "version model");
  tool_refuses(2, "unexpected argument 'more'", "help model more");
  tool_refuses(2, "--sensing cannot be 'nose'", "model tx40 --sensing nose");
  tool_refuses(2, "--frames can be", "model tx40 --base --frames wooden");
  tool_refuses(2, "need --base", "model tx40 --frames link");
  tool_refuses(2, "--gamma needs a number", "model tx40 --gamma much");
  tool_refuses(2, "--gamma needs a value", "model tx40 --gamma");
  tool_refuses(2, "--base takes no value", "model tx40 --base=yes");
  tool_refuses(2, "--seed needs a whole number", "demo --seed -1");
  tool_refuses(2, "--threads", "model tx40 --threads 0");
  tool_refuses(2, "--output needs a path", "dynamics tx40 motion.csv --output=");
  tool_refuses(2, "use only one of --forward, --mass and --energy",
               "dynamics tx40 motion.csv --mass --energy");
}

static void test_options_in_every_form(void **state) {
  (void)state;
  write_motion();
  char *a = tool_text("dynamics tx40 motion.csv --gamma 20");
  static const char *const same[] = {"dynamics --gamma=20 tx40 motion.csv",
                                     "dynamics tx40 --gamma 20 motion.csv",
                                     "dynamics --gamma 20 -- tx40 motion.csv"};
  for (int i = 0; i < 3; i++) {
    char *b = tool_text("%s", same[i]);
    assert_string_equal(a, b);
    free(b);
  }
  free(a);
  free(tool_text("dynamics tx40 motion.csv -ooutput.csv"));
  free(read_text(temp_file("output.csv", NULL), NULL));
}

static void test_bad_input_is_3(void **state) {
  (void)state;
  write_motion();
  temp_file("broken.yaml", "name: x\njoints: [\n");
  temp_file("odd.yaml", "name: x\njonits: []\n");
  temp_file("broken.urdf", "<robot><link></robot>\n");
  temp_file("broken.csv", "q1,dq1\n1,two\n");
  temp_file("ragged.csv", "q1,q2\n1,2\n3\n");
  temp_file("gap.csv", "q1,q2,q3,q4,q5,q6\n1,2,,4,5,6\n");
  tool_refuses(3, "absent", "model absent");
  tool_refuses(3, "broken.yaml:", "model broken.yaml");
  tool_refuses(3, "jonits", "model odd.yaml");
  tool_refuses(3, "broken.urdf:", "model broken.urdf");
  tool_refuses(3, "absent.csv", "dynamics tx40 absent.csv");
  tool_refuses(3, "broken.csv:2", "regressor tx40 broken.csv");
  tool_refuses(3, "ragged.csv:3", "regressor tx40 ragged.csv");
  tool_refuses(3, "gap.csv:2: q3 is not a finite number", "dynamics tx40 gap.csv --mass");
  tool_refuses(3, "there are 6 columns q1, q2, ...", "regressor lwr4+ motion.csv");
  tool_refuses(3, "absent.csv", "model tx40 --base --motion absent.csv");
}

/* the tool must fail with code 4 and a message, although the computation succeeded */
static void full(const char *arguments) {
  outcome o = tool("%s >/dev/full", arguments);
  if (o.code != 4 || !strstr(o.err, "No space left on device") ||
      strchr(o.err, '\n') != o.err + strlen(o.err) - 1)
    fail_msg("roberval %s >/dev/full: exit code %d: %s", arguments, o.code, o.err);
  outcome_free(&o);
}

static void test_full_disk_is_4(void **state) {
  (void)state;
  write_motion();
  full("help");
  full("model --help");
  full("version");
  full("version --json");
  full("model tx40 --base");
  full("model tx40 --base --json");
  full("regressor tx40 motion.csv");
  full("regressor tx40 motion.csv --json");
  full("dynamics tx40 motion.csv");
}

static void test_closed_stdout_is_4(void **state) {
  (void)state;
  outcome o = tool("version >&-");
  assert_int_equal(o.code, 4);
  outcome_free(&o);
}

static void test_unwritable_file_is_4(void **state) {
  (void)state;
  write_motion();
  tool_refuses(4, "no/such/place", "dynamics tx40 motion.csv -o no/such/place/out.csv");
  tool_refuses(4, "no/such/place", "regressor tx40 motion.csv --json -o no/such/place/out.json");
  // the output is a directory, which stays
  char path[256];
  snprintf(path, sizeof path, "%s/folder", temp_directory());
  mkdir(path, 0777);
  tool_refuses(3, "folder", "dynamics tx40 motion.csv -o folder");
  struct stat s;
  assert_int_equal(stat(path, &s), 0);
  assert_true(S_ISDIR(s.st_mode));
}

/* results to stdout, messages to stderr, no messages with -q */
static void test_messages_and_results(void **state) {
  (void)state;
  temp_file("printed.yaml",
            "name: printed\njoints: [{mdh: {alpha: 0}}, {mdh: {alpha: 1.5708, d: 0.3}}]\n");
  outcome loud = tool("model printed.yaml --base"), quiet = tool("model printed.yaml --base -q");
  assert_int_equal(loud.code, 0);
  assert_non_null(strstr(loud.err, "replaced by the exact values of which they are roundings"));
  assert_null(strstr(loud.out, "replaced by the exact values of which they are roundings"));
  assert_string_equal(quiet.err, "");
  assert_string_equal(quiet.out, loud.out);
  outcome_free(&loud);
  outcome_free(&quiet);
  // errors are printed with -q, too
  tool_refuses(3, "absent", "model absent -q");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_wrong_usage_is_2),     cmocka_unit_test(test_options_in_every_form),
      cmocka_unit_test(test_bad_input_is_3),       cmocka_unit_test(test_full_disk_is_4),
      cmocka_unit_test(test_closed_stdout_is_4),   cmocka_unit_test(test_unwritable_file_is_4),
      cmocka_unit_test(test_messages_and_results),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
