/* Robustness of the tool: killed, full disk, missing permissions, unusual file names. */
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

#include "document/document.h"
#include "pendulum_files.h"

#define NOBODY 65534

/* every command that writes a file; each takes milliseconds to seconds */
static const struct {
  const char *arguments, *file;
} writers[] = {
    {"regressor pendulum.yaml traj.csv -q -o out", "out"},
    {"dynamics pendulum.yaml traj.csv -q -o out", "out"},
    {"dynamics pendulum.yaml traj.csv --json -q -o out", "out"},
    {"excite pendulum.yaml --period 3 --rate 100 --starts 1 --budget 0 -q -o out", "out"},
    {"simulate pendulum.yaml traj.csv --controller controller.yaml -q -o out", "out"},
    {"identify pendulum.yaml log.csv -q -o out", "out"},
    {"validate result.json log.csv -q -o out", "out"},
    {"export result.json --format yaml -q -o out", "out"},
    {"export pendulum.yaml --format urdf -q -o out", "out"},
};
#define WRITERS ((int)(sizeof writers / sizeof *writers))

typedef struct {
  long file_bytes;    // RLIMIT_FSIZE; 0: none
  bool unprivileged;  // not as root
} conditions;

/* start `roberval ARGUMENTS` in the temporary directory; its messages go to .err */
static pid_t start(const char *arguments, conditions t) {
  const pid_t child = fork();
  if (child != 0) return child;
  // open the tool before dropping privileges: only root may have access to its directory
  const int tool = open(ROBERVAL_TOOL, O_RDONLY);
  char command[4096];
  snprintf(command, sizeof command, "exec >.out 2>.err /proc/self/fd/%d %s", tool, arguments);
  if (chdir(temp_directory()) != 0) _exit(99);
  int ready = 0;
  if (t.unprivileged && geteuid() == 0) ready = setgid(NOBODY) | setuid(NOBODY);
  if (t.file_bytes > 0) {
    const struct rlimit limit = {(rlim_t)t.file_bytes, (rlim_t)t.file_bytes};
    ready |= setrlimit(RLIMIT_FSIZE, &limit);
  }
  if (ready == 0) execl("/bin/sh", "sh", "-c", command, (char *)NULL);
  _exit(99);
}

