/* Changes of robots over periods: a case by hand, common changes, gaps, false alarms. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "compare/compare.h"

#include "fake.h"
#include "support.h"

#define SIGMA 0.1

/* results of robots with different levels and noise of SIGMA; the caller changes values */
typedef struct {
  int nrobot, nperiod, nparameter;
  fake *made;
  const rbv_result **list;
} history_case;

static rbv_parameter *at(const history_case *c, int robot, int period, int parameter) {
  return &c->made[robot + period * c->nrobot].item[parameter];
}

static void case_new(history_case *c, int nrobot, int nperiod, int nparameter, uint64_t seed) {
  const int n = nrobot * nperiod;
  *c = (history_case){nrobot, nperiod, nparameter, NULL, NULL};
  c->made = malloc((size_t)n * sizeof *c->made);
  c->list = malloc((size_t)n * sizeof *c->list);
  for (int k = 0; k < n; k++) {
    fake_new(&c->made[k], nparameter);
    c->list[k] = &c->made[k].result;
    for (int p = 0; p < nparameter; p++) {
      const uint64_t stream = (uint64_t)(k * nparameter + p);
      // robots differ by many sigma
      const double level = 3 + p + rbv_random_normal(seed + 1, (uint64_t)(k % nrobot), (uint64_t)p);
      c->made[k].item[p].value = level + SIGMA * rbv_random_normal(seed, stream, 0);
      // the sigma of a result is an estimate too: 20 blocks of a jackknife
      double square = 0;
      for (uint64_t i = 0; i < 19; i++) square += pow(rbv_random_normal(seed, stream, i + 1), 2);
      c->made[k].item[p].sigma = SIGMA * sqrt(square / 19);
    }
  }
}

static void case_free(history_case *c) {
  free(c->made);
  free((void *)(uintptr_t)c->list);
}

static rbv_history *compare(const history_case *c, double alarm) {
  rbv_history *h;
  assert_ok(rbv_compare_history(&h, c->list, c->nrobot, c->nperiod, alarm));
  return h;
}

/* the first change of a robot; NULL: none */
static const rbv_change *of_robot(const rbv_history *h, int robot) {
  for (int i = 0; i < h->count; i++)
    if (h->change[i].robot == robot) return &h->change[i];
  return NULL;
}

/* two robots, so that nothing is shared; without noise the scatter is the sigma */
static void test_by_hand(void **state) {
  (void)state;
  history_case c;
  case_new(&c, 2, 3, 1, 1);
  static const double value[2][3] = {{1, 1, 1}, {2, 2, 2.6}};
  for (int r = 0; r < 2; r++)
    for (int t = 0; t < 3; t++) {
      at(&c, r, t, 0)->value = value[r][t];
      at(&c, r, t, 0)->sigma = 0.1;
    }
  rbv_history *h = compare(&c, 0.01);
  assert_int_equal(h->comparisons, 2 * 3);
  assert_near(h->inflation[0], 1, 0, 0);
  assert_near(h->common[2], 0, 0, 0);
  // the last value against the mean of two: 0.6 / (0.1 sqrt(1 + 1/2))
  assert_near(h->z[1 + 2 * 2], 0.6 / (0.1 * sqrt(1.5)), 0, 1e-12);
  assert_near(h->z[0 + 2 * 2], 0, 1e-12, 0);
  // four differences give one degree of freedom: such a limit is far away
  assert_true(h->limit[0] > 100);
  assert_int_equal(h->count, 0);
  rbv_history_free(h);
  case_free(&c);
}

static void test_step_and_trend(void **state) {
  (void)state;
  history_case c;
  case_new(&c, 12, 8, 20, 5);
  // robot 3: a step of 20 sigma in period 4; robot 7: parameter 2 grows by 3 sigma per period
  for (int t = 0; t < 8; t++) {
    if (t >= 4) at(&c, 3, t, 11)->value += 20 * SIGMA;
    at(&c, 7, t, 2)->value += 3 * SIGMA * t;
  }
  rbv_history *h = compare(&c, 0.01);
  assert_int_equal(h->changed, 2);
  assert_int_equal(h->count, 2);
  const rbv_change *step = of_robot(h, 3), *trend = of_robot(h, 7);
  assert_non_null(step);
  assert_non_null(trend);
  assert_int_equal(step->parameter, 11);
  assert_int_equal(step->found, 4);
  assert_int_equal(step->started, 4);
  // means of four periods: sigma of the difference is SIGMA sqrt(2/4)
  assert_near(step->after - step->before, 20 * SIGMA, 5 * SIGMA * sqrt(0.5), 0);
  assert_int_equal(trend->parameter, 2);
  // 84 differences, 21 degrees of freedom, 6720 comparisons: the limit is 6.6 sigma. Two halves of
  // t + 1 periods differ by 0.75 (t + 1)^1.5 sigma; sigmas that are at least their median, and the
  // error of the common change, make that 12 % less: 3.5 in period 2, 9.8 in period 5, with errors
  // of one sigma
  assert_near(h->limit[0], 6.6, 0.3, 0);
  assert_true(trend->found >= 3 && trend->found <= 5);
  rbv_history_free(h);
  case_free(&c);
}

