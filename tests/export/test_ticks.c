/*
 * Instructions of one cycle of the generated code, counted by stepping through it: they do not
 * depend on the motion, on a contact or on a change of the payload.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "support.h"
#include "tool.h"

/* The child stops with a signal before and after each call; the parent steps from one to the other.
 * A pair without a call in between gives what the signal itself costs. */
static const char driver[] =
    "#define _GNU_SOURCE\n#include <math.h>\n#include <signal.h>\n#include <stdio.h>\n"
    "#include <sys/ptrace.h>\n#include <sys/wait.h>\n#include <unistd.h>\n#include \"d.h\"\n"
    "#define N D_JOINTS\n#define LAST 1524\n"
    "static void work(void) {\n"
    "  double q[N], dq[N], ddq[N], tau[N], sigma[N], out[N];\n"
    "  d_observer o;\n"
    "  d_payload p;\n"
    "  for (int j = 0; j < N; j++) sigma[j] = 0.2;\n"
    "  d_observer_start(&o);\n"
    "  d_payload_start(&p, sigma, 10);\n"
    "  for (int j = 0; j < N; j++) o.limit[j] = 1;\n"
    "  for (int k = 0; k <= LAST; k++) {\n"
    "    const double t = 1e-3 * k;\n"
    "    for (int j = 0; j < N; j++) {\n"
    "      const double w = 2 + 0.3 * j;\n"
    "      q[j] = 0.4 + 3.0 * sin(w * t + j);\n"
    "      dq[j] = 3.0 * w * cos(w * t + j);\n"
    "      ddq[j] = -3.0 * w * w * sin(w * t + j);\n"
    "    }\n"
    "    d_inverse_dynamics(tau, q, dq, ddq);\n"
    "    /* something pushes from 1.5 s on: a contact, then a change of the payload */\n"
    "    if (t > 1.5) tau[1] -= 8;\n"
    "    const int seen = k > 1500 && k <= LAST;\n"
    "    if (seen) raise(SIGUSR1);\n"
    "    if (seen) raise(SIGUSR2);\n"
    "    if (seen) raise(SIGUSR1);\n"
    "    d_inverse_dynamics(out, q, dq, ddq);\n"
    "    if (seen) raise(SIGUSR2);\n"
    "    if (seen) raise(SIGUSR1);\n"
    "    const int contact = d_observe(&o, q, dq, tau, 1e-3);\n"
    "    if (seen) raise(SIGUSR2);\n"
    "    if (seen) raise(SIGUSR1);\n"
    "    (void)d_payload_tick(&p, &o, q, dq, 1e-3);\n"
    "    if (seen) raise(SIGUSR2);\n"
    "    if (k == LAST && contact < 0) _exit(2);\n"
    "    if (k == LAST && p.changes < 1) _exit(3);\n"
    "  }\n"
    "  _exit(0);\n"
    "}\n"
    "int main(void) {\n"
    "  const char *const name[4] = {\"nothing\", \"inverse dynamics\", \"observer\", "
    "\"payload\"};\n"
    "  long least[4], most[4] = {0}, count = 0;\n"
    "  for (int i = 0; i < 4; i++) least[i] = 1000000000L;\n"
    "  const pid_t child = fork();\n"
    "  if (child < 0) return 4;\n"
    "  if (child == 0) {\n"
    "    if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0) _exit(77);\n"
    "    raise(SIGSTOP);\n"
    "    work();\n"
    "  }\n"
    "  int status, counts = 0, which = 0;\n"
    "  if (waitpid(child, &status, 0) != child || !WIFSTOPPED(status)) return 77;\n"
    "  for (;;) {\n"
    "    if (ptrace(counts ? PTRACE_SINGLESTEP : PTRACE_CONT, child, NULL, NULL) != 0) return 77;\n"
    "    if (waitpid(child, &status, 0) != child) return 4;\n"
    "    if (WIFEXITED(status)) break;\n"
    "    if (WSTOPSIG(status) == SIGUSR1) {\n"
    "      counts = 1;\n"
    "      count = 0;\n"
    "    } else if (WSTOPSIG(status) == SIGUSR2) {\n"
    "      if (count < least[which]) least[which] = count;\n"
    "      if (count > most[which]) most[which] = count;\n"
    "      counts = 0;\n"
    "      which = (which + 1) % 4;\n"
    "    } else {\n"
    "      count++;\n"
    "    }\n"
    "  }\n"
    "  if (WEXITSTATUS(status)) return WEXITSTATUS(status);\n"
    "  for (int i = 1; i < 4; i++) {\n"
    "    const double worst = (double)(most[i] - least[0]), best = (double)(least[i] - least[0]);\n"
    "    printf(\"%s: %g to %g instructions, ratio %.4f\\n\", name[i], best, worst, worst / "
    "best);\n"
    "    if (!(worst <= 1.02 * best)) status = 1;\n"
    "  }\n"
    "  return status ? 1 : 0;\n"
    "}\n";

static void count(const char *robot) {
  temp_file("driver.c", driver);
  free(tool_text("export %s --format c -o d.c -q", robot));
  assert_int_equal(run_in_temp("cc -std=c99 -Wall -Wextra -Werror -O2 driver.c d.c -lm -o driver"),
                   0);
  const int status = run_in_temp("./driver");
  if (status == 77) skip();  // processes must not be traced here
  assert_int_equal(status, 0);
}

static void test_tx40(void **state) {
  (void)state;
  count("tx40");
}

static void test_lwr4(void **state) {
  (void)state;
  count("lwr4+");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_tx40), cmocka_unit_test(test_lwr4)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
