/* An arm that is followed: contact, payload, drift, bad samples, the state. Short runs; the rates
 * and coverages are measured in follow.slow_follow. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/support.h"
#include "stream.h"
#include "support.h"

#define RATE 500.0

typedef struct {
  known_stream k;
  rbv_follow *f;
  const rbv_follow_report *r;
  stream s;
} fixture;

static int setup(void **state) {
  fixture *x = calloc(1, sizeof *x);
  assert_non_null(x);
  known_new(&x->k, "tx40", -1, RATE, 0.01, 40, 1);
  *state = x;
  return 0;
}

static int teardown(void **state) {
  fixture *x = *state;
  known_free(&x->k);
  free(x);
  return 0;
}

static void begin(fixture *x, uint64_t run) {
  x->f = known_follow(&x->k, 30, run);
  x->r = rbv_follow_get(x->f);
  stream_new(&x->s, x->k.m, x->k.truth, RATE, x->k.share, 3, run + 1);
}

static void end(fixture *x) {
  rbv_follow_free(x->f);
  stream_free(&x->s);
}

/* go on for some time; returns when the contact or the change was told, -1: never */
static double go(fixture *x, double seconds, bool change) {
  double when = -1;
  for (int k = 0; k < (int)(seconds * RATE + 0.5); k++) {
    stream_next(&x->s);
    assert_int_equal(rbv_follow_push(x->f, x->s.t, x->s.q, x->s.tau), RBV_STREAM_GOOD);
    const bool event = change ? x->r->changed : x->r->began;
    if (event && when < 0) when = (k + 1) / RATE;
  }
  return when;
}

/* a step of 5 % of the rated torque on every joint in turn; no alarm without it */
static void test_contact(void **state) {
  fixture *x = *state;
  begin(x, 10);
  // one false alarm per hour is chosen: 3 s have one with a probability of 1e-3
  assert_near(go(x, 3, false), -1, 0, 0);
  for (int j = 0; j < x->s.n; j++) {
    x->s.external[j] = (j % 2 ? 0.05 : -0.05) * rbv_model_joint(x->k.m, j)->limits.effort;
    const double found = go(x, 0.1, false);
    if (!(found > 0 && found <= 0.03)) fail_msg("joint %d: found after %g s", j + 1, found);
    assert_int_equal(x->r->contact, j);
    // behind the filter the torque from outside is the residual, with the sign of the drive
    assert_near(x->r->residual[j], -x->s.external[j], 0, 0.3);
    x->s.external[j] = 0;
    go(x, 1, false);
    assert_int_equal(x->r->contact, -1);
  }
  end(x);
}

/* 3 kg are picked up and dropped during the motion */
static void test_payload(void **state) {
  fixture *x = *state;
  const double centre[3] = {0.02, -0.03, 0.08};
  begin(x, 20);
  assert_near(go(x, 2, true), -1, 0, 0);
  assert_int_equal(x->r->load, RBV_LOAD_NONE);
  double empty[STREAM_COLUMNS];
  memcpy(empty, x->s.chi, sizeof empty);
  stream_carry(&x->s, 3, centre, 0.05);
  // it is told at once, and unknown for 12 time constants of the slower filter: 0.19 s
  const double picked = go(x, 0.15, true);
  assert_true(picked > 0);
  assert_int_equal(x->r->load, RBV_LOAD_UNKNOWN);
  assert_true(x->r->changed_at > 2 && x->r->changed_at < 2.15);
  go(x, 0.85, true);
  assert_int_equal(x->r->load, RBV_LOAD_KNOWN);
  const rbv_payload *p = &x->r->payload;
  // the limits of the issue: 3 %, 1 cm; and three sigma
  assert_near(p->mass, 3, 0, 0.03);
  assert_near(p->mass, 3, 3 * p->mass_sigma, 0);
  for (int i = 0; i < 3; i++) {
    assert_near(p->centre[i], centre[i], 0.01, 0);
    assert_near(p->centre[i], centre[i], 3 * p->centre_sigma[i], 0);
  }
  go(x, 1, true);
  assert_int_equal(x->r->contact, -1);  // the payload is part of the model now
  memcpy(x->s.chi, empty, sizeof empty);
  stream_set(&x->s);
  const double dropped = go(x, 0.3, true);
  assert_true(dropped > 0);
  go(x, 2, true);
  assert_int_equal(x->r->load, RBV_LOAD_NONE);
  assert_near(x->r->payload.mass, 0, 0, 0);
  end(x);
}

