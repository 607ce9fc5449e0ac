/* Controllers: cases computed by hand, transfer functions and their inverses, limits, YAML. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "control/control.h"
#include "document/document.h"

#include "base/support.h"
#include "nodes.h"
#include "signal/filter_kernel.h"
#include "support.h"

#define RATE 1000.0

static rbv_control *make(const rbv_control_joint *joint, int n) {
  rbv_control *c;
  assert_ok(rbv_control_new(&c, "test", RATE, RBV_FEEDFORWARD_NONE, joint, n));
  return c;
}

static rbv_control_state *start(const rbv_control *c, int lanes) {
  rbv_control_state *s;
  assert_ok(rbv_control_state_new(&s, c, lanes));
  return s;
}

/* torque of a single joint in a single lane */
static double tick(rbv_control_state *s, double qr, double qm) {
  double tau;
  const rbv_control_input in = {.qr = &qr, .qm = &qm};
  rbv_control_step(&tau, s, &in);
  return tau;
}

/* ---- cases computed by hand ---- */

static void test_pid_by_hand(void **state) {
  (void)state;
  rbv_control_joint j = rbv_control_joint_defaults();
  j.k_p = 10;
  j.k_i = 100;
  j.k_d = 0.5;
  rbv_control *c = make(&j, 1);
  rbv_control_state *s = start(c, 1);
  // e = 2, then 1: integral 100/1000 * (2, 3), difference 1000 * (2, -1)
  assert_near(tick(s, 3, 1), 20 + 0.2 + 1000, 0, 1e-15);
  assert_near(tick(s, 3, 2), 10 + 0.3 - 500, 0, 1e-15);
  rbv_control_reset(s);
  assert_near(tick(s, 3, 1), 20 + 0.2 + 1000, 0, 1e-15);
  rbv_control_state_free(s);
  rbv_control_free(c);
}

/* k_p (q_r - q_m) - k_d dq_m: the reference does not move the difference */
static void test_damping_of_the_measured_velocity(void **state) {
  (void)state;
  rbv_control_joint j = rbv_control_joint_defaults();
  j.k_p = 10;
  j.k_d = 0.5;
  j.reference_velocity = 0;
  rbv_control *c = make(&j, 1);
  rbv_control_state *s = start(c, 1);
  assert_near(tick(s, 3, 1), 20, 0, 1e-15);
  assert_near(tick(s, 7, 1), 60, 0, 1e-15);
  assert_near(tick(s, 7, 1.5), 55 - 250, 0, 1e-15);
  rbv_control_state_free(s);
  rbv_control_free(c);
}

static void test_cascade_by_hand(void **state) {
  (void)state;
  rbv_control_joint j = rbv_control_joint_defaults();
  j.kind = RBV_CONTROL_CASCADE;
  j.k_x = 40;
  j.k_p = 3;
  j.k_i = 20;
  j.reference_velocity = 0;
  rbv_control *c = make(&j, 1);
  rbv_control_state *s = start(c, 1);
  // v = 40 * 1 + 0, then 40 * 0.5 - 1000 * 0.5
  assert_near(tick(s, 1, 0), 3 * 40 + 0.02 * 40, 0, 1e-15);
  assert_near(tick(s, 1, 0.5), -3 * 480 + 0.02 * (40 - 480), 0, 1e-15);
  rbv_control_state_free(s);
  rbv_control_free(c);
}

static void test_feed_forward_scale_and_delay(void **state) {
  (void)state;
  rbv_control_joint j = rbv_control_joint_defaults();
  j.k_p = 10;
  j.velocity_gain = 2;
  j.acceleration_gain = 3;
  j.delay = 2;
  rbv_control *c = make(&j, 1);
  assert_true(rbv_control_needs_velocity(c) && rbv_control_needs_acceleration(c));
  rbv_control_state *s = start(c, 1);
  rbv_control_set_scale(s, 0, 0, 0.5);
  const double qr = 1, qm = 0, dqr = 4, ddqr = 5, model = 7;
  const rbv_control_input in = {&qr, &qm, &dqr, &ddqr, &model};
  double tau;
  for (int k = 0; k < 4; k++) {
    rbv_control_step(&tau, s, &in);
    assert_near(tau, k < 2 ? 0 : 0.5 * (10 + 8 + 15) + 7, 0, 1e-15);
  }
  rbv_control_state_free(s);
  rbv_control_free(c);
}

