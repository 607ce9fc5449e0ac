/* The cut-off from the data: the valley of the acceleration's density, and parts of recordings. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "log/log.h"
#include "signal/signal.h"
#include "support.h"

#define N 20000
#define RATE 1000.0

/* one joint: sines of 0.1 to 1 Hz, vibration of 40 lines in a band, steps of an encoder */
static double *joint(double vibration, double low_hz, double high_hz, double count) {
  double *q = malloc(N * sizeof *q);
  for (int k = 0; k < N; k++) {
    const double t = k / RATE;
    q[k] = 0;
    for (int i = 1; i <= 5; i++) q[k] += 0.4 / i * sin(2 * M_PI * 0.2 * i * t + i);
    for (int i = 0; i < 40; i++) {
      const double w = 2 * M_PI * (low_hz + (high_hz - low_hz) * i / 39.0);
      q[k] += vibration / w * sin(w * t + 1.3 * i * i);
    }
    q[k] = count * rint(q[k] / count);
  }
  return q;
}

/*
 * Vibration of 0.005 rad/s per line, 0.2 % of the energy of the velocity, from 15 to 60 Hz: the
 * valley is between motion and vibration, and the cut-off below the vibration. Groups of a third of
 * an octave and the window of 4 s decide to 20 %.
 */
static void test_vibration_is_left_out(void **state) {
  (void)state;
  rbv_suggestion s;
  double *q = joint(0.005, 15, 60, 1e-6);
  assert_ok(rbv_signal_suggest(&s, q, N, N, 1, RATE));
  assert_true(s.noise_hz > 2 && s.noise_hz < 15 * 1.2);
  assert_true(s.cutoff_hz >= 12 && s.cutoff_hz < 15 * 1.5 * 1.2);
  free(q);

  // without it the noise of the encoder decides
  q = joint(0, 15, 60, 1e-4);
  assert_ok(rbv_signal_suggest(&s, q, N, N, 1, RATE));
  assert_true(s.noise_hz > 1 && s.noise_hz < 12);
  assert_true(s.cutoff_hz >= 12 && s.cutoff_hz < 18);
  free(q);

  // a motion of 10 Hz needs six times that
  q = malloc(N * sizeof *q);
  for (int k = 0; k < N; k++) q[k] = sin(2 * M_PI * 10 * k / RATE);
  assert_ok(rbv_signal_suggest(&s, q, N, N, 1, RATE));
  assert_near(s.cutoff_hz, 60, 0, 0.1);
  // and a slow recording has room for 0.4 of its rate
  assert_ok(rbv_signal_suggest(&s, q, N, N, 1, RATE / 50));
  assert_near(s.cutoff_hz, 0.4 * RATE / 50, 1e-12, 0);
  free(q);
}

/* ---- recordings ---- */

static const char kr300[] =
    "time: t\njoints: [{q: q_mot1}, {q: q_mot2}, {q: q_mot3}, {q: q_mot4}, {q: q_mot5}, {q: "
    "q_mot6}]";
static const char go2[] =
    "time: time\njoints: [{q: FL_hip_joint/position}, {q: FL_thigh_joint/position}, "
    "{q: FL_calf_joint/position}, {q: RR_hip_joint/position}, {q: RR_thigh_joint/position}, "
    "{q: RR_calf_joint/position}]";
static const char z1[] =
    "time: time\njoints: [{q: joint1/position}, {q: joint2/position}, {q: joint3/position}, "
    "{q: joint4/position}, {q: joint5/position}, {q: joint6/position}]";
static const char emps[] = "time: t\njoints: [{q: qm}]";

static const struct {
  const char *path, *map;
} files[] = {{"staubli_tx40/tx40_joint.csv", NULL},
             {"kuka_lwr4/lwr4_measurements_1.csv", NULL},
             {"kuka_lwr4/lwr4_measurements_2.csv", NULL},
             {"kuka_lwr4/lwr4_measurements_3.csv", NULL},
             {"kuka_kr300/kr300_traj_A.csv", kr300},
             {"kuka_kr300/kr300_traj_B.csv", kr300},
             {"kuka_kr300/kr300_traj_C.csv", kr300},
             {"panda/panda.csv", NULL},
             {"emps/emps.csv", emps},
             {"legs_go2/go2_0.csv.gz", go2},
             {"legs_go2/go2_2.csv.gz", go2},
             {"legs_go2/go2_4.csv.gz", go2},
             {"arm_z1/z1_8s.csv.gz", z1}};

static rbv_log *load(const char *path, const char *text) {
  rbv_log *log;
  rbv_log_map *map = NULL;
  if (text) assert_ok(rbv_log_map_parse(&map, "map", text, strlen(text)));
  assert_ok(rbv_log_load(&log, recording(path), map));
  rbv_log_map_free(map);
  return log;
}

/* Largest over smallest cut-off of the parts of a recording. */
static double spread(const double *q, ptrdiff_t n, int joints, double rate, int parts) {
  double low = INFINITY, high = 0;
  for (int i = 0; i < parts; i++) {
    rbv_suggestion s;
    assert_ok(rbv_signal_suggest(&s, q + i * (n / parts), n, n / parts, joints, rate));
    printf(" %.3g", s.cutoff_hz);
    low = fmin(low, s.cutoff_hz);
    high = fmax(high, s.cutoff_hz);
  }
  return high / low;
}

/*
 * Halves and thirds of the 13 recordings. The rule before 0.3 (ten times the frequency below which
 * 99.9 % of the energy of the velocity lies) had spreads of up to 20.
 */
static void test_parts_of_recordings(void **state) {
  (void)state;
  int divisions = 0, near = 0;
  for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
    rbv_log *log = load(files[f].path, files[f].map);
    const int joints = rbv_log_channel_count(log, RBV_CHANNEL_POSITION);
    const ptrdiff_t n = rbv_log_samples(log);
    double *q;
    assert_true(joints > 0);
    assert_ok(rbv_log_block(&q, log, RBV_CHANNEL_POSITION, joints));
    printf("%s:", files[f].path);
    for (int parts = 1; parts <= 3; parts++) {
      const double ratio = spread(q, n, joints, 1 / rbv_log_get_rate(log).period, parts);
      printf(parts < 3 ? " |" : "\n");
      divisions += parts > 1;
      near += parts > 1 && ratio <= 1.6;
    }
    rbv_log_block_free(q);
    rbv_log_free(log);
  }
  printf("%d of %d\n", near, divisions);
  assert_true(10 * near >= 9 * divisions);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_vibration_is_left_out),
                                     cmocka_unit_test(test_parts_of_recordings)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