/* mass and centre alone, and an arm that carries something from the start */
static void test_carries(void **state) {
  fixture *x = *state;
  const double centre[3] = {0, 0.04, 0.1};
  x->k.options.carries = true;
  x->k.options.inertia = false;
  begin(x, 30);
  assert_int_equal(x->r->load, RBV_LOAD_UNKNOWN);
  assert_true(isinf(x->r->payload.mass_sigma));
  stream_carry(&x->s, 2, centre, 0.02);
  go(x, 3, true);
  assert_int_equal(x->r->load, RBV_LOAD_KNOWN);
  assert_near(x->r->payload.mass, 2, 0, 0.05);
  assert_true(isinf(x->r->payload.inertia_sigma[0]));
  x->k.options.carries = false;
  x->k.options.inertia = true;
  end(x);
}

/* An arm that carries something from the start, without being told: its beginning was not seen,
 * so a second of disagreement is needed. */
static void test_unseen(void **state) {
  fixture *x = *state;
  begin(x, 35);
  stream_carry(&x->s, 4, (const double[3]){0, 0.02, 0.1}, 0.05);
  const double told = go(x, 4, true);
  assert_true(told > 1);
  assert_int_equal(x->r->load, RBV_LOAD_KNOWN);
  assert_near(x->r->payload.mass, 4, 0, 0.03);
  end(x);
}

/* viscous friction falls by 3 % in two minutes, as 30 % in twenty: it is followed. Joints that
 * stand still keep every number. */
static void test_drift(void **state) {
  fixture *x = *state;
  begin(x, 40);
  for (int j = 0; j < x->s.n; j++) x->s.moves[j] = j == 2;
  for (int second = 0; second < 120; second++) {
    for (int c = 0; c < rbv_model_column_count(x->k.m); c++)
      if (rbv_column_has_law(rbv_model_column(x->k.m, c), "Fv"))
        x->s.chi[c] = x->k.truth[c] * (1 - 0.03 * second / 120);
    stream_set(&x->s);
    go(x, 1, false);
  }
  int moved = 0;
  for (int i = 0; i < x->r->ndrift; i++) {
    const rbv_column *c = rbv_model_column(x->k.m, x->r->drift_column[i]);
    if (c->joint != 2) assert_near(x->r->drift[i], 0, 0, 0);
    if (c->joint == 2 && rbv_column_has_law(c, "Fv")) {
      const double now = x->k.chi[x->r->drift_column[i]] + x->r->drift[i];
      assert_near(now, x->s.chi[x->r->drift_column[i]], 3 * x->r->drift_sigma[i], 0);
      moved++;
    }
  }
  assert_int_equal(moved, 1);
  end(x);
}

