/*
 * Parquet files of other programs (tests/parquet/write.mjs), their compression and their runs by
 * hand, and a data set of LeRobot.
 */
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "log/log.h"

#include "base/support.h"
#include "log/log_formats.h"
#include "log/log_input.h"
#include "log/parquet_runs.h"
#include "log/snappy.h"
#include "support.h"

#define ROWS 40
#define EPISODES ROBERVAL_SOURCE "/tests/data/lerobot/data/chunk-000/file-000.parquet"

/* The recording of test_formats.c. */
static double truth(const char *name, int i) {
  if (strcmp(name, "t") == 0) return i / 64.0;
  return strcmp(name, "q1") == 0 ? i * 37 % 101 / 32.0 - 1 : i * 53 % 97 / 8.0 - 6;
}

static const char *corpus(const char *name) {
  static char path[600];
  snprintf(path, sizeof path, "%s/tests/corpus/parquet/%s", ROBERVAL_SOURCE, name);
  return path;
}

static const double *column(const table *t, const char *name) {
  const int i = table_find(t, name);
  if (i < 0) fail_msg("no column %s", name);
  return t->values + i * t->ld;
}

/* Every file whose name begins so, as a whole, and by a reader that goes back and forth. */
static int for_each(const char *start, void (*check)(const table *t, const char *name)) {
  int found = 0;
  DIR *folder = opendir(corpus(""));
  assert_non_null(folder);
  for (struct dirent *e; (e = readdir(folder));) {
    if (strncmp(e->d_name, start, strlen(start)) != 0) continue;
    table t = {0};
    assert_ok(log_format_table(&t, corpus(e->d_name), NULL));
    assert_string_equal(t.format, "Parquet");
    assert_int_equal(t.rows, ROWS);
    check(&t, e->d_name);
    rows *r, *other;
    assert_ok(log_format_open(&r, corpus(e->d_name), NULL));
    assert_ok(rows_clone(&other, r));
    static const ptrdiff_t places[][2] = {{0, 3},  {3, 20}, {39, 1}, {15, 2},
                                          {16, 1}, {17, 9}, {4, 1}};
    for (int i = 0; i < RBV_COUNT(places); i++) {
      rows *reader = i % 2 ? r : other;
      double values[20 * 12];
      ptrdiff_t got;
      assert_true(r->ncol <= 12);
      assert_ok(rows_seek(reader, &(row_place){0, 0, places[i][0]}));
      assert_ok(rows_read(&got, reader, values, places[i][1], 20));
      assert_int_equal(got, places[i][1]);
      for (int j = 0; j < r->ncol; j++)
        for (ptrdiff_t k = 0; k < got; k++) {
          const double x = t.values[places[i][0] + k + j * t.ld], y = values[k + j * 20];
          assert_true(x == y || (isnan(x) && isnan(y)));
        }
    }
    rows_close(other);
    rows_close(r);
    table_free(&t);
    found++;
  }
  closedir(folder);
  return found;
}

static void check_flat(const table *t, const char *name) {
  (void)name;
  assert_int_equal(t->ncol, 3);
  for (int j = 0; j < 3; j++)
    for (int k = 0; k < ROWS; k++)
      assert_near(t->values[k + j * t->ld], truth(t->names[j], k), 0, 0);
}

/* three writers, versions of pages, compressions, dictionaries, several groups of rows */
static void test_flat_columns(void **state) {
  (void)state;
  assert_int_equal(for_each("flat_", check_flat), 16 + 6 + 1);
}

static void check_kinds(const table *t, const char *name) {
  // a column of text is left out
  assert_int_equal(t->ncol, 5);
  const bool nanoseconds = strncmp(name, "kinds_wasm", 10) == 0;
  for (int k = 0; k < ROWS; k++) {
    assert_near(column(t, "i")[k], k * k - 300, 0, 0);
    assert_near(column(t, "k")[k], k * 1000000007.0 - 5, 0, 0);
    assert_near(column(t, "b")[k], k % 3 == 0, 0, 0);
    // time stamps are seconds after the first one; a writer computes nanoseconds since 1970 in
    // doubles, which are multiples of 256 ns
    assert_near(column(t, "d")[k], k * 0.01, nanoseconds ? 129e-9 : 1e-15, 0);
    if (k % 4 == 1)
      assert_true(isnan(column(t, "n")[k]));
    else
      assert_near(column(t, "n")[k], k, 0, 0);
  }
}

