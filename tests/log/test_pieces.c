/* Files read in pieces: every piece equals that of the whole log, with line numbers; refusals. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "log/log.h"

#include "base/support.h"
#include "support.h"

#define ROWS 100003
#define STRETCH 983040  // bytes that one thread reads

/* A recording of one joint, with comments and empty lines between the rows. cut: bytes removed at
 * its end; replaced: text instead of row at. */
static const char *write_file(int cut, int at, const char *replaced) {
  rbv_text text = {0};
  rbv_text_put(&text, "# a recording\nt,q1,tau1,note\n");
  for (int k = 0; k < ROWS; k++) {
    if (k % 1000 == 500) rbv_text_put(&text, "# still there\n\n");
    if (k == at && replaced)
      rbv_text_put(&text, replaced);
    else
      rbv_text_print(&text, "%.3f,%.6f,%.4f,%d\n", 0.001 * k, sin(0.01 * k), cos(0.02 * k), k);
  }
  text.data[text.size - (size_t)cut] = 0;
  const char *path = temp_file("pieces.csv", rbv_text_string(&text));
  rbv_text_free(&text);
  return path;
}

static void compare(const rbv_log *piece, const rbv_log *whole, ptrdiff_t first, ptrdiff_t count) {
  assert_int_equal(rbv_log_samples(piece), count);
  assert_int_equal(rbv_log_column_count(piece), rbv_log_column_count(whole));
  for (int i = 0; i < rbv_log_column_count(whole); i++) {
    const rbv_log_column *a = rbv_log_column_at(piece, i), *b = rbv_log_column_at(whole, i);
    assert_string_equal(a->name, b->name);
    assert_memory_equal(a->values, b->values + first, (size_t)count * sizeof(double));
  }
}

/* The first row of the file of write_file that begins after a byte. */
static int row_behind(size_t byte) {
  const char *path = write_file(0, -1, NULL);
  FILE *file = fopen(path, "r");
  assert_non_null(file);
  char line[100];
  int row = -2;  // a comment and the header
  for (size_t at = 0; fgets(line, sizeof line, file) && at <= byte; at += strlen(line))
    row += line[0] != '#' && line[0] != '\n';
  fclose(file);
  return row + 1;
}

/* forwards, overlapping, backwards, far away */
static void test_pieces_are_those_of_the_whole(void **state) {
  (void)state;
  static const char map_text[] =
      "time: {column: t, unit: ms}\njoints:\n  - q: {column: q1, unit: deg, sign: -1}\n"
      "    tau: {column: tau1, offset: 0.1}\n    qr: q1\n";
  const char *path = write_file(0, -1, NULL);
  rbv_log_map *map;
  assert_ok(rbv_log_map_parse(&map, "map", map_text, sizeof map_text - 1));
  for (int i = 0; i < 6; i++) {
    const int mapped = i % 2, threads = i / 2 + 1;
    rbv_log *whole;
    rbv_log_file *file;
    rbv_log_reader *reader[2];
    assert_ok(rbv_log_load(&whole, path, mapped ? map : NULL));
    assert_ok(rbv_log_file_open(&file, path, mapped ? map : NULL, 10, threads));
    assert_int_equal(rbv_log_file_samples(file), ROWS);
    assert_string_equal(rbv_log_file_name(file), path);
    const rbv_log_clock clock = rbv_log_file_clock(file);
    assert_true(clock.regular && !clock.repeats && !clock.gaps);
    assert_near(clock.rate_hz, mapped ? 1e6 : 1e3, 0, 1e-12);
    for (int k = 0; k < 2; k++) assert_ok(rbv_log_reader_new(&reader[k], file));
    static const ptrdiff_t c[][2] = {
        {0, 1},           {0, 3000}, {2500, 3000},   {5500, 10},       {5505, 4502},
        {100, 50},        {120, 80}, {ROWS - 1, 1},  {0, ROWS},        {9000, 1007},
        {ROWS / 2, 5000}, {8999, 5}, {34000, 30000}, {ROWS - 300, 300}};
    for (int k = 0; k < RBV_COUNT(c); k++) {
      rbv_log *piece;
      assert_ok(rbv_log_reader_read(&piece, reader[k % 3 == 0], c[k][0], c[k][1]));
      compare(piece, whole, c[k][0], c[k][1]);
      rbv_log_free(piece);
    }
    rbv_log *piece;
    assert_refused(rbv_log_reader_read(&piece, reader[0], ROWS - 1, 2), RBV_EARG, "has 100003");
    for (int k = 0; k < 2; k++) rbv_log_reader_free(reader[k]);
    rbv_log_file_free(file);
    rbv_log_free(whole);
  }
  rbv_log_map_free(map);
}

/* Boundaries of stretches in a row, at its end, after it, and in a comment longer than a stretch.
 */