/* ---- transfer functions ---- */

static void test_pid_agrees_with_reference_program(void **state) {
  (void)state;
  rbv_document *doc;
  assert_ok(rbv_document_load(&doc, TEST_DATA "/tx40_closed_loop.json"));
  const rbv_node *root = rbv_document_root(doc);
  for (int j = 0; j < 6; j++) {
    double gain[4], num[3], den[3];
    assert_ok(rbv_node_reals(gain, 4, rbv_node_at(node_at(root, "ctl_kp_ki_kd_Tf"), j)));
    assert_ok(rbv_node_reals(num, 3, rbv_node_at(node_at(root, "pid_num"), j)));
    assert_ok(rbv_node_reals(den, 3, rbv_node_at(node_at(root, "pid_den"), j)));
    double J, w;
    assert_ok(rbv_node_real(&J, rbv_node_at(node_at(root, "Jmax"), j)));
    assert_ok(rbv_node_real(&w, rbv_node_at(node_at(root, "wn"), j)));
    const rbv_control_joint tuned = rbv_control_tune(J, w, 0.2, 10);
    const double mine[] = {tuned.k_p, tuned.k_i, tuned.k_d, tuned.filter_s};
    for (int i = 0; i < 4; i++) assert_near(mine[i], gain[i], 0, 1e-14);
    rbv_control *c;
    assert_ok(rbv_control_new(&c, NULL, 5000, RBV_FEEDFORWARD_NONE, &tuned, 1));
    rbv_transfer H;
    assert_ok(rbv_control_transfer(&H, c, 0));
    assert_int_equal(H.nnum, 3);
    assert_int_equal(H.nden, 3);
    for (int i = 0; i < 3; i++) {
      assert_near(H.num[i], num[i], 0, 1e-12);
      assert_near(H.den[i], den[i], 1e-15, 1e-13);
    }
    rbv_control_free(c);
  }
  rbv_document_free(doc);
}

#define SAMPLES 400

static void noise(double *x, int count, uint64_t seed) {
  for (int k = 0; k < count; k++) x[k] = rbv_random_normal(seed, 7, (uint64_t)k);
}

static rbv_control_joint sample_joint(int i) {
  rbv_control_joint j = rbv_control_joint_defaults();
  j.filter_s = 2e-3;
  j.k_p = 30;
  if (i == 1) j.k_d = 0.4;
  if (i == 2) j.k_i = 200, j.k_d = 0.4;
  if (i == 3) j.kind = RBV_CONTROL_CASCADE, j.k_x = 25, j.k_i = 100;
  if (i == 4) j.kind = RBV_CONTROL_CASCADE, j.k_x = 25, j.filter_s = 0;
  if (i == 5) {
    j.kind = RBV_CONTROL_TRANSFER;
    j.transfer = (rbv_transfer){.nnum = 4, .nden = 3, .num = {0, 20, -18, 3}, .den = {2, -1, 0.3}};
    j.delay = 3;
  }
  return j;
}

