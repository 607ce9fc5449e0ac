/*
 * Every option that names an output, with every input as its value: the input must be unchanged.
 * The options come from `help --json`. An input is named by eight paths: detours, links, links of
 * directories.
 */
#ifndef TEST_OUTPUT_MATRIX_H
#define TEST_OUTPUT_MATRIX_H

#include <sys/stat.h>

#include "option_matrix.h"

static const char *const inputs[] = {
    "pendulum.yaml", "pendulum.urdf", "traj.csv",        "log.csv", "loop.csv",
    "result.json",   "map.yaml",      "controller.yaml", "study",   "set.yaml"};
#define INPUTS ((int)(sizeof inputs / sizeof *inputs))

/* More lines of commands, with every input that they can have. */
static const struct {
  const char *command, *words;
} more_lines[] = {
    {"regressor", "pendulum.urdf traj.csv --base"},
    {"dynamics", "pendulum.yaml traj.csv --parameters result.json"},
    {"dynamics", "pendulum.yaml log.csv --parameters result.json --mass"},
    {"excite",
     "pendulum.yaml --evaluate traj.csv --period 2 --rate 50 --harmonics 2 --with log.csv"},
    {"excite", "pendulum.yaml --evaluate log.csv --noise result.json"},
    {"dynamics", "pendulum.urdf traj.csv --parameters set.yaml"},
    {"simulate", "pendulum.yaml traj.csv --parameters set.yaml --rate 200"},
    {"map", "pendulum.urdf loop.csv"},
    {"check", "pendulum.yaml log.csv loop.csv --map map.yaml"},
    {"simulate", "pendulum.yaml traj.csv --controller controller.yaml --parameters result.json"},
    {"simulate", "pendulum.urdf traj.csv --loop-encoder 1e5"},
    {"identify", "pendulum.yaml log.csv loop.csv --map map.yaml"},
    {"identify", "--again result.json"},
    {"controller", "pendulum.yaml loop.csv --map map.yaml"},
    {"validate", "pendulum.yaml log.csv loop.csv"},
    {"validate", "result.json log.csv --map map.yaml"},
    {"payload", "result.json log.csv --map map.yaml"},
    {"follow", "pendulum.yaml result.json loop.csv"},
    {"export", "result.json --format yaml --force"},
    {"export", "pendulum.urdf --format c --parameters result.json"},
    {"montecarlo",
     "pendulum.yaml --reference traj.csv --controller controller.yaml --runs 1 --methods wls "
     "--rate 100"},
    {"compare", "result.json result.json --no-logs"},
    {"report", "result.json --robot pendulum.yaml --map map.yaml -o report.html"},
    {"payload", "pendulum.yaml loop.csv log.csv"},
    {"sweep",
     "pendulum.yaml result.json --reference traj.csv --controller controller.yaml --plants 2 "
     "--rate 100"},
};
#define MORE ((int)(sizeof more_lines / sizeof *more_lines))

/* the same file by another path */
static const char *const spellings[] = {"%s",      "./sub/../%s", "hard_%s",       "soft_%s",
                                        "soft/%s", "twice_%s",    "sub//..//./%s", "%s/%s"};
#define SPELLINGS ((int)(sizeof spellings / sizeof *spellings))

static inline void spell(char out[512], const char *name, int spelling) {
  char soft[256];
  snprintf(soft, sizeof soft, "soft_%s", name);
  if (access(soft, F_OK) != 0 && symlink(name, soft) != 0) fail_msg("%s: no link", soft);
  if (spelling == SPELLINGS - 1)
    snprintf(out, 512, "%s/%s", temp_directory(), name);
  else
    snprintf(out, 512, spellings[spelling], name);
  if (access(out, F_OK) == 0) return;
  if (strncmp(out, "hard_", 5) == 0 && link(name, out) != 0) fail_msg("%s: no link", out);
  if (strncmp(out, "twice_", 6) == 0 && symlink(soft, out) != 0) fail_msg("%s: no link", out);
}

