/* Searches keep their constraints, repeat themselves, and say what stands in the way. */
#include <roberval/sys/document.h>
#include <stdio.h>
#include <string.h>

#include "designs.h"
#include "motions.h"

static void test_random_robots_keep_all_constraints(void **state) {
  (void)state;
  for (uint64_t seed = 0; seed < 12; seed += 3) design_any(seed, 0, 5e-3, true);
}

/* a second link that lies in the robot's foot in every pose: no search can help */
static void test_a_robot_that_stands_in_itself(void **state) {
  (void)state;
  any_robot r;
  any_robot_new(&r, 12, 0.1);
  double center[JOINTS_MAX];
  assert_refused(rbv_constraints_center(center, r.m, &r.c), RBV_EINPUT,
                 "self-collision of links 0 and 2");
  rbv_model_free(r.m);
}

typedef struct {
  rbv_model *m;
  rbv_excite *e;
  rbv_limits limits[6];
  rbv_constraints c;
  rbv_trajectory_shape s;
  rbv_search_options find;
} setting;

static setting ns16(rbv_criterion criterion) {
  setting x = {.m = load_robot("ns16", -1, false)};
  rbv_excite_options o = rbv_excite_defaults();
  o.criterion = criterion;
  assert_ok(rbv_excite_new(&x.e, x.m, &o));
  assert_int_equal(rbv_excite_base(x.e)->count, 58);
  ns16_limits(x.limits, true);
  x.s = rbv_trajectory_defaults();
  x.s.njoint = 6;
  x.find = rbv_search_defaults();
  x.find.population = 8;
  x.find.generations = 3;
  x.find.starts = 2;
  x.find.iterations = 4;
  return x;
}

static void setting_free(setting *x) {
  rbv_excite_free(x->e);
  rbv_model_free(x->m);
}

/* the same seed gives the same design on one thread and on two; better than where it began */
static void test_searches_repeat(void **state) {
  (void)state;
  for (int how = 0; how < 2; how++) {
    setting x = ns16(RBV_CRITERION_DOPT);
    x.c.limits = x.limits;
    x.find.search = how ? RBV_SEARCH_SLSQP : RBV_SEARCH_GA;
    rbv_trajectory *t[2];
    rbv_search_info info[2];
    for (int i = 0; i < 2; i++) {
      x.find.threads = i + 1;
      assert_ok(rbv_excite_search(&t[i], &info[i], x.e, &x.c, &x.s, &x.find));
      assert_true(info[i].feasible);
      assert_true(info[i].best < info[i].first);
      assert_keeps(x.m, &x.c, t[i], 1e-2);
    }
    assert_near(info[1].best, info[0].best, 0, 0);
    const size_t bytes = (size_t)rbv_trajectory_coefficient_count(t[0]) * sizeof(double);
    assert_memory_equal(rbv_trajectory_get(t[0]), rbv_trajectory_get(t[1]), bytes);
    for (int i = 0; i < 2; i++) rbv_trajectory_free(t[i]);
    setting_free(&x);
  }
}

/* two together tell more than one; on top of a recording, less is left to gain */
static void test_several_together_and_on_top(void **state) {
  (void)state;
  setting x = ns16(RBV_CRITERION_DOPT);
  x.c.limits = x.limits;
  rbv_trajectory *one, *two[2];
  rbv_search_info info;
  assert_ok(rbv_excite_search(&one, &info, x.e, &x.c, &x.s, &x.find));
  const double alone = info.best;
  x.find.trajectories = 2;
  assert_ok(rbv_excite_search(two, &info, x.e, &x.c, &x.s, &x.find));
  assert_true(info.best < alone);
  for (int i = 0; i < 2; i++) {
    assert_keeps(x.m, &x.c, two[i], 1e-2);
    rbv_trajectory_free(two[i]);
  }
  rbv_motion *motion;
  assert_ok(rbv_trajectory_motion(&motion, one, "recorded", 40));
  assert_ok(rbv_excite_add(x.e, motion));
  x.find.trajectories = 1;
  rbv_trajectory *more;
  assert_ok(rbv_excite_search(&more, &info, x.e, &x.c, &x.s, &x.find));
  assert_true(info.feasible && info.best < alone);
  rbv_trajectory_free(more);
  rbv_motion_free(motion);
  rbv_trajectory_free(one);
  setting_free(&x);
}

