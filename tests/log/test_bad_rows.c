/* Bad rows: what is found, what is not, and logs without them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/support.h"
#include "support.h"

#include "log/log.h"

#define N 1000
#define STEP 0.002

/* time, position and torque of one joint; the torque has a step of friction at each reversal */
typedef struct {
  double t[N], q[N], tau[N];
} table;

static double noise(ptrdiff_t k) { return rbv_random_normal(1, 2, (uint64_t)k); }

static void fill(table *x, double count, double sigma) {
  for (ptrdiff_t k = 0; k < N; k++) {
    const double w = 2 * M_PI * 1.5, t = STEP * (double)k;
    x->t[k] = t;
    x->q[k] = 0.8 * sin(w * t);
    if (count > 0) x->q[k] = count * rint(x->q[k] / count);
    x->tau[k] = 10 * cos(0.3 * t) + (cos(w * t) > 0 ? 4 : -4) + sigma * noise(k);
  }
}

static rbv_log *to_log(const table *x) {
  static const char *const names[] = {"t", "q1", "tau1"};
  rbv_log *log;
  assert_ok(rbv_log_new(&log, "x", names, 3, x->t, N, N));
  return log;
}

static rbv_bad_rows find(const rbv_log *log) {
  rbv_bad_rows bad;
  assert_ok(rbv_log_find_bad_rows(&bad, log, NULL));
  return bad;
}

/* the rows that are bad, as "12 40" */
static void assert_rows(const table *x, const char *want) {
  rbv_log *log = to_log(x);
  rbv_bad_rows bad = find(log);
  char got[400] = "";
  for (ptrdiff_t k = 0; k < N; k++)
    if (bad.row[k])
      snprintf(got + strlen(got), sizeof got - strlen(got), "%s%td", *got ? " " : "", k);
  assert_string_equal(got, want);
  rbv_bad_rows_free(&bad);
  rbv_log_free(log);
}

/* steps of friction, encoders, noise, quantised and exact signals, a torque that starts a motion */
static void test_clean_signals_have_none(void **state) {
  (void)state;
  static const double counts[] = {0, 2 * M_PI / 512, 2 * M_PI / 4096, 2 * M_PI / 65536};
  static const double sigmas[] = {0, 0.05, 1};
  table x;
  for (int i = 0; i < RBV_COUNT(counts); i++)
    for (int k = 0; k < RBV_COUNT(sigmas); k++) {
      fill(&x, counts[i], sigmas[k]);
      assert_rows(&x, "");
    }
  // an encoder of a joint that stands still toggles one count, seldom
  for (ptrdiff_t k = 0; k < N; k++) x.q[k] = k % 97 == 0 ? 2 * M_PI / 4096 : 0;
  assert_rows(&x, "");
  // a step of the reference: the derivative of the error is one large torque, then the joint moves
  fill(&x, 0, 0.05);
  for (ptrdiff_t k = 0; k < N; k++) {
    const double u = STEP * (double)(k - 500);
    x.q[k] = u < 0 ? 0 : 1 - exp(-8 * u) * (1 + 8 * u);
    x.tau[k] = (k == 500 ? 200 : 0) + (u < 0 ? 0 : 40 * exp(-8 * u) * cos(9 * u)) + 0.05 * noise(k);
  }
  assert_rows(&x, "");
  // a gap, and a stamp that is wrong, explain positions that seem to jump
  fill(&x, 0, 0.05);
  for (ptrdiff_t k = 0; k < N; k++) {
    const double t = STEP * (double)(k < 400 ? k : k + 30);
    x.t[k] = t;
    x.q[k] = 0.8 * sin(2 * M_PI * 1.5 * t);
  }
  x.t[700] -= 0.0019;
  assert_rows(&x, "");
}

static void test_corrupt_values_are_found(void **state) {
  (void)state;
  table x;
  fill(&x, 2 * M_PI / 65536, 0.05);
  x.q[100] = 253;
  x.q[102] = -253;  // row 101 between them is sound
  x.tau[300] = 500;
  x.tau[301] = -20;
  x.q[400] += 0.1;
  for (ptrdiff_t k = 600; k < 607; k++) x.q[k] = 12;  // several in a row
  for (ptrdiff_t k = 610; k < 614; k++) x.tau[k] = 0;
  x.q[0] = 7;
  x.q[N - 1] = -7;
  assert_rows(&x, "0 100 102 300 301 400 600 601 602 603 604 605 606 610 611 612 613 999");
}

