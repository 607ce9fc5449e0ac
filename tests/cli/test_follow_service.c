/*
 * roberval follow that nobody watches: events in a pipe, signals, a clock that starts again, a full
 * disk, two followers on one state, and streams that show nothing.
 */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "follow_files.h"

#define SOON_MS 20000  // for what comes at once, on a machine that is busy

/* a follower with pipes at both ends */
typedef struct {
  pid_t id;
  int in, out;
  char text[65536];
  size_t size;
} service;

static service start(const char *arguments) {
  int in[2], out[2];
  assert_int_equal(pipe(in), 0);
  assert_int_equal(pipe(out), 0);
  service s = {.id = fork(), .in = in[1], .out = out[0]};
  assert_true(s.id >= 0);
  if (s.id == 0) {
    char command[2048];
    snprintf(command, sizeof command, "exec '%s' follow tx40 result.json - %s", ROBERVAL_TOOL,
             arguments);
    dup2(in[0], STDIN_FILENO);
    dup2(out[1], STDOUT_FILENO);
    for (int fd = 3; fd < 64; fd++) close(fd);
    if (chdir(temp_directory()) == 0) execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    _exit(99);
  }
  close(in[0]);
  close(out[1]);
  return s;
}

/* lines [from, from + count) of a file, the first one is 0 */
static void feed(service *s, const char *file, int from, int count) {
  FILE *f = fopen(temp_file(file, NULL), "r");
  assert_non_null(f);
  char line[1024];
  for (int i = 0; i < from + count && fgets(line, sizeof line, f); i++)
    if (i >= from && write(s->in, line, strlen(line)) < 0) break;
  fclose(f);
}

/* true if the text comes before the pipe is closed or the time is over */
static bool await(service *s, const char *text) {
  while (!strstr(s->text, text)) {
    struct pollfd p = {.fd = s->out, .events = POLLIN};
    if (poll(&p, 1, SOON_MS) <= 0) return false;
    const ssize_t n = read(s->out, s->text + s->size, sizeof s->text - 1 - s->size);
    if (n <= 0) return false;
    s->size += (size_t)n;
    s->text[s->size] = 0;
  }
  return true;
}

/* the exit code, with all that was printed */
static int finish(service *s) {
  if (s->in >= 0) close(s->in);
  (void)await(s, "\001");
  close(s->out);
  int status;
  assert_int_equal(waitpid(s->id, &status, 0), s->id);
  assert_true(WIFEXITED(status));
  return WEXITSTATUS(status);
}

#define CONTACT_ROW ((int)((CONTACT_S + 0.2) * RATE))

/* an event is there while the stream goes on, also as JSON, and so is the heartbeat */
static void test_events_come_at_once(void **state) {
  (void)state;
  service s = start("-q");
  feed(&s, "work.csv", 0, CONTACT_ROW);
  assert_true(await(&s, "contact at joint2"));
  assert_int_equal(finish(&s), 0);
  s = start("-q --json-lines --heartbeat 0.2");
  feed(&s, "work.csv", 0, CONTACT_ROW);
  assert_true(await(&s, "{\"event\": \"contact\""));
  assert_true(await(&s, "{\"event\": \"heartbeat\""));
  assert_int_equal(finish(&s), 0);
  assert_true(await(&s, "{\"event\": \"summary\""));
}

