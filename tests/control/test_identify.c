/* Identification of control laws: exact with exact recordings, and in the closed loop with noisy
 * sensors. */
#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "control/control.h"

#include "base/support.h"
#include "loops.h"
#include "support.h"

#define N BENCH_JOINTS

static double gain_of(const rbv_control_found *f, const char *name, double *sigma) {
  for (int i = 0; i < f->ngain; i++)
    if (strcmp(f->gain[i].name, name) == 0) {
      if (sigma) *sigma = f->gain[i].sigma;
      return f->gain[i].value;
    }
  fail_msg("%s has no %s", f->structure, name);
  return NAN;
}

static rbv_control_id_options options_at(double rate_hz) {
  rbv_control_id_options o = rbv_control_id_defaults();
  o.rate_hz = rate_hz;
  return o;
}

/* ---- laws without a robot: position and reference are arbitrary signals ---- */

#define TICKS 3000
#define RATE 1000.0

typedef struct {
  double qr[TICKS], qm[TICKS], tau[TICKS];
} signals;

/* sums of sines, with high frequencies in the position, and a little noise that the
 * controller sees */
static void drive(signals *s, const rbv_control_joint *law, uint64_t seed) {
  rbv_control *c;
  rbv_control_state *state;
  assert_ok(rbv_control_new(&c, "truth", RATE, RBV_FEEDFORWARD_NONE, law, 1));
  assert_ok(rbv_control_state_new(&state, c, 1));
  for (int k = 0; k < TICKS; k++) {
    s->qr[k] = sin(0.004 * k) + 0.3 * sin(0.017 * k + (double)seed);
    s->qm[k] = sin(0.004 * (k - 4)) + 0.3 * sin(0.017 * (k - 4) + (double)seed) +
               2e-3 * (sin(0.08 * k) + sin(0.31 * k) + sin(0.9 * k)) +
               1e-5 * rbv_random_normal(seed, 1, (uint64_t)k);
    const double dqr = RATE * (0.004 * cos(0.004 * k) + 0.3 * 0.017 * cos(0.017 * k));
    const rbv_control_input in = {.qr = &s->qr[k], .qm = &s->qm[k], .dqr = &dqr};
    rbv_control_step(&s->tau[k], state, &in);
  }
  rbv_control_state_free(state);
  rbv_control_free(c);
}

static rbv_control_record record_of(const signals *s) {
  return (rbv_control_record){
      .name = "signals", .count = TICKS, .ld = TICKS, .qr = s->qr, .qm = s->qm, .tau = s->tau};
}

static rbv_control_joint pid(double k_p, double k_i, double k_d, double filter_s) {
  rbv_control_joint j = rbv_control_joint_defaults();
  j.k_p = k_p;
  j.k_i = k_i;
  j.k_d = k_d;
  j.filter_s = filter_s;
  return j;
}

static void assert_same_law(const rbv_control_joint *got, const rbv_control_joint *want,
                            double rel) {
  assert_int_equal(got->kind, want->kind);
  assert_int_equal(got->delay, want->delay);
  assert_near(got->k_p, want->k_p, 0, rel);
  assert_near(got->k_i, want->k_i, 0, rel);
  assert_near(got->k_d, want->k_d, 0, rel);
  assert_near(got->filter_s, want->filter_s, 0, rel);
  if (want->kind == RBV_CONTROL_CASCADE) {
    assert_near(got->k_x, want->k_x, 0, rel);
    assert_near(got->reference_velocity, want->reference_velocity, rel, rel);
  }
  assert_near(got->velocity_gain, want->velocity_gain, 0, rel);
  assert_near(got->acceleration_gain, want->acceleration_gain, 0, rel);
}

