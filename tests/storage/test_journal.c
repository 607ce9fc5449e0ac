/* Journals: after any interruption they contain exactly the finished results. */
#include <fcntl.h>
#include <roberval/sys/document.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/support.h"
#include "storage/storage.h"
#include "support.h"

static char path[64], second[64];

static int make_paths(void **state) {
  (void)state;
  snprintf(path, sizeof path, "journal-%ld.a", (long)getpid());
  snprintf(second, sizeof second, "journal-%ld.b", (long)getpid());
  return 0;
}

static int remove_files(void **state) {
  (void)state;
  unlink(path);
  unlink(second);
  return 0;
}

static rbv_jobs jobs_of(const char *description) {
  return (rbv_jobs){.name = "test", .description = description, .count = 5};
}

static rbv_journal *begin(const char *file, const char *description, bool resume) {
  const rbv_jobs jobs = jobs_of(description);
  rbv_journal *j;
  assert_ok(rbv_journal_open(&j, file, &jobs, resume));
  return j;
}

static void add(rbv_journal *j, ptrdiff_t index, const char *text) {
  const rbv_jobs_store s = rbv_journal_store(j);
  assert_ok(s.keep(s.self, index, text, strlen(text)));
}

static bool has(rbv_journal *j, ptrdiff_t index, const char *text) {
  const rbv_jobs_store s = rbv_journal_store(j);
  const void *data;
  size_t size;
  return s.find(s.self, index, &data, &size) && size == strlen(text) &&
         memcmp(data, text, size) == 0;
}

static void test_results_come_back(void **state) {
  (void)state;
  rbv_journal *j = begin(path, "a description\nof two lines", false);
  add(j, 3, "three");
  add(j, 0, "");
  assert_true(has(j, 3, "three"));
  assert_ok(rbv_journal_flush(j));
  rbv_journal_free(j);
  j = begin(path, "a description\nof two lines", true);
  assert_int_equal(rbv_journal_done(j), 2);
  assert_true(has(j, 3, "three") && has(j, 0, "") && !has(j, 1, ""));
  add(j, 1, "one");
  rbv_journal_free(j);
  assert_ok(rbv_journal_load(&j, path));
  assert_string_equal(rbv_journal_name(j), "test");
  assert_string_equal(rbv_journal_description(j), "a description\nof two lines");
  assert_int_equal(rbv_journal_count(j), 5);
  assert_int_equal(rbv_journal_done(j), 3);
  assert_true(has(j, 1, "one"));
  // a loaded journal cannot be written
  const rbv_jobs_store s = rbv_journal_store(j);
  assert_int_equal(s.keep(s.self, 2, "x", 1), RBV_EARG);
  rbv_journal_free(j);
}

/* Create an empty journal, and open it again to continue. *head: size of its header. */
static rbv_journal *begin_after_head(size_t *head) {
  char *text;
  rbv_journal_free(begin(path, "d", false));
  assert_ok(rbv_file_read(&text, head, path));
  rbv_file_free(text);
  return begin(path, "d", true);
}

/* Truncated at every byte, as if the process had been killed there, and continued. */
static void test_a_torn_end_is_dropped(void **state) {
  (void)state;
  char *whole;
  size_t first, size;
  rbv_journal *j = begin_after_head(&first);
  add(j, 0, "zero");
  add(j, 1, "one one");
  rbv_journal_free(j);
  assert_ok(rbv_file_read(&whole, &size, path));
  for (size_t cut = first; cut <= size; cut++) {
    assert_ok(rbv_file_write(path, whole, cut));
    j = begin(path, "d", true);
    const bool zero = cut >= first + 36, one = cut == size;  // 16 + 4 + 16 bytes
    assert_int_equal(has(j, 0, "zero"), zero);
    assert_int_equal(has(j, 1, "one one"), one);
    if (!zero) add(j, 0, "zero");
    if (!one) add(j, 1, "one one");
    rbv_journal_free(j);
    char *again;
    size_t length;
    assert_ok(rbv_file_read(&again, &length, path));
    assert_int_equal(length, size);
    assert_memory_equal(again, whole, size);
    rbv_file_free(again);
  }
  // truncated in its header it is not a journal
  for (size_t cut = 0; cut < first; cut++) {
    assert_ok(rbv_file_write(path, whole, cut));
    assert_int_equal(rbv_journal_load(&j, path), RBV_EINPUT);
    assert_non_null(strstr(rbv_message(), "not a journal"));
  }
  rbv_file_free(whole);
}

