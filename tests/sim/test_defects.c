/* Each defect does what it says, and nothing else. */
#include <math.h>
#include <roberval/sys/sim.h>
#include <stdlib.h>
#include <string.h>

#include "arm.h"
#include "base/support.h"
#include "log/log.h"
#include "motions.h"
#include "support.h"

#define N 2
#define TICKS 20000
#define RATE 1000.0

typedef struct {
  rbv_model *m;
  rbv_control *control;
  double *q;
  rbv_sim_trace exact, t;
} fixture;

static int set_up(void **state) {
  static fixture f;
  assert_ok(rbv_model_parse(&f.m, "arm", light_arm, strlen(light_arm), NULL));
  rbv_control_joint joint[N] = {rbv_control_tune(0.7, 40, 0.1, 5),
                                rbv_control_tune(0.1, 60, 0.1, 5)};
  assert_ok(rbv_control_new(&f.control, NULL, RATE, RBV_FEEDFORWARD_NONE, joint, N));
  f.q = malloc(TICKS * N * sizeof *f.q);
  for (int k = 0; k < TICKS; k++) {
    f.q[k] = 0.6 * sin(2 * M_PI * 0.7 * k / RATE) - 1;
    f.q[k + TICKS] = 0.8 * sin(2 * M_PI * 1.1 * k / RATE);
  }
  assert_ok(rbv_sim_trace_new(&f.exact, N, TICKS));
  assert_ok(rbv_sim_trace_new(&f.t, N, TICKS));
  *state = &f;
  return 0;
}

static int tear_down(void **state) {
  fixture *f = *state;
  rbv_sim_trace_free(&f->exact);
  rbv_sim_trace_free(&f->t);
  free(f->q);
  rbv_control_free(f->control);
  rbv_model_free(f->m);
  return 0;
}

static rbv_sim *make(const fixture *f, const rbv_sim_defects *d, uint64_t seed) {
  rbv_sim_options o = rbv_sim_defaults();
  if (d) o.defects = *d;
  rbv_sim *s;
  const rbv_sim_lane lane = {.seed = seed};
  assert_ok(rbv_sim_new(&s, f->m, f->control, &o, 1));
  assert_ok(rbv_sim_set(s, 0, &lane));
  return s;
}

static void run(const fixture *f, const rbv_sim_trace *t, const rbv_sim_defects *d, uint64_t seed) {
  rbv_sim *s = make(f, d, seed);
  rbv_sim_outcome outcome;
  const rbv_sim_reference r = {.count = TICKS, .ld = TICKS, .q = f->q};
  assert_ok(rbv_sim_run(&outcome, s, &r, t));
  assert_int_equal(outcome.verdict, RBV_SIM_DONE);
  rbv_sim_free(s);
}

static double largest(const double *a, const double *b, ptrdiff_t count) {
  double worst = 0;
  for (ptrdiff_t i = 0; i < count; i++)
    if (!(fabs(a[i] - b[i]) <= worst)) worst = fabs(a[i] - b[i]);
  return worst;
}

/* moments of x - y: mean, deviation, correlation of neighbours */
typedef struct {
  double mean, deviation, correlation;
} moments;

static moments moments_of(const double *x, const double *y) {
  moments m = {0};
  double square = 0, product = 0;
  for (int k = 0; k < TICKS; k++) m.mean += (x[k] - y[k]) / TICKS;
  for (int k = 0; k < TICKS; k++) {
    const double e = x[k] - y[k] - m.mean;
    square += e * e;
    if (k + 1 < TICKS) product += e * (x[k + 1] - y[k + 1] - m.mean);
  }
  m.deviation = sqrt(square / TICKS);
  m.correlation = product / square;
  return m;
}

/* nothing wrong: the record is the plant */
static void test_no_defect(void **state) {
  const fixture *f = *state;
  run(f, &f->exact, NULL, 1);
  assert_near(largest(f->exact.q, f->exact.recorded_q, TICKS * N), 0, 0, 0);
  assert_near(largest(f->exact.q, f->exact.seen, TICKS * N), 0, 0, 0);
  assert_near(largest(f->exact.tau, f->exact.recorded_tau, TICKS * N), 0, 0, 0);
  assert_near(largest(f->exact.tau, f->exact.applied, TICKS * N), 0, 0, 0);
  for (int k = 0; k < TICKS; k++) {
    assert_near(f->exact.recorded_t[k], k / RATE, 0, 1e-15);
    assert_true(f->exact.kept[k]);
  }
}