static int finish(pid_t child) {
  int status;
  assert_int_equal(waitpid(child, &status, 0), child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

static char *content(const char *name) { return read_text(temp_file(name, NULL), NULL); }

/* temporary files that a write left next to its target */
static int temporary_files(bool remove_them) {
  DIR *directory = opendir(temp_directory());
  int count = 0;
  for (struct dirent *e; (e = readdir(directory));) {
    if (strncmp(e->d_name, ".roberval-", 10) != 0) continue;
    count++;
    if (remove_them) unlink(temp_file(e->d_name, NULL));
  }
  closedir(directory);
  return count;
}

static void one_line(const char *text, const char *where) {
  if (!*text || strchr(text, '\n') != text + strlen(text) - 1)
    fail_msg("%s: not one sentence: '%s'", where, text);
}

/* the file is the old or the new one, whenever the writer is killed */
static void test_killed_writers_leave_complete_files(void **state) {
  (void)state;
  int old = 0, new = 0;
  for (int i = 0; i < WRITERS; i++) {
    temp_file("out", "what was there before\n");
    struct timespec begin, end;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    assert_int_equal(finish(start(writers[i].arguments, (conditions){0})), 0);
    clock_gettime(CLOCK_MONOTONIC, &end);
    const double whole =
        (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec);
    char *want = content(writers[i].file);
    for (int k = 0; k < 12; k++) {
      temp_file("out", "what was there before\n");
      const double delay = 1.2 * whole * rbv_random_uniform(7, (uint64_t)i, (uint64_t)k);
      const pid_t child = start(writers[i].arguments, (conditions){0});
      const struct timespec pause = {(time_t)delay, (long)(1e9 * (delay - (double)(time_t)delay))};
      nanosleep(&pause, NULL);
      kill(child, SIGKILL);
      finish(child);
      char *got = content(writers[i].file);
      if (strcmp(got, "what was there before\n") == 0)
        old++;
      else if (strcmp(got, want) == 0)
        new ++;
      else
        fail_msg("roberval %s, killed after %.4f s, left neither file", writers[i].arguments,
                 delay);
      free(got);
    }
    free(want);
    temporary_files(true);  // files that a killed process could not remove
  }
  printf("%d kills: %d old files, %d new ones\n", old + new, old, new);
  // kills at times over the whole run and after it give both outcomes
  assert_true(old > 0 && new > 0);
}

/* a limit on the file size simulates a full disk without privileges */
static void test_full_disk_keeps_the_old_file(void **state) {
  (void)state;
  for (int i = 0; i < WRITERS; i++) {
    temp_file("out", "what was there before\n");
    const int code = finish(start(writers[i].arguments, (conditions){.file_bytes = 200}));
    char *words = content(".err"), *got = content("out");
    if (code != 4) fail_msg("roberval %s: exit code %d: %s", writers[i].arguments, code, words);
    one_line(words, writers[i].arguments);
    assert_non_null(strstr(words, "out"));
    assert_string_equal(got, "what was there before\n");
    assert_int_equal(temporary_files(false), 0);
    free(words);
    free(got);
  }
}

static void test_directory_and_file_without_permission(void **state) {
  (void)state;
  // the directory is read-only for all users except root; only the two files of the streams are
  // writable
  temp_file("out", "what was there before\n");
  assert_int_equal(chmod(temp_file(".out", ""), 0666), 0);
  assert_int_equal(chmod(temp_file(".err", ""), 0666), 0);
  assert_int_equal(chmod(temp_file("secret.csv", "q1\n1\n"), 0), 0);
  assert_int_equal(chmod(temp_directory(), 0555), 0);
  for (int i = 0; i < WRITERS; i++) {
    const int code = finish(start(writers[i].arguments, (conditions){.unprivileged = true}));
    char *words = content(".err"), *got = content("out");
    if (code != 4) fail_msg("roberval %s: exit code %d: %s", writers[i].arguments, code, words);
    one_line(words, writers[i].arguments);
    assert_non_null(strstr(words, "Permission denied"));
    assert_string_equal(got, "what was there before\n");
    free(words);
    free(got);
  }
  // an unreadable file is bad input
  const pid_t child = start("check pendulum.yaml secret.csv", (conditions){.unprivileged = true});
  assert_int_equal(finish(child), 3);
  assert_int_equal(chmod(temp_directory(), 0700), 0);
}

static void test_inputs_may_be_read_only(void **state) {
  (void)state;
  assert_int_equal(chmod(temp_file("log.csv", NULL), 0444), 0);
  assert_int_equal(chmod(temp_file("pendulum.yaml", NULL), 0444), 0);
  free(tool_text("identify pendulum.yaml log.csv -q -o again.json"));
  char *a = content("again.json"), *b = content("result.json");
  assert_string_equal(a, b);
  free(a);
  free(b);
  assert_int_equal(chmod(temp_file("log.csv", NULL), 0644), 0);
  assert_int_equal(chmod(temp_file("pendulum.yaml", NULL), 0644), 0);
}

/* the link stays, and its target is the new file */
static void test_link_targets_are_replaced(void **state) {
  (void)state;
  char link[300];
  snprintf(link, sizeof link, "%s/link", temp_directory());
  for (int i = 0; i < WRITERS; i++) {
    temp_file("target", "old\n");
    unlink(link);
    assert_int_equal(symlink("target", link), 0);
    char arguments[512];
    snprintf(arguments, sizeof arguments, "%s", writers[i].arguments);
    strcpy(strstr(arguments, "-o out"), "-o link");
    assert_int_equal(finish(start(arguments, (conditions){0})), 0);
    struct stat info;
    assert_int_equal(lstat(link, &info), 0);
    assert_true(S_ISLNK(info.st_mode));
    char *got = content("target");
    assert_string_not_equal(got, "old\n");
    free(got);
  }
}

/* file names that are not UTF-8 can be read and written; documents that name them stay UTF-8 */
static void test_names_that_are_not_utf8(void **state) {
  (void)state;
  free(
      tool_text("simulate pendulum.yaml traj.csv --controller controller.yaml -q -o \"$(printf "
                "'caf\\351.csv')\""));
  free(
      tool_text("identify pendulum.yaml \"$(printf 'caf\\351.csv')\" -q -o \"$(printf "
                "'r\\377.json')\""));
  outcome o = tool("validate \"$(printf 'r\\377.json')\" \"$(printf 'caf\\351.csv')\" --json");
  assert_int_equal(o.code, 0);
  for (const unsigned char *c = (const unsigned char *)o.out; *c; c++)
    assert_true(*c != 0351 && *c != 0377);
  rbv_document *doc;
  assert_ok(rbv_document_parse(&doc, "stdout", o.out, strlen(o.out)));
  rbv_document_free(doc);
  outcome_free(&o);
  tool_refuses(3, "absent", "model \"$(printf 'absent\\377')\"");
}

/* an output file must not get the descriptor of a closed stream */
static void test_closed_streams(void **state) {
  (void)state;
  char *want = content("log.csv");
  static const char *const closed[] = {"<&-", ">&-", "2>&-", "<&- >&- 2>&-"};
  for (int i = 0; i < 4; i++) {
    outcome o = tool("simulate pendulum.yaml traj.csv --controller controller.yaml -v -o out %s",
                     closed[i]);
    char *got = content("out");
    assert_string_equal(got, want);
    free(got);
    outcome_free(&o);
  }
  free(want);
  outcome o = tool("model tx40 >&-");
  assert_int_equal(o.code, 4);
  outcome_free(&o);
}

/* the same seed gives the same bytes, in two runs and on one and two threads */
static void test_same_seed_same_bytes(void **state) {
  (void)state;
  static const char *const runs[] = {
      "simulate pendulum.yaml traj.csv --controller controller.yaml --torque-noise 0.1 --encoder "
      "4096 --jitter 0.0001 --seed 3 -q -o out",
      "identify pendulum.yaml log.csv --bootstrap 40 --seed 3 -q -o out",
      "excite pendulum.yaml --period 3 --rate 100 --starts 3 --budget 0 --seed 3 -q -o out",
      "excite pendulum.yaml --period 3 --rate 100 --search ga --population 20 --generations 4 "
      "--no-polish --budget 0 --seed 3 -q -o out",
  };
  for (int i = 0; i < 4; i++) {
    free(tool_text("%s --threads 1", runs[i]));
    char *first = content("out");
    for (int threads = 1; threads <= 2; threads++) {
      free(tool_text("%s --threads %d", runs[i], threads));
      char *again = content("out");
      if (strcmp(first, again) != 0) fail_msg("not the same on %d threads: %s", threads, runs[i]);
      free(again);
    }
    free(first);
  }
}

static int prepare(void **state) {
  (void)state;
  make_files();
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_killed_writers_leave_complete_files),
      cmocka_unit_test(test_full_disk_keeps_the_old_file),
      cmocka_unit_test(test_directory_and_file_without_permission),
      cmocka_unit_test(test_inputs_may_be_read_only),
      cmocka_unit_test(test_link_targets_are_replaced),
      cmocka_unit_test(test_names_that_are_not_utf8),
      cmocka_unit_test(test_closed_streams),
      cmocka_unit_test(test_same_seed_same_bytes),
  };
  return cmocka_run_group_tests(tests, prepare, NULL);
}