static void test_kinds_of_columns(void **state) {
  (void)state;
  assert_int_equal(for_each("kinds_", check_kinds), 3);
}

static void check_lists(const table *t, const char *name) {
  (void)name;
  // a list named as a channel is numbered as one; an action is a commanded position
  assert_int_equal(t->ncol, 6);
  for (int k = 0; k < ROWS; k++) {
    assert_near(column(t, "q1")[k], k, 0, 0);
    assert_near(column(t, "q2")[k], k + 0.5, 0, 0);
    assert_near(column(t, "q3")[k], -k, 0, 0);
    assert_near(column(t, "action.position[0]")[k], k, 0, 0);
    assert_near(column(t, "action.position[1]")[k], 2 * k, 0, 0);
    assert_near(column(t, "t")[k], k / 64.0, 0, 0);
  }
}

static void test_lists(void **state) {
  (void)state;
  assert_int_equal(for_each("list_", check_lists), 5);
}

/* ---- LeRobot ---- */

/* two episodes at 50 Hz of 30 and 20 rows: a gap of 30 rows is between them */
static void test_episodes(void **state) {
  (void)state;
  table t = {0};
  assert_ok(log_format_table(&t, EPISODES, NULL));
  assert_int_equal(t.rows, 50);
  for (int k = 0; k < 50; k++) {
    assert_near(column(&t, "observation.state.pos[shoulder]")[k], k / 8.0, 0, 0);
    assert_near(column(&t, "action.pos[elbow]")[k], 1 - k / 4.0, 0, 0);
    assert_near(column(&t, "observation.effort[elbow]")[k], 2 * k, 0, 0);
    // the file has single precision
    assert_near(column(&t, "timestamp")[k], (k < 30 ? k : k + 30) / 50.0, 1e-6, 0);
  }
  // the same in pieces, from any row on
  rows *r;
  double values[20 * 16];
  ptrdiff_t got;
  assert_ok(log_format_open(&r, EPISODES, NULL));
  assert_ok(rows_seek(r, &(row_place){0, 0, 25}));
  assert_ok(rows_read(&got, r, values, 10, 20));
  for (int j = 0; j < r->ncol; j++)
    for (int k = 0; k < 10; k++) assert_near(values[k + j * 20], t.values[25 + k + j * t.ld], 0, 0);
  rows_close(r);
  table_free(&t);
}

static void test_dataset_is_recognised(void **state) {
  (void)state;
  static const char *const joints[] = {"shoulder", "elbow"};
  rbv_log_guess *g;
  assert_ok(rbv_log_guess_columns(&g, EPISODES, joints, 2, 0));
  assert_int_equal(g->nambiguous, 0);
  assert_int_equal(g->nmissing, 0);
  rbv_log *log;
  assert_ok(rbv_log_load(&log, EPISODES, g->map));
  static const char *const names[] = {"q1", "q2", "qr1", "qr2", "tau1", "tau2"};
  for (int i = 0; i < RBV_COUNT(names); i++)
    if (rbv_log_find(log, names[i]) < 0) fail_msg("no column %s\n%s", names[i], g->yaml);
  const double *q2 = rbv_log_column_at(log, rbv_log_find(log, "q2"))->values;
  for (int k = 0; k < 50; k++) assert_near(q2[k], -k / 4.0, 0, 0);
  rbv_log_free(log);
  rbv_log_guess_free(g);
}

/* ---- damaged files ---- */

static char *bytes_of(size_t *size, const char *name) { return read_text(corpus(name), size); }

static rbv_status load_changed(char *data, size_t size) {
  const char *path = temp_file("damaged", NULL);
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(data, 1, size, file), size);
  assert_int_equal(fclose(file), 0);
  table t = {0};
  const rbv_status status = log_format_table(&t, path, NULL);
  if (status == RBV_OK) table_free(&t);
  return status;
}

