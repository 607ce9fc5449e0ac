// pthread_setattr_default_np
#define _GNU_SOURCE
#include <math.h>
#include <pthread.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/support.h"
#include "support.h"

static void test_every_status_has_a_name_and_a_meaning(void **state) {
  (void)state;
  assert_string_equal(rbv_status_name(RBV_EDIM), "RBV_EDIM");
  assert_string_equal(rbv_status_text(RBV_OK), "success");
  assert_string_equal(rbv_status_name((rbv_status)-99), "RBV_?");
}

static void test_message_is_kept_and_may_quote_itself(void **state) {
  (void)state;
  assert_int_equal(rbv_fail(RBV_EINPUT, "line %d", 7), RBV_EINPUT);
  assert_string_equal(rbv_message(), "line 7");
  (void)rbv_fail(RBV_EINPUT, "file: %s", rbv_message());
  assert_string_equal(rbv_message(), "file: line 7");
}

static void test_arena_measures_what_it_carves(void **state) {
  (void)state;
  rbv_arena measure = {0};
  assert_null(RBV_TAKE(&measure, 3, double));
  assert_null(RBV_TAKE(&measure, 5, char));
  assert_int_equal(measure.used, 2 * RBV_ARENA_ALIGN);
  char *block = rbv_alloc(measure.used);
  rbv_arena carve = {.base = block};
  assert_ptr_equal(RBV_TAKE(&carve, 3, double), block);
  assert_ptr_equal(RBV_TAKE(&carve, 5, char), block + RBV_ARENA_ALIGN);
  assert_int_equal(carve.used, measure.used);
  rbv_free(block);
}

/* one call measures and carves; the object comes first and is zero */
static void test_layout_runs_twice(void **state) {
  (void)state;
  struct {
    double *x;
    char *y;
  } sizes = {0}, *object;
  int passes = 0;
  RBV_CARVE_OBJECT(object, a, {
    sizes.x = RBV_TAKE(a, 3, double);
    sizes.y = RBV_TAKE(a, 5, char);
    passes++;
  });
  assert_int_equal(passes, 2);
  assert_ptr_equal(sizes.x, (char *)object + RBV_ARENA_ALIGN);
  assert_ptr_equal(sizes.y, (char *)object + 2 * RBV_ARENA_ALIGN);
  assert_null(object->x);
  rbv_free(object);
  rbv_arena none = {0};
  rbv_alloc_fail_after(1);
  RBV_CARVE(&none, (void)RBV_TAKE(&none, 1, double));
  rbv_alloc_fail_after(0);
  assert_null(none.base);
}

static void test_absurd_sizes_are_refused_not_wrapped(void **state) {
  (void)state;
  rbv_arena a = {0};
  (void)RBV_TAKE(&a, SIZE_MAX / 4, double);
  (void)RBV_TAKE(&a, SIZE_MAX / 4, double);
  assert_true(a.used >= SIZE_MAX / 4);
  assert_null(rbv_alloc(SIZE_MAX - 8));
  assert_non_null(strstr(rbv_message(), "out of memory"));
}

/* a byte behind the end of a block is noticed when the block is freed; its contents are gone */
static void test_guard_finds_writes_behind_a_block(void **state) {
  (void)state;
  rbv_alloc_guard(true);
  const long before = rbv_alloc_damaged();
  for (size_t bytes = 0; bytes < 130; bytes++) {
    unsigned char *block = rbv_alloc(bytes);
    for (size_t i = 0; i < bytes; i++) assert_int_equal(block[i], 0);
    if (bytes > 0) block[bytes - 1] = 1;
    rbv_free(block);
  }
  assert_int_equal(rbv_alloc_damaged(), before);
  unsigned char *block = rbv_alloc(64);
  block[64] = 0;
  rbv_free(block);
  assert_int_equal(rbv_alloc_damaged(), before + 1);
  rbv_alloc_guard(false);
}

static void test_nth_allocation_fails_on_request(void **state) {
  (void)state;
  rbv_alloc_fail_after(2);
  void *first = rbv_alloc(8), *second = rbv_alloc(8), *third = rbv_alloc(8);
  assert_non_null(first);
  assert_null(second);
  assert_non_null(third);
  rbv_free(first);
  rbv_free(third);
}

static void test_text_grows(void **state) {
  (void)state;
  rbv_text t = {0};
  assert_string_equal(rbv_text_string(&t), "");
  for (int i = 0; i < 1000; i++) rbv_text_print(&t, "%d,", i);
  rbv_text_put(&t, "end");
  assert_int_equal(t.size, 10 * 2 + 90 * 3 + 900 * 4 + 3);
  assert_string_equal(t.data + t.size - 7, "999,end");
  rbv_text_free(&t);
}

static void test_numbers_print_short_and_exact(void **state) {
  (void)state;
  char s[32];
  rbv_format_double(s, 0.1);
  assert_string_equal(s, "0.1");
  rbv_format_double(s, 1.0 / 3);
  assert_true(strtod(s, NULL) == 1.0 / 3);
}

static void test_selection_is_sorting(void **state) {
  (void)state;
  for (int n = 1; n <= 50; n++)
    for (int k = 0; k < n; k++) {
      // 0, 7, 14, ... modulo 10: repeated values; the k-th smallest by counting
      double x[50];
      for (int i = 0; i < n; i++) x[i] = (7 * i) % 10;
      const double got = rbv_select(x, n, k);
      int below = 0, equal = 0;
      for (int i = 0; i < n; i++) {
        below += x[i] < got;
        equal += x[i] == got;
      }
      assert_true(below <= k && k < below + equal);
    }
}