/* stepping and filtering give the same torque; the inverse gives the error back */
static void test_step_filter_and_inverse(void **state) {
  (void)state;
  for (int i = 0; i < 6; i++) {
    const rbv_control_joint j = sample_joint(i);
    rbv_control *c = make(&j, 1);
    rbv_control_state *s = start(c, 1);
    double e[SAMPLES], tau[SAMPLES], filtered[SAMPLES], back[SAMPLES];
    noise(e, SAMPLES, (uint64_t)i);
    rbv_transfer H, inverse;
    assert_ok(rbv_control_transfer(&H, c, 0));
    assert_int_equal(H.advance, i == 5 ? -3 : 0);
    assert_ok(rbv_transfer_filter(filtered, SAMPLES, &H, e, SAMPLES, SAMPLES, 1));
    for (int k = 0; k < SAMPLES; k++) {
      tau[k] = tick(s, 0, -e[k]);
      assert_near(tau[k], filtered[k], 1e-9, 1e-12);
    }
    assert_ok(rbv_transfer_inverse(&inverse, &H));
    assert_int_equal(inverse.advance, i == 5 ? 4 : 0);  // its num begins with a zero
    assert_ok(rbv_transfer_filter(back, SAMPLES, &inverse, tau, SAMPLES, SAMPLES, 1));
    for (int k = 0; k < SAMPLES - inverse.advance; k++) assert_near(back[k], e[k], 1e-9, 1e-9);
    // in place
    memcpy(back, tau, sizeof tau);
    assert_ok(rbv_transfer_filter(back, SAMPLES, &inverse, back, SAMPLES, SAMPLES, 1));
    for (int k = 0; k < SAMPLES - inverse.advance; k++) assert_near(back[k], e[k], 1e-9, 1e-9);
    rbv_control_state_free(s);
    rbv_control_free(c);
  }
}

static void test_columns_are_filtered_separately(void **state) {
  (void)state;
  const rbv_transfer H = {.nnum = 2, .nden = 2, .num = {1, 0.5}, .den = {1, -0.9}, .advance = 1};
  double x[30], y[36], one[10];
  noise(x, 30, 1);
  assert_ok(rbv_transfer_filter(y, 12, &H, x, 10, 10, 3));
  for (int j = 0; j < 3; j++) {
    assert_ok(rbv_transfer_filter(one, 10, &H, x + 10 * j, 10, 10, 1));
    for (int k = 0; k < 10; k++) assert_near(y[12 * j + k], one[k], 0, 0);
    assert_near(one[9], one[8], 0, 0);
  }
}

static void test_roots(void **state) {
  (void)state;
  // (1 - 0.5 z^-1)(1 + 2 z^-1), (1 - 0.9 exp(+-i) z^-1)
  const rbv_transfer H = {
      .nnum = 3, .nden = 3, .num = {1, 1.5, -1}, .den = {1, -1.8 * cos(1), 0.81}};
  double zero, pole;
  rbv_transfer_extent(&zero, &pole, &H);
  assert_near(zero, 2, 0, 1e-14);
  assert_near(pole, 0.9, 0, 1e-14);
  // a double root, and many
  const rbv_transfer twice = {.nnum = 3, .nden = 9, .num = {4, -4, 1}, .den = {1, [8] = -0.5}};
  rbv_transfer_extent(&zero, &pole, &twice);
  assert_near(zero, 0.5, 1e-7, 0);
  assert_near(pole, pow(0.5, 1.0 / 8), 0, 1e-14);
  const rbv_transfer none = {.nnum = 1, .nden = 1, .num = {3}, .den = {1}};
  rbv_transfer_extent(&zero, &pole, &none);
  assert_near(zero + pole, 0, 0, 0);
}

