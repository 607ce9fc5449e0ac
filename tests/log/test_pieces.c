/* Files read in pieces: any piece is that of the whole log, with its lines; what is refused. */
#include <math.h>
#include <roberval/log.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/support.h"
#include "support.h"

#define ROWS 10007

/* a joint's recording with comments and empty lines among the rows; cut: bytes left out at its end;
 * replaced: what stands for line `at` */
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

/* forwards, overlapping, backwards, far away */
static void test_pieces_are_those_of_the_whole(void **state) {
  (void)state;
  static const char map_text[] =
      "time: {column: t, unit: ms}\njoints:\n  - q: {column: q1, unit: deg, sign: -1}\n"
      "    tau: {column: tau1, offset: 0.1}\n    qr: q1\n";
  const char *path = write_file(0, -1, NULL);
  rbv_log_map *map;
  assert_ok(rbv_log_map_parse(&map, "map", map_text, sizeof map_text - 1));
  for (int mapped = 0; mapped < 2; mapped++) {
    rbv_log *whole;
    rbv_log_file *file;
    rbv_log_reader *reader[2];
    assert_ok(rbv_log_load(&whole, path, mapped ? map : NULL));
    assert_ok(rbv_log_file_open(&file, path, mapped ? map : NULL, 10));
    assert_int_equal(rbv_log_file_samples(file), ROWS);
    assert_string_equal(rbv_log_file_name(file), path);
    const rbv_log_clock clock = rbv_log_file_clock(file);
    assert_true(clock.regular && !clock.repeats && !clock.gaps);
    assert_near(clock.rate_hz, mapped ? 1e6 : 1e3, 0, 1e-12);
    for (int i = 0; i < 2; i++) assert_ok(rbv_log_reader_new(&reader[i], file));
    static const ptrdiff_t c[][2] = {{0, 1},       {0, 3000},    {2500, 3000}, {5500, 10},
                                     {5505, 4502}, {100, 50},    {120, 2000},  {ROWS - 1, 1},
                                     {0, ROWS},    {9000, 1007}, {8999, 5}};
    for (int i = 0; i < RBV_COUNT(c); i++) {
      rbv_log *piece;
      assert_ok(rbv_log_reader_read(&piece, reader[i % 3 == 0], c[i][0], c[i][1]));
      compare(piece, whole, c[i][0], c[i][1]);
      rbv_log_free(piece);
    }
    rbv_log *piece;
    assert_refused(rbv_log_reader_read(&piece, reader[0], ROWS - 1, 2), RBV_EARG, "has 10007");
    for (int i = 0; i < 2; i++) rbv_log_reader_free(reader[i]);
    rbv_log_file_free(file);
    rbv_log_free(whole);
  }
  rbv_log_map_free(map);
}

/* the same sentence, with the same line, as when the log is loaded and required */
static void test_refusals_are_those_of_the_whole(void **state) {
  (void)state;
  static const struct {
    int cut, at;
    const char *line, *text;
  } c[] = {
      {12, -1, NULL, "the file is truncated"},
      {0, 7000, "7,0.5,nan,0\n", ": tau1 is missing (nan)"},
      {0, 7000, "6.9,0.5,0.1,0\n", "time runs backwards: 6.9 s after 6.999 s"},
      {0, 4096, "4,0.5,0.1,0\n", "time runs backwards: 4 s after 4.095 s"},
      {0, 3, "0.003,0.5,hello,0\n", "'hello'"},
      {0, 5000, "5,0.5,0.1\n", "3 columns, but the header has 4"},
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
    assert_refused(rbv_log_file_open(&file, path, NULL, 10), status, sentence);
    assert_null(file);
    rbv_log_free(whole);
  }
  rbv_log_file *file;
  assert_refused(rbv_log_file_open(&file, write_file(0, -1, NULL), NULL, 20000), RBV_EINPUT,
                 "10007 samples are too few; at least 20000 are needed");
  assert_refused(rbv_log_file_open(&file, temp_file("h.csv", "t,q1,tau1\n"), NULL, 10), RBV_EINPUT,
                 "no rows");
  assert_refused(rbv_log_file_open(&file, temp_file("a.mat", "MATLAB"), NULL, 10), RBV_EUNSUPPORTED,
                 "only CSV files");
  assert_refused(rbv_log_file_open(&file, temp_file("z.csv", "t,q1,tau1\n0,1,0\n1,2,0\n"), NULL, 2),
                 RBV_EINPUT, "all torques are zero throughout");
  assert_refused(rbv_log_file_open(&file, temp_file("s.csv", "t,q1,tau1\n1,1,1\n1,2,1\n"), NULL, 2),
                 RBV_EINPUT, "time stands still");
}

/* stamps are judged as those of a log that is held */
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
    assert_ok(rbv_log_file_open(&file, path, NULL, 10));
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
      cmocka_unit_test(test_refusals_are_those_of_the_whole),
      cmocka_unit_test(test_clocks),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