/* every kind of PID is found, with the smallest number of terms */
static void test_family_of_pids_is_found_exactly(void **state) {
  (void)state;
  static signals s;
  rbv_control_joint law[] = {pid(50, 0, 0, 0),      pid(50, 200, 0, 0),      pid(50, 0, 3, 0),
                             pid(50, 0, 3, 4e-3),   pid(50, 200, 3, 0),      pid(50, 200, 3, 4e-3),
                             pid(50, 200, 3, 4e-3), pid(-50, -200, -3, 0.02)};
  law[6].delay = 3;
  const char *const structure[] = {"p",
                                   "pi",
                                   "pd",
                                   "pd with filter",
                                   "pid",
                                   "pid with filter",
                                   "pid with filter",
                                   "pid with filter"};
  const rbv_control_id_options o = options_at(RATE);
  for (int i = 0; i < RBV_COUNT(law); i++) {
    drive(&s, &law[i], 1 + (uint64_t)i);
    const rbv_control_record r = record_of(&s);
    rbv_control_found f;
    rbv_control *c;
    assert_ok(rbv_control_identify(&c, &f, 1, &r, 1, &o));
    assert_non_null(c);
    assert_string_equal(f.structure, structure[i]);
    assert_int_equal(f.method, RBV_CONTROL_ID_LS);
    assert_true(f.integrates == (law[i].k_i != 0));
    // a free pole explains as much and costs one parameter
    if (f.integrates) assert_near(f.integrator_gain, log(f.used), 1e-6, 0);
    assert_same_law(rbv_control_get_joint(c, 0), &law[i], 1e-7);
    assert_near(gain_of(&f, "k_p", NULL), law[i].k_p, 0, 1e-7);
    rbv_control_free(c);
  }
}

/* a pole at 0.99 is a leak and not an integrator: it is not moved to 1 */
static void test_leak_is_not_an_integrator(void **state) {
  (void)state;
  static signals s;
  rbv_control_joint law = rbv_control_joint_defaults();
  law.kind = RBV_CONTROL_TRANSFER;
  law.transfer = (rbv_transfer){.nnum = 2, .nden = 2, .num = {10, -9.8}, .den = {1, -0.99}};
  drive(&s, &law, 3);
  const rbv_control_record r = record_of(&s);
  const rbv_control_id_options o = options_at(RATE);
  rbv_control_found f;
  rbv_control *c;
  assert_ok(rbv_control_identify(&c, &f, 1, &r, 1, &o));
  assert_false(f.integrates);
  // 10 - 9.8 z^-1 over 1 - 0.99 z^-1 is a PD whose filter has this pole
  rbv_transfer H;
  assert_ok(rbv_control_transfer(&H, c, 0));
  for (int i = 0; i < 2; i++) {
    assert_near(H.num[i], law.transfer.num[i], 0, 1e-8);
    assert_near(H.den[i], law.transfer.den[i], 0, 1e-8);
  }
  assert_true(f.zero < 1);
  rbv_control_free(c);
}

/* num/den with a zero outside the unit circle is found, and its zero is reported */
static void test_zero_outside_unit_circle_is_reported(void **state) {
  (void)state;
  static signals s;
  rbv_control_joint law = rbv_control_joint_defaults();
  law.kind = RBV_CONTROL_TRANSFER;
  law.transfer =
      (rbv_transfer){.nnum = 3, .nden = 3, .num = {10, -22, 11.9}, .den = {1, -1.2, 0.52}};
  drive(&s, &law, 3);
  const rbv_control_record r = record_of(&s);
  const rbv_control_id_options o = options_at(RATE);
  rbv_control_found f;
  rbv_control *c;
  rbv_transfer H;
  assert_ok(rbv_control_identify(&c, &f, 1, &r, 1, &o));
  assert_string_equal(f.structure, "transfer function 2/2");
  // roots of 10 z^2 - 22 z + 11.9: 1.1 +- sqrt(0.02)
  assert_near(f.zero, 1.1 + sqrt(0.02), 0, 1e-6);
  assert_ok(rbv_control_transfer(&H, c, 0));
  assert_refused(rbv_transfer_inverse(&H, &H), RBV_ENUM, "not inside the unit circle");
  rbv_control_free(c);
}

