/*
 * Checks that the sanitizers are active: child processes make errors that the sanitizers must
 * report. Built only when ROBERVAL_SANITIZE is set. If a child survives, the sanitizers do not
 * work.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <roberval/sys/dynamics.h>

#include "support.h"

static void overflow_heap(void) {
  volatile int length = 4;
  char *block = malloc((size_t)length);
  volatile char *past = block + length;
  *past = 1;
  free(block);
}

static void overflow_integer(void) {
  volatile int most = INT_MAX;
  most = most + 1;
}

static void leak(void) {
  void *volatile block = malloc(100);
  block = NULL;
  (void)block;
}

/* the invalid store is in the library, which must be instrumented, too */
static void overflow_in_the_library(void) {
  rbv_model *m;
  rbv_dynamics *d;
  const char yaml[] = "joints: [{mdh: {}}]";
  const double q = 0;
  double *too_short = malloc(8 * sizeof *too_short), p[3];
  if (rbv_model_parse(&m, "a.yaml", yaml, strlen(yaml), NULL) != RBV_OK) exit(0);
  if (rbv_dynamics_new(&d, m) != RBV_OK) exit(0);
  rbv_dynamics_pose(too_short, p, d, &q, 0);  // writes nine numbers
  exit(0);
}

/* run the faulty function in a child process; the sanitizer must print this message */
static void assert_killed(void (*deed)(void), const char *complaint) {
  int pipes[2];
  assert_int_equal(pipe(pipes), 0);
  const pid_t child = fork();
  if (child == 0) {
    dup2(pipes[1], STDERR_FILENO);
    close(pipes[0]);
    deed();
    exit(0);
  }
  close(pipes[1]);
  char text[65536];
  size_t used = 0;
  ssize_t n;
  while ((n = read(pipes[0], text + used, sizeof text - 1 - used)) > 0) used += (size_t)n;
  text[used] = 0;
  close(pipes[0]);
  int status = 0;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_false(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  if (!strstr(text, complaint)) fail_msg("no '%s' in: %s", complaint, text);
}

static void test_heap_overflow(void **state) {
  (void)state;
  assert_killed(overflow_heap, "heap-buffer-overflow");
}

static void test_signed_overflow(void **state) {
  (void)state;
  assert_killed(overflow_integer, "signed integer overflow");
}

static void test_leak(void **state) {
  (void)state;
  assert_killed(leak, "LeakSanitizer");
}

static void test_library_is_instrumented(void **state) {
  (void)state;
  assert_killed(overflow_in_the_library, "heap-buffer-overflow");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_heap_overflow),
      cmocka_unit_test(test_signed_overflow),
      cmocka_unit_test(test_leak),
      cmocka_unit_test(test_library_is_instrumented),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
