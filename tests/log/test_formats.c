/*
 * Every format in the table of formats reads the same recording, as a whole and in pieces.
 *
 * tests/data/formats has one file per format with this recording, named after the format (blanks
 * are underscores) and without extension, so that the first bytes alone decide. A format without
 * its file fails here.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "log/log.h"

#include "base/support.h"
#include "support.h"

#define ROWS 40
#define COLUMNS 3

static const char *const names[COLUMNS] = {"t", "q1", "tau1"};

/* The recording. All values are exact in binary, and in decimal with six digits. */
static double truth(int column, ptrdiff_t k) {
  const int i = (int)k;
  return column == 0 ? i / 64.0 : column == 1 ? i * 37 % 101 / 32.0 - 1 : i * 53 % 97 / 8.0 - 6;
}

static const char *sample_path(int format) {
  static char path[600];
  snprintf(path, sizeof path, "%s/formats/%s", TEST_DATA, rbv_log_format_name(format));
  for (char *p = strrchr(path, '/'); *p; p++)
    if (*p == ' ') *p = '_';
  return path;
}

/* Check count samples from first on, of all columns that the log has. */
static void check_values(const rbv_log *log, ptrdiff_t first, ptrdiff_t count) {
  for (int j = 0; j < COLUMNS; j++) {
    const int column = rbv_log_find(log, names[j]);
    if (column < 0) continue;
    const double *x = rbv_log_column_at(log, column)->values;
    for (ptrdiff_t k = 0; k < count; k++) assert_near(x[k], truth(j, first + k), 0, 0);
  }
}

static void test_rows_are_complete(void **state) {
  (void)state;
  const int n = rbv_log_format_count();
  assert_true(n > 0);
  for (int i = 0; i < n; i++) {
    assert_true(*rbv_log_format_name(i) && *rbv_log_format_text(i));
    for (int k = 0; k < i; k++)
      assert_string_not_equal(rbv_log_format_name(i), rbv_log_format_name(k));
    if (rbv_log_format_whole_only(i)) assert_true(*rbv_log_format_whole_only(i));
  }
  const int outside[] = {-1, n};
  for (int i = 0; i < 2; i++) {
    assert_null(rbv_log_format_name(outside[i]));
    assert_null(rbv_log_format_text(outside[i]));
    assert_null(rbv_log_format_whole_only(outside[i]));
  }
}

static void test_whole_files(void **state) {
  (void)state;
  for (int i = 0; i < rbv_log_format_count(); i++) {
    const char *path = sample_path(i);
    rbv_log *log;
    assert_ok(rbv_log_load(&log, path, NULL));
    assert_string_equal(rbv_log_format(log), rbv_log_format_name(i));
    assert_int_equal(rbv_log_column_count(log), COLUMNS);
    for (int j = 0; j < COLUMNS; j++) assert_true(rbv_log_find(log, names[j]) >= 0);
    assert_int_equal(rbv_log_samples(log), ROWS);
    check_values(log, 0, ROWS);
    rbv_log_free(log);

    // the estimate decides whether a file is read in pieces: text of these short numbers has about
    // 20 bytes per row instead of 24
    size_t bytes;
    assert_ok(rbv_log_bytes(&bytes, path));
    const size_t exact = sizeof(double) * ROWS * COLUMNS;
    assert_true(bytes >= exact / 2 && bytes <= 3 * exact);
  }
}

static void test_pieces(void **state) {
  (void)state;
  for (int i = 0; i < rbv_log_format_count(); i++) {
    const char *path = sample_path(i), *reason = rbv_log_format_whole_only(i);
    rbv_log_file *file;
    if (reason) {
      assert_refused(rbv_log_file_open(&file, path, NULL, 10, 1), RBV_EUNSUPPORTED, reason);
      continue;
    }
    for (int threads = 1; threads <= 3; threads++) {
      assert_ok(rbv_log_file_open(&file, path, NULL, 10, threads));
      assert_int_equal(rbv_log_file_samples(file), ROWS);
      assert_near(rbv_log_file_clock(file).rate_hz, 64, 0, 0);
      rbv_log_reader *reader;
      assert_ok(rbv_log_reader_new(&reader, file));
      // in order, overlapping, and back
      static const ptrdiff_t pieces[][2] = {{0, 7}, {7, 20}, {20, 20}, {ROWS - 1, 1}, {3, 4}};
      for (int k = 0; k < RBV_COUNT(pieces); k++) {
        rbv_log *piece;
        assert_ok(rbv_log_reader_read(&piece, reader, pieces[k][0], pieces[k][1]));
        assert_string_equal(rbv_log_format(piece), rbv_log_format_name(i));
        assert_int_equal(rbv_log_column_count(piece), COLUMNS);
        assert_int_equal(rbv_log_samples(piece), pieces[k][1]);
        check_values(piece, pieces[k][0], pieces[k][1]);
        rbv_log_free(piece);
      }
      rbv_log_reader_free(reader);
      rbv_log_file_free(file);
    }
  }
}

/* A truncated file is refused, or its remaining values are right. */
static void test_truncated_files(void **state) {
  (void)state;
  for (int i = 0; i < rbv_log_format_count(); i++) {
    size_t size;
    char *all = read_text(sample_path(i), &size);
    int refused = 0, tried = 0;
    for (size_t kept = 0; kept < size; kept += 13, tried++) {
      const char *path = temp_file("cut", NULL);
      FILE *file = fopen(path, "wb");
      assert_non_null(file);
      assert_int_equal(fwrite(all, 1, kept, file), kept);
      assert_int_equal(fclose(file), 0);
      rbv_log *log;
      if (rbv_log_load(&log, path, NULL) == RBV_OK) {
        // the last number of a text may have lost digits
        check_values(log, 0, rbv_log_samples(log) - (rbv_log_line(log, 0) > 0));
        rbv_log_free(log);
      } else {
        assert_non_null(strstr(rbv_message(), path));
        refused++;
      }
    }
    // CSV is refused where the last row lacks one of its three columns: in two of three cuts. MCAP
    // is read up to the last complete record: its only chunk is more than a third of the file
    assert_true(refused > tried / (strcmp(rbv_log_format_name(i), "MCAP") == 0 ? 3 : 2));
    free(all);
  }
}

static rbv_status load(void *state) {
  rbv_log *log;
  const rbv_status status = rbv_log_load(&log, state, NULL);
  if (status == RBV_OK) rbv_log_free(log);
  return status;
}

static rbv_status open_pieces(void *state) {
  rbv_log_file *file;
  rbv_log_reader *reader = NULL;
  rbv_log *piece = NULL;
  rbv_status status = rbv_log_file_open(&file, state, NULL, 10, 1);
  if (status == RBV_OK) status = rbv_log_reader_new(&reader, file);
  if (status == RBV_OK) status = rbv_log_reader_read(&piece, reader, 3, 10);
  rbv_log_free(piece);
  rbv_log_reader_free(reader);
  rbv_log_file_free(file);
  return status;
}

static void test_allocations_fail(void **state) {
  (void)state;
  for (int i = 0; i < rbv_log_format_count(); i++) {
    char path[600];
    snprintf(path, sizeof path, "%s", sample_path(i));
    fail_each_allocation(load, path);
    if (!rbv_log_format_whole_only(i)) fail_each_allocation(open_pieces, path);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_rows_are_complete),
      cmocka_unit_test(test_whole_files),
      cmocka_unit_test(test_pieces),
      cmocka_unit_test(test_truncated_files),
      cmocka_unit_test(test_allocations_fail),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