/* bad samples are told, not used, and leave the estimates as they are */
static void test_bad_samples(void **state) {
  fixture *x = *state;
  begin(x, 50);
  go(x, 2, true);
  double q[STREAM_JOINTS], tau[STREAM_JOINTS];
  int count;
  const double *now = rbv_follow_state(x->f, &count);
  double *before = malloc((size_t)count * sizeof *before);
  assert_non_null(before);
  memcpy(before, now, (size_t)count * sizeof *before);
  stream_next(&x->s);
  memcpy(q, x->s.q, sizeof q);
  memcpy(tau, x->s.tau, sizeof tau);
  q[1] = NAN;
  assert_int_equal(rbv_follow_push(x->f, x->s.t, q, tau), RBV_STREAM_NOT_FINITE);
  q[1] = x->s.q[1];
  tau[5] = -INFINITY;
  assert_int_equal(rbv_follow_push(x->f, x->s.t, q, tau), RBV_STREAM_NOT_FINITE);
  tau[5] = x->s.tau[5];
  assert_int_equal(rbv_follow_push(x->f, NAN, q, tau), RBV_STREAM_NOT_FINITE);
  assert_int_equal(rbv_follow_push(x->f, x->s.t - 1 / RATE, q, tau), RBV_STREAM_REPEATED);
  q[0] += 0.5;  // 250 rad/s
  assert_int_equal(rbv_follow_push(x->f, x->s.t, q, tau), RBV_STREAM_JUMP);
  q[0] -= 0.5;
  assert_memory_equal(before, now, (size_t)count * sizeof *before);
  assert_int_equal(rbv_follow_push(x->f, x->s.t - 0.5, q, tau), RBV_STREAM_BACKWARDS);
  // one second is missing: the filters start again, nothing is told about the payload
  for (int k = 0; k < (int)RATE; k++) stream_next(&x->s);
  assert_int_equal(rbv_follow_push(x->f, x->s.t, x->s.q, x->s.tau), RBV_STREAM_GAP);
  assert_false(x->r->settled);
  assert_near(go(x, 3, true), -1, 0, 0);
  assert_int_equal(x->r->load, RBV_LOAD_NONE);
  assert_int_equal(x->r->contact, -1);
  // a clock that was set back: after ten samples the filters start again
  x->s.k = 0;
  int kinds[RBV_STREAM_KINDS] = {0};
  for (int k = 0; k < 20; k++) {
    stream_next(&x->s);
    kinds[rbv_follow_push(x->f, x->s.t, x->s.q, x->s.tau)]++;
  }
  assert_int_equal(kinds[RBV_STREAM_BACKWARDS], 9);
  assert_int_equal(kinds[RBV_STREAM_GAP], 1);
  assert_int_equal(kinds[RBV_STREAM_GOOD], 10);
  free(before);
  end(x);
}

/* Old values that are repeated are told, and are no payload: all of them for half a second, then
 * one torque while its joint moves. Afterwards the filters start again. */
static void test_frozen(void **state) {
  fixture *x = *state;
  begin(x, 55);
  go(x, 2, true);
  double q[STREAM_JOINTS], tau[STREAM_JOINTS];
  memcpy(q, x->s.q, sizeof q);
  memcpy(tau, x->s.tau, sizeof tau);
  int kinds[RBV_STREAM_KINDS] = {0};
  for (int k = 0; k < (int)(0.5 * RATE); k++) {
    stream_next(&x->s);
    kinds[rbv_follow_push(x->f, x->s.t, q, tau)]++;
  }
  assert_near(kinds[RBV_STREAM_FROZEN], 0.48 * RATE, 1, 0);
  stream_next(&x->s);
  assert_int_equal(rbv_follow_push(x->f, x->s.t, x->s.q, x->s.tau), RBV_STREAM_GAP);
  assert_near(go(x, 2, true), -1, 0, 0);
  // 0.8 s of one torque: 0.2 s are used
  memset(kinds, 0, sizeof kinds);
  memcpy(tau, x->s.tau, sizeof tau);
  for (int k = 0; k < (int)(0.8 * RATE); k++) {
    stream_next(&x->s);
    x->s.tau[1] = tau[1];
    kinds[rbv_follow_push(x->f, x->s.t, x->s.q, x->s.tau)]++;
  }
  assert_near(kinds[RBV_STREAM_FROZEN], 0.6 * RATE, 1, 0);
  stream_next(&x->s);
  assert_int_equal(rbv_follow_push(x->f, x->s.t, x->s.q, x->s.tau), RBV_STREAM_GAP);
  go(x, 3, true);
  assert_int_equal(x->r->load, RBV_LOAD_NONE);
  end(x);
}

/* four of seven samples are lost for a second: the payload stays, and no change is told */
static void test_lost_samples(void **state) {
  fixture *x = *state;
  begin(x, 57);
  go(x, 1, true);
  stream_carry(&x->s, 3, (const double[3]){0.02, 0, 0.08}, 0.05);
  go(x, 3, true);
  assert_int_equal(x->r->load, RBV_LOAD_KNOWN);
  for (int k = 0; k < (int)RATE; k++) {
    stream_next(&x->s);
    if (k % 7 == 1 || k % 7 == 3 || k % 7 == 4 || k % 7 == 5) continue;
    assert_int_equal(rbv_follow_push(x->f, x->s.t, x->s.q, x->s.tau), RBV_STREAM_GOOD);
    assert_false(x->r->changed);
  }
  assert_int_equal(x->r->load, RBV_LOAD_KNOWN);
  assert_near(x->r->payload.mass, 3, 0.09, 0);  // 3 %
  end(x);
}