/* Run the command with an input as this output; false if an input has changed. */
static inline bool try_output(const char *command, const char *words, const char *option,
                              const char *path) {
  struct stat before[INPUTS], now;
  for (int i = 0; i < INPUTS; i++) assert_int_equal(stat(inputs[i], &before[i]), 0);
  char line[1024], *argv[WORDS_MAX], *rest = line;
  int argc = 0;
  snprintf(line, sizeof line, "roberval %s %s --%s=%s", command, words, option, path);
  for (char *word; argc < WORDS_MAX - 1 && (word = strtok_r(rest, " ", &rest));)
    argv[argc++] = word;
  argv[argc] = NULL;
  run_outcome o;
  run_limited(&o, argc, argv, false);
  bool good = o.code >= 0 && o.code <= EXIT_INPUT;
  if (!good)
    print_error("%s %s --%s=%s: code %d: %s\n", command, words, option, path, o.code, o.err);
  for (int i = 0; i < INPUTS; i++) {
    if (stat(inputs[i], &now) == 0 && now.st_ino == before[i].st_ino &&
        now.st_size == before[i].st_size && now.st_mtim.tv_sec == before[i].st_mtim.tv_sec &&
        now.st_mtim.tv_nsec == before[i].st_mtim.tv_nsec)
      continue;
    print_error("%s %s --%s=%s: %s has changed (code %d)\n", command, words, option, path,
                inputs[i], o.code);
    good = false;
  }
  return good;
}

/* Is the file one that the command reads by name? Others may be replaced. */
static inline bool is_read(const char *words, const char *name) {
  const size_t length = strlen(name);
  for (const char *at = words; (at = strstr(at, name)); at += length)
    if ((at == words || at[-1] == ' ') && (at[length] == ' ' || !at[length])) return true;
  // what a result was made from is read again
  return strstr(words, "result.json") && (strcmp(name, "pendulum.yaml") == 0);
}

typedef struct {
  int runs, failures;
} output_tally;

/* One line with every output of its command. every: all paths, otherwise one of each input. */
static inline void try_line(output_tally *t, const char *command, const char *words,
                            const rbv_node *options, bool every) {
  const char *option, *kind;
  for (int k = 0; k < rbv_node_count(options); k++) {
    assert_ok(rbv_node_string(&option, rbv_node_find(rbv_node_at(options, k), "name")));
    assert_ok(rbv_node_string(&kind, rbv_node_find(rbv_node_at(options, k), "kind")));
    for (int n = 0; n < INPUTS && strcmp(kind, "output") == 0; n++)
      for (int s = 0, turn = t->runs % SPELLINGS; s < SPELLINGS; s++) {
        char path[512];
        if (!is_read(words, inputs[n]) || (!every && s != turn)) continue;
        spell(path, inputs[n], s);
        t->failures += !try_output(command, words, option, path);
        t->runs++;
      }
  }
}

/* every: all lines; otherwise one for each command. Returns the number of runs. */
static inline int try_outputs(bool every) {
  make_files();
  free(
      tool_text("simulate pendulum.yaml traj.csv --controller controller.yaml --loop-encoder 1e5 "
                "-q -o loop.csv"));
  free(
      tool_text("montecarlo pendulum.yaml --reference traj.csv --runs 1 --methods wls --rate 100 "
                "--shard 1/1 -q -o study"));
  rbv_document *doc = tool_json("help --json");
  if (chdir(temp_directory()) != 0 || mkdir("sub", 0777) != 0 || symlink(".", "soft") != 0)
    fail_msg("no directory");
  const rbv_node *commands = rbv_node_find(rbv_document_root(doc), "commands");
  output_tally t = {0};
  for (int i = 0; i < rbv_node_count(commands); i++) {
    const rbv_node *command = rbv_node_at(commands, i), *list = rbv_node_find(command, "options");
    const char *name;
    assert_ok(rbv_node_string(&name, rbv_node_find(command, "name")));
    int line = 0;
    while (lines[line].command && strcmp(lines[line].command, name) != 0) line++;
    if (!lines[line].slow) try_line(&t, name, lines[line].words, list, every);
    for (int k = 0; k < MORE; k++)
      if (strcmp(more_lines[k].command, name) == 0 && (every || k % 2 == 0))
        try_line(&t, name, more_lines[k].words, list, every);
  }
  rbv_document_free(doc);
  print_message("%d runs, %d failures\n", t.runs, t.failures);
  assert_int_equal(t.failures, 0);
  return t.runs;
}

#endif