/* A joint that rests for one sample between two moves explains a deviating torque. One that rests
 * for long does not, up to the end of the recording. */
static void test_torque_at_a_long_rest(void **state) {
  (void)state;
  table x;
  fill(&x, 2 * M_PI / 65536, 0.05);
  for (ptrdiff_t k = 600; k < N; k++) {
    x.q[k] = x.q[599];
    x.tau[k] = 10 * cos(0.3 * x.t[k]) + 0.05 * noise(k);
  }
  x.tau[850] -= 5;  // within the range of the motion
  x.tau[990] -= 5;
  assert_rows(&x, "850 990");
}

/* a loop that oscillates for a moment, with torques far beyond all others */
static void test_oscillation_is_not_corrupt(void **state) {
  (void)state;
  table x;
  fill(&x, 2 * M_PI / 65536, 0.05);
  for (ptrdiff_t k = 0; k < 18; k++) x.tau[500 + k] += 300 * sin(2 * M_PI * (double)k / 7);
  assert_rows(&x, "");
}

/* A light joint in a soft loop that starts with a jerk: its position turns within eight samples. */
static void test_turning_point_is_not_corrupt(void **state) {
  (void)state;
  table x;
  fill(&x, 0, 0.05);
  for (ptrdiff_t k = 0; k < N; k++) {
    const double since = (double)k - 2,
                 swing = since < 0 ? 0 : 3e-4 * since * since * exp(-since / 6);
    x.q[k] = 0.1 * x.q[k] + swing * sin(2 * M_PI * since / 8);
  }
  assert_rows(&x, "");
  x.q[6] += 0.1;
  assert_rows(&x, "6");
}

/* A coarse encoder in a control loop: the torque jumps with each count, every third sample and now
 * and then after two. A value far beyond is still corrupt. */
static void test_saw_tooth_is_not_corrupt(void **state) {
  (void)state;
  table x;
  const double count = 2 * M_PI / 3600;
  fill(&x, 0, 0);
  for (ptrdiff_t k = 0, since = 0, counts = 0; k < N; k++) {
    since = since >= (k % 300 < 3 ? 2 : 3) ? 1 : since + 1;
    counts += since == 1;
    x.q[k] = count * (double)counts;
    // the joint starts to move at sample 100
    x.tau[k] = 20 * sin(3 * x.t[k]) + (k < 100 ? 0 : 95 * (double)(since - 2)) + 0.5 * noise(k);
    if (k < 100) counts = 0;
  }
  assert_rows(&x, "");
  x.tau[500] = 3000;
  assert_rows(&x, "500");
}

/* 20 corrupt samples of each kind in turn, at random places */
static void test_many_corrupt_values(void **state) {
  (void)state;
  table x;
  for (uint64_t seed = 1; seed <= 20; seed++) {
    char want[400] = "";
    bool bad[N] = {false};
    fill(&x, 0, 0.05);
    for (uint64_t i = 0; i < 20; i++) {
      const ptrdiff_t k = 3 + (ptrdiff_t)(rbv_random_uniform(seed, 1, i) * (N - 6));
      const double size = exp(5 * rbv_random_uniform(seed, 2, i));
      if (bad[k]) continue;
      if (i % 2)
        x.q[k] += 0.05 * size;
      else
        x.tau[k] += 15 * size;
      bad[k] = true;
    }
    for (ptrdiff_t k = 0; k < N; k++)
      if (bad[k])
        snprintf(want + strlen(want), sizeof want - strlen(want), "%s%td", *want ? " " : "", k);
    assert_rows(&x, want);
  }
}

static void test_missing_and_unordered_rows(void **state) {
  (void)state;
  table x;
  fill(&x, 0, 0.05);
  x.q[10] = NAN;
  x.tau[20] = INFINITY;
  x.t[30] = -5;  // too early
  x.t[40] = 99;  // too late
  x.t[50] = NAN;
  assert_rows(&x, "10 20 30 40 50");
  // a clock that is set back for good, and a channel that was not recorded, are no single rows
  fill(&x, 0, 0.05);
  for (ptrdiff_t k = 500; k < N; k++) x.t[k] -= 0.9;
  for (ptrdiff_t k = 0; k < N; k++) x.tau[k] = NAN;
  rbv_log *log = to_log(&x);
  rbv_bad_rows bad = find(log);
  assert_true(bad.rows <= 1);
  rbv_bad_rows_free(&bad);
  rbv_log_free(log);
}

