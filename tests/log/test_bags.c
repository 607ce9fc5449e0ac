/*
 * Bags with several topics, written here record by record as the specification of MCAP says. The
 * signals are straight lines, so that interpolation between the stamps of another topic is exact up
 * to rounding.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "log/log.h"

#include "bag_writer.h"
#include "base/support.h"
#include "support.h"

#define TOPICS 3

typedef struct {
  const char *name;
  double start, step;  // of the stamps [s]
  double delay;        // from the stamp to the receipt [s]
  bool stamped;
  bool position, effort;
} topic;

static double position_at(int j, double t) { return 0.5 + j + (1 + j) * t; }
static double effort_at(int j, double t) { return 3 - j - (2 + j) * t; }

/* Both topics have their joints in another order. */
static const char *const joints[] = {"elbow", "shoulder"};

/* Messages of all topics from 0 to 2 s, in the order of their receipt. */
static const char *write_bag(const char *name, const topic *topics, int n) {
  rbv_text out = {0}, body = {0};
  bag_start(&out);
  for (int i = 0; i < n; i++) bag_channel(&out, i, topics[i].name);
  double next[TOPICS];
  for (int i = 0; i < n; i++) next[i] = topics[i].start;
  for (;;) {
    int i = 0;
    for (int k = 1; k < n; k++)
      if (next[k] + topics[k].delay < next[i] + topics[i].delay) i = k;
    if (next[i] > 2) break;
    const topic *p = &topics[i];
    const double t = next[i], q[] = {position_at(1, t), position_at(0, t)},
                 tau[] = {effort_at(1, t), effort_at(0, t)};
    const uint64_t receipt = (uint64_t)llround(1e9 * (100 + t + p->delay));
    bag_state(&body, p->stamped ? 100 + t : -1, joints, 2, p->position ? q : NULL,
              p->effort ? tau : NULL);
    bag_message(&out, i, receipt, &body);
    next[i] += p->step;
  }
  bag_end(&out);
  const char *path = temp_file(name, NULL);
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(out.data, 1, out.size, file), out.size);
  assert_int_equal(fclose(file), 0);
  rbv_text_free(&out);
  rbv_text_free(&body);
  return path;
}

static rbv_log_map *make_map(const char *time) {
  char text[600];
  snprintf(
      text, sizeof text,
      "time: {column: \"%s\"}\njoints:\n"
      "  - {name: shoulder, q: \"/state.position[shoulder]\", tau: \"/drive.effort[shoulder]\"}\n"
      "  - {name: elbow, q: \"/state.position[elbow]\", tau: \"/drive.effort[elbow]\"}\n",
      time);
  rbv_log_map *map;
  assert_ok(rbv_log_map_parse(&map, "map", text, strlen(text)));
  return map;
}

/* Positions and torques at the times of the log, which begin at this stamp. */
static void check_lines(const rbv_log *log, double start) {
  const double *t = rbv_log_channel(log, RBV_CHANNEL_TIME, -1);
  for (ptrdiff_t k = 0; k < rbv_log_samples(log); k++)
    for (int j = 0; j < 2; j++) {
      // numbers of some units, interpolated: a few roundings of 1e-15
      assert_near(rbv_log_channel(log, RBV_CHANNEL_POSITION, j)[k], position_at(j, start + t[k]),
                  1e-14, 0);
      assert_near(rbv_log_channel(log, RBV_CHANNEL_TORQUE, j)[k], effort_at(j, start + t[k]), 1e-14,
                  0);
    }
}

/* What the guess says about the clock. */
static void assert_clock(const char *path, const char *sentence) {
  static const char *const names[] = {"shoulder", "elbow"};
  rbv_log_guess *guess;
  assert_ok(rbv_log_guess_columns(&guess, path, names, 2, 0));
  assert_non_null(guess->yaml);
  if (!strstr(guess->yaml, sentence)) fail_msg("no '%s' in\n%s", sentence, guess->yaml);
  rbv_log_guess_free(guess);
}

/* ---- several topics ---- */

