/* roberval identify --fleet: the same table with threads, shards and journals. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fleet_recordings.h"
#include "support.h"
#include "tool.h"

#define FLEET "identify --fleet fleet.yaml -q"

static int record(void **state) {
  (void)state;
  fleet_record(&(fleet_options){.count = 8, .worn = 3, .wear = 6, .loaded = 6, .mass = 15});
  return 0;
}

/* exit code 1, because there are outliers; returns the output */
static char *table_of(const char *arguments) {
  outcome o = tool("%s", arguments);
  if (o.code != 1) fail_msg("exit code %d: %s", o.code, o.err);
  char *text = o.out;
  o.out = NULL;
  outcome_free(&o);
  return text;
}

static void test_outliers(void **state) {
  (void)state;
  char *text = table_of(FLEET);
  assert_non_null(strstr(text, "8 robots, 60 parameters: 2 differ from the others\n"));
  assert_non_null(strstr(text, "\narm3             Fc3 "));
  assert_non_null(strstr(text, "\narm6             M"));
  for (int i = 1; i <= 8; i++) {
    char line[16];
    snprintf(line, sizeof line, "\narm%d ", i);
    assert_true((strstr(text, line) != NULL) == (i == 3 || i == 6));
  }
  free(text);
}

static void test_same_bytes(void **state) {
  (void)state;
  char *one = table_of(FLEET " --json"), *two = table_of(FLEET " --json --threads 3");
  assert_string_equal(one, two);
  free(two);
  two = table_of(FLEET " --json --journal journal -o results");
  assert_string_equal(one, two);
  free(two);
  two = table_of(FLEET " --json --journal journal --resume");
  assert_string_equal(one, two);
  free(two);
  for (int i = 1; i <= 3; i++) free(tool_text(FLEET " --shard %d/3 -o part%d", i, i));
  two = table_of("merge part3 part1 part2 --json -o merged");
  assert_string_equal(one, two);
  free(two);
  free(one);
  tool_refuses(3, "2 of 8 jobs are missing in these files", "merge part1 part2");
  tool_refuses(3, "other jobs", FLEET " --journal journal --resume --decimate 10");

  // each result equals that of identify for one robot
  free(tool_text("identify tx40 log4.csv --gamma 150 -q -o alone.json"));
  char *alone = read_text(temp_file("alone.json", NULL), NULL);
  char *results = read_text(temp_file("results/arm4.json", NULL), NULL);
  char *merged = read_text(temp_file("merged/arm4.json", NULL), NULL);
  assert_string_equal(results, merged);
  assert_string_equal(results, alone);
  free(alone);
  free(results);
  free(merged);
}

/* a robot that cannot be identified does not stop the others */
static void test_a_robot_fails(void **state) {
  (void)state;
  temp_file("broken.yaml",
            "robot: tx40\n"
            "options: {method: ols, gamma: 150, essential: false}\n"
            "robots:\n"
            "  - {name: good, logs: [log1.csv], options: {decimate: 10}}\n"
            "  - {name: bad, logs: [missing.csv]}\n");
  char *text = table_of("identify --fleet broken.yaml -q -o some");
  assert_non_null(strstr(text, "2 robots, 60 parameters: too few robots to compare"));
  assert_non_null(strstr(text, "not identified: 1\n  bad: "));
  assert_non_null(strstr(text, "missing.csv: "));
  free(text);
  char *result = read_text(temp_file("some/good.json", NULL), NULL);
  assert_non_null(strstr(result, "\"method\": \"ols\""));
  assert_non_null(strstr(result, "\"decimate\": 10"));
  free(result);
  // the command line overrides the manifest
  free(table_of("identify --fleet broken.yaml -q -o some --decimate 25"));
  result = read_text(temp_file("some/good.json", NULL), NULL);
  assert_non_null(strstr(result, "\"decimate\": 25"));
  free(result);
}

static void refuse(const char *message, const char *manifest) {
  temp_file("manifest.yaml", manifest);
  tool_refuses(3, message, "identify --fleet manifest.yaml");
}

static void test_refusals(void **state) {
  (void)state;
  refuse("robots are a list", "robot: tx40\n");
  refuse("needs a name", "robots: [{robot: tx40, logs: [a.csv]}]\n");
  refuse("the robot is missing", "robots: [{name: a, logs: [a.csv]}]\n");
  refuse("logs are a list", "robots: [{name: a, robot: tx40}]\n");
  refuse("logs are a list", "robots: [{name: a, robot: tx40, logs: a.csv}]\n");
  refuse("there are two robots 'a'",
         "robot: tx40\nrobots: [{name: a, logs: [a.csv]}, {name: a, logs: [b.csv]}]\n");
  refuse("cannot be the name of a file", "robots: [{name: a/b, robot: tx40, logs: [a.csv]}]\n");
  refuse("manifest.yaml:1:11", "robots: [{nam: a, robot: tx40, logs: [a.csv]}]\n");
  refuse("options are a map", "options: wls\nrobots: [{name: a, robot: tx40, logs: [a.csv]}]\n");
  refuse("robot 'a' of the fleet: there is no option 'methd'; did you mean 'method'?",
         "options: {methd: wls}\nrobots: [{name: a, robot: tx40, logs: [a.csv]}]\n");
  tool_refuses(3, "nothere.yaml", "identify --fleet nothere.yaml");
  tool_refuses(2, "takes robots and logs from its manifest",
               "identify --fleet fleet.yaml tx40 log1.csv");
  tool_refuses(2, "are for one robot", "identify --fleet fleet.yaml --report page.html");
  tool_refuses(2, "--shard, --journal and --resume need --fleet",
               "identify tx40 log1.csv --shard 1/2");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_outliers),
      cmocka_unit_test(test_same_bytes),
      cmocka_unit_test(test_a_robot_fails),
      cmocka_unit_test(test_refusals),
  };
  return cmocka_run_group_tests(tests, record, NULL);
}
