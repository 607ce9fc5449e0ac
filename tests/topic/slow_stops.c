/*
 * How fast a simulated robot is stopped: from the cause (no more joint states, a joint 0.1 rad from
 * its motion, Ctrl-C) until the message with the way to rest is there. The median of several runs:
 * one run can fall on a moment in which another program has the processor.
 */
#include <math.h>

#include "robot_process.h"

#define RUNS 7

static int prepare(void **state) {
  (void)state;
  design_motion();
  return 0;
}

/* with the limits of time that are the defaults, but for a busy computer that is no cause */
#define PLAY "play tx40 traj.yaml " LIMITS LIVE "--yes-move --slow 1 --ahead 0.4 "

/* from an event of the robot, or from the signal; NaN: it stopped for another reason */
static double one_run(const char *fault, const char *from) {
  char command[512];
  const pid_t robot = start_robot(fault);
  snprintf(command, sizeof command, "exec '%s' " PLAY "> play.txt 2>&1", ROBERVAL_TOOL,
           robot_domain());
  const pid_t player = start_process(command);
  double cause = NAN;
  if (!from) {
    for (int i = 0; i < 100 && isnan(event_time("first")); i++) usleep(100000);
    usleep(1000000);
    cause = clock_now();
    kill(player, SIGINT);
  }
  end_process(player, 0);
  end_process(robot, SIGTERM);
  if (from) cause = event_time(from);
  const double span = event_time("stop") - cause;
  return span >= 0 ? span : NAN;
}

static int by_size(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void measure(const char *name, const char *fault, const char *from) {
  double span[RUNS];
  int count = 0;
  for (int i = 0; i < 3 * RUNS && count < RUNS; i++) {
    const double s = one_run(fault, from);
    if (isfinite(s)) span[count++] = s;
  }
  assert_int_equal(count, RUNS);
  qsort(span, RUNS, sizeof *span, by_size);
  print_message("%s: %.1f ms in the median, %.1f to %.1f\n", name, 1e3 * span[RUNS / 2],
                1e3 * span[0], 1e3 * span[RUNS - 1]);
  assert_true(span[RUNS / 2] <= 0.05);
}

static void test_silence(void **state) {
  (void)state;
  measure("no joint states", "silent", "fault");
}

static void test_error(void **state) {
  (void)state;
  measure("following error", "stuck", "far");
}

static void test_interrupt(void **state) {
  (void)state;
  measure("Ctrl-C", "none", NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_silence),
      cmocka_unit_test(test_error),
      cmocka_unit_test(test_interrupt),
  };
  return cmocka_run_group_tests(tests, prepare, NULL);
}