static void test_encoders(void **state) {
  const fixture *f = *state;
  const double step = 2 * M_PI / 1000;
  rbv_sim_defects d = {.record_counts = 1000};
  run(f, &f->t, &d, 1);
  // the loop does not know
  assert_near(largest(f->exact.q, f->t.q, TICKS * N), 0, 0, 0);
  const moments m = moments_of(f->t.recorded_q, f->t.q);
  assert_near(largest(f->t.recorded_q, f->t.q, TICKS * N), 0, step / 2 * (1 + 1e-9), 0);
  assert_near(m.deviation, step / sqrt(12), 0, 0.03);
  for (int k = 0; k < TICKS; k++)
    assert_near(f->t.recorded_q[k] / step, nearbyint(f->t.recorded_q[k] / step), 1e-9, 0);
  // now it does, and the recorder sees what it saw
  d = (rbv_sim_defects){.loop_counts = 1000};
  run(f, &f->t, &d, 1);
  assert_true(largest(f->exact.q, f->t.q, TICKS * N) > 1e-4);
  assert_near(largest(f->t.recorded_q, f->t.seen, TICKS * N), 0, 0, 0);
  for (int k = 0; k < TICKS; k++)
    assert_near(f->t.seen[k] / step, nearbyint(f->t.seen[k] / step), 1e-9, 0);
}

static void test_position_noise(void **state) {
  const fixture *f = *state;
  const rbv_sim_defects d = {.loop_noise = 1e-4};
  run(f, &f->t, &d, 5);
  for (int j = 0; j < N; j++) {
    const moments m = moments_of(f->t.seen + j * TICKS, f->t.q + j * TICKS);
    // 20,000 numbers: deviation to 0.5 %, mean and correlation to 0.7 % (1 sigma)
    assert_near(m.mean, 0, 4e-6, 0);
    assert_near(m.deviation, 1e-4, 0, 0.03);
    assert_near(m.correlation, 0, 0.03, 0);
  }
  assert_near(largest(f->t.recorded_q, f->t.seen, TICKS * N), 0, 0, 0);
}

static void test_disturbance(void **state) {
  const fixture *f = *state;
  const double size[N] = {0.5, 0.1};
  rbv_sim_defects d = {.disturbance = size};
  run(f, &f->t, &d, 5);
  for (int j = 0; j < N; j++) {
    const moments m = moments_of(f->t.applied + j * TICKS, f->t.tau + j * TICKS);
    assert_near(m.mean, 0, 0.03 * size[j], 0);
    assert_near(m.deviation, size[j], 0, 0.03);
    assert_near(m.correlation, 0, 0.03, 0);
  }
  assert_near(largest(f->t.tau, f->t.recorded_tau, TICKS * N), 0, 0, 0);
  d.disturbance_hz = 20;
  run(f, &f->t, &d, 5);
  const double pole = exp(-2 * M_PI * 20 / RATE);
  for (int j = 0; j < N; j++) {
    const moments m = moments_of(f->t.applied + j * TICKS, f->t.tau + j * TICKS);
    // about 1,250 independent numbers
    assert_near(m.deviation, size[j], 0, 0.1);
    assert_near(m.correlation, pole, 0.02, 0);
  }
}

static void test_torque_sensor(void **state) {
  const fixture *f = *state;
  const double noise[N] = {0.2, 0.05}, offset[N] = {1, -0.5}, ripple[N] = {0.3, 0.1};
  rbv_sim_defects d = {.torque_noise = noise};
  run(f, &f->t, &d, 9);
  assert_near(largest(f->exact.q, f->t.q, TICKS * N), 0, 0, 0);
  for (int j = 0; j < N; j++) {
    const moments m = moments_of(f->t.recorded_tau + j * TICKS, f->t.tau + j * TICKS);
    assert_near(m.deviation, noise[j], 0, 0.03);
    assert_near(m.correlation, 0, 0.03, 0);
  }
  d.torque_noise_hz = 50;
  run(f, &f->t, &d, 9);
  assert_near(moments_of(f->t.recorded_tau, f->t.tau).correlation, exp(-2 * M_PI * 50 / RATE), 0.02,
              0);
  d = (rbv_sim_defects){.torque_offset = offset, .ripple = ripple, .ripple_periods = 12};
  run(f, &f->t, &d, 9);
  for (int j = 0; j < N; j++)
    for (int k = 0; k < TICKS; k++) {
      const int i = k + j * TICKS;
      assert_near(f->t.recorded_tau[i], f->t.tau[i] + offset[j] + ripple[j] * sin(12 * f->t.q[i]),
                  1e-12, 0);
    }
  d = (rbv_sim_defects){.torque_delay = 7};
  run(f, &f->t, &d, 9);
  for (int k = 0; k < TICKS; k++)
    assert_near(f->t.recorded_tau[k], f->t.tau[k < 7 ? 0 : k - 7], 0, 0);
}

