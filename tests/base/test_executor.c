/* Jobs: the same result from any number of threads, the lowest failure, stores, cancellation. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/support.h"
#include "support.h"

#define COUNT 97

/* Input of the jobs, and their results. */
typedef struct {
  int fail_at[2];   // jobs that fail, -1: none
  int open_failed;  // thread whose worker cannot be created, -1: none
  int cancel;       // the flag
  int cancel_at;    // job that sets it, -1: none
  int refuse_at;    // result that is refused, -1: none
  int opened[8], closed;
  ptrdiff_t window, taken;  // results that may wait, 0: all; results processed
  char text[20000];         // processed results, in order
} fixture;

static fixture fresh(void) {
  return (fixture){.fail_at = {-1, -1}, .open_failed = -1, .cancel_at = -1, .refuse_at = -1};
}

static rbv_status open_worker(void **worker, void *self, int thread) {
  fixture *f = self;
  if (thread == f->open_failed) return rbv_fail(RBV_EMEM, "no memory for worker %d", thread);
  *worker = &f->opened[thread];
  f->opened[thread] = 1;
  return RBV_OK;
}

static void close_worker(void *worker, void *self) {
  fixture *f = self;
  assert_int_equal(*(int *)worker, 1);
  __atomic_fetch_add(&f->closed, 1, __ATOMIC_SEQ_CST);
}

/* Jobs of different length: a sum of random bits. */
static rbv_status run_job(rbv_bytes *out, void *worker, void *self, ptrdiff_t index) {
  fixture *f = self;
  assert_int_equal(*(int *)worker, 1);
  if (index == f->fail_at[0] || index == f->fail_at[1])
    return rbv_fail(RBV_EINPUT, "job %td does not like it", index);
  if (index == f->cancel_at) rbv_cancel(&f->cancel);
  const ptrdiff_t taken = __atomic_load_n(&f->taken, __ATOMIC_SEQ_CST);
  if (f->window > 0 && index >= taken + f->window)
    return rbv_fail(RBV_EARG, "job %td began when %td were taken", index, taken);
  uint64_t sum = 0;
  const uint64_t length = rbv_random_bits(1, 2, (uint64_t)index) % 2000;
  for (uint64_t i = 0; i < length; i++) sum ^= rbv_random_bits(3, (uint64_t)index, i);
  char text[64];
  const int n = snprintf(text, sizeof text, "%td:%llx", index, (unsigned long long)sum);
  rbv_bytes_add(out, text, (size_t)n);
  rbv_bytes_add(out, "\n", 1);
  return RBV_OK;
}

static rbv_status take(void *self, ptrdiff_t index, const void *data, size_t size) {
  fixture *f = self;
  if (index == f->refuse_at) return rbv_fail(RBV_EREAD, "job refused: %td", index);
  strncat(f->text, data, size);
  __atomic_store_n(&f->taken, index + 1, __ATOMIC_SEQ_CST);
  return RBV_OK;
}

static rbv_jobs jobs_of(fixture *f) {
  return (rbv_jobs){.name = "test",
                    .count = COUNT,
                    .self = f,
                    .open = open_worker,
                    .close = close_worker,
                    .run = run_job,
                    .take = take};
}

/* The reference for all other runs. */
static fixture run_alone(void) {
  fixture f = fresh();
  const rbv_jobs jobs = jobs_of(&f);
  assert_ok(rbv_jobs_run(NULL, &jobs, NULL));
  return f;
}

static void test_any_number_of_threads_gives_the_same(void **state) {
  (void)state;
  const fixture serial = run_alone();
  assert_non_null(strstr(serial.text, "\n96:"));
  for (int threads = 1; threads <= 8; threads *= 2) {
    fixture f = fresh();
    const rbv_jobs jobs = jobs_of(&f);
    const rbv_jobs_options o = {.threads = threads};
    rbv_jobs_info info;
    assert_ok(rbv_jobs_run(&info, &jobs, &o));
    assert_string_equal(f.text, serial.text);
    assert_int_equal(info.done, COUNT);
    int opened = 0;
    for (int i = 0; i < 8; i++) opened += f.opened[i];
    assert_int_equal(opened, threads);
    assert_int_equal(f.closed, threads);
  }
}