/* a copy that got the state goes on with the same bits */
static void test_state(void **state) {
  fixture *x = *state;
  begin(x, 60);
  go(x, 1.5, true);
  stream_carry(&x->s, 1, (const double[3]){0, 0, 0.1}, 0.05);
  go(x, 0.8, true);
  int count, other;
  const double *from = rbv_follow_state(x->f, &count);
  rbv_follow *copy;
  assert_ok(rbv_follow_new(&copy, &x->k.arm, x->k.rms, &x->k.options));
  assert_ok(rbv_follow_load(copy, from, count));
  const rbv_follow_report *c = rbv_follow_get(copy);
  assert_near(c->payload.mass, x->r->payload.mass, 0, 0);
  for (int k = 0; k < (int)RATE; k++) {
    stream_next(&x->s);
    assert_int_equal(rbv_follow_push(x->f, x->s.t, x->s.q, x->s.tau),
                     rbv_follow_push(copy, x->s.t, x->s.q, x->s.tau));
  }
  const double *to = rbv_follow_state(copy, &other);
  assert_int_equal(count, other);
  assert_memory_equal(from, to, (size_t)count * sizeof *from);
  assert_near(c->payload.mass_sigma, x->r->payload.mass_sigma, 0, 0);
  assert_refused(rbv_follow_load(copy, from, count - 1), RBV_EDIM, "numbers");
  rbv_follow_free(copy);
  end(x);
}

static void test_refused(void **state) {
  fixture *x = *state;
  rbv_follow *f;
  rbv_follow_options o = x->k.options;
  o.rate_hz = 0;
  assert_refused(rbv_follow_new(&f, &x->k.arm, x->k.rms, &o), RBV_EARG, "range");
  assert_null(f);
  assert_refused(rbv_follow_new(&f, &x->k.arm, NULL, &x->k.options), RBV_EARG, "residuals");
  // three seconds have fewer than eight blocks
  f = known_follow(&x->k, 0, 1);
  double t[100], zero[600] = {0};
  for (int i = 0; i < 100; i++) t[i] = i / RATE;
  const rbv_follow_samples samples = {.count = 100, .t = t, .q = zero, .torque = zero};
  assert_refused(rbv_follow_calibrate(f, &samples, 1), RBV_EINPUT, "too short");
  assert_refused(rbv_follow_calibrate(f, &samples, 0), RBV_EARG, "at least one");
  rbv_follow_free(f);
}

static rbv_status make(void *state) {
  const fixture *x = state;
  rbv_follow *f;
  const rbv_status status = rbv_follow_new(&f, &x->k.arm, x->k.rms, &x->k.options);
  rbv_follow_free(f);
  return status;
}

static void test_allocations(void **state) { fail_each_allocation(make, *state); }

/* nothing is allocated along the stream */
static void test_no_allocation(void **state) {
  fixture *x = *state;
  begin(x, 70);
  const long before = rbv_alloc_count();
  go(x, 2, true);
  stream_carry(&x->s, 3, (const double[3]){0, 0, 0.1}, 0.05);
  go(x, 2, true);
  // stream_carry sets parameters, which allocates nothing either
  assert_int_equal(rbv_alloc_count(), before);
  end(x);
}

static void test_names(void **state) {
  (void)state;
  for (int i = 0; i < RBV_STREAM_KINDS; i++) {
    assert_non_null(rbv_stream_name((rbv_stream_kind)i));
    assert_non_null(rbv_stream_text((rbv_stream_kind)i));
  }
  assert_null(rbv_stream_name(RBV_STREAM_KINDS));
  assert_string_equal(rbv_load_name(RBV_LOAD_UNKNOWN), "unknown");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_contact),     cmocka_unit_test(test_payload),
      cmocka_unit_test(test_carries),     cmocka_unit_test(test_unseen),
      cmocka_unit_test(test_drift),       cmocka_unit_test(test_bad_samples),
      cmocka_unit_test(test_frozen),      cmocka_unit_test(test_lost_samples),
      cmocka_unit_test(test_state),       cmocka_unit_test(test_refused),
      cmocka_unit_test(test_allocations), cmocka_unit_test(test_no_allocation),
      cmocka_unit_test(test_names),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