/* A flipped bit loses its record and those after it, and never gives a wrong result. */
static void test_a_damaged_record_is_not_believed(void **state) {
  (void)state;
  char *whole;
  size_t first, size;
  rbv_journal *j = begin_after_head(&first);
  add(j, 2, "two");
  rbv_journal_free(j);
  assert_ok(rbv_file_read(&whole, &size, path));
  for (size_t at = 0; at < size; at++) {
    whole[at] ^= 4;
    assert_ok(rbv_file_write(path, whole, size));
    whole[at] ^= 4;
    const rbv_status status = rbv_journal_load(&j, path);
    if (at < first) {
      assert_int_equal(status, RBV_EINPUT);
    } else {
      assert_ok(status);
      assert_int_equal(rbv_journal_done(j), 0);
      rbv_journal_free(j);
    }
  }
  rbv_file_free(whole);
}

static void refuse(const char *description, bool resume, rbv_status status, const char *word) {
  const rbv_jobs jobs = jobs_of(description);
  rbv_journal *j;
  assert_int_equal(rbv_journal_open(&j, path, &jobs, resume), status);
  assert_null(j);
  assert_non_null(strstr(rbv_message(), word));
  assert_non_null(strstr(rbv_message(), path));
}

static void test_refusals(void **state) {
  (void)state;
  rbv_journal *j = begin(path, "d", true);
  refuse("d", true, RBV_EINPUT, "another process");
  rbv_journal_free(j);
  refuse("d", false, RBV_EINPUT, "already exists");
  assert_string_equal(rbv_message_option(), "resume");
  refuse("e", true, RBV_EINPUT, "other jobs");
  assert_ok(rbv_file_write(path, "t,q1\n0,1\n", 9));
  refuse("d", true, RBV_EINPUT, "not a journal");
  unlink(path);
  assert_int_equal(rbv_journal_load(&j, path), RBV_EREAD);
}

static void test_joining(void **state) {
  (void)state;
  rbv_journal *a = begin(path, "d", false), *b = begin(second, "d", false);
  add(a, 0, "zero");
  add(a, 4, "four");
  add(b, 1, "one");
  add(b, 4, "four");
  rbv_journal_free(a);
  rbv_journal_free(b);
  assert_ok(rbv_journal_load(&a, path));
  assert_ok(rbv_journal_load(&b, second));
  assert_ok(rbv_journal_join(a, b));
  assert_int_equal(rbv_journal_done(a), 3);
  assert_true(has(a, 0, "zero") && has(a, 1, "one") && has(a, 4, "four"));
  rbv_journal_free(a);
  rbv_journal_free(b);
}

static void test_joining_is_refused(void **state) {
  (void)state;
  rbv_journal *a = begin(path, "d", false), *b = begin(second, "d", false);
  add(a, 4, "four");
  add(b, 4, "five");
  assert_int_equal(rbv_journal_join(a, b), RBV_EINPUT);
  assert_non_null(strstr(rbv_message(), "different results"));
  rbv_journal_free(b);
  unlink(second);
  b = begin(second, "other", false);
  assert_int_equal(rbv_journal_join(a, b), RBV_EINPUT);
  assert_non_null(strstr(rbv_message(), "different jobs"));
  rbv_journal_free(a);
  rbv_journal_free(b);
}

static rbv_status look(rbv_journal *j) {
  const rbv_jobs_store s = rbv_journal_store(j);
  return s.look(s.self);
}