/* H with some of its zeros divided out is the rest: the same response as its product */
static void test_zeros_are_divided_out(void **state) {
  (void)state;
  // 2 (1 - z^-1)(1 - 0.5 z^-1)(1 - 2 0.99 cos(0.3) z^-1 + 0.99^2 z^-2)
  const double c = -2 * 0.99 * cos(0.3), d = 0.99 * 0.99;
  const rbv_transfer fast = {.nnum = 2, .nden = 2, .num = {2, -1}, .den = {1, -0.3}};
  rbv_transfer H = {.nnum = 5,
                    .nden = 2,
                    .num = {2, 2 * c - 3, 2 * d - 3 * c + 1, c - 3 * d, d},
                    .den = {1, -0.3}};
  assert_int_equal(rbv_transfer_drop_zeros(&H, 1.01), 0);
  assert_int_equal(H.nnum, 5);
  rbv_transfer rest = H;
  assert_int_equal(rbv_transfer_drop_zeros(&rest, 0.9), 3);
  assert_int_equal(rest.nnum, 2);
  for (int i = 0; i < 2; i++) assert_near(rest.num[i], fast.num[i], 1e-12, 0);
  assert_int_equal(rest.nden, 2);
  assert_near(rest.den[1], -0.3, 0, 0);
  // an integrator alone; a delay in front of it stays
  rbv_transfer late = {.nnum = 3, .nden = 1, .num = {0, 3, -3}, .den = {1}};
  assert_int_equal(rbv_transfer_drop_zeros(&late, 0.999), 1);
  assert_int_equal(late.nnum, 2);
  assert_near(late.num[0], 0, 0, 0);
  assert_near(late.num[1], 3, 1e-14, 0);
  rbv_transfer unit = rbv_transfer_unit();
  assert_int_equal(rbv_transfer_drop_zeros(&unit, 0), 0);
}

static void test_unstable_inverse_is_refused(void **state) {
  (void)state;
  rbv_transfer H = {.nnum = 2, .nden = 1, .num = {1, -1.25}, .den = {1}}, out;
  assert_refused(rbv_transfer_inverse(&out, &H), RBV_ENUM, "zero at 1.25");
  assert_non_null(strstr(rbv_message(), "use a method without prefilter"));
  H.num[1] = 1;  // on the unit circle
  assert_refused(rbv_transfer_inverse(&out, &H), RBV_ENUM, "unit circle");
  H.num[0] = H.num[1] = 0;
  assert_refused(rbv_transfer_inverse(&out, &H), RBV_ENUM, "has no inverse");
}

/* ---- limits ---- */

static void test_limit_and_windup(void **state) {
  (void)state;
  rbv_control_joint j = rbv_control_joint_defaults();
  j.k_p = 1;
  j.k_i = 1000;
  j.lower = -5;
  j.upper = 4;
  double after[3];
  for (int a = 0; a < 3; a++) {
    j.antiwindup = (rbv_antiwindup)a;
    j.tracking_s = 2e-3;
    rbv_control *c = make(&j, 1);
    rbv_control_state *s = start(c, 1);
    // wanted torque 2, 3, 4, then more: the limit holds
    for (int k = 0; k < 100; k++) assert_near(tick(s, 1, 0), k < 2 ? k + 2 : 4, 0, 1e-12);
    after[a] = tick(s, 0, 0);
    rbv_control_reset(s);
    for (int k = 0; k < 10; k++) assert_near(tick(s, 0, 1), k < 3 ? -k - 2 : -5, 0, 1e-12);
    rbv_control_state_free(s);
    rbv_control_free(c);
  }
  // without anti-windup the integral is 100; with clamp it stopped at 3; with tracking 1 + I - 4 =
  // step
  assert_near(after[RBV_ANTIWINDUP_NONE], 4, 0, 0);
  assert_near(after[RBV_ANTIWINDUP_CLAMP], 3, 0, 1e-12);
  assert_near(after[RBV_ANTIWINDUP_TRACKING], 4, 0, 1e-6);
}

static void test_limited_transfer_does_not_wind_up(void **state) {
  (void)state;
  rbv_control_joint j = rbv_control_joint_defaults();
  j.kind = RBV_CONTROL_TRANSFER;
  j.transfer = (rbv_transfer){.nnum = 1, .nden = 2, .num = {1}, .den = {1, -1}};  // an integrator
  j.lower = -3;
  j.upper = 3;
  j.antiwindup = RBV_ANTIWINDUP_CLAMP;
  rbv_control *c = make(&j, 1);
  rbv_control_state *s = start(c, 1);
  for (int k = 0; k < 50; k++) assert_near(tick(s, 1, 0), k < 3 ? k + 1 : 3, 0, 1e-15);
  assert_near(tick(s, -1, 0), 2, 0, 1e-15);
  rbv_control_state_free(s);
  rbv_control_free(c);
}