static void test_shards_make_the_whole(void **state) {
  (void)state;
  const fixture serial = run_alone();
  ptrdiff_t total = 0;
  for (int i = 0; i < 3; i++) {
    fixture f = fresh();
    const rbv_jobs jobs = jobs_of(&f);
    const rbv_jobs_options o = {.threads = 2, .first = i, .stride = 3};
    rbv_jobs_info info;
    assert_ok(rbv_jobs_run(&info, &jobs, &o));
    total += info.total;
    // every line of a shard is in the complete result
    for (char *line = strtok(f.text, "\n"); line; line = strtok(NULL, "\n"))
      assert_non_null(strstr(serial.text, line));
  }
  assert_int_equal(total, COUNT);
}

static void test_the_lowest_failure_is_told(void **state) {
  (void)state;
  for (int threads = 1; threads <= 8; threads *= 2) {
    fixture f = fresh();
    f.fail_at[0] = 40;
    f.fail_at[1] = 38;
    const rbv_jobs jobs = jobs_of(&f);
    const rbv_jobs_options o = {.threads = threads};
    (void)rbv_fail(RBV_EARG, "something else");
    assert_int_equal(rbv_jobs_run(NULL, &jobs, &o), RBV_EINPUT);
    assert_string_equal(rbv_message(), "job 38 does not like it");
    assert_string_equal(f.text, "");
  }
}

static rbv_jobs jobs_with_window(fixture *f, ptrdiff_t window, int threads) {
  rbv_jobs jobs = jobs_of(f);
  jobs.window = window;
  f->window = window * threads;
  return jobs;
}

/* Results are processed while jobs run, in order, and no job starts too far ahead of them. */
static void test_a_window_changes_nothing(void **state) {
  (void)state;
  const fixture serial = run_alone();
  for (int i = 0; i < 200; i++) {
    const int threads = 1 << i % 4, window = i / 4 % 5 + 1;
    fixture f = fresh();
    const rbv_jobs jobs = jobs_with_window(&f, window, threads);
    const rbv_jobs_options o = {.threads = threads};
    rbv_jobs_info info;
    assert_ok(rbv_jobs_run(&info, &jobs, &o));
    assert_string_equal(f.text, serial.text);
    assert_int_equal(info.done, COUNT);
    assert_int_equal(f.closed, threads);
  }
}

static void test_failures_in_a_window(void **state) {
  (void)state;
  const fixture serial = run_alone();
  for (int i = 0; i < 200; i++) {
    const int threads = 1 << i % 4, window = i / 4 % 5 + 1;
    const rbv_jobs_options o = {.threads = threads};
    // two jobs fail: the lowest is reported, and only results before it were processed
    fixture f = fresh();
    f.fail_at[0] = 40;
    f.fail_at[1] = 38;
    rbv_jobs jobs = jobs_with_window(&f, window, threads);
    assert_refused(rbv_jobs_run(NULL, &jobs, &o), RBV_EINPUT, "job 38 does not like it");
    assert_true(f.taken <= 38);
    assert_memory_equal(f.text, serial.text, strlen(f.text));
    // a result is refused
    fixture g = fresh();
    g.refuse_at = 50;
    jobs = jobs_with_window(&g, window, threads);
    assert_refused(rbv_jobs_run(NULL, &jobs, &o), RBV_EREAD, "job refused: 50");
    assert_int_equal(g.taken, 50);
    // a worker cannot be created while others wait
    fixture h = fresh();
    h.open_failed = threads - 1;
    jobs = jobs_with_window(&h, window, threads);
    assert_refused(rbv_jobs_run(NULL, &jobs, &o), RBV_EMEM, "no memory for worker");
    // cancelled: finished results are processed
    fixture k = fresh();
    k.cancel_at = 20;
    jobs = jobs_with_window(&k, window, threads);
    rbv_jobs_info info;
    const rbv_jobs_options cancel = {.threads = threads, .cancel = &k.cancel};
    assert_ok(rbv_jobs_run(&info, &jobs, &cancel));
    assert_true(info.done >= 21 && info.done < COUNT);
    ptrdiff_t lines = 0;
    for (const char *c = k.text; *c; c++) lines += *c == '\n';
    assert_int_equal(lines, info.done);
  }
}

static void test_a_worker_that_cannot_be_made(void **state) {
  (void)state;
  for (int bad = 0; bad < 2; bad++) {
    fixture f = fresh();
    f.open_failed = bad;
    const rbv_jobs jobs = jobs_of(&f);
    const rbv_jobs_options o = {.threads = 2};
    assert_int_equal(rbv_jobs_run(NULL, &jobs, &o), RBV_EMEM);
    assert_non_null(strstr(rbv_message(), "no memory for worker"));
  }
}

