/*
 * roberval follow that runs for months: a day of rows at 1 kHz as fast as they go, and a hundred
 * kills with clocks that start again. `HOURS` as argument: of the day.
 */
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "follow_files.h"
#include "nodes.h"

#define DAY_HZ 1000
#define PUSH_EVERY_S 600
#define PUSH_S 0.3
#define STATE_MOST 1000000  // bytes
#define GROWTH_MOST 1000    // kB of memory between the first hour and the last
#define KILLS 100
#define PART_S 3.0        // rows that are there between two kills
#define RESTART_EVERY 10  // kills between two starts of the clock

static double hours = 24;

/* resident memory of a process [kB] */
static long memory_of(pid_t id) {
  char path[64], line[256];
  long kilobytes = -1;
  snprintf(path, sizeof path, "/proc/%d/status", (int)id);
  FILE *f = fopen(path, "r");
  while (f && fgets(line, sizeof line, f))
    if (sscanf(line, "VmRSS: %ld", &kilobytes) == 1) break;
  if (f) fclose(f);
  return kilobytes;
}

/* the tool in the folder of the test, with a pipe to its input; *to NULL: none */
static pid_t start_tool(FILE **to, const char *command) {
  int in[2];
  assert_int_equal(pipe(in), 0);
  const pid_t id = fork();
  assert_true(id >= 0);
  if (id == 0) {
    dup2(in[0], STDIN_FILENO);
    close(in[0]);
    close(in[1]);
    if (chdir(temp_directory()) == 0) execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    _exit(99);
  }
  close(in[0]);
  if (to)
    *to = fdopen(in[1], "w");
  else
    close(in[1]);
  return id;
}

static off_t size_of(const char *name) {
  struct stat s;
  return stat(temp_file(name, NULL), &s) == 0 ? s.st_size : -1;
}

/* memory does not grow, the state stays small, and every push is found until the end */
static void test_day(void **state) {
  (void)state;
  char command[1024];
  snprintf(command, sizeof command,
           "exec '%s' follow tx40 result.json - --state day.state --save-every 600 --alarms 0.01 "
           "--json -q > day.json",
           ROBERVAL_TOOL);
  FILE *f;
  const pid_t id = start_tool(&f, command);
  rbv_model *m;
  assert_ok(rbv_model_load(&m, "tx40", NULL));
  const double speed[] = {0.005, 0.005, 0.005, 0.005, 0.005, 0.005};
  assert_ok(rbv_model_smooth(&m, speed));
  stream s;
  stream_new(&s, m, rbv_model_parameters(m), DAY_HZ, 0.01, 3, 2);
  write_head(f);
  const long rows = (long)(hours * 3600 * DAY_HZ), hour = 3600L * DAY_HZ;
  const long early = rows / 24 < hour ? rows / 24 : hour;
  long first = 0, last = 0, pushes = 0;
  off_t largest = 0;
  for (long k = 0; k < rows; k++) {
    const long at = k % (PUSH_EVERY_S * DAY_HZ);
    const bool push = at >= 300 * DAY_HZ && at < (long)((300 + PUSH_S) * DAY_HZ);
    pushes += at == 300 * DAY_HZ;
    s.external[1] = push ? 20 : 0;
    stream_next(&s);
    write_row(f, &s);
    if (k == early) first = memory_of(id);
    if (k % (hour / 4) == 0 && size_of("day.state") > largest) largest = size_of("day.state");
    if (k == rows - 1) last = memory_of(id);
  }
  assert_int_equal(fclose(f), 0);
  stream_free(&s);
  rbv_model_free(m);
  int status;
  assert_int_equal(waitpid(id, &status, 0), id);
  assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  if (size_of("day.state") > largest) largest = size_of("day.state");
  rbv_document *doc;
  assert_ok(rbv_document_load(&doc, temp_file("day.json", NULL)));
  const double contacts = real_at(rbv_document_root(doc), "contacts");
  print_message("%g h: %ld kB of memory, later %ld kB; state %ld bytes; %ld pushes, %g contacts\n",
                hours, first, last, (long)largest, pushes, contacts);
  assert_near(real_at(rbv_document_root(doc), "samples"), (double)rows, 0, 0);
  rbv_document_free(doc);
  assert_true(first > 0 && last <= first + GROWTH_MOST);
  assert_true(largest > 0 && largest <= STATE_MOST);
  // a push can end and begin again; 0.01 false alarms are expected in an hour
  assert_true(contacts >= (double)pushes && contacts <= 1.05 * (double)pushes + 3);
}