static bool stop_at_once(void *payload, double seconds, double best, long evaluations) {
  (void)payload, (void)seconds, (void)best, (void)evaluations;
  return false;
}

static void test_stopping_keeps_the_best(void **state) {
  (void)state;
  setting x = ns16(RBV_CRITERION_COND);
  x.c.limits = x.limits;
  x.find.progress = stop_at_once;
  rbv_trajectory *t;
  rbv_search_info info;
  assert_ok(rbv_excite_search(&t, &info, x.e, &x.c, &x.s, &x.find));
  assert_true(info.stopped && info.feasible && t);
  assert_keeps(x.m, &x.c, t, 1e-2);
  rbv_trajectory_free(t);
  setting_free(&x);
}

static bool stop_after(void *payload, double seconds, double best, long evaluations) {
  (void)seconds, (void)best, (void)evaluations;
  return --*(int *)payload > 0;
}

/* stopped anywhere, also in the midst of a climb, and gone on with: the same as in one go */
static void test_what_was_stopped_is_gone_on_with(void **state) {
  (void)state;
  setting x = ns16(RBV_CRITERION_DOPT);
  x.c.limits = x.limits;
  rbv_trajectory *whole, *t;
  rbv_search_info info;
  assert_ok(rbv_excite_search(&whole, &info, x.e, &x.c, &x.s, &x.find));
  const size_t bytes = (size_t)rbv_trajectory_coefficient_count(whole) * sizeof(double);
  const rbv_jobs jobs = {
      .name = "test", .description = "a search", .count = rbv_search_jobs(&x.find)};
  int stops = 0;
  for (bool stopped = true; stopped; stops += stopped) {
    rbv_journal *journal;
    const char *path = temp_file("search.journal", "");
    assert_int_equal(remove(path), 0);
    assert_ok(rbv_journal_open(&journal, path, &jobs, false));
    const rbv_jobs_store store = rbv_journal_store(journal);
    x.find.store = &store;
    int left = stops + 1;
    x.find.progress = stop_after;
    x.find.payload = &left;
    assert_ok(rbv_excite_search(&t, &info, x.e, &x.c, &x.s, &x.find));
    stopped = info.stopped;
    rbv_trajectory_free(t);
    x.find.progress = NULL;
    assert_ok(rbv_excite_search(&t, &info, x.e, &x.c, &x.s, &x.find));
    assert_memory_equal(rbv_trajectory_get(t), rbv_trajectory_get(whole), bytes);
    rbv_trajectory_free(t);
    rbv_journal_free(journal);
  }
  // it was asked once before, and then at every step of both climbs
  assert_true(stops > 2 * x.find.iterations);
  rbv_trajectory_free(whole);
  setting_free(&x);
}

