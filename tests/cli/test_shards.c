/*
 * roberval excite --shard: processes that share a search through journals give the same bytes as
 * one process, in parallel or one after another, also if some of them are killed.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "storage/storage.h"
#include "support.h"
#include "tool.h"

#define GENETIC                                                                               \
  "excite ns16 --class sines --search ga --criterion mixed --population 24 --generations 10 " \
  "--starts 2 --period 5 --rate 100 --budget 0 -q"
#define GRADIENT "excite ns16 --harmonics 3 --search slsqp --starts 4 --rate 100 --budget 0 -q"

/* ---- processes ---- */

static pid_t start(const char *search, const char *journal, int shard, int shards) {
  char command[1024];
  snprintf(command, sizeof command,
           "cd '%s' && exec '%s' %s --journal %s --shard %d/%d --resume -o %s%d.csv >/dev/null",
           temp_directory(), ROBERVAL_TOOL, search, journal, shard, shards, journal, shard);
  const pid_t id = fork();
  if (id == 0) {
    execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    _exit(127);
  }
  assert_true(id > 0);
  return id;
}

static void await(pid_t id) {
  int status;
  assert_int_equal(waitpid(id, &status, 0), id);
  assert_true(WIFEXITED(status));
  assert_int_equal(WEXITSTATUS(status), 0);
}

/* ---- journals and designs ---- */

static void path_of(char path[512], const char *journal, int shard, const char *ending) {
  snprintf(path, 512, "%s/%s%d%s", temp_directory(), journal, shard, ending);
}

/* number of candidates in a journal; 0: it does not exist yet, or its header is not written yet */
static ptrdiff_t evaluated(const char *name) {
  char path[512];
  rbv_journal *j;
  struct stat info;
  snprintf(path, sizeof path, "%s/%s", temp_directory(), name);
  if (stat(path, &info) != 0 || info.st_size == 0) return 0;
  assert_ok(rbv_journal_load(&j, path));
  const ptrdiff_t count = rbv_journal_done(j);
  rbv_journal_free(j);
  return count;
}

static ptrdiff_t evaluated_by(const char *journal, int shard) {
  char name[64];
  snprintf(name, sizeof name, "%s.%d", journal, shard);
  return evaluated(name);
}

/* wait until a running shard has evaluated some candidates */
static void await_candidates(pid_t id, const char *journal, int shard) {
  while (evaluated_by(journal, shard) < 3) {
    if (waitpid(id, NULL, WNOHANG) != 0) fail_msg("shard %d ended too early", shard);
    usleep(1000);
  }
}

static void assert_same(const char *search, const char *journal, int shard) {
  char path[512];
  size_t size, wanted;
  snprintf(path, sizeof path, "%s/%s.csv", temp_directory(), search);
  char *whole = read_text(path, &wanted);
  path_of(path, journal, shard, ".csv");
  char *design = read_text(path, &size);
  assert_int_equal(size, wanted);
  assert_memory_equal(design, whole, size);
  free(design);
  free(whole);
}

/* ---- tests ---- */

/* the reference designs, of one process with one thread */
static int search_alone(void **state) {
  (void)state;
  free(tool_text(GENETIC " --journal whole -o genetic.csv"));
  free(tool_text(GRADIENT " -o gradient.csv"));
  return 0;
}

static void test_threads(void **state) {
  (void)state;
  free(tool_text(GENETIC " --threads 2 -o threads1.csv"));
  assert_same("genetic", "threads", 1);
}

/* the first shard evaluates all candidates, the second reads them all */
static void test_one_after_another(void **state) {
  (void)state;
  for (int shard = 1; shard <= 2; shard++) {
    await(start(GENETIC, "turns", shard, 2));
    assert_same("genetic", "turns", shard);
  }
  assert_int_equal(evaluated_by("turns", 1), evaluated("whole"));
  assert_int_equal(evaluated_by("turns", 2), 0);
}

/*
 * Two shards in parallel. To make them share the work on any machine, the first is stopped until
 * the second has evaluated candidates of the first.
 */