/* with limits and anti-windup, the samples between the limits still follow the law */
static void test_saturated_samples_are_left_out(void **state) {
  (void)state;
  static signals s;
  rbv_control_joint law = pid(50, 200, 0.2, 4e-3);
  law.lower = -0.8;
  law.upper = 1;
  // (clamp also stops the integral at samples just below the limit, which cannot be recognised)
  law.antiwindup = RBV_ANTIWINDUP_TRACKING;
  law.tracking_s = 0.05;
  drive(&s, &law, 5);
  const rbv_control_record r = record_of(&s);
  const rbv_control_id_options o = options_at(RATE);
  rbv_control_found f;
  rbv_control *c;
  assert_ok(rbv_control_identify(&c, &f, 1, &r, 1, &o));
  assert_true(f.saturated > 100);
  assert_true(f.used + f.saturated <= TICKS);
  const rbv_control_joint *got = rbv_control_get_joint(c, 0);
  assert_same_law(got, &law, 1e-6);
  assert_near(got->lower, -0.8, 0, 0);
  assert_near(got->upper, 1, 0, 0);
  rbv_control_free(c);
}

/* two recordings, one with invalid samples, give one estimate */
static void test_several_records_and_holes(void **state) {
  (void)state;
  static signals a, b;
  const rbv_control_joint law = pid(50, 200, 3, 4e-3);
  drive(&a, &law, 1);
  drive(&b, &law, 2);
  for (int k = 1000; k < 1100; k++) b.qm[k] = NAN;
  const rbv_control_record r[] = {record_of(&a), record_of(&b)};
  const rbv_control_id_options o = options_at(RATE);
  rbv_control_found f;
  rbv_control *c;
  assert_ok(rbv_control_identify(&c, &f, 1, r, 2, &o));
  assert_true(f.used > 2 * TICKS - 100 - 3 * 20 && f.used <= 2 * TICKS - 100);
  assert_same_law(rbv_control_get_joint(c, 0), &law, 1e-7);
  rbv_control_free(c);
}

/* ---- methods and kinds of noise ---- */

/* |H / H_0 - 1| at a frequency */
static double response_error(const rbv_control *got, const rbv_control_joint *want, double hertz) {
  rbv_control *c;
  double complex value[2];
  assert_ok(rbv_control_new(&c, "truth", RATE, RBV_FEEDFORWARD_NONE, want, 1));
  for (int i = 0; i < 2; i++) {
    rbv_transfer H;
    assert_ok(rbv_control_transfer(&H, i ? got : c, 0));
    const double complex late = cexp(-I * 2 * M_PI * hertz / RATE);
    double complex num = 0, den = 0;
    for (int k = H.nnum - 1; k >= 0; k--) num = num * late + H.num[k];
    for (int k = H.nden - 1; k >= 0; k--) den = den * late + H.den[k];
    value[i] = num / den;
  }
  rbv_control_free(c);
  return cabs(value[1] / value[0] - 1);
}

/* error of the law at 20 Hz with low-frequency noise in the recorded torque: pem models the noise,
 * sriv takes it as white */
static void test_noise_model_helps_in_coloured_noise(void **state) {
  (void)state;
  static signals s;
  const rbv_control_joint law = pid(50, 200, 3, 4e-3);
  double square[2] = {0};
  const int runs = 12;
  for (int i = 0; i < runs; i++) {
    drive(&s, &law, 10 + (uint64_t)i);
    double noise = 0;
    for (int k = 0; k < TICKS; k++) {
      noise = 0.98 * noise + 0.05 * rbv_random_normal(10 + (uint64_t)i, 7, (uint64_t)k);
      s.tau[k] += noise;
    }
    const rbv_control_record r = record_of(&s);
    rbv_control_id_options o = options_at(RATE);
    o.feedforward = false;
    for (int m = 0; m < 2; m++) {
      rbv_control_found f;
      rbv_control *c;
      o.method = m ? RBV_CONTROL_ID_PEM : RBV_CONTROL_ID_SRIV;
      assert_ok(rbv_control_identify(&c, &f, 1, &r, 1, &o));
      assert_false(f.backwards);
      assert_non_null(c);
      square[m] += pow(response_error(c, &law, 20), 2) / runs;
      rbv_control_free(c);
    }
  }
  print_message("error of the law at 20 Hz, rms of %d runs: sriv %.2g %%, pem %.2g %%\n", runs,
                100 * sqrt(square[0]), 100 * sqrt(square[1]));
  assert_true(sqrt(square[1]) < 0.5 * sqrt(square[0]));
}

/* ---- the robot in closed loop ---- */

