/* Values that a recorder wrote several times: every way in gives what one row per value gives. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"
#include "tool.h"

#define SECONDS 8
#define RATE 500

static char robot[256], held[256], thin[256];

/* A pendulum that swings at up to 1.1 Hz, with an encoder of 1e-5 rad. Values of every third row;
 * `all` rows, or only those with a new value. */
static void write_log(const char *path, bool all) {
  FILE *f = fopen(path, "w");
  assert_non_null(f);
  fprintf(f, "t,q1,tau1\n");
  for (int k = 0; k < SECONDS * RATE; k++) {
    if (!all && k % 3 > 0) continue;
    const double t = (double)(k - k % 3) / RATE, q = sin(3 * t) + 0.5 * sin(7 * t);
    const double dq = 3 * cos(3 * t) + 3.5 * cos(7 * t), ddq = -9 * sin(3 * t) - 24.5 * sin(7 * t);
    const double tau = 0.3 * ddq + 2 * cos(q) + 0.4 * dq + 0.1 * sin(40 * t);
    fprintf(f, "%.6f,%.5f,%.12g\n", (double)k / RATE, q, tau);
  }
  assert_int_equal(fclose(f), 0);
}

static int write_files(void **state) {
  (void)state;
  strcpy(robot, temp_file("one.yaml", "name: one\njoints: [{name: a, mdh: {alpha: pi/2}}]\n"));
  strcpy(held, temp_file("held.csv", NULL));
  strcpy(thin, temp_file("thin.csv", NULL));
  write_log(held, true);
  write_log(thin, false);
  return 0;
}

/* the text behind a key, up to the end of the object */
static const char *behind(const char *json, const char *key) {
  const char *at = strstr(json, key);
  assert_non_null(at);
  return at;
}

static void test_identify(void **state) {
  (void)state;
  char *words = tool_text("identify '%s' '%s' 2>&1", robot, held);
  assert_non_null(strstr(words, "every value is logged 3 times: 167 Hz, not 500"));
  assert_null(strstr(words, "warning"));
  free(words);
  char *fewer = tool_text("identify '%s' '%s' --json", robot, thin);
  assert_null(strstr(fewer, "rows_per_value"));
  const char *const ways[] = {"identify '%s' '%s' --json",
                              "identify '%s' '%s' --json --memory 0.01",
                              "identify '%s' - --json < '%s'"};
  for (int i = 0; i < 3; i++) {
    char *json = tool_text(ways[i], robot, held);
    (void)behind(json, "\"rows_per_value\": 3,");
    // in pieces the same to rounding
    if (i != 1) assert_string_equal(behind(json, "\"estimate\""), behind(fewer, "\"estimate\""));
    double a = 0, b = 0;
    assert_int_equal(sscanf(behind(json, "\"relative_error\""), "\"relative_error\": %lf", &a), 1);
    assert_int_equal(sscanf(behind(fewer, "\"relative_error\""), "\"relative_error\": %lf", &b), 1);
    assert_near(a, b, 0, 1e-6);
    free(json);
  }
  free(fewer);
}

static void test_check(void **state) {
  (void)state;
  char *words = tool_text("check '%s' '%s'", robot, held);
  assert_non_null(strstr(words, "held.csv: every value is logged 3 times: 167 Hz, not 500"));
  assert_null(strstr(words, "Record faster"));
  assert_null(strstr(words, "stands still"));
  free(words);
  words = tool_text("check '%s' '%s' --json", robot, held);
  (void)behind(words, "\"rows_per_value\": 3");
  (void)behind(words, "\"code\": \"held\"");
  free(words);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_identify), cmocka_unit_test(test_check)};
  return cmocka_run_group_tests(tests, write_files, NULL);
}
