/*
 * Every option of every command with hostile values. The options come from `help --json`, so that a
 * new one is tested without a change here. Each command runs in a child of this process, with
 * limits of time and memory, and must end with 0, 1, 2 or 3; a refusal is one sentence.
 */
#ifndef TEST_OPTION_MATRIX_H
#define TEST_OPTION_MATRIX_H

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

#include "cli.h"
#include "document/document.h"
#include "pendulum_files.h"

#define SECONDS 40                // processor time of a run; a refusal takes milliseconds
#define MEMORY ((rlim_t)3 << 30)  // of a run
#define LONG_TEXT 3000            // characters of a very long value
#define WORDS_MAX 32              // of a command line
#define SHOWN 40                  // failures that are printed

/* A short run of each command. Options come behind these words and replace those in them. */
static const struct {
  const char *command, *words;
  bool slow;  // takes seconds, so that only slow_option_matrix runs it
} lines[] = {
    {"model", "pendulum.yaml --base", false},
    {"regressor", "pendulum.yaml traj.csv", false},
    {"dynamics", "pendulum.yaml traj.csv", false},
    {"excite",
     "pendulum.yaml --period 2 --rate 50 --harmonics 2 --starts 1 --budget 1 --generations 2 "
     "--population 4",
     false},
    {"map", "pendulum.yaml log.csv", false},
    {"check", "pendulum.yaml log.csv", false},
    {"simulate", "pendulum.yaml traj.csv", false},
    {"identify", "pendulum.yaml log.csv", false},
    {"controller", "pendulum.yaml loop.csv", false},
    {"validate", "result.json log.csv", false},
    {"payload", "pendulum.yaml log.csv log.csv", false},
    {"follow", "pendulum.yaml result.json log.csv", false},
    {"play", "pendulum.yaml play.yaml --link-radius 0.04", false},
    {"compare", "result.json result.json", false},
    {"export", "pendulum.yaml --format yaml", false},
    {"montecarlo", "pendulum.yaml --reference traj.csv --runs 1 --methods wls --rate 100", false},
    {"merge", "study", false},
    {"report", "result.json -o report.html", false},
    {"reproduce", "", false},
    {"demo", "--quick", true},
    {"help", "", false},
    {"version", "", false},
    {NULL, "", false},  // commands without a line of their own
};

/* ---- one run ---- */

typedef struct {
  int code;  // exit code; negative: the signal that ended it
  double seconds;
  char err[4096];  // end of stderr
  bool controls;   // a control character in the output
} run_outcome;

static inline void limit(int resource, rlim_t most) {
  const struct rlimit l = {most, most};
  if (setrlimit(resource, &l) != 0) _exit(125);
}

/* in the child: never returns */
static inline void run_command(int argc, char **argv, bool slow) {
  const int in = open("/dev/null", O_RDONLY), out = open(".out", O_RDWR | O_CREAT | O_TRUNC, 0600);
  const int err = open(".err", O_RDWR | O_CREAT | O_TRUNC, 0600);
  if (out < 0 || in < 0 || err < 0 || dup2(in, 0) < 0 || dup2(out, 1) < 0 || dup2(err, 2) < 0)
    _exit(125);
  // a sanitizer reserves more addresses than there is memory
  if (!SANITIZED) limit(RLIMIT_AS, MEMORY);
  limit(RLIMIT_FSIZE, (rlim_t)1 << 28);
  limit(RLIMIT_CORE, 0);
  // processor time: the load of the machine is not the command's; the alarm is for one that waits
  const rlim_t seconds = SANITIZED || slow ? 10 * SECONDS : SECONDS;
  const struct rlimit processor = {seconds, seconds + 5};
  if (setrlimit(RLIMIT_CPU, &processor) != 0) _exit(125);
  alarm(5 * (unsigned)seconds);
  _exit(cli_main(argc, argv));
}

static inline bool has_controls(const char *text) {
  for (; *text; text++)
    if (((unsigned char)*text < ' ' && *text != '\n' && *text != '\r') || *text == 127) return true;
  return false;
}

static inline void run_limited(run_outcome *out, int argc, char **argv, bool slow) {
  struct timespec begin, end;
  clock_gettime(CLOCK_MONOTONIC, &begin);
  fflush(NULL);
  const pid_t child = fork();
  if (child == 0) run_command(argc, argv, slow);
  int status;
  if (child < 0 || waitpid(child, &status, 0) != child) fail_msg("no child");
  clock_gettime(CLOCK_MONOTONIC, &end);
  out->seconds = (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec);
  out->code = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  size_t size;
  char *text = read_text(".err", &size);
  const size_t skip = size < sizeof out->err ? 0 : size - sizeof out->err + 1;
  snprintf(out->err, sizeof out->err, "%s", text + skip);
  out->controls = has_controls(text);
  free(text);
  text = read_text(".out", NULL);
  out->controls |= has_controls(text);
  free(text);
}

/* Why the outcome is wrong; NULL: it is not. */
static inline const char *judge(const run_outcome *o) {
  if (o->code == -SIGALRM || o->code == -SIGXCPU) return "takes too long";
  if (o->code < 0) return "ended by a signal";
  if (o->code > EXIT_INPUT) return "exit code";
  if (o->controls) return "control character in the output";
  if (o->code < EXIT_USAGE) return NULL;
  // the last line is the sentence, and the only one of its kind
  const char *last = o->err, *end = strrchr(o->err, '\n');
  if (!end || end[1]) return "no sentence";
  int sentences = 0;
  for (const char *line = o->err; line < end; line = strchr(line, '\n') + 1) {
    sentences += strncmp(line, "roberval", 8) == 0;
    last = line;
  }
  if (strncmp(last, "roberval", 8) != 0) return "the last line is no sentence";
  return sentences == 1 ? NULL : "more than one sentence";
}