/* rows of one part of the stream to a file that grows; the clock starts again now and then */
static void add_part(FILE *f, stream *s, int part, double *zero) {
  if (part % RESTART_EVERY == 0) *zero = s->t + 1.0 / RATE;
  for (int k = 0; k < (int)(PART_S * RATE); k++) {
    s->external[1] = k >= RATE && k < (int)(1.3 * RATE) ? 20 : 0;
    stream_next(s);
    const double t = s->t;
    s->t = t - *zero;
    write_row(f, s);
    s->t = t;
  }
  assert_int_equal(fflush(f), 0);
}

/* a life: rows come, the state is saved, and the process is killed at any moment after that */
static void live_and_die(const char *command, int kill_number) {
  struct stat before = {0}, now = {0};
  const char *path = temp_file("kill.state", NULL);
  // three are written while the rows last
  int saves = 1 + (int)(2.9 * rbv_random_uniform(4, (uint64_t)kill_number, 0));
  (void)stat(path, &before);
  const pid_t id = start_tool(NULL, command);
  for (int i = 0; i < 60000 && saves > 0; i++) {
    if (stat(path, &now) == 0 && now.st_ino != before.st_ino) {
      saves--;
      before = now;
    }
    usleep(500);
  }
  assert_true(now.st_ino != 0);
  usleep((useconds_t)(20000 * rbv_random_uniform(3, (uint64_t)kill_number, 0)));
  assert_int_equal(kill(id, SIGKILL), 0);
  int status;
  assert_int_equal(waitpid(id, &status, 0), id);
  assert_true(WIFSIGNALED(status));
}

/* the history equals that of a run without kills */
static void test_kills(void **state) {
  (void)state;
  rbv_model *m;
  assert_ok(rbv_model_load(&m, "tx40", NULL));
  const double speed[] = {0.005, 0.005, 0.005, 0.005, 0.005, 0.005};
  assert_ok(rbv_model_smooth(&m, speed));
  stream s;
  stream_new(&s, m, rbv_model_parameters(m), RATE, 0.01, 3, 2);
  FILE *f = fopen(temp_file("long.csv", NULL), "w");
  assert_non_null(f);
  write_head(f);
  double zero = 0;
  char command[1024];
  static const char how[] =
      "follow tx40 result.json long.csv --state kill.state --save-every 1 --every 0.05 -q";
  snprintf(command, sizeof command, "exec '%s' %s -o killed.csv --wait 60 > lost.txt 2>&1",
           ROBERVAL_TOOL, how);
  for (int i = 0; i < KILLS; i++) {
    add_part(f, &s, i, &zero);
    live_and_die(command, i);
  }
  assert_int_equal(fclose(f), 0);
  stream_free(&s);
  rbv_model_free(m);
  free(tool_text("%s -o killed.csv", how));
  rbv_document *doc =
      tool_json("follow tx40 result.json long.csv --every 0.05 -q -o whole.csv --json");
  const double contacts = real_at(rbv_document_root(doc), "contacts");
  rbv_document_free(doc);
  print_message("%d kills, %d starts of the clock: %g contacts\n", KILLS, KILLS / RESTART_EVERY,
                contacts);
  // the history has the contact and the payload of every 50 ms; a push has 300 ms
  assert_int_equal(run_in_temp("cmp killed.csv whole.csv"), 0);
  assert_true(contacts >= KILLS && contacts <= 1.1 * KILLS);
}

int main(int argc, char **argv) {
  if (argc > 1) hours = atof(argv[1]);
  signal(SIGPIPE, SIG_IGN);
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_kills), cmocka_unit_test(test_day)};
  return cmocka_run_group_tests(tests, prepare_follow, NULL);
}