/* ---- lanes ---- */

static void test_lanes_equal_single_loops(void **state) {
  (void)state;
  enum { JOINTS = 6, LANES = 5 };
  rbv_control_joint joint[JOINTS];
  for (int i = 0; i < JOINTS; i++) joint[i] = sample_joint(i);
  joint[2].lower = -40;
  joint[2].upper = 40;
  joint[2].antiwindup = RBV_ANTIWINDUP_CLAMP;
  rbv_control *c = make(joint, JOINTS);
  rbv_control_state *all = start(c, LANES), *one[LANES];
  for (int l = 0; l < LANES; l++) {
    one[l] = start(c, 1);
    for (int j = 0; j < JOINTS; j++) {
      rbv_control_set_scale(all, l, j, 1 + 0.1 * l);
      rbv_control_set_scale(one[l], 0, j, 1 + 0.1 * l);
    }
  }
  double qr[JOINTS * LANES], qm[JOINTS * LANES], tau[JOINTS * LANES];
  const long before = rbv_alloc_count();
  for (int k = 0; k < 100; k++) {
    noise(qr, JOINTS * LANES, (uint64_t)k);
    noise(qm, JOINTS * LANES, (uint64_t)k + 1000);
    const rbv_control_input in = {.qr = qr, .qm = qm};
    rbv_control_step(tau, all, &in);
    for (int l = 0; l < LANES; l++) {
      double a[JOINTS], b[JOINTS], out[JOINTS];
      for (int j = 0; j < JOINTS; j++) a[j] = qr[j * LANES + l], b[j] = qm[j * LANES + l];
      const rbv_control_input alone = {.qr = a, .qm = b};
      rbv_control_step(out, one[l], &alone);
      for (int j = 0; j < JOINTS; j++) assert_near(tau[j * LANES + l], out[j], 0, 0);
    }
  }
  assert_int_equal(rbv_alloc_count(), before);
  for (int l = 0; l < LANES; l++) rbv_control_state_free(one[l]);
  rbv_control_state_free(all);
  rbv_control_free(c);
}

/* ---- YAML ---- */

static const char *const text =
    "name: \"bench \\\"A\\\"\"\n"
    "rate_hz: 5000\n"
    "feedforward: gravity\n"
    "joints:\n"
    "  - {kind: pid, k_p: 8926.4, k_i: 134607.3767177205, k_d: 236.78, filter_s: 1.3e-3, limit: "
    "50}\n"
    "  - {kind: cascade, k_x: 40, k_p: 120, k_i: 900, filter_s: 1.3e-3, reference_velocity: 0.5,\n"
    "     limit: [-3, 4], antiwindup: {tracking_s: 0.01}, velocity_gain: 2, acceleration_gain: 3}\n"
    "  - {kind: transfer, num: [20, -19], den: [2, -2], delay: 1, limit: 7, antiwindup: clamp}\n"
    "  - tuned: {bandwidth_hz: 12, inertia: 0.24}\n"
    "  - tuned: {bandwidth_hz: 12, inertia: auto, integral: 0, roll_off: 3}\n"
    "  - {name: wrist, k_p: 3, reference_velocity: 0}\n";

static const double inertia[] = {1, 2, 3, 4, 5, 6};

static rbv_status parse(rbv_control **out, const char *yaml) {
  const rbv_control_options o = {.njoint = 6, .inertia = inertia};
  return rbv_control_parse(out, "file", yaml, strlen(yaml), &o);
}

