/* Files of unknown origin: results, shards, links, names. */
#include "strangers.h"

static void test_hostile_results(void **state) {
  (void)state;
  try_strangers(240);
}

/* replace a piece of result.json behind a key; the result is hostile.json */
static void spoil(const char *key, const char *before, const char *after) {
  char *text = read_text(temp_file("result.json", NULL), NULL), *at = strstr(text, key);
  assert_non_null(at);
  at = strstr(at, before);
  assert_non_null(at);
  FILE *file = fopen(temp_file("hostile.json", NULL), "w");
  fprintf(file, "%.*s%s%s", (int)(at - text), text, after, at + strlen(before));
  fclose(file);
  free(text);
}

static void test_named_findings(void **state) {
  (void)state;
  spoil("", "\"version\": \"", "\"version\": \"\\u001b[31mRED\\u001b]0;t\\u0007");
  outcome o = tool("show hostile.json");
  assert_null(strchr(o.out, 27));
  assert_non_null(strstr(o.out, "?[31mRED"));
  outcome_free(&o);
  spoil("\"estimate\"", "\"sigma\": ", "\"sigma\": null, \"was\": ");
  o = tool("show hostile.json");
  assert_true(o.code <= 1 && !strstr(o.out, "nan") && !strstr(o.out, "inf"));
  outcome_free(&o);
  o = tool("compare hostile.json result.json --no-logs");
  assert_true(o.code <= 1 && !strstr(o.out, "nan"));
  outcome_free(&o);
  spoil("", "\"decimate\": ", "\"decimate\": -2147483648, \"was\": ");
  tool_refuses(3, "hostile.json: 'decimate' cannot be -2.14748e+09",
               "payload hostile.json log.csv");
  spoil("", "\"stribeck\": ", "\"stribeck\": null, \"was\": ");
  tool_refuses(3, "has an option 'stribeck' that this version cannot repeat",
               "identify --again hostile.json");
}

/* five of six torques: a message without an option */
static void test_no_option_in_a_message(void **state) {
  (void)state;
  FILE *log = fopen(temp_file("five.csv", NULL), "w");
  fputs("t", log);
  for (int i = 1; i <= 6; i++) fprintf(log, ",q%d", i);
  for (int i = 1; i <= 5; i++) fprintf(log, ",tau%d", i);
  for (int k = 0; k < 300; k++) {
    fprintf(log, "\n%g", 0.01 * k);
    for (int i = 0; i < 11; i++) fprintf(log, ",%d", (k * (i + 3)) % 17);
  }
  fclose(log);
  outcome o = tool("identify tx40 five.csv");
  assert_int_equal(o.code, 3);
  assert_null(strstr(o.err, "(null)"));
  outcome_free(&o);
}

/* a recording whose name looks like an option, and an option that no table has */
static void test_repeat_command(void **state) {
  (void)state;
  assert_int_equal(run_in_temp("cp log.csv ./--report=.profile.csv"), 0);
  outcome o = tool("identify -q -o dashed.json -- pendulum.yaml --report=.profile.csv");
  assert_true(o.code <= 1);
  outcome_free(&o);
  o = tool("report dashed.json -o dashed.html");
  assert_true(o.code <= 1);
  outcome_free(&o);
  char *page = read_text(temp_file("dashed.html", NULL), NULL);
  assert_non_null(strstr(page, " ./--report=.profile.csv"));
  assert_null(strstr(page, " --report=.profile.csv"));
  free(page);
}

static void test_links_out_of_folders(void **state) {
  (void)state;
  assert_int_equal(
      run_in_temp("mkdir -p robots secret && cp result.json secret/a.json && "
                  "echo '<mujocoinclude/>' >secret/part.xml && "
                  "ln -s ../secret/part.xml robots/part.xml && "
                  "cp secret/part.xml robots/own.xml && ln -s own.xml robots/alias.xml"),
      0);
  const char *arm = "<mujoco><include file=\"%s\"/><worldbody/></mujoco>";
  char text[128];
  snprintf(text, sizeof text, arm, "part.xml");
  temp_file("robots/arm.xml", text);
  tool_refuses(3, "'part.xml', a link that leads out of the folder", "model robots/arm.xml");
  snprintf(text, sizeof text, arm, "alias.xml");
  temp_file("robots/arm.xml", text);
  outcome o = tool("model robots/arm.xml");
  assert_null(strstr(o.err, "leads out"));
  outcome_free(&o);
  assert_int_equal(run_in_temp("mkdir -p hist/1 hist/2 && cp result.json hist/1/a.json && "
                               "ln -s ../../secret/a.json hist/2/a.json && ln -s ../secret hist/3"),
                   0);
  // two folders, one robot in the first: links are not followed
  o = tool("fleet hist --json");
  assert_null(strstr(o.out, "\"3\""));
  assert_non_null(strstr(o.code == 3 ? o.err : o.out, o.code == 3 ? "period" : "\"results\": 1"));
  outcome_free(&o);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_hostile_results),        cmocka_unit_test(test_named_findings),
      cmocka_unit_test(test_no_option_in_a_message), cmocka_unit_test(test_repeat_command),
      cmocka_unit_test(test_links_out_of_folders),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