/* every refusal names what stands in the way */
static void test_refusals(void **state) {
  (void)state;
  setting x = ns16(RBV_CRITERION_DOPT);
  x.c.limits = x.limits;
  rbv_trajectory *t;
  rbv_search_info info;
  x.limits[1].velocity = 0;
  assert_refused(rbv_excite_search(&t, &info, x.e, &x.c, &x.s, &x.find), RBV_EINPUT,
                 "joint2: the velocity limit is 0");
  ns16_limits(x.limits, true);
  x.limits[2].lower = 2;
  assert_refused(rbv_excite_search(&t, &info, x.e, &x.c, &x.s, &x.find), RBV_EINPUT,
                 "joint3: the position limits");
  ns16_limits(x.limits, true);

  // a capsule of the last link that reaches back into the base, wherever the arm is
  const rbv_capsule capsule[2] = {{.link = 0, .to = {0, 0, 1}, .radius = 5},
                                  {.link = 6, .to = {0, 0, 0.1}, .radius = 0.1}};
  const double zero[6] = {0};
  x.c.ncapsule = 2;
  x.c.capsule = capsule;
  assert_refused(rbv_excite_search(&t, &info, x.e, &x.c, &x.s, &x.find), RBV_EINPUT,
                 "self-collision");
  x.c.center = zero;
  assert_refused(rbv_excite_search(&t, &info, x.e, &x.c, &x.s, &x.find), RBV_EINPUT,
                 "the centre of the motion breaks a constraint: self-collision");
  x.c.ncapsule = 0;
  const rbv_plane plane = {.normal = {0, 0, 1}, .offset = -3};
  x.c.nplane = 1;
  x.c.plane = &plane;
  assert_refused(rbv_excite_search(&t, &info, x.e, &x.c, &x.s, &x.find), RBV_EINPUT,
                 "a workspace plane");
  x.c.nplane = 0;
  x.c.center = NULL;

  // a torque that gravity alone passes
  x.c.prior = rbv_model_parameters(x.m);
  x.limits[1].effort = 1e-3;
  assert_refused(rbv_excite_search(&t, &info, x.e, &x.c, &x.s, &x.find), RBV_EINPUT, "torque");
  x.c.prior = NULL;
  x.limits[1].effort = INFINITY;

  // two points of via and no time: what cannot be excited is an answer, not an error
  x.s.kind = RBV_TRAJECTORY_SINES;
  x.s.count = 1;
  x.find.samples = 5;
  x.find.search = RBV_SEARCH_GA;
  assert_ok(rbv_excite_search(&t, &info, x.e, &x.c, &x.s, &x.find));
  assert_false(info.feasible);
  assert_null(t);
  assert_non_null(strstr(info.reason, "excites all 58 parameters"));
  x.s.kind = RBV_TRAJECTORY_VIA;
  x.s.count = 3;
  x.find.search = RBV_SEARCH_SLSQP;
  assert_refused(rbv_excite_search(&t, &info, x.e, &x.c, &x.s, &x.find), RBV_EUNSUPPORTED,
                 "via points have no gradient");
  setting_free(&x);
}

typedef struct {
  rbv_model *m;
  rbv_search search;
} small;

/* criteria, constraints, search and score of a little robot, from nothing */
static rbv_status design_and_score(void *self) {
  const small *x = self;
  static const rbv_capsule capsule[2] = {{.link = 0, .radius = 0.1},
                                         {.link = 2, .from = {0.5}, .to = {1}, .radius = 0.1}};
  const rbv_constraints c = {.ncapsule = 2, .capsule = capsule};
  rbv_trajectory_shape s = rbv_trajectory_defaults();
  s.njoint = 2;
  s.count = 2;
  s.duration_s = 1;
  rbv_search_options find = rbv_search_defaults();
  find.search = x->search;
  find.polish = false;
  find.population = 2;
  find.generations = 1;
  find.starts = 1;
  find.iterations = 2;
  find.samples = 40;
  rbv_excite *e = NULL;
  rbv_trajectory *t = NULL;
  rbv_motion *motion = NULL;
  rbv_search_info info;
  rbv_score score;
  const rbv_excite_options o = rbv_excite_defaults();
  rbv_status status = rbv_excite_new(&e, x->m, &o);
  if (status == RBV_OK) status = rbv_excite_search(&t, &info, e, &c, &s, &find);
  if (status == RBV_OK) status = rbv_trajectory_motion(&motion, t, "design", 20);
  if (status == RBV_OK) status = rbv_excite_add(e, motion);
  if (status == RBV_OK) status = rbv_excite_score(&score, NULL, NULL, e, &motion, 1);
  if (status == RBV_OK) assert_true(info.feasible && isfinite(score.coupling));
  rbv_motion_free(motion);
  rbv_trajectory_free(t);
  rbv_excite_free(e);
  return status;
}

static void test_each_allocation_may_fail(void **state) {
  (void)state;
  static const char text[] =
      "joints:\n  - {mdh: {}, limits: {lower: -1, upper: 1, velocity: 2}}\n"
      "  - {mdh: {alpha: pi/2, d: 1}, limits: {lower: -1, upper: 1, velocity: 2}}\n";
  small x = {NULL, RBV_SEARCH_GA};
  assert_ok(rbv_model_parse(&x.m, "arm", text, sizeof text - 1, NULL));
  fail_each_allocation(design_and_score, &x);
  x.search = RBV_SEARCH_SLSQP;
  fail_each_allocation(design_and_score, &x);
  rbv_model_free(x.m);
}