/* a change that all robots share is no change of a robot, and one more on top of it is */
static void test_common_change(void **state) {
  (void)state;
  history_case c;
  case_new(&c, 15, 6, 10, 7);
  for (int r = 0; r < 15; r++)
    for (int t = 0; t < 6; t++) at(&c, r, t, 4)->value += 30 * SIGMA * sin(t);
  for (int t = 3; t < 6; t++) at(&c, 2, t, 4)->value += 15 * SIGMA;
  rbv_history *h = compare(&c, 0.01);
  assert_int_equal(h->count, 1);
  assert_int_equal(h->change[0].robot, 2);
  assert_int_equal(h->change[0].found, 3);
  // the median of 15 robots in two periods: sigma sqrt(2 * 1.57 / 15), four of them
  for (int t = 0; t < 6; t++)
    assert_near(h->common[t + 4 * 6], 30 * SIGMA * sin(t), 4 * SIGMA * 0.46, 0);
  rbv_history_free(h);
  case_free(&c);
}

static void test_missing_results(void **state) {
  (void)state;
  history_case c;
  case_new(&c, 12, 7, 6, 9);
  // robot 1 has no result in two periods; parameter 3 is not identified in another one
  c.list[1 + 2 * 12] = c.list[1 + 3 * 12] = NULL;
  at(&c, 4, 5, 3)->sigma = INFINITY;
  for (int t = 5; t < 7; t++) at(&c, 1, t, 0)->value -= 25 * SIGMA;
  rbv_history *h = compare(&c, 0.01);
  assert_int_equal(h->count, 1);
  assert_int_equal(h->change[0].robot, 1);
  assert_int_equal(h->change[0].found, 5);
  assert_true(isnan(h->value[1 + 12 * 2]));
  assert_true(h->change[0].z < 0);
  rbv_history_free(h);
  case_free(&c);
}

/*
 * Clean fleets, with alarm 0.2 so that a wrong limit is visible: the number of fleets with a false
 * alarm is at most binomial with p = 0.2. Of 60 fleets 12 are expected, 22 are exceeded with a
 * probability of 0.1 %. Scatter between periods is 1.5 times what the sigmas say.
 */
static void test_false_alarms(void **state) {
  (void)state;
  int alarms = 0;
  for (uint64_t seed = 0; seed < 60; seed++) {
    history_case c;
    case_new(&c, seed % 2 ? 10 : 3, 6, 12, 100 + 10 * seed);
    for (int k = 0; k < c.nrobot * c.nperiod; k++)
      for (int p = 0; p < c.nparameter; p++) c.made[k].item[p].sigma /= 1.5;
    rbv_history *h = compare(&c, 0.2);
    alarms += h->count > 0;
    rbv_history_free(h);
    case_free(&c);
  }
  if (alarms > 22) fail_msg("%d of 60 clean fleets have a false alarm", alarms);
}

static void test_refusals(void **state) {
  (void)state;
  history_case c;
  case_new(&c, 2, 2, 1, 3);
  rbv_history *h = NULL;
  assert_refused(rbv_compare_history(&h, c.list, 2, 1, 0.01), RBV_EARG, "two or more periods");
  assert_refused(rbv_compare_history(&h, c.list, 2, 2, 1), RBV_EARG, "between 0 and 1");
  assert_refused(rbv_compare_history(&h, NULL, 2, 2, 0.01), RBV_EARG, "needs robots");
  assert_null(h);
  case_free(&c);
}

static rbv_status make(void *self) {
  const history_case *c = self;
  rbv_history *h;
  const rbv_status status = rbv_compare_history(&h, c->list, c->nrobot, c->nperiod, 0.01);
  if (status == RBV_OK) rbv_history_free(h);
  return status;
}

static void test_memory(void **state) {
  (void)state;
  history_case c;
  case_new(&c, 5, 3, 2, 4);
  fail_each_allocation(make, &c);
  case_free(&c);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_by_hand),       cmocka_unit_test(test_step_and_trend),
      cmocka_unit_test(test_common_change), cmocka_unit_test(test_missing_results),
      cmocka_unit_test(test_false_alarms),  cmocka_unit_test(test_refusals),
      cmocka_unit_test(test_memory)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
