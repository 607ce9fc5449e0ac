#define _GNU_SOURCE  // vfork: a large parent process must not slow down the start of a child

#include "program.h"

#include <fcntl.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <roberval/sys/document.h>

#define AGREE 0.02  // relative tolerance: the two programs pad and differentiate differently

void give_up(const char *why) {
  fprintf(stderr, "bench: %s\n", why);
  exit(4);
}

static void check(rbv_status status) {
  if (status != RBV_OK) give_up(rbv_message());
}

void run_program(void *self) {
  program *p = self;
  int pipe_end[2];
  if (pipe(pipe_end) != 0) give_up("no pipe");
  const int quiet = open("/dev/null", O_WRONLY);
  const pid_t child = vfork();
  if (child == 0) {
    dup2(pipe_end[1], STDOUT_FILENO);
    dup2(quiet, STDERR_FILENO);
    close(pipe_end[0]);
    execv(p->argv[0], (char *const *)(uintptr_t)p->argv);
    _exit(127);
  }
  close(quiet);
  close(pipe_end[1]);
  // read the whole output, keep its beginning
  size_t size = 0;
  char spare[65536];
  for (;;) {
    const bool full = size == sizeof p->out - 1;
    const ssize_t n = read(pipe_end[0], full ? spare : p->out + size,
                           full ? sizeof spare : sizeof p->out - 1 - size);
    if (n <= 0) break;
    if (!full) size += (size_t)n;
  }
  p->out[size] = 0;
  close(pipe_end[0]);
  int status = 0;
  struct rusage usage;
  if (child < 0 || wait4(child, &status, 0, &usage) != child || !WIFEXITED(status) ||
      WEXITSTATUS(status) > 1) {  // 1: the answer is no
    fprintf(stderr, "bench: %s %s failed\n", p->argv[0], p->argv[1]);
    exit(4);
  }
  p->memory_mb = (double)usage.ru_maxrss / 1024;
}

/* a number of the JSON that the program printed */
double number_of(const program *p, const char *key) {
  const char *at = strstr(p->out, key);
  at = at ? strchr(at, ':') : NULL;
  return at ? strtod(at + 1, NULL) : NAN;
}

void run_yardstick(void *self) {
  program *p = self;
  run_program(p);
  p->seconds = number_of(p, "\"total_s\"");
  if (!(p->seconds > 0)) give_up("the yardstick does not print its time");
}

/* the same robot, recording and settings must give the same error and number of parameters */
void compare_answers(program *ours, program *yardstick, const char *result) {
  run_program(ours);
  run_yardstick(yardstick);
  rbv_document *doc;
  check(rbv_document_load(&doc, result));
  const rbv_node *root = rbv_document_root(doc), *fit = rbv_node_find(root, "fit");
  double error = NAN;
  if (!fit || rbv_node_real(&error, rbv_node_find(fit, "relative_error")) != RBV_OK)
    give_up("our result contains no relative error");
  const rbv_node *estimate = rbv_node_find(root, "estimate");
  const rbv_node *list = estimate ? rbv_node_find(estimate, "parameters") : NULL;
  const int count = list ? rbv_node_count(list) : 0;
  const double theirs = number_of(yardstick, "\"relative_error\"");
  const int base = (int)number_of(yardstick, "\"base\"");
  printf(
      "\nsame robot and settings: %d base parameters and an error of %.3f %%, the yardstick %d and "
      "%.3f %%\n",
      count, 100 * error, base, 100 * theirs);
  if (count != base || !(fabs(error - theirs) <= AGREE * theirs)) give_up("the answers differ");
  rbv_document_free(doc);
}
