/* The tool on a terminal: lines fit its width, words stay whole, colours can be switched off. */
#include <pty.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "arm.h"
#include "motions.h"
#include "support.h"
#include "tool.h"

#define SCREEN 200000

/* what a terminal of some width shows of a command; carriage returns are left out */
static char *screen(const char *environment, int width, const char *arguments) {
  char command[512];
  snprintf(command, sizeof command, "env -u COLUMNS -u NO_COLOR TERM=xterm %s %s %s", environment,
           ROBERVAL_TOOL, arguments);
  const struct winsize size = {.ws_row = 50, .ws_col = (unsigned short)width};
  int master;
  const pid_t child = forkpty(&master, NULL, NULL, &size);
  assert_true(child >= 0);
  if (child == 0) {
    execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    _exit(127);
  }
  char *text = calloc(SCREEN + 1, 1), c;
  assert_non_null(text);
  int used = 0;
  while (used < SCREEN && read(master, &c, 1) == 1)
    if (c != '\r') text[used++] = c;
  int status;
  waitpid(child, &status, 0);
  close(master);
  assert_true(used > 0);
  return text;
}

/* number of characters of the longest line */
static int longest_line(const char *text) {
  int most = 0, now = 0;
  for (; *text; text++) {
    if (*text == '\n')
      now = 0;
    else if (((unsigned char)*text & 0xC0) != 0x80)
      now++;
    most = now > most ? now : most;
  }
  return most;
}

/* both texts have the same words in the same order */
static void assert_same_words(char *a, char *b) {
  char *rest_a, *rest_b;
  char *x = strtok_r(a, " \n", &rest_a), *y = strtok_r(b, " \n", &rest_b);
  while (x && y) {
    assert_string_equal(x, y);
    x = strtok_r(NULL, " \n", &rest_a);
    y = strtok_r(NULL, " \n", &rest_b);
  }
  assert_null(x);
  assert_null(y);
}

static void lines_fit(void **state) {
  (void)state;
  static const char *const command[] = {"identify --help", "model tx40 --base", "help"};
  static const int width[] = {60, 80, 120};
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) {
      char *shown = screen("", width[k], command[i]), *plain = tool_text("%s", command[i]);
      assert_true(longest_line(shown) <= width[k]);
      assert_same_words(shown, plain);
      free(shown);
      free(plain);
    }
  // a pipe has no width
  char *plain = tool_text("model tx40 --base");
  assert_true(longest_line(plain) > 120);
  free(plain);
  // the variable that shells set has precedence
  char *shown = screen("COLUMNS=70", 120, "identify --help");
  assert_true(longest_line(shown) <= 70);
  free(shown);
}

static void continued_lines_are_indented(void **state) {
  (void)state;
  char *shown = screen("", 60, "identify --help");
  // the help of an option is continued below its first word
  const char *begin = strstr(shown, "  -m, --method NAME          estimator (default ");
  assert_non_null(begin);
  const char *next = strchr(begin, '\n') + 1;
  assert_int_equal(strspn(next, " "), 29);
  free(shown);
}

static void colours_can_be_switched_off(void **state) {
  (void)state;
  char *shown = screen("", 80, "identfy");
  assert_non_null(strstr(shown, "\033[1;31mroberval:\033[0m there is no command 'identfy'"));
  free(shown);
  static const char *const off[] = {"NO_COLOR=1", "TERM=dumb"};
  for (int i = 0; i < 2; i++) {
    shown = screen(off[i], 80, "identfy");
    assert_null(strchr(shown, '\033'));
    assert_non_null(strstr(shown, "roberval: there is no command 'identfy'"));
    free(shown);
  }
}

/* the sentence about the gain has its colour, and no part of a sequence as text */
static void headline_is_coloured(void **state) {
  (void)state;
  rbv_model *m = load_robot(temp_file("arm.yaml", sound_arm), -1, false);
  waves w;
  waves_new(&w, m, rbv_model_parameters(m), 1, 4000, 400, false);
  waves_save(&w, temp_file("log.csv", NULL), "q tau");
  waves_free(&w);
  rbv_model_free(m);
  char arguments[400];
  snprintf(arguments, sizeof arguments, "identify %s/arm.yaml %s/log.csv -o %s/result.json",
           temp_directory(), temp_directory(), temp_directory());
  char *shown = screen("", 80, arguments);
  const char *sentence = strstr(shown, "error on parts that were left out");
  assert_non_null(sentence);
  assert_true(sentence - shown > 5 && sentence[-1] == 'm' && sentence[-4] == '[');
  assert_int_equal(sentence[-5], '\033');
  assert_null(strstr(shown, "?["));
  free(shown);
  shown = screen("NO_COLOR=1", 80, arguments);
  assert_non_null(strstr(shown, "error on parts that were left out"));
  assert_null(strchr(shown, '\033'));
  free(shown);
  // not a terminal
  outcome o = tool("identify arm.yaml log.csv -o result.json");
  assert_null(strchr(o.err, '\033'));
  assert_non_null(strstr(o.err, "error on parts that were left out"));
  outcome_free(&o);
}

static void misspelt_names_are_recognised(void **state) {
  (void)state;
  tool_refuses(2, "did you mean 'identify'?", "identfy");
  tool_refuses(2, "did you mean --method?", "identify --methd=wls");
  outcome o = tool("identify --zzzzzz");
  assert_int_equal(o.code, 2);
  assert_null(strstr(o.err, "did you mean"));
  outcome_free(&o);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lines_fit),
      cmocka_unit_test(continued_lines_are_indented),
      cmocka_unit_test(colours_can_be_switched_off),
      cmocka_unit_test(headline_is_coloured),
      cmocka_unit_test(misspelt_names_are_recognised),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