static void test_meetings(void **state) {
  (void)state;
  for (int shift = 0; shift < 36; shift++) {
    rbv_text text = {0};
    rbv_text_put(&text, "t,q1,tau1\n#");
    for (int k = 0; k < (shift < 35 ? shift : 2 * STRETCH); k++) rbv_text_put(&text, "x");
    const char *const newline = shift % 2 ? "\r\n" : "\n";
    rbv_text_put(&text, newline);
    for (int k = 0; k < 40000; k++)
      rbv_text_print(&text, "%s%08.3f,%+.6f,%+.9f", k > 0 ? newline : "", 0.001 * k, sin(0.01 * k),
                     cos(0.02 * k));
    const char *path = temp_file("meet.csv", rbv_text_string(&text));
    rbv_text_free(&text);
    rbv_log_file *file;
    rbv_log_reader *reader;
    rbv_log *piece;
    assert_ok(rbv_log_file_open(&file, path, NULL, 10, 2));
    assert_int_equal(rbv_log_file_samples(file), 40000);
    assert_true(rbv_log_file_clock(file).regular);
    assert_ok(rbv_log_reader_new(&reader, file));
    static const ptrdiff_t first[] = {30000, 20000, 39990, 0, 29000};
    for (int i = 0; i < RBV_COUNT(first); i++) {
      assert_ok(rbv_log_reader_read(&piece, reader, first[i], 10));
      assert_near(rbv_log_channel(piece, RBV_CHANNEL_TIME, -1)[0], 0.001 * (double)first[i], 0,
                  1e-12);
      assert_int_equal(rbv_log_line(piece, 0), first[i] + 3);
      rbv_log_free(piece);
    }
    rbv_log_reader_free(reader);
    rbv_log_file_free(file);
  }
}

/* Refusals have the same message, with the same line, as for the whole file. */
static void test_refusals_are_those_of_the_whole(void **state) {
  (void)state;
  const int meeting = row_behind(STRETCH);
  const struct {
    int cut, at;
    const char *line, *text;
  } c[] = {
      {12, -1, NULL, "the file is truncated"},
      {0, 7000, "7,0.5,nan,0\n", ": tau1 is missing (nan)"},
      {0, 7000, "6.9,0.5,0.1,0\n", "time runs backwards: 6.9 s after 6.999 s"},
      {0, 4096, "4,0.5,0.1,0\n", "time runs backwards: 4 s after 4.095 s"},
      {0, 3, "0.003,0.5,hello,0\n", "'hello'"},
      {0, 5000, "5,0.5,0.1\n", "3 columns, but the header has 4"},
      {0, 90000, "90,0.5,0.1\n", "3 columns, but the header has 4"},
      {0, 90000, "90,0.5,inf,0\n", ": tau1 is infinite"},
      {0, meeting - 1, "3,0.5,0.1,0\n", "time runs backwards: 3 s after"},
      {0, meeting, "3,0.5,0.1,0\n", "time runs backwards: 3 s after"},
      {0, meeting + 1, "3,0.5,0.1,0\n", "time runs backwards: 3 s after"},
  };
  for (int i = 0; i < RBV_COUNT(c); i++) {
    const char *path = write_file(c[i].cut, c[i].at, c[i].line);
    rbv_log *whole = NULL;
    rbv_log_file *file;
    rbv_status status = rbv_log_load(&whole, path, NULL);
    if (status == RBV_OK) status = rbv_log_require(whole, 10);
    char sentence[1000];
    snprintf(sentence, sizeof sentence, "%s", rbv_message());
    assert_non_null(strstr(sentence, c[i].text));
    for (int threads = 1; threads <= 3; threads++) {
      assert_refused(rbv_log_file_open(&file, path, NULL, 10, threads), status, sentence);
      assert_null(file);
    }
    rbv_log_free(whole);
  }
  rbv_log_file *file;
  assert_refused(rbv_log_file_open(&file, write_file(0, -1, NULL), NULL, 200000, 1), RBV_EINPUT,
                 "100003 samples are too few; at least 200000 are needed");
  assert_refused(rbv_log_file_open(&file, temp_file("h.csv", "t,q1,tau1\n"), NULL, 10, 1),
                 RBV_EINPUT, "no rows");
  assert_refused(rbv_log_file_open(&file, temp_file("a.mat", "MATLAB"), NULL, 10, 1), RBV_EINPUT,
                 "is not a MAT file");
  assert_refused(
      rbv_log_file_open(&file, temp_file("z.csv", "t,q1,tau1\n0,1,0\n1,2,0\n"), NULL, 2, 1),
      RBV_EINPUT, "all torques are zero");
  assert_refused(
      rbv_log_file_open(&file, temp_file("s.csv", "t,q1,tau1\n1,1,1\n1,2,1\n"), NULL, 2, 1),
      RBV_EINPUT, "time does not advance");
}

/* Time stamps are analysed as for the whole log. */
static void test_clocks(void **state) {
  (void)state;
  static const struct {
    const char *line;
    bool regular, repeats, gaps;
  } c[] = {
      {"7.000009,0.5,0.1,0\n", true, false, false},   // 0.9 % off
      {"7.000011,0.5,0.1,0\n", false, false, false},  // 1.1 %
      {"6.999,0.5,0.1,0\n", false, true, true},
      {"", false, false, true},
  };
  for (int i = 0; i < RBV_COUNT(c); i++) {
    const char *path = write_file(0, 7000, c[i].line);
    rbv_log_file *file;
    rbv_log *whole;
    assert_ok(rbv_log_load(&whole, path, NULL));
    assert_ok(rbv_log_file_open(&file, path, NULL, 10, 1));
    const rbv_log_clock clock = rbv_log_file_clock(file);
    assert_int_equal(clock.regular, c[i].regular);
    assert_int_equal(clock.regular, rbv_log_get_rate(whole).regular);
    assert_int_equal(clock.repeats, c[i].repeats);
    assert_int_equal(clock.gaps, c[i].gaps);
    rbv_log_file_free(file);
    rbv_log_free(whole);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_pieces_are_those_of_the_whole),
      cmocka_unit_test(test_meetings),
      cmocka_unit_test(test_refusals_are_those_of_the_whole),
      cmocka_unit_test(test_clocks),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