static void test_yaml_is_read(void **state) {
  (void)state;
  rbv_control *c;
  assert_ok(parse(&c, text));
  assert_string_equal(rbv_control_name(c), "bench \"A\"");
  assert_near(rbv_control_rate_hz(c), 5000, 0, 0);
  assert_int_equal(rbv_control_joint_count(c), 6);
  assert_int_equal(rbv_control_get_feedforward(c), RBV_FEEDFORWARD_GRAVITY);
  const rbv_control_joint *j = rbv_control_get_joint(c, 0);
  assert_near(j->k_i, 134607.3767177205, 0, 0);
  assert_near(j->lower, -50, 0, 0);
  j = rbv_control_get_joint(c, 1);
  assert_int_equal(j->kind, RBV_CONTROL_CASCADE);
  assert_near(j->reference_velocity, 0.5, 0, 0);
  assert_near(j->tracking_s, 0.01, 0, 0);
  assert_near(j->velocity_gain + j->acceleration_gain, 5, 0, 0);
  j = rbv_control_get_joint(c, 2);
  assert_int_equal(j->delay, 1);
  assert_near(j->transfer.num[1], -9.5, 0, 0);  // normalised to den[0] = 1
  assert_near(j->transfer.den[0], 1, 0, 0);
  const double w = 2 * M_PI * 12;
  assert_near(rbv_control_get_joint(c, 3)->k_p, 0.24 * w * w, 0, 1e-15);
  assert_near(rbv_control_get_joint(c, 4)->k_d, 2 * 5 * w, 0, 1e-15);
  assert_near(rbv_control_get_joint(c, 4)->k_i, 0, 0, 0);
  assert_near(rbv_control_get_joint(c, 5)->reference_velocity, 0, 0, 0);
  assert_near(rbv_control_get_joint(c, 5)->k_p, 3, 0, 0);
  assert_null(rbv_control_get_joint(c, 6));
  rbv_control_free(c);
}

/* written YAML reads back to the last bit */
static void test_yaml_round_trip(void **state) {
  (void)state;
  rbv_control *a, *b;
  char *yaml, *again, path[512];
  size_t size, same;
  assert_ok(parse(&a, text));
  assert_ok(rbv_control_format(&yaml, &size, a));
  assert_ok(rbv_control_parse(&b, "again", yaml, size, NULL));
  for (int j = 0; j < 6; j++) {
    const rbv_control_joint *x = rbv_control_get_joint(a, j), *y = rbv_control_get_joint(b, j);
    const double p[] = {x->k_p, x->k_i, x->k_d, x->k_x, x->filter_s, x->lower, x->upper};
    const double q[] = {y->k_p, y->k_i, y->k_d, y->k_x, y->filter_s, y->lower, y->upper};
    assert_memory_equal(p, q, sizeof p);
  }
  assert_ok(rbv_control_format(&again, &same, b));
  assert_string_equal(yaml, again);
  rbv_file_free(again);
  rbv_file_free(yaml);
  rbv_control_free(b);
  snprintf(path, sizeof path, "%s/control.yaml", temp_directory());
  assert_ok(rbv_control_save(a, path));
  assert_ok(rbv_control_load(&b, path, NULL));
  rbv_control_free(a);
  rbv_control_free(b);
}

