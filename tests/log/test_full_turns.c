/* Positions that jump by a full turn. */
#include <math.h>
#include <roberval/sys/log.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"

#define COUNT 400
#define TURN 6.283185307179586

static double wrap(double x) { return x - TURN * floor(x / TURN + 0.5); }

/* A joint that turns to 9 rad and back at 100 Hz, up to 14 rad/s, and its reference, 0.1 rad ahead.
 */
static double position(int k) { return 4.5 * (1 - cos(TURN * k / 200)); }

static rbv_log *make_log(int spike) {
  static char text[COUNT * 120];
  size_t n = (size_t)sprintf(text, "t,q1,qr1,tau1\n");
  for (int k = 0; k < COUNT; k++)
    n += (size_t)sprintf(text + n, "%.17g,%.17g,%.17g,1\n", k * 0.01,
                         wrap(position(k)) + (k == spike ? 40 : 0), wrap(position(k) + 0.1));
  rbv_log *log;
  assert_ok(rbv_log_parse(&log, "log", text, n, NULL));
  return log;
}

static void test_jumps(void **state) {
  (void)state;
  rbv_log *log = make_log(-1);
  // 9 rad pass pi once in each direction; there are two periods
  assert_int_equal(rbv_log_unwrap(log, 0), 4);
  const double *q = rbv_log_channel(log, RBV_CHANNEL_POSITION, 0);
  const double *qr = rbv_log_channel(log, RBV_CHANNEL_REFERENCE_POSITION, 0);
  for (int k = 0; k < COUNT; k++) {
    assert_near(q[k], position(k), 1e-14 * 9, 0);
    assert_near(qr[k], position(k) + 0.1, 1e-14 * 9, 0);
  }
  assert_int_equal(rbv_log_unwrap(log, 0), 0);
  assert_int_equal(rbv_log_unwrap(log, 1), 0);  // no such joint
  rbv_log_free(log);
}

/* In pieces it is refused, so that the recording is read as a whole. */
static void test_pieces(void **state) {
  (void)state;
  char text[COUNT * 60];
  int n = sprintf(text, "t,q1,tau1\n");
  for (int k = 0; k < COUNT; k++)
    n += sprintf(text + n, "%.2f,%.9f,1\n", k * 0.01, wrap(position(k)));
  rbv_log_file *file;
  assert_refused(rbv_log_file_open(&file, temp_file("turns.csv", text), NULL, 10, 1),
                 RBV_EUNSUPPORTED, "positions jump by a full turn");
  assert_null(file);
}

/* A spike is no full turn: nothing is changed, so that it is found. */
static void test_spike(void **state) {
  (void)state;
  rbv_log *log = make_log(100);
  assert_int_equal(rbv_log_unwrap(log, 0), 0);
  const double *q = rbv_log_channel(log, RBV_CHANNEL_POSITION, 0);
  assert_near(q[100], wrap(position(100)) + 40, 1e-12, 0);
  assert_near(q[99], wrap(position(99)), 1e-12, 0);
  rbv_log_free(log);
}

/* Poses, one row each: far from each other, and not changed. */
static void test_poses(void **state) {
  (void)state;
  static const char text[] = "t,q1,tau1\n0,-2,1\n1,1.5,1\n2,-2.5,1\n3,2.5,1\n4,0,1\n";
  rbv_log *log;
  assert_ok(rbv_log_parse(&log, "poses", text, strlen(text), NULL));
  assert_int_equal(rbv_log_unwrap(log, 0), 0);
  assert_near(rbv_log_channel(log, RBV_CHANNEL_POSITION, 0)[3], 2.5, 0, 0);
  rbv_log_free(log);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_jumps), cmocka_unit_test(test_pieces),
                                     cmocka_unit_test(test_spike), cmocka_unit_test(test_poses)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
