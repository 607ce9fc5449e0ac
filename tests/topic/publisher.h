/* A publisher of joint states in another process, on the loopback interface. */
#ifndef TEST_PUBLISHER_H
#define TEST_PUBLISHER_H

#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../cli/follow_files.h"

#ifndef FAST_WRITER
#define FAST_WRITER ""
#endif

/* a domain of its own for each test program */
static inline int test_domain(void) { return 100 + (int)getpid() % 100; }

/* rows of a file to /joint_states; times that were sent go to sent.txt */
static inline pid_t publish(const char *file, const char *arguments) {
  if (!FAST_WRITER[0]) skip();
  char command[1024];
  snprintf(command, sizeof command, "TEST_DOMAIN=%d exec '%s' /joint_states %s %d %s > sent.txt",
           test_domain(), FAST_WRITER, file, RATE, arguments);
  const pid_t id = fork();
  assert_true(id >= 0);
  if (id == 0) {
    if (chdir(temp_directory()) == 0) execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    _exit(99);
  }
  return id;
}

static inline void end_publisher(pid_t id) {
  kill(id, SIGTERM);
  (void)waitpid(id, NULL, 0);
}

#define TOPIC "follow tx40 result.json --topic /joint_states --network lo --domain %d --wait 5 "

#endif