static void test_refusals(void **state) {
  (void)state;
  static const struct {
    const char *yaml, *says;
  } bad[] = {
      {"joints: [{k_p: 1}]", "has no rate_hz"},
      {"rate_hz: -1\njoints: [{k_p: 1}]", "file:1:10: rate_hz must be positive"},
      {"rate_hz: 1\njoints: [{k_p: 1}]", "1 joints, the robot 6"},
      {"rate_hz: 1\njoints: 3", "must be a list"},
      {"rate_hz: 1\nfeedforward: some\njoints: [{k_p: 1}]", "none, gravity or model"},
      {"rate_hz: 1\njoints: [{k_q: 1}, {}, {}, {}, {}, {}]", "k_p"},
      {"rate_hz: 1\njoints: [{kind: fuzzy}, {}, {}, {}, {}, {}]", "pid, cascade or transfer"},
      {"rate_hz: 1\njoints: [{kind: transfer}, {}, {}, {}, {}, {}]", "num and den"},
      {"rate_hz: 1\njoints: [{kind: transfer, num: [1], den: [0, 1]}, {}, {}, {}, {}, {}]",
       "joint 1: the first coefficient of den is zero"},
      {"rate_hz: 1\njoints: [{k_p: 1, num: [1]}, {}, {}, {}, {}, {}]", "does not belong"},
      {"rate_hz: 1\njoints: [{k_p: 1, limit: -2}, {}, {}, {}, {}, {}]", "a limit is"},
      {"rate_hz: 1\njoints: [{antiwindup: hope}, {}, {}, {}, {}, {}]", "none, clamp or"},
      {"rate_hz: 1\njoints: [{antiwindup: {tracking_s: 0}}, {}, {}, {}, {}, {}]", "tracking_s > 0"},
      {"rate_hz: 1\njoints: [{delay: -1}, {}, {}, {}, {}, {}]", "delay is 0 to"},
      {"rate_hz: 1\njoints: [{filter_s: -1}, {}, {}, {}, {}, {}]", "filter_s"},
      {"rate_hz: 1\njoints: [{tuned: {inertia: 1}}, {}, {}, {}, {}, {}]", "bandwidth_hz"},
      {"rate_hz: 1\njoints: [{tuned: {bandwidth_hz: 0}}, {}, {}, {}, {}, {}]", "must be positive"},
      {"rate_hz: 1\njoints: [{k_p: 1, tuned: {bandwidth_hz: 1}}, {}, {}, {}, {}, {}]", "either"},
  };
  for (int i = 0; i < RBV_COUNT(bad); i++) {
    rbv_control *c;
    assert_refused(parse(&c, bad[i].yaml), RBV_EINPUT, bad[i].says);
    assert_null(c);
  }
  // a rate that contradicts the file, an unknown inertia
  rbv_control *c;
  const rbv_control_options other = {.rate_hz = 4000};
  assert_refused(rbv_control_parse(&c, "file", text, strlen(text), &other), RBV_EINPUT,
                 "5000 Hz, but 4000 Hz");
  assert_refused(rbv_control_parse(&c, "file", text, strlen(text), NULL), RBV_EINPUT,
                 "inertia: auto needs a robot");
}

static rbv_status everything(void *state) {
  (void)state;
  rbv_control *c = NULL;
  rbv_control_state *s = NULL;
  char *yaml = NULL;
  size_t size;
  rbv_status status = parse(&c, text);
  if (status == RBV_OK) status = rbv_control_state_new(&s, c, 4);
  if (status == RBV_OK) status = rbv_control_format(&yaml, &size, c);
  rbv_file_free(yaml);
  rbv_control_state_free(s);
  rbv_control_free(c);
  return status;
}

static void test_allocations_fail(void **state) {
  (void)state;
  fail_each_allocation(everything, NULL);
}

/* a stream filtered in pieces equals the whole, and starts as if its first sample had always been
 * present */