static void test_loop_delay(void **state) {
  const fixture *f = *state;
  const rbv_sim_defects d = {.loop_delay = 3};
  run(f, &f->t, &d, 9);
  for (int k = 0; k < TICKS; k++) assert_near(f->t.seen[k], f->t.q[k < 3 ? 0 : k - 3], 0, 0);
  assert_near(largest(f->t.recorded_q, f->t.q, TICKS * N), 0, 0, 0);
}

static void test_stamps_and_drops(void **state) {
  const fixture *f = *state;
  rbv_sim_defects d = {.jitter_s = 1e-4, .drop = 0.05};
  run(f, &f->t, &d, 3);
  const moments m = moments_of(f->t.recorded_t, f->exact.recorded_t);
  assert_near(m.deviation, 1e-4, 0, 0.03);
  int kept = 0;
  for (int k = 0; k < TICKS; k++) {
    kept += f->t.kept[k];
    if (k > 0) assert_true(f->t.recorded_t[k] > f->t.recorded_t[k - 1]);
  }
  assert_near(kept, 0.95 * TICKS, 0.01 * TICKS, 0);
  // wild jitter is cut before stamps change places
  d.jitter_s = 1;
  run(f, &f->t, &d, 3);
  for (int k = 1; k < TICKS; k++) assert_true(f->t.recorded_t[k] > f->t.recorded_t[k - 1]);
}

/* warm friction: after many time constants the robot is another robot */
static void test_drift(void **state) {
  const fixture *f = *state;
  const rbv_sim_defects d = {.drift = -0.4, .drift_s = 0.5};
  run(f, &f->t, &d, 3);
  double chi[64];
  const int n = rbv_model_column_count(f->m);
  for (int c = 0; c < n; c++) {
    const rbv_column *column = rbv_model_column(f->m, c);
    const bool friction = rbv_column_has_law(column, "Fv") || rbv_column_has_law(column, "Fc");
    chi[c] = rbv_model_parameters(f->m)[c] * (friction ? 0.6 : 1);
  }
  rbv_sim *s = make(f, NULL, 3);
  const rbv_sim_lane lane = {.chi = chi};
  assert_ok(rbv_sim_set(s, 0, &lane));
  rbv_sim_outcome outcome;
  rbv_sim_trace warm;
  assert_ok(rbv_sim_trace_new(&warm, N, TICKS));
  const rbv_sim_reference r = {.count = TICKS, .ld = TICKS, .q = f->q};
  assert_ok(rbv_sim_run(&outcome, s, &r, &warm));
  rbv_sim_free(s);
  // exp(-10 s / 0.5 s) is 2e-9; the integral forgets with 4 rad/s
  assert_near(largest(f->t.q + TICKS / 2, warm.q + TICKS / 2, TICKS / 2), 0, 1e-7, 0);
  assert_true(largest(f->t.q, warm.q, TICKS / 10) > 1e-4);
  rbv_sim_trace_free(&warm);
}

static void test_seeds(void **state) {
  const fixture *f = *state;
  const double noise[N] = {0.2, 0.05};
  const rbv_sim_defects d = {.loop_noise = 1e-4, .disturbance = noise, .torque_noise = noise};
  run(f, &f->t, &d, 11);
  rbv_sim_trace again;
  assert_ok(rbv_sim_trace_new(&again, N, TICKS));
  run(f, &again, &d, 11);
  assert_memory_equal(again.recorded_tau, f->t.recorded_tau, TICKS * N * sizeof(double));
  run(f, &again, &d, 12);
  assert_true(largest(again.recorded_tau, f->t.recorded_tau, TICKS * N) > 0.1);
  rbv_sim_trace_free(&again);
}

/* ---- logs and motions ---- */

static void test_log(void **state) {
  const fixture *f = *state;
  const rbv_sim_defects d = {.drop = 0.1, .record_counts = 4000};
  rbv_sim *s = make(f, &d, 4);
  rbv_sim_outcome outcome;
  const rbv_sim_reference r = {.count = 500, .ld = TICKS, .q = f->q};
  assert_ok(rbv_sim_run(&outcome, s, &r, &f->t));
  rbv_log *log;
  const rbv_sim_columns columns = {.reference = true, .velocity = true, .acceleration = true};
  assert_ok(rbv_sim_log(&log, s, 0, &f->t, &outcome, &columns));
  static const char *const names[] = {"t",   "q1",  "q2",  "tau1", "tau2", "qr1",
                                      "qr2", "dq1", "dq2", "ddq1", "ddq2"};
  assert_int_equal(rbv_log_column_count(log), 11);
  for (int i = 0; i < 11; i++) assert_string_equal(rbv_log_column_at(log, i)->name, names[i]);
  ptrdiff_t at = 0;
  for (int k = 0; k < 500; k++) {
    if (!f->t.kept[k]) continue;
    assert_near(rbv_log_column_at(log, 0)->values[at], k / RATE, 0, 1e-15);
    assert_near(rbv_log_column_at(log, 2)->values[at], f->t.recorded_q[k + TICKS], 0, 0);
    assert_near(rbv_log_column_at(log, 10)->values[at++], f->t.ddq[k + TICKS], 0, 0);
  }
  assert_int_equal(rbv_log_samples(log), at);
  rbv_log_free(log);
  rbv_sim_free(s);
}

