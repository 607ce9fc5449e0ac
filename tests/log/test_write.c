#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/support.h"
#include "support.h"

#include "log/log.h"

static const char *const names[] = {"t", "q1", "odd, name"};

static void test_file_holds_what_was_written(void **state) {
  (void)state;
  char path[300];
  strcpy(path, temp_file("out.csv", NULL));
  const double A[] = {0, 0.1, 99, 1.0 / 3, NAN, 99, -0.0, 1e300, 99};
  rbv_csv_writer *w;
  assert_ok(rbv_csv_create(&w, path, names, 3));
  assert_ok(rbv_csv_rows(w, A, 1, 3));
  assert_ok(rbv_csv_rows(w, A + 1, 1, 3));
  assert_int_not_equal(access(path, F_OK), 0);  // no file before it is complete
  assert_ok(rbv_csv_finish(w));
  rbv_csv_free(w);
  char *text = read_text(path, NULL);
  assert_string_equal(text, "t,q1,\"odd, name\"\n0,0.3333333333333333,-0\n0.1,nan,1e+300\n");
  free(text);
  rbv_log *log;
  assert_ok(rbv_log_load(&log, path, NULL));
  assert_true(rbv_log_channel(log, RBV_CHANNEL_POSITION, 0)[0] == 1.0 / 3);
  assert_int_equal(rbv_log_find(log, "odd, name"), 2);
  rbv_log_free(log);
}

static void test_freed_before_the_end_leaves_nothing(void **state) {
  (void)state;
  char path[300];
  strcpy(path, temp_file("kept.csv", "old"));
  rbv_csv_writer *w;
  assert_ok(rbv_csv_create(&w, path, names, 3));
  rbv_csv_free(w);
  rbv_csv_free(NULL);
  char *text = read_text(path, NULL);
  assert_string_equal(text, "old");
  free(text);
}

/* Many buffers to a stream; read back bit for bit. */
static void test_stream_round_trip(void **state) {
  (void)state;
  char path[300];
  strcpy(path, temp_file("stream.csv", NULL));
  const int n = 20000;
  double *A = malloc(sizeof(double) * 3 * (size_t)n);
  for (int k = 0; k < 3 * n; k++)
    A[k] = rbv_random_normal(5, 5, (uint64_t)k) * pow(10, k % 40 - 20);
  FILE *f = fopen(path, "w");
  rbv_csv_writer *w;
  assert_ok(rbv_csv_stream(&w, f, names, 3));
  const long before = rbv_alloc_count();
  assert_ok(rbv_csv_rows(w, A, n, n));
  assert_int_equal(rbv_alloc_count(), before);
  assert_ok(rbv_csv_finish(w));
  rbv_csv_free(w);
  fclose(f);
  rbv_log *log;
  assert_ok(rbv_log_load(&log, path, NULL));
  assert_int_equal(rbv_log_samples(log), n);
  for (int j = 0; j < 3; j++)
    assert_memory_equal(rbv_log_column_at(log, j)->values, A + j * n, sizeof(double) * (size_t)n);

  // saved again, it gives the same file
  char again[300];
  strcpy(again, temp_file("again.csv", NULL));
  assert_ok(rbv_log_save(log, again));
  char *one = read_text(path, NULL), *two = read_text(again, NULL);
  assert_string_equal(one, two);
  free(one);
  free(two);
  rbv_log_free(log);
  free(A);
}

static void test_refusals(void **state) {
  (void)state;
  rbv_csv_writer *w;
  const double A[3] = {0};
  const char *const empty[] = {""};
  assert_refused(rbv_csv_create(&w, "/nowhere/x.csv", empty, 1), RBV_EARG, "column 1 has no name");
  assert_refused(rbv_csv_create(&w, "x", names, 0), RBV_EARG, "a table needs columns, not 0");
  assert_refused(rbv_csv_create(&w, NULL, names, 3), RBV_EARG, "no file");
  assert_refused(rbv_csv_stream(&w, NULL, names, 3), RBV_EARG, "no stream");
  assert_null(w);
  assert_ok(rbv_csv_create(&w, "/nowhere/x.csv", names, 3));
  assert_refused(rbv_csv_rows(w, A, 2, 1), RBV_EDIM, "2 rows, leading dimension 1");
  assert_ok(rbv_csv_rows(w, A, 1, 1));
  assert_refused(rbv_csv_finish(w), RBV_EWRITE, "/nowhere/x.csv");
  rbv_csv_free(w);

  // a full disk is a failure
  FILE *full = fopen("/dev/full", "w");
  if (full) {
    assert_ok(rbv_csv_stream(&w, full, names, 3));
    assert_refused(rbv_csv_finish(w), RBV_EWRITE, "the table cannot be written: No space left");
    rbv_csv_free(w);
    fclose(full);
  }
}