/* the state is saved, and the summary is printed */
static void test_signals(void **state) {
  (void)state;
  free(tool_text("follow tx40 result.json work.csv -o whole.csv --every 0.01 -q"));
  static const int number[] = {SIGTERM, SIGINT, SIGHUP};
  for (size_t i = 0; i < sizeof number / sizeof *number; i++) {
    (void)unlink(temp_file("signal.state", NULL));
    service s = start("-q -o signal.csv --every 0.01 --state signal.state --save-every 1000");
    feed(&s, "work.csv", 0, CONTACT_ROW);
    assert_true(await(&s, "contact at joint2"));
    assert_int_equal(kill(s.id, number[i]), 0);
    assert_true(await(&s, "samples, "));
    assert_int_equal(finish(&s), 128 + number[i]);
    assert_int_equal(access(temp_file("signal.state.lock", NULL), F_OK), -1);
    // the stream from its start: what is known is skipped
    free(
        tool_text("follow tx40 result.json - -o signal.csv --every 0.01 --state signal.state -q "
                  "< work.csv"));
    size_t n, m;
    char *a = read_text(temp_file("whole.csv", NULL), &n),
         *b = read_text(temp_file("signal.csv", NULL), &m);
    if (n != m || memcmp(a, b, n) != 0) fail_msg("the histories differ");
    free(a);
    free(b);
  }
}

/* rows that come twice are known */
static void test_overlap(void **state) {
  (void)state;
  (void)unlink(temp_file("two.state", NULL));
  assert_int_equal(
      run_in_temp("head -n 2501 work.csv > one.csv; (head -n 1 work.csv; tail -n +2480 "
                  "work.csv) > two.csv"),
      0);
  const char *const how = "--state two.state -o both.csv --every 0.01 -q";
  free(tool_text("follow tx40 result.json - %s < one.csv", how));
  free(tool_text("follow tx40 result.json - %s < two.csv", how));
  free(tool_text("follow tx40 result.json work.csv -o whole.csv --every 0.01 -q"));
  assert_int_equal(run_in_temp("cmp both.csv whole.csv"), 0);
}

/* the clock of the robot starts again: events come, and the history goes on */
static void test_clock_starts_again(void **state) {
  (void)state;
  (void)unlink(temp_file("clock.state", NULL));
  assert_int_equal(run_in_temp("head -n 2001 clean.csv > morning.csv; awk -F, "
                               "'NR==1{print;next}{$1-=3;if($1>=0)print}' OFS=, work.csv > "
                               "evening.csv"),
                   0);
  free(tool_text("follow tx40 result.json - --state clock.state -o clock.csv < morning.csv"));
  outcome o = tool("follow tx40 result.json - --state clock.state -o clock.csv < evening.csv");
  assert_int_equal(o.code, 0);
  assert_non_null(strstr(o.err, "the clock was set back"));
  assert_non_null(strstr(o.out, "contact at joint2"));
  assert_non_null(strstr(o.out, "payload known"));
  outcome_free(&o);
  size_t size;
  csv table = csv_parse(read_text(temp_file("clock.csv", NULL), &size));
  assert_near(table.value[(table.nrow - 1) * table.ncolumn], END_S - 3, 0.15, 0);
  csv_free(&table);
  // within one stream
  assert_int_equal(run_in_temp("tail -n +2 evening.csv | cat morning.csv - > day.csv"), 0);
  o = tool("follow tx40 result.json - < day.csv");
  assert_int_equal(o.code, 0);
  assert_non_null(strstr(o.out, "the clock was set back from 3.998 s"));
  assert_non_null(strstr(o.out, "contact at joint2"));
  outcome_free(&o);
  // the same rows again are no new start: they are known
  tool_refuses(3, "no row behind the state",
               "follow tx40 result.json - --state clock.state < evening.csv");
}

/* what shows nothing is not "no contact" */
static void test_nothing_seen(void **state) {
  (void)state;
  assert_int_equal(
      run_in_temp("awk -F, 'NR>1{$3=\"nan\"}{print}' OFS=, work.csv > nan.csv; "
                  "for f in 1e3 1e9; do awk -F, -v f=$f 'NR>1{$1=sprintf(\"%.6f\",$1*f)}{print}' "
                  "OFS=, work.csv > x$f.csv; done; head -n 30 work.csv > short.csv; "
                  "(head -n 60 work.csv; head -c 3000000 /dev/zero | tr '\\0' 1) > long.csv"),
      0);
  tool_refuses(3, "nothing was judged", "follow tx40 result.json - < nan.csv");
  tool_refuses(3, "nothing was judged", "follow tx40 result.json short.csv");
  tool_refuses(3, "time looks like ms", "follow tx40 result.json x1e3.csv");
  tool_refuses(3, "time looks like ns", "follow tx40 result.json - < x1e9.csv");
  tool_refuses(3, "without a line end", "follow tx40 result.json - < long.csv");
  tool_refuses(3, "no rows with rising time stamps", "follow tx40 result.json - < /dev/null");
}

