/* Fleets: deviating robots are found, and false alarms are rare. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "compare/compare.h"
#include "stats/stats.h"

#include "fake.h"
#include "support.h"

#define ROBOTS 50
#define COUNT 30

typedef struct {
  fake robot[ROBOTS];
  const rbv_result *list[ROBOTS];
} fleet_case;

/* parameter k is k + 1; robots scatter by `scatter`, estimates have errors of sigma */
static void make(fleet_case *h, int n, uint64_t seed, double scatter) {
  memset(h, 0, sizeof *h);
  for (int i = 0; i < n; i++) {
    fake *f = &h->robot[i];
    fake_new(f, COUNT);
    for (int k = 0; k < COUNT; k++) {
      const uint64_t at = (uint64_t)(2 * (i * COUNT + k));
      const double sigma = 0.02 + 0.02 * (i % 3);
      f->item[k].value = k + 1 + scatter * rbv_random_normal(seed, 1, at) +
                         sigma * rbv_random_normal(seed, 1, at + 1);
      f->item[k].sigma = sigma;
    }
    h->list[i] = &f->result;
  }
}

static rbv_fleet *compare(const fleet_case *h, int n, double alarm) {
  rbv_fleet *f;
  assert_ok(rbv_compare_fleet(&f, h->list, n, alarm));
  return f;
}

static void test_by_hand(void **state) {
  (void)state;
  static fleet_case h;
  make(&h, 6, 1, 0);
  const double value[] = {1, 2, 3, 4, 5, 1e6};
  for (int i = 0; i < 6; i++) {
    h.robot[i].result.estimate.count = 1;
    h.robot[i].item[0].value = value[i];
    h.robot[i].item[0].sigma = 0.5;
  }
  rbv_fleet *f = compare(&h, 6, 0.01);
  assert_int_equal(f->comparisons, 6);
  assert_int_equal(f->count, 1);
  assert_int_equal(f->deviating, 1);
  const rbv_deviation *o = &f->deviation[0];
  assert_int_equal(o->robot, 5);
  assert_string_equal(o->name, "P1");
  assert_int_equal(o->siblings, 5);
  // siblings 1 ... 5: median 3, deviations 2 1 0 1 2 with median 1; five of them: 5 / 4.2
  const double s = 1.4826 * 5 / 4.2;
  assert_near(o->median, 3, 0, 0);
  assert_near(o->scatter, s, 0, 1e-14);
  assert_near(o->z, (1e6 - 3) / sqrt(s * s + 1.5708 * s * s / 5), 0, 1e-13);
  double limit;
  assert_ok(rbv_stats_student_quantile(&limit, 0.01 / 12, RBV_TAIL_UPPER, 0.37 * 5));
  assert_near(o->limit, limit, 0, 1e-14);
  rbv_fleet_free(f);
}

static void test_deviating_robot(void **state) {
  (void)state;
  static fleet_case h;
  make(&h, ROBOTS, 3, 0.05);
  h.robot[7].item[4].value += 1.5;
  h.robot[7].item[9].value -= 3;
  h.robot[30].item[0].value += 2;
  h.list[12] = NULL;
  rbv_fleet *f = compare(&h, ROBOTS, 0.01);
  assert_int_equal(f->identified, ROBOTS - 1);
  assert_int_equal(f->count, 3);
  assert_int_equal(f->deviating, 2);
  assert_int_equal(f->deviation[0].robot, 7);
  assert_string_equal(f->deviation[0].name, "P10");
  assert_true(f->deviation[0].z < 0);
  assert_string_equal(f->deviation[1].name, "P5");
  assert_int_equal(f->deviation[2].robot, 30);
  assert_string_equal(f->deviation[2].name, "P1");
  rbv_fleet_free(f);
}

/* a large difference with a large sigma is no deviation */
static void test_uncertain_robot(void **state) {
  (void)state;
  static fleet_case h;
  make(&h, ROBOTS, 3, 0.05);
  h.robot[7].item[4].value += 3;
  h.robot[7].item[4].sigma = 1.5;
  h.robot[8].item[4].sigma = INFINITY;
  rbv_fleet *f = compare(&h, ROBOTS, 0.01);
  assert_int_equal(f->count, 0);
  assert_int_equal(f->comparisons, ROBOTS * COUNT - 1);
  rbv_fleet_free(f);
}

/* an alarm in 5 % of fleets without a deviating robot: 10 of 200, standard deviation 3.1 */
static void test_false_alarms(void **state) {
  (void)state;
  static fleet_case h;
  static const int sizes[] = {6, 10, 20, 50};
  static const double scatters[] = {0, 0.05, 0.5};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
    for (size_t k = 0; k < sizeof scatters / sizeof *scatters; k++) {
      int alarms = 0;
      for (uint64_t seed = 0; seed < 200; seed++) {
        make(&h, sizes[i], 1000 + seed, scatters[k]);
        rbv_fleet *f = compare(&h, sizes[i], 0.05);
        alarms += f->count > 0;
        rbv_fleet_free(f);
      }
      assert_true(alarms <= 10 + 3 * 3.1);
    }
}

static void test_too_few(void **state) {
  (void)state;
  static fleet_case h;
  make(&h, 4, 1, 0);
  h.robot[0].item[0].value = 1e9;
  rbv_fleet *f = compare(&h, 4, 0.01);
  assert_int_equal(f->comparisons, 0);
  assert_int_equal(f->count, 0);
  rbv_fleet_free(f);
}

static void test_refusals(void **state) {
  (void)state;
  static fleet_case h;
  rbv_fleet *f;
  make(&h, 5, 1, 0);
  assert_refused(rbv_compare_fleet(&f, h.list, 5, 0), RBV_EARG, "between 0 and 1");
  assert_refused(rbv_compare_fleet(&f, h.list, 0, 0.01), RBV_EARG, "robots");
  assert_refused(rbv_compare_fleet(&f, NULL, 5, 0.01), RBV_EARG, "robots");
  h.robot[3].result.robot = "leg";
  assert_refused(rbv_compare_fleet(&f, h.list, 5, 0.01), RBV_EINPUT, "'arm' and 'leg'");
}

static rbv_status once(void *state) {
  const fleet_case *h = state;
  rbv_fleet *f;
  const rbv_status status = rbv_compare_fleet(&f, h->list, 5, 0.01);
  rbv_fleet_free(f);
  return status;
}

static void test_out_of_memory(void **state) {
  (void)state;
  static fleet_case h;
  make(&h, 5, 1, 0);
  fail_each_allocation(once, &h);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_by_hand),         cmocka_unit_test(test_deviating_robot),
      cmocka_unit_test(test_uncertain_robot), cmocka_unit_test(test_false_alarms),
      cmocka_unit_test(test_too_few),         cmocka_unit_test(test_refusals),
      cmocka_unit_test(test_out_of_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