static void test_locale_changes_nothing(void **state) {
  (void)state;
  comma_locale_begin();

  // one number per algorithm, for reading and for writing: exact, with 128 bits, by the C library
  const char *csv =
      "t,q1\n0.5,0.1234567890123456789\n"
      "1.5,9007199254740992.9999999999999999999999999999999999999\n"
      "2.5,9007199254740993.0000000000000000000000000000000000000000000001\n";
  rbv_log *log;
  assert_ok(rbv_log_parse(&log, "x.csv", csv, strlen(csv), NULL));
  const double *q = rbv_log_channel(log, RBV_CHANNEL_POSITION, 0);
  assert_true(q[0] == 0.12345678901234568 && q[1] == 9007199254740992 && q[2] == 9007199254740994);
  char path[300];
  strcpy(path, temp_file("locale.csv", NULL));
  assert_ok(rbv_log_save(log, path));
  char *saved = read_text(path, NULL);
  assert_string_equal(saved,
                      "t,q1\n0.5,0.12345678901234568\n1.5,9.007199254740992e+15\n"
                      "2.5,9.007199254740994e+15\n");
  free(saved);
  rbv_log_free(log);

  // halfway between two 17-digit texts: the slow way of writing
  const char *const name[] = {"x"};
  const double tie[] = {0x1p-1074, 1.0000000000000002e-300};
  rbv_csv_writer *w;
  assert_ok(rbv_csv_create(&w, path, name, 1));
  assert_ok(rbv_csv_rows(w, tie, 2, 2));
  assert_ok(rbv_csv_finish(w));
  rbv_csv_free(w);
  saved = read_text(path, NULL);
  assert_null(strchr(saved, ','));
  free(saved);
  comma_locale_end();
}

static rbv_status save_once(void *state) {
  return rbv_log_save(state, temp_file("alloc.csv", NULL));
}

static void test_each_allocation_may_fail(void **state) {
  (void)state;
  const char *csv = "t,q1\n0,1\n1,2\n";
  rbv_log *log;
  assert_ok(rbv_log_parse(&log, "x.csv", csv, strlen(csv), NULL));
  fail_each_allocation(save_once, log);
  rbv_log_free(log);
}

/* names that need quotes have them; what a spreadsheet would compute begins with an apostrophe */
static void test_fields(void **state) {
  (void)state;
  static const struct {
    const char *text, *field;
  } cases[] = {{"q1", "q1"},
               {"N m", "\"N m\""},
               {"N m, per rad", "\"N m, per rad\""},
               {"a\"b", "\"a\"\"b\""},
               {"a;b", "\"a;b\""},
               {"two\nlines", "\"two\nlines\""},
               {"=cmd|' /C calc'!A0", "\"'=cmd|' /C calc'!A0\""},
               {"@SUM(A1)", "\"'@SUM(A1)\""},
               {"-1+2", "\"'-1+2\""},
               {"-1.5e3", "-1.5e3"},
               {"-", "-"},
               {"", ""}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    rbv_csv_put_text(out, cases[i].text);
    fclose(out);
    assert_string_equal(text, cases[i].field);
    free(text);
  }
  const char *const header[] = {"t", "N m, per rad", "a\"b", "=1+1"};
  rbv_csv_writer *w;
  const char *path = temp_file("fields.csv", NULL);
  assert_ok(rbv_csv_create(&w, path, header, 4));
  assert_ok(rbv_csv_finish(w));
  rbv_csv_free(w);
  char *text = read_text(path, NULL);
  assert_string_equal(text, "t,\"N m, per rad\",\"a\"\"b\",\"'=1+1\"\n");
  free(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_file_holds_what_was_written),
      cmocka_unit_test(test_freed_before_the_end_leaves_nothing),
      cmocka_unit_test(test_stream_round_trip),
      cmocka_unit_test(test_refusals),
      cmocka_unit_test(test_fields),
      cmocka_unit_test(test_locale_changes_nothing),
      cmocka_unit_test(test_each_allocation_may_fail),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
