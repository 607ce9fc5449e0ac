#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "motion/motion.h"

#include "base/support.h"
#include "support.h"

#define COUNT 7
#define LD 9

/* joint j, sample k of array a is the number a.jk; the padding must not be read */
static void fill(double *x, int a, int columns) {
  for (int i = 0; i < LD * columns; i++) x[i] = NAN;
  for (int j = 0; j < columns; j++)
    for (int k = 0; k < COUNT; k++) x[k + j * LD] = a + 0.1 * j + 0.01 * k;
}

typedef struct {
  double q[2 * LD], dq[2 * LD], ddq[2 * LD], torque[3 * LD];
  rbv_motion_info info;
  rbv_samples samples;
} arrays;

static arrays *make(void) {
  static arrays a;
  fill(a.q, 1, 2);
  fill(a.dq, 2, 2);
  fill(a.ddq, 3, 2);
  fill(a.torque, 4, 3);
  a.info = (rbv_motion_info){
      .name = "made", .njoint = 2, .ntorque = 3, .count = COUNT, .rate_hz = 100, .loaded = true};
  a.samples = (rbv_samples){.ld = LD, .q = a.q, .dq = a.dq, .ddq = a.ddq, .torque = a.torque};
  return &a;
}

static void compare(const double *got, ptrdiff_t ld, const double *want, int columns,
                    ptrdiff_t first, ptrdiff_t count) {
  for (int j = 0; j < columns; j++)
    for (ptrdiff_t k = 0; k < count; k++) assert_true(got[k + j * ld] == want[first + k + j * LD]);
}

static void test_every_range_equals_the_array(void **state) {
  (void)state;
  arrays *a = make();
  rbv_motion *m;
  assert_ok(rbv_motion_from_arrays(&m, &a->info, &a->samples));
  const arrays kept = *a;
  // the motion must have its own copy
  memset(a->q, 0, sizeof a->q);
  memset(a->torque, 0, sizeof a->torque);
  for (ptrdiff_t first = 0; first <= COUNT; first++)
    for (ptrdiff_t count = 0; first + count <= COUNT; count++) {
      double q[2 * LD], dq[2 * LD], ddq[2 * LD], torque[3 * LD];
      const rbv_samples out = {.ld = LD, .q = q, .dq = dq, .ddq = ddq, .torque = torque};
      assert_ok(rbv_motion_read(m, &out, first, count));
      compare(q, LD, kept.q, 2, first, count);
      compare(dq, LD, kept.dq, 2, first, count);
      compare(ddq, LD, kept.ddq, 2, first, count);
      compare(torque, LD, kept.torque, 3, first, count);
    }
  // unrequested arrays are not written; ld may equal the number of samples
  double dq[2 * 3];
  const rbv_samples some = {.ld = 3, .dq = dq};
  assert_ok(rbv_motion_read(m, &some, 4, 3));
  compare(dq, 3, kept.dq, 2, 4, 3);
  rbv_motion_free(m);
}

static void test_info_is_kept(void **state) {
  (void)state;
  arrays *a = make();
  char name[] = "made";
  a->info.name = name;
  rbv_motion *m;
  assert_ok(rbv_motion_from_arrays(&m, &a->info, &a->samples));
  name[0] = 'f';
  const rbv_motion_info *info = rbv_motion_get_info(m);
  assert_string_equal(info->name, "made");
  assert_int_equal(info->njoint, 2);
  assert_int_equal(info->ntorque, 3);
  assert_int_equal(info->count, COUNT);
  assert_true(info->rate_hz == 100 && info->loaded);
  rbv_motion_free(m);
  rbv_motion_free(NULL);
}

static void test_motion_without_torque(void **state) {
  (void)state;
  arrays *a = make();
  a->info.ntorque = 0;
  a->info.name = NULL;
  a->samples.torque = NULL;
  rbv_motion *m;
  assert_ok(rbv_motion_from_arrays(&m, &a->info, &a->samples));
  double q[2 * LD], torque[1];
  rbv_samples out = {.ld = LD, .q = q};
  assert_ok(rbv_motion_read(m, &out, 0, COUNT));
  compare(q, LD, a->q, 2, 0, COUNT);
  out.torque = torque;
  assert_refused(rbv_motion_read(m, &out, 0, 1), RBV_EARG, "has no torque");
  rbv_motion_free(m);
}

static void test_ranges_outside_are_refused(void **state) {
  (void)state;
  arrays *a = make();
  rbv_motion *m;
  assert_ok(rbv_motion_from_arrays(&m, &a->info, &a->samples));
  double q[2 * LD];
  rbv_samples out = {.ld = LD, .q = q};
  assert_refused(rbv_motion_read(m, &out, -1, 2), RBV_EARG, "'made' has 7");
  assert_refused(rbv_motion_read(m, &out, 0, COUNT + 1), RBV_EARG, "8 samples starting at 0");
  assert_refused(rbv_motion_read(m, &out, 3, -1), RBV_EARG, "'made' has 7");
  assert_refused(rbv_motion_read(m, &out, COUNT + 1, 0), RBV_EARG, "'made' has 7");
  assert_refused(rbv_motion_read(m, &out, PTRDIFF_MAX, 2), RBV_EARG, "'made' has 7");
  assert_refused(rbv_motion_read(m, &out, 2, PTRDIFF_MAX), RBV_EARG, "'made' has 7");
  out.ld = 3;
  assert_refused(rbv_motion_read(m, &out, 0, 4), RBV_EDIM, "do not fit");
  rbv_motion_free(m);
}