static void test_cancelling_keeps_what_is_done(void **state) {
  (void)state;
  fixture f = fresh();
  f.cancel_at = 10;
  const rbv_jobs jobs = jobs_of(&f);
  const rbv_jobs_options o = {.threads = 1, .cancel = &f.cancel};
  rbv_jobs_info info;
  assert_ok(rbv_jobs_run(&info, &jobs, &o));
  assert_int_equal(info.done, 11);
  assert_int_equal(info.total, COUNT);
  assert_non_null(strstr(f.text, "\n10:"));
  assert_null(strstr(f.text, "\n11:"));
}

/* A store in memory, to which other processes add results. */
typedef struct {
  char *kept[COUNT];
  size_t size[COUNT];
  int full_at;           // job at which it fails, -1: none
  ptrdiff_t log[COUNT];  // indices in the order of storage
  int nlog;
  int twice;           // results that were stored before
  int looks;           // number of looks
  int blind_at;        // the look that fails, 0: none
  const char *others;  // results of others, added from the last one, one per look; NULL: none
  size_t left;         // bytes of them that are left
} shelf;

static bool find(void *self, ptrdiff_t index, const void **data, size_t *size) {
  const shelf *s = self;
  *data = s->kept[index];
  *size = s->size[index];
  return *data != NULL;
}

static rbv_status keep(void *self, ptrdiff_t index, const void *data, size_t size) {
  shelf *s = self;
  if (index == s->full_at) return rbv_fail(RBV_EWRITE, "the shelf is full");
  s->twice += s->kept[index] != NULL;
  if (!s->kept[index]) s->kept[index] = rbv_strndup(data, size);
  s->size[index] = size;
  s->log[s->nlog++] = index;
  return RBV_OK;
}

static rbv_status look(void *self) {
  shelf *s = self;
  if (++s->looks == s->blind_at) return rbv_fail(RBV_EREAD, "the shelf cannot be seen");
  if (s->left == 0) return RBV_OK;
  size_t begin = s->left - 1;
  while (begin > 0 && s->others[begin - 1] != '\n') begin--;
  const long index = strtol(s->others + begin, NULL, 10);
  if (!s->kept[index]) {
    s->kept[index] = rbv_strndup(s->others + begin, s->left - begin);
    s->size[index] = s->left - begin;
  }
  s->left = begin;
  return RBV_OK;
}

static void clear(shelf *s) {
  for (int i = 0; i < COUNT; i++) rbv_free(s->kept[i]);
}

static void test_what_the_store_has_is_not_run_again(void **state) {
  (void)state;
  fixture whole = fresh(), half = fresh(), rest = fresh();
  const rbv_jobs jobs = jobs_of(&whole);
  assert_ok(rbv_jobs_run(NULL, &jobs, NULL));
  shelf s = {.full_at = -1};
  const rbv_jobs_store store = {&s, find, keep, NULL};
  half.cancel_at = 30;
  const rbv_jobs first = jobs_of(&half);
  const rbv_jobs_options o = {.threads = 2, .store = &store, .cancel = &half.cancel};
  rbv_jobs_info info;
  assert_ok(rbv_jobs_run(&info, &first, &o));
  assert_true(info.done > 30 && info.done < COUNT);
  const ptrdiff_t done = info.done;
  // a stored job would fail if it were run
  rest.fail_at[0] = 7;
  const rbv_jobs second = jobs_of(&rest);
  const rbv_jobs_options again = {.threads = 2, .store = &store};
  assert_ok(rbv_jobs_run(&info, &second, &again));
  assert_int_equal(info.found, done);
  assert_int_equal(info.done, COUNT);
  assert_string_equal(rest.text, whole.text);
  clear(&s);
}

/* Own jobs first, in ascending order, then all others once, in a different order for each share. */
static void test_a_share_comes_first_and_then_the_rest(void **state) {
  (void)state;
  shelf s[2] = {{.full_at = -1}, {.full_at = -1}};
  fixture f[2] = {fresh(), fresh()};
  for (int i = 0; i < 2; i++) {
    const rbv_jobs_store store = {&s[i], find, keep, look};
    const rbv_jobs jobs = jobs_of(&f[i]);
    const rbv_jobs_options o = {.store = &store, .share = i, .shares = 4};
    rbv_jobs_info info;
    assert_ok(rbv_jobs_run(&info, &jobs, &o));
    assert_int_equal(info.done, COUNT);
    assert_int_equal(info.found, 0);
    assert_int_equal(s[i].nlog, COUNT);
    const int own = (COUNT - i + 3) / 4;
    for (int k = 0; k < own; k++) assert_int_equal(s[i].log[k], i + 4 * k);
    for (int k = 0; k < COUNT; k++) assert_non_null(s[i].kept[k]);
  }
  assert_string_equal(f[0].text, f[1].text);
  // the jobs of other shares come in different orders
  int together = 0;
  for (int k = 25; k < COUNT; k++) together += s[0].log[k] == s[1].log[k];
  assert_true(together < 10);
  for (int i = 0; i < 2; i++) clear(&s[i]);
}