/* The torques are interpolated at the stamps of the positions; only the common time is kept. */
static void test_topics_are_joined_on_stamps(void **state) {
  (void)state;
  const topic topics[] = {{"/state", 0, 0.01, 0.003, true, true, false},
                          {"/drive", 0.055, 0.004, 0.0011, true, false, true}};
  char path[600];
  snprintf(path, sizeof path, "%s", write_bag("joined.mcap", topics, 2));
  rbv_log_map *map = make_map("/state.header.stamp");
  rbv_log *log;
  assert_ok(rbv_log_load(&log, path, map));
  // stamps of the positions from 0.06 s on; the torques end at 1.999 s
  assert_int_equal(rbv_log_samples(log), 194);
  const double *t = rbv_log_channel(log, RBV_CHANNEL_TIME, -1);
  assert_near(t[0], 0.06, 1e-15, 0);
  assert_near(t[1] - t[0], 0.01, 1e-15, 0);
  check_lines(log, 0);
  rbv_log_free(log);
  assert_clock(path, "joined by the stamps of their headers");

  // in pieces: refused, with the reason
  rbv_log_file *file;
  assert_int_equal(rbv_log_file_open(&file, path, map, 2, 1), RBV_EUNSUPPORTED);
  assert_non_null(strstr(rbv_message(), "columns of 2 topics cannot be read in pieces"));
  rbv_log_map_free(map);
}

/* One topic has no stamps: the times of receipt are used for both. */
static void test_topics_are_joined_on_receipt(void **state) {
  (void)state;
  const topic topics[] = {{"/state", 0, 0.01, 0.002, true, true, false},
                          {"/drive", 0.055, 0.004, 0.002, false, false, true}};
  rbv_log_map *map = make_map("receive_time");
  rbv_log *log;
  char path[600];
  snprintf(path, sizeof path, "%s", write_bag("receipt.mcap", topics, 2));
  assert_ok(rbv_log_load(&log, path, map));
  assert_int_equal(rbv_log_samples(log), 194);
  check_lines(log, 0);
  rbv_log_free(log);
  assert_clock(path, "joined by the times of receipt, because /drive has no stamps");
  rbv_log_map_free(map);
}

static void test_topics_without_common_time_are_refused(void **state) {
  (void)state;
  const topic topics[] = {{"/state", 0, 0.01, 0, true, true, false},
                          {"/drive", 3, 0.004, 0, true, false, true}};
  rbv_log_map *map = make_map("/state.header.stamp");
  rbv_log *log;
  assert_int_equal(rbv_log_load(&log, write_bag("apart.mcap", topics, 2), map), RBV_EINPUT);
  assert_null(log);
  rbv_log_map_free(map);
}

/* ---- several files ---- */

/* positions.csv+currents.csv: the columns of the second are interpolated at the times of the first
 */
static void test_files_are_joined(void **state) {
  (void)state;
  char first[600], second[600], both[1300];
  snprintf(first, sizeof first, "%s", temp_file("positions.csv", NULL));
  snprintf(second, sizeof second, "%s", temp_file("torques.csv", NULL));
  FILE *a = fopen(first, "w"), *b = fopen(second, "w");
  assert_true(a && b);
  fprintf(a, "t,q1,q2\n");
  fprintf(b, "t,tau1,tau2\n");
  for (int k = 0; k <= 200; k++)
    fprintf(a, "%.17g,%.17g,%.17g\n", 0.01 * k, position_at(0, 0.01 * k), position_at(1, 0.01 * k));
  for (int k = 0; k < 480; k++) {
    const double t = 0.055 + 0.004 * k;
    fprintf(b, "%.17g,%.17g,%.17g\n", t, effort_at(0, t), effort_at(1, t));
  }
  assert_int_equal(fclose(a) + fclose(b), 0);
  snprintf(both, sizeof both, "%s+%s", first, second);
  rbv_log *log;
  assert_ok(rbv_log_load(&log, both, NULL));
  // 0.06 s to 1.97 s: the last torque is at 1.971 s
  assert_int_equal(rbv_log_samples(log), 192);
  check_lines(log, 0);
  char one[65], two[65];
  assert_ok(rbv_log_hash(one, both));
  assert_ok(rbv_log_hash(two, first));
  assert_string_not_equal(one, two);
  rbv_log_free(log);

  // without a column of time, rows belong together by their number
  temp_file("torques.csv", "tau1,tau2\n1,2\n3,4\n");
  assert_int_equal(rbv_log_load(&log, both, NULL), RBV_EINPUT);
  assert_non_null(strstr(rbv_message(), "has 201 rows"));
  // in pieces: refused, with the reason
  rbv_log_file *file;
  assert_int_equal(rbv_log_file_open(&file, both, NULL, 2, 1), RBV_EUNSUPPORTED);
  assert_non_null(strstr(rbv_message(), "joined in memory"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_topics_are_joined_on_stamps),
      cmocka_unit_test(test_topics_are_joined_on_receipt),
      cmocka_unit_test(test_topics_without_common_time_are_refused),
      cmocka_unit_test(test_files_are_joined),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
