/*
 * Gives randomly damaged files to the commands that read them, in this process, so that sanitizers
 * check all code. Each command must fail with bad input or wrong usage and one message, or succeed
 * if the file is still valid.
 */
#ifndef TEST_MALFORMED_H
#define TEST_MALFORMED_H

#include <signal.h>
#include <string.h>

#include "base/support.h"
#include "cli.h"
#include "pendulum_files.h"

/* a file and a command that reads it; @ is replaced by the damaged copy */
static const struct {
  const char *file, *command;
} readers[] = {
    {"pendulum.yaml", "model @ --base -q"},
    {"pendulum.urdf", "model @ --base -q"},
    {"pendulum.urdf", "export @ --format mjcf -q"},
    {"log.csv", "check pendulum.yaml @ -q"},
    {"log.csv", "identify pendulum.yaml @ -q -o /dev/null/none"},
    {"map.yaml", "check pendulum.yaml log.csv --map @ -q"},
    {"controller.yaml", "simulate pendulum.yaml traj.csv --controller @ -q"},
    {"traj.csv", "simulate pendulum.yaml @ --controller controller.yaml -q"},
    {"traj.csv", "excite pendulum.yaml --evaluate @ -q"},
    {"set.yaml", "dynamics pendulum.yaml traj.csv --parameters @ -q"},
    {"result.json", "validate @ log.csv -q"},
    {"result.json", "export @ --format yaml -q"},
    {"result.json", "compare @ result.json -q"},
};
#define READERS ((int)(sizeof readers / sizeof *readers))

typedef struct {
  uint64_t stream, index;
} dice;

static inline size_t roll(dice *d, size_t below) {
  return below ? (size_t)(rbv_random_bits(11, d->stream, d->index++) % below) : 0;
}

/* damage one or two places; the buffer has room for insertions */
static inline size_t damage(char *text, size_t size, dice *d) {
  static const char *const poison[] = {"nan",  "1e999",  "-1",   "",     "99999999999", "[",  "}",
                                       "\xff", "\n",     "\t- ", "null", "0",           "'",  "<a>",
                                       "{",    "1e-320", ",,",   "#",    "&#0;",        "1e9"};
  const size_t damages = 1 + roll(d, 2);
  for (size_t w = 0; w < damages && size > 0; w++) {
    const size_t at = roll(d, size), some = 1 + roll(d, size - at < 40 ? size - at : 40);
    switch (roll(d, 6)) {
      case 0:  // replace a byte, a digit by another digit
        text[at] = (char)(text[at] >= '0' && text[at] <= '9' ? '0' + roll(d, 10) : roll(d, 256));
        break;
      case 1:  // remove a piece
        memmove(text + at, text + at + some, size - at - some);
        size -= some;
        break;
      case 2:  // duplicate a piece
        memmove(text + at + some, text + at, size - at);
        size += some;
        break;
      case 3: size = at; break;
      case 4: {  // replace a word
        const char *word = poison[roll(d, sizeof poison / sizeof *poison)];
        const size_t end = at + strcspn(text + at, " ,\n:{}[]\"<>="), length = strlen(word);
        memmove(text + at + length, text + end, size - end);
        memcpy(text + at, word, length);
        size = size - (end - at) + length;
        break;
      }
      default: text[at] ^= (char)(1 << roll(d, 8));
    }
    text[size] = 0;
  }
  return size;
}

/* run a command line in this process; returns the exit code; messages go to stderr */
static inline int run_here(const char *line) {
  char copy[512], *argv[32], *rest = copy;
  int argc = 0;
  snprintf(copy, sizeof copy, "%s", line);
  for (char *word; argc < 31 && (word = strtok_r(rest, " ", &rest));) argv[argc++] = word;
  argv[argc] = NULL;
  return cli_run(argv[0], argc, argv);
}

/* the command line of a reader for a file */
static inline void line_for(char line[256], int reader, const char *file) {
  const char *command = readers[reader].command;
  const int before = (int)strcspn(command, "@");
  snprintf(line, 256, "%.*s%s%s", before, command, file, command + before + 1);
}

/* try count damaged files, all readers in turn */
static inline void try_malformed(int count) {
  make_files();
  if (chdir(temp_directory()) != 0) fail_msg("no directory");
  // undamaged files are valid
  for (int r = 0; r < READERS; r++) {
    char line[256];
    line_for(line, r, readers[r].file);
    outcome o = tool("%s", line);
    if (o.code > 1 && !strstr(o.err, "/dev/null/none")) fail_msg("roberval %s: %s", line, o.err);
    outcome_free(&o);
  }
  fflush(stdout);
  fflush(stderr);
  const int out = dup(1), err = dup(2);
  int tally[5] = {0};
  for (int i = 0; i < count; i++) {
    const int r = i % READERS;
    dice d = {(uint64_t)r, (uint64_t)i << 20};
    size_t size;
    char *whole = read_text(readers[r].file, &size), *text = malloc(size + 1024);
    memcpy(text, whole, size + 1);
    size = damage(text, size, &d);
    FILE *file = fopen("damaged", "wb");
    fwrite(text, 1, size, file);
    fclose(file);
    char line[256];
    line_for(line, r, "damaged");
    if (!freopen(".words", "w", stderr) || !freopen("/dev/null", "w", stdout)) abort();
    alarm(60);  // an endless loop is a failure
    const int code = run_here(line);
    alarm(0);
    fflush(stdout);
    fflush(stderr);
    dup2(out, 1);
    dup2(err, 2);
    char *words = read_text(".words", NULL);
    const char *newline = strchr(words, '\n');
    const bool sentence = newline && !newline[1] && newline > words;
    // identify cannot write its output: a file that is still valid gives exit code 4 with this
    // message
    const bool good =
        strstr(line, "/dev/null/none") && code == 4 && strstr(words, "/dev/null/none");
    if (!(code == 0 || code == 1 || good || ((code == 2 || code == 3) && sentence))) {
      FILE *keep = fopen("/tmp/roberval-malformed", "wb");
      if (keep) {
        fwrite(text, 1, size, keep);
        fclose(keep);
      }
      fail_msg("input %d: roberval %s: exit code %d: %s(kept as /tmp/roberval-malformed)", i, line,
               code, words);
    }
    tally[good ? 0 : code]++;
    free(words);
    free(whole);
    free(text);
  }
  close(out);
  close(err);
  printf("%d inputs: %d still valid, %d with a negative outcome, %d wrong usage, %d bad input\n",
         count, tally[0], tally[1], tally[2], tally[3]);
  // most damages are detected
  assert_true(tally[3] > count / 3);
}

#endif
