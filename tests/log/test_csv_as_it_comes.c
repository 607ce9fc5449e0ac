/*
 * Text tables as programs write them: each is read at once with a guessed map, or refused with one
 * sentence that says what to add. The rows are those of one recording of two joints.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "log/log.h"

#include "base/support.h"
#include "support.h"

static const char *const joints[] = {"shoulder", "elbow"};

typedef struct {
  const char *title, *text;
  double rate_hz;        // given by the user; 0: none
  const char *sentence;  // of the refusal or of what is missing; NULL: it is read
} variant;

/* q 1.5 2.5, then 1.75 2.75; tau 3 4, then 3.5 4.5; 2 ms between the rows */
static const variant variants[] = {
    {"usual names", "t,q1,q2,tau1,tau2\n0,1.5,2.5,3,4\n0.002,1.75,2.75,3.5,4.5\n", 0, NULL},
    {"semicolon and decimal comma",
     "t;q1;q2;tau1;tau2\n0,0;1,5;2,5;3,0;4,0\n0,002;1,75;2,75;3,5;4,5\n", 0, NULL},
    {"byte order mark and CRLF",
     "\xEF\xBB\xBFt,q1,q2,tau1,tau2\r\n0,1.5,2.5,3,4\r\n0.002,1.75,2.75,3.5,4.5\r\n", 0, NULL},
    {"text column that is not used",
     "t,mode,q1,q2,tau1,tau2\n0,auto,1.5,2.5,3,4\n0.002,auto,1.75,2.75,3.5,4.5\n", 0, NULL},
    {"quoted text with commas",
     "t,note,q1,q2,tau1,tau2\n0,\"a, b\",1.5,2.5,3,4\n0.002,\"c\",1.75,2.75,3.5,4.5\n", 0, NULL},
    {"dates beside the time",
     "date,t,q1,q2,tau1,tau2\n2026-01-05 10:00:00,0,1.5,2.5,3,4\n"
     "2026-01-05 10:00:01,0.002,1.75,2.75,3.5,4.5\n",
     0, NULL},
    {"row of units", "t,q1,q2,tau1,tau2\ns,rad,rad,Nm,Nm\n0,1.5,2.5,3,4\n0.002,1.75,2.75,3.5,4.5\n",
     0, NULL},
    {"row of units in brackets, milliseconds",
     "time,q1,q2,tau1,tau2\n[ms],[rad],[rad],[N m],[N m]\n0,1.5,2.5,3,4\n2,1.75,2.75,3.5,4.5\n", 0,
     NULL},
    {"seconds and nanoseconds",
     "sec,nanosec,q1,q2,tau1,tau2\n1700000000,500000000,1.5,2.5,3,4\n"
     "1700000000,502000000,1.75,2.75,3.5,4.5\n",
     0, NULL},
    {"header stamp in two columns",
     "header.stamp.sec,header.stamp.nanosec,q1,q2,tau1,tau2\n17,999000000,1.5,2.5,3,4\n"
     "18,1000000,1.75,2.75,3.5,4.5\n",
     0, NULL},
    {"stamp of KUKA's FRI in two columns",
     "time_stamp_sec,time_stamp_nano_sec,q1,q2,tau1,tau2\n17,500000000,1.5,2.5,3,4\n"
     "17,502000000,1.75,2.75,3.5,4.5\n",
     0, NULL},
    {"epoch in nanoseconds",
     "timestamp,q1,q2,tau1,tau2\n1700000000500000000,1.5,2.5,3,4\n"
     "1700000000502000000,1.75,2.75,3.5,4.5\n",
     0, NULL},
    {"epoch in seconds",
     "stamp,q1,q2,tau1,tau2\n1700000000.500,1.5,2.5,3,4\n1700000000.502,1.75,2.75,3.5,4.5\n", 0,
     NULL},
    {"index of pandas", ",t,q1,q2,tau1,tau2\n0,0,1.5,2.5,3,4\n1,0.002,1.75,2.75,3.5,4.5\n", 0,
     NULL},
    {"time as the index of pandas", ",q1,q2,tau1,tau2\n0,1.5,2.5,3,4\n0.002,1.75,2.75,3.5,4.5\n", 0,
     NULL},
    {"comment before the header",
     "# recorder 3\n\nt,q1,q2,tau1,tau2\n0,1.5,2.5,3,4\n0.002,1.75,2.75,3.5,4.5\n", 0, NULL},
    {"names in a comment", "# t q1 q2 tau1 tau2\n0 1.5 2.5 3 4\n0.002 1.75 2.75 3.5 4.5\n", 0,
     NULL},
    {"ros2 topic echo --csv",
     "5,0,base,elbow,shoulder,2.5,1.5,0,0,4,3\n5,2000000,base,elbow,shoulder,2.75,1.75,0,0,4.5,3."
     "5\n",
     0, NULL},
    {"no time, a rate is given", "q1,q2,tau1,tau2\n1.5,2.5,3,4\n1.75,2.75,3.5,4.5\n", 500, NULL},
    {"joint names in the header",
     "time,elbow/position,shoulder/position,elbow/effort,shoulder/effort\n0,2.5,1.5,4,3\n"
     "0.002,2.75,1.75,4.5,3.5\n",
     0, NULL},
    {"no time", "elbow_pos,shoulder_pos,elbow_tau,shoulder_tau\n2,1,4,3\n2,1,4,3\n", 0,
     "no column of time that increases: add one, or give the sample rate"},
    {"JSON", "[{\"t\": 0, \"q1\": 1.5, \"q2\": 2.5}]\n", 0, "the file is JSON; write it as CSV"},
    {"a robot file", "<robot name='a'>\n<link name='b'/>\n</robot>\n", 0, "not a recording"},
    {"echo without --csv", "header:\n  stamp:\n    sec: 1\n", 0, "let it write CSV"},
    {"no header", "0,1.5,2.5,3,4\n0.002,1.75,2.75,3.5,4.5\n", 0, "no header row: add one"},
    {"text where numbers are needed", "t,q1,q2,tau1,tau2\n0,a,2.5,3,4\n0.002,b,2.75,3.5,4.5\n", 0,
     "'a' in column 2 (q1) is not a number"},
    {"truncated last line", "t,q1,q2,tau1,tau2\n0,1.5,2.5,3,4\n0.002,1.75", 0,
     "the last line ends after 2 of 5 columns: the file is truncated"},
    {"currents",
     "t,shoulder_pos,elbow_pos,shoulder_current,elbow_current\n0,1.5,2.5,3,4\n0.002,1,2,3,4\n", 0,
     "the gain of each drive [N m per A] is not known"},
};