/* a recorder that hangs: rows repeat while the robot moves, then it catches up */
static void test_stuck_rows(void **state) {
  (void)state;
  table x;
  fill(&x, 0, 0.05);
  for (ptrdiff_t k = 801; k < 809; k++) {
    x.q[k] = x.q[800];
    x.tau[k] = x.tau[800];
  }
  assert_rows(&x, "801 802 803 804 805 806 807 808");
  // a robot that stands still repeats rows as well
  fill(&x, 0, 0.05);
  for (ptrdiff_t k = 501; k < N; k++) {
    x.q[k] = x.q[500];
    x.tau[k] = x.tau[500];
  }
  assert_rows(&x, "");
}

/* single rows are interpolated, longer runs and the ends are removed */
static void test_logs_without_them(void **state) {
  (void)state;
  table x, exact;
  fill(&x, 0, 0);
  exact = x;
  x.q[100] = 253;
  x.tau[200] = NAN;
  x.t[300] = 77;
  for (ptrdiff_t k = 500; k < 510; k++) x.q[k] = 12;
  x.q[N - 1] = NAN;
  rbv_log *log = to_log(&x), *without;
  rbv_bad_rows bad = find(log);
  rbv_drop_info info;
  assert_ok(rbv_log_without(&without, &info, log, &bad));
  assert_int_equal(info.filled, 3);
  assert_int_equal(info.removed, 11);
  assert_int_equal(rbv_log_samples(without), N - 11);
  const double *t = rbv_log_channel(without, RBV_CHANNEL_TIME, -1);
  const double *q = rbv_log_channel(without, RBV_CHANNEL_POSITION, 0);
  const double *tau = rbv_log_channel(without, RBV_CHANNEL_TORQUE, 0);
  // error of a cubic between four points: 9/384 h^4 q'''', h = 2 steps; far below 1e-6
  assert_near(q[100], exact.q[100], 1e-6, 0);
  assert_near(tau[200], exact.tau[200], 1e-4, 0);  // a line: h^2/8 tau''
  assert_near(t[300], exact.t[300], 1e-12, 0);
  // the other values of a row with one bad value are those of the recording
  assert_near(tau[100], exact.tau[100], 0, 0);
  assert_near(q[200], exact.q[200], 0, 0);
  assert_true(rbv_log_is_filled(without, 100) && !rbv_log_is_filled(without, 101));
  assert_near(q[500], exact.q[510], 0, 0);
  rbv_bad_rows_free(&bad);
  rbv_log_free(without);
  assert_ok(rbv_log_every(&without, log, 10));
  assert_int_equal(rbv_log_samples(without), N / 10);
  assert_near(rbv_log_channel(without, RBV_CHANNEL_POSITION, 0)[7], exact.q[70], 0, 0);
  rbv_log_free(without);
  rbv_log_free(log);
}

static void test_lines_and_messages(void **state) {
  (void)state;
  rbv_text text = {0};
  rbv_text_put(&text, "# a comment\nt,q1,tau1\n");
  table x;
  fill(&x, 0, 0.05);
  x.q[100] = 253;
  for (ptrdiff_t k = 0; k < N; k++) {
    if (k == 50) rbv_text_put(&text, "# another\n");
    rbv_text_print(&text, k == 70 ? "0.14,text\n" : "%.9g,%.9g,%.9g\n", x.t[k], x.q[k], x.tau[k]);
  }
  rbv_text_put(&text, "2.0,0.1");  // truncated
  const char *path = temp_file("x.csv", text.data);
  rbv_text_free(&text);
  rbv_log *log;
  assert_refused(rbv_log_load(&log, path, NULL), RBV_EINPUT, "x.csv:74");
  assert_ok(rbv_log_load_tolerant(&log, path, NULL));
  rbv_bad_rows bad = find(log);
  static const char *const want[] = {"line 74: the row is truncated or contains text",
                                     "line 104: q1 = 253 between samples near",
                                     "line 1004: the row is truncated or contains text"};
  assert_int_equal(bad.count, RBV_COUNT(want));
  for (int i = 0; i < bad.count; i++) {
    char words[160];
    rbv_bad_value_describe(words, sizeof words, log, &bad.items[i]);
    assert_non_null(strstr(words, want[i]));
  }
  rbv_log *without;
  assert_ok(rbv_log_without(&without, NULL, log, &bad));
  assert_int_equal(rbv_log_line(without, 99), 103);
  rbv_bad_rows_free(&bad);
  rbv_log_free(log);
  rbv_log_free(without);
  assert_string_equal(rbv_bad_name(RBV_BAD_SPIKE), "spike");
}