/* PD, PID without filter, feed-forward, delay, cascade and a transfer function on one robot */
static void test_exact_loops_give_their_laws(void **state) {
  (void)state;
  rbv_model *m = bench_model();
  rbv_control_joint law[N];
  loop_tune(law, m, 2, 0.2, 10);
  law[0].k_i = 0;
  law[1].filter_s = 0;
  law[2].velocity_gain = 3;
  law[2].acceleration_gain = 0.2;
  law[3].delay = 2;
  const double k_d = law[4].k_d, k = law[5].k_p;
  law[4] = rbv_control_joint_defaults();
  law[4].kind = RBV_CONTROL_CASCADE;
  law[4].k_x = 75;
  law[4].k_p = k_d;
  law[4].k_i = 15 * k_d;
  law[4].filter_s = 7e-4;
  law[4].reference_velocity = 0;
  law[5].kind = RBV_CONTROL_TRANSFER;
  law[5].transfer = (rbv_transfer){
      .nnum = 3, .nden = 3, .num = {6 * k, -11.7 * k, 5.71 * k}, .den = {1, -1.1, 0.3}};
  rbv_control *truth, *c;
  assert_ok(rbv_control_new(&truth, "truth", BENCH_RATE, RBV_FEEDFORWARD_NONE, law, N));
  rbv_sim_trace t;
  const loop_options how = {.count = 6000};
  loop_run(&t, m, truth, &how);
  const rbv_control_record r = loop_record(&t, how.count);
  const rbv_control_id_options o = options_at(BENCH_RATE);
  rbv_control_found f[N];
  assert_ok(rbv_control_identify(&c, f, N, &r, 1, &o));
  for (int j = 0; j < N - 1; j++)
    assert_same_law(rbv_control_get_joint(c, j), rbv_control_get_joint(truth, j), 1e-6);
  rbv_transfer H;
  assert_ok(rbv_control_transfer(&H, c, N - 1));
  for (int i = 0; i < 3; i++) {
    assert_near(H.num[i], law[5].transfer.num[i], 0, 1e-6);
    assert_near(H.den[i], law[5].transfer.den[i], 0, 1e-6);
  }
  rbv_control_free(c);
  rbv_control_free(truth);
  rbv_sim_trace_free(&t);
  rbv_model_free(m);
}

/* mode `inloop`: the encoder is in the loop, so the recorded signals are those of the controller */
static void test_inloop_is_exact_by_least_squares(void **state) {
  (void)state;
  rbv_model *m = bench_model();
  rbv_control_joint law[N];
  loop_tune(law, m, 1, 0.1, 3);
  rbv_control *truth, *c;
  assert_ok(rbv_control_new(&truth, "truth", BENCH_RATE, RBV_FEEDFORWARD_NONE, law, N));
  const rbv_control_id_options o = options_at(BENCH_RATE);
  for (uint64_t seed = 1; seed <= 3; seed++) {
    rbv_sim_trace t;
    const loop_options how = {
        .count = 10000, .loop_counts = 3600, .disturbance = 0.02, .seed = seed};
    loop_run(&t, m, truth, &how);
    const rbv_control_record r = loop_record(&t, how.count);
    rbv_control_found f[N];
    assert_ok(rbv_control_identify(&c, f, N, &r, 1, &o));
    for (int j = 0; j < N; j++) {
      assert_int_equal(f[j].method, RBV_CONTROL_ID_LS);
      assert_same_law(&f[j].law, &law[j], 1e-6);
    }
    rbv_control_free(c);
    // joints on several threads: the same bytes
    rbv_control_found parallel[N];
    rbv_control_id_options two = o;
    two.threads = 2;
    assert_ok(rbv_control_identify(&c, parallel, N, &r, 1, &two));
    assert_memory_equal(parallel, f, sizeof f);
    rbv_control_free(c);
    rbv_sim_trace_free(&t);
  }
  rbv_control_free(truth);
  rbv_model_free(m);
}