static void test_damaged_files(void **state) {
  (void)state;
  size_t size;
  char *data = bytes_of(&size, "flat_wasm_snappy_1");
  // the size of the footer
  data[size - 5] = 0x7F;
  assert_refused(load_changed(data, size), RBV_EINPUT, "the size of its footer");
  data[size - 5] = 0;
  data[size - 1] = 'X';
  assert_refused(load_changed(data, size), RBV_EINPUT, "truncated or damaged");
  data[size - 1] = '1';
  // every byte of the pages: another value, or a sentence
  for (size_t i = 4; i < 400; i++) {
    data[i] ^= 0x55;
    if (load_changed(data, size) != RBV_OK) assert_non_null(strstr(rbv_message(), "damaged"));
    data[i] ^= 0x55;
  }
  free(data);
}

/* ---- parts by hand ---- */

static void test_snappy(void **state) {
  (void)state;
  // "abcd", then a copy of 10 bytes from 4 bytes before
  static const uint8_t block[] = {14, 3 << 2, 'a', 'b', 'c', 'd', 1 | (10 - 4) << 2, 4};
  uint8_t out[14];
  size_t n;
  assert_true(snappy_size(&n, block, sizeof block) && n == 14);
  assert_true(snappy_unpack(out, n, block, sizeof block));
  assert_memory_equal(out, "abcdabcdabcdab", 14);
  // longer offsets
  static const uint8_t far[] = {6, 2 << 2, 'x', 'y', 'z', 2 | (3 - 1) << 2, 3, 0};
  assert_true(snappy_unpack(out, 6, far, sizeof far));
  assert_memory_equal(out, "xyzxyz", 6);
  // cut off at every place, too short, too long, and from before the beginning
  for (size_t k = 0; k < sizeof block; k++) assert_false(snappy_unpack(out, 14, block, k));
  assert_false(snappy_unpack(out, 13, block, sizeof block));
  static const uint8_t before[] = {6, 2 << 2, 'x', 'y', 'z', 2 | (3 - 1) << 2, 4, 0};
  assert_false(snappy_unpack(out, 6, before, sizeof before));
  static const uint8_t huge[] = {0xFF, 0xFF, 0xFF, 0xFF, 0x0F, 0};
  assert_false(snappy_size(&n, huge, sizeof huge));
}

static void test_runs(void **state) {
  (void)state;
  // five times 3, then the numbers 0 to 7 in three bits each
  static const uint8_t data[] = {5 << 1, 3, 1 << 1 | 1, 0x88, 0xC6, 0xFA};
  uint32_t x[13];
  parquet_runs r = parquet_runs_of(data, sizeof data, 3);
  assert_true(parquet_runs_read(x, 13, &r));
  for (int k = 0; k < 13; k++) assert_int_equal(x[k], k < 5 ? 3 : k - 5);
  assert_false(parquet_runs_read(x, 1, &r));
  for (size_t n = 0; n < sizeof data; n++) {
    r = parquet_runs_of(data, n, 3);
    assert_false(parquet_runs_read(x, 13, &r));
  }
}

static void test_differences(void **state) {
  (void)state;
  // 1, 2, 3, 4, 5: blocks of 128 in 4 parts; the differences are all 1
  static const uint8_t equal[] = {0x80, 1, 4, 5, 2, 2, 0, 0, 0, 0};
  parquet_deltas d;
  int64_t x;
  assert_true(parquet_deltas_start(&d, equal, sizeof equal));
  for (int k = 1; k <= 5; k++) assert_true(parquet_deltas_next(&x, &d) && x == k);
  assert_false(parquet_deltas_next(&x, &d));
  // 7, 5, 3, 1, 2, 3, 4, 5: differences -2, -2, -2, 1, ... are -2 and 0 or 3 in two bits
  static const uint8_t mixed[] = {0x80, 1, 4, 8, 14, 3, 2, 0, 0, 0, 0xC0, 0x3F, 0, 0, 0, 0, 0, 0};
  static const int want[] = {7, 5, 3, 1, 2, 3, 4, 5};
  assert_true(parquet_deltas_start(&d, mixed, sizeof mixed));
  for (int k = 0; k < 8; k++) assert_true(parquet_deltas_next(&x, &d) && x == want[k]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_flat_columns),
      cmocka_unit_test(test_kinds_of_columns),
      cmocka_unit_test(test_lists),
      cmocka_unit_test(test_episodes),
      cmocka_unit_test(test_dataset_is_recognised),
      cmocka_unit_test(test_damaged_files),
      cmocka_unit_test(test_snappy),
      cmocka_unit_test(test_runs),
      cmocka_unit_test(test_differences),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