static void test_two_at_once(void **state) {
  (void)state;
  const pid_t first = start(GENETIC, "both", 1, 2);
  await_candidates(first, "both", 1);
  assert_int_equal(kill(first, SIGSTOP), 0);
  const pid_t second = start(GENETIC, "both", 2, 2);
  await_candidates(second, "both", 2);
  assert_int_equal(kill(first, SIGCONT), 0);
  await(first);
  await(second);
  const ptrdiff_t all = evaluated("whole");
  for (int shard = 1; shard <= 2; shard++) {
    assert_same("genetic", "both", shard);
    assert_true(evaluated_by("both", shard) < all);
  }
  assert_true(evaluated_by("both", 1) + evaluated_by("both", 2) >= all);
}

/* one of four is killed: the others finish without it; started again, it finishes, too */
static void test_one_of_four_is_killed(void **state) {
  (void)state;
  pid_t id[5];
  int status;
  // it is stopped during its run while the others start, so that it cannot finish before it is
  // killed
  id[2] = start(GENETIC, "four", 2, 4);
  await_candidates(id[2], "four", 2);
  assert_int_equal(kill(id[2], SIGSTOP), 0);
  for (int shard = 1; shard <= 4; shard++)
    if (shard != 2) id[shard] = start(GENETIC, "four", shard, 4);
  assert_int_equal(kill(id[2], SIGKILL), 0);
  assert_int_equal(waitpid(id[2], &status, 0), id[2]);
  assert_true(WIFSIGNALED(status));
  char path[512];
  path_of(path, "four", 2, ".csv");
  assert_int_not_equal(access(path, F_OK), 0);
  for (int shard = 1; shard <= 4; shard++)
    if (shard != 2) await(id[shard]);
  await(start(GENETIC, "four", 2, 4));
  for (int shard = 1; shard <= 4; shard++) assert_same("genetic", "four", shard);
}

/* a shard is killed while it runs alone; the other does the rest */
static void test_other_shard_finishes(void **state) {
  (void)state;
  const pid_t first = start(GENETIC, "left", 1, 2);
  await_candidates(first, "left", 1);
  assert_int_equal(kill(first, SIGKILL), 0);
  assert_int_equal(waitpid(first, NULL, 0), first);
  const ptrdiff_t done = evaluated_by("left", 1);
  await(start(GENETIC, "left", 2, 2));
  assert_same("genetic", "left", 2);
  assert_int_equal(evaluated_by("left", 2), evaluated("whole") - done);
}

static void test_starts_of_gradients(void **state) {
  (void)state;
  const pid_t first = start(GRADIENT, "starts", 1, 2), second = start(GRADIENT, "starts", 2, 2);
  await(first);
  await(second);
  for (int shard = 1; shard <= 2; shard++) assert_same("gradient", "starts", shard);
}

static void test_refusals(void **state) {
  (void)state;
  tool_refuses(2, "--shard needs a journal FILE", "excite ns16 --shard 1/2");
  tool_refuses(2, "--shard must be I/N with I from 1 to N, array or array/N, not '3/2'",
               "excite ns16 --journal x --shard 3/2");
  tool_refuses(2, "at most 1000 shards", "excite ns16 --journal x --shard 1/1001");
  // the other journals must be of the same search; an existing journal needs --resume
  char whole[512], path[512];
  path_of(path, "odd.", 2, "");
  snprintf(whole, sizeof whole, "%s/whole", temp_directory());
  assert_int_equal(link(whole, path), 0);
  tool_refuses(3, "odd.2: is the journal of other jobs", GRADIENT " --journal odd --shard 1/2");
  tool_refuses(3, "odd.1 already exists", GRADIENT " --journal odd --shard 1/2");
  tool_refuses(3, "odd.2: shards of excite need no merge", "merge odd.2");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_threads),
      cmocka_unit_test(test_one_after_another),
      cmocka_unit_test(test_two_at_once),
      cmocka_unit_test(test_one_of_four_is_killed),
      cmocka_unit_test(test_other_shard_finishes),
      cmocka_unit_test(test_starts_of_gradients),
      cmocka_unit_test(test_refusals),
  };
  return cmocka_run_group_tests(tests, search_alone, NULL);
}