/* The journal of another process is read record by record, for every length that it may have. */
static void test_another_is_followed_as_it_grows(void **state) {
  (void)state;
  rbv_journal *j = begin(path, "d", false);
  assert_null(rbv_journal_store(j).look);
  assert_ok(rbv_journal_follow(j, second));
  add(j, 0, "zero");
  assert_ok(look(j));  // the file does not exist yet
  rbv_journal *their = begin(second, "d", false);
  char *whole;
  size_t head, size;
  assert_ok(rbv_file_read(&whole, &head, second));
  rbv_file_free(whole);
  add(their, 0, "zero");
  add(their, 3, "three");
  add(their, 1, "one");
  rbv_journal_free(their);
  assert_ok(rbv_file_read(&whole, &size, second));
  FILE *growing = fopen(second, "w");
  assert_non_null(growing);
  setbuf(growing, NULL);
  assert_int_equal(fwrite(whole, 1, head, growing), head);
  for (size_t at = head; at < size; at++) {
    assert_ok(look(j));
    assert_int_equal(has(j, 3, "three"), at >= head + 36 + 37);
    assert_false(has(j, 1, "one"));
    assert_int_equal(fwrite(whole + at, 1, 1, growing), 1);
  }
  assert_ok(look(j));
  assert_true(has(j, 1, "one"));
  assert_int_equal(rbv_journal_done(j), 3);
  fclose(growing);
  rbv_file_free(whole);

  // equal results are accepted and not written again
  const rbv_jobs_store s = rbv_journal_store(j);
  assert_ok(s.keep(s.self, 1, "one", 3));
  add(j, 2, "two");
  rbv_journal_free(j);
  assert_ok(rbv_journal_load(&j, path));
  assert_int_equal(rbv_journal_done(j), 2);
  rbv_journal_free(j);
}

/* The other journal is deleted and created again, or truncated and continued. */
static void test_another_that_begins_again_is_followed(void **state) {
  (void)state;
  rbv_journal *j = begin(path, "d", false), *their = begin(second, "d", false);
  assert_ok(rbv_journal_follow(j, second));
  add(their, 0, "zero");
  assert_ok(look(j));
  rbv_journal_free(their);
  unlink(second);
  assert_ok(look(j));
  their = begin(second, "d", false);
  add(their, 1, "one");
  assert_ok(look(j));
  assert_true(has(j, 0, "zero") && has(j, 1, "one"));
  rbv_journal_free(their);
  FILE *f = fopen(second, "a");
  assert_non_null(f);
  fputs("half a record", f);
  fclose(f);
  assert_ok(look(j));
  their = begin(second, "d", true);
  add(their, 4, "four");
  assert_ok(look(j));
  assert_true(has(j, 4, "four"));
  rbv_journal_free(their);
  rbv_journal_free(j);
}

static void test_following_is_refused(void **state) {
  (void)state;
  rbv_journal *j = begin(path, "d", false), *their = begin(second, "other", false);
  assert_ok(rbv_journal_follow(j, second));
  for (int i = 0; i < 2; i++) {
    assert_int_equal(look(j), RBV_EINPUT);
    assert_non_null(strstr(rbv_message(), "other jobs"));
    assert_non_null(strstr(rbv_message(), second));
    rbv_journal_free(their);
    their = NULL;
    assert_ok(rbv_file_write(second, "t,q1\n0,1\n", 9));
  }
  unlink(second);
  their = begin(second, "d", false);
  add(j, 4, "four");
  add(their, 0, "zero");
  add(their, 4, "five");
  assert_int_equal(look(j), RBV_EINPUT);
  assert_non_null(strstr(rbv_message(), "job 4 has different results"));
  assert_non_null(strstr(rbv_message(), second));
  const rbv_jobs_store s = rbv_journal_store(j);
  assert_int_equal(s.keep(s.self, 0, "null", 4), RBV_EINPUT);
  assert_non_null(strstr(rbv_message(), "job 0 has different results"));
  rbv_journal_free(their);
  rbv_journal_free(j);
}

static void test_every_allocation_may_fail(void **state) {
  (void)state;
  rbv_journal *j = begin(path, "d", false), *their = begin(second, "d", false);
  add(j, 2, "two");
  add(their, 1, "one");
  rbv_journal_free(j);
  rbv_journal_free(their);
  const rbv_jobs jobs = jobs_of("d");
  for (long n = 1;; n++) {
    rbv_alloc_fail_after(n);
    const rbv_status status = rbv_journal_open(&j, path, &jobs, true);
    rbv_alloc_fail_after(0);
    if (status == RBV_OK) break;
    assert_int_equal(status, RBV_EMEM);
    assert_null(j);
  }
  assert_true(has(j, 2, "two"));
  rbv_status status = RBV_EMEM;
  for (long n = 1; status != RBV_OK; n++) {
    rbv_alloc_fail_after(n);
    status = rbv_journal_follow(j, second);
    rbv_alloc_fail_after(0);
    assert_true(status == RBV_OK || status == RBV_EMEM);
  }
  status = RBV_EMEM;
  for (long n = 1; status != RBV_OK; n++) {
    rbv_alloc_fail_after(n);
    status = look(j);
    rbv_alloc_fail_after(0);
    assert_true(status == RBV_OK || status == RBV_EMEM);
  }
  assert_true(has(j, 1, "one"));
  rbv_journal_free(j);
}