/* ---- all of them ---- */

typedef struct {
  int runs, failures;
  double slowest;
  char slowest_line[256];
} tally;

/* Run a command with its own words and one more. */
static inline void run_line(run_outcome *out, const char *name, int line, const char *more) {
  char words[256], last[LONG_TEXT + 64], *argv[WORDS_MAX + 3], *rest = words;
  char tool_name[] = "roberval", command[32];
  int argc = 0;
  snprintf(words, sizeof words, "%s", lines[line].words);
  snprintf(command, sizeof command, "%s", name);
  snprintf(last, sizeof last, "%s", more ? more : "");
  argv[argc++] = tool_name;
  argv[argc++] = command;
  for (char *word; argc < WORDS_MAX && (word = strtok_r(rest, " ", &rest));) argv[argc++] = word;
  if (more) argv[argc++] = last;
  argv[argc] = NULL;
  run_limited(out, argc, argv, lines[line].slow);
}

static inline void try_value(tally *t, const char *command, int line, const char *option,
                             const char *value) {
  char typed[LONG_TEXT + 64];
  snprintf(typed, sizeof typed, value ? "--%s=%s" : "--%s", option, value);
  run_outcome o;
  run_line(&o, command, line, typed);
  t->runs++;
  if (o.seconds > t->slowest) {
    t->slowest = o.seconds;
    snprintf(t->slowest_line, sizeof t->slowest_line, "%s %s %.80s", command, lines[line].words,
             typed);
  }
  const char *wrong = judge(&o);
  if (wrong && t->failures++ < SHOWN)
    print_error("%s %s %.60s: %s (code %d, %.1f s): %.300s\n", command, lines[line].words, typed,
                wrong, o.code, o.seconds, o.err);
}

static const char *const numbers[] = {"-1",     "0",     "1e308", "nan", "", "99999999999999999999",
                                      "1e-308", "seven", NULL};

/* every: all values, otherwise one for each option, another one for each option in turn */
static inline void try_option(tally *t, const char *command, int line, const rbv_node *option,
                              bool every, int turn) {
  static char long_text[LONG_TEXT + 1];
  static const char *const texts[] = {"-1",      "0",       "1e308", "nan", "",
                                      long_text, "\x1b[2J", "1,2,3", ".",   NULL};
  static const char *const flags[] = {NULL, "1", NULL};
  memset(long_text, 'x', LONG_TEXT);
  const char *name, *kind;
  assert_ok(rbv_node_string(&name, rbv_node_find(option, "name")));
  assert_ok(rbv_node_string(&kind, rbv_node_find(option, "kind")));
  const bool flag = strcmp(kind, "flag") == 0;
  const bool number =
      strcmp(kind, "number") == 0 || strcmp(kind, "count") == 0 || strcmp(kind, "seed") == 0;
  const char *const *values = flag ? flags : number ? numbers : texts;
  int count = 2;
  while (!flag && values[count]) count++;
  for (int i = 0; i < count; i++)
    if (every || i == turn % count) try_value(t, command, line, name, values[i]);
}

/* Try every option of every command. */
static inline void try_matrix(bool every) {
  make_files();
  free(
      tool_text("simulate pendulum.yaml traj.csv --controller controller.yaml --loop-encoder 1e5 "
                "-q -o loop.csv"));
  free(
      tool_text("montecarlo pendulum.yaml --reference traj.csv --runs 1 --methods wls --rate 100 "
                "--shard 1/1 -q -o study"));
  rbv_document *doc = tool_json("help --json");
  if (chdir(temp_directory()) != 0) fail_msg("no directory");
  const rbv_node *commands = rbv_node_find(rbv_document_root(doc), "commands");
  tally t = {0};
  int options = 0;
  for (int i = 0; i < rbv_node_count(commands); i++) {
    const rbv_node *command = rbv_node_at(commands, i), *list = rbv_node_find(command, "options");
    const char *name;
    assert_ok(rbv_node_string(&name, rbv_node_find(command, "name")));
    // these run until they are ended: studio.server, topic.record
    if (strcmp(name, "studio") == 0 || strcmp(name, "record") == 0) continue;
    int line = 0;
    while (lines[line].command && strcmp(lines[line].command, name) != 0) line++;
    if (lines[line].slow && !every) continue;
    // the line itself is valid: otherwise its options would not be tried
    run_outcome plain;
    if (lines[line].command) {
      run_line(&plain, name, line, NULL);
      if (plain.code < 0 || plain.code > EXIT_NO)
        fail_msg("%s %s: code %d: %s", name, lines[line].words, plain.code, plain.err);
    }
    for (int k = 0; k < rbv_node_count(list); k++, options++)
      try_option(&t, name, line, rbv_node_at(list, k), every, options);
  }
  rbv_document_free(doc);
  print_message("%d options, %d runs, %d failures; slowest %.1f s: %s\n", options, t.runs,
                t.failures, t.slowest, t.slowest_line);
  assert_true(options > 200);
  assert_int_equal(t.failures, 0);
}

#endif
