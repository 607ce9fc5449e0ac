/*
 * Results of unknown origin: every value of a result is replaced by a hostile one. A command that
 * reads it must end with 0 to 3, with one sentence, without a control character, and must not print
 * "nan" or "inf" as if it were a number.
 */
#ifndef TEST_STRANGERS_H
#define TEST_STRANGERS_H

#include <ctype.h>

#include "option_matrix.h"

#define VALUES_MAX 20000

/* @ is the hostile result */
static const char *const stranger_lines[] = {
    "show @",
    "validate @ log.csv",
    "compare @ result.json",
    "compare @ result.json --no-logs",
    "export @ --format yaml --force",
    "sweep pendulum.yaml @ --reference traj.csv --rate 100 --plants 1",
    "payload @ log.csv",
    "identify --again @ -q -o again.json",
    "follow pendulum.yaml @ log.csv",
    "report @ -o page.html",
    "dynamics pendulum.yaml traj.csv --parameters @",
    "excite pendulum.yaml --evaluate traj.csv --noise @",
};
#define STRANGER_LINES ((int)(sizeof stranger_lines / sizeof *stranger_lines))

static const char *const hostile[] = {
    "null", "\"\"", "-1",    "0",    "1e308",  "-2147483648",
    "[]",   "{}",   "\"x\"", "true", "1e-300", "\"\\u001b[31mX\\u001b]0;t\\u0007\"",
    "4e9"};
#define HOSTILE ((int)(sizeof hostile / sizeof *hostile))

typedef struct {
  size_t at, size;
} span;

/* the values of a JSON text that are no maps and no lists; returns their number */
static inline int find_values(span value[VALUES_MAX], const char *text) {
  int count = 0;
  for (const char *c = text; *c && count < VALUES_MAX;) {
    if (isspace((unsigned char)*c) || strchr("{}[],:", *c)) {
      c++;
      continue;
    }
    const char *begin = c;
    if (*c == '"') {
      for (c++; *c != '"'; c++) c += *c == '\\';
      c++;
    } else {
      c += strcspn(c, ",]} \n");
    }
    if (*c != ':') value[count++] = (span){(size_t)(begin - text), (size_t)(c - begin)};
  }
  return count;
}

/* "nan" or "inf" as a word: not part of a name */
static inline bool has_no_number(const char *text) {
  static const char *const words[] = {"nan", "inf"};
  for (int i = 0; i < 2; i++)
    for (const char *at = text; (at = strstr(at, words[i])); at++)
      if ((at == text || !isalnum((unsigned char)at[-1])) && !isalnum((unsigned char)at[3]))
        return true;
  return false;
}

static inline bool try_stranger(const char *line) {
  char words[256], *argv[WORDS_MAX], *rest = words;
  int argc = 0;
  snprintf(words, sizeof words, "roberval %s", line);
  for (char *word; argc < WORDS_MAX - 1 && (word = strtok_r(rest, " ", &rest));)
    argv[argc++] = word;
  argv[argc] = NULL;
  run_outcome o;
  run_limited(&o, argc, argv, false);
  const char *wrong = judge(&o);
  // the equations of motion of such a robot have no solution: docs/cli/dynamics.md
  if (strstr(o.err, "the mass matrix is not positive definite")) wrong = NULL;
  char *out = read_text(".out", NULL);
  // tables of numbers are for programs
  if (!wrong && strncmp(line, "dynamics", 8) != 0 && has_no_number(out)) wrong = "nan or inf";
  free(out);
  if (wrong) print_error("%s: %s (code %d): %.300s\n", line, wrong, o.code, o.err);
  return !wrong;
}

/* Replace count values, spread over the result; 0: all of them with every hostile value. */
static inline void try_strangers(int count) {
  static span value[VALUES_MAX];
  make_files();
  if (chdir(temp_directory()) != 0) fail_msg("no directory");
  char *text = read_text("result.json", NULL);
  const int n = find_values(value, text), runs = count ? count : n * HOSTILE;
  int failures = 0;
  for (int i = 0; i < runs; i++) {
    const int v = count ? (int)((long long)i * n / count) : i / HOSTILE;
    const char *word = hostile[i % HOSTILE];
    char line[200];
    const char *format = stranger_lines[(i / HOSTILE + i) % STRANGER_LINES];
    const int before = (int)strcspn(format, "@");
    snprintf(line, sizeof line, "%.*sstranger.json%s", before, format, format + before + 1);
    FILE *file = fopen("stranger.json", "w");
    fprintf(file, "%.*s%s%s", (int)value[v].at, text, word, text + value[v].at + value[v].size);
    fclose(file);
    if (try_stranger(line)) continue;
    failures++;
    print_error("  value %d of %d, %.*s, is now %s\n", v, n,
                (int)(value[v].size < 60 ? value[v].size : 60), text + value[v].at, word);
  }
  free(text);
  print_message("%d values, %d runs, %d failures\n", n, runs, failures);
  assert_int_equal(failures, 0);
}

#endif