/* While other processes fill the store, no stored job is run, and the result is the same. */
static void test_what_others_did_meanwhile_is_not_run(void **state) {
  (void)state;
  fixture whole = fresh();
  const rbv_jobs alone = jobs_of(&whole);
  assert_ok(rbv_jobs_run(NULL, &alone, NULL));
  for (int threads = 1; threads <= 4; threads *= 2) {
    shelf s = {.full_at = -1, .others = whole.text, .left = strlen(whole.text)};
    const rbv_jobs_store store = {&s, find, keep, look};
    fixture f = fresh();
    const rbv_jobs jobs = jobs_of(&f);
    const rbv_jobs_options o = {.threads = threads, .store = &store, .share = 1, .shares = 3};
    rbv_jobs_info info;
    assert_ok(rbv_jobs_run(&info, &jobs, &o));
    assert_int_equal(info.done, COUNT);
    assert_int_equal(info.found + s.nlog, COUNT);
    // a look adds one result from the end: those before its own 32 jobs bring 21 of the other
    // shares
    assert_true(info.found >= 21);
    if (threads == 1) assert_int_equal(s.twice, 0);
    assert_string_equal(f.text, whole.text);
    clear(&s);
  }
}

static void test_a_look_that_fails_is_told(void **state) {
  (void)state;
  fixture f = fresh();
  shelf s = {.full_at = -1, .blind_at = 9};
  const rbv_jobs_store store = {&s, find, keep, look};
  const rbv_jobs jobs = jobs_of(&f);
  rbv_jobs_options o = {.threads = 2, .store = &store, .shares = 2};
  assert_int_equal(rbv_jobs_run(NULL, &jobs, &o), RBV_EREAD);
  assert_string_equal(rbv_message(), "the shelf cannot be seen");
  assert_int_equal(s.nlog, 8);
  o.share = 2;
  assert_int_equal(rbv_jobs_run(NULL, &jobs, &o), RBV_EARG);
  clear(&s);
}

static void test_a_store_that_fails_is_told(void **state) {
  (void)state;
  fixture f = fresh();
  shelf s = {.full_at = 5};
  const rbv_jobs_store store = {&s, find, keep, NULL};
  const rbv_jobs jobs = jobs_of(&f);
  const rbv_jobs_options o = {.threads = 2, .store = &store};
  assert_int_equal(rbv_jobs_run(NULL, &jobs, &o), RBV_EWRITE);
  assert_string_equal(rbv_message(), "the shelf is full");
  clear(&s);
}

static void test_every_allocation_may_fail(void **state) {
  (void)state;
  for (long n = 1;; n++) {
    fixture f = fresh();
    rbv_jobs jobs = jobs_of(&f);
    jobs.count = 3;
    const rbv_jobs_options o = {.shares = 2};
    const long before = rbv_alloc_count();
    rbv_alloc_fail_after(n);
    const rbv_status status = rbv_jobs_run(NULL, &jobs, &o);
    rbv_alloc_fail_after(0);
    if (rbv_alloc_count() - before < n) break;
    assert_int_equal(status, RBV_EMEM);
    assert_non_null(strstr(rbv_message(), "out of memory"));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_any_number_of_threads_gives_the_same),
      cmocka_unit_test(test_shards_make_the_whole),
      cmocka_unit_test(test_the_lowest_failure_is_told),
      cmocka_unit_test(test_a_window_changes_nothing),
      cmocka_unit_test(test_failures_in_a_window),
      cmocka_unit_test(test_a_worker_that_cannot_be_made),
      cmocka_unit_test(test_cancelling_keeps_what_is_done),
      cmocka_unit_test(test_what_the_store_has_is_not_run_again),
      cmocka_unit_test(test_a_share_comes_first_and_then_the_rest),
      cmocka_unit_test(test_what_others_did_meanwhile_is_not_run),
      cmocka_unit_test(test_a_look_that_fails_is_told),
      cmocka_unit_test(test_a_store_that_fails_is_told),
      cmocka_unit_test(test_every_allocation_may_fail),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