#define RACERS 4
#define ROUNDS 60

/* a process of the race: wait for the start, open the journal, say how it went, hold it to the end
 */
static void race(int start, int finish, int says, bool resume) {
  char byte, answer;
  rbv_journal *j = NULL;
  const rbv_jobs jobs = jobs_of("jobs");
  if (read(start, &byte, 1) < 0) _exit(2);
  const rbv_status status = rbv_journal_open(&j, path, &jobs, resume);
  answer = status == RBV_OK ? 'w' : status == RBV_EINPUT ? 'r' : '?';
  if (write(says, &answer, 1) != 1 || read(finish, &byte, 1) < 0) _exit(2);
  _exit(0);
}

/* Several processes open a new journal at once: one has it, the others are refused. All hold what
 * they have until all have tried. */
static void race_once(bool resume) {
  int start[2], finish[2], says[2];
  assert_true(pipe(start) == 0 && pipe(finish) == 0 && pipe(says) == 0);
  for (int i = 0; i < RACERS; i++)
    if (fork() == 0) {
      close(start[1]);
      close(finish[1]);
      race(start[0], finish[0], says[1], resume);
    }
  close(start[1]);  // go
  int winners = 0;
  for (int i = 0; i < RACERS; i++) {
    char answer = 0;
    assert_int_equal(read(says[0], &answer, 1), 1);
    assert_true(answer == 'w' || answer == 'r');
    winners += answer == 'w';
  }
  assert_int_equal(winners, 1);
  close(finish[1]);
  for (int i = 0; i < RACERS; i++) {
    int status;
    assert_true(wait(&status) > 0 && status == 0);
  }
  const int left[] = {start[0], finish[0], says[0], says[1]};
  for (int i = 0; i < 4; i++) close(left[i]);
  unlink(path);
}

static void test_one_of_many_has_it(void **state) {
  (void)state;
  for (int round = 0; round < ROUNDS; round++) race_once(round % 2 == 1);
}

/* A process that was stopped within the header has no results: the file is begun again. Another
 * file is not touched. */
static void test_a_torn_header(void **state) {
  (void)state;
  rbv_journal_free(begin(path, "jobs", false));
  size_t size;
  free(read_text(path, &size));
  for (size_t n = 0; n < size; n += 7) {
    assert_int_equal(truncate(path, (off_t)n), 0);
    rbv_journal *j = begin(path, "jobs", n % 2 == 1);
    add(j, 1, "one");
    rbv_journal_free(j);
    j = begin(path, "jobs", true);
    assert_true(has(j, 1, "one"));
    rbv_journal_free(j);
  }
  FILE *other = fopen(path, "w");
  fputs("note", other);
  fclose(other);
  rbv_journal *j;
  const rbv_jobs jobs = jobs_of("jobs");
  for (int resume = 0; resume < 2; resume++)
    assert_int_equal(rbv_journal_open(&j, path, &jobs, resume), RBV_EINPUT);
  char *text = read_text(path, NULL);
  assert_string_equal(text, "note");
  free(text);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, make_paths, remove_files)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(test_results_come_back),
      TEST(test_a_torn_end_is_dropped),
      TEST(test_a_damaged_record_is_not_believed),
      TEST(test_refusals),
      TEST(test_joining),
      TEST(test_joining_is_refused),
      TEST(test_another_is_followed_as_it_grows),
      TEST(test_another_that_begins_again_is_followed),
      TEST(test_following_is_refused),
      TEST(test_every_allocation_may_fail),
      TEST(test_one_of_many_has_it),
      TEST(test_a_torn_header),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