/* mode `offline`: the encoder of the recorder is coarse, that of the controller was not */
static void test_offline_needs_instruments(void **state) {
  (void)state;
  rbv_model *m = bench_model();
  rbv_control_joint law[N];
  loop_tune(law, m, 2, 0.2, 10);
  rbv_control *truth, *c;
  assert_ok(rbv_control_new(&truth, "truth", BENCH_RATE, RBV_FEEDFORWARD_NONE, law, N));
  rbv_control_id_options o = options_at(BENCH_RATE);
  const loop_options how = {
      .count = BENCH_SAMPLES, .record_counts = 3600, .disturbance = 0.02, .seed = 1};
  rbv_sim_trace t;
  loop_run(&t, m, truth, &how);
  // two joints here; all joints and more seeds in the slow test
  for (int j = 0; j < N; j += 3) {
    rbv_control_record r = loop_record(&t, how.count);
    r.qr += j * r.ld;
    r.qm += j * r.ld;
    r.tau += j * r.ld;
    rbv_control_found f;
    assert_ok(rbv_control_identify(&c, &f, 1, &r, 1, &o));
    assert_int_equal(f.method, RBV_CONTROL_ID_SRIV);
    assert_true(f.backwards && f.explained && f.integrates);
    rbv_control_free(c);
    print_message("joint %d: k_p %.4g, refined %.4g; simulated error of ls %.3g %%, sriv %.3g %%\n",
                  j + 1, law[j].k_p, gain_of(&f, "k_p", NULL), 100 * f.error_ls,
                  100 * f.error_sriv);
    assert_true(f.error_ls > 3 * f.error_sriv);
    // 34,500 samples of an error of about one encoder count
    assert_near(gain_of(&f, "k_p", NULL), law[j].k_p, 0, 0.02);
    assert_near(gain_of(&f, "k_i", NULL), law[j].k_i, 0, 0.02);
    assert_near(gain_of(&f, "k_d", NULL), law[j].k_d, 0, 0.05);
  }
  rbv_sim_trace_free(&t);
  rbv_control_free(truth);
  rbv_model_free(m);
}

/* white noise on the recorded torque alone: the law is estimated forwards, and sigma
 * is realistic */
static void test_noise_in_the_torque(void **state) {
  (void)state;
  static signals s;
  const rbv_control_joint law = pid(50, 200, 3, 4e-3);
  for (uint64_t seed = 1; seed <= 4; seed++) {
    drive(&s, &law, seed);
    for (int k = 0; k < TICKS; k++) s.tau[k] += 0.6 * rbv_random_normal(seed, 9, (uint64_t)k);
    const rbv_control_record r = record_of(&s);
    const rbv_control_id_options o = options_at(RATE);
    rbv_control_found f;
    rbv_control *c;
    assert_ok(rbv_control_identify(&c, &f, 1, &r, 1, &o));
    assert_int_equal(f.method, RBV_CONTROL_ID_SRIV);
    assert_false(f.backwards);
    assert_string_equal(f.structure, "pid with filter");
    const char *const name[] = {"k_p", "k_i", "k_d", "filter_s"};
    const double want[] = {50, 200, 3, 4e-3};
    for (int i = 0; i < 4; i++) {
      double sigma;
      const double got = gain_of(&f, name[i], &sigma);
      assert_true(fabs(got - want[i]) < 4 * sigma);
      assert_true(sigma < 0.1 * want[i]);
    }
    rbv_control_free(c);
  }
}

/* ---- refusals ---- */