/* a disk that is full ends the run at once; a state and a history have one writer; an output is no
 * input */
static void test_outputs(void **state) {
  (void)state;
  outcome o = tool("follow tx40 result.json work.csv -o /dev/full -q");
  assert_int_equal(o.code, 4);
  assert_null(strstr(o.out, "contact"));
  outcome_free(&o);
  (void)unlink(temp_file("one.state", NULL));
  service s = start("-q --state one.state -o one.csv --heartbeat 0.2");
  feed(&s, "work.csv", 0, 1000);
  assert_true(await(&s, "alive"));
  tool_refuses(3, "another process uses this state",
               "follow tx40 result.json work.csv --state one.state");
  tool_refuses(3, "another process writes this history",
               "follow tx40 result.json work.csv -o one.csv");
  assert_int_equal(finish(&s), 0);
  struct stat before, after;
  assert_int_equal(stat(temp_file("work.csv", NULL), &before), 0);
  assert_int_equal(run_in_temp("ln -sf work.csv link.csv"), 0);
  tool_refuses(3, "is an input", "follow tx40 result.json work.csv -o work.csv");
  tool_refuses(3, "is an input", "follow tx40 result.json link.csv -o work.csv");
  tool_refuses(3, "is an input", "follow tx40 result.json work.csv --state result.json");
  tool_refuses(3, "is an input", "follow tx40 result.json work.csv -o a --report a");
  assert_int_equal(stat(temp_file("work.csv", NULL), &after), 0);
  assert_int_equal(before.st_size, after.st_size);
}

/* the service manager is told that the run is ready, alive and about to stop */
static void test_watchdog(void **state) {
  (void)state;
  const char *path = temp_file("notify", NULL);
  struct sockaddr_un at = {.sun_family = AF_UNIX};
  if (strlen(path) >= sizeof at.sun_path) skip();
  memcpy(at.sun_path, path, strlen(path));
  const int fd = socket(AF_UNIX, SOCK_DGRAM, 0);
  assert_true(fd >= 0);
  assert_int_equal(bind(fd, (struct sockaddr *)&at, sizeof at), 0);
  setenv("NOTIFY_SOCKET", path, 1);
  setenv("WATCHDOG_USEC", "200000", 1);
  service s = start("-q");
  unsetenv("NOTIFY_SOCKET");
  unsetenv("WATCHDOG_USEC");
  feed(&s, "work.csv", 0, 1000);
  static const char *const want[] = {"READY=1", "WATCHDOG=1", "WATCHDOG=1"};
  for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
    char got[64] = {0};
    struct pollfd p = {.fd = fd, .events = POLLIN};
    assert_int_equal(poll(&p, 1, SOON_MS), 1);
    assert_true(recv(fd, got, sizeof got - 1, 0) > 0);
    assert_string_equal(got, want[i]);
  }
  assert_int_equal(finish(&s), 0);
  assert_null(strstr(s.text, "alive"));
  close(fd);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_events_come_at_once),
      cmocka_unit_test(test_signals),
      cmocka_unit_test(test_overlap),
      cmocka_unit_test(test_clock_starts_again),
      cmocka_unit_test(test_nothing_seen),
      cmocka_unit_test(test_outputs),
      cmocka_unit_test(test_watchdog),
  };
  signal(SIGPIPE, SIG_IGN);
  return cmocka_run_group_tests(tests, prepare_follow, NULL);
}