/* a check by hand: one joint, 2 sin(t), and a floor that the tool would touch */
static void test_check_by_hand(void **state) {
  (void)state;
  static const char text[] =
      "joints:\n  - mdh: {alpha: pi/2}\n  - {mdh: {alpha: 0, d: 1}, limits: {lower: -1, upper: "
      "1}}\n";
  rbv_model *m;
  assert_ok(rbv_model_parse(&m, "arm", text, sizeof text - 1, NULL));
  rbv_trajectory_shape s = rbv_trajectory_defaults();
  s.kind = RBV_TRAJECTORY_SINES;
  s.njoint = 2;
  s.count = 1;
  const double x[] = {0, 0.5, 1, 0, 0, 1};
  rbv_trajectory *t;
  assert_ok(rbv_trajectory_new(&t, &s, x));
  rbv_limits limits[2] = {{-0.5, 0.5, 0.5, 0.5, 0.5, INFINITY}, {-1, 1, 1, 1, 1, INFINITY}};
  rbv_constraints c = {.limits = limits};
  rbv_usage usage[2];
  rbv_usage_info info;
  assert_ok(rbv_constraints_check(&info, usage, m, &c, t, 1e-3));
  assert_true(info.feasible);
  assert_near(usage[0].upper, 0.5, 1e-12, 0);
  assert_near(usage[0].velocity, 0.5, 1e-12, 0);
  assert_near(info.tool_speed, 0.5, 1e-6, 0);  // one metre from the axis
  limits[0].acceleration = 0.499;
  assert_ok(rbv_constraints_check(&info, usage, m, &c, t, 1e-3));
  assert_false(info.feasible);
  assert_string_equal(info.reason, "joint1: acceleration 0.5 is beyond the limit 0.499");
  limits[0].acceleration = 1;
  // the elbow sinks by sin(0.5) = 0.479 m
  rbv_plane floor = {.normal = {0, 0, -2}, .offset = 2 * 0.47};
  c.nplane = 1;
  c.plane = &floor;
  assert_ok(rbv_constraints_check(&info, usage, m, &c, t, 1e-3));
  assert_false(info.feasible);
  assert_non_null(strstr(info.reason, "a workspace plane"));
  floor.offset = 2 * 0.49;
  assert_ok(rbv_constraints_check(&info, usage, m, &c, t, 1e-3));
  assert_true(info.feasible);
  assert_near(info.outside, 0.49 - sin(0.5), 1e-5, 0);
  rbv_trajectory_free(t);
  rbv_model_free(m);
}

static void test_distances_by_hand(void **state) {
  (void)state;
  const double a[3] = {0, 0, 0}, b[3] = {1, 0, 0}, c[3] = {0.5, 1, -1}, d[3] = {0.5, 1, 1},
               e[3] = {3, 0, 0}, f[3] = {2, 0, 0};
  assert_near(rbv_segment_distance(a, b, c, d), 1, 1e-15, 0);
  assert_near(rbv_segment_distance(a, b, e, f), 1, 1e-15, 0);
  assert_near(rbv_segment_distance(a, a, e, e), 3, 1e-15, 0);
  assert_near(rbv_segment_distance(a, b, a, b), 0, 1e-15, 0);
  const double low[3] = {-1, 2, -1}, high[3] = {2, 3, 1};
  assert_near(rbv_box_distance(a, b, low, high), 2, 1e-15, 0);
  assert_near(rbv_box_distance(c, d, low, high), 1, 1e-12, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_random_robots_keep_all_constraints),
      cmocka_unit_test(test_a_robot_that_stands_in_itself),
      cmocka_unit_test(test_searches_repeat),
      cmocka_unit_test(test_several_together_and_on_top),
      cmocka_unit_test(test_stopping_keeps_the_best),
      cmocka_unit_test(test_what_was_stopped_is_gone_on_with),
      cmocka_unit_test(test_refusals),
      cmocka_unit_test(test_each_allocation_may_fail),
      cmocka_unit_test(test_check_by_hand),
      cmocka_unit_test(test_distances_by_hand),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