/* a file in which most rows cannot be read is another kind of file */
static void test_many_unreadable_rows_are_refused(void **state) {
  (void)state;
  rbv_text text = {0};
  rbv_text_put(&text, "t,q1,tau1\n");
  for (int k = 0; k < 100; k++) rbv_text_print(&text, k % 3 ? "%d,1,2\n" : "%d,1\n", k);
  rbv_log *log;
  assert_refused(rbv_log_load_tolerant(&log, temp_file("y.csv", text.data), NULL), RBV_EINPUT,
                 "columns");
  rbv_text_free(&text);
}

static void test_close_stamps(void **state) {
  (void)state;
  table x;
  bool close[N];
  fill(&x, 0, 0.05);
  x.t[10] = x.t[9];          // repeated
  x.t[20] = x.t[19] + 1e-7;  // too early: row 20
  x.t[30] = x.t[31] - 1e-7;  // too late: row 30
  x.t[40] += 0.4 * STEP;     // jitter
  rbv_log *log = to_log(&x);
  assert_int_equal(rbv_log_close_stamps(close, log), 3);
  for (ptrdiff_t k = 0; k < N; k++) assert_int_equal(close[k], k == 10 || k == 20 || k == 30);
  rbv_log_free(log);
}

/* names are compared after sorting: 100,000 columns are no problem */
static void test_wide_header(void **state) {
  (void)state;
  rbv_text text = {0};
  for (int i = 0; i < 100000; i++) rbv_text_print(&text, "c%d,", i);
  rbv_text_put(&text, "c7\n");
  rbv_log *log;
  assert_refused(rbv_log_parse(&log, "x.csv", text.data, text.size, NULL), RBV_EINPUT, "columns");
  rbv_text_free(&text);
  const char *twice = "t,q1,b,a,b,a\n0,1,2,3,4,5\n";
  assert_refused(rbv_log_parse(&log, "x.csv", twice, strlen(twice), NULL), RBV_EINPUT,
                 "columns 3 and 5 are both named 'b'");
}

/* streams end: a device without end, and one that nobody writes to, is not read for ever */
static void test_streams(void **state) {
  (void)state;
  rbv_log *log;
  assert_refused(rbv_log_load(&log, "/dev/zero", NULL), RBV_EINPUT, "not a text table");
}

static rbv_status run_all(void *state) {
  const rbv_log *log = state;
  rbv_bad_rows bad;
  RBV_TRY(rbv_log_find_bad_rows(&bad, log, NULL));
  rbv_log *without = NULL;
  const rbv_status status = rbv_log_without(&without, NULL, log, &bad);
  rbv_log_free(without);
  rbv_bad_rows_free(&bad);
  return status;
}

static void test_failing_allocations(void **state) {
  (void)state;
  table x;
  fill(&x, 0, 0.05);
  x.q[100] = 253;
  rbv_log *log = to_log(&x), *out;
  rbv_bad_rows bad;
  fail_each_allocation(run_all, log);
  assert_refused(rbv_log_find_bad_rows(NULL, log, NULL), RBV_EARG, "no place");
  assert_refused(rbv_log_find_bad_rows(&bad, NULL, NULL), RBV_EARG, "no log");
  assert_refused(rbv_log_without(NULL, NULL, log, &bad), RBV_EARG, "no place");
  assert_refused(rbv_log_without(&out, NULL, log, NULL), RBV_EARG, "no list");
  assert_refused(rbv_log_every(&out, log, 0), RBV_EARG, "stride");
  rbv_bad_rows_free(NULL);
  rbv_log_free(log);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_clean_signals_have_none),
      cmocka_unit_test(test_corrupt_values_are_found),
      cmocka_unit_test(test_torque_at_a_long_rest),
      cmocka_unit_test(test_oscillation_is_not_corrupt),
      cmocka_unit_test(test_turning_point_is_not_corrupt),
      cmocka_unit_test(test_saw_tooth_is_not_corrupt),
      cmocka_unit_test(test_many_corrupt_values),
      cmocka_unit_test(test_missing_and_unordered_rows),
      cmocka_unit_test(test_stuck_rows),
      cmocka_unit_test(test_logs_without_them),
      cmocka_unit_test(test_lines_and_messages),
      cmocka_unit_test(test_many_unreadable_rows_are_refused),
      cmocka_unit_test(test_close_stamps),
      cmocka_unit_test(test_wide_header),
      cmocka_unit_test(test_streams),
      cmocka_unit_test(test_failing_allocations),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
