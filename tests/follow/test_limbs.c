/* A robot with two limbs on a waist that is followed: the limb with the contact, a payload on one
 * of them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/support.h"
#include "stream.h"
#include "support.h"

#define RATE 500.0
#define WAIST 0
#define LEFT 3   // body at the end of the first limb
#define RIGHT 6  // and of the second one

static const char two_arms[] =
    "name: two arms\n"
    "joints:\n"
    "- {name: waist, origin: {xyz: [0, 0, 0.5]}, axis: [0, 0, 1],\n"
    "   limits: {lower: -2, upper: 2, velocity: 2, effort: 100},\n"
    "   parameters: {ZZ: 0.8, M: 10,\n"
    "                Ia: 0.05, Fv: 2, Fc: 3, off: 0.1}}\n"
    "- {name: left1, origin: {xyz: [0, 0.25, 0.4], rpy: [0.4, 0, 0]}, axis: [0, 1, 0],\n"
    "   limits: {lower: -2, upper: 2, velocity: 2, effort: 60},\n"
    "   parameters: {XX: 0.12, YY: 0.12, ZZ: 0.02, MX: 0.05, MY: 0.02, MZ: -0.45, M: 3,\n"
    "                Ia: 0.03, Fv: 1.2, Fc: 1.8, off: 0.1}}\n"
    "- {name: left2, origin: {xyz: [0, 0, -0.3]}, axis: [1, 0, 0],\n"
    "   limits: {lower: -2, upper: 2, velocity: 3, effort: 40},\n"
    "   parameters: {XX: 0.05, YY: 0.05, ZZ: 0.01, MX: 0.02, MY: 0.03, MZ: -0.25, M: 2,\n"
    "                Ia: 0.02, Fv: 0.8, Fc: 1.2, off: 0.1}}\n"
    "- {name: left3, origin: {xyz: [0, 0, -0.25]}, axis: [0, 1, 0],\n"
    "   limits: {lower: -2, upper: 2, velocity: 3, effort: 20},\n"
    "   parameters: {XX: 0.02, YY: 0.02, ZZ: 0.004, MX: 0.02, MY: 0.01, MZ: -0.1, M: 1,\n"
    "                Ia: 0.01, Fv: 0.4, Fc: 0.6, off: 0.1}}\n"
    "- {name: right1, parent: waist, origin: {xyz: [0, -0.25, 0.4], rpy: [-0.4, 0, 0]}, axis: [0, "
    "1, 0],\n"
    "   limits: {lower: -2, upper: 2, velocity: 2, effort: 60},\n"
    "   parameters: {XX: 0.12, YY: 0.12, ZZ: 0.02, MX: 0.05, MY: -0.02, MZ: -0.45, M: 3,\n"
    "                Ia: 0.03, Fv: 1.2, Fc: 1.8, off: 0.1}}\n"
    "- {name: right2, origin: {xyz: [0, 0, -0.3]}, axis: [1, 0, 0],\n"
    "   limits: {lower: -2, upper: 2, velocity: 3, effort: 40},\n"
    "   parameters: {XX: 0.05, YY: 0.05, ZZ: 0.01, MX: 0.02, MY: -0.03, MZ: -0.25, M: 2,\n"
    "                Ia: 0.02, Fv: 0.8, Fc: 1.2, off: 0.1}}\n"
    "- {name: right3, origin: {xyz: [0, 0, -0.25]}, axis: [0, 1, 0],\n"
    "   limits: {lower: -2, upper: 2, velocity: 3, effort: 20},\n"
    "   parameters: {XX: 0.02, YY: 0.02, ZZ: 0.004, MX: 0.02, MY: -0.01, MZ: -0.1, M: 1,\n"
    "                Ia: 0.01, Fv: 0.4, Fc: 0.6, off: 0.1}}\n";

typedef struct {
  known_stream k;
  rbv_follow *f;
  const rbv_follow_report *r;
  stream s;
} fixture;

static int setup(void **state) {
  fixture *x = calloc(1, sizeof *x);
  assert_non_null(x);
  known_new(&x->k, temp_file("two_arms.yaml", two_arms), -1, RATE, 0.01, 60, 1);
  assert_int_equal(rbv_model_tip_count(x->k.m), 2);
  *state = x;
  return 0;
}

static int teardown(void **state) {
  fixture *x = *state;
  known_free(&x->k);
  free(x);
  return 0;
}

static void begin(fixture *x, int at, uint64_t run) {
  x->k.arm.at = at;
  x->k.options.payload = at > 0;
  x->f = known_follow(&x->k, 30, run);
  x->r = rbv_follow_get(x->f);
  stream_new(&x->s, x->k.m, x->k.truth, RATE, x->k.share, 3, run + 1);
  x->s.at = at;
}

static void end(fixture *x) {
  rbv_follow_free(x->f);
  stream_free(&x->s);
}

static bool go(fixture *x, double seconds) {
  bool began = false;
  for (int k = 0; k < (int)(seconds * RATE + 0.5); k++) {
    stream_next(&x->s);
    assert_int_equal(rbv_follow_push(x->f, x->s.t, x->s.q, x->s.tau), RBV_STREAM_GOOD);
    began = began || x->r->began;
  }
  return began;
}

/* a push on one limb moves the waist too: the limb is told. A push on the waist is on no limb. */
static void test_limb_of_a_contact(void **state) {
  fixture *x = *state;
  begin(x, 0, 10);
  assert_false(go(x, 3));
  for (int j = 0; j < x->s.n; j++) {
    x->s.external[j] = 0.1 * rbv_model_joint(x->k.m, j)->limits.effort;
    if (j != WAIST) x->s.external[WAIST] = 0.1 * rbv_model_joint(x->k.m, WAIST)->limits.effort;
    assert_true(go(x, 0.1));
    assert_int_equal(x->r->limb, j == WAIST ? -1 : j <= LEFT ? LEFT : RIGHT);
    x->s.external[j] = x->s.external[WAIST] = 0;
    go(x, 1);
    assert_int_equal(x->r->contact, -1);
    assert_int_equal(x->r->limb, -1);
  }
  end(x);
}

/* a payload on the first limb, whose body is not the last one of the model */
static void test_payload_on_a_limb(void **state) {
  fixture *x = *state;
  const double centre[3] = {0.02, -0.03, -0.1};
  begin(x, LEFT + 1, 20);
  go(x, 2);
  assert_int_equal(x->r->load, RBV_LOAD_NONE);
  stream_carry(&x->s, 1.5, centre, 0.05);
  go(x, 3);
  assert_int_equal(x->r->load, RBV_LOAD_KNOWN);
  const rbv_payload *p = &x->r->payload;
  assert_near(p->mass, 1.5, 4 * p->mass_sigma, 0);
  // what 4 sigma mean must be small
  assert_true(p->mass_sigma < 0.05);
  for (int i = 0; i < 3; i++) assert_near(p->centre[i], centre[i], 4 * p->centre_sigma[i], 0);
  end(x);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_limb_of_a_contact),
                                     cmocka_unit_test(test_payload_on_a_limb)};
  return cmocka_run_group_tests(tests, setup, teardown);
}