static void refuse(const arrays *a, const char *text) {
  rbv_motion *m = (rbv_motion *)(uintptr_t)a;
  assert_refused(rbv_motion_from_arrays(&m, &a->info, &a->samples), RBV_EARG, text);
  assert_null(m);
}

static void test_invalid_info_and_arrays_are_refused(void **state) {
  (void)state;
  arrays *a = make();
  a->info.njoint = 0;
  refuse(a, "at least one joint");
  a = make();
  a->info.count = 0;
  refuse(a, "'made' has no samples");
  a = make();
  a->info.rate_hz = NAN;
  refuse(a, "a sample rate of");
  a->info.rate_hz = -1;
  a->info.name = NULL;
  refuse(a, "'motion' has a sample rate of -1");
  a = make();
  a->samples.ddq = NULL;
  refuse(a, "an array is missing");
  a = make();
  a->samples.torque = NULL;
  refuse(a, "an array is missing");
  a = make();
  a->samples.ld = COUNT - 1;
  refuse(a, "ld is less than count");
}

/* ---- user-defined source ---- */

static int freed;

static rbv_status read_ramp(void *self, const rbv_samples *out, ptrdiff_t first, ptrdiff_t count) {
  (void)self;
  for (ptrdiff_t k = 0; k < count && out->q; k++) out->q[k] = (double)(first + k);
  return RBV_OK;
}

static void free_ramp(void *self) {
  (void)self;
  freed++;
}

static void test_user_defined_source(void **state) {
  (void)state;
  const rbv_motion_source source = {read_ramp, free_ramp};
  rbv_motion_info info = {
      .name = "ramp", .njoint = 1, .ntorque = 0, .count = 1000000, .rate_hz = 1};
  rbv_motion *m;
  freed = 0;
  assert_ok(rbv_motion_new(&m, &info, &source, NULL));
  double q[2];
  const rbv_samples out = {.ld = 2, .q = q};
  assert_ok(rbv_motion_read(m, &out, 999998, 2));
  assert_true(q[0] == 999998 && q[1] == 999999);
  rbv_motion_free(m);
  assert_int_equal(freed, 1);
  // the source is freed also if the call is refused
  info.count = 0;
  assert_refused(rbv_motion_new(&m, &info, &source, NULL), RBV_EARG, "no samples");
  assert_int_equal(freed, 2);
}

/* all samples are valid unless the source marks some as invalid */
static void test_validity(void **state) {
  (void)state;
  arrays *a = make();
  bool some[COUNT] = {true, true, false, true, false, false, true}, got[COUNT] = {false};
  const rbv_samples out = {.ld = LD, .valid = got};
  rbv_motion *m;
  assert_ok(rbv_motion_from_arrays(&m, &a->info, &a->samples));
  assert_ok(rbv_motion_read(m, &out, 0, COUNT));
  for (int k = 0; k < COUNT; k++) assert_true(got[k]);
  rbv_motion_free(m);
  a->samples.valid = some;
  assert_ok(rbv_motion_from_arrays(&m, &a->info, &a->samples));
  for (ptrdiff_t first = 0; first < COUNT; first++) {
    assert_ok(rbv_motion_read(m, &out, first, COUNT - first));
    for (ptrdiff_t k = first; k < COUNT; k++) assert_true(got[k - first] == some[k]);
  }
  rbv_motion_free(m);
}

static void test_origin_is_copied(void **state) {
  (void)state;
  arrays *a = make();
  rbv_motion *m;
  assert_ok(rbv_motion_from_arrays(&m, &a->info, &a->samples));
  assert_null(rbv_motion_get_origin(m));
  double nvr[4] = {1, 2, 3, 4}, noise[3] = {5, 6, 7};
  const rbv_motion_origin origin = {.method = "irw", .gaps = 8, .nvr = nvr, .torque_noise = noise};
  assert_ok(rbv_motion_set_origin(m, &origin));
  nvr[3] = noise[2] = 0;
  const rbv_motion_origin *got = rbv_motion_get_origin(m);
  assert_string_equal(got->method, "irw");
  assert_true(got->gaps == 8 && got->nvr[3] == 4 && got->torque_noise[2] == 7);
  assert_null(got->position_noise);
  assert_refused(rbv_motion_set_origin(m, &origin), RBV_EARG, "is already set");
  rbv_motion_free(m);
}

static rbv_status make_one(void *state) {
  arrays *a = state;
  rbv_motion *m;
  rbv_status status = rbv_motion_from_arrays(&m, &a->info, &a->samples);
  const rbv_motion_origin origin = {.method = "irw", .nvr = a->q};
  if (status == RBV_OK) status = rbv_motion_set_origin(m, &origin);
  rbv_motion_free(m);
  return status;
}

static void test_every_allocation_may_fail(void **state) {
  (void)state;
  fail_each_allocation(make_one, make());
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_every_range_equals_the_array),
      cmocka_unit_test(test_info_is_kept),
      cmocka_unit_test(test_motion_without_torque),
      cmocka_unit_test(test_ranges_outside_are_refused),
      cmocka_unit_test(test_invalid_info_and_arrays_are_refused),
      cmocka_unit_test(test_user_defined_source),
      cmocka_unit_test(test_validity),
      cmocka_unit_test(test_origin_is_copied),
      cmocka_unit_test(test_every_allocation_may_fail),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