static void check_values(const rbv_log *log, const char *title) {
  static const double q[2][2] = {{1.5, 1.75}, {2.5, 2.75}}, tau[2][2] = {{3, 3.5}, {4, 4.5}};
  const double *t = rbv_log_channel(log, RBV_CHANNEL_TIME, -1);
  if (!t || rbv_log_samples(log) != 2) fail_msg("%s: no time, or not two rows", title);
  // stamps since 1970 have a resolution of 2.4e-7 s; in nanoseconds they are rounded twice
  if (!(fabs(t[1] - t[0] - 0.002) <= 5e-7)) fail_msg("%s: a step of %g s", title, t[1] - t[0]);
  for (int j = 0; j < 2; j++)
    for (int k = 0; k < 2; k++) {
      const double *x = rbv_log_channel(log, RBV_CHANNEL_POSITION, j);
      const double *y = rbv_log_channel(log, RBV_CHANNEL_TORQUE, j);
      if (!x || !y || x[k] != q[j][k] || y[k] != tau[j][k]) fail_msg("%s: other values", title);
    }
}

static void test_variants(void **state) {
  (void)state;
  for (int i = 0; i < RBV_COUNT(variants); i++) {
    const variant *v = &variants[i];
    char path[300];
    snprintf(path, sizeof path, "%s", temp_file("variant.csv", v->text));
    rbv_log_guess *g = NULL;
    rbv_log *log = NULL;
    rbv_status status = rbv_log_guess_columns(&g, path, joints, 2, v->rate_hz);
    const bool missing =
        status == RBV_OK && v->sentence && g->nmissing > 0 && strstr(g->missing[0], v->sentence);
    if (!missing) {
      if (status == RBV_OK && g->nambiguous > 0) fail_msg("%s: %s", v->title, g->ambiguous[0]);
      if (status == RBV_OK) status = rbv_log_load(&log, path, g->map);
      if (v->sentence) {
        if (status == RBV_OK || !strstr(rbv_message(), v->sentence))
          fail_msg("%s: %s", v->title, status == RBV_OK ? "was read" : rbv_message());
        assert_null(strchr(rbv_message(), '\n'));
      } else {
        if (status != RBV_OK) fail_msg("%s: %s", v->title, rbv_message());
        check_values(log, v->title);
      }
    }
    rbv_log_free(log);
    rbv_log_guess_free(g);
  }
}

/* A file with text columns and units gives the same numbers in pieces. */
static void test_pieces(void **state) {
  (void)state;
  static char text[400000];
  size_t n = (size_t)snprintf(text, sizeof text, "t,mode,q1,tau1\ns,,rad,Nm\n");
  for (int k = 0; k < 9000; k++)
    n += (size_t)snprintf(text + n, sizeof text - n, "%.3f,run,%d,%d\n", 0.002 * k, k % 37,
                          k % 53 + 1);
  const char *path = temp_file("long.csv", text);
  rbv_log *whole;
  rbv_log_file *file;
  rbv_log_reader *reader;
  assert_ok(rbv_log_load(&whole, path, NULL));
  assert_int_equal(rbv_log_samples(whole), 9000);
  assert_int_equal(rbv_log_line(whole, 0), 3);
  for (int threads = 1; threads <= 2; threads++) {
    assert_ok(rbv_log_file_open(&file, path, NULL, 10, threads));
    assert_int_equal(rbv_log_file_samples(file), 9000);
    assert_ok(rbv_log_reader_new(&reader, file));
    rbv_log *piece;
    assert_ok(rbv_log_reader_read(&piece, reader, 8000, 1000));
    for (int k = 0; k < 1000; k++)
      assert_near(rbv_log_channel(piece, RBV_CHANNEL_TORQUE, 0)[k],
                  rbv_log_channel(whole, RBV_CHANNEL_TORQUE, 0)[8000 + k], 0, 0);
    rbv_log_free(piece);
    rbv_log_reader_free(reader);
    rbv_log_file_free(file);
  }
  rbv_log_free(whole);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_variants),
                                     cmocka_unit_test(test_pieces)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