static void test_stream_in_pieces_equals_the_whole(void **state) {
  (void)state;
  const rbv_transfer H = {.nnum = 3, .nden = 3, .num = {2, -1, 0.5}, .den = {1, -1.2, 0.4}};
  // at every width some columns are filtered in lanes and some alone
  enum { COUNT = 1200, COLUMNS = 11, BEFORE = 400 };
  static double x[COLUMNS][BEFORE + COUNT], want[COLUMNS][BEFORE + COUNT], y[COLUMNS][COUNT];
  double past[COLUMNS * 4];
  assert_int_equal(rbv_transfer_memory(&H), 4);
  for (int c = 0; c < COLUMNS; c++)
    for (int k = 0; k < BEFORE + COUNT; k++)
      x[c][k] = k < BEFORE ? 1 + c : 1 + c + rbv_random_normal(3, (uint64_t)c, (uint64_t)k);
  for (int c = 0; c < COLUMNS; c++) x[c][BEFORE] = 1 + c;
  const ptrdiff_t ld = BEFORE + COUNT;
  assert_ok(rbv_transfer_filter(want[0], ld, &H, x[0], ld, ld, COLUMNS));
  for (int width = 2; width <= SIGNAL_MAX_WIDTH; width *= 2) {
    rbv_signal_limit_width(width);
    rbv_transfer_start(past, &H, x[0] + BEFORE, ld, COLUMNS);
    for (ptrdiff_t at = 0, piece = 1; at < COUNT; at += piece, piece = piece % 700 * 3 + 1) {
      if (piece > COUNT - at) piece = COUNT - at;
      rbv_transfer_continue(y[0] + at, COUNT, &H, past, x[0] + BEFORE + at, ld, piece, COLUMNS);
    }
    // poles of modulus 0.63: after 400 samples the initial state has no effect
    for (int c = 0; c < COLUMNS; c++)
      for (int k = 0; k < COUNT; k++) assert_near(y[c][k], want[c][BEFORE + k], 1e-12, 1e-12);
  }
  rbv_signal_limit_width(0);
  assert_near(rbv_transfer_constant(&H), 7.5, 0, 1e-14);
  const rbv_transfer unit = rbv_transfer_unit();
  assert_true(rbv_transfer_constant(&unit) == 1 && rbv_transfer_memory(&unit) == 0);
}

/* a robot that stands at its reference gets no torque, for any factor on the reference velocity */
static void test_cascade_starts_from_rest(void **state) {
  (void)state;
  rbv_control_joint j = rbv_control_joint_defaults();
  j.kind = RBV_CONTROL_CASCADE;
  j.k_x = 40;
  j.k_p = 120;
  j.k_i = 900;
  j.filter_s = 1e-3;
  for (int share = 0; share < 3; share++) {
    j.reference_velocity = 0.5 * share;
    rbv_control *c;
    rbv_control_state *s;
    assert_ok(rbv_control_new(&c, "cascade", 1000, RBV_FEEDFORWARD_NONE, &j, 1));
    assert_ok(rbv_control_state_new(&s, c, 1));
    const double q = 1.5;
    const rbv_control_input in = {.qr = &q, .qm = &q};
    for (int run = 0; run < 2; run++, rbv_control_reset(s))
      for (int k = 0; k < 3; k++) {
        double tau;
        rbv_control_step(&tau, s, &in);
        // (b - 1) q and b q - q differ by rounding, times k_p rate
        assert_near(tau, 0, 1e-9, 0);
      }
    rbv_control_state_free(s);
    rbv_control_free(c);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_cascade_starts_from_rest),
      cmocka_unit_test(test_pid_by_hand),
      cmocka_unit_test(test_damping_of_the_measured_velocity),
      cmocka_unit_test(test_cascade_by_hand),
      cmocka_unit_test(test_feed_forward_scale_and_delay),
      cmocka_unit_test(test_pid_agrees_with_reference_program),
      cmocka_unit_test(test_step_filter_and_inverse),
      cmocka_unit_test(test_stream_in_pieces_equals_the_whole),
      cmocka_unit_test(test_columns_are_filtered_separately),
      cmocka_unit_test(test_roots),
      cmocka_unit_test(test_zeros_are_divided_out),
      cmocka_unit_test(test_unstable_inverse_is_refused),
      cmocka_unit_test(test_limit_and_windup),
      cmocka_unit_test(test_limited_transfer_does_not_wind_up),
      cmocka_unit_test(test_lanes_equal_single_loops),
      cmocka_unit_test(test_yaml_is_read),
      cmocka_unit_test(test_yaml_round_trip),
      cmocka_unit_test(test_refusals),
      cmocka_unit_test(test_allocations_fail),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
