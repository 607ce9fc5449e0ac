/* The tool on a terminal: lines fit its width, words stay whole, colours can be switched off. */
#include <errno.h>
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

/* a child on a terminal of some width; all that it writes */
static char *output_on(int width, const char *command) {
  const struct winsize size = {.ws_row = 50, .ws_col = (unsigned short)width};
  int master;
  const pid_t child = forkpty(&master, NULL, NULL, &size);
  assert_true(child >= 0);
  if (child == 0) {
    execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    _exit(127);
  }
  char *text = calloc(SCREEN + 1, 1);
  assert_non_null(text);
  size_t used = 0;
  for (ssize_t n; used < SCREEN; used += (size_t)n) {
    n = read(master, text + used, SCREEN - used);
    if (n < 0 && errno == EINTR)
      n = 0;  // at the end of the child: EIO
    else if (n <= 0)
      break;
  }
  int status;
  waitpid(child, &status, 0);
  close(master);
  assert_true(used > 0 && used < SCREEN);
  return text;
}

/* what is seen of it: a carriage return writes over the line, sequences of colours take no place.
 * The longest line that was ever there is stored; a terminal would break one that is longer than
 * its width. */
static char *seen(const char *text, int *longest) {
  char *out = calloc(strlen(text) + 1, 1);
  assert_non_null(out);
  size_t line = 0, end = 0, at = 0;  // bytes: start, end of the line, cursor
  *longest = 0;
  for (const char *c = text; *c; c++) {
    if (*c == '\033') {
      c += strcspn(c, "m");
      assert_int_equal(*c, 'm');  // the only sequences are colours
    } else if (*c == '\r') {
      at = line;
    } else if (*c == '\n') {
      out[end++] = '\n';
      line = at = end;
    } else {
      // lines that are written over are ASCII: a byte is a column
      assert_true(at == end || ((unsigned char)*c < 0x80 && (unsigned char)out[at] < 0x80));
      out[at++] = *c;
      end = at > end ? at : end;
      int columns = 0;
      for (size_t i = line; i < end; i++) columns += ((unsigned char)out[i] & 0xC0) != 0x80;
      *longest = columns > *longest ? columns : *longest;
    }
  }
  out[end] = 0;
  return out;
}

/* the tool on a terminal, in the temporary directory */
static char *screen(const char *environment, int width, const char *arguments) {
  char command[1024];
  snprintf(command, sizeof command,
           "cd '%s' && exec env -u COLUMNS -u NO_COLOR TERM=xterm %s '%s' %s", temp_directory(),
           environment, ROBERVAL_TOOL, arguments);
  return output_on(width, command);
}

static int by_text(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

/* the words of a text, sorted, one per line: messages and output meet in another order in a pipe */
static char *words(char *text) {
  static char *word[SCREEN / 2];
  size_t count = 0, length = 0;
  char *rest, *sorted = calloc(strlen(text) + 2, 1);
  assert_non_null(sorted);
  for (char *w = strtok_r(text, " \n", &rest); w; w = strtok_r(NULL, " \n", &rest))
    word[count++] = w;
  qsort(word, count, sizeof *word, by_text);
  for (size_t i = 0; i < count; i++) {
    const size_t n = strlen(word[i]);
    memcpy(sorted + length, word[i], n);
    sorted[length + n] = '\n';
    length += n + 1;
  }
  free(text);
  return sorted;
}

/* a robot, its recording and its result */
static int record(void **state) {
  (void)state;
  rbv_model *m = load_robot(temp_file("arm.yaml", sound_arm), -1, false);
  waves w;
  waves_new(&w, m, rbv_model_parameters(m), 1, 4000, 400, false);
  waves_save(&w, temp_file("log.csv", NULL), "q tau");
  waves_free(&w);
  rbv_model_free(m);
  free(tool_text("identify arm.yaml log.csv -q -o result.json"));
  return 0;
}

/* commands with tables, lists, progress, colours and an error */
static const char *const commands[] = {"help",
                                       "identify --help",
                                       "model tx40 --base",
                                       "check arm.yaml log.csv",
                                       "identify arm.yaml log.csv -o again.json",
                                       "show result.json",
                                       "identfy"};
#define COMMANDS (int)(sizeof commands / sizeof *commands)

static void lines_fit(void **state) {
  (void)state;
  static const int width[] = {60, 80, 120};
  for (int i = 0; i < COMMANDS; i++) {
    outcome o = tool("%s >.both 2>&1", commands[i]);
    outcome_free(&o);
    char *plain = read_text(temp_file(".both", NULL), NULL);
    assert_null(strchr(plain, '\033'));
    plain = words(plain);
    for (int k = 0; k < 3; k++) {
      int longest;
      char *text = screen("", width[k], commands[i]), *shown = seen(text, &longest);
      if (longest > width[k]) fail_msg("%s: %d columns of %d", commands[i], longest, width[k]);
      shown = words(shown);
      assert_string_equal(shown, plain);
      free(text);
      free(shown);
    }
    free(plain);
  }
  // a pipe has no width
  char *plain = tool_text("model tx40 --base");
  int longest;
  free(seen(plain, &longest));
  assert_true(longest > 120);
  free(plain);
  // the variable that shells set has precedence
  char *shown = screen("COLUMNS=70", 120, "identify --help");
  free(seen(shown, &longest));
  assert_true(longest <= 70);
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

/* every command that says what is good or bad has colours, and none with NO_COLOR */
static void answers_are_coloured(void **state) {
  (void)state;
  static const char *const coloured[] = {"identfy", "check arm.yaml log.csv",
                                         "identify arm.yaml log.csv -o again.json"};
  for (int i = 0; i < 3; i++) {
    char *shown = screen("", 80, coloured[i]);
    assert_non_null(strstr(shown, "\033["));
    free(shown);
    shown = screen("NO_COLOR=1", 80, coloured[i]);
    assert_null(strchr(shown, '\033'));
    free(shown);
  }
}

/* the sentence about the gain has its colour, and no part of a sequence as text */
static void headline_is_coloured(void **state) {
  (void)state;
  const char *arguments = "identify arm.yaml log.csv -o result.json";
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
      cmocka_unit_test(answers_are_coloured),
      cmocka_unit_test(headline_is_coloured),
      cmocka_unit_test(misspelt_names_are_recognised),
  };
  return cmocka_run_group_tests(tests, record, NULL);
}
