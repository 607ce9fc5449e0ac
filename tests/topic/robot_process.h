/* The simulated robot in another process, and a motion for it. */
#ifndef TEST_ROBOT_PROCESS_H
#define TEST_ROBOT_PROCESS_H

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "support.h"
#include "tool.h"

#ifndef SIMULATED_ROBOT
#define SIMULATED_ROBOT ""
#endif

#define LIMITS "--link-radius 0.04 --velocity 1 --acceleration 3 "
#define LIVE "--network lo --domain %d "
// for runs that must end well on a busy computer
#define PATIENT "--silence 1 --ahead 0.4 "

/* a domain of its own for each test program */
static inline int robot_domain(void) { return 1 + (int)getpid() % 90; }

/* traj.yaml: at rest at both ends; start.txt: its first positions */
static inline void design_motion(void) {
  free(tool_text("excite tx40 --period 5 --harmonics 3 --starts 1 --budget 10 --blend 0.5 " LIMITS
                 "--coefficients traj.yaml -o motion.csv -q"));
  assert_int_equal(run_in_temp("sed -n 2p motion.csv | cut -d, -f2-7 > start.txt"), 0);
}

/* a process in the folder of the test: end it with end_process */
static inline pid_t start_process(const char *command) {
  const pid_t id = fork();
  assert_true(id >= 0);
  if (id == 0) {
    if (chdir(temp_directory()) == 0) execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    _exit(99);
  }
  return id;
}

static inline int end_process(pid_t id, int by) {
  int status;
  if (by) kill(id, by);
  (void)waitpid(id, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static inline pid_t start_robot(const char *fault) {
  char command[1024];
  if (!SIMULATED_ROBOT[0]) skip();
  snprintf(command, sizeof command, "exec '%s' %d tx40 events.txt %s $(cat start.txt)",
           SIMULATED_ROBOT, robot_domain(), fault);
  (void)remove(temp_file("events.txt", NULL));
  const pid_t id = start_process(command);
  assert_int_equal(run_in_temp("for i in $(seq 100); do test -s events.txt && exit 0; sleep 0.1; "
                               "done; exit 1"),
                   0);
  return id;
}

/* the time of the first event of a kind, on the clock of the computer; NaN: there was none */
static inline double event_time(const char *what) {
  char kind[32];
  double t, found = NAN;
  FILE *f = fopen(temp_file("events.txt", NULL), "r");
  assert_non_null(f);
  while (fscanf(f, "%31s %lf", kind, &t) == 2)
    if (isnan(found) && strcmp(kind, what) == 0) found = t;
  fclose(f);
  return found;
}

static inline double clock_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#endif
