/* Options of the conversion from logs to motions, on the command line. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "support.h"

static char robot[256], csv[256], gains[256], output[256];

/* a pendulum that swings at 0.5 Hz, with the torque of its model; 4 s at 200 Hz, uneven stamps */
static int write_files(void **state) {
  (void)state;
  strcpy(robot, temp_file("one.yaml", "name: one\njoints: [{name: a, mdh: {alpha: pi/2}}]\n"));
  strcpy(gains, temp_file("gains.yaml", "[0.5]\n"));
  strcpy(output, temp_file("result.json", NULL));
  strcpy(csv, temp_file("log.csv", NULL));
  FILE *f = fopen(csv, "w");
  assert_non_null(f);
  fprintf(f, "t,q1,tau1,tauj1\n");
  for (int k = 0; k < 800; k++) {
    const double t = (k + 0.2 * (k % 2)) / 200, q = sin(3 * t) + 0.5 * sin(7 * t);
    const double dq = 3 * cos(3 * t) + 3.5 * cos(7 * t), ddq = -9 * sin(3 * t) - 24.5 * sin(7 * t);
    const double tau = 0.3 * ddq + 2 * cos(q) + 0.4 * dq + 0.1 * sin(40 * t);
    fprintf(f, "%.9g,%.12g,%.12g,%.12g\n", t, q, tau, tau);
  }
  return fclose(f);
}

static int run(const char *options, char *words, size_t size) {
  char command[2048];
  snprintf(command, sizeof command, "'%s' identify '%s' '%s' -o '%s' %s 2>&1", ROBERVAL_TOOL, robot,
           csv, output, options);
  FILE *pipe = popen(command, "r");
  assert_non_null(pipe);
  words[fread(words, 1, size - 1, pipe)] = 0;
  return WEXITSTATUS(pclose(pipe));
}

static void test_options(void **state) {
  (void)state;
  char options[512], words[4096];
  const struct {
    const char *options;
    int code;
    const char *words;
  } cases[] = {
      {"", 0, "from the data, resampled"},
      {"--cutoff 0", 0, "from the data"},
      {"--cutoff 30 --delay 0.01", 0, "800 samples"},
      {"--differentiate irw", 0, "800 samples"},
      {"--differentiate spline --stiffness 1000", 0, "800 samples"},
      // half of a short motion: too weak for a model
      {"--differentiate fourier --period 1.5 --harmonics 9", 1, "mean of 2 periods"},
      {"--gains 2", 0, "800 samples"},
      {"--gains GAINS", 0, "800 samples"},
      {"--differentiate euler", 2, "--differentiate cannot be 'euler'"},
      {"--differentiate fourier", 2, "differentiate fourier needs the period of the motion"},
      {"--differentiate fourier --period 1 --harmonics 0", 2,
       "--harmonics needs a whole number from 1 to 1000"},
      {"--differentiate recorded", 3, "no recorded velocities"},
      {"--differentiate recorded --stiffness 9", 2, "stiffness changes positions"},
      {"--cutoff fast", 2, "cutoff needs a frequency or auto, not 'fast'"},
      {"--cutoff=-3", 2, "cutoff needs a frequency or auto, not '-3'"},
      {"--cutoff 1000", 3, "half the sample rate"},
      {"--stiffness 1,2", 2, "stiffness needs 1 numbers"},
      {"--gains 1e", 2, "found '1e'"},
      {"--gains no.yaml", 3, "no.yaml"},
      {"--gains 1 --sensing joint", 2, "gains scales motor torques"},
      {"--map no.yaml", 3, "no.yaml"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const char *name = strstr(cases[i].options, "GAINS");
    snprintf(options, sizeof options, "%.*s%s",
             name ? (int)(name - cases[i].options) : (int)strlen(cases[i].options),
             cases[i].options, name ? gains : "");
    const int code = run(options, words, sizeof words);
    if (code != cases[i].code || !strstr(words, cases[i].words))
      fail_msg("%s: code %d, not %d; it said: %s", cases[i].options, code, cases[i].code, words);
  }
}

/* the result records how the recording was prepared */
static void test_result_records_preparation(void **state) {
  (void)state;
  char words[4096];
  assert_int_equal(run("--cutoff 30 --gains 2", words, sizeof words), 0);
  size_t size;
  char *text = read_text(output, &size);
  const char *const keys[] = {"\"differentiation\": \"bandpass\"", "\"cutoff_hz\": 30",
                              "\"resampled\": true", "\"gains\": \"2\"", "\"cutoff\": \"30\""};
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
    if (!strstr(text, keys[i])) fail_msg("no %s in %s", keys[i], text);
  free(text);
}

/* A recording from standard input, by a pipe or a redirection, gives the result of the file. */
static void test_standard_input(void **state) {
  (void)state;
  static const char *const forms[] = {
      "cat '%s' | '%s' identify '%s' - -q", "cat '%s' | '%s' identify '%s' /dev/stdin -q",
      "<'%s' '%s' identify '%s' - -q", "gzip -c '%s' | '%s' identify '%s' - -q",
      "cat '%s' | '%s' identify '%s' - -q --differentiate irw"};
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
    char command[2048], want[4096], got[4096];
    const char *options = strstr(forms[i], "-q") + 2;
    snprintf(command, sizeof command, "'%s' identify '%s' '%s' -q %s 2>&1", ROBERVAL_TOOL, robot,
             csv, options);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    want[fread(want, 1, sizeof want - 1, pipe)] = 0;
    assert_int_equal(pclose(pipe), 0);
    snprintf(command, sizeof command, forms[i], csv, ROBERVAL_TOOL, robot);
    assert_non_null(pipe = popen(command, "r"));
    got[fread(got, 1, sizeof got - 1, pipe)] = 0;
    assert_int_equal(pclose(pipe), 0);
    assert_true(strlen(want) > 100);
    assert_string_equal(got, want);
  }
  // nothing comes: one sentence
  char command[1024], got[1024];
  snprintf(command, sizeof command, "'%s' identify '%s' - -q 2>&1 </dev/null", ROBERVAL_TOOL,
           robot);
  FILE *pipe = popen(command, "r");
  assert_non_null(pipe);
  got[fread(got, 1, sizeof got - 1, pipe)] = 0;
  assert_int_equal(WEXITSTATUS(pclose(pipe)), 3);
  assert_string_equal(got, "roberval: standard input: no rows: the file is empty\n");
}

/* 0.1 MB are needed: with a lower limit, files that cannot be read in blocks are refused */
static void test_memory_limits(void **state) {
  (void)state;
  char words[4000];
  assert_int_equal(run("--memory 0.01", words, sizeof words), 3);
  assert_non_null(
      strstr(words, "the time stamps are irregular, but a recording that is read in pieces"));
  assert_int_equal(run("--memory 0.01 --differentiate irw", words, sizeof words), 3);
  assert_non_null(strstr(words, "irw needs the whole recording in memory"));
  assert_int_equal(run("--memory 0.01 --method didim", words, sizeof words), 3);
  assert_non_null(strstr(words, "a simulated loop needs the recording as a whole"));
  assert_non_null(strstr(words, "use a shorter recording or more memory (see --memory)"));
  assert_int_equal(run("--memory 0", words, sizeof words), 2);
  assert_non_null(strstr(words, "memory needs a number above 0"));
  assert_int_equal(run("--memory 1", words, sizeof words), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_options),
      cmocka_unit_test(test_result_records_preparation),
      cmocka_unit_test(test_standard_input),
      cmocka_unit_test(test_memory_limits),
  };
  return cmocka_run_group_tests(tests, write_files, NULL);
}