static void test_refusals(void **state) {
  (void)state;
  static signals s;
  const rbv_control_joint law = pid(50, 200, 3, 4e-3);
  rbv_control_found f;
  rbv_control *c;
  rbv_control_id_options o = options_at(RATE);
  drive(&s, &law, 1);
  rbv_control_record r = record_of(&s);
  r.qr = NULL;
  assert_refused(rbv_control_identify(&c, &f, 1, &r, 1, &o), RBV_EINPUT, "without the reference");
  r = record_of(&s);
  r.tau = NULL;
  assert_refused(rbv_control_identify(&c, &f, 1, &r, 1, &o), RBV_EINPUT, "record both, as q1");
  r = record_of(&s);
  r.count = 150;
  assert_refused(rbv_control_identify(&c, &f, 1, &r, 1, &o), RBV_EINPUT, "record longer");
  r = record_of(&s);
  o.rate_hz = 0;
  assert_refused(rbv_control_identify(&c, &f, 1, &r, 1, &o), RBV_EINPUT,
                 "sample rate of the recording");
  // the defaults have no rate
  assert_refused(rbv_control_identify(&c, &f, 1, &r, 1, NULL), RBV_EINPUT, "sample rate");
  o = options_at(RATE);
  o.order = 4;
  assert_refused(rbv_control_identify(&c, &f, 1, &r, 1, &o), RBV_EARG, "order");
  o = options_at(RATE);
  o.delay = 17;
  assert_refused(rbv_control_identify(&c, &f, 1, &r, 1, &o), RBV_EARG, "delay");
  o = options_at(RATE);
  for (int k = 0; k < TICKS; k++) s.qr[k] = 0.5;
  assert_refused(rbv_control_identify(&c, &f, 1, &r, 1, &o), RBV_EINPUT, "never moves");
  drive(&s, &law, 1);
  for (int k = 0; k < TICKS; k++) s.tau[k] = 0.5;
  assert_refused(rbv_control_identify(&c, &f, 1, &r, 1, &o), RBV_EINPUT, "constant");
}

/* an order of zero means the default order, so zeroed options need only the rate */
static void test_zeroed_options_need_only_the_rate(void **state) {
  (void)state;
  static signals s;
  const rbv_control_joint law = pid(50, 200, 3, 4e-3);
  drive(&s, &law, 1);
  const rbv_control_record r = record_of(&s);
  const rbv_control_id_options zeroed = {.rate_hz = RATE};
  rbv_control_found f;
  rbv_control *c;
  assert_ok(rbv_control_identify(&c, &f, 1, &r, 1, &zeroed));
  assert_string_equal(f.structure, "pid with filter");
  rbv_control_free(c);
}

/* a torque that is unrelated to the error, or not a linear function of it */
static void test_no_linear_law(void **state) {
  (void)state;
  static signals s;
  const rbv_control_joint law = pid(50, 200, 3, 4e-3);
  const rbv_control_id_options o = options_at(RATE);
  rbv_control_found f;
  rbv_control *c;
  drive(&s, &law, 1);
  for (int k = 0; k < TICKS; k++) s.tau[k] = rbv_random_normal(2, 3, (uint64_t)k);
  const rbv_control_record r = record_of(&s);
  assert_ok(rbv_control_identify(&c, &f, 1, &r, 1, &o));
  assert_null(c);
  assert_false(f.explained);
}

/* ---- each allocation fails once ---- */

static rbv_status identify_small(void *state) {
  rbv_control_record r = record_of(state);
  r.count = 300;
  rbv_control_id_options o = options_at(RATE);
  o.order = 1;
  o.delay = 0;
  o.feedforward = false;
  rbv_control_found f;
  rbv_control *c;
  const rbv_status status = rbv_control_identify(&c, &f, 1, &r, 1, &o);
  rbv_control_free(c);
  return status;
}

static void test_each_allocation_may_fail(void **state) {
  (void)state;
  static signals s;
  const rbv_control_joint law = pid(50, 200, 0, 0);
  drive(&s, &law, 1);
  fail_each_allocation(identify_small, &s);
  for (int k = 0; k < TICKS; k++) s.tau[k] += 0.1 * rbv_random_normal(2, 3, (uint64_t)k);
  fail_each_allocation(identify_small, &s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_family_of_pids_is_found_exactly),
      cmocka_unit_test(test_leak_is_not_an_integrator),
      cmocka_unit_test(test_zero_outside_unit_circle_is_reported),
      cmocka_unit_test(test_saturated_samples_are_left_out),
      cmocka_unit_test(test_several_records_and_holes),
      cmocka_unit_test(test_noise_model_helps_in_coloured_noise),
      cmocka_unit_test(test_exact_loops_give_their_laws),
      cmocka_unit_test(test_inloop_is_exact_by_least_squares),
      cmocka_unit_test(test_offline_needs_instruments),
      cmocka_unit_test(test_noise_in_the_torque),
      cmocka_unit_test(test_refusals),
      cmocka_unit_test(test_zeroed_options_need_only_the_rate),
      cmocka_unit_test(test_no_linear_law),
      cmocka_unit_test(test_each_allocation_may_fail),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