/* Known answer of Philox 4x32-10 for counter 0, key 0 (Random123 distribution, kat_vectors):
 * 6627e8d5 e169c58d bc57ac4c 9b00dbd8. */
static void test_philox_known_answer(void **state) {
  (void)state;
  assert_true(rbv_random_bits(0, 0, 0) == 0xe169c58d6627e8d5u);
}

static void test_random_moments(void **state) {
  (void)state;
  const int n = 100000;
  double mean = 0, square = 0, umean = 0;
  for (int i = 0; i < n; i++) {
    const double x = rbv_random_normal(7, 3, (uint64_t)i);
    mean += x / n;
    square += x * x / n;
    umean += rbv_random_uniform(7, 4, (uint64_t)i) / n;
  }
  // five standard errors: 1/sqrt(n), sqrt(2/n), 1/sqrt(12 n)
  assert_near(mean, 0, 5 / sqrt(n), 0);
  assert_near(square, 1, 5 * sqrt(2.0 / n), 0);
  assert_near(umean, 0.5, 5 / sqrt(12.0 * n), 0);
}

static void test_bytes_held_are_counted(void **state) {
  (void)state;
  const size_t before = rbv_alloc_reset_peak();
  void *a = rbv_alloc(1000), *b = rbv_alloc(24);
  rbv_free(a);
  a = rbv_alloc(500);
  assert_int_equal(rbv_alloc_peak() - before, 1024);
  assert_int_equal(rbv_alloc_reset_peak() - before, 524);
  rbv_free(a);
  rbv_free(b);
  assert_int_equal(rbv_alloc_reset_peak(), before);
}

/* Quoted text cannot break a message into two lines. */
static void test_a_sentence_is_one_line(void **state) {
  (void)state;
  assert_refused(rbv_fail(RBV_EINPUT, "'%s' is no name", "a\nb\x1b"), RBV_EINPUT,
                 "'a b?' is no name");
}

/* texts that are shown cannot control a terminal or change the direction of writing */
static void test_cleaning(void **state) {
  (void)state;
  static const char *const cases[][2] = {{"plain \xc3\xa4 \xe2\x82\xac \xf0\x9f\x98\x80",
                                          "plain \xc3\xa4 \xe2\x82\xac \xf0\x9f\x98\x80"},
                                         {"a\x1b[31mred", "a?[31mred"},
                                         {"\x1b]0;title\x07", "?]0;title?"},
                                         {"two\nlines\tand\ra tab", "two lines and a tab"},
                                         {"\xc2\x9b"
                                          "31m",
                                          "?31m"},  // U+009B, a control sequence in one byte
                                         {"evil\xe2\x80\xae"
                                          "txt.exe",
                                          "evil?txt.exe"},                      // U+202E
                                         {"\xe2\x81\xa6x\xe2\x81\xa9", "?x?"},  // U+2066, U+2069
                                         {"\xd8\x9c\xe2\x80\x8f", "??"},        // U+061C, U+200F
                                         {"a\xe2\x80\xa8"
                                          "b",
                                          "a?b"},  // line separator
                                         {"\x9b"
                                          "31m\xff\xc3",
                                          "?31m??"},                       // not UTF-8
                                         {"\xc0\xaf\xed\xa0\x80", "???"},  // too long; a surrogate
                                         {"\x7f", "?"},
                                         {"", ""}};
  for (int i = 0; i < RBV_COUNT(cases); i++) {
    char text[64];
    strcpy(text, cases[i][0]);
    rbv_clean(text);
    assert_string_equal(text, cases[i][1]);
  }
}

/* a thread has a stack of its own size, not the limit of the shell */
static void *use_half_a_megabyte(void *done) {
  volatile char block[512 * 1024];
  for (size_t i = 0; i < sizeof block; i += 512) block[i] = 1;
  *(int *)done = block[512];
  return NULL;
}

static void test_stack_of_a_thread(void **state) {
  (void)state;
  const pid_t child = fork();
  if (child == 0) {
    // as in a shell with a small limit
    pthread_attr_t small;
    int done = 0;
    pthread_t id;
    if (pthread_attr_init(&small) != 0 || pthread_attr_setstacksize(&small, 65536) != 0 ||
        pthread_setattr_default_np(&small) != 0)
      _exit(2);
    if (rbv_thread_start(&id, use_half_a_megabyte, &done) != 0) _exit(3);
    pthread_join(id, NULL);
    _exit(done == 1 ? 0 : 4);
  }
  int status;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_every_status_has_a_name_and_a_meaning),
      cmocka_unit_test(test_message_is_kept_and_may_quote_itself),
      cmocka_unit_test(test_arena_measures_what_it_carves),
      cmocka_unit_test(test_layout_runs_twice),
      cmocka_unit_test(test_absurd_sizes_are_refused_not_wrapped),
      cmocka_unit_test(test_nth_allocation_fails_on_request),
      cmocka_unit_test(test_guard_finds_writes_behind_a_block),
      cmocka_unit_test(test_bytes_held_are_counted),
      cmocka_unit_test(test_a_sentence_is_one_line),
      cmocka_unit_test(test_cleaning),
      cmocka_unit_test(test_stack_of_a_thread),
      cmocka_unit_test(test_text_grows),
      cmocka_unit_test(test_numbers_print_short_and_exact),
      cmocka_unit_test(test_selection_is_sorting),
      cmocka_unit_test(test_philox_known_answer),
      cmocka_unit_test(test_random_moments),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