/* a joint sensor sees the links, the motor all: the motion's rows are W chi */
static void test_motion_of_both_sides(void **state) {
  (void)state;
  rbv_model *m = load_robot("lwr4+", RBV_SENSING_BOTH, false);
  enum { JOINTS = 7, COUNT = 200 };
  double q[COUNT * JOINTS], chi[256] = {0}, J[JOINTS];
  assert_int_equal(rbv_model_joint_count(m), JOINTS);
  for (int c = 0; c < rbv_model_column_count(m); c++) {
    const rbv_column *column = rbv_model_column(m, c);
    static const double body[] = {0.05, 0, 0, 0.05, 0, 0.02, 0, 0.03, 0.01, 1.5};
    if (column->basis == RBV_BASIS_INERTIAL) chi[c] = body[column->component];
    if (rbv_column_has_law(column, "Ia")) chi[c] = 0.5;
    if (rbv_column_has_law(column, "Fv")) chi[c] = 1;
  }
  for (int j = 0; j < JOINTS; j++)
    for (int k = 0; k < COUNT; k++) q[k + j * COUNT] = 0.3 * j + 0.2 * sin(0.02 * k);
  const rbv_sim_reference r = {.count = COUNT, .ld = COUNT, .q = q};
  assert_ok(rbv_sim_inertia(J, m, chi, false, &r, 1));
  rbv_control_joint joint[JOINTS];
  for (int j = 0; j < JOINTS; j++) joint[j] = rbv_control_tune(J[j], 60, 0.1, 5);
  rbv_control *c;
  rbv_sim *s;
  rbv_sim_trace t;
  rbv_sim_outcome outcome;
  rbv_motion *motion;
  rbv_log *log;
  assert_ok(rbv_control_new(&c, NULL, RATE, RBV_FEEDFORWARD_NONE, joint, JOINTS));
  assert_ok(rbv_sim_new(&s, m, c, NULL, 1));
  const rbv_sim_lane lane = {.chi = chi};
  assert_ok(rbv_sim_set(s, 0, &lane));
  assert_ok(rbv_sim_trace_new(&t, JOINTS, COUNT));
  assert_ok(rbv_sim_run(&outcome, s, &r, &t));
  assert_int_equal(outcome.verdict, RBV_SIM_DONE);
  assert_ok(rbv_sim_motion(&motion, s, 0, &t, &outcome));
  assert_int_equal(rbv_motion_get_info(motion)->ntorque, 2 * JOINTS);
  static double torque[COUNT * 2 * JOINTS];
  const rbv_samples want = {.ld = COUNT, .torque = torque};
  assert_ok(rbv_motion_read(motion, &want, 0, COUNT));
  assert_ok(rbv_sim_log(&log, s, 0, &t, &outcome, NULL));
  assert_int_equal(rbv_log_get_sensing(log), RBV_LOG_SENSING_BOTH);
  for (int j = 0; j < JOINTS; j++)
    for (int k = 0; k < COUNT; k++) {
      assert_near(torque[k + j * COUNT], t.tau[k + j * COUNT], 0, 0);
      assert_near(rbv_log_channel(log, RBV_CHANNEL_JOINT_TORQUE, j)[k],
                  torque[k + (JOINTS + j) * COUNT], 0, 0);
      // what the motor turns besides the link: its rotor, and friction on its side
      const double rotor = 0.5 * t.ddq[k + j * COUNT];
      const double least = fabs(torque[k + j * COUNT] - torque[k + (JOINTS + j) * COUNT] - rotor);
      assert_true(least <= 1.0 * fabs(t.dq[k + j * COUNT]) + 1e-9);
    }
  rbv_log_free(log);
  rbv_motion_free(motion);
  rbv_sim_trace_free(&t);
  rbv_sim_free(s);
  rbv_control_free(c);
  rbv_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_no_defect),
      cmocka_unit_test(test_encoders),
      cmocka_unit_test(test_position_noise),
      cmocka_unit_test(test_disturbance),
      cmocka_unit_test(test_torque_sensor),
      cmocka_unit_test(test_loop_delay),
      cmocka_unit_test(test_stamps_and_drops),
      cmocka_unit_test(test_drift),
      cmocka_unit_test(test_seeds),
      cmocka_unit_test(test_log),
      cmocka_unit_test(test_motion_of_both_sides),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
